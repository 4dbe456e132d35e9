"""Models that ask for a lot: each a function that gives a text and the files it names."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable

Made = tuple[str, dict[str, bytes]]
TEXTS: dict[str, Callable[[], Made]] = {}


def _text(function: Callable[[], str | Made]) -> Callable[[], str | Made]:
    """Enters a function under its name."""

    def made() -> Made:
        result = function()
        return result if isinstance(result, tuple) else (result, {})

    TEXTS[function.__name__.replace("_", " ")] = made
    return function


def world(inside: str, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody></mujoco>"


def asset(inside: str) -> str:
    return f"<mujoco><asset>{inside}</asset></mujoco>"


def mesh(attributes: str) -> str:
    return f"""<mujoco><asset><mesh name="m" {attributes}/></asset><worldbody><body><freejoint/>
        <geom type="mesh" mesh="m" mass="1"/></body></worldbody></mujoco>"""


def png(width: int, height: int, chunks: bytes = b"", channels: int = 3) -> bytes:
    """An image of zeros: a few hundred kilobytes, whatever its size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    colour = {1: 0, 3: 2, 4: 6}[channels]
    packer = zlib.compressobj(9)
    row = bytes(1 + channels * width)
    pixels = b"".join([packer.compress(row) for _ in range(height)]) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunks + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@_text
def half_a_million_bodies():
    return world("<body/>" * 500_000)


@_text
def half_a_million_copies():
    return world('<replicate count="490000" offset="1 0 0"><body/></replicate>')


@_text
def copies_of_moving_bodies():
    return world('<replicate count="60000" offset="1 0 0"><body><freejoint/><geom size=".1"/></body></replicate>')


@_text
def named_geoms():
    return world("".join(f'<geom name="geom_{i}" pos="{i} 0 0" size=".1"/>' for i in range(200_000)))


@_text
def a_million_sites():
    return world("<site/>" * 999_000)


@_text
def a_billion_copies():
    return world('<replicate count="1000000000"><geom size="1"/></replicate>')


@_text
def copies_of_long_lists():
    numbers = "1 " * 10_000
    return world(f'<replicate count="100000" offset="1 0 0"><geom size="1" user="{numbers}"/></replicate>')


@_text
def long_lists_of_a_class():
    numbers = "1 " * 10_000
    return world("<geom size='1'/>" * 100_000, f"<default><geom user='{numbers}'/></default>")


@_text
def wide_user_data():
    return world("<geom size='1'/>" * 1000, "<size nuser_geom='2000000'/>")


@_text
def user_data():
    return '<mujoco><size nuserdata="400000000"/></mujoco>'


@_text
def user_data_at_the_limit():
    return '<mujoco><size nuserdata="2147483647"/></mujoco>'


@_text
def keyframes():
    body = '<body><freejoint/><geom size="1"/></body>' * 100
    return world(body, '<size nkey="50000"/>')


@_text
def a_history():
    sensor = '<sensor><framepos objtype="site" objname="s" nsample="16000000"/></sensor>'
    return f'<mujoco><worldbody><site name="s"/></worldbody>{sensor}</mujoco>'


@_text
def a_long_chain():
    return world('<body pos="0 0 .1"><joint type="ball"/><geom size=".01"/>' * 490 + "</body>" * 490)


@_text
def a_cable():
    return world(
        '<composite type="cable" curve="s" count="991 1 1" size="10" initial="none">'
        '<joint kind="main" damping="1"/><geom type="capsule" size=".01"/></composite>'
    )


@_text
def nested_elements():
    return world("<body>" * 50_000 + "</body>" * 50_000)


@_text
def many_classes():
    return "<mujoco><default>" + "".join(f'<default class="c{i}"/>' for i in range(300_000)) + "</default></mujoco>"


@_text
def many_comments():
    return "<mujoco>" + "<!-- -- -->" * 3_000_000 + "</mujoco>"


@_text
def one_long_value():
    return f'<mujoco><asset><hfield name="h" nrow="1" ncol="9" size="1 1 1 1" elevation="{"1 " * 20_000_000}"/></asset></mujoco>'


@_text
def many_attributes():
    return "<mujoco><option " + "".join(f'a{i}="1" ' for i in range(900)) + "/></mujoco>"


@_text
def sixteen_textures_of_one_image():
    names = "".join(f'<texture name="t{i}" type="2d" file="a.png"/>' for i in range(16))
    return asset(names), {"a.png": png(8192, 8192)}


@_text
def a_height_field_from_an_image():
    return asset('<hfield name="h" size="1 1 1 1" file="a.png"/>'), {"a.png": png(8192, 8192)}


@_text
def a_cube_from_an_image():
    sides = " ".join(f'file{side}="a.png"' for side in ("right", "left", "up", "down", "front", "back"))
    return asset(f'<texture name="t" type="cube" {sides}/>'), {"a.png": png(8192, 8192)}


@_text
def a_palette_that_is_not_whole():
    palette = struct.pack(">I", 4) + b"PLTE" + b"abcd" + struct.pack(">I", zlib.crc32(b"PLTEabcd"))
    return asset('<texture name="t" type="2d" file="a.png"/>'), {"a.png": png(4, 4, palette)}


@_text
def large_textures():
    return asset(
        "".join(f'<texture name="t{i}" type="2d" builtin="flat" width="8000" height="8000"/>' for i in range(16))
    )


@_text
def large_height_fields():
    return asset("".join(f'<hfield name="h{i}" size="1 1 1 1" nrow="8000" ncol="8000"/>' for i in range(16)))


@_text
def a_large_plate():
    return mesh('builtin="plate" params="2000 2000"')


@_text
def a_large_sphere():
    return mesh('builtin="supersphere" params="2200 1 1"')


@_text
def a_cone_of_many_edges():
    return mesh('builtin="cone" params="300000 1"')


@_text
def a_large_wedge():
    return mesh('builtin="wedge" params="3000 3000 60 60 0"')


@_text
def an_stl_that_claims_much():
    return mesh('file="a.stl"'), {"a.stl": bytes(80) + struct.pack("<I", 4_000_000_000) + bytes(100)}


@_text
def an_msh_that_claims_much():
    return mesh('file="a.msh"'), {"a.msh": struct.pack("<4i", *[2_000_000_000] * 4)}


@_text
def an_obj_of_one_polygon():
    return mesh('file="a.obj"'), {"a.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf" + b" 1 2 3" * 4_000_000}


@_text
def an_obj_of_many_vertices():
    dice = random.Random(1)
    rows = (f"v {dice.random()} {dice.random()} {dice.random()}" for _ in range(600_000))
    return mesh('file="a.obj"'), {"a.obj": "\n".join(rows).encode()}


@_text
def attached_meshes():
    numbers = "0 0 0 1 0 0 0 1 0 0 0 1 " * 100_000
    part = f"""<mujoco><asset><mesh name="m" vertex="{numbers}"/></asset>
        <worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>"""
    copies = "".join(f'<attach model="p" body="b" prefix="p{i}"/>' for i in range(1000))
    text = f'<mujoco><asset><model name="p" file="p.xml"/></asset><worldbody>{copies}</worldbody></mujoco>'
    return text, {"p.xml": part.encode()}


@_text
def lines_after_the_end():
    return "<mujoco/>" + "\n" * 40_000_000 + "x"


@_text
def prefixes_of_many_elements():
    declared = " ".join(f'xmlns:a{i}="b"' for i in range(900))
    inside = '<custom xmlns:b="c"/>' * 100_000
    return f"<mujoco {declared}>{inside}</mujoco>"


@_text
def empty_site_names():
    tied = '<equality><connect site1="a" site2=""/></equality>'
    return f'<mujoco><worldbody><body><freejoint/><geom size="1"/><site name="a"/></body></worldbody>{tied}</mujoco>'
