"""Pictures of other packages' tasks: gymnasium's eleven and five of dm_control's, drawn by both engines in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from conformance.pictures.compare import Limits, structural_similarity
from conformance.sources import REPOSITORY

PROGRAM = REPOSITORY / "crates" / "sinew-python" / "tests" / "programs" / "pictures_of_others.py"
ENGINES = "mujoco", "sinew"


def compare_tasks(limits: Limits) -> int:
    """Print how alike the pictures are. Exit status 1 if one is not as good as was asked for, 2 if they cannot be drawn."""
    drawn: list[dict[str, np.ndarray]] = []
    with tempfile.TemporaryDirectory() as folder:
        for engine in ENGINES:
            file = Path(folder) / f"{engine}.npz"
            done = subprocess.run(
                [sys.executable, PROGRAM, engine, file],
                env={"MUJOCO_GL": "osmesa", **os.environ},
                capture_output=True,
                text=True,
            )
            if done.returncode:
                print(f"error: {engine}: {done.stderr[-2000:]}", file=sys.stderr)
                return 2
            with np.load(file) as pictures:
                drawn.append({name: pictures[name] for name in pictures.files})
    theirs, ours = drawn
    bad = 0
    for name, picture in theirs.items():
        measure, least, found = _likeness(name, ours, theirs, limits)
        bad += found < least
        print(
            f"{name:36} {picture.shape[1]:4}x{picture.shape[0]:<4} {measure:12} {found:8.5f}{'' if found >= least else '  below'}"
        )
    print(f"\n{len(theirs)} pictures, {bad} below the limits: {limits}")
    return int(bad > 0)


def _likeness(
    name: str, ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], limits: Limits
) -> tuple[str, float, float]:
    """What is compared, the least that is good enough, and what was found."""
    mine, other = ours[name], theirs[name]
    if mine.shape != other.shape:
        return "shape", 1.0, 0.0
    if "segmentation" in name:
        return "silhouettes", limits.silhouettes, float((mine == other).all(axis=-1).mean())
    if "depth" in name:
        # Without segmentations the objects are not known; at their edges pixels show one or the other.
        close = np.abs(mine - other) <= limits.depth_difference * np.abs(other)
        return "depths", limits.silhouettes, float(close.mean())
    return "structure", limits.structure, structural_similarity(mine, other)
