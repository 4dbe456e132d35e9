"""What the reference makes of small models, stored for `cargo test`.

    python -m conformance.cases

Reads the files of cases in `crates/sinew-mjcf/tests/cases` (replicates, attached models and cables; URDF) and writes
the answers beside them. A case is

    == name: what it shows
    <mujoco>…</mujoco>
    -- another.xml
    <mujoco>…</mujoco>

Files before the first case belong to every case. The answer is the word `error`, or one line per kind of object with its names in order (`-` for none) and one line per
field with its numbers.
"""

from __future__ import annotations

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
    for field in FIELDS:
        values = np.asarray(getattr(model, field)).ravel()
        if values.size and values.size <= MOST_NUMBERS:
            numbers = [repr(float(v)) if values.dtype.kind == "f" else str(int(v)) for v in values]
            lines.append(" ".join([f"={field}", *numbers]))
    return lines


def main() -> None:
    for topic in ("expansion", "urdf"):
        out = [f"# MuJoCo {mujoco.__version__}; written by conformance/cases.py from {topic}.txt"]
        for name, files in cases((FOLDER / f"{topic}.txt").read_text()):
            out.append(f"== {name}")
            out.extend(answer(files))
        (FOLDER / f"{topic}_reference.txt").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
