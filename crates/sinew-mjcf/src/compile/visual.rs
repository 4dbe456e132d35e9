//! Visualisation settings: `vis`.

use super::Context;
use sinew_model::Model;

/// Fills `vis`.
pub fn compile(ctx: &mut Context, model: &mut Model) {
    let visual = &ctx.spec.visual;
    macro_rules! copy {
        ($section:ident: $($field:ident),* $(,)?) => { $(
            if let Some(written) = &visual.$section.$field {
                model.vis.$section.$field = written.value.into();
            }
        )* };
    }
    copy!(global: cameraid, orthographic, fovy, ipd, azimuth, elevation, linewidth, glow, realtime,
        offwidth, offheight, ellipsoidinertia, bvactive);
    copy!(quality: shadowsize, offsamples, numslices, numstacks, numquads);
    copy!(headlight: ambient, diffuse, specular, active);
    copy!(map: stiffness, stiffnessrot, force, torque, alpha, fogstart, fogend, znear, zfar, haze,
        shadowclip, shadowscale, actuatortendon);
    copy!(scale: forcewidth, contactwidth, contactheight, connect, com, camera, light, selectpoint,
        jointlength, jointwidth, actuatorlength, actuatorwidth, framelength, framewidth,
        constraint, slidercrank, frustum);
    copy!(rgba: fog, haze, force, inertia, joint, actuator, actuatornegative, actuatorpositive, com,
        camera, light, selectpoint, connect, contactpoint, contactforce, contactfriction,
        contacttorque, contactgap, rangefinder, constraint, slidercrank, crankbroken, frustum, bv,
        bvactive);

    for (section, attribute, written) in [
        ("global", "realtime", &visual.global.realtime),
        ("map", "znear", &visual.map.znear),
    ] {
        if let Some(written) = written.as_ref().filter(|written| written.value <= 0.0) {
            ctx.report
                .error(
                    "mjcf::invalid-visual",
                    written.place,
                    format!("{attribute} must be positive"),
                )
                .element(section)
                .attribute(attribute);
        }
    }
}
