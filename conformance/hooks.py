"""What the reference does with its callbacks: the order of calls, and a motion that all of them shape.

    python -m conformance.hooks

Prints the rows that `crates/sinew/tests/smooth/parts.rs` holds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import mujoco

MODEL = """
<mujoco>
  <option timestep="0.01" integrator="INTEGRATOR">FLAGS</option>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/>
      <body pos=".3 0 0">
        <joint name="b" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="a"/>
    <general name="u" joint="b" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
    <general joint="b" dyntype="user" actdim="2"/>
  </actuator>
  <sensor>
    <user dim="1" needstage="pos"/>
    <user dim="1" needstage="vel" cutoff="1"/>
    <user dim="2" needstage="acc"/>
    <actuatorfrc actuator="u"/>
  </sensor>
</mujoco>
"""

FLAGS = {
    "plain": "",
    "no actuation": '<flag actuation="disable"/>',
    "no passive": '<flag spring="disable" damper="disable"/>',
    "no sensor": '<flag sensor="disable"/>',
}
NAMES = ("control", "passive", "act_dyn", "act_gain", "act_bias", "sensor")
CALLS: dict[str, Callable[[mujoco.MjModel, mujoco.MjData], None]] = {
    "step": lambda m, d: mujoco.mj_step(m, d),
    "forward": mujoco.mj_forward,
    "step1": mujoco.mj_step1,
    "step2": mujoco.mj_step2,
    "inverse": mujoco.mj_inverse,
}


class Callbacks:
    """The callbacks of the example; `trace` remembers the calls."""

    def __init__(self) -> None:
        self.trace = ""

    def control(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.trace += "c"
        data.ctrl[:] = (-5 * data.qpos[0] - data.qvel[0], 1, 2)
        data.qfrc_applied[1] = 0.1 * data.time

    def passive(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.trace += "p"
        data.qfrc_passive[1] -= 2 * data.qpos[1] ** 3

    def act_dyn(self, model: mujoco.MjModel, data: mujoco.MjData, actuator: int) -> float:
        self.trace += "d"
        if actuator == 1:
            return (data.ctrl[1] - data.act[0]) / (0.05 + data.act[0] ** 2)
        data.act_dot[1] = data.ctrl[2] - data.act[1] - 3 * data.act[2]
        data.act_dot[2] = data.act[1]
        return 0.0

    def act_gain(self, model: mujoco.MjModel, data: mujoco.MjData, actuator: int) -> float:
        self.trace += "g"
        return 0.5 - 0.2 * data.actuator_length[actuator]

    def act_bias(self, model: mujoco.MjModel, data: mujoco.MjData, actuator: int) -> float:
        self.trace += "b"
        return -0.3 * data.actuator_velocity[actuator]

    def sensor(self, model: mujoco.MjModel, data: mujoco.MjData, stage: int) -> None:
        stage = mujoco.mjtStage(stage)
        self.trace += {"mjSTAGE_POS": "P", "mjSTAGE_VEL": "V", "mjSTAGE_ACC": "A"}[stage.name]
        if stage == mujoco.mjtStage.mjSTAGE_POS:
            data.sensordata[0] = data.qpos[0] * data.qpos[1]
        elif stage == mujoco.mjtStage.mjSTAGE_VEL:
            data.sensordata[1] = 10 * data.qvel[0]
        else:
            data.sensordata[2:4] = data.qacc[1], data.cfrc_int[1, 5]

    def install(self) -> None:
        """Make these the reference's callbacks."""
        for name in NAMES:
            getattr(mujoco, f"set_mjcb_{name}")(getattr(self, name))


def main() -> int:
    """Print traces and motions."""
    callbacks = Callbacks()
    for integrator in ("Euler", "RK4", "implicitfast"):
        for flags, text in FLAGS.items():
            model = load(integrator, text)
            callbacks.install()
            data = mujoco.MjData(model)
            traces = []
            for call in CALLS.values():
                callbacks.trace = ""
                call(model, data)
                traces.append(callbacks.trace)
            print(f'("{integrator}", "{flags}", "{" ".join(traces)}"),')
            remove()
    for integrator in ("Euler", "RK4", "implicit", "implicitfast"):
        model = load(integrator, "")
        callbacks.install()
        data = mujoco.MjData(model)
        data.qpos[:] = 0.3, -0.5
        mujoco.mj_step(model, data, nstep=100)
        numbers = [*data.qpos, *data.qvel, *data.act, *data.sensordata]
        print(f'("{integrator}", "{" ".join(f"{number:.15g}" for number in numbers)}"),')
        remove()
    return 0


def load(integrator: str, flags: str) -> mujoco.MjModel:
    """The model; no callback may be installed, as compilation would call it."""
    return mujoco.MjModel.from_xml_string(MODEL.replace("INTEGRATOR", integrator).replace("FLAGS", flags))


def remove() -> None:
    """No callbacks any more."""
    for name in NAMES:
        getattr(mujoco, f"set_mjcb_{name}")(None)


if __name__ == "__main__":
    sys.exit(main())
