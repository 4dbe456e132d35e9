//! Tendons of any kind, by a team: each member computes some. A tendon has a row over the degrees of freedom in the memory
//! of its world.

use crate::Number;
use crate::forces::cord_length;
use crate::local::{General, com_of, kinematics_of};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, Scene};
use crate::sums::{dot_of, sparse_dot_where};
use crate::team::Team;
use sinew_dynamics::com::ComMut;
use sinew_dynamics::kinematics::KinematicsMut;
use sinew_dynamics::spring::outside_band;
use sinew_dynamics::transmission::{self, Entries, Paths};
use sinew_math::series::Series;

/// A tendon of a scene.
#[derive(Clone, Copy)]
pub(crate) struct Cord<'a, T> {
    words: &'a [i32; CORD_WORDS],
    numbers: &'a [T; CORD_NUMBERS],
}

impl<'a, T: Number> Cord<'a, T> {
    #[inline(always)]
    pub fn new(scene: &Scene<'a, T>, index: usize) -> Self {
        Cord {
            words: &scene.tables.cord_words.as_chunks().0[index],
            numbers: &scene.tables.cord_numbers.as_chunks().0[index],
        }
    }

    /// Its number among the tendons of the model.
    #[inline(always)]
    pub fn tendon(&self) -> usize {
        self.words[0] as usize
    }

    #[inline(always)]
    pub fn is_limited(&self) -> bool {
        self.words[1] != 0
    }

    #[inline(always)]
    pub fn is_spatial(&self) -> bool {
        self.words[6] != 0
    }

    /// Margin and range of its limits.
    #[inline(always)]
    pub fn limit(&self) -> (T, [T; 2]) {
        (self.numbers[4], [self.numbers[5], self.numbers[6]])
    }

    #[inline(always)]
    pub fn damping(&self) -> T {
        self.numbers[1]
    }

    #[inline(always)]
    pub fn frictionloss(&self) -> T {
        self.numbers[7]
    }

    /// Stiffness and rest lengths of its spring.
    #[inline(always)]
    pub fn spring(&self) -> (T, [T; 2]) {
        (self.numbers[0], [self.numbers[2], self.numbers[3]])
    }

    #[inline(always)]
    pub fn armature(&self) -> T {
        self.numbers[8]
    }

    /// Its length at the reference.
    #[inline(always)]
    pub fn length0(&self) -> T {
        self.numbers[9]
    }

    /// The range of all actuator forces along it together.
    #[inline(always)]
    pub fn force_range(&self) -> Option<[T; 2]> {
        (self.words[7] != 0).then_some([self.numbers[10], self.numbers[11]])
    }
}

impl<T: Number> General<'_, T> {
    /// An entry of a tendon's row.
    #[inline(always)]
    pub fn cord_entry(&self, nv: usize, cord: usize, dof: usize) -> T {
        self.cord_row[cord * nv + dof]
    }

    /// Whether compressed rows have an entry of a tendon, or a full row has one that is not zero.
    #[inline(always)]
    pub fn has_entry(&self, scene: &Scene<'_, T>, cord: usize, dof: usize) -> bool {
        let place = cord * scene.head.nv + dof;
        match scene.head.is_sparse {
            0 => self.cord_row[place] != T::ZERO,
            _ => self.cord_marks[place] != T::ZERO,
        }
    }

    /// Whether compressed or full rows have an entry.
    #[inline(always)]
    pub fn is_stored(&self, scene: &Scene<'_, T>, cord: usize, dof: usize) -> bool {
        scene.head.is_sparse == 0 || self.has_entry(scene, cord, dof)
    }

    /// How fast the length of a tendon changes.
    #[inline(always)]
    pub fn cord_speed(&self, scene: &Scene<'_, T>, cord: usize, qvel: &Series<T>) -> T {
        let nv = scene.head.nv;
        let product = |dof: usize| self.cord_entry(nv, cord, dof) * qvel[dof];
        match scene.head.is_sparse {
            0 => dot_of(nv, product),
            _ => sparse_dot_where(nv, |dof| self.has_entry(scene, cord, dof), product),
        }
    }
}

/// The row of a tendon while it is gathered.
struct CordRow<'a, T> {
    row: &'a mut Series<T>,
    marks: &'a mut Series<T>,
    start: usize,
    is_sparse: bool,
}

impl<T: Number> CordRow<'_, T> {
    #[inline(always)]
    fn mark(&mut self, dof: usize) {
        if self.is_sparse {
            self.marks[self.start + dof] = T::ONE;
        }
    }
}

impl<T: Number> Entries<T> for CordRow<'_, T> {
    #[inline(always)]
    fn add(&mut self, dof: usize, value: T) {
        self.row[self.start + dof] += value;
        self.mark(dof);
    }

    #[inline(always)]
    fn set(&mut self, dof: usize, value: T) {
        self.row[self.start + dof] = value;
        self.mark(dof);
    }
}

/// Lengths and rows of all tendons.
#[inline(always)]
pub(crate) fn rows<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    qpos: &Series<T>,
    (kinematics, com): (&KinematicsMut<'_, T>, &ComMut<'_, T>),
    out: &mut General<'_, T>,
) {
    let (head, tables, extra) = (&scene.head, &scene.tables, &scene.extra);
    let is_sparse = head.is_sparse != 0;
    let length = head.cords * head.nv;
    team.each(length, |k| {
        out.cord_row[k] = T::ZERO;
        if is_sparse {
            out.cord_marks[k] = T::ZERO;
        }
    });
    let at = &transmission::Scene {
        tree: scene.tree,
        attached: scene.attached,
        kinematics: kinematics_of(kinematics),
        com: com_of(com),
    };
    let paths = &Paths {
        wrap_type: extra.wrap_type,
        wrap_objid: extra.wrap_objid,
        wrap_prm: extra.wrap_prm,
        geom_size: extra.geom_size,
    };
    team.each(head.cords, |index| {
        let cord = Cord::new(scene, index);
        let row = &mut CordRow {
            row: &mut *out.cord_row,
            marks: &mut *out.cord_marks,
            start: index * head.nv,
            is_sparse,
        };
        out.cord_length[index] = if cord.is_spatial() {
            let tendon = cord.tendon();
            let path = (
                extra.tendon_adr[tendon] as usize,
                extra.tendon_num[tendon] as usize,
            );
            transmission::string(at, paths, path, row, |_, _| {})
        } else {
            let first = cord.words[4] as usize;
            for k in first..first + cord.words[5] as usize {
                row.set(tables.cord_columns[k] as usize, tables.cord_entries[k]);
            }
            cord_length(scene, index, qpos)
        };
    });
}

/// Adds the inertia of tendons to M.
#[inline(always)]
pub(crate) fn armature<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    general: &General<'_, T>,
    M: &mut Series<T>,
) {
    let (head, tree) = (&scene.head, &scene.tree);
    team.each(head.nv, |i| {
        let start = tree.M_rowadr[i] as usize;
        for cord in 0..head.cords {
            let armature = Cord::new(scene, cord).armature();
            let own = general.cord_entry(head.nv, cord, i);
            if armature == T::ZERO || own == T::ZERO {
                continue;
            }
            for entry in start..start + tree.M_rownnz[i] as usize {
                let column = tree.M_colind[entry] as usize;
                let other = general.cord_entry(head.nv, cord, column);
                if head.is_sparse == 0 {
                    M[entry] += armature * own * other;
                } else if general.has_entry(scene, cord, column) {
                    M[entry] += other * (armature * own);
                }
            }
        }
    });
}

/// Adds the forces of springs and dampers.
#[inline(always)]
pub(crate) fn forces<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    qvel: &Series<T>,
    general: &mut General<'_, T>,
    (springs, dampers): (&mut Series<T>, &mut Series<T>),
) {
    let head = &scene.head;
    team.each(head.cords, |index| {
        let numbers = Cord::new(scene, index).numbers;
        let outside = outside_band(general.cord_length[index], [numbers[2], numbers[3]]);
        general.cord_spring[index] = numbers[0] * outside;
        let speed = general.cord_speed(scene, index, qvel);
        general.cord_damper[index] = -numbers[1] * speed;
    });
    team.each(head.nv, |dof| {
        for cord in 0..head.cords {
            let (spring, damper) = (general.cord_spring[cord], general.cord_damper[cord]);
            let acts = spring != T::ZERO || damper != T::ZERO;
            if acts && general.is_stored(scene, cord, dof) {
                let entry = general.cord_entry(head.nv, cord, dof);
                springs[dof] += entry * spring;
                dampers[dof] += entry * damper;
            }
        }
    });
}
