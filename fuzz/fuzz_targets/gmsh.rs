//! Files of Gmsh: flexes of triangles and of tetrahedra.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for dim in [2, 3] {
        let text = format!(
            "<mujoco><worldbody><flexcomp name='f' type='gmsh' dim='{dim}' file='a.msh' radius='.01'/>\
             </worldbody></mujoco>"
        );
        sinew_fuzz::load(&text, Some(("a.msh", data)));
    }
});
