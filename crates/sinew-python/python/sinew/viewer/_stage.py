"""What the page shows of a simulation: a frame per body with its geoms, and what moves by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import compat
from . import _forms
from ._textures import Textures

_GEOM = compat.mjtGeom
_UNSAID = np.array([0.5, 0.5, 0.5, 1], np.float32)
_GROUPS = 6


class Stage:
    """The nodes of one world below a node of the page, somewhere aside."""

    def __init__(
        self, server: Any, name: str, model: Any, offset: np.ndarray, textures: Textures, has_ground: bool = True
    ) -> None:
        self._server, self._name, self._model, self._offset = server, name, model, offset
        # One infinite plane is enough for all worlds.
        self._textures, self._has_ground = textures, has_ground
        self._root = server.scene.add_frame(name, show_axes=False, position=tuple(offset))
        self._bodies = [server.scene.add_frame(f"{name}/body{body}", show_axes=False) for body in range(model.nbody)]
        self.geoms: dict[int, Any] = {}
        self._sites: dict[int, Any] = {}
        for geom in range(model.ngeom):
            self._add_geom(geom)
        for site in range(model.nsite):
            self._add_site(site)
        self._flexes = [self._add_flex(flex) for flex in range(model.nflex)]
        self._skins = [self._add_skin(skin) for skin in range(model.nskin)]
        self._lines: dict[str, Any] = {}
        self._user_count = 0
        self.shows_contacts = False
        self.shows_tendons = True

    def remove(self) -> None:
        """Takes everything off the page."""
        self._root.remove()

    def on_geoms(self, attach: Callable[[int, Any], None]) -> None:
        """Calls a function with each geom that moves, and its node."""
        for geom, node in self.geoms.items():
            if self._model.body_weldid[self._model.geom_bodyid[geom]] != 0:
                attach(geom, node)

    def show_groups(self, geoms: Any, sites: Any) -> None:
        """Shows the geoms and sites of the groups that are switched on."""
        for nodes, groups, column in (
            (self.geoms, geoms, self._model.geom_group),
            (self._sites, sites, self._model.site_group),
        ):
            for number, node in nodes.items():
                node.visible = bool(groups[min(max(int(column[number]), 0), _GROUPS - 1)])

    def show(self, data: Any) -> None:
        """Puts everything where a simulation has it."""
        for body, node in enumerate(self._bodies):
            node.position, node.wxyz = data.xpos[body], data.xquat[body]
        for update in (*self._flexes, *self._skins):
            update(data)
        self._show_lines("tendons", _tendons(self._model, data) if self.shows_tendons else None, (200, 60, 40))
        self._show_lines("contacts", _contacts(self._model, data) if self.shows_contacts else None, (255, 140, 0))

    def show_user_geoms(self, scene: Any) -> None:
        """Shows geoms of a list that users fill; what is no longer in it is taken away."""
        shown = [geom for geom in scene.geoms[: scene.ngeom] if _user_form(geom) is not None]
        for number, geom in enumerate(shown):
            corners, faces = _user_form(geom)
            self._server.scene.add_mesh_simple(
                f"{self._name}/user{number}",
                corners @ geom.mat.T + geom.pos,
                faces,
                color=_bytes(np.clip(geom.rgba, 0, 1)),
                opacity=_opacity(geom.rgba),
                side="double",
            )
        for number in range(len(shown), self._user_count):
            self._server.scene.remove_by_name(f"{self._name}/user{number}")
        self._user_count = len(shown)

    def _add_geom(self, geom: int) -> None:
        model = self._model
        form = _form(model, geom)
        rgba = _colour(model, model.geom_matid[geom], model.geom_rgba[geom])
        if form is None or rgba[3] == 0:
            return
        is_plane = model.geom_type[geom] == _GEOM.mjGEOM_PLANE
        if is_plane and not self._has_ground and (model.geom_size[geom, :2] <= 0).any():
            return
        name = f"{self._name}/body{model.geom_bodyid[geom]}/geom{geom}"
        place = {
            "position": model.geom_pos[geom],
            "wxyz": model.geom_quat[geom],
            "visible": 0 <= model.geom_group[geom] < 3,
            "cast_shadow": not is_plane,
        }
        file = self._textures.file(geom, form, rgba)
        if file is not None:
            self.geoms[geom] = self._server.scene.add_glb(name, file, **place)
            return
        self.geoms[geom] = self._server.scene.add_mesh_simple(
            name,
            *form,
            color=_bytes(rgba),
            opacity=_opacity(rgba),
            side="double" if is_plane else "front",
            flat_shading=model.geom_type[geom] in (_GEOM.mjGEOM_BOX, _GEOM.mjGEOM_HFIELD),
            **place,
        )

    def _add_site(self, site: int) -> None:
        model = self._model
        rgba = _colour(model, model.site_matid[site], model.site_rgba[site])
        if rgba[3] == 0:
            return
        self._sites[site] = self._server.scene.add_icosphere(
            f"{self._name}/body{model.site_bodyid[site]}/site{site}",
            radius=float(model.site_size[site, 0]),
            color=_bytes(rgba),
            opacity=_opacity(rgba),
            position=model.site_pos[site],
            visible=0 <= model.site_group[site] < 3,
        )

    def _add_flex(self, flex: int) -> Callable[[Any], None]:
        model = self._model
        vertices = slice(model.flex_vertadr[flex], model.flex_vertadr[flex] + model.flex_vertnum[flex])
        dim = int(model.flex_dim[flex])
        rgba = self._mean_colour(model.flex_matid[flex], model.flex_rgba[flex])
        if dim == 1:
            first = model.flex_edgeadr[flex]
            edges = model.flex_edge[first : first + model.flex_edgenum[flex]]
            name = f"flex{flex}"
            return lambda data: self._show_lines(name, data.flexvert_xpos[vertices][edges], _bytes(rgba))
        if dim == 2:
            first, count, source = model.flex_elemdataadr[flex], model.flex_elemnum[flex], model.flex_elem
        else:
            first, count, source = model.flex_shelldataadr[flex], model.flex_shellnum[flex], model.flex_shell
        faces = np.asarray(source[first : first + 3 * count]).reshape(-1, 3)
        return self._moving_mesh(f"flex{flex}", faces, rgba, lambda data: data.flexvert_xpos[vertices])

    def _add_skin(self, skin: int) -> Callable[[Any], None]:
        model = self._model
        first = model.skin_faceadr[skin]
        faces = model.skin_face[first : first + model.skin_facenum[skin]]
        rgba = self._mean_colour(model.skin_matid[skin], model.skin_rgba[skin])
        return self._moving_mesh(f"skin{skin}", faces, rgba, lambda data: skin_vertices(model, data, skin))

    def _mean_colour(self, material: int, own: np.ndarray) -> np.ndarray:
        """The colour of what moves by itself: its texture would have to be sent with every picture."""
        rgba = np.array(_colour(self._model, material, own), float)
        rgba[:3] *= self._textures.mean_colour(int(material))
        return rgba

    def _moving_mesh(
        self, name: str, faces: np.ndarray, rgba: np.ndarray, vertices: Callable[[Any], np.ndarray]
    ) -> Callable[[Any], None]:
        """A mesh whose corners move; the page is sent all of them when they did."""
        last: list[Any] = [None, None]

        def update(data: Any) -> None:
            now = np.array(vertices(data), np.float32)
            if last[0] is None:
                path = f"{self._name}/{name}"
                last[0] = self._server.scene.add_mesh_simple(path, now, faces, color=_bytes(rgba), side="double")
            elif not np.array_equal(now, last[1]):
                last[0].vertices = now
            last[1] = now

        return update

    def _show_lines(self, name: str, points: np.ndarray | None, colour: tuple[int, int, int]) -> None:
        node = self._lines.get(name)
        if points is None or not len(points):
            if node is not None:
                node.visible = False
            return
        points = np.asarray(points, np.float32)
        colours = np.full(points.shape, colour, np.uint8)
        if node is None or len(node.points) != len(points):
            self._lines[name] = self._server.scene.add_line_segments(
                f"{self._name}/{name}", points=points, colors=colours, thickness=4.0, thickness_units="screen"
            )
        else:
            node.points, node.visible = points, True


def _form(model: Any, geom: int) -> _forms.Mesh | None:
    kind, size, data = model.geom_type[geom], model.geom_size[geom], int(model.geom_dataid[geom])
    far = 10 * float(model.stat.extent)
    if kind == _GEOM.mjGEOM_PLANE:
        return _forms.plate(*(half if half > 0 else far for half in size[:2]))
    if kind == _GEOM.mjGEOM_SPHERE:
        return _forms.ball([size[0]] * 3)
    if kind == _GEOM.mjGEOM_ELLIPSOID:
        return _forms.ball(size)
    if kind == _GEOM.mjGEOM_CAPSULE:
        return _forms.capsule(size[0], size[1])
    if kind == _GEOM.mjGEOM_CYLINDER:
        return _forms.cylinder(size[0], size[1])
    if kind == _GEOM.mjGEOM_BOX:
        return _box(size)
    if kind == _GEOM.mjGEOM_MESH and data >= 0:
        first, face = model.mesh_vertadr[data], model.mesh_faceadr[data]
        corners = model.mesh_vert[first : first + model.mesh_vertnum[data]]
        return corners, model.mesh_face[face : face + model.mesh_facenum[data]]
    if kind == _GEOM.mjGEOM_HFIELD and data >= 0:
        rows, columns = int(model.hfield_nrow[data]), int(model.hfield_ncol[data])
        first = model.hfield_adr[data]
        return _forms.ground(
            model.hfield_data[first : first + rows * columns].reshape(rows, columns), model.hfield_size[data]
        )
    return None


def _user_form(geom: Any) -> _forms.Mesh | None:
    """The triangles of a geom of a scene, whose sizes are half its sides along its axes."""
    kind, size = geom.type, np.asarray(geom.size, float)
    if kind in (_GEOM.mjGEOM_SPHERE, _GEOM.mjGEOM_ELLIPSOID):
        return _forms.ball(size)
    if kind == _GEOM.mjGEOM_CAPSULE:
        return _forms.capsule(size[0], size[2])
    if kind == _GEOM.mjGEOM_CYLINDER:
        return _forms.cylinder(size[0], size[2])
    if kind == _GEOM.mjGEOM_BOX:
        return _box(size)
    if kind == _GEOM.mjGEOM_PLANE and (size[:2] > 0).all():
        return _forms.plate(size[0], size[1])
    if kind in (_GEOM.mjGEOM_ARROW, _GEOM.mjGEOM_ARROW1, _GEOM.mjGEOM_ARROW2):
        # Half as long as their size, as the reference draws them.
        corners, faces = _forms.cylinder(size[0], size[2] / 4)
        return corners + [0, 0, size[2] / 4], faces
    return None


def _box(size: Any) -> _forms.Mesh:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * np.asarray(size)
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, np.array([[a, b, c] for p, q, r, s in sides for a, b, c in ((p, q, r), (p, r, s))])


def skin_vertices(model: Any, data: Any, skin: int) -> np.ndarray:
    """Where the corners of a skin are: the weighted mean of where their bones would have them."""
    start = int(model.skin_vertadr[skin])
    rest = np.asarray(model.skin_vert[start : start + model.skin_vertnum[skin]], float)
    points = np.zeros_like(rest)
    first = int(model.skin_boneadr[skin])
    for bone in range(first, first + int(model.skin_bonenum[skin])):
        body = int(model.skin_bonebodyid[bone])
        back, turn, rotation = np.zeros(4), np.zeros(4), np.zeros(9)
        compat.mju_negQuat(back, np.asarray(model.skin_bonebindquat[bone], float))
        compat.mju_mulQuat(turn, data.xquat[body], back)
        compat.mju_quat2Mat(rotation, turn)
        low = int(model.skin_bonevertadr[bone])
        some = slice(low, low + int(model.skin_bonevertnum[bone]))
        ids = model.skin_bonevertid[some]
        moved = (rest[ids] - model.skin_bonebindpos[bone]) @ rotation.reshape(3, 3).T + data.xpos[body]
        np.add.at(points, ids, moved * model.skin_bonevertweight[some, None])
    return points


def _tendons(model: Any, data: Any) -> np.ndarray:
    """The pieces of spatial tendons, from point to point."""
    points, objects = data.wrap_xpos.reshape(-1, 3), data.wrap_obj.reshape(-1)
    pieces = []
    for tendon in range(model.ntendon):
        first, count = int(data.ten_wrapadr[tendon]), int(data.ten_wrapnum[tendon])
        for k in range(first, first + count - 1):
            if objects[k] != -2 and objects[k + 1] != -2:
                pieces.append(points[k : k + 2])
    return np.array(pieces).reshape(-1, 2, 3)


def _contacts(model: Any, data: Any) -> np.ndarray:
    """Forces of contacts, from where they act."""
    lines, force = [], np.zeros(6)
    scale = float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-9)
    for number in range(data.ncon):
        contact = data.contact[number]
        compat.mj_contactForce(model, data, number, force)
        frame = np.asarray(contact.frame).reshape(3, 3)
        lines.append([contact.pos, contact.pos + scale * force[:3] @ frame])
    return np.array(lines).reshape(-1, 2, 3)


def _colour(model: Any, material: int, own: np.ndarray) -> np.ndarray:
    is_unsaid = material >= 0 and np.array_equal(own, _UNSAID)
    return np.nan_to_num(np.clip(model.mat_rgba[material] if is_unsaid else own, 0, 1))


def _bytes(rgba: Any) -> tuple[int, int, int]:
    return tuple(int(255 * float(x) + 0.5) for x in rgba[:3])  # type: ignore[return-value]


def _opacity(rgba: Any) -> float | None:
    return None if rgba[3] >= 1 else float(rgba[3])
