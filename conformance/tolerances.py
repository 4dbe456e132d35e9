"""The one table that says what counts as equal, what is left out, and why.

A difference is relative to the largest magnitude in the reference's field:

    relative = max |sinew - reference| / max |reference|

In the compiled model and in contact, where a field may hold nothing but a depth of 1e-9, the scale is at least 1.
Tolerances are flat: they depend on how the reference stores a field, never on the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tolerance:
    """A bound on the relative difference, with its reason."""

    name: str
    relative: float
    reason: str


EXACT = Tolerance("exact", 0.0, "integers, booleans and text have no rounding")
DOUBLE = Tolerance("double", 1e-12, "same mathematics in 64 bits, room for rounding only")
SINGLE = Tolerance("single", 1e-6, "the reference stores the field in 32 bits")
SOLVED = Tolerance("solved", 1e-11, "a linear system with the inertia was solved")
ROWS = Tolerance("rows", 1e-10, "contacts and constraint rows: closest points are found by iteration")
SOLUTION = Tolerance("solution", 1e-8, "result of an iterative solver that stops at 1e-8")
SWEEPS = Tolerance("sweeps", 1e-6, "projected Gauss-Seidel after equally many sweeps")
NEXT = Tolerance("next", 1e-10, "a solution times the time step")
SENSOR = Tolerance("sensor", 1e-8, "sensors show accelerations and constraint forces")
TRAJECTORY = 1e-9  # absolute, in positions
TRAJECTORY_GROWTH = 10.0  # or this many times what the reference makes of a perturbation; also at sensitive states
CHAOTIC = 1e-3  # where the reference strays this far from its perturbed self, comparison ends
TRAJECTORY_STEP = 1e-12  # a single step beyond this is where a failing trajectory parts
SMOOTH_PERTURBATION = 1e-14
CONTACT_PERTURBATION = 1e-13
MESH_DISAGREEMENT = 1e-3  # share of states of colliding meshes at which contacts may differ


def tolerance_for(dtype: np.dtype) -> Tolerance:
    """The tolerance of a field, from the type in which the reference stores it."""
    if dtype.kind != "f":
        return EXACT
    return SINGLE if dtype.itemsize == 4 else DOUBLE


# Model fields that are not compared.
EXCLUDED_MODEL_FIELDS: dict[str, str] = {
    "nbuffer": "bytes of the reference's own memory layout",
    "signature": "hash over the reference's internal object tree",
    "vis.rgba.bv": "the reference's Python module shows an empty array",
    "vis.rgba.bvactive": "the reference's Python module shows an empty array",
}

# Model fields with a rule of their own: a strict difference passes if the named rule holds, and is then reported as a
# note. They exist because the order of these fields follows from the order in which a hull program emits
# facets; they are implemented in `hull.py`.
#
#   hull-graph: same vertex set; every facet a face of the hull; closed and consistently oriented; edge lists
#               symmetric and equal to the facets' edges; same volume.
#   polygons:   the same set of vertex cycles, starting anywhere; equal normals; the vertex-to-polygon map lists
#               exactly the polygons that contain the vertex.
RULES: dict[str, str] = {
    "mesh_graph": "hull-graph",
    "mesh_polynormal": "polygons",
    "mesh_polyvertadr": "polygons",
    "mesh_polyvertnum": "polygons",
    "mesh_polyvert": "polygons",
    "mesh_polymap": "polygons",
}

# Numbers used inside the rules. Hull vertices are stored in 32 bits, so facets that are flat in the model are
# flat only to single precision, and volume and normals depend on how such a facet is cut into triangles.
HULL_FACET_OUTSIDE = 1e-6  # a vertex may stand this far outside a facet, relative to the hull's size
HULL_VOLUME = 1e-6  # relative
POLYGON_NORMAL = 1e-6  # absolute, normals have unit length

# Fields compared after the position stage, in the order in which the stage computes them. Names with a dense
# or trimmed form (`_dense`, `_used`) are derived in `position_fields.py`, since the reference leaves the unused
# part of these arrays undefined.
POSITION_FIELDS: tuple[str, ...] = (
    "xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis",
    "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
    "subtree_com", "cinert", "cdof",
    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir",
    "flexvert_xpos", "flexelem_aabb", "flexedge_J", "flexedge_length", "flexvert_J", "flexvert_length", "bvh_aabb_dyn",
    "ten_length", "ten_J_rownnz_used", "ten_J_rowadr_used", "ten_J_colind_used", "ten_J_dense",
    "ten_wrapadr", "ten_wrapnum", "wrap_obj_used", "wrap_xpos_used",
    "crb", "qM", "M", "qLD", "qLDiagInv",
    "actuator_length", "moment_rownnz", "moment_rowadr", "moment_colind_used",
    "actuator_moment_used", "actuator_moment_dense",
)  # fmt: skip

# The reference leaves out entries of the actuator moments that are exactly zero. Whether an entry that is zero in
# exact arithmetic comes out as 0 or as 1e-17 depends on the last bit of a sine. A difference in these fields fails like
# any other; if the dense matrix agrees, the report says that only such zeros differ.
MOMENT_STRUCTURE: tuple[str, ...] = ("moment_rownnz", "moment_rowadr", "moment_colind_used", "actuator_moment_used")
DENSE_MOMENT = "actuator_moment_dense"

# Notes printed with the position stage.
POSITION_NOTES: tuple[str, ...] = (
    "actuators that act on a body (adhesion) take their moments from contacts; no contacts are computed "
    "here, so their rows are compared empty",
    "sleeping is switched off, since the reference skips trees that sleep",
)

# Fields compared at random states with constraints switched off.
VELOCITY_FIELDS: dict[str, Tolerance] = dict.fromkeys(
    (
        "ten_velocity", "actuator_velocity", "flexedge_velocity", "cvel", "cdof_dot",
        "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive", "qfrc_bias",
        "subtree_linvel", "subtree_angmom", "energy",
    ),
    DOUBLE,
)  # fmt: skip
FORCE_FIELDS: dict[str, Tolerance] = {
    "act_dot": DOUBLE,
    "actuator_force": DOUBLE,
    "qfrc_actuator": DOUBLE,
    "qfrc_smooth": DOUBLE,
    "qacc_smooth": SOLVED,
    "qacc": SOLVED,
}
SMOOTH_SENSOR_FIELDS: dict[str, Tolerance] = {"sensordata": SOLVED}
DERIVATIVE_FIELDS: dict[str, Tolerance] = {"qDeriv": DOUBLE}

# Fields compared at states of the reference's own motion.
CONTACT_FIELDS: dict[str, Tolerance] = dict.fromkeys(
    (
        "ncon", "contact.geom", "contact.flex", "contact.elem", "contact.vert",
        "contact.dist", "contact.pos", "contact.frame", "contact.dim", "contact.includemargin",
        "contact.friction", "contact.solref", "contact.solreffriction", "contact.solimp", "contact.mu",
        "contact.exclude", "contact.efc_address",
    ),
    ROWS,
)  # fmt: skip
ROW_FIELDS: dict[str, Tolerance] = dict.fromkeys(
    (
        "ne", "nf", "nl", "nefc", "nisland", "efc_type", "efc_id", "efc_J_dense", "efc_pos", "efc_margin",
        "efc_frictionloss", "efc_diagApprox", "efc_KBIP", "efc_D", "efc_R", "efc_vel", "efc_aref", "efc_b",
    ),
    ROWS,
)  # fmt: skip
SOLUTION_FIELDS: dict[str, Tolerance] = dict.fromkeys(
    ("solver_niter", "efc_force", "efc_state_solved", "qfrc_constraint", "qacc"), SOLUTION
)
NEXT_FIELDS: dict[str, Tolerance] = dict.fromkeys(("time", "qpos", "qvel", "act"), NEXT)
# Name under which states of colliding meshes are counted.
MESH_CONTACTS = "mesh_contacts"
# Name under which angles are counted that were moved to where the C library rounds their sine correctly.
ANGLES_MOVED = "angles_moved"
# Name under which states are counted at which the reference itself depends on the last bit.
SENSITIVE = "sensitive"
SENSITIVE_SHARE = 1e-2  # of the states of all models
SENSITIVE_SHARE_OF_MODEL = 0.1  # of the states of one model with at most 150 degrees of freedom
SENSOR_FIELDS: dict[str, Tolerance] = {"sensordata": SENSOR}

# Notes printed with a stage.
NATIVE_NOTE = "the reference collides by its native algorithm, also in models that disable it"
STAGE_NOTES: dict[str, tuple[str, ...]] = {
    "position": POSITION_NOTES,
    "smooth": (
        "random states with constraints switched off in both engines; states without constraints also with everything on",
    ),
    "contact": (
        "states of the reference's own motion; each solver starts from the reference's warm start",
        "unless --full, models with more than 150 degrees of freedom are sampled less, in proportion",
        NATIVE_NOTE,
    ),
    "trajectory": (
        "largest difference of positions along the way; each integrator without constraints, each solver with contacts",
        f"limit: {TRAJECTORY:.0e}, or {TRAJECTORY_GROWTH:.0f} times what the reference makes of a tiny change of its "
        "own first state (`perturbed`)",
        NATIVE_NOTE,
    ),
}
