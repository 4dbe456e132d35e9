"""Small random scenes with deformables: ropes, cloths and solids of every shape, pinned, held, elastic and touching.

Each scene has a floor, a few rigid balls and boxes, and one or two flexcomps or flexes that lie, hang or fall among
them, in the world, in a body that moves or in a frame. A number names a scene: `python -m conformance flexes --filter
0017`.

Left out is what the reference computes from memory that was never written (rotation at contacts with elements), at
mirrored points (flexes touched by an interpolated one) or in rows that overlap: see `docs/differences.md`. Materials and
masses are such that the scenes are stable.
"""

from __future__ import annotations

from conformance.dice import Dice

# Shapes by dimension. Circles are lines, squares and discs are cloths, the others are shells or solids.
SHAPES = {
    1: ("grid", "grid", "circle"),
    2: ("grid", "grid", "disc", "square", "box", "cylinder", "ellipsoid", "direct"),
}
SHAPES[3] = ("grid", "grid", "box", "cylinder", "ellipsoid", "direct")
SPACING = 0.06
# Corners of an octahedron: its faces, and tetrahedra around its middle.
POINTS = "0 0 0  .1 0 0  0 .1 0  -.1 0 0  0 -.1 0  0 0 .12  0 0 -.08"
FACES = "1 2 5 2 3 5 3 4 5 4 1 5 2 1 6 3 2 6 4 3 6 1 4 6"
SOLIDS = "0 1 2 5 0 2 3 5 0 3 4 5 0 4 1 5 0 2 1 6 0 3 2 6 0 4 3 6 0 1 4 6"


class FlexScene(Dice):
    """Builds one scene; `text` is its MJCF."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.flexes: list[str] = []
        world = "".join(self.rigid(index) for index in range(self.random.randint(0, 3)))
        world += "".join(self.somewhere() for _ in range(self.random.randint(1, 2)))
        extra = self.explicit() if self.chance(0.3) else ""
        self.text = (
            f"<mujoco><option {self.options()}/><asset><material name='m'/></asset>"
            f"<default><joint{self.maybe(0.2, 'damping', '0.01')}/><default class='soft'><joint armature='0.001'/>"
            f"</default></default><worldbody><geom type='plane' size='5 5 1' conaffinity='3'/>{world}{extra}</worldbody>"
            f"{self.written}</mujoco>"
        )

    written = ""
    has_nodes = False

    def options(self) -> str:
        """Solver, cone and integrator. Nodes are stiff, and the integrators that know it are implicit."""
        integrators = ("implicitfast", "implicit") if self.has_nodes else ("Euler", "implicitfast", "implicit", "Euler")
        return (
            f"timestep='0.0005' solver='{self.random.choice(('Newton', 'CG', 'Newton'))}'"
            f" cone='{self.random.choice(('pyramidal', 'elliptic'))}'"
            f" integrator='{self.random.choice(integrators)}'"
        )

    def rigid(self, index: int) -> str:
        """A ball or a box that falls."""
        kind = self.random.choice(("sphere", "box", "capsule"))
        place = f"{self.number(-0.2, 0.2)} {self.number(-0.2, 0.2)} {self.number(0.1, 0.6)}"
        size = f"{self.number(0.03, 0.08)} {self.number(0.03, 0.08)} {self.number(0.03, 0.08)}"
        return f"<body name='r{index}' pos='{place}'><freejoint/><geom type='{kind}' size='{size}' conaffinity='3'/></body>"

    def somewhere(self) -> str:
        """A flexcomp in the world, in a frame, or in a body that may move."""
        flexcomp = self.flexcomp()
        # Light nodes on a light body are unstable from the first step on.
        if self.chance(0.5) or "quadratic" in flexcomp:
            return flexcomp
        name = f"p{len(self.flexes)}"
        inside = self.random.choice(("", "<freejoint/>", "<joint axis='0 1 0'/>", "<joint type='slide' axis='0 0 1'/>"))
        geom = "<geom size='.02' mass='1' contype='0' conaffinity='0'/>"
        if self.chance(0.3):
            flexcomp = f"<frame pos='0 0 .1' euler='0 30 0' childclass='soft'><site name='s{name}'/>{flexcomp}</frame>"
        attributes = self.maybe(0.3, "childclass", "soft")
        return (
            f"<body name='{name}' pos='{self.number(-0.2, 0.2)} 0 .1' euler='{self.vector(-40, 40)}'{attributes}>"
            f"{inside}{geom}{flexcomp}</body>"
        )

    def flexcomp(self) -> str:
        """A flexcomp of any kind."""
        name = f"f{len(self.flexes)}"
        self.flexes.append(name)
        dim = self.random.choice((1, 2, 2, 3, 3))
        shape = self.random.choice(SHAPES[dim])
        dof = self.random.choice(("full", "full", "full", "radial", "trilinear", "quadratic"))
        if dof == "radial" and (dim < 3 or shape in ("grid", "direct")):
            dof = "full"
        if dof in ("trilinear", "quadratic") and (dim < 3 or shape == "direct"):
            dof = "full"
        attributes = f"type='{shape}' dim='{dim}' dof='{dof}' mass='{self.number(0.5, 3)}' radius='0.01'"
        attributes += f" pos='{self.number(-0.2, 0.2)} {self.number(-0.2, 0.2)} {self.number(0.1, 0.6)}'"
        attributes += self.extent(dim, shape, dof)
        attributes += self.maybe(0.4, "euler", self.vector(-90, 90))
        attributes += self.maybe(0.3, "inertiabox", "0.01") + self.maybe(0.2, "group", "2")
        if dim != 2 or shape not in ("box", "cylinder", "ellipsoid"):
            attributes += self.maybe(0.2, "material", "m")
        is_interpolated = dof in ("trilinear", "quadratic")
        self.has_nodes |= is_interpolated
        content = ""
        if self.chance(0.1):
            attributes += " rigid='true'"
        else:
            content, is_bending = self.forces(dim, is_interpolated)
            content += "" if is_bending else self.pins(dim, shape)
        content += self.contact(is_interpolated)
        return f"<flexcomp name='{name}' {attributes}>{content}</flexcomp>"

    def extent(self, dim: int, shape: str, dof: str) -> str:
        """Counts and spacing, or listed points."""
        if shape == "direct":
            spare = self.random.choice(("", "  .3 .3 .3"))
            elements = FACES if dim == 2 else SOLIDS
            return f" point='{POINTS}{spare}' element='{elements}'" + self.maybe(0.4, "scale", "1.2 1 .9")
        # The stiffness of 27 nodes is stored in the place of at least 313 elements.
        least = 3 if dof != "quadratic" else 5 if shape == "grid" else 7
        counts = [self.random.randint(least, least + 1) for _ in range(3)]
        if shape in ("square", "disc") or (shape == "grid" and dim < 3):
            counts[2] = 1
        if dim == 1:
            counts = [self.random.randint(4, 8), 1, 1]
        return f" count='{counts[0]} {counts[1]} {counts[2]}' spacing='{SPACING} {SPACING} {SPACING}'"

    def forces(self, dim: int, is_interpolated: bool) -> tuple[str, bool]:
        """Springs, elasticity or constraints; whether it resists bending."""
        damping = self.maybe(0.4, "damping", "0.1", "0.01")
        if dim == 1:
            stiffness = self.maybe(0.5, "stiffness", "50", "200")
            equality = self.maybe(0.4, "equality", "true") + self.maybe(0.3, "solref", "0.01 1", "-500 -20")
            return f"<edge{stiffness}{damping}{equality}/>", False
        young = f"young='{self.random.choice(('500', '1e3', '3e3'))}' poisson='{self.number(0, 0.45)}'"
        young += self.maybe(0.5, "damping", "0.0005", "0.002")
        if dim == 3:
            elasticity = f"<elasticity {young}/>"
            if is_interpolated:
                return elasticity, False
            if self.chance(0.3):
                return f"<edge{damping} equality='true'/>", False
            return f"{elasticity}<edge{damping}/>", False
        kind = self.random.choice(("none", "bend", "stretch", "both"))
        elasticity = f"<elasticity {young} thickness='0.01' elastic2d='{kind}'/>" if self.chance(0.6) else ""
        edge = damping if kind in ("stretch", "both") and elasticity else damping + self.maybe(0.5, "equality", "true")
        return f"{elasticity}<edge{edge}/>", bool(elasticity) and kind in ("bend", "both")

    def pins(self, dim: int, shape: str) -> str:
        """Points that stay on the parent."""
        content = ""
        if self.chance(0.3):
            content += "<pin id='0 2'/>"
        if self.chance(0.2):
            content += "<pin range='0 1'/>"
        if shape == "grid" and dim == 2 and self.chance(0.3):
            content += "<pin grid='0 0 1 2'/>"
        if shape == "grid" and dim == 3 and self.chance(0.3):
            content += "<pin gridrange='0 0 0 2 0 1'/>"
        return content

    def contact(self, is_interpolated: bool) -> str:
        """Contact parameters and self-collision."""
        attributes = self.maybe(0.4, "condim", "1", "3") + self.maybe(0.3, "friction", "0.4 0.01 0.001")
        attributes += (
            self.maybe(0.2, "priority", "1") + self.maybe(0.2, "margin", "0.005") + self.maybe(0.1, "gap", "0.002")
        )
        attributes += self.maybe(0.2, "solref", "0.005 1", "-2000 -40") + self.maybe(0.1, "solmix", "2")
        attributes += self.maybe(0.2, "activelayers", "1", "2") + self.maybe(0.1, "passive", "true")
        attributes += self.maybe(0.15, "vertcollide", "true")
        if is_interpolated:
            return f"<contact selfcollide='none' contype='2' conaffinity='0'{attributes}/>"
        attributes += self.maybe(0.1, "contype", "2")
        attributes += self.maybe(0.5, "selfcollide", "none", "narrow", "bvh", "sap", "auto")
        return f"<contact internal='{self.random.choice(('true', 'false', 'false'))}'{attributes}/>"

    def plain_contact(self) -> str:
        """Contact parameters of a flex that is written out."""
        return f"<contact{self.maybe(0.5, 'selfcollide', 'none', 'sap')}{self.maybe(0.4, 'condim', '1', '3')}/>"

    def explicit(self) -> str:
        """A strip of triangles over bodies that are written one by one, and the flex that joins them."""
        name = "strip"
        slides = "".join(f"<joint type='slide' axis='{axis}'/>" for axis in ("1 0 0", "0 1 0", "0 0 1"))
        bodies = ""
        for index in range(6):
            place = f"{0.1 * (index // 2) + 0.3:.3g} {0.1 * (index % 2):.3g} {self.number(0.3, 0.4)}"
            joints = self.random.choice(
                (slides, slides, slides, "<freejoint/>", "", "<joint axis='0 1 0' pos='0 0 .1'/>")
            )
            bodies += f"<body name='{name}{index}' pos='{place}'>{joints}<geom size='.01' mass='.1' contype='0' conaffinity='0'/></body>"
        vertices = " ".join(self.vector(-0.01, 0.01) for _ in range(6)) if self.chance(0.5) else ""
        vertex = f" vertex='{vertices}'" if vertices else ""
        names = " ".join(f"{name}{index}" for index in range(6))
        stretch = "<elasticity young='1e3' poisson='.2' thickness='.01' elastic2d='stretch'/>"
        # With a flex between them that has none, rows of edges overlap in the reference.
        has_edges = len(self.flexes) < 2
        forces = self.random.choice(("", "<edge damping='.1'/>", stretch) if has_edges else ("", stretch))
        equality = f"<equality><flex flex='{name}'/></equality>" if has_edges and self.chance(0.4) else ""
        self.written = (
            f"<deformable><flex name='{name}' radius='.01' body='{names}'{vertex}"
            f" element='0 2 1 1 2 3 2 4 3 3 4 5'>{self.plain_contact()}{forces}</flex></deformable>{equality}"
        )
        return bodies
