"""Steps and loads that are given a deadline: how much later they return.

Late is what the process works after its deadline, so that other work on the machine does not count.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

from conformance.attack.long import FILES, LONG

SECONDS = 2.0
# Loads go through many stages: each has its deadlines.
LOAD_SECONDS = (0.2, 0.5, 1.0, 2.0, 4.0)
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
    "a million projections": world(12, "0 0 .01", BOX, 'sinew_solver="xpbd 100000 10"'),
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

    def __init__(self, seconds: float = SECONDS) -> None:
        self.end, self.worked = time.monotonic() + seconds, None
        timer = threading.Timer(seconds, self._note)
        timer.daemon = True
        timer.start()

    def _note(self) -> None:
        self.worked = time.process_time()

    def late(self) -> tuple[float, float]:
        """Seconds of work after the deadline, and seconds by the clock."""
        elapsed = max(time.monotonic() - self.end, 0.0)
        return (0.0 if self.worked is None else time.process_time() - self.worked), elapsed


def judge(late: float, elapsed: float, which: str = "its deadline") -> None:
    print(f"{late:.2f} s of work after {which} ({elapsed:.2f} s by the clock)")
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
        judge(*watch.late())
    # The end may also come just after a step.
    if data.time != before + model.opt.timestep and (data.time != before or (data.qpos != position).any()):
        raise AssertionError("the step that was ended has changed the state")


def _load(text: str, files: dict[str, bytes] | None = None) -> None:
    import sinew
    from sinew import compat

    worst, which = (0.0, 0.0), "no deadline"
    for seconds in LOAD_SECONDS:
        watch, is_loaded = _Watch(seconds), True
        try:
            compat.MjModel.from_xml_string(text, files, load_time=seconds)
        except sinew.LoadError as error:
            is_loaded = error.code != "mjcf::time-limit"
        late = watch.late()
        if late > worst:
            worst, which = late, f"a deadline of {seconds} s"
        if is_loaded:
            break
    judge(*worst, which)


def _all() -> None:
    for name, text in SCENES.items():
        DEADLINES[f"step {name}"] = lambda text=text: _step(text)
    for name, text in LOADS.items():
        DEADLINES[f"load {name}"] = lambda text=text: _load(text)
    for name, make in LONG.items():
        DEADLINES[f"load {name}"] = lambda make=make: _load(make())
    for name, make in FILES.items():
        DEADLINES[f"load {name}"] = lambda make=make: _load(*make())


_all()
