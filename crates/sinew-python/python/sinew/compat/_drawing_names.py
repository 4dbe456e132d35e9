"""The reference's codes, strings and constants for drawing."""

from __future__ import annotations

from ._enums import Kind

mjMAXLIGHT = 100
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200


def _kind(name: str, prefix: str, members: str, first: int = 0, count: str | None = None) -> type[Kind]:
    """An enum whose members follow each other, with their number as the last one on request."""
    codes = [(prefix + member, first + i) for i, member in enumerate(members.split())]
    if count is not None:
        codes.append((count, codes[-1][1] + 1))
    return _made(name, codes)


def _bits(name: str, prefix: str, members: str) -> type[Kind]:
    """An enum whose members are bits."""
    return _made(name, [(prefix + member, 1 << i) for i, member in enumerate(members.split())])


def _made(name: str, codes: list[tuple[str, int]]) -> type[Kind]:
    made = Kind(name, codes, module="sinew.compat")
    made.__doc__ = f"The codes of ``{name}``."
    return made


_FRAMES = ("None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World")
_LABELS = (
    "None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex", "Skin",
    "Selection", "SelPoint", "Contact", "ContactForce", "Island",
)  # fmt: skip

# What is shown: member, words, whether it is on, key.
_SHOWN = (
    ("CONVEXHULL", "Convex Hull", "0", "H"),
    ("TEXTURE", "Texture", "1", "X"),
    ("JOINT", "Joint", "0", "J"),
    ("CAMERA", "Camera", "0", "Q"),
    ("ACTUATOR", "Actuator", "0", "U"),
    ("ACTIVATION", "Activation", "0", ","),
    ("LIGHT", "Light", "0", "Z"),
    ("TENDON", "Tendon", "1", "V"),
    ("RANGEFINDER", "Range Finder", "1", "Y"),
    ("CONSTRAINT", "Equality", "0", "E"),
    ("INERTIA", "Inertia", "0", "I"),
    ("SCLINERTIA", "Scale Inertia", "0", "'"),
    ("PERTFORCE", "Perturb Force", "0", "B"),
    ("PERTOBJ", "Perturb Object", "1", "O"),
    ("CONTACTPOINT", "Contact Point", "0", "C"),
    ("ISLAND", "Island", "0", "N"),
    ("CONTACTFORCE", "Contact Force", "0", "F"),
    ("CONTACTSPLIT", "Contact Split", "0", "P"),
    ("TRANSPARENT", "Transparent", "0", "T"),
    ("AUTOCONNECT", "Auto Connect", "0", "A"),
    ("COM", "Center of Mass", "0", "M"),
    ("SELECT", "Select Point", "0", ""),
    ("STATIC", "Static Body", "1", "D"),
    ("SKIN", "Skin", "1", ";"),
    ("FLEXVERT", "Flex Vert", "0", ""),
    ("FLEXEDGE", "Flex Edge", "1", ""),
    ("FLEXFACE", "Flex Face", "0", ""),
    ("FLEXSKIN", "Flex Skin", "1", ""),
    ("BODYBVH", "Body Tree", "0", "`"),
    ("MESHBVH", "Mesh Tree", "0", "\\"),
    ("SDFITER", "SDF iters", "0", ""),
)

# How it is drawn, likewise.
_DRAWN = (
    ("SHADOW", "Shadow", "1", "S"),
    ("WIREFRAME", "Wireframe", "0", "W"),
    ("REFLECTION", "Reflection", "1", "R"),
    ("ADDITIVE", "Additive", "0", "L"),
    ("SKYBOX", "Skybox", "1", "K"),
    ("FOG", "Fog", "0", "G"),
    ("HAZE", "Haze", "1", "/"),
    ("DEPTH", "Depth", "0", ""),
    ("SEGMENT", "Segment", "0", ","),
    ("IDCOLOR", "Id Color", "0", ""),
    ("CULL_FACE", "Cull Face", "1", ""),
)

mjFRAMESTRING = _FRAMES
mjLABELSTRING = _LABELS
mjVISSTRING = tuple(row[1:] for row in _SHOWN)
mjRNDSTRING = tuple(row[1:] for row in _DRAWN)

ENUMS: dict[str, type[Kind]] = {
    kind.__name__: kind
    for kind in (
        _kind("mjtButton", "mjBUTTON_", "NONE LEFT RIGHT MIDDLE"),
        _kind("mjtCamera", "mjCAMERA_", "FREE TRACKING FIXED USER"),
        _made("mjtCatBit", [("mjCAT_STATIC", 1), ("mjCAT_DYNAMIC", 2), ("mjCAT_DECOR", 4), ("mjCAT_ALL", 7)]),
        _kind("mjtDepthMap", "mjDEPTH_", "ZERONEAR ZEROFAR"),
        _kind("mjtEvent", "mjEVENT_", "NONE MOVE PRESS RELEASE SCROLL KEY RESIZE REDRAW FILESDROP"),
        _kind("mjtFont", "mjFONT_", "NORMAL SHADOW BIG"),
        _made("mjtFontScale", [(f"mjFONTSCALE_{size}", size) for size in range(50, 301, 50)]),
        _kind("mjtFrame", "mjFRAME_", " ".join(_FRAMES).upper(), count="mjNFRAME"),
        _kind("mjtFramebuffer", "mjFB_", "WINDOW OFFSCREEN"),
        _kind("mjtGeomInertia", "mjINERTIA_", "VOLUME SHELL"),
        _kind("mjtGridPos", "mjGRID_", "TOPLEFT TOPRIGHT BOTTOMLEFT BOTTOMRIGHT TOP BOTTOM LEFT RIGHT"),
        _kind(
            "mjtItem",
            "mjITEM_",
            "END SECTION SEPARATOR STATIC BUTTON CHECKINT CHECKBYTE RADIO RADIOLINE SELECT SLIDERINT SLIDERNUM EDITINT"
            " EDITNUM EDITFLOAT EDITTXT",
            first=-2,
            count="mjNITEM",
        ),
        _kind(
            "mjtLabel",
            "mjLABEL_",
            "NONE BODY JOINT GEOM SITE CAMERA LIGHT TENDON ACTUATOR CONSTRAINT FLEX SKIN SELECTION SELPNT CONTACTPOINT"
            " CONTACTFORCE ISLAND",
            count="mjNLABEL",
        ),
        _kind("mjtMouse", "mjMOUSE_", "NONE ROTATE_V ROTATE_H MOVE_V MOVE_H ZOOM MOVE_V_REL MOVE_H_REL"),
        _bits("mjtPertBit", "mjPERT_", "TRANSLATE ROTATE"),
        _bits("mjtPluginCapabilityBit", "mjPLUGIN_", "ACTUATOR SENSOR PASSIVE SDF"),
        _kind("mjtRndFlag", "mjRND_", " ".join(row[0] for row in _DRAWN), count="mjNRNDFLAG"),
        _kind("mjtSDFType", "mjSDFTYPE_", "SINGLE INTERSECTION MIDSURFACE COLLISION"),
        _kind("mjtSection", "mjSECT_", "CLOSED OPEN FIXED"),
        _kind("mjtStereo", "mjSTEREO_", "NONE QUADBUFFERED SIDEBYSIDE"),
        _kind("mjtTaskStatus", "mjTASK_", "NEW QUEUED COMPLETED"),
        _kind("mjtVisFlag", "mjVIS_", " ".join(row[0] for row in _SHOWN), count="mjNVISFLAG"),
    )
}

CONSTANTS = {name: value for name, value in globals().items() if name.startswith("mj") and not isinstance(value, type)}
