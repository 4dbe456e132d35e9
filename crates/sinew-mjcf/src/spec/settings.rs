//! Tables of the sections that set options of the whole model.

use super::value::*;
use sinew_model::kinds;

crate::element! {
    /// `compiler`
    pub struct Compiler {
        autolimits: bool = "autolimits",
        boundmass: f64 = "boundmass",
        boundinertia: f64 = "boundinertia",
        settotalmass: f64 = "settotalmass",
        balanceinertia: bool = "balanceinertia",
        strippath: bool = "strippath",
        coordinate: Coordinate = "coordinate",
        angle: AngleUnit = "angle",
        fitaabb: bool = "fitaabb",
        eulerseq: String = "eulerseq",
        meshdir: String = "meshdir",
        texturedir: String = "texturedir",
        discardvisual: bool = "discardvisual",
        usethread: bool = "usethread",
        fusestatic: bool = "fusestatic",
        inertiafromgeom: kinds::InertiaFromGeom = "inertiafromgeom",
        inertiagrouprange: [i32; 2] = "inertiagrouprange",
        saveinertial: bool = "saveinertial",
        assetdir: String = "assetdir",
        alignfree: bool = "alignfree",
    }

    /// `compiler/lengthrange`
    pub struct LengthRange {
        mode: kinds::LengthRangeMode = "mode",
        useexisting: bool = "useexisting",
        uselimit: bool = "uselimit",
        accel: f64 = "accel",
        maxforce: f64 = "maxforce",
        timeconst: f64 = "timeconst",
        timestep: f64 = "timestep",
        inttotal: f64 = "inttotal",
        interval: f64 = "interval",
        tolrange: f64 = "tolrange",
    }

    /// `option`
    pub struct OptionTable {
        timestep: f64 = "timestep",
        impratio: f64 = "impratio",
        tolerance: f64 = "tolerance",
        ls_tolerance: f64 = "ls_tolerance",
        noslip_tolerance: f64 = "noslip_tolerance",
        ccd_tolerance: f64 = "ccd_tolerance",
        sleep_tolerance: f64 = "sleep_tolerance",
        gravity: [f64; 3] = "gravity",
        wind: [f64; 3] = "wind",
        magnetic: [f64; 3] = "magnetic",
        density: f64 = "density",
        viscosity: f64 = "viscosity",
        o_margin: f64 = "o_margin",
        o_solref: Prefix<2> = "o_solref",
        o_solimp: Prefix<5> = "o_solimp",
        o_friction: Prefix<5> = "o_friction",
        integrator: kinds::Integrator = "integrator",
        cone: kinds::Cone = "cone",
        jacobian: kinds::Jacobian = "jacobian",
        solver: kinds::Solver = "solver",
        iterations: i32 = "iterations",
        ls_iterations: i32 = "ls_iterations",
        noslip_iterations: i32 = "noslip_iterations",
        ccd_iterations: i32 = "ccd_iterations",
        sdf_iterations: i32 = "sdf_iterations",
        sdf_initpoints: i32 = "sdf_initpoints",
        actuatorgroupdisable: Vec<i32> = "actuatorgroupdisable",
        sinew_solver: String = "sinew_solver",
    }

    /// `option/flag`
    pub struct Flags {
        constraint: Switch = "constraint",
        equality: Switch = "equality",
        frictionloss: Switch = "frictionloss",
        limit: Switch = "limit",
        contact: Switch = "contact",
        spring: Switch = "spring",
        damper: Switch = "damper",
        gravity: Switch = "gravity",
        clampctrl: Switch = "clampctrl",
        warmstart: Switch = "warmstart",
        filterparent: Switch = "filterparent",
        actuation: Switch = "actuation",
        refsafe: Switch = "refsafe",
        sensor: Switch = "sensor",
        midphase: Switch = "midphase",
        eulerdamp: Switch = "eulerdamp",
        autoreset: Switch = "autoreset",
        nativeccd: Switch = "nativeccd",
        island: Switch = "island",
        override_: Switch = "override",
        energy: Switch = "energy",
        fwdinv: Switch = "fwdinv",
        invdiscrete: Switch = "invdiscrete",
        multiccd: Switch = "multiccd",
        sleep: Switch = "sleep",
    }

    /// `size`
    pub struct Size {
        memory: String = "memory",
        njmax: i32 = "njmax",
        nconmax: i32 = "nconmax",
        nstack: i32 = "nstack",
        nuserdata: i32 = "nuserdata",
        nkey: i32 = "nkey",
        nuser_body: i32 = "nuser_body",
        nuser_jnt: i32 = "nuser_jnt",
        nuser_geom: i32 = "nuser_geom",
        nuser_site: i32 = "nuser_site",
        nuser_cam: i32 = "nuser_cam",
        nuser_tendon: i32 = "nuser_tendon",
        nuser_actuator: i32 = "nuser_actuator",
        nuser_sensor: i32 = "nuser_sensor",
    }

    /// `statistic`
    pub struct StatisticTable {
        meaninertia: f64 = "meaninertia",
        meanmass: f64 = "meanmass",
        meansize: f64 = "meansize",
        extent: f64 = "extent",
        center: [f64; 3] = "center",
    }

    /// `visual/global`
    pub struct VisualGlobalTable {
        cameraid: i32 = "cameraid",
        orthographic: bool = "orthographic",
        fovy: f32 = "fovy",
        ipd: f32 = "ipd",
        azimuth: f32 = "azimuth",
        elevation: f32 = "elevation",
        linewidth: f32 = "linewidth",
        glow: f32 = "glow",
        offwidth: i32 = "offwidth",
        offheight: i32 = "offheight",
        realtime: f32 = "realtime",
        ellipsoidinertia: bool = "ellipsoidinertia",
        bvactive: bool = "bvactive",
    }

    /// `visual/quality`
    pub struct VisualQualityTable {
        shadowsize: i32 = "shadowsize",
        offsamples: i32 = "offsamples",
        numslices: i32 = "numslices",
        numstacks: i32 = "numstacks",
        numquads: i32 = "numquads",
    }

    /// `visual/headlight`
    pub struct VisualHeadlightTable {
        ambient: [f32; 3] = "ambient",
        diffuse: [f32; 3] = "diffuse",
        specular: [f32; 3] = "specular",
        active: i32 = "active",
    }

    /// `visual/map`
    pub struct VisualMapTable {
        stiffness: f32 = "stiffness",
        stiffnessrot: f32 = "stiffnessrot",
        force: f32 = "force",
        torque: f32 = "torque",
        alpha: f32 = "alpha",
        fogstart: f32 = "fogstart",
        fogend: f32 = "fogend",
        znear: f32 = "znear",
        zfar: f32 = "zfar",
        haze: f32 = "haze",
        shadowclip: f32 = "shadowclip",
        shadowscale: f32 = "shadowscale",
        actuatortendon: f32 = "actuatortendon",
    }

    /// `visual/scale`
    pub struct VisualScaleTable {
        forcewidth: f32 = "forcewidth",
        contactwidth: f32 = "contactwidth",
        contactheight: f32 = "contactheight",
        connect: f32 = "connect",
        com: f32 = "com",
        camera: f32 = "camera",
        light: f32 = "light",
        selectpoint: f32 = "selectpoint",
        jointlength: f32 = "jointlength",
        jointwidth: f32 = "jointwidth",
        actuatorlength: f32 = "actuatorlength",
        actuatorwidth: f32 = "actuatorwidth",
        framelength: f32 = "framelength",
        framewidth: f32 = "framewidth",
        constraint: f32 = "constraint",
        slidercrank: f32 = "slidercrank",
        frustum: f32 = "frustum",
    }

    /// `visual/rgba`
    pub struct VisualRgbaTable {
        fog: [f32; 4] = "fog",
        haze: [f32; 4] = "haze",
        force: [f32; 4] = "force",
        inertia: [f32; 4] = "inertia",
        joint: [f32; 4] = "joint",
        actuator: [f32; 4] = "actuator",
        actuatornegative: [f32; 4] = "actuatornegative",
        actuatorpositive: [f32; 4] = "actuatorpositive",
        com: [f32; 4] = "com",
        camera: [f32; 4] = "camera",
        light: [f32; 4] = "light",
        selectpoint: [f32; 4] = "selectpoint",
        connect: [f32; 4] = "connect",
        contactpoint: [f32; 4] = "contactpoint",
        contactforce: [f32; 4] = "contactforce",
        contactfriction: [f32; 4] = "contactfriction",
        contacttorque: [f32; 4] = "contacttorque",
        contactgap: [f32; 4] = "contactgap",
        rangefinder: [f32; 4] = "rangefinder",
        constraint: [f32; 4] = "constraint",
        slidercrank: [f32; 4] = "slidercrank",
        crankbroken: [f32; 4] = "crankbroken",
        frustum: [f32; 4] = "frustum",
        bv: [f32; 4] = "bv",
        bvactive: [f32; 4] = "bvactive",
    }
}
