"""A curve as a picture, without a library: an SVG file that every browser shows, or a PNG file."""

import struct
import zlib
from pathlib import Path

import numpy as np


def save(path: Path, x: list[float], y: list[float], labels: tuple[str, str], title: str) -> None:
    """Draws y over x."""
    width, height, edge = 640, 400, 60
    low, high = min(0.0, min(y)), max(y)
    across = (width - 2 * edge) / max(x[-1] - x[0], 1e-12)
    up = (height - 2 * edge) / max(high - low, 1e-12)
    points = " ".join(f"{edge + (a - x[0]) * across:.1f},{height - edge - (b - low) * up:.1f}" for a, b in zip(x, y))
    words = [
        (width / 2, 30, "middle", title),
        (width / 2, height - 15, "middle", labels[0]),
        (edge, edge - 12, "start", labels[1]),
        (edge - 8, height - edge, "end", f"{low:.4g}"),
        (edge - 8, edge + 5, "end", f"{high:.4g}"),
        (edge, height - edge + 18, "middle", f"{x[0]:.4g}"),
        (width - edge, height - edge + 18, "middle", f"{x[-1]:.4g}"),
    ]
    texts = "".join(f'<text x="{a}" y="{b}" text-anchor="{side}">{word}</text>' for a, b, side, word in words)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">'
        '<rect width="100%" height="100%" fill="white"/>'
        f'<path d="M{edge},{edge} V{height - edge} H{width - edge}" fill="none" stroke="black"/>'
        f'<polyline points="{points}" fill="none" stroke="steelblue" stroke-width="2"/>{texts}</svg>\n'
    )


def save_png(path: Path, x: list[float], y: list[float]) -> None:
    """Draws y over x as pixels, without words: for programs that show no SVG."""
    width, height, edge = 640, 400, 30
    pixels = np.full((height, width, 3), 255, np.uint8)
    pixels[edge : height - edge, edge] = pixels[height - edge, edge : width - edge] = 0
    low, high = min(0.0, min(y)), max(y)
    columns = np.arange(width - 2 * edge)
    values = np.interp(columns / max(columns[-1], 1) * (x[-1] - x[0]) + x[0], x, y)
    rows = (height - edge - (values - low) / max(high - low, 1e-12) * (height - 2 * edge)).astype(int)
    for column, (first, last) in enumerate(zip(rows, np.append(rows[1:], rows[-1]))):
        pixels[min(first, last) : max(first, last) + 2, edge + column] = (70, 130, 180)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)), chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
