"""The classic tasks give what gymnasium's v5 tasks give on the reference; any model becomes an environment."""

import pickle
import subprocess
import sys
import types
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import REPOSITORY
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from sinew import DeviceError
from sinew.compat import MjModel
from sinew.gym import TASKS, ClassicVectorEnv, ModelVectorEnv

CARTPOLE = REPOSITORY / "models" / "cartpole.xml"
WORLDS = 3
# Numbers of tasks agree to this, until a change of the reference's start by PERTURBATION has grown to as much.
SAME = 1e-6
PERTURBATION = 1e-12


@pytest.fixture(autouse=True)
def without_drawing(monkeypatch):
    """gymnasium's tasks make a renderer that wants packages for drawing."""
    drawing = types.ModuleType("gymnasium.envs.mujoco.mujoco_rendering")
    drawing.MujocoRenderer = lambda *_arguments, **_options: types.SimpleNamespace(close=lambda: None)
    monkeypatch.setitem(sys.modules, drawing.__name__, drawing)
    warnings.simplefilter("ignore")


def differ(first, second) -> np.ndarray:
    """Whether the numbers of each world differ."""
    first, second = np.asarray(first, float), np.asarray(second, float)
    far = abs(first - second) > SAME * np.maximum(1, abs(first))
    return far.reshape(len(far), -1).any(axis=1) | ~np.isfinite(first + second).reshape(len(far), -1).all(axis=1)


def check_infos(found: dict, expected: dict, compared: np.ndarray, path=""):
    """Infos have the same keys and masks, and the same numbers in the worlds that are compared."""
    assert found.keys() == expected.keys(), path
    for name, wanted in expected.items():
        if isinstance(wanted, dict):
            check_infos(found[name], wanted, compared, f"{path}/{name}")
        elif name.startswith("_"):
            assert (found[name] == wanted)[compared].all(), f"{path}/{name}"
        elif wanted.dtype == object:
            for world in np.flatnonzero(compared):
                assert (found[name][world] is None) == (wanted[world] is None), f"{path}/{name}"
                if wanted[world] is not None:
                    assert not differ(found[name][world], wanted[world]).any()
        else:
            assert found[name].shape == wanted.shape and found[name].dtype == wanted.dtype, f"{path}/{name}"
            assert not differ(found[name], wanted)[compared].any(), f"{path}/{name}"


def compare(task: str, mode: AutoresetMode, steps: int, seed: int = 5, **settings) -> int:
    """Holds a task to the reference's; returns how many steps of worlds were compared."""
    vector = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    theirs, nearby = (gymnasium.make_vec(f"{task}-v5", WORLDS, **vector, **settings) for _ in range(2))
    ours = gymnasium.make_vec(f"sinew/{task}-v0", WORLDS, autoreset_mode=mode, **settings)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.metadata["autoreset_mode"] == mode and ours.spec.id == f"sinew/{task}-v0"
    (found, infos), (expected, told), _ = ours.reset(seed=seed), theirs.reset(seed=seed), nearby.reset(seed=seed)
    check_infos(infos, told, np.ones(WORLDS, bool))
    assert not differ(found, expected).any()
    for environment in nearby.envs:
        environment.unwrapped.data.qpos[:] += PERTURBATION
    ours.action_space.seed(seed)
    compared, count = np.ones(WORLDS, bool), 0
    for _ in range(steps):
        action = ours.action_space.sample()
        found, expected, close = ours.step(action), theirs.step(action), nearby.step(action)
        compared &= ~(differ(expected[0], close[0]) | differ(expected[1], close[1]))
        assert found[0].dtype == expected[0].dtype and found[1].dtype == expected[1].dtype
        for wanted, part in zip(expected[:4], found[:4], strict=True):
            assert not differ(part, wanted)[compared].any()
        check_infos(found[4], expected[4], compared)
        count += compared.sum()
        ended = expected[2] | expected[3]
        if mode == AutoresetMode.DISABLED and ended.any():
            for environments in (ours, theirs, nearby):
                environments.reset(options={"reset_mask": ended.copy()})
    for environments in (ours, theirs, nearby):
        environments.close()
    return count


@pytest.mark.parametrize("task", TASKS)
def test_a_task_gives_what_the_reference_gives(task):
    # Episodes are short, so that several begin anew.
    assert compare(task, AutoresetMode.NEXT_STEP, 40, max_episode_steps=15) > 60


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
@pytest.mark.parametrize("task", ["Hopper", "InvertedDoublePendulum"])
def test_worlds_that_end_begin_anew_as_the_mode_says(task, mode):
    assert compare(task, mode, 60, max_episode_steps=25) > 120


@pytest.mark.parametrize(
    ("task", "settings"),
    [
        ("Ant", {"include_cfrc_ext_in_observation": False, "main_body": "torso", "healthy_z_range": (0.5, 0.8)}),
        ("Humanoid", {"include_cinert_in_observation": False, "exclude_current_positions_from_observation": False}),
        ("HalfCheetah", {"exclude_current_positions_from_observation": False, "frame_skip": 2}),
        ("Walker2d", {"terminate_when_unhealthy": False, "reset_noise_scale": 0.3, "forward_reward_weight": 2.0}),
        ("Swimmer", {"exclude_current_positions_from_observation": False, "ctrl_cost_weight": 1.0}),
        ("Pusher", {"reward_near_weight": 2.0}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_settings_mean_what_they_mean_in_the_reference(task, settings):
    assert compare(task, AutoresetMode.NEXT_STEP, 20, **settings) > 30


@pytest.mark.parametrize("task", ["Ant", "InvertedPendulum", "Reacher"])
def test_one_world_gives_what_the_reference_gives(task):
    ours, theirs = gymnasium.make(f"sinew/{task}-v0"), gymnasium.make(f"{task}-v5")
    theirs.action_space.seed(3)
    for seed in (3, None):
        (found, info), (expected, told) = ours.reset(seed=seed), theirs.reset(seed=seed)
        assert info.keys() == told.keys() and not differ([found], [expected]).any()
        for _ in range(8):
            action = theirs.action_space.sample()
            found, expected = ours.step(action), theirs.step(action)
            assert not differ([found[0]], [expected[0]]).any()
            assert found[1] == pytest.approx(expected[1], abs=SAME) and found[2:4] == expected[2:4]
            assert found[4].keys() == expected[4].keys()
            for name, wanted in expected[4].items():
                assert np.allclose(found[4][name], wanted, atol=SAME), name
    ours.close()


def test_gymnasium_finds_nothing_wrong_with_one_world():
    check_env(gymnasium.make("sinew/Hopper-v0").unwrapped, skip_render_check=True)


def test_results_depend_neither_on_threads_nor_on_what_came_before():
    first = gymnasium.make_vec("sinew/Hopper-v0", 5, threads=1)
    second = gymnasium.make_vec("sinew/Hopper-v0", 5, threads=3)
    second.reset(seed=9)
    second.step(second.action_space.sample())
    for environments in (first, second):
        environments.reset(seed=4)
        environments.action_space.seed(4)
    copied = pickle.loads(pickle.dumps(first))
    for _ in range(30):
        action = first.action_space.sample()
        found = [environments.step(action) for environments in (first, second, copied)]
        for other in found[1:]:
            assert all(part.tobytes() == own.tobytes() for part, own in zip(other[:4], found[0][:4], strict=True))


def test_a_world_that_diverges_ends():
    environments = gymnasium.make_vec("sinew/HalfCheetah-v0", 4, autoreset_mode="SameStep")
    environments.reset(seed=1)
    environments.batch.qvel[2] = np.nan
    found = environments.step(environments.action_space.sample())
    assert found[2].tolist() == [False, False, True, False]
    assert np.isfinite(found[0]).all() and found[4]["_final_obs"].tolist() == found[2].tolist()


def test_what_does_not_fit_is_refused():
    environments = gymnasium.make_vec("sinew/Hopper-v0", 2, autoreset_mode="Disabled", max_episode_steps=1)
    environments.reset(seed=1)
    calls = [
        (lambda: environments.step(np.zeros((2, 2))), ValueError),
        (lambda: environments.reset(seed=[1, 2, 3]), ValueError),
        (lambda: environments.reset(options={"reset_mask": np.zeros(2, bool)}), ValueError),
        (lambda: gymnasium.make_vec("sinew/Hopper-v0", 2, hop_height=3), TypeError),
        (lambda: gymnasium.make_vec("sinew/Hopper-v0", 2, render_mode="human"), ValueError),
        (lambda: gymnasium.make_vec("sinew/Hopper-v0", 2, xml_file="/no/such.xml"), OSError),
        (lambda: ModelVectorEnv(CARTPOLE, 2, frame_skip=0), ValueError),
        (lambda: ModelVectorEnv(CARTPOLE, 2, observation=lambda batch: np.zeros(2)), ValueError),
        (lambda: ModelVectorEnv(CARTPOLE, 2).reset(seed=[1, 2]), ValueError),
    ]
    for call, error in calls:
        with pytest.raises(error):
            call()
    environments.step(environments.action_space.sample())
    with pytest.raises(RuntimeError, match="must be reset"):
        environments.step(environments.action_space.sample())


# ------------------------------------------------------------------------------------------ any model


def cartpole(count: int, **options) -> ModelVectorEnv:
    return ModelVectorEnv(
        CARTPOLE,
        count,
        frame_skip=2,
        max_episode_steps=20,
        derived=["xpos"],
        reward=lambda batch, action: np.cos(batch.qpos[:, 1]) - 0.1 * action[:, 0] ** 2,
        terminated=lambda batch: abs(batch.qpos[:, 1]) > 0.3,
        info=lambda batch: {"height": batch.xpos[:, -1, 2].copy()},
        **options,
    )


def test_any_model_becomes_an_environment():
    environments = cartpole(50, reset_noise=(0.2, 0.1))
    first, infos = environments.reset(seed=2)
    assert first.shape == (50, 4) and environments.observation_space.contains(first)
    assert infos["height"].shape == (50,) and infos["_height"].all()
    again, _ = environments.reset(seed=2)
    other, _ = environments.reset(seed=3)
    assert (first == again).all() and (first != other).any()
    ends = 0
    for _ in range(45):
        action = environments.action_space.sample()
        observations, rewards, terminations, truncations, _ = environments.step(action)
        began = environments.batch.time == 0
        assert (rewards[began] == 0).all()
        expected = np.cos(observations[:, 1]) - 0.1 * action[:, 0] ** 2
        assert rewards[~began] == pytest.approx(expected[~began])
        assert (terminations == (abs(observations[:, 1]) > 0.3) & ~began).all()
        assert (truncations <= (environments.batch.time > 0)).all()
        ends += (terminations | truncations).sum()
    assert ends > 50


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_worlds_on_a_device_give_what_those_on_the_processor_give(mode):
    model = MjModel.from_xml_path(CARTPOLE)
    model.opt.integrator = 0

    def environments(device):
        return ModelVectorEnv(
            model,
            7,
            frame_skip=2,
            max_episode_steps=8,
            reward=lambda batch, action: np.cos(batch.joint("pivot").qpos) - 0.1 * action[:, 0] ** 2,
            terminated=lambda batch: abs(batch.qpos[:, 1]) > 0.3,
            reset_noise=(0.2, 0.1),
            autoreset_mode=mode,
            device=device,
        )

    here, there = environments("cpu"), environments("emulated")
    assert here.reset(seed=2)[0].tobytes() == there.reset(seed=2)[0].tobytes()
    here.action_space.seed(1)
    for _ in range(25):
        action = here.action_space.sample()
        mine, theirs = here.step(action), there.step(action)
        for found, expected in zip(theirs[:4], mine[:4], strict=True):
            np.testing.assert_array_equal(found, expected)
        if mode == AutoresetMode.DISABLED and (mine[2] | mine[3]).any():
            mask = {"reset_mask": mine[2] | mine[3]}
            np.testing.assert_array_equal(there.reset(options=mask)[0], here.reset(options=mask)[0])


@pytest.mark.parametrize("task", ["Humanoid", "HumanoidStandup"])
def test_tasks_whose_models_a_device_does_not_compute_are_refused_by_name(task):
    with pytest.raises(DeviceError, match="the solver `PGS`"):
        ClassicVectorEnv(task, 3, device="emulated")
    envs = ClassicVectorEnv(task, 3, device="auto")
    assert envs.batch.device == "cpu" and envs.batch.plan().device_reason


@pytest.mark.parametrize("task", sorted(set(TASKS) - {"Humanoid", "HumanoidStandup"}))
def test_tasks_on_a_device_give_what_those_on_the_processor_give(task):
    here, there = (ClassicVectorEnv(task, 3, device=device) for device in ("cpu", "emulated"))
    random = np.random.default_rng(5)
    np.testing.assert_array_equal(here.reset(seed=7)[0], there.reset(seed=7)[0])
    for _ in range(12):
        actions = random.uniform(-1, 1, here.action_space.shape)
        mine, theirs = here.step(actions), there.step(actions)
        for a, b in zip(mine[:4], theirs[:4]):
            np.testing.assert_array_equal(a, b)
        missing = {f"{mark}tendon_{what}" for mark in ("", "_") for what in ("length", "velocity")}
        assert mine[4].keys() - theirs[4].keys() <= missing and theirs[4].keys() <= mine[4].keys()
        for name in theirs[4]:
            np.testing.assert_array_equal(mine[4][name], theirs[4][name], err_msg=name)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_tensors_are_what_numpy_arrays_are(device, mode):
    torch = pytest.importorskip("torch")
    settings = {"autoreset_mode": mode, "max_episode_steps": 8}
    plain = ClassicVectorEnv("Hopper", 4, **settings)
    envs = ClassicVectorEnv("Hopper", 4, device=device, arrays="torch", **settings)
    plain.reset(seed=3)
    observations, infos = envs.reset(seed=3)
    assert isinstance(observations, torch.Tensor) and "x_position" in infos
    transfers = envs.batch.transfers
    random = np.random.default_rng(1)
    for _ in range(20):
        actions = random.uniform(-1, 1, plain.action_space.shape).astype(np.float32)
        # Where episodes begin differs; from the same states all goes the same way.
        for name in ("qpos", "qvel", "qacc_warmstart"):
            getattr(plain.batch, name)[:] = np.asarray(getattr(envs.batch, name))
        transfers += 3 * (device == "emulated")
        mine = plain.step(actions)
        theirs = envs.step(torch.from_numpy(actions))
        began = np.asarray(theirs[2] | theirs[3]) if mode == AutoresetMode.SAME_STEP else np.asarray(mine[1] == 0)
        np.testing.assert_allclose(theirs[0].numpy()[~began], mine[0][~began], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(theirs[1].numpy(), mine[1], rtol=1e-9, atol=1e-12)
        for a, b in zip(mine[2:4], theirs[2:4]):
            np.testing.assert_array_equal(a, b.numpy())
    assert envs.batch.transfers == transfers


def test_an_environment_is_made_by_overriding_methods_too():
    class Upright(ModelVectorEnv):
        def observation(self, batch):
            return np.stack([np.sin(batch.qpos[:, 1]), np.cos(batch.qpos[:, 1])], axis=1)

        def start(self, batch, which, random):
            batch.qpos[which, 1] = random.uniform(-0.1, 0.1, which.sum())

    environments = Upright(str(CARTPOLE), 4, autoreset_mode=AutoresetMode.DISABLED)
    observations, infos = environments.reset(seed=1)
    assert environments.single_observation_space.shape == (2,) and infos == {}
    assert len(set(observations[:, 0])) == 4 and abs(observations[:, 0]).max() <= 0.1
    mask = np.array([False, True, False, False])
    changed, _ = environments.reset(options={"reset_mask": mask})
    assert ((changed != observations).any(axis=1) == mask).all()


# ------------------------------------------------------------------------------------------ imports


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stdout + done.stderr


def test_gymnasium_is_only_needed_by_those_who_use_it():
    assert "gymnasium" not in run("import sinew, sys; print([name for name in sys.modules if 'gymnas' in name])")
    told = run("import sys; sys.modules['gymnasium'] = None; import sinew.gym")
    assert "ImportError: sinew.gym needs gymnasium: pip install sinew[gym]" in told


def test_tasks_run_without_the_reference():
    code = (
        "import sys; sys.modules['mujoco'] = None; import gymnasium;"
        "e = gymnasium.make('sinew.gym:sinew/Ant-v0'); e.reset(seed=1); print(e.step(e.action_space.sample())[0].shape)"
    )
    assert "(105,)" in run(code)
    assert set(TASKS) == {identifier.id[6:-3] for identifier in _registered()}


def _registered():
    return [spec for spec in gymnasium.registry.values() if spec.namespace == "sinew"]
