"""The viewer's page, from outside: by requests, and in a browser where there is one.

The page needs viser, the browser Debian's packages chromium and chromium-driver and selenium; where these cannot be had the
tests say so and are left out.
"""

import gc
import os
import shutil
import threading
import time
import urllib.error
import urllib.request

import numpy as np
import pytest

import sinew
import sinew.compat as mujoco
from sinew import viewer

pytest.importorskip("viser", reason="the viewer is not tested here: pip install viser")
imageio = pytest.importorskip("imageio.v3", reason="viser brings imageio along")

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


def held():
    """Threads, open files and megabytes that this process has."""
    gc.collect()
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    return threading.active_count(), len(os.listdir("/proc/self/fd")), pages * os.sysconf("SC_PAGESIZE") / 2**20


def test_pages_are_closed_without_a_trace(tmp_path):
    file = tmp_path / "arm.xml"
    file.write_text(ARM)

    def open_and_close(times):
        for _ in range(times):
            page = viewer.view(file, port=0, block=False)
            assert page.is_open
            page.close()
            page.close()
            assert not page.is_open
        # Connections that were closed end in threads of their own.
        wait_for(lambda: threading.active_count() <= threads)

    threads = threading.active_count()
    open_and_close(10)
    before = held()
    open_and_close(100)
    after = held()
    assert after[0] <= before[0] and after[1] <= before[1] + 2 and after[2] < before[2] + 100, (before, after)


def state(page):
    """Time, positions and controls of a session, whatever its own thread does meanwhile."""
    with page.session.lock:
        data = page.session.data
        return data.time, data.qpos.copy(), data.ctrl.copy()


def moments(page):
    """The times of all worlds of a batch."""
    with page.session.lock:
        return page.session.batch.time.copy()


def wait_for(is_so):
    """Waits until something is so; a minute is more than it takes."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError([thread.name for thread in threading.enumerate()])


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
        page.session.choose(3)
        assert state(page)[1][0] == pytest.approx(0.6)
        # One floor is enough for all worlds.
        assert [len(stage.geoms) for stage in page._stages] == [3, 3, 3, 3, 3]
        page._panel.play(True)
        wait_for(lambda: moments(page).min() > 0.1)
        assert np.ptp(moments(page)) == 0
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

    def pixels(self):
        """The page as it looks: (height, width, 3) bytes."""
        picture = self.driver.get_screenshot_as_png()
        folder = os.environ.get("SINEW_SCREENSHOTS")
        if folder:
            name = os.environ["PYTEST_CURRENT_TEST"].split("::")[1].split(" ")[0]
            with open(os.path.join(folder, f"{name}_{len(os.listdir(folder)):03}.png"), "wb") as file:
                file.write(picture)
        # viser brings this along.
        return imageio.imread(picture, extension=".png")[..., :3]

    def count(self, is_it):
        """How many pixels of the page are of a colour: a function of red, green and blue says whether."""
        red, green, blue = np.moveaxis(self.pixels().astype(int), -1, 0)
        return int(is_it(red, green, blue).sum())

    def height_of(self, is_it):
        """The mean row of the pixels of a colour."""
        return np.nonzero(is_it(*np.moveaxis(self.pixels().astype(int), -1, 0)))[0].mean()


@pytest.fixture(name="browser")
def _browser(page):
    browser = Browser(page)
    yield browser
    browser.driver.quit()


def test_the_page_opens_plays_and_takes_orders(browser, page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.open()
    assert state(page)[0] == 0
    # The arm is red.
    browser.wait(lambda: browser.count(is_red) > 500)

    browser.button("Play").click()
    browser.wait(lambda: state(page)[0] > 0.1 and abs(state(page)[1][0]) > 1e-3)
    browser.button("Pause").click()
    browser.wait(lambda: not page.session.is_playing)

    fields = browser.driver.find_elements("xpath", "//*[normalize-space(text())='motor']/following::input")
    motor = next(field for field in fields if field.is_displayed() and field.get_attribute("value") == "0")
    motor.click()
    motor.send_keys(Keys.CONTROL, "a")
    motor.send_keys("1.5", Keys.ENTER)
    browser.wait(lambda: abs(state(page)[2][0] - 1.5) < 0.02)

    # The ball is in the middle of the scene: a click selects it, a drag pulls it.
    browser.button("Reset").click()
    browser.wait(lambda: state(page)[0] == 0)
    canvas = browser.driver.find_element("css selector", "canvas")
    height = canvas.size["height"]
    place = on_screen(page, "ball", height)
    ActionChains(browser.driver).move_to_element_with_offset(canvas, *place).click().perform()
    browser.wait(lambda: page._panel._selected.value == "ball")
    chain = ActionChains(browser.driver).move_to_element_with_offset(canvas, *place).click_and_hold()
    for _ in range(5):
        chain = chain.move_by_offset(20, -10).pause(0.2)
    chain.perform()
    browser.wait(lambda: page.session.pull.active)
    browser.wait(lambda: abs(state(page)[1][1:4] - [0, 0, 0.4]).max() > 0.02)
    ActionChains(browser.driver).release().perform()
    browser.wait(lambda: not page.session.pull.active)


def on_screen(page, body, height):
    """Where a body is on the screen, from its middle."""
    (client,) = page.server.get_clients().values()
    eye = client.camera
    with page.session.lock:
        point = page.session.data.xpos[page.session.model.body(body).id] - eye.position
    forward = (eye.look_at - eye.position) / np.linalg.norm(eye.look_at - eye.position)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    scale = height / 2 / np.tan(eye.fov / 2) / (point @ forward)
    return round(float(point @ right * scale)), round(float(-point @ up * scale))


def test_a_changed_file_is_shown_and_errors_too(browser, page):
    browser.open()
    with page.session.lock:
        page.session.data.joint("hinge").qpos[0] = 0.5
    file = page.session.path
    rewrite(file, ARM.replace("spatial name", "spatail name"))
    browser.wait(lambda: "The file does not load" in browser.driver.page_source)
    assert "spatail" in browser.driver.page_source and "arm.xml:" in browser.driver.page_source
    rewrite(file, ARM.replace('name="motor"', 'name="engine"'))
    browser.wait(lambda: "engine" in browser.driver.page_source)
    assert state(page)[1][0] == 0.5
    browser.wait(lambda: "The file does not load" not in browser.driver.page_source)


PAINTED = """
<mujoco>
  <asset>
    <texture name="tiles" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
    <texture name="sides" type="cube" builtin="flat" rgb1="0 1 0" rgb2="0 1 0" width="8" height="8"/>
    <material name="tiles" texture="tiles" texrepeat="4 4"/><material name="sides" texture="sides"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 .1" material="tiles"/>
    <body name="box" pos="0 0 .3"><freejoint/><geom type="box" size=".3 .3 .3" material="sides"/></body>
    <flexcomp name="cloth" type="grid" count="6 6 1" spacing=".12 .12 .1" dim="2" pos="0 0 1.2" radius=".02" mass="1"
      rgba="1 1 0 1"/>
  </worldbody>
</mujoco>"""


def is_red(r, g, b):
    """Whether a colour is red, in whatever light."""
    return (r > 100) & (r > 1.5 * g) & (r > 2 * b)


def is_blue(r, g, b):
    """Whether it is blue."""
    return (b > 100) & (b > 1.5 * r) & (b > 2 * g)


def is_green(r, g, b):
    """Whether it is green."""
    return (g > 80) & (g > 2 * r) & (g > 2 * b)


def is_yellow(r, g, b):
    """Whether it is yellow."""
    return (r > 100) & (g > 0.85 * r) & (r > 0.85 * g) & (b < 0.75 * r)


def test_textures_are_seen_and_cloth_moves(tmp_path):
    file = tmp_path / "painted.xml"
    file.write_text(PAINTED)
    page = viewer.view(file, port=0, block=False)
    browser = Browser(page)
    try:
        browser.open()
        for is_it in (is_blue, is_green, is_yellow, is_red):
            browser.wait(lambda is_it=is_it: browser.count(is_it) > 300)
        before = browser.height_of(is_yellow)
        # The box is selected by a click, with its texture.
        from selenium.webdriver.common.action_chains import ActionChains

        canvas = browser.driver.find_element("css selector", "canvas")
        place = on_screen(page, "box", canvas.size["height"])
        ActionChains(browser.driver).move_to_element_with_offset(canvas, *place).click().perform()
        browser.wait(lambda: page._panel._selected.value == "box")
        browser.button("Play").click()
        browser.wait(lambda: state(page)[0] > 0.5)
        browser.button("Pause").click()
        browser.wait(lambda: not page.session.is_playing)
        assert browser.height_of(is_yellow) > before + 30, "the cloth has fallen"
        # Back to the first moment: the cloth hangs where it was.
        page.session.go_back(0.0)
        browser.wait(lambda: abs(browser.height_of(is_yellow) - before) < 5)
    finally:
        browser.driver.quit()
        page.close()


def test_a_page_that_is_closed_a_hundred_times_leaves_nothing(browser, page):
    driver = browser.driver
    first = driver.current_window_handle

    def visit(times):
        for _ in range(times):
            driver.switch_to.new_window("tab")
            driver.get(page.address)
            browser.wait(lambda: page.server.get_clients())
            driver.close()
            driver.switch_to.window(first)
            browser.wait(lambda: not page.server.get_clients())

    visit(5)
    before = held()
    visit(100)
    after = held()
    assert after[0] <= before[0] + 2 and after[1] <= before[1] + 2 and after[2] < before[2] + 100, (before, after)


def test_a_batch_is_seen_side_by_side():
    batch = sinew.Batch(mujoco.MjModel.from_xml_string(ARM), 4, threads=1)
    batch.qpos[:, 0] = [-0.6, -0.2, 0.2, 0.6]
    page = viewer.view(batch, port=0, block=False)
    browser = Browser(page)
    try:
        browser.open()
        browser.wait(lambda: browser.count(is_red) > 200)
        columns = np.nonzero(is_red(*np.moveaxis(browser.pixels().astype(int), -1, 0)).any(axis=0))[0]
        assert np.ptp(columns) > 150, "arms stand apart"
        browser.button("Play").click()
        browser.wait(lambda: moments(page).min() > 0.2)
    finally:
        browser.driver.quit()
        page.close()


def rewrite(file, text):
    """Writes a file whose time is another one, however coarse the clock of files is."""
    import os

    later = file.stat().st_mtime_ns + 5_000_000_000
    file.write_text(text)
    os.utime(file, ns=(later, later))
