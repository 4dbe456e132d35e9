"""Models as long as files may be: lists of a million elements, values of megabytes, large files. Each a function that gives a
text, or a text with its files."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable

from conformance.attack.texts import TEXTS, asset, png

LONG: dict[str, Callable[[], str]] = {}
FILES: dict[str, Callable[[], tuple[str, dict[str, bytes]]]] = {}
MANY = 900_000
TREE = """<body name="a"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
    <body name="b"><joint/><geom name="h" size=".1"/><site name="t"/></body>"""


def long(function: Callable[[], str]) -> Callable[[], str]:
    """Enters a function under its name."""
    LONG[function.__name__.replace("_", " ")] = function
    return function


def filed(function: Callable[[], tuple[str, dict[str, bytes]]]) -> Callable[[], tuple[str, dict[str, bytes]]]:
    """The same for one with files."""
    FILES[function.__name__.replace("_", " ")] = function
    return function


def world(inside: str, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody></mujoco>"


def rows(row: str, count: int = MANY) -> str:
    """An element many times, # standing for its number."""
    return "".join(row.replace("#", str(i)) for i in range(count))


def within(tag: str, inside: str) -> str:
    return f"<{tag}>{inside}</{tag.split()[0]}>"


def section(name: str, inside: str) -> str:
    return f"<mujoco><worldbody>{TREE}</worldbody><{name}>{inside}</{name}></mujoco>"


@long
def geoms_of_a_body():
    return world(within("body", rows('<geom name="g#" size=".1"/>')))


@long
def sites_of_a_body():
    return world(within("body", rows('<site name="s#"/>')))


@long
def cameras():
    return world(rows('<camera name="c#"/>'))


@long
def bodies():
    return world(rows('<body name="b#"><freejoint/><geom size=".1" mass="1"/></body>', 65_000))


@long
def too_many_bodies():
    return world(rows('<body name="b#"/>'))


@long
def geoms_of_static_bodies():
    return world(rows('<body name="b#"><geom size=".1"/><geom size=".1"/><geom size=".1"/></body>', 65_000))


@long
def static_bodies_that_are_fused():
    return world(rows('<body name="b#"><geom size=".1"/></body>', 65_000), '<compiler fusestatic="true"/>')


@long
def geoms_that_are_dropped():
    geoms = rows('<geom name="g#" size=".1" contype="0" conaffinity="0"/>')
    return world(f'<body>{geoms}<geom size=".1"/></body>', '<compiler discardvisual="true"/>')


@long
def geoms_with_all_attributes():
    return world(
        rows(
            """<geom name="g#" size=".1" pos="0 0 0" quat="1 0 0 0" rgba="0 0 0 1" friction="1 1 1" margin="0" gap="0"
            condim="3" contype="1" conaffinity="1" group="0" priority="0" solmix="1" solref=".1 1"/>""",
            400_000,
        )
    )


@long
def frames():
    return world(rows('<frame name="f#" euler="1 2 3"><geom size=".1"/></frame>', MANY // 2))


@long
def excludes():
    return section("contact", rows('<exclude name="e#" body1="a" body2="b"/>'))


@long
def pairs():
    return section("contact", rows('<pair name="p#" geom1="g" geom2="h"/>'))


@long
def tuples():
    return section("custom", rows('<tuple name="t#"><element objtype="body" objname="a"/></tuple>', MANY // 2))


@long
def elements_of_a_tuple():
    return section("custom", within('tuple name="t"', rows('<element objtype="body" objname="a"/>')))


@long
def texts():
    return section("custom", rows('<text name="t#" data="hello"/>'))


@long
def numerics():
    return section("custom", rows('<numeric name="n#" data="1 2 3"/>'))


@long
def keyframes():
    return section("keyframe", rows('<key name="k#" time="1"/>'))


@long
def sensors():
    return section("sensor", rows('<jointpos name="s#" joint="j"/>'))


@long
def waypoints_of_a_tendon():
    return section("tendon", within('spatial name="t"', rows('<site site="s"/><site site="t"/>', MANY // 2)))


@long
def tendons():
    return section("tendon", rows('<fixed name="t#"><joint joint="j" coef="1"/></fixed>', MANY // 2))


@long
def equalities():
    return section("equality", rows('<connect name="e#" body1="a" anchor="0 0 1"/>', 400_000))


@long
def actuators():
    return section("actuator", rows('<motor name="m#" joint="j"/>', 400_000))


@long
def materials():
    return section("asset", rows('<material name="m#"/>'))


@long
def classes():
    classes = rows('<default class="c#"><geom size=".1"/></default>', MANY // 2)
    return f"<mujoco><default>{classes}</default></mujoco>"


@long
def plugin_instances():
    instances = rows('<instance name="i#"><config key="kp" value="1"/></instance>', MANY // 2)
    return f'<mujoco><extension><plugin plugin="mujoco.pid">{instances}</plugin></extension></mujoco>'


@long
def settings_of_a_plugin():
    settings = rows('<config key="k#" value="1"/>')
    instance = f'<instance name="i">{settings}</instance>'
    return f'<mujoco><extension><plugin plugin="mujoco.pid">{instance}</plugin></extension></mujoco>'


@long
def unknown_elements():
    return world("<foo/>" * MANY)


@long
def repeated_names():
    return world('<geom name="a" size=".1"/>' * MANY)


@long
def names_of_nothing():
    return section("sensor", rows('<jointpos name="s#" joint="x#"/>'))


@long
def warnings():
    return world(rows('<body><geom size=".1"/><joint damping="-1" armature="-1"/></body>', 60_000))


@long
def attributes():
    names = " ".join(f"a{i}=''" for i in range(1000))
    return world(f"<geom {names}/>" * 10_000)


@long
def numbers():
    numbers = "1 " * (60 << 20)
    return section("custom", f'<numeric name="n" data="{numbers}"/>')


@long
def words():
    words = rows("w# ", 5_000_000)
    return section("sensor", f'<contact data="{words}"/>')


@long
def a_value():
    value = "x" * (250 << 20)
    return section("custom", f'<text name="t" data="{value}"/>')


@long
def references_in_a_value():
    value = "&amp;" * (50 << 20)
    return section("custom", f'<text name="t" data="{value}"/>')


@long
def a_comment():
    return f"<mujoco><!--{'-x' * (120 << 20)}--></mujoco>"


@long
def blanks():
    return f"<mujoco>{' ' * (250 << 20)}</mujoco>"


@long
def lines_after_the_end():
    return "<mujoco/>" + "\n" * (250 << 20) + "x"


@long
def no_tags_at_all():
    return "x" * (250 << 20)


@long
def prefixes():
    declared = " ".join(f'xmlns:a{i}="b"' for i in range(900))
    return within(f"mujoco {declared}", '<custom xmlns:b="c"/>' * MANY)


@long
def vertices_of_a_mesh():
    numbers = " ".join(f"{i % 997} {i % 1009} {i * 7 % 1013}" for i in range(1_000_000))
    return f"""<mujoco><asset><mesh name="m" vertex="{numbers}"/></asset><worldbody><body>
        <geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


@long
def geoms_of_a_mesh():
    mesh = '<asset><mesh name="m" builtin="supersphere" params="30 1 1"/></asset>'
    return world('<geom type="mesh" mesh="m" mass="1"/>' * MANY, mesh)


@long
def copies_of_many_geoms():
    return world(within('replicate count="2"', '<geom size=".1"/>' * 400_000))


@long
def copies_of_moving_bodies():
    return world(
        """<replicate count="65000"><body name="b"><freejoint/><geom name="g" size=".1"/></body></replicate>"""
    )


@long
def copies_with_sensors():
    return """<mujoco><worldbody><replicate count="40000" sep="-"><body name="b"><joint name="j"/><geom size=".1"/>
        <site name="s"/></body></replicate></worldbody><sensor><jointpos joint="j"/><gyro site="s"/></sensor>
        <actuator><motor joint="j"/></actuator></mujoco>"""


@long
def links():
    inertia = """<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
    joint = """<joint name="j#" type="revolute"><parent link="base"/><child link="l#"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1"/></joint>"""
    link = f'<link name="l#">{inertia}</link>'
    return within('robot name="r"', '<link name="base"/>' + rows(link + joint, 60_000))


@long
def links_of_nothing():
    joint = '<joint name="j#" type="fixed"><parent link="x#"/><child link="y#"/></joint>'
    return within('robot name="r"', rows('<link name="l#"/>' + joint, 200_000))


@long
def vertices_of_a_flex():
    count = 300_000
    points = " ".join(f"{i % 1000} {i // 1000} 0" for i in range(count))
    elements = " ".join(f"{i} {i + 1} {i + 1000}" for i in range(count - 1001))
    flex = f'<flex name="f" dim="2" body="b" vertex="{points}" element="{elements}"/>'
    return f'<mujoco><worldbody><body name="b"/></worldbody><deformable>{flex}</deformable></mujoco>'


@long
def cells_of_a_height_field():
    heights = "0 1 " * (1 << 23)
    return f'<mujoco><asset><hfield name="h" nrow="4096" ncol="4096" size="1 1 1 1" elevation="{heights}"/></asset></mujoco>'


@long
def pixels_of_a_texture():
    return """<mujoco><asset><texture name="t" type="2d" builtin="gradient" width="8192" height="8192" mark="random"
        random=".5"/></asset></mujoco>"""


@long
def chains_of_many_degrees_of_freedom():
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    joints = slides + slides.replace("slide", "hinge")
    chain = f'<body pos="0 0 .1">{joints}<geom size=".01"/>' * 490 + "</body>" * 490
    return world(f'<replicate count="8" offset="1 0 0">{chain}</replicate>')


@filed
def an_image_of_a_texture():
    return asset('<texture name="t" type="2d" file="a.png" nchannel="4"/>'), {"a.png": png(8192, 8192)}


# Those that are attacks on the memory, too.
FILES |= {name: TEXTS[name] for name in ("a cube from an image", "a height field from an image")}


@filed
def a_file_of_a_height_field():
    cells = struct.pack("<ii", 7000, 7000) + struct.pack("<7000f", *range(7000)) * 7000
    return asset('<hfield name="h" size="1 1 1 1" file="a.bin" content_type="image/vnd.mujoco.hfield"/>'), {
        "a.bin": cells
    }


MESH = '<mesh name="m" file="a.#"/>'


@filed
def a_text_file_of_a_mesh():
    rows = "".join(f"v {i % 1000} {i // 1000} {i % 7}\n" for i in range(3_000_000))
    faces = "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, 3_000_000, 3))
    return asset(MESH.replace("#", "obj")), {"a.obj": (rows + faces).encode()}


@filed
def a_text_file_of_one_line():
    return asset(MESH.replace("#", "obj")), {"a.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf" + b" 1 2 3" * 10**7}


@filed
def a_file_of_a_mesh_in_the_format_of_the_reference():
    count = 5_000_000
    vertices = struct.pack("<3000f", *range(3000)) * (count // 1000)
    faces = struct.pack("<3000i", *range(3000)) * (count // 1000)
    return asset(MESH.replace("#", "msh")), {"a.msh": struct.pack("<4i", count, 0, 0, count) + vertices + faces}


@filed
def a_surface_of_a_flexcomp():
    text = '<flexcomp name="f" type="mesh" dim="2" file="a.obj" mass="1" radius=".1"/>'
    rows = "".join(f"v {i % 1000} {i // 1000} {i % 7}\n" for i in range(900_000))
    faces = "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, 900_000, 3))
    return world(text), {"a.obj": (rows + faces).encode()}


BLOCK = """<flexcomp name="f" type="grid" dim="3" count="# # #" spacing=".1 .1 .1" mass="1" radius=".01" dof="trilinear"><elasticity
    young="1000"/><contact selfcollide="none" internal="false"/></flexcomp>"""


@long
def a_block_of_a_flexcomp():
    return world(f'<body name="b">{BLOCK.replace("#", "85")}</body>')


@long
def a_cloth_of_a_flexcomp():
    cloth = BLOCK.replace('dim="3"', 'dim="2"').replace("# # #", "1300 1300 1")
    return world(f'<body name="b">{cloth}</body>')


@long
def a_flex_between_two_deep_bodies():
    count = 60_000
    names = "deep " * (count - 1) + "other"
    points = " ".join(f"{i} {i % 7} {i % 3}" for i in range(count))
    elements = " ".join(f"{i} {i + 1} {i + 2}" for i in range(count - 2))
    flex = f'<flex name="f" dim="2" body="{names}" vertex="{points}" element="{elements}"/>'
    joint = '<joint type="ball"/><geom size=".1"/>'
    deep = f"<body>{joint}" * 480 + f'<body name="deep">{joint}</body>' + "</body>" * 480
    tree = f'<worldbody>{deep}<body name="other">{joint}</body></worldbody>'
    return f"<mujoco>{tree}<deformable>{flex}</deformable></mujoco>"


GMSH = '<body name="b"><flexcomp name="f" type="gmsh" dim="3" file="a.msh" mass="1" radius=".1" rigid="true"/></body>'


def tetrahedra(points: int, elements: int, format: Callable[[int], str]) -> bytes:
    """A Gmsh file whose elements are made by a function of their number."""
    nodes = "".join(f"{i} {i % 100} {i // 100 % 100} {i // 10_000}\n" for i in range(1, points + 1))
    rows = "".join(map(format, range(1, elements + 1)))
    header = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    return f"{header}$Nodes\n{points}\n{nodes}$EndNodes\n$Elements\n{elements}\n{rows}$EndElements\n".encode()


@filed
def a_gmsh_file():
    file = tetrahedra(
        1_000_000, 2_000_000, lambda i: f"{i} 4 2 0 1 {i % 9999 + 1} {i % 10007 + 10101} {i % 777 + 30203} 77\n"
    )
    return world(GMSH), {"a.msh": file}


@filed
def a_gmsh_file_of_blanks():
    file = tetrahedra(4, 1, lambda i: f"{i} 4 2 0 1 1 2 3 4\n")
    return world(GMSH), {"a.msh": file.replace(b"$Nodes", b" " * 240_000_000 + b"$Nodes")}


@filed
def a_file_of_a_skin():
    count = 8_000_000
    vertices = struct.pack("<4i", count, 0, count, 1) + struct.pack("<3000f", *range(3000)) * (count // 1000)
    faces = struct.pack("<3000i", *range(3000)) * (count // 1000)
    bone = b"b".ljust(40, b"\0") + struct.pack("<7fi", 0, 0, 0, 1, 0, 0, 0, count)
    held = array("i", range(count)).tobytes() + struct.pack("<1000f", *[1.0] * 1000) * (count // 1000)
    text = '<mujoco><asset><skin file="a.skn"/></asset><worldbody><body name="b"/></worldbody></mujoco>'
    return text, {"a.skn": vertices + faces + bone + held}
