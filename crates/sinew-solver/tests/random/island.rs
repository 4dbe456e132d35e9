//! Islands of random problems: which trees they hold, and that each can be solved on its own.

use crate::case::{Case, TIGHT, difference, solve, solve_parts};
use sinew_solver::island::{Coupling, Islands};
use sinew_solver::{Method, Problem, Settings};

const CHAINS: usize = 12;
const LENGTH: usize = 3;

/// Chains tied within groups of three.
fn loose(seed: u64, is_elliptic: bool) -> Case {
    Case::in_groups(seed, CHAINS, LENGTH, is_elliptic, 3)
}

fn islands(case: &Case) -> Islands {
    let first = |chain: usize| (chain * LENGTH) as i32;
    let starts: Vec<i32> = (0..CHAINS).map(first).collect();
    let coupling = Coupling {
        tree_dofadr: &starts,
        tree_dofnum: &[LENGTH as i32; CHAINS],
        dof_treeid: &case.tree,
        jacobian: case.problem().jacobian,
        equality_count: case.equality_count,
        friction_count: case.friction_count,
        contact_start: case.equality_count + case.friction_count,
    };
    let mut out = Islands::default();
    out.find(&coupling, |row| panic!("row {row} has entries"));
    out
}

/// The lowest chain that each chain is tied to, by visiting all rows until nothing changes; −1 for
/// chains without rows.
fn lowest(case: &Case) -> Vec<i32> {
    let jacobian = case.problem().jacobian;
    let chains = |row: usize| jacobian.row(row).0.iter().map(|&c| case.tree[c as usize]);
    let mut lowest: Vec<i32> = vec![-1; CHAINS];
    for row in 0..jacobian.count() {
        chains(row).for_each(|chain| lowest[chain as usize] = chain);
    }
    loop {
        let before = lowest.clone();
        for row in 0..jacobian.count() {
            let least = chains(row).map(|chain| lowest[chain as usize]).min();
            chains(row).for_each(|chain| lowest[chain as usize] = least.expect("has entries"));
        }
        if lowest == before {
            return lowest;
        }
    }
}

#[test]
fn trees_share_an_island_if_rows_tie_them() {
    for seed in 0..40 {
        let case = loose(seed, seed % 2 == 0);
        let (found, lowest) = (islands(&case), lowest(&case));
        let mut roots: Vec<i32> = lowest.iter().copied().filter(|root| *root >= 0).collect();
        roots.sort_unstable();
        roots.dedup();
        assert!(roots.len() >= CHAINS / 3, "groups stay apart");
        assert_eq!(found.nisland, roots.len());
        for (chain, root) in lowest.iter().enumerate() {
            let island = roots.iter().position(|other| other == root);
            let island = island.map_or(-1, |island| island as i32);
            assert_eq!(found.tree_island[chain], island);
            assert_eq!(
                found.dof_island[chain * LENGTH..][..LENGTH],
                [island; LENGTH]
            );
        }

        // Both lists hold everything once, by island, ascending.
        let by_island = |list: &[i32], island: &[i32]| {
            let mut sorted: Vec<i32> = (0..list.len() as i32).collect();
            sorted.sort_by_key(|&i| (island[i as usize] as u32, i));
            assert_eq!(list, sorted);
        };
        by_island(&found.map_idof2dof, &found.dof_island);
        by_island(&found.map_iefc2efc, &found.efc_island);
        let positions = (0..).zip(&found.map_iefc2efc);
        assert!(
            positions
                .into_iter()
                .all(|(k, &row)| found.map_efc2iefc[row as usize] == k)
        );
        let counts = |counts: &[i32]| counts.iter().sum::<i32>() as usize;
        assert_eq!(counts(&found.island_ne), case.equality_count);
        assert_eq!(counts(&found.island_nf), case.friction_count);
        assert_eq!(counts(&found.island_nefc), case.big_d.len());
        assert_eq!(counts(&found.island_nv), found.nidof);
    }
}

#[test]
fn islands_have_the_minimum_of_the_whole() {
    for seed in 0..10 {
        for method in [Method::Newton, Method::ConjugateGradient] {
            let case = loose(seed, seed % 2 == 0);
            let islands = islands(&case);
            let settings = Settings { method, ..TIGHT };
            let whole = case.problem();
            let warm = vec![0.3; whole.dof_count()];
            let warm = Problem {
                warm_start: Some(&warm),
                ..whole
            };
            let together = solve(&whole, &settings);
            let apart = solve_parts(&warm, Some(&islands), &settings);
            assert!(difference(&together.qacc, &apart.qacc) < 1e-6);
            assert_eq!(apart.iterations.len(), islands.nisland);
            assert!(apart.iterations.iter().all(|count| *count > 0));
        }
    }
}

#[test]
fn a_row_without_entries_belongs_to_the_tree_told() {
    let mut case = loose(1, false);
    let mut expected = islands(&case);
    let row = case.j_rownnz.len();
    case.j_rownnz.push(0);
    case.j_rowadr.push(case.j.len() as i32);
    case.repeats.push(false);
    let coupling = Coupling {
        tree_dofadr: &[0, 12],
        tree_dofnum: &[12, 24],
        dof_treeid: &[[0; 12].as_slice(), &[1; 24]].concat(),
        jacobian: case.problem().jacobian,
        equality_count: case.equality_count,
        friction_count: case.friction_count,
        contact_start: row,
    };
    for tree in [0, 1] {
        expected.find(&coupling, |empty| {
            assert_eq!(empty, row);
            tree
        });
        assert_eq!(expected.efc_island[row], expected.tree_island[tree]);
    }
}
