"""Steps and loads that are given a deadline: how much later they return."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

SECONDS = 2.0
# A busy machine wakes a process late by itself.
LATEST = 0.2
DEADLINES: dict[str, Callable[[], None]] = {}


class Over(Exception):
    """The deadline has come."""


def _world(count: int, offset: str, geom: str, option: str = "") -> str:
    body = f"<body><freejoint/><geom {geom}/></body>"
    copies = f'<replicate count="{count}" offset="{offset}">{body}</replicate>'
    return f"<mujoco><option {option}/><worldbody>{copies}</worldbody></mujoco>"


BOX = 'type="box" size=".1 .1 .1"'
SCENES = {
    "a million sweeps": _world(12, "0 0 .01", BOX, 'solver="PGS" iterations="1000000" tolerance="0"'),
    "a million gradients": _world(12, "0 0 .01", BOX, 'solver="CG" iterations="1000000" tolerance="0"'),
    "a million sweeps without slip": _world(12, "0 0 .01", BOX, 'noslip_iterations="1000000" noslip_tolerance="0"'),
    "500 overlapping boxes": _world(500, ".0001 0 0", BOX),
    "10,000 overlapping boxes": _world(10_000, ".0001 0 0", BOX),
    "10,000 overlapping spheres": _world(10_000, ".0001 0 0", 'size=".1"'),
}
LOADS = {
    "a cable": '<mujoco><worldbody><composite type="cable" curve="s" count="991 1 1" size="10" initial="none">'
    '<joint kind="main" damping="1"/><geom type="capsule" size=".01"/></composite></worldbody></mujoco>',
    "half a million copies": '<mujoco><worldbody><replicate count="490000" offset="1 0 0"><geom size=".1"/></replicate>'
    "</worldbody></mujoco>",
    "a large sphere": '<mujoco><asset><mesh name="m" builtin="supersphere" params="900 1 1"/></asset><worldbody><body>'
    '<freejoint/><geom type="mesh" mesh="m" mass="1"/></body></worldbody></mujoco>',
}


def _judge(elapsed: float) -> None:
    late = elapsed - SECONDS
    print(f"{max(late, 0):.2f} s after its deadline")
    if late > LATEST:
        raise AssertionError(f"{late:.2f} s late")


def _step(text: str) -> None:
    from sinew import compat

    def end(*_):
        raise Over

    model = compat.MjModel.from_xml_string(text)
    data = compat.MjData(model)
    signal.signal(signal.SIGALRM, end)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        while True:
            before = data.time
            compat.mj_step(model, data)
    except Over:
        _judge(time.monotonic() - start)
    if data.time != before:
        raise AssertionError("the step that was ended has advanced the time")


def _load(text: str) -> None:
    import sinew
    from sinew import compat

    start = time.monotonic()
    try:
        compat.MjModel.from_xml_string(text, load_time=SECONDS)
    except sinew.LoadError as error:
        if error.code != "mjcf::time-limit":
            raise
    _judge(time.monotonic() - start)


def _all() -> None:
    for name, text in SCENES.items():
        DEADLINES[f"step {name}"] = lambda text=text: _step(text)
    for name, text in LOADS.items():
        DEADLINES[f"load {name}"] = lambda text=text: _load(text)


_all()
