"""Golden values: what the reference computes for the models of this repository, stored for `cargo test`.

    python -m conformance.golden [--output crates/sinew/tests/golden/values]

One text file per model, readable without a library:

    sinew golden values 1
    model humanoid.xml
    engine mujoco 3.5.0
    generator conformance/golden.py, seed 0
    field body_pos float64 17x3 full
    0.0 0.0 0.0 ...
    input 1 qpos float64 32 full
    ...
    output 1 xpos float64 17x3 full
    ...

A record is a header line and a line of values. `field` is a field of the model; `input` and `output` belong to the
position stage at a numbered random state. A shape is written as lengths joined by x, or `scalar`.
The last word says how values are stored:

    full       all of them
    every K M  each K-th in memory order, for large arrays of floats; M is the largest magnitude of all
    fnv        the 64-bit FNV-1a hash of the values as little-endian bytes, in hexadecimal, for large arrays of integers

Empty arrays are left out. Mesh fields whose order is free (see `tolerances.RULES`) are replaced by
`hull_vertices`: per mesh with a hull, the number of hull vertices and their ids in rising order.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from conformance.engines import Engine, EngineMissing, reference
from conformance.fields import model_fields
from conformance.hull import HullGraph
from conformance.position_fields import read_position_field
from conformance.sources import REPOSITORY, ModelSource, own
from conformance.stages import POSITION_FUNCTIONS
from conformance.states import apply, random_states
from conformance.tolerances import POSITION_FIELDS, RULES

STATES = 3
SEED = 0
LARGE = 240  # more values than this are hashed or sampled
SAMPLES = 120  # about so many values of a large array of floats are kept

# Position fields that only repeat others in another form.
_DERIVED = ("qM", "actuator_moment_dense")


def main(arguments: list[str] | None = None) -> int:
    """Write one file per model that the reference loads."""
    parser = argparse.ArgumentParser(prog="python -m conformance.golden", description="Store the reference's values.")
    parser.add_argument("--output", type=Path, default=REPOSITORY / "crates" / "sinew" / "tests" / "golden" / "values")
    options = parser.parse_args(arguments)
    try:
        engine = reference()
    except EngineMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    for old in options.output.glob("*.txt"):
        old.unlink()
    total = 0
    for source in own():
        try:
            model = source.load(engine)
        except ValueError:
            continue  # a part of a model
        lines = [*header(source, engine), *model_records(model), *position_records(engine, model)]
        text = "\n".join(lines) + "\n"
        name = source.name.removesuffix(".xml").replace("/", "-")
        (options.output / f"{name}.txt").write_text(text)
        total += len(text)
    print(f"{total} bytes in {options.output}")
    return 0


def header(source: ModelSource, engine: Engine) -> list[str]:
    """Where the values come from."""
    return [
        "sinew golden values 1",
        f"model {source.name}",
        f"engine mujoco {engine.module.__version__}",
        f"generator conformance/golden.py, seed {SEED}",
    ]


def model_records(model: Any) -> Iterator[str]:
    """The fields of the compiled model."""
    for name, value in model_fields(model).items():
        if not (name in RULES and name.startswith("mesh_")):
            yield from record(f"field {name}", value)
    yield from record("field hull_vertices", hull_vertices(model))


def position_records(engine: Engine, model: Any) -> Iterator[str]:
    """Inputs and results of the position stage at random states."""
    data = engine.data(model)
    for number, state in enumerate(random_states(model, STATES, SEED)):
        if number == 0:
            continue  # the rest state is what the model's own constants come from
        apply(state, data)
        for name in ("qpos", "mocap_pos", "mocap_quat"):
            if name in state:
                yield from record(f"input {number} {name}", state[name])
        for function in POSITION_FUNCTIONS:
            engine.call(function, model, data)
        for name in POSITION_FIELDS:
            if name in _DERIVED:
                continue
            value = read_position_field(model, data, name)
            if value is not None:
                yield from record(f"output {number} {name}", value)


def hull_vertices(model: Any) -> np.ndarray:
    """Count and sorted ids of the hull vertices of each mesh that has a hull."""
    numbers: list[int] = []
    for address in model.mesh_graphadr:
        if address >= 0:
            ids = sorted(HullGraph.read(model.mesh_graph, int(address)).vertex_ids.tolist())
            numbers += [len(ids), *ids]
    return np.array(numbers, dtype=np.int32)


def record(label: str, value: np.ndarray) -> Iterator[str]:
    """A header line and a line of values; nothing for an empty array."""
    if value.size == 0:
        return
    shape = "x".join(str(length) for length in value.shape) or "scalar"
    flat = np.ravel(value)
    head = f"{label} {value.dtype.name} {shape}"
    if flat.size <= LARGE:
        yield f"{head} full"
        yield " ".join(_number(item) for item in flat)
    elif value.dtype.kind == "f":
        step = -(-flat.size // SAMPLES)
        yield f"{head} every {step} {_number(np.abs(flat).max())}"
        yield " ".join(_number(item) for item in flat[::step])
    else:
        yield f"{head} fnv"
        yield f"{fnv1a(flat.astype(flat.dtype.newbyteorder('<')).tobytes()):016x}"


def _number(item: Any) -> str:
    """The shortest text that reads back as the same number."""
    return (
        str(item.item()) if item.dtype.kind != "f" else np.format_float_scientific(item, trim="-").replace("e+00", "")
    )


def fnv1a(data: bytes) -> int:
    """The 64-bit FNV-1a hash."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


if __name__ == "__main__":
    sys.exit(main())
