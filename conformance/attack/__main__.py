"""Entry point of `python -m conformance.attack`."""

import sys

from conformance.attack.command import main

sys.exit(main())
