"""The rules about motion: the reference agrees with itself, and a small error is found."""

import unittest

from conformance.compare import FieldResult
from conformance.contact import compare_contact
from conformance.engines import reference
from conformance.pair import Pair, Sampling
from conformance.smooth import compare_smooth
from conformance.sources import own
from conformance.tolerances import SENSITIVE
from conformance.trajectory import compare_trajectory

STAGES = (compare_smooth, compare_contact, compare_trajectory)
SAMPLING = Sampling(3, 0, 60)


def pair_of(name: str, gravity: float = 1.0) -> Pair:
    """The reference beside itself, with gravity scaled in the second."""
    engine = reference()
    source = next(source for source in own() if source.name == name)
    pair = Pair(engine, engine, source.load(engine), source.load(engine))
    pair.candidate.opt.gravity[2] *= gravity
    return pair


def failures(results: list[FieldResult]) -> list[str]:
    return [result.field for result in results if not result.passed]


class Rules(unittest.TestCase):
    """Each stage on models with and without contact."""

    def test_the_reference_agrees_with_itself(self) -> None:
        for stage in STAGES:
            for name in ("humanoid.xml", "box_pile.xml", "double_pendulum.xml"):
                with self.subTest(stage=stage.__name__, model=name):
                    found = stage(pair_of(name), SAMPLING)
                    self.assertEqual(failures(found.fields), [])
                    self.assertGreater(found.states, 0)

    def test_a_small_error_is_found(self) -> None:
        for stage, field in zip(STAGES, ("qacc_smooth", "qvel", "qpos, no constraints, Euler"), strict=True):
            with self.subTest(stage=stage.__name__):
                found = stage(pair_of("humanoid.xml", 1 + 1e-7), SAMPLING)
                self.assertIn(field, failures(found.fields))

    def test_an_error_is_not_taken_for_sensitivity(self) -> None:
        found = compare_contact(pair_of("humanoid.xml", 1 + 1e-7), SAMPLING)
        sensitive = next(result for result in found.fields if result.field == SENSITIVE)
        self.assertEqual(sensitive.absolute, 0)


if __name__ == "__main__":
    unittest.main()
