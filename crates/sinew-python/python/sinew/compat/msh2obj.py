"""Meshes of the reference's older binary format as OBJ: ``python -m sinew.compat.msh2obj -i in.msh -o out.obj``."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """What a file has: positions, normals and places in the texture (as OBJ counts them, upwards), three corners a face."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file: Path) -> Msh:
        """Reads a file."""
        content = Path(file).read_bytes()
        counts = np.frombuffer(content[:16], np.int32) if len(content) >= 16 else np.zeros(0, np.int32)
        widths = np.array([3, 3, 2, 3])
        if counts.size != 4 or (counts < 0).any() or 16 + 4 * int(counts.astype(int) @ widths) != len(content):
            raise ValueError(f"{file}: the numbers at its beginning do not fit its {len(content)} bytes")
        ends = 16 + 4 * np.cumsum(counts.astype(int) * widths)
        pieces = []
        for start, end, width, kind in zip([16, *ends], ends, widths, "fffi", strict=False):
            pieces.append(np.frombuffer(content[start:end], kind + "4").reshape(-1, width).copy())
        positions, normals, texture, faces = pieces
        texture[:, 1] = 1 - texture[:, 1]
        return Msh(positions, normals, texture, faces)


def msh_to_obj(msh_file: Path) -> str:
    """The text of an OBJ file with what a file of the older format has."""
    mesh = Msh.create(msh_file)
    columns = {"v": mesh.vertex_positions, "vn": mesh.vertex_normals, "vt": mesh.vertex_texcoords}
    lines = [f"{word} {' '.join(map(str, numbers))}" for word, rows in columns.items() for numbers in rows]
    forms = "/".join(["{0}", "{0}" if len(mesh.vertex_texcoords) else "", "{0}" if len(mesh.vertex_normals) else ""])
    lines += [
        "f " + " ".join(forms.rstrip("/").format(corner + 1) for corner in face) for face in mesh.face_vertex_indices
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.write_text(msh_to_obj(options.input))


if __name__ == "__main__":
    main()
