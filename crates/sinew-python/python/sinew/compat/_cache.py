"""The cache of assets. sinew keeps none: files are read when a model is loaded, so it is always empty."""

from __future__ import annotations


class _Cache:
    """What the functions below are given. It remembers how much it might hold."""

    __slots__ = ("_capacity",)

    def __init__(self) -> None:
        self._capacity = 500 * 2**20


_CACHE = _Cache()


def mj_getCache() -> object:
    """The cache of assets, of which there is one."""
    return _CACHE


def mj_clearCache(cache: object) -> None:
    """Empties the cache, which is empty."""
    _known(cache)


def mj_getCacheSize(cache: object) -> int:
    """Bytes in the cache: none."""
    _known(cache)
    return 0


def mj_getCacheCapacity(cache: object) -> int:
    """Bytes that the cache may hold."""
    return _known(cache)._capacity


def mj_setCacheCapacity(cache: object, size: int) -> int:
    """Says how many bytes the cache may hold, and returns that."""
    known = _known(cache)
    known._capacity = int(size)
    return known._capacity


def _known(cache: object) -> _Cache:
    if cache is not _CACHE:
        raise TypeError(f"expected what mj_getCache returns, not {type(cache).__name__}")
    return _CACHE


CACHES = mj_getCache, mj_clearCache, mj_getCacheSize, mj_getCacheCapacity, mj_setCacheCapacity
