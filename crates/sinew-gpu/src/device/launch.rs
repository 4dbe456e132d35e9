//! How kernels are started.

use super::{DeviceError, Kernels};
use crate::scene::Scene;
use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::{CudaFunction, CudaStream, DeviceRepr, LaunchConfig, PushKernelArg, result};
use sinew_kernels::contact::Finder;
use sinew_kernels::meeting;
use sinew_kernels::newton::{Form, quick};
use sinew_kernels::scene::Scene as Read;
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, forward};

/// Bytes that a block of a device can share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room(pub usize);

/// Warps of a team: many where there are few teams, so that each is soon done, and few where there are so many that several share
/// a multiprocessor and some compute while others wait; fewer still where bodies hang in a chain, so that one warp works most of
/// the time. No result depends on it.
fn team_size(teams: u32, multiprocessors: u32, is_narrow: bool) -> u32 {
    match teams {
        _ if teams <= multiprocessors => 12,
        _ if teams <= 2 * multiprocessors => 8,
        _ if teams > 4 * multiprocessors && is_narrow => 2,
        _ => 4,
    }
}

/// Warps of a block that reads what teams have written: numbers of worlds of one tile lie side by side, and what one warp reads is
/// near for the others. Where there are few worlds, each has a multiprocessor.
fn block_size(worlds: u32, multiprocessors: u32) -> u32 {
    if worlds <= multiprocessors { 1 } else { 8 }
}

/// Whether there are less than two bodies for each distance from the world.
fn is_narrow<T: Number>(scene: &Scene<T>) -> bool {
    scene.head.nbody - 1 < 2 * scene.head.levels
}

/// Most worlds that a kernel can be started for.
pub(super) const MOST_WORLDS: usize = 1 << 30;

/// Words of a scene that come with the arguments; the same for all numbers.
const HEADER: usize = Read::<f64>::HEADER;

/// Who computes worlds: a warp each one, some warps one after the other, or a team 32 of them; or threads the pairs of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Warp,
    Warps,
    Team,
    Threads,
}

/// A kernel of a step.
struct Kernel {
    name: &'static str,
    /// The name of its kind for such models where its memory is in a block; where it is not it is `large`.
    kind: String,
    /// Numbers of working memory of a warp, or of each world of a team.
    numbers: usize,
    who: Who,
    /// Fewest and most rows of the worlds that it is there for.
    rows: [u32; 2],
}

/// Warps of a multiprocessor that take world after world: those that look for worlds with many rows, and those whose memory is
/// large.
const WARPS: u32 = 16;

/// Rows for which the quick solver has many warps at once.
const FEW_ROWS: usize = 64;

/// The kernels of a step, in their order.
fn kernels_of<T: Number>(scene: &Scene<T>, room: Room) -> Vec<Kernel> {
    let head = &scene.head;
    let quick = forward::quick_length::<T>(head);
    let kernel = |name, kind: &str, numbers, who| Kernel {
        name,
        kind: kind.into(),
        numbers,
        who,
        rows: [0, u32::MAX],
    };
    let rows = if head.has_plain_rows() {
        "plain"
    } else {
        "small"
    };
    let others = if head.general == 0 { "plain" } else { "small" };
    let row_memory = forward::row_memory_length(head);
    let mut all = vec![kernel("smooth", others, quick, Who::Team)];
    if head.meetings > 0 {
        let near = meeting::memory_length(head);
        all.push(kernel("near", "small", near, Who::Warp));
        all.extend(scene.finders.iter().map(|&kind| {
            let memory = match kind {
                Finder::Polytope => meeting::polytope_length(head),
                _ => 0,
            };
            kernel("meet", kind.name(), memory, Who::Threads)
        }));
    }
    // Where there is nothing that could have rows their number stays zero.
    if head.rows + head.pairs > 0 {
        all.push(kernel("rows", rows, row_memory, Who::Warp));
    }
    if head.adheres > 0 {
        all.push(kernel("adhere", "small", quick, Who::Team));
    }
    all.extend(solvers(scene, room));
    if head.sensors > 0 {
        let kind = if head.senses_more == 0 {
            "plain"
        } else {
            "small"
        };
        all.push(kernel("sense", kind, quick, Who::Team));
    }
    for (count, kind, memory) in [
        (head.distances, "distance", meeting::polytope_length(head)),
        (head.rays, "ray", 0),
        (head.taxels, "tactile", 0),
        (head.remembers_energy, "energy", 0),
    ] {
        if count > 0 {
            all.push(kernel("gauge", kind, memory, Who::Threads));
        }
    }
    all.push(kernel("advance", others, quick, Who::Team));
    all
}

/// The kernels that solve: where worlds may have many rows, one for those that have few.
fn solvers<T: Number>(scene: &Scene<T>, room: Room) -> Vec<Kernel> {
    let head = &scene.head;
    let form = match Form::of::<T>(head) {
        form @ (Form::Quick | Form::Narrow)
            if !room.fits::<T>(form.memory_length(head), Who::Warp) =>
        {
            match head.has_parts {
                0 => Form::Whole,
                _ => Form::Parts,
            }
        }
        form => form,
    };
    let solver = |name, kind: String, numbers, rows: [u32; 2]| Kernel {
        name,
        kind,
        numbers,
        // Few worlds have many rows.
        who: if rows[0] > 0 { Who::Warps } else { Who::Warp },
        rows,
    };
    let (all, numbers) = ([0, u32::MAX], form.memory_length(head));
    match form {
        Form::Quick => {
            let name = if head.cones == 0 { "quick" } else { "cones" };
            let kind = format!("{name}_{}", head.stride().max(4));
            if head.rows <= FEW_ROWS {
                return vec![solver("solve", kind, numbers, all)];
            }
            let few = FEW_ROWS as u32;
            let smaller = quick::memory_length(head, FEW_ROWS);
            vec![
                solver("solve", kind.clone(), smaller, [0, few]),
                solver("solve", kind, numbers, [few + 1, u32::MAX]),
            ]
        }
        Form::Narrow => vec![solver("solve", "narrow".into(), numbers, all)],
        Form::Whole => vec![solver("solve", "small".into(), numbers, all)],
        Form::Parts => vec![solver("parts", "small".into(), numbers, all)],
    }
}

/// Bytes that a block of a kernel works in.
fn bytes<T>(numbers: usize, who: Who) -> usize {
    let worlds = match who {
        Who::Warp | Who::Warps => 1,
        Who::Team => LANES,
        Who::Threads => 0,
    };
    worlds * numbers * size_of::<T>()
}

impl Room {
    /// Whether a kernel has room for its memory in a block.
    fn fits<T>(self, numbers: usize, who: Who) -> bool {
        bytes::<T>(numbers, who) <= self.0
    }
}

/// The scene as the kernels have to see it: those that work outside of blocks are there for models of any kind alone, whose
/// memory has more in it.
pub(super) fn suited<T: Number>(scene: Scene<T>, room: Room) -> Scene<T> {
    let is_outside = |kernel: &Kernel| {
        let has_plain = matches!(kernel.name, "smooth" | "rows" | "advance");
        has_plain && !room.fits::<T>(kernel.numbers, kernel.who)
    };
    match kernels_of(&scene, room).iter().any(is_outside) {
        true => scene.into_general(),
        false => scene,
    }
}

impl Kernel {
    /// Whether its memory is in blocks. A solver whose blocks take more than half of what there is would have a multiprocessor for
    /// each warp: many warps that work outside are faster.
    fn is_inside<T>(&self, room: Room) -> bool {
        let is_alone = matches!(self.name, "solve" | "parts") && self.kind == "small";
        let room = if is_alone { Room(room.0 / 2) } else { room };
        room.fits::<T>(self.numbers, self.who)
    }

    /// Numbers of working memory that a warp, or a world of a team, has outside of blocks.
    fn outside<T>(&self, room: Room) -> usize {
        match self.who {
            Who::Threads => self.numbers,
            _ if self.is_inside::<T>(room) => 0,
            _ => self.numbers.next_multiple_of(4),
        }
    }
}

/// Threads that look at pair after pair: as many as a multiprocessor computes at a time, but fewer where each has much memory.
fn threads(worlds: u32, multiprocessors: u32, memory: u32) -> u32 {
    let each = if memory > 0 { 128 } else { 512 };
    // However few worlds there are: each may have many pairs.
    let wanted = worlds.saturating_mul(64);
    wanted.min(each * multiprocessors)
}

/// Warps that take world after world.
fn warps(worlds: u32, multiprocessors: u32) -> u32 {
    worlds.min(WARPS * multiprocessors)
}

/// Numbers of working memory of so many worlds outside of blocks, for kernels that have no room there.
pub(super) fn scratch<T: Number>(
    scene: &Scene<T>,
    room: Room,
    worlds: usize,
    multiprocessors: u32,
) -> Option<usize> {
    let mut most = 0;
    for kernel in kernels_of(scene, room) {
        let count = match kernel.who {
            Who::Warps => warps(u32::try_from(worlds).ok()?, multiprocessors) as usize,
            Who::Threads => {
                let memory = kernel.outside::<T>(room) as u32;
                threads(u32::try_from(worlds).ok()?, multiprocessors, memory) as usize
            }
            Who::Warp | Who::Team => worlds,
        };
        most = most.max(kernel.outside::<T>(room).checked_mul(count)?);
    }
    Some(most)
}

/// Bytes of the counters of pairs that are sent to threads.
const COUNTERS: usize = 4 * size_of::<u32>();

/// Bytes of these and of the pairs, for so many worlds.
pub(super) fn queue_bytes<T: Number>(scene: &Scene<T>, worlds: usize) -> Option<usize> {
    let pairs = scene.head.meetings.checked_mul(worlds)?;
    let each = 3 * size_of::<[u32; 2]>();
    pairs.checked_mul(each)?.checked_add(COUNTERS)
}

/// What kernels are told: the same for all of them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments {
    pub words: u64,
    pub numbers: u64,
    pub own: u64,
    pub time: u64,
    pub states: u64,
    pub ctrl: u64,
    pub problems: u64,
    pub events: u64,
    pub tiles: u64,
    pub scratch: u64,
    pub derived: u64,
    /// 0: a kernel is about all worlds.
    pub mask: u64,
    pub word_count: u32,
    pub number_count: u32,
    pub own_count: u32,
    pub own_stride: u32,
    pub worlds: u32,
    pub warp_memory: u32,
    pub team_memory: u32,
    pub fewest_rows: u32,
    pub most_rows: u32,
    pub unused: u32,
    pub queues: u64,
    pub header: [i32; HEADER],
}

// SAFETY: plain integers, in the layout of the kernels' arguments.
unsafe impl DeviceRepr for Arguments {}

/// What is known of the last call of each world.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Episodes {
    pub seen: u64,
    pub failed: u64,
    pub terminated: u64,
    pub truncated: u64,
    pub over: u64,
    /// 0: a call is about all worlds.
    pub mask: u64,
    pub limit: f64,
}

// SAFETY: plain numbers, in the layout of the kernels' arguments.
unsafe impl DeviceRepr for Episodes {}

/// How worlds begin anew.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Resetting {
    /// 0: no other flags must be set.
    pub also: u64,
    pub draws: u64,
    pub start: u64,
    pub start_ctrl: u64,
    /// 0: all worlds have the same start.
    pub start_stride: u32,
    pub start_ctrl_stride: u32,
    pub start_time: f64,
    pub seed: u64,
    pub position: f64,
    pub velocity: f64,
    pub spread: u32,
}

// SAFETY: plain numbers, in the layout of the kernels' arguments.
unsafe impl DeviceRepr for Resetting {}

/// Worlds as they were before a call that is not about all of them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub time: u64,
    pub states: u64,
    pub ctrl: u64,
    pub events: u64,
    pub readings: u64,
}

// SAFETY: plain numbers, in the layout of the kernels' arguments.
unsafe impl DeviceRepr for Kept {}

/// The kernels between steps, in which a thread has a world.
#[derive(Debug)]
pub(super) struct Between {
    reset: CudaFunction,
    end: CudaFunction,
    put_back: CudaFunction,
}

impl Between {
    pub fn new<T>(kernels: &Kernels<T>) -> Result<Self, DeviceError> {
        let load = |name: &str| kernels.module.load_function(name);
        Ok(Between {
            reset: load("reset_worlds")?,
            end: load("end_worlds")?,
            put_back: load("put_back_worlds")?,
        })
    }

    pub fn reset(
        &self,
        stream: &CudaStream,
        worlds: &Arguments,
        episodes: &Episodes,
        resetting: &Resetting,
    ) -> Result<(), DeviceError> {
        let mut builder = stream.launch_builder(&self.reset);
        builder.arg(worlds).arg(episodes).arg(resetting);
        // SAFETY: the arguments name arrays of a batch, with an entry for each of its worlds.
        unsafe { builder.launch(a_thread_each(worlds))? };
        Ok(())
    }

    pub fn end(
        &self,
        stream: &CudaStream,
        worlds: &Arguments,
        episodes: &Episodes,
    ) -> Result<(), DeviceError> {
        let mut builder = stream.launch_builder(&self.end);
        builder.arg(worlds).arg(episodes);
        // SAFETY: the arguments name arrays of a batch, with an entry for each of its worlds.
        unsafe { builder.launch(a_thread_each(worlds))? };
        Ok(())
    }

    pub fn put_back(
        &self,
        stream: &CudaStream,
        worlds: &Arguments,
        episodes: &Episodes,
        kept: &Kept,
    ) -> Result<(), DeviceError> {
        let mut builder = stream.launch_builder(&self.put_back);
        builder.arg(worlds).arg(episodes).arg(kept);
        // SAFETY: the arguments name arrays of a batch, and others of their sizes.
        unsafe { builder.launch(a_thread_each(worlds))? };
        Ok(())
    }
}

/// Blocks in which each thread has a world.
fn a_thread_each(worlds: &Arguments) -> LaunchConfig {
    let threads = 2 * LANES as u32;
    LaunchConfig {
        grid_dim: (worlds.worlds.div_ceil(threads), 1, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// The first words of a scene.
pub(super) fn header<T: Number>(scene: &Scene<T>) -> [i32; HEADER] {
    let mut out = [0; HEADER];
    for (out, &word) in out.iter_mut().zip(&scene.packed.words) {
        *out = word;
    }
    out
}

/// A kernel and how it is started.
#[derive(Debug)]
pub(super) struct Launch {
    /// Name of the kernel.
    pub name: String,
    function: CudaFunction,
    who: Who,
    rows: [u32; 2],
    multiprocessors: u32,
    /// Warps of a block for which a multiprocessor has registers and memory.
    most_warps: u32,
    /// Bytes that a team, or a warp, has in its block.
    shared: u32,
    /// Numbers that a warp has there, or outside of its block; a thread has them outside.
    memory: u32,
    /// Whether pairs are sent to others: their counters begin at 0.
    sends: bool,
    is_solver: bool,
    /// Whether few bodies are as far from the world as others.
    is_narrow: bool,
}

impl Launch {
    /// The kernels of a step, in their order.
    pub fn of_step<T: Number>(
        kernels: &Kernels<T>,
        scene: &Scene<T>,
    ) -> Result<Vec<Self>, DeviceError> {
        let room = kernels.room()?;
        let all = kernels_of(scene, room).into_iter();
        let is_narrow = is_narrow(scene);
        all.map(|kernel| load(kernels, kernel, room, is_narrow))
            .collect()
    }

    /// The kernel that gathers what users ask for besides the state, if they do.
    pub fn of_derived<T: Number>(
        kernels: &Kernels<T>,
        scene: &Scene<T>,
    ) -> Result<Option<Self>, DeviceError> {
        if scene.derived.is_empty() {
            return Ok(None);
        }
        let kernel = Kernel {
            name: "derive",
            kind: "worlds".into(),
            numbers: 0,
            who: Who::Team,
            rows: [0, u32::MAX],
        };
        load(kernels, kernel, kernels.room()?, is_narrow(scene)).map(Some)
    }

    /// Whether it moves states.
    pub fn moves(&self) -> bool {
        self.name.starts_with("advance")
    }

    /// Starts the kernel; does not wait for it.
    pub fn start(&self, stream: &CudaStream, arguments: &Arguments) -> Result<(), DeviceError> {
        let arguments = &Arguments {
            fewest_rows: self.rows[0],
            most_rows: self.rows[1],
            warp_memory: self.memory,
            ..*arguments
        };
        if self.sends {
            // SAFETY: a batch has so many counters.
            unsafe { result::memset_d8_async(arguments.queues, 0, COUNTERS, stream.cu_stream())? };
        }
        let mut builder = stream.launch_builder(&self.function);
        builder.arg(arguments);
        let lanes = LANES as u32;
        let (worlds, multiprocessors) = (arguments.worlds, self.multiprocessors);
        let (blocks, threads, shared) = match self.who {
            Who::Warps => (warps(worlds, multiprocessors), lanes, self.shared),
            Who::Warp => {
                let warps = match self.is_solver {
                    // Worlds take different times: nobody waits for others.
                    true => 1,
                    false => block_size(worlds, multiprocessors).min(self.most_warps),
                };
                (worlds.div_ceil(warps), warps * lanes, warps * self.shared)
            }
            Who::Threads => {
                let threads = threads(worlds, multiprocessors, self.memory);
                (threads.div_ceil(2 * lanes), 2 * lanes, 0)
            }
            Who::Team => {
                let teams = worlds.div_ceil(lanes);
                let warps = team_size(teams, multiprocessors, self.is_narrow).min(self.most_warps);
                (teams, warps * lanes, self.shared)
            }
        };
        let shape = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: shared,
        };
        // SAFETY: the arguments name arrays of a batch, in the sizes that the kernels compute from its scene.
        unsafe { builder.launch(shape)? };
        Ok(())
    }
}

/// A kernel in the size whose working memory is large enough.
fn load<T>(
    kernels: &Kernels<T>,
    kernel: Kernel,
    room: Room,
    is_narrow: bool,
) -> Result<Launch, DeviceError> {
    let is_shared = kernel.is_inside::<T>(room);
    let kind = if is_shared { &kernel.kind } else { "large" };
    let (shared, memory) = match (is_shared, kernel.who) {
        (true, Who::Warp | Who::Warps) => {
            let numbers = kernel.numbers.next_multiple_of(4);
            (bytes::<T>(numbers, kernel.who), numbers)
        }
        (true, Who::Team) => (bytes::<T>(kernel.numbers, kernel.who), 0),
        _ => (0, kernel.outside::<T>(room)),
    };
    let name = format!("{}_{kind}", kernel.name);
    let function = kernels.module.load_function(&name)?;
    let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let before = function.get_attribute(most)?;
    let most_threads = Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
    let most_threads = function.get_attribute(most_threads)? as usize;
    let (mut most_warps, mut most_shared) = (most_threads / LANES, shared);
    if kernel.who == Who::Warp && shared > 0 {
        most_warps = most_warps.min(room.0 / shared).max(1);
        most_shared = most_warps * shared;
    }
    function.set_attribute(most, before.max(most_shared as i32))?;
    Ok(Launch {
        name,
        function,
        who: kernel.who,
        rows: kernel.rows,
        multiprocessors: kernels.multiprocessors()?,
        most_warps: most_warps as u32,
        shared: shared as u32,
        memory: memory as u32,
        sends: kernel.name == "near",
        is_solver: matches!(kernel.name, "solve" | "parts"),
        is_narrow,
    })
}
