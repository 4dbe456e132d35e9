//! Flexes that come to rest, slide and fall: what holds them up, and what they hold.

use super::motion::advance;
use super::{model, near};
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::Warning;

/// Largest component of a velocity.
fn speed(data: &Data) -> f64 {
    let speeds = data.state.qvel.iter();
    speeds.fold(0.0, |largest, speed| speed.abs().max(largest))
}

/// Vertical force of constraints on vertices with three slides each; those between vertices cancel.
fn lift(data: &Data) -> f64 {
    let forces = data.acceleration.solution.qfrc_constraint.iter();
    forces.skip(2).step_by(3).sum()
}

#[test]
fn a_cloth_drapes_over_a_ball_and_comes_to_rest() {
    let model = model(
        "<mujoco><worldbody><geom size='.2'/><flexcomp name='f' type='grid' dim='2' count='9 9 1' spacing='.05 .05 .05' \
         radius='.01' mass='.5' pos='0 0 .23'><edge equality='true' damping='.05'/><contact selfcollide='none'/>\
         </flexcomp></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    let closest = |data: &mut Data, steps: usize| {
        let mut closest = f64::INFINITY;
        for _ in 0..steps {
            data.step(&model).unwrap();
            let distances = data.position.flex.flexvert_xpos.iter().map(|x| x.norm());
            closest = distances.fold(closest, f64::min);
        }
        closest
    };
    // When it lands, and from then on.
    near(&[closest(&mut data, 100)], &[0.2020076670], 1e-6);
    for steps in [1900, 999] {
        assert!(closest(&mut data, steps) > 0.205);
        assert!(speed(&data) < 1e-3, "{}", speed(&data));
        near(&[lift(&data)], &[4.905], 1e-3);
    }
    near(&[closest(&mut data, 1)], &[0.2104], 1e-4);
    let lengths = data.position.flex.flexedge_length.iter();
    let strains = lengths
        .zip(&model.flexedge_length0)
        .map(|(l, l0)| (l / l0 - 1.0).abs());
    near(&[strains.fold(0.0, f64::max)], &[0.0311], 0.003);
}

#[test]
fn a_cloth_with_a_pinned_border_holds_a_ball() {
    let model = model(
        "<mujoco><worldbody><body pos='0 0 .13'><joint type='slide' axis='0 0 1' damping='.5'/><geom size='.1' mass='1'/>\
         </body><flexcomp name='f' type='grid' dim='2' count='9 9 1' spacing='.05 .05 .05' radius='.01' mass='.2'>\
         <edge equality='true' damping='.1'/><pin gridrange='0 0 0 8'/><pin gridrange='8 0 8 8'/>\
         <pin gridrange='0 0 8 0'/><pin gridrange='0 8 8 8'/></flexcomp></worldbody></mujoco>",
    );
    let data = advance(&model, 5000);
    near(
        &data.acceleration.solution.qfrc_constraint[..1],
        &[9.81],
        1e-6,
    );
    assert!(speed(&data) < 1e-9);
}

/// Friction of a soft block with the plane on which it slides, and its mean speed after two seconds.
fn sliding(plane: f64, contact: &str) -> (f64, f64) {
    let model = model(&format!(
        "<mujoco><option gravity='4 0 -9' timestep='.001'/><worldbody><geom type='plane' size='1 1 1' friction='{plane}'/>\
         <flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.005' mass='2' pos='0 0 .105'>\
         <edge damping='.1'/><elasticity young='5e4' poisson='.2' damping='.001'/><contact {contact}/></flexcomp>\
         </worldbody></mujoco>"
    ));
    let data = advance(&model, 2000);
    let sum: f64 = data.state.qvel.iter().step_by(3).sum();
    (data.position.contacts.contact[0].friction[0], sum / 27.0)
}

#[test]
fn a_soft_block_slides_by_the_friction_of_its_flex() {
    let (friction, speed) = sliding(0.1, "friction='.2'");
    near(&[friction, speed], &[0.2, 4.4], 0.05);
    let (friction, speed) = sliding(0.1, "friction='.8'");
    near(&[friction, speed], &[0.8, 0.0], 0.05);
    assert_eq!(sliding(0.9, "friction='.3'").0, 0.9);
    assert_eq!(sliding(0.9, "friction='.3' priority='1'").0, 0.3);
}

#[test]
fn a_soft_block_carries_a_box() {
    let model = model(
        "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='1 1 1'/>\
         <flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.005' mass='2' pos='0 0 .105'>\
         <edge damping='.1'/><elasticity young='2e4' poisson='.2' damping='.001'/></flexcomp>\
         <body pos='0 0 .265'><joint type='slide' axis='0 0 1' damping='5'/><geom type='box' size='.12 .12 .05' mass='1'/>\
         </body></worldbody></mujoco>",
    );
    let mut data = advance(&model, 6000);
    let mut sum = 0.0;
    for _ in 0..2000 {
        data.step(&model).unwrap();
        sum += data.acceleration.solution.qfrc_constraint[model.nv - 1];
    }
    near(&[sum / 2000.0], &[9.81], 0.002 * 9.81);
}

#[test]
fn a_solid_that_falls_on_a_plane_stays_above_it() {
    let model = model(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><flexcomp name='f' type='grid' dim='3' count='3 3 3' \
         spacing='.1 .1 .1' radius='.01' mass='1' pos='0 0 .3'><edge equality='true' damping='.1'/></flexcomp>\
         </worldbody></mujoco>",
    );
    let data = advance(&model, 2000);
    let heights = data.position.flex.flexvert_xpos.iter().map(|x| x[2]);
    near(&[heights.fold(f64::INFINITY, f64::min)], &[0.01], 1e-3);
}

/// A cloth of six by six vertices that bends, a little crumpled.
fn crumpled(young: &str) -> (Model, Data) {
    let model = model(&format!(
        "<mujoco><option timestep='.01'/><worldbody><flexcomp name='f' type='grid' dim='2' count='6 6 1' \
         spacing='.1 .1 .1' radius='.01' mass='1'><edge equality='true'/><contact contype='0' conaffinity='0'/>\
         <elasticity young='{young}' poisson='.3' thickness='.01' elastic2d='bend'/></flexcomp></worldbody></mujoco>"
    ));
    let mut data = Data::new(&model);
    for (k, x) in data.state.qpos.iter_mut().enumerate() {
        *x = 1e-4 * ((7 * k % 11) as f64 / 5.0 - 1.0);
    }
    (model, data)
}

#[test]
fn a_cloth_that_bends_falls_freely() {
    for young in ["1e4", "1e6"] {
        let (model, mut data) = crumpled(young);
        for _ in 0..500 {
            data.step(&model).unwrap();
        }
        near(&[speed(&data)], &[49.05], 0.04905);
    }
}

#[test]
fn a_cloth_too_stiff_for_its_time_step_is_reset() {
    let (model, mut data) = crumpled("1e12");
    for _ in 0..2 {
        data.step(&model).unwrap();
    }
    let bad = data.step(&model).unwrap_err().diverged().unwrap();
    assert_eq!((bad.warning, bad.index), (Warning::Badqacc, 0));
    assert_eq!(data.warnings.get(Warning::Badqacc).number, 1);
}
