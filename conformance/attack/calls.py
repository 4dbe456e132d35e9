"""Calls of the Python module that ask for a lot or give what is damaged."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

BODY = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
CALLS: dict[str, Callable[[], None]] = {}


def enter(function: Callable[[], None]) -> Callable[[], None]:
    """Enters a function under its name."""
    CALLS[function.__name__.replace("_", " ")] = function
    return function


def model_of_a_body():
    from sinew import compat

    return compat.MjModel.from_xml_string(BODY)


@enter
def a_rollout_of_a_billion_steps():
    import numpy as np

    from sinew import compat, rollout

    model = model_of_a_body()
    rollout.rollout(model, compat.MjData(model), np.zeros(1 + model.nq + model.nv), nstep=10**9)


@enter
def a_rollout_of_a_million_worlds():
    import numpy as np

    from sinew import compat, rollout

    model = model_of_a_body()
    rollout.rollout(model, compat.MjData(model), np.zeros((10**6, 1 + model.nq + model.nv)), nstep=1000)


@enter
def data_of_a_model_with_much_user_data():
    from sinew import compat

    model = compat.MjModel.from_xml_string("<mujoco><size nuserdata='8000000'/></mujoco>")
    kept = [compat.MjData(model) for _ in range(20)]
    assert len(kept) == 20


@enter
def many_copies_of_a_simulation():
    import copy

    from sinew import compat

    model = compat.MjModel.from_xml_string("<mujoco><size nuserdata='8000000'/></mujoco>")
    data = compat.MjData(model)
    kept = [copy.copy(data) for _ in range(20)]
    assert len(kept) == 20


def _heap(count: int, geom: str, option: str) -> None:
    """Steps bodies that all overlap, in whatever memory there is."""
    from sinew import compat

    text = f"""<mujoco><option {option}/><worldbody><replicate count="{count}" offset=".0001 0 0">
        <body><freejoint/><geom {geom}/></body></replicate></worldbody></mujoco>"""
    model = compat.MjModel.from_xml_string(text)
    data = compat.MjData(model)
    compat.mj_step(model, data)
    assert data.ncon > 0


@enter
def a_heap_of_boxes():
    _heap(500, 'type="box" size=".1 .1 .1"', 'solver="CG" iterations="2"')


@enter
def a_heap_of_boxes_by_Gauss_and_Seidel():
    _heap(500, 'type="box" size=".1 .1 .1"', 'solver="PGS" iterations="2"')


@enter
def a_heap_of_boxes_by_Newton():
    _heap(500, 'type="box" size=".1 .1 .1"', 'iterations="1"')


@enter
def ten_thousand_spheres():
    _heap(10_000, 'size=".1"', 'iterations="1"')


def _tampered(seed: int) -> Callable[[], None]:
    def call() -> None:
        from sinew import compat

        model = model_of_a_body()
        dice = random.Random(seed)
        content = bytearray(pickle.dumps((model, compat.MjData(model))))
        for _ in range(dice.randint(1, 4)):
            content[dice.randrange(len(content))] = dice.randrange(256)
        try:
            other, data = pickle.loads(bytes(content))
        except (MemoryError, ValueError, TypeError, IndexError):
            raise
        except Exception as error:
            # What Python's own reader says of bytes that are no pickle.
            raise ValueError(f"no pickle: {error}") from None
        if isinstance(other, compat.MjModel) and isinstance(data, compat.MjData):
            compat.mj_step(other, data, 3)

    return call


for _seed in range(40):
    CALLS[f"a tampered pickle {_seed}"] = _tampered(_seed)
