"""The race reads plans, sees different work, and says what is missing."""

import contextlib
import io
import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from conformance.race import plan
from conformance.race.command import main
from conformance.race.engines import Measurement
from conformance.race.table import STAGES, Row, geometric_mean, print_summary


def measurement(speed: float, rows: float = 10.0, **stages: float) -> Measurement:
    return Measurement(speed, 2.0, rows, 1.5, {name: stages.get(name, 1.0) for name in STAGES})


class Plans(unittest.TestCase):
    def test_a_plan_names_models_by_place(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plan.csv"
            lines = "name,model,key,warm,steps,episodes\na,made:x.xml,home,1,2,3\nb,own:pendulum.xml,-1,0,5,1\n"
            path.write_text(lines)
            first, second = plan.read(path, Path("made"))
        self.assertEqual(first, plan.Workload("a", Path("made/x.xml"), "home", 1, 2, 3))
        self.assertTrue(second.model.is_file())
        self.assertEqual(first.shortened(10).episodes, 1)

    def test_a_wrong_plan_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plan.csv"
            for text in ("name,model\na,b\n", "name,model,key,warm,steps,episodes\na,moon:x.xml,-1,0,1,1\n"):
                path.write_text(text)
                self.assertRaises(plan.PlanError, plan.read, path, Path("made"))

    def test_the_contact_free_models_exist(self) -> None:
        for work in plan.contact_free():
            self.assertTrue(work.model.is_file(), work.name)

    def test_deformables_are_found_below_the_shared_models(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            models = Path(folder) / "models"
            models.mkdir()
            with unittest.mock.patch.dict(os.environ, {"SINEW_SHARED": folder}):
                works = plan.flexes()
        self.assertIn(models / "mujoco" / "flex" / "flag.xml", [work.model for work in works])
        self.assertEqual(len({work.name for work in works}), 11)


class Tables(unittest.TestCase):
    def test_medians_and_different_work(self) -> None:
        ours = [measurement(speed, rows=10.2) for speed in (10.0, 40.0, 20.0)]
        row = Row("m", ours, {"1.0": [measurement(10.0)]})
        self.assertEqual(row.ratio("1.0"), 2.0)
        self.assertEqual(row.different_work("1.0"), ["rows 10.2 | 10"])

    def test_the_stage_that_costs_most(self) -> None:
        row = Row("m", [measurement(1.0, solver=5.0, rest=2.0)], {"1.0": [measurement(1.0)]})
        self.assertEqual(row.costs_most("1.0"), "solver +4.00 µs")

    def test_the_mean_treats_half_and_double_alike(self) -> None:
        self.assertAlmostEqual(geometric_mean([0.5, 2.0]), 1.0)


class Summaries(unittest.TestCase):
    def test_a_release_that_does_not_run_a_model_leaves_a_gap(self) -> None:
        rows = [
            Row("both", [measurement(30.0)], {"1.0": [measurement(10.0)], "2.0": [measurement(20.0)]}),
            Row("one", [measurement(10.0)], {"1.0": [measurement(10.0)]}),
        ]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            print_summary(rows, ["1.0", "2.0"])
        lines = said.getvalue().splitlines()
        self.assertEqual(lines[2].split()[:4], ["both", "30", "3.00", "1.50"])
        self.assertEqual(lines[3].split()[:4], ["one", "10", "1.00", "–"])
        self.assertEqual(lines[4].split()[-2:], ["1.73", "1.50"])


class Commands(unittest.TestCase):
    def test_a_missing_bench_folder_is_named(self) -> None:
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(main(["--bench", "no/such/folder", "--contact-free"]), 2)
        self.assertIn("no/such/folder has no reference.c", said.getvalue())


if __name__ == "__main__":
    unittest.main()
