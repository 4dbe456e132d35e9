"""The reference's own tests with sinew in its place. ``python -m conformance.suites``.

The installed package of the reference brings its tests along. Each file is copied into a folder of its own and run twice
in this environment, by pytest: as it is, and with ``sinew.compat`` installed. What passes as it is and not with sinew is
listed, with the last line that pytest says of it. Nothing is judged that the reference itself does not pass here.

Tests that need other packages (``absl-py``, ``etils``, and for ``sysid`` ``scipy``, ``colorama``, ``tabulate``, ``pyyaml``,
``jinja2``, ``plotly``, ``pandas``, ``matplotlib``) are left out by pytest in both runs if those are missing, which shows in
the counts. The tests of ``sysid`` are not in the package: ``--source FOLDER`` says where a checkout of the reference is. The
tests that dm_control brings along are asked for by name (``--only dm_control.mujoco dm_control.suite``) and need ``mock``;
with ``MUJOCO_GL=osmesa`` they draw, too.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Parts of the installed package, and of a checkout.
INSTALLED = ("bindings", "specs", "rollout", "minimize", "msh2obj", "memory_leak", "renderer", "render")
CHECKED_OUT = {"sysid": "python/mujoco/sysid/tests"}
OTHERS = tuple(
    f"dm_control.{part}"
    for part in "mujoco mjcf composer suite entities manipulation locomotion rl utils _render".split()
)
SINEW = ("-p", "sinew.compat.pytest_plugin")
MOST_SECONDS = 1200


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.suites", description=__doc__)
    parser.add_argument("--only", nargs="*", metavar="SUITE", help=", ".join([*INSTALLED, *CHECKED_OUT, *OTHERS]))
    parser.add_argument("--source", type=Path, help="a checkout of the reference at the tag of the release")
    parser.add_argument("--share", type=float, default=0.95, help="of what passes with the reference")
    return parser.parse_args(given)


def placed(name: str, source: Path | None, folder: Path) -> list[str] | None:
    """What pytest is to run; None where there are no tests. They lie in a folder of their own, away from the packages
    beside them, unless they belong to another package."""
    target = folder / name
    if name in OTHERS:
        return ["--pyargs", name]
    if name in CHECKED_OUT:
        if source is None:
            return None
        shutil.copytree(source / CHECKED_OUT[name], target, ignore=shutil.ignore_patterns("__init__.py"))
        return [str(target)]
    package = importlib.util.find_spec("mujoco")
    if package is None or package.origin is None:
        raise SystemExit("the reference is not installed: pip install mujoco==3.5.0")
    target.mkdir()
    shutil.copy(Path(package.origin).parent / f"{name}_test.py", target)
    return [str(target)]


def outcomes(tests: list[str], folder: Path, options: tuple[str, ...]) -> dict[str, str]:
    """For each test "" if it passed, else what is said of it."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    quietly = ("-q", "-p", "no:cacheprovider", "--continue-on-collection-errors")
    command = [sys.executable, "-m", "pytest", *quietly, *options, f"--junitxml={report}", *tests]
    environment = {"MUJOCO_GL": "disable", **os.environ}
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=MOST_SECONDS, check=False)
    if not report.exists():
        return {}
    found = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        bad = [child for child in case if child.tag in ("failure", "error", "skipped")]
        said = (bad[0].get("message") or bad[0].tag).strip().splitlines()[0] if bad else ""
        found[f"{case.get('classname')}.{case.get('name')}"] = said
    return found


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    is_below = False
    print(f"{'suite':24}{'reference':>10}{'sinew':>8}{'share':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only or (*INSTALLED, *CHECKED_OUT):
            tests = placed(name, options.source, Path(folder))
            if tests is None:
                print(f"{name:24}  not run: --source says where its tests are")
                continue
            expected = [test for test, said in outcomes(tests, Path(folder), ()).items() if not said]
            if not expected:
                print(f"{name:24}  nothing passes with the reference here")
                continue
            found = outcomes(tests, Path(folder), SINEW)
            missed = [test for test in expected if found.get(test, "not run")]
            share = 1 - len(missed) / len(expected)
            is_below |= share < options.share
            print(f"{name:24}{len(expected):10}{len(expected) - len(missed):8}{share:8.1%}", flush=True)
            for test in missed:
                print(f"  {test.rpartition('.')[2]}: {found.get(test, 'not run')[:150]}")
    return int(is_below)


if __name__ == "__main__":
    raise SystemExit(main())
