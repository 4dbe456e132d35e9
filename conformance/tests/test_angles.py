"""Angles are moved by little, and only where the C library's sine or cosine is not the nearest double."""

import math
import unittest
from fractions import Fraction

import numpy as np

from conformance.angles import Settled, rounded_correctly
from conformance.engines import reference
from conformance.sources import own
from conformance.states import HINGE, random_states


def nearest_sine(angle: float) -> float:
    """The double nearest to the sine, from its series in exact arithmetic."""
    x = Fraction(angle)
    total = term = x
    for k in range(1, 30):
        term = term * -x * x / (2 * k * (2 * k + 1))
        total += term
    return float(total)


class Angles(unittest.TestCase):
    def test_moved_angles_are_those_that_the_library_rounds_wrongly(self) -> None:
        angles = np.random.default_rng(1).uniform(-1.5, 1.5, size=2000)
        correct = rounded_correctly(angles)
        self.assertGreater(correct.mean(), 0.95)
        for angle in angles[correct].tolist():
            self.assertEqual(math.sin(angle), nearest_sine(angle))

    def test_states_move_by_units_in_the_last_place(self) -> None:
        engine = reference()
        model = next(source for source in own() if source.name == "humanoid.xml").load(engine)
        settled = Settled(model)
        hinges = np.array(model.jnt_qposadr)[np.array(model.jnt_type) == HINGE]
        for state in random_states(model, 20, 3):
            moved = settled.state(state)
            self.assertTrue(rounded_correctly((moved["qpos"] - model.qpos0)[hinges] * 0.5).all())
            np.testing.assert_allclose(moved["qpos"], state["qpos"], rtol=0, atol=1e-13)
            others = np.delete(np.arange(model.nq), hinges)
            np.testing.assert_array_equal(moved["qpos"][others], state["qpos"][others])
        self.assertLess(settled.result().absolute, 0.05 * int(settled.result().reference))


if __name__ == "__main__":
    unittest.main()
