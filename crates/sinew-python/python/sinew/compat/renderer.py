"""The reference's module of the renderer."""

from ._renderer import Renderer

__all__ = ["Renderer"]
