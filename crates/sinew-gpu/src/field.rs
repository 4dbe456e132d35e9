//! The arrays of all worlds: in which memory each lies, and how.

use crate::scene::Scene;
use sinew_kernels::Number;
use sinew_kernels::block::EVENTS;

/// What memory an array is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Blocks of states.
    States,
    /// Times.
    Time,
    /// Rows of controls.
    Ctrl,
    /// Words.
    Words,
    /// Constraint problems, and what else a step finds out.
    Problems,
    /// How often each world has drawn random numbers.
    Draws,
    /// How many bad states were seen when the last call ended.
    Seen,
    /// Whether the last call failed.
    Failed,
    /// Whether episodes have ended.
    Terminated,
    /// Whether the time limit has been reached.
    Truncated,
    /// Whether episodes have ended as users say.
    Over,
    /// Which worlds the next call is about.
    Mask,
    /// Arrays besides the state that are asked for.
    Derived,
}

/// What an array consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    F32,
    F64,
    I32,
    U64,
    /// A byte that is 0 or 1.
    Flag,
}

impl Kind {
    /// The kind of a number that kernels compute with.
    pub fn of<T: Number>() -> Self {
        match size_of::<T>() {
            4 => Kind::F32,
            _ => Kind::F64,
        }
    }

    /// How many bytes one has.
    pub fn bytes(self) -> usize {
        match self {
            Kind::F32 | Kind::I32 => 4,
            Kind::F64 | Kind::U64 => 8,
            Kind::Flag => 1,
        }
    }
}

/// An array of all worlds, a row for each. Nothing of it is copied: the row of world `w` begins `offset + w · stride` numbers
/// after its memory, and its numbers follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The reference's name, where it has one.
    pub name: &'static str,
    /// What it is a part of.
    pub memory: Memory,
    /// What it consists of.
    pub kind: Kind,
    /// Where the row of the first world begins, in numbers.
    pub offset: usize,
    /// How far the rows of neighbours are apart, in numbers.
    pub stride: usize,
    /// The shape of a row.
    pub shape: Vec<usize>,
}

/// The arrays of worlds of a scene.
pub(crate) fn fields<T: Number>(scene: &Scene<T>) -> Vec<Field> {
    let (head, state) = (&scene.head, &scene.state);
    let kind = Kind::of::<T>();
    let of_state = |name, [start, _]: [usize; 2], shape: &[usize]| Field {
        name,
        memory: Memory::States,
        kind,
        offset: start,
        stride: state.length,
        shape: shape.to_vec(),
    };
    let single = |name, memory, kind| Field {
        name,
        memory,
        kind,
        offset: 0,
        stride: 1,
        shape: Vec::new(),
    };
    let mut all = vec![
        single("time", Memory::Time, Kind::F64),
        of_state("qpos", state.qpos, &[head.nq]),
        of_state("qvel", state.qvel, &[head.nv]),
        of_state("act", state.act, &[head.na]),
        of_state("qacc_warmstart", state.warm_start, &[head.nv]),
        of_state("qfrc_applied", state.applied, &[head.nv]),
        of_state("mocap_pos", state.mocap_pos, &[head.nmocap, 3]),
        of_state("mocap_quat", state.mocap_quat, &[head.nmocap, 4]),
        of_state("eq_active", state.eq_active, &[head.neq]),
        of_state("blocks", [0, 0], &[state.length]),
        Field {
            stride: head.nu,
            shape: vec![head.nu],
            ..single("ctrl", Memory::Ctrl, kind)
        },
        Field {
            offset: scene.words.events[0],
            stride: scene.words.length,
            shape: vec![EVENTS],
            ..single("events", Memory::Words, Kind::I32)
        },
        Field {
            offset: scene.problem.sensordata[0],
            stride: scene.problem.length,
            shape: vec![head.nsensordata],
            ..single("sensordata", Memory::Problems, kind)
        },
        single("draws", Memory::Draws, Kind::U64),
        single("seen", Memory::Seen, Kind::I32),
        single("failed", Memory::Failed, Kind::Flag),
        single("terminated", Memory::Terminated, Kind::Flag),
        single("truncated", Memory::Truncated, Kind::Flag),
        single("over", Memory::Over, Kind::Flag),
        single("mask", Memory::Mask, Kind::Flag),
    ];
    all.extend(scene.derived.iter().map(|array| Field {
        offset: array.start,
        stride: scene.derived_length(),
        shape: array.shape.clone(),
        ..single(array.name, Memory::Derived, kind)
    }));
    if head.wrenches != 0 {
        all.push(of_state("xfrc_applied", state.wrenches, &[head.nbody, 6]));
    }
    all
}
