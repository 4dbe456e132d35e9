"""The reference's interactive viewer: sinew's, in a browser."""

from ..viewer import Handle, launch, launch_from_path, launch_passive

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive"]
