//! Sensors of every type: codes, objects, sizes, addresses. Values are the reference's (3.5.0).

use crate::workbench::{load, refuse, scene};

/// What the sensors refer to besides the scene.
const OTHERS: &str = "<actuator><motor name='m' joint='h'/></actuator>\
    <asset><mesh name='me' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>";

/// Element; type, data type, stage, object type and id, reference type and id, dim; parameters.
/// Taken from a model compiled by MuJoCo 3.5.0.
#[rustfmt::skip]
const SENSORS: &[(&str, [i32; 8], [i32; 3])] = &[
    ("touch site='s0'", [0, 1, 3, 6, 1, 0, -1, 1], [0, 0, 0]),
    ("accelerometer site='s0'", [1, 0, 3, 6, 1, 0, -1, 3], [0, 0, 0]),
    ("velocimeter site='s0'", [2, 0, 2, 6, 1, 0, -1, 3], [0, 0, 0]),
    ("gyro site='s0'", [3, 0, 2, 6, 1, 0, -1, 3], [0, 0, 0]),
    ("force site='s0'", [4, 0, 3, 6, 1, 0, -1, 3], [0, 0, 0]),
    ("torque site='s0'", [5, 0, 3, 6, 1, 0, -1, 3], [0, 0, 0]),
    ("magnetometer site='s1'", [6, 0, 1, 6, 2, 0, -1, 3], [0, 0, 0]),
    ("rangefinder site='s0'", [7, 0, 1, 6, 1, 0, -1, 1], [1, 0, 0]),
    ("rangefinder camera='cam' data='dist dir origin point normal depth'", [7, 0, 1, 7, 0, 0, -1, 168], [63, 0, 0]),
    ("rangefinder site='s0' data='dir normal'", [7, 0, 1, 6, 1, 0, -1, 6], [18, 0, 0]),
    ("camprojection site='s0' camera='cam'", [8, 0, 1, 6, 1, 7, 0, 2], [0, 0, 0]),
    ("jointpos joint='h'", [9, 0, 1, 3, 0, 0, -1, 1], [0, 0, 0]),
    ("jointvel joint='sl'", [10, 0, 2, 3, 1, 0, -1, 1], [0, 0, 0]),
    ("tendonpos tendon='t'", [11, 0, 1, 18, 0, 0, -1, 1], [0, 0, 0]),
    ("tendonvel tendon='sp'", [12, 0, 2, 18, 1, 0, -1, 1], [0, 0, 0]),
    ("actuatorpos actuator='m'", [13, 0, 1, 19, 0, 0, -1, 1], [0, 0, 0]),
    ("actuatorvel actuator='m'", [14, 0, 2, 19, 0, 0, -1, 1], [0, 0, 0]),
    ("actuatorfrc actuator='m'", [15, 0, 3, 19, 0, 0, -1, 1], [0, 0, 0]),
    ("jointactuatorfrc joint='h'", [16, 0, 3, 3, 0, 0, -1, 1], [0, 0, 0]),
    ("tendonactuatorfrc tendon='t'", [17, 0, 3, 18, 0, 0, -1, 1], [0, 0, 0]),
    ("ballquat joint='ba'", [18, 3, 1, 3, 2, 0, -1, 4], [0, 0, 0]),
    ("ballangvel joint='ba'", [19, 0, 2, 3, 2, 0, -1, 3], [0, 0, 0]),
    ("jointlimitpos joint='h'", [20, 0, 1, 3, 0, 0, -1, 1], [0, 0, 0]),
    ("jointlimitvel joint='h'", [21, 0, 2, 3, 0, 0, -1, 1], [0, 0, 0]),
    ("jointlimitfrc joint='sl'", [22, 0, 3, 3, 1, 0, -1, 1], [0, 0, 0]),
    ("tendonlimitpos tendon='t'", [23, 0, 1, 18, 0, 0, -1, 1], [0, 0, 0]),
    ("tendonlimitvel tendon='t'", [24, 0, 2, 18, 0, 0, -1, 1], [0, 0, 0]),
    ("tendonlimitfrc tendon='t'", [25, 0, 3, 18, 0, 0, -1, 1], [0, 0, 0]),
    ("framepos objtype='body' objname='a'", [26, 0, 1, 1, 1, 0, -1, 3], [0, 0, 0]),
    ("framequat objtype='xbody' objname='b'", [27, 3, 1, 2, 2, 0, -1, 4], [0, 0, 0]),
    ("framexaxis objtype='geom' objname='ga'", [28, 2, 1, 5, 1, 0, -1, 3], [0, 0, 0]),
    ("frameyaxis objtype='site' objname='s1'", [29, 2, 1, 6, 2, 0, -1, 3], [0, 0, 0]),
    ("framezaxis objtype='camera' objname='cam'", [30, 2, 1, 7, 0, 0, -1, 3], [0, 0, 0]),
    ("framelinvel objtype='xbody' objname='a' reftype='camera' refname='cam'", [31, 0, 2, 2, 1, 7, 0, 3], [0, 0, 0]),
    ("frameangvel objtype='body' objname='world'", [32, 0, 2, 1, 0, 0, -1, 3], [0, 0, 0]),
    ("framelinacc objtype='body' objname='a'", [33, 0, 3, 1, 1, 0, -1, 3], [0, 0, 0]),
    ("frameangacc objtype='site' objname='s1'", [34, 0, 3, 6, 2, 0, -1, 3], [0, 0, 0]),
    ("subtreecom body='a'", [35, 0, 1, 1, 1, 0, -1, 3], [0, 0, 0]),
    ("subtreelinvel body='world'", [36, 0, 2, 1, 0, 0, -1, 3], [0, 0, 0]),
    ("subtreeangmom body='b'", [37, 0, 2, 1, 2, 0, -1, 3], [0, 0, 0]),
    ("insidesite site='s2' objtype='geom' objname='ga'", [38, 1, 1, 5, 1, 6, 3, 1], [0, 0, 0]),
    ("distance geom1='ga' body2='c'", [39, 0, 1, 5, 1, 1, 3, 1], [0, 0, 0]),
    ("normal body1='a' body2='c' cutoff='2'", [40, 2, 1, 1, 1, 1, 3, 3], [0, 0, 0]),
    ("fromto geom1='ga' geom2='gc'", [41, 0, 1, 5, 1, 5, 3, 6], [0, 0, 0]),
    ("contact", [42, 0, 3, 0, -1, 0, -1, 1], [1, 0, 1]),
    ("contact geom1='ga' body2='c' data='found force torque dist pos normal tangent' num='3' reduce='netforce'", [42, 0, 3, 5, 1, 1, 3, 51], [127, 3, 3]),
    ("contact site='s2' subtree2='a' data='force' reduce='maxforce'", [42, 0, 3, 6, 3, 2, 1, 3], [2, 2, 1]),
    ("e_potential", [43, 0, 1, 0, -1, 0, -1, 1], [0, 0, 0]),
    ("e_kinetic", [44, 0, 1, 0, -1, 0, -1, 1], [0, 0, 0]),
    ("clock", [45, 0, 1, 0, -1, 0, -1, 1], [0, 0, 0]),
    ("user dim='4'", [48, 0, 3, 0, -1, 0, -1, 4], [0, 0, 0]),
    ("user dim='0'", [48, 0, 3, 0, -1, 0, -1, 0], [0, 0, 0]),
    ("user dim='3' datatype='axis' needstage='vel'", [48, 2, 2, 0, -1, 0, -1, 3], [0, 0, 0]),
    ("user dim='1' objtype='tendon' objname='sp'", [48, 0, 3, 18, 1, 0, -1, 1], [0, 0, 0]),
    ("tactile geom='ga' mesh='me'", [46, 0, 3, 10, 0, 5, 1, 12], [0, 0, 0]),
];

#[test]
fn every_type_has_the_references_codes_and_size() {
    let elements: String = SENSORS.iter().map(|row| format!("<{}/>", row.0)).collect();
    let m = load(&scene("", &format!("{OTHERS}<sensor>{elements}</sensor>")));
    assert_eq!(m.nsensor, SENSORS.len());
    let mut address = 0;
    for (i, (element, codes, intprm)) in SENSORS.iter().enumerate() {
        let found = [
            m.sensor_type[i],
            m.sensor_datatype[i],
            m.sensor_needstage[i],
            m.sensor_objtype[i],
            m.sensor_objid[i],
            m.sensor_reftype[i],
            m.sensor_refid[i],
            m.sensor_dim[i],
        ];
        assert_eq!(found, *codes, "{element}");
        assert_eq!(m.sensor_intprm[i], *intprm, "{element}");
        assert_eq!(m.sensor_adr[i], address, "{element}");
        address += m.sensor_dim[i];
    }
    assert_eq!(m.nsensordata, address as usize);
}

#[test]
fn numbers_are_stored_as_written() {
    let m = load(&scene(
        "",
        "<sensor><clock cutoff='1' noise='2' user='1 2 3' nsample='3' delay='.1' interp='linear' \
         interval='.1 -.05'/><clock user='4'/></sensor>",
    ));
    assert_eq!(m.sensor_cutoff, [1.0, 0.0]);
    assert_eq!(m.sensor_noise, [2.0, 0.0]);
    assert_eq!(m.sensor_user, [1.0, 2.0, 3.0, 4.0, 0.0, 0.0]);
    assert_eq!(m.sensor_history, [[3, 1], [0, 0]]);
    assert_eq!(m.sensor_historyadr, [0, -1]);
    assert_eq!(m.sensor_delay, [0.1, 0.0]);
    assert_eq!(m.sensor_interval, [[0.1, -0.05], [0.0, 0.0]]);
    assert_eq!(m.nhistory, 8);
}

#[test]
fn wrong_sensors_are_refused() {
    for (element, said) in [
        ("touch site='zz'", "no site is named `zz`"),
        ("touch", "site"),
        ("jointpos joint='ba'", "slide or hinge"),
        ("jointvel joint='fr'", "slide or hinge"),
        ("ballquat joint='h'", "must be a ball"),
        ("jointlimitfrc joint='hu'", "must be limited"),
        ("tendonlimitpos tendon='sp'", "must be limited"),
        (
            "framepos objtype='joint' objname='h'",
            "one of: body, xbody, geom, site, camera",
        ),
        (
            "framepos objtype='body' objname='worl'",
            "did you mean `world`?",
        ),
        (
            "framepos objtype='body' objname='a' refname='s1'",
            "reftype is missing",
        ),
        ("framequat objtype='body' objname='a' cutoff='1'", "cutoff"),
        ("framexaxis objtype='body' objname='a' cutoff='1'", "cutoff"),
        ("clock noise='-1'", "noise cannot be negative"),
        ("clock cutoff='-1'", "cutoff cannot be negative"),
        ("clock delay='.1'", "nsample"),
        ("clock interval='-.1'", "cannot be negative"),
        ("clock interval='.1 .05'", "cannot be positive"),
        ("clock interval='.1 -.1'", "minus its period"),
        ("rangefinder", "exactly one of site and camera"),
        (
            "rangefinder site='s0' camera='cam'",
            "exactly one of site and camera",
        ),
        (
            "rangefinder site='s0' data='normal dir'",
            "the order is: dist, dir, origin",
        ),
        ("contact data='foo'", "one of: found, force"),
        ("contact num='0'", "num must be positive"),
        ("contact geom1='ga' body1='a'", "at most one of"),
        ("distance geom1='ga'", "exactly one of geom2 and body2"),
        ("fromto geom1='ga' geom2='ga'", "another than the second"),
        ("user dim='2' datatype='axis'", "an axis has dim 3"),
        (
            "user dim='3' datatype='quaternion'",
            "a quaternion has dim 4",
        ),
        ("user dim='-1'", "dim cannot be negative"),
        ("user dim='1' objname='t'", "objtype is missing"),
        ("plugin plugin='zz'", "plugin `zz` not found"),
    ] {
        let error = refuse(&scene("", &format!("<sensor><{element}/></sensor>")));
        let message = error.to_string();
        assert!(message.contains(said), "{element}: {message}");
        assert_eq!(error.diagnostics[0].line, 4, "{element}");
        assert!(error.diagnostics[0].column > 1, "{element}");
    }
}
