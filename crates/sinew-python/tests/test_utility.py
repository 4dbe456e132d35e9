"""The small functions on vectors, matrices and quaternions give the reference's numbers."""

import inspect

import mujoco
import numpy as np
import pytest

import sinew.compat as compat
from sinew import _native

GENERATOR = np.random.default_rng(0)
# Lengths of arguments, by name; what is not listed has 5 numbers.
LENGTHS = {
    "quat": 4, "quat1": 4, "quat2": 4, "qa": 4, "qb": 4, "quatres": 4, "vel": 3, "axis": 3, "euler": 3, "pos": 3,
    "pos1": 3, "pos2": 3, "posres": 3, "a": 3, "b": 3,
}  # fmt: skip
SCALARS = {"scl": 0.7, "val": 0.3, "angle": 1.1, "scale": 0.4, "dt": 0.2}
# Results of some functions, where the name alone does not tell.
RESULTS = {
    "mju_mulQuat": 4, "mju_mulQuatAxis": 4, "mju_negQuat": 4, "mju_axisAngle2Quat": 4, "mju_derivQuat": 4,
    "mju_rotVecQuat": 3, "mju_quat2Vel": 3, "mju_subQuat": 3, "mju_quat2Mat": 9, "mju_trnVecPose": 3, "mju_cross": 3,
}  # fmt: skip


def arguments(name: str) -> list:
    """Random arguments for a function, the same for both engines."""
    made = []
    for parameter in inspect.signature(getattr(compat, name)).parameters:
        if parameter in SCALARS:
            made.append(SCALARS[parameter])
        elif parameter == "seq":
            made.append("xYz")
        elif parameter in ("x", "min", "max", "index", "base", "type", "str"):
            raise LookupError
        elif parameter in ("a", "b") and name in ("mju_min", "mju_max"):
            made.append(0.5 if parameter == "a" else 0.25)
        elif parameter in ("mat", "mat1", "mat2"):
            shape = (9,) if name.endswith("3") or name == "mju_mat2Quat" else (4, 5)
            made.append(GENERATOR.normal(size=(5, 5) if name in ("mju_eye", "mju_symmetrize") else shape))
        else:
            length = LENGTHS.get(parameter, 5)
            if parameter == "res":
                length = RESULTS.get(name, length)
            if name[-1] in "34" or (
                parameter == "vec" and name in ("mju_rotVecQuat", "mju_quatZ2Vec", "mju_trnVecPose")
            ):
                length = int(name[-1]) if name[-1] in "34" and parameter not in ("mat",) else 3
            made.append(GENERATOR.normal(size=length))
            if "quat" in parameter or parameter in ("qa", "qb"):
                made[-1] /= np.linalg.norm(made[-1])
    return made


def positive(size: int) -> np.ndarray:
    """A random symmetric positive matrix."""
    matrix = GENERATOR.normal(size=(size, size))
    return matrix @ matrix.T + np.eye(size)


def sparse() -> list:
    """A random matrix with gaps, and room for its entries."""
    matrix = GENERATOR.normal(size=(4, 5)) * (GENERATOR.uniform(size=(4, 5)) < 0.4)
    return [np.zeros(20), matrix, np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(20, np.int32)]


def gappy() -> list:
    """A sparse matrix to write out."""
    rownnz, rowadr = np.array([1, 0, 2], np.int32), np.array([0, 1, 1], np.int32)
    return [np.zeros((3, 4)), GENERATOR.normal(size=3), rownnz, rowadr, np.array([2, 0, 3], np.int32)]


def spatial() -> list:
    """A motion or a force, two points and a rotation."""
    rotation = np.linalg.qr(GENERATOR.normal(size=(3, 3)))[0].ravel()
    numbers = [GENERATOR.normal(size=size) for size in (6, 6, 3, 3)]
    return [numbers[0], numbers[1], int(GENERATOR.integers(2)), numbers[2], numbers[3], rotation]


BAND = 6, 3, 2
STORED = (BAND[0] - BAND[2]) * BAND[1] + BAND[2] * BAND[0]


def band() -> np.ndarray:
    """A positive matrix that is a band but for its last rows, as it is stored."""
    total, width, dense = BAND
    matrix = np.tril(positive(total)) * np.array(
        [[j > i - width or i >= total - dense for j in range(total)] for i in range(total)]
    )
    out = np.zeros(STORED)
    mujoco.mju_dense2Band(out, matrix + 9 * np.eye(total), *BAND)
    return out


def band_factor() -> np.ndarray:
    out = band()
    assert mujoco.mju_cholFactorBand(out, *BAND, 0, 0) > 0
    return out


def shape() -> list:
    """A shape and a ray that often meets it."""
    rotation = np.linalg.qr(GENERATOR.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    origin = GENERATOR.normal(size=3) * 3
    numbers = [GENERATOR.normal(size=3), rotation.ravel(), GENERATOR.uniform(0.5, 1.5, size=3), origin]
    kind = int(GENERATOR.choice([0, 2, 3, 4, 5, 6]))
    return [*numbers, numbers[0] + GENERATOR.normal(size=3) * 0.3 - origin, kind, np.zeros(3)]


def muscle() -> list:
    """Parameters of a muscle."""
    return [
        np.array([0.5, 1.5]),
        float(GENERATOR.uniform(1, 20)),
        np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]),
    ]


SPECIAL = {
    "mju_bandDiag": lambda: [int(GENERATOR.integers(BAND[0])), *BAND],
    "mju_band2Dense": lambda: [np.ones((BAND[0], BAND[0])), band(), *BAND, int(GENERATOR.integers(2))],
    "mju_dense2Band": lambda: [np.zeros(STORED), positive(BAND[0]), *BAND],
    "mju_bandMulMatVec": lambda: [
        np.zeros(BAND[0]),
        band().reshape(-1, 1),
        GENERATOR.normal(size=(BAND[0], 1)),
        *BAND,
        1,
        int(GENERATOR.integers(2)),
    ],
    "mju_cholFactorBand": lambda: [band(), *BAND, 0.1, 0.2],
    "mju_cholSolveBand": lambda: [np.zeros(BAND[0]), band_factor(), GENERATOR.normal(size=BAND[0]), *BAND],
    "mju_muscleGain": lambda: [*GENERATOR.uniform(0.3, 1.8, size=2).tolist(), *muscle()],
    "mju_muscleBias": lambda: [float(GENERATOR.uniform(0.3, 1.8)), *muscle()],
    "mju_muscleDynamics": lambda: [
        *GENERATOR.uniform(-0.2, 1.2, size=2).tolist(),
        np.array([0.01, 0.04, float(GENERATOR.choice([0, 0.3]))]),
    ],
    "mju_eig3": lambda: [np.zeros(3), np.zeros(9), np.zeros(4), positive(3).ravel()],
    "mju_mat2Rot": lambda: [np.array([1.0, 0, 0, 0]), (np.eye(3) + 0.3 * GENERATOR.normal(size=(3, 3))).ravel()],
    "mju_rayGeom": shape,
    "mju_cholFactor": lambda: [positive(4), 1e-10],
    "mju_cholSolve": lambda: [np.zeros(4), np.linalg.cholesky(positive(4)), GENERATOR.normal(size=4)],
    "mju_cholUpdate": lambda: [np.linalg.cholesky(positive(4)), GENERATOR.normal(size=4), 1],
    "mju_dense2sparse": sparse,
    "mju_sparse2dense": gappy,
    "mju_transformSpatial": spatial,
    "mju_springDamper": lambda: [*GENERATOR.normal(size=2).tolist(), *GENERATOR.uniform(0.1, 9, size=3).tolist()],
    "mju_insertionSort": lambda: [GENERATOR.normal(size=9)],
    "mju_insertionSortInt": lambda: [GENERATOR.integers(0, 9, size=9).astype(np.int32)],
    "mju_n2f": lambda: [np.zeros(5, np.float32), GENERATOR.normal(size=5)],
    "mju_f2n": lambda: [np.zeros(5), GENERATOR.normal(size=5).astype(np.float32)],
    "mju_mulMatVec": lambda: [np.zeros(4), GENERATOR.normal(size=(4, 5)), GENERATOR.normal(size=5)],
    "mju_mulMatTVec": lambda: [np.zeros(5), GENERATOR.normal(size=(4, 5)), GENERATOR.normal(size=4)],
    "mju_mulMatMat": lambda: [np.zeros((4, 3)), GENERATOR.normal(size=(4, 5)), GENERATOR.normal(size=(5, 3))],
    "mju_mulMatMatT": lambda: [np.zeros((4, 3)), GENERATOR.normal(size=(4, 5)), GENERATOR.normal(size=(3, 5))],
    "mju_mulMatTMat": lambda: [np.zeros((5, 3)), GENERATOR.normal(size=(4, 5)), GENERATOR.normal(size=(4, 3))],
    "mju_mulVecMatVec": lambda: [GENERATOR.normal(size=5), GENERATOR.normal(size=(5, 5)), GENERATOR.normal(size=5)],
    "mju_sqrMatTD": lambda: [np.zeros((5, 5)), GENERATOR.normal(size=(4, 5)), GENERATOR.normal(size=4)],
    "mju_transpose": lambda: [np.zeros((5, 4)), GENERATOR.normal(size=(4, 5))],
    "mju_symmetrize": lambda: [np.zeros((5, 5)), GENERATOR.normal(size=(5, 5))],
    "mju_eye": lambda: [np.zeros((5, 5))],
    "mju_mat2Quat": lambda: [np.zeros(4), np.linalg.qr(GENERATOR.normal(size=(3, 3)))[0].ravel()],
    "mju_unit4": lambda: [np.zeros(4)],
    "mju_copy3": lambda: [np.zeros(3), GENERATOR.normal(size=3)],
    "mju_copy4": lambda: [np.zeros(4), GENERATOR.normal(size=4)],
    "mju_clip": lambda: [float(GENERATOR.normal()), -0.5, 0.5],
    "mju_sign": lambda: [float(GENERATOR.normal())],
    "mju_round": lambda: [float(GENERATOR.normal() * 5)],
    "mju_isBad": lambda: [float(GENERATOR.normal() * 1e10)],
    "mju_sigmoid": lambda: [float(GENERATOR.uniform(-0.5, 1.5))],
    "mju_Halton": lambda: [int(GENERATOR.integers(1, 1000)), 3],
    "mju_type2Str": lambda: [int(GENERATOR.integers(0, 25))],
    "mju_str2Type": lambda: [str(GENERATOR.choice(["body", "geom", "actuator", "camera", "hfield", "chair", "tuple"]))],
}
# The engine's own arithmetic: equal to the last bit.
EXACT = {
    "mju_mulQuat", "mju_mulQuatAxis", "mju_rotVecQuat", "mju_quat2Mat", "mju_mat2Quat", "mju_derivQuat",
    "mju_normalize4", "mju_mulPose", "mju_negPose", "mju_trnVecPose", "mju_mulMatVec3", "mju_mulMatTVec3",
    "mju_transformSpatial", "mju_sigmoid",
}  # fmt: skip
# Sums in another order; functions with tests of their own.
LOOSE = {"mju_cholFactorBand", "mju_rayGeom", "mju_muscleDynamics"}
ELSEWHERE = {"mju_standardNormal", "mju_encodePyramid", "mju_decodePyramid", "mju_boxQP"}
TESTED = [*_native.SIGNATURES, *(function.__name__ for function in compat._utility.UTILITIES)]
NAMES = [name for name in TESTED if name.startswith("mju_") and name not in ELSEWHERE]


@pytest.mark.parametrize("name", NAMES)
def test_utilities_agree_with_the_reference(name):
    for _ in range(20):
        given = SPECIAL[name]() if name in SPECIAL else arguments(name)
        copies = [np.copy(value) if isinstance(value, np.ndarray) else value for value in given]
        expected = getattr(mujoco, name)(*given)
        actual = getattr(compat, name)(*copies)
        if isinstance(expected, float) and name not in EXACT:
            close = 1e-12 if name in LOOSE else 1e-14
            assert actual == pytest.approx(expected, rel=close, abs=1e-15)
        else:
            assert actual == expected
        for theirs, ours in zip(given, copies, strict=True):
            if isinstance(theirs, np.ndarray):
                if name.startswith("mju_chol"):
                    theirs, ours = np.tril(theirs) if theirs.ndim == 2 else 0, np.tril(ours) if ours.ndim == 2 else 0
                if name in EXACT:
                    np.testing.assert_array_equal(ours, theirs)
                np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-13)


def test_a_quaternion_of_any_length_is_turned():
    quat = np.array([3.0, -1, 2, 0.5])
    theirs = quat.copy()
    compat.mju_quatIntegrate(quat, np.array([1.0, 2, 3]), 0.1)
    mujoco.mju_quatIntegrate(theirs, np.array([1.0, 2, 3]), 0.1)
    np.testing.assert_allclose(quat, theirs, rtol=1e-15)


@pytest.mark.parametrize("tangents", [1, 2, 3, 5])
def test_forces_along_the_edges_of_a_pyramid(tangents):
    for _ in range(20):
        # The reference's module leaves out the last direction; with one more it does what its library does.
        mu, force = GENERATOR.uniform(0.5, 1, size=tangents + 1), GENERATOR.normal(size=tangents + 2)
        edges, pyramid, back = np.zeros(2 * tangents + 2), np.zeros(2 * tangents), np.zeros(tangents + 1)
        mujoco.mju_encodePyramid(edges, force, mu)
        compat.mju_encodePyramid(pyramid, force[:-1], mu[:-1])
        np.testing.assert_allclose(pyramid, edges[:-2], rtol=1e-14)
        mujoco.mju_decodePyramid(force, edges, mu)
        compat.mju_decodePyramid(back, pyramid, mu[:-1])
        np.testing.assert_allclose(back, force[:-1], rtol=1e-13, atol=1e-14)


def test_a_band_times_several_vectors():
    full, stored, vectors, found = np.zeros((6, 6)), band(), GENERATOR.normal(size=(2, 6)), np.zeros((2, 6))
    compat.mju_band2Dense(full, stored, *BAND, 1)
    compat.mju_bandMulMatVec(found, stored, vectors, *BAND, 2, 1)
    np.testing.assert_allclose(found, vectors @ full, rtol=1e-12)


def test_results_of_the_wrong_size_are_refused():
    for call in (
        lambda: compat.mju_mulQuat(np.zeros(3), np.ones(4), np.ones(4)),
        lambda: compat.mju_add(np.zeros(4), np.ones(3), np.ones(3)),
        lambda: compat.mju_add(np.zeros(3), np.ones(3), np.ones(4)),
        lambda: compat.mju_quat2Mat(np.zeros(9), np.ones(3)),
        lambda: compat.mju_copy([0, 0], np.ones(2)),
    ):
        with pytest.raises(TypeError):
            call()
