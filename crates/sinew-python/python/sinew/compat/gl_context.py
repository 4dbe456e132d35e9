"""The reference's module of drawing contexts."""

from ._context import GLContext

__all__ = ["GLContext"]
