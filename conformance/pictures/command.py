"""Draws models with both renderers from the same cameras, and says how alike the pictures are.

    python -m conformance.pictures [MODELS...] [--sheet FOLDER]
    python -m conformance.pictures --race | --tasks | --options [--sheet FOLDER]

Colours are compared as both renderers make them; silhouettes and distances at the middle of every pixel, hence with one
sample per pixel. The reference draws with OSMesa: Debian's package libosmesa6, and `pip install PyOpenGL`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from conformance.engines import DEFAULT_ENGINE, Engine, EngineMissing, candidate, reference
from conformance.pictures.compare import Likeness, Limits, Views, compare
from conformance.pictures.options import compare_options
from conformance.pictures.plan import sources
from conformance.pictures.race import race
from conformance.pictures.sheet import beside, small, stacked, write_png
from conformance.pictures.tasks import compare_tasks
from conformance.sources import ModelSource, resolve

# The largest picture; models may ask for less.
SIZE = 640, 480
# Pictures of a sheet are this many times smaller.
SHRINK = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit status: 0 all alike, 1 one is not, 2 wrong use or missing engine."""
    options = _parser().parse_args(arguments)
    # Read when the reference is imported.
    os.environ.setdefault("MUJOCO_GL", "osmesa")
    os.environ.setdefault("LP_NUM_THREADS", "0")
    try:
        engines = reference(), candidate(options.engine)
        chosen = resolve(options.models, options.filter) if options.models else sources()
    except (EngineMissing, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"error: {error}; the reference needs libosmesa6 and PyOpenGL to draw", file=sys.stderr)
        return 2
    limits = Limits()
    if options.race:
        return race(engines)
    if options.tasks:
        return compare_tasks(limits)
    if options.options:
        return compare_options(engines, options.sheet)
    print(f"{'model':34} {'camera':>10} {'silhouettes':>12} {'depths':>9} {'worst':>9} {'structure':>10}")
    rows: list[np.ndarray] = []
    bad = compared = 0
    for source in chosen:
        for camera, ours, theirs in views(source, engines):
            likeness = compare(ours, theirs, limits)
            is_good = likeness.is_good(limits)
            compared += 1
            bad += not is_good
            print(_line(source.name, camera, likeness, is_good), flush=True)
            rows.append(small(beside(ours, theirs), SHRINK))
            if options.sheet:
                name = f"{source.name.removesuffix('.xml').replace('/', '_')}_{camera}.png"
                options.sheet.mkdir(parents=True, exist_ok=True)
                write_png(options.sheet / name, beside(ours, theirs))
    if options.sheet and rows:
        write_png(options.sheet / "sheet.png", stacked(rows))
    print(f"\n{compared} pictures of {len(chosen)} models, {bad} below the limits: {limits}")
    return 2 if compared == 0 else int(bad > 0)


def views(source: ModelSource, engines: tuple[Engine, Engine]) -> Iterator[tuple[str, Views, Views]]:
    """Camera, our view and the reference's: of the whole model, and of the first camera if there is one."""
    theirs, ours = (_loaded(source, engine) for engine in engines)
    model = theirs[0]
    numbers = [-1, 0] if model.ncam else [-1]
    size = min(SIZE[0], model.vis.global_.offwidth), min(SIZE[1], model.vis.global_.offheight)
    drawn = [_drawn(engine, *loaded, numbers, size) for engine, loaded in zip(engines, (theirs, ours), strict=True)]
    for number, their_view, our_view in zip(numbers, *drawn, strict=True):
        yield ("free" if number < 0 else model.camera(number).name or str(number)), our_view, their_view


def _loaded(source: ModelSource, engine: Engine) -> tuple[Any, Any]:
    model = source.load(engine)
    data = engine.data(model)
    if model.nkey:
        engine.call("mj_resetDataKeyframe", model, data, 0)
    engine.call("mj_forward", model, data)
    return model, data


def _drawn(engine: Engine, model: Any, data: Any, cameras: list[int], size: tuple[int, int]) -> list[Views]:
    """What each camera sees. Both engines draw what they computed themselves."""
    width, height = size
    colours: list[np.ndarray] = []
    with engine.module.Renderer(model, height, width) as renderer:
        for camera in cameras:
            renderer.update_scene(data, camera)
            colours.append(renderer.render())
    model.vis.quality.offsamples = 0
    found: list[Views] = []
    with engine.module.Renderer(model, height, width) as renderer:
        for camera, colour in zip(cameras, colours, strict=True):
            renderer.update_scene(data, camera)
            renderer.enable_depth_rendering()
            depth = renderer.render()
            renderer.disable_depth_rendering()
            renderer.enable_segmentation_rendering()
            objects = renderer.render()
            renderer.disable_segmentation_rendering()
            found.append(Views(colour, depth, objects))
    return found


def _line(name: str, camera: str, likeness: Likeness, is_good: bool) -> str:
    return (
        f"{name[-34:]:34} {camera[:10]:>10} {likeness.silhouettes:12.5f} {likeness.depths:9.5f}"
        f" {likeness.worst_depth:9.1e} {likeness.structure:10.4f}{'' if is_good else '  below'}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance.pictures", description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="groups, folders or files; otherwise a choice of models")
    parser.add_argument("--filter", action="append", default=[], metavar="TEXT", help="models whose name contains it")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="module to compare with the reference")
    parser.add_argument("--sheet", type=Path, metavar="FOLDER", help="write the pictures side by side there")
    parser.add_argument("--race", action="store_true", help="compare times instead")
    parser.add_argument(
        "--tasks", action="store_true", help="compare pictures of gymnasium's and dm_control's tasks instead"
    )
    parser.add_argument("--options", action="store_true", help="compare what each visual option shows instead")
    return parser
