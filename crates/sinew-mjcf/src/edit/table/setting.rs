//! Settings of a whole model.

use super::super::field::*;
use sinew_model::kinds;

/// `MjSpec`
pub const SPEC: &[Field] = &[
    text("comment", "", ""),
    integer("hasImplicitPluginElem", "", 0),
    long("memory", "", -1),
    text("modelfiledir", "", ""),
    text("modelname", "", "MuJoCo Model"),
    integer("nconmax", "nconmax", -1),
    integer("nemax", "", 0),
    integer("njmax", "njmax", -1),
    integer("nkey", "nkey", 0),
    integer("nstack", "nstack", -1),
    integer("nuser_actuator", "nuser_actuator", -1),
    integer("nuser_body", "nuser_body", -1),
    integer("nuser_cam", "nuser_cam", -1),
    integer("nuser_geom", "nuser_geom", -1),
    integer("nuser_jnt", "nuser_jnt", -1),
    integer("nuser_sensor", "nuser_sensor", -1),
    integer("nuser_site", "nuser_site", -1),
    integer("nuser_tendon", "nuser_tendon", -1),
    integer("nuserdata", "nuserdata", 0),
    integer("strippath", "", 0),
];

/// `MjsCompiler`
pub const COMPILER: &[Field] = &[
    code("alignfree", "alignfree", 0, words!(bool)),
    flag("autolimits", "autolimits", true),
    flag("balanceinertia", "balanceinertia", false),
    real("boundinertia", "boundinertia", 0.0),
    real("boundmass", "boundmass", 0.0),
    integer("degree", "", 1),
    flag("discardvisual", "discardvisual", false),
    letters("eulerseq", "eulerseq", "xyz"),
    flag("fitaabb", "fitaabb", false),
    flag("fusestatic", "fusestatic", false),
    code(
        "inertiafromgeom",
        "inertiafromgeom",
        2,
        words!(kinds::InertiaFromGeom),
    ),
    integers("inertiagrouprange", "inertiagrouprange", &[0, 5]),
    text("meshdir", "meshdir", ""),
    flag("saveinertial", "saveinertial", false),
    real("settotalmass", "settotalmass", -1.0),
    text("texturedir", "texturedir", ""),
    flag("usethread", "usethread", true),
];

/// `MjLROpt`
pub const LROPT: &[Field] = &[
    real("accel", "accel", 20.0),
    real("interval", "interval", 2.0),
    real("inttotal", "inttotal", 10.0),
    real("maxforce", "maxforce", 0.0),
    code("mode", "mode", 1, words!(kinds::LengthRangeMode)),
    real("timeconst", "timeconst", 1.0),
    real("timestep", "timestep", 0.01),
    real("tolrange", "tolrange", 0.05),
    flag("useexisting", "useexisting", true),
    flag("uselimit", "uselimit", false),
];

/// `MjOption`
pub const OPTION: &[Field] = &[
    integer("ccd_iterations", "ccd_iterations", 35),
    real("ccd_tolerance", "ccd_tolerance", 1e-06),
    code("cone", "cone", 0, words!(kinds::Cone)),
    real("density", "density", 0.0),
    integer("disableactuator", "", 0),
    integer("disableflags", "", 0),
    integer("enableflags", "", 0),
    reals("gravity", "gravity", &[0.0, 0.0, -9.81]),
    real("impratio", "impratio", 1.0),
    code("integrator", "integrator", 0, words!(kinds::Integrator)),
    integer("iterations", "iterations", 100),
    code("jacobian", "jacobian", 2, words!(kinds::Jacobian)),
    integer("ls_iterations", "ls_iterations", 50),
    real("ls_tolerance", "ls_tolerance", 0.01),
    reals("magnetic", "magnetic", &[0.0, -0.5, 0.0]),
    integer("noslip_iterations", "noslip_iterations", 0),
    real("noslip_tolerance", "noslip_tolerance", 1e-06),
    reals(
        "o_friction",
        "o_friction",
        &[1.0, 1.0, 0.005, 0.0001, 0.0001],
    ),
    real("o_margin", "o_margin", 0.0),
    reals("o_solimp", "o_solimp", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    reals("o_solref", "o_solref", &[0.02, 1.0]),
    integer("sdf_initpoints", "sdf_initpoints", 40),
    integer("sdf_iterations", "sdf_iterations", 10),
    real("sleep_tolerance", "sleep_tolerance", 0.0001),
    text("sinew_solver", "sinew_solver", ""),
    code("solver", "solver", 2, words!(kinds::Solver)),
    real("timestep", "timestep", 0.002),
    real("tolerance", "tolerance", 1e-08),
    real("viscosity", "viscosity", 0.0),
    reals("wind", "wind", &[0.0, 0.0, 0.0]),
];

/// `MjStatistic`
pub const STATISTIC: &[Field] = &[
    reals("center", "center", &[f64::NAN, 0.0, 0.0]),
    real("extent", "extent", f64::NAN),
    real("meaninertia", "meaninertia", f64::NAN),
    real("meanmass", "meanmass", f64::NAN),
    real("meansize", "meansize", f64::NAN),
];

/// `Global`
pub const VGLOBAL: &[Field] = &[
    float("azimuth", "azimuth", 90.0),
    code("bvactive", "bvactive", 1, words!(bool)),
    integer("cameraid", "cameraid", -1),
    float("elevation", "elevation", -45.0),
    code("ellipsoidinertia", "ellipsoidinertia", 0, words!(bool)),
    float("fovy", "fovy", 45.0),
    float("glow", "glow", 0.3),
    float("ipd", "ipd", 0.068),
    float("linewidth", "linewidth", 1.0),
    integer("offheight", "offheight", 480),
    integer("offwidth", "offwidth", 640),
    code("orthographic", "orthographic", 0, words!(bool)),
    float("realtime", "realtime", 1.0),
];

/// `Quality`
pub const VQUALITY: &[Field] = &[
    integer("numquads", "numquads", 4),
    integer("numslices", "numslices", 28),
    integer("numstacks", "numstacks", 16),
    integer("offsamples", "offsamples", 4),
    integer("shadowsize", "shadowsize", 4096),
];

/// `MjVisualHeadlight`
pub const VHEADLIGHT: &[Field] = &[
    integer("active", "active", 1),
    floats("ambient", "ambient", &[0.1, 0.1, 0.1]),
    floats("diffuse", "diffuse", &[0.4, 0.4, 0.4]),
    floats("specular", "specular", &[0.5, 0.5, 0.5]),
];

/// `Map`
pub const VMAP: &[Field] = &[
    float("actuatortendon", "actuatortendon", 2.0),
    float("alpha", "alpha", 0.3),
    float("fogend", "fogend", 10.0),
    float("fogstart", "fogstart", 3.0),
    float("force", "force", 0.005),
    float("haze", "haze", 0.3),
    float("shadowclip", "shadowclip", 1.0),
    float("shadowscale", "shadowscale", 0.6),
    float("stiffness", "stiffness", 100.0),
    float("stiffnessrot", "stiffnessrot", 500.0),
    float("torque", "torque", 0.1),
    float("zfar", "zfar", 50.0),
    float("znear", "znear", 0.01),
];

/// `Scale`
pub const VSCALE: &[Field] = &[
    float("actuatorlength", "actuatorlength", 0.7),
    float("actuatorwidth", "actuatorwidth", 0.2),
    float("camera", "camera", 0.3),
    float("com", "com", 0.4),
    float("connect", "connect", 0.2),
    float("constraint", "constraint", 0.1),
    float("contactheight", "contactheight", 0.1),
    float("contactwidth", "contactwidth", 0.3),
    float("forcewidth", "forcewidth", 0.1),
    float("framelength", "framelength", 1.0),
    float("framewidth", "framewidth", 0.1),
    float("frustum", "frustum", 10.0),
    float("jointlength", "jointlength", 1.0),
    float("jointwidth", "jointwidth", 0.1),
    float("light", "light", 0.3),
    float("selectpoint", "selectpoint", 0.2),
    float("slidercrank", "slidercrank", 0.2),
];

/// `MjVisualRgba`
pub const VRGBA: &[Field] = &[
    floats("actuator", "actuator", &[0.2, 0.25, 0.2, 1.0]),
    floats(
        "actuatornegative",
        "actuatornegative",
        &[0.2, 0.6, 0.9, 1.0],
    ),
    floats(
        "actuatorpositive",
        "actuatorpositive",
        &[0.9, 0.4, 0.2, 1.0],
    ),
    floats("bv", "bv", &[0.0, 1.0, 0.0, 0.5]),
    floats("bvactive", "bvactive", &[1.0, 0.0, 0.0, 0.5]),
    floats("camera", "camera", &[0.6, 0.9, 0.6, 1.0]),
    floats("com", "com", &[0.9, 0.9, 0.9, 1.0]),
    floats("connect", "connect", &[0.2, 0.2, 0.8, 1.0]),
    floats("constraint", "constraint", &[0.9, 0.0, 0.0, 1.0]),
    floats("contactforce", "contactforce", &[0.7, 0.9, 0.9, 1.0]),
    floats("contactfriction", "contactfriction", &[0.9, 0.8, 0.4, 1.0]),
    floats("contactgap", "contactgap", &[0.5, 0.8, 0.9, 1.0]),
    floats("contactpoint", "contactpoint", &[0.9, 0.6, 0.2, 1.0]),
    floats("contacttorque", "contacttorque", &[0.9, 0.7, 0.9, 1.0]),
    floats("crankbroken", "crankbroken", &[0.9, 0.0, 0.0, 1.0]),
    floats("fog", "fog", &[0.0, 0.0, 0.0, 1.0]),
    floats("force", "force", &[1.0, 0.5, 0.5, 1.0]),
    floats("frustum", "frustum", &[1.0, 1.0, 0.0, 0.2]),
    floats("haze", "haze", &[1.0, 1.0, 1.0, 1.0]),
    floats("inertia", "inertia", &[0.8, 0.2, 0.2, 0.6]),
    floats("joint", "joint", &[0.2, 0.6, 0.8, 1.0]),
    floats("light", "light", &[0.6, 0.6, 0.9, 1.0]),
    floats("rangefinder", "rangefinder", &[1.0, 1.0, 0.1, 1.0]),
    floats("selectpoint", "selectpoint", &[0.9, 0.9, 0.1, 1.0]),
    floats("slidercrank", "slidercrank", &[0.5, 0.3, 0.8, 1.0]),
];
