"""The rules about motion: the reference agrees with itself, and a small error is found."""

import unittest
from types import SimpleNamespace

import numpy as np

from conformance.compare import FieldResult
from conformance.contact import compare_contact
from conformance.data_fields import ELLIPTIC, ON_CONE, PGS, read
from conformance.engines import reference
from conformance.pair import ISLANDS_OFF, Pair, Sampling
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


class Sliding:
    """Two elliptic contacts after Gauss-Seidel, as model and data at once: one slides, one sticks."""

    def __init__(self) -> None:
        self.opt = SimpleNamespace(solver=PGS, noslip_iterations=0)
        self.nisland = 0
        self.efc_type = np.full(6, ELLIPTIC)
        self.efc_id = np.repeat([0, 1], 3)
        self.efc_state = np.ones(6, dtype=int)
        self.efc_force = np.array([2.0, 1.0 - 1e-15, 0.0, 2.0, 0.5, 0.0])
        friction = np.full(5, 0.5)
        self.contact = [SimpleNamespace(efc_address=address, dim=3, friction=friction) for address in (0, 3)]


class Rules(unittest.TestCase):
    """Each stage on models with and without contact."""

    def test_the_reference_agrees_with_itself(self) -> None:
        for stage in STAGES:
            for name in ("humanoid.xml", "box_pile.xml", "double_pendulum.xml", "flex/trilinear_jelly.xml"):
                with self.subTest(stage=stage.__name__, model=name):
                    found = stage(pair_of(name), SAMPLING)
                    self.assertEqual(failures(found.fields), [])
                    self.assertGreater(found.states, 0)

    def test_a_small_error_is_found(self) -> None:
        for stage, field in zip(STAGES, ("qacc_smooth", "qvel", "qpos, no constraints, Euler"), strict=True):
            with self.subTest(stage=stage.__name__):
                found = stage(pair_of("humanoid.xml", 1 + 1e-7), SAMPLING)
                self.assertIn(field, failures(found.fields))

    def test_states_of_sliding_contacts_do_not_count(self) -> None:
        data = Sliding()
        self.assertEqual(read(data, data, "efc_state_solved").tolist(), [ON_CONE] * 3 + [1] * 3)

    def test_flexes_slide_only_and_are_solved_whole(self) -> None:
        pair = pair_of("flex/trilinear_jelly.xml")
        pair.reference.flex_condim[:] = 6
        pair.slide_only()
        pair.solve_whole()
        for model in pair.models:
            self.assertEqual(model.flex_condim.max(), 3)
            self.assertTrue(model.opt.disableflags & ISLANDS_OFF)

    def test_an_error_is_not_taken_for_sensitivity(self) -> None:
        found = compare_contact(pair_of("humanoid.xml", 1 + 1e-7), SAMPLING)
        sensitive = next(result for result in found.fields if result.field == SENSITIVE)
        self.assertEqual(sensitive.absolute, 0)


if __name__ == "__main__":
    unittest.main()
