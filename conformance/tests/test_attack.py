"""A part of the attacks: the worst ones, and some files by a seed."""

import random
import unittest

from conformance.attack.cases import CASES
from conformance.attack.command import MEASURED, attack, size

SEED = 11
WORST = (
    "text sixteen textures of one image",
    "text half a million bodies",
    "text user data",
    "text large height fields",
    "text a palette that is not whole",
    "text empty site names",
    "call a rollout of a billion steps",
    "call a tampered pickle 0",
    "call a heap of boxes",
    "call copies of a large model",
    "call copies of a specification",
    "call rays without end",
    "spec long lists of a class",
    "wild device 0",
    "wild spec 0",
)


class Attacks(unittest.TestCase):
    def test_the_worst_end_in_an_error_or_well(self):
        for name in WORST:
            with self.subTest(name):
                outcome = attack(name, "512M")
                self.assertTrue(outcome.is_good, outcome)

    def test_some_of_all(self):
        names = sorted(name for name in CASES if not name.startswith(MEASURED))
        for name in random.Random(SEED).sample(names, 12):
            with self.subTest(name):
                outcome = attack(name, "512M")
                self.assertTrue(outcome.is_good, outcome)


class Memory(unittest.TestCase):
    def test_a_crowded_simulation_keeps_to_its_limit(self):
        outcome = attack("memory 500 boxes, conjugate gradients", "12G")
        self.assertTrue(outcome.is_good, outcome)


class Words(unittest.TestCase):
    def test_sizes(self):
        self.assertEqual([size("512M"), size("2g"), size("7")], [512 << 20, 2 << 30, 7])

    def test_there_are_cases_of_each_kind(self):
        kinds = [name.split()[0] for name in CASES]
        self.assertGreater(kinds.count("text"), 30)
        self.assertGreater(kinds.count("call"), 40)
        self.assertGreater(kinds.count("file"), 150)
        self.assertGreater(kinds.count("wild"), 50)


if __name__ == "__main__":
    unittest.main()
