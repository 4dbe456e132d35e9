"""The examples run, and do what they say."""

import importlib
import sys
import zlib

import numpy as np
import pytest
from conftest import REPOSITORY

FOLDER = REPOSITORY / "examples" / "python"
# They need libraries of their own; `python -m conformance.libraries` runs them.
WITH_LIBRARIES = {"learn_with_rllib", "learn_with_sb3", "ray_rollouts"}


@pytest.fixture
def example(monkeypatch):
    """Imports an example by its name."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if (FOLDER / f"{name}.py").is_file():
            del sys.modules[name]


def test_all_examples_are_known():
    tested = {"throughput", "domain_randomisation", "predictive_sampling", "train", "ppo", "picture", "learn_on_device"}
    assert {path.stem for path in FOLDER.glob("*.py")} == tested | WITH_LIBRARIES


def test_throughput_is_printed(example, capsys):
    example("throughput").main(["--worlds", "1", "16", "--seconds", "0.01"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == ["1", "16"] and all(float(row[1]) > 0 for row in rows)


def test_slippery_grounds_are_hard(example, capsys):
    module = example("domain_randomisation")
    module.main(["--worlds", "24"])
    assert "0 of 24 worlds failed" in capsys.readouterr().out
    batch = module.randomised(48, seed=3)
    way, friction = module.pushed(batch, 20.0), batch.geom_friction[:, 0, 0]
    assert np.median(way[friction < 0.3]) > np.median(way[friction > 0.6])


def test_looking_ahead_keeps_the_humanoid_up(example, tmp_path, capsys):
    module = example("predictive_sampling")
    module.main(["--samples", "16", "--seconds", "0.1", "--picture", str(tmp_path / "height.svg")])
    assert "the head is at" in capsys.readouterr().out
    assert "<polyline" in (tmp_path / "height.svg").read_text()
    _, heights = module.run(16, 0.8)
    assert heights.min() > 0.8 * heights[0]


def test_learning_improves_and_is_drawn(example, tmp_path, capsys):
    module = example("train")
    module.main(["hopper", "--environments", "8", "--turns", "2", "--picture", str(tmp_path / "hopper.svg")])
    assert "hopper: return" in capsys.readouterr().out and (tmp_path / "hopper.svg").is_file()
    curve, _ = module.train("cartpole", 32, seconds=600, most_turns=30)
    assert curve[-1][2] > 2 * curve[0][2]


def test_curves_are_drawn_as_pixels(example, tmp_path):
    picture = example("picture")
    picture.save_png(tmp_path / "curve.png", [0, 1, 2], [0, 5, 3])
    data = (tmp_path / "curve.png").read_bytes()
    start = data.index(b"IDAT") + 4
    length = int.from_bytes(data[start - 8 : start - 4], "big")
    rows = np.frombuffer(zlib.decompress(data[start : start + length]), np.uint8).reshape(400, 1 + 3 * 640)
    blue = (rows[:, 1:].reshape(400, 640, 3) == (70, 130, 180)).all(axis=2)
    # From the bottom left to the top in the middle, and down again.
    assert blue[370, 30] and blue[:, 30:610].any(axis=0).all() and blue[30:36, 320].any() and not blue[:200, 40].any()


def test_learning_on_a_device_makes_its_turns(example, tmp_path, capsys):
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    module = example("learn_on_device")
    arguments = ["--worlds", "4", "--turns", "2", "--horizon", "2", "--out", str(tmp_path)]
    for device in ("emulated", "cpu"):
        module.main(["--device", device, *arguments])
        assert f"humanoid on {device}: return" in capsys.readouterr().out
    curve = np.load(tmp_path / "humanoid.npz")
    assert curve["actions"].tolist() == [8, 16] and (tmp_path / "humanoid.png").is_file()
