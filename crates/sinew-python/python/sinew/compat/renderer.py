"""The reference's module of the renderer."""

from ._drawing import Renderer

__all__ = ["Renderer"]
