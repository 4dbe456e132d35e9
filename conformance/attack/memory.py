"""Steps of crowded scenes: how much memory contacts and what follows from them take, against the limit that the model states."""

from __future__ import annotations

import functools
import resource
from collections.abc import Callable
from pathlib import Path

from conformance.attack.deadlines import BOX, world

# What a simulation may take beyond its limit, and what the process takes besides (threads, the interpreter).
SHARE = 0.1
BESIDES = 8 << 20
MEMORY: dict[str, Callable[[], None]] = {}

SCENES = {
    "500 boxes, Newton": world(500, ".0001 0 0", BOX, 'iterations="2"', "64M"),
    "500 boxes, conjugate gradients": world(500, ".0001 0 0", BOX, 'solver="CG" iterations="3"', "64M"),
    "500 boxes, Gauss-Seidel": world(500, ".0001 0 0", BOX, 'solver="PGS" iterations="3"', "64M"),
    "500 boxes, elliptic": world(500, ".0001 0 0", BOX, 'cone="elliptic" iterations="2"', "64M"),
    "500 boxes, noslip": world(500, ".0001 0 0", BOX, 'noslip_iterations="2" iterations="2"', "64M"),
    "500 boxes in all they may take": world(500, ".0001 0 0", BOX, 'iterations="1"', "1G"),
    "3,000 spheres, Newton": world(3000, ".0001 0 0", 'size=".1"', 'iterations="1"', "256M"),
    "10,000 spheres": world(10_000, ".0001 0 0", 'size=".1"', 'solver="CG" iterations="2"', "1G"),
    "10,000 boxes": world(10_000, ".0001 0 0", BOX, 'solver="CG" iterations="2"', "512M"),
}


def _resident(name: str) -> int:
    """Bytes of this process that are in memory, now (`VmRSS`) or at most so far (`VmHWM`)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _step(text: str) -> None:
    from sinew import compat

    model = compat.MjModel.from_xml_string(text)
    data = compat.MjData(model)
    # What a simulation takes without any contact is there already, and touched.
    model.opt.disableflags |= compat.mjtDisableBit.mjDSBL_CONTACT
    compat.mj_step(model, data)
    model.opt.disableflags = 0
    compat.mj_resetData(model, data)
    # The most so far begins anew.
    Path("/proc/self/clear_refs").write_text("5")
    before = _resident("VmRSS")
    compat.mj_step(model, data, 2)
    taken, limit = _resident("VmHWM") - before, model.narena
    print(f"{taken / 2**20:.0f} MiB of {limit / 2**20:.0f} MiB ({taken / limit:.0%}), {data.ncon} contacts")
    if taken > limit * (1 + SHARE) + BESIDES:
        raise AssertionError(f"{taken} bytes, {limit} are the limit")


for _name, _text in SCENES.items():
    MEMORY[_name] = functools.partial(_step, _text)
