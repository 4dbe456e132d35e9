//! Stages as an observer hears of them: within each other, and as often as the reference counts
//! them in `mjData.timer`.

use crate::Case;
use sinew::engine::{Engine, Moment, Observer};
use sinew::model::kinds::TimerKind;

fn hinge(integrator: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option integrator="{integrator}"/><worldbody><geom type="plane" size="1 1 1"/>
             <body><joint/><geom size=".1" pos=".5 0 0"/></body></worldbody></mujoco>"#
    ))
}

/// Parts that have begun and not ended, and how often each has ended.
#[derive(Default)]
struct Stopwatch {
    open: Vec<TimerKind>,
    ended: [usize; 15],
}

impl Observer for Stopwatch {
    fn observe(&mut self, moment: Moment) {
        match moment {
            Moment::Begin(part) => self.open.push(part),
            Moment::Pause(part) | Moment::End(part) => {
                assert_eq!(self.open.pop(), Some(part), "parts lie within each other");
            }
        }
        if let Moment::End(part) = moment {
            self.ended[part as usize] += 1;
        }
    }
}

/// The counts are those of `mjData.timer` in the reference.
#[test]
fn parts_of_a_step_begin_and_end_within_each_other() {
    let steps = [("Euler", 1, 1), ("implicitfast", 1, 1), ("RK4", 4, 0)];
    for (integrator, forward, advance) in steps {
        let Case { model, mut data } = hinge(integrator);
        let mut watch = Stopwatch::default();
        let mut engine = Engine::new(&model).observer(&mut watch);
        engine.step(&mut data).expect("a finite step");
        assert!(watch.open.is_empty(), "{:?}", watch.open);
        let count = |part: TimerKind| watch.ended[part as usize];
        assert_eq!(count(TimerKind::Step), 1);
        assert_eq!(count(TimerKind::Advance), advance);
        for part in [
            TimerKind::Forward,
            TimerKind::Position,
            TimerKind::PosKinematics,
            TimerKind::PosInertia,
            TimerKind::PosCollision,
            TimerKind::ColBroad,
            TimerKind::ColNarrow,
            TimerKind::PosMake,
            TimerKind::PosProject,
            TimerKind::Velocity,
            TimerKind::Constraint,
        ] {
            assert_eq!(count(part), forward, "{part:?}");
        }
    }
}

#[test]
fn the_halves_of_a_step_count_as_one() {
    let Case { model, mut data } = hinge("Euler");
    let mut watch = Stopwatch::default();
    let mut engine = Engine::new(&model).observer(&mut watch);
    engine.step1(&mut data).expect("a finite step");
    engine.step2(&mut data).expect("a finite step");
    engine.inverse(&mut data).expect("its own model");
    assert_eq!(watch.ended[TimerKind::Step as usize], 1);
    assert_eq!(watch.ended[TimerKind::Inverse as usize], 1);
    assert!(watch.open.is_empty());
}
