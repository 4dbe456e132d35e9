"""Programs written for the reference run on sinew unchanged, and see the same numbers."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PROGRAMS = Path(__file__).parent / "programs"


def observations(program: str, engine: str) -> dict[str, list[list[float]]]:
    """What a program prints when run on an engine; each in a process of its own, since it replaces a module."""
    done = subprocess.run([sys.executable, PROGRAMS / f"{program}.py", engine], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize(("program", "package"), [("gymnasium_tasks", "gymnasium"), ("dm_control_tasks", "dm_control")])
def test_tasks_of_other_packages_see_the_same_numbers(program, package):
    assert importlib.util.find_spec(package), f"run: pip install -r conformance/requirements.txt ({package})"
    theirs, ours = observations(program, "mujoco"), observations(program, "sinew")
    assert ours.keys() == theirs.keys() and len(ours) > 10
    for task, expected in theirs.items():
        for number, (wanted, found) in enumerate(zip(expected, ours[task], strict=True)):
            scale = max(1, np.abs(wanted).max(initial=0))
            np.testing.assert_allclose(found, wanted, atol=1e-9 * scale, err_msg=f"{task}, step {number}")
