"""Every public name of the reference's Python module, and whether sinew has it.

    python -m conformance.names [--output docs/names.md]

Names of the module, members of its classes and its submodules are looked up in both. What is not there, or not the same,
needs a reason in this file; a reason that nothing needs any more is an error. A test writes the table again and compares.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import pkgutil
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.engines import DEFAULT_ENGINE, EngineMissing, candidate, reference
from conformance.sources import REPOSITORY

OUTPUT = REPOSITORY / "docs" / "names.md"

# What the module imports for itself, no part of its interface; what the environment decides; a submodule of another package.
_IMPORTS = set("GLContext Any IO Sequence TypeAlias Union ctypes os platform subprocess warnings zipfile mjx".split())

_LISTS = "lists and arrays stand in the place of vectors of C++"
_PLUGINS = "libraries of plugins are not loaded"
_MEMORY = "memory is not C's"
_PICTURES = "of the C++ window, or of a library for pictures that is not needed here"
_SCENES = "scenes are not written as text"
_NOT_DRAWN = "raises `NoDrawing`: pictures and scenes are made by `mjv_updateScene` and `mjr_render` alone"

# Why names are not there, or differ. A name with a dot is a member of a class, or all of them that are not there (`*`).
REASONS: dict[str, str] = {
    **dict.fromkeys("MjByteVec MjCharVec MjDoubleVec MjFloatVec MjIntVec MjStringVec".split(), _LISTS),
    **dict.fromkeys("MjVisualHeadlight MjVisualRgba".split(), "the parts of `vis` are of one class"),
    **dict.fromkeys("MjsElement MjsTendonPath".split(), "elements of a spec have no second object behind them"),
    **dict.fromkeys("PLUGINS_DIR PLUGIN_HANDLES mj_loadAllPluginLibraries mj_loadPluginLibrary".split(), _PLUGINS),
    "HEADERS_DIR": "there are no headers of C",
    **dict.fromkeys("get_mju_user_free get_mju_user_malloc set_mju_user_free set_mju_user_malloc".split(), _MEMORY),
    **dict.fromkeys("mj_printFormattedScene mj_printScene".split(), _SCENES),
    **dict.fromkeys("mjr_addAux mjr_blitAux mjr_blitBuffer mjr_figure mjr_findRect mjr_rectangle".split(), _NOT_DRAWN),
    **dict.fromkeys("mjr_setAux mjv_addGeoms mjv_averageCamera mjv_cameraFrame mjv_cameraFrustum".split(), _NOT_DRAWN),
    **dict.fromkeys("mjv_cameraInRoom mjv_makeLights mjv_model2room mjv_moveModel mjv_room2model".split(), _NOT_DRAWN),
    **dict.fromkeys("mjv_updateCamera mjv_updateSkin".split(), _NOT_DRAWN),
    "mju_raySkin": "takes one number for the arrays of faces and of vertices there, and reads beyond it",
    "MjData.bind_scalar": "`bind` gives scalars by itself",
    "MjModel.bind_scalar": "`bind` gives scalars by itself",
    "MjrContext.*": "pictures are made without OpenGL: there are no buffers and lists of it",
    "mujoco.cgl": _PICTURES,
    "mujoco._render": _PICTURES,
    "mujoco._rollout": "`mujoco.rollout` needs no module behind it",
    "mujoco._simulate": _PICTURES,
    "mujoco._callbacks": "callbacks are functions of the module itself",
    "mujoco.introspect": "found where the reference is installed, as `mujoco.mjx` and `mujoco.sysid` are",
    "mujoco.sysid": "found where the reference is installed, and runs on sinew",
}

# What classes are made with that need something.
_ARGUMENTS = {"MjrRect": (0, 0, 1, 1)}


@dataclass(frozen=True)
class Row:
    """A name, what it is, and what there is to say of it: "" if it is there."""

    name: str
    kind: str
    said: str = ""
    is_missing: bool = False


def kind_of(value: Any) -> str:
    """What a name stands for."""
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isclass(value):
        return "enum" if hasattr(value, "__members__") else "class"
    return "function" if callable(value) else "constant"


def rows(theirs: Any, ours: Any) -> Iterator[Row]:
    """All names of the module, members of its classes, and submodules."""
    for name in filter(_counts, _public(theirs)):
        value = getattr(theirs, name)
        kind = kind_of(value)
        if kind == "module":
            # Which are there depends on what draws; they come below.
            continue
        if not hasattr(ours, name):
            yield Row(name, kind, "not there", True)
            continue
        own = getattr(ours, name)
        yield Row(name, kind, "" if _is_same(kind, value, own) else "differs")
        if kind == "class":
            present = _members(own)
            for member in sorted(_members(value)):
                is_missing = member not in present
                yield Row(f"{name}.{member}", "member", "not there" if is_missing else "", is_missing)
    for found in pkgutil.iter_modules(theirs.__path__):
        if _counts(found.name):
            is_missing = not _has_module(ours, found.name)
            yield Row(f"mujoco.{found.name}", "submodule", "not there" if is_missing else "", is_missing)


def _counts(name: str) -> bool:
    return name not in _IMPORTS and not name.endswith("_test")


def _has_module(ours: Any, name: str) -> bool:
    return importlib.util.find_spec(f"{ours.__name__}.{name}") is not None


def _public(thing: Any) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_")]


def _members(kind: type) -> set[str]:
    """Names that objects of a class have, also if only an object shows them."""
    if not kind.__name__.startswith("Mj"):
        return set(_public(kind))
    try:
        made = kind(*_ARGUMENTS.get(kind.__name__, ()))
    except Exception:
        return set(_public(kind))
    return set(_public(kind)) | set(_public(made))


def _is_same(kind: str, theirs: Any, ours: Any) -> bool:
    if kind == "enum":
        values = [{name: int(value) for name, value in each.__members__.items()} for each in (theirs, ours)]
        return values[0] == values[1]
    if kind == "constant":
        return theirs == ours or repr(theirs) == repr(ours)
    if (getattr(ours, "__doc__", None) or "").endswith("sinew does not have it."):
        return False
    return kind_of(ours) == kind or (kind == "class" and inspect.isclass(ours))


def _reason(name: str) -> str | None:
    """The key of the reason for a name."""
    return next((key for key in (name, f"{name.partition('.')[0]}.*") if key in REASONS), None)


def table(found: list[Row]) -> str:
    """The page. A name without a reason, or a reason without a name, is an error."""
    unlike = {row.name: row for row in found if row.said}
    reasons = {name: key for name in unlike if (key := _reason(name)) is not None}
    unknown, useless = sorted(unlike.keys() - reasons.keys()), sorted(REASONS.keys() - set(reasons.values()))
    if unknown or useless:
        raise ValueError(f"without a reason: {', '.join(unknown)}; with one that nothing needs: {', '.join(useless)}")
    kinds = ("function", "class", "member", "enum", "constant", "submodule")
    lines = [
        "# Names of the reference's module",
        "",
        "Written by `python -m conformance.names`: every public name of MuJoCo 3.5.0's Python module, every member of its",
        "classes, its submodules. A test writes it again.",
        "",
        "| what | in the reference | there | differs | not there |",
        "|---|---|---|---|---|",
    ]
    for kind in kinds:
        own = [row for row in found if row.kind == kind]
        missing = sum(row.is_missing for row in own)
        differs = sum(bool(row.said) for row in own) - missing
        lines.append(f"| {kind} | {len(own)} | {len(own) - missing - differs} | {differs} | {missing} |")
    lines += ["", "## Not there, or different", "", "| name | what | | why |", "|---|---|---|---|"]
    lines += [f"| `{row.name}` | {row.kind} | {row.said} | {REASONS[reasons[row.name]]} |" for row in unlike.values()]
    lines += ["", "## There", ""]
    for kind in kinds:
        if kind != "member":
            names = " ".join(f"`{row.name}`" for row in found if row.kind == kind and not row.said)
            lines += [f"**{kind}** {names}", ""]
    lines += ["| class | members | there |", "|---|---|---|"]
    for row in found:
        if row.kind == "class" and not row.is_missing:
            own = [member for member in found if member.name.startswith(f"{row.name}.")]
            lines.append(f"| `{row.name}` | {len(own)} | {sum(not member.said for member in own)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the page. Exit status: 0, or 2 if an engine or a reason is missing."""
    parser = argparse.ArgumentParser(prog="python -m conformance.names", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--engine", default=DEFAULT_ENGINE)
    options = parser.parse_args(arguments)
    try:
        text = table(list(rows(reference().module, candidate(options.engine).module)))
    except (EngineMissing, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    options.output.write_text(text)
    print(f"wrote {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
