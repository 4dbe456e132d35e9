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

use crate::options::{Options, Statistic, Visual};
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
}

impl Model {
    /// The arrays for writing, for compilers, bindings and tests of what must not happen. The engine
    /// relies on sizes, ids and addresses: whoever changes them here answers for their meaning.
    /// Values are better changed with [`Model::change`].
    #[inline]
    pub fn unchecked(&mut self) -> &mut ModelArrays {
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
    pub struct ModelArrays {
        sizes {
            /// Position coordinates, qpos.
            nq,
            /// Degrees of freedom, qvel.
            nv,
            /// Actuators and controls.
            nu,
            /// Activations.
            na,
            /// Bodies, the world included.
            nbody,
            /// Bounding-volume nodes.
            nbvh,
            /// Bounding-volume nodes of bodies and meshes.
            nbvhstatic,
            /// Bounding-volume nodes of flexes.
            nbvhdynamic,
            /// Octree cells.
            noct,
            /// Joints.
            njnt,
            /// Kinematic trees.
            ntree,
            /// Entries of the legacy inertia layout qM.
            nM,
            /// Entries of the body–dof matrix B.
            nB,
            /// Entries of the compressed inertia M.
            nC,
            /// Entries of the dof–dof matrix D.
            nD,
            /// Geoms.
            ngeom,
            /// Sites.
            nsite,
            /// Cameras.
            ncam,
            /// Lights.
            nlight,
            /// Rows of the flex arrays.
            nflex,
            /// Rows of the flexnode arrays.
            nflexnode,
            /// Rows of the flexvert arrays.
            nflexvert,
            /// Rows of the flexedge arrays.
            nflexedge,
            /// Rows of the flexelem arrays.
            nflexelem,
            /// Rows of the flexelemdata arrays.
            nflexelemdata,
            /// Rows of the flexelemedge arrays.
            nflexelemedge,
            /// Rows of the flexshelldata arrays.
            nflexshelldata,
            /// Rows of the flexevpair arrays.
            nflexevpair,
            /// Rows of the flextexcoord arrays.
            nflextexcoord,
            /// Rows of the Jfe arrays.
            nJfe,
            /// Rows of the Jfv arrays.
            nJfv,
            /// Meshes.
            nmesh,
            /// Rows of the meshvert arrays.
            nmeshvert,
            /// Rows of the meshnormal arrays.
            nmeshnormal,
            /// Rows of the meshtexcoord arrays.
            nmeshtexcoord,
            /// Rows of the meshface arrays.
            nmeshface,
            /// Rows of the meshgraph arrays.
            nmeshgraph,
            /// Rows of the meshpoly arrays.
            nmeshpoly,
            /// Rows of the meshpolyvert arrays.
            nmeshpolyvert,
            /// Rows of the meshpolymap arrays.
            nmeshpolymap,
            /// Skins.
            nskin,
            /// Rows of the skinvert arrays.
            nskinvert,
            /// Rows of the skintexvert arrays.
            nskintexvert,
            /// Rows of the skinface arrays.
            nskinface,
            /// Rows of the skinbone arrays.
            nskinbone,
            /// Rows of the skinbonevert arrays.
            nskinbonevert,
            /// Height fields.
            nhfield,
            /// Rows of the hfielddata arrays.
            nhfielddata,
            /// Textures.
            ntex,
            /// Rows of the texdata arrays.
            ntexdata,
            /// Materials.
            nmat,
            /// Contact pairs.
            npair,
            /// Excluded body pairs.
            nexclude,
            /// Equality constraints.
            neq,
            /// Tendons.
            ntendon,
            /// Wrap objects of all tendon paths.
            nwrap,
            /// Sensors.
            nsensor,
            /// Custom numeric fields.
            nnumeric,
            /// Rows of the numericdata arrays.
            nnumericdata,
            /// Custom text fields.
            ntext,
            /// Rows of the textdata arrays.
            ntextdata,
            /// Custom tuples.
            ntuple,
            /// Rows of the tupledata arrays.
            ntupledata,
            /// Keyframes.
            nkey,
            /// Mocap bodies.
            nmocap,
            /// Plugin instances.
            nplugin,
            /// Rows of the pluginattr arrays.
            npluginattr,
            /// User numbers per body.
            nuser_body,
            /// User numbers per jnt.
            nuser_jnt,
            /// User numbers per geom.
            nuser_geom,
            /// User numbers per site.
            nuser_site,
            /// User numbers per cam.
            nuser_cam,
            /// User numbers per tendon.
            nuser_tendon,
            /// User numbers per actuator.
            nuser_actuator,
            /// User numbers per sensor.
            nuser_sensor,
            /// Characters of all names.
            nnames,
            /// Characters of all asset paths.
            npaths,
            /// Slots of the name hash map.
            nnames_map,
            /// Entries of the actuator moment matrix.
            nJmom,
            /// Bodies with gravity compensation.
            ngravcomp,
            /// Numbers of user data.
            nuserdata,
            /// Numbers of sensor data.
            nsensordata,
            /// Numbers of plugin state.
            npluginstate,
            /// Numbers in the history buffers.
            nhistory,
        }
        columns {
            // ── body ──
            /// Parent body.
            body_parentid: nbody x i32,
            /// Ancestor that is a child of the world.
            body_rootid: nbody x i32,
            /// Topmost body it is rigidly attached to.
            body_weldid: nbody x i32,
            /// Mocap index; −1: none.
            body_mocapid: nbody x i32,
            /// Number of joints.
            body_jntnum: nbody x i32,
            /// First joint; −1: none.
            body_jntadr: nbody x i32,
            /// Number of degrees of freedom.
            body_dofnum: nbody x i32,
            /// First degree of freedom; −1: none.
            body_dofadr: nbody x i32,
            /// Kinematic tree; −1: static.
            body_treeid: nbody x i32,
            /// Number of geoms.
            body_geomnum: nbody x i32,
            /// First geom; −1: none.
            body_geomadr: nbody x i32,
            /// 1: diagonal inertia block, 2: sliders only, 0: neither.
            body_simple: nbody x u8,
            /// How the inertial frame coincides with the body frame.
            body_sameframe: nbody x u8,
            /// Position in the parent frame.
            body_pos: nbody x Vec3,
            /// Orientation in the parent frame.
            body_quat: nbody x Quat = Unit,
            /// Centre of mass in the body frame.
            body_ipos: nbody x Vec3,
            /// Principal axes in the body frame.
            body_iquat: nbody x Quat = Unit,
            /// Mass.
            body_mass: nbody x f64 = NotNegative,
            /// Mass of the body and all its descendants.
            body_subtreemass: nbody x f64 = NotNegative,
            /// Principal moments of inertia.
            body_inertia: nbody x Vec3 = NotNegative,
            /// Mean inverse inertia at qpos0: translation, rotation.
            body_invweight0: nbody x [f64; 2],
            /// Share of gravity that is compensated.
            body_gravcomp: nbody x f64,
            /// Largest margin of its geoms.
            body_margin: nbody x f64,
            /// User data.
            body_user: nbody x f64 [nuser_body],
            /// Plugin instance; −1: none.
            body_plugin: nbody x i32,
            /// Union of its geoms' contype.
            body_contype: nbody x i32 = Value,
            /// Union of its geoms' conaffinity.
            body_conaffinity: nbody x i32 = Value,
            /// First bounding-volume node; −1: none.
            body_bvhadr: nbody x i32,
            /// Number of bounding-volume nodes.
            body_bvhnum: nbody x i32,
            // ── joint ──
            /// Free, ball, slide or hinge.
            jnt_type: njnt x i32,
            /// First position coordinate.
            jnt_qposadr: njnt x i32,
            /// First degree of freedom.
            jnt_dofadr: njnt x i32,
            /// Body it moves.
            jnt_bodyid: njnt x i32,
            /// Visibility group.
            jnt_group: njnt x i32 = Value,
            /// Has limits.
            jnt_limited: njnt x u8 = Value,
            /// Total actuator force is limited.
            jnt_actfrclimited: njnt x u8 = Value,
            /// Gravity compensation counts as actuator force.
            jnt_actgravcomp: njnt x u8 = Value,
            /// Limit constraint reference.
            jnt_solref: njnt x [f64; 2],
            /// Limit constraint impedance.
            jnt_solimp: njnt x [f64; 5],
            /// Anchor in the body frame.
            jnt_pos: njnt x Vec3,
            /// Axis in the body frame.
            jnt_axis: njnt x Vec3 = Unit,
            /// Spring stiffness.
            jnt_stiffness: njnt x f64,
            /// Limits.
            jnt_range: njnt x [f64; 2] = Range,
            /// Limits of the total actuator force.
            jnt_actfrcrange: njnt x [f64; 2] = Range,
            /// Distance at which the limit becomes active.
            jnt_margin: njnt x f64,
            /// User data.
            jnt_user: njnt x f64 [nuser_jnt],
            // ── dof ──
            /// Body.
            dof_bodyid: nv x i32,
            /// Joint.
            dof_jntid: nv x i32,
            /// Next degree of freedom towards the root; −1: none.
            dof_parentid: nv x i32,
            /// Kinematic tree.
            dof_treeid: nv x i32,
            /// Diagonal address in qM.
            dof_Madr: nv x i32,
            /// Number of consecutive simple degrees of freedom from here.
            dof_simplenum: nv x i32,
            /// Friction loss constraint reference.
            dof_solref: nv x [f64; 2],
            /// Friction loss constraint impedance.
            dof_solimp: nv x [f64; 5],
            /// Dry friction.
            dof_frictionloss: nv x f64 = NotNegative,
            /// Rotor inertia added to the diagonal of M.
            dof_armature: nv x f64 = NotNegative,
            /// Viscous damping.
            dof_damping: nv x f64,
            /// Diagonal inverse inertia at qpos0.
            dof_invweight0: nv x f64,
            /// Diagonal inertia at qpos0.
            dof_M0: nv x f64,
            /// Linear: 1, angular: approximate lever length.
            dof_length: nv x f64,
            // ── tree ──
            /// First body.
            tree_bodyadr: ntree x i32,
            /// Number of bodies.
            tree_bodynum: ntree x i32,
            /// First degree of freedom.
            tree_dofadr: ntree x i32,
            /// Number of degrees of freedom.
            tree_dofnum: ntree x i32,
            /// Sleep policy.
            tree_sleep_policy: ntree x i32,
            // ── geom ──
            /// Type.
            geom_type: ngeom x i32,
            /// Contact type bits.
            geom_contype: ngeom x i32 = Value,
            /// Contact affinity bits.
            geom_conaffinity: ngeom x i32 = Value,
            /// Contact dimension.
            geom_condim: ngeom x i32 = ContactDimension,
            /// Body.
            geom_bodyid: ngeom x i32,
            /// Mesh or height field; −1: none.
            geom_dataid: ngeom x i32,
            /// Material; −1: none.
            geom_matid: ngeom x i32 = Material,
            /// Visibility group.
            geom_group: ngeom x i32 = Value,
            /// Contact priority.
            geom_priority: ngeom x i32 = Value,
            /// Plugin instance; −1: none.
            geom_plugin: ngeom x i32,
            /// How the frame coincides with the body frame.
            geom_sameframe: ngeom x u8,
            /// Weight when solver parameters are mixed.
            geom_solmix: ngeom x f64,
            /// Constraint reference.
            geom_solref: ngeom x [f64; 2],
            /// Constraint impedance.
            geom_solimp: ngeom x [f64; 5],
            /// Sizes, meaning depends on the type.
            geom_size: ngeom x [f64; 3] = NotNegative,
            /// Bounding box: centre, half sizes.
            geom_aabb: ngeom x [f64; 6],
            /// Bounding sphere radius; 0: plane.
            geom_rbound: ngeom x f64 = NotNegative,
            /// Position in the frame of its owner.
            geom_pos: ngeom x Vec3,
            /// Orientation in the frame of its owner.
            geom_quat: ngeom x Quat = Unit,
            /// Friction coefficients.
            geom_friction: ngeom x [f64; 3] = NotNegative,
            /// Distance at which the constraint is included.
            geom_margin: ngeom x f64,
            /// Part of the margin without force.
            geom_gap: ngeom x f64,
            /// Fluid interaction parameters.
            geom_fluid: ngeom x [f64; 12],
            /// User data.
            geom_user: ngeom x f64 [nuser_geom],
            /// Colour and opacity.
            geom_rgba: ngeom x [f32; 4],
            // ── site ──
            /// Type.
            site_type: nsite x i32,
            /// Body.
            site_bodyid: nsite x i32,
            /// Material; −1: none.
            site_matid: nsite x i32 = Material,
            /// Visibility group.
            site_group: nsite x i32 = Value,
            /// How the frame coincides with the body frame.
            site_sameframe: nsite x u8,
            /// Sizes, meaning depends on the type.
            site_size: nsite x [f64; 3] = NotNegative,
            /// Position in the frame of its owner.
            site_pos: nsite x Vec3,
            /// Orientation in the frame of its owner.
            site_quat: nsite x Quat = Unit,
            /// User data.
            site_user: nsite x f64 [nuser_site],
            /// Colour and opacity.
            site_rgba: nsite x [f32; 4],
            // ── camera ──
            /// Tracking mode.
            cam_mode: ncam x i32,
            /// Body.
            cam_bodyid: ncam x i32,
            /// Target body; −1: none.
            cam_targetbodyid: ncam x i32,
            /// Position in the frame of its owner.
            cam_pos: ncam x Vec3,
            /// Orientation in the frame of its owner.
            cam_quat: ncam x Quat = Unit,
            /// Position relative to the subtree centre of mass at qpos0.
            cam_poscom0: ncam x Vec3,
            /// Position relative to the body at qpos0, world axes.
            cam_pos0: ncam x Vec3,
            /// Orientation at qpos0.
            cam_mat0: ncam x Mat3,
            /// Projection.
            cam_projection: ncam x i32 = Value,
            /// Fovy.
            cam_fovy: ncam x f64,
            /// Ipd.
            cam_ipd: ncam x f64,
            /// Resolution.
            cam_resolution: ncam x [i32; 2] = NotNegative,
            /// Output.
            cam_output: ncam x i32 = Value,
            /// Sensorsize.
            cam_sensorsize: ncam x [f32; 2],
            /// Intrinsic.
            cam_intrinsic: ncam x [f32; 4],
            /// User data.
            cam_user: ncam x f64 [nuser_cam],
            // ── light ──
            /// Tracking mode.
            light_mode: nlight x i32,
            /// Body.
            light_bodyid: nlight x i32,
            /// Target body; −1: none.
            light_targetbodyid: nlight x i32,
            /// Type.
            light_type: nlight x i32,
            /// Texid.
            light_texid: nlight x i32,
            /// Castshadow.
            light_castshadow: nlight x u8 = Value,
            /// Bulbradius.
            light_bulbradius: nlight x f32,
            /// Intensity.
            light_intensity: nlight x f32,
            /// Limits.
            light_range: nlight x f32,
            /// Active.
            light_active: nlight x u8 = Value,
            /// Position in the frame of its owner.
            light_pos: nlight x Vec3,
            /// Dir.
            light_dir: nlight x Vec3,
            /// Position relative to the subtree centre of mass at qpos0.
            light_poscom0: nlight x Vec3,
            /// Position relative to the body at qpos0, world axes.
            light_pos0: nlight x Vec3,
            /// Direction at qpos0.
            light_dir0: nlight x Vec3,
            /// Attenuation.
            light_attenuation: nlight x [f32; 3],
            /// Cutoff.
            light_cutoff: nlight x f32,
            /// Exponent.
            light_exponent: nlight x f32,
            /// Ambient.
            light_ambient: nlight x [f32; 3],
            /// Diffuse.
            light_diffuse: nlight x [f32; 3],
            /// Specular.
            light_specular: nlight x [f32; 3],
            // ── flex ──
            /// Contact type bits.
            flex_contype: nflex x i32 = Value,
            /// Contact affinity bits.
            flex_conaffinity: nflex x i32 = Value,
            /// Contact dimension.
            flex_condim: nflex x i32 = ContactDimension,
            /// Contact priority.
            flex_priority: nflex x i32 = Value,
            /// Weight when solver parameters are mixed.
            flex_solmix: nflex x f64,
            /// Constraint reference.
            flex_solref: nflex x [f64; 2],
            /// Constraint impedance.
            flex_solimp: nflex x [f64; 5],
            /// Friction coefficients.
            flex_friction: nflex x [f64; 3],
            /// Distance at which the constraint is included.
            flex_margin: nflex x f64,
            /// Part of the margin without force.
            flex_gap: nflex x f64,
            /// Internal.
            flex_internal: nflex x u8 = Asset,
            /// Selfcollide.
            flex_selfcollide: nflex x i32 = Asset,
            /// Activelayers.
            flex_activelayers: nflex x i32 = Asset,
            /// Passive.
            flex_passive: nflex x i32 = Asset,
            /// Dim.
            flex_dim: nflex x i32 = Asset,
            /// Material; −1: none.
            flex_matid: nflex x i32 = Material,
            /// Visibility group.
            flex_group: nflex x i32 = Value,
            /// Interp.
            flex_interp: nflex x i32 = Asset,
            /// First address.
            flex_nodeadr: nflex x i32 = Asset,
            /// Count.
            flex_nodenum: nflex x i32 = Asset,
            /// First address.
            flex_vertadr: nflex x i32 = Asset,
            /// Count.
            flex_vertnum: nflex x i32 = Asset,
            /// First address.
            flex_edgeadr: nflex x i32 = Asset,
            /// Count.
            flex_edgenum: nflex x i32 = Asset,
            /// First address.
            flex_elemadr: nflex x i32 = Asset,
            /// Count.
            flex_elemnum: nflex x i32 = Asset,
            /// First address.
            flex_elemdataadr: nflex x i32 = Asset,
            /// First address.
            flex_elemedgeadr: nflex x i32 = Asset,
            /// Count.
            flex_shellnum: nflex x i32 = Asset,
            /// First address.
            flex_shelldataadr: nflex x i32 = Asset,
            /// First address.
            flex_evpairadr: nflex x i32 = Asset,
            /// Count.
            flex_evpairnum: nflex x i32 = Asset,
            /// First address.
            flex_texcoordadr: nflex x i32 = Asset,
            /// Nodebodyid.
            flex_nodebodyid: nflexnode x i32 = Asset,
            /// Vertbodyid.
            flex_vertbodyid: nflexvert x i32 = Asset,
            /// First address.
            flex_vertedgeadr: nflexvert x i32 = Asset,
            /// Count.
            flex_vertedgenum: nflexvert x i32 = Asset,
            /// Vertedge.
            flex_vertedge: nflexedge x [i32; 2] = Asset,
            /// Edge.
            flex_edge: nflexedge x [i32; 2] = Asset,
            /// Edgeflap.
            flex_edgeflap: nflexedge x [i32; 2] = Asset,
            /// Elem.
            flex_elem: nflexelemdata x i32 = Asset,
            /// Elemtexcoord.
            flex_elemtexcoord: nflexelemdata x i32 = Asset,
            /// Elemedge.
            flex_elemedge: nflexelemedge x i32 = Asset,
            /// Elemlayer.
            flex_elemlayer: nflexelem x i32 = Asset,
            /// Shell.
            flex_shell: nflexshelldata x i32 = Asset,
            /// Evpair.
            flex_evpair: nflexevpair x [i32; 2] = Asset,
            /// Vert.
            flex_vert: nflexvert x Vec3,
            /// Vert0.
            flex_vert0: nflexvert x Vec3,
            /// Vertmetric.
            flex_vertmetric: nflexvert x [f64; 4],
            /// Node.
            flex_node: nflexnode x Vec3,
            /// Node0.
            flex_node0: nflexnode x Vec3,
            /// Length at qpos0.
            flexedge_length0: nflexedge x f64,
            /// Inverse weight at qpos0.
            flexedge_invweight0: nflexedge x f64,
            /// Radius.
            flex_radius: nflex x f64,
            /// Sizes, meaning depends on the type.
            flex_size: nflex x [f64; 3],
            /// Stiffness.
            flex_stiffness: nflexelem x [f64; 21],
            /// Bending.
            flex_bending: nflexedge x [f64; 17],
            /// Damping.
            flex_damping: nflex x f64,
            /// Edgestiffness.
            flex_edgestiffness: nflex x f64,
            /// Edgedamping.
            flex_edgedamping: nflex x f64,
            /// Edgeequality.
            flex_edgeequality: nflex x i32 = Asset,
            /// Rigid.
            flex_rigid: nflex x u8 = Asset,
            /// Rigid.
            flexedge_rigid: nflexedge x u8 = Asset,
            /// Centered.
            flex_centered: nflex x u8 = Asset,
            /// Flatskin.
            flex_flatskin: nflex x u8 = Asset,
            /// First address.
            flex_bvhadr: nflex x i32 = Asset,
            /// Count.
            flex_bvhnum: nflex x i32 = Asset,
            /// Number of stored entries of each row.
            flexedge_J_rownnz: nflexedge x i32 = Asset,
            /// First address.
            flexedge_J_rowadr: nflexedge x i32 = Asset,
            /// Column of each entry.
            flexedge_J_colind: nJfe x i32 = Asset,
            /// Number of stored entries of each row.
            flexvert_J_rownnz: nflexvert x [i32; 2] = Asset,
            /// First address.
            flexvert_J_rowadr: nflexvert x [i32; 2] = Asset,
            /// Column of each entry.
            flexvert_J_colind: nJfv x [i32; 2] = Asset,
            /// Colour and opacity.
            flex_rgba: nflex x [f32; 4],
            /// Texcoord.
            flex_texcoord: nflextexcoord x [f32; 2],
            // ── mesh ──
            /// First address.
            mesh_vertadr: nmesh x i32 = Asset,
            /// Count.
            mesh_vertnum: nmesh x i32 = Asset,
            /// First address.
            mesh_faceadr: nmesh x i32 = Asset,
            /// Count.
            mesh_facenum: nmesh x i32 = Asset,
            /// First address.
            mesh_bvhadr: nmesh x i32 = Asset,
            /// Count.
            mesh_bvhnum: nmesh x i32 = Asset,
            /// First address.
            mesh_octadr: nmesh x i32 = Asset,
            /// Count.
            mesh_octnum: nmesh x i32 = Asset,
            /// First address.
            mesh_normaladr: nmesh x i32 = Asset,
            /// Count.
            mesh_normalnum: nmesh x i32 = Asset,
            /// First address.
            mesh_texcoordadr: nmesh x i32 = Asset,
            /// Count.
            mesh_texcoordnum: nmesh x i32 = Asset,
            /// First address.
            mesh_graphadr: nmesh x i32 = Asset,
            /// Vert.
            mesh_vert: nmeshvert x [f32; 3],
            /// Normal.
            mesh_normal: nmeshnormal x [f32; 3],
            /// Texcoord.
            mesh_texcoord: nmeshtexcoord x [f32; 2],
            /// Face.
            mesh_face: nmeshface x [i32; 3] = Asset,
            /// Facenormal.
            mesh_facenormal: nmeshface x [i32; 3] = Asset,
            /// Facetexcoord.
            mesh_facetexcoord: nmeshface x [i32; 3] = Asset,
            /// Graph.
            mesh_graph: nmeshgraph x i32 = Asset,
            /// Scale.
            mesh_scale: nmesh x [f64; 3],
            /// Position in the frame of its owner.
            mesh_pos: nmesh x Vec3,
            /// Orientation in the frame of its owner.
            mesh_quat: nmesh x Quat = Unit,
            /// Address in paths; −1: none.
            mesh_pathadr: nmesh x i32 = Asset,
            /// Count.
            mesh_polynum: nmesh x i32 = Asset,
            /// First address.
            mesh_polyadr: nmesh x i32 = Asset,
            /// Polynormal.
            mesh_polynormal: nmeshpoly x Vec3,
            /// First address.
            mesh_polyvertadr: nmeshpoly x i32 = Asset,
            /// Count.
            mesh_polyvertnum: nmeshpoly x i32 = Asset,
            /// Polyvert.
            mesh_polyvert: nmeshpolyvert x i32 = Asset,
            /// First address.
            mesh_polymapadr: nmeshvert x i32 = Asset,
            /// Count.
            mesh_polymapnum: nmeshvert x i32 = Asset,
            /// Polymap.
            mesh_polymap: nmeshpolymap x i32 = Asset,
            // ── skin ──
            /// Material; −1: none.
            skin_matid: nskin x i32 = Material,
            /// Visibility group.
            skin_group: nskin x i32 = Value,
            /// Colour and opacity.
            skin_rgba: nskin x [f32; 4],
            /// Inflate.
            skin_inflate: nskin x f32,
            /// First address.
            skin_vertadr: nskin x i32 = Asset,
            /// Count.
            skin_vertnum: nskin x i32 = Asset,
            /// First address.
            skin_texcoordadr: nskin x i32 = Asset,
            /// First address.
            skin_faceadr: nskin x i32 = Asset,
            /// Count.
            skin_facenum: nskin x i32 = Asset,
            /// First address.
            skin_boneadr: nskin x i32 = Asset,
            /// Count.
            skin_bonenum: nskin x i32 = Asset,
            /// Vert.
            skin_vert: nskinvert x [f32; 3],
            /// Texcoord.
            skin_texcoord: nskintexvert x [f32; 2],
            /// Face.
            skin_face: nskinface x [i32; 3] = Asset,
            /// First address.
            skin_bonevertadr: nskinbone x i32 = Asset,
            /// Count.
            skin_bonevertnum: nskinbone x i32 = Asset,
            /// Bonebindpos.
            skin_bonebindpos: nskinbone x [f32; 3],
            /// Bonebindquat.
            skin_bonebindquat: nskinbone x [f32; 4] = Unit,
            /// Bonebodyid.
            skin_bonebodyid: nskinbone x i32 = Asset,
            /// Bonevertid.
            skin_bonevertid: nskinbonevert x i32 = Asset,
            /// Bonevertweight.
            skin_bonevertweight: nskinbonevert x f32,
            /// Address in paths; −1: none.
            skin_pathadr: nskin x i32 = Asset,
            // ── hfield ──
            /// Sizes, meaning depends on the type.
            hfield_size: nhfield x [f64; 4] = NotNegative,
            /// Nrow.
            hfield_nrow: nhfield x i32 = Asset,
            /// Ncol.
            hfield_ncol: nhfield x i32 = Asset,
            /// First address.
            hfield_adr: nhfield x i32 = Asset,
            /// Data.
            hfield_data: nhfielddata x f32,
            /// Address in paths; −1: none.
            hfield_pathadr: nhfield x i32 = Asset,
            // ── texture ──
            /// Type.
            tex_type: ntex x i32 = Asset,
            /// Colorspace.
            tex_colorspace: ntex x i32 = Asset,
            /// Height.
            tex_height: ntex x i32 = Asset,
            /// Width.
            tex_width: ntex x i32 = Asset,
            /// Nchannel.
            tex_nchannel: ntex x i32 = Asset,
            /// First address.
            tex_adr: ntex x i64 = Asset,
            /// Data.
            tex_data: ntexdata x u8 = Value,
            /// Address in paths; −1: none.
            tex_pathadr: ntex x i32 = Asset,
            // ── material ──
            /// Texid.
            mat_texid: nmat x [i32; 10],
            /// Texuniform.
            mat_texuniform: nmat x u8 = Value,
            /// Texrepeat.
            mat_texrepeat: nmat x [f32; 2],
            /// Emission.
            mat_emission: nmat x f32,
            /// Specular.
            mat_specular: nmat x f32,
            /// Shininess.
            mat_shininess: nmat x f32,
            /// Reflectance.
            mat_reflectance: nmat x f32,
            /// Metallic.
            mat_metallic: nmat x f32,
            /// Roughness.
            mat_roughness: nmat x f32,
            /// Colour and opacity.
            mat_rgba: nmat x [f32; 4],
            // ── pair ──
            /// Dim.
            pair_dim: npair x i32,
            /// Geom1.
            pair_geom1: npair x i32,
            /// Geom2.
            pair_geom2: npair x i32,
            /// Signature.
            pair_signature: npair x i32,
            /// Constraint reference.
            pair_solref: npair x [f64; 2],
            /// Constraint reference of the friction directions.
            pair_solreffriction: npair x [f64; 2],
            /// Constraint impedance.
            pair_solimp: npair x [f64; 5],
            /// Distance at which the constraint is included.
            pair_margin: npair x f64,
            /// Part of the margin without force.
            pair_gap: npair x f64,
            /// Friction coefficients.
            pair_friction: npair x [f64; 5] = NotNegative,
            // ── exclude ──
            /// Signature.
            exclude_signature: nexclude x i32,
            // ── equality ──
            /// Type.
            eq_type: neq x i32,
            /// Obj1id.
            eq_obj1id: neq x i32,
            /// Obj2id.
            eq_obj2id: neq x i32,
            /// Object type.
            eq_objtype: neq x i32,
            /// Active0.
            eq_active0: neq x u8 = Value,
            /// Constraint reference.
            eq_solref: neq x [f64; 2],
            /// Constraint impedance.
            eq_solimp: neq x [f64; 5],
            /// Data.
            eq_data: neq x [f64; 11],
            // ── tendon ──
            /// First address.
            tendon_adr: ntendon x i32,
            /// Count.
            tendon_num: ntendon x i32,
            /// Material; −1: none.
            tendon_matid: ntendon x i32 = Material,
            /// Visibility group.
            tendon_group: ntendon x i32 = Value,
            /// Count.
            tendon_treenum: ntendon x i32,
            /// Treeid.
            tendon_treeid: ntendon x [i32; 2],
            /// Is limited.
            tendon_limited: ntendon x u8 = Value,
            /// Actfrclimited.
            tendon_actfrclimited: ntendon x u8 = Value,
            /// Width.
            tendon_width: ntendon x f64 = NotNegative,
            /// Solref lim.
            tendon_solref_lim: ntendon x [f64; 2],
            /// Solimp lim.
            tendon_solimp_lim: ntendon x [f64; 5],
            /// Solref fri.
            tendon_solref_fri: ntendon x [f64; 2],
            /// Solimp fri.
            tendon_solimp_fri: ntendon x [f64; 5],
            /// Limits.
            tendon_range: ntendon x [f64; 2] = Range,
            /// Actfrcrange.
            tendon_actfrcrange: ntendon x [f64; 2] = Range,
            /// Distance at which the constraint is included.
            tendon_margin: ntendon x f64,
            /// Stiffness.
            tendon_stiffness: ntendon x f64,
            /// Damping.
            tendon_damping: ntendon x f64,
            /// Armature.
            tendon_armature: ntendon x f64 = NotNegative,
            /// Frictionloss.
            tendon_frictionloss: ntendon x f64 = NotNegative,
            /// Lengthspring.
            tendon_lengthspring: ntendon x [f64; 2],
            /// Length at qpos0.
            tendon_length0: ntendon x f64,
            /// Inverse weight at qpos0.
            tendon_invweight0: ntendon x f64,
            /// User data.
            tendon_user: ntendon x f64 [nuser_tendon],
            /// Colour and opacity.
            tendon_rgba: ntendon x [f32; 4],
            // ── actuator ──
            /// Trntype.
            actuator_trntype: nu x i32,
            /// Dyntype.
            actuator_dyntype: nu x i32,
            /// Gaintype.
            actuator_gaintype: nu x i32 = Gain,
            /// Biastype.
            actuator_biastype: nu x i32 = Bias,
            /// Trnid.
            actuator_trnid: nu x [i32; 2],
            /// First address.
            actuator_actadr: nu x i32,
            /// Count.
            actuator_actnum: nu x i32,
            /// Visibility group.
            actuator_group: nu x i32 = Value,
            /// History buffer: number of samples, interpolation.
            actuator_history: nu x [i32; 2],
            /// First address.
            actuator_historyadr: nu x i32,
            /// Delay in seconds.
            actuator_delay: nu x f64 = NotNegative,
            /// Ctrllimited.
            actuator_ctrllimited: nu x u8 = Value,
            /// Forcelimited.
            actuator_forcelimited: nu x u8 = Value,
            /// Actlimited.
            actuator_actlimited: nu x u8 = Value,
            /// Dynprm.
            actuator_dynprm: nu x [f64; 10],
            /// Gainprm.
            actuator_gainprm: nu x [f64; 10],
            /// Biasprm.
            actuator_biasprm: nu x [f64; 10],
            /// Actearly.
            actuator_actearly: nu x u8 = Value,
            /// Ctrlrange.
            actuator_ctrlrange: nu x [f64; 2] = Range,
            /// Forcerange.
            actuator_forcerange: nu x [f64; 2] = Range,
            /// Actrange.
            actuator_actrange: nu x [f64; 2] = Range,
            /// Gear.
            actuator_gear: nu x [f64; 6],
            /// Cranklength.
            actuator_cranklength: nu x f64,
            /// Acc0.
            actuator_acc0: nu x f64,
            /// Length at qpos0.
            actuator_length0: nu x f64,
            /// Lengthrange.
            actuator_lengthrange: nu x [f64; 2] = Range,
            /// User data.
            actuator_user: nu x f64 [nuser_actuator],
            /// Plugin instance; −1: none.
            actuator_plugin: nu x i32,
            // ── sensor ──
            /// Type.
            sensor_type: nsensor x i32,
            /// Datatype.
            sensor_datatype: nsensor x i32,
            /// Needstage.
            sensor_needstage: nsensor x i32,
            /// Object type.
            sensor_objtype: nsensor x i32,
            /// Object id.
            sensor_objid: nsensor x i32,
            /// Reftype.
            sensor_reftype: nsensor x i32,
            /// Refid.
            sensor_refid: nsensor x i32,
            /// Intprm.
            sensor_intprm: nsensor x [i32; 3],
            /// Dim.
            sensor_dim: nsensor x i32,
            /// First address.
            sensor_adr: nsensor x i32,
            /// Cutoff.
            sensor_cutoff: nsensor x f64 = NotNegative,
            /// Noise.
            sensor_noise: nsensor x f64,
            /// History buffer: number of samples, interpolation.
            sensor_history: nsensor x [i32; 2],
            /// First address.
            sensor_historyadr: nsensor x i32,
            /// Delay in seconds.
            sensor_delay: nsensor x f64 = NotNegative,
            /// Interval.
            sensor_interval: nsensor x [f64; 2],
            /// User data.
            sensor_user: nsensor x f64 [nuser_sensor],
            /// Plugin instance; −1: none.
            sensor_plugin: nsensor x i32,
            // ── configuration ──
            /// Qpos0.
            qpos0: nq x f64,
            /// Spring.
            qpos_spring: nq x f64,
            // ── bounding volumes ──
            /// Depth in the tree.
            bvh_depth: nbvh x i32 = Asset,
            /// Children; −1: none.
            bvh_child: nbvh x [i32; 2] = Asset,
            /// Nodeid.
            bvh_nodeid: nbvh x i32 = Asset,
            /// Bounding box: centre, half sizes.
            bvh_aabb: nbvhstatic x [f64; 6],
            /// Depth in the tree.
            oct_depth: noct x i32 = Asset,
            /// Children; −1: none.
            oct_child: noct x [i32; 8] = Asset,
            /// Bounding box: centre, half sizes.
            oct_aabb: noct x [f64; 6],
            /// Coeff.
            oct_coeff: noct x [f64; 8],
            // ── wrap ──
            /// Type.
            wrap_type: nwrap x i32,
            /// Object id.
            wrap_objid: nwrap x i32,
            /// Prm.
            wrap_prm: nwrap x f64,
            // ── plugin ──
            /// Plugin.
            plugin: nplugin x i32,
            /// First address.
            plugin_stateadr: nplugin x i32,
            /// Count.
            plugin_statenum: nplugin x i32,
            /// Attr.
            plugin_attr: npluginattr x u8,
            /// First address.
            plugin_attradr: nplugin x i32,
            // ── numeric ──
            /// First address.
            numeric_adr: nnumeric x i32,
            /// Sizes, meaning depends on the type.
            numeric_size: nnumeric x i32,
            /// Data.
            numeric_data: nnumericdata x f64,
            // ── text ──
            /// First address.
            text_adr: ntext x i32,
            /// Sizes, meaning depends on the type.
            text_size: ntext x i32,
            /// Data.
            text_data: ntextdata x u8,
            // ── tuple ──
            /// First address.
            tuple_adr: ntuple x i32,
            /// Sizes, meaning depends on the type.
            tuple_size: ntuple x i32,
            /// Object type.
            tuple_objtype: ntupledata x i32,
            /// Object id.
            tuple_objid: ntupledata x i32,
            /// Objprm.
            tuple_objprm: ntupledata x f64,
            // ── key ──
            /// Time.
            key_time: nkey x f64,
            /// Qpos.
            key_qpos: nkey x f64 [nq],
            /// Qvel.
            key_qvel: nkey x f64 [nv],
            /// Act.
            key_act: nkey x f64 [na],
            /// Mpos.
            key_mpos: nkey x f64 [nmocap * 3],
            /// Mquat.
            key_mquat: nkey x f64 [nmocap * 4] = Unit,
            /// Ctrl.
            key_ctrl: nkey x f64 [nu],
            // ── names ──
            /// First address.
            name_bodyadr: nbody x i32 = Asset,
            /// First address.
            name_jntadr: njnt x i32 = Asset,
            /// First address.
            name_geomadr: ngeom x i32 = Asset,
            /// First address.
            name_siteadr: nsite x i32 = Asset,
            /// First address.
            name_camadr: ncam x i32 = Asset,
            /// First address.
            name_lightadr: nlight x i32 = Asset,
            /// First address.
            name_flexadr: nflex x i32 = Asset,
            /// First address.
            name_meshadr: nmesh x i32 = Asset,
            /// First address.
            name_skinadr: nskin x i32 = Asset,
            /// First address.
            name_hfieldadr: nhfield x i32 = Asset,
            /// First address.
            name_texadr: ntex x i32 = Asset,
            /// First address.
            name_matadr: nmat x i32 = Asset,
            /// First address.
            name_pairadr: npair x i32 = Asset,
            /// First address.
            name_excludeadr: nexclude x i32 = Asset,
            /// First address.
            name_eqadr: neq x i32 = Asset,
            /// First address.
            name_tendonadr: ntendon x i32 = Asset,
            /// First address.
            name_actuatoradr: nu x i32 = Asset,
            /// First address.
            name_sensoradr: nsensor x i32 = Asset,
            /// First address.
            name_numericadr: nnumeric x i32 = Asset,
            /// First address.
            name_textadr: ntext x i32 = Asset,
            /// First address.
            name_tupleadr: ntuple x i32 = Asset,
            /// First address.
            name_keyadr: nkey x i32 = Asset,
            /// First address.
            name_pluginadr: nplugin x i32 = Asset,
            /// Names.
            names: nnames x u8 = Asset,
            /// Map.
            names_map: nnames_map x i32 = Asset,
            /// Paths.
            paths: npaths x u8,
            // ── sparsity ──
            /// Number of stored entries of each row.
            B_rownnz: nbody x i32,
            /// First address.
            B_rowadr: nbody x i32,
            /// Column of each entry.
            B_colind: nB x i32,
            /// Number of stored entries of each row.
            M_rownnz: nv x i32,
            /// First address.
            M_rowadr: nv x i32,
            /// Column of each entry.
            M_colind: nC x i32,
            /// MapM2M.
            mapM2M: nC x i32,
            /// Number of stored entries of each row.
            D_rownnz: nv x i32,
            /// First address.
            D_rowadr: nv x i32,
            /// Diag.
            D_diag: nv x i32,
            /// Column of each entry.
            D_colind: nD x i32,
            /// MapM2D.
            mapM2D: nD x i32,
            /// MapD2M.
            mapD2M: nC x i32,
        }
        other {
            /// Largest number of equality constraint rows.
            nemax: i64,
            /// Requested number of constraint rows; −1: automatic. Caps nothing.
            njmax: i64,
            /// Requested number of contacts; −1: automatic. Caps nothing.
            nconmax: i64,
            /// Bytes the reference would reserve for per-step arrays.
            narena: i64,
            /// Fingerprint of the structure, see [`ModelArrays::structure_signature`]; set by the compiler.
            signature: u64,
        }
    }
}
