"""Packages whose environments have ``reset`` and ``step`` with observations, rewards and ends."""

from __future__ import annotations

from typing import Any

from .motion import SEED, Motion, Use, controls, flat, within


def _data(env: Any) -> Any:
    """The simulation of an environment, or of the one inside it."""
    inner = env.unwrapped
    for name in ("robot_env", "ant_env", "point_env"):
        if hasattr(inner, name):
            return _data(getattr(inner, name))
    return next(getattr(inner, name) for name in ("data", "mj_data", "mjData") if hasattr(inner, name))


def _motion(env: Any) -> Motion:
    env.reset(seed=SEED)
    env.action_space.seed(SEED)
    data, random = _data(env), controls()
    yield data.qpos
    while True:
        observation, *_ = env.step(within(random, env.action_space.low, env.action_space.high))
        yield flat(observation, data.qpos)


def _gymnasium(task: str) -> Motion:
    import gymnasium

    return _motion(gymnasium.make(task))


def _robotics(task: str) -> Motion:
    import gymnasium
    import gymnasium_robotics

    gymnasium.register_envs(gymnasium_robotics)
    return _motion(gymnasium.make(task))


def _metaworld(task: str) -> Motion:
    import metaworld

    env = metaworld.ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE[f"{task}-goal-observable"](seed=SEED)
    # A reset takes a thousand steps, so the first state is the one before it.
    yield env.model.qpos0
    motion = _motion(env)
    next(motion)
    yield from motion


def _myosuite(task: str) -> Motion:
    from myosuite.utils import gym

    return _motion(gym.make(task))


def _quadruped(task: str) -> Motion:
    from gym_quadruped.quadruped_env import QuadrupedEnv

    env = QuadrupedEnv(robot=task, scene="flat", state_obs_names=("qpos", "qvel", "feet_pos:base", "feet_vel:base"))
    env.reset(random=False, seed=SEED)
    random, count = controls(), env.mjModel.nu
    yield env.mjData.qpos
    while True:
        observation, *_ = env.step(action=random.uniform(-2.0, 2.0, count))
        yield flat(observation, env.mjData.qpos)


def _robosuite(task: str) -> Motion:
    import robosuite

    robots = ["Panda", "Panda"] if task.startswith("TwoArm") else "Panda"
    env = robosuite.make(
        task, robots=robots, has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, seed=SEED
    )
    env.reset()
    random, (low, high) = controls(), env.action_spec
    yield env.sim.data.qpos
    while True:
        observation, *_ = env.step(within(random, low, high))
        yield flat(observation, env.sim.data.qpos)


def _loco(task: str) -> Motion:
    from loco_mujoco import environments

    # Without the recorded motions, which are downloaded, an environment starts where its model does.
    env = getattr(environments, task)(random_start=False)
    env.reset()
    random, space = controls(), env.info.action_space
    yield env._data.qpos
    while True:
        observation, *_ = env.step(0.1 * within(random, space.low, space.high))
        yield flat(observation, env._data.qpos)


GYMNASIUM_TASKS = tuple(
    f"{name}-v5"
    for name in "Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedDoublePendulum InvertedPendulum Pusher Reacher "
    "Swimmer Walker2d".split()
)
ROBOTICS_TASKS = (
    *("FetchReach-v4", "FetchPush-v4", "FetchSlide-v4", "FetchPickAndPlace-v4"),
    *("HandReach-v3", "HandManipulateBlock-v1", "HandManipulateEgg-v1", "HandManipulatePen-v1"),
    *("HandManipulateBlock_ContinuousTouchSensors-v1", "AdroitHandDoor-v1", "AdroitHandHammer-v1", "AdroitHandPen-v1"),
    *("AdroitHandRelocate-v1", "FrankaKitchen-v1", "PointMaze_UMaze-v3", "AntMaze_UMaze-v5"),
)
METAWORLD_TASKS = tuple(
    f"{name}-v3"
    for name in "assembly basketball bin-picking box-close button-press-topdown button-press-topdown-wall button-press "
    "button-press-wall coffee-button coffee-pull coffee-push dial-turn disassemble door-close door-lock door-open "
    "door-unlock hand-insert drawer-close drawer-open faucet-open faucet-close hammer handle-press-side handle-press "
    "handle-pull-side handle-pull lever-pull peg-insert-side pick-place-wall pick-out-of-hole reach push-back push "
    "pick-place plate-slide plate-slide-side plate-slide-back plate-slide-back-side peg-unplug-side soccer stick-push "
    "stick-pull push-wall reach-wall shelf-place sweep-into sweep window-open window-close".split()
)
MYOSUITE_TASKS = (
    *("myoElbowPose1D6MRandom-v0", "myoFingerReachRandom-v0", "myoFingerPoseRandom-v0", "myoHandPoseRandom-v0"),
    *("myoHandReachRandom-v0", "myoHandObjHoldRandom-v0", "myoLegWalk-v0"),
)
ROBOSUITE_TASKS = ("Lift", "Stack", "NutAssembly", "PickPlace", "Door", "Wipe", "ToolHang", "TwoArmLift")
LOCO_TASKS = ("UnitreeH1", "Atlas", "Talos", "UnitreeA1", "HumanoidTorque", "HumanoidMuscle")

USES = {
    "robosuite": Use("robosuite", ROBOSUITE_TASKS, 25, _robosuite),
    "myosuite": Use("myosuite", MYOSUITE_TASKS, 50, _myosuite),
    "loco-mujoco": Use("loco-mujoco", LOCO_TASKS, 50, _loco),
    "metaworld": Use("metaworld", METAWORLD_TASKS, 30, _metaworld),
    "gymnasium": Use("gymnasium", GYMNASIUM_TASKS, 100, _gymnasium),
    "gymnasium-robotics": Use("gymnasium-robotics", ROBOTICS_TASKS, 30, _robotics),
    "gym-quadruped": Use("gym-quadruped", ("mini_cheetah", "aliengo", "go1", "go2"), 200, _quadruped),
}
