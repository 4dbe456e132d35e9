//! Sensors that do not load: each wrong element says what is wrong with it, where it stands.

use sinew::mjcf::load_text;

fn scene(sections: &str) -> String {
    format!(
        r#"<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1"/></asset><worldbody>
             <geom name="hills" type="hfield" hfield="h"/><camera name="cam" resolution="4 4"/><site name="world"/>
             <body name="b"><joint name="j" axis="0 1 0"/><geom name="g" size=".1"/><geom name="g2" size=".1"/>
               <site name="s"/><body name="c"><joint name="ball" type="ball"/><geom size=".1"/></body></body>
             <body name="f"><freejoint name="free"/><geom size=".1"/></body></worldbody>
           <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
           {sections}</mujoco>"#
    )
}

#[test]
fn every_wrong_sensor_is_an_error_in_its_line() {
    for sensor in [
        // Unknown elements and attributes.
        r#"<speedometer site="s"/>"#,
        r#"<jointpos joint="j" class="main"/>"#,
        r#"<framepos site="s"/>"#,
        r#"<framelinacc objtype="site" objname="s" reftype="body" refname="b"/>"#,
        // Missing or unknown objects.
        r#"<jointpos/>"#,
        r#"<framepos objtype="site"/>"#,
        r#"<framepos objname="s"/>"#,
        r#"<jointpos joint="nothing"/>"#,
        r#"<framepos objtype="joint" objname="j"/>"#,
        r#"<framepos objtype="foo" objname="j"/>"#,
        r#"<framepos objtype="site" objname="s" refname="b"/>"#,
        // Joints and limits of another kind.
        r#"<jointpos joint="free"/>"#,
        r#"<jointvel joint="ball"/>"#,
        r#"<jointactuatorfrc joint="ball"/>"#,
        r#"<ballquat joint="j"/>"#,
        r#"<ballangvel joint="free"/>"#,
        r#"<jointlimitpos joint="j"/>"#,
        r#"<tendonlimitfrc tendon="t"/>"#,
        // Numbers out of range.
        r#"<clock noise="-1"/>"#,
        r#"<clock cutoff="-1"/>"#,
        r#"<framequat objtype="site" objname="s" cutoff="1"/>"#,
        r#"<framezaxis objtype="site" objname="s" cutoff="1"/>"#,
        r#"<clock name="same"/><clock name="same"/>"#,
        // User sensors.
        r#"<user/>"#,
        r#"<user dim="-1"/>"#,
        r#"<user dim="2" datatype="axis"/>"#,
        r#"<user dim="3" datatype="quaternion"/>"#,
        r#"<user dim="1" objtype="body"/>"#,
        r#"<user dim="1" objname="b"/>"#,
        // Rays.
        r#"<rangefinder/>"#,
        r#"<rangefinder site="s" camera="cam"/>"#,
        r#"<rangefinder site="s" data="normal dist"/>"#,
        // Distances.
        r#"<distance geom1="g"/>"#,
        r#"<distance geom1="g" body1="b" geom2="g2"/>"#,
        r#"<normal geom1="g" geom2="g"/>"#,
        r#"<fromto body1="b" body2="b"/>"#,
        r#"<distance geom1="g" geom2="hills"/>"#,
        // Contacts.
        r#"<contact num="0"/>"#,
        r#"<contact geom1="g" body1="b"/>"#,
        r#"<contact data="force found"/>"#,
        // Time.
        r#"<clock delay=".1"/>"#,
        r#"<clock nsample="2" interval="-1"/>"#,
        r#"<clock nsample="2" interval="1 .5"/>"#,
        r#"<clock nsample="2" interval="1 -1"/>"#,
        // Plugins.
        r#"<plugin plugin="nobody.knows"/>"#,
    ] {
        let text = scene(&format!("<sensor>{sensor}</sensor>"));
        let Err(error) = load_text(&text) else {
            panic!("{sensor} loads");
        };
        assert_eq!(error.diagnostics[0].line, 7, "{sensor}: {error}");
        assert!(!error.diagnostics[0].message.is_empty(), "{sensor}");
    }
}

#[test]
fn sensors_have_no_defaults() {
    for sections in [
        r#"<default><sensor><clock/></sensor></default>"#,
        r#"<default><jointpos/></default>"#,
    ] {
        assert!(load_text(&scene(sections)).is_err(), "{sections}");
    }
}

#[test]
fn a_normal_may_have_a_cutoff() {
    let sensor = r#"<sensor><normal geom1="g" geom2="g2" cutoff="1"/></sensor>"#;
    assert!(load_text(&scene(sensor)).is_ok());
}
