//! Actuators: what every element expands to, what classes hand down. Values are the reference's
//! (3.5.0).

use crate::workbench::{close, load, refuse, scene};
use sinew_mjcf::load_text;
use sinew_model::Model;
use sinew_model::kinds::{BiasType, DynamicsType, GainType, TransmissionType};

/// Compiles actuators in the scene, with default settings before it.
fn actuators(defaults: &str, actuators: &str) -> Model {
    let defaults = format!("<default>{defaults}</default>");
    load(&scene(
        &defaults,
        &format!("<actuator>{actuators}</actuator>"),
    ))
}

/// Whether numbers start with the given ones and are zero beyond.
fn starts(numbers: [f64; 10], start: &[f64]) {
    let mut expected = [0.0; 10];
    expected[..start.len()].copy_from_slice(start);
    assert_eq!(numbers, expected);
}

/// The last actuator against dynamics, gain and bias.
fn check(
    model: &Model,
    dynamics: (DynamicsType, &[f64]),
    gain: (GainType, &[f64]),
    bias: (BiasType, &[f64]),
) {
    let i = model.nu - 1;
    assert_eq!(model.actuator_dyntype[i], dynamics.0.code());
    assert_eq!(model.actuator_gaintype[i], gain.0.code());
    assert_eq!(model.actuator_biastype[i], bias.0.code());
    starts(model.actuator_dynprm[i], dynamics.1);
    starts(model.actuator_gainprm[i], gain.1);
    starts(model.actuator_biasprm[i], bias.1);
}

/// An element with its types and parameters of dynamics, gain and bias.
type Row<'a> = (
    &'a str,
    DynamicsType,
    &'a [f64],
    GainType,
    &'a [f64],
    BiasType,
    &'a [f64],
);

fn check_rows(rows: &[Row]) {
    for (element, dyntype, dynprm, gaintype, gainprm, biastype, biasprm) in rows {
        let model = actuators("", element);
        check(
            &model,
            (*dyntype, dynprm),
            (*gaintype, gainprm),
            (*biastype, biasprm),
        );
        let stateful = i32::from(*dyntype != DynamicsType::None);
        assert_eq!(model.actuator_actnum[0], stateful, "{element}");
        assert_eq!(model.actuator_actadr[0], stateful - 1, "{element}");
        assert_eq!(model.na, stateful as usize, "{element}");
    }
}

#[test]
fn motors_servos_and_dampers_expand_to_dynamics_gain_and_bias() {
    use BiasType as B;
    use DynamicsType as D;
    use GainType as G;
    check_rows(&[
        (
            "<general joint='h'/>",
            D::None,
            &[1.0],
            G::Fixed,
            &[1.0],
            B::None,
            &[],
        ),
        (
            "<motor joint='h'/>",
            D::None,
            &[1.0],
            G::Fixed,
            &[1.0],
            B::None,
            &[],
        ),
        (
            "<position joint='h'/>",
            D::None,
            &[1.0],
            G::Fixed,
            &[1.0],
            B::Affine,
            &[0.0, -1.0],
        ),
        (
            "<position joint='h' kp='100' kv='10'/>",
            D::None,
            &[1.0],
            G::Fixed,
            &[100.0],
            B::Affine,
            &[0.0, -100.0, -10.0],
        ),
        (
            "<position joint='h' timeconst='0'/>",
            D::None,
            &[0.0],
            G::Fixed,
            &[1.0],
            B::Affine,
            &[0.0, -1.0],
        ),
        (
            "<position joint='h' kp='100' timeconst='0.1'/>",
            D::Filterexact,
            &[0.1],
            G::Fixed,
            &[100.0],
            B::Affine,
            &[0.0, -100.0],
        ),
        (
            "<velocity joint='h' kv='10'/>",
            D::None,
            &[1.0],
            G::Fixed,
            &[10.0],
            B::Affine,
            &[0.0, 0.0, -10.0],
        ),
        (
            "<intvelocity joint='h' kp='5' kv='2' actrange='-1 1'/>",
            D::Integrator,
            &[1.0],
            G::Fixed,
            &[5.0],
            B::Affine,
            &[0.0, -5.0, -2.0],
        ),
        (
            "<damper joint='h' kv='5' ctrlrange='0 1'/>",
            D::None,
            &[1.0],
            G::Affine,
            &[0.0, 0.0, -5.0],
            B::None,
            &[],
        ),
        (
            "<damper joint='h' ctrlrange='0 1'/>",
            D::None,
            &[1.0],
            G::Affine,
            &[],
            B::None,
            &[],
        ),
    ]);
}

#[test]
fn cylinders_muscles_and_adhesion_expand_to_dynamics_gain_and_bias() {
    use BiasType as B;
    use DynamicsType as D;
    use GainType as G;
    let area = core::f64::consts::PI / 4.0 * 0.5 * 0.5;
    let muscle = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    let own = [0.6, 1.2, 123.0, 150.0, 0.4, 1.7, 2.0, 1.4, 1.3];
    check_rows(&[
        (
            "<cylinder joint='h'/>",
            D::Filter,
            &[1.0],
            G::Fixed,
            &[1.0],
            B::Affine,
            &[],
        ),
        (
            "<cylinder joint='h' diameter='0.5' timeconst='0.5' bias='7 8 9'/>",
            D::Filter,
            &[0.5],
            G::Fixed,
            &[area],
            B::Affine,
            &[7.0],
        ),
        (
            "<muscle joint='h' lengthrange='0 1'/>",
            D::Muscle,
            &[0.01, 0.04],
            G::Muscle,
            &muscle,
            B::Muscle,
            &muscle,
        ),
        (
            "<muscle joint='h' lengthrange='0 1' timeconst='.02 .05' tausmooth='.1' range='.6 1.2' \
             force='123' scale='150' lmin='.4' lmax='1.7' vmax='2' fpmax='1.4' fvmax='1.3'/>",
            D::Muscle,
            &[0.02, 0.05, 0.1],
            G::Muscle,
            &own,
            B::Muscle,
            &own,
        ),
        (
            "<adhesion body='a' gain='50' ctrlrange='0 1'/>",
            D::None,
            &[1.0],
            G::Fixed,
            &[50.0],
            B::None,
            &[],
        ),
        (
            "<general joint='h' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='4 5 6' \
             dyntype='filter' dynprm='0.1'/>",
            D::Filter,
            &[0.1],
            G::Affine,
            &[1.0, 2.0, 3.0],
            B::Affine,
            &[4.0, 5.0, 6.0],
        ),
    ]);
}

#[test]
fn classes_share_one_record_for_all_shortcuts() {
    let class = |settings: &str, element: &str| actuators(settings, element);
    let m = class("<motor gear='100'/>", "<position joint='h'/>");
    assert_eq!(m.actuator_gear[0], [100.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    starts(m.actuator_gainprm[0], &[1.0]);
    for element in ["<position joint='h'/>", "<general joint='h'/>"] {
        let m = class("<position kp='100'/>", element);
        starts(m.actuator_gainprm[0], &[100.0]);
        starts(m.actuator_biasprm[0], &[0.0, -100.0]);
        assert_eq!(m.actuator_biastype[0], BiasType::Affine.code());
    }
    let m = class("<position kp='100'/>", "<motor joint='h'/>");
    assert_eq!(m.actuator_biastype[0], BiasType::None.code());
    starts(m.actuator_gainprm[0], &[1.0]);
    starts(m.actuator_biasprm[0], &[0.0, -100.0]);
    let m = class("<position kp='7' kv='2'/>", "<position joint='h' kp='9'/>");
    starts(m.actuator_biasprm[0], &[0.0, -9.0, -2.0]);

    let both = "<motor gear='5'/><position kp='7'/>";
    for (element, gain, bias) in [
        ("<motor joint='h'/>", 1.0, [0.0, -7.0, 0.0]),
        ("<position joint='h'/>", 7.0, [0.0, -7.0, 0.0]),
        ("<velocity joint='h'/>", 7.0, [0.0, 0.0, -7.0]),
    ] {
        let m = class(both, element);
        assert_eq!(m.actuator_gear[0][0], 5.0);
        starts(m.actuator_gainprm[0], &[gain]);
        starts(m.actuator_biasprm[0], &bias);
    }
    let m = class("<velocity kv='7'/>", "<velocity joint='h'/>");
    starts(m.actuator_gainprm[0], &[7.0]);
    let m = class(
        "<position kp='5' kv='2' timeconst='0.3'/>",
        "<position joint='h' kp='3'/>",
    );
    starts(m.actuator_gainprm[0], &[3.0]);
    starts(m.actuator_biasprm[0], &[0.0, -3.0, -2.0]);
    assert_eq!(m.actuator_dyntype[0], DynamicsType::Filterexact.code());
    starts(m.actuator_dynprm[0], &[0.3]);
    // A damper never inherits its coefficient.
    let m = class("<damper kv='4'/>", "<damper joint='h' ctrlrange='0 1'/>");
    starts(m.actuator_gainprm[0], &[]);
    let m = class(
        "<muscle timeconst='.02 .06' force='50'/>",
        "<muscle joint='h' lengthrange='0 1'/>",
    );
    assert_eq!(m.actuator_dynprm[0][..2], [0.02, 0.06]);
    assert_eq!(m.actuator_gainprm[0][2], 50.0);
    // A negative muscle parameter counts as not given.
    let m = class(
        "<muscle force='50'/>",
        "<muscle joint='h' lengthrange='0 1' force='-1'/>",
    );
    assert_eq!(m.actuator_gainprm[0][2], 50.0);
    let nested = "<general gear='1 2 3'/><default class='q'><general gear='9'/></default>";
    let m = class(nested, "<motor class='q' joint='h'/>");
    assert_eq!(m.actuator_gear[0], [9.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_damping_ratio_becomes_damping_of_the_reflected_inertia() {
    let slide = |actuator: &str, armature: &str| {
        load(&format!(
            "<mujoco><worldbody><body><joint name='j' type='slide' armature='{armature}'/>\
             <geom size='.1' mass='1'/></body></worldbody><actuator>{actuator}</actuator></mujoco>"
        ))
    };
    for (actuator, armature, kv) in [
        ("<position joint='j' kp='100' dampratio='1'/>", "0", 20.0),
        (
            "<position joint='j' kp='100' dampratio='.5' gear='2'/>",
            "0",
            5.0,
        ),
        ("<position joint='j' kp='100' dampratio='1'/>", "3", 40.0),
    ] {
        let m = slide(actuator, armature);
        close(&m.actuator_biasprm[0][..3], &[0.0, -100.0, -kv], 1e-12);
    }
    let m = slide("<motor joint='j' gear='3'/>", "0");
    close(&m.actuator_acc0, &[3.0], 1e-12);
}

#[test]
fn ranges_are_inherited_from_joint_or_tendon() {
    let m = actuators("", "<position joint='sl' inheritrange='1'/>");
    assert_eq!(m.actuator_ctrlrange[0], [-1.0, 3.0]);
    assert_eq!(m.actuator_ctrllimited[0], 1);
    let m = actuators("", "<position joint='sl' inheritrange='0.5'/>");
    assert_eq!(m.actuator_ctrlrange[0], [0.0, 2.0]);
    let m = actuators("", "<position tendon='t' inheritrange='1'/>");
    assert_eq!(m.actuator_ctrlrange[0], [-1.0, 2.0]);
    let m = actuators("", "<intvelocity joint='sl' inheritrange='1'/>");
    assert_eq!(m.actuator_actrange[0], [-1.0, 3.0]);
    assert_eq!(
        (m.actuator_actlimited[0], m.actuator_ctrllimited[0]),
        (1, 0)
    );
}

#[test]
fn limits_switch_themselves_on() {
    for (attributes, expected) in [
        ("ctrlrange='-1 1'", 1),
        ("ctrlrange='1 -1'", 0),
        ("ctrllimited='false' ctrlrange='-1 1'", 0),
        ("ctrllimited='auto' ctrlrange='-1 1'", 1),
        ("", 0),
    ] {
        let m = actuators("", &format!("<motor joint='h' {attributes}/>"));
        assert_eq!(m.actuator_ctrllimited[0], expected, "{attributes}");
    }
    for (attributes, expected) in [
        ("actrange='-1 1'", 1),
        ("actrange='1 -1'", 0),
        ("actlimited='false' actrange='-1 1'", 0),
        ("actlimited='auto' actrange='-1 1'", 1),
        ("", 0),
    ] {
        let element = format!("<general joint='h' dyntype='integrator' {attributes}/>");
        let m = actuators("", &element);
        assert_eq!(m.actuator_actlimited[0], expected, "{attributes}");
    }
    let class = "<general actrange='-2 2' actearly='true' dyntype='integrator'/>\
        <default class='q'><general actrange='-3 3'/></default>";
    let m = actuators(
        class,
        "<general joint='h'/><general class='q' joint='h'/>\
         <general class='q' joint='h' actlimited='false' actearly='false'/>",
    );
    assert_eq!(m.actuator_actrange, [[-2.0, 2.0], [-3.0, 3.0], [-3.0, 3.0]]);
    assert_eq!(m.actuator_actlimited, [1, 1, 0]);
    assert_eq!(m.actuator_actearly, [1, 1, 0]);
    let m = actuators("", "<muscle joint='h' lengthrange='0 1'/>");
    assert_eq!(
        (m.actuator_actlimited[0], m.actuator_ctrllimited[0]),
        (0, 0)
    );
}

#[test]
fn transmissions_name_their_objects() {
    use TransmissionType as T;
    for (element, kind, ids) in [
        ("<motor joint='sl'/>", T::Joint, [1, -1]),
        ("<motor jointinparent='ba'/>", T::Jointinparent, [2, -1]),
        ("<motor tendon='sp'/>", T::Tendon, [1, -1]),
        ("<motor site='s1'/>", T::Site, [2, -1]),
        ("<motor site='s1' refsite=''/>", T::Site, [2, -1]),
        ("<motor site='s1' refsite='w0'/>", T::Site, [2, 0]),
        ("<general body='c'/>", T::Body, [3, -1]),
        (
            "<motor cranksite='s0' slidersite='s1' cranklength='.2'/>",
            T::Slidercrank,
            [1, 2],
        ),
    ] {
        let m = actuators("", element);
        assert_eq!(m.actuator_trntype[0], kind.code(), "{element}");
        assert_eq!(m.actuator_trnid[0], ids, "{element}");
    }
}

#[test]
fn activations_and_histories_are_laid_out_in_order() {
    let m = load(&scene(
        "",
        "<actuator><general joint='h' dyntype='user' actdim='3'/><motor joint='h' nsample='2'/>\
         <general joint='h' dyntype='filter' nsample='3' interp='cubic' delay='.01'/></actuator>\
         <sensor><framepos objtype='body' objname='a' nsample='4' interp='linear'/></sensor>",
    ));
    assert_eq!((m.na, m.nhistory), (4, 6 + 8 + 2 + 4 + 12));
    assert_eq!(m.actuator_actadr, [0, -1, 3]);
    assert_eq!(m.actuator_actnum, [3, 0, 1]);
    assert_eq!(m.actuator_historyadr, [-1, 0, 6]);
    assert_eq!(m.actuator_history, [[0, 0], [2, 0], [3, 2]]);
    assert_eq!(m.sensor_historyadr, [14]);
    assert_eq!(m.sensor_history, [[4, 1]]);
    assert_eq!(m.actuator_delay, [0.0, 0.0, 0.01]);
}

#[test]
fn length_ranges_are_kept_or_copied_from_limits() {
    let settings = |lengthrange: &str, actuator: &str| {
        let compiler = format!("<compiler><lengthrange {lengthrange}/></compiler>");
        load(&scene(
            &compiler,
            &format!("<actuator>{actuator}</actuator>"),
        ))
    };
    let m = settings("", "<muscle joint='h' lengthrange='.1 .2'/>");
    assert_eq!(m.actuator_lengthrange, [[0.1, 0.2]]);
    let m = settings("uselimit='true'", "<muscle joint='sl' gear='2'/>");
    assert_eq!(m.actuator_lengthrange, [[-1.0, 3.0]]);
    let m = settings("mode='none'", "<muscle joint='sl'/>");
    assert_eq!(m.actuator_lengthrange, [[0.0, 0.0]]);
    let both = "<muscle joint='sl' lengthrange='.1 .2'/>";
    let m = settings("useexisting='false' uselimit='true'", both);
    assert_eq!(m.actuator_lengthrange, [[-1.0, 3.0]]);
}

#[test]
fn length_ranges_are_found_by_pulling_to_both_ends() {
    let capsule = "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02' mass='1'/>";
    let hinge = |compiler: &str, joint: &str, actuator: &str| {
        format!(
            "<mujoco>{compiler}<option gravity='0 0 0'/><worldbody><body>\
             <joint name='j' axis='0 1 0' {joint}/>{capsule}</body></worldbody>\
             <tendon><fixed name='t' range='-1 2'><joint joint='j' coef='1'/></fixed></tendon>\
             <actuator><muscle name='m' {actuator}/></actuator></mujoco>"
        )
    };
    let quarter = "range='-90 90'";
    for (joint, actuator, low, high) in [
        (quarter, "joint='j'", -1.571366265148, 1.571366265148),
        (
            quarter,
            "joint='j' gear='2'",
            -3.142732530296,
            3.142732530296,
        ),
        (
            quarter,
            "joint='j' gear='-2'",
            -3.142732530296,
            3.142732530296,
        ),
        ("", "tendon='t'", -1.000569938353, 2.000569938353),
        // A reversed range counts as absent.
        (
            quarter,
            "joint='j' lengthrange='1 0'",
            -1.571366265148,
            1.571366265148,
        ),
    ] {
        let text = hinge("", joint, actuator);
        let text = if actuator.contains("tendon") {
            text
        } else {
            text.replace("range='-1 2'", "")
        };
        close(&load(&text).actuator_lengthrange[0], &[low, high], 1e-6);
    }
    let two = format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j1' axis='0 1 0' range='-45 45'/>\
         {capsule}<body pos='0 0 -.3'><joint name='j2' axis='0 1 0' range='-30 60'/>{capsule}</body></body>\
         </worldbody><tendon><fixed name='t'><joint joint='j1' coef='1'/><joint joint='j2' coef='-.5'/>\
         </fixed></tendon><actuator><muscle tendon='t'/></actuator></mujoco>"
    );
    let range = load(&two).actuator_lengthrange[0];
    close(&range, &[-1.309620185758, 1.047622515147], 1e-6);

    for (joint, actuator, said) in [
        ("", "joint='j'", "did not converge"),
        (quarter, "joint='j' gear='0'", "is empty"),
    ] {
        let text = hinge("", joint, actuator).replace("range='-1 2'", "");
        let message = refuse(&text).to_string();
        assert!(message.contains(said), "{message}");
    }
    // Nobody can pull as long as that.
    let endless = "<compiler><lengthrange inttotal='1e12'/></compiler>";
    let message = refuse(&hinge(endless, quarter, "joint='j'")).to_string();
    assert!(message.contains("too many steps"), "{message}");
}

#[test]
fn an_integrated_servo_keeps_the_references_half_read_settings() {
    // kv and dampratio together: an error for a position servo, dropped by the integrated one.
    refuse(&scene(
        "",
        "<actuator><position joint='h' kv='2' dampratio='1'/></actuator>",
    ));
    let text = "<intvelocity joint='h' actrange='-1 1' kv='2' dampratio='1'/>";
    let loaded = load_text(&scene("", &format!("<actuator>{text}</actuator>"))).expect("loads");
    assert_eq!(loaded.model.actuator_biastype, [BiasType::None.code()]);
    assert_eq!(loaded.warnings.len(), 1);
}

/// Refused with a message that says so, at a line.
#[track_caller]
fn refused(before: &str, actuators: &str, said: &str) {
    let text = scene(before, &format!("<actuator>{actuators}</actuator>"));
    let error = refuse(&text);
    let message = error.to_string();
    assert!(message.contains(said), "{actuators} {said}: {message}");
    assert!(error.diagnostics.iter().all(|d| d.line > 0), "{message}");
}

#[test]
fn targets_must_be_one_and_fit_the_element() {
    for (element, said) in [
        ("<motor/>", "no transmission target"),
        ("<motor joint='h' site='s0'/>", "one target only"),
        ("<motor joint='h' tendon='t'/>", "one target only"),
        ("<motor joint='zz'/>", "zz"),
        ("<motor tendon='zz'/>", "zz"),
        ("<motor site='zz'/>", "zz"),
        ("<motor site='s0' refsite='zz'/>", "zz"),
        ("<adhesion body='zz' ctrlrange='0 1'/>", "zz"),
        ("<motor joint='h' refsite='s0'/>", "refsite"),
        ("<motor tendon='t' refsite='s0'/>", "refsite"),
        ("<motor joint='h' cranklength='1'/>", "crank"),
        ("<motor joint='h' slidersite='s0'/>", "slidersite"),
        ("<motor site='s0' cranklength='1'/>", "crank"),
        ("<motor site='s0' slidersite='s1'/>", "slidersite"),
        ("<motor cranksite='s0' slidersite='s1'/>", "cranklength"),
        (
            "<motor cranksite='s0' slidersite='s1' cranklength='-1'/>",
            "cranklength",
        ),
        (
            "<motor cranksite='s0' slidersite='s1' cranklength='0'/>",
            "cranklength",
        ),
        ("<motor cranksite='s0' cranklength='1'/>", "slidersite"),
        ("<muscle site='s0'/>", "site"),
        ("<muscle body='a'/>", "body"),
        ("<adhesion joint='h' ctrlrange='0 1'/>", "joint"),
        ("<adhesion site='s0' ctrlrange='0 1'/>", "site"),
        ("<motor site='s0' gear='1 2 3 4 5 6 7'/>", "gear"),
        (
            "<motor name='x' joint='h'/><motor name='x' joint='h'/>",
            "repeated name `x`",
        ),
        ("<motor joint='h' delay='.1'/>", "nsample"),
    ] {
        refused("", element, said);
    }
}

#[test]
fn attributes_belong_to_their_element() {
    for (element, said) in [
        ("<velocity joint='h' timeconst='1'/>", "timeconst"),
        (
            "<intvelocity joint='h' actrange='-1 1' timeconst='1'/>",
            "timeconst",
        ),
        ("<motor joint='h' kp='1'/>", "kp"),
        (
            "<damper joint='h' ctrllimited='true' ctrlrange='0 1'/>",
            "ctrllimited",
        ),
        ("<general joint='h' dyntype='fast'/>", "dyntype"),
        ("<general joint='h' gaintype='Fixed'/>", "gaintype"),
        ("<general joint='h' biastype='linear'/>", "biastype"),
        ("<cylinder joint='h' bias='1 2'/>", "bias"),
    ] {
        refused("", element, said);
    }
    // Activation settings are the general actuator's; intvelocity has its range.
    for element in ["motor", "position", "velocity", "cylinder", "muscle"] {
        for attribute in ["actlimited='true'", "actrange='0 1'", "actearly='true'"] {
            let name = attribute.split('=').next().unwrap_or_default();
            refused("", &format!("<{element} joint='h' {attribute}/>"), name);
        }
    }
    for attribute in ["actlimited='true'", "actrange='0 1'", "actearly='true'"] {
        let name = attribute.split('=').next().unwrap_or_default();
        let element = format!("<damper joint='h' ctrlrange='0 1' {attribute}/>");
        refused("", &element, name);
        let element = format!("<adhesion body='a' ctrlrange='0 1' {attribute}/>");
        refused("", &element, name);
        if name != "actrange" {
            let element = format!("<intvelocity joint='sl' actrange='0 1' {attribute}/>");
            refused("", &element, name);
        }
    }
}

#[test]
fn values_of_actuators_are_checked() {
    for (element, said) in [
        ("<position joint='h' kv='1' dampratio='1'/>", "dampratio"),
        ("<position joint='h' kv='-1'/>", "kv"),
        ("<position joint='h' dampratio='-1'/>", "dampratio"),
        ("<position joint='h' timeconst='-1'/>", "timeconst"),
        ("<damper joint='h' kv='-1' ctrlrange='0 1'/>", "coefficient"),
        ("<damper joint='h' ctrlrange='-1 1'/>", "negative"),
        ("<damper joint='h' kv='5'/>", "ctrlrange"),
        ("<adhesion body='a'/>", "ctrlrange"),
        ("<adhesion body='a' gain='-1' ctrlrange='0 1'/>", "gain"),
        ("<adhesion body='a' ctrlrange='-1 1'/>", "negative"),
        ("<muscle joint='h' tausmooth='-1'/>", "tausmooth"),
        (
            "<position joint='h' inheritrange='1' ctrlrange='-1 1'/>",
            "inheritrange",
        ),
        (
            "<intvelocity joint='h' inheritrange='1' actrange='-1 1'/>",
            "inheritrange",
        ),
        ("<position joint='hu' inheritrange='1'/>", "range"),
        ("<position site='s0' inheritrange='1'/>", "inheritrange"),
        ("<intvelocity joint='hu' inheritrange='1'/>", "range"),
        ("<intvelocity joint='h'/>", "actrange"),
        (
            "<motor joint='h' ctrllimited='true' ctrlrange='1 -1'/>",
            "ctrlrange",
        ),
        ("<motor joint='h' ctrllimited='true'/>", "ctrlrange"),
        (
            "<motor joint='h' forcelimited='true' forcerange='1 1'/>",
            "forcerange",
        ),
        (
            "<general joint='h' dyntype='filter' actlimited='true'/>",
            "actrange",
        ),
        (
            "<general joint='h' dyntype='filter' actlimited='true' actrange='1 0'/>",
            "actrange",
        ),
        (
            "<general joint='h' dyntype='filter' actrange='1'/>",
            "actrange",
        ),
        (
            "<general joint='h' dyntype='filter' actrange='1 2 3'/>",
            "actrange",
        ),
        (
            "<general joint='h' dyntype='filter' actrange='a b'/>",
            "actrange",
        ),
        (
            "<general joint='h' dyntype='filter' actlimited='maybe'/>",
            "actlimited",
        ),
        (
            "<general joint='h' dyntype='filter' actearly='auto'/>",
            "actearly",
        ),
        ("<general joint='h' actrange='-1 1'/>", "dyntype"),
        ("<general joint='h' actdim='1'/>", "actdim"),
        ("<general joint='h' dyntype='filter' actdim='0'/>", "actdim"),
        (
            "<general joint='h' dyntype='integrator' actdim='2'/>",
            "dyntype user",
        ),
        ("<muscle joint='h' range='1 .5'/>", "range"),
        ("<muscle joint='h' lmin='1.2'/>", "lmin"),
        ("<muscle joint='h' lmax='.8'/>", "lmax"),
    ] {
        refused("", element, said);
    }
    let general = |parameters: &str| {
        format!(
            "<general joint='h' dyntype='muscle' gaintype='muscle' biastype='muscle' lengthrange='0 1' \
             gainprm='{parameters}' biasprm='{parameters}'/>"
        )
    };
    for (parameters, said) in [
        (".75 1.05 -1 0 .5 1.6 1.5 1.3 1.2", "scale"),
        (".75 1.05 -1 200 .5 1.6 0 1.3 1.2", "vmax"),
        (".75 1.05 -1 200 .5 1.6 1.5 0 1.2", "fpmax"),
        (".75 1.05 -1 200 .5 1.6 1.5 1.3 0", "fvmax"),
    ] {
        refused("", &general(parameters), said);
    }
    let plain = "<compiler autolimits='false'/>";
    for element in [
        "<motor joint='hu' ctrlrange='-1 1'/>",
        "<motor joint='hu' forcerange='-1 1'/>",
        "<general joint='hu' dyntype='filter' actrange='-1 1'/>",
    ] {
        let text = format!(
            "<mujoco>{plain}<worldbody><body><joint name='hu'/><geom size='1'/></body></worldbody>\
             <actuator>{element}</actuator></mujoco>"
        );
        let message = refuse(&text).to_string();
        assert!(message.contains("limited"), "{message}");
    }
    // Accepted: what looks odd but has a meaning.
    for element in [
        "<motor joint='h' ctrlrange='1 -1'/>",
        "<motor joint='h' gear='0'/>",
        "<general joint='h' dyntype='filter' dynprm='0'/>",
        "<general joint='h' dyntype='filter' actrange='1 -1'/>",
        "<general joint='h' actearly='true'/>",
        "<motor site='s0' refsite='s0'/>",
        "<motor site='s0' refsite=''/>",
    ] {
        actuators("", element);
    }
}

#[test]
fn sites_are_accepted_by_every_kind_but_muscle_and_adhesion() {
    for element in [
        "<general site='s0'/>",
        "<motor site='s0'/>",
        "<position site='s0'/>",
        "<velocity site='s0'/>",
        "<damper site='s0' ctrlrange='0 1'/>",
        "<intvelocity site='s0' actrange='-1 1'/>",
        "<cylinder site='s0'/>",
    ] {
        let m = actuators("", element);
        assert_eq!(m.actuator_trntype[0], TransmissionType::Site.code());
        assert_eq!(m.actuator_gear[0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
    let m = actuators("", "<motor site='s0' gear='2 3'/>");
    assert_eq!(m.actuator_gear[0], [2.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
    // Without a reference site a muscle's range cannot be found.
    let muscle = "<general site='s0' dyntype='muscle' gaintype='muscle' biastype='muscle' \
        gainprm='.75 1.05 -1 200 .5 1.6 1.5 1.3 1.2' biasprm='.75 1.05 -1 200 .5 1.6 1.5 1.3 1.2'/>";
    refused("", muscle, "range");
}

#[test]
fn nan_in_a_range_or_length_is_pointed_out() {
    let element = "<actuator><general joint='h' dyntype='filter' actrange='nan 1'/></actuator>";
    let loaded = load_text(&scene("", element)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.warnings.len(), 1);
    let element = "<actuator><motor cranksite='s0' slidersite='s1' cranklength='nan'/></actuator>";
    let loaded = load_text(&scene("", element)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.warnings.len(), 1);
    let element = "<actuator><intvelocity joint='sl' inheritrange='.5'/></actuator>";
    let loaded = load_text(&scene("", element)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.model.actuator_actrange, [[0.0, 2.0]]);
}
