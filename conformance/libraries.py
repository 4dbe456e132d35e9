"""Runs the examples that need large libraries. ``python -m conformance.libraries [ray stable_baselines3 rllib]``.

Each library is installed, with the sinew that runs this, in a virtual environment below the cache; the tests and `.ci/run`
need none of them. Ray is given a cluster of two workers on this machine, and its trajectories must be those of a batch in
one process to the last bit.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

import sinew
from conformance.sources import REPOSITORY

CACHE = REPOSITORY / "conformance" / ".cache" / "libraries"
EXAMPLES = REPOSITORY / "examples" / "python"
LIBRARIES = {
    "ray": (["ray", "gymnasium", "numpy"], ["ray_rollouts.py", "--check"]),
    "stable_baselines3": (["stable-baselines3", "gymnasium"], ["learn_with_sb3.py", "--steps", "20000"]),
    "rllib": (["ray[rllib]", "torch", "gymnasium"], ["learn_with_rllib.py", "--turns", "2"]),
}


def environment(name: str, packages: list[str]) -> Path:
    """The interpreter of a virtual environment that has the packages."""
    folder = CACHE / name
    if not (folder / "complete").is_file():
        print(f"installing {', '.join(packages)} …", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages], check=True)
        (folder / "complete").touch()
    return folder / "bin" / "python"


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance.libraries", description=__doc__)
    parser.add_argument("libraries", nargs="*", choices=[[], *LIBRARIES], default=[])
    options = parser.parse_args(given)
    package = str(Path(sinew.__file__).parents[1])
    failed = []
    for name in options.libraries or list(LIBRARIES):
        packages, command = LIBRARIES[name]
        done = subprocess.run(
            [environment(name, packages), EXAMPLES / command[0], *command[1:]],
            env={**os.environ, "PYTHONPATH": package, "RAY_AUTH_MODE": "disabled"},
        )
        print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'}", flush=True)
        failed += [name] * bool(done.returncode)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
