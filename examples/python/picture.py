"""A curve as a picture, without a library: an SVG file that every browser shows."""

from pathlib import Path


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
