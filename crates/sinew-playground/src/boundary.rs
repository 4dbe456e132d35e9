//! The playground as a page calls it: functions of numbers, and two places in memory for bytes.
//!
//! A page asks for [`room`], writes bytes there and calls the function that takes them; what a function has to say is
//! read from [`told`], its length from [`told_length`]. Functions that can fail give 1 where they did, and the words are
//! there. Nothing here makes a pointer into a reference; pages that write past the room they asked for harm only
//! themselves.
#![allow(unsafe_code)]

use crate::Playground;
use std::cell::RefCell;

/// The one playground of a module, and what goes in and out.
#[derive(Default)]
struct Desk {
    playground: Playground,
    /// Bytes that the page wrote.
    given: Vec<u8>,
    /// Words for the page.
    told: Vec<u8>,
}

impl Desk {
    /// Keeps words for the page; gives whether something went wrong.
    fn tell(&mut self, said: Result<String, String>) -> i32 {
        let (text, failed) = match said {
            Ok(text) => (text, 0),
            Err(text) => (text, 1),
        };
        self.told = text.into_bytes();
        failed
    }

    /// The bytes that the page wrote, as text.
    fn text(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.given)).into_owned()
    }
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Calls are not nested, so the desk is always free; if it were not, nothing would happen.
fn at_desk<T: Default>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with(|desk| match desk.try_borrow_mut() {
        Ok(mut desk) => work(&mut desk),
        Err(_) => T::default(),
    })
}

/// Which of several is meant, where less than none means none.
fn choice(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

/// Room for so many bytes that the page writes; 0 where there is none.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> usize {
    at_desk(|desk| {
        desk.given = Vec::new();
        if desk.given.try_reserve_exact(length).is_err() {
            return 0;
        }
        desk.given.resize(length, 0);
        desk.given.as_mut_ptr() as usize
    })
}

/// Where the words of the last call are.
#[unsafe(no_mangle)]
extern "C" fn told() -> usize {
    at_desk(|desk| desk.told.as_ptr() as usize)
}

/// How many bytes of words there are.
#[unsafe(no_mangle)]
extern "C" fn told_length() -> usize {
    at_desk(|desk| desk.told.len())
}

/// Tells the built-in models.
#[unsafe(no_mangle)]
extern "C" fn built_in() -> i32 {
    at_desk(|desk| desk.tell(Ok(Playground::built_in())))
}

/// Takes a file: the room has its name, of so many bytes, then what is in it.
#[unsafe(no_mangle)]
extern "C" fn add_file(name_length: usize) -> i32 {
    at_desk(|desk| {
        let mut bytes = std::mem::take(&mut desk.given);
        let content = bytes.split_off(name_length.min(bytes.len()));
        let name = String::from_utf8_lossy(&bytes).into_owned();
        let added = desk.playground.add_file(&name, content);
        desk.tell(added.map(|()| String::new()))
    })
}

/// Forgets the files.
#[unsafe(no_mangle)]
extern "C" fn forget_files() {
    at_desk(|desk| desk.playground.forget_files());
}

/// Tells which files can be a model.
#[unsafe(no_mangle)]
extern "C" fn candidates() -> i32 {
    at_desk(|desk| {
        let said = desk.playground.candidates();
        desk.tell(Ok(said))
    })
}

/// Loads the file whose name the room has. Tells what the panel needs, or why not.
#[unsafe(no_mangle)]
extern "C" fn load() -> i32 {
    at_desk(|desk| {
        let name = desk.text();
        let said = desk.playground.load(&name);
        desk.tell(said)
    })
}

/// Loads the built-in model whose name the room has. Tells what the panel needs, or why not.
#[unsafe(no_mangle)]
extern "C" fn load_built_in() -> i32 {
    at_desk(|desk| {
        let name = desk.text();
        let said = desk.playground.load_built_in(&name);
        desk.tell(said)
    })
}

/// Steps until so many seconds have passed, at most so often. Gives how often, or −1.
#[unsafe(no_mangle)]
extern "C" fn advance(seconds: f64, most: u32) -> i32 {
    at_desk(|desk| match desk.playground.advance(seconds, most) {
        Ok(steps) => i32::try_from(steps).unwrap_or(i32::MAX),
        Err(text) => -desk.tell(Err(text)),
    })
}

/// Back to the beginning (−1), or to a keyframe.
#[unsafe(no_mangle)]
extern "C" fn reset(key: i32) -> i32 {
    at_desk(|desk| {
        let done = desk.playground.reset(choice(key));
        desk.tell(done.map(|()| String::new()))
    })
}

/// Simulated seconds.
#[unsafe(no_mangle)]
extern "C" fn time() -> f64 {
    at_desk(|desk| desk.playground.time())
}

/// Sets a control.
#[unsafe(no_mangle)]
extern "C" fn set_control(number: usize, value: f64) -> i32 {
    at_desk(|desk| {
        let done = desk.playground.set_control(number, value);
        desk.tell(done.map(|()| String::new()))
    })
}

/// Turns the eye, by degrees.
#[unsafe(no_mangle)]
extern "C" fn turn(azimuth: f64, elevation: f64) {
    at_desk(|desk| desk.playground.turn(azimuth, elevation));
}

/// Takes the eye nearer or farther, by a factor.
#[unsafe(no_mangle)]
extern "C" fn zoom(factor: f64) {
    at_desk(|desk| desk.playground.zoom(factor));
}

/// Moves the eye, by parts of the picture's height.
#[unsafe(no_mangle)]
extern "C" fn shift(right: f64, up: f64) {
    at_desk(|desk| desk.playground.shift(right, up));
}

/// Looks through a camera of the model, or through the free eye (−1).
#[unsafe(no_mangle)]
extern "C" fn look_through(camera: i32) {
    at_desk(|desk| desk.playground.look_through(choice(camera)));
}

/// Marks contacts and their forces (1), or does not (0).
#[unsafe(no_mangle)]
extern "C" fn show_contacts(is_shown: i32) {
    at_desk(|desk| desk.playground.show_contacts(is_shown != 0));
}

/// Draws a picture. Gives where its bytes are; 0 where there is none, for a reason that is told.
#[unsafe(no_mangle)]
extern "C" fn draw(width: usize, height: usize) -> usize {
    at_desk(|desk| match desk.playground.draw(width, height) {
        Ok(pixels) => pixels.as_ptr() as usize,
        Err(text) => {
            desk.tell(Err(text));
            0
        }
    })
}
