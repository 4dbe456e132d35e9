"""The reference's drawing contexts of this kind."""

from ._context import GLContext

__all__ = ["GLContext"]
