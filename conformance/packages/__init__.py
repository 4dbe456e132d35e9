"""What others have built on the reference, with it and with sinew in its place. ``python -m conformance.packages``."""
