"""The race of graphics processors runs without one, on worlds that the processor computes with their kernels."""

from pathlib import Path

import pytest

from conformance.gpu_race.agreement import bits_that_differ, repeats, single_precision_errors
from conformance.gpu_race.command import main
from conformance.gpu_race.work import Work

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="module")
def humanoid() -> Work:
    return Work.of(str(MODELS / "humanoid.xml"))


def test_worlds_agree(humanoid):
    found = bits_that_differ(humanoid, "emulated", 3, (1, 15))
    assert found == {1: (0, found[1][1]), 15: (0, found[15][1])} and found[1][1] > 100
    assert repeats(humanoid, "emulated", "f32", 2, 5, 3) == (True, True)
    errors = single_precision_errors(humanoid, "emulated", 3)
    assert set(errors) == {"qpos", "qvel", "qacc_warmstart"}
    assert all(0 < worst < 1e-3 for _, _, worst in errors.values())


def test_a_difference_is_seen(humanoid, monkeypatch):
    made = Work.batch

    def other_on_a_device(self, worlds, device, precision):
        batch = made(self, worlds, device, precision)
        if batch.is_on_device:
            batch.qvel[1, 3] += 1e-15
        return batch

    monkeypatch.setattr(Work, "batch", other_on_a_device)
    assert bits_that_differ(humanoid, "emulated", 2, (3,))[3][0] > 0


def test_tables_are_printed(capsys):
    arguments = (
        "--device emulated --worlds 1 2 --compared 2 --marks 1 2 --repeated 1 2 --steps 1 --without-warp".split()
    )
    models = [str(MODELS / name) for name in ("humanoid.xml", "terrain.xml")]
    assert main([*models, *arguments]) == 0
    told = capsys.readouterr().out
    assert "0 of" in told and "equal bits" in told and "OTHER" not in told and "first step" in told
    rows = [line.split() for line in told.splitlines() if line.strip().startswith(("1 ", "2 "))]
    assert [row[0] for row in rows[:2]] == ["1", "2"] and all(float(cell) > 0 for row in rows[:2] for cell in row[1:3])


def test_devices_that_are_not_there_are_told(capsys):
    arguments = ["--device", "cuda:77", "--worlds", "2", "--only", "speed", "--precision", "f64", "--without-warp"]
    assert main([str(MODELS / "humanoid.xml"), *arguments]) == 0
    assert any(kind in capsys.readouterr().out for kind in ("no-driver", "no-device", "old-kernels"))
