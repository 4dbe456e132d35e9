"""The playground in a browser without a window, opened from its file as a person would.

Needs Rust's target wasm32-unknown-unknown, Debian's packages chromium and chromium-driver, and selenium; where these cannot be had
the tests say so and are left out.
"""

import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

BUILD = pathlib.Path(__file__).resolve().parents[1] / "build"
ARM = """<mujoco>
  <asset><mesh name="wedge" file="meshes/wedge.obj"/></asset>
  <worldbody>
    <geom type="plane" size="2 2 .1" rgba=".3 .4 .3 1"/>
    <light pos="0 -1 3" dir="0 .3 -1"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="3"/><geom type="mesh" mesh="wedge" rgba=".9 .4 .1 1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrllimited="true" ctrlrange="-2 2"/></actuator>
</mujoco>
"""
WEDGE = "v 0 -.2 0\nv .8 -.2 0\nv 0 .2 0\nv .8 .2 .3\nv 0 0 .4\nf 1 3 2\nf 2 3 4\nf 1 2 5\nf 2 4 5\nf 4 3 5\nf 3 1 5\n"


@pytest.fixture(name="address", scope="module")
def _address(tmp_path_factory):
    asked = ["rustc", "--print", "target-libdir", "--target", "wasm32-unknown-unknown"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    if not pathlib.Path(found.stdout.strip() or "absent").is_dir():
        pytest.skip("the playground is not built here: rustup target add wasm32-unknown-unknown")
    page = tmp_path_factory.mktemp("playground") / "index.html"
    subprocess.run([sys.executable, BUILD, page], check=True)
    return page.as_uri()


class Page:
    """The page, driven from outside."""

    def __init__(self, driver, address):
        self.driver = driver
        driver.get(address)
        self.wait(lambda: self.model() == "humanoid" and self.time() == 0)

    def wait(self, is_so):
        """Waits until something is so; five minutes are more than any machine needs."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 300).until(lambda _driver: is_so())

    def element(self, name):
        return self.driver.find_element("id", name)

    def model(self):
        """The model that is shown."""
        return self.element("state").get_attribute("data-model")

    def time(self):
        """Simulated seconds at the last picture."""
        time = self.element("state").get_attribute("data-time")
        return None if time is None else float(time)

    def trouble(self):
        """What the page complains about."""
        return self.element("trouble").text

    def picture(self):
        """What the canvas shows, brought to one size."""
        return self.driver.execute_script(
            """const small = document.createElement("canvas");
            [small.width, small.height] = [64, 48];
            const context = small.getContext("2d");
            context.drawImage(document.getElementById("canvas"), 0, 0, 64, 48);
            return Array.from(context.getImageData(0, 0, 64, 48).data);"""
        )

    def changes(self, action):
        """Does something and waits until the picture is another one."""
        before = self.picture()
        action()
        self.wait(lambda: different(before, self.picture()) > 20)

    def drop(self, *files):
        """Drops files on the page, as a mouse does."""
        content = [[file.name, list(file.read_bytes())] for file in files]
        self.driver.execute_script(
            """const carried = new DataTransfer();
            for (const [name, bytes] of arguments[0]) carried.items.add(new File([new Uint8Array(bytes)], name));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));""",
            content,
        )


def different(one, other):
    """How many numbers of two pictures are clearly different."""
    return sum(abs(a - b) > 25 for a, b in zip(one, other, strict=True))


@pytest.fixture(name="page")
def _page(address):
    webdriver = pytest.importorskip("selenium.webdriver", reason="no browser is driven here: pip install selenium")
    from selenium.webdriver.chrome.service import Service

    driver, browser = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or browser is None:
        pytest.skip("no browser is driven here: it needs Debian's packages chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--window-size=900,600", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield Page(driver, address)
        assert [line for line in driver.get_log("browser") if line["level"] == "SEVERE"] == []
    finally:
        driver.quit()


def test_a_model_plays_pauses_and_begins_again(page):
    names = [option.text for option in page.element("model").find_elements("tag name", "option")]
    assert names[0] == "humanoid" and "trampoline" in names and len(names) >= 20
    page.changes(page.element("play").click)
    page.wait(lambda: page.time() > 0.2)
    assert page.element("play").text == "Pause"
    page.element("play").click()
    page.element("reset").click()
    page.wait(lambda: page.time() == 0)
    page.element("step").click()
    page.wait(lambda: page.time() > 0)
    assert page.trouble() == ""


def test_a_mouse_leads_the_eye(page):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    canvas = page.element("canvas")
    page.changes(ActionChains(page.driver).drag_and_drop_by_offset(canvas, 120, 40).perform)
    origin = ScrollOrigin.from_element(canvas)
    page.changes(ActionChains(page.driver).scroll_from_origin(origin, 0, -600).perform)
    assert page.time() == 0


def test_a_list_has_other_models_with_cameras_and_controls(page):
    from selenium.webdriver.support.ui import Select

    page.changes(lambda: Select(page.element("model")).select_by_visible_text("cartpole"))
    page.wait(lambda: page.model() == "cartpole")
    sliders = page.element("controls").find_elements("tag name", "input")
    assert len(sliders) == 1
    page.element("play").click()
    page.wait(lambda: page.time() > 0.1)
    page.element("play").click()
    Select(page.element("key")).select_by_visible_text("tilted")
    page.wait(lambda: page.time() == 0)
    assert page.trouble() == ""


def test_an_archive_with_meshes_is_dropped(page, tmp_path):
    archive = tmp_path / "arm.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("arm/scene.xml", ARM)
        out.writestr("arm/meshes/wedge.obj", WEDGE, zipfile.ZIP_STORED)
    page.changes(lambda: page.drop(archive))
    page.wait(lambda: page.model() == "arm/scene.xml" and page.time() == 0)
    page.changes(page.element("play").click)
    page.wait(lambda: page.time() > 0.05)
    assert page.trouble() == ""


def check_that_loose_files_load(page, folder):
    model, mesh = folder / "arm.xml", folder / "wedge.obj"
    model.write_text(ARM)
    mesh.write_text(WEDGE)
    page.drop(model, mesh)
    page.wait(lambda: page.model() == "arm.xml")
    assert page.trouble() == ""


def test_loose_files_are_dropped_together(page, tmp_path):
    check_that_loose_files_load(page, tmp_path)


def test_errors_show_line_and_hint_and_the_page_goes_on(page, tmp_path):
    broken = tmp_path / "broken.xml"
    broken.write_text(ARM.replace("damping", "dampng"))
    page.drop(broken)
    page.wait(page.trouble)
    assert "broken.xml:6:" in page.trouble() and 'did you mean "damping"?' in page.trouble()
    for bytes_ in (b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + bytes(40), b"\x00" * 50):
        broken.write_bytes(bytes_)
        page.drop(broken)
        page.wait(lambda: "zip" in page.trouble() or "no model is among" in page.trouble())
    check_that_loose_files_load(page, tmp_path)


def test_a_damaged_archive_is_refused(page, tmp_path):
    archive = tmp_path / "arm.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("arm.xml", ARM)
    bytes_ = bytearray(archive.read_bytes())
    bytes_[60] ^= 0xFF
    archive.write_bytes(bytes_)
    page.drop(archive)
    page.wait(page.trouble)
    assert page.trouble() == "arm.xml is damaged in the archive"
