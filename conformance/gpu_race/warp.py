"""MJWarp, the reference's engine for graphics processors, on the same model, from the same states, with the same controls
and with as much room for contacts and rows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from conformance.gpu_race.speed import STEPS, best
from conformance.gpu_race.work import Numbers, Work, host


def is_there() -> bool:
    """Whether it can be imported."""
    try:
        import mujoco_warp  # noqa: F401
    except Exception:  # Whatever keeps it from being there.
        return False
    return True


# Steps of a captured graph, as in its own benchmark.
CAPTURED = 1


class Worlds:
    """Worlds of a model that begin as those of our batch."""

    def __init__(self, work: Work, worlds: int):
        import mujoco
        import mujoco_warp

        model = mujoco.MjModel.from_xml_path(work.path)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        self.model = mujoco_warp.put_model(model)
        self.data = mujoco_warp.put_data(model, data, nworld=worlds, nconmax=work.contacts, njmax=work.rows)
        begun = work.batch(worlds, "cpu", "f64")
        self.put("qpos", begun.qpos)
        self.put("qvel", begun.qvel)
        self.put("ctrl", begun.ctrl)

    def put(self, name: str, numbers: Numbers) -> None:
        """Copies an array there."""
        import warp

        target = getattr(self.data, name)
        if target.size:
            warp.copy(target, warp.array(host(numbers).astype(np.float32), dtype=warp.float32))

    def step(self) -> None:
        """Starts a step."""
        import mujoco_warp

        mujoco_warp.step(self.model, self.data)

    def captured(self, steps: int):
        """A function that makes so many steps, by a graph of some of them, and waits."""
        import warp

        self.step()
        with warp.ScopedCapture() as capture:
            for _ in range(CAPTURED):
                self.step()

        # A graph does not hold the memory that it works in.
        def run(_worlds: Worlds = self) -> None:
            for _ in range(steps // CAPTURED):
                warp.capture_launch(capture.graph)
            warp.synchronize()

        return run


def throughput(work: Work, worlds: int, steps: int = STEPS) -> tuple[float, dict[str, int]]:
    """Steps per second of worlds that stay on the device, captured as one graph, in a process of their own."""
    arguments = [sys.executable, "-m", "conformance.gpu_race.warp", f"{work.path}:{work.contacts}", worlds, steps]
    found = subprocess.run([str(x) for x in arguments], capture_output=True, text=True)
    if found.returncode:
        raise RuntimeError(found.stderr.strip().rpartition("\n")[2])
    return json.loads(found.stdout.strip().rpartition("\n")[2]), {}


def states(work: Work, worlds: int, steps: int, every: int) -> Iterator[tuple[Numbers, Numbers]]:
    """Positions and velocities at the start and after so many steps each; controls change with them."""
    there = Worlds(work, worlds)
    for made in range(0, steps + 1, every):
        if made:
            there.put("ctrl", work.controls(worlds, made))
            for _ in range(every):
                there.step()
        yield there.data.qpos.numpy().astype(np.float64), there.data.qvel.numpy().astype(np.float64)


if __name__ == "__main__":
    model, count, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(best(Worlds(Work.of(model), count).captured(length), count, length))
