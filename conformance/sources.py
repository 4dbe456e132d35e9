"""Where models come from: groups of model files, and files named one by one.

`own`         the models of this repository
`shared`      robots and scenes beside the checkout (`../shared/models`, or `$SINEW_SHARED/models`)
`dm_control`  every model that a task of the dm_control suite builds, as the suite builds it
`dm_files`    every other model file inside the dm_control package
`gymnasium`   the model files of gymnasium's environments
`random`      small generated scenes full of constraints (not part of `all`)
`flexes`      small generated scenes with deformables (not part of `all`)
`machines`    small generated machines without constraints (not part of `all`)
`all`         every other group
"""

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.engines import Engine
from conformance.random_flexes import FlexScene
from conformance.random_machines import Machine
from conformance.random_scenes import Scene

REPOSITORY = Path(__file__).resolve().parent.parent

# Bytes in which the rows of every solver have room. A model states what its own solver needs.
ROOM = 1 << 30


@dataclass(frozen=True)
class ModelSource:
    """A model that both engines can be asked to load, from a file or from text with named assets."""

    name: str
    group: str
    path: Path | None = None
    text: str | None = None
    assets: tuple[tuple[str, bytes], ...] = ()

    def load(self, engine: Engine) -> Any:
        """Load with one engine; raises what the engine raises."""
        loader = engine.module.MjModel
        if self.path is not None:
            return loader.from_xml_path(str(self.path))
        return loader.from_xml_string(self.text, dict(self.assets))

    def load_roomy(self, engine: Engine) -> Any:
        """Load a model with flexes, and memory for solvers that it does not ask for: projected Gauss-Seidel over the rows
        of a cloth needs more than most cloths state, and rows are dropped without it."""
        if engine.has("MjSpec"):
            return self._specified(engine).compile()
        text = self.path.read_text() if self.path is not None else self.text
        end = text.rindex("</mujoco>")
        text = f'{text[:end]}<size memory="{ROOM}"/>{text[end:]}'
        loader = engine.module.MjModel
        if self.path is not None:
            return loader.from_xml_path(str(self.path), {str(self.path): text.encode()})
        return loader.from_xml_string(text, dict(self.assets))

    def _specified(self, engine: Engine) -> Any:
        """What the reference compiles, with memory."""
        maker = engine.module.MjSpec
        if self.path is not None:
            spec = maker.from_file(str(self.path))
        else:
            spec = maker.from_string(self.text, include=dict(self.assets), assets=dict(self.assets))
        spec.memory = ROOM
        return spec


def shared_root() -> Path | None:
    """The folder with the shared models, if it is there."""
    candidates = [REPOSITORY.parent / "shared", REPOSITORY.parent.parent / "shared"]
    if "SINEW_SHARED" in os.environ:
        candidates.insert(0, Path(os.environ["SINEW_SHARED"]))
    for folder in candidates:
        if (folder / "models").is_dir():
            return folder / "models"
    return None


def files_below(root: Path, group: str) -> list[ModelSource]:
    """All model files below a folder, named by their path relative to it."""
    return [ModelSource(path.relative_to(root).as_posix(), group, path=path) for path in sorted(root.rglob("*.xml"))]


def own() -> list[ModelSource]:
    """The models of this repository."""
    return files_below(REPOSITORY / "models", "own")


def shared() -> list[ModelSource]:
    """The shared models; empty where the folder is absent."""
    root = shared_root()
    return files_below(root, "shared") if root else []


def gymnasium() -> list[ModelSource]:
    """Model files that gymnasium installs."""
    return files_below(package_folder("gymnasium") / "envs" / "mujoco" / "assets", "gymnasium")


def dm_files() -> list[ModelSource]:
    """Model files in the dm_control package outside its suite."""
    sources = files_below(package_folder("dm_control"), "dm_files")
    return [source for source in sources if not source.name.startswith("suite/")]


def random_scenes() -> list[ModelSource]:
    """Generated scenes, the same each time."""
    return [ModelSource(f"{seed:04}", "random", text=Scene(seed).text) for seed in range(200)]


def random_flexes() -> list[ModelSource]:
    """Generated scenes with deformables, the same each time."""
    return [ModelSource(f"{seed:04}", "flexes", text=FlexScene(seed).text) for seed in range(100)]


def random_machines() -> list[ModelSource]:
    """Generated machines, the same each time."""
    return [ModelSource(f"{seed:04}", "machines", text=Machine(seed).text) for seed in range(200)]


class _Captured(Exception):
    """Carries the model text and assets that a task was about to load."""

    def __init__(self, text: Any, assets: Any) -> None:
        super().__init__()
        self.text = text.decode() if isinstance(text, bytes) else str(text)
        self.assets = tuple(sorted((assets or {}).items()))


def dm_control() -> list[ModelSource]:
    """The suite's models. Each task is asked to build itself, and is stopped where it would load its model."""
    os.environ.setdefault("MUJOCO_GL", "disable")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dm_control import mujoco as wrapper
        from dm_control import suite

    def capture(_class: type, text: Any, assets: Any = None) -> None:
        raise _Captured(text, assets)

    original = wrapper.Physics.__dict__["from_xml_string"]
    wrapper.Physics.from_xml_string = classmethod(capture)
    try:
        return list(_unique_suite_models(suite))
    finally:
        wrapper.Physics.from_xml_string = original


def _unique_suite_models(suite: Any) -> Iterator[ModelSource]:
    """One source per different model text, named after the first task that uses it."""
    seen: set[tuple[str, str]] = set()
    for domain, task in suite.ALL_TASKS:
        try:
            suite.load(domain, task, task_kwargs={"random": 0})
        except _Captured as captured:
            if (domain, captured.text) not in seen:
                seen.add((domain, captured.text))
                yield ModelSource(f"{domain}/{task}", "dm_control", text=captured.text, assets=captured.assets)


def package_folder(package: str) -> Path:
    """Where a package is installed, found without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"{package} is not installed; run: pip install -r conformance/requirements.txt")
    return Path(spec.submodule_search_locations[0])


GROUPS: dict[str, Callable[[], list[ModelSource]]] = {
    "own": own,
    "shared": shared,
    "dm_control": dm_control,
    "dm_files": dm_files,
    "gymnasium": gymnasium,
    "random": random_scenes,
    "flexes": random_flexes,
    "machines": random_machines,
    "all": lambda: own() + shared() + dm_control() + dm_files() + gymnasium(),
}


def resolve(names: list[str], filters: list[str]) -> list[ModelSource]:
    """Sources for group names, folders and files; filters keep the names that contain one of them."""
    sources: list[ModelSource] = []
    for name in names:
        if name in GROUPS:
            sources += GROUPS[name]()
        elif Path(name).is_dir():
            sources += files_below(Path(name), "folder")
        elif Path(name).is_file():
            sources.append(ModelSource(name, "file", path=Path(name)))
        else:
            groups = ", ".join(GROUPS)
            raise FileNotFoundError(f"{name}: neither a file, nor a folder, nor one of {groups}")
    if filters:
        sources = [source for source in sources if any(text in source.name for text in filters)]
    return sources
