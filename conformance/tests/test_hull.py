"""The order-insensitive rules accept another order and nothing else."""

import unittest
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from conformance.hull import HullGraph, check_hull_graph, check_polygons

FIELDS = (
    "mesh_graph mesh_graphadr mesh_vert mesh_vertadr mesh_vertnum mesh_polyadr mesh_polynum mesh_polynormal"
    " mesh_polyvertadr mesh_polyvertnum mesh_polyvert mesh_polymapadr mesh_polymapnum mesh_polymap"
).split()


def octahedron() -> Any:
    """A hand-made model with one mesh: six vertices, eight facets, each its own polygon."""
    vertices = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=np.float32)
    facets = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    containing = [[i for i, facet in enumerate(facets) if vertex in facet] for vertex in range(6)]
    normals = [np.mean(vertices[list(facet)], axis=0) * np.sqrt(3) for facet in facets]
    return SimpleNamespace(
        nmesh=1,
        mesh_graph=make_graph(range(6), facets),
        mesh_graphadr=np.array([0]),
        mesh_vert=vertices,
        mesh_vertadr=np.array([0]),
        mesh_vertnum=np.array([6]),
        mesh_polyadr=np.array([0]),
        mesh_polynum=np.array([8]),
        mesh_polynormal=np.array(normals, dtype=np.float64),
        mesh_polyvertadr=np.arange(8) * 3,
        mesh_polyvertnum=np.full(8, 3),
        mesh_polyvert=np.array(facets).ravel(),
        mesh_polymapadr=np.arange(6) * 4,
        mesh_polymapnum=np.full(6, 4),
        mesh_polymap=np.array(containing).ravel(),
    )


def make_graph(order: Any, facets: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Pack a hull in the reference's layout, with its vertices in the given order."""
    ids = list(order)
    local = {vertex: i for i, vertex in enumerate(ids)}
    edges: list[int] = []
    addresses: list[int] = []
    for vertex in ids:
        neighbours = sorted({local[other] for facet in facets if vertex in facet for other in facet if other != vertex})
        addresses.append(len(edges))
        edges += [*neighbours, -1]
    flat = [index for facet in facets for index in facet]
    return np.array([len(ids), len(facets), *addresses, *ids, *edges, *flat])


def copy_of(model: Any) -> Any:
    """A copy whose arrays can be changed."""
    arrays = {name: getattr(model, name).copy() for name in FIELDS}
    return SimpleNamespace(nmesh=model.nmesh, **arrays)


class HullRule(unittest.TestCase):
    """Rule hull-graph."""

    def setUp(self) -> None:
        self.model = octahedron()
        self.other = copy_of(self.model)
        self.facets = [tuple(facet) for facet in HullGraph.read(self.model.mesh_graph, 0).facets.tolist()]

    def test_another_order_passes(self) -> None:
        rotated = [facet[1:] + facet[:1] for facet in reversed(self.facets)]
        self.other.mesh_graph = make_graph([3, 1, 0, 5, 4, 2], rotated)
        self.assertEqual(check_hull_graph(self.model, self.other), [])

    def test_missing_vertex_fails(self) -> None:
        self.other.mesh_graph = make_graph(range(5), [facet for facet in self.facets if 5 not in facet])
        self.assertIn("hull vertices differ", check_hull_graph(self.model, self.other)[0])

    def test_inverted_facet_fails(self) -> None:
        facets = [self.facets[0][::-1], *self.facets[1:]]
        self.other.mesh_graph = make_graph(range(6), facets)
        self.assertTrue(check_hull_graph(self.model, self.other))

    def test_facet_inside_the_hull_fails(self) -> None:
        # Flip the shared edge of two facets that are not coplanar: still closed, no longer convex.
        facets = [(0, 2, 1), (0, 1, 4), *self.facets[2:]]
        self.other.mesh_graph = make_graph(range(6), facets)
        self.assertTrue(check_hull_graph(self.model, self.other))

    def test_broken_edge_list_fails(self) -> None:
        self.other.mesh_graph[2 + 12] = 1
        self.assertIn("edge lists", check_hull_graph(self.model, self.other)[0])


class PolygonRule(unittest.TestCase):
    """Rule polygons."""

    def setUp(self) -> None:
        self.model = octahedron()
        self.other = copy_of(self.model)

    def test_another_order_passes(self) -> None:
        order = [7, 2, 5, 0, 1, 6, 3, 4]
        polygons = self.model.mesh_polyvert.reshape(8, 3)[order]
        self.other.mesh_polyvert = np.roll(polygons, 1, axis=1).ravel()
        self.other.mesh_polynormal = self.model.mesh_polynormal[order]
        renumber = np.argsort(order)
        self.other.mesh_polymap = renumber[self.model.mesh_polymap]
        self.assertEqual(check_polygons(self.model, self.other), [])

    def test_reversed_polygon_fails(self) -> None:
        self.other.mesh_polyvert[:3] = self.other.mesh_polyvert[:3][::-1].copy()
        self.assertIn("polygons differ", check_polygons(self.model, self.other)[0])

    def test_wrong_normal_fails(self) -> None:
        self.other.mesh_polynormal[3] += 1e-3
        self.assertIn("normal", check_polygons(self.model, self.other)[0])

    def test_wrong_map_fails(self) -> None:
        self.other.mesh_polymap[0] = 7 if self.other.mesh_polymap[0] != 7 else 6
        self.assertTrue(check_polygons(self.model, self.other))


if __name__ == "__main__":
    unittest.main()
