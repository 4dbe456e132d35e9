//! The compiled model: everything that stays constant while a simulation runs.
//!
//! [`Model`] holds the reference's model arrays under the reference's names, in the same order,
//! with the same integer codes: ids are `i32`, −1 means none. That makes the live comparison, the
//! Python views and the binary file one mechanism, [`ModelArrays::columns`]. What a code means is said
//! by the enums of [`kinds`](crate::kinds).
//!
//! A model is built by the compiler of `sinew-mjcf` and shared by all simulations of it; nothing
//! writes to it while stepping. Its arrays can be read directly, as they were fields of the model;
//! values change through [`Model::change`], which keeps the structure and refuses what makes no
//! sense, options through the field `opt`, which a step checks.

use crate::law::Laws;
use crate::options::{Options, Statistic, Visual};
use crate::version::Writes;
use core::ops::Deref;
use sinew_math::{Mat3, Quat, Vec3};

/// A compiled model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Physics options.
    pub opt: Options,
    /// Model statistics at qpos0.
    pub stat: Statistic,
    /// Visualisation options.
    pub vis: Visual,
    arrays: ModelArrays,
    pub(crate) laws: Laws,
    pub(crate) writes: Writes,
}

impl Model {
    /// The arrays for writing, for compilers, bindings and tests of what must not happen. The engine
    /// relies on sizes, ids and addresses: whoever changes them here answers for their meaning.
    /// Values are better changed with [`Model::change`].
    #[inline]
    pub fn unchecked(&mut self) -> &mut ModelArrays {
        self.writes.count();
        &mut self.arrays
    }

    /// The same without a new version: for what simulations keep nothing of.
    #[inline]
    pub(crate) fn arrays_mut(&mut self) -> &mut ModelArrays {
        &mut self.arrays
    }
}

impl Deref for Model {
    type Target = ModelArrays;

    #[inline]
    fn deref(&self) -> &ModelArrays {
        &self.arrays
    }
}

crate::columns! {
    /// Sizes and arrays of a model.
    ///
    /// Units are SI: m, kg, s, N, rad, and where joints differ, those of the joint (N or N·m). Ids
    /// and addresses count from 0. Quaternions are w x y z. What a code means is said by the enums of
    /// [`kinds`](crate::kinds).
    pub struct ModelArrays {
        sizes {
            /// Numbers that give a position: the length of `qpos`.
            nq,
            /// Degrees of freedom: the length of `qvel`. A free joint has 7 coordinates and 6 of these.
            nv,
            /// Actuators, each with one control.
            nu,
            /// Activations: numbers of state that actuators have of their own.
            na,
            /// Bodies. The first, 0, is the world.
            nbody,
            /// Nodes of all bounding-volume trees: those of bodies, of meshes and of flexes.
            nbvh,
            /// Of these, nodes of bodies and meshes, whose boxes never change.
            nbvhstatic,
            /// Of these, nodes of flexes, whose boxes follow the vertices in each step.
            nbvhdynamic,
            /// Cells of the octrees of all meshes that collide by signed distance.
            noct,
            /// Joints, free ones included.
            njnt,
            /// Kinematic trees: a child of the world that can move, with all its descendants.
            ntree,
            /// Entries of the inertia in its older layout, `qM`.
            nM,
            /// Entries of the pattern B: which degrees of freedom lie above, in or below a body.
            nB,
            /// Entries of the inertia in compressed rows, `M`: its lower triangle.
            nC,
            /// Entries of the pattern D: both triangles, without the shortcut for simple bodies.
            nD,
            /// Geoms: shapes that collide, carry mass or are only seen.
            ngeom,
            /// Sites: marked places that sensors, tendons and actuators refer to.
            nsite,
            /// Cameras fixed to bodies.
            ncam,
            /// Lights fixed to bodies.
            nlight,
            /// Flexes: deformable lines, cloths and solids.
            nflex,
            /// Nodes that carry the flexes with interpolated vertices.
            nflexnode,
            /// Vertices, over all flexes.
            nflexvert,
            /// Edges between vertices, over all flexes.
            nflexedge,
            /// Elements (segments, triangles, tetrahedra), over all flexes.
            nflexelem,
            /// Corners of all elements: 2, 3 or 4 each.
            nflexelemdata,
            /// Edges of all elements: 1, 3 or 6 each.
            nflexelemedge,
            /// Corners of all pieces of surface: as many per piece as the flex has dimensions.
            nflexshelldata,
            /// Pairs of an element and a vertex that may touch inside one flex.
            nflexevpair,
            /// Texture coordinates, over all flexes.
            nflextexcoord,
            /// Entries of the Jacobian of edge lengths.
            nJfe,
            /// Entries of the Jacobian of the vertices' strain.
            nJfv,
            /// Meshes that geoms may show or be fitted to.
            nmesh,
            /// Vertices, over all meshes.
            nmeshvert,
            /// Normals, over all meshes.
            nmeshnormal,
            /// Texture coordinates, over all meshes.
            nmeshtexcoord,
            /// Triangles, over all meshes.
            nmeshface,
            /// Integers that describe the convex hulls of all meshes.
            nmeshgraph,
            /// Flat faces of the convex hulls of all meshes.
            nmeshpoly,
            /// Corners of all those faces.
            nmeshpolyvert,
            /// Entries of the lists, by vertex, of the faces around it.
            nmeshpolymap,
            /// Skins: surfaces that follow bodies and are only seen.
            nskin,
            /// Vertices, over all skins.
            nskinvert,
            /// Texture coordinates, over all skins.
            nskintexvert,
            /// Triangles, over all skins.
            nskinface,
            /// Bones, each of which follows a body, over all skins.
            nskinbone,
            /// Vertices of all bones; a vertex may belong to several.
            nskinbonevert,
            /// Height fields: grids of elevations that geoms may show.
            nhfield,
            /// Elevations, over all height fields.
            nhfielddata,
            /// Textures: images that materials and lights use.
            ntex,
            /// Bytes of all images.
            ntexdata,
            /// Materials: how surfaces look.
            nmat,
            /// Pairs of geoms that collide by settings of their own.
            npair,
            /// Pairs of bodies that never collide.
            nexclude,
            /// Equality constraints.
            neq,
            /// Tendons, fixed and spatial.
            ntendon,
            /// Stations of all tendon paths: joints, sites, pulleys, spheres and cylinders.
            nwrap,
            /// Sensors. One may have several readings.
            nsensor,
            /// Custom fields of numbers, kept for the user.
            nnumeric,
            /// Numbers, over all such fields.
            nnumericdata,
            /// Custom texts, kept for the user.
            ntext,
            /// Bytes of all texts, their closing zeros included.
            ntextdata,
            /// Custom tuples: lists of objects, kept for the user.
            ntuple,
            /// Objects, over all tuples.
            ntupledata,
            /// Keyframes: stored states.
            nkey,
            /// Bodies whose pose is an input.
            nmocap,
            /// Plugin instances: parts that a plugin computes.
            nplugin,
            /// Bytes of all plugin settings, closing zeros included.
            npluginattr,
            /// Numbers of the user's own that each row of `body_user` has.
            nuser_body,
            /// Numbers of the user's own that each row of `jnt_user` has.
            nuser_jnt,
            /// Numbers of the user's own that each row of `geom_user` has.
            nuser_geom,
            /// Numbers of the user's own that each row of `site_user` has.
            nuser_site,
            /// Numbers of the user's own that each row of `cam_user` has.
            nuser_cam,
            /// Numbers of the user's own that each row of `tendon_user` has.
            nuser_tendon,
            /// Numbers of the user's own that each row of `actuator_user` has.
            nuser_actuator,
            /// Numbers of the user's own that each row of `sensor_user` has.
            nuser_sensor,
            /// Bytes of all names, the model's first, each closed by a zero.
            nnames,
            /// Bytes of all file names of assets, each closed by a zero.
            npaths,
            /// Slots of the hash table from names to ids.
            nnames_map,
            /// Entries of the moment arms of all actuators, at most.
            nJmom,
            /// Bodies whose weight is carried in part or whole.
            ngravcomp,
            /// Numbers in a simulation that are left to the user.
            nuserdata,
            /// Readings, over all sensors.
            nsensordata,
            /// Numbers of state, over all plugin instances.
            npluginstate,
            /// Numbers that hold past controls and readings, for delays.
            nhistory,
        }
        columns {
            // ── body ──
            /// The body it hangs on; 0 for the world itself and its children.
            body_parentid: nbody x i32,
            /// Its topmost ancestor below the world; itself for the world's children, 0 for the world.
            body_rootid: nbody x i32,
            /// The topmost ancestor without a joint in between, with which it moves; 0: it stands
            /// still.
            body_weldid: nbody x i32,
            /// Which of the bodies with a given pose it is; −1: an ordinary body.
            body_mocapid: nbody x i32,
            /// How many joints connect it to its parent.
            body_jntnum: nbody x i32,
            /// The first of its joints; −1: none.
            body_jntadr: nbody x i32,
            /// How many degrees of freedom its own joints have.
            body_dofnum: nbody x i32,
            /// The first of its degrees of freedom; −1: none.
            body_dofadr: nbody x i32,
            /// Its kinematic tree; −1: it stands still.
            body_treeid: nbody x i32,
            /// How many geoms are fixed to it.
            body_geomnum: nbody x i32,
            /// The first of its geoms; −1: none.
            body_geomadr: nbody x i32,
            /// 1: its rows of the inertia are diagonal; 2: and it has only slides; 0: neither.
            body_simple: nbody x u8,
            /// Whether the inertial frame is the body's ([`SameFrame`](crate::kinds::SameFrame)); 0:
            /// no.
            body_sameframe: nbody x u8,
            /// Position in the parent's frame, m.
            body_pos: nbody x Vec3,
            /// Orientation in the parent's frame.
            body_quat: nbody x Quat = Unit,
            /// Centre of mass in the body's frame, m.
            body_ipos: nbody x Vec3,
            /// Principal axes of inertia in the body's frame.
            body_iquat: nbody x Quat = Unit,
            /// Mass of the body alone, kg.
            body_mass: nbody x f64 = NotNegative,
            /// Mass of the body and all its descendants, kg.
            body_subtreemass: nbody x f64 = NotNegative,
            /// Moments of inertia about the principal axes through the centre of mass, kg·m².
            body_inertia: nbody x Vec3 = NotNegative,
            /// Mean inverse inertia at `qpos0`: of translation, 1/kg, and of rotation, 1/(kg·m²).
            body_invweight0: nbody x [f64; 2],
            /// Share of its weight that an upward force carries; 1: it floats, 0: none.
            body_gravcomp: nbody x f64,
            /// The largest contact margin among its geoms, m.
            body_margin: nbody x f64,
            /// Numbers of the user's own: stored with the model and never read.
            body_user: nbody x f64 [nuser_body],
            /// Instance of the plugin that acts on it; −1: none.
            body_plugin: nbody x i32,
            /// Contact type bits of all its geoms together.
            body_contype: nbody x i32 = Value,
            /// Contact affinity bits of all its geoms together.
            body_conaffinity: nbody x i32 = Value,
            /// Root of the tree of boxes around its geoms; −1: none.
            body_bvhadr: nbody x i32,
            /// How many nodes that tree has.
            body_bvhnum: nbody x i32,
            // ── joint ──
            /// [`JointType`](crate::kinds::JointType): 0 free, 1 ball, 2 slide, 3 hinge.
            jnt_type: njnt x i32,
            /// Where its coordinates begin in `qpos`: 7, 4, 1 or 1 of them.
            jnt_qposadr: njnt x i32,
            /// Where its degrees of freedom begin in `qvel`: 6, 3, 1 or 1 of them.
            jnt_dofadr: njnt x i32,
            /// The body it moves.
            jnt_bodyid: njnt x i32,
            /// Group by which viewers show and hide it.
            jnt_group: njnt x i32 = Value,
            /// 1: `jnt_range` is enforced.
            jnt_limited: njnt x u8 = Value,
            /// 1: the sum of all actuator forces on it is clamped to `jnt_actfrcrange`.
            jnt_actfrclimited: njnt x u8 = Value,
            /// 1: gravity compensation counts as an actuator force, clamped with the others.
            jnt_actgravcomp: njnt x u8 = Value,
            /// Limit: time constant, s, and damping ratio; or, both negative, −stiffness and −damping.
            jnt_solref: njnt x [f64; 2],
            /// Limit: least and largest impedance, width over which it rises, midpoint, power.
            jnt_solimp: njnt x [f64; 5],
            /// Anchor in the body's frame, m; of no meaning for free joints.
            jnt_pos: njnt x Vec3,
            /// Axis in the body's frame, of length 1; of no meaning for free and ball joints.
            jnt_axis: njnt x Vec3 = Unit,
            /// Spring towards `qpos_spring`, N/m or N·m/rad; 0: none.
            jnt_stiffness: njnt x f64,
            /// Lower and upper limit, m or rad; of a ball joint 0 and the largest angle.
            jnt_range: njnt x [f64; 2] = Range,
            /// Lower and upper bound of the sum of actuator forces, N or N·m.
            jnt_actfrcrange: njnt x [f64; 2] = Range,
            /// Distance from a limit, m or rad, at which its constraint begins.
            jnt_margin: njnt x f64,
            /// Numbers of the user's own: stored with the model and never read.
            jnt_user: njnt x f64 [nuser_jnt],
            // ── dof ──
            /// The body it moves.
            dof_bodyid: nv x i32,
            /// The joint it is part of.
            dof_jntid: nv x i32,
            /// The next one towards the root: of the same joint, body or an ancestor; −1: none.
            dof_parentid: nv x i32,
            /// The kinematic tree it is part of.
            dof_treeid: nv x i32,
            /// Where its diagonal entry stands in `qM`, the inertia in its older layout.
            dof_Madr: nv x i32,
            /// How many from here on, itself included, belong to simple bodies; 0: it does not.
            dof_simplenum: nv x i32,
            /// Dry friction: time constant, s, and damping ratio; or −stiffness and −damping.
            dof_solref: nv x [f64; 2],
            /// Dry friction: least and largest impedance, width, midpoint, power.
            dof_solimp: nv x [f64; 5],
            /// Largest force of dry friction, N or N·m; 0: none.
            dof_frictionloss: nv x f64 = NotNegative,
            /// Inertia of rotors, added to the diagonal of the inertia, kg or kg·m².
            dof_armature: nv x f64 = NotNegative,
            /// Force per velocity against the motion, N·s/m or N·m·s/rad.
            dof_damping: nv x f64,
            /// Diagonal of the inverse inertia at `qpos0`, averaged over the axes of a joint.
            dof_invweight0: nv x f64,
            /// Diagonal of the inertia at `qpos0`, kg or kg·m².
            dof_M0: nv x f64,
            /// Metres that a unit of it moves: 1 for translations, a typical lever for rotations.
            dof_length: nv x f64,
            // ── tree ──
            /// The first of its bodies.
            tree_bodyadr: ntree x i32,
            /// How many bodies it has; they are numbered in a row.
            tree_bodynum: ntree x i32,
            /// The first of its degrees of freedom.
            tree_dofadr: ntree x i32,
            /// How many degrees of freedom it has.
            tree_dofnum: ntree x i32,
            /// Whether it may sleep ([`SleepPolicy`](crate::kinds::SleepPolicy)).
            tree_sleep_policy: ntree x i32,
            // ── geom ──
            /// Shape ([`GeomType`](crate::kinds::GeomType)): 0 plane, 1 height field, 2 sphere, 3
            /// capsule, …
            geom_type: ngeom x i32,
            /// Bits that meet the other geom's affinity: two collide if one's type meets the other's.
            geom_contype: ngeom x i32 = Value,
            /// Bits of contact types that it collides with.
            geom_conaffinity: ngeom x i32 = Value,
            /// Directions of contact force: 1 normal, 3 with sliding, 4 with spinning, 6 with rolling.
            geom_condim: ngeom x i32 = ContactDimension,
            /// The body it is fixed to.
            geom_bodyid: ngeom x i32,
            /// The mesh or height field it shows or was fitted to; −1: none.
            geom_dataid: ngeom x i32,
            /// Material for drawing; −1: none.
            geom_matid: ngeom x i32 = Material,
            /// Group by which viewers show and hide it.
            geom_group: ngeom x i32 = Value,
            /// Of two geoms in contact, the higher one's settings count; equal ones are mixed.
            geom_priority: ngeom x i32 = Value,
            /// Instance of the plugin that gives its surface; −1: none.
            geom_plugin: ngeom x i32,
            /// Whether its frame is the body's or inertial one
            /// ([`SameFrame`](crate::kinds::SameFrame)); 0: no.
            geom_sameframe: ngeom x u8,
            /// Weight of its solver settings when those of two geoms are mixed.
            geom_solmix: ngeom x f64,
            /// Contact: time constant, s, and damping ratio; or −stiffness and −damping.
            geom_solref: ngeom x [f64; 2],
            /// Contact: least and largest impedance, width over which it rises, midpoint, power.
            geom_solimp: ngeom x [f64; 5],
            /// Half sizes, m: radius; radius and half length; half lengths along the axes. By shape.
            geom_size: ngeom x [f64; 3] = NotNegative,
            /// Box around it in its own frame: centre, half sizes, m.
            geom_aabb: ngeom x [f64; 6],
            /// Radius of the sphere around its centre that holds it, m; 0: a plane, which nothing
            /// holds.
            geom_rbound: ngeom x f64 = NotNegative,
            /// Position in the body's frame, m.
            geom_pos: ngeom x Vec3,
            /// Orientation in the body's frame.
            geom_quat: ngeom x Quat = Unit,
            /// Coefficients of sliding, spinning (m) and rolling (m).
            geom_friction: ngeom x [f64; 3] = NotNegative,
            /// Distance at which a contact is found, m.
            geom_margin: ngeom x f64,
            /// Part of the margin within which a found contact bears no force, m.
            geom_gap: ngeom x f64,
            /// Ellipsoid model: on or off, five coefficients, virtual mass and inertia; the first 0:
            /// off.
            geom_fluid: ngeom x [f64; 12],
            /// Numbers of the user's own: stored with the model and never read.
            geom_user: ngeom x f64 [nuser_geom],
            /// Colour and opacity, 0 to 1, where no material says otherwise.
            geom_rgba: ngeom x [f32; 4],
            // ── site ──
            /// Shape for drawing and for touch sensors ([`GeomType`](crate::kinds::GeomType)).
            site_type: nsite x i32,
            /// The body it is fixed to.
            site_bodyid: nsite x i32,
            /// Material for drawing; −1: none.
            site_matid: nsite x i32 = Material,
            /// Group by which viewers show and hide it.
            site_group: nsite x i32 = Value,
            /// Whether its frame is the body's or inertial one
            /// ([`SameFrame`](crate::kinds::SameFrame)); 0: no.
            site_sameframe: nsite x u8,
            /// Half sizes, m, as of a geom of that shape.
            site_size: nsite x [f64; 3] = NotNegative,
            /// Position in the body's frame, m.
            site_pos: nsite x Vec3,
            /// Orientation in the body's frame.
            site_quat: nsite x Quat = Unit,
            /// Numbers of the user's own: stored with the model and never read.
            site_user: nsite x f64 [nuser_site],
            /// Colour and opacity, 0 to 1, where no material says otherwise.
            site_rgba: nsite x [f32; 4],
            // ── camera ──
            /// What it follows ([`TrackingMode`](crate::kinds::TrackingMode)); 0: its body.
            cam_mode: ncam x i32,
            /// The body it is fixed to.
            cam_bodyid: ncam x i32,
            /// The body it looks at; −1: none.
            cam_targetbodyid: ncam x i32,
            /// Position in the body's frame, m.
            cam_pos: ncam x Vec3,
            /// Orientation in the body's frame; it looks along −z, and y is up.
            cam_quat: ncam x Quat = Unit,
            /// Where it stands from the centre of mass of the body's subtree at `qpos0`, world axes, m.
            cam_poscom0: ncam x Vec3,
            /// Where it stands from the body at `qpos0`, world axes, m.
            cam_pos0: ncam x Vec3,
            /// Orientation in the world at `qpos0`.
            cam_mat0: ncam x Mat3,
            /// [`Projection`](crate::kinds::Projection): 0 perspective, 1 orthographic.
            cam_projection: ncam x i32 = Value,
            /// Vertical field of view: degrees, or metres where the projection is orthographic.
            cam_fovy: ncam x f64,
            /// Distance of the two eyes for stereo pictures, m.
            cam_ipd: ncam x f64,
            /// Pixels of a picture: width, height.
            cam_resolution: ncam x [i32; 2] = NotNegative,
            /// Bits of the pictures it makes ([`CameraOutput`](crate::kinds::CameraOutput)).
            cam_output: ncam x i32 = Value,
            /// Width and height of the chip, m; 0: `cam_fovy` says what is seen.
            cam_sensorsize: ncam x [f32; 2],
            /// Focal lengths along x and y, then the optical axis's offset from the centre, m.
            cam_intrinsic: ncam x [f32; 4],
            /// Numbers of the user's own: stored with the model and never read.
            cam_user: ncam x f64 [nuser_cam],
            // ── light ──
            /// What it follows ([`TrackingMode`](crate::kinds::TrackingMode)); 0: its body.
            light_mode: nlight x i32,
            /// The body it is fixed to.
            light_bodyid: nlight x i32,
            /// The body it shines at; −1: none.
            light_targetbodyid: nlight x i32,
            /// [`LightType`](crate::kinds::LightType): 0 spot, 1 directional, 2 point, 3 image.
            light_type: nlight x i32,
            /// Texture of an image light; −1: none.
            light_texid: nlight x i32,
            /// 1: what it shines on casts shadows.
            light_castshadow: nlight x u8 = Value,
            /// Radius of a spot's bulb, m, which makes shadows soft.
            light_bulbradius: nlight x f32,
            /// Brightness for physically based rendering, candela.
            light_intensity: nlight x f32,
            /// Distance beyond which a spot lights nothing, m.
            light_range: nlight x f32,
            /// 1: it is on.
            light_active: nlight x u8 = Value,
            /// Position in the body's frame, m.
            light_pos: nlight x Vec3,
            /// Direction in which it shines, in the body's frame.
            light_dir: nlight x Vec3,
            /// Where it stands from the centre of mass of the body's subtree at `qpos0`, world axes, m.
            light_poscom0: nlight x Vec3,
            /// Where it stands from the body at `qpos0`, world axes, m.
            light_pos0: nlight x Vec3,
            /// Direction in the world at `qpos0`.
            light_dir0: nlight x Vec3,
            /// How it fades with distance: constant, linear and quadratic coefficient.
            light_attenuation: nlight x [f32; 3],
            /// Angle between the axis of a spot and the edge of its cone, degrees.
            light_cutoff: nlight x f32,
            /// How sharply a spot fades towards the edge of its cone.
            light_exponent: nlight x f32,
            /// Red, green and blue, 0 to 1, that reach everything.
            light_ambient: nlight x [f32; 3],
            /// Red, green and blue, 0 to 1, that surfaces scatter.
            light_diffuse: nlight x [f32; 3],
            /// Red, green and blue, 0 to 1, that surfaces reflect.
            light_specular: nlight x [f32; 3],
            // ── flex ──
            /// Bits that meet the affinity of geoms and other flexes, as of a geom.
            flex_contype: nflex x i32 = Value,
            /// Bits of contact types that it collides with.
            flex_conaffinity: nflex x i32 = Value,
            /// Directions of contact force: 1 normal, 3 with sliding, 4 with spinning, 6 with rolling.
            flex_condim: nflex x i32 = ContactDimension,
            /// Of two things in contact, the higher one's settings count; equal ones are mixed.
            flex_priority: nflex x i32 = Value,
            /// Weight of its solver settings when they are mixed.
            flex_solmix: nflex x f64,
            /// Contact: time constant, s, and damping ratio; or −stiffness and −damping.
            flex_solref: nflex x [f64; 2],
            /// Contact: least and largest impedance, width over which it rises, midpoint, power.
            flex_solimp: nflex x [f64; 5],
            /// Coefficients of sliding, spinning (m) and rolling (m).
            flex_friction: nflex x [f64; 3],
            /// Distance at which a contact is found, m.
            flex_margin: nflex x f64,
            /// Part of the margin within which a found contact bears no force, m.
            flex_gap: nflex x f64,
            /// 1: contacts within it keep neighbouring elements from turning inside out.
            flex_internal: nflex x u8 = Value,
            /// How its distant parts collide ([`FlexSelf`](crate::kinds::FlexSelf)); 0: not at all.
            flex_selfcollide: nflex x i32 = Value,
            /// Layers of elements below the surface of a solid that collide.
            flex_activelayers: nflex x i32 = Value,
            /// 1: its contacts act as springs and dampers without friction, not as constraints.
            flex_passive: nflex x i32 = Value,
            /// 1: a line of segments, 2: a cloth of triangles, 3: a solid of tetrahedra.
            flex_dim: nflex x i32,
            /// Material for drawing; −1: none.
            flex_matid: nflex x i32 = Material,
            /// Group by which viewers show and hide it.
            flex_group: nflex x i32 = Value,
            /// 0: each vertex has a body; else the order of interpolation between nodes.
            flex_interp: nflex x i32,
            /// Where its nodes begin in `flex_node`.
            flex_nodeadr: nflex x i32,
            /// How many nodes carry it; 0 where each vertex has a body.
            flex_nodenum: nflex x i32,
            /// Where its vertices begin in `flex_vert`.
            flex_vertadr: nflex x i32,
            /// How many vertices it has.
            flex_vertnum: nflex x i32,
            /// Where its edges begin in `flex_edge`.
            flex_edgeadr: nflex x i32,
            /// How many edges it has.
            flex_edgenum: nflex x i32,
            /// Where its elements begin in `flex_elemlayer` and `flex_stiffness`.
            flex_elemadr: nflex x i32,
            /// How many elements it has.
            flex_elemnum: nflex x i32,
            /// Where the corners of its elements begin in `flex_elem`.
            flex_elemdataadr: nflex x i32,
            /// Where the edges of its elements begin in `flex_elemedge`.
            flex_elemedgeadr: nflex x i32,
            /// How many pieces its surface has.
            flex_shellnum: nflex x i32,
            /// Where the corners of these pieces begin in `flex_shell`.
            flex_shelldataadr: nflex x i32,
            /// Where its pairs of element and vertex begin in `flex_evpair`.
            flex_evpairadr: nflex x i32,
            /// How many pairs of element and vertex it has.
            flex_evpairnum: nflex x i32,
            /// Where its texture coordinates begin in `flex_texcoord`; −1: none.
            flex_texcoordadr: nflex x i32 = Asset,
            /// The body that each node is fixed to.
            flex_nodebodyid: nflexnode x i32,
            /// The body that each vertex is fixed to; −1: it is interpolated.
            flex_vertbodyid: nflexvert x i32,
            /// Where the edges at each vertex begin in `flex_vertedge`.
            flex_vertedgeadr: nflexvert x i32,
            /// How many edges meet at each vertex.
            flex_vertedgenum: nflexvert x i32,
            /// Edges at each vertex, one vertex after the other.
            flex_vertedge: nflexedge x [i32; 2],
            /// The two vertices of each edge, counted within the flex.
            flex_edge: nflexedge x [i32; 2],
            /// The vertices across each edge of a cloth, which it bends; −1: none.
            flex_edgeflap: nflexedge x [i32; 2],
            /// Vertices of each element, counted within the flex: dimension + 1 in a row.
            flex_elem: nflexelemdata x i32,
            /// Texture coordinates of these vertices, counted within the flex.
            flex_elemtexcoord: nflexelemdata x i32 = Asset,
            /// Edges of each element, counted within the flex.
            flex_elemedge: nflexelemedge x i32,
            /// How many elements lie between each element of a solid and its surface; 0: at the
            /// surface.
            flex_elemlayer: nflexelem x i32,
            /// Vertices of each piece of surface, counted within the flex.
            flex_shell: nflexshelldata x i32,
            /// Element and vertex that may touch, counted within the flex.
            flex_evpair: nflexevpair x [i32; 2],
            /// Position of each vertex in the frame of its body, m.
            flex_vert: nflexvert x Vec3,
            /// Position of each vertex at `qpos0` within the box around all, 0 to 1 along each axis.
            flex_vert0: nflexvert x Vec3,
            /// Inverse of the 2 × 2 matrix that sums the edges at a vertex at `qpos0`; for strain
            /// constraints.
            flex_vertmetric: nflexvert x [f64; 4],
            /// Position of each node in the frame of its body, m.
            flex_node: nflexnode x Vec3,
            /// Position of each node in the world at `qpos0`, m.
            flex_node0: nflexnode x Vec3,
            /// Length at `qpos0`, m.
            flexedge_length0: nflexedge x f64,
            /// Inverse inertia along the edge at `qpos0`, 1/kg.
            flexedge_invweight0: nflexedge x f64,
            /// How far the surface lies outside the elements, m.
            flex_radius: nflex x f64,
            /// Half sizes of the box around all vertices at `qpos0`, m.
            flex_size: nflex x [f64; 3],
            /// Stiffness of an element between its edges: the triangle of a symmetric matrix, N/m³.
            flex_stiffness: nflexelem x [f64; 21],
            /// Stiffness against bending at an edge: a 4 × 4 matrix over its vertices, and one number
            /// more.
            flex_bending: nflexedge x [f64; 17],
            /// Rayleigh damping: seconds by which stiffness is multiplied.
            flex_damping: nflex x f64,
            /// Spring along every edge, N/m; 0: none.
            flex_edgestiffness: nflex x f64,
            /// Damping along every edge, N·s/m; 0: none.
            flex_edgedamping: nflex x f64,
            /// What equality constraints keep: 0 nothing, 1 lengths of edges, 2 strain at vertices.
            flex_edgeequality: nflex x i32,
            /// 1: all vertices are fixed to one body.
            flex_rigid: nflex x u8,
            /// 1: both its vertices are fixed to one body.
            flexedge_rigid: nflexedge x u8,
            /// 1: every vertex, or node, stands at the origin of its body.
            flex_centered: nflex x u8,
            /// 1: drawn with flat faces, not smooth ones.
            flex_flatskin: nflex x u8 = Asset,
            /// Root of the tree of boxes around its elements; −1: none.
            flex_bvhadr: nflex x i32,
            /// How many nodes that tree has.
            flex_bvhnum: nflex x i32,
            /// Entries in the edge's row of the Jacobian of lengths.
            flexedge_J_rownnz: nflexedge x i32,
            /// Where that row begins.
            flexedge_J_rowadr: nflexedge x i32,
            /// The degree of freedom of each entry of that Jacobian.
            flexedge_J_colind: nJfe x i32,
            /// Entries in the two rows of a vertex in the Jacobian of strain.
            flexvert_J_rownnz: nflexvert x [i32; 2],
            /// Where these rows begin.
            flexvert_J_rowadr: nflexvert x [i32; 2],
            /// The degree of freedom of each entry of these rows.
            flexvert_J_colind: nJfv x [i32; 2],
            /// Colour and opacity, 0 to 1, where no material says otherwise.
            flex_rgba: nflex x [f32; 4],
            /// Place in the texture, 0 to 1 across the image.
            flex_texcoord: nflextexcoord x [f32; 2],
            // ── mesh ──
            /// Where its vertices begin in `mesh_vert`.
            mesh_vertadr: nmesh x i32 = Asset,
            /// How many vertices it has.
            mesh_vertnum: nmesh x i32 = Asset,
            /// Where its triangles begin in `mesh_face`.
            mesh_faceadr: nmesh x i32 = Asset,
            /// How many triangles it has.
            mesh_facenum: nmesh x i32 = Asset,
            /// Root of the tree of boxes around its triangles; −1: none.
            mesh_bvhadr: nmesh x i32 = Asset,
            /// How many nodes that tree has.
            mesh_bvhnum: nmesh x i32 = Asset,
            /// Root of its octree; −1: none.
            mesh_octadr: nmesh x i32 = Asset,
            /// How many cells its octree has.
            mesh_octnum: nmesh x i32 = Asset,
            /// Where its normals begin in `mesh_normal`.
            mesh_normaladr: nmesh x i32 = Asset,
            /// How many normals it has.
            mesh_normalnum: nmesh x i32 = Asset,
            /// Where its texture coordinates begin in `mesh_texcoord`; −1: none.
            mesh_texcoordadr: nmesh x i32 = Asset,
            /// How many texture coordinates it has.
            mesh_texcoordnum: nmesh x i32 = Asset,
            /// Where the description of its convex hull begins in `mesh_graph`; −1: it has no hull.
            mesh_graphadr: nmesh x i32 = Asset,
            /// Position of each vertex in the mesh's own frame, m: centred, along the principal axes.
            mesh_vert: nmeshvert x [f32; 3],
            /// Normals in the mesh's own frame, of length 1.
            mesh_normal: nmeshnormal x [f32; 3],
            /// Place in the texture, 0 to 1 across the image.
            mesh_texcoord: nmeshtexcoord x [f32; 2],
            /// The three vertices of each triangle, counted within the mesh, counterclockwise from
            /// outside.
            mesh_face: nmeshface x [i32; 3] = Asset,
            /// The normals at these corners, counted within the mesh.
            mesh_facenormal: nmeshface x [i32; 3] = Asset,
            /// The texture coordinates at these corners, counted within the mesh.
            mesh_facetexcoord: nmeshface x [i32; 3] = Asset,
            /// Convex hulls: counts of vertices and faces; then edge lists, vertices, neighbours,
            /// faces.
            mesh_graph: nmeshgraph x i32 = Asset,
            /// Factors along x, y and z that the file's vertices were multiplied by.
            mesh_scale: nmesh x [f64; 3],
            /// Where the mesh's own frame stands among the file's vertices, m.
            mesh_pos: nmesh x Vec3,
            /// Orientation of the mesh's own frame among the file's vertices.
            mesh_quat: nmesh x Quat = Unit,
            /// Where the name of its file begins in `paths`; −1: none.
            mesh_pathadr: nmesh x i32 = Asset,
            /// How many flat faces its convex hull has.
            mesh_polynum: nmesh x i32 = Asset,
            /// Where these faces begin in `mesh_polynormal`.
            mesh_polyadr: nmesh x i32 = Asset,
            /// Normal of each face of a hull, outward, in the mesh's own frame.
            mesh_polynormal: nmeshpoly x Vec3,
            /// Where the corners of a face begin in `mesh_polyvert`.
            mesh_polyvertadr: nmeshpoly x i32 = Asset,
            /// How many corners a face has.
            mesh_polyvertnum: nmeshpoly x i32 = Asset,
            /// Vertices around each face of a hull, counted within the mesh.
            mesh_polyvert: nmeshpolyvert x i32 = Asset,
            /// Where the faces around a vertex begin in `mesh_polymap`.
            mesh_polymapadr: nmeshvert x i32 = Asset,
            /// How many faces of the hull meet at a vertex.
            mesh_polymapnum: nmeshvert x i32 = Asset,
            /// Faces around each vertex, counted within the mesh.
            mesh_polymap: nmeshpolymap x i32 = Asset,
            // ── skin ──
            /// Material for drawing; −1: none.
            skin_matid: nskin x i32 = Material,
            /// Group by which viewers show and hide it.
            skin_group: nskin x i32 = Value,
            /// Colour and opacity, 0 to 1, where no material says otherwise.
            skin_rgba: nskin x [f32; 4],
            /// How far vertices are moved along their normals, m.
            skin_inflate: nskin x f32,
            /// Where its vertices begin in `skin_vert`.
            skin_vertadr: nskin x i32 = Asset,
            /// How many vertices it has.
            skin_vertnum: nskin x i32 = Asset,
            /// Where its texture coordinates begin in `skin_texcoord`; −1: none.
            skin_texcoordadr: nskin x i32 = Asset,
            /// Where its triangles begin in `skin_face`.
            skin_faceadr: nskin x i32 = Asset,
            /// How many triangles it has.
            skin_facenum: nskin x i32 = Asset,
            /// Where its bones begin in `skin_bonebodyid`.
            skin_boneadr: nskin x i32 = Asset,
            /// How many bones it has.
            skin_bonenum: nskin x i32 = Asset,
            /// Position of each vertex in the world when all bodies stand in the bind pose, m.
            skin_vert: nskinvert x [f32; 3],
            /// Place in the texture, 0 to 1 across the image.
            skin_texcoord: nskintexvert x [f32; 2],
            /// The three vertices of each triangle, counted within the skin.
            skin_face: nskinface x [i32; 3] = Asset,
            /// Where the vertices that a bone moves begin in `skin_bonevertid`.
            skin_bonevertadr: nskinbone x i32 = Asset,
            /// How many vertices a bone moves.
            skin_bonevertnum: nskinbone x i32 = Asset,
            /// Where the bone's body stands in the bind pose, world, m.
            skin_bonebindpos: nskinbone x [f32; 3],
            /// Orientation of the bone's body in the bind pose, world.
            skin_bonebindquat: nskinbone x [f32; 4] = Unit,
            /// The body that a bone follows.
            skin_bonebodyid: nskinbone x i32 = Asset,
            /// Vertices that the bones move, counted within the skin.
            skin_bonevertid: nskinbonevert x i32 = Asset,
            /// How much these vertices follow their bone; the weights of one vertex add up to 1.
            skin_bonevertweight: nskinbonevert x f32,
            /// Where the name of its file begins in `paths`; −1: none.
            skin_pathadr: nskin x i32 = Asset,
            // ── hfield ──
            /// Half width along x and along y, height of elevation 1, depth of the base below 0, m.
            hfield_size: nhfield x [f64; 4] = NotNegative,
            /// How many points along y.
            hfield_nrow: nhfield x i32 = Asset,
            /// How many points along x.
            hfield_ncol: nhfield x i32 = Asset,
            /// Where its elevations begin in `hfield_data`.
            hfield_adr: nhfield x i32 = Asset,
            /// Elevations, 0 to 1, row by row from −y to y, each from −x to x.
            hfield_data: nhfielddata x f32,
            /// Where the name of its file begins in `paths`; −1: none.
            hfield_pathadr: nhfield x i32 = Asset,
            // ── texture ──
            /// [`TextureType`](crate::kinds::TextureType): 0 flat, 1 cube, 2 sky.
            tex_type: ntex x i32 = Asset,
            /// [`ColorSpace`](crate::kinds::ColorSpace): 0 as the file says, 1 linear, 2 sRGB.
            tex_colorspace: ntex x i32 = Asset,
            /// Rows of the image in pixels; of a cube six times its width.
            tex_height: ntex x i32 = Asset,
            /// Columns of the image in pixels.
            tex_width: ntex x i32 = Asset,
            /// Bytes per pixel: 1 grey, 3 colour, 4 with opacity.
            tex_nchannel: ntex x i32 = Asset,
            /// Where its pixels begin in `tex_data`.
            tex_adr: ntex x i64 = Asset,
            /// Pixels, row by row, one byte per channel.
            tex_data: ntexdata x u8 = Value,
            /// Where the name of its file begins in `paths`; −1: none.
            tex_pathadr: ntex x i32 = Asset,
            // ── material ──
            /// Texture for each role ([`TextureRole`](crate::kinds::TextureRole)); −1: none.
            mat_texid: nmat x [i32; 10] = Texture,
            /// 1: a flat texture repeats per metre, not per object; a cube is laid on before scaling.
            mat_texuniform: nmat x u8 = Value,
            /// How often a flat texture repeats along x and y.
            mat_texrepeat: nmat x [f32; 2],
            /// Light it gives off, as a share of its colour.
            mat_emission: nmat x f32,
            /// Brightness of its highlights, 0 to 1.
            mat_specular: nmat x f32,
            /// Sharpness of its highlights, 0 to 1.
            mat_shininess: nmat x f32,
            /// How much it mirrors, 0 to 1; 0: it is no mirror.
            mat_reflectance: nmat x f32,
            /// How metallic it looks when rendered physically, 0 to 1; negative: not said.
            mat_metallic: nmat x f32,
            /// How rough it looks when rendered physically, 0 to 1; negative: not said.
            mat_roughness: nmat x f32,
            /// Colour and opacity, 0 to 1.
            mat_rgba: nmat x [f32; 4],
            // ── pair ──
            /// Directions of contact force: 1, 3, 4 or 6, as `geom_condim`.
            pair_dim: npair x i32,
            /// The geom of the body with the lower id.
            pair_geom1: npair x i32,
            /// The geom of the body with the higher id.
            pair_geom2: npair x i32,
            /// Lower body id × 65,536 + higher body id; pairs are sorted by it.
            pair_signature: npair x i32,
            /// Normal direction: time constant, s, and damping ratio; or −stiffness and −damping.
            pair_solref: npair x [f64; 2],
            /// The same of the friction directions; both 0: as the normal one.
            pair_solreffriction: npair x [f64; 2],
            /// Least and largest impedance, width over which it rises, midpoint, power.
            pair_solimp: npair x [f64; 5],
            /// Distance at which a contact is found, m.
            pair_margin: npair x f64,
            /// Part of the margin within which a found contact bears no force, m.
            pair_gap: npair x f64,
            /// Coefficients of sliding along two axes, spinning (m), rolling about two axes (m).
            pair_friction: npair x [f64; 5] = NotNegative,
            // ── exclude ──
            /// Lower body id × 65,536 + higher body id, in ascending order.
            exclude_signature: nexclude x i32,
            // ── equality ──
            /// [`EqualityType`](crate::kinds::EqualityType): 0 connect, 1 weld, 2 joint, 3 tendon, …
            eq_type: neq x i32,
            /// The first body, site, joint, tendon or flex.
            eq_obj1id: neq x i32,
            /// The second body, site, joint or tendon; −1: none, the first is held where it is.
            eq_obj2id: neq x i32,
            /// What both are ([`ObjectType`](crate::kinds::ObjectType)).
            eq_objtype: neq x i32,
            /// 1: on when a simulation starts.
            eq_active0: neq x u8 = Value,
            /// Time constant, s, and damping ratio; or −stiffness and −damping.
            eq_solref: neq x [f64; 2],
            /// Least and largest impedance, width over which it rises, midpoint, power.
            eq_solimp: neq x [f64; 5],
            /// Connect: anchor in each body, m. Weld: anchor in the second and in the first, relative
            /// orientation, torque scale. Joint, tendon: coefficients of a polynomial, constant first.
            eq_data: neq x [f64; 11],
            // ── tendon ──
            /// The first station of its path.
            tendon_adr: ntendon x i32,
            /// How many stations its path has.
            tendon_num: ntendon x i32,
            /// Material for drawing; −1: none.
            tendon_matid: ntendon x i32 = Material,
            /// Group by which viewers show and hide it.
            tendon_group: ntendon x i32 = Value,
            /// How many kinematic trees its path runs through.
            tendon_treenum: ntendon x i32,
            /// The first two of these trees; −1: none.
            tendon_treeid: ntendon x [i32; 2],
            /// 1: `tendon_range` is enforced.
            tendon_limited: ntendon x u8 = Value,
            /// 1: the sum of actuator forces on it is clamped to `tendon_actfrcrange`.
            tendon_actfrclimited: ntendon x u8 = Value,
            /// Thickness for drawing, m.
            tendon_width: ntendon x f64 = NotNegative,
            /// Limits of its length: time constant, s, and damping ratio; or −stiffness and −damping.
            tendon_solref_lim: ntendon x [f64; 2],
            /// Limits of its length: least and largest impedance, width, midpoint, power.
            tendon_solimp_lim: ntendon x [f64; 5],
            /// Dry friction along it: time constant, s, and damping ratio; or −stiffness and −damping.
            tendon_solref_fri: ntendon x [f64; 2],
            /// Dry friction along it: least and largest impedance, width, midpoint, power.
            tendon_solimp_fri: ntendon x [f64; 5],
            /// Shortest and greatest length, m; of a fixed tendon in the unit of its joints.
            tendon_range: ntendon x [f64; 2] = Range,
            /// Lower and upper bound of the sum of actuator forces, N.
            tendon_actfrcrange: ntendon x [f64; 2] = Range,
            /// Distance from a limit, m, at which its constraint begins.
            tendon_margin: ntendon x f64,
            /// Spring along it, N/m; 0: none.
            tendon_stiffness: ntendon x f64,
            /// Force per velocity of its length, N·s/m.
            tendon_damping: ntendon x f64,
            /// Inertia that moves with its length, kg.
            tendon_armature: ntendon x f64 = NotNegative,
            /// Largest force of dry friction along it, N; 0: none.
            tendon_frictionloss: ntendon x f64 = NotNegative,
            /// Lengths between which its spring is slack, m; equal ones: the resting length.
            tendon_lengthspring: ntendon x [f64; 2],
            /// Length at `qpos0`, m.
            tendon_length0: ntendon x f64,
            /// Inverse inertia along it at `qpos0`, 1/kg.
            tendon_invweight0: ntendon x f64,
            /// Numbers of the user's own: stored with the model and never read.
            tendon_user: ntendon x f64 [nuser_tendon],
            /// Colour and opacity, 0 to 1, where no material says otherwise.
            tendon_rgba: ntendon x [f32; 4],
            // ── actuator ──
            /// What it acts on ([`TransmissionType`](crate::kinds::TransmissionType)): 0 a joint, 3 a
            /// tendon, …
            actuator_trntype: nu x i32,
            /// How a control drives its activation ([`DynamicsType`](crate::kinds::DynamicsType)); 0:
            /// it has none.
            actuator_dyntype: nu x i32,
            /// How control or activation becomes force ([`GainType`](crate::kinds::GainType)); 0: a
            /// constant factor.
            actuator_gaintype: nu x i32 = Gain,
            /// What is added to that force ([`BiasType`](crate::kinds::BiasType)); 0: nothing.
            actuator_biastype: nu x i32 = Bias,
            /// The joint, tendon, site or body; then the reference site, or slider of a crank; −1:
            /// none.
            actuator_trnid: nu x [i32; 2],
            /// Where its activations begin in `act`; −1: it has none.
            actuator_actadr: nu x i32,
            /// How many activations it has.
            actuator_actnum: nu x i32,
            /// Group by which actuators are switched off and viewers show them.
            actuator_group: nu x i32 = Value,
            /// Samples of its past controls that are kept, 0: none; and how to interpolate: 0 step, 1
            /// linear, 2 cubic.
            actuator_history: nu x [i32; 2],
            /// Where these samples begin in the history; −1: none.
            actuator_historyadr: nu x i32,
            /// Age of the control that acts, s; 0: the present one.
            actuator_delay: nu x f64 = NotNegative,
            /// 1: its control is clamped to `actuator_ctrlrange`.
            actuator_ctrllimited: nu x u8 = Value,
            /// 1: its force is clamped to `actuator_forcerange`.
            actuator_forcelimited: nu x u8 = Value,
            /// 1: its activation is clamped to `actuator_actrange`.
            actuator_actlimited: nu x u8 = Value,
            /// Numbers of the dynamics: the time constant of a filter, s, first.
            actuator_dynprm: nu x [f64; 10],
            /// Numbers of the gain: the factor, or factor, per length, per velocity; those of a muscle.
            actuator_gainprm: nu x [f64; 10],
            /// Numbers of the bias: constant, per length, per velocity; those of a muscle.
            actuator_biasprm: nu x [f64; 10],
            /// 1: the force follows the activation at the end of the step, not at its start.
            actuator_actearly: nu x u8 = Value,
            /// Least and greatest control.
            actuator_ctrlrange: nu x [f64; 2] = Range,
            /// Least and greatest force, N or N·m.
            actuator_forcerange: nu x [f64; 2] = Range,
            /// Least and greatest activation.
            actuator_actrange: nu x [f64; 2] = Range,
            /// Factor on length and force; three along the axes of ball joints, six for free joints and
            /// sites.
            actuator_gear: nu x [f64; 6],
            /// Length of the connecting rod of a slider-crank, m.
            actuator_cranklength: nu x f64,
            /// Size of the joint acceleration that a unit of force causes at `qpos0`.
            actuator_acc0: nu x f64,
            /// Length of the transmission at `qpos0`, m or rad, times the gear.
            actuator_length0: nu x f64,
            /// Least and greatest length the transmission can have; muscles are scaled by it.
            actuator_lengthrange: nu x [f64; 2] = Range,
            /// Numbers of the user's own: stored with the model and never read.
            actuator_user: nu x f64 [nuser_actuator],
            /// Instance of the plugin that computes its force; −1: none.
            actuator_plugin: nu x i32,
            // ── sensor ──
            /// What is measured ([`SensorType`](crate::kinds::SensorType)).
            sensor_type: nsensor x i32,
            /// What readings can be ([`DataType`](crate::kinds::DataType)): any, positive, a direction,
            /// an orientation.
            sensor_datatype: nsensor x i32,
            /// What must be known before ([`Stage`](crate::kinds::Stage)): positions, velocities or
            /// accelerations.
            sensor_needstage: nsensor x i32,
            /// Kind of the thing measured ([`ObjectType`](crate::kinds::ObjectType)); 0: nothing in
            /// particular.
            sensor_objtype: nsensor x i32,
            /// The thing measured; −1: none.
            sensor_objid: nsensor x i32,
            /// Kind of the thing it is measured from ([`ObjectType`](crate::kinds::ObjectType)); 0: the
            /// world.
            sensor_reftype: nsensor x i32,
            /// The thing it is measured from; −1: the world.
            sensor_refid: nsensor x i32,
            /// Settings: of contacts the bits of data, how they are reduced, how many; of rays the bits
            /// of data.
            sensor_intprm: nsensor x [i32; 3],
            /// How many readings it has.
            sensor_dim: nsensor x i32,
            /// Where its readings begin in `sensordata`.
            sensor_adr: nsensor x i32,
            /// Readings are clamped to ± this, positive ones to it; 0: not at all.
            sensor_cutoff: nsensor x f64 = NotNegative,
            /// Standard deviation of its noise, for the user: nothing is added.
            sensor_noise: nsensor x f64,
            /// Samples of its past readings that are kept, 0: none; and how to interpolate: 0 step, 1
            /// linear, 2 cubic.
            sensor_history: nsensor x [i32; 2],
            /// Where these samples begin in the history; −1: none.
            sensor_historyadr: nsensor x i32,
            /// Age of the reading that is shown, s; 0: the present one.
            sensor_delay: nsensor x f64 = NotNegative,
            /// Seconds between two samples, 0: every step; and their phase, s.
            sensor_interval: nsensor x [f64; 2],
            /// Numbers of the user's own: stored with the model and never read.
            sensor_user: nsensor x f64 [nuser_sensor],
            /// Instance of the plugin that computes its readings; −1: none.
            sensor_plugin: nsensor x i32,
            // ── configuration ──
            /// The position of the model as written, from which many constants follow.
            qpos0: nq x f64,
            /// The position at which the springs of joints are at rest.
            qpos_spring: nq x f64,
            // ── bounding volumes ──
            /// How many nodes lie above it; 0: a root.
            bvh_depth: nbvh x i32 = Asset,
            /// Its two children, counted within the tree; −1: none.
            bvh_child: nbvh x [i32; 2] = Asset,
            /// The geom, triangle or element in a leaf; −1: not a leaf.
            bvh_nodeid: nbvh x i32 = Asset,
            /// Box around it: centre, half sizes, m; in the inertial frame of the body, or the frame of
            /// the mesh.
            bvh_aabb: nbvhstatic x [f64; 6],
            /// How many cells lie above it; 0: a root.
            oct_depth: noct x i32 = Asset,
            /// Its eight children, counted within the tree; −1: none.
            oct_child: noct x [i32; 8] = Asset,
            /// The cell in the frame of the mesh: centre, half sizes, m.
            oct_aabb: noct x [f64; 6],
            /// Signed distance to the surface at its eight corners, m.
            oct_coeff: noct x [f64; 8],
            // ── wrap ──
            /// What a path meets there ([`WrapType`](crate::kinds::WrapType)).
            wrap_type: nwrap x i32,
            /// The joint, site or geom; −1: a pulley.
            wrap_objid: nwrap x i32,
            /// Of a joint its coefficient, of a pulley the divisor, of a geom the site on whose side to
            /// pass, −1: none.
            wrap_prm: nwrap x f64,
            // ── plugin ──
            /// Which of the known plugins each instance is of.
            plugin: nplugin x i32,
            /// Where the state of an instance begins in the simulation's.
            plugin_stateadr: nplugin x i32,
            /// How many numbers of state an instance has.
            plugin_statenum: nplugin x i32,
            /// Values of all settings as text, each closed by a zero.
            plugin_attr: npluginattr x u8,
            /// Where the settings of an instance begin in `plugin_attr`.
            plugin_attradr: nplugin x i32,
            // ── numeric ──
            /// Where the numbers of a field begin in `numeric_data`.
            numeric_adr: nnumeric x i32,
            /// How many numbers a field has.
            numeric_size: nnumeric x i32,
            /// The numbers of all fields, one field after the other.
            numeric_data: nnumericdata x f64,
            // ── text ──
            /// Where a text begins in `text_data`.
            text_adr: ntext x i32,
            /// Bytes of a text, its closing zero included.
            text_size: ntext x i32,
            /// All texts, each closed by a zero.
            text_data: ntextdata x u8,
            // ── tuple ──
            /// The first object of a tuple in the three arrays below.
            tuple_adr: ntuple x i32,
            /// How many objects a tuple has.
            tuple_size: ntuple x i32,
            /// Kind of each object ([`ObjectType`](crate::kinds::ObjectType)).
            tuple_objtype: ntupledata x i32,
            /// Which object of that kind.
            tuple_objid: ntupledata x i32,
            /// A number that the user gave to each object.
            tuple_objprm: ntupledata x f64,
            // ── key ──
            /// Time at which a simulation that is reset to it begins, s.
            key_time: nkey x f64,
            /// Positions of a keyframe, as in `qpos`.
            key_qpos: nkey x f64 [nq],
            /// Velocities of a keyframe, as in `qvel`.
            key_qvel: nkey x f64 [nv],
            /// Activations of a keyframe, as in `act`.
            key_act: nkey x f64 [na],
            /// Positions of the mocap bodies, world, m.
            key_mpos: nkey x f64 [nmocap * 3],
            /// Orientations of the mocap bodies, world.
            key_mquat: nkey x f64 [nmocap * 4] = Unit,
            /// Controls of a keyframe, as in `ctrl`.
            key_ctrl: nkey x f64 [nu],
            // ── names ──
            /// Where the name of a body begins in `names`; that of one without is empty.
            name_bodyadr: nbody x i32 = Asset,
            /// Where the name of a joint begins in `names`; that of one without is empty.
            name_jntadr: njnt x i32 = Asset,
            /// Where the name of a geom begins in `names`; that of one without is empty.
            name_geomadr: ngeom x i32 = Asset,
            /// Where the name of a site begins in `names`; that of one without is empty.
            name_siteadr: nsite x i32 = Asset,
            /// Where the name of a camera begins in `names`; that of one without is empty.
            name_camadr: ncam x i32 = Asset,
            /// Where the name of a light begins in `names`; that of one without is empty.
            name_lightadr: nlight x i32 = Asset,
            /// Where the name of a flex begins in `names`; that of one without is empty.
            name_flexadr: nflex x i32 = Asset,
            /// Where the name of a mesh begins in `names`; that of one without is empty.
            name_meshadr: nmesh x i32 = Asset,
            /// Where the name of a skin begins in `names`; that of one without is empty.
            name_skinadr: nskin x i32 = Asset,
            /// Where the name of a height field begins in `names`; that of one without is empty.
            name_hfieldadr: nhfield x i32 = Asset,
            /// Where the name of a texture begins in `names`; that of one without is empty.
            name_texadr: ntex x i32 = Asset,
            /// Where the name of a material begins in `names`; that of one without is empty.
            name_matadr: nmat x i32 = Asset,
            /// Where the name of a pair of geoms begins in `names`; that of one without is empty.
            name_pairadr: npair x i32 = Asset,
            /// Where the name of an excluded pair begins in `names`; that of one without is empty.
            name_excludeadr: nexclude x i32 = Asset,
            /// Where the name of an equality constraint begins in `names`; that of one without is
            /// empty.
            name_eqadr: neq x i32 = Asset,
            /// Where the name of a tendon begins in `names`; that of one without is empty.
            name_tendonadr: ntendon x i32 = Asset,
            /// Where the name of an actuator begins in `names`; that of one without is empty.
            name_actuatoradr: nu x i32 = Asset,
            /// Where the name of a sensor begins in `names`; that of one without is empty.
            name_sensoradr: nsensor x i32 = Asset,
            /// Where the name of a field of numbers begins in `names`; that of one without is empty.
            name_numericadr: nnumeric x i32 = Asset,
            /// Where the name of a text begins in `names`; that of one without is empty.
            name_textadr: ntext x i32 = Asset,
            /// Where the name of a tuple begins in `names`; that of one without is empty.
            name_tupleadr: ntuple x i32 = Asset,
            /// Where the name of a keyframe begins in `names`; that of one without is empty.
            name_keyadr: nkey x i32 = Asset,
            /// Where the name of a plugin instance begins in `names`; that of one without is empty.
            name_pluginadr: nplugin x i32 = Asset,
            /// All names, the model's first, each closed by a zero.
            names: nnames x u8 = Asset,
            /// Hash table from names to ids, one part for each kind of object; −1: a free slot.
            names_map: nnames_map x i32 = Asset,
            /// File names of all assets, each closed by a zero.
            paths: npaths x u8,
            // ── sparsity ──
            /// Entries in a body's row: degrees of freedom above, in or below it.
            B_rownnz: nbody x i32,
            /// Where a body's row begins.
            B_rowadr: nbody x i32,
            /// The degree of freedom of each entry, ascending in each row.
            B_colind: nB x i32,
            /// Entries in a row of the inertia: the ancestors and itself; a simple one itself alone.
            M_rownnz: nv x i32,
            /// Where a row of the inertia begins.
            M_rowadr: nv x i32,
            /// The column of each entry, ascending in each row; the diagonal is last.
            M_colind: nC x i32,
            /// Where each entry of the inertia stands in `qM`, its older layout.
            mapM2M: nC x i32,
            /// Entries in a row of D: ancestors, itself and descendants.
            D_rownnz: nv x i32,
            /// Where a row of D begins.
            D_rowadr: nv x i32,
            /// Place of the diagonal within its row.
            D_diag: nv x i32,
            /// The column of each entry, ascending in each row.
            D_colind: nD x i32,
            /// For each entry of D the one of the inertia that it is, or mirrors.
            mapM2D: nD x i32,
            /// For each entry of the inertia the one of D.
            mapD2M: nC x i32,
        }
        other {
            /// Rows that all equality constraints can make together.
            nemax: i64,
            /// Constraint rows that the file asks room for; −1: not said. Limits nothing.
            njmax: i64,
            /// Contacts that the file asks room for; −1: not said. Limits nothing.
            nconmax: i64,
            /// Bytes the reference would reserve for per-step arrays.
            narena: i64,
            /// Fingerprint of the structure, see [`ModelArrays::structure_signature`]; set by the
            /// compiler.
            signature: u64,
        }
    }
}
