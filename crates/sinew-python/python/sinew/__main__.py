"""``python -m sinew view MODEL``: a model in a browser."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 the page was closed, 1 the model does not load."""
    parser = argparse.ArgumentParser(prog="python -m sinew")
    commands = parser.add_subparsers(dest="command", required=True)
    view = commands.add_parser("view", help="show a model in a browser")
    view.add_argument("model", help="a model file")
    view.add_argument("--host", default="127.0.0.1", help="address to serve on (this machine only)")
    view.add_argument("--port", type=int, default=8080, help="port, or the next that is free (8080)")
    view.add_argument("--token", help="word that the page's address needs; otherwise one is made, '' is none")
    view.add_argument("--name", action="append", default=[], help="a further name of this machine to be asked by")
    options = parser.parse_args(arguments)

    import sinew
    from sinew import viewer

    try:
        viewer.view(options.model, host=options.host, port=options.port, token=options.token, hosts=tuple(options.name))
    except (sinew.LoadError, ImportError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
