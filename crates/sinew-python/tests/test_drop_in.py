"""sinew in the place of the reference: under its name, for libraries, children and tests."""

import copy
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sinew.compat

RECORDS = ["MjvCamera", "MjvOption", "MjvPerturb", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvFigure"]


def run(*arguments: str, folder: Path | None = None) -> str:
    """What another interpreter prints."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_imports_give_a_module_of_that_name_until_it_is_uninstalled():
    text = """
import importlib.metadata
import sinew.compat
sinew.compat.install()
sinew.compat.install()
import mujoco, mujoco.rollout
from mujoco import viewer
assert sinew.compat.is_installed()
assert mujoco.__name__ == "mujoco" and mujoco.viewer is viewer and viewer.__name__ == "mujoco.viewer"
assert mujoco.__version__ == importlib.metadata.version("mujoco") == "3.5.0"
assert mujoco.MjModel is sinew.compat.MjModel and sinew.compat.__name__ == "sinew.compat"
try:
    import mujoco.nonsense
except ModuleNotFoundError as error:
    assert "sinew.compat does not have it" in str(error)
else:
    raise AssertionError
sinew.compat.uninstall()
sinew.compat.uninstall()
import mujoco
assert mujoco.MjModel is not sinew.compat.MjModel
print("good")
"""
    assert run("-c", text) == "good"


def test_one_line_is_enough():
    text = """
import sinew; sinew.compat.install()
import mujoco
assert mujoco.MjModel is sinew.compat.MjModel
assert mujoco.renderer.Renderer is mujoco.Renderer and mujoco.gl_context.GLContext is mujoco.GLContext
print("good")
"""
    assert run("-c", text) == "good"


def test_who_had_the_reference_before_has_it_again_afterwards():
    text = """
import mujoco as before
import sinew.compat
sinew.compat.install()
import mujoco
assert mujoco is not before and mujoco.MjModel is sinew.compat.MjModel
sinew.compat.uninstall()
import mujoco
assert mujoco is before
print("good")
"""
    assert run("-c", text) == "good"


CHILDREN = """
import multiprocessing
import mujoco

def engine(_number):
    import mujoco
    return mujoco.MjModel.__module__

if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, *pool.map(engine, [0]))
    import sys
    print(sys.argv[1:], mujoco.MjModel.__module__)
"""


def test_programs_and_their_children_run_on_sinew(tmp_path):
    (tmp_path / "program.py").write_text(CHILDREN)
    ours = sinew.compat.MjModel.__module__
    wanted = [f"{method} {ours}" for method in ("fork", "spawn", "forkserver")] + [f"['a', '-b'] {ours}"]
    assert run("-m", "sinew.compat", "program.py", "a", "-b", folder=tmp_path).splitlines() == wanted
    assert run("-m", "sinew.compat", "-m", "program", "a", "-b", folder=tmp_path).splitlines() == wanted
    text = "import mujoco, sys; print(mujoco.MjModel.__module__, sys.argv)"
    assert run("-m", "sinew.compat", "-c", text, "x") == f"{ours} ['-c', 'x']"


@pytest.mark.parametrize("arguments", [[], ["-m"], ["missing.py"]])
def test_a_wrong_command_says_how_to_use_it(arguments):
    done = subprocess.run([sys.executable, "-m", "sinew.compat", *arguments], capture_output=True, text=True)
    assert done.returncode == 2 and "usage: python -m sinew.compat" in done.stderr


def test_tests_of_others_run_on_sinew(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import mujoco\n\ndef test_it():\n    assert mujoco.MjModel.__module__.startswith('sinew')\n"
    )
    said = run("-m", "pytest", "-q", "-p", "sinew.compat.pytest_plugin", "test_it.py", folder=tmp_path)
    assert "1 passed" in said


@pytest.mark.parametrize("name", RECORDS)
def test_data_of_drawing_begins_as_the_reference_has_it(name):
    ours, theirs = getattr(sinew.compat, name)(), getattr(mujoco, name)()
    fields = [field for field in dir(theirs) if not field.startswith("_")]
    assert sorted(type(ours).FIELDS) == fields
    for field in fields:
        found, wanted = getattr(ours, field), getattr(theirs, field)
        assert type(found) is type(wanted), field
        if isinstance(wanted, np.ndarray):
            assert found.dtype == wanted.dtype and found.shape == wanted.shape, field
        np.testing.assert_array_equal(found, wanted, err_msg=field)


def test_a_scene_begins_as_the_reference_has_it(ours, theirs):
    for mine, other in (
        (sinew.compat.MjvScene(), mujoco.MjvScene()),
        (sinew.compat.MjvScene(ours, 7), mujoco.MjvScene(theirs, 7)),
    ):
        fields = [field for field in dir(other) if not field.startswith("_")]
        assert sorted(type(mine).FIELDS) == fields
        for field in ("geoms", "lights", "camera"):
            assert len(getattr(mine, field)) == len(getattr(other, field))
        for field in ("maxgeom", "ngeom", "flags", "rotate", "translate", "scale", "stereo", "nlight"):
            np.testing.assert_array_equal(getattr(mine, field), getattr(other, field), err_msg=field)


def test_a_free_camera_sees_what_the_model_asks_for(ours, theirs):
    mine, other = sinew.compat.MjvCamera(), mujoco.MjvCamera()
    sinew.compat.mjv_defaultFreeCamera(ours, mine)
    mujoco.mjv_defaultFreeCamera(theirs, other)
    for field in sinew.compat.MjvCamera.FIELDS:
        np.testing.assert_allclose(getattr(mine, field), getattr(other, field), rtol=1e-12, err_msg=field)


def test_data_of_drawing_is_filled_copied_and_set_back():
    camera = sinew.compat.MjvCamera()
    lookat = camera.lookat
    camera.lookat = [1, 2, 3]
    camera.distance = 5
    other = copy.copy(camera)
    sinew.compat.mjv_defaultCamera(camera)
    assert camera.lookat is lookat and camera.lookat.tolist() == [0, 0, 0] and camera.distance == 2.0
    assert other.lookat.tolist() == [1, 2, 3] and other.distance == 5.0 and isinstance(other.distance, float)
    with pytest.raises(AttributeError, match="has no attribute 'lookAt'"):
        camera.lookAt = [0, 0, 0]
    assert "azimuth: 90.0" in repr(camera)
    rectangle = sinew.compat.MjrRect(1, 2, 3, 4)
    assert (rectangle.left, rectangle.bottom, rectangle.width, rectangle.height) == (1, 2, 3, 4)


def test_what_is_not_drawn_says_so(ours, monkeypatch):
    from sinew.compat import viewer

    rectangle, figure = sinew.compat.MjrRect(0, 0, 1, 1), sinew.compat.MjvFigure()
    with pytest.raises(NotImplementedError, match="mjr_figure is of the reference's drawing library"):
        sinew.compat.mjr_figure(rectangle, figure, sinew.compat.MjrContext())
    context = sinew.compat.GLContext(640, 480)
    context.make_current()
    context.free()
    monkeypatch.setitem(sys.modules, "viser", None)
    for call in (
        lambda: viewer.launch(ours),
        lambda: viewer.launch_passive(ours, None),
        lambda: viewer.launch_from_path("x.xml"),
    ):
        with pytest.raises(ImportError, match=r"the viewer needs viser: pip install sinew\[view\]"):
            call()


def test_packages_under_the_reference_s_name_run_on_sinew(tmp_path):
    package = tmp_path / "mujoco" / "extra"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from mujoco.extra.inner import model\n")
    (package / "inner.py").write_text("import mujoco\nmodel = mujoco.MjModel.from_xml_string('<mujoco/>')\n")
    (tmp_path / "mujoco" / "data.txt").write_text("found")
    text = """
import sys
import sinew.compat
sys.path.insert(0, sys.argv[1])
sinew.compat.install()
import importlib.resources
import mujoco.extra, mujoco.minimize
assert isinstance(mujoco.extra.model, sinew.compat.MjModel)
assert mujoco.minimize.least_squares is sinew.compat.minimize.least_squares
assert mujoco._structs.MjModel is mujoco._specs.MjModel is mujoco.MjModel and mujoco._enums.mjtObj is mujoco.mjtObj
print(importlib.resources.files("mujoco").joinpath("data.txt").read_text())
try:
    import mujoco._simulate
except ModuleNotFoundError:
    print("no machine code")
"""
    assert run("-c", text, str(tmp_path)) == "found\nno machine code"
