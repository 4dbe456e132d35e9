"""What the reference answers to queries about models of this repository, stored for `cargo test`.

    python -m conformance.queries [--output crates/sinew/tests/queries/values.txt]

Each line is a name, a colon and numbers. Inputs follow from `number`, which the tests repeat.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import mujoco
import numpy as np

from conformance.sources import REPOSITORY

STEPS = 100
CONES = ("pyramidal", "elliptic")
RAYS = 120
RAY_ORIGIN = (-1.0, 0.1, 0.4)
RAY_CUTOFF = 1.2
INVERSE_MODELS = ("humanoid", "quadruped", "muscle_arm", "arm_actuators")
INTEGRATORS = (0, 1, 2, 3)
TRANSITION_MODELS = ("muscle_arm", "drone", "finger")
EPS = 1e-6
RUNGE_KUTTA = 1
DISCRETE = 1 << 3
FWDINV = 1 << 2

Line = tuple[str, Iterable[float]]


def number(k: int) -> float:
    """A number from −0.5 to 0.5, different for each small k."""
    return ((k * 7919 + 13) % 101) / 101 - 0.5


def numbers(count: int, offset: int, scale: float) -> np.ndarray:
    """Several of them."""
    return np.array([scale * number(k + offset) for k in range(count)])


def main(arguments: list[str] | None = None) -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(prog="python -m conformance.queries", description=__doc__.splitlines()[0])
    default = REPOSITORY / "crates" / "sinew" / "tests" / "queries" / "values.txt"
    parser.add_argument("--output", type=Path, default=default)
    options = parser.parse_args(arguments)
    lines = [f"# mujoco {mujoco.__version__}, written by conformance/queries.py"]
    parts = (heaps(), distances(), contact_forces(), rays(), inverses(), updates(), residuals())
    parts += (transitions(), inverse_derivatives(), rotations())
    for name, values in itertools.chain(*parts):
        digits = 17 if name.startswith("heap") else 13
        lines.append(f"{name}: " + " ".join(f"{value:.{digits}g}" for value in values))
    options.output.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} lines in {options.output}")
    return 0


def load(name: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A model of this repository."""
    model = mujoco.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{name}.xml"))
    return model, mujoco.MjData(model)


def move(model: mujoco.MjModel, data: mujoco.MjData, scale: float) -> None:
    """A position and a velocity away from rest."""
    mujoco.mj_integratePos(model, data.qpos, numbers(model.nv, 0, 1.0), scale)
    data.qvel[:] = numbers(model.nv, 31, 2.0)
    mujoco.mj_forward(model, data)


def distances() -> Iterator[Line]:
    """Distance and segment of all pairs of geoms."""
    model, data = load("features/distances")
    for state, scale in (("rest", 0.0), ("moved", 0.3)):
        mujoco.mj_resetData(model, data)
        move(model, data, scale)
        values: list[float] = []
        for first, second in itertools.permutations(range(model.ngeom), 2):
            segment = np.zeros(6)
            values += [mujoco.mj_geomDistance(model, data, first, second, 0.6, segment), *segment]
        yield f"distance {state}", values


def heaps() -> Iterator[Line]:
    """A heap in motion: positions, velocities, and the acceleration that solvers start from."""
    for cone in CONES:
        _, data = settled(cone)
        yield f"heap {cone}", [*data.qpos, *data.qvel, *data.qacc_warmstart]


def contact_forces() -> Iterator[Line]:
    """Forces of all contacts of a heap, for both cones."""
    for cone in CONES:
        model, data = settled(cone)
        values: list[float] = []
        for contact in range(data.ncon):
            force = np.zeros(6)
            mujoco.mj_contactForce(model, data, contact, force)
            values += [*force]
        yield f"contact force {cone}", values


def settled(cone: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A heap after some steps."""
    model, data = load("features/contact_sensors")
    model.opt.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
    mujoco.mj_step(model, data, nstep=STEPS)
    mujoco.mj_forward(model, data)
    return model, data


def rays() -> Iterator[Line]:
    """Geom, distance and normal of single rays and of a fan."""
    model, data = load("features/rays")
    move(model, data, 0.2)
    directions = [np.array([1.0 + number(3 * k), *numbers(2, 3 * k + 1, 1.5)]) for k in range(RAYS)]
    groups = np.array([1, 0, 1, 1, 1, 1], dtype=np.uint8)
    model.geom_group[::3] = 1
    cases = {"all": (None, 1, -1), "groups": (groups, 1, -1), "moving": (None, 0, -1), "other bodies": (None, 1, 5)}
    for name, (group, static, body) in cases.items():
        values: list[float] = []
        for direction in directions:
            geom, normal = np.zeros(1, dtype=np.int32), np.zeros(3)
            distance = mujoco.mj_ray(model, data, np.array(RAY_ORIGIN), direction, group, static, body, geom, normal)
            values += [geom[0], distance, *normal]
        yield f"ray {name}", values
    geoms, found, normals = np.zeros(RAYS, dtype=np.int32), np.zeros(RAYS), np.zeros(3 * RAYS)
    vectors = np.concatenate(directions)
    mujoco.mj_multiRay(model, data, np.array(RAY_ORIGIN), vectors, None, 1, -1, geoms, found, normals, RAYS, RAY_CUTOFF)
    yield "rays", itertools.chain.from_iterable(zip(geoms, found, *normals.reshape(-1, 3).T, strict=True))


def inverses() -> Iterator[Line]:
    """Inverse dynamics of continuous and discrete accelerations."""
    for name in INVERSE_MODELS:
        model, data = load(name)
        move(model, data, 0.3)
        for integrator, discrete in itertools.product(INTEGRATORS, (0, DISCRETE)):
            if discrete and integrator == RUNGE_KUTTA:
                continue  # the reference refuses
            model.opt.integrator = integrator
            model.opt.enableflags = discrete
            data.qacc[:] = numbers(model.nv, 11, 6.0)
            mujoco.mj_inverse(model, data)
            yield f"inverse {name} {integrator} {discrete}", data.qfrc_inverse


def updates() -> Iterator[Line]:
    """Cost, generalised force, forces and states of constraint rows for given residuals."""
    for cone in CONES:
        model, data = settled(cone)
        cost = np.zeros(1)
        mujoco.mj_constraintUpdate(model, data, numbers(data.nefc, 5, 20.0), cost, 0)
        yield f"update {cone}", [cost[0], *data.qfrc_constraint, *data.efc_force, *data.efc_state]


def residuals() -> Iterator[Line]:
    """How far inverse dynamics is from forward dynamics when the solver stops early."""
    for solver in ("newton", "cg", "pgs"):
        model, data = settled("pyramidal")
        model.opt.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}")
        model.opt.iterations = 1
        model.opt.enableflags |= FWDINV
        data.qacc_warmstart[:] = 0
        mujoco.mj_step(model, data)
        yield f"forward inverse {solver}", data.solver_fwdinv


def transitions() -> Iterator[Line]:
    """A, B, C, D of a step, one-sided and centred."""
    for name in TRANSITION_MODELS:
        model, data = load(name)
        for integrator, centered in itertools.product((0, 2, 3), (0, 1)):
            model.opt.integrator = integrator
            mujoco.mj_resetData(model, data)
            move(model, data, 0.3)
            data.act[:] = numbers(model.na, 3, 0.4)
            data.ctrl[:] = numbers(model.nu, 7, 1.0)
            nx, ns = 2 * model.nv + model.na, model.nsensordata
            matrices = np.zeros((nx, nx)), np.zeros((nx, model.nu)), np.zeros((ns, nx)), np.zeros((ns, model.nu))
            mujoco.mjd_transitionFD(model, data, EPS, centered, *matrices)
            for letter, matrix in zip("ABCD", matrices, strict=True):
                # The reference's centred D has the wrong sign.
                sign = -1 if centered and letter == "D" else 1
                yield f"transition {name} {integrator} {centered} {letter}", sign * matrix.ravel()


def inverse_derivatives() -> Iterator[Line]:
    """Derivatives of inverse dynamics, with and without actuators."""
    for name, actuators in itertools.product(TRANSITION_MODELS, (0, 1)):
        model, data = load(name)
        model.opt.integrator = 0
        move(model, data, 0.3)
        data.qacc[:] = numbers(model.nv, 11, 6.0)
        data.ctrl[:] = numbers(model.nu, 7, 1.0)
        nv, ns = model.nv, model.nsensordata
        matrices = [np.zeros((nv, width)) for width in (nv, nv, nv, ns, ns, ns, model.nM)]
        mujoco.mjd_inverseFD(model, data, EPS, actuators, *matrices)
        for label, matrix in zip(("DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"), matrices, strict=True):
            yield f"inverse derivative {name} {actuators} {label}", matrix.ravel()


def rotations() -> Iterator[Line]:
    """Derivatives of differences and integrals of orientations."""
    first = np.array([0.8, 0.2, -0.5, 0.3])
    for name, second in (("far", np.array([0.1, 0.7, 0.4, -0.6])), ("equal", first.copy())):
        first, second = first / np.linalg.norm(first), second / np.linalg.norm(second)
        by_first, by_second = np.zeros(9), np.zeros(9)
        mujoco.mjd_subQuat(first, second, by_first, by_second)
        yield f"quaternion difference {name}", [*by_first, *by_second]
    for name, scale in (("long", 0.7), ("short", 0.01)):
        by_start, by_velocity, by_time = np.zeros(9), np.zeros(9), np.zeros(3)
        mujoco.mjd_quatIntegrate(np.array([1.0, -2.0, 0.5]), scale, by_start, by_velocity, by_time)
        yield f"quaternion integral {name}", [*by_start, *by_velocity, *by_time]


if __name__ == "__main__":
    sys.exit(main())
