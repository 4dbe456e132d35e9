"""What is raced: worlds of a model near its start or its first keyframe, with random velocities and controls, the same for everybody."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import sinew
from sinew.compat import MjModel

Numbers = npt.NDArray[np.float64]

CONTACTS = 16
# Rows of equalities by their type: connect, weld, joint, tendon, …
EQUALITY_ROWS = {0: 3, 1: 6}


@dataclass(frozen=True)
class Work:
    """A model, how its worlds are driven, and for how many contacts they have room."""

    path: str
    model: MjModel
    low: Numbers
    high: Numbers
    contacts: int = CONTACTS

    @classmethod
    def of(cls, named: str) -> Work:
        """The work for a model's file, with a room for contacts behind a colon: ``pile.xml:128``. ``boxes20`` is a pile of
        20 boxes."""
        path, _, room = named.partition(":")
        if path.startswith("boxes") and path[5:].isdecimal():
            path = pile(int(path[5:]))
        model = MjModel.from_xml_path(path)
        low, high = model.actuator_ctrlrange.T
        is_limited = (model.actuator_ctrllimited != 0) & (high > low)
        contacts = int(room) if room else CONTACTS
        return cls(path, model, np.where(is_limited, low, -1.0), np.where(is_limited, high, 1.0), contacts)

    @property
    def rows(self) -> int:
        """Rows that a world has room for: those of its contacts, each as long as the longest, and all others."""
        model = self.model
        friction = int((model.dof_frictionloss != 0).sum() + (model.tendon_frictionloss != 0).sum())
        limits = 2 * int((model.jnt_limited != 0).sum() + (model.tendon_limited != 0).sum())
        equalities = sum(EQUALITY_ROWS.get(int(kind), 1) for kind in model.eq_type)
        directions = int(model.geom_condim.max(initial=1))
        is_elliptic = int(model.opt.cone) == 1
        longest = directions if is_elliptic or directions == 1 else 2 * (directions - 1)
        return equalities + friction + limits + self.contacts * longest

    def controls(self, worlds: int, seed: int) -> Numbers:
        """Random controls that single precision has exactly. Those of a world are the same for any number of worlds."""
        drawn = np.random.default_rng(seed).uniform(self.low, self.high, (worlds, self.model.nu))
        return drawn.astype(np.float32).astype(np.float64)

    def batch(self, worlds: int, device: str, precision: str) -> sinew.Batch:
        """Worlds that have begun, at the first keyframe if there is one, each with its own velocity and controls."""
        room = {} if device == "cpu" else {"contacts": self.contacts}
        batch = sinew.Batch(self.model, worlds, device=device, precision=precision, seed=3, **room)
        batch.reset_randomly(key=0 if self.model.nkey else None, qvel=0.1)
        batch.ctrl[:] = self.controls(worlds, 1)
        return batch


def pile(count: int) -> str:
    """Writes a model of so many boxes that fall onto each other; its path."""
    boxes = "".join(
        f'<body pos="{0.03 * (k % 3 - 1)} {0.02 * (k % 4 - 1.5)} {0.15 + 0.25 * k}" euler="{5 * k} {3 * k} {17 * k}">'
        '<freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>'
        for k in range(count)
    )
    text = f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{boxes}</worldbody></mujoco>'
    path = Path(tempfile.mkdtemp(prefix="gpu_race")) / f"boxes{count}.xml"
    path.write_text(text)
    return str(path)


def host(array) -> npt.NDArray:
    """A copy of an array of a batch, wherever that is."""
    return np.array(array)
