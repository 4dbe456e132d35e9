"""The reference with another sine: the doubles nearest to the true values, instead of the C library's.

    python -m conformance own --stage trajectory --nearest-sine

Angles of single states can be moved to where the C library rounds correctly (`angles.py`); those of a trajectory go
where they go. What its wrong bits make of a thousand steps is therefore found the other way round: the same command is
run once more in a process into which a sine and a cosine in 113 bits are preloaded. The reference calls them like those
of the C library; nothing else is changed. Needs a C compiler with quadruple precision, as gcc has on Linux.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

OPTION = "--nearest-sine"

SOURCE = """
#include <quadmath.h>
double sin(double x) { return (double)sinq(x); }
double cos(double x) { return (double)cosq(x); }
"""


class CompilerMissing(RuntimeError):
    """The functions to preload cannot be made here."""


def run_with_nearest_sine(arguments: list[str]) -> int:
    """Run the command in a process of its own; its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "nearest_sine.c", Path(folder) / "nearest_sine.so"
        source.write_text(SOURCE)
        command = ["cc", "-O2", "-shared", "-fPIC", "-fno-builtin", source, "-o", library, "-lquadmath"]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise CompilerMissing(f"{OPTION} needs a C compiler with quadmath: {error}") from error
        kept = [argument for argument in arguments if argument != OPTION]
        environment = os.environ | {"LD_PRELOAD": str(library)}
        return subprocess.run([sys.executable, "-m", "conformance", *kept], env=environment).returncode
