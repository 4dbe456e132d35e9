//! The numbers of the model that lanes read: everybody's, or those of the world in each lane.

use super::InRegisters;
use super::plan::{Pair, Plan, Reason};
use crate::values::Values;
use bytemuck::Pod;
use sinew_dynamics::row::Source;
use sinew_dynamics::row::contact::Numbers as ContactNumbers;
use sinew_engine::position::contact::candidates::{Feel, enough_friction, mixed};
use sinew_engine::velocity::passive::fluid;
use sinew_math::{Lift, Mask, Real, Vec3};
use sinew_model::Model;
use sinew_model::view::{
    Attached, AttachedValues, AttachedValuesInLanes, Constrained, ConstrainedValues,
    ConstrainedValuesInLanes, DriveValues, DriveValuesInLanes, GeomValues, GeomValuesInLanes,
    TendonValues, TendonValuesInLanes, Tree, TreeValues, TreeValuesInLanes,
};

/// Where lanes read numbers of the model. Its structure is everybody's.
pub(super) trait Numbers<'a, P: Real + Pod>: Copy {
    /// What a number is stored as.
    type Value<T: Real + Pod>: Lift<T> + OfLane + 'a;

    /// Whether all lanes have the same ones.
    const ARE_SHARED: bool;

    /// The structure, and the numbers that no world has of its own.
    fn model(self) -> &'a Model;

    fn tree<T: Real + Pod>(self) -> TreeValues<'a, Self::Value<T>>;

    fn attached<T: Real + Pod>(self) -> AttachedValues<'a, Self::Value<T>>;

    fn constrained<T: Real + Pod>(self) -> ConstrainedValues<'a, Self::Value<T>>;

    fn drives<T: Real + Pod>(self) -> DriveValues<'a, Self::Value<T>>;

    fn geoms<T: Real + Pod>(self) -> GeomValues<'a, Self::Value<T>>;

    fn tendons<T: Real + Pod>(self) -> TendonValues<'a, Self::Value<T>>;

    /// What the rows of a contact follow from.
    fn contact<T: Real + Pod>(self, pair: &Pair, dist: T) -> ContactNumbers<T>;

    /// Where a degree of freedom is damped.
    fn is_damped<T: Real + Pod>(self, plan: &Plan) -> T::Mask;

    /// What rows other than contacts' are made of.
    #[inline(always)]
    fn rows<T: Real + Pod>(self) -> Source<'a, Self::Value<T>> {
        let model = self.model();
        Source {
            tree: Tree::from(model),
            attached: Attached::from(model),
            constrained: Constrained::from(model),
            values: self.constrained::<T>(),
            qpos0: self.tree::<T>().qpos0,
            site_quat: self.attached::<T>().site_quat,
        }
    }
}

impl<'a, P: Real + Pod> Numbers<'a, P> for &'a Model {
    type Value<T: Real + Pod> = f64;

    const ARE_SHARED: bool = true;

    #[inline(always)]
    fn model(self) -> &'a Model {
        self
    }

    #[inline(always)]
    fn tree<T: Real + Pod>(self) -> TreeValues<'a> {
        TreeValues::from(self)
    }

    #[inline(always)]
    fn attached<T: Real + Pod>(self) -> AttachedValues<'a> {
        AttachedValues::from(self)
    }

    #[inline(always)]
    fn constrained<T: Real + Pod>(self) -> ConstrainedValues<'a> {
        ConstrainedValues::from(self)
    }

    #[inline(always)]
    fn drives<T: Real + Pod>(self) -> DriveValues<'a> {
        DriveValues::from(self)
    }

    #[inline(always)]
    fn geoms<T: Real + Pod>(self) -> GeomValues<'a> {
        GeomValues::from(self)
    }

    #[inline(always)]
    fn tendons<T: Real + Pod>(self) -> TendonValues<'a> {
        TendonValues::from(self)
    }

    #[inline(always)]
    fn contact<T: Real + Pod>(self, pair: &Pair, dist: T) -> ContactNumbers<T> {
        listed(pair, dist)
    }

    #[inline(always)]
    fn is_damped<T: Real + Pod>(self, plan: &Plan) -> T::Mask {
        match plan.has_damping {
            true => T::Mask::ALL,
            false => T::Mask::NONE,
        }
    }
}

/// A stored number as that of the world in a lane.
pub(super) trait OfLane: Copy {
    fn of_lane(self, lane: usize) -> f64;
}

impl<T: Real> OfLane for T {
    /// A single number is everybody's.
    #[inline(always)]
    fn of_lane(self, lane: usize) -> f64 {
        self.lane(if T::LANES == 1 { 0 } else { lane })
    }
}

/// The numbers of a contact that the plan knows.
#[inline(always)]
fn listed<T: Real>(pair: &Pair, dist: T) -> ContactNumbers<T> {
    let parameters = &pair.candidate.parameters;
    ContactNumbers {
        dist,
        includemargin: T::from_f64(parameters.includemargin),
        friction: parameters.friction.lift(),
        solref: parameters.solref.lift(),
        solreffriction: parameters.solreffriction.lift(),
        solimp: parameters.solimp.lift(),
        weight: T::from_f64(pair.weight),
    }
}

/// The model with the numbers that the world in each lane has.
pub(super) struct Own<'a, P> {
    model: &'a Model,
    numbers: &'a OwnNumbers<P>,
}

impl<P> Clone for Own<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Own<'_, P> {}

impl<'a, P: Real + Pod> Numbers<'a, P> for Own<'a, P> {
    type Value<T: Real + Pod> = T;

    const ARE_SHARED: bool = false;

    #[inline(always)]
    fn model(self) -> &'a Model {
        self.model
    }

    #[inline(always)]
    fn tree<T: Real + Pod>(self) -> TreeValues<'a, T> {
        self.numbers.tree.cast()
    }

    #[inline(always)]
    fn attached<T: Real + Pod>(self) -> AttachedValues<'a, T> {
        self.numbers.attached.cast()
    }

    #[inline(always)]
    fn constrained<T: Real + Pod>(self) -> ConstrainedValues<'a, T> {
        self.numbers.constrained.cast()
    }

    #[inline(always)]
    fn drives<T: Real + Pod>(self) -> DriveValues<'a, T> {
        self.numbers.drives.cast()
    }

    #[inline(always)]
    fn geoms<T: Real + Pod>(self) -> GeomValues<'a, T> {
        self.numbers.geoms.cast()
    }

    #[inline(always)]
    fn tendons<T: Real + Pod>(self) -> TendonValues<'a, T> {
        self.numbers.tendons.cast()
    }

    #[inline(always)]
    fn contact<T: Real + Pod>(self, pair: &Pair, dist: T) -> ContactNumbers<T> {
        let mut numbers = listed(pair, dist);
        let candidate = &pair.candidate;
        if self.numbers.has_surfaces && !candidate.is_explicit {
            let geoms = self.geoms::<T>();
            let [first, second] = candidate.geoms.map(|geom| Feel {
                priority: self.model.geom_priority[geom],
                solmix: geoms.geom_solmix[geom],
                solref: geoms.geom_solref[geom],
                solimp: geoms.geom_solimp[geom],
                friction: geoms.geom_friction[geom],
            });
            let together = mixed(&first, &second);
            let [sliding, spinning, rolling] = together.friction.map(enough_friction);
            numbers.friction = [sliding, sliding, spinning, rolling, rolling];
            (numbers.solref, numbers.solimp) = (together.solref, together.solimp);
        }
        let weights = self.constrained::<T>().body_invweight0;
        let [first, second] = candidate.bodies.map(|body| weights[body][0]);
        numbers.weight = first + second;
        numbers
    }

    #[inline(always)]
    fn is_damped<T: Real + Pod>(self, plan: &Plan) -> T::Mask {
        let mut is_damped = T::Mask::NONE;
        if plan.is_damping_implicit {
            for &damping in self.tree::<T>().dof_damping {
                is_damped = is_damped | damping.greater(T::ZERO);
            }
        }
        is_damped
    }
}

/// The numbers of the worlds in all lanes.
#[derive(Clone, Debug)]
pub(super) struct OwnNumbers<P> {
    tree: TreeValuesInLanes<P>,
    attached: AttachedValuesInLanes<P>,
    constrained: ConstrainedValuesInLanes<P>,
    drives: DriveValuesInLanes<P>,
    geoms: GeomValuesInLanes<P>,
    tendons: TendonValuesInLanes<P>,
    /// Whether worlds differ in how geoms feel to each other.
    has_surfaces: bool,
    /// Where each array that worlds have of their own goes, in the order of [`Values`].
    places: Vec<Place<P>>,
}

/// Where the numbers of a world go.
#[derive(Clone, Copy, Debug)]
enum Place<P> {
    Tree(fn(&mut TreeValuesInLanes<P>) -> &mut [P]),
    /// Numbers below zero make no sense.
    Masses(fn(&mut TreeValuesInLanes<P>) -> &mut [P]),
    Attached(fn(&mut AttachedValuesInLanes<P>) -> &mut [P]),
    Constrained(fn(&mut ConstrainedValuesInLanes<P>) -> &mut [P]),
    Drives(fn(&mut DriveValuesInLanes<P>) -> &mut [P]),
    Geoms(fn(&mut GeomValuesInLanes<P>) -> &mut [P]),
    Tendons(fn(&mut TendonValuesInLanes<P>) -> &mut [P]),
    /// For the whole world.
    Gravity,
    /// The scale of the solver, for the whole world.
    Inertia,
    /// For the whole world.
    Timestep,
    /// A step does not read it.
    Nowhere,
}

/// Arrays that a step does not read; sensors may, which have the model of their world.
const UNREAD: [&str; 16] = [
    "dof_length",
    "tendon_length0",
    "actuator_length0",
    "actuator_acc0",
    "cam_pos",
    "cam_quat",
    "cam_poscom0",
    "cam_pos0",
    "cam_mat0",
    "light_poscom0",
    "light_pos0",
    "light_dir0",
    "stat.meanmass",
    "stat.meansize",
    "stat.extent",
    "stat.center",
];

/// Arrays of which pairs of geoms mix their contacts' parameters.
const SURFACES: [&str; 4] = ["geom_friction", "geom_solref", "geom_solimp", "geom_solmix"];

impl<P: Real + Pod> OwnNumbers<P> {
    /// Room for the numbers that worlds have of their own; or which of them lanes share.
    pub fn new(model: &Model, values: &Values) -> Result<Self, Reason> {
        check(model)?;
        let places: Result<Vec<_>, Reason> = values.names().map(place).collect();
        Ok(OwnNumbers {
            tree: TreeValuesInLanes::gather(model, &[]),
            attached: AttachedValuesInLanes::gather(model, &[]),
            constrained: ConstrainedValuesInLanes::gather(model, &[]),
            drives: DriveValuesInLanes::gather(model, &[]),
            geoms: GeomValuesInLanes::gather(model, &[]),
            tendons: TendonValuesInLanes::gather(model, &[]),
            has_surfaces: values.names().any(|name| SURFACES.contains(&name)),
            places: places?,
        })
    }
}

/// What a model may not have where worlds have numbers of their own.
fn check(model: &Model) -> Result<(), Reason> {
    if fluid::has_fluid(model) {
        return Err("values of their own in a fluid".into());
    }
    if model.ngravcomp > 0 {
        return Err("values of their own where weight is carried".into());
    }
    Ok(())
}

fn place<P: Real + Pod>(name: &str) -> Result<Place<P>, Reason> {
    let found = TreeValuesInLanes::column(name).map(match name {
        "body_mass" | "body_inertia" => Place::Masses,
        _ => Place::Tree,
    });
    let found = found.or(AttachedValuesInLanes::column(name).map(Place::Attached));
    let found = found.or(ConstrainedValuesInLanes::column(name).map(Place::Constrained));
    let found = found.or(DriveValuesInLanes::column(name).map(Place::Drives));
    let found = found.or(GeomValuesInLanes::column(name).map(Place::Geoms));
    let found = found.or(TendonValuesInLanes::column(name).map(Place::Tendons));
    match name {
        "opt.gravity" => Ok(Place::Gravity),
        "opt.timestep" => Ok(Place::Timestep),
        "stat.meaninertia" => Ok(Place::Inertia),
        _ if UNREAD.contains(&name) => Ok(Place::Nowhere),
        _ => found.ok_or_else(|| format!("values of their own in {name}").into()),
    }
}

/// The numbers that a group reads, whether shared or not.
pub(super) trait Supply<P: InRegisters> {
    type Numbers<'a>: Numbers<'a, P>
    where
        Self: 'a;

    /// The numbers of all lanes.
    fn of<'a>(&'a self, model: &'a Model) -> Self::Numbers<'a>;

    /// Puts those of a world into its lane, those of the whole world into what is given. False if some make no sense.
    fn load(&mut self, values: &Values, world: usize, lane: usize, common: &mut Common<P>) -> bool;
}

/// Numbers of the whole world.
#[derive(Clone, Debug)]
pub(super) struct Common<P> {
    /// What everything is accelerated by that holds still.
    pub against_gravity: Vec3<P>,
    /// By which the solver scales costs and gradients.
    pub scale: P,
    pub timestep: P,
    /// The same, as exact as times are.
    pub timesteps: Vec<f64>,
}

impl<P: Real> Common<P> {
    pub fn new(model: &Model) -> Self {
        Common {
            against_gravity: (model.opt.gravity * -1.0).lift(),
            scale: P::from_f64(scale(model.nv, model.stat.meaninertia)),
            timestep: P::from_f64(model.opt.timestep),
            timesteps: vec![model.opt.timestep; P::LANES],
        }
    }
}

fn scale(dofs: usize, mean_inertia: f64) -> f64 {
    1.0 / (mean_inertia * dofs as f64)
}

/// Everybody's numbers.
#[derive(Clone, Debug)]
pub(super) struct Everybodys;

impl<P: InRegisters> Supply<P> for Everybodys {
    type Numbers<'a> = &'a Model;

    fn of<'a>(&'a self, model: &'a Model) -> &'a Model {
        model
    }

    fn load(&mut self, _: &Values, _: usize, _: usize, _: &mut Common<P>) -> bool {
        true
    }
}

impl<P: InRegisters> Supply<P> for OwnNumbers<P> {
    type Numbers<'a>
        = Own<'a, P>
    where
        P: 'a;

    fn of<'a>(&'a self, model: &'a Model) -> Own<'a, P> {
        let numbers = self;
        Own { model, numbers }
    }

    fn load(&mut self, values: &Values, world: usize, lane: usize, common: &mut Common<P>) -> bool {
        let dofs = self.tree.dof_damping.len();
        let mut makes_sense = true;
        for (place, row) in self.places.iter().zip(values.rows(world)) {
            let cells = match place {
                Place::Tree(column) => column(&mut self.tree),
                Place::Masses(column) => {
                    makes_sense &= row.iter().all(|&x| x >= 0.0);
                    column(&mut self.tree)
                }
                Place::Attached(column) => column(&mut self.attached),
                Place::Constrained(column) => column(&mut self.constrained),
                Place::Drives(column) => column(&mut self.drives),
                Place::Geoms(column) => column(&mut self.geoms),
                Place::Tendons(column) => column(&mut self.tendons),
                Place::Gravity => {
                    for (cell, x) in common.against_gravity.0.iter_mut().zip(row) {
                        cell.set_lane(lane, x * -1.0);
                    }
                    continue;
                }
                Place::Inertia => {
                    common.scale.set_lane(lane, scale(dofs, row[0]));
                    continue;
                }
                Place::Timestep => {
                    makes_sense &= row[0] > 0.0 && row[0].is_finite();
                    common.timestep.set_lane(lane, row[0]);
                    common.timesteps[lane] = row[0];
                    continue;
                }
                Place::Nowhere => continue,
            };
            P::put(cells, lane, row);
        }
        makes_sense
    }
}
