"""The reference's drawing contexts of this kind."""

from ._drawing import GLContext

__all__ = ["GLContext"]
