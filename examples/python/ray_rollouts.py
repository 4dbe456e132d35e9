"""Rollouts on all machines of a Ray cluster: ``python examples/python/ray_rollouts.py [--workers N]``.

Needs ``pip install sinew[ray]``. Without a cluster Ray starts one on this machine.
"""

import argparse
from pathlib import Path

import numpy as np
import ray

import sinew
import sinew.ray
from sinew.compat import MjModel

MODEL = Path(__file__).resolve().parents[2] / "models" / "quadruped.xml"


def is_same(model: MjModel, task: sinew.ray.Task, states: np.ndarray) -> bool:
    """Whether a batch in this process has the same bits."""
    batch = sinew.Batch(model, len(states))
    batch.qvel[:] = task[0]["qvel"]
    return batch.rollout(task[1]).states.tobytes() == states.tobytes()


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=64, help="of each worker")
    parser.add_argument("--tasks", type=int, default=6)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--check", action="store_true", help="compare with a batch in this process")
    options = parser.parse_args(given)
    ray.init(ignore_reinit_error=True, include_dashboard=False)
    model = MjModel.from_xml_path(str(MODEL))
    workers = sinew.ray.Workers(model, options.worlds, options.workers)
    random = np.random.default_rng(1)
    tasks = []
    for _ in range(options.tasks):
        velocities = random.normal(0, 0.1, (options.worlds, model.nv))
        tasks.append(({"qvel": velocities}, random.uniform(-1, 1, (options.worlds, options.steps, model.nu))))
    for number, found in workers.rollouts(tasks):
        way = found.states[:, -1, 0].max()
        if options.check and not is_same(model, tasks[number], found.states):
            raise SystemExit(f"task {number} has other bits than a batch in this process")
        print(f"task {number}: {found.states.shape[0]} worlds, the farthest went {way:.3f} m", flush=True)
    workers.close()


if __name__ == "__main__":
    main()
