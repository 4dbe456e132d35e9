"""The comparison itself: what passes, what fails, and how it is reported."""

import unittest

import numpy as np

from conformance.compare import compare_field


class CompareField(unittest.TestCase):
    """Rules of a single field."""

    def test_integers_must_be_equal(self) -> None:
        result = compare_field("n", np.array([1, 2, 3], dtype=np.int32), np.array([1, 5, 3], dtype=np.int32))
        self.assertFalse(result.passed)
        self.assertEqual((result.absolute, result.index), (3.0, (1,)))

    def test_difference_is_relative_to_the_largest_magnitude(self) -> None:
        expected = np.array([1000.0, 1.0])
        self.assertTrue(compare_field("x", expected, expected + [0, 9e-10]).passed)
        self.assertFalse(compare_field("x", expected, expected + [0, 2e-9]).passed)

    def test_small_fields_are_compared_absolutely(self) -> None:
        expected = np.array([1e-6])
        self.assertTrue(compare_field("x", expected, expected + 9e-13).passed)

    def test_single_precision_fields_have_a_wider_limit(self) -> None:
        expected = np.array([1.0], dtype=np.float32)
        self.assertTrue(compare_field("x", expected, np.array([1.0 + 5e-7], dtype=np.float32)).passed)
        self.assertFalse(compare_field("x", expected, np.array([1.0 + 5e-6], dtype=np.float32)).passed)

    def test_not_a_number_equals_only_itself(self) -> None:
        expected = np.array([np.nan, np.inf, 1.0])
        self.assertTrue(compare_field("x", expected, expected.copy()).passed)
        self.assertFalse(compare_field("x", expected, np.array([0.0, np.inf, 1.0])).passed)
        self.assertFalse(compare_field("x", expected, np.array([np.nan, np.inf, np.nan])).passed)

    def test_shape_and_presence_count(self) -> None:
        self.assertIn("shape", compare_field("x", np.zeros(3), np.zeros(4)).note)
        self.assertEqual(compare_field("x", np.zeros(3), None).note, "missing")


if __name__ == "__main__":
    unittest.main()
