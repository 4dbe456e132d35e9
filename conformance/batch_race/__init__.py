"""The race of batches: thousands of worlds at once, in one process. ``python -m conformance.batch_race``."""
