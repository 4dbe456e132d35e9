//! Steps of flexes.

use super::{allocations, allocations_of_steps};
use sinew::engine::Data;
use sinew::mjcf::load_text;

const UNTOUCHED: &str = "<contact contype='0' conaffinity='0' selfcollide='none'/>";

#[test]
fn warm_steps_of_flexes_do_not_allocate() {
    let cloth = "type='grid' dim='2' count='5 5 1' spacing='.1 .1 .1' radius='.01'";
    let solid = "type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' radius='.01'";
    let elastic = "young='1e3' poisson='.2' damping='.01'";
    let flexes = [
        (
            cloth,
            "<edge equality='true' damping='.1'/><pin id='0 4'/>".to_owned(),
        ),
        (cloth, "<edge equality='vert'/>".to_owned()),
        (
            cloth,
            format!("<elasticity {elastic} thickness='.01' elastic2d='both'/>"),
        ),
        (
            solid,
            format!("<edge damping='.1'/><elasticity {elastic}/>"),
        ),
        (solid, format!("<elasticity {elastic}/>")),
    ];
    let dofs = ["full", "full", "full", "full", "trilinear"];
    let mut text = String::new();
    for (i, ((shape, inside), dof)) in flexes.iter().zip(dofs).enumerate() {
        text += &format!(
            "<flexcomp name='f{i}' {shape} dof='{dof}' pos='{i} 0 0'>{UNTOUCHED}{inside}</flexcomp>"
        );
    }
    for integrator in ["Euler", "implicitfast", "implicit", "RK4"] {
        let text = format!(
            "<mujoco><option integrator='{integrator}' timestep='.001'/><worldbody>{text}</worldbody></mujoco>"
        );
        let model = match load_text(&text) {
            Ok(loaded) => loaded.model,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(allocations_of_steps(&model, 3, 5), 0, "{integrator}");
    }
}

#[test]
fn warm_steps_of_flexes_that_touch_do_not_allocate() {
    let text = "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='1 1 1'/><geom size='.1'/>\
        <body pos='.3 0 .2'><freejoint/><geom type='box' size='.1 .1 .05'/></body>\
        <flexcomp name='c' type='grid' dim='2' count='5 5 1' spacing='.05 .05 .05' radius='.01' pos='0 0 .12'>\
        <edge equality='true' damping='.01'/><contact internal='true'/></flexcomp>\
        <flexcomp name='s' type='grid' dim='3' count='3 3 3' spacing='.05 .05 .05' radius='.005' pos='.3 0 .08'>\
        <elasticity young='1e3' poisson='.2' damping='.01'/></flexcomp>\
        <flexcomp name='p' type='grid' dim='1' count='6 1 1' spacing='.05 .05 .05' radius='.01' pos='.3 .05 .3'>\
        <edge equality='true'/><contact passive='true'/></flexcomp></worldbody></mujoco>";
    let model = match load_text(text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}"),
    };
    let mut data = Data::new(&model);
    let mut run = || {
        data.reset(&model).expect("its own model");
        let (before, mut contacts) = (allocations(), 0);
        for _ in 0..300 {
            let _ = data.step(&model);
            contacts = contacts.max(data.position.contacts.contact.len());
        }
        (allocations() - before, contacts)
    };
    // The first pass takes storage to its high-water mark.
    let (_, contacts) = run();
    assert!(contacts > 20, "{contacts}");
    assert_eq!(run(), (0, contacts));
}
