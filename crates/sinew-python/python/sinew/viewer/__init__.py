"""Simulations in a browser, also from a machine far away::

    import sinew.viewer

    sinew.viewer.view("humanoid.xml")

The page is served on this machine only, at an address with a token, which is printed. It needs ``pip install sinew[view]``.
``launch`` and ``launch_passive`` have the reference's arguments.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._page import Page

from .. import compat

_KEYS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def _page_module() -> Any:
    try:
        import viser  # noqa: F401
    except ImportError as error:
        raise ImportError("the viewer needs viser: pip install sinew[view]") from error
    from . import _page

    return _page


def view(
    model: Any,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    token: str | None = None,
    hosts: tuple[str, ...] = (),
    block: bool = True,
) -> Page:
    """Shows a model, the path of its file, or a batch in a browser.

    Without ``token`` one is made; ``""`` is none. ``hosts`` are further names under which the page may be asked for. A file
    that changes is loaded again, and what has the same name keeps its state. Returns when the page is closed or the user
    presses Ctrl-C; with ``block=False`` at once, with the page.
    """
    page = _page_module().page_of(model, host=host, port=port, token=token, hosts=hosts)
    print(f"sinew: {page.address}", file=sys.stderr, flush=True)
    if not block:
        page.start()
        return page
    try:
        page.run()
    except KeyboardInterrupt:
        pass
    finally:
        page.close()
    return page


def _press(key_callback: Callable[[int], None], code: int, _event: Any) -> None:
    key_callback(code)


class Handle:
    """A page that shows what its user computes, whenever ``sync`` is called."""

    def __init__(self, page: Page, model: Any, data: Any, key_callback: Callable[[int], None] | None) -> None:
        self._page, self.m, self.d = page, model, data
        self.cam, self.opt, self.perturb = compat.MjvCamera(), compat.MjvOption(), page.session.pull
        compat.mjv_defaultFreeCamera(model, self.cam)
        self.user_scn = compat.MjvScene(model, 1000)
        if key_callback is not None:
            for key in _KEYS:
                command = page.server.gui.add_command(f"Key {key}", hotkey=key)
                command.on_trigger(functools.partial(_press, key_callback, ord(key)))

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._page.address

    def lock(self) -> Any:
        """Keeps the page from reading the simulation meanwhile."""
        return self._page.session.lock

    def sync(self, state_only: bool = False) -> None:
        """Shows the simulation as it is now. What a user pulls at is pulled."""
        page = self._page
        if not page.is_open:
            return
        with page.session.lock:
            compat.mj_kinematics(self.m, self.d)
            self.d.xfrc_applied[:] = 0
            compat.mjv_applyPerturbForce(self.m, self.d, page.session.pull)
        page.show()
        page.show_user_geoms(self.user_scn)
        page.look_after_panel()

    def update_hfield(self, hfieldid: int) -> None:
        """Shows the height fields that the model has now."""
        self._page.rebuild()

    def update_mesh(self, meshid: int) -> None:
        """Shows the meshes that the model has now."""
        self._page.rebuild()

    def update_texture(self, texid: int) -> None:
        """Shows the textures that the model has now."""
        self._page.rebuild()

    def is_running(self) -> bool:
        """Whether the page is served."""
        return self._page.is_open

    def close(self) -> None:
        """Ends the page."""
        self._page.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def launch_passive(
    model: Any,
    data: Any,
    *,
    key_callback: Callable[[int], None] | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    port: int = 8080,
    token: str | None = None,
) -> Handle:
    """Shows a simulation that the caller computes: ``with launch_passive(m, d) as viewer: … viewer.sync()``."""
    module = _page_module()
    page = module.Page(module.Session(model, data), port=port, token=token)
    print(f"sinew: {page.address}", file=sys.stderr, flush=True)
    return Handle(page, model, data, key_callback)


def launch(
    model: Any = None,
    data: Any = None,
    *,
    loader: Callable[[], Any] | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> None:
    """Shows and plays a simulation until the user presses Ctrl-C."""
    if model is None and loader is not None:
        model, data = loader()
    if model is None:
        raise ValueError("launch needs a model: sinew's viewer opens no empty page")
    module = _page_module()
    session = module.Session(model, data if data is not None else module._started(model))
    session.is_playing = True
    page = module.Page(session)
    print(f"sinew: {page.address}", file=sys.stderr, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        page.run()
    page.close()


def launch_from_path(path: str) -> None:
    """Shows the model of a file until the user presses Ctrl-C."""
    view(path)


__all__ = ["Handle", "launch", "launch_from_path", "launch_passive", "view"]
