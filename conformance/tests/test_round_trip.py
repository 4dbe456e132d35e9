"""Saved models loaded again: a few of those that ``python -m conformance.round_trip`` asks about."""

from __future__ import annotations

import unittest

from conformance.engines import candidate, reference
from conformance.round_trip import TEXT, compare_texts, travel
from conformance.sources import ModelSource, own, resolve

# What the compiler joins, drops, scales, attaches and fits, and some that move.
SAMPLE = (
    "attach",
    "compiler_",
    "humanoid.xml",
    "quadruped.xml",
    "manipulator.xml",
    "tendon",
    "trilinear_jelly",
    "cloth",
)


class RoundTrips(unittest.TestCase):
    def test_a_sample_of_models_is_the_same_again(self):
        ours, theirs = candidate(), reference()
        sources = [source for source in own() if any(part in source.name for part in SAMPLE)]
        sources += resolve(["gymnasium"], ["half_cheetah", "ant.xml"])
        count = 0
        for source in sources:
            with self.subTest(model=source.name):
                trip = travel(source, ours, theirs)
                self.assertEqual((trip.said, trip.wrong), ("", ()) if trip.is_model else (trip.said, ()))
                count += trip.is_model
        self.assertGreater(count, 12)

    def test_a_number_that_changes_is_found(self):
        ours = candidate()
        text = "<mujoco><worldbody><body><joint/><geom size='{}'/></body></worldbody></mujoco>"
        models = [ModelSource("ball", "text", text=text.format(size)).load(ours) for size in (0.1, 0.1001)]
        found = {one.field for one in compare_texts(*models, ["geom_size", "body_mass", "nbody", "jnt_axis"])}
        self.assertEqual(found, {"geom_size", "body_mass"})
        self.assertLess(TEXT.relative, 1e-4)


if __name__ == "__main__":
    unittest.main()
