"""Small random scenes that mix what single models have of constraints and contacts.

Each scene drops two to seven bodies in random trees onto a plane, with joints of every kind, limits, dry friction,
primitive geoms with their own contact parameters, tendons, equalities of every kind, explicit pairs, excludes and an
adhesive body. A number names a scene: `python -m conformance random --filter 0017`.
"""

from __future__ import annotations

from conformance.dice import Dice

SOLREFS = ("0.02 1", "0.05 1", "0.01 0.7", "-500 -30", "-1000 -50", "0.004 1")
SOLIMPS = ("0.9 0.95 0.001", "0.5 0.9 0.01 0.5 3", "0.8 0.8 0.001", "0.3 0.99 0.005 0.3 1", "0.95 0.99 0.002 0.7 2.5")
GEOMS = ("sphere", "capsule", "box", "cylinder", "ellipsoid", "box", "sphere", "capsule")
CONDIMS = ("1", "3", "4", "6")


class Scene(Dice):
    """Builds one scene; `text` is its MJCF."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.bodies: list[str] = []
        self.geoms: list[str] = ["floor"]
        self.sites: list[str] = ["w"]
        self.joints: list[str] = []
        self.tendons: list[str] = []
        self.left = self.random.randint(2, 7)
        world = ""
        while self.left:
            world += self.body(depth=0)
        # Later sections name what earlier ones made.
        tendons, actuators = self.tendon_section(), self.actuator_section()
        self.text = (
            f"<mujoco><option {self.options()}/><worldbody><site name='w'/>"
            f"<geom name='floor' type='plane' size='5 5 1'{self.softness()}/>{world}</worldbody>"
            f"{tendons}{self.equality_section()}{self.contact_section()}{actuators}</mujoco>"
        )

    def softness(self, suffix: str = "") -> str:
        """Reference and impedance parameters."""
        return self.maybe(0.3, f"solref{suffix}", *SOLREFS) + self.maybe(0.3, f"solimp{suffix}", *SOLIMPS)

    def options(self) -> str:
        """Cone, storage of the Jacobian, integrator and the ratio of friction to normal impedance."""
        return (
            f"cone='{self.random.choice(('pyramidal', 'elliptic'))}'"
            f" jacobian='{self.random.choice(('dense', 'sparse', 'auto'))}'"
            f" integrator='{self.random.choice(('Euler', 'implicitfast', 'implicit', 'RK4'))}'"
            + self.maybe(0.3, "impratio", "0.1", "5", "10")
        )

    def body(self, depth: int) -> str:
        """A body with joints, geoms, a site and perhaps children."""
        self.left -= 1
        name = f"b{len(self.bodies)}"
        self.bodies.append(name)
        height = self.number(0.02, 0.4) if depth == 0 else self.number(-0.2, 0.2)
        place = f"{self.number(-0.3, 0.3)} {self.number(-0.3, 0.3)} {height}"
        content = self.body_joints(depth)
        content += "".join(self.geom() for _ in range(self.random.randint(1, 2)))
        self.sites.append(f"s_{name}")
        content += f"<site name='s_{name}' pos='{self.vector(-0.1, 0.1)}'/>"
        while self.left and depth < 3 and self.chance(0.5):
            content += self.body(depth + 1)
        return f"<body name='{name}' pos='{place}' euler='{self.vector(0, 180)}'>{content}</body>"

    def body_joints(self, depth: int) -> str:
        """A free joint, or one or two others: no body is rigidly attached, which would leave ties without effect."""
        if depth == 0 and self.chance(0.5):
            return "<freejoint/>"
        kinds = self.random.choices(("hinge", "slide", "hinge"), k=self.random.randint(1, 2))
        if self.chance(0.25):
            kinds = ["ball"]
        return "".join(self.joint(kind) for kind in kinds)

    def joint(self, kind: str) -> str:
        """A joint that may be limited, springy, damped or rough."""
        name = f"j{len(self.joints)}"
        low, high = {"hinge": (-20, 30), "slide": (-0.05, 0.1), "ball": (0, 30)}[kind]
        if kind != "ball":
            self.joints.append(name)
        attributes = ""
        if self.chance(0.5):
            first = "0" if kind == "ball" else self.number(low, low / 4)
            attributes += f" range='{first} {self.number(high / 4, high)}' margin='{self.number(0, 0.1)}'"
            attributes += self.softness("limit")
        attributes += self.maybe(0.3, "frictionloss", "0.01", "0.3", "1")
        attributes += self.maybe(0.3, "damping", "0.1", "1")
        attributes += self.maybe(0.2, "stiffness", "1", "10")
        attributes += self.maybe(0.2, "armature", "0.01", "0.1")
        named = "" if kind == "ball" else f" name='{name}'"
        return f"<joint{named} type='{kind}' axis='{self.vector(0.1, 1)}'{attributes}/>"

    def geom(self) -> str:
        """A primitive geom with contact parameters of its own."""
        name = f"g{len(self.geoms)}"
        self.geoms.append(name)
        attributes = self.maybe(0.4, "condim", *CONDIMS)
        attributes += self.maybe(0.3, "friction", "0 0 0", "0.5 0.05 0.01", "2 0.1 0.05")
        attributes += self.maybe(0.2, "priority", "-1", "1", "2")
        attributes += self.maybe(0.2, "solmix", "0", "3")
        attributes += self.maybe(0.3, "margin", "0.01", "0.05")
        attributes += self.maybe(0.2, "gap", "0.005", "0.03")
        attributes += self.maybe(0.15, "contype", "0", "2", "3")
        return (
            f"<geom name='{name}' type='{self.random.choice(GEOMS)}' size='{self.vector(0.05, 0.12)}'"
            f" pos='{self.vector(-0.1, 0.1)}' euler='{self.vector(0, 90)}'{attributes}{self.softness()}/>"
        )

    def tendon_section(self) -> str:
        """Fixed tendons over joints, and one between two sites."""
        content = ""
        for joints in (self.sample(self.joints, 3), self.sample(self.joints, 1)):
            if joints and self.chance(0.5):
                path = (f"<joint joint='{joint}' coef='{self.number(-2, 2)}'/>" for joint in joints)
                content += self.tendon("fixed", "".join(path))
        if self.chance(0.5):
            content += self.tendon("spatial", "".join(f"<site site='{s}'/>" for s in self.sample(self.sites, 2)))
        return f"<tendon>{content}</tendon>"

    def tendon(self, kind: str, path: str) -> str:
        """A tendon that may be limited, springy or rough."""
        name = f"t{len(self.tendons)}"
        self.tendons.append(name)
        attributes = self.maybe(0.5, "range", "-0.1 0.1" if kind == "fixed" else "0 0.2")
        attributes += self.maybe(0.4, "frictionloss", "0.3") + self.maybe(0.3, "stiffness", "5")
        attributes += self.maybe(0.3, "margin", "0.05")
        return f"<{kind} name='{name}'{attributes}>{path}</{kind}>"

    def equality_section(self) -> str:
        """Up to three ties between bodies, sites, joints or tendons."""
        content = ""
        for _ in range(self.random.randint(0, 3)):
            kind = self.random.choice(("connect", "weld", "connect sites", "weld sites", "joint", "tendon"))
            rest = self.maybe(0.15, "active", "false") + self.softness()
            first, second = (*self.sample(self.bodies, 2), "world")[:2]
            if kind == "connect":
                content += f"<connect body1='{first}' body2='{second}' anchor='{self.vector(-0.1, 0.1)}'{rest}/>"
            elif kind == "weld":
                content += f"<weld body1='{first}' body2='{second}' torquescale='{self.number(0.1, 2)}'{rest}/>"
            elif kind.endswith("sites"):
                first, second = self.sample(self.sites, 2)
                content += f"<{kind.split()[0]} site1='{first}' site2='{second}'{rest}/>"
            else:
                names = self.sample(self.joints if kind == "joint" else self.tendons, 2)
                objects = "".join(f" {kind}{i + 1}='{name}'" for i, name in enumerate(names))
                polynomial = f"{self.number(-0.1, 0.1)} {self.number(-1, 1)} {self.number(-1, 1)} 0 0.1"
                content += f"<{kind}{objects} polycoef='{polynomial}'{rest}/>" if names else ""
        return f"<equality>{content}</equality>"

    def contact_section(self) -> str:
        """Up to two explicit pairs, and perhaps two bodies that never touch."""
        content = ""
        for _ in range(self.random.randint(0, 2)):
            first, second = self.sample(self.geoms, 2)
            friction = f"{self.number(0.1, 1)} {self.number(0.1, 1)} {self.vector(0, 0.05)}"
            content += (
                f"<pair geom1='{first}' geom2='{second}' condim='{self.random.choice(CONDIMS)}' friction='{friction}'"
                f" margin='{self.number(0, 0.1)}' gap='{self.number(0, 0.05)}'"
                f"{self.maybe(0.4, 'solreffriction', '0.05 1', '-300 -20')}{self.softness()}/>"
            )
        if len(self.bodies) > 1 and self.chance(0.3):
            first, second = self.sample(self.bodies, 2)
            content += f"<exclude body1='{first}' body2='{second}'/>"
        return f"<contact>{content}</contact>"

    def actuator_section(self) -> str:
        """Perhaps a body that sticks to what it touches."""
        body = self.random.choice(self.bodies)
        return f"<actuator><adhesion body='{body}' gain='5' ctrlrange='0 1'/></actuator>" if self.chance(0.3) else ""
