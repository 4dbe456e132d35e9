"""Entry point of `python -m conformance.race`."""

import sys

from conformance.race.command import main

sys.exit(main())
