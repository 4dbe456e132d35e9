"""When two motions of a package count as equal."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import numpy as np

from conformance.packages.motion import flat
from conformance.packages.verdict import Numbers, difference, judge


def _numbers(*rows: list[float]) -> Numbers:
    return Numbers([np.array(row) for row in rows], 1.0, "")


class Verdicts(unittest.TestCase):
    def test_differences_are_relative_to_large_numbers(self):
        self.assertEqual(difference(np.array([100.0, 0.1]), np.array([101.0, 0.1])), 0.01)
        self.assertEqual(difference(np.array([0.25, np.nan]), np.array([0.5, np.nan])), 0.25)
        self.assertEqual(difference(np.array([1.0, np.inf]), np.array([1.0, np.inf])), 0.0)

    def test_what_is_no_number_or_missing_is_infinitely_far(self):
        self.assertEqual(difference(np.array([1.0]), np.array([np.nan])), np.inf)
        self.assertEqual(difference(np.array([1.0]), np.array([1.0, 1.0])), np.inf)

    def test_ten_times_what_the_reference_makes_of_a_change_is_equal(self):
        reference, nudged = _numbers([0.0], [0.0]), _numbers([0.0], [1e-6])
        near = judge(reference, [nudged], _numbers([0.0], [9e-6]))
        self.assertEqual((near.said, near.steps, near.largest), ("", 2, 9e-6))
        self.assertIn("at step 2", judge(reference, [nudged], _numbers([0.0], [2e-5])).said)
        # What it makes of it later does not excuse what differs before.
        self.assertIn("at step 1", judge(reference, [nudged], _numbers([2e-6], [0.0])).said)

    def test_the_change_of_which_the_reference_makes_most_counts(self):
        reference, still, moved = _numbers([0.0], [0.0]), _numbers([0.0], [0.0]), _numbers([0.0], [1e-6])
        ours = _numbers([0.0], [5e-6])
        self.assertIn("at step 2", judge(reference, [still], ours).said)
        self.assertEqual(judge(reference, [still, moved], ours).said, "")

    def test_comparison_ends_where_the_reference_is_chaotic(self):
        reference, nudged = _numbers([0.0], [0.0]), _numbers([0.0], [0.1])
        found = judge(reference, [nudged], _numbers([0.0], [5.0]))
        self.assertEqual((found.said, found.steps, found.is_chaotic), ("", 1, True))

    def test_what_the_reference_does_not_run_is_not_judged(self):
        fails = Numbers([], 0.0, "OSError: no file")
        self.assertFalse(judge(fails, [fails], _numbers([0.0])).is_judged)
        found = judge(_numbers([0.0]), [_numbers([0.0])], fails)
        self.assertTrue(found.is_judged)
        self.assertEqual(found.said, "OSError: no file")

    def test_a_motion_that_ends_early_is_not_equal(self):
        found = judge(_numbers([0.0], [0.0]), [_numbers([0.0], [0.0])], _numbers([0.0]))
        self.assertEqual(found.said, "ended after 1 steps of 2")

    def test_rows_of_different_lengths_are_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "0.npz"
            np.savez(file, values=np.arange(3.0), lengths=[1, 2], seconds=0.5, error="")
            found = Numbers.read(file)
            self.assertEqual([row.tolist() for row in found.rows], [[0.0], [1.0, 2.0]])
            self.assertNotEqual(Numbers.read(Path(folder) / "1.npz").error, "")

    def test_observations_stand_in_the_order_of_their_names(self):
        self.assertEqual(flat({"b": [2.0, 3.0], "a": {"x": 1.0}}, 4.0).tolist(), [1.0, 2.0, 3.0, 4.0])


if __name__ == "__main__":
    unittest.main()
