//! Random worlds side by side, one per lane.

use crate::case::{Case, Random, TIGHT};
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use sinew_math::lanes::Work;
use sinew_math::tree::TreeRows;
use sinew_math::{Mask, Real, tree};
use sinew_solver::jacobian::FullRows;
use sinew_solver::newton::{self, Solution};
use sinew_solver::{Cone, Problem, Settings, Statistic, gauss_seidel};

/// Where Newton's method ends before it takes steps that only rounding tells from none.
pub const USUAL: Settings = Settings {
    tolerance: 1e-9,
    iterations: 100,
    ..TIGHT
};

/// Consecutive rows of a world that belong together.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Unit {
    row: usize,
    count: usize,
    /// Which cone they are.
    cone: Option<usize>,
}

/// The rows of a world by kind: equalities, dry friction, what only pushes.
fn units(case: &Case) -> [Vec<Unit>; 3] {
    let single = |row| Unit {
        row,
        count: 1,
        cone: None,
    };
    let friction = case.equality_count + case.friction_count;
    let mut pushing = Vec::new();
    let (mut row, mut cones) = (friction, (0..).zip(&case.cones).peekable());
    while row < case.big_d.len() {
        let unit = match cones.next_if(|(_, cone)| cone.row == row) {
            Some((which, cone)) => Unit {
                row,
                count: cone.dim,
                cone: Some(which),
            },
            None => single(row),
        };
        row += unit.count;
        pushing.push(unit);
    }
    let equalities = (0..case.equality_count).map(single).collect();
    let frictions = (case.equality_count..friction).map(single).collect();
    [equalities, frictions, pushing]
}

/// A world with some of its rows, all or none of a contact.
pub fn thinned(mut case: Case, random: &mut Random) -> Case {
    let share = random.between(-0.1, 1.2);
    let before = Case {
        j_rownnz: std::mem::take(&mut case.j_rownnz),
        j_rowadr: std::mem::take(&mut case.j_rowadr),
        j_colind: std::mem::take(&mut case.j_colind),
        j: std::mem::take(&mut case.j),
        cones: std::mem::take(&mut case.cones),
        cone_shapes: std::mem::take(&mut case.cone_shapes),
        big_d: std::mem::take(&mut case.big_d),
        big_r: std::mem::take(&mut case.big_r),
        loss: std::mem::take(&mut case.loss),
        aref: std::mem::take(&mut case.aref),
        equality_count: case.equality_count,
        friction_count: case.friction_count,
        ..Case::default()
    };
    case.repeats.clear();
    let kinds = units(&before).map(|mut kind| {
        kind.retain(|_| random.uniform() < share);
        kind
    });
    (case.equality_count, case.friction_count) = (kinds[0].len(), kinds[1].len());
    for unit in kinds.iter().flatten() {
        if let Some(which) = unit.cone {
            let row = case.big_d.len();
            let dim = unit.count;
            case.cones.push(Cone { row, dim });
            case.cone_shapes.push(before.cone_shapes[which]);
        }
        for row in unit.row..unit.row + unit.count {
            let start = before.j_rowadr[row] as usize;
            let entries = start..start + before.j_rownnz[row] as usize;
            case.repeats.push(row > unit.row);
            case.j_rowadr.push(case.j.len() as i32);
            case.j_rownnz.push(before.j_rownnz[row]);
            case.j_colind.extend(&before.j_colind[entries.clone()]);
            case.j.extend(&before.j[entries]);
            case.big_d.push(before.big_d[row]);
            case.big_r.push(before.big_r[row]);
            case.loss.push(before.loss[row]);
            case.aref.push(before.aref[row]);
        }
    }
    case
}

/// A world of whole numbers, zeros of both signs among them.
pub fn rounded(mut case: Case) -> Case {
    for numbers in [
        &mut case.m,
        &mut case.j,
        &mut case.aref,
        &mut case.qacc_smooth,
    ] {
        for x in numbers {
            *x = x.round();
        }
    }
    let rows = TreeRows {
        rownnz: &case.m_rownnz,
        rowadr: &case.m_rowadr,
        colind: &case.m_colind,
    };
    tree::multiply(rows, &case.m, &case.qacc_smooth, &mut case.qfrc_smooth);
    case
}

/// Adds contacts with pyramidal cones: pairs of opposing edges, normal ± friction · tangent.
pub fn with_pyramids(mut case: Case, random: &mut Random) -> Case {
    let n = case.qacc_smooth.len();
    for _ in 0..3 {
        let reach = 1 + (random.uniform() * n as f64) as usize;
        let mut direction = || -> Vec<f64> {
            let entries = 0..reach;
            entries.map(|_| random.between(-1.0, 1.0)).collect()
        };
        let (normal, tangents) = (direction(), [direction(), direction()]);
        let (d, friction) = (random.between(0.5, 50.0), random.between(0.3, 1.0));
        let aref = random.between(0.5, 3.0);
        for (i, (tangent, sign)) in tangents
            .iter()
            .flat_map(|tangent| [(tangent, 1.0), (tangent, -1.0)])
            .enumerate()
        {
            case.repeats.push(i > 0);
            case.j_rowadr.push(case.j.len() as i32);
            case.j_rownnz.push(reach as i32);
            case.j_colind.extend(0..reach as i32);
            let edge = normal.iter().zip(tangent);
            case.j.extend(edge.map(|(n, t)| n + sign * friction * t));
            case.big_d.push(d);
            case.big_r.push(1.0 / d);
            case.loss.push(0.0);
            case.aref.push(aref);
        }
    }
    case
}

/// The full Jacobian of a world.
pub fn full(case: &Case) -> Vec<f64> {
    let mut full = Vec::new();
    let jacobian = case.problem().jacobian;
    jacobian.expand(case.qacc_smooth.len(), &mut full);
    full
}

/// What was found for one world.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub qacc: Vec<f64>,
    pub qfrc_constraint: Vec<f64>,
    pub force: Vec<f64>,
    pub state: Vec<f64>,
    pub b: Vec<f64>,
    pub statistics: Vec<Statistic>,
}

/// Worlds with the same trees, as many as `P` has lanes. Where one has no row, its lane has zeros.
pub struct Group<'a, P> {
    worlds: &'a [(Case, Vec<f64>)],
    /// Row of the group that each row of each world is in.
    places: Vec<Vec<usize>>,
    equality_count: usize,
    friction_count: usize,
    cones: Vec<Cone>,
    cone_shapes: Vec<[P; 6]>,
    jacobian: Vec<P>,
    big_d: Vec<P>,
    big_r: Vec<P>,
    loss: Vec<P>,
    aref: Vec<P>,
    inertia: Vec<P>,
    factor: Vec<P>,
    factor_inverse: Vec<P>,
    /// 1 in the lanes that have a row.
    exists: Vec<P>,
    qfrc_smooth: Vec<P>,
    qacc_smooth: Vec<P>,
    warm_start: Vec<P>,
    scale: [P; 1],
    found: Written<P>,
}

/// What the solver writes.
#[derive(Default)]
struct Written<P> {
    qacc: Vec<P>,
    qfrc_constraint: Vec<P>,
    force: Vec<P>,
    state: Vec<P>,
    b: Vec<P>,
    memory: Vec<P>,
    iterations: Vec<i32>,
    statistics: Vec<Vec<Statistic>>,
}

impl<'a, P: Real + Pod> Group<'a, P> {
    /// Worlds, each with an acceleration to start from. Rows that match stand side by side, most of
    /// them.
    pub fn new(worlds: &'a [(Case, Vec<f64>)], random: &mut Random) -> Self {
        let n = worlds[0].0.qacc_smooth.len();
        let mut group = Group {
            worlds,
            places: vec![Vec::new(); P::LANES],
            equality_count: 0,
            friction_count: 0,
            cones: Vec::new(),
            cone_shapes: Vec::new(),
            jacobian: Vec::new(),
            big_d: Vec::new(),
            big_r: Vec::new(),
            loss: Vec::new(),
            aref: Vec::new(),
            inertia: gather(worlds, |(case, _)| &case.m),
            factor: gather(worlds, |(case, _)| &case.factor),
            factor_inverse: gather(worlds, |(case, _)| &case.factor_inverse),
            exists: Vec::new(),
            qfrc_smooth: gather(worlds, |(case, _)| &case.qfrc_smooth),
            qacc_smooth: gather(worlds, |(case, _)| &case.qacc_smooth),
            warm_start: gather(worlds, |(_, warm)| warm),
            scale: [P::from_f64(1.0 / n as f64)],
            found: Written::default(),
        };
        let lists: Vec<[Vec<Unit>; 3]> = worlds.iter().map(|(case, _)| units(case)).collect();
        let full: Vec<Vec<f64>> = worlds.iter().map(|(case, _)| full(case)).collect();
        for kind in 0..3 {
            let mut next = vec![0; P::LANES];
            while let Some(unit) = (0..P::LANES).find_map(|lane| lists[lane][kind].get(next[lane]))
            {
                group.add_unit(unit, n);
                for lane in 0..P::LANES {
                    let own = lists[lane][kind].get(next[lane]);
                    let matches = |own: &&Unit| {
                        own.count == unit.count && own.cone.is_some() == unit.cone.is_some()
                    };
                    if let Some(own) = own.filter(matches)
                        && (own == unit || random.uniform() < 0.8)
                    {
                        next[lane] += 1;
                        group.put(lane, own, &full[lane]);
                    }
                }
            }
            match kind {
                0 => group.equality_count = group.big_d.len(),
                1 => group.friction_count = group.big_d.len() - group.equality_count,
                _ => {}
            }
        }
        group
    }

    /// Makes room for rows.
    fn add_unit(&mut self, unit: &Unit, n: usize) {
        let (row, dim) = (self.big_d.len(), unit.count);
        let end = row + dim;
        self.jacobian.resize(end * n, P::ZERO);
        for column in [
            &mut self.big_d,
            &mut self.big_r,
            &mut self.loss,
            &mut self.aref,
            &mut self.exists,
        ] {
            column.resize(end, P::ZERO);
        }
        if unit.cone.is_some() {
            self.cones.push(Cone { row, dim });
            self.cone_shapes.push([P::ZERO; 6]);
        }
    }

    /// Puts rows of a world into the last rows.
    fn put(&mut self, lane: usize, unit: &Unit, full: &[f64]) {
        let case = &self.worlds[lane].0;
        let n = case.qacc_smooth.len();
        let first = self.big_d.len() - unit.count;
        for k in 0..unit.count {
            let (place, row) = (first + k, unit.row + k);
            self.places[lane].push(place);
            for column in 0..n {
                self.jacobian[place * n + column].set_lane(lane, full[row * n + column]);
            }
            self.big_d[place].set_lane(lane, case.big_d[row]);
            self.big_r[place].set_lane(lane, case.big_r[row]);
            self.loss[place].set_lane(lane, case.loss[row]);
            self.aref[place].set_lane(lane, case.aref[row]);
            self.exists[place].set_lane(lane, 1.0);
        }
        if let (Some(which), Some(shape)) = (unit.cone, self.cone_shapes.last_mut()) {
            for (slot, &value) in shape.iter_mut().zip(&case.cone_shapes[which]) {
                slot.set_lane(lane, value);
            }
        }
    }

    /// Number of rows, of which some lanes have fewer.
    pub fn row_count(&self) -> usize {
        self.big_d.len()
    }

    /// The problem of all lanes, and the lanes that have one.
    fn problem<T: Real + Pod>(&self) -> (Problem<'_, T, FullRows<'_, T>>, T::Mask) {
        let case = &self.worlds[0].0;
        let problem = Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: FullRows {
                value: cast_slice(&self.jacobian),
            },
            cones: &self.cones,
            cone_shapes: cast_slice(&self.cone_shapes),
            pyramids: &[],
            D: cast_slice(&self.big_d),
            R: cast_slice(&self.big_r),
            frictionloss: cast_slice(&self.loss),
            aref: cast_slice(&self.aref),
            tree: &[],
            inertia_rows: TreeRows {
                rownnz: &case.m_rownnz,
                rowadr: &case.m_rowadr,
                colind: &case.m_colind,
            },
            inertia: cast_slice(&self.inertia),
            factor: cast_slice(&self.factor),
            factor_inverse: cast_slice(&self.factor_inverse),
            qfrc_smooth: cast_slice(&self.qfrc_smooth),
            qacc_smooth: cast_slice(&self.qacc_smooth),
            warm_start: Some(cast_slice(&self.warm_start)),
            scale: cast_slice(&self.scale)[0],
        };
        let mut active = T::Mask::NONE;
        for (lane, (case, _)) in self.worlds.iter().enumerate() {
            active.set_lane(lane, !case.big_d.is_empty());
        }
        (problem, active)
    }

    /// What was found for the world of a lane.
    pub fn outcome(&self, lane: usize) -> Outcome {
        let found = &self.found;
        let take = |cells: &[P]| cells.iter().map(|cell| cell.lane(lane)).collect();
        let own = |cells: &[P]| {
            let places = self.places[lane].iter();
            places.map(|&place| cells[place].lane(lane)).collect()
        };
        let statistics = found.statistics[lane].clone();
        assert_eq!(statistics.len(), found.iterations[lane] as usize);
        Outcome {
            qacc: take(&found.qacc),
            qfrc_constraint: take(&found.qfrc_constraint),
            force: own(&found.force),
            state: own(&found.state),
            b: own(&found.b),
            statistics,
        }
    }
}

/// One number of each world per lane.
fn gather<P: Real>(
    worlds: &[(Case, Vec<f64>)],
    numbers: impl Fn(&(Case, Vec<f64>)) -> &Vec<f64>,
) -> Vec<P> {
    let mut out = vec![P::ZERO; numbers(&worlds[0]).len()];
    for (lane, world) in worlds.iter().enumerate() {
        for (cell, &number) in out.iter_mut().zip(numbers(world)) {
            cell.set_lane(lane, number);
        }
    }
    out
}

/// Solves the worlds of a group from memory full of something else.
pub struct Solve<'a, 'b, P>(pub &'b mut Group<'a, P>);

impl<P: Real + Pod> Work for Solve<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let group = self.0;
        let mut found = std::mem::take(&mut group.found);
        let (problem, active) = group.problem::<T>();
        let n = problem.dof_count();
        let unset = P::from_f64(f64::NAN);
        let rows = problem.row_count();
        found.qacc.resize(n, unset);
        found.qfrc_constraint.resize(n, unset);
        found.force.resize(rows, unset);
        found.state.resize(rows, unset);
        found.b.resize(rows, unset);
        let length = newton::memory_length(&problem);
        found.memory.resize(length, unset);
        found.statistics = vec![Vec::new(); T::LANES];
        let mut solution = Solution {
            qacc: cast_slice_mut(&mut found.qacc),
            qfrc_constraint: cast_slice_mut(&mut found.qfrc_constraint),
            force: cast_slice_mut(&mut found.force),
            state: cast_slice_mut(&mut found.state),
            b: cast_slice_mut(&mut found.b),
            iterations: T::ZERO,
        };
        let memory = cast_slice_mut(&mut found.memory);
        let statistics = &mut found.statistics;
        newton::solve(&problem, &USUAL, active, &mut solution, memory, |report| {
            for (lane, statistics) in statistics.iter_mut().enumerate() {
                if report.active.lane(lane) {
                    statistics.push(report.statistic(lane));
                }
            }
        });
        found.iterations = (0..T::LANES)
            .map(|lane| solution.iterations.lane(lane) as i32)
            .collect();
        group.found = found;
    }
}

/// Solves the worlds of a group by Gauss and Seidel's method, from memory full of something else.
pub struct Relax<'a, 'b, P>(pub &'b mut Group<'a, P>, pub &'b Settings);

impl<P: Real + Pod> Work for Relax<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Relax(group, settings) = self;
        let mut found = std::mem::take(&mut group.found);
        let (problem, active) = group.problem::<T>();
        let exists = cast_slice(&group.exists);
        let unset = P::from_f64(f64::NAN);
        found.qacc.resize(problem.dof_count(), unset);
        found.qfrc_constraint.resize(problem.dof_count(), unset);
        found.force.resize(problem.row_count(), unset);
        let length = gauss_seidel::memory_length(&problem, exists);
        found.memory.resize(length, unset);
        let mut solution = gauss_seidel::Solution {
            qacc: cast_slice_mut(&mut found.qacc),
            qfrc_constraint: cast_slice_mut(&mut found.qfrc_constraint),
            force: cast_slice_mut(&mut found.force),
            iterations: T::ZERO,
        };
        let memory = cast_slice_mut(&mut found.memory);
        gauss_seidel::solve(&problem, exists, settings, active, &mut solution, memory);
        let count = |lane| solution.iterations.lane(lane) as i32;
        found.iterations = (0..T::LANES).map(count).collect();
        found.statistics = found
            .iterations
            .iter()
            .map(|&count| vec![Statistic::default(); count as usize])
            .collect();
        (found.state, found.b) = (found.force.clone(), found.force.clone());
        group.found = found;
    }
}
