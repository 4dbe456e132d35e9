//! A small scene with one of everything that other elements refer to, and two verdicts on a text.

use sinew_mjcf::{LoadError, load_text};
use sinew_model::Model;

/// Bodies `a` (hinge `h`), `b` (slide `sl`), `c` (ball `ba`) in a chain, `f` (free `fr`), `u`
/// (unlimited hinge `hu`); geoms `floor ga gb gc gf gu`; sites `w0 s0 s1 s2 s3`; camera `cam`; tendons
/// `t` (limited) and `sp`.
pub const SCENE: &str = "<worldbody><site name='w0'/>\
    <geom name='floor' type='plane' size='1 1 1'/>\
    <body name='a' pos='0 0 1'><joint name='h' range='-90 45' axis='0 1 0'/>\
      <geom name='ga' size='.1'/><site name='s0' pos='.1 0 0'/>\
      <body name='b' pos='.3 0 0'><joint name='sl' type='slide' range='-1 3'/>\
        <geom name='gb' type='cylinder' size='.1 .2'/><site name='s1' pos='.2 .1 0'/>\
        <camera name='cam' resolution='4 3'/>\
        <body name='c' pos='.3 0 0'><joint name='ba' type='ball'/>\
          <geom name='gc' type='box' size='.1 .2 .3'/><site name='s2' pos='.2 .1 0' type='box'/>\
        </body></body></body>\
    <body name='f' pos='2 0 0'><freejoint name='fr'/><geom name='gf' size='.1'/><site name='s3'/></body>\
    <body name='u' pos='3 0 0'><joint name='hu' axis='1 0 0'/><geom size='.1' name='gu'/></body>\
    </worldbody>\
    <tendon><fixed name='t' range='-1 2'><joint joint='h' coef='1'/><joint joint='sl' coef='-2'/></fixed>\
    <spatial name='sp'><site site='s0'/><site site='s1'/></spatial></tendon>";

/// The scene with further sections before and after it.
pub fn scene(before: &str, after: &str) -> String {
    format!("<mujoco>\n{before}\n{SCENE}\n{after}\n</mujoco>")
}

/// Compiles a text that must be sound.
pub fn load(text: &str) -> Model {
    match load_text(text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}\nin {text}"),
    }
}

/// The errors of a text that must be refused.
pub fn refuse(text: &str) -> LoadError {
    match load_text(text) {
        Ok(_) => panic!("loads: {text}"),
        Err(error) => error,
    }
}

/// Compares numbers with a relative tolerance.
pub fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= tolerance * y.abs().max(1.0), "{a:?} {b:?}");
    }
}
