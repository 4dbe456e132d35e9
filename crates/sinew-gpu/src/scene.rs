//! A model packed for the kernels.

use crate::derived::{Derived, derived};
use crate::device::DeviceError;
use crate::plan::{Cord, Pair, Plan, is_conjugate, is_off};
use crate::refusal::Refusal;
use crate::sensor::Sensors;
use crate::solid;
use sinew_dynamics::jacobian::dofs_of;
use sinew_dynamics::row::contact::Friction;
use sinew_engine::is_sparse;
use sinew_engine::position::contact::candidates::SHALLOW;
use sinew_kernels::block::{ProblemLayout, StateLayout, WordLayout};
use sinew_kernels::contact::{Finder, IS_FIXED, IS_SWEPT, LISTS_ALL};
use sinew_kernels::scene::{CONSTANTS, Head, MOST_DOFS, Packed, TableData, pack};
use sinew_kernels::sense::{reads_acceleration, reads_forces, reads_momentum, reads_rows};
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, forward};
use sinew_model::Model;
use sinew_model::kinds::{Cone, DisableFlag, EqualityType, GeomType, JointType, SensorType};
use sinew_model::view::Tree;
use std::borrow::Cow;

/// The finest tolerance of the solver in single precision, and the least slope, relative to that at the start, that a line
/// search looks for.
const LEAST_TOLERANCE: f64 = 1e-6;
const LEAST_SLOPE: f64 = 1e-5;

/// For how much a world has room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts, each with as many rows as the largest has.
    pub contacts: usize,
    /// Whether there are forces on bodies (`xfrc_applied`).
    pub wrenches: bool,
}

impl Default for Capacity {
    fn default() -> Self {
        Capacity {
            contacts: 16,
            wrenches: false,
        }
    }
}

/// What users want of worlds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub capacity: Capacity,
    /// Names of arrays besides the state.
    pub derived: Vec<String>,
}

impl Wanted {
    pub fn new(capacity: Capacity, derived: &[&str]) -> Self {
        Wanted {
            capacity,
            derived: derived.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// Whether places of geoms are asked for.
    fn derives_geoms(&self) -> bool {
        self.derived.iter().any(|name| name.starts_with("geom_"))
    }

    /// 1 if forces on bodies from outside are asked for.
    fn derives_forces(&self) -> usize {
        usize::from(self.derived.iter().any(|name| name == "cfrc_ext"))
    }
}

/// A packed model, and where a world has what.
#[derive(Clone, Debug)]
pub struct Scene<T> {
    /// Sizes and options.
    pub head: Head,
    /// Words and numbers.
    pub packed: Packed<T>,
    /// The state of a world.
    pub state: StateLayout,
    /// Its constraint problem.
    pub problem: ProblemLayout,
    /// Its words.
    pub words: WordLayout,
    /// The state of a world that begins.
    pub start: Vec<T>,
    /// Types of sensors that the model has and kernels do not read: their numbers stay zero.
    pub unread: Vec<SensorType>,
    /// How threads look at pairs that take long, one way after the other.
    pub(crate) finders: Vec<Finder>,
    /// Arrays besides the state that are asked for.
    pub derived: Vec<Derived>,
}

impl<T: Number> Scene<T> {
    /// Packs a model, or says why it cannot be.
    pub fn new(model: &Model, capacity: Capacity) -> Result<Self, Refusal> {
        Self::pack(model, &Wanted::new(capacity, &[]), |_| {
            Ok((Vec::new(), Vec::new()))
        })
    }

    /// Packs a model for what users want.
    pub(crate) fn wanted(model: &Model, wanted: &Wanted) -> Result<Self, DeviceError> {
        Self::pack(model, wanted, |head| derived(head, &wanted.derived))
    }

    fn pack<E: From<Refusal>>(
        model: &Model,
        wanted: &Wanted,
        ask: impl FnOnce(&Head) -> Result<(Vec<Derived>, Vec<i32>), E>,
    ) -> Result<Self, E> {
        let model = &*without_disabled(model);
        let (capacity, derives_forces) = (wanted.capacity, wanted.derives_forces());
        let sensors = Sensors::new(model);
        let plan = Plan::new(model, &sensors)?;
        let mut tables = tables(model, &plan);
        if sensors.gauged.need_solids() && tables.solid_words.is_empty() {
            solid::add(model, &mut tables);
        }
        tables.placed_geoms = placed_geoms(model, &plan, wanted.derives_geoms());
        sensors.add(model, &mut tables);
        let head = Head {
            nsensordata: model.nsensordata,
            sensors: sensors.read.len(),
            distances: sensors.gauged.distances.len(),
            rays: sensors.gauged.rays.len(),
            taxels: sensors.gauged.taxels(model),
            remembers_energy: usize::from(!sensors.gauged.energies.is_empty()),
            senses_more: usize::from(sensors.need_more(model)),
            senses_acceleration: sensors.any(reads_acceleration),
            senses_forces: sensors.any(reads_forces) | derives_forces,
            senses_momentum: sensors.any(reads_momentum),
            senses_rows: sensors.any(reads_rows) | derives_forces,
            derives_forces,
            ..head(model, &plan, capacity)
        };
        let head = Head {
            kept_touches: (sensors.read_touches() | derives_forces | head.adheres)
                * most_contacts(&plan, capacity),
            ..head
        };
        let derived;
        (derived, tables.derived_sources) = ask(&head)?;
        let packed = pack(model, &head, constants::<T>(model), &tables);
        let state = StateLayout::new(&head);
        Ok(Scene {
            start: start(model, &state),
            head,
            packed,
            state,
            problem: ProblemLayout::new(&head),
            words: WordLayout::new(&head),
            unread: sensors.unread,
            finders: finders(&plan),
            derived,
        })
    }

    /// Numbers that a world has of what is asked for besides the state.
    pub(crate) fn derived_length(&self) -> usize {
        let length = |array: &Derived| array.start + array.shape.iter().product::<usize>();
        self.derived.last().map_or(0, length)
    }

    /// The same for kernels that know tendons, actuators and forces of any kind.
    pub fn into_general(mut self) -> Self {
        self.head.general = 1;
        self.packed.words[..Head::LENGTH].copy_from_slice(&self.head.words());
        self
    }

    /// Whether worlds have the same blocks as those of another scene.
    pub(crate) fn has_blocks_of(&self, other: &Self) -> bool {
        (self.state, self.problem, self.words, &self.derived)
            == (other.state, other.problem, other.words, &other.derived)
    }

    /// Whether worlds of another scene can go on with this one.
    pub(crate) fn fits(&self, other: &Self) -> bool {
        let sizes = |scene: &Self| {
            let memory = forward::memory_length::<T>(&scene.head);
            (scene.packed.words.len(), scene.packed.numbers.len(), memory)
        };
        (self.state, self.problem, self.words) == (other.state, other.problem, other.words)
            && sizes(self) == sizes(other)
            && self.finders == other.finders
    }
}

/// The model without the springs, dampers, limits and dry friction that its flags switch off.
fn without_disabled(model: &Model) -> Cow<'_, Model> {
    let is_off = |flag: DisableFlag| model.opt.disableflags & flag.code() != 0;
    let flags = [
        DisableFlag::Spring,
        DisableFlag::Damper,
        DisableFlag::Limit,
        DisableFlag::Frictionloss,
        DisableFlag::Constraint,
    ];
    if !flags.into_iter().any(is_off) {
        return Cow::Borrowed(model);
    }
    let mut out = model.clone();
    let is_free = is_off(DisableFlag::Constraint);
    let arrays = out.unchecked();
    if is_off(DisableFlag::Spring) {
        arrays.jnt_stiffness.fill(0.0);
        arrays.tendon_stiffness.fill(0.0);
    }
    if is_off(DisableFlag::Damper) {
        arrays.dof_damping.fill(0.0);
        arrays.tendon_damping.fill(0.0);
    }
    if is_off(DisableFlag::Limit) || is_free {
        arrays.jnt_limited.fill(0);
        arrays.tendon_limited.fill(0);
    }
    if is_off(DisableFlag::Frictionloss) || is_free {
        arrays.dof_frictionloss.fill(0.0);
        arrays.tendon_frictionloss.fill(0.0);
    }
    Cow::Owned(out)
}

fn tables(model: &Model, plan: &Plan) -> TableData {
    let mut out = TableData::default();
    for pair in &plan.pairs {
        add_pair(model, pair, &mut out);
    }
    if plan.pairs.iter().any(|pair| pair.shapes.needs_solids()) {
        solid::add(model, &mut out);
    }
    for cord in &plan.cords {
        add_cord(model, cord, &mut out);
    }
    out.tendon_cords = vec![-1; model.ntendon];
    for (index, cord) in plan.cords.iter().enumerate() {
        out.tendon_cords[cord.tendon] = index as i32;
    }
    out.drives_off
        .extend((0..model.nu).map(|i| i32::from(is_off(model, i))));
    for &(body, force) in &plan.lifts {
        out.lift_bodies.push(body as i32);
        out.lifts.extend(force);
    }
    for swimmer in &plan.swimmers {
        let geom = swimmer.geom.map_or(-1, |geom| geom as i32);
        out.swimmers.extend([swimmer.body as i32, geom]);
        out.swimmer_numbers.extend(swimmer.size);
        out.swimmer_numbers.extend(swimmer.interaction);
    }
    let words = model.nv.div_ceil(32);
    out.movers = vec![0; model.nbody * words];
    let tree = &Tree::from(model);
    for body in 0..model.nbody {
        for dof in dofs_of(tree, body) {
            out.movers[body * words + dof / 32] |= 1 << (dof % 32);
        }
    }
    // Entries of M below each diagonal entry, by ascending row.
    for column in 0..model.nv {
        out.below_starts.push(out.below_rows.len() as i32);
        for row in column + 1..model.nv {
            let start = model.M_rowadr[row] as usize;
            let entries = start..start + model.M_rownnz[row] as usize;
            for entry in entries.filter(|&entry| model.M_colind[entry] as usize == column) {
                out.below_rows.push(row as i32);
                out.below_entries.push(entry as i32);
            }
        }
    }
    out.below_starts.push(out.below_rows.len() as i32);
    for bodies in levels(model) {
        out.level_starts.push(out.level_bodies.len() as i32);
        out.level_bodies.extend(bodies);
    }
    out.level_starts.push(out.level_bodies.len() as i32);
    out.dof_trees.extend(&model.dof_treeid);
    out.tree_starts.extend(&model.tree_dofadr);
    out.tree_starts.push(model.nv as i32);
    if model.nv <= LANES {
        add_relatives(model, &mut out);
    }
    out
}

/// Geoms whose places somebody asks for: those that may touch, and all where there are others who may ask.
fn placed_geoms(model: &Model, plan: &Plan, is_derived: bool) -> Vec<i32> {
    let is_path = |cord: &Cord| cord.is_spatial;
    let has_path = plan.cords.iter().any(is_path);
    let is_asked = is_derived || model.nsensor > 0 || !plan.swimmers.is_empty() || has_path;
    let mut is_placed = vec![is_asked; model.ngeom];
    for geom in plan.pairs.iter().flat_map(|pair| pair.candidate.geoms) {
        is_placed[geom] = true;
    }
    let placed = |&geom: &usize| is_placed[geom];
    let geoms = (0..model.ngeom).filter(placed);
    geoms.map(|geom| geom as i32).collect()
}

/// Bodies by their distance from the world, which is left out.
fn levels(model: &Model) -> Vec<Vec<i32>> {
    let mut distances = vec![0; model.nbody];
    let mut levels: Vec<Vec<i32>> = Vec::new();
    for body in 1..model.nbody {
        let distance = distances[model.body_parentid[body] as usize];
        distances[body] = distance + 1;
        if distance == levels.len() {
            levels.push(Vec::new());
        }
        levels[distance].push(body as i32);
    }
    levels
}

/// Which entries M has besides its diagonal.
fn add_relatives(model: &Model, out: &mut TableData) {
    out.above = vec![0; model.nv];
    out.below = vec![0; model.nv];
    out.inertia_places = vec![0; model.nC];
    for row in 0..model.nv {
        let start = model.M_rowadr[row] as usize;
        for entry in start..start + model.M_rownnz[row] as usize {
            out.inertia_places[entry] = (row * LANES) as i32 + model.M_colind[entry];
        }
        for entry in start..start + model.M_rownnz[row] as usize - 1 {
            let column = model.M_colind[entry] as usize;
            out.above[row] |= 1 << column;
            out.below[column] |= 1 << row;
        }
    }
}

fn add_pair(model: &Model, pair: &Pair, out: &mut TableData) {
    let (candidate, parameters) = (&pair.candidate, &pair.candidate.parameters);
    let [first, second] = candidate.geoms;
    let radii = [model.geom_rbound[first], model.geom_rbound[second]];
    let reach = if model.geom_type[first] == GeomType::Plane.code() {
        candidate.margin + radii[1]
    } else {
        radii[0] + radii[1] + candidate.margin
    };
    let (friction, dim) = match pair.friction {
        Friction::None => (0, 1),
        Friction::Pyramidal(dim) => (1, dim),
        Friction::Elliptic(dim) => (2, dim),
    };
    let is_plane = model.geom_type[first] == GeomType::Plane.code();
    let near = first as i32;
    out.near_first.push(if is_plane { !near } else { near });
    out.near_second.push(second as i32);
    out.near_reach.push(reach);
    let [body, other] = candidate.bodies;
    let words = [
        first,
        second,
        body,
        other,
        pair.shapes as usize,
        friction,
        dim,
    ];
    out.pair_words.extend(words.map(|word| word as i32));
    let flags = [
        (candidate.is_swept, IS_SWEPT),
        (pair.lists_all, LISTS_ALL),
        (pair.is_fixed, IS_FIXED),
    ];
    let set = flags.map(|(is_set, flag)| if is_set { flag } else { 0 });
    out.pair_words.push(set.iter().sum());
    out.pair_numbers
        .extend([candidate.margin, parameters.includemargin]);
    out.pair_numbers.extend(parameters.friction);
    out.pair_numbers.extend(parameters.solref);
    out.pair_numbers.extend(parameters.solreffriction);
    out.pair_numbers.extend(parameters.solimp);
    out.pair_numbers
        .extend([pair.weight, 2.0 * SHALLOW, model.geom_rbound[second]]);
}

fn add_cord(model: &Model, cord: &Cord, out: &mut TableData) {
    let tendon = cord.tendon;
    out.cord_words.extend([
        tendon as i32,
        i32::from(model.tendon_limited[tendon] != 0),
        out.cord_addresses.len() as i32,
        cord.terms.len() as i32,
        out.cord_columns.len() as i32,
        cord.columns.len() as i32,
        i32::from(cord.is_spatial),
        i32::from(model.tendon_actfrclimited[tendon] != 0),
    ]);
    for &(address, coefficient) in &cord.terms {
        out.cord_addresses.push(address as i32);
        out.cord_coefficients.push(coefficient);
    }
    for &(entry, slope) in &cord.derivative {
        out.cord_slope_entries.push(entry as i32);
        out.cord_slopes.push(slope);
    }
    out.cord_columns.extend(&cord.columns);
    out.cord_entries.extend(&cord.entries);
    out.cord_numbers
        .extend([model.tendon_stiffness[tendon], model.tendon_damping[tendon]]);
    out.cord_numbers.extend(model.tendon_lengthspring[tendon]);
    out.cord_numbers.push(model.tendon_margin[tendon]);
    out.cord_numbers.extend(model.tendon_range[tendon]);
    out.cord_numbers.extend([
        model.tendon_frictionloss[tendon],
        model.tendon_armature[tendon],
        model.tendon_length0[tendon],
    ]);
    out.cord_numbers.extend(model.tendon_actfrcrange[tendon]);
}

fn head(model: &Model, plan: &Plan, capacity: Capacity) -> Head {
    let is_on = |flag: DisableFlag| usize::from(model.opt.disableflags & flag.code() == 0);
    let is_elliptic = model.opt.cone == Cone::Elliptic.code();
    let largest = plan.pairs.iter().map(|pair| pair.friction.rows()).max();
    let is_plain = |pair: &&Pair| pair.shapes.finder() == Finder::Rows;
    let most = |pair: &Pair| pair.shapes.most_touches();
    let touches = plan.pairs.iter().filter(is_plain).map(most).max();
    let contacts = if plan.pairs.is_empty() {
        0
    } else {
        capacity.contacts
    };
    let [meetings, met_touches] = meetings(plan, contacts);
    Head {
        nq: model.nq,
        nv: model.nv,
        nu: model.nu,
        na: model.na,
        nbody: model.nbody,
        njnt: model.njnt,
        ngeom: model.ngeom,
        nsite: model.nsite,
        neq: model.neq,
        equalities: model.neq * is_on(DisableFlag::Equality) * is_on(DisableFlag::Constraint),
        other_equalities: {
            let is_other = |&kind: &i32| kind != EqualityType::Joint.code();
            usize::from(model.eq_type.iter().any(is_other))
        },
        nmocap: model.nmocap,
        nC: model.nC,
        pairs: plan.pairs.len(),
        touches: touches.unwrap_or(0),
        meetings,
        met_touches,
        ccd_iterations: model.opt.ccd_iterations.max(0) as usize,
        nsensordata: 0,
        sensors: 0,
        senses_more: 0,
        senses_acceleration: 0,
        senses_forces: 0,
        derives_forces: 0,
        senses_momentum: 0,
        senses_rows: 0,
        distances: 0,
        rays: 0,
        taxels: 0,
        remembers_energy: 0,
        kept_touches: 0,
        lists_all: usize::from(plan.pairs.iter().any(|pair| pair.lists_all)),
        adheres: usize::from(plan.adheres),
        cords: plan.cords.len(),
        heavy_strings: {
            let is_heavy =
                |cord: &&Cord| cord.is_spatial && model.tendon_armature[cord.tendon] != 0.0;
            plan.cords.iter().filter(is_heavy).count()
        },
        rows: other_rows(model, plan) + contacts * largest.unwrap_or(0),
        cones: if is_elliptic { contacts } else { 0 },
        acts: is_on(DisableFlag::Actuation),
        resets: is_on(DisableFlag::Autoreset),
        clamps_control: is_on(DisableFlag::Clampctrl),
        is_safe: is_on(DisableFlag::Refsafe),
        warm_starts: is_on(DisableFlag::Warmstart),
        is_damped: usize::from(plan.has_damping),
        is_implicit: usize::from(plan.is_implicit),
        stages: plan.stages,
        general: usize::from(plan.is_general || capacity.wrenches),
        wrenches: usize::from(capacity.wrenches),
        swimmers: plan.swimmers.len(),
        lifts: plan.lifts.len(),
        trees: model.ntree,
        has_parts: usize::from(
            model.ntree > 1 || is_sparse(model) || is_conjugate(model) || model.nv > MOST_DOFS,
        ),
        is_conjugate: usize::from(is_conjugate(model)),
        is_large: usize::from(model.nv > MOST_DOFS && !is_conjugate(model)),
        by_island: is_on(DisableFlag::Island),
        is_sparse: usize::from(is_sparse(model)),
        levels: levels(model).len(),
        iterations: model.opt.iterations.max(0) as usize,
        ls_iterations: model.opt.ls_iterations.max(0) as usize,
    }
}

/// Pairs of a world that threads look at first, at most, and their contacts: all, or many more than a world has room for.
fn meetings(plan: &Plan, contacts: usize) -> [usize; 2] {
    let is_met = |pair: &&Pair| pair.shapes.finder() != Finder::Rows;
    let pairs = || plan.pairs.iter().filter(is_met);
    let touches: usize = pairs().map(|pair| pair.shapes.most_touches()).sum();
    let most = contacts.saturating_mul(24).max(1024);
    [pairs().count().min(most), touches.min(most)]
}

/// How threads look at them: shapes that are near each other may also overlap.
fn finders(plan: &Plan) -> Vec<Finder> {
    let has = |finder: Finder| plan.pairs.iter().any(|pair| pair.shapes.finder() == finder);
    let mut out = Vec::new();
    out.extend(has(Finder::Formula).then_some(Finder::Formula));
    out.extend(has(Finder::Distance).then_some(Finder::Distance));
    let needs_memory = has(Finder::Distance) || has(Finder::Polytope);
    out.extend(needs_memory.then_some(Finder::Polytope));
    out
}

/// Contacts that a world may have: more than there is room for with as many rows as the largest has, if others have fewer, and
/// some without rows.
fn most_contacts(plan: &Plan, capacity: Capacity) -> usize {
    let rows = || plan.pairs.iter().map(|pair| pair.friction.rows());
    let without_rows = match plan.pairs.iter().any(|pair| pair.lists_all) {
        true => capacity.contacts,
        false => 0,
    };
    match (rows().min(), rows().max()) {
        (Some(least), Some(most)) => capacity.contacts * most.div_ceil(least.max(1)) + without_rows,
        _ => 0,
    }
}

/// Rows that a world may have besides those of contacts.
fn other_rows(model: &Model, plan: &Plan) -> usize {
    let equality = |&kind: &i32| match EqualityType::from_code(kind) {
        Some(EqualityType::Connect) => 3,
        Some(EqualityType::Weld) => 6,
        _ => 1,
    };
    let equalities: usize = model.eq_type.iter().map(equality).sum();
    let friction = model
        .dof_frictionloss
        .iter()
        .filter(|&&loss| loss != 0.0)
        .count();
    let limits = (0..model.njnt).filter(|&joint| model.jnt_limited[joint] != 0);
    let limits: usize = limits
        .map(|joint| match JointType::from_code(model.jnt_type[joint]) {
            Some(JointType::Ball) => 1,
            _ => 2,
        })
        .sum();
    let is_limited = |cord: &&Cord| model.tendon_limited[cord.tendon] != 0;
    let has_friction = |cord: &&Cord| model.tendon_frictionloss[cord.tendon] > 0.0;
    let friction = friction + plan.cords.iter().filter(has_friction).count();
    equalities + friction + limits + 2 * plan.cords.iter().filter(is_limited).count()
}

fn constants<T: Number>(model: &Model) -> [f64; CONSTANTS] {
    let opt = &model.opt;
    let upward = match opt.disableflags & DisableFlag::Gravity.code() {
        0 => (opt.gravity * -1.0).0,
        _ => [0.0; 3],
    };
    let is_single = T::from_f64(1.0 + f64::EPSILON).to_f64() == 1.0;
    let (least, least_slope) = match is_single {
        true => (LEAST_TOLERANCE, LEAST_SLOPE),
        false => (0.0, 0.0),
    };
    let tolerance = opt.tolerance.max(least);
    [
        opt.timestep,
        upward[0],
        upward[1],
        upward[2],
        opt.impratio,
        tolerance,
        tolerance * opt.ls_tolerance,
        least_slope,
        1.0 / (model.stat.meaninertia * model.nv.max(1) as f64),
        opt.ccd_tolerance.max(least),
        opt.density,
        opt.viscosity,
        opt.wind[0],
        opt.wind[1],
        opt.wind[2],
    ]
}

/// The state of a world that begins.
fn start<T: Number>(model: &Model, layout: &StateLayout) -> Vec<T> {
    let mut out = vec![T::ZERO; layout.length];
    let mut put = |[start, _]: [usize; 2], numbers: &[f64]| {
        for (out, &x) in out[start..].iter_mut().zip(numbers) {
            *out = T::from_f64(x);
        }
    };
    put(layout.qpos, &model.qpos0);
    for body in 0..model.nbody {
        if let Ok(mocap) = usize::try_from(model.body_mocapid[body]) {
            put(
                [layout.mocap_pos[0] + 3 * mocap, 0],
                &model.body_pos[body].0,
            );
            put(
                [layout.mocap_quat[0] + 4 * mocap, 0],
                &model.body_quat[body].0,
            );
        }
    }
    let active: Vec<f64> = model
        .eq_active0
        .iter()
        .map(|&x| f64::from(u8::from(x != 0)))
        .collect();
    put(layout.eq_active, &active);
    out
}
