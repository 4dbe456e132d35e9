//! Ids that know what they are ids of.
//!
//! A [`JointId`] cannot be taken for an [`ActuatorId`]. Ids are found once, by name, and used in every step;
//! whoever reads or writes by name now and then gives the name in the id's place ([`Find`]).

use crate::access::AccessError;
use sinew_mjcf::nearest;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// An id of one kind of object.
///
/// ```
/// use sinew::prelude::*;
/// let model = Model::built_in("cartpole")?;
/// let pivot = model.joint("pivot")?;
/// assert_eq!(model.jnt_type.len(), model.all_joints().count());
/// assert_eq!(JointId::at(pivot.index()), pivot);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Id: Copy {
    /// The kind.
    const KIND: ObjectType;
    /// What people call it.
    const WHAT: &'static str;

    /// The id of the object with this place among its kind.
    fn at(index: usize) -> Self;

    /// The place among its kind, which is the row in the model's arrays.
    fn index(self) -> usize;
}

/// One object of a kind: its id, or its name.
///
/// ```
/// use sinew::prelude::*;
/// let model = Model::built_in("cartpole")?;
/// let pivot: JointId = model.joint("pivot")?;
/// let sim = Simulation::new(model);
/// assert_eq!(sim.qpos(pivot)?, sim.qpos("pivot")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Find<I: Id> {
    /// The id in a model; an error if there is no such object.
    fn id_in(self, model: &Model) -> Result<I, AccessError>;
}

impl<I: Id> Find<I> for I {
    #[inline]
    fn id_in(self, model: &Model) -> Result<I, AccessError> {
        let (index, count) = (self.index(), count::<I>(model));
        if index < count {
            return Ok(self);
        }
        Err(AccessError::Foreign {
            what: I::WHAT,
            index,
            count,
        })
    }
}

impl<I: Id> Find<I> for &str {
    fn id_in(self, model: &Model) -> Result<I, AccessError> {
        let found = model.id(I::KIND, self).map(I::at);
        found.ok_or_else(|| unknown::<I>(model, self))
    }
}

impl<I: Id> Find<I> for &String {
    fn id_in(self, model: &Model) -> Result<I, AccessError> {
        self.as_str().id_in(model)
    }
}

/// How many objects of a kind a model has.
fn count<I: Id>(model: &Model) -> usize {
    model.name_addresses(I::KIND).len()
}

fn unknown<I: Id>(model: &Model, name: &str) -> AccessError {
    let names = || (0..count::<I>(model)).filter_map(|id| model.name(I::KIND, id));
    AccessError::Unknown {
        what: I::WHAT,
        name: name.to_string(),
        nearest: nearest(name, names()).map(str::to_string),
        some: names().take(5).map(str::to_string).collect(),
    }
}

macro_rules! ids {
    ($( $id:ident, $kind:ident, $method:ident, $all:ident, $what:literal; )*) => {
        $(
            #[doc = concat!("A ", $what, " of a model.")]
            #[doc = ""]
            #[doc = "```"]
            #[doc = "use sinew::prelude::*;"]
            #[doc = "let model = Model::built_in(\"sensor_zoo\")?;"]
            #[doc = concat!("for id in model.", stringify!($all), "() {")]
            #[doc = "    println!(\"{} {:?}\", id.index(), model.name_of(id));"]
            #[doc = "}"]
            #[doc = "# Ok::<(), Box<dyn std::error::Error>>(())"]
            #[doc = "```"]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $id(u32);

            impl Id for $id {
                const KIND: ObjectType = ObjectType::$kind;
                const WHAT: &'static str = $what;

                #[inline]
                fn at(index: usize) -> Self {
                    // A model has fewer: its own arrays count in 32 bits.
                    $id(u32::try_from(index).unwrap_or(u32::MAX))
                }

                #[inline]
                fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*

        /// Objects of a model by name.
        ///
        /// ```
        /// use sinew::prelude::*;
        /// let model = Model::built_in("quadruped")?;
        /// let trunk = model.body("trunk")?;
        /// assert_eq!(model.name_of(trunk), Some("trunk"));
        /// assert_eq!(model.all_joints().count(), model.njnt);
        /// let error = model.body("trnuk").unwrap_err().to_string();
        /// assert_eq!(error, "no body is named \"trnuk\": did you mean \"trunk\"?");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub trait Names {
            /// The name of an object, if it has one.
            fn name_of<I: Id>(&self, id: I) -> Option<&str>;

            $(
                #[doc = concat!("The ", $what, " of a name; if there is none, the error names the nearest.")]
                fn $method(&self, name: &str) -> Result<$id, AccessError>;

                #[doc = concat!("Every ", $what, ", with or without a name.")]
                fn $all(&self) -> impl Iterator<Item = $id> + use<Self>;
            )*
        }

        impl Names for Model {
            fn name_of<I: Id>(&self, id: I) -> Option<&str> {
                self.name(I::KIND, id.index())
            }

            $(
                fn $method(&self, name: &str) -> Result<$id, AccessError> {
                    name.id_in(self)
                }

                fn $all(&self) -> impl Iterator<Item = $id> + use<> {
                    (0..count::<$id>(self)).map($id::at)
                }
            )*
        }
    };
}

ids! {
    BodyId, Body, body, all_bodies, "body";
    JointId, Joint, joint, all_joints, "joint";
    GeomId, Geom, geom, all_geoms, "geom";
    SiteId, Site, site, all_sites, "site";
    CameraId, Camera, camera, all_cameras, "camera";
    FlexId, Flex, flex, all_flexes, "flex";
    EqualityId, Equality, equality, all_equalities, "equality";
    TendonId, Tendon, tendon, all_tendons, "tendon";
    ActuatorId, Actuator, actuator, all_actuators, "actuator";
    SensorId, Sensor, sensor, all_sensors, "sensor";
    KeyId, Key, keyframe, all_keyframes, "keyframe";
}
