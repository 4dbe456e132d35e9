"""Another release's `rollout`, in a process of its own: its virtual environment has numpy and that release only.

Run as a program with a file of work (`Work.save`): for every line on standard input it makes one run and answers with the
seconds that it took.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np


class Process:
    """The program, and runs of it."""

    def __init__(self, environment: Path, work: Path):
        command = [str(environment / "bin" / "python"), __file__, str(work)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self) -> tuple[float, float]:
        """Makes one run: seconds, and seconds of all threads together."""
        self._process.stdin.write("run\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the other release ended with {self._process.wait()}")
        found = json.loads(answer)
        return found["wall"], found["processor"]

    def close(self) -> None:
        """Ends the program."""
        self._process.stdin.close()
        self._process.wait()


def rollouts(module, rollout, given):
    """A function that makes one run and returns positions and velocities of every step."""
    model = module.MjModel.from_xml_path(str(given["model"]))
    threads = int(given["threads"])
    datas = [module.MjData(model) for _ in range(threads)]
    full = module.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros((len(given["qpos"]), module.mj_stateSize(model, full)))
    end = 1 + model.nq + model.nv
    start[:, 1 : 1 + model.nq], start[:, 1 + model.nq : end] = given["qpos"], given["qvel"]
    pool = rollout.Rollout(nthread=threads if threads > 1 else 0)
    return lambda: pool.rollout(model, datas, start, given["controls"])[0][:, :, 1:end]


def timed(call):
    """Seconds, seconds of all threads together, and what a function returns."""
    wall, processor = time.perf_counter(), time.process_time()
    found = call()
    return time.perf_counter() - wall, time.process_time() - processor, found


def main() -> None:
    import mujoco
    from mujoco import rollout

    with np.load(sys.argv[1]) as given:
        run = rollouts(mujoco, rollout, dict(given))
    for _ in sys.stdin:
        wall, processor, _states = timed(run)
        print(json.dumps({"wall": wall, "processor": processor}), flush=True)


if __name__ == "__main__":
    main()
