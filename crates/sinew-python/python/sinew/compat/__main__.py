"""Runs a program with sinew in the place of mujoco: ``python -m sinew.compat script.py …`` or ``-m module …``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from ._install import install

USAGE = "usage: python -m sinew.compat [-m MODULE | -c CODE | SCRIPT] [ARGUMENT …]"


def main() -> int:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help") or (arguments[0] in ("-m", "-c") and len(arguments) < 2):
        print(USAGE, file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    install()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        exec(compile(arguments[1], "<string>", "exec"), {"__name__": "__main__"})
    else:
        script = Path(arguments[0])
        if not script.exists():
            print(f"{script}: there is no such file\n{USAGE}", file=sys.stderr)
            return 2
        sys.argv = arguments
        sys.path[0] = str(script.resolve().parent)
        runpy.run_path(str(script), run_name="__main__")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
