"""Arguments that are no model, data or record are refused by every function, in words that help."""

import inspect
import pickle

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING

import sinew.compat as compat
from sinew import rollout
from sinew.compat import MjData, MjModel


def samples(model):
    data = MjData(model)
    return {
        "MjModel": model,
        "MjData": data,
        "MjContact": compat.MjContact(),
        "MjLROpt": compat.MjLROpt(),
        "MjOption": model.opt,
        "MjVisual": model.vis,
    }


def signatures():
    for name, function in compat._FUNCTIONS.items():
        parameters = compat._arguments.signature(function).parameters
        classes = {key: value.annotation for key, value in parameters.items() if value.annotation.startswith("Mj")}
        if classes:
            yield pytest.param(function, parameters, classes, id=name)


def test_every_class_in_a_signature_is_checked():
    classes = {kind for each in signatures() for kind in each.values[2].values()}
    assert classes == set(samples(MjModel.from_xml_string("<mujoco/>"))) == set(compat._CLASSES)


@pytest.mark.parametrize("function, parameters, classes", list(signatures()))
def test_what_is_of_another_class_is_refused(ours, function, parameters, classes):
    known = samples(ours)
    right = {
        name: known.get(parameter.annotation, np.zeros(3) if "Array" in parameter.annotation else 0)
        for name, parameter in parameters.items()
    }
    before = ours.body_mass.copy(), known["MjData"].qpos.copy()
    for name, kind in classes.items():
        others = [other for key, other in known.items() if key != kind]
        for wrong in (None, "x.xml", 7, np.zeros(3), [known[kind]], *others):
            given = {**right, name: wrong}
            for arguments, named in ((list(given.values()), {}), ([], given)):
                with pytest.raises(TypeError) as caught:
                    function(*arguments, **named)
                found = "None" if wrong is None else f"'{type(wrong).__qualname__}'".replace("'nd", "'numpy.nd")
                assert str(caught.value).startswith(
                    f"{function.__name__}() needs an {kind} as '{name}', not {found}"
                ), caught.value
    assert (ours.body_mass == before[0]).all() and (known["MjData"].qpos == before[1]).all()


def test_the_words_help(ours):
    data = MjData(ours)
    theirs = mujoco.MjModel.from_xml_string("<mujoco/>")
    for call, text in (
        (
            lambda: compat.mj_step(data, ours),
            "mj_step() needs an MjModel as 'm', not 'MjData': the arguments are swapped",
        ),
        (lambda: compat.mj_step(None, data), "mj_step() needs an MjModel as 'm', not None"),
        (lambda: compat.mj_step(ours, ours), "mj_step() needs an MjData as 'd', not 'MjModel'"),
        (
            lambda: compat.mj_forward(theirs, data),
            "mj_forward() needs an MjModel as 'm', not 'mujoco._structs.MjModel'",
        ),
        (lambda: MjData(None), "MjData() needs an MjModel as 'model', not None"),
        (
            lambda: MjData("x.xml"),
            "MjData() needs an MjModel as 'model', not 'str'; load one with MjModel.from_xml_path or "
            "MjModel.from_xml_string",
        ),
        (lambda: compat.mj_step(ours), "mj_step() missing 1 required positional argument: 'd'"),
        (lambda: rollout.rollout(None, data, np.zeros(1)), "rollout() needs an MjModel as 'model', not None"),
        (lambda: rollout.rollout(ours, [data, 1], np.zeros(1)), "rollout() needs an MjData as 'data', not 'int'"),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == text


def test_classes_of_users_are_models_and_data_too():
    class Model(MjModel):
        pass

    class Data(MjData):
        pass

    model = Model.from_xml_string(EVERYTHING)
    data = Data(model)
    compat.mj_step(model, data, nstep=2)
    compat.mj_step(m=model, d=data)
    assert data.time == pytest.approx(3 * model.opt.timestep)
    assert compat.mj_stateSize(model, 1) == 1


def test_functions_can_be_pickled_and_say_what_they_take():
    for name, function in compat._FUNCTIONS.items():
        assert pickle.loads(pickle.dumps(function)) is getattr(compat, name)
        assert function.__name__ == name and inspect.getdoc(function)
    assert list(inspect.signature(compat.mj_step).parameters) == ["m", "d", "nstep"]


@pytest.mark.parametrize("wrong", [None, "x", [None] * 3, [object()], np.array([None])])
def test_what_is_no_number_is_not_written(ours, wrong):
    data = MjData(ours)
    data.qpos = 0.5
    body, option = ours.body(1), ours.opt
    for owner, name in (
        (data, "qpos"),
        (ours, "body_mass"),
        (body, "pos"),
        (option, "gravity"),
        (data.body(1), "xpos"),
    ):
        before = getattr(owner, name).copy()
        with pytest.raises(TypeError, match=f"{name} takes numbers, not"):
            setattr(owner, name, wrong)
        np.testing.assert_array_equal(getattr(owner, name), before)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -float("inf")])
def test_time_is_finite(ours, seconds):
    data = MjData(ours)
    data.time = 1.5
    with pytest.raises(ValueError, match="time must be finite"):
        data.time = seconds
    with pytest.raises(TypeError):
        data.time = None
    assert data.time == 1.5
