"""Entry point of `python -m conformance`."""

import sys

from conformance.command import main

sys.exit(main())
