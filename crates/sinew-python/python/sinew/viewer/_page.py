"""A simulation in a browser: page, panel and the thread that keeps them up to date."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from .. import compat
from ._guard import LOOPBACK, new_token, serve
from ._panel import Panel
from ._session import Session
from ._stage import Stage
from ._textures import Textures
from ._worlds import Worlds

# Pictures per second, and seconds between looks at panel and file.
_RATE = 30
_PANEL = 0.2
# Worlds of a batch that are shown.
_WORLDS = 16


class Page:
    """A page that shows a session; `address` is where. It is served until `close`."""

    def __init__(
        self,
        session: Session,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        token: str | None = None,
        hosts: tuple[str, ...] = (),
    ) -> None:
        self.session = session
        token = new_token() if token is None else token
        known = (*LOOPBACK, *hosts, *(() if host in LOOPBACK or host == "0.0.0.0" else (host,)))
        self.server = serve(host, port, token, known, "sinew")
        self.port = self.server.get_port()
        shown = "127.0.0.1" if host == "0.0.0.0" else host
        self.address = f"http://{shown}:{self.port}/" + (f"?token={token}" if token else "")
        self._is_open = threading.Event()
        self._is_open.set()
        self._stages: list[Stage] = []
        self._panel: Panel | None = None
        self._build()
        self._thread: threading.Thread | None = None

    @property
    def is_open(self) -> bool:
        """Whether the page is served."""
        return self._is_open.is_set()

    def _build(self) -> None:
        """Makes nodes and controls for the model that the session has now."""
        for part in (*self._stages, *((self._panel,) if self._panel else ())):
            part.remove()
        session = self.session
        with session.lock, self.server.atomic():
            self.server.scene.set_up_direction("+z")
            worlds = session if isinstance(session, Worlds) else None
            count = min(len(worlds.batch), _WORLDS) if worlds else 1
            side = int(np.ceil(np.sqrt(count)))
            extent = float(session.model.stat.extent)
            places = [np.array([world % side, world // side, 0.0]) * 2 * extent for world in range(count)]
            textures = Textures(session.model)
            self._stages = [
                Stage(self.server, f"/world{world}", session.model, place, textures, world == 0)
                for world, place in enumerate(places)
            ]
            for world, stage in enumerate(self._stages):
                stage.on_geoms(lambda geom, node, world=world: self._listen(world, geom, node))
            self._panel = Panel(self.server, session, self._stages)
            if worlds:
                self._panel.choose_world(count, worlds.choose)
            self._look(extent * side)
        self._version = session.version
        self.show()

    def _look(self, extent: float) -> None:
        model, eye = self.session.model, self.server.initial_camera
        middle = np.mean([stage._offset for stage in self._stages], axis=0) + model.stat.center
        azimuth, elevation = np.radians([float(model.vis.global_.azimuth), float(model.vis.global_.elevation)])
        flat = np.cos(elevation)
        forward = np.array([flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)])
        eye.position, eye.look_at = middle - 1.5 * extent * forward, middle
        eye.up = np.array([0.0, 0.0, 1.0])

    def _listen(self, world: int, geom: int, node: Any) -> None:
        """Clicks select, drags pull, drags with ctrl twist."""
        body = int(self.session.model.geom_bodyid[geom])
        offset = self._stages[world]._offset
        if isinstance(self.session, Worlds):
            node.on_click(lambda _event: self._panel.take_world(world, body))
            return
        node.on_click(lambda _event: self._panel.select(body))

        def dragged(is_twisting: bool) -> Any:
            async def follow(event: Any) -> None:
                if event.phase == "start":
                    self._panel.select(body)
                    self.session.grab(body, np.asarray(event.start_position) - offset, is_twisting)
                if event.phase == "end":
                    self.session.release()
                else:
                    self.session.drag(np.asarray(event.end_position) - offset)

            return follow

        node.on_drag("left")(dragged(False))
        node.on_drag("left", modifier="cmd/ctrl")(dragged(True))

    def show(self) -> None:
        """Shows where everything is now."""
        session = self.session
        with session.lock, self.server.atomic():
            if not isinstance(session, Worlds):
                self._stages[0].show(session.data)
                return
            for world, stage in enumerate(self._stages):
                stage.show(session.loaded(world))

    def show_user_geoms(self, scene: Any) -> None:
        """Shows geoms that a user has listed."""
        self._stages[0].show_user_geoms(scene)

    def run(self) -> None:
        """Plays until the page is closed."""
        last = panel = time.monotonic()
        while self.is_open:
            now = time.monotonic()
            self.round(now - last)
            last = now
            if now - panel > _PANEL:
                panel = now
                self.look_after_panel()
            time.sleep(max(0.0, 1 / _RATE - (time.monotonic() - now)))

    def round(self, seconds: float) -> None:
        """Plays for so long and shows it."""
        self.session.advance(seconds)
        self.show()

    def look_after_panel(self) -> None:
        """Brings the panel up to date, and the model if its file has changed."""
        if self.session.reload_if_changed():
            if self.session.version != self._version:
                self._build()
            self._panel.show_error(self.session.error)
        self._panel.update()

    def rebuild(self) -> None:
        """Shows the model as it is now, after its meshes, height fields or textures were changed."""
        self._build()

    def start(self) -> None:
        """Plays in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="sinew viewer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the page."""
        if not self.is_open:
            return
        self._is_open.clear()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self.server.stop()


def page_of(what: Any, **options: Any) -> Page:
    """A page of a model, a file, a pair of model and data, or a batch."""
    from ..batch import Batch

    if isinstance(what, Batch):
        return Page(Worlds(what), **options)
    if isinstance(what, compat.MjModel):
        return Page(Session(what, _started(what)), **options)
    path = Path(what)
    model = compat.MjModel.from_xml_path(str(path))
    return Page(Session(model, _started(model), path), **options)


def _started(model: Any) -> Any:
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    return data
