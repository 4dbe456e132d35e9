"""The reference's module of drawing contexts."""

from ._drawing import GLContext

__all__ = ["GLContext"]
