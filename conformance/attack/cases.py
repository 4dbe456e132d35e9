"""The cases: each a function without arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable

from conformance.attack import deadlines, making, memory, texts, wild
from conformance.sources import REPOSITORY

CORPUS = REPOSITORY / "crates" / "sinew-mjcf" / "tests" / "corpus"


def _load(make: Callable[[], tuple[str, dict[str, bytes]]]) -> None:
    """Loads a model that is made in the process itself, and simulates it for a moment if that is short."""
    from sinew import compat

    text, files = make()
    model = compat.MjModel.from_xml_string(text, files)
    data = compat.MjData(model)
    if model.nv < 1000:
        compat.mj_step(model, data, 3)


def _specify(make: Callable[[], tuple[str, dict[str, bytes]]]) -> None:
    """Reads such a model to be edited, and compiles it."""
    from sinew import compat

    text, files = make()
    compat.MjSpec.from_string(text, assets=files).compile()


def _check(path: str) -> None:
    """Loads a file."""
    from sinew import compat

    compat.MjModel.from_xml_path(path)


def _all() -> dict[str, Callable[[], None]]:
    cases = {f"text {name}": functools.partial(_load, make) for name, make in texts.TEXTS.items()}
    cases |= {f"spec {name}": functools.partial(_specify, make) for name, make in texts.TEXTS.items()}
    cases |= {f"call {name}": call for name, call in making.CALLS.items()}
    cases |= {f"wild {name}": call for name, call in wild.WILD.items()}
    cases |= {f"deadline {name}": call for name, call in deadlines.DEADLINES.items()}
    cases |= {f"memory {name}": call for name, call in memory.MEMORY.items()}
    for path in sorted(CORPUS.glob("*/*.xml")):
        cases[f"file {path.parent.name}/{path.stem}"] = functools.partial(_check, str(path))
    return cases


CASES = _all()
