"""Geoms with textures: files in the binary form of glTF, which the page takes with the picture inside."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import numpy as np

from .. import compat
from ._forms import Mesh

_GEOM = compat.mjtGeom
_PLANE = int(compat.mjtTexture.mjTEXTURE_2D)
_COLOUR = int(compat.mjtTextureRole.mjTEXROLE_RGB)
# Pixels of a side beyond which pictures are made smaller.
_LARGEST = 512
_REPEATED, _CLAMPED = 10497, 33071
# Sides of a cube by number: which coordinates run right and down, and with which sign.
_SIDES = ((2, -1, 1, -1), (2, 1, 1, -1), (0, 1, 2, 1), (0, 1, 2, -1), (0, 1, 1, -1), (0, -1, 1, -1))


class Textures:
    """The textured geoms of a model, each made once."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._pictures: dict[int, tuple[bytes, np.ndarray]] = {}
        self._files: dict[int, bytes | None] = {}

    def file(self, geom: int, form: Mesh, rgba: np.ndarray) -> bytes | None:
        """A geom with its texture; none if it has no texture."""
        if geom not in self._files:
            self._files[geom] = self._made(geom, form, rgba)
        return self._files[geom]

    def mean_colour(self, material: int) -> np.ndarray:
        """The mean colour of a material's texture, for what the page shows plain; white if it has none."""
        texture = self._texture(material)
        return np.ones(3) if texture is None else self._picture(texture)[1]

    def _texture(self, material: int) -> int | None:
        texture = int(self._model.mat_texid[material, _COLOUR]) if material >= 0 else -1
        return texture if texture >= 0 else None

    def _made(self, geom: int, form: Mesh, rgba: np.ndarray) -> bytes | None:
        model, material = self._model, int(self._model.geom_matid[geom])
        texture = self._texture(material)
        if texture is None:
            return None
        # Each triangle has corners of its own: sides of cubes and seams of meshes part them.
        corners, faces = np.asarray(form[0], np.float32), np.asarray(form[1])
        normals = None if _is_angular(model, geom) else _normals(corners, faces)[faces].reshape(-1, 3)
        places = corners[faces].reshape(-1, 3)
        is_plane = model.tex_type[texture] == _PLANE
        own = _own_places(model, geom) if is_plane else None
        if own is not None:
            where = own
        elif is_plane:
            where = _repeated(model, geom, material, places)
        else:
            where = _on_cube(model, geom, material, texture, places)
        wrap = _REPEATED if is_plane else _CLAMPED
        is_flat = model.geom_type[geom] == _GEOM.mjGEOM_PLANE
        return _glb(places, normals, where, self._picture(texture)[0], rgba, wrap, is_flat)

    def _picture(self, texture: int) -> tuple[bytes, np.ndarray]:
        """A texture as a PNG file, and its mean colour."""
        if texture not in self._pictures:
            model = self._model
            width, height, channels = (
                int(column[texture]) for column in (model.tex_width, model.tex_height, model.tex_nchannel)
            )
            first = int(model.tex_adr[texture])
            pixels = np.asarray(model.tex_data[first : first + width * height * channels], np.uint8)
            pixels = pixels.reshape(height, width, channels)
            step = -(-width // _LARGEST)
            pixels = pixels[::step, ::step] if step > 1 else pixels
            pixels = pixels.repeat(3, axis=2) if channels == 1 else pixels[..., :4]
            self._pictures[texture] = _png(pixels), pixels[..., :3].reshape(-1, 3).mean(axis=0) / 255
        return self._pictures[texture]


def _is_angular(model: Any, geom: int) -> bool:
    return model.geom_type[geom] in (_GEOM.mjGEOM_BOX, _GEOM.mjGEOM_PLANE, _GEOM.mjGEOM_HFIELD)


def _half_sizes(model: Any, geom: int) -> np.ndarray:
    """Half the sides of a geom along its axes."""
    kind, (a, b, c) = model.geom_type[geom], model.geom_size[geom]
    if kind == _GEOM.mjGEOM_SPHERE:
        return np.array([a, a, a])
    if kind in (_GEOM.mjGEOM_CAPSULE, _GEOM.mjGEOM_CYLINDER):
        return np.array([a, a, b])
    return np.array([a, b, c])


def _own_places(model: Any, geom: int) -> np.ndarray | None:
    """Where in the texture the corners of a mesh say that they are."""
    mesh = int(model.geom_dataid[geom])
    if model.geom_type[geom] != _GEOM.mjGEOM_MESH or mesh < 0 or model.mesh_texcoordadr[mesh] < 0:
        return None
    first, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    numbers = model.mesh_facetexcoord[first : first + count].reshape(-1)
    return np.asarray(model.mesh_texcoord[int(model.mesh_texcoordadr[mesh]) + numbers], np.float32)


def _repeated(model: Any, geom: int, material: int, places: np.ndarray) -> np.ndarray:
    """Where corners are in a texture that is laid over the geom from above, so often per half size or per metre."""
    half = _half_sizes(model, geom)[:2]
    per_metre = np.asarray(model.mat_texrepeat[material], float).copy()
    if not model.mat_texuniform[material]:
        per_metre /= np.where(half > 0, half, 1)
    return (0.5 * per_metre * [1, -1] * places[:, :2] - 0.5).astype(np.float32)


def _on_cube(model: Any, geom: int, material: int, texture: int, places: np.ndarray) -> np.ndarray:
    """Where corners are in the sides of a cube around the geom, which lie below each other in the picture."""
    half = _half_sizes(model, geom)
    is_mesh = model.geom_type[geom] in (_GEOM.mjGEOM_MESH, _GEOM.mjGEOM_HFIELD)
    towards = places.astype(float) if is_mesh else places / np.where(half > 0, half, 1)
    if model.mat_texuniform[material]:
        towards = towards * np.where(half > 0, half, 1)
    middles = towards.reshape(-1, 3, 3).mean(axis=1)
    axis = np.abs(middles).argmax(axis=1)
    is_negative = middles[np.arange(len(axis)), axis] <= 0
    sides = np.repeat(2 * axis + is_negative, 3)
    across, right, down, below = (np.array(_SIDES)[sides, k] for k in range(4))
    each = np.arange(len(towards))
    away = np.maximum(np.abs(towards[each, sides // 2]), 1e-9)
    width, height = int(model.tex_width[texture]), int(model.tex_height[texture])
    edge = 0.5 / max(width, 1)
    s, t = (
        np.clip(0.5 * (towards[each, number] * sign / away + 1), edge, 1 - edge)
        for number, sign in ((across, right), (down, below))
    )
    if height != width:
        t = (sides + t) / 6
    return np.stack([s, t], axis=1).astype(np.float32)


def _normals(corners: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = (corners[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(corners)
    for k in range(3):
        np.add.at(normals, faces[:, k], flat)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 0, normals / np.where(length > 0, length, 1), [0, 0, 1]).astype(np.float32)


def _png(pixels: np.ndarray) -> bytes:
    height, width, channels = pixels.shape
    kind = {3: 2, 4: 6}[channels]
    # Each row begins with its filter: none.
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    file = b"\x89PNG\r\n\x1a\n"
    for name, body in ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")):
        file += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return file


def _glb(
    places: np.ndarray, normals: np.ndarray | None, where: np.ndarray, picture: bytes, rgba: np.ndarray, wrap: int, is_flat: bool
) -> bytes:  # fmt: skip
    """A file of triangles with a picture on them."""
    arrays = {"POSITION": places, "TEXCOORD_0": where, **({} if normals is None else {"NORMAL": normals})}
    parts = [np.ascontiguousarray(array, np.float32).tobytes() for array in arrays.values()]
    views, accessors, start = [], [], 0
    for number, (part, array) in enumerate(zip(parts, arrays.values(), strict=True)):
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(part)})
        accessor = {"bufferView": number, "componentType": 5126, "count": len(array), "type": f"VEC{array.shape[1]}"}
        if number == 0:
            accessor |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        accessors.append(accessor)
        start += len(part)
    views.append({"buffer": 0, "byteOffset": start, "byteLength": len(picture)})
    opacity = float(rgba[3])
    look = {
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0},
            # Factors are of light, colours of bytes.
            "baseColorFactor": [*(float(x) ** 2.2 for x in rgba[:3]), opacity],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.9,
        },
        "doubleSided": bool(is_flat),
        "alphaMode": "BLEND" if opacity < 1 else "OPAQUE",
    }
    names = {name: number for number, name in enumerate(arrays)}
    binary = _padded(b"".join(parts) + picture, b"\0")
    contents = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": names, "material": 0}]}],
        "materials": [look],
        "textures": [{"sampler": 0, "source": 0}],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": wrap, "wrapT": wrap}],
        "images": [{"bufferView": len(parts), "mimeType": "image/png"}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = _padded(json.dumps(contents).encode(), b" ")
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def _padded(content: bytes, filler: bytes) -> bytes:
    """Content whose length is a multiple of four."""
    return content + filler * (-len(content) % 4)
