//! Steps of flexes that touch nothing.

use super::allocations_of_steps;
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
