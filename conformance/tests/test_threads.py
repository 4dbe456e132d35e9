"""A shared model in many threads, a part of what ``python -m conformance.threads`` does."""

from __future__ import annotations

import unittest
from collections import Counter
from types import SimpleNamespace

from conformance.engines import candidate, reference
from conformance.threads import TEXT, first_use, share, trial


class Threads(unittest.TestCase):
    def test_first_uses_and_pickles_raise_nothing(self):
        done, pickles, steps, errors = trial(candidate().module, 400, 8)
        self.assertEqual((done, errors.total()), (400, 0), errors)
        self.assertGreater(min(pickles, steps), 0)

    def test_a_first_use_sees_what_the_reference_shows(self):
        seen = [first_use(module, module.MjModel.from_xml_string(TEXT), 3)[0] for module in self._modules()]
        self.assertEqual(seen[0], seen[1])

    def test_an_error_is_counted(self):
        def refuse(*_arguments):
            raise ValueError("no")

        broken = SimpleNamespace(**{**vars(candidate().module), "MjData": refuse})
        errors: Counter = Counter()
        share(broken, 8, 4, errors)
        self.assertEqual(errors["first use: ValueError: no"], 8)

    @staticmethod
    def _modules():
        return reference().module, candidate().module


if __name__ == "__main__":
    unittest.main()
