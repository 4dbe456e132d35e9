"""What each visual option shows: the reference's picture with it, ours, and whether both differ from the plain ones.

Options are turned round one at a time, over flags that make them visible. Texts are written in fonts of their own and edges
of wireframes follow each renderer's own triangles, hence these are only asked to change the picture in about the same places.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from conformance.engines import Engine
from conformance.pictures.compare import structural_similarity
from conformance.pictures.sheet import small, stacked, write_png
from conformance.sources import REPOSITORY

SIZE = 480, 360
STEPS = 60
CONTROL = 0.3
# The least structural similarity, and where lines and letters differ.
LEAST, LEAST_OF_LINES = 0.9, 0.6
# A picture has changed where more than this share of its bytes differs.
CHANGED = 1e-5


@dataclass(frozen=True)
class Show:
    """A model in which an option shows something, and the flags that are on besides."""

    model: str
    flags: tuple[str, ...] = ()
    # How much farther away than usual the eye is.
    farther: float = 1.0


PLAIN = Show("sensor_zoo")
PILE = Show("box_pile", ("CONTACTPOINT", "CONTACTFORCE"))
LAMP = Show("sensor_zoo", ("LIGHT",), 2.5)
ARM = Show("muscle_arm", ("ACTUATOR", "JOINT"))
# Where an option is seen; all others in a model with some of everything.
WHERE = {
    "CONVEXHULL": Show("mesh_scene"), "TEXTURE": Show("humanoid"), "JOINT": Show("humanoid", ("TRANSPARENT",)), "LIGHT": LAMP, "ACTUATOR": Show("muscle_arm"),
    "ACTIVATION": ARM, "TENDON": Show("muscle_arm"), "CONSTRAINT": Show("mechanism"), "CONTACTPOINT": Show("box_pile"),
    "ISLAND": PILE, "CONTACTFORCE": Show("box_pile"), "CONTACTSPLIT": PILE, "SCLINERTIA": Show("humanoid", ("INERTIA",)),
    "TRANSPARENT": Show("humanoid"), "AUTOCONNECT": Show("humanoid"), "COM": Show("humanoid", ("TRANSPARENT",)),
    "SKIN": Show("features/skin"), "FLEXVERT": Show("flex/rope_bridge"), "FLEXEDGE": Show("flex/rope_bridge"),
    "FLEXFACE": Show("flex/trilinear_jelly", ("-FLEXSKIN",)), "FLEXSKIN": Show("flex/trilinear_jelly"),
    "MESHBVH": Show("flex/trilinear_jelly"), "BODYBVH": Show("humanoid"), "SHADOW": Show("humanoid"),
    "WIREFRAME": Show("box_pile"), "REFLECTION": Show("humanoid"), "ADDITIVE": Show("humanoid", ("TRANSPARENT",)),
    "SKYBOX": Show("humanoid"), "FOG": Show("humanoid"), "HAZE": Show("humanoid"), "CULL_FACE": Show("features/skin"),
    "labels BODY": Show("humanoid"), "labels JOINT": ARM, "labels GEOM": Show("box_pile"), "labels CAMERA": Show("sensor_zoo", ("CAMERA",)),
    "labels LIGHT": LAMP, "labels TENDON": Show("muscle_arm"), "labels ACTUATOR": ARM,
    "labels CONSTRAINT": Show("mechanism", ("CONSTRAINT",)), "labels FLEX": Show("flex/trilinear_jelly"),
    "labels SKIN": Show("features/skin"), "labels CONTACTPOINT": PILE, "labels CONTACTFORCE": PILE, "labels ISLAND": PILE,
    "frames CONTACT": PILE, "frames CAMERA": Show("sensor_zoo", ("CAMERA",)), "frames LIGHT": LAMP,
}  # fmt: skip
# What shows nothing without a hand on the mouse, a force that someone applies, or a plugin.
SILENT = ("PERTFORCE", "PERTOBJ", "SELECT", "SDFITER", "labels SELECTION", "labels SELPNT")


def compare_options(engines: tuple[Engine, Engine], folder: Path | None) -> int:
    """Print a line per option. Exit status 1 if one acts differently."""
    module = engines[0].module
    names = [
        name
        for kind, prefix in (("mjtVisFlag", "mjVIS_"), ("mjtRndFlag", "mjRND_"))
        for name in _names(module, kind, prefix)
    ]
    names += [f"labels {name}" for name in _names(module, "mjtLabel", "mjLABEL_") if name != "NONE"]
    names += [f"frames {name}" for name in _names(module, "mjtFrame", "mjFRAME_") if name != "NONE"]
    print(f"{'option':24} {'model':22} {'reference':>10} {'sinew':>10} {'structure':>10}")
    bad, rows = 0, []
    for name in names:
        show = WHERE.get(name, PLAIN)
        pictures = [_pictures(engine, show, name) for engine in engines]
        changes = [float((plain != other).mean()) for plain, other in pictures]
        structure = structural_similarity(pictures[0][1], pictures[1][1])
        has_lines = name.startswith("labels") or name in ("WIREFRAME", "BODYBVH", "MESHBVH")
        is_same = (changes[0] > CHANGED) == (changes[1] > CHANGED)
        is_good = is_same and structure >= (LEAST_OF_LINES if has_lines else LEAST)
        bad += not is_good
        note = "" if is_good else "  differs"
        if max(changes) <= CHANGED:
            note += "  silent" if name in SILENT else "  shows nothing here"
        print(f"{name:24} {show.model:22} {changes[0]:10.5f} {changes[1]:10.5f} {structure:10.4f}{note}", flush=True)
        rows.append(small(np.concatenate([pictures[0][1], pictures[1][1]], axis=1), 2))
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            write_png(
                folder / f"{name.replace(' ', '_').lower()}.png",
                np.concatenate([pictures[0][1], pictures[1][1]], axis=1),
            )
    if folder is not None:
        write_png(folder / "sheet.png", stacked(rows))
    print(f"\n{len(names)} options, {bad} act differently")
    return int(bad > 0)


def _names(module: Any, kind: str, prefix: str) -> list[str]:
    members = getattr(module, kind).__members__
    return [name.removeprefix(prefix) for name in members if name.startswith(prefix)]


def _pictures(engine: Engine, show: Show, name: str) -> list[np.ndarray]:
    """The plain picture, and the one with the option turned round."""
    module = engine.module
    model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{show.model}.xml"))
    if name == "DEPTH":
        # Several samples per pixel cannot be read by the reference.
        model.vis.quality.offsamples = 0
    data = engine.data(model)
    data.ctrl[:] = CONTROL
    for _ in range(STEPS):
        engine.call("mj_step", model, data)
    engine.call("mj_forward", model, data)
    width, height = min(SIZE[0], model.vis.global_.offwidth), min(SIZE[1], model.vis.global_.offheight)
    found = []
    with module.Renderer(model, height, width) as renderer:
        for is_turned in (False, True):
            option = module.MjvOption()
            for flag in show.flags:
                option.flags[int(getattr(module.mjtVisFlag, f"mjVIS_{flag.removeprefix('-')}"))] = not flag.startswith(
                    "-"
                )
            first = renderer.scene.flags.copy()
            if name == "IDCOLOR":
                _turn(module, option, renderer.scene, "SEGMENT")
            if is_turned:
                _turn(module, option, renderer.scene, name)
            camera = module.MjvCamera()
            module.mjv_defaultFreeCamera(model, camera)
            camera.distance *= show.farther
            # The reference puts endless planes below the eye of the update before.
            for _ in range(2):
                renderer.update_scene(data, camera, option)
            found.append(renderer.render())
            renderer.scene.flags[:] = first
    return found


def _turn(module: Any, option: Any, scene: Any, name: str) -> None:
    """Turns an option round."""
    if name.startswith("labels "):
        option.label = int(getattr(module.mjtLabel, f"mjLABEL_{name.removeprefix('labels ')}"))
    elif name.startswith("frames "):
        option.frame = int(getattr(module.mjtFrame, f"mjFRAME_{name.removeprefix('frames ')}"))
    elif hasattr(module.mjtVisFlag, f"mjVIS_{name}"):
        flag = int(getattr(module.mjtVisFlag, f"mjVIS_{name}"))
        option.flags[flag] = not option.flags[flag]
    else:
        flag = int(getattr(module.mjtRndFlag, f"mjRND_{name}"))
        scene.flags[flag] = not scene.flags[flag]
