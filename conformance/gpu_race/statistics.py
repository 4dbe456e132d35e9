"""What becomes of worlds over many steps: contacts, depths, energies, and how many went bad.

Single precision leaves the path of double precision soon, and so does every other engine. What can be compared is what all
worlds have in common. Whoever has computed them, states are looked at by one judge: the engine in double precision.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from conformance.gpu_race import warp
from conformance.gpu_race.work import Numbers, Work, host
from sinew.compat import MjData, MjModel, mj_energyPos, mj_energyVel, mj_forward

# At how many moments worlds are looked at after their start.
MOMENTS = 10
# Means of few worlds that have gone their own ways differ by that much.
CHANCE = 0.05
# Numbers beyond this are bad, as the engine says.
MOST = 1e10

# Links on ball joints and hinges that swing without friction: energy stays.
CONSERVATIVE = """
<mujoco model="swing">
  <option timestep="0.002"/>
  <worldbody>
    <body pos="0 0 2">
      <joint type="ball"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.3"/>
      <body pos=".3 0 -.3">
        <joint axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 0 .2 -.4"/>
        <body pos="0 .2 -.4"><joint axis="1 0 0"/><geom type="box" size=".05 .1 .15" pos="0 0 -.2"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@dataclass(frozen=True)
class Statistics:
    """Means over worlds and moments."""

    contacts: float
    rows: float
    depth: float
    """The deepest contact of a world, in metres."""
    energy: float
    drift: float
    """Largest change of a world's energy since its start, relative to the largest energy: the mean of worlds."""
    bad: float
    """Part of the worlds whose numbers were none, or too large."""


def judge(model: MjModel, moments: Iterator[tuple[Numbers, Numbers]], looked_at: int) -> Statistics:
    """What states of worlds have in common, at some moments; of so many worlds, but bad ones among all."""
    data, seen, energies = MjData(model), [], []
    is_bad = None
    for qpos, qvel in moments:
        numbers = np.concatenate([qpos, qvel], axis=1)
        found = ~(abs(numbers) <= MOST).all(axis=1)
        is_bad = found if is_bad is None else is_bad | found
        energies.append(np.full(looked_at, np.nan))
        for world in np.flatnonzero(~found[:looked_at]):
            data.qpos[:], data.qvel[:] = qpos[world], qvel[world]
            mj_forward(model, data)
            mj_energyPos(model, data)
            mj_energyVel(model, data)
            energies[-1][world] = data.energy.sum()
            deepest = min((contact.dist for contact in data.contact), default=0.0)
            seen.append((data.ncon, data.nefc, max(0.0, -deepest)))
    table = np.array(energies)
    changed = np.nanmax(abs(table - table[0]), axis=0) / max(float(np.nanmax(abs(table))), 1e-12)
    contacts, rows, depth = np.mean(seen, axis=0)
    return Statistics(contacts, rows, depth, float(np.nanmean(table)), float(changed.mean()), float(is_bad.mean()))


def states(
    work: Work, device: str, precision: str, worlds: int, steps: int, every: int
) -> Iterator[tuple[Numbers, Numbers]]:
    """Positions and velocities of our worlds at the start and after so many steps each; controls change with them. A world
    that began anew because its numbers were bad is shown as bad."""
    batch = work.batch(worlds, device, precision)
    failed = np.zeros(worlds, bool)
    for made in range(0, steps + 1, every):
        if made:
            batch.ctrl[:] = work.controls(worlds, made)
            batch.step(every)
            failed |= host(batch.terminated)
        qpos = host(batch.qpos).astype(np.float64)
        qpos[failed] = np.nan
        yield qpos, host(batch.qvel).astype(np.float64)


def table(work: Work, device: str, worlds: int, steps: int, looked_at: int, with_warp: bool) -> dict[str, Statistics]:
    """The statistics of everybody."""
    every, looked_at = max(steps // MOMENTS, 1), min(looked_at, worlds)
    found = {
        precision: judge(work.model, states(work, device, precision, worlds, steps, every), looked_at)
        for precision in ("f64", "f32")
    }
    if with_warp and warp.is_there():
        found["MJWarp"] = judge(work.model, warp.states(work, worlds, steps, every), looked_at)
    return found


def conservative() -> Work:
    """A model whose energy stays."""
    path = Path(tempfile.mkdtemp(prefix="gpu_race")) / "swing.xml"
    path.write_text(CONSERVATIVE)
    return Work.of(str(path))


def worse(found: dict[str, Statistics]) -> str | None:
    """In what single precision is worse than MJWarp, if that is there: more worlds went bad, or numbers that all should have
    alike are farther from those of double precision, by more than chance explains."""
    if "MJWarp" not in found:
        return None
    exact, ours, theirs = found["f64"], found["f32"], found["MJWarp"]
    if ours.bad > theirs.bad:
        return f"{ours.bad:.2%} of the worlds went bad, {theirs.bad:.2%} of MJWarp's"
    for name in ("contacts", "depth", "drift"):
        right = getattr(exact, name)
        mine, other = (abs(getattr(seen, name) - right) for seen in (ours, theirs))
        if mine > other and mine > CHANCE * abs(right):
            return f"{name} is off by {mine:.3g}, MJWarp's by {other:.3g}"
    return None
