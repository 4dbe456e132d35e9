//! Models with rows of every kind, in both cones and both layouts of the Jacobian.

use crate::Random;
use sinew::mjcf::load_text;
use sinew::model::Model;
use sinew::model::kinds::{Cone, Jacobian};

/// Limits of three kinds of joints with powers and references of both signs, dry friction, equalities
/// of bodies, sites and joints, and shapes that touch a floor and each other in every dimension.
const SCENE: &str = r#"
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" condim="3"/>
    <body pos="0 0 1">
      <joint name="swing" axis="0 1 0" limited="true" range="-10 12" margin=".05" frictionloss=".3"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <body name="elbow" pos=".3 0 0">
        <joint name="bend" axis="0 1 1" limited="true" range="-9 9" solreflimit="-300 -20" frictionloss=".1"/>
        <joint name="slide" type="slide" axis="1 0 0" limited="true" range="-.1 .1" solimplimit=".5 .9 .2 .4 3"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <site name="tip" pos=".3 0 0" euler="10 20 30"/>
        <body name="hand" pos=".3 0 0">
          <joint type="ball" limited="true" range="0 15" solimplimit=".8 .95 .3 .3 2.5" solreflimit=".001 1"/>
          <geom size=".06" condim="1"/>
        </body>
      </body>
    </body>
    <body pos="0 .6 1">
      <joint name="follower" axis="1 0 0" limited="true" range="-5 5" margin=".3" solreflimit=".02 -1"/>
      <geom type="capsule" fromto="0 0 0 0 .3 0" size=".04"/>
      <site name="end" pos="0 .3 0" euler="5 0 40"/>
    </body>
    <body name="five" pos="2.2 0 .1"><freejoint/><geom name="paired" size=".3"/></body>
    <body name="one" pos="1 0 .15"><freejoint/><geom size=".3" condim="1"/></body>
    <body name="three" pos="1.2 .3 .15"><freejoint/><geom type="box" size=".2 .2 .2" friction=".7 .01 .002"/></body>
    <body name="four" pos="1.5 0 .15"><freejoint/><geom size=".3" condim="4" solimp=".7 .9 .5 .6 1" solref="-800 -30"/></body>
    <body name="six" pos="1.3 -.4 .15"><freejoint/><geom size=".3" condim="6" friction=".6 .02 .003"/></body>
  </worldbody>
  <contact>
    <pair geom1="floor" geom2="paired" condim="4" solreffriction=".03 1.2" friction=".5 .8 .1 .02 .03"/>
  </contact>
  <equality>
    <connect body1="elbow" body2="four" anchor=".1 0 0" solimp=".6 .9 .8 .5 4"/>
    <weld body1="hand" body2="one" torquescale=".7"/>
    <weld site1="tip" site2="end" solref="-200 -15"/>
    <connect site1="tip" site2="end"/>
    <connect body1="one" body2="three" anchor="0 0 0"/>
    <joint joint1="swing" joint2="follower" polycoef=".1 .5 .3 -.2 .1"/>
    <joint joint1="follower" joint2="bend" polycoef="0 -.8 .1 0 0"/>
    <joint joint1="slide" polycoef=".02 0 0 0 0"/>
  </equality>
</mujoco>"#;

/// The scene in four settings.
pub fn models() -> Vec<(&'static str, Model)> {
    let loaded = load_text(SCENE).expect("a model that compiles").model;
    let with = |cone: Cone, jacobian: Jacobian, impratio: f64| {
        let mut model = loaded.clone();
        model.opt.cone = cone.code();
        model.opt.jacobian = jacobian.code();
        model.opt.impratio = impratio;
        model
    };
    vec![
        ("pyramids", with(Cone::Pyramidal, Jacobian::Dense, 1.0)),
        ("ellipses", with(Cone::Elliptic, Jacobian::Dense, 3.0)),
        (
            "sparse pyramids",
            with(Cone::Pyramidal, Jacobian::Sparse, 2.0),
        ),
        (
            "sparse ellipses",
            with(Cone::Elliptic, Jacobian::Sparse, 1.0),
        ),
    ]
}

/// A copy of a model with other limits, losses, ties and hardness; in some worlds a degree of freedom
/// has no dry friction, an impedance is constant, a power another.
pub fn varied(model: &Model, seed: usize) -> Model {
    let mut random = Random(seed as u64 + 77);
    let mut changed = model.clone();
    changed
        .change(|arrays| {
            for j in 0..arrays.njnt {
                arrays.jnt_margin[j] += 0.1 * random.next().abs();
                arrays.jnt_solimp[j][4] = [1.0, 2.0, 2.5, 3.0][(seed + j) % 4];
                if (seed + j).is_multiple_of(3) {
                    arrays.jnt_solimp[j][1] = arrays.jnt_solimp[j][0];
                    arrays.jnt_solref[j] = [-100.0, -3.0];
                }
            }
            for i in 0..arrays.nv {
                let has_loss = (seed + i).is_multiple_of(2);
                arrays.dof_frictionloss[i] = if has_loss { random.next().abs() } else { 0.0 };
                arrays.dof_invweight0[i] *= 1.0 + 0.2 * random.next();
            }
            for i in 0..arrays.neq {
                arrays.eq_data[i][1] += 0.1 * random.next();
                arrays.eq_solref[i][0] *= 1.0 + 0.3 * random.next();
            }
        })
        .expect("values that make sense");
    changed
}
