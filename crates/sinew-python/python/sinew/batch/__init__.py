"""Many independent worlds of one model, stepped together on all cores::

    import numpy as np
    import sinew

    batch = sinew.Batch("humanoid.xml", 4096)
    batch.reset_randomly(qpos=0.01)
    batch.ctrl[:] = np.random.uniform(-1, 1, batch.ctrl.shape)
    batch.step(5)
    print(batch.qpos.shape, batch.joint("left_knee").qpos.mean())

Every array has a row per world and is a live numpy view. Each world has the bits that it has when it is stepped alone,
for any number of worlds and threads.

``Batch(..., device="cuda")`` has the worlds on a graphics processor, where arrays stay; others look at them without a
copy::

    batch = sinew.Batch("humanoid.xml", 4096, device="cuda", precision="f32")
    ctrl, qpos = batch.ctrl.torch(), batch.qpos.torch()
    ctrl.uniform_(-1, 1)
    batch.step(5)
    print(qpos.mean())
"""

from ._batch import Batch, Plan, Trajectories
from ._device import DEVICE_DERIVED, EVENTS, DeviceArray, refusal, refusals

__all__ = ["DEVICE_DERIVED", "EVENTS", "Batch", "DeviceArray", "Plan", "Trajectories", "refusal", "refusals"]
