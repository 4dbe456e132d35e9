"""Small random machines that mix what motion without contact has.

Each machine has two to seven bodies in random trees, joints of every kind with springs and dampers, fixed and spatial
tendons with wrapping and pulleys, actuators of every kind, dynamics and transmission with limits, groups and delays,
sensors of every type with reference frames, cutoffs, delays and intervals, moved bodies, cameras and lights that track,
fluid, gravity compensation and flags. A number names a machine: `python -m conformance machines --filter 0017`.
"""

from __future__ import annotations

from conformance.dice import Dice

GEOMS = ("sphere", "capsule", "box", "cylinder", "ellipsoid")
SITES = ("sphere", "box", "ellipsoid", "capsule", "cylinder")
SHORTCUTS = ("motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "general", "general")
DYNAMICS = ("none", "integrator", "filter", "filterexact", "muscle", "user")
MUSCLE = ".7 1.1 20 200 .5 1.6 1.5 1.3 1.2"
TRACKING = ("track", "trackcom", "targetbody", "targetbodycom")
FLAGS = {"spring": 0.1, "damper": 0.1, "gravity": 0.1, "clampctrl": 0.1, "actuation": 0.05, "eulerdamp": 0.1}
SITE_SENSORS = ("accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer")
FRAME_SENSORS = ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel")
# These have directions or quaternions, which cannot be cut off.
NEVER_CUT = ("ballquat", "framequat", "framexaxis", "frameyaxis", "framezaxis")


class Machine(Dice):
    """Builds one machine; `text` is its MJCF."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.names: dict[str, list[str]] = {kind: [] for kind in ("body", "geom", "site", "camera")}
        self.scalars: list[str] = []
        self.balls: list[str] = []
        self.joints: list[str] = []
        self.wraps: list[str] = []
        self.tendons: list[str] = []
        self.actuators: list[str] = []
        self.left = self.random.randint(2, 7)
        world = self.camera("") + self.site() + self.geom()
        while self.left:
            world += self.body(depth=0)
        world += self.moved() + self.trackers()
        # Later sections name what earlier ones made.
        tendons, actuators = self.tendon_section(), self.actuator_section()
        self.text = (
            f"<mujoco><size nuserdata='3'/><option {self.options()}><flag {self.flags()}/></option>"
            f"<worldbody>{world}</worldbody>{tendons}{actuators}{self.sensor_section()}</mujoco>"
        )

    def named(self, kind: str) -> str:
        """A new name."""
        names = self.names[kind]
        names.append(f"{kind}{len(names)}")
        return names[-1]

    def any(self, kind: str) -> str:
        """One of the names."""
        return self.random.choice(self.names[kind])

    def range(self, attribute: str, size: float) -> str:
        """A range about zero."""
        return f" {attribute}='{self.number(-size, -size / 4)} {self.number(size / 4, size)}'"

    def options(self) -> str:
        """Integrator, storage of Jacobians, medium, gravity, groups that do not act."""
        return (
            f"timestep='{self.random.choice(('.002', '.005', '.01'))}'"
            f" integrator='{self.random.choice(('Euler', 'RK4', 'implicit', 'implicitfast'))}'"
            f" jacobian='{self.random.choice(('dense', 'sparse', 'auto'))}'"
            + self.maybe(0.5, "density", "1.2", "50")
            + self.maybe(0.5, "viscosity", ".1", "1")
            + self.maybe(0.5, "wind", "1 -2 .5")
            + self.maybe(0.3, "gravity", "1 2 -3", "0 0 0")
            + self.maybe(0.3, "magnetic", ".3 .2 -.1")
            + self.maybe(0.3, "actuatorgroupdisable", "1", "0 2", "3")
        )

    def flags(self) -> str:
        """Without constraints; some other parts off, energy perhaps on."""
        off = ("constraint", *(name for name, probability in FLAGS.items() if self.chance(probability)))
        return " ".join(f"{name}='disable'" for name in off) + self.maybe(0.6, "energy", "enable")

    def body(self, depth: int) -> str:
        """A body with joints, geoms, sites, perhaps a camera, an inertia of its own and children."""
        self.left -= 1
        name = self.named("body")
        content = self.body_joints(depth)
        content += "".join(self.geom() for _ in range(self.random.randint(1, 3)))
        content += "".join(self.site() for _ in range(self.random.randint(1, 2)))
        if self.chance(0.2):
            content += f"<inertial pos='{self.vector(-0.1, 0.1)}' mass='{self.number(0.1, 2)}'"
            content += f" diaginertia='{self.vector(0.05, 0.09)}' euler='{self.vector(0, 90)}'/>"
        if self.chance(0.3):
            content += self.camera("")
        while self.left and depth < 4 and self.chance(0.6):
            content += self.body(depth + 1)
        weight = self.maybe(0.3, "gravcomp", "1", ".5", "2", "-1")
        pose = f"pos='{self.vector(-0.4, 0.4)}' euler='{self.vector(0, 180)}'"
        return f"<body name='{name}' {pose}{weight}>{content}</body>"

    def body_joints(self, depth: int) -> str:
        """Joints of a body; a few bodies have none."""
        if depth == 0 and self.chance(0.35):
            return self.joint("free")
        if depth > 0 and self.chance(0.1):
            return ""
        if self.chance(0.3):
            return self.joint("slide") + self.joint("ball") if self.chance(0.3) else self.joint("ball")
        kinds = self.random.choices(("hinge", "slide", "hinge"), k=self.random.randint(1, 3))
        return "".join(self.joint(kind) for kind in kinds)

    def joint(self, kind: str) -> str:
        """A joint that may be springy, damped, geared, limited in force."""
        name = f"j{len(self.joints)}"
        self.joints.append(name)
        attributes = self.maybe(0.4, "stiffness", "1", "10", "50") + self.maybe(0.5, "damping", ".05", "1")
        attributes += self.maybe(0.3, "armature", ".01", ".1") + self.maybe(0.2, "actuatorgravcomp", "true")
        if kind == "ball":
            self.balls.append(name)
        elif kind != "free":
            self.scalars.append(name)
            attributes += self.maybe(0.3, "ref", ".3", "20") + self.maybe(0.3, "springref", ".2", "-15")
            attributes += self.range("actuatorfrcrange", 3) if self.chance(0.3) else ""
        if kind != "free":
            attributes += f" pos='{self.vector(-0.1, 0.1)}' axis='{self.vector(0.1, 1)}'"
        return f"<joint name='{name}' type='{kind}'{attributes}/>"

    def geom(self) -> str:
        """A geom that may feel the fluid by its own shape."""
        name, kind = self.named("geom"), self.random.choice(GEOMS)
        if kind in ("sphere", "cylinder"):
            self.wraps.append(name)
        attributes = self.maybe(0.3, "fluidshape", "ellipsoid") + self.maybe(0.3, "fluidcoef", ".3 .4", "1 2 .5 .2 .3")
        pose = f"pos='{self.vector(-0.15, 0.15)}' euler='{self.vector(0, 180)}'"
        return f"<geom name='{name}' type='{kind}' size='{self.vector(0.03, 0.12)}' {pose}{attributes}/>"

    def site(self) -> str:
        """A site with a volume."""
        pose = f"pos='{self.vector(-0.2, 0.2)}' euler='{self.vector(0, 180)}'"
        kind = self.random.choice(SITES)
        return f"<site name='{self.named('site')}' type='{kind}' size='{self.vector(0.1, 0.4)}' {pose}/>"

    def camera(self, mode: str) -> str:
        """A camera with an image of a few pixels."""
        pixels = f"{self.random.randint(1, 6)} {self.random.randint(1, 6)}"
        pose = f"pos='{self.vector(-1, 1)}' euler='{self.vector(0, 180)}'"
        view = f"resolution='{pixels}' fovy='{self.number(20, 80)}'"
        return f"<camera name='{self.named('camera')}' {pose} {view}{mode}/>"

    def moved(self) -> str:
        """Perhaps a body that is moved by hand, with a child."""
        if self.chance(0.6):
            return ""
        names = self.named("body"), self.named("body")
        turn = f"euler='{self.vector(0, 90)}'"
        child = f"<body name='{names[1]}' pos='.1 .2 .3' {turn}>{self.geom()}{self.site()}</body>"
        return f"<body name='{names[0]}' mocap='true' pos='{self.vector(-1, 1)}' {turn}>{self.site()}{child}</body>"

    def trackers(self) -> str:
        """Cameras and lights that follow or look at a body."""
        content = ""
        for mode in TRACKING:
            if self.chance(0.3):
                target = f" target='{self.any('body')}'" if mode.startswith("target") else ""
                light = f"<light mode='{mode}'{target} pos='{self.vector(-1, 1)}' dir='{self.vector(0.1, 1)}'/>"
                content += f"<body pos='{self.vector(-1, 1)}'>{self.camera(f' mode={mode!r}{target}')}{light}</body>"
        return content

    def tendon_section(self) -> str:
        """Fixed and spatial tendons with springs, dampers, armature and limits of force."""
        content = ""
        for _ in range(self.random.randint(0, 4)):
            attributes = self.maybe(0.5, "stiffness", "5", "50") + self.maybe(0.5, "damping", ".5", "3")
            attributes += self.maybe(0.3, "springlength", ".2", ".1 .4", "-1")
            if self.chance(0.3):
                attributes += " actuatorfrclimited='true'" + self.range("actuatorfrcrange", 2)
            joints = self.sample(self.scalars, self.random.randint(1, 3))
            if joints and self.chance(0.5):
                kind = "fixed"
                path = "".join(f"<joint joint='{joint}' coef='{self.number(-2, 2)}'/>" for joint in joints)
            else:
                kind, path = "spatial", self.path()
            attributes += self.maybe(0.3, "armature", ".1") if "<geom" not in path else ""
            self.tendons.append(f"t{len(self.tendons)}")
            content += f"<{kind} name='{self.tendons[-1]}'{attributes}>{path}</{kind}>"
        return f"<tendon>{content}</tendon>"

    def path(self) -> str:
        """One or two branches over sites, past geoms."""
        path = self.random.choice(("", "", "<pulley divisor='3'/>"))
        for branch in range(self.random.randint(1, 2)):
            path += f"<pulley divisor='{self.random.choice(('2', '.5'))}'/>" if branch else ""
            sites = self.sample(self.names["site"], self.random.randint(2, 4))
            for number, site in enumerate(sites):
                path += f"<site site='{site}'/>"
                if self.wraps and number + 1 < len(sites) and self.chance(0.5):
                    side = f" sidesite='{self.any('site')}'" if self.chance(0.5) else ""
                    path += f"<geom geom='{self.random.choice(self.wraps)}'{side}/>"
        return path

    def target(self, shortcut: str) -> str:
        """A transmission with its gear."""
        kinds = ["joint", "joint", "jointinparent", "crank"]
        kinds += ["tendon", "tendon"] if self.tendons else []
        kinds += ["site", "refsite"] if shortcut != "muscle" else []
        kind = self.random.choice(kinds)
        if kind == "tendon":
            return f"tendon='{self.random.choice(self.tendons)}' gear='{self.number(-2, 2)}'"
        if kind == "crank":
            # One of the two is the world's: what moves both has a moment of zero, or of rounding.
            crank, slider = self.sample((self.names["site"][0], self.random.choice(self.names["site"][1:])), 2)
            return f"cranksite='{crank}' slidersite='{slider}' cranklength='{self.number(0.1, 1)}'"
        gear = self.random.choice((self.vector(-2, 2), f"{self.vector(-1, 1)} {self.vector(-1, 1)}"))
        if kind in ("joint", "jointinparent"):
            return f"{kind}='{self.random.choice(self.joints)}' gear='{gear}'"
        reference = f" refsite='{self.any('site')}'" if kind == "refsite" else ""
        return f"site='{self.any('site')}'{reference} gear='{gear}'"

    def actuator_section(self) -> str:
        """One to eight actuators."""
        content = ""
        for _ in range(self.random.randint(1, 8)):
            self.actuators.append(f"a{len(self.actuators)}")
            shortcut = self.random.choice(SHORTCUTS)
            attributes = self.maybe(0.3, "group", "1", "2", "3")
            attributes += self.range("ctrlrange", 1) if shortcut != "damper" and self.chance(0.3) else ""
            attributes += self.range("forcerange", 2) if self.chance(0.3) else ""
            attributes += self.history(0.3)
            attributes += getattr(self, shortcut, self.motor)()
            content += f"<{shortcut} name='{self.actuators[-1]}' {self.target(shortcut)}{attributes}/>"
        return f"<actuator>{content}</actuator>"

    def history(self, probability: float) -> str:
        """Perhaps samples of the past, and a delay."""
        if not self.chance(probability):
            return ""
        how = self.random.choice(("zoh", "linear", "cubic"))
        return f" nsample='{self.random.randint(1, 6)}' interp='{how}'" + self.maybe(0.8, "delay", ".007", ".03")

    def motor(self) -> str:
        """Nothing more."""
        return ""

    def position(self) -> str:
        """A servo, perhaps slow."""
        damping = self.maybe(0.5, "kv", ".5", "2")
        return f" kp='{self.number(1, 20)}'{damping}{self.maybe(0.4, 'timeconst', '.05', '.2')}"

    def intvelocity(self) -> str:
        """A servo whose set point moves."""
        return f" kp='{self.number(1, 20)}'{self.maybe(0.5, 'kv', '.5', '2')} actrange='-.5 .5'"

    def velocity(self) -> str:
        """A servo of velocity."""
        return f" kv='{self.number(1, 10)}'"

    def damper(self) -> str:
        """A brake."""
        return f" kv='{self.number(1, 5)}' ctrlrange='0 1'"

    def cylinder(self) -> str:
        """Pressure on an area."""
        return f" area='{self.number(0.1, 2)}' timeconst='{self.number(0.02, 1)}' bias='{self.vector(-1, 1)}'"

    def muscle(self) -> str:
        """A muscle of known length range."""
        return " lengthrange='-.5 .7'" + self.maybe(0.5, "tausmooth", ".1", ".5") + self.maybe(0.5, "force", "10", "50")

    def general(self) -> str:
        """Any dynamics with any gain and bias."""
        dynamics = self.random.choice(DYNAMICS)
        gain, bias = (self.random.choice((first, "affine", "muscle", "user")) for first in ("fixed", "none"))
        attributes = f" dyntype='{dynamics}' gaintype='{gain}' biastype='{bias}' lengthrange='-.5 .7'"
        attributes += f" dynprm='{self.vector(0.02, 0.1)}'"
        attributes += f" gainprm='{MUSCLE if gain == 'muscle' else self.vector(-3, 3)}'"
        attributes += f" biasprm='{MUSCLE if bias == 'muscle' else self.vector(-3, 0)}'"
        if dynamics != "none":
            attributes += self.maybe(0.5, "actearly", "true")
            attributes += self.range("actrange", 0.5) if self.chance(0.4) else ""
        return attributes + (f" actdim='{self.random.randint(1, 3)}'" if dynamics == "user" else "")

    def sensor_section(self) -> str:
        """Three to twenty-five sensors."""
        content = ""
        for _ in range(self.random.randint(3, 25)):
            sensor = self.sensor()
            if not sensor.startswith(("user", *NEVER_CUT)):
                sensor += self.maybe(0.3, "cutoff", ".1", "1")
            if not sensor.startswith("user"):
                samples = self.history(0.4)
                sensor += samples + (self.maybe(0.5, "interval", ".005", ".02 -.003") if samples else "")
            content += f"<{sensor}/>"
        return f"<sensor>{content}</sensor>"

    def sensor(self) -> str:
        """The element of a sensor, without what all sensors may have."""
        choice = self.random.choice
        kinds = [
            f"{choice(SITE_SENSORS)} site='{self.any('site')}'",
            f"camprojection site='{self.any('site')}' camera='{self.any('camera')}'",
            f"{choice(('actuatorpos', 'actuatorvel', 'actuatorfrc'))} actuator='{choice(self.actuators)}'",
            f"{choice(FRAME_SENSORS)} {self.frame('obj')}",
            f"{choice(FRAME_SENSORS)} {self.frame('obj')} {self.frame('ref')}",
            f"{choice(('framelinacc', 'frameangacc'))} {self.frame('obj')}",
            f"{choice(('subtreecom', 'subtreelinvel', 'subtreeangmom'))} body='{self.any('body')}'",
            f"insidesite site='{self.any('site')}' {self.frame('obj')}",
            choice(("e_potential", "e_kinetic", "clock")),
            f"user dim='{self.random.randint(0, 3)}' needstage='{choice(('pos', 'vel', 'acc'))}'",
            f"rangefinder site='{self.any('site')}' data='{choice(('dist', 'dir origin point normal'))}'",
            f"rangefinder camera='{self.any('camera')}' data='{choice(('dist', 'depth'))}'",
        ]
        if self.scalars:
            kinds.append(f"{choice(('jointpos', 'jointvel', 'jointactuatorfrc'))} joint='{choice(self.scalars)}'")
        if self.balls:
            kinds.append(f"{choice(('ballquat', 'ballangvel'))} joint='{choice(self.balls)}'")
        if self.tendons:
            kinds.append(f"{choice(('tendonpos', 'tendonvel', 'tendonactuatorfrc'))} tendon='{choice(self.tendons)}'")
        return choice(kinds)

    def frame(self, prefix: str) -> str:
        """An object with a frame."""
        kind = self.random.choice(("body", "xbody", "geom", "site", "camera"))
        return f"{prefix}type='{kind}' {prefix}name='{self.any(kind.removeprefix('x'))}'"
