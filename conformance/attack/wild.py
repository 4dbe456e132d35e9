"""Random calls of everything public with arguments of every kind, by seed.

A call returns or raises what callers can expect, is ended by an interrupt soon if it is long, and leaves the process alive:
a fault of ours (`InternalError`), an error that only the interpreter should meet, a signal and a call that does not end
are failures.
"""

from __future__ import annotations

import inspect
import math
import os
import random
import signal
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

WILD: dict[str, Callable[[], None]] = {}
SEEDS = 12
CALLS = 400
# A call may take so long until it is interrupted, and so much longer until it has ended.
SECONDS = 0.5
LATEST = 10.0

MODEL = """<mujoco><option timestep=".005"/><size nuserdata="3"/>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .1 .1"/><material name="a" rgba="1 0 0 1"/>
    <texture name="t" type="2d" builtin="checker" width="4" height="4"/></asset>
  <worldbody><light name="l" pos="0 0 3"/><geom name="floor" type="plane" size="3 3 1"/><camera name="c" pos="0 -2 1"/>
    <body name="b" pos="0 0 .3"><freejoint name="f"/><geom name="g" size=".1 .1 .1" type="box"/><site name="s"/>
      <body name="k" pos="0 0 .2"><joint name="j" range="-1 1"/><geom name="h" size=".05" fromto="0 0 0 0 0 .2" type="capsule"/></body>
    </body>
    <body name="p" mocap="true" pos="1 0 0"><geom type="mesh" mesh="m"/></body></worldbody>
  <tendon><fixed name="n"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><motor name="u" joint="j"/><general name="v" joint="j" dyntype="filter" dynprm=".1"/></actuator>
  <equality><weld name="e" body1="b" body2="p" active="false"/></equality>
  <sensor><framepos name="q" objtype="site" objname="s"/><touch site="s"/></sensor>
  <keyframe><key name="start" qpos="0 0 1 1 0 0 0 .2"/></keyframe></mujoco>"""
DEVICE = MODEL.replace('<touch site="s"/>', "").replace('<geom type="mesh" mesh="m"/>', "")
# What would wait for a person, end the process or is Python's own.
LEFT_OUT = ("launch", "install", "exit", "wait", "mro", "with_traceback", "gym", "viewer", "on_purpose")


class Over(Exception):
    """A call is interrupted."""


def _values(dice: random.Random) -> Any:
    """Anything."""
    import numpy as np

    numbers = [
        0,
        1,
        -1,
        2,
        3,
        7,
        255,
        2**31 - 1,
        2**31,
        -(2**31),
        2**63,
        2**64,
        -(10**30),
        0.0,
        0.5,
        -1e300,
        1e-300,
        1e10,
    ]
    numbers += [math.nan, math.inf, -math.inf, True, False, 1j, np.float32(1), np.int64(-5), np.uint8(3)]
    words = [
        "",
        "g",
        "b",
        "j",
        "world",
        "floor",
        "start",
        "qpos",
        "ctrl",
        "\0",
        "ü€𝄞",
        "x" * 70_000,
        "../..",
        "f32",
        "a/b",
        b"",
        b"\xff\0",
    ]
    # Some are those that calls about the model above want.
    shapes = [
        (0,),
        (1,),
        (2,),
        (3,),
        (4,),
        (6,),
        (7,),
        (8,),
        (9,),
        (3, 3),
        (3, 8),
        (1, 2),
        (2, 3, 4),
        (0, 3),
        (10, 10),
        (2000,),
    ]
    shapes += [
        (3,),
        (3,),
        (7,),
        (7, 7),
        (3, 7),
        (6, 7),
        (7, 1),
        (3, 2),
        (3, 7),
        (2, 7),
        (7, 8),
        (3, 5, 2),
        (3, 17),
        (17,),
    ]
    makers = [
        lambda: dice.choice(numbers),
        lambda: dice.choice(numbers),
        lambda: dice.choice(words),
        lambda: None,
        lambda: np.full(dice.choice(shapes), dice.choice([0, 1, -1, 0.5, 1e300, math.nan])),
        lambda: np.zeros(dice.choice(shapes), dice.choice(["f4", "i4", "i8", "u1", "bool", "c16", "U3", "O", ">f8"])),
        lambda: np.zeros((6, 8), dice.choice(["f8", "i4", "u1"]))[::-2, ::3],
        lambda: np.broadcast_to(np.float64(1), dice.choice(shapes)),
        lambda: np.zeros(()),
        lambda: [dice.choice(numbers) for _ in range(dice.randrange(5))],
        lambda: tuple(dice.choice(words) for _ in range(dice.randrange(3))),
        lambda: {dice.choice(words): dice.choice(numbers)},
        lambda: [[1], [1, 2]],
        lambda: slice(dice.choice([None, -5, 10**20]), dice.choice([None, 3]), dice.choice([None, -1, 2])),
        lambda: ...,
        lambda: dice.choice([object(), int, lambda *_: 1 / 0, iter([]), range(10**4)]),
    ]
    return dice.choice(makers)()


def _is_ours(thing: Any) -> bool:
    """Whether it is an object of the package, or an array, which may be a view of one."""
    kind = thing if inspect.isclass(thing) or inspect.ismodule(thing) else type(thing)
    return (
        getattr(kind, "__module__", getattr(kind, "__name__", "")).startswith("sinew")
        or type(thing).__name__ == "ndarray"
    )


def _public(thing: Any) -> list[str]:
    try:
        names = dir(thing)
    except Exception:
        return []
    return [name for name in names if not name.startswith("_") and not any(word in name.lower() for word in LEFT_OUT)]


def _arguments(dice: random.Random, function: Callable, things: list[Any]) -> list[Any]:
    """As many as it takes, more or less; often the right kind of object where a name tells it."""
    try:
        found = inspect.signature(function).parameters
        is_short = dice.random() < 0.5
        names = [name for name, one in found.items() if not is_short or one.default is one.empty]
    except (TypeError, ValueError):
        names = []
    count = len(names) if names and dice.random() < 0.8 else dice.randrange(7)
    out = []
    for index in range(count):
        name = names[index] if index < len(names) else ""
        kind = {"m": "MjModel", "model": "MjModel", "d": "MjData", "data": "MjData"}.get(name)
        fitting = [thing for thing in things if type(thing).__name__ == kind]
        if fitting and dice.random() < 0.9:
            out.append(fitting[0])
        elif things and dice.random() < 0.15:
            out.append(dice.choice(things))
        else:
            out.append(_values(dice))
    return out


def _poke(dice: random.Random, things: list[Any]) -> str:
    """One access, assignment or call of something of one of the things; in words what it was."""
    thing = dice.choice(things)
    names = _public(thing)
    if not names or dice.random() < 0.08 or type(thing).__name__ == "ndarray":
        return _index(dice, thing)
    name = dice.choice(names)
    for _ in range(2):
        # Rather a call than a look.
        if not callable(getattr(type(thing), name, None)) and not inspect.ismodule(thing):
            name = dice.choice(names)
    words = f"{type(thing).__name__}.{name}"
    note(words)
    if dice.random() < 0.15 and not inspect.ismodule(thing) and not inspect.isclass(thing):
        value = _values(dice)
        note(f"{words} = {brief(value)}")
        setattr(thing, name, value)
        return words
    value = getattr(thing, name)
    if callable(value):
        arguments = _arguments(dice, value, things)
        note(f"{words}({', '.join(map(brief, arguments))})")
        value = value(*arguments)
    # What comes out is something to go on with, for a while.
    if _is_ours(value):
        if len(things) > 40:
            del things[dice.randrange(8, len(things))]
        things.append(value)
    return words


def _index(dice: random.Random, thing: Any) -> str:
    where, what = _values(dice), _values(dice)
    if type(thing).__name__ == "ndarray" and thing.size and dice.random() < 0.7:
        where = tuple(dice.randrange(length) for length in thing.shape)
        what = dice.choice([0, 1, -1, 3, 10**6, -(2**31), math.nan, math.inf, 1e300, -0.5])
    note(f"{type(thing).__name__}[{brief(where)}] = {brief(what)}")
    if dice.random() < 0.5:
        thing[where]
    else:
        thing[where] = what
    return ""


def brief(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) < 60 else f"{text[:50]}…"


_notes: list[str] = []


def note(words: str) -> None:
    """Remembers what is being tried, so that it is known when the process is gone."""
    _notes.append(words)
    if "SINEW_WILD" in os.environ:
        print(len(_notes), words, flush=True)


def _tolerated() -> tuple[type[BaseException], ...]:
    import sinew

    named = (sinew.LoadError, sinew.StepError, sinew.BusyError, sinew.BatchError, sinew.DeviceError, Over)
    usual = (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
        MemoryError,
        OSError,
        NotImplementedError,
    )
    # Iterators that are at their end, and what users' own functions raise.
    return named + usual + (StopIteration, RuntimeError, ImportError)


def _run(make: Callable[[], Iterator[Any]], seed: int) -> None:
    import numpy as np

    import sinew

    def end(*_):
        raise Over

    os.chdir(tempfile.mkdtemp())
    np.seterr(all="ignore")
    signal.signal(signal.SIGALRM, end)
    dice = random.Random(seed)
    things = list(make())
    for _ in range(CALLS):
        _notes.clear()
        try:
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            _poke(dice, things)
        except sinew.InternalError as error:
            raise AssertionError(f"{_notes[-1]}: {error}") from error
        except _tolerated():
            pass
        except Exception as error:
            raise AssertionError(f"{_notes[-1]}: {type(error).__name__}: {error}") from error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _simulation(text: str = MODEL) -> Iterator[Any]:
    from sinew import compat

    model = compat.MjModel.from_xml_string(text)
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    yield from (model, data)


def simulation() -> Iterator[Any]:
    model, data = _simulation()
    yield from (model, data, model.opt, model.vis, model.stat, model.geom("g"), data.body("b"), data.contact)


def functions() -> Iterator[Any]:
    from sinew import compat

    yield from _simulation()
    yield from [compat] * 6


def batch() -> Iterator[Any]:
    import sinew

    model, data = _simulation()
    worlds = sinew.Batch(model, 3)
    yield from (worlds, worlds, worlds, model, data, sinew.Batch)


def device() -> Iterator[Any]:
    import sinew

    model, data = _simulation(DEVICE)
    worlds = sinew.Batch(model, 3, device="emulated")
    yield from (worlds, worlds, worlds.qpos, worlds.ctrl, model, data, sinew.batch)


def spec() -> Iterator[Any]:
    from sinew import compat

    own = compat.MjSpec.from_string(MODEL)
    yield from (own, own, own.worldbody, own.body("b"), own.geom("g"), own.joint("j"), own.default, own.option)
    yield from (compat.MjSpec, compat.MjSpec.from_string(MODEL))


def pictures() -> Iterator[Any]:
    from sinew import compat

    model, data = _simulation()
    scene = compat.MjvScene(model, 20)
    yield from (
        compat.Renderer(model, 24, 32),
        scene,
        compat.MjvCamera(),
        compat.MjvOption(),
        compat.MjvPerturb(),
        model,
        data,
    )
    yield from (compat.Renderer, compat)


def tools() -> Iterator[Any]:
    from sinew import compat, laws, rollout
    from sinew.compat import minimize

    yield from _simulation()
    yield from (laws, rollout, minimize, compat.MjModel, compat.MjData)


def native() -> Iterator[Any]:
    import sinew
    from sinew import _native

    model, data = _simulation()
    yield from (model._native, data._native, _native, _native, sinew.Batch(model, 2)._native)


for _make in (simulation, functions, batch, device, spec, pictures, tools, native):
    for _seed in range(SEEDS):
        WILD[f"{_make.__name__} {_seed}"] = lambda make=_make, seed=_seed: _run(make, seed)
