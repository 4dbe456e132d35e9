"""Laws in place of the reference's, by name: ``docs/laws.md`` lists them.

    import sinew.compat as mujoco
    from sinew import laws

    m = mujoco.MjModel.from_xml_path("cloth.xml")
    laws.choose(m, bending={"cloth": "dihedral"}, solver=("xpbd", 20, 4))

Objects are named or counted. The next evaluation of every simulation of the model takes the choice up. Laws for prototypes are
functions among the hooks of a simulation (``d.hooks``).
"""

from __future__ import annotations

from collections.abc import Mapping

from . import _native

_KINDS = {"bending": "mjOBJ_FLEX", "elasticity": "mjOBJ_FLEX", "gain": "mjOBJ_ACTUATOR"}


def chosen(model) -> dict[str, dict[int, tuple]]:
    """The laws of a model: ``{"bending": {0: ("dihedral", 0.01)}}``."""
    out: dict[str, dict[int, tuple]] = {}
    for place, index, name, parameters in _native.laws(model._native):
        out.setdefault(place, {})[index] = (name, *parameters)
    return out


def choose(
    model,
    *,
    bending: Mapping[str | int, object] | None = None,
    elasticity: Mapping[str | int, object] | None = None,
    gain: Mapping[str | int, object] | None = None,
    solver: object = None,
) -> None:
    """Chooses laws for some objects of a model; all others follow the reference again.

    A law is its name, or its name and parameters in a tuple. What is unknown, or refuses its object, is a ``ValueError``
    and changes nothing.
    """
    choices = []
    for place, laws in (("bending", bending), ("elasticity", elasticity), ("gain", gain)):
        for item, law in (laws or {}).items():
            choices.append((place, _index(model, place, item), *_law(law)))
    if solver is not None:
        choices.append(("solver", 0, *_law(solver)))
    _native.choose_laws(model._native, choices)


def _law(law) -> tuple[str, list[float]]:
    name, *parameters = (law,) if isinstance(law, str) else law
    return name, [float(parameter) for parameter in parameters]


def _index(model, place: str, item: str | int) -> int:
    """The id of an object that is named or counted."""
    from .compat import mj_name2id, mjtObj

    kind = getattr(mjtObj, _KINDS[place])
    count = model.nu if place == "gain" else model.nflex
    if isinstance(item, str):
        found = mj_name2id(model, kind, item)
        if found < 0:
            raise ValueError(f"the model has no {place} object named {item!r}")
        return found
    if not 0 <= item < count:
        raise ValueError(f"{place} object {item} is not among {count}")
    return int(item)
