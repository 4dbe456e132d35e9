"""All packages, by name."""

from __future__ import annotations

from . import dm_like, gymnasium_like, jax_like, tools
from .motion import Use

USES: dict[str, Use] = {**gymnasium_like.USES, **dm_like.USES, **jax_like.USES, **tools.USES}
