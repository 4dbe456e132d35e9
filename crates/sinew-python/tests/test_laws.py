"""Laws in place of the reference's, chosen by name."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sinew.compat
from sinew import laws

CLOTH = """
<mujoco><option gravity="0 0 0"/><worldbody>
  <flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".001" {attribute}>
    <contact contype="0" conaffinity="0" selfcollide="none"/>
    <elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="bend"/>
  </flexcomp></worldbody></mujoco>
"""


def end(model):
    data = sinew.compat.MjData(model)
    data.qpos[:] = 0.02 * np.sin(np.arange(model.nq))
    for _ in range(20):
        sinew.compat.mj_step(model, data)
    return data.qpos.copy()


def test_a_law_is_chosen_by_name_or_in_the_file():
    model = sinew.compat.MjModel.from_xml_string(CLOTH.format(attribute=""))
    plain = end(model)
    laws.choose(model, bending={"cloth": ("dihedral", 0.05)})
    assert laws.chosen(model) == {"bending": {0: ("dihedral", 0.05)}}
    bent = end(model)
    assert not np.array_equal(bent, plain)
    written = sinew.compat.MjModel.from_xml_string(CLOTH.format(attribute='sinew_bending="dihedral 0.05"'))
    np.testing.assert_array_equal(end(written), bent)
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(end(other), bent)
    laws.choose(model)
    assert laws.chosen(model) == {}
    np.testing.assert_array_equal(end(model), plain)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"bending": {"cloth": "bridson"}}, "no law `bridson`"),
        ({"bending": {"cloth": ("dihedral", -1)}}, "must be positive"),
        ({"bending": {"curtain": "dihedral"}}, "named 'curtain'"),
        ({"elasticity": {3: "neo_hookean"}}, "3 is not among 1"),
        ({"solver": ("xpbd", 0)}, "at least 1"),
    ],
)
def test_a_wrong_choice_changes_nothing(choice, message):
    model = sinew.compat.MjModel.from_xml_string(CLOTH.format(attribute=""))
    with pytest.raises(ValueError, match=message):
        laws.choose(model, **choice)
    assert laws.chosen(model) == {}


def test_a_solver_is_chosen():
    model = sinew.compat.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"
    )
    laws.choose(model, solver="xpbd")
    data = sinew.compat.MjData(model)
    for _ in range(200):
        sinew.compat.mj_step(model, data)
    assert abs(data.qpos[2] - 0.1) < 1e-4


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_solver_meets_bounds_that_are_none(value):
    """Friction and sizes that were written from Python may be anything: a step goes on, or says what is wrong."""
    model = sinew.compat.MjModel.from_xml_string(
        """<mujoco><option sinew_solver="xpbd"/><worldbody><geom type="plane" size="1 1 1"/>
        <site name="s" type="capsule" size=".1 .1"/><body pos="0 0 .05"><freejoint/><geom size=".1"/></body>
        <body name="b" pos="1 0 1"><joint frictionloss="1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
        <sensor><insidesite site="s" objtype="body" objname="b"/></sensor></mujoco>"""
    )
    for array in (model.dof_frictionloss, model.geom_friction, model.site_size):
        array[:] = value
        data = sinew.compat.MjData(model)
        try:
            sinew.compat.mj_step(model, data, 3)
        except (sinew.StepError, ValueError) as error:
            assert not isinstance(error, sinew.InternalError)


def test_binary_models_and_specs_keep_laws(tmp_path):
    text = CLOTH.format(attribute='sinew_bending="dihedral 0.05"')
    model = sinew.compat.MjModel.from_xml_string(text)
    file = str(tmp_path / "cloth.mjb")
    sinew.compat.mj_saveModel(model, file, None)
    assert laws.chosen(sinew.compat.MjModel.from_binary_path(file)) == laws.chosen(model) != {}
    spec = sinew.compat.MjSpec.from_string(text)
    assert spec.flexes[0].sinew_bending == "dihedral 0.05"
    spec.flexes[0].sinew_bending = "corrected_cotangent"
    spec.option.sinew_solver = "xpbd"
    assert laws.chosen(spec.compile()) == {"bending": {0: ("corrected_cotangent",)}, "solver": {0: ("xpbd",)}}
