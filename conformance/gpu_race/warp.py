"""MJWarp, the reference's engine for graphics processors, on the same model and controls."""

from __future__ import annotations

import numpy as np

from conformance.gpu_race.speed import STEPS, best
from conformance.gpu_race.work import Work


def is_there() -> bool:
    """Whether it can be imported."""
    try:
        import mujoco_warp  # noqa: F401
    except Exception:  # Whatever keeps it from being there.
        return False
    return True


def throughput(work: Work, worlds: int, contacts: int = 16, rows: int = 96) -> tuple[float, dict[str, int]]:
    """Steps per second of worlds that stay on the device, captured as one graph."""
    import mujoco
    import mujoco_warp
    import warp

    model = mujoco.MjModel.from_xml_path(work.path)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    on_device = mujoco_warp.put_model(model)
    states = mujoco_warp.put_data(model, data, nworld=worlds, nconmax=contacts, njmax=rows)
    random = np.random.default_rng(3)
    speeds = random.uniform(-0.1, 0.1, (worlds, model.nv)).astype(np.float32)
    warp.copy(states.qvel, warp.array(speeds, dtype=warp.float32))
    controls = work.controls(worlds, 1).astype(np.float32)
    warp.copy(states.ctrl, warp.array(controls, dtype=warp.float32))
    mujoco_warp.step(on_device, states)
    with warp.ScopedCapture() as capture:
        for _ in range(STEPS):
            mujoco_warp.step(on_device, states)

    def run() -> None:
        warp.capture_launch(capture.graph)
        warp.synchronize()

    return best(run, worlds), {}
