"""Pictures side by side as PNG files."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from conformance.pictures.compare import Views


def beside(ours: Views, theirs: Views) -> np.ndarray:
    """Reference, ours, their difference (grey where equal), and where they show different objects (white)."""
    difference = (ours.colours.astype(np.int16) - theirs.colours) // 2 + 128
    apart = (ours.objects != theirs.objects).any(axis=-1)
    shown = np.repeat(apart[..., None] * np.uint8(255), 3, axis=-1)
    return np.concatenate([theirs.colours, ours.colours, difference.astype(np.uint8), shown], axis=1)


def small(picture: np.ndarray, factor: int) -> np.ndarray:
    """A picture with sides divided by a number."""
    height, width = (side // factor * factor for side in picture.shape[:2])
    blocks = picture[:height, :width].reshape(height // factor, factor, width // factor, factor, 3)
    return blocks.mean(axis=(1, 3)).astype(np.uint8)


def stacked(rows: list[np.ndarray]) -> np.ndarray:
    """Pictures below each other, black beside narrow ones."""
    width = max(row.shape[1] for row in rows)
    return np.concatenate([np.pad(row, ((0, 0), (0, width - row.shape[1]), (0, 0))) for row in rows])


def write_png(path: Path, picture: np.ndarray) -> None:
    """Writes (height, width, 3) bytes."""
    height, width, _ = picture.shape
    # Each row begins with its filter: none.
    rows = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    file = b"\x89PNG\r\n\x1a\n"
    for kind, body in parts:
        file += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    path.write_bytes(file)
