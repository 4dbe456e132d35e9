"""How alike two pictures are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

# Side of the windows in which structure is compared.
WINDOW = 7
# Shares of the range of bytes below which contrasts do not count, as the measure's authors chose them.
FAINT = (0.01 * 255) ** 2, (0.03 * 255) ** 2


@dataclass(frozen=True)
class Views:
    """What one renderer shows of a state: colours, distances, and ids with types of objects."""

    colours: np.ndarray
    depth: np.ndarray
    objects: np.ndarray


@dataclass(frozen=True)
class Likeness:
    """How alike two views are."""

    # Share of the pixels that show the same object.
    silhouettes: float
    # Share of the pixels of equal objects whose distances agree, and the largest relative difference among them.
    depths: float
    worst_depth: float
    # Mean structural similarity of the colours.
    structure: float

    def is_good(self, limits: Limits) -> bool:
        """Whether it is as good as was asked for."""
        return (
            self.silhouettes >= limits.silhouettes
            and self.depths >= limits.depths
            and self.structure >= limits.structure
        )


@dataclass(frozen=True)
class Limits:
    """The least that is good enough."""

    silhouettes: float = 0.995
    depth_difference: float = 1e-3
    depths: float = 0.999
    structure: float = 0.9


def compare(ours: Views, theirs: Views, limits: Limits) -> Likeness:
    """How alike two views of the same state are."""
    same = (ours.objects == theirs.objects).all(axis=-1)
    seen = same & (theirs.objects[..., 0] >= 0)
    difference = np.abs(ours.depth[seen] - theirs.depth[seen]) / theirs.depth[seen]
    return Likeness(
        silhouettes=float(same.mean()),
        depths=float((difference <= limits.depth_difference).mean()) if difference.size else 1.0,
        worst_depth=float(difference.max(initial=0.0)),
        structure=structural_similarity(ours.colours, theirs.colours),
    )


def structural_similarity(one: np.ndarray, other: np.ndarray) -> float:
    """The mean structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of two pictures' brightness."""
    a, b = (picture.astype(np.float64).mean(axis=-1) for picture in (one, other))
    mean_a, mean_b = _blurred(a), _blurred(b)
    spread_a = _blurred(a * a) - mean_a * mean_a
    spread_b = _blurred(b * b) - mean_b * mean_b
    common = _blurred(a * b) - mean_a * mean_b
    brightness = (2 * mean_a * mean_b + FAINT[0]) / (mean_a**2 + mean_b**2 + FAINT[0])
    structure = (2 * common + FAINT[1]) / (spread_a + spread_b + FAINT[1])
    return float((brightness * structure).mean())


def _blurred(values: np.ndarray) -> np.ndarray:
    return sliding_window_view(values, (WINDOW, WINDOW)).mean(axis=(-1, -2))
