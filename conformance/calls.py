"""How long single calls take from Python, compared with the reference.

    python -m conformance.calls [--rounds 7] [--filter TEXT]

Helpers on arrays, attributes, named access, a step of a small model and pickling: each is run by both engines in turn,
several times, and the processor time of the fastest round counts. The exit status says whether all are within their
marks: 1.2 times the reference's time for helpers, 1.0 for attributes, names and pickling, 0.8 for the step.
"""

from __future__ import annotations

import argparse
import copy
import gc
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from conformance.engines import DEFAULT_ENGINE, EngineMissing, candidate, reference

MODELS = Path(__file__).resolve().parents[1] / "models"
HELPERS, ACCESS, STEP = 1.2, 1.0, 0.8
# How much processor time a round should take.
ROUND_SECONDS = 0.02
FULL = 0x1FFF

Call = Callable[[], object]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit status: 0 within the marks, 1 slower, 2 wrong use or missing engine."""
    options = _parser().parse_args(arguments)
    try:
        modules = [engine.module for engine in (reference(), candidate(options.engine))]
    except EngineMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    tables = [dict(_calls(module)) for module in modules]
    names = [name for name in tables[0] if options.filter in name]
    if not names:
        print(f"error: no call is named like '{options.filter}'", file=sys.stderr)
        return 2
    print(f"{'call':44} {'reference ns':>12} {'sinew ns':>10} {'ratio':>7} {'mark':>5}")
    slow = 0
    for name in names:
        calls = [table[name][1] for table in tables]
        seconds = fastest(calls, options.rounds)
        mark, ratio = tables[0][name][0], seconds[1] / seconds[0]
        is_slow = ratio > mark
        slow += is_slow
        figures = f"{seconds[0] * 1e9:12.0f} {seconds[1] * 1e9:10.0f} {ratio:7.2f} {mark:5.1f}"
        print(f"{name:44} {figures}{'  slow' if is_slow else ''}", flush=True)
    print(f"\n{len(names)} calls, {slow} slower than their mark")
    return 1 if slow else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance.calls", description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=DEFAULT_ENGINE)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--filter", default="", help="only calls whose name contains this")
    return parser


def fastest(calls: Sequence[Call], rounds: int) -> list[float]:
    """Processor seconds per call, of the fastest round of each; the rounds take turns."""
    counts = [_count(call) for call in calls]
    best = [float("inf")] * len(calls)
    gc.disable()
    try:
        for _ in range(rounds):
            for i, call in enumerate(calls):
                best[i] = min(best[i], _seconds(call, counts[i]))
    finally:
        gc.enable()
    return best


def _count(call: Call) -> int:
    """How often a call fits into a round."""
    count = 1
    while True:
        seconds = _seconds(call, count) * count
        if seconds > ROUND_SECONDS / 4:
            return max(1, int(count * ROUND_SECONDS / seconds))
        count *= 4


def _seconds(call: Call, count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - start) / count


def _calls(mj) -> Iterator[tuple[str, tuple[float, Call]]]:
    """Name, mark and function of each call, with a simulation of the engine's own."""
    m = mj.MjModel.from_xml_path(str(MODELS / "humanoid.xml"))
    d = mj.MjData(m)
    while d.ncon == 0 or d.time < 0.3:
        mj.mj_step(m, d)
    for name, arguments in {**_small(), **_of_model(m, d), **_of_data(mj, m, d)}.items():
        function = getattr(mj, name.split()[0])
        yield name, (HELPERS, lambda function=function, arguments=arguments: function(*arguments))
    for name, call in _access(m, d).items():
        yield name, (ACCESS, call)
    yield "mj_forward, model in hand", (HELPERS, _with_arrays_in_hand(mj, m, d, ("model",)))
    yield "mj_forward, all arrays in hand", (HELPERS, _with_arrays_in_hand(mj, m, d, ("model", "data")))
    pendulum = mj.MjModel.from_xml_path(str(MODELS / "pendulum.xml"))
    swinging = mj.MjData(pendulum)
    swinging.qvel[0] = 1
    yield "mj_step, pendulum", (STEP, lambda: mj.mj_step(pendulum, swinging))
    for name, value in (("MjModel", m), ("MjData", d)):
        written = pickle.dumps(value)
        yield f"pickle.dumps({name})", (ACCESS, lambda value=value: pickle.dumps(value))
        yield f"pickle.loads({name})", (ACCESS, lambda written=written: pickle.loads(written))
        yield f"copy.copy({name})", (ACCESS, lambda value=value: copy.copy(value))


def _with_arrays_in_hand(mj, m, d, owners: Sequence[str]) -> Call:
    """A call after Python has asked for every array of a model, or of its simulation, too, as others' wrappers do: what is
    written in them must be noticed, and arrays of contacts and rows show the new ones."""
    own = {"model": copy.copy(m), "data": copy.copy(d)}
    held = [getattr(own[owner], name) for owner in owners for name in dir(own[owner]) if not name.startswith("_")]
    return lambda: (mj.mj_forward(own["model"], own["data"]), held)[0]


def _small() -> dict[str, tuple]:
    """Functions of numbers alone."""
    quat, vec, mat = np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.1, 0.2, 0.3]), np.eye(3).ravel()
    full, positive, five = np.arange(20.0).reshape(4, 5), np.eye(4) * 2, np.arange(5.0)
    force, band = np.arange(6.0), (6, 3, 2)
    muscle = np.array([0.5, 1.5]), 10.0, np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])
    codes = [np.zeros(size, np.int32) for size in (4, 4, 20)]
    return {
        "mju_zero3": (np.zeros(3),),
        "mju_copy": (np.zeros(5), five),
        "mju_copy3": (np.zeros(3), vec),
        "mju_scl3": (np.zeros(3), vec, 2.0),
        "mju_add": (np.zeros(5), five, five),
        "mju_add3": (np.zeros(3), vec, vec),
        "mju_addTo": (np.zeros(5), five),
        "mju_addToScl": (np.zeros(5), five, 0.5),
        "mju_sum": (five,),
        "mju_dot": (five, five),
        "mju_dot3": (vec, vec),
        "mju_norm": (five,),
        "mju_norm3": (vec,),
        "mju_dist3": (vec, vec),
        "mju_normalize": (five.copy(),),
        "mju_normalize3": (vec.copy(),),
        "mju_normalize4": (quat.copy(),),
        "mju_cross": (np.zeros(3), vec, vec),
        "mju_mulMatVec": (np.zeros(4), full, five),
        "mju_mulMatTVec": (np.zeros(5), full, np.ones(4)),
        "mju_mulMatVec3": (np.zeros(3), mat, vec),
        "mju_mulMatMat": (np.zeros((4, 4)), full, full.T.copy()),
        "mju_mulMatMatT": (np.zeros((4, 4)), full, full),
        "mju_mulMatTMat": (np.zeros((5, 5)), full, full),
        "mju_sqrMatTD": (np.zeros((5, 5)), full, np.ones(4)),
        "mju_transpose": (np.zeros((5, 4)), full),
        "mju_mulQuat": (np.zeros(4), quat, quat),
        "mju_negQuat": (np.zeros(4), quat),
        "mju_rotVecQuat": (np.zeros(3), vec, quat),
        "mju_axisAngle2Quat": (np.zeros(4), vec, 0.3),
        "mju_quat2Vel": (np.zeros(3), quat, 0.1),
        "mju_subQuat": (np.zeros(3), quat, quat),
        "mju_quat2Mat": (np.zeros(9), quat),
        "mju_mat2Quat": (np.zeros(4), mat),
        "mju_quatIntegrate": (quat.copy(), vec, 0.01),
        "mju_quatZ2Vec": (np.zeros(4), vec),
        "mju_euler2Quat": (np.zeros(4), vec, "xyz"),
        "mju_mulPose": (np.zeros(3), np.zeros(4), vec, quat, vec, quat),
        "mju_negPose": (np.zeros(3), np.zeros(4), vec, quat),
        "mju_trnVecPose": (np.zeros(3), vec, quat, vec),
        "mju_transformSpatial": (np.zeros(6), force, 0, vec, vec, mat),
        "mju_cholFactor": (positive.copy(), 1e-10),
        "mju_cholSolve": (np.zeros(4), positive, np.ones(4)),
        "mju_eig3": (np.zeros(3), np.zeros(9), np.zeros(4), mat),
        "mju_boxQP": (np.zeros(4), np.zeros((4, 11)), codes[0], positive, np.ones(4), -np.ones(4), np.ones(4)),
        "mju_dense2sparse": (np.zeros(20), full, *codes),
        "mju_bandMulMatVec": (np.zeros(6), np.ones((24, 1)), np.ones((6, 1)), *band, 1, 1),
        "mju_encodePyramid": (np.zeros(10), force, np.ones(5)),
        "mju_muscleGain": (1.0, 0.1, *muscle),
        "mju_rayGeom": (vec, mat, np.ones(3), 5 * vec, -vec, 2, np.zeros(3)),
        "mju_clip": (0.3, 0.0, 1.0),
        "mju_round": (0.3,),
        "mju_springDamper": (1.0, 0.1, 1.0, 1.0, 0.1),
        "mju_str2Type": ("geom",),
        "mju_type2Str": (5,),
    }


def _of_model(m, d) -> dict[str, tuple]:
    """Functions of a model and arrays."""
    qpos = d.qpos.copy()
    return {
        "mj_name2id": (m, 1, m.body(m.nbody - 1).name),
        "mj_id2name": (m, 1, 3),
        "mj_fullM": (m, np.zeros((m.nv, m.nv)), d.qM),
        "mj_integratePos": (m, qpos.copy(), d.qvel.copy(), 0.01),
        "mj_differentiatePos": (m, np.zeros(m.nv), 0.01, qpos, qpos),
        "mj_normalizeQuat": (m, qpos.copy()),
        "mj_stateSize": (m, FULL),
        "mj_getTotalmass": (m,),
    }


def _of_data(mj, m, d) -> dict[str, tuple]:
    """Functions of a simulation that leave it as it is, and stages."""
    jacp, jacr, point = np.zeros((3, m.nv)), np.zeros((3, m.nv)), np.zeros(3)
    state = np.zeros(mj.mj_stateSize(m, FULL))
    mj.mj_getState(m, d, state, FULL)
    down, geomid = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    many = np.tile([0.1, 0.2, -1.0], (20, 1))
    rays = np.zeros(20, np.int32), np.zeros(20), None, 20, 100.0
    return {
        "mj_getState": (m, d, np.zeros(state.size), FULL),
        "mj_setState": (m, d, state, FULL),
        "mj_jac": (m, d, jacp, jacr, point, 3),
        "mj_jacBody": (m, d, jacp, None, 3),
        "mj_jacBodyCom": (m, d, jacp, jacr, 3),
        "mj_jacGeom": (m, d, jacp, jacr, 3),
        "mj_jacSubtreeCom": (m, d, jacp, 0),
        "mj_jacDot": (m, d, jacp, jacr, point, 3),
        "mj_angmomMat": (m, d, jacp, 1),
        "mj_mulM": (m, d, np.zeros(m.nv), np.ones(m.nv)),
        "mj_solveM": (m, d, np.zeros((1, m.nv)), np.ones((1, m.nv))),
        "mj_mulJacVec": (m, d, np.zeros(d.nefc), np.ones(m.nv)),
        "mj_mulJacTVec": (m, d, np.zeros(m.nv), np.ones(d.nefc)),
        "mj_rne": (m, d, 0, np.zeros(m.nv)),
        "mj_contactForce": (m, d, 0, np.zeros(6)),
        "mj_objectVelocity": (m, d, 1, 1, np.zeros(6), 0),
        "mj_objectAcceleration": (m, d, 1, 1, np.zeros(6), 0),
        "mj_applyFT": (m, d, point, point, point, 1, np.zeros(m.nv)),
        "mj_local2Global": (d, np.zeros(3), np.zeros(9), point, np.array([1.0, 0, 0, 0]), 1, 0),
        "mj_geomDistance": (m, d, 0, 1, 10.0, np.zeros(6)),
        "mj_ray": (m, d, np.array([0.0, 0, 3]), down, None, 1, -1, geomid, None),
        "mj_multiRay": (m, d, np.array([0.0, 0, 3]), many.ravel(), None, 1, -1, *rays),
        "mj_kinematics": (m, d),
        "mj_forward": (m, d),
    }


def _access(m, d) -> dict[str, Call]:
    """Attributes and named access."""
    geom, body = m.geom(m.ngeom - 1).name, m.body(2).name
    return {
        "d.qpos": lambda: d.qpos,
        "d.time": lambda: d.time,
        "d.ncon": lambda: d.ncon,
        "d.contact": lambda: d.contact,
        "d.contact[0].dist": lambda: d.contact[0].dist,
        "d.contact.dist": lambda: d.contact.dist,
        "d.efc_force": lambda: d.efc_force,
        "m.nq": lambda: m.nq,
        "m.body_mass": lambda: m.body_mass,
        "m.opt.timestep": lambda: m.opt.timestep,
        "d.joint(2)": lambda: d.joint(2),
        "d.joint(2).qpos": lambda: d.joint(2).qpos,
        "d.body(name).xpos": lambda: d.body(body).xpos,
        "m.geom(name)": lambda: m.geom(geom),
        "m.geom(name).pos": lambda: m.geom(geom).pos,
        "m.body(1).name": lambda: m.body(1).name,
    }


if __name__ == "__main__":
    sys.exit(main())
