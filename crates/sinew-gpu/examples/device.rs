//! Worlds on a graphics processor against worlds on the processor: bits in double precision, errors in single
//! precision, steps per second.
//!
//! usage: device FOLDER MODEL… [--time f32|f64 WORLDS | --compare f32|f64 WORLDS]
//!
//! FOLDER has the kernels that `crates/sinew-kernels/device/build` compiled. `--time` only measures one kind of numbers with
//! one number of worlds, as a profiler wants it; `--compare` only compares so many of them, for as many steps as the variable
//! STEPS says.

use bytemuck::cast_slice_mut;
use sinew_gpu::{
    Capacity, Device, DeviceBatch, DeviceError, Emulated, Emulation, Event, Kernels, Memory, Order,
    Rows, Scene, Worlds,
};
use sinew_kernels::Number;
use sinew_mjcf::load_path;
use sinew_model::Model;
use std::time::Instant;

/// Worlds whose numbers are compared, and those that are timed.
const COMPARED: usize = 128;
const TIMED: [usize; 6] = [1, 64, 1024, 8192, 32768, 131_072];

/// Steps after which numbers are compared.
const MARKS: [usize; 5] = [1, 2, 10, 100, 1000];

/// Room for contacts: as many as the variable CONTACTS says.
fn room() -> Capacity {
    let said = std::env::var("CONTACTS").ok();
    let contacts = said.and_then(|text| text.parse().ok());
    Capacity {
        contacts: contacts.unwrap_or(Capacity::default().contacts),
        ..Capacity::default()
    }
}

/// Steps that are compared: as many as the variable STEPS says.
fn steps() -> usize {
    let said = std::env::var("STEPS").ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(100)
}

/// Numbers between −1 and 1 that look as if they were random, equal in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn numbers<T: Number>(&mut self, count: usize) -> Vec<T> {
        (0..count).map(|_| T::from_f64(self.next())).collect()
    }
}

/// States at the start, or at the first keyframe, with random velocities.
fn states<T: Number>(scene: &Scene<T>, model: &Model, worlds: usize) -> Vec<T> {
    let mut noise = Noise(3);
    let mut states = scene.start.clone();
    let [start, end] = scene.state.qpos;
    if model.nkey > 0 {
        for (x, &key) in states[start..end].iter_mut().zip(&model.key_qpos) {
            *x = T::from_f64(key);
        }
    }
    let mut states = states.repeat(worlds);
    let [start, end] = scene.state.qvel;
    for block in states.chunks_exact_mut(scene.state.length) {
        block[start..end].copy_from_slice(&noise.numbers(end - start));
    }
    states
}

/// Random controls, within their ranges where they have some.
fn controls<T: Number>(model: &Model, worlds: usize) -> Vec<T> {
    let mut noise = Noise(7);
    let mut control = |i: usize| {
        let part = noise.next();
        let [low, high] = model.actuator_ctrlrange[i];
        T::from_f64(match low < high {
            true => low + (high - low) * (part + 1.0) / 2.0,
            false => part,
        })
    };
    (0..worlds * model.nu)
        .map(|i| control(i % model.nu))
        .collect()
}

fn compare<T: Emulated + Send>(
    kernels: &Kernels<T>,
    model: &Model,
    count: usize,
) -> Result<(), DeviceError> {
    let mut device = DeviceBatch::<T>::new(kernels, model, count, room())?;
    let scene = device.scene().clone();
    let start = states(&scene, model, count);
    device.set_states(&start)?;
    let mut here = Emulation::new(scene.clone(), count, Order::Ascending);
    here.states.copy_from_slice(&start);
    let double = Scene::<f64>::new(model, room()).map_err(DeviceError::Refused)?;
    let mut exact = Emulation::new(double, count, Order::Ascending);
    for (exact, x) in exact.states.iter_mut().zip(&start) {
        *exact = x.to_f64();
    }
    let mut noise = Noise(5);
    for step in 1..=steps() {
        here.ctrl = noise.numbers(count * scene.head.nu);
        device.set_ctrl(&here.ctrl)?;
        device.step(1)?;
        here.step();
        if size_of::<T>() == 4 && step <= 10 {
            exact.ctrl = here.ctrl.iter().map(|x| x.to_f64()).collect();
            exact.step();
        }
        if !MARKS.contains(&step) {
            continue;
        }
        let got = device.states()?;
        let pairs = || {
            got.iter()
                .zip(&here.states)
                .map(|(a, b)| (a.to_f64(), b.to_f64()))
        };
        let differ = pairs().filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let worst = pairs()
            .map(|(a, b)| (a - b).abs() / b.abs().max(1.0))
            .fold(0.0, f64::max);
        println!(
            "  step {step}: {differ} of {} numbers have other bits, worst {worst:.1e}",
            got.len()
        );
        let (other, all) = other_readings(&device, &here, count)?;
        if all > 0 {
            println!("    {other} of {all} numbers of sensors have other bits");
        }
        if size_of::<T>() == 8 && differ > 0 {
            where_they_differ(&got, &here.states, scene.state.length);
        }
        if size_of::<T>() == 4 && step <= 10 {
            let layout = &scene.state;
            for (name, place) in [
                ("qpos", layout.qpos),
                ("qvel", layout.qvel),
                ("qacc", layout.warm_start),
            ] {
                errors(name, place, layout.length, &got, &exact.states);
            }
        }
    }
    let sum = |event: Event| {
        (0..count)
            .map(|world| here.count(world, event))
            .sum::<usize>()
    };
    let rows: usize = (0..count).map(|world| here.counts(world)[0]).sum();
    println!(
        "  rows {:.1}, contacts without room {}, shallow {}, bad {}",
        rows as f64 / count as f64,
        sum(Event::LostContact),
        sum(Event::ShallowTouch),
        sum(Event::BadState)
    );
    Ok(())
}

/// How many numbers that sensors read have other bits on the device, and how many there are.
fn other_readings<T: Emulated + Send>(
    device: &DeviceBatch<T>,
    here: &Emulation<T>,
    count: usize,
) -> Result<(usize, usize), DeviceError> {
    let (layout, number) = (device.scene().problem, size_of::<T>());
    let [start, end] = layout.sensordata;
    let mut got = vec![T::ZERO; count * (end - start)];
    let rows = Rows {
        memory: Memory::Problems,
        start: start * number,
        count,
        pitch: layout.length * number,
        width: (end - start) * number,
    };
    if !got.is_empty() {
        device.read(rows, cast_slice_mut(&mut got))?;
    }
    let wanted = (0..count).flat_map(|world| here.sensordata(world));
    let bits = |x: &T| x.to_f64().to_bits();
    let pairs = got.iter().zip(wanted);
    let other = pairs.filter(|(a, b)| bits(a) != bits(b)).count();
    Ok((other, got.len()))
}

/// Tells which numbers of the first world with other bits differ, by their place in its block.
fn where_they_differ<T: Number>(got: &[T], wanted: &[T], length: usize) {
    let mut pairs = got.chunks_exact(length).zip(wanted.chunks_exact(length));
    let bits = |x: &T| x.to_f64().to_bits();
    let is_other = |(a, b): &(&[T], &[T])| a.iter().zip(*b).any(|(a, b)| bits(a) != bits(b));
    let Some((world, (a, b))) = pairs.by_ref().enumerate().find(|(_, pair)| is_other(pair)) else {
        return;
    };
    let all = got.chunks_exact(length).zip(wanted.chunks_exact(length));
    let others: Vec<usize> = all
        .enumerate()
        .filter(|(_, pair)| is_other(pair))
        .map(|(i, _)| i)
        .collect();
    println!("    worlds {others:?}");
    let places = (0..length).filter(|&i| bits(&a[i]) != bits(&b[i]));
    println!("    world {world}: {:?}", places.collect::<Vec<_>>());
}

/// Largest errors of worlds, relative to their largest number.
fn errors<T: Number>(
    name: &str,
    [start, end]: [usize; 2],
    length: usize,
    got: &[T],
    exact: &[f64],
) {
    let worlds = got.chunks_exact(length).zip(exact.chunks_exact(length));
    let mut errors: Vec<f64> = worlds
        .map(|(got, exact)| {
            let (mut error, mut size) = (0.0_f64, 1.0_f64);
            for (a, &b) in got[start..end].iter().zip(&exact[start..end]) {
                error = error.max((a.to_f64() - b).abs());
                size = size.max(b.abs());
            }
            error / size
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
    println!(
        "    {name} against f64: median {:.1e}, 99 of 100 {:.1e}, most {:.1e}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn time<T: Number>(
    kernels: &Kernels<T>,
    model: &Model,
    counts: &[usize],
) -> Result<(), DeviceError> {
    for &worlds in counts {
        let mut device = DeviceBatch::<T>::new(kernels, model, worlds, room())?;
        let start = states(device.scene(), model, worlds);
        device.set_states(&start)?;
        let ctrl = controls::<T>(model, worlds);
        device.set_ctrl(&ctrl)?;
        device.step(50)?;
        device.wait()?;
        let parts = device.kernel_times(10)?;
        let parts: Vec<String> = parts
            .iter()
            .map(|(name, time)| format!("{name} {time:.1}"))
            .collect();
        let before: usize = device.counts(Event::Iterations)?.iter().sum();
        let mut best = f64::MAX;
        for _ in 0..4 {
            let begin = Instant::now();
            device.step(50)?;
            device.wait()?;
            best = best.min(begin.elapsed().as_secs_f64() / 50.0);
        }
        let after: usize = device.counts(Event::Iterations)?.iter().sum();
        println!(
            "  {worlds} worlds: {:.1} µs, {:.1} ns per world, {:.2} M steps/s; {} µs; {:.2} iterations; bad {}, without room {}",
            best * 1e6,
            best * 1e9 / worlds as f64,
            worlds as f64 / best / 1e6,
            parts.join(", "),
            (after - before) as f64 / (200 * worlds) as f64,
            device.counts(Event::BadState)?.iter().sum::<usize>(),
            device.counts(Event::LostContact)?.iter().sum::<usize>(),
        );
    }
    Ok(())
}

/// What is to be done alone: whether that is to compare, the kind of numbers, and how many worlds.
type Only = Option<(bool, String, usize)>;

fn run(folder: &str, paths: &[String], only: &Only) -> Result<(), DeviceError> {
    let begin = Instant::now();
    let device = Device::find(0)?;
    let (major, minor) = device.architecture()?;
    println!(
        "{}, found after {:.2} s",
        device.name()?,
        begin.elapsed().as_secs_f64()
    );
    for path in paths {
        let model = match load_path(path) {
            Ok(loaded) => loaded.model,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        for real in ["f64", "f32"] {
            if only.as_ref().is_some_and(|(_, wanted, _)| wanted != real) {
                continue;
            }
            let file = format!("{folder}/{real}-sm_{major}{minor}.cubin");
            let Ok(code) = std::fs::read(&file) else {
                println!("{file} cannot be read");
                continue;
            };
            println!("{path}, {real}");
            let result = match real {
                "f64" => measure::<f64>(&device, code, &model, only),
                _ => measure::<f32>(&device, code, &model, only),
            };
            if let Err(error) = result {
                println!("  {error}");
                if matches!(error, DeviceError::Driver(_)) {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}

fn measure<T: Emulated + Send>(
    device: &Device,
    code: Vec<u8>,
    model: &Model,
    only: &Only,
) -> Result<(), DeviceError> {
    let begin = Instant::now();
    let kernels = &device.compiled_kernels::<T>(code)?;
    let loaded = begin.elapsed().as_secs_f64();
    match only {
        Some((true, _, worlds)) => return compare(kernels, model, *worlds),
        Some((false, _, worlds)) => return time(kernels, model, &[*worlds]),
        None => {}
    }
    let mut worlds = DeviceBatch::<T>::new(kernels, model, 1024, room())?;
    worlds.step(1)?;
    worlds.wait()?;
    println!(
        "  kernels loaded after {:.1} ms, first step of 1024 worlds after {:.3} s",
        loaded * 1e3,
        begin.elapsed().as_secs_f64()
    );
    compare(kernels, model, COMPARED)?;
    time(kernels, model, &TIMED)
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut only = None;
    let is_option = |word: &String| word == "--time" || word == "--compare";
    if let Some(at) = arguments.iter().position(is_option) {
        let rest = arguments.split_off(at);
        only = match &rest[..] {
            [what, real, worlds] => {
                let worlds = worlds.parse().ok();
                worlds.map(|worlds| (what == "--compare", real.clone(), worlds))
            }
            _ => None,
        };
        if only.is_none() {
            arguments.clear();
        }
    }
    let Some((folder, paths)) = arguments.split_first() else {
        println!("usage: device FOLDER MODEL… [--time f32|f64 WORLDS | --compare f32|f64 WORLDS]");
        return;
    };
    if let Err(error) = run(folder, paths, &only) {
        println!("{error}");
    }
}
