"""The arrays of a batch, under the reference's names: what they are and their shapes."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


class Array:
    """An array of all worlds. Assigning to it writes in place."""

    def __init__(self, documentation: str):
        self.__doc__ = documentation

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, batch: None, owner: type) -> Array: ...
    @overload
    def __get__(self, batch: Arrays, owner: type) -> Numbers: ...
    def __get__(self, batch, owner):
        if batch is None:
            return self
        try:
            return batch._arrays[self.name]
        except KeyError:
            # Python asks `__getattr__` then, which says how to get it.
            raise AttributeError(self.name) from None

    def __set__(self, batch: Arrays, value: npt.ArrayLike) -> None:
        self.__get__(batch, type(batch))[...] = value


class Arrays:
    """What every world has, one row for each; derived arrays only if the batch was asked to keep them.

    State and input can be written and count for the next call. Derived arrays are written by ``step`` and ``forward``;
    after a step they belong to the state that it started from, as after ``mj_step``.
    """

    _arrays: dict[str, Any]

    # State.
    time = Array("Simulated time in seconds: (nworld,).")
    qpos = Array("Positions: (nworld, nq).")
    qvel = Array("Velocities: (nworld, nv).")
    act = Array("Activations of actuators: (nworld, na).")
    history = Array("Past controls and sensor readings: (nworld, nhistory).")
    qacc_warmstart = Array("Where the solver starts: (nworld, nv).")
    plugin_state = Array("State of plugins: (nworld, npluginstate).")
    sensordata = Array("Sensor readings: (nworld, nsensordata).")
    # Input.
    ctrl = Array("Controls: (nworld, nu).")
    qfrc_applied = Array("Applied generalised forces: (nworld, nv).")
    xfrc_applied = Array("Applied forces and torques on bodies: (nworld, nbody, 6).")
    mocap_pos = Array("Positions of mocap bodies: (nworld, nmocap, 3).")
    mocap_quat = Array("Orientations of mocap bodies: (nworld, nmocap, 4).")
    userdata = Array("Numbers of the user: (nworld, nuserdata).")
    eq_active = Array("Whether equality constraints are active: (nworld, neq), uint8.")
    # Both of them.
    states = Array("qpos and qvel side by side, after the last call that moved a world: (nworld, nq + nv), read-only.")
    # Derived from positions.
    energy = Array("Potential and kinetic energy, if the model computes them: (nworld, 2).")
    xpos = Array("Positions of bodies: (nworld, nbody, 3).")
    xquat = Array("Orientations of bodies: (nworld, nbody, 4).")
    xmat = Array("Orientations of bodies as matrices: (nworld, nbody, 9).")
    xipos = Array("Centres of mass of bodies: (nworld, nbody, 3).")
    ximat = Array("Orientations of bodies' inertias: (nworld, nbody, 9).")
    xanchor = Array("Anchors of joints: (nworld, njnt, 3).")
    xaxis = Array("Axes of joints: (nworld, njnt, 3).")
    geom_xpos = Array("Positions of geoms: (nworld, ngeom, 3).")
    geom_xmat = Array("Orientations of geoms: (nworld, ngeom, 9).")
    site_xpos = Array("Positions of sites: (nworld, nsite, 3).")
    site_xmat = Array("Orientations of sites: (nworld, nsite, 9).")
    subtree_com = Array("Centres of mass of subtrees: (nworld, nbody, 3).")
    cdof = Array("Motion axes of degrees of freedom about the centre of mass: (nworld, nv, 6).")
    cinert = Array("Inertias of bodies about the centre of mass: (nworld, nbody, 10).")
    ten_length = Array("Lengths of tendons: (nworld, ntendon).")
    actuator_length = Array("Lengths of actuators: (nworld, nu).")
    # … and velocities.
    cvel = Array("Velocities of bodies about the centre of mass, rotation first: (nworld, nbody, 6).")
    cdof_dot = Array("How fast motion axes change: (nworld, nv, 6).")
    actuator_velocity = Array("Velocities of actuators: (nworld, nu).")
    ten_velocity = Array("Velocities of tendons: (nworld, ntendon).")
    qfrc_bias = Array("Coriolis, centrifugal and gravity forces: (nworld, nv).")
    qfrc_passive = Array("Forces of springs, dampers, fluid and gravity compensation: (nworld, nv).")
    subtree_linvel = Array("Velocities of subtrees' centres of mass: (nworld, nbody, 3).")
    subtree_angmom = Array("Angular momenta of subtrees about their centres of mass: (nworld, nbody, 3).")
    # … and forces.
    actuator_force = Array("Forces of actuators: (nworld, nu).")
    qfrc_actuator = Array("Actuator forces in joint space: (nworld, nv).")
    act_dot = Array("Rates of activations: (nworld, na).")
    qfrc_smooth = Array("Forces without constraints: (nworld, nv).")
    qacc_smooth = Array("Accelerations without constraints: (nworld, nv).")
    qfrc_constraint = Array("Forces of constraints: (nworld, nv).")
    qacc = Array("Accelerations: (nworld, nv).")
    cacc = Array("Accelerations of bodies about the centre of mass: (nworld, nbody, 6).")
    cfrc_int = Array("Forces of bodies on their parents: (nworld, nbody, 6).")
    cfrc_ext = Array("External forces on bodies, contacts included: (nworld, nbody, 6).")
