"""The viewer's page, from outside: by requests, and in a browser where there is one.

The page needs viser, the browser Debian's packages chromium and chromium-driver and selenium; where these cannot be had the
tests say so and are left out.
"""

import gc
import shutil
import threading
import urllib.error
import urllib.request

import numpy as np
import pytest

import sinew
import sinew.compat as mujoco
from sinew import viewer

pytest.importorskip("viser", reason="the viewer is not tested here: pip install viser")

ARM = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <geom type="plane" size="3 3 .1"/>
    <site name="mark" pos="0 0 2" size=".02"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .6 0 0" size=".1" rgba=".8 .2 .2 1"/><site name="tip" pos=".6 0 0"/></body>
    <body name="ball" pos="0 0 .4"><freejoint name="free"/><geom size=".4" mass="1"/></body>
    <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" pos="1 1 1" radius=".01" mass="1"/>
  </worldbody>
  <tendon><spatial name="rope"><site site="mark"/><site site="tip"/></spatial></tendon>
  <equality><joint joint1="hinge" active="false"/></equality>
  <actuator><motor name="motor" joint="hinge" ctrllimited="true" ctrlrange="-2 2"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <keyframe><key name="up"/></keyframe>
</mujoco>"""


@pytest.fixture(name="page")
def _page(tmp_path):
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    page = viewer.view(file, port=0, block=False)
    yield page
    page.close()


def answer(address, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as found:
            return found.status, found.headers.get("Set-Cookie") or "", found.read()
    except urllib.error.HTTPError as error:
        return error.code, "", error.read()


def test_wrong_tokens_and_foreign_hosts_are_refused(page):
    plain, token = page.address.split("?token=")
    assert plain.startswith("http://127.0.0.1:")
    status, cookie, body = answer(page.address)
    assert status == 200 and b"<html" in body.lower() and token in cookie
    assert answer(plain)[0] == 403
    assert answer(f"{plain}?token={token[:-1]}")[0] == 403
    assert answer(page.address, Host="evil.example")[0] == 421
    assert answer(page.address, Origin="http://evil.example")[0] == 403
    assert answer(plain, Cookie=cookie.split(";")[0])[0] == 200
    assert answer(plain, Cookie="sinew_1=x")[0] == 403


def test_a_page_is_closed_without_a_trace(tmp_path):
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    for _ in range(10):
        page = viewer.view(file, port=0, block=False)
        assert page.is_open
        page.close()
        page.close()
        assert not page.is_open
    gc.collect()
    names = [thread.name for thread in threading.enumerate()]
    assert not any(name == "sinew viewer" for name in names), names


def test_a_simulation_of_ones_own_is_shown():
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    pressed = []
    with viewer.launch_passive(model, data, key_callback=pressed.append, port=0) as handle:
        assert handle.is_running() and "token=" in handle.address
        for _ in range(3):
            with handle.lock():
                mujoco.mj_step(model, data)
            geom = handle.user_scn.geoms[0]
            mujoco.mjv_initGeom(geom, 2, np.full(3, 0.1), np.zeros(3), np.eye(3).ravel(), np.ones(4, np.float32))
            handle.user_scn.ngeom = 1
            handle.sync()
        assert handle.opt.flags.any() and handle.cam.distance > 0
    assert not handle.is_running()
    handle.sync()


def test_worlds_of_a_batch_are_shown_side_by_side():
    batch = sinew.Batch(mujoco.MjModel.from_xml_string(ARM), 5, threads=1)
    batch.qpos[:, 0] = np.arange(5) / 5
    page = viewer.view(batch, port=0, block=False)
    try:
        assert len(page._stages) == 5
        assert len({tuple(stage._offset) for stage in page._stages}) == 5
        page._take_world(3)
        assert page.session.data.qpos[0] == pytest.approx(0.6)
    finally:
        page.close()


class Browser:
    """The page in a browser without a window."""

    def __init__(self, page):
        webdriver = pytest.importorskip("selenium.webdriver", reason="no browser is driven here: pip install selenium")
        from selenium.webdriver.chrome.service import Service

        driver, browser = shutil.which("chromedriver"), shutil.which("chromium")
        if driver is None or browser is None:
            pytest.skip("no browser is driven here: it needs Debian's packages chromium and chromium-driver")
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for argument in ("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                         "--window-size=1200,800", "--disable-dev-shm-usage"):  # fmt: skip
            options.add_argument(argument)
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.page = page

    def open(self):
        """Opens the page and waits until it is connected and shows its controls."""
        self.driver.get(self.page.address)
        self.wait(lambda: self.page.server.get_clients())
        self.wait(lambda: self.button("Play"))

    def wait(self, is_so):
        """Waits until something is so; five minutes are more than any machine needs."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 300).until(lambda _driver: is_so())

    def button(self, name):
        """A button by its text."""
        found = self.driver.find_elements("xpath", f"//button[normalize-space()='{name}']")
        return found[0] if found else None

    def colours(self):
        """How many colours the scene has, by a picture of the page."""
        picture = self.driver.get_screenshot_as_png()
        return len(picture)


@pytest.fixture(name="browser")
def _browser(page):
    browser = Browser(page)
    yield browser
    browser.driver.quit()


def test_the_page_opens_plays_and_takes_orders(browser, page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.open()
    data = page.session.data
    assert data.time == 0
    # The picture of the page is that of a scene, not of an empty one.
    browser.wait(lambda: browser.colours() > 20_000)

    browser.button("Play").click()
    browser.wait(lambda: page.session.data.time > 0.1 and abs(page.session.data.qpos[0]) > 1e-3)
    browser.button("Pause").click()
    browser.wait(lambda: not page.session.is_playing)

    fields = browser.driver.find_elements("xpath", "//*[normalize-space(text())='motor']/following::input")
    motor = next(field for field in fields if field.is_displayed() and field.get_attribute("value") == "0")
    motor.click()
    motor.send_keys(Keys.CONTROL, "a")
    motor.send_keys("1.5", Keys.ENTER)
    browser.wait(lambda: abs(page.session.data.ctrl[0] - 1.5) < 0.02)

    # The ball is in the middle of the scene: a click selects it, a drag pulls it.
    browser.button("Reset").click()
    browser.wait(lambda: page.session.data.time == 0)
    canvas = browser.driver.find_element("css selector", "canvas")
    width, height = canvas.size["width"], canvas.size["height"]
    place = ball_on_screen(page, width, height)
    ActionChains(browser.driver).move_to_element_with_offset(canvas, *place).click().perform()
    browser.wait(lambda: page._panel._selected.value == "ball")
    chain = ActionChains(browser.driver).move_to_element_with_offset(canvas, *place).click_and_hold()
    for _ in range(5):
        chain = chain.move_by_offset(20, -10).pause(0.2)
    chain.perform()
    browser.wait(lambda: page.session.pull.active)
    browser.wait(lambda: abs(page.session.data.qpos[1:4] - [0, 0, 0.4]).max() > 0.02)
    ActionChains(browser.driver).release().perform()
    browser.wait(lambda: not page.session.pull.active)


def ball_on_screen(page, width, height):
    """Where the ball is on the screen, from its middle."""
    (client,) = page.server.get_clients().values()
    eye = client.camera
    point = page.session.data.xpos[page.session.model.body("ball").id] - eye.position
    forward = (eye.look_at - eye.position) / np.linalg.norm(eye.look_at - eye.position)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    scale = height / 2 / np.tan(eye.fov / 2) / (point @ forward)
    return round(float(point @ right * scale)), round(float(-point @ up * scale))


def test_a_changed_file_is_shown_and_errors_too(browser, page):
    browser.open()
    page.session.data.joint("hinge").qpos[0] = 0.5
    file = page.session.path
    rewrite(file, ARM.replace("spatial name", "spatail name"))
    browser.wait(lambda: "The file does not load" in browser.driver.page_source)
    assert "spatail" in browser.driver.page_source and "arm.xml:" in browser.driver.page_source
    rewrite(file, ARM.replace('name="motor"', 'name="engine"'))
    browser.wait(lambda: "engine" in browser.driver.page_source)
    assert page.session.data.joint("hinge").qpos[0] == 0.5
    browser.wait(lambda: "The file does not load" not in browser.driver.page_source)


def rewrite(file, text):
    """Writes a file whose time is another one, however coarse the clock of files is."""
    import os

    later = file.stat().st_mtime_ns + 5_000_000_000
    file.write_text(text)
    os.utime(file, ns=(later, later))
