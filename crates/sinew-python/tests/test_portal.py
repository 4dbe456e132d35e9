"""The older algorithm of convex contacts, `<flag nativeccd="disable"/>`, beside the reference."""

import itertools

import mujoco
import numpy as np
import pytest

import sinew.compat

# Corners of a wedge and of a body with more than ten: small meshes are searched, large ones climbed.
WEDGE = "0 0 0  .3 0 0  0 .2 0  0 0 .25  .3 0 .25  0 .2 .25"
GEM = " ".join(
    f"{0.2 * np.cos(a) * np.cos(b):.6f} {0.15 * np.sin(a) * np.cos(b):.6f} {0.25 * np.sin(b):.6f}"
    for b in (-1.3, -0.5, 0.4, 1.2)
    for a in np.linspace(0, 2 * np.pi, 8)[:-1] + b
)
SHAPES = {
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .2"',
    "ellipsoid": 'type="ellipsoid" size=".3 .2 .1"',
    "cylinder": 'type="cylinder" size=".15 .2"',
    "box": 'type="box" size=".2 .1 .15"',
    "wedge": 'type="mesh" mesh="wedge"',
    "gem": 'type="mesh" mesh="gem"',
}
ASSETS = (
    f'<asset><mesh name="wedge" vertex="{WEDGE}"/><mesh name="gem" vertex="{GEM}"/>'
    '<hfield name="hills" nrow="6" ncol="7" size="1 1 .3 .1" elevation="'
    + " ".join(f"{0.5 + 0.5 * np.sin(1.7 * k):.4f}" for k in range(42))
    + '"/></asset>'
)


def scene(world: str, flags: str = "") -> str:
    """A model whose contacts come from the older algorithm."""
    return (
        f'<mujoco><option><flag nativeccd="disable" {flags}/></option>{ASSETS}<worldbody>{world}</worldbody></mujoco>'
    )


def floating(shape: str, extra: str = "") -> str:
    """A body that is free to be anywhere."""
    return f"<body><freejoint/><geom {shape} {extra}/></body>"


def compare(text: str, poses: int, reach: float, seed: int, share: float = 0.2) -> int:
    """Contacts at random poses of the free bodies; how many there were."""
    ours, theirs = sinew.compat.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    data, expected = sinew.compat.MjData(ours), mujoco.MjData(theirs)
    dice = np.random.default_rng(seed)
    met = 0
    for _ in range(poses):
        qpos = dice.normal(size=theirs.nq)
        for start in range(0, theirs.nq, 7):
            qpos[start : start + 3] = dice.uniform(-reach, reach, 3)
            # Some poses are square to the axes, where several points are farthest.
            if dice.random() < share:
                qpos[start + 3 : start + 7] = np.eye(4)[dice.integers(4)]
        data.qpos[:] = qpos
        expected.qpos[:] = qpos
        sinew.compat.mj_fwdPosition(ours, data)
        mujoco.mj_fwdPosition(theirs, expected)
        assert data.ncon == expected.ncon
        for mine, its in zip(data.contact, expected.contact, strict=True):
            assert mine.dist == pytest.approx(its.dist, abs=1e-9)
            np.testing.assert_allclose(mine.pos, its.pos, atol=1e-9, rtol=0)
            np.testing.assert_allclose(mine.frame, its.frame, atol=1e-9, rtol=0)
        met += expected.ncon
    return met


@pytest.mark.parametrize("pair", tuple(itertools.combinations_with_replacement(SHAPES, 2)), ids="-".join)
def test_pairs_touch_where_the_reference_says(pair: tuple[str, str]) -> None:
    """All pairs of convex shapes; those of simple ones have forms of their own, here as there."""
    bodies = "".join(floating(SHAPES[name]) for name in pair)
    assert compare(scene(bodies), poses=150, reach=0.2, seed=1) > 30


@pytest.mark.parametrize("flags", ["", 'multiccd="enable"'])
@pytest.mark.parametrize("margin", ["0", ".03"])
def test_margins_and_several_contacts(flags: str, margin: str) -> None:
    """A pile of everything; with several contacts, shapes are rocked."""
    bodies = "".join(floating(shape, f'margin="{margin}"') for shape in SHAPES.values())
    assert compare(scene(bodies, flags), poses=60, reach=0.5, seed=2) > 100


def test_height_fields() -> None:
    """Prisms of a height field, and the round walls of what lies on it."""
    field = '<geom type="hfield" hfield="hills" euler="10 20 0"/>'
    bodies = field + "".join(floating(shape, 'contype="2" conaffinity="1"') for shape in SHAPES.values())
    assert compare(scene(bodies), poses=60, reach=0.5, seed=3) > 100


@pytest.mark.parametrize("dim", [2, 3])
def test_elements_of_flexes(dim: int) -> None:
    """Triangles and tetrahedra against shapes, and against each other."""
    flex = (
        f'<flexcomp name="{{}}" type="grid" dim="{dim}" count="3 3 {dim - 1}" spacing=".2 .2 .2" radius=".01" pos="0 0 {{}}" '
        'rigid="true"><contact internal="false" selfcollide="none"/></flexcomp>'
    )
    text = scene(
        f'<body name="one"><freejoint/>{flex.format("a", 0)}<geom size=".01" mass="1" contype="0" conaffinity="0"/></body>'
        f'<body name="two"><freejoint/>{flex.format("b", 0)}<geom size=".01" mass="1" contype="0" conaffinity="0"/></body>'
        + floating(SHAPES["cylinder"])
        + floating(SHAPES["gem"])
    )
    assert compare(text, poses=40, reach=0.25, seed=4) > 40


def test_distances() -> None:
    """`mj_geomDistance` asks the same algorithm."""
    text = scene(floating(SHAPES["ellipsoid"]) + floating(SHAPES["cylinder"]))
    ours, theirs = sinew.compat.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    data, expected = sinew.compat.MjData(ours), mujoco.MjData(theirs)
    dice = np.random.default_rng(5)
    for _ in range(50):
        qpos = dice.normal(size=14) * np.tile([0.3] * 3 + [1] * 4, 2)
        data.qpos[:], expected.qpos[:] = qpos, qpos
        sinew.compat.mj_forward(ours, data)
        mujoco.mj_forward(theirs, expected)
        mine, its = np.zeros(6), np.zeros(6)
        found = sinew.compat.mj_geomDistance(ours, data, 0, 1, 0.2, mine)
        assert found == pytest.approx(mujoco.mj_geomDistance(theirs, expected, 0, 1, 0.2, its), abs=1e-9)
        np.testing.assert_allclose(mine, its, atol=1e-9)
