//! What sensors read, by a team, before the state moves: a thread has a sensor.
//!
//! ```text
//! body      forces between bodies, momenta of subtrees
//! energy    energies
//! ray       rays from sites
//! touch     contacts
//! ```

pub(crate) mod body;
pub(crate) mod energy;
pub(crate) mod ray;
mod touch;

use crate::Number;
use crate::block::{Problem, State, Words};
use crate::local::{Local, com_of, kinematics_of};
use crate::rows::{limit_row, row_velocity};
use crate::scene::{SENSOR_WORDS, Scene};
use crate::team::Team;
use sinew_dynamics::actuation::{self, clip};
use sinew_dynamics::bias;
use sinew_dynamics::joint::quat_at;
use sinew_dynamics::sense::Frame;
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{
    Spatial, into_axes, rotation, shift_force, shift_motion, spatial, translation,
};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::kinds::{DataType, ObjectType, SensorType, TransmissionType};
pub(crate) use touch::{Kept, Seen};

/// Whether kernels read sensors of a type.
pub fn reads(kind: SensorType) -> bool {
    let is_gauged = reads_distance(kind) || kind == SensorType::Tactile;
    reads_plain(kind) || reads_more(kind) || is_gauged
}

/// Whether sensors of a type read distances between geoms, which threads of their own do ([`crate::gauge`]).
pub fn reads_distance(kind: SensorType) -> bool {
    matches!(
        kind,
        SensorType::Geomdist | SensorType::Geomnormal | SensorType::Geomfromto
    )
}

/// Whether the plain kernel reads sensors of a type. Those of actuators are read where they act on a hinge or a slide, those of frames
/// where they are not cameras.
fn reads_plain(kind: SensorType) -> bool {
    matches!(
        kind,
        SensorType::Magnetometer
            | SensorType::Jointpos
            | SensorType::Jointvel
            | SensorType::Ballquat
            | SensorType::Ballangvel
            | SensorType::Actuatorpos
            | SensorType::Actuatorvel
            | SensorType::Actuatorfrc
            | SensorType::Jointactfrc
            | SensorType::Framepos
            | SensorType::Framexaxis
            | SensorType::Frameyaxis
            | SensorType::Framezaxis
            | SensorType::Framequat
            | SensorType::Framelinvel
            | SensorType::Frameangvel
            | SensorType::Subtreecom
            | SensorType::Clock
            | SensorType::Velocimeter
            | SensorType::Gyro
    ) || reads_acceleration(kind) && !reads_forces(kind)
}

/// Whether only the kernel for all sensors reads those of a type.
pub fn reads_more(kind: SensorType) -> bool {
    matches!(
        kind,
        SensorType::Tendonpos
            | SensorType::Tendonvel
            | SensorType::Tendonactfrc
            | SensorType::Jointlimitpos
            | SensorType::Jointlimitvel
            | SensorType::Tendonlimitpos
            | SensorType::Tendonlimitvel
            | SensorType::Insidesite
            | SensorType::EPotential
            | SensorType::EKinetic
            | SensorType::Rangefinder
    ) || reads_momentum(kind)
        || reads_rows(kind)
}

/// Whether sensors of a type read momenta of subtrees.
pub fn reads_momentum(kind: SensorType) -> bool {
    matches!(kind, SensorType::Subtreelinvel | SensorType::Subtreeangmom)
}

/// Whether sensors of a type read forces between bodies.
pub fn reads_forces(kind: SensorType) -> bool {
    matches!(kind, SensorType::Force | SensorType::Torque)
}

/// Whether sensors of a type read contacts.
pub fn reads_touches(kind: SensorType) -> bool {
    matches!(kind, SensorType::Touch | SensorType::Contact) || reads_forces(kind)
}

/// Whether sensors of a type read forces of rows.
pub fn reads_rows(kind: SensorType) -> bool {
    matches!(kind, SensorType::Jointlimitfrc | SensorType::Tendonlimitfrc) || reads_touches(kind)
}

/// Whether sensors of a type read accelerations of bodies.
pub fn reads_acceleration(kind: SensorType) -> bool {
    matches!(
        kind,
        SensorType::Accelerometer | SensorType::Framelinacc | SensorType::Frameangacc
    ) || reads_forces(kind)
}

/// Reads all sensors of a world, of types that the plain kernel does not know where more are asked for.
#[inline(always)]
pub fn sense<T: Number, const MORE: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    time: f64,
    out: &mut Problem<'_, T>,
    words: &Words<'_, i32>,
    memory: &mut Series<T>,
    quick: &mut Series<T>,
) {
    let head = &scene.head;
    let at = &mut Local::cut(head, memory, quick);
    if head.senses_acceleration != 0 {
        team.each(head.nv, |i| at.solved[i] = out.qacc[i]);
        let world = spatial(Vec3::zero(), Vec3(scene.constants.upward));
        let (qvel, qacc) = (&*at.qvel, &*at.solved);
        let axes = (&*at.com.cdof, &*at.velocity.cdof_dot);
        let accelerations = &mut *at.body_acceleration;
        team.each(1, |_| {
            bias::accelerations(&scene.tree, (qvel, qacc), axes, world, accelerations);
        });
    }
    let kept = Kept::new(scene, &*out.touches, &*out.force, words);
    if MORE && head.senses_forces != 0 {
        team.each(1, |_| body::forces(scene, state, &kept, words, at));
    }
    if MORE && head.senses_momentum != 0 {
        team.each(1, |_| body::momenta(scene, at));
    }
    let sensing = &Sensing {
        scene,
        time,
        at,
        kept,
        rows: (&*out.J, words),
    };
    let (force, numbers) = (&*out.actuator_force, &mut *out.sensordata);
    team.each(head.sensors, |i| sensing.read::<MORE>(i, force, numbers));
}

/// Where sensors look.
struct Sensing<'a, 'b, T> {
    scene: &'a Scene<'a, T>,
    time: f64,
    at: &'a Local<'b, T>,
    kept: Kept<'a, T>,
    /// Rows of the Jacobian, and what is known of them.
    rows: (&'a [T], &'a Words<'a, i32>),
}

impl<T: Number> Sensing<'_, '_, T> {
    /// The frame of a body (inertial or regular), geom or site.
    #[inline(always)]
    fn frame(&self, kind: i32, id: usize) -> Frame<T> {
        let (k, attached) = (&kinematics_of(&self.at.kinematics), &self.scene.attached);
        let (body, pos, mat) = match ObjectType::from_code(kind) {
            Some(ObjectType::Xbody) => (id, *k.xpos.at(id), *k.xmat.at(id)),
            Some(ObjectType::Body) => (id, *k.xipos.at(id), *k.ximat.at(id)),
            Some(ObjectType::Geom) => (
                attached.geom_bodyid[id] as usize,
                *k.geom_xpos.at(id),
                *k.geom_xmat.at(id),
            ),
            Some(ObjectType::Site) => (
                attached.site_bodyid[id] as usize,
                *k.site_xpos.at(id),
                *k.site_xmat.at(id),
            ),
            _ => (0, Vec3::zero(), Mat3::identity()),
        };
        Frame { body, pos, mat }
    }

    /// The orientation of an object.
    #[inline(always)]
    fn quat(&self, kind: i32, id: usize) -> Quat<T> {
        let scene = self.scene;
        let (attached, places) = (&scene.attached, &scene.attached_values);
        let xquat = |body: usize| -> Quat<T> { *self.at.kinematics.xquat.at(body) };
        match ObjectType::from_code(kind) {
            Some(ObjectType::Xbody) => xquat(id),
            Some(ObjectType::Body) => xquat(id) * scene.values.body_iquat[id],
            Some(ObjectType::Geom) => {
                xquat(attached.geom_bodyid[id] as usize) * places.geom_quat[id]
            }
            Some(ObjectType::Site) => {
                xquat(attached.site_bodyid[id] as usize) * places.site_quat[id]
            }
            _ => Quat::identity(),
        }
    }

    /// Centre of mass of the tree of a body.
    #[inline(always)]
    fn origin(&self, body: usize) -> Vec3<T> {
        let root = self.scene.tree.body_rootid[body] as usize;
        *com_of(&self.at.com).subtree_com.at(root)
    }

    /// Velocity of a frame, world axes.
    #[inline(always)]
    fn velocity(&self, frame: &Frame<T>) -> Spatial<T> {
        if self.scene.tree.body_weldid[frame.body] == 0 {
            return [T::ZERO; 6];
        }
        let velocity = *self.at.velocity.cvel.at(frame.body);
        shift_motion(&velocity, frame.pos, self.origin(frame.body))
    }

    /// Acceleration of a frame, in the world or in its own axes.
    #[inline(always)]
    fn acceleration(&self, frame: &Frame<T>, is_local: bool) -> Spatial<T> {
        if self.scene.tree.body_weldid[frame.body] == 0 {
            return [T::ZERO; 6];
        }
        let acceleration = *self.at.body_acceleration.at(frame.body);
        let velocity = *self.at.velocity.cvel.at(frame.body);
        let origin = self.origin(frame.body);
        frame.acceleration((&acceleration, &velocity), origin, is_local)
    }

    /// Force and torque between a site's body and its parent, at the site and in its axes.
    #[inline(always)]
    fn force(&self, frame: &Frame<T>) -> Spatial<T> {
        let force = *self.at.body_force.at(frame.body);
        let shifted = shift_force(&force, frame.pos, self.origin(frame.body));
        into_axes(&shifted, &frame.mat)
    }

    /// Which of the tendons that do something one is.
    #[inline(always)]
    fn cord(&self, tendon: usize) -> Option<usize> {
        usize::try_from(self.scene.tables.tendon_cords[tendon]).ok()
    }

    /// Distance, speed or force at the limit of a joint or tendon.
    #[inline(always)]
    fn limit(&self, kind: SensorType, id: usize) -> T {
        let (scene, at, (J, words)) = (self.scene, self.at, self.rows);
        let limited = match kind {
            SensorType::Jointlimitpos | SensorType::Jointlimitvel | SensorType::Jointlimitfrc => {
                Some((false, id))
            }
            _ => self.cord(id).map(|cord| (true, cord)),
        };
        let row = limited.and_then(|limited| limit_row(scene, at, words.counts, limited));
        let Some(row) = row else {
            return T::ZERO;
        };
        match kind {
            SensorType::Jointlimitpos | SensorType::Tendonlimitpos => row.pos,
            SensorType::Jointlimitvel | SensorType::Tendonlimitvel => {
                row_velocity(scene, row.row, (J, words.row_dofs), at.qvel)
            }
            _ => self.kept.force[row.row],
        }
    }

    /// What actuators do along a tendon.
    #[inline(always)]
    fn along_tendon(&self, tendon: usize, force: &[T]) -> T {
        let drives = &self.scene.drives;
        let mut sum = T::ZERO;
        for i in 0..self.scene.head.nu {
            let is_tendon = drives.actuator_trntype[i] == TransmissionType::Tendon.code();
            if is_tendon && drives.actuator_trnid[i][0] as usize == tendon {
                sum += force[i];
            }
        }
        sum
    }

    /// The numbers of a sensor: one to four of them.
    #[inline(always)]
    fn numbers<const MORE: bool>(
        &self,
        sensor: usize,
        words: &[i32; SENSOR_WORDS],
        force: &[T],
    ) -> [T; 4] {
        let (scene, at, zero) = (self.scene, self.at, T::ZERO);
        let (tree, id) = (&scene.tree, words[2] as usize);
        let (qpos, qvel) = (&*at.qpos, &*at.qvel);
        let one = |x: T| [x, zero, zero, zero];
        let three = |v: Vec3<T>| [v[0], v[1], v[2], zero];
        let object = || self.frame(words[1], id);
        let reference = || (words[4] >= 0).then(|| self.frame(words[3], words[4] as usize));
        let on_axis = || actuation::on_axis(tree, &scene.drives, &scene.drive_values, qpos, id);
        let axis = |index: usize| three(object().axis(index, reference().as_ref()));
        let relative = || {
            let frame = object();
            let velocity = self.velocity(&frame);
            match reference() {
                None => velocity,
                Some(other) => frame.relative_velocity(&velocity, &other, &self.velocity(&other)),
            }
        };
        let own = || {
            let frame = object();
            into_axes(&self.velocity(&frame), &frame.mat)
        };
        match SensorType::from_code(words[0]) {
            Some(SensorType::Magnetometer) => {
                let field = scene.tables.magnetic;
                let field = Vec3([field[0], field[1], field[2]]);
                three(object().mat.transpose_mul(field))
            }
            Some(SensorType::Jointpos) => one(qpos[tree.jnt_qposadr[id] as usize]),
            Some(SensorType::Jointvel) => one(qvel[tree.jnt_dofadr[id] as usize]),
            Some(SensorType::Ballquat) => {
                quat_at(qpos, tree.jnt_qposadr[id] as usize).normalized().0
            }
            Some(SensorType::Ballangvel) => {
                let dof = tree.jnt_dofadr[id] as usize;
                three(Vec3([qvel[dof], qvel[dof + 1], qvel[dof + 2]]))
            }
            Some(SensorType::Actuatorpos) => one(match on_axis() {
                Some((length, ..)) => length,
                None if MORE => at.general.length[id],
                None => zero,
            }),
            Some(SensorType::Actuatorvel) => one(match on_axis() {
                Some((_, dof, moment)) => zero + moment * qvel[dof],
                None if MORE => at.general.speed[id],
                None => zero,
            }),
            Some(SensorType::Actuatorfrc) => one(force[id]),
            Some(SensorType::Jointactfrc) => one(at.forces[4][tree.jnt_dofadr[id] as usize]),
            Some(SensorType::Framepos) => three(object().position(reference().as_ref())),
            Some(SensorType::Framexaxis) => axis(0),
            Some(SensorType::Frameyaxis) => axis(1),
            Some(SensorType::Framezaxis) => axis(2),
            Some(SensorType::Framequat) => {
                let quat = self.quat(words[1], id);
                match words[4] >= 0 {
                    true => (self.quat(words[3], words[4] as usize).conjugate() * quat).0,
                    false => quat.0,
                }
            }
            Some(SensorType::Subtreecom) => three(*com_of(&at.com).subtree_com.at(id)),
            Some(SensorType::Clock) => one(T::from_f64(self.time)),
            Some(SensorType::Velocimeter) => three(translation(&own())),
            Some(SensorType::Gyro) => three(rotation(&own())),
            Some(SensorType::Framelinvel) => three(translation(&relative())),
            Some(SensorType::Frameangvel) => three(rotation(&relative())),
            Some(SensorType::Accelerometer) => {
                three(translation(&self.acceleration(&object(), true)))
            }
            Some(SensorType::Framelinacc) => {
                three(translation(&self.acceleration(&object(), false)))
            }
            Some(SensorType::Frameangacc) => three(rotation(&self.acceleration(&object(), false))),
            Some(kind) if MORE => self.more(kind, sensor, words, force),
            // Others are not in the list.
            _ => [zero; 4],
        }
    }

    /// The numbers of a sensor of another type.
    #[inline(always)]
    fn more(
        &self,
        kind: SensorType,
        sensor: usize,
        words: &[i32; SENSOR_WORDS],
        force: &[T],
    ) -> [T; 4] {
        let (scene, at, zero) = (self.scene, self.at, T::ZERO);
        let id = words[2] as usize;
        let one = |x: T| [x, zero, zero, zero];
        let three = |v: Vec3<T>| [v[0], v[1], v[2], zero];
        let object = || self.frame(words[1], id);
        match kind {
            SensorType::Tendonpos => one(self
                .cord(id)
                .map_or(zero, |cord| at.general.cord_length[cord])),
            SensorType::Tendonvel => {
                let speed = |cord: usize| at.general.cord_speed(scene, cord, at.qvel);
                one(self.cord(id).map_or(zero, speed))
            }
            SensorType::Tendonactfrc => one(self.along_tendon(id, force)),
            SensorType::Jointlimitpos
            | SensorType::Jointlimitvel
            | SensorType::Jointlimitfrc
            | SensorType::Tendonlimitpos
            | SensorType::Tendonlimitvel
            | SensorType::Tendonlimitfrc => one(self.limit(kind, id)),
            SensorType::Insidesite => {
                let is_within = self.is_within(sensor, words, words[4] as usize, object().pos);
                one(if is_within { T::ONE } else { zero })
            }
            SensorType::EPotential => one(energy::potential(scene, at)),
            SensorType::EKinetic => one(energy::kinetic(scene, at)),
            SensorType::Subtreelinvel => three(*at.sensed.linear.at(id)),
            SensorType::Subtreeangmom => three(*at.sensed.angular.at(id)),
            SensorType::Force => three(translation(&self.force(&object()))),
            SensorType::Torque => three(rotation(&self.force(&object()))),
            SensorType::Touch => one(self.touch(sensor, words)),
            _ => [zero; 4],
        }
    }

    /// Reads a sensor, and cuts what it reads.
    #[inline(always)]
    fn read<const MORE: bool>(&self, sensor: usize, force: &[T], out: &mut [T]) {
        const REAL: i32 = DataType::Real.code();
        const POSITIVE: i32 = DataType::Positive.code();
        let tables = &self.scene.tables;
        let words = &tables.sensor_words.as_chunks::<SENSOR_WORDS>().0[sensor];
        let own = &mut out[words[5] as usize..(words[5] + words[6]) as usize];
        let cutoff = tables.sensor_cutoffs[sensor];
        let is_cut = cutoff > T::ZERO;
        let cut = |x: T| match words[7] {
            REAL if is_cut => clip(x, [-cutoff, cutoff]),
            POSITIVE if is_cut => T::select(x.less(cutoff), x, cutoff),
            _ => x,
        };
        match SensorType::from_code(words[0]) {
            // Never cut.
            Some(SensorType::Contact) if MORE => self.contacts(sensor, words, own),
            Some(SensorType::Rangefinder) if MORE => {
                self.range(words, own);
                for k in 0..own.len() {
                    own[k] = cut(own[k]);
                }
            }
            _ => {
                let numbers = self.numbers::<MORE>(sensor, words, force);
                for k in 0..4 {
                    if k < own.len() {
                        own[k] = cut(numbers[k]);
                    }
                }
            }
        }
    }
}
