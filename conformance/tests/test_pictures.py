"""The measures that pictures are compared by."""

from __future__ import annotations

import tempfile
import unittest
import zlib
from pathlib import Path

import numpy as np

from conformance.pictures.compare import Limits, Views, compare, structural_similarity
from conformance.pictures.plan import sources
from conformance.pictures.sheet import beside, small, stacked, write_png


def picture(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (24, 32, 3), np.uint8)


class Measures(unittest.TestCase):
    """Equal pictures are as alike as can be, and what differs is noticed."""

    def setUp(self) -> None:
        objects = np.zeros((24, 32, 2), np.int32)
        objects[:4] = -1
        self.one = Views(picture(0), np.full((24, 32), 2.0, np.float32), objects)

    def test_equal_pictures(self) -> None:
        likeness = compare(self.one, self.one, Limits())
        self.assertEqual((likeness.silhouettes, likeness.depths, likeness.worst_depth), (1.0, 1.0, 0.0))
        self.assertAlmostEqual(likeness.structure, 1.0)
        self.assertTrue(likeness.is_good(Limits()))

    def test_each_difference_counts(self) -> None:
        objects, depth = self.one.objects.copy(), self.one.depth.copy()
        objects[10, :8] = 1
        depth[:12] = 2.1
        for other in (
            Views(self.one.colours, self.one.depth, objects),
            Views(self.one.colours, depth, self.one.objects),
            Views(picture(1), self.one.depth, self.one.objects),
        ):
            self.assertFalse(compare(self.one, other, Limits()).is_good(Limits()))
        found = compare(Views(self.one.colours, depth, objects), self.one, Limits())
        self.assertAlmostEqual(found.silhouettes, 1 - 8 / (24 * 32))
        self.assertAlmostEqual(found.worst_depth, 0.05, places=6)

    def test_structure_is_that_of_brightness(self) -> None:
        noise = picture(2)
        self.assertLess(structural_similarity(noise, picture(3)), 0.2)
        self.assertGreater(structural_similarity(noise, noise // 2 + 64), 0.7)


class Sheets(unittest.TestCase):
    """Pictures side by side."""

    def test_a_sheet_is_a_png_file(self) -> None:
        view = Views(picture(0), np.ones((24, 32), np.float32), np.zeros((24, 32, 2), np.int32))
        row = beside(view, view)
        self.assertEqual(row.shape, (24, 128, 3))
        sheet = stacked([row, small(row, 2)])
        self.assertEqual(sheet.shape, (36, 128, 3))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sheet.png"
            write_png(path, sheet)
            file = path.read_bytes()
        self.assertTrue(file.startswith(b"\x89PNG\r\n"))
        start = file.index(b"IDAT")
        length = int.from_bytes(file[start - 4 : start], "big")
        rows = np.frombuffer(zlib.decompress(file[start + 4 : start + 4 + length]), np.uint8).reshape(36, -1)
        self.assertTrue((rows[:, 0] == 0).all() and (rows[:, 1:].reshape(sheet.shape) == sheet).all())

    def test_our_own_models_are_drawn(self) -> None:
        self.assertEqual(sum(source.group == "own" for source in sources()), 14)


if __name__ == "__main__":
    unittest.main()
