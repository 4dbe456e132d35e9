"""How many instructions a step takes, and that none of them calls through a pointer.

    python -m conformance.instructions [--store]

Counts are those of callgrind, the difference of a long and a short run over their steps, so that loading is left out. They
do not depend on how busy or fast the machine is. What is stored (`instructions.json`) belongs to one compiler; another one
is told so and compared with nothing. More than one in a hundred above what is stored fails, as much below is worth
being stored (`--store`).

With the places for laws cut out of the source, so that the model's own are called directly, a step of the cloth took 1,804,514
instructions and one of the humanoid 321,922 (rustc 1.95.0): what is stored is 0.02 % less and 0.17 % more.

An indirect call is one whose target stands in a register or in memory. Those to the C library do not count: memory is
copied and filled through addresses that the loader found. A step of the plain interface, and one with every law replaced
by a type, has no other. A law that is lent as trait object has, which shows that the search finds what it looks for.

Needs valgrind, which is installed where that is possible, and objdump. Says what is not checked where they cannot be had.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STORE = Path(__file__).with_name("instructions.json")
# Above the stored count by more than this is slower.
TOLERANCE = 0.01
# Steps of the short run, and of the long run of each scene: more than 10⁸ instructions apart, since loading takes a few
# ten thousand more or less from run to run (tables of names are hashed by random keys).
SHORT = 10
SCENES = {"cloth": 110, "humanoid": 510, "lanes": 260, "laws": 60}
# Steps over which calls are looked for. Eight worlds side by side call the code of lanes through pointers, once per call for
# all worlds.
LONG = 30
STATIC, LENT = ("cloth", "humanoid", "laws"), "lent"


class Missing(Exception):
    """Something is not on this machine, and the check is left to others."""


@dataclass(frozen=True)
class Call:
    """Where a call stands and what it calls."""

    program: str
    address: int
    target_program: str
    target: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and compare. Exit status: 0 as stored or not to be had, 1 slower or calls through pointers."""
    options = _parser().parse_args(arguments)
    try:
        find_tools()
        compiler = _output("rustc", "--version").strip()
        program = build()
        counts = {scene: count(program, scene, steps) for scene, steps in SCENES.items()}
        found = {scene: indirect_calls(program, scene) for scene in (*STATIC, LENT)}
    except Missing as missing:
        print(f"not checked here: {missing}")
        return 0
    stored = json.loads(STORE.read_text()) if STORE.exists() else {}
    if options.store:
        STORE.write_text(json.dumps({**stored, compiler: counts}, indent=2) + "\n")
        stored[compiler] = counts
    bad = [*verdict_of_counts(counts, stored, compiler), *verdict_of_calls(found)]
    for line in bad:
        print(f"error: {line}")
    return 1 if bad else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance.instructions", description=__doc__.split("\n")[0])
    parser.add_argument("--store", action="store_true", help="keep the counts of this compiler for later runs")
    return parser


def verdict_of_counts(counts: dict[str, int], stored: dict[str, dict[str, int]], compiler: str) -> Iterable[str]:
    """Print the counts; what is slower than it was."""
    before = stored.get(compiler)
    if before is None:
        known = ", ".join(stored) or "none"
        print(f"not compared here: counts are stored for {known}, and this is {compiler}")
    print(f"{'instructions per step':24} {'now':>12} {'stored':>12} {'ratio':>8}")
    for scene, now in counts.items():
        then = (before or {}).get(scene)
        if then is None:
            print(f"{scene:24} {now:12}")
            continue
        ratio = now / then
        print(f"{scene:24} {now:12} {then:12} {ratio:8.4f}{'  store it' if ratio < 1 - TOLERANCE else ''}")
        if ratio > 1 + TOLERANCE:
            yield f"a step of `{scene}` takes {now} instructions, {ratio:.3f} times what is stored"


def verdict_of_calls(found: dict[str, Counter[str]]) -> Iterable[str]:
    """Print the calls through pointers; where there are some, or none are found where there must be."""
    for scene, calls in found.items():
        print(f"{scene:24} {calls.total()} calls through pointers")
        if scene == LENT and not calls:
            yield f"no call through a pointer was found in `{scene}`, where there are some"
        elif scene != LENT and calls:
            target, times = calls.most_common(1)[0]
            yield f"steps of `{scene}` call through pointers, {times} times {target}"


def find_tools() -> None:
    """Install what is not here."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise Missing("instructions are counted on Linux on x86-64")
    if not shutil.which("valgrind") and shutil.which("apt-get") and os.geteuid() == 0:
        for command in (("update", "-qq"), ("install", "-qq", "-y", "--no-install-recommends", "valgrind")):
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            try:
                subprocess.run(("apt-get", *command), env=environment, capture_output=True, timeout=120)
            except subprocess.TimeoutExpired:
                break
    for tool in ("valgrind", "objdump", "cargo", "rustc"):
        if not shutil.which(tool):
            raise Missing(f"it needs {tool}")


def build() -> Path:
    """The program with the scenes, as users compile it."""
    command = ("cargo", "build", "--locked", "--quiet", "--release", "--package", "sinew", "--example", "instructions")
    for line in _output(*command, "--message-format=json").splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "instructions":
            return Path(message["executable"])
    raise RuntimeError("cargo built no program")


def count(program: Path, scene: str, steps: int) -> int:
    """Instructions per step."""
    short, long = (_summary(_profile(program, scene, length)) for length in (SHORT, steps))
    return round((long - short) / (steps - SHORT))


def indirect_calls(program: Path, scene: str) -> Counter[str]:
    """What the steps between a short and a long run call through pointers, and how often."""
    short, long = (calls(_profile(program, scene, steps)) for steps in (SHORT, LONG))
    long.subtract(short)
    places = indirect_places(_output("objdump", "--disassemble", "--no-show-raw-insn", str(program)))
    own = program.name
    found: Counter[str] = Counter()
    for call, times in long.items():
        if times and call.program == own == call.target_program and call.address in places:
            found[call.target] += times
    return found


def _profile(program: Path, scene: str, steps: int) -> str:
    """What callgrind writes about a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile"
        options = ("--dump-instr=yes", "--compress-pos=no", "--compress-strings=no", f"--callgrind-out-file={path}")
        run = ("valgrind", "--tool=callgrind", *options, str(program), scene, str(steps))
        done = subprocess.run(run, cwd=folder, capture_output=True, text=True)
        if "no registers for lanes" in done.stderr:
            raise Missing("the processor has no registers for lanes")
        if done.returncode != 0:
            raise RuntimeError(f"`{scene}` did not run: {done.stderr[-2000:]}")
        return path.read_text(errors="replace")


def _summary(profile: str) -> int:
    """All instructions of a run."""
    found = re.search(r"^(?:summary|totals): (\d+)", profile, re.MULTILINE)
    if not found:
        raise RuntimeError("callgrind wrote no sum")
    return int(found[1])


def calls(profile: str) -> Counter[Call]:
    """All calls of a run: a line `calls=TIMES …` is followed by one that begins with the place of the call."""
    found: Counter[Call] = Counter()
    here, there, target, times = "", None, "", None
    for line in profile.splitlines():
        if times is not None:
            address = int(line.split()[0], 0)
            found[Call(Path(here).name, address, Path(there or here).name, target)] += times
            there, times = None, None
            continue
        key, _, value = line.partition("=")
        if key == "ob":
            here = value
        elif key == "cob":
            there = value
        elif key == "cfn":
            target = value
        elif key == "calls":
            times = int(value.split()[0])
    return found


def indirect_places(disassembly: str) -> set[int]:
    """Addresses of calls and jumps through registers and memory."""
    pattern = re.compile(r"^\s*([0-9a-f]+):\s+(?:bnd |notrack )*(?:call|jmp)q?\s+\*", re.MULTILINE)
    return {int(found[1], 16) for found in pattern.finditer(disassembly)}


def _output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(command)}` failed")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
