//! What the arithmetic of stages reads of a model, as plain slices.
//!
//! Structure (integers) is the same for all worlds that are computed together. Values (numbers) are
//! shared by all worlds (`V = f64`, borrowed from the model itself) or differ per world (`V` a pack of
//! numbers, one per lane, held by the struct named in brackets).

use sinew_math::{Quat, Vec3};

#[cfg(feature = "std")]
use crate::column::LaneCell;
#[cfg(feature = "std")]
use crate::{Model, ModelArrays};
#[cfg(feature = "std")]
use bytemuck::{Pod, cast_slice, cast_slice_mut};
#[cfg(feature = "std")]
use sinew_math::Real;

macro_rules! views {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident $(<$value:ident>($lanes:ident))? { $( $column:ident : $cell:ty, )* }
    )*) => { $(
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a $(, $value = f64)?> {
            $( #[doc = concat!("`", stringify!($column), "`")] pub $column: &'a [$cell], )*
        }

        #[cfg(feature = "std")]
        impl<'a> From<&'a ModelArrays> for $name<'a> {
            #[inline(always)]
            fn from(model: &'a ModelArrays) -> Self {
                $name { $( $column: &model.$column, )* }
            }
        }

        #[cfg(feature = "std")]
        impl<'a> From<&'a Model> for $name<'a> {
            #[inline(always)]
            fn from(model: &'a Model) -> Self {
                Self::from(&**model)
            }
        }

        views!(@lanes $name ($($value $lanes)?) { $( $column ($cell) )* });
    )* };

    (@lanes $name:ident () { $($columns:tt)* }) => {};
    (@lanes $name:ident ($value:ident $lanes:ident) { $( $column:ident ($cell:ty) )* }) => {
        #[doc = concat!("[`", stringify!($name), "`] of several worlds, one per lane.")]
        #[cfg(feature = "std")]
        #[allow(non_snake_case)]
        #[derive(Clone, Debug)]
        pub struct $lanes<$value> {
            $( #[doc = concat!("`", stringify!($column), "`")] pub $column: Vec<$cell>, )*
        }

        #[cfg(feature = "std")]
        impl<$value: Real> $lanes<$value> {
            /// The values of models of the same structure, one per lane; lanes beyond the last model
            /// have its values.
            pub fn gather(first: &Model, others: &[&Model]) -> Self {
                let mut out = $lanes {
                    $( $column: vec![crate::column::zero(); first.$column.len()], )*
                };
                for lane in 0..$value::LANES {
                    let model = match lane {
                        0 => first,
                        _ => others.get(lane - 1).or(others.last()).copied().unwrap_or(first),
                    };
                    $( for (cell, one) in out.$column.iter_mut().zip(&model.$column) {
                        LaneCell::put(cell, lane, *one);
                    } )*
                }
                out
            }

            /// The values as slices.
            #[inline(always)]
            pub fn as_ref(&self) -> $name<'_, $value> {
                $name { $( $column: &self.$column, )* }
            }
        }

        #[cfg(feature = "std")]
        impl<$value: Real + Pod> $lanes<$value> {
            /// The values as slices of a number with the same layout.
            #[inline(always)]
            pub fn cast<T: Pod>(&self) -> $name<'_, T> {
                $name { $( $column: cast_slice(&self.$column), )* }
            }

            /// Where the numbers of an array are, for writing; none: not among these.
            pub fn column(name: &str) -> Option<fn(&mut Self) -> &mut [$value]> {
                match name {
                    $( stringify!($column) => Some(|own| cast_slice_mut(&mut own.$column)), )*
                    _ => None,
                }
            }
        }
    };
}

views! {
    /// Bodies, joints and degrees of freedom: who moves whom.
    pub struct Tree {
        body_parentid: i32,
        body_rootid: i32,
        body_weldid: i32,
        body_mocapid: i32,
        body_jntnum: i32,
        body_jntadr: i32,
        body_dofnum: i32,
        body_dofadr: i32,
        body_sameframe: u8,
        jnt_type: i32,
        jnt_bodyid: i32,
        jnt_qposadr: i32,
        jnt_dofadr: i32,
        dof_bodyid: i32,
        dof_jntid: i32,
        dof_parentid: i32,
        dof_simplenum: i32,
        M_rownnz: i32,
        M_rowadr: i32,
        M_colind: i32,
        mapM2M: i32,
    }

    /// Poses, masses, springs and dampers of bodies, joints and degrees of freedom.
    pub struct TreeValues<V>(TreeValuesInLanes) {
        body_pos: Vec3<V>,
        body_quat: Quat<V>,
        body_ipos: Vec3<V>,
        body_iquat: Quat<V>,
        body_mass: V,
        body_subtreemass: V,
        body_inertia: Vec3<V>,
        jnt_pos: Vec3<V>,
        jnt_axis: Vec3<V>,
        jnt_stiffness: V,
        qpos0: V,
        qpos_spring: V,
        dof_M0: V,
        dof_armature: V,
        dof_damping: V,
    }

    /// Geoms and sites: what is fixed in which body.
    pub struct Attached {
        geom_bodyid: i32,
        geom_sameframe: u8,
        site_bodyid: i32,
        site_sameframe: u8,
    }

    /// Poses of geoms and sites in their bodies.
    pub struct AttachedValues<V>(AttachedValuesInLanes) {
        geom_pos: Vec3<V>,
        geom_quat: Quat<V>,
        site_pos: Vec3<V>,
        site_quat: Quat<V>,
    }

    /// Sizes and surfaces of geoms.
    pub struct GeomValues<V>(GeomValuesInLanes) {
        geom_size: [V; 3],
        geom_rbound: V,
        geom_friction: [V; 3],
        geom_solref: [V; 2],
        geom_solimp: [V; 5],
        geom_solmix: V,
    }

    /// What is constrained besides contacts: which joints are limited, what equalities tie.
    pub struct Constrained {
        jnt_limited: u8,
        eq_type: i32,
        eq_objtype: i32,
        eq_obj1id: i32,
        eq_obj2id: i32,
    }

    /// Bounds, errors, hardness and inverse weights of what is constrained.
    pub struct ConstrainedValues<V>(ConstrainedValuesInLanes) {
        body_invweight0: [V; 2],
        jnt_range: [V; 2],
        jnt_margin: V,
        jnt_solref: [V; 2],
        jnt_solimp: [V; 5],
        dof_frictionloss: V,
        dof_solref: [V; 2],
        dof_solimp: [V; 5],
        dof_invweight0: V,
        eq_data: [V; 11],
        eq_solref: [V; 2],
        eq_solimp: [V; 5],
        tendon_invweight0: V,
        tendon_solref_lim: [V; 2],
        tendon_solimp_lim: [V; 5],
        tendon_solref_fri: [V; 2],
        tendon_solimp_fri: [V; 5],
    }

    /// Springs of tendons.
    pub struct TendonValues<V>(TendonValuesInLanes) {
        tendon_lengthspring: [V; 2],
    }

    /// Actuators: what they pull on and by which law.
    pub struct Drives {
        actuator_trntype: i32,
        actuator_trnid: [i32; 2],
        actuator_gaintype: i32,
        actuator_biastype: i32,
        actuator_dyntype: i32,
        actuator_ctrllimited: u8,
        actuator_forcelimited: u8,
        actuator_actlimited: u8,
        actuator_actadr: i32,
        actuator_actnum: i32,
        actuator_actearly: u8,
    }

    /// Gears, parameters and ranges of actuators.
    pub struct DriveValues<V>(DriveValuesInLanes) {
        actuator_gear: [V; 6],
        actuator_dynprm: [V; 10],
        actuator_gainprm: [V; 10],
        actuator_biasprm: [V; 10],
        actuator_ctrlrange: [V; 2],
        actuator_forcerange: [V; 2],
        actuator_actrange: [V; 2],
    }
}
