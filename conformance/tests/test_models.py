"""Our models in the reference: they load, and run without a warning."""

import unittest

import numpy as np

from conformance.command import main
from conformance.engines import reference
from conformance.sources import own
from conformance.states import random_states

STEPS = 1000
PARTS = "features/parts/"


class OwnModels(unittest.TestCase):
    """Every model of this repository, run by the reference."""

    def test_each_model_steps_without_warning(self) -> None:
        engine = reference()
        for source in own():
            if source.name.startswith(PARTS):
                continue
            with self.subTest(model=source.name):
                model = source.load(engine)
                data = engine.data(model)
                for _ in range(STEPS):
                    engine.call("mj_step", model, data)
                self.assertEqual([warning.number for warning in data.warning], [0] * len(data.warning))
                self.assertTrue(np.isfinite(data.qpos).all())

    def test_random_states_repeat_and_stay_in_range(self) -> None:
        engine = reference()
        humanoid = next(source for source in own() if source.name == "humanoid.xml").load(engine)
        first, second = random_states(humanoid, 5, 7), random_states(humanoid, 5, 7)
        for one, other in zip(first, second, strict=True):
            np.testing.assert_array_equal(one["qpos"], other["qpos"])
        for state in first:
            angles = state["qpos"][7:]
            self.assertTrue((angles >= humanoid.jnt_range[1:, 0]).all() and (angles <= humanoid.jnt_range[1:, 1]).all())

    def test_the_reference_agrees_with_itself(self) -> None:
        for stage in ("model", "position"):
            self.assertEqual(main(["own", "--engine", "mujoco", "--stage", stage, "--states", "2", "--quiet"]), 0)


if __name__ == "__main__":
    unittest.main()
