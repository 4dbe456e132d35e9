//! A model as a device has it: words and numbers in two arrays, the same for all worlds. Worlds that differ in values of the
//! model have numbers of their own, which lie as those of all do; only large tables, the last columns, are always common.
//!
//! The first words are sizes and options ([`Head`]), then follows for each column where it begins and how many words or
//! numbers it has, then the columns of integers; the first numbers are those of [`Constants`]. One list
//! says which columns there are: who packs a model and who reads it cannot disagree.

mod columns;
#[cfg(feature = "std")]
mod packing;

#[cfg(feature = "std")]
pub use packing::Packed;

use crate::Number;
use columns::Columns;
#[cfg(feature = "std")]
use packing::Packing;
use sinew_dynamics::row::Source;
#[cfg(feature = "std")]
use sinew_model::Model;
use sinew_model::view::{
    Attached, AttachedValues, Constrained, ConstrainedValues, DriveValues, Drives, Tree, TreeValues,
};

/// Degrees of freedom that a full Hessian has at most.
pub const MOST_DOFS: usize = 80;

macro_rules! head {
    ($( $(#[$meta:meta])* $name:ident, )*) => {
        /// Sizes and options.
        #[allow(non_snake_case)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Head { $( $(#[$meta])* pub $name: usize, )* }

        impl Head {
            /// Words that it takes.
            pub const LENGTH: usize = [$( stringify!($name) ),*].len();

            /// From the first words of a scene.
            #[inline(always)]
            pub fn read(words: &[i32]) -> Self {
                let mut next = 0;
                $( let $name = words[next] as usize; next += 1; )*
                let _ = next;
                Head { $( $name, )* }
            }

            /// As words.
            pub fn words(&self) -> [i32; Self::LENGTH] {
                [$( self.$name as i32 ),*]
            }
        }
    };
}

head! {
    /// Positions.
    nq,
    /// Degrees of freedom.
    nv,
    /// Controls.
    nu,
    /// Activations.
    na,
    /// Bodies.
    nbody,
    /// Joints.
    njnt,
    /// Geoms.
    ngeom,
    /// Sites.
    nsite,
    /// Equalities.
    neq,
    /// Equalities that may have rows.
    equalities,
    /// Mocap bodies.
    nmocap,
    /// Entries of M.
    nC,
    /// Pairs of geoms.
    pairs,
    /// Most contacts of a pair that who makes rows looks at.
    touches,
    /// Pairs of a world that threads look at first, at most.
    meetings,
    /// And their contacts.
    met_touches,
    /// Most iterations of the convex algorithms.
    ccd_iterations,
    /// Numbers of all sensors.
    nsensordata,
    /// Sensors that are read.
    sensors,
    /// 1: the plain kernel does not know one of them.
    senses_more,
    /// 1: one of them reads accelerations of bodies.
    senses_acceleration,
    /// 1: one of them reads forces between bodies.
    senses_forces,
    /// 1: one of them reads momenta of subtrees.
    senses_momentum,
    /// 1: one of them reads forces of rows.
    senses_rows,
    /// Contacts that are kept for sensors and for adhesion.
    kept_touches,
    /// 1: some of them may have no rows.
    lists_all,
    /// 1: bodies stick to what they touch.
    adheres,
    /// Sensors of distances.
    distances,
    /// Sensors whose rays may meet meshes or height fields.
    rays,
    /// Taxels of all tactile sensors.
    taxels,
    /// 1: sensors read the kinetic energy of the step before.
    remembers_energy,
    /// 1: users ask for forces on bodies from outside.
    derives_forces,
    /// 1: some equalities are not of joints.
    other_equalities,
    /// Tendons that do something.
    cords,
    /// Strings among them that have inertia.
    heavy_strings,
    /// Rows that a world has room for.
    rows,
    /// Elliptic contacts that a world has room for.
    cones,
    /// 1: actuators do something.
    acts,
    /// 1: worlds with bad numbers begin anew.
    resets,
    /// 1: controls are clamped to their ranges.
    clamps_control,
    /// 1: references are no faster than the time step allows.
    is_safe,
    /// 1: the solver may start from the last acceleration.
    warm_starts,
    /// 1: velocities move with damping taken implicitly.
    is_damped,
    /// 1: and with all forces whose derivative by velocity is known.
    is_implicit,
    /// How often all kernels run in a step.
    stages,
    /// 1: tendons, actuators or forces on bodies need more than the plain kernels know.
    general,
    /// 1: there is room for forces on bodies.
    wrenches,
    /// Bodies and geoms that a fluid acts on.
    swimmers,
    /// Bodies whose weight is compensated.
    lifts,
    /// Kinematic trees.
    trees,
    /// 1: worlds may have parts that are solved on their own, or rows that are added up as compressed ones.
    has_parts,
    /// 1: trees that rows tie together are solved on their own.
    by_island,
    /// 1: sums over rows are those of compressed rows.
    is_sparse,
    /// 1: conjugate gradients instead of Newton's method.
    is_conjugate,
    /// 1: Newton's method with more degrees of freedom than a full Hessian has.
    is_large,
    /// Greatest distance of a body from the world.
    levels,
    /// Most iterations of the solver.
    iterations,
    /// Most evaluations of a line search.
    ls_iterations,
}

impl Head {
    /// Numbers from one row of the Jacobian to the next: four are read at once.
    #[inline(always)]
    pub fn stride(&self) -> usize {
        self.nv.next_multiple_of(4)
    }

    /// Whether rows need nothing but the plain kernel.
    #[inline(always)]
    pub fn has_plain_rows(&self) -> bool {
        // Sensors of forces between bodies ask which equality a row is of.
        let equalities = self.other_equalities + self.equalities * self.senses_forces;
        equalities + self.general + self.has_parts + self.kept_touches + self.meetings == 0
    }

    /// Words in which a row says which degrees of freedom it has.
    #[inline(always)]
    pub fn row_words(&self) -> usize {
        self.has_parts * self.dof_words()
    }

    /// Words that have a bit for each tree.
    #[inline(always)]
    pub fn tree_words(&self) -> usize {
        self.trees.div_ceil(32)
    }

    /// Words that have a bit for each degree of freedom.
    #[inline(always)]
    pub fn dof_words(&self) -> usize {
        self.nv.div_ceil(32)
    }
}

/// How many numbers [`Constants`] are.
pub const CONSTANTS: usize = 15;

/// Options that are numbers.
#[derive(Clone, Copy, Debug)]
pub struct Constants<T> {
    /// Duration of a step.
    pub timestep: T,
    /// Acceleration of the world against falling.
    pub upward: [T; 3],
    /// How much harder friction is than the normal direction.
    pub impratio: T,
    /// When the solver ends.
    pub tolerance: T,
    /// Slope at which a line search ends, before it is divided by the scale.
    pub slope_tolerance: T,
    /// Part of the slope at its start at which it ends as well: what single precision can tell from zero.
    pub least_slope: T,
    /// Turns costs into the unit of the tolerance where everything is solved at once.
    pub whole_scale: T,
    /// When the convex algorithms end.
    pub ccd_tolerance: T,
    /// Mass per volume of the fluid.
    pub density: T,
    /// How it resists being sheared.
    pub viscosity: T,
    /// How fast it moves.
    pub wind: [T; 3],
}

impl<T: Number> Constants<T> {
    #[inline(always)]
    fn read(numbers: &[T]) -> Self {
        Constants {
            timestep: numbers[0],
            upward: [numbers[1], numbers[2], numbers[3]],
            impratio: numbers[4],
            tolerance: numbers[5],
            slope_tolerance: numbers[6],
            least_slope: numbers[7],
            whole_scale: numbers[8],
            ccd_tolerance: numbers[9],
            density: numbers[10],
            viscosity: numbers[11],
            wind: [numbers[12], numbers[13], numbers[14]],
        }
    }
}

/// How many columns [`Extra`] has.
const EXTRA: usize = 12;

/// Columns that no view of a model has.
#[derive(Clone, Copy, Debug)]
pub struct Extra<'a, T> {
    /// Whether the actuator forces on a joint are limited together.
    pub jnt_actfrclimited: &'a [u8],
    /// To which range.
    pub jnt_actfrcrange: &'a [[T; 2]],
    /// Sizes of geoms.
    pub geom_size: &'a [[T; 3]],
    /// Whether a joint counts the compensation of gravity as a force of actuators.
    pub jnt_actgravcomp: &'a [u8],
    /// Where the path of a tendon begins.
    pub tendon_adr: &'a [i32],
    /// How long it is.
    pub tendon_num: &'a [i32],
    /// What the points of paths are.
    pub wrap_type: &'a [i32],
    /// Which ones.
    pub wrap_objid: &'a [i32],
    /// Divisors of pulleys, side sites of geoms.
    pub wrap_prm: &'a [T],
    /// Lengths of rods.
    pub actuator_cranklength: &'a [T],
    /// Ranges of lengths of muscles.
    pub actuator_lengthrange: &'a [[T; 2]],
    /// Accelerations that unit forces cause.
    pub actuator_acc0: &'a [T],
}

macro_rules! tables {
    (
        integers { $( $(#[$integer_meta:meta])* $integer:ident, )* }
        numbers { $( $(#[$number_meta:meta])* $number:ident, )* }
        common { $( $(#[$common_meta:meta])* $common:ident, )* }
    ) => {
        /// What was found out about a model before it was packed.
        #[derive(Clone, Copy, Debug)]
        pub struct Tables<'a, T> {
            $( $(#[$integer_meta])* pub $integer: &'a [i32], )*
            $( $(#[$number_meta])* pub $number: &'a [T], )*
            $( $(#[$common_meta])* pub $common: &'a [T], )*
        }

        impl<'a, T: Number> Tables<'a, T> {
            /// How many columns there are.
            const COUNT: usize = [
                $( stringify!($integer), )* $( stringify!($number), )* $( stringify!($common), )*
            ].len();

            #[inline(always)]
            fn read(columns: &mut Columns<'a, '_, T>) -> Self {
                $( let $integer = columns.integers(); )*
                $( let $number = columns.numbers(); )*
                $( let $common = columns.common(); )*
                Tables { $( $integer, )* $( $number, )* $( $common, )* }
            }
        }

        /// [`Tables`] that are being made.
        #[cfg(feature = "std")]
        #[derive(Clone, Debug, Default)]
        pub struct TableData {
            $( $(#[$integer_meta])* pub $integer: Vec<i32>, )*
            $( $(#[$number_meta])* pub $number: Vec<f64>, )*
            $( $(#[$common_meta])* pub $common: Vec<f64>, )*
        }

        #[cfg(feature = "std")]
        impl TableData {
            fn write<T: Number>(&self, out: &mut Packing<T>) {
                $( out.integers(&self.$integer); )*
                $( out.numbers(&self.$number); )*
                out.end_own();
                $( out.numbers(&self.$common); )*
            }
        }
    };
}

tables! {
    integers {
        /// Pairs of geoms that may touch, in the order of their contacts: [`PAIR_WORDS`] each.
        pair_words,
        /// The first geom of each pair; of a plane all bits the other way round.
        near_first,
        /// The second one.
        near_second,
        /// Geoms whose places somebody asks for.
        placed_geoms,
        /// Sensors that are read: [`SENSOR_WORDS`] each.
        sensor_words,
        /// Types of geoms that rays meet, in place of those that they pass −1; none where there are no rays.
        ray_geoms,
        /// Sensors of distances: [`DISTANCE_WORDS`] each.
        distance_words,
        /// Their pairs of geoms: [`APART_WORDS`] each.
        apart_words,
        /// Sensors whose rays may meet meshes or height fields: [`RAY_WORDS`] each.
        ray_words,
        /// Sensors of the kinetic energy of the step before: [`ENERGY_WORDS`] each.
        energy_words,
        /// Tactile sensors: [`TACTILE_WORDS`] each.
        tactile_words,
        /// Their taxels: [`TAXEL_WORDS`] each.
        taxel_words,
        /// Types of geoms, where there are some.
        geom_types,
        /// Where the boxes of each mesh begin, and where those of the last one end.
        node_starts,
        /// The boxes: [`NODE_WORDS`] each.
        node_words,
        /// Geoms as convex shapes: [`SOLID_WORDS`] each; none where none is asked for.
        solid_words,
        /// Meshes: [`MESH_WORDS`] each.
        mesh_words,
        /// Graphs of their hulls.
        mesh_graph,
        /// Height fields: [`FIELD_WORDS`] each.
        field_words,
        /// Degrees of freedom that move each body, a bit each: [`Head::dof_words`] each.
        movers,
        /// Tendons that do something: [`CORD_WORDS`] each.
        cord_words,
        /// Addresses of the positions that tendons add up.
        cord_addresses,
        /// Degrees of freedom of tendons.
        cord_columns,
        /// Entries of M that dampers of tendons change.
        cord_slope_entries,
        /// Where the entries of M below each diagonal entry begin, in the two columns that follow; one more for the end.
        below_starts,
        /// Their rows.
        below_rows,
        /// Where M has them.
        below_entries,
        /// Degrees of freedom above each in the tree, a bit each; none where there are more than 32.
        above,
        /// Those below.
        below,
        /// Where each entry of M is: 32 times its row, and its column; none where there are more than 32.
        inertia_places,
        /// Where the bodies of each distance from the world begin, in the column that follows; one more for the end.
        level_starts,
        /// Bodies by their distance from the world.
        level_bodies,
        /// Which of the tendons that do something each tendon is; −1: none.
        tendon_cords,
        /// 1 where the group of an actuator is switched off.
        drives_off,
        /// Bodies whose weight is compensated.
        lift_bodies,
        /// What a fluid acts on: body, and geom or −1, in order.
        swimmers,
        /// The tree of each degree of freedom.
        dof_trees,
        /// Where the degrees of freedom of each tree begin; one more for the end.
        tree_starts,
        /// Where the numbers are that users ask for besides the state: [`crate::derive::sources`].
        derived_sources,
    }
    numbers {
        /// How far the middles of each pair, or a plane and a middle, may be apart so that they touch.
        near_reach,
        /// What contacts of a pair have in common: [`PAIR_NUMBERS`] each.
        pair_numbers,
        /// Cutoffs of sensors.
        sensor_cutoffs,
        /// Sizes of the sites in which sensors look, three numbers each.
        sensor_sizes,
        /// Cutoffs of sensors that threads of their own read: of distances,
        distance_cutoffs,
        /// of rays,
        ray_cutoffs,
        /// of energies,
        energy_cutoffs,
        /// and of touch spread over surfaces.
        tactile_cutoffs,
        /// Radii around geoms, where distances are asked for.
        geom_bounds,
        /// The magnetic field.
        magnetic,
        /// Sizes of height fields, four each.
        field_sizes,
        /// Springs, dampers and limits of tendons: [`CORD_NUMBERS`] each.
        cord_numbers,
        /// With which a tendon takes a position.
        cord_coefficients,
        /// Entries of the degrees of freedom of tendons.
        cord_entries,
        /// What dampers of tendons add to the derivative of forces by velocity.
        cord_slopes,
        /// Forces against gravity, three numbers each.
        lifts,
        /// Sizes of what a fluid acts on, and how it does: [`SWIMMER_NUMBERS`] each.
        swimmer_numbers,
    }
    common {
        /// Vertices of meshes.
        mesh_vertices,
        /// Centre and half sizes of the boxes around their hulls.
        mesh_bounds,
        /// Elevations of height fields.
        field_heights,
        /// Where taxels are in their geom, and their axes: [`TAXEL_NUMBERS`] each.
        taxel_numbers,
        /// Centre and half sizes of the boxes of meshes, six numbers each.
        node_boxes,
    }
}

/// Words of a pair: geoms, bodies, shapes, friction, directions, flags as [`crate::contact::IS_SWEPT`].
pub const PAIR_WORDS: usize = 8;
/// Numbers of a pair: margin, includemargin, friction (5), solref (2), solreffriction (2), solimp (5), weight, the
/// depth relative to its position that the reference surely sees, the radius around the second geom.
pub const PAIR_NUMBERS: usize = 19;
/// Words of a sensor: its type, type and number of its object, of its reference (−1: none), where its numbers are, how many
/// there are, what kind of numbers, which fields it has, how contacts are reduced, the type of the site in which it looks.
pub const SENSOR_WORDS: usize = 11;
/// Words of a sensor of a distance: its type, where its numbers are, where its pairs begin, how many there are, what kind of
/// numbers.
pub const DISTANCE_WORDS: usize = 5;
/// Words of a pair of geoms whose distance is asked for: both, their shapes, whether the second one comes first in these.
pub const APART_WORDS: usize = 4;
/// Words of a sensor of a ray: its site, which fields it has, where its numbers are, how many there are, what kind of numbers.
pub const RAY_WORDS: usize = 5;
/// Words of a sensor of the energy of the step before: where its number is, what kind of number.
pub const ENERGY_WORDS: usize = 2;
/// Words of a tactile sensor: its geom, the first body of the rigid assembly, where its numbers are, how many taxels it has, what
/// kind of numbers.
pub const TACTILE_WORDS: usize = 5;
/// Words of a taxel: its sensor, its number there.
pub const TAXEL_WORDS: usize = 2;
/// Numbers of a taxel: its place, its normal, two tangents.
pub const TAXEL_NUMBERS: usize = 12;
/// Words of a box of a mesh: which one comes next where a ray misses it; the corners of its triangle, −1 if it has none.
pub const NODE_WORDS: usize = 4;
/// Words of a geom as a convex shape: its kind, its mesh or height field.
pub const SOLID_WORDS: usize = 2;
/// Words of a mesh: where its vertices begin, how many there are; where the graph of its hull begins, how many words it has.
pub const MESH_WORDS: usize = 4;
/// Words of a height field: rows, columns, where its elevations begin.
pub const FIELD_WORDS: usize = 3;
/// Words of a tendon: its number, whether it is limited, where its positions begin, how many there are, where its columns
/// begin, how many there are, whether it is a string, whether the forces of its actuators are limited together.
pub const CORD_WORDS: usize = 8;
/// Numbers of a tendon: stiffness, damping, rest lengths (2), margin, range (2), dry friction, armature, length at the
/// reference, range of the forces of actuators (2).
pub const CORD_NUMBERS: usize = 12;
/// Numbers of what a fluid acts on: edges of a box or semi-axes (3), coefficients of the interaction (12).
pub const SWIMMER_NUMBERS: usize = 15;

macro_rules! views {
    ($( $field:ident : $view:ident $(<$number:ident>)? { $( $how:ident $column:ident, )* } )*) => {
        /// A model that a device can read.
        #[derive(Clone, Copy, Debug)]
        pub struct Scene<'a, T> {
            /// Sizes and options.
            pub head: Head,
            /// Options that are numbers.
            pub constants: Constants<T>,
            $( #[doc = concat!("[`", stringify!($view), "`]")] pub $field: $view<'a $(, $number)?>, )*
            /// What the views do not have.
            pub extra: Extra<'a, T>,
            /// What was found out before.
            pub tables: Tables<'a, T>,
        }

        impl<'a, T: Number> Scene<'a, T> {
            /// Words of sizes, options and places, which come first.
            pub const HEADER: usize = Head::LENGTH
                + 2 * (EXTRA + Tables::<T>::COUNT $( + [$( stringify!($column) ),*].len() )*);

            /// Reads a packed model, whose first words may be elsewhere as well: its numbers, and those that a world has of
            /// its own, which may be the same.
            #[inline(always)]
            pub fn read(header: &[i32], words: &'a [i32], (numbers, own): (&'a [T], &'a [T])) -> Self {
                let columns = &mut Columns::new(header, words, (numbers, own));
                $( let $field = $view { $( $column: columns.$how(), )* }; )*
                let extra = Extra {
                    jnt_actfrclimited: columns.bytes(),
                    jnt_actfrcrange: columns.numbers(),
                    geom_size: columns.numbers(),
                    jnt_actgravcomp: columns.bytes(),
                    tendon_adr: columns.integers(),
                    tendon_num: columns.integers(),
                    wrap_type: columns.integers(),
                    wrap_objid: columns.integers(),
                    wrap_prm: columns.numbers(),
                    actuator_cranklength: columns.numbers(),
                    actuator_lengthrange: columns.numbers(),
                    actuator_acc0: columns.numbers(),
                };
                let tables = Tables::read(columns);
                Scene {
                    head: Head::read(header),
                    constants: Constants::read(own),
                    $( $field, )*
                    extra,
                    tables,
                }
            }
        }

        /// Packs a model.
        #[cfg(feature = "std")]
        pub fn pack<T: Number>(
            model: &Model,
            head: &Head,
            constants: [f64; CONSTANTS],
            tables: &TableData,
        ) -> Packed<T> {
            let mut out = Packing::new(constants.map(T::from_f64));
            $( {
                let view: $view<'_> = $view::from(model);
                $( out.$how(view.$column); )*
            } )*
            out.bytes(&model.jnt_actfrclimited);
            out.numbers(&model.jnt_actfrcrange);
            out.numbers(&model.geom_size);
            out.bytes(&model.jnt_actgravcomp);
            out.integers(&model.tendon_adr);
            out.integers(&model.tendon_num);
            out.integers(&model.wrap_type);
            out.integers(&model.wrap_objid);
            out.numbers(&model.wrap_prm);
            out.numbers(&model.actuator_cranklength);
            out.numbers(&model.actuator_lengthrange);
            out.numbers(&model.actuator_acc0);
            tables.write(&mut out);
            out.finish(head)
        }
    };
}

views! {
    tree: Tree {
        integers body_parentid, integers body_rootid, integers body_weldid, integers body_mocapid,
        integers body_jntnum, integers body_jntadr, integers body_dofnum, integers body_dofadr,
        bytes body_sameframe, integers jnt_type, integers jnt_bodyid, integers jnt_qposadr,
        integers jnt_dofadr, integers dof_bodyid, integers dof_jntid, integers dof_parentid,
        integers dof_simplenum, integers M_rownnz, integers M_rowadr, integers M_colind,
        integers mapM2M,
    }
    values: TreeValues<T> {
        numbers body_pos, numbers body_quat, numbers body_ipos, numbers body_iquat, numbers body_mass,
        numbers body_subtreemass, numbers body_inertia, numbers jnt_pos, numbers jnt_axis,
        numbers jnt_stiffness, numbers qpos0, numbers qpos_spring, numbers dof_M0,
        numbers dof_armature, numbers dof_damping,
    }
    attached: Attached {
        integers geom_bodyid, bytes geom_sameframe, integers site_bodyid, bytes site_sameframe,
    }
    attached_values: AttachedValues<T> {
        numbers geom_pos, numbers geom_quat, numbers site_pos, numbers site_quat,
    }
    constrained: Constrained {
        bytes jnt_limited, integers eq_type, integers eq_objtype, integers eq_obj1id,
        integers eq_obj2id,
    }
    constrained_values: ConstrainedValues<T> {
        numbers body_invweight0, numbers jnt_range, numbers jnt_margin, numbers jnt_solref,
        numbers jnt_solimp, numbers dof_frictionloss, numbers dof_solref, numbers dof_solimp,
        numbers dof_invweight0, numbers eq_data, numbers eq_solref, numbers eq_solimp,
        numbers tendon_invweight0, numbers tendon_solref_lim, numbers tendon_solimp_lim,
        numbers tendon_solref_fri, numbers tendon_solimp_fri,
    }
    drives: Drives {
        integers actuator_trntype, integers actuator_trnid, integers actuator_gaintype,
        integers actuator_biastype, integers actuator_dyntype, bytes actuator_ctrllimited,
        bytes actuator_forcelimited, bytes actuator_actlimited, integers actuator_actadr,
        integers actuator_actnum, bytes actuator_actearly,
    }
    drive_values: DriveValues<T> {
        numbers actuator_gear, numbers actuator_dynprm, numbers actuator_gainprm,
        numbers actuator_biasprm, numbers actuator_ctrlrange, numbers actuator_forcerange,
        numbers actuator_actrange,
    }
}

impl<'a, T: Number> Scene<'a, T> {
    /// What rows other than contacts' are made of.
    #[inline(always)]
    pub fn source(&self) -> Source<'a, T> {
        Source {
            tree: self.tree,
            attached: self.attached,
            constrained: self.constrained,
            values: self.constrained_values,
            qpos0: self.values.qpos0,
            site_quat: self.attached_values.site_quat,
        }
    }
}
