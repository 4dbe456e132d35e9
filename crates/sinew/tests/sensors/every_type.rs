//! One sensor of every type on a small machine in motion.

use crate::{Case, close};
use sinew::model::kinds::SensorType;

fn machine(sensors: &str) -> Case {
    let mut case = Case::new(&format!(
        r#"<mujoco><option magnetic=".3 -.5 .1"/><worldbody>
             <geom name="floor" type="plane" size="5 5 .1"/>
             <body name="base" pos="0 0 1"><joint name="sl" type="slide" axis="0 0 1"/>
               <geom name="box" type="box" size=".1 .1 .1" mass="2"/>
               <body name="arm" pos=".2 0 0"><joint name="hi" axis="0 1 0" range="-20 20"/>
                 <geom type="capsule" fromto="0 0 0 .4 0 0" size=".05" mass="1"/>
                 <site name="s" pos=".3 .02 .01" euler="10 20 30"/>
                 <body name="ball" pos=".5 0 0"><joint name="ba" type="ball"/>
                   <geom name="sphere" size=".06" pos=".1 0 0" mass=".5"/></body></body></body>
           </worldbody>
           <tendon><fixed name="t"><joint joint="sl" coef="2"/><joint joint="hi" coef="-1"/></fixed></tendon>
           <actuator><position name="a" joint="hi" kp="10" kv="1" gear="3"/><motor name="at" tendon="t"/></actuator>
           <sensor>{sensors}</sensor></mujoco>"#
    ))
    .qpos(&[0.1, 0.4, 0.9, 0.1, -0.3, 0.2])
    .qvel(&[0.5, -1.0, 0.3, 0.2, -0.4]);
    case.data.input.ctrl.copy_from_slice(&[0.2, 0.7]);
    case.data.state.time = 1.25;
    case.forward()
}

/// Loads all sensors of a table at once and compares each with its row.
fn check(tolerance: f64, rows: &[(&str, &[f64])]) {
    let sensors: String = rows
        .iter()
        .enumerate()
        .map(|(i, (element, _))| format!(r#"<{element} name="{i}"/>"#))
        .collect();
    let case = machine(&sensors);
    for (i, (element, expected)) in rows.iter().enumerate() {
        println!("{element}");
        close(case.reading(&i.to_string()), expected, tolerance);
    }
}

#[test]
fn of_the_position_stage() {
    check(
        1e-8,
        &[
            (r#"jointpos joint="hi""#, &[0.4]),
            (
                r#"ballquat joint="ba""#,
                &[0.923380517, 0.102597835, -0.307793506, 0.205195670],
            ),
            (r#"tendonpos tendon="t""#, &[-0.2]),
            (r#"actuatorpos actuator="a""#, &[1.2]),
            (
                r#"framepos objtype="site" objname="s""#,
                &[0.480212482, 0.02, 0.992385107],
            ),
            (
                r#"framequat objtype="site" objname="s""#,
                &[0.896120067, 0.178484185, 0.329477310, 0.237816996],
            ),
            (
                r#"framexaxis objtype="site" objname="s""#,
                &[0.669775558, 0.543838142, -0.505609313],
            ),
            (
                r#"frameyaxis objtype="site" objname="s""#,
                &[-0.308612186, 0.823172945, 0.476597127],
            ),
            (
                r#"framezaxis objtype="site" objname="s""#,
                &[0.675395603, -0.163175911, 0.719176196],
            ),
            (
                r#"framepos objtype="body" objname="arm""#,
                &[0.384212199, 0.0, 1.022116332],
            ),
            (
                r#"framepos objtype="xbody" objname="arm""#,
                &[0.2, 0.0, 1.1],
            ),
            (
                r#"framepos objtype="site" objname="s" reftype="xbody" refname="ball""#,
                &[-0.132842105, 0.106947368, 0.106842105],
            ),
            (
                r#"framequat objtype="site" objname="s" reftype="xbody" refname="ball""#,
                &[0.895016934, 0.133455603, 0.425598716, 0.000151560],
            ),
            (
                r#"magnetometer site="s""#,
                &[-0.121547335, -0.456510416, 0.356124256],
            ),
            (r#"rangefinder site="s""#, &[-1.0]),
            (
                r#"subtreecom body="arm""#,
                &[0.506542674, 0.010526316, 0.992490873],
            ),
            (r#"jointlimitpos joint="hi""#, &[-0.050934150]),
            (
                r#"distance geom1="floor" geom2="sphere" cutoff="5""#,
                &[0.873239957],
            ),
            (
                r#"normal geom1="box" geom2="sphere" cutoff="5""#,
                &[0.994786100, 0.0, -0.101983404],
            ),
            (
                r#"fromto geom1="box" geom2="sphere" cutoff="5""#,
                &[0.1, 0.031578947, 1.0, 0.691516460, 0.031578947, 0.939358962],
            ),
            (
                r#"insidesite site="s" objtype="body" objname="base""#,
                &[0.0],
            ),
            ("e_potential", &[36.186503203]),
            ("e_kinetic", &[0.767369245]),
            ("clock", &[1.25]),
        ],
    );
}

#[test]
fn of_the_velocity_stage() {
    check(
        1e-8,
        &[
            (r#"jointvel joint="sl""#, &[0.5]),
            (r#"ballangvel joint="ba""#, &[0.3, 0.2, -0.4]),
            (r#"tendonvel tendon="t""#, &[2.0]),
            (r#"actuatorvel actuator="a""#, &[-3.0]),
            (
                r#"framelinvel objtype="site" objname="s""#,
                &[0.107614893, 0.0, 0.780212482],
            ),
            (
                r#"frameangvel objtype="site" objname="s""#,
                &[0.0, -1.0, 0.0],
            ),
            (
                r#"framelinvel objtype="site" objname="s" reftype="xbody" refname="ball""#,
                &[-0.064147368, -0.021084211, -0.058652632],
            ),
            (
                r#"frameangvel objtype="site" objname="s" reftype="xbody" refname="ball""#,
                &[-0.3, -0.2, 0.4],
            ),
            (
                r#"gyro site="s""#,
                &[-0.543838142, -0.823172945, 0.163175911],
            ),
            (
                r#"velocimeter site="s""#,
                &[-0.322404872, 0.338635760, 0.633792870],
            ),
            (
                r#"subtreelinvel body="arm""#,
                &[0.113792830, -0.009824561, 0.797257456],
            ),
            (
                r#"subtreeangmom body="arm""#,
                &[0.002888509, -0.064002973, -0.004914413],
            ),
            (r#"jointlimitvel joint="hi""#, &[1.0]),
        ],
    );
}

#[test]
fn of_the_acceleration_stage() {
    check(
        1e-8,
        &[
            (r#"actuatorfrc actuator="a""#, &[-7.0]),
            (r#"jointactuatorfrc joint="hi""#, &[-21.7]),
            (r#"tendonactuatorfrc tendon="t""#, &[0.7]),
            (r#"jointlimitfrc joint="hi""#, &[0.0]),
            (r#"user dim="2""#, &[0.0, 0.0]),
        ],
    );
    // These depend on the solver.
    check(
        1e-5,
        &[
            (
                r#"framelinacc objtype="site" objname="s""#,
                &[24.215135539, 0.0, 45.919628907],
            ),
            (
                r#"frameangacc objtype="site" objname="s""#,
                &[0.0, -227.620428681, 0.0],
            ),
            (
                r#"accelerometer site="s""#,
                &[-6.998686099, 14.412077293, 49.379100125],
            ),
            (
                r#"force site="s""#,
                &[16.525585660, 10.973752835, 56.266563727],
            ),
            (
                r#"torque site="s""#,
                &[-4.689761854, -4.014926030, 2.850289508],
            ),
        ],
    );
}

#[test]
fn none_is_without_a_reading() {
    let zoo = sinew::models::get("sensor_zoo").expect("built in");
    let model = zoo.load().expect("loads").model;
    for (name, code) in SensorType::TABLE.members {
        let is_plugin = *code == SensorType::Plugin.code();
        assert!(
            is_plugin || model.sensor_type.contains(code),
            "no {name} in the model `sensor_zoo`"
        );
    }
    let mut data = sinew::engine::Data::new(&model);
    data.sensor.sensordata.fill(f64::NAN);
    data.forward(&model).expect("forward");
    for (sensor, start) in model.sensor_adr.iter().enumerate() {
        let end = start + model.sensor_dim[sensor];
        let reading = &data.sensor.sensordata[*start as usize..end as usize];
        let kind = SensorType::from_code(model.sensor_type[sensor]);
        assert!(reading.iter().all(|x| !x.is_nan()), "{kind:?}: {reading:?}");
    }
}
