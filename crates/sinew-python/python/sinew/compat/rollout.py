"""The reference's module ``rollout``; see ``sinew.rollout``."""

from ..rollout import Rollout, rollout, shutdown_persistent_pool

__all__ = ["Rollout", "rollout", "shutdown_persistent_pool"]
