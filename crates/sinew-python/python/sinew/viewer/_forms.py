"""Triangles of shapes: corners (n, 3) and faces (m, 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]
_SLICES, _STACKS = 24, 12


def ball(size: Any) -> Mesh:
    """An ellipsoid."""
    return _round(np.asarray(size, float), 0.0)


def capsule(radius: float, half: float) -> Mesh:
    """A capsule along z."""
    return _round(np.full(3, radius), half)


def _round(size: np.ndarray, half: float) -> Mesh:
    """Rings from the lower pole to the upper one, with a stretch between two halves."""
    up = np.linspace(-np.pi / 2, np.pi / 2, _STACKS + 2)
    up = (
        np.concatenate([up[: len(up) // 2], up[len(up) // 2 :]]) if half == 0 else np.sort(np.append(up, [-1e-9, 1e-9]))
    )
    around = np.linspace(0, 2 * np.pi, _SLICES, endpoint=False)
    rings = np.stack(
        [
            np.outer(np.cos(up), np.cos(around)) * size[0],
            np.outer(np.cos(up), np.sin(around)) * size[1],
            np.repeat((np.sin(up) * size[2] + np.where(up < 0, -half, half))[:, None], _SLICES, axis=1),
        ],
        axis=-1,
    )
    return rings.reshape(-1, 3), _grid_faces(len(up), _SLICES, is_closed=True)


def cylinder(radius: float, half: float) -> Mesh:
    """A cylinder along z."""
    around = np.linspace(0, 2 * np.pi, _SLICES, endpoint=False)
    circle = np.stack([np.cos(around), np.sin(around)], axis=-1) * radius
    rings = [(0.0, -half), (1.0, -half), (1.0, -half), (1.0, half), (1.0, half), (0.0, half)]
    corners = [np.concatenate([circle * part, np.full((_SLICES, 1), z)], axis=1) for part, z in rings]
    return np.concatenate(corners), _grid_faces(len(rings), _SLICES, is_closed=True)


def plate(half_x: float, half_y: float) -> Mesh:
    """A rectangle."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float) * [half_x, half_y, 1]
    return corners, np.array([[0, 1, 2], [0, 2, 3]])


def ground(heights: np.ndarray, size: Any) -> Mesh:
    """A height field, without its sides."""
    rows, columns = heights.shape
    x, y = np.meshgrid(np.linspace(-size[0], size[0], columns), np.linspace(-size[1], size[1], rows))
    corners = np.stack([x, y, heights * size[2]], axis=-1).reshape(-1, 3)
    return corners, _grid_faces(rows, columns, is_closed=False)


def _grid_faces(rows: int, columns: int, is_closed: bool) -> np.ndarray:
    """Two triangles between each four neighbours; columns may close a circle."""
    numbers = np.arange(rows * columns).reshape(rows, columns)
    right = np.roll(numbers, -1, axis=1)
    a, b, c, d = numbers[:-1], right[:-1], right[1:], numbers[1:]
    if not is_closed:
        a, b, c, d = (part[:, :-1] for part in (a, b, c, d))
    return np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)], axis=2).reshape(-1, 3)
