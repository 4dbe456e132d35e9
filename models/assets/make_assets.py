"""Makes the meshes, images, height fields and the skin that the models in this folder use.

    python models/assets/make_assets.py

Every file is written from formulas below, with the standard library only, and comes out the same each time.
The results are committed, so that nobody needs to run this.
"""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

Point = tuple[float, float, float]
Face = tuple[int, ...]


def main() -> None:
    """Write all files."""
    write_obj("bracket.obj", *bracket())
    write_obj_with_attributes("barrel.obj", segments=12)
    write_stl("gem.stl", *gem(rings=5, segments=9))
    write_stl("brick.stl", *box(0.05, 0.03, 0.02))
    write_msh("torus.msh", *torus(0.06, 0.02, 16, 10))
    write_png("hills.png", hills(24, 32), 24, 32, channels=1)
    write_png("flag.png", flag(16, 24), 16, 24, channels=3)
    write_png("glass.png", glass(8, 8), 8, 8, channels=4)
    write_png("grid.png", cube_grid(8), 24, 32, channels=3)
    write_height_field("dunes.bin", dunes(12, 16), rows=12, columns=16)
    write_skin("sleeve.skn", rings=9, segments=8)


# ---- shapes ----


def bracket() -> tuple[list[Point], list[Face]]:
    """An L-shaped profile pulled along y: not convex, with six-sided end faces."""
    profile = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.02), (0.02, 0.02), (0.02, 0.08), (0.0, 0.08)]
    count = len(profile)
    points = [(x, y, z) for y in (-0.03, 0.03) for x, z in profile]
    faces: list[Face] = [tuple(range(count)), tuple(reversed(range(count, 2 * count)))]
    for i in range(count):
        j = (i + 1) % count
        faces.append((i, i + count, j + count, j))
    return points, faces


def gem(rings: int, segments: int) -> tuple[list[Point], list[Face]]:
    """A closed surface of revolution whose radius wobbles, cut into triangles."""
    points: list[Point] = [(0.0, 0.0, 0.06)]
    for ring in range(1, rings):
        polar = math.pi * ring / rings
        for segment in range(segments):
            around = 2 * math.pi * (segment + 0.5 * (ring % 2)) / segments
            radius = 0.05 + 0.004 * math.sin(3 * around + ring)
            points.append(
                (
                    radius * math.sin(polar) * math.cos(around),
                    1.2 * radius * math.sin(polar) * math.sin(around),
                    0.06 * math.cos(polar),
                )
            )
    points.append((0.0, 0.0, -0.06))
    last = len(points) - 1
    faces: list[Face] = []
    for segment in range(segments):
        after = (segment + 1) % segments
        faces.append((0, 1 + segment, 1 + after))
        base = 1 + (rings - 2) * segments
        faces.append((last, base + after, base + segment))
        for ring in range(rings - 2):
            a, b = 1 + ring * segments + segment, 1 + ring * segments + after
            c, d = a + segments, b + segments
            faces += [(a, c, b), (b, c, d)]
    return points, faces


def box(x: float, y: float, z: float) -> tuple[list[Point], list[Face]]:
    """A box with the given half sizes, two triangles per side."""
    points = [(sx * x, sy * y, sz * z) for sz in (-1, 1) for sy in (-1, 1) for sx in (-1, 1)]
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return points, [triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))]


def torus(
    major: float, minor: float, around: int, across: int
) -> tuple[list[Point], list[Point], list[tuple[float, float]], list[Face]]:
    """A ring with normals and texture coordinates."""
    points: list[Point] = []
    normals: list[Point] = []
    coordinates: list[tuple[float, float]] = []
    for i in range(around):
        u = 2 * math.pi * i / around
        for j in range(across):
            v = 2 * math.pi * j / across
            normal = (math.cos(v) * math.cos(u), math.cos(v) * math.sin(u), math.sin(v))
            normals.append(normal)
            points.append(
                (
                    major * math.cos(u) + minor * normal[0],
                    major * math.sin(u) + minor * normal[1],
                    minor * normal[2],
                )
            )
            coordinates.append((i / around, j / across))
    faces: list[Face] = []
    for i in range(around):
        for j in range(across):
            a, b = i * across + j, ((i + 1) % around) * across + j
            c, d = i * across + (j + 1) % across, ((i + 1) % around) * across + (j + 1) % across
            faces += [(a, b, d), (a, d, c)]
    return points, normals, coordinates, faces


# ---- images and height fields ----


def hills(rows: int, columns: int) -> bytes:
    """A grey image of smooth hills."""
    values = []
    for row in range(rows):
        for column in range(columns):
            height = math.sin(0.45 * row) * math.cos(0.3 * column) + 0.5 * math.sin(0.2 * (row + column))
            values.append(int(127.5 + 80 * height))
    return bytes(values)


def flag(rows: int, columns: int) -> bytes:
    """Three stripes with a diagonal shade."""
    stripes = [(200, 60, 50), (240, 240, 230), (40, 80, 160)]
    pixels = bytearray()
    for row in range(rows):
        for column in range(columns):
            shade = 1 - 0.3 * column / columns
            pixels += bytes(int(shade * value) for value in stripes[3 * row // rows])
    return bytes(pixels)


def glass(rows: int, columns: int) -> bytes:
    """A tint that fades to transparent."""
    return b"".join(
        bytes((90, 160, 200 - 5 * row, 255 * column // (columns - 1)))
        for row in range(rows)
        for column in range(columns)
    )


def cube_grid(size: int) -> bytes:
    """Three by four tiles, each of one colour, to be cut into the sides of a cube."""
    rows, columns = 3 * size, 4 * size
    pixels = bytearray()
    for row in range(rows):
        for column in range(columns):
            tile = 4 * (row // size) + column // size
            pixels += bytes((20 * tile, 255 - 20 * tile, (60 * tile) % 256))
    return bytes(pixels)


def dunes(rows: int, columns: int) -> list[float]:
    """Heights of two crossing waves."""
    return [
        1 + 0.6 * math.sin(0.8 * row + 0.3 * column) + 0.4 * math.cos(0.5 * column)
        for row in range(rows)
        for column in range(columns)
    ]


# ---- file formats ----


def write_obj(name: str, points: list[Point], faces: list[Face]) -> None:
    """Wavefront text, polygons with any number of corners."""
    lines = ["# made by make_assets.py"]
    lines += [f"v {x:.6g} {y:.6g} {z:.6g}" for x, y, z in points]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def write_obj_with_attributes(name: str, segments: int) -> None:
    """A barrel with separate lists of points, normals and texture coordinates, indexed as v/vt/vn."""
    profile = [(0.03, -0.05), (0.04, 0.0), (0.03, 0.05)]
    lines = ["# made by make_assets.py", "o barrel"]
    for radius, height in profile:
        for segment in range(segments):
            angle = 2 * math.pi * segment / segments
            lines.append(f"v {radius * math.cos(angle):.6g} {radius * math.sin(angle):.6g} {height:.6g}")
    for level in range(len(profile)):
        lines += [f"vt {segment / segments:.6g} {level / 2:.6g}" for segment in range(segments + 1)]
    for segment in range(segments):
        angle = 2 * math.pi * segment / segments
        lines.append(f"vn {math.cos(angle):.6g} {math.sin(angle):.6g} 0")
    lines += ["vn 0 0 -1", "vn 0 0 1"]
    for level in range(len(profile) - 1):
        for segment in range(segments):
            after = (segment + 1) % segments
            corners = [(level, segment, segment), (level, after, segment + 1)]
            corners += [(level + 1, after, segment + 1), (level + 1, segment, segment)]
            texts = []
            for ring, position, coordinate in corners:
                vertex = ring * segments + position + 1
                texts.append(f"{vertex}/{ring * (segments + 1) + coordinate + 1}/{position + 1}")
            lines.append("f " + " ".join(texts))
    top = (len(profile) - 1) * segments
    bottom_corners = [f"{segment + 1}/1/{segments + 1}" for segment in reversed(range(segments))]
    top_corners = [f"{top + segment + 1}/1/{segments + 2}" for segment in range(segments)]
    for corners_text in (bottom_corners, top_corners):
        lines += [
            f"f {corners_text[0]} {corners_text[i]} {corners_text[i + 1]}" for i in range(1, len(corners_text) - 1)
        ]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def write_stl(name: str, points: list[Point], faces: list[Face]) -> None:
    """Binary STL: header, count, then per triangle a normal and three corners."""
    data = bytearray(b"made by make_assets.py".ljust(80, b" "))
    data += struct.pack("<I", len(faces))
    for face in faces:
        corners = [points[i] for i in face]
        data += struct.pack("<3f", *unit_normal(*corners))
        for corner in corners:
            data += struct.pack("<3f", *corner)
        data += struct.pack("<H", 0)
    (FOLDER / name).write_bytes(bytes(data))


def write_msh(
    name: str,
    points: list[Point],
    normals: list[Point],
    coordinates: list[tuple[float, float]],
    faces: list[Face],
) -> None:
    """MSH: four counts, then points, normals, texture coordinates and faces."""
    data = bytearray(struct.pack("<4i", len(points), len(normals), len(coordinates), len(faces)))
    for group in (points, normals, coordinates):
        for item in group:
            data += struct.pack(f"<{len(item)}f", *item)
    for face in faces:
        data += struct.pack("<3i", *face)
    (FOLDER / name).write_bytes(bytes(data))


def write_png(name: str, pixels: bytes, rows: int, columns: int, channels: int) -> None:
    """An 8-bit PNG without filtering."""
    stride = columns * channels
    raw = b"".join(b"\0" + pixels[row * stride : (row + 1) * stride] for row in range(rows))
    colour_type = {1: 0, 3: 2, 4: 6}[channels]
    header = struct.pack(">2I5B", columns, rows, 8, colour_type, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    (FOLDER / name).write_bytes(data)


def write_height_field(name: str, heights: list[float], rows: int, columns: int) -> None:
    """Binary height field: row and column count, then heights."""
    (FOLDER / name).write_bytes(struct.pack("<2i", rows, columns) + struct.pack(f"<{len(heights)}f", *heights))


def write_skin(name: str, rings: int, segments: int) -> None:
    """A tube around two bones, `upper` and `lower`, whose weights blend over the middle rings."""
    points: list[Point] = []
    coordinates: list[tuple[float, float]] = []
    faces: list[Face] = []
    for ring in range(rings):
        height = 0.4 * ring / (rings - 1)
        for segment in range(segments):
            angle = 2 * math.pi * segment / segments
            points.append((0.04 * math.cos(angle), 0.04 * math.sin(angle), -height))
            coordinates.append((segment / segments, ring / (rings - 1)))
            if ring + 1 < rings:
                a, b = ring * segments + segment, ring * segments + (segment + 1) % segments
                faces += [(a, a + segments, b), (b, a + segments, b + segments)]
    upper: list[tuple[int, float]] = []
    lower: list[tuple[int, float]] = []
    for index in range(len(points)):
        blend = min(1.0, max(0.0, (index // segments - 2) / (rings - 5)))
        if blend < 1:
            upper.append((index, 1 - blend))
        if blend > 0:
            lower.append((index, blend))
    data = bytearray(struct.pack("<4i", len(points), len(coordinates), len(faces), 2))
    for group in (points, coordinates):
        for item in group:
            data += struct.pack(f"<{len(item)}f", *item)
    for face in faces:
        data += struct.pack("<3i", *face)
    for bone, position, weights in (("upper", (0.0, 0.0, 0.0), upper), ("lower", (0.0, 0.0, -0.2), lower)):
        data += bone.encode().ljust(40, b"\0")
        data += struct.pack("<3f4f", *position, 1.0, 0.0, 0.0, 0.0)
        data += struct.pack("<i", len(weights))
        data += struct.pack(f"<{len(weights)}i", *(index for index, _ in weights))
        data += struct.pack(f"<{len(weights)}f", *(weight for _, weight in weights))
    (FOLDER / name).write_bytes(bytes(data))


def unit_normal(a: Point, b: Point, c: Point) -> Point:
    """The normal of a triangle, by the right-hand rule."""
    u = [b[i] - a[i] for i in range(3)]
    v = [c[i] - a[i] for i in range(3)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.sqrt(sum(component * component for component in normal)) or 1.0
    return (normal[0] / length, normal[1] / length, normal[2] / length)


if __name__ == "__main__":
    main()
