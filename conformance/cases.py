"""What the reference makes of small models, stored for `cargo test`.

    python -m conformance.cases

Reads the files of cases in `crates/sinew-mjcf/tests/cases` (replicates, attached models and cables; URDF; flexes) and writes
the answers beside them. A case is

    == name: what it shows
    <mujoco>…</mujoco>
    -- another.xml
    <mujoco>…</mujoco>

Files before the first case belong to every case. The answer is the word `error`, or one line per kind of object with its names in order (`-` for none) and one line per
field with its numbers.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import mujoco
import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "crates/sinew-mjcf/tests/cases"
MOST_NUMBERS = 400

KINDS = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "site": "nsite",
    "camera": "ncam",
    "light": "nlight",
    "flex": "nflex",
    "mesh": "nmesh",
    "skin": "nskin",
    "texture": "ntex",
    "material": "nmat",
    "pair": "npair",
    "exclude": "nexclude",
    "equality": "neq",
    "tendon": "ntendon",
    "actuator": "nu",
    "sensor": "nsensor",
    "numeric": "nnumeric",
    "text": "ntext",
    "tuple": "ntuple",
    "key": "nkey",
}

FIELDS = """
body_parentid body_pos body_quat body_ipos body_iquat body_mass body_inertia jnt_type jnt_bodyid jnt_pos jnt_axis jnt_range jnt_limited jnt_actfrcrange jnt_actfrclimited jnt_stiffness
dof_damping dof_armature dof_frictionloss
geom_type geom_bodyid geom_pos geom_quat geom_size geom_rgba geom_matid geom_group geom_contype geom_dataid geom_friction
site_bodyid site_pos site_size site_group site_matid cam_pos cam_quat cam_targetbodyid light_dir
skin_face skin_bonebodyid skin_bonevertid skin_bonevertweight skin_bonebindpos skin_inflate skin_texcoord skin_matid
pair_geom1 pair_geom2 exclude_signature eq_obj1id eq_obj2id eq_objtype wrap_objid wrap_prm
actuator_trnid actuator_trntype sensor_objid sensor_refid sensor_objtype sensor_reftype tuple_objid
mat_texid numeric_data key_time key_qpos key_qvel key_act key_ctrl key_mpos key_mquat
""".split()

# Of models with flexes.
FLEX_FIELDS = """
eq_type eq_solref eq_solimp eq_active0 dof_length tree_sleep_policy bvh_child bvh_nodeid flex_contype flex_conaffinity flex_condim
flex_priority flex_solmix flex_solref flex_solimp flex_friction flex_margin flex_gap flex_internal flex_selfcollide flex_activelayers
flex_passive flex_dim flex_matid flex_group flex_interp flex_nodeadr flex_nodenum flex_vertadr flex_vertnum flex_edgeadr flex_edgenum
flex_elemadr flex_elemnum flex_elemdataadr flex_elemedgeadr flex_shellnum flex_shelldataadr flex_evpairadr flex_evpairnum flex_texcoordadr
flex_nodebodyid flex_vertbodyid flex_vertedgeadr flex_vertedgenum flex_vertedge flex_edge flex_edgeflap flex_elem flex_elemtexcoord
flex_elemedge flex_elemlayer flex_shell flex_evpair flex_vert flex_vert0 flex_vertmetric flex_node flex_node0 flexedge_length0
flexedge_invweight0 flex_radius flex_size flex_stiffness flex_bending flex_damping flex_edgestiffness flex_edgedamping flex_edgeequality
flex_rigid flexedge_rigid flex_centered flex_flatskin flex_bvhadr flex_bvhnum flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind
flexvert_J_rownnz flexvert_J_rowadr flexvert_J_colind flex_rgba flex_texcoord
""".split()
MOST_FLEX_NUMBERS = 150


def cases(text: str) -> list[tuple[str, dict[str, str]]]:
    """Splits the file into cases, each with its files; the main one is called main.xml."""
    shared: dict[str, str] = {}
    found: list[tuple[str, dict[str, str]]] = []
    files, file = shared, ""
    for line in text.splitlines():
        if line.startswith("== "):
            files, file = dict(shared), "main.xml"
            files[file] = ""
            found.append((line[3:].split(":")[0], files))
        elif line.startswith("-- "):
            file = line[3:].strip()
            files[file] = ""
        elif file:
            files[file] += line + "\n"
    return found


def answer(files: dict[str, str]) -> list[str]:
    """What the reference says to a case."""
    assets = {name: text.encode() for name, text in files.items() if name != "main.xml"}
    # The reference looks for the files of flexcomps on disk only.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in assets.items():
            Path(name).write_bytes(content)
        try:
            model = mujoco.MjModel.from_xml_string(files["main.xml"], assets)
        except ValueError:
            return ["error"]
    lines = []
    for kind, size in KINDS.items():
        count = getattr(model, size)
        if count:
            names = [mujoco.mj_id2name(model, mujoco.mju_str2Type(kind), i) or "-" for i in range(count)]
            lines.append(" ".join([kind, *names]))
    fields = [(field, MOST_NUMBERS) for field in FIELDS]
    fields += [(field, MOST_FLEX_NUMBERS) for field in FLEX_FIELDS if model.nflex]
    for field, most in fields:
        values = np.asarray(getattr(model, field)).ravel()
        if values.size and values.size <= most:
            numbers = [repr(float(v)) if values.dtype.kind == "f" else str(int(v)) for v in values]
            lines.append(" ".join([f"={field}", *numbers]))
    return lines


def main() -> None:
    for topic in ("expansion", "flex", "urdf"):
        out = [f"# MuJoCo {mujoco.__version__}; written by conformance/cases.py from {topic}.txt"]
        for name, files in cases((FOLDER / f"{topic}.txt").read_text()):
            out.append(f"== {name}")
            out.extend(answer(files))
        (FOLDER / f"{topic}_reference.txt").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
