"""The race of graphics processors runs without one, on worlds that the processor computes with their kernels."""

from dataclasses import replace
from pathlib import Path

import pytest

from conformance.gpu_race.agreement import bits_that_differ, repeats, single_precision_errors
from conformance.gpu_race.command import main
from conformance.gpu_race.statistics import Statistics, worse
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
    arguments = "--device emulated --worlds 1 2 --compared 2 --marks 1 2 --repeated 1 2 --steps 1".split()
    arguments += ["--with-processor", "--without-warp"]
    models = [str(MODELS / name) for name in ("humanoid.xml", "terrain.xml")]
    assert main([*models, *arguments]) == 0
    told = capsys.readouterr().out
    assert "0 of" in told and "equal bits" in told and "OTHER" not in told and "first step" in told
    rows = [line.split() for line in told.splitlines() if line.strip().startswith(("1 ", "2 "))]
    assert [row[0] for row in rows[:2]] == ["1", "2"] and all(float(cell) > 0 for row in rows[:2] for cell in row[1:4])


def test_devices_that_are_not_there_are_told(capsys):
    arguments = ["--device", "cuda:77", "--worlds", "2", "--only", "speed", "--precision", "f64", "--without-warp"]
    assert main([str(MODELS / "humanoid.xml"), *arguments]) == 0
    assert any(kind in capsys.readouterr().out for kind in ("no-driver", "no-device", "old-kernels"))


def test_what_goes_wrong_is_a_typed_error(capsys):
    assert main(["--device", "emulated", "--only", "errors"]) == 0
    told = capsys.readouterr().out
    assert told.count("ok ") == 8 and "WRONG" not in told


def test_worlds_have_statistics_in_common(capsys):
    arguments = "--device emulated --only statistics --observed 3 --looked-at 2 --long 20 --without-warp".split()
    assert main(["boxes2:32", *arguments]) == 0
    told = capsys.readouterr().out
    assert told.count("f32") == 2 and "swing" in told and "100.00%" not in told


def test_a_loser_is_told():
    exact = Statistics(contacts=4, rows=16, depth=1e-3, energy=1, drift=1e-6, bad=0)
    worse_one, better = replace(exact, contacts=5.0), replace(exact, contacts=4.5)
    assert worse({"f64": exact, "f32": exact}) is None
    assert worse({"f64": exact, "f32": better, "MJWarp": worse_one}) is None
    assert "contacts" in worse({"f64": exact, "f32": worse_one, "MJWarp": better})
    assert "bad" in worse({"f64": exact, "f32": replace(exact, bad=0.1), "MJWarp": exact})


def test_rooms_are_those_of_the_worlds(humanoid):
    assert humanoid.contacts == 16 and humanoid.rows > 16 * 4
    assert Work.of("boxes3:40").contacts == 40 and Work.of("boxes3").rows == 16 * 4
