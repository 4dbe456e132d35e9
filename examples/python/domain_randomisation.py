"""A quadruped stands and is pushed on grounds and with bodies that differ: which of them are hard?

Every world has its own friction, masses and motors. ``python examples/python/domain_randomisation.py [--worlds N]``
"""

import argparse
from pathlib import Path

import numpy as np

import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"


def randomised(count: int, seed: int) -> sinew.Batch:
    """Worlds that differ in friction, masses and strength of the motors."""
    batch = sinew.Batch(str(MODELS / "quadruped.xml"), count, derived=["xpos"])
    rng = np.random.default_rng(seed)
    friction, mass, inertia, gain, bias = batch.expand(
        "geom_friction", "body_mass", "body_inertia", "actuator_gainprm", "actuator_biasprm"
    )
    friction[:, :, 0] = rng.uniform(0.1, 1.0, (count, 1))
    scale = rng.uniform(0.8, 1.2, mass.shape)
    mass *= scale
    inertia *= scale[:, :, None]
    strength = rng.uniform(0.7, 1.3, (count, 1))
    gain[:, :, 0] *= strength
    bias[:, :, 1] *= strength
    batch.derive_constants()  # what follows from the masses
    return batch


def pushed(batch: sinew.Batch, force: float) -> np.ndarray:
    """How far a push of a fifth of a second moves the trunk of each world."""
    batch.reset(key="stand")
    batch.step(100)
    batch.forward()
    start = batch.xpos[:, 1, :2].copy()
    batch.xfrc_applied[:, 1, 1] = force
    batch.step(50)
    batch.xfrc_applied[:] = 0
    batch.step(150)
    return np.linalg.norm(batch.xpos[:, 1, :2] - start, axis=1)


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--force", type=float, default=20.0)
    options = parser.parse_args(given)
    batch = randomised(options.worlds, seed=1)
    way = pushed(batch, options.force)
    friction = batch.geom_friction[:, 0, 0]
    print("friction      pushed by, m (median and worst)")
    for low in np.arange(0.1, 1.0, 0.15):
        chosen = way[(friction >= low) & (friction < low + 0.15)]
        if len(chosen):
            print(f"{low:.2f} – {low + 0.15:.2f}   {np.median(chosen):.3f}   {chosen.max():.3f}")
    print(f"{len(batch.errors)} of {len(batch)} worlds failed")


if __name__ == "__main__":
    main()
