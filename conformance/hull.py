"""Order-insensitive comparison of convex hulls and mesh polygons.

Two correct hull programs may list facets in different orders and cut flat facets into different triangles.
What may not differ is the hull itself. The rules are named in `tolerances.RULES`; each function here
returns an empty list if its rule holds, else what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from conformance.tolerances import HULL_FACET_OUTSIDE, HULL_VOLUME, POLYGON_NORMAL


@dataclass(frozen=True)
class HullGraph:
    """One mesh's part of `mesh_graph`, taken apart.

    The stored layout is: vertex count, facet count, edge-list address per vertex, mesh vertex id per hull
    vertex, edge lists (each ended by -1, local ids), facets (mesh vertex ids).
    """

    vertex_ids: np.ndarray
    neighbours: list[list[int]]
    facets: np.ndarray

    @staticmethod
    def read(graph: np.ndarray, address: int) -> HullGraph:
        """Unpack the graph that starts at an address."""
        vertices, facets = int(graph[address]), int(graph[address + 1])
        cursor = address + 2
        edge_address = graph[cursor : cursor + vertices]
        cursor += vertices
        vertex_ids = graph[cursor : cursor + vertices]
        cursor += vertices
        edges = graph[cursor : cursor + vertices + 3 * facets]
        cursor += vertices + 3 * facets
        facet_ids = graph[cursor : cursor + 3 * facets].reshape(-1, 3)
        neighbours = [_edge_list(edges, int(start)) for start in edge_address]
        return HullGraph(vertex_ids, neighbours, facet_ids)


def _edge_list(edges: np.ndarray, start: int) -> list[int]:
    """Local ids from a start address up to the terminating -1."""
    end = start
    while end < len(edges) and edges[end] >= 0:
        end += 1
    return [int(value) for value in edges[start:end]]


def check_hull_graph(reference: Any, candidate: Any) -> list[str]:
    """Rule `hull-graph` over all meshes."""
    problems: list[str] = []
    for mesh in range(reference.nmesh):
        address = int(reference.mesh_graphadr[mesh])
        if address < 0:
            continue
        expected = HullGraph.read(reference.mesh_graph, address)
        actual = HullGraph.read(candidate.mesh_graph, int(candidate.mesh_graphadr[mesh]))
        start, count = int(reference.mesh_vertadr[mesh]), int(reference.mesh_vertnum[mesh])
        vertices = np.asarray(reference.mesh_vert[start : start + count], dtype=np.float64)
        found = _compare_hulls(expected, actual, vertices)
        problems += [f"mesh {mesh}: {problem}" for problem in found]
    return problems


def _compare_hulls(expected: HullGraph, actual: HullGraph, vertices: np.ndarray) -> list[str]:
    """What is wrong with a hull, given the reference's hull and the mesh's vertices."""
    if set(expected.vertex_ids.tolist()) != set(actual.vertex_ids.tolist()):
        missing = set(expected.vertex_ids.tolist()) - set(actual.vertex_ids.tolist())
        extra = set(actual.vertex_ids.tolist()) - set(expected.vertex_ids.tolist())
        return [f"hull vertices differ: {len(missing)} missing, {len(extra)} extra"]
    if len(set(actual.vertex_ids.tolist())) != len(actual.vertex_ids):
        return ["a hull vertex is listed twice"]
    if actual.facets.size and (actual.facets.min() < 0 or actual.facets.max() >= len(vertices)):
        return ["a facet names a vertex outside the mesh"]

    problems: list[str] = []
    directed = [(int(f[i]), int(f[(i + 1) % 3])) for f in actual.facets for i in range(3)]
    if len(set(directed)) != len(directed) or {(b, a) for a, b in directed} != set(directed):
        problems.append("facets do not form a closed, consistently oriented surface")
    listed = {
        (int(actual.vertex_ids[i]), int(actual.vertex_ids[j]))
        for i, neighbours in enumerate(actual.neighbours)
        for j in neighbours
    }
    if listed != set(directed):
        problems.append("edge lists are not the edges of the facets")

    size = float(np.ptp(vertices, axis=0).max()) or 1.0
    outside = _largest_outside(actual, vertices) / size
    allowed = max(HULL_FACET_OUTSIDE, _largest_outside(expected, vertices) / size)
    if outside > allowed:
        problems.append(f"a vertex stands {outside:.2e} of the hull's size outside a facet, allowed {allowed:.2e}")

    volumes = [_volume(expected, vertices), _volume(actual, vertices)]
    if abs(volumes[1] - volumes[0]) > HULL_VOLUME * max(abs(volumes[0]), 1e-300):
        problems.append(f"volume {volumes[0]!r} became {volumes[1]!r}")
    return problems


def _largest_outside(hull: HullGraph, vertices: np.ndarray) -> float:
    """How far the farthest hull vertex stands outside any facet's plane."""
    corners = vertices[hull.facets]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    usable = length > 0
    normals = normals[usable] / length[usable, None]
    offsets = np.einsum("ij,ij->i", normals, corners[usable, 0])
    points = vertices[hull.vertex_ids]
    worst = 0.0
    for first in range(0, len(normals), 1000):
        block = slice(first, first + 1000)
        heights = points @ normals[block].T - offsets[block]
        worst = max(worst, float(heights.max(initial=0.0)))
    return worst


def _volume(hull: HullGraph, vertices: np.ndarray) -> float:
    """Enclosed volume, as a sum of signed tetrahedra."""
    a, b, c = (vertices[hull.facets[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


@dataclass(frozen=True)
class Polygons:
    """The polygons of one mesh: vertex cycles from their smallest id, their normals, and the stored vertex map."""

    normals: dict[tuple[int, ...], np.ndarray]
    vertex_map: list[set[tuple[int, ...]]]

    @staticmethod
    def read(model: Any, mesh: int) -> Polygons:
        """Collect the polygons of a mesh."""
        start, count = int(model.mesh_polyadr[mesh]), int(model.mesh_polynum[mesh])
        cycles: list[tuple[int, ...]] = []
        normals: dict[tuple[int, ...], np.ndarray] = {}
        for polygon in range(start, start + count):
            address, size = int(model.mesh_polyvertadr[polygon]), int(model.mesh_polyvertnum[polygon])
            cycle = _from_smallest(model.mesh_polyvert[address : address + size].tolist())
            cycles.append(cycle)
            normals[cycle] = np.asarray(model.mesh_polynormal[polygon])
        first, vertices = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        vertex_map = []
        for vertex in range(first, first + vertices):
            address, size = int(model.mesh_polymapadr[vertex]), int(model.mesh_polymapnum[vertex])
            ids = model.mesh_polymap[address : address + size].tolist()
            vertex_map.append({cycles[i] if 0 <= i < len(cycles) else (-1,) for i in ids})
        return Polygons(normals, vertex_map)


def _from_smallest(cycle: list[int]) -> tuple[int, ...]:
    """The same cycle, rotated so that it starts at its smallest vertex."""
    if not cycle:
        return ()
    start = cycle.index(min(cycle))
    return tuple(cycle[start:] + cycle[:start])


def check_polygons(reference: Any, candidate: Any) -> list[str]:
    """Rule `polygons` over all meshes."""
    problems: list[str] = []
    for mesh in range(reference.nmesh):
        expected = Polygons.read(reference, mesh)
        actual = Polygons.read(candidate, mesh)
        if expected.normals.keys() != actual.normals.keys():
            missing = len(expected.normals.keys() - actual.normals.keys())
            extra = len(actual.normals.keys() - expected.normals.keys())
            problems.append(f"mesh {mesh}: polygons differ: {missing} missing, {extra} extra")
            continue
        worst = max(
            (float(np.abs(expected.normals[key] - actual.normals[key]).max()) for key in expected.normals),
            default=0.0,
        )
        if worst > POLYGON_NORMAL:
            problems.append(f"mesh {mesh}: a polygon normal is off by {worst:.2e}")
        if expected.vertex_map != actual.vertex_map:
            problems.append(f"mesh {mesh}: the vertex-to-polygon map differs")
    return problems
