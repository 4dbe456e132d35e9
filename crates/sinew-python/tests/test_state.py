"""State vectors, copies and pickles of simulations and models."""

import copy
import pickle

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY

import sinew.compat as compat
from sinew import _native

STATES = [
    "mjSTATE_TIME", "mjSTATE_QPOS", "mjSTATE_PHYSICS", "mjSTATE_FULLPHYSICS", "mjSTATE_USER", "mjSTATE_INTEGRATION",
]  # fmt: skip


@pytest.fixture
def humanoid():
    model = compat.MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
    data = compat.MjData(model)
    compat.mj_step(model, data, 120)
    return model, data


@pytest.mark.parametrize("name", STATES)
def test_state_vectors_are_those_of_the_reference(ours, theirs, name):
    vectors = []
    for module, model in ((mujoco, theirs), (compat, ours)):
        data = module.MjData(model)
        module.mj_step(model, data, 5)
        data.ctrl = 0.5
        data.userdata = 1, 2, 3, 4
        mask = getattr(module.mjtState, name)
        state = np.zeros(module.mj_stateSize(model, mask))
        module.mj_getState(model, data, state, mask)
        vectors.append(state)
        part = np.zeros(module.mj_stateSize(model, module.mjtState.mjSTATE_TIME))
        if int(mask) & 1:
            module.mj_extractState(model, state, mask, part, module.mjtState.mjSTATE_TIME)
            assert part[0] == data.time
    np.testing.assert_allclose(vectors[1], vectors[0], rtol=1e-12, atol=1e-12)


def test_a_restored_state_goes_on_with_the_same_bits(humanoid):
    model, data = humanoid
    mask = compat.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(compat.mj_stateSize(model, mask))
    compat.mj_getState(model, data, state, mask)
    compat.mj_step(model, data, 50)
    other = compat.MjData(model)
    compat.mj_setState(model, other, state, mask)
    compat.mj_step(model, other, 50)
    assert other.qpos.tobytes() == data.qpos.tobytes()
    third = compat.MjData(model)
    compat.mj_copyState(model, other, third, mask)
    compat.mj_step(model, third)
    compat.mj_step(model, data)
    assert third.qvel.tobytes() == data.qvel.tobytes()


def test_copied_data_has_contacts_and_rows(humanoid):
    model, data = humanoid
    assert data.ncon
    filled = compat.MjData(model)
    view = filled.qpos
    compat.mj_copyData(filled, model, data)
    assert view is filled.qpos and view.tolist() == data.qpos.tolist()
    for other in (copy.copy(data), copy.deepcopy(data), filled):
        assert other.ncon == data.ncon and other.time == data.time
        assert other.efc_force.tolist() == data.efc_force.tolist()
        assert other.contact.pos.tolist() == data.contact.pos.tolist()
        compat.mj_step(model, other, 10)
    compat.mj_step(model, data, 10)
    assert filled.qpos.tobytes() == data.qpos.tobytes()


def test_pickled_data_goes_on_with_the_same_bits(humanoid):
    model, data = humanoid
    other = pickle.loads(pickle.dumps(data))
    assert other.model is not model and other.time == data.time
    for name in data._all_fields:
        np.testing.assert_array_equal(getattr(other, name), getattr(data, name), err_msg=name)
    compat.mj_step(model, data, 20)
    compat.mj_step(other.model, other, 20)
    assert other.qpos.tobytes() == data.qpos.tobytes()


def test_pickled_models_are_equal():
    model = compat.MjModel.from_xml_string(EVERYTHING)
    model.opt.timestep = 0.007
    model.body_mass[1] = 3.5
    other = pickle.loads(pickle.dumps(model))
    for name in model._all_fields:
        np.testing.assert_array_equal(getattr(other, name), getattr(model, name), err_msg=name)
    assert other.opt == model.opt and other.stat == model.stat
    assert other.body("body1").id == 2 and other.signature == model.signature
    compat.mj_step(other, compat.MjData(model))


class Pickled:
    """The bytes of a model, with where its sizes and columns stand; the checksum is made anew."""

    def __init__(self, model):
        self.restore, (self.content, self.warnings) = model.__reduce__()
        start = len(b"sinew model 2\n")
        self.sizes = {name: start + 8 * number for number, name in enumerate(model._sizes) if name != "nbuffer"}
        self.columns = {}
        place = start + 8 * len(self.sizes)
        for name, *_ in _native.model_columns():
            length = memoryview(getattr(model, name)).nbytes
            self.columns[name] = slice(place, place + length)
            place += length

    def changed(self, place: slice, content: bytes) -> bytes:
        return _native.seal(self.content[: place.start] + content + self.content[place.stop : -8])

    def with_size(self, name: str, value: int) -> bytes:
        start = self.sizes[name]
        return self.changed(slice(start, start + 8), value.to_bytes(8, "little", signed=True))


def test_damaged_pickles_are_refused():
    model = compat.MjModel.from_xml_string(EVERYTHING)
    pickled = Pickled(model)
    assert pickled.restore(pickled.changed(slice(20, 20), b""), ()).nbody == model.nbody
    mass, content = pickled.columns["body_mass"], pickled.content
    for wrong in (
        pickled.with_size("nbody", 10**12),
        pickled.with_size("nbody", -1),
        pickled.with_size("nbody", model.nbody + 1),
        pickled.changed(mass, b""),
        _native.seal(content[:-16]),
        _native.seal(content[:-8] + b"more"),
        _native.seal(b"something else"),
        b"",
        content[:20],
    ):
        with pytest.raises(ValueError, match="no model of sinew"):
            pickled.restore(wrong, ())
    for wrong in (content[: mass.start] + bytes(mass.stop - mass.start) + content[mass.stop :], content[:-1] + b"?"):
        with pytest.raises(ValueError, match="checksum"):
            pickled.restore(wrong, ())


@pytest.mark.parametrize("seed", range(60))
def test_tampered_models_are_refused_or_work(seed):
    """Whoever computes the checksum anew still cannot make a model whose ids lead nowhere."""
    random = np.random.default_rng(seed)
    model = compat.MjModel.from_xml_string(EVERYTHING)
    pickled = Pickled(model)
    arrays = {name: getattr(model, name) for name in pickled.columns}
    integers = [name for name, array in arrays.items() if getattr(array, "dtype", None) == np.int32 and array.size]
    for _ in range(20):
        if random.random() < 0.2:
            values = [-1, 0, 1, 10**6, 2**31 - 1, 10**12, 2**62]
            changed = pickled.with_size(random.choice(list(pickled.sizes)), int(random.choice(values)))
        else:
            name = random.choice(integers)
            numbers = arrays[name].ravel().copy()
            numbers[random.integers(numbers.size)] = random.choice([-2, -1, 0, 1, 7, 10**6, 2**31 - 1])
            changed = pickled.changed(pickled.columns[name], numbers.tobytes())
        try:
            other = pickled.restore(changed, ())
            data = compat.MjData(other)
            compat.mj_step(other, data, 3)
        except (ValueError, MemoryError):
            pass


def test_tampered_data_is_refused(humanoid):
    _, data = humanoid
    restore, (model, content) = data.__reduce__()
    start = len(b"sinew data 1\n")
    with pytest.raises(ValueError, match="checksum"):
        restore(model, content[: start + 8] + bytes(8) + content[start + 16 :])
    for wrong in (float("nan"), float("inf")):
        changed = content[:start] + np.float64(wrong).tobytes() + content[start + 8 : -8]
        with pytest.raises(ValueError, match="finite"):
            restore(model, _native.seal(changed))
    with pytest.raises(ValueError, match="no data of the model"):
        restore(model, _native.seal(content[:-16]))
    with pytest.raises(ValueError, match="no data of sinew"):
        restore(model, model.__reduce__()[1][0])


def test_a_simulation_that_does_not_fit_the_memory_is_an_error():
    model = compat.MjModel.from_xml_string("<mujoco/>")
    pickled = Pickled(model)
    large = pickled.restore(pickled.with_size("nuserdata", 10**12), ())
    with pytest.raises(MemoryError):
        compat.MjData(large)


def test_keyframes(humanoid):
    model, data = humanoid
    compat.mj_resetDataKeyframe(model, data, 0)
    np.testing.assert_array_equal(data.qpos, model.key_qpos[0])
    data.qpos[0] = 0.25
    compat.mj_setKeyframe(model, data, 0)
    assert model.key_qpos[0, 0] == 0.25
    with pytest.raises(IndexError):
        compat.mj_setKeyframe(model, data, model.nkey)
    before = data.qpos.copy()
    for wrong in (-1, model.nkey, 99):
        with pytest.raises(IndexError, match=f"key {wrong} is out of range"):
            compat.mj_resetDataKeyframe(model, data, wrong)
    np.testing.assert_array_equal(data.qpos, before)


def test_constants_are_derived_again():
    answers = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / "quadruped.xml"))
        data = module.MjData(model)
        view = model.dof_invweight0
        model.body_mass[2] *= 3
        module.mj_setConst(model, data)
        assert view is model.dof_invweight0
        module.mj_setTotalmass(model, 20.0)
        assert module.mj_getTotalmass(model) == pytest.approx(20)
        answers.append([view.copy(), model.body_subtreemass.copy(), model.stat.meaninertia, data.qpos.copy()])
    for expected, actual in zip(*answers, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-9)


def test_length_ranges_are_found():
    ranges = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / "muscle_arm.xml"))
        # As the compiler does it; with muscles at work the reference lets one end change the other.
        model.opt.disableflags |= module.mjtDisableBit.mjDSBL_ACTUATION | module.mjtDisableBit.mjDSBL_GRAVITY
        options = module.MjLROpt()
        module.mj_defaultLROpt(options)
        options.useexisting = 0
        module.mj_setLengthRange(model, module.MjData(model), 2, options)
        ranges.append(model.actuator_lengthrange[2].tolist())
    assert ranges[1] == pytest.approx(ranges[0], rel=1e-6)
    with pytest.raises(IndexError):
        compat.mj_setLengthRange(model, compat.MjData(model), model.nu, options)


def test_an_added_contact_makes_rows(humanoid):
    model, data = humanoid
    compat.mj_resetData(model, data)
    data.qpos[2] = 5
    compat.mj_fwdPosition(model, data)
    assert data.ncon == 0
    contact = compat.MjContact()
    contact.dist = -0.001
    contact.frame = np.eye(3).ravel()
    contact.geom = 0, 1
    contact.dim = 3
    contact.friction = 1
    contact.solref = 0.02, 1
    contact.solimp = 0.9, 0.95, 0.001, 0.5, 2
    assert (contact.geom1, contact.geom2) == (0, 1)
    assert compat.mj_addContact(model, data, contact) == 0
    compat.mj_makeConstraint(model, data)
    assert data.ncon == 1 and data.contact[0].efc_address >= 0
    contact.dim = 2
    with pytest.raises(ValueError, match="dim"):
        compat.mj_addContact(model, data, contact)
    contact.dim = 3
    contact.geom = 0, model.ngeom
    with pytest.raises(IndexError):
        compat.mj_addContact(model, data, contact)
