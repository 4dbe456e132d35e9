"""The committed table of names is what the command writes."""

from __future__ import annotations

import unittest

from conformance.engines import candidate, reference
from conformance.names import OUTPUT, Row, rows, table


class Names(unittest.TestCase):
    def test_the_table_is_the_one_that_is_written_now(self):
        text = table(list(rows(reference().module, candidate().module)))
        self.assertEqual(OUTPUT.read_text(), text, "run: python -m conformance.names")

    def test_a_name_that_is_not_there_needs_a_reason(self):
        found = list(rows(reference().module, candidate().module))
        with self.assertRaisesRegex(ValueError, "without a reason: mj_nothing"):
            table([*found, Row("mj_nothing", "function", "not there", True)])

    def test_a_reason_that_nothing_needs_is_refused(self):
        found = [row for row in rows(reference().module, candidate().module) if row.name != "mju_raySkin"]
        with self.assertRaisesRegex(ValueError, "nothing needs: mju_raySkin"):
            table(found)


if __name__ == "__main__":
    unittest.main()
