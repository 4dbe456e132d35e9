"""Packages on dm_control: its suite, locomotion, manipulation, soccer, and pianos."""

from __future__ import annotations

from typing import Any
from unittest import mock

from .motion import SEED, Motion, Use, controls, flat, within

# Readings of body accelerations: in split steps, which dm_control takes, the reference's are of an earlier step.
_LATE = ("accelerometer", "sensors_force", "sensors_torque", "force_torque", "joints_torque")


def _timely(observation: Any) -> Any:
    """Observations without those."""
    if isinstance(observation, list):
        return [_timely(one) for one in observation]
    return {name: value for name, value in observation.items() if not any(late in name for late in _LATE)}


def _motion(env: Any) -> Motion:
    env.reset()
    random = controls()
    specs = env.action_spec()
    data = env.physics.data
    yield data.qpos
    while True:
        if isinstance(specs, list):
            action = [within(random, spec.minimum, spec.maximum) for spec in specs]
        else:
            action = within(random, specs.minimum, specs.maximum)
        moment = env.step(action)
        if moment.last():
            return
        yield flat(_timely(moment.observation), data.qpos)


def _suite(task: str) -> Motion:
    from dm_control import suite

    domain, name = task.split("/")
    return _motion(suite.load(domain, name, task_kwargs={"random": SEED}))


def _locomotion(task: str) -> Motion:
    import numpy as np
    from dm_control import composer
    from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020

    environment = composer.Environment

    def blind(task: Any, **others: Any) -> Any:
        """Nothing is drawn: what a walker sees is left out of its observations."""
        for name, observable in task.observables.items():
            if "camera" in name:
                observable.enabled = False
        return environment(task=task, **others)

    module = basic_rodent_2020 if task.startswith("rodent") else basic_cmu_2019
    with mock.patch.object(composer, "Environment", blind):
        env = getattr(module, task)(random_state=np.random.RandomState(SEED))
    return _motion(env)


def _manipulation(task: str) -> Motion:
    from dm_control import manipulation

    return _motion(manipulation.load(f"{task}_features", seed=SEED))


def _soccer(task: str) -> Motion:
    from dm_control.locomotion import soccer

    walker = soccer.WalkerType[task.upper()]
    return _motion(soccer.load(team_size=2, time_limit=10.0, random_state=SEED, walker_type=walker))


def _piano(task: str) -> Motion:
    from robopianist import suite

    return _motion(suite.load(f"RoboPianist-{task}-v0", seed=SEED))


SUITE_TASKS = (
    *("acrobot/swingup", "acrobot/swingup_sparse", "ball_in_cup/catch", "cartpole/balance", "cartpole/balance_sparse"),
    *("cartpole/swingup", "cartpole/swingup_sparse", "cartpole/two_poles", "cartpole/three_poles", "cheetah/run"),
    *("dog/stand", "dog/walk", "dog/trot", "dog/run", "dog/fetch", "finger/spin", "finger/turn_easy"),
    *("finger/turn_hard", "fish/upright", "fish/swim", "hopper/stand", "hopper/hop", "humanoid/stand"),
    *("humanoid/walk", "humanoid/run", "humanoid/run_pure_state", "humanoid_CMU/stand", "humanoid_CMU/walk"),
    *("humanoid_CMU/run", "lqr/lqr_2_1", "lqr/lqr_6_2", "manipulator/bring_ball", "manipulator/bring_peg"),
    *("manipulator/insert_ball", "manipulator/insert_peg", "pendulum/swingup", "point_mass/easy", "point_mass/hard"),
    *("quadruped/walk", "quadruped/run", "quadruped/escape", "quadruped/fetch", "reacher/easy", "reacher/hard"),
    *("stacker/stack_2", "stacker/stack_4", "swimmer/swimmer6", "swimmer/swimmer15", "walker/stand", "walker/walk"),
    "walker/run",
)
LOCOMOTION_TASKS = (
    *("cmu_humanoid_run_walls", "cmu_humanoid_run_gaps", "cmu_humanoid_go_to_target", "cmu_humanoid_maze_forage"),
    *("cmu_humanoid_heterogeneous_forage", "rodent_escape_bowl", "rodent_run_gaps", "rodent_maze_forage"),
    "rodent_two_touch",
)
MANIPULATION_TASKS = (
    *("stack_2_bricks", "stack_2_bricks_moveable_base", "stack_3_bricks", "stack_3_bricks_random_order"),
    *("stack_2_of_3_bricks_random_order", "reassemble_3_bricks_fixed_order", "reassemble_5_bricks_random_order"),
    *("lift_brick", "lift_large_box", "place_brick", "place_cradle", "reach_duplo", "reach_site"),
)
PIANO_TASKS = ("debug-TwinkleTwinkleRousseau", "debug-CMajorScaleTwoHands", "debug-NocturneRousseau")

USES = {
    "dm_control.suite": Use("dm_control", SUITE_TASKS, 30, _suite),
    "dm_control.locomotion": Use("dm_control", LOCOMOTION_TASKS, 20, _locomotion),
    "dm_control.manipulation": Use("dm_control", MANIPULATION_TASKS, 20, _manipulation),
    "dm_control.soccer": Use("dm_control", ("boxhead", "ant", "humanoid"), 20, _soccer),
    "robopianist": Use("robopianist", PIANO_TASKS, 20, _piano),
}
