//! Every primitive pair finds the contacts that MuJoCo 3.5.0 finds, in the same order.
//!
//! The expected values in `golden/pairs.txt` were written by `golden/pairs.py` from the reference;
//! the shapes come from a generator that both sides run.

mod generator;

use generator::Generator;
use sinew_collision::pair::{self, Shape, Touch};

type Pair = fn(&Shape, &Shape, f64, &mut Vec<Touch>);

const PAIRS: [(&str, Pair); 11] = [
    ("PlaneSphere", pair::plane_sphere),
    ("PlaneCapsule", pair::plane_capsule),
    ("PlaneCylinder", pair::plane_cylinder),
    ("PlaneBox", pair::plane_box),
    ("SphereSphere", pair::sphere_sphere),
    ("SphereCapsule", pair::sphere_capsule),
    ("SphereCylinder", pair::sphere_cylinder),
    ("SphereBox", pair::sphere_box),
    ("CapsuleCapsule", pair::capsule_capsule),
    ("CapsuleBox", pair::capsule_box),
    ("BoxBox", pair::box_box),
];

#[test]
fn primitive_pairs_equal_the_reference() {
    let golden = include_str!("golden/pairs.txt");
    let mut lines = golden.lines().filter(|line| !line.starts_with('#'));
    let mut contacts = 0;
    for (index, (name, function)) in PAIRS.iter().enumerate() {
        let mut generator = Generator(1000 + index as u64);
        for case in 0..120 {
            let first = generator.shape(case % 3 == 2);
            let second = generator.shape(case % 3 == 2);
            let margin = if case % 2 == 0 { 0.0 } else { 0.05 };
            let mut found = Vec::new();
            function(&first, &second, margin, &mut found);

            let header = lines.next().expect("a header per case");
            assert_eq!(
                header,
                format!("{name} {case} {}", found.len()),
                "contact count"
            );
            for touch in &found {
                contacts += 1;
                let expected: Vec<f64> = lines
                    .next()
                    .expect("a line per contact")
                    .split(' ')
                    .map(|word| word.parse().expect("a number"))
                    .collect();
                let ours: Vec<f64> = [touch.dist]
                    .into_iter()
                    .chain(touch.pos.0)
                    .chain(touch.normal.0)
                    .chain(touch.tangent.0)
                    .collect();
                for (a, b) in ours.iter().zip(&expected) {
                    assert!(
                        (a - b).abs() <= 1e-12,
                        "{name} {case}: {ours:?} != {expected:?}"
                    );
                }
            }
        }
    }
    assert!(lines.next().is_none(), "every stored case was checked");
    assert!(contacts > 500, "the cases are not all apart: {contacts}");
}
