"""What goes wrong, provoked: everything is a typed error, nothing hangs, and worlds that are not concerned go on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np

import sinew
from conformance.gpu_race.work import host
from sinew.batch import EVENTS
from sinew.compat import MjModel

# Capsules and boxes that lie on the ground, and an arm with a motor.
SCENE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .045"><freejoint/><geom type="capsule" size=".05 .2" euler="0 90 0"/></body>
    <body pos="1 0 .095"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0 2 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
# Bytes of a world of that scene are some thousands: no device has room for so many, nor has any host for the more.
TOO_MANY = {False: 1 << 29, True: 1 << 45}

LOST = """
import sys, torch, sinew
from sinew.compat import MjModel
batch = sinew.Batch(MjModel.from_xml_string(sys.argv[1]), 64, device=sys.argv[2])
batch.step(3)
batch.wait()
try:
    # An index beyond the tensor: the program on the device stops, and with it all that this process has there.
    torch.zeros(4, device="cuda")[torch.tensor([77], device="cuda")].sum().item()
except Exception:
    pass
kinds = []
for call in (lambda: batch.step(), lambda: batch.wait(), lambda: batch.qpos.numpy(), lambda: batch.reset(),
             lambda: sinew.Batch(batch.model, 4, device=sys.argv[2])):
    try:
        call()
        batch.wait()
        kinds.append("none")
    except sinew.DeviceError as error:
        kinds.append(error.kind)
print(*kinds)
"""


class Wrong(Exception):
    """Something is not as it should be."""


def check(holds: bool, what: str) -> None:
    if not holds:
        raise Wrong(what)


def raised(call: Callable[[], object], kind: type[Exception]) -> str:
    """What a call raises; it must be of a kind."""
    try:
        call()
    except kind as error:
        return getattr(error, "kind", type(error).__name__)
    except Exception as error:
        raise Wrong(f"{type(error).__name__} instead of {kind.__name__}: {error}") from error
    raise Wrong(f"nothing instead of {kind.__name__}")


def made(device: str, worlds: int = 4, **options) -> sinew.Batch:
    return sinew.Batch(MjModel.from_xml_string(SCENE), worlds, device=device, **options)


def overflow(device: str) -> str:
    """Contacts without room are counted, for the worlds that had them."""
    batch = made(device, contacts=2)
    batch.qpos[1:, 2] = batch.qpos[1:, 9] = 3.0
    batch.step(5)
    lost = host(batch.events)[:, EVENTS.index("lost_contact")]
    check(lost[0] > 0 and not lost[1:].any(), f"{lost}")
    roomy = made(device)
    roomy.step(5)
    check(not host(roomy.events)[:, EVENTS.index("lost_contact")].any(), "contacts lost that had room")
    return f"{lost[0]} contacts counted"


def out_of_memory(device: str) -> str:
    """Worlds for which there is no memory are refused as often as one asks, and take none of it."""
    kinds = {raised(lambda: made(device, TOO_MANY[device == "emulated"]), sinew.DeviceError) for _ in range(20)}
    check(kinds == {"out-of-memory"}, f"{kinds}")
    made(device, 1024).step(2)
    return "out-of-memory, 20 times"


def forked(device: str) -> str:
    """A fork gets an error, and the process that it was forked from goes on."""
    batch = made(device)
    batch.step(2)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told = raised(batch.step, sinew.DeviceError) + " " + raised(lambda: host(batch.qpos), sinew.DeviceError)
        except BaseException as error:
            told = repr(error)
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    check(told == "forked forked", told)
    batch.step(2)
    return told


def two_at_once(device: str) -> str:
    """Batches of two threads have the bits that they have alone."""

    def run(batch: sinew.Batch, speed: float) -> None:
        batch.ctrl[:] = speed
        for _ in range(20):
            batch.step(3)

    alone = made(device)
    run(alone, 0.5)
    both = [made(device) for _ in range(2)]
    threads = [threading.Thread(target=run, args=(batch, 0.5 + k)) for k, batch in enumerate(both)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(host(both[0].blocks).tobytes() == host(alone.blocks).tobytes(), "other bits than alone")
    check(host(both[1].blocks).tobytes() != host(alone.blocks).tobytes(), "the same worlds")
    return "equal bits"


def wrong_arguments(device: str) -> str:
    """Arrays of another length and worlds that are not there change nothing."""
    batch = made(device)
    before = host(batch.blocks).tobytes()

    def assign() -> None:
        batch.ctrl[:] = np.zeros((3, 1))

    kinds = [
        raised(assign, ValueError),
        raised(lambda: batch.step(where=np.ones(3, bool)), ValueError),
        raised(lambda: batch.reset(np.ones(5, bool)), ValueError),
        raised(lambda: batch.reset(7), IndexError),
        raised(lambda: batch.reset(key=0), IndexError),
        raised(lambda: batch.step(-1), ValueError),
        raised(lambda: batch.world(9), IndexError),
    ]
    check(host(batch.blocks).tobytes() == before, "something has changed")
    return " ".join(kinds)


def bad_control(device: str) -> str:
    """Controls that are no numbers count as 0 in their world, and are counted."""
    batch, quiet = made(device), made(device)
    batch.ctrl[1, 0] = np.nan
    batch.ctrl[2, 0] = np.inf
    batch.step(3)
    quiet.step(3)
    counted = host(batch.events)[:, EVENTS.index("bad_control")]
    check(counted.tolist() == [0, 3, 3, 0], f"{counted}")
    check(host(batch.blocks).tobytes() == host(quiet.blocks).tobytes(), "worlds moved otherwise than without control")
    check(not host(batch.terminated).any(), "that is no failure")
    return f"counted {counted.tolist()}"


def transfers(device: str) -> str:
    """Steps copy nothing between host and device; controls that are set are one copy."""
    batch = made(device, 64)
    batch.step(2)
    begin = batch.transfers
    for _ in range(100):
        batch.step(2)
    stepping = batch.transfers - begin
    batch.ctrl[:] = 0.1
    check(stepping == 0 and batch.transfers - begin == 1, f"{stepping} copies while stepping")
    return "0 copies in 100 calls, 1 for controls"


def lost(device: str) -> str:
    """A program that fails on the device ends everything there: a typed error in every later call, and nothing hangs."""
    if device == "emulated":
        return "needs a device"
    arguments = [sys.executable, "-c", LOST, SCENE, device]
    told = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    kinds = told.stdout.split()
    check(len(kinds) == 5 and set(kinds) == {"lost"}, told.stdout + told.stderr[-500:])
    return " ".join(kinds)


ALL: tuple[Callable[[str], str], ...] = (
    overflow,
    out_of_memory,
    two_at_once,
    wrong_arguments,
    bad_control,
    transfers,
    forked,
    lost,
)


def provoke(device: str) -> Iterator[tuple[str, bool, str]]:
    """What is provoked, whether it went as it should, and what came of it."""
    for provocation in ALL:
        try:
            yield provocation.__name__, True, provocation(device)
        except Exception as error:
            yield provocation.__name__, False, f"{type(error).__name__}: {error}"
