"""``import mujoco`` gives sinew's module, also in libraries that know nothing of it."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.readers
import importlib.util
import multiprocessing.spawn
import os
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

from . import _headless

NAME = "mujoco"
OURS = __package__ or "sinew.compat"

# What a module says of itself rather than offers.
_OWN = {"__name__", "__package__", "__spec__", "__loader__", "__path__", "__file__", "__cached__", "__builtins__"}


class _Distribution(importlib.metadata.Distribution):
    """What asks for the version of the installed package is told which release the numbers agree with."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {_version()}\n"

    def locate_file(self, path: str | os.PathLike[str]) -> Any:
        raise FileNotFoundError(path)


class _Finder(importlib.metadata.DistributionFinder, importlib.abc.Loader):
    """Finds modules of the reference's name, which have what ours have. Others that are installed under its name, as
    ``mujoco.mjx`` and ``mujoco.sysid``, are found if they are Python: they import ours."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != NAME and not fullname.startswith(NAME + "."):
            return None
        if _is_ours(fullname):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        is_direct = fullname.count(".") == 1
        found = importlib.machinery.PathFinder.find_spec(fullname, _folders() if is_direct else path)
        if found is None or isinstance(found.loader, importlib.machinery.ExtensionFileLoader):
            raise ModuleNotFoundError(f"No module named '{fullname}': sinew.compat does not have it", name=fullname)
        return found

    def find_distributions(self, context: Any = None) -> Iterator[importlib.metadata.Distribution]:
        if getattr(context, "name", None) == NAME:
            yield _Distribution()

    def get_resource_reader(self, fullname: str) -> Any:
        """Files that come with the reference are found, if it is there."""
        folder = next(iter(_folders()), None) if fullname == NAME else None
        return (
            None
            if folder is None
            else importlib.readers.FileReader(SimpleNamespace(path=os.path.join(folder, "__init__.py")))
        )

    def exec_module(self, module: ModuleType) -> None:
        ours = importlib.import_module(_ours(module.__name__))
        module.__dict__.update({name: value for name, value in vars(ours).items() if name not in _OWN})
        module.__dict__.setdefault("__file__", ours.__file__)


_FINDER = _Finder()
_CONTEXTS = _headless.Finder()
_replaced: dict[str, ModuleType] = {}
_plain_preparation = multiprocessing.spawn.get_preparation_data


class _InChild:
    """Installs where it is unpickled: in a process that was spawned, before anything else is imported there."""

    def __reduce__(self) -> Any:
        return install, ()


def _prepare(name: str) -> dict[str, Any]:
    return {**_plain_preparation(name), "sinew_compat": _InChild()}


def _folders() -> list[str]:
    """Where packages of the reference's name are installed: what in them is Python alone runs on sinew."""
    folders = (os.path.join(entry or os.curdir, NAME) for entry in sys.path)
    return [folder for folder in folders if os.path.isdir(folder)]


def _is_ours(fullname: str) -> bool:
    try:
        return importlib.util.find_spec(_ours(fullname)) is not None
    except ModuleNotFoundError:
        return False


def _ours(fullname: str) -> str:
    return OURS + fullname.removeprefix(NAME)


def _version() -> str:
    return importlib.import_module(OURS).__version__


def _modules() -> list[str]:
    own = [name for name in sys.modules if name == NAME or name.startswith(NAME + ".")]
    return own + [name for name in _headless.CONTEXTS if name in sys.modules]


def is_installed() -> bool:
    """Whether ``import mujoco`` gives sinew's module."""
    return _FINDER in sys.meta_path


def install() -> None:
    """From now on ``import mujoco`` gives a module of that name on sinew, also in libraries, and in processes that are
    forked or spawned from this one.

    Modules that have imported the reference before keep it, so call this first::

        import sinew.compat

        sinew.compat.install()
        import gymnasium  # its environments run on sinew
    """
    if is_installed():
        return
    for name in _modules():
        _replaced[name] = sys.modules.pop(name)
    sys.meta_path[:0] = [_FINDER, _CONTEXTS]
    multiprocessing.spawn.get_preparation_data = _prepare


def uninstall() -> None:
    """From now on ``import mujoco`` gives what it gave before."""
    if not is_installed():
        return
    sys.meta_path.remove(_FINDER)
    sys.meta_path.remove(_CONTEXTS)
    multiprocessing.spawn.get_preparation_data = _plain_preparation
    for name in _modules():
        del sys.modules[name]
    sys.modules.update(_replaced)
    _replaced.clear()
