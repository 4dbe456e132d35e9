//! Random problems with every kind of row, and what is found for them.

use sinew_math::tree::{self, TreeRows};
use sinew_solver::{
    Cone, ConeShape, Islands, Method, Problem, Projection, Rows, Settings, Solution, Statistic,
    Workspace,
};

/// Newton's method, as far as numbers go.
pub const TIGHT: Settings = Settings {
    method: Method::Newton,
    iterations: 10_000,
    tolerance: 1e-15,
    ls_tolerance: 0.01,
    ls_iterations: 50,
    noslip_iterations: 0,
    noslip_tolerance: 0.0,
};

/// What a solver found.
pub struct Found {
    pub qacc: Vec<f64>,
    pub force: Vec<f64>,
    pub iterations: Vec<i32>,
}

/// Solves from a fresh workspace; the cost must never rise.
pub fn solve(problem: &Problem<'_>, settings: &Settings) -> Found {
    solve_parts(problem, None, settings)
}

/// Likewise, each island on its own.
pub fn solve_parts(problem: &Problem<'_>, islands: Option<&Islands>, settings: &Settings) -> Found {
    let (n, rows) = (problem.dof_count(), problem.row_count());
    let parts = islands.map_or(1, |islands| islands.nisland);
    let mut found = Found {
        qacc: vec![0.0; n],
        force: vec![0.0; rows],
        iterations: vec![0; parts],
    };
    let mut statistics = vec![Statistic::default(); parts * settings.iterations];
    sinew_solver::solve(
        problem,
        islands,
        settings,
        &mut Solution {
            qacc: &mut found.qacc,
            qfrc_constraint: &mut vec![0.0; n],
            force: &mut found.force,
            state: &mut vec![0; rows],
            b: &mut vec![0.0; rows],
            projection: &mut Projection::default(),
            iterations: &mut found.iterations,
            statistics: &mut statistics,
            work: &mut Workspace::default(),
        },
    );
    for statistic in statistics {
        let improvement = statistic.improvement;
        assert!(improvement >= -1e-12, "the cost rose by {improvement}");
    }
    found
}

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn uniform(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }
}

/// Chains of degrees of freedom with random inertia, and random rows on top.
#[derive(Default)]
pub struct Case {
    pub m_rownnz: Vec<i32>,
    pub m_rowadr: Vec<i32>,
    pub m_colind: Vec<i32>,
    pub m: Vec<f64>,
    pub factor: Vec<f64>,
    pub factor_inverse: Vec<f64>,
    pub tree: Vec<i32>,
    pub j_rownnz: Vec<i32>,
    pub j_rowadr: Vec<i32>,
    pub j_colind: Vec<i32>,
    pub repeats: Vec<bool>,
    pub j: Vec<f64>,
    pub cones: Vec<Cone>,
    pub cone_shapes: Vec<ConeShape>,
    pub equality_count: usize,
    pub friction_count: usize,
    pub big_d: Vec<f64>,
    pub big_r: Vec<f64>,
    pub loss: Vec<f64>,
    pub aref: Vec<f64>,
    pub qfrc_smooth: Vec<f64>,
    pub qacc_smooth: Vec<f64>,
}

impl Case {
    pub fn random(seed: u64, chains: usize, length: usize, is_elliptic: bool) -> Case {
        Case::in_groups(seed, chains, length, is_elliptic, chains)
    }

    /// Rows tie chains only within groups of as many.
    pub fn in_groups(
        seed: u64,
        chains: usize,
        length: usize,
        is_elliptic: bool,
        group: usize,
    ) -> Case {
        let random = &mut Random(seed);
        let n = chains * length;
        let mut case = Case {
            tree: (0..n).map(|i| (i / length) as i32).collect(),
            ..Case::default()
        };
        for i in 0..n {
            let depth = i % length;
            case.m_rowadr.push(case.m.len() as i32);
            case.m_rownnz.push(depth as i32 + 1);
            for k in 0..=depth {
                case.m_colind.push((i - depth + k) as i32);
                let is_diagonal = k == depth;
                case.m.push(if is_diagonal {
                    2.0 + length as f64
                } else {
                    random.between(-1.0, 1.0)
                });
            }
        }
        case.factor = case.m.clone();
        case.factor_inverse = vec![0.0; n];
        let (rownnz, rowadr, colind) = (
            case.m_rownnz.clone(),
            case.m_rowadr.clone(),
            case.m_colind.clone(),
        );
        let rows = TreeRows {
            rownnz: &rownnz,
            rowadr: &rowadr,
            colind: &colind,
        };
        tree::factor(rows, &mut case.factor, &mut case.factor_inverse);

        // A row touches the upper part of one or two chains.
        let columns_of = |random: &mut Random| {
            let mut columns = Vec::new();
            let first = (random.uniform() * chains as f64) as usize;
            let second = first / group * group + (random.uniform() * group as f64) as usize;
            let (low, high) = (first.min(second), first.max(second));
            for chain in if low == high {
                vec![low]
            } else {
                vec![low, high]
            } {
                let reach = 1 + (random.uniform() * length as f64) as usize;
                columns.extend((0..reach.min(length)).map(|k| (chain * length + k) as i32));
            }
            columns
        };
        let add_row = |case: &mut Case, random: &mut Random, columns: &[i32]| {
            case.j_rowadr.push(case.j.len() as i32);
            case.j_rownnz.push(columns.len() as i32);
            let before = case.j_rowadr.len().checked_sub(2);
            let last = before.map_or(0, |row| case.j_rowadr[row] as usize);
            case.repeats.push(case.j_colind[last..] == *columns);
            case.j_colind.extend(columns);
            case.j
                .extend(columns.iter().map(|_| random.between(-1.0, 1.0)));
            let d = random.between(0.5, 50.0);
            case.big_d.push(d);
            case.big_r.push(1.0 / d);
            case.loss.push(0.0);
            case.aref.push(random.between(-3.0, 3.0));
        };
        for _ in 0..n / 4 {
            let columns = columns_of(random);
            add_row(&mut case, random, &columns);
            case.equality_count += 1;
        }
        for _ in 0..n / 4 {
            let columns = columns_of(random);
            add_row(&mut case, random, &columns);
            *case.loss.last_mut().expect("a row was added") = random.between(0.1, 2.0);
            case.friction_count += 1;
        }
        for k in 0..n / 2 {
            let columns = columns_of(random);
            if is_elliptic && k % 2 == 0 {
                let dim = [3, 4, 6][k / 2 % 3];
                let row = case.big_d.len();
                let friction: [f64; 5] = std::array::from_fn(|_| random.between(0.3, 1.0));
                for _ in 0..dim {
                    add_row(&mut case, random, &columns);
                }
                // A circular cone in regularised space: R_j = R₁·f₁²/f_j², μ = f₁·√(R₁/R₀).
                let (r0, ratio) = (case.big_r[row], 1.0);
                for j in 1..dim {
                    let r = r0 / ratio * (friction[0] * friction[0])
                        / (friction[j - 1] * friction[j - 1]);
                    case.big_r[row + j] = r;
                    case.big_d[row + j] = 1.0 / r;
                }
                case.aref[row] = random.between(0.5, 3.0);
                case.cones.push(Cone { row, dim });
                let [a, b, c, d, e] = friction;
                case.cone_shapes.push([a, a, b, c, d, e]);
            } else {
                add_row(&mut case, random, &columns);
            }
        }
        case.qacc_smooth = (0..n).map(|_| random.between(-3.0, 3.0)).collect();
        case.qfrc_smooth = vec![0.0; n];
        tree::multiply(rows, &case.m, &case.qacc_smooth, &mut case.qfrc_smooth);
        case
    }

    pub fn problem(&self) -> Problem<'_> {
        Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: Rows {
                rownnz: &self.j_rownnz,
                rowadr: &self.j_rowadr,
                colind: &self.j_colind,
                repeats: &self.repeats,
                value: &self.j,
                full: None,
            },
            cones: &self.cones,
            cone_shapes: &self.cone_shapes,
            pyramids: &[],
            D: &self.big_d,
            R: &self.big_r,
            frictionloss: &self.loss,
            aref: &self.aref,
            tree: &self.tree,
            inertia_rows: TreeRows {
                rownnz: &self.m_rownnz,
                rowadr: &self.m_rowadr,
                colind: &self.m_colind,
            },
            inertia: &self.m,
            factor: &self.factor,
            factor_inverse: &self.factor_inverse,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            warm_start: None,
            scale: 1.0 / self.qacc_smooth.len() as f64,
        }
    }
}

/// The largest difference between two vectors.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f64::max)
}
