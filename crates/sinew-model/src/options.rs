//! Options, statistics and visualisation settings of a model, with the reference's defaults.

use crate::column::ColumnMut;
use sinew_math::{Vec3, vec3};

/// Declares records whose fields have defaults and can be listed by name.
macro_rules! records {
    ($( $(#[$meta:meta])* pub struct $name:ident { $( $field:ident : $cell:ty = $default:expr, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( #[doc = concat!("`", stringify!($field), "`, default `", stringify!($default), "`.")] pub $field: $cell, )*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $field: $default, )* }
            }
        }

        impl $name {
            /// All fields by name, writable. A field is a column of one row.
            pub fn fields_mut(&mut self) -> Vec<ColumnMut<'_>> {
                vec![ $( ColumnMut::new(
                    (stringify!($field), 1),
                    None,
                    None,
                    core::slice::from_mut(&mut self.$field),
                ), )* ]
            }

            /// A function for each field that borrows it for writing, in declaration order.
            pub const WRITERS: &'static [fn(&mut $name) -> ColumnMut<'_>] = &[
                $( |record| ColumnMut::new(
                    (stringify!($field), 1),
                    None,
                    None,
                    core::slice::from_mut(&mut record.$field),
                ), )*
            ];
        }
    )* };
}

records! {
    /// Physics options.
    pub struct Options {
        timestep: f64 = 0.002,
        impratio: f64 = 1.0,
        tolerance: f64 = 1e-08,
        ls_tolerance: f64 = 0.01,
        noslip_tolerance: f64 = 1e-06,
        ccd_tolerance: f64 = 1e-06,
        sleep_tolerance: f64 = 0.0001,
        gravity: Vec3 = vec3(0.0, 0.0, -9.81),
        wind: Vec3 = vec3(0.0, 0.0, 0.0),
        magnetic: Vec3 = vec3(0.0, -0.5, 0.0),
        density: f64 = 0.0,
        viscosity: f64 = 0.0,
        o_margin: f64 = 0.0,
        o_solref: [f64; 2] = [0.02, 1.0],
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001],
        integrator: i32 = 0,
        cone: i32 = 0,
        jacobian: i32 = 2,
        solver: i32 = 2,
        iterations: i32 = 100,
        ls_iterations: i32 = 50,
        noslip_iterations: i32 = 0,
        ccd_iterations: i32 = 35,
        disableflags: i32 = 0,
        enableflags: i32 = 0,
        disableactuator: i32 = 0,
        sdf_initpoints: i32 = 40,
        sdf_iterations: i32 = 10,
    }
    /// Model statistics at qpos0.
    pub struct Statistic {
        meaninertia: f64 = 1.0,
        meanmass: f64 = 1.0,
        meansize: f64 = 1.0,
        extent: f64 = 1.0,
        center: Vec3 = vec3(0.0, 0.0, 0.0),
    }
    /// Visualisation: global.
    pub struct VisualGlobal {
        cameraid: i32 = -1,
        orthographic: i32 = 0,
        fovy: f32 = 45.0,
        ipd: f32 = 0.068,
        azimuth: f32 = 90.0,
        elevation: f32 = -45.0,
        linewidth: f32 = 1.0,
        glow: f32 = 0.3,
        realtime: f32 = 1.0,
        offwidth: i32 = 640,
        offheight: i32 = 480,
        ellipsoidinertia: i32 = 0,
        bvactive: i32 = 1,
    }
    /// Visualisation: quality.
    pub struct VisualQuality {
        shadowsize: i32 = 4096,
        offsamples: i32 = 4,
        numslices: i32 = 28,
        numstacks: i32 = 16,
        numquads: i32 = 4,
    }
    /// Visualisation: headlight.
    pub struct VisualHeadlight {
        ambient: [f32; 3] = [0.1, 0.1, 0.1],
        diffuse: [f32; 3] = [0.4, 0.4, 0.4],
        specular: [f32; 3] = [0.5, 0.5, 0.5],
        active: i32 = 1,
    }
    /// Visualisation: map.
    pub struct VisualMap {
        stiffness: f32 = 100.0,
        stiffnessrot: f32 = 500.0,
        force: f32 = 0.005,
        torque: f32 = 0.1,
        alpha: f32 = 0.3,
        fogstart: f32 = 3.0,
        fogend: f32 = 10.0,
        znear: f32 = 0.01,
        zfar: f32 = 50.0,
        haze: f32 = 0.3,
        shadowclip: f32 = 1.0,
        shadowscale: f32 = 0.6,
        actuatortendon: f32 = 2.0,
    }
    /// Visualisation: scale.
    pub struct VisualScale {
        forcewidth: f32 = 0.1,
        contactwidth: f32 = 0.3,
        contactheight: f32 = 0.1,
        connect: f32 = 0.2,
        com: f32 = 0.4,
        camera: f32 = 0.3,
        light: f32 = 0.3,
        selectpoint: f32 = 0.2,
        jointlength: f32 = 1.0,
        jointwidth: f32 = 0.1,
        actuatorlength: f32 = 0.7,
        actuatorwidth: f32 = 0.2,
        framelength: f32 = 1.0,
        framewidth: f32 = 0.1,
        constraint: f32 = 0.1,
        slidercrank: f32 = 0.2,
        frustum: f32 = 10.0,
    }
    /// Visualisation: rgba.
    pub struct VisualRgba {
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0],
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0],
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6],
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0],
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0],
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0],
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0],
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0],
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0],
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0],
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0],
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0],
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0],
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0],
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0],
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0],
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0],
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0],
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0],
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2],
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5],
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5],
    }
}

/// Visualisation options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visual {
    /// General settings.
    pub global: VisualGlobal,
    /// Rendering quality.
    pub quality: VisualQuality,
    /// The light at the camera.
    pub headlight: VisualHeadlight,
    /// Mappings from physical quantities to drawing sizes.
    pub map: VisualMap,
    /// Sizes of decorative elements relative to the mean body size.
    pub scale: VisualScale,
    /// Colours of decorative elements.
    pub rgba: VisualRgba,
}
