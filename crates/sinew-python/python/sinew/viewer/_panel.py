"""The panel beside the scene: buttons, sliders and plots of one simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import compat
from ._session import Session
from ._stage import Stage

# Joints and actuators that get a slider; further ones would make the page slow.
_MOST = 60
# Readings that plots show.
_READINGS = 300
_TURNS = (compat.mjtJoint.mjJNT_HINGE, compat.mjtJoint.mjJNT_SLIDE)


class Panel:
    """The controls of a session. They are made anew when its model was loaded again."""

    def __init__(self, server: Any, session: Session, stages: list[Stage]) -> None:
        self._gui, self._server, self._session, self._stages = server.gui, server, session, stages
        self._handles: list[Any] = []
        self._joints: list[tuple[Any, int]] = []
        self._controls: list[tuple[Any, int]] = []
        self._readings: list[tuple[float, ...]] = []
        self._error = self._keep(self._gui.add_markdown("", visible=False))
        for part in (
            self._run,
            self._actuators,
            self._joint_sliders,
            self._equalities,
            self._what_is_shown,
            self._plots,
        ):
            part()

    def remove(self) -> None:
        """Takes the controls off the page."""
        for handle in reversed(self._handles):
            handle.remove()

    def _keep(self, handle: Any) -> Any:
        self._handles.append(handle)
        return handle

    def _run(self) -> None:
        session, model = self._session, self._session.model
        with self._keep(self._gui.add_folder("Run")):
            self._play = self._gui.add_button("Play")
            step = self._gui.add_button("Step")
            reset = self._gui.add_button("Reset")
            speed = self._gui.add_slider("Speed", 0.1, 4.0, 0.1, session.speed)
            self._past = self._gui.add_slider("Past", 0.0, 1.0, 0.001, 1.0)
            self._time = self._gui.add_text("Time", "0.000", disabled=True)
            self._selected = self._gui.add_text("Selected", "nothing", disabled=True)
            self._cameras()
            if model.nkey:
                names = tuple(model.key(key).name or str(key) for key in range(model.nkey))
                keys = self._gui.add_dropdown("Keyframe", ("–", *names))
                keys.on_update(lambda event: self._to_key(names, keys.value))
        self._play.on_click(lambda _event: self.play(not session.is_playing))
        step.on_click(lambda _event: session.step())
        reset.on_click(lambda _event: self._reset(None))
        speed.on_update(lambda _event: setattr(session, "speed", float(speed.value)))
        self._past.on_update(lambda event: self._go_back(event))

    def play(self, plays: bool) -> None:
        """Plays or pauses."""
        self._session.is_playing = plays
        self._play.label = "Pause" if plays else "Play"

    def select(self, body: int) -> None:
        """Says which body is selected."""
        name = self._session.model.body(body).name
        self._selected.value = name or f"body {body}"

    def choose_world(self, count: int, choose: Callable[[int], None]) -> None:
        """Lets users choose the world whose numbers are shown."""
        self._worlds = self._keep(self._gui.add_dropdown("World", tuple(str(world) for world in range(count))))

        def change(_event: Any) -> None:
            choose(int(self._worlds.value))
            self._readings.clear()
            self._show_controls()

        self._worlds.on_update(change)

    def take_world(self, world: int, body: int) -> None:
        """Chooses a world, and says which of its bodies is selected."""
        if self._worlds.value != str(world):
            self._worlds.value = str(world)
        self.select(body)

    def _go_back(self, event: Any) -> None:
        if event.client is not None:
            self._session.go_back(float(self._past.value))
            self._play.label = "Play"

    def _to_key(self, names: tuple[str, ...], name: str) -> None:
        if name in names:
            self._reset(names.index(name))

    def _reset(self, key: int | None) -> None:
        self._session.reset(key)
        self._readings.clear()
        self._show_controls()

    def _show_controls(self) -> None:
        for handle, actuator in self._controls:
            handle.value = float(self._session.data.ctrl[actuator])

    def _cameras(self) -> None:
        session, model = self._session, self._session.model
        if not model.ncam:
            return
        names = tuple(model.camera(camera).name or str(camera) for camera in range(model.ncam))
        cameras = self._gui.add_dropdown("Camera", ("free", *names))

        def move(event: Any) -> None:
            if cameras.value == "free" or event.client is None:
                return
            number = names.index(cameras.value)
            with session.lock:
                position, axes = (
                    session.data.cam_xpos[number].copy(),
                    session.data.cam_xmat[number].reshape(3, 3).copy(),
                )
                fovy = float(model.cam_fovy[number])
            eye = event.client.camera
            with event.client.atomic():
                eye.up_direction = axes[:, 1]
                eye.position, eye.look_at = position, position - axes[:, 2] * float(model.stat.extent)
                eye.fov = np.radians(fovy)

        cameras.on_update(move)

    def _actuators(self) -> None:
        session, model = self._session, self._session.model
        if not model.nu:
            return
        with self._keep(self._gui.add_folder("Controls")):
            for actuator in range(min(model.nu, _MOST)):
                low, high = model.actuator_ctrlrange[actuator] if model.actuator_ctrllimited[actuator] else (-1.0, 1.0)
                name = model.actuator(actuator).name or f"actuator {actuator}"
                now = float(np.clip(session.data.ctrl[actuator], low, high))
                handle = self._slider(name, low, high, now, lambda value, k=actuator: self._set_control(k, value))
                self._controls.append((handle, actuator))
            groups = sorted({int(group) for group in model.actuator_group if 0 <= group < 31})
            for group in groups if len(groups) > 1 else ():
                box = self._gui.add_checkbox(f"Group {group}", not model.opt.disableactuator >> group & 1)
                box.on_update(lambda _event, group=group, box=box: self._set_group(group, box.value))

    def _slider(self, name: str, low: float, high: float, now: float, change: Any) -> Any:
        low, high = float(low), float(high)
        if not low < high:
            low, high = low - 1, high + 1
        handle = self._gui.add_slider(name, low, high, (high - low) / 200, min(max(now, low), high))
        handle.on_update(lambda event: change(float(handle.value)) if event.client is not None else None)
        return handle

    def _set_control(self, actuator: int, value: float) -> None:
        with self._session.lock:
            self._session.data.ctrl[actuator] = value

    def _set_group(self, group: int, is_on: bool) -> None:
        with self._session.lock:
            option = self._session.model.opt
            option.disableactuator = option.disableactuator & ~(1 << group) | (0 if is_on else 1 << group)

    def _joint_sliders(self) -> None:
        session, model = self._session, self._session.model
        chosen = [joint for joint in range(model.njnt) if model.jnt_type[joint] in _TURNS][:_MOST]
        if not chosen:
            return
        with self._keep(self._gui.add_folder("Joints", expand_by_default=False)):
            for joint in chosen:
                low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-np.pi, np.pi)
                address = int(model.jnt_qposadr[joint])
                name = model.joint(joint).name or f"joint {joint}"
                now = float(session.data.qpos[address])
                handle = self._slider(name, low, high, now, lambda value, k=address: self._set_position(k, value))
                self._joints.append((handle, address))

    def _set_position(self, address: int, value: float) -> None:
        with self._session.lock:
            self._session.data.qpos[address] = value
            compat.mj_forward(self._session.model, self._session.data)

    def _equalities(self) -> None:
        session, model = self._session, self._session.model
        if not model.neq:
            return
        with self._keep(self._gui.add_folder("Equalities", expand_by_default=False)):
            for equality in range(min(model.neq, _MOST)):
                name = model.equality(equality).name or f"equality {equality}"
                box = self._gui.add_checkbox(name, bool(session.data.eq_active[equality]))
                box.on_update(lambda _event, k=equality, box=box: self._set_equality(k, box.value))

    def _set_equality(self, equality: int, is_on: bool) -> None:
        with self._session.lock:
            self._session.data.eq_active[equality] = is_on

    def _what_is_shown(self) -> None:
        with self._keep(self._gui.add_folder("Show", expand_by_default=False)):
            contacts = self._gui.add_checkbox("Contact forces", False)
            tendons = self._gui.add_checkbox("Tendons", True)
            geoms = [self._gui.add_checkbox(f"Geoms {group}", group < 3) for group in range(6)]
            sites = [self._gui.add_checkbox(f"Sites {group}", group < 3) for group in range(6)]

        def change(_event: Any) -> None:
            for stage in self._stages:
                stage.shows_contacts, stage.shows_tendons = contacts.value, tendons.value
                stage.show_groups([box.value for box in geoms], [box.value for box in sites])

        for box in (contacts, tendons, *geoms, *sites):
            box.on_update(change)

    def _plots(self) -> None:
        model = self._session.model
        self._plotted = min(int(model.nsensordata), 8)
        self._energy, self._sensors = None, None
        with self._keep(self._gui.add_folder("Plots", expand_by_default=False)):
            self._energy = self._plot("Energy", ("potential", "kinetic"))
            if self._plotted:
                self._sensors = self._plot("Sensors", tuple(str(k) for k in range(self._plotted)))

    def _plot(self, title: str, names: tuple[str, ...]) -> Any:
        colours = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")
        series = ({"label": "s"}, *({"label": name, "stroke": colours[k], "width": 2} for k, name in enumerate(names)))
        empty = tuple(np.zeros(1) for _ in series)
        # The first axis is time, which is not a date here.
        return self._gui.add_uplot(empty, series, title=title, scales={"x": {"time": False}}, aspect=2.0)

    def update(self) -> None:
        """Shows how the simulation stands."""
        session = self._session
        with session.lock:
            data = session.data
            moment, sensors = float(data.time), data.sensordata[: self._plotted].copy()
            positions = [float(data.qpos[address]) for _, address in self._joints]
            energy = compat.mj_energyPos, compat.mj_energyVel
            for compute in energy:
                compute(session.model, data)
            energies = data.energy.copy()
        self._time.value = f"{moment:.3f}"
        for (handle, _), value in zip(self._joints, positions, strict=True):
            value = min(max(value, handle.min), handle.max)
            if abs(handle.value - value) > handle.step:
                handle.value = value
        if not self._readings or moment > self._readings[-1][0]:
            self._readings = [*self._readings[1 - _READINGS :], (moment, *energies, *sensors)]
            table = np.array(self._readings)
            self._energy.data = tuple(np.ascontiguousarray(column) for column in table.T[:3])
            if self._sensors is not None:
                self._sensors.data = tuple(np.ascontiguousarray(table[:, k]) for k in (0, *range(3, table.shape[1])))

    def show_error(self, text: str | None) -> None:
        """Shows why a file does not load, or that it does."""
        self._error.content = f"**The file does not load**\n\n```text\n{text}\n```" if text else ""
        self._error.visible = bool(text)
