"""How far a long call is, on the terminal."""

from __future__ import annotations

import sys
import time

WIDTH = 30


class Bar:
    """A line that grows: ``[#####     ] 500/1000, 3 s left``."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.began = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        full = WIDTH * done // max(total, 1)
        left = (time.monotonic() - self.began) * (total - done) / max(done, 1)
        end = "\n" if done == total else ""
        text = f"\r[{'#' * full:{WIDTH}}] {done}/{total}, {left:.0f} s left "
        self.stream.write(text + end)
        self.stream.flush()
