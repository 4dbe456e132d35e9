"""Steps and loads that are given a deadline: how much later they return.

Late is what the process works after its deadline, so that other work on the machine does not count.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

SECONDS = 2.0
LATEST = 0.2
DEADLINES: dict[str, Callable[[], None]] = {}


class Over(Exception):
    """The deadline has come."""


def world(count: int, offset: str, geom: str, option: str = "", memory: str = "-1") -> str:
    body = f"<body><freejoint/><geom {geom}/></body>"
    copies = f'<replicate count="{count}" offset="{offset}">{body}</replicate>'
    return f"<mujoco><size memory='{memory}'/><option {option}/><worldbody>{copies}</worldbody></mujoco>"


BOX = 'type="box" size=".1 .1 .1"'
SCENES = {
    "a million sweeps": world(12, "0 0 .01", BOX, 'solver="PGS" iterations="1000000" tolerance="0"'),
    "a million gradients": world(12, "0 0 .01", BOX, 'solver="CG" iterations="1000000" tolerance="0"'),
    "a million sweeps without slip": world(12, "0 0 .01", BOX, 'noslip_iterations="1000000" noslip_tolerance="0"'),
    "500 overlapping boxes": world(500, ".0001 0 0", BOX),
    "10,000 overlapping boxes": world(10_000, ".0001 0 0", BOX),
    "10,000 overlapping spheres": world(10_000, ".0001 0 0", 'size=".1"'),
}
LOADS = {
    "a cable": '<mujoco><worldbody><composite type="cable" curve="s" count="991 1 1" size="10" initial="none">'
    '<joint kind="main" damping="1"/><geom type="capsule" size=".01"/></composite></worldbody></mujoco>',
    "half a million copies": '<mujoco><worldbody><replicate count="490000" offset="1 0 0"><geom size=".1"/></replicate>'
    "</worldbody></mujoco>",
    "a large sphere": '<mujoco><asset><mesh name="m" builtin="supersphere" params="900 1 1"/></asset><worldbody><body>'
    '<freejoint/><geom type="mesh" mesh="m" mass="1"/></body></worldbody></mujoco>',
}


class _Watch:
    """Notes how long the process has worked when the deadline comes."""

    def __init__(self) -> None:
        self.start, self.worked = time.monotonic(), None
        timer = threading.Timer(SECONDS, self._note)
        timer.daemon = True
        timer.start()

    def _note(self) -> None:
        self.worked = time.process_time()

    def judge(self) -> None:
        elapsed = time.monotonic() - self.start - SECONDS
        late = 0.0 if self.worked is None else time.process_time() - self.worked
        print(f"{late:.2f} s of work after its deadline ({max(elapsed, 0):.2f} s by the clock)")
        if late > LATEST:
            raise AssertionError(f"{late:.2f} s late")


def _step(text: str) -> None:
    from sinew import compat

    def end(*_):
        raise Over

    model = compat.MjModel.from_xml_string(text)
    data = compat.MjData(model)
    signal.signal(signal.SIGALRM, end)
    watch = _Watch()
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        while True:
            before, position = data.time, data.qpos.copy()
            compat.mj_step(model, data)
    except Over:
        watch.judge()
    # The end may also come just after a step.
    if data.time != before + model.opt.timestep and (data.time != before or (data.qpos != position).any()):
        raise AssertionError("the step that was ended has changed the state")


def _load(text: str) -> None:
    import sinew
    from sinew import compat

    watch = _Watch()
    try:
        compat.MjModel.from_xml_string(text, load_time=SECONDS)
    except sinew.LoadError as error:
        if error.code != "mjcf::time-limit":
            raise
    watch.judge()


def _all() -> None:
    for name, text in SCENES.items():
        DEADLINES[f"step {name}"] = lambda text=text: _step(text)
    for name, text in LOADS.items():
        DEADLINES[f"load {name}"] = lambda text=text: _load(text)


_all()
