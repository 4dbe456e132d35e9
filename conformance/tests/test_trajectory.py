"""Trajectories about which nothing can be said: counted apart, however equal or different the engines are."""

import io
import json
import unittest
from contextlib import redirect_stdout
from unittest import mock

from conformance.engines import reference
from conformance.outcome import EQUAL, NOT_COMPARABLE, Outcome, run
from conformance.pair import Sampling
from conformance.plan import Run, run_plan
from conformance.report import as_json, print_summary, trajectories
from conformance.sources import ModelSource

# The spring is too stiff for the time step: velocities pass the largest allowed within three steps.
UNSTABLE = """<mujoco><option timestep="1"/><worldbody><body><joint type="slide" stiffness="1e9"/>
    <geom size=".1" mass="1"/></body></worldbody></mujoco>"""
# Nothing makes a small change grow.
CALM = """<mujoco><worldbody><body><joint type="slide"/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""

SAMPLING = Sampling(0, 0, 60)
INTEGRATORS = 4


def outcome_of(text: str) -> Outcome:
    """The trajectories of the reference beside itself."""
    engine = reference()
    return run(ModelSource("model", "test", text=text), engine, engine, "trajectory", SAMPLING)


class NotComparable(unittest.TestCase):
    """Motions that are unstable or chaotic before the first point of comparison."""

    def test_unstable_from_the_start(self) -> None:
        outcome = outcome_of(UNSTABLE)
        self.assertEqual(outcome.status, NOT_COMPARABLE)
        self.assertTrue(outcome.passed)
        self.assertEqual((outcome.compared, outcome.identical), (0, 0))
        self.assertEqual(len(outcome.results), INTEGRATORS)
        for result in outcome.results:
            self.assertFalse(result.comparable or result.is_identical)
            self.assertIn("not comparable: the reference is unstable within the first 3 steps", result.note)

    def test_chaotic_from_the_start(self) -> None:
        with mock.patch("conformance.trajectory.CHAOTIC", 1e-20):
            outcome = outcome_of(CALM)
        self.assertEqual((outcome.status, outcome.compared, outcome.identical), (NOT_COMPARABLE, 0, 0))
        for result in outcome.results:
            self.assertIn("not comparable: chaotic within the first 3 steps", result.note)

    def test_a_comparable_motion_still_counts(self) -> None:
        outcome = outcome_of(CALM)
        self.assertEqual((outcome.status, outcome.compared, outcome.identical), (EQUAL, INTEGRATORS, INTEGRATORS))

    def test_reports_count_them_apart(self) -> None:
        outcomes = [outcome_of(CALM), outcome_of(UNSTABLE)]
        line = "smooth: 4 of 4 within 1e-09, 4 with the same bits, 4 not comparable"
        self.assertIn(line, trajectories(outcomes))
        text = io.StringIO()
        with redirect_stdout(text):
            print_summary(outcomes)
            run_plan((Run("trajectory", ("test",), SAMPLING),), lambda *_: outcomes)
        group = next(row for row in text.getvalue().splitlines() if row.startswith("test "))
        models, equal, not_comparable, failed = (group.split()[i] for i in (1, 2, 5, 6))
        self.assertEqual((models, equal, not_comparable, failed), ("2", "1", "1", "0"))
        self.assertIn("equal to the last bit: 4 of 4 comparisons", text.getvalue())
        row = next(row for row in text.getvalue().splitlines() if row.startswith("trajectory "))
        # One model, equal, none failed; four comparisons, none out of tolerance, all with the same bits.
        self.assertEqual(row.split()[2:5] + row.split()[6:9], ["1", "1", "0", "4", "0", "4"])
        self.assertIn(line, row)

    def test_json_gives_no_difference(self) -> None:
        fields = json.loads(json.dumps(as_json([outcome_of(UNSTABLE)], {})))["models"][0]["fields"]
        for field in fields:
            self.assertEqual((field["comparable"], field["absolute"], field["relative"]), (False, None, None))


if __name__ == "__main__":
    unittest.main()
