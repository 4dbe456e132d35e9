"""Saved models: both engines load the text, and get the same model; bytes that are no model are refused."""

import io
import os
import random
import zipfile

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING

import sinew.compat

ARRAYS = [name for name in sinew.compat.MjModel._all_fields if name not in sinew.compat.MjModel._size_fields]

RICH = """
<mujoco model="rich">
  <compiler angle="degree" eulerseq="zyx"/>
  <option timestep="0.001"><flag gravity="disable" energy="enable"/></option>
  <visual><map znear="0.02"/></visual>
  <statistic extent="3"/>
  <default>
    <geom friction="0.7"/>
    <default class="arm">
      <joint damping="2" range="-40 30"/><geom rgba="1 0 0 1" euler="0 10 0"/><general gainprm="7"/>
      <default class="hand"><site size="0.02"/></default>
    </default>
  </default>
  <asset><mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="2 1 1"/></asset>
  <worldbody>
    <light name="l" dir="0 1 -1"/>
    <body name="b" childclass="arm" pos="0 0 1" euler="90 0 20">
      <frame name="f" pos="1 2 3" euler="10 20 30">
        <joint name="j" ref="10"/><geom name="g" size=".1 .2" type="capsule"/><site name="s" class="hand" zaxis="1 1 0"/>
        <frame axisangle="0 1 0 45"><geom name="g2" type="mesh" mesh="me"/></frame>
      </frame>
      <geom name="g3" fromto="0 0 0 1 1 1" size=".05" type="capsule" class="main"/>
      <body name="b2" gravcomp="1"><geom name="ball" size=".1"/><joint name="k" type="ball" range="0 50"/></body>
    </body>
    <body name="b3"><freejoint/><inertial pos="0 0 .1" mass="2" fullinertia="2 2 3 .1 .2 .3"/></body>
    <replicate count="3" offset="1 0 0"><body name="r"><joint name="rj" type="slide"/><geom size=".3"/></body></replicate>
  </worldbody>
  <equality><weld body1="b" body2="b3" relpose="0 0 1 1 0 0 0"/><joint joint1="j" polycoef="0 2"/></equality>
  <actuator><position class="arm" joint="j" kp="9" kv="3"/><motor name="mo" joint="rj0" gear="3"/></actuator>
  <sensor><framepos objtype="site" objname="s" reftype="body" refname="b3"/><contact geom1="g" data="force dist" num="2"/></sensor>
  <keyframe><key name="home" time="2" ctrl="1 0"/></keyframe>
</mujoco>
"""


def differing(one, other, names, tolerance):
    """Names of arrays that are not the same within the digits of a text."""
    wrong = []
    for name in names:
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, bytes):
            is_same = mine == theirs
        elif np.asarray(mine).dtype.kind == "f":
            is_same = np.shape(mine) == np.shape(theirs) and np.allclose(mine, theirs, tolerance, tolerance)
        else:
            is_same = np.array_equal(mine, theirs)
        if not is_same:
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("xml", [EVERYTHING, RICH], ids=["everything", "rich"])
def test_a_saved_model_loads_again_in_both_engines(xml):
    spec = sinew.compat.MjSpec.from_string(xml)
    model = spec.compile()
    text = spec.to_xml()
    again = sinew.compat.MjModel.from_xml_string(text)
    names = [name for name in ARRAYS if not name.startswith(("bvh_", "oct_"))]
    assert differing(model, again, names, 2e-5) == []
    reference = mujoco.MjModel.from_xml_string(text)
    names = [name for name in names if hasattr(reference, name)]
    assert differing(reference, again, names, 1e-9) == []


FUSED = """
<mujoco>
  <compiler fusestatic="true" discardvisual="true" angle="degree"/>
  <asset><mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body pos="1 0 0" euler="0 0 30"><geom size=".1"/><site name="s" pos="0 1 0"/></body>
    <body name="arm" pos="0 0 1">
      <joint axis="0 1 0"/><geom name="seen" type="mesh" mesh="me" contype="0" conaffinity="0"/>
      <body name="weight" euler="0 40 0" pos=".2 0 0">
        <inertial pos=".1 0 0" mass="3" diaginertia="1 1 1.5"/>
        <frame name="f" euler="10 0 0"><geom size=".1 .2" type="capsule" fromto="0 0 0 0 .3 .1"/></frame>
        <body name="hand" pos="0 0 .3"><joint axis="1 0 0"/><geom size=".1"/></body>
      </body>
      <body name="kept" euler="0 0 50"><geom size=".05" pos=".1 .2 .3"/></body>
    </body>
  </worldbody>
  <sensor><framepos objtype="body" objname="kept"/></sensor>
</mujoco>
"""
SCALED = """
<mujoco><compiler settotalmass="7" boundmass="0.5" boundinertia="0.01" inertiafromgeom="{from_geoms}"/>
  <worldbody>
    <body><freejoint/><geom size=".1"/><body pos="1 0 0"><joint/><geom size=".2 .1" type="capsule"/></body></body>
    <body><freejoint/><inertial pos="0 0 .1" mass="2" diaginertia="2 2 3"/><geom size=".3"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(
    "xml",
    [
        FUSED,
        FUSED.replace("<compiler", '<compiler inertiafromgeom="true"'),
        *map(SCALED.replace, ["{from_geoms}"] * 2, ["auto", "true"]),
    ],
    ids=["fused", "fused, of geoms", "scaled", "scaled, of geoms"],
)
def test_what_the_compiler_joins_drops_and_scales_is_saved_as_it_became(xml):
    model = sinew.compat.MjModel.from_xml_string(xml)
    spec = sinew.compat.MjSpec.from_string(xml)
    text = spec.to_xml()
    again = sinew.compat.MjModel.from_xml_string(text)
    sizes = ("bvh_", "oct_")
    names = [name for name in ARRAYS if not name.startswith(sizes)]
    assert again.nbody == model.nbody
    assert differing(model, again, names, 2e-5) == []
    reference = mujoco.MjModel.from_xml_string(text)
    assert differing(reference, again, [name for name in names if hasattr(reference, name)], 1e-9) == []


def test_files_of_an_attached_model_are_named_from_the_folder_of_the_model(tmp_path):
    (tmp_path / "parts" / "meshes").mkdir(parents=True)
    (tmp_path / "own").mkdir()
    corner = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "parts" / "meshes" / "a.obj").write_text(corner.format(1))
    (tmp_path / "own" / "b.obj").write_text(corner.format(2))
    (tmp_path / "parts" / "part.xml").write_text(
        '<mujoco><compiler meshdir="meshes"/><asset><mesh file="a.obj"/></asset><worldbody><body name="p">'
        '<geom type="mesh" mesh="a"/></body></worldbody></mujoco>'
    )
    path = tmp_path / "main.xml"
    path.write_text(
        '<mujoco><compiler meshdir="own"/><asset><mesh file="b.obj"/><model name="part" file="parts/part.xml"/></asset>'
        '<worldbody><geom type="mesh" mesh="b"/><attach model="part" body="p" prefix="x_"/></worldbody></mujoco>'
    )
    model = sinew.compat.MjModel.from_xml_path(str(path))
    saved = tmp_path / "saved.xml"
    sinew.compat.mj_saveLastXML(str(saved), model)
    for engine in (sinew.compat, mujoco):
        again = engine.MjModel.from_xml_path(str(saved))
        np.testing.assert_array_equal(again.mesh_vert, model.mesh_vert)
        np.testing.assert_allclose(again.geom_pos, model.geom_pos, atol=1e-5)
        np.testing.assert_allclose(again.body_mass, model.body_mass, 1e-5)


def test_text_is_what_the_reference_writes():
    xml = """<mujoco model="small"><compiler angle="degree"/><default><geom size="0.2 0.1 0.1"/>
      <default class="thin"><geom size="0.01 0.1 0.1" rgba="1 0 0 1"/></default></default>
      <worldbody><light pos="0 0 3"/><body name="a" pos="0 0 1" euler="0 30 0"><joint name="j" range="-30 45" damping="0.1"/>
      <geom class="thin" type="capsule"/><site name="s" euler="10 0 0"/><body childclass="thin"><geom/></body></body></worldbody>
      <actuator><position name="p" joint="j" kp="10"/></actuator><sensor><jointpos joint="j"/></sensor></mujoco>"""
    theirs = mujoco.MjSpec.from_string(xml).to_xml()
    assert sinew.compat.MjSpec.from_string(xml).to_xml() == theirs


def test_the_last_model_is_saved_with_the_values_of_another(tmp_path):
    model = sinew.compat.MjModel.from_xml_string(RICH)
    model.body("b").pos[:] = 4, 5, 6
    path = tmp_path / "saved.xml"
    sinew.compat.mj_saveLastXML(str(path), model)
    np.testing.assert_allclose(sinew.compat.MjModel.from_xml_path(str(path)).body("b").pos, [4, 5, 6])


def test_an_archive_holds_model_and_assets():
    cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    spec = sinew.compat.MjSpec.from_string(
        '<mujoco model="boxed"><asset><mesh name="c" file="c.obj"/></asset><worldbody><geom type="mesh" mesh="c"/>'
        "</worldbody></mujoco>",
        assets={"c.obj": cube},
    )
    archive = io.BytesIO()
    spec.to_zip(archive)
    again = sinew.compat.MjSpec.from_zip(archive)
    assert again.to_xml() == spec.to_xml()
    assert again.compile().nmeshvert == 4


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_broken_archives_are_refused_or_harmless(method):
    text = (
        '<mujoco model="boxed"><asset><mesh name="c" file="c.obj"/><hfield name="h" size="1 1 1 1" file="h.bin"/></asset>'
        '<worldbody><geom type="mesh" mesh="c"/><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    )
    height = np.array([2, 2], np.int32).tobytes() + np.zeros(4, np.float32).tobytes()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("boxed/boxed.xml", text)
        archive.writestr("boxed/c.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
        archive.writestr("boxed/h.bin", height)
    content = made.getvalue()
    assert sinew.compat.MjSpec.from_zip(io.BytesIO(content)).compile().nhfield == 1
    chance = random.Random(method)
    refused = 0
    for _ in range(400):
        broken = bytearray(content)
        for _ in range(chance.choice((1, 1, 4))):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        if chance.random() < 0.2:
            del broken[chance.randrange(len(broken)) :]
        try:
            sinew.compat.MjSpec.from_zip(io.BytesIO(broken)).compile()
        except ValueError:
            refused += 1
    assert 200 < refused < 400


def test_an_archive_of_too_many_bytes_is_refused(monkeypatch):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", "<mujoco/>" + " " * 2_000_000)
    monkeypatch.setattr("sinew.compat._spec._MOST_BYTES", 1_000_000)
    with pytest.raises(ValueError, match="more than 1000000 bytes"):
        sinew.compat.MjSpec.from_zip(made)


def test_a_binary_model_is_the_same_and_a_broken_one_is_refused(tmp_path):
    model = sinew.compat.MjModel.from_xml_string(EVERYTHING)
    path = str(tmp_path / "model.bin")
    sinew.compat.mj_saveModel(model, path)
    again = sinew.compat.MjModel.from_binary_path(path)
    assert differing(model, again, ARRAYS, 0.0) == []
    buffer = np.zeros(sinew.compat.mj_sizeModel(model), np.uint8)
    sinew.compat.mj_saveModel(model, None, buffer)
    content = buffer.tobytes()
    with open(path, "rb") as file:
        assert file.read() == content
    with pytest.raises(ValueError, match="buffer has"):
        sinew.compat.mj_saveModel(model, None, buffer[:-1])
    chance = random.Random(5)
    for _ in range(200):
        broken = bytearray(content[: chance.randrange(len(content))] if chance.random() < 0.5 else content)
        for _ in range(3):
            if broken:
                broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        with pytest.raises(ValueError, match="no model of sinew"):
            sinew.compat.MjModel.from_binary_path("broken", {"broken": bytes(broken)})


def test_only_regular_files_are_opened(tmp_path):
    """A device has no end, and a pipe keeps whoever opens it waiting."""
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    for name in ("/dev/zero", pipe, str(tmp_path)):
        for read in (sinew.compat.MjModel.from_binary_path, sinew.compat.MjSpec.from_zip):
            with pytest.raises(ValueError, match="no regular file"):
                read(name)
        for read in (sinew.compat.MjModel.from_xml_path, sinew.compat.MjSpec.from_file):
            with pytest.raises(ValueError):
                read(name)


def test_the_files_of_a_model_are_listed(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "part.xml").write_text('<mujoco><asset><hfield name="h" file="h.png"/></asset></mujoco>')
    path = tmp_path / "main.xml"
    path.write_text(
        '<mujoco><compiler meshdir="meshes" texturedir="pictures"/><include file="part.xml"/><asset>'
        '<mesh file="a.obj"/><texture type="cube" fileup="up.png" filedown="down.png"/></asset></mujoco>'
    )
    theirs = mujoco.mju_getXMLDependencies(str(path))
    assert sorted(sinew.compat.mju_getXMLDependencies(str(path))) == sorted(theirs)
    path.write_text('<mujoco><include file="main.xml"/></mujoco>')
    assert sinew.compat.mju_getXMLDependencies(str(path)) == [str(path)]
    with pytest.raises(ValueError, match="Problem reading"):
        sinew.compat.mju_getXMLDependencies(str(tmp_path / "nothing.xml"))


@pytest.mark.parametrize("flags", [(False, False), (True, True), (True, False)])
def test_the_schema_is_printed_as_the_reference_does(flags):
    assert sinew.compat.mj_printSchema(*flags) == mujoco.mj_printSchema(*flags)
