"""The race of batches runs, sees whether bits are the same, and says what is missing."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from conformance.batch_race import gym, scaling, soak
from conformance.batch_race.command import OURS, PINNED, SCALAR, SINGLE, line, main, models, summary


def row(ours: float, scalar: float, theirs: float, same: bool = True) -> dict:
    speeds = {OURS: ours, SINGLE: ours, SCALAR: scalar, PINNED: theirs, "mujoco 9": theirs / 2}
    return {
        "model": "m",
        "worlds": 2,
        "threads": 1,
        "speeds": {name: {"per_processor_second": x, "per_second": x} for name, x in speeds.items()},
        "same_bits_as_scalar": same,
        "far_from_reference": 0.0,
    }


def silently(call, *given):
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        return call(*given), text.getvalue()


class Races(unittest.TestCase):
    def test_a_small_race_runs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "found.json"
            command = ["--models", "quadruped", "--worlds", "3", "--steps", "5", "--rounds", "1", "--json", str(path)]
            # The running environment has the pinned release: a second process without a second environment.
            status, text = silently(main, [*command, "--threads", "2", "--release", "3.5.0"])
            (found,) = json.loads(path.read_text())
        self.assertEqual(status, 0, text)
        self.assertTrue(found["same_bits_as_scalar"])
        self.assertLess(found["far_from_reference"], 1e-9)
        self.assertEqual(len(found["speeds"]), 5)
        self.assertIn("geometric mean", text)

    def test_the_models_are_there(self) -> None:
        self.assertGreaterEqual(len(models()), 7)
        status, text = silently(main, ["--models", "no_such_model"])
        self.assertEqual(status, 2)
        self.assertIn("no_such_model", text)

    def test_what_a_world_costs_is_printed(self) -> None:
        status, text = silently(scaling.main, ["cartpole", "--worlds", "2", "8", "--steps", "16", "--rounds", "1"])
        self.assertEqual(status, 0, text)
        self.assertEqual(text.count("bytes"), 2)

    def test_a_soak_runs(self) -> None:
        minutes = ["--minutes", "0.005", "--warm", "0.005"]
        status, text = silently(soak.main, [*minutes, "--worlds", "4", "--growth", "1000"])
        self.assertEqual(status, 0, text)
        self.assertIn("failures", text)

    def test_environments_race_in_processes_of_their_own(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "found.json"
            command = ["--tasks", "Hopper", "--environments", "2", "3", "--processes", "2", "--seconds", "0.01"]
            status, text = silently(gym.main, [*command, "--rounds", "1", "--json", str(path)])
            found = json.loads(path.read_text())
        self.assertEqual(status, 0, text)
        self.assertEqual([set(race["speeds"]) for race in found], [{"sinew", "sync", "async"}, {"sinew", "sync"}])
        self.assertEqual(text.count("Hopper"), 2)

    def test_limits_and_different_bits_fail(self) -> None:
        self.assertEqual(silently(summary, [row(3.0, 1.0, 1.0)], 2.0)[0], 0)
        self.assertEqual(silently(summary, [row(3.0, 1.0, 2.0)], 2.0)[0], 1)
        self.assertEqual(silently(summary, [row(3.0, 1.0, 1.0, same=False)], None)[0], 1)
        self.assertIn("DIFFERENT BITS", line(row(1.0, 1.0, 1.0, same=False)))
