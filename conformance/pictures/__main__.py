"""`python -m conformance.pictures`."""

import sys

from conformance.pictures.command import main

sys.exit(main())
