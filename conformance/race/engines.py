"""The programs that race: sinew's command, and the reference's side built against the wheel of a release."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from conformance.race.plan import DISABLED, Workload
from conformance.sources import REPOSITORY

CACHE = REPOSITORY / "conformance" / ".cache" / "race"
NEWEST = "newest"


class BuildError(Exception):
    """One of the programs cannot be made."""


class RunFailed(Exception):
    """A program ended with an error."""


@dataclass
class Measurement:
    """What one run found; times in microseconds."""

    steps_per_second: float
    contacts: float
    rows: float
    iterations: float
    stages: dict[str, float]
    steps_per_second_all_threads: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sinew:
    """Our side."""

    binary: Path
    name: str = "sinew"

    def run(self, work: Workload, threads: int) -> Measurement:
        """Runs the workload once."""
        counts = {"warm": work.warm, "steps": work.steps, "episodes": work.episodes, "threads": threads}
        found = self._bench(work, *(f"--{name}={value}" for name, value in counts.items()), "--repetitions=1")
        return Measurement(
            found["steps_per_cpu_second"],
            found["mean_contacts"],
            found["mean_rows"],
            found["mean_iterations"],
            found["microseconds"],
            found["steps_per_second_all_threads"],
        )

    def replay(self, work: Workload, states: Path, loops: int) -> dict[str, Any]:
        """Single steps from recorded states."""
        return self._bench(work, f"--replay={states}", f"--repetitions={loops}")

    def _bench(self, work: Workload, *options: str) -> dict[str, Any]:
        key = [] if work.key == "-1" else [f"--key={work.key}"]
        disable = [f"--disable={work.disable}"] if work.disable else []
        return json.loads(_output([self.binary, "bench", work.model, *key, *disable, *options, "--json"]))


@dataclass(frozen=True)
class Reference:
    """The reference's side, one release of it."""

    binary: Path
    name: str

    def run(self, work: Workload, threads: int) -> Measurement:
        """Runs the workload once."""
        found = json.loads(_output([self.binary, work.model, *_settings(work), "reps=1", f"threads={threads}"]))
        timers = found["timers_us"]
        stages = {
            "kinematics": timers["kinematics"],
            "inertia": timers["inertia"],
            "collision": timers["collision"],
            "rows": timers["make"] + timers["project"],
            "velocity": timers["velocity"],
            "actuation": timers["actuation"],
            "solver": timers["constraint"],
        }
        stages["rest"] = max(0.0, timers["step"] - sum(stages.values()))
        stages["step"] = timers["step"]
        together = found[f"sps_{threads}thr"] if threads > 1 else None
        counts = found["ncon"], found["nefc"], found["niter"]
        return Measurement(found["sps_cpu_median"], *counts, stages, together)

    def dump(self, work: Workload, states: Path, count: int) -> None:
        """Writes states of the trajectory, each with the result of one step."""
        _output([self.binary, work.model, *_settings(work), "mode=dump", f"file={states}", f"n={count}"])

    def replay(self, work: Workload, states: Path, loops: int) -> dict[str, Any]:
        """Single steps from recorded states."""
        settings = [*_settings(work), "mode=replay", f"file={states}", f"loops={loops}"]
        return json.loads(_output([self.binary, work.model, *settings]))


def build_sinew(binary: Path | None) -> Sinew:
    """The release build of the command, or the program that was named."""
    if binary is None:
        command = ["cargo", "build", "--release", "--quiet", "--package", "sinew-cli"]
        _build(command, "sinew's command", cwd=REPOSITORY)
        target = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
        binary = target / "release" / "sinew"
    if not binary.is_file():
        raise BuildError(f"{binary} is not there")
    return Sinew(binary.resolve())


def build_reference(release: str, bench: Path, update: bool) -> Reference:
    """The reference's side for a release: a version, `newest`, or the path of a program built before."""
    if os.sep in release:
        if not Path(release).is_file():
            raise BuildError(f"{release} is not there")
        return Reference(Path(release).resolve(), Path(release).name.removeprefix("reference_"))
    folder = environment(release, update)
    found = release_in(folder)
    binary = CACHE / f"reference_{found}"
    if not binary.is_file() or binary.stat().st_mtime < (bench / "reference.c").stat().st_mtime:
        CACHE.mkdir(parents=True, exist_ok=True)
        _build(["bash", bench / "build.sh", folder, CACHE], f"the reference's side of {found}")
    return Reference(binary, found)


def make_models(bench: Path) -> Path:
    """The folder of models that a script of the bench folder writes, made once."""
    folder = CACHE / "models"
    if not any(folder.glob("*.xml")):
        folder.mkdir(parents=True, exist_ok=True)
        _build([sys.executable, bench / "make_models.py", folder], "the made models")
    return folder


def environment(release: str, update: bool) -> Path:
    """A virtual environment with the wheel: the running one where it fits, else one below the cache."""
    try:
        if version("mujoco") == release:
            return Path(sys.prefix)
    except PackageNotFoundError:
        pass
    folder = CACHE / f"mujoco-{release}"
    is_complete = folder / "complete"
    if update or not is_complete.is_file():
        print(f"making a virtual environment with mujoco {release} …", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        wanted = "mujoco" if release == NEWEST else f"mujoco=={release}"
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", wanted]
        _build(pip, f"the wheel of mujoco {release}")
        is_complete.touch()
    return folder


def release_in(environment: Path) -> str:
    """The release that a virtual environment has."""
    code = "from importlib.metadata import version; print(version('mujoco'))"
    return _output([environment / "bin" / "python", "-c", code]).strip()


def _settings(work: Workload) -> list[str]:
    sizes = [f"key={work.key}", f"warm={work.warm}", f"steps={work.steps}", f"episodes={work.episodes}"]
    return [*sizes, f"disable={DISABLED[work.disable]}"]


def _build(command: list[Any], what: str, cwd: Path | None = None) -> None:
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"cannot make {what}: {(done.stderr or done.stdout).strip()[-2000:]}")


def _output(command: list[Any]) -> str:
    """Standard output of a program; its last words when it fails. The reference's log file goes to the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([str(word) for word in command], cwd=CACHE, capture_output=True, text=True)
    if done.returncode:
        raise RunFailed(f"{Path(command[0]).name}: {done.stderr.strip()[-500:] or f'exit status {done.returncode}'}")
    return done.stdout
