"""First uses of a shared model in many threads at once, and pickling while others step.

    python -m conformance.threads [--uses 10000] [--threads 8] [--engine sinew.compat]

Models that nobody has used yet are used by all threads at the same moment: sizes, arrays, names, views, options, a
simulation and a step, and all of them must see the same. Meanwhile one more thread pickles a model and a simulation that
others step with copies of. What raises or differs is counted; the exit status is 0 if nothing did.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from conformance.engines import DEFAULT_ENGINE, EngineMissing, candidate

MODELS = Path(__file__).resolve().parents[1] / "models"
PATIENCE = 60

TEXT = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="arm" pos="0 0 .5"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" size=".05 .2"/></body>
    <body name="ball" pos="2 0 .09"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""


def first_use(module: Any, model: Any, order: int) -> tuple:
    """Everything that is made when first asked for, each thread beginning elsewhere."""
    data = module.MjData(model)
    parts = (
        lambda: model.geom_type.tolist(),
        lambda: model.body("ball").mass.tolist(),
        lambda: model.geom("rod").id,
        lambda: model.opt.timestep,
        lambda: model.stat.extent,
        lambda: module.mj_name2id(model, module.mjtObj.mjOBJ_JOINT, "hinge"),
        lambda: data.body("arm").xpos.shape,
        lambda: int(model.bvh_child.sum()),
    )
    seen = {place % len(parts): parts[place % len(parts)]() for place in range(order, order + len(parts))}
    for _ in range(3):
        module.mj_step(model, data)
    return tuple(seen[place] for place in range(len(parts))), data.qpos.tobytes()


def share(module: Any, uses: int, threads: int, errors: Counter) -> int:
    """So many first uses; what goes wrong is counted."""
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        while done < uses:
            model = module.MjModel.from_xml_string(TEXT)
            barrier = threading.Barrier(threads)

            def use(number: int, model: Any = model, barrier: threading.Barrier = barrier) -> tuple | None:
                barrier.wait(PATIENCE)
                try:
                    return first_use(module, model, number)
                except Exception as error:
                    errors[f"first use: {type(error).__name__}: {error}"] += 1
                    return None

            found = list(pool.map(use, range(threads)))
            if any(one != found[0] for one in found):
                errors["first use: threads saw different things"] += 1
            done += threads
    return done


def pickle_while_stepping(module: Any, until: threading.Event, errors: Counter) -> tuple[int, int]:
    """Pickles and steps until it is said to end: how many of each."""
    model = module.MjModel.from_xml_path(str(MODELS / "humanoid.xml"))
    expected, rest = pickle.dumps(model), module.MjData(model)
    counts = [0, 0]

    def step() -> None:
        data = module.MjData(model)
        while not until.is_set():
            try:
                module.mj_step(model, data)
                counts[1] += 1
            except Exception as error:
                errors[f"step: {type(error).__name__}: {error}"] += 1

    stepping = threading.Thread(target=step)
    stepping.start()
    while not until.is_set():
        try:
            is_same = pickle.dumps(model) == expected
            again = pickle.loads(pickle.dumps(rest))
            if not is_same or not np.array_equal(again.qpos, rest.qpos):
                errors["pickle: another model or simulation came back"] += 1
            counts[0] += 1
        except Exception as error:
            errors[f"pickle: {type(error).__name__}: {error}"] += 1
    stepping.join(PATIENCE)
    return counts[0], counts[1]


def trial(module: Any, uses: int, threads: int) -> tuple[int, int, int, Counter]:
    """First uses, pickles, steps and errors."""
    errors: Counter = Counter()
    ended = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(pickle_while_stepping, module, ended, errors)
        try:
            done = share(module, uses, threads, errors)
        finally:
            ended.set()
        pickles, steps = beside.result(PATIENCE)
    return done, pickles, steps, errors


def main(arguments: list[str] | None = None) -> int:
    """Print the counts. Exit status: 0 no error, 1 errors, 2 wrong use or missing engine."""
    parser = argparse.ArgumentParser(prog="python -m conformance.threads", description=__doc__.splitlines()[0])
    parser.add_argument("--uses", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--engine", default=DEFAULT_ENGINE)
    options = parser.parse_args(arguments)
    try:
        module = candidate(options.engine).module
    except EngineMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    start = time.perf_counter()
    done, pickles, steps, errors = trial(module, options.uses, options.threads)
    seconds = time.perf_counter() - start
    for message, count in errors.most_common():
        print(f"{count} times {message}")
    print(
        f"{done} first uses in {options.threads} threads, {pickles} pickles while {steps} steps were taken, "
        f"{errors.total()} errors in {seconds:.0f} s"
    )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
