//! Contact storage is bounded, and what does not fit is counted.

use crate::{Case, near, stack_of_boxes};
use sinew::engine::position::contact::{Contact, storage};
use sinew::model::kinds::Warning;

fn heap(count: usize, memory: &str, option: &str) -> Case {
    let bodies: String = (0..count)
        .map(|i| {
            let (x, y, z) = (i % 8, (i / 8) % 8, i / 64);
            format!(
                r#"<body pos="{} {} {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#,
                0.01 * x as f64,
                0.01 * y as f64,
                1.0 + 0.01 * z as f64
            )
        })
        .collect();
    Case::new(&format!(
        r#"<mujoco><size memory="{memory}"/><option {option}/><worldbody>
           <geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#
    ))
}

/// Contacts that did not fit so far: those themselves, and those whose rows did not.
fn total_dropped(case: &Case) -> u64 {
    case.data.position.contacts.storage.total_dropped + case.rows().storage.total_dropped
}

/// Five hundred boxes that all overlap, in 64 MB.
#[test]
fn a_heap_of_boxes_drops_what_does_not_fit() {
    let mut case = heap(500, "64M", r#"solver="CG" iterations="3""#);
    for step in 1..=3 {
        // A wild heap may diverge; it must not end.
        let _ = case.data.step(&case.model);
        let (list, rows) = (&case.data.position.contacts.storage, &case.rows().storage);
        assert_eq!(storage::limit(&case.model), 64 << 20);
        assert!(rows.bytes <= 64 << 20);
        assert!(rows.bytes > 60 << 20, "the memory is used");
        assert!(list.dropped > 0 && rows.dropped > 0);
        assert!(total_dropped(&case) > 100_000);
        let count = |warning| case.data.warnings.get(warning).number;
        assert_eq!(count(Warning::Contactfull), step);
        assert_eq!(count(Warning::Cnstrfull), step);
        // What is kept is the beginning of the list, with all its rows.
        assert!(case.nefc() > 70_000);
        assert_eq!(case.nefc(), 4 * case.contacts().len());
    }
}

/// A limit so small that only some contacts fit: always the first ones.
#[test]
fn the_first_contacts_are_kept() {
    let whole = heap(12, "64M", "").forward();
    assert_eq!(total_dropped(&whole), 0);
    for memory in ["2K", "20K", "100K"] {
        for option in [
            r#"solver="Newton""#,
            r#"solver="PGS""#,
            r#"noslip_iterations="5""#,
            r#"cone="elliptic""#,
        ] {
            let case = heap(12, memory, option).forward();
            let kept = case.contacts().len();
            assert!(kept < whole.contacts().len());
            let geoms = |case: &Case| -> Vec<[i32; 2]> {
                case.contacts()[..kept].iter().map(|c| c.geom).collect()
            };
            assert_eq!(geoms(&case), geoms(&whole));
            let (list, rows) = (&case.data.position.contacts.storage, &case.rows().storage);
            assert!(rows.bytes <= storage::limit(&case.model));
            let dropped = list.dropped + rows.dropped;
            assert_eq!(kept + dropped, whole.contacts().len());
            assert!(case.qacc().iter().all(|x| x.is_finite()));
        }
    }
}

/// Two bodies alone may have more contacts than fit: those that cannot be kept are not even looked for.
#[test]
fn two_bodies_of_many_geoms_keep_to_the_limit() {
    let geoms = r#"<geom size=".1"/>"#.repeat(300);
    let case = Case::new(&format!(
        r#"<mujoco><size memory="1M"/><worldbody><body><freejoint/>{geoms}</body>
           <body pos=".05 0 0"><freejoint/>{geoms}</body></worldbody></mujoco>"#
    ))
    .forward();
    let most = (1 << 20) / size_of::<Contact>();
    assert!(!case.contacts().is_empty() && case.contacts().len() < most);
    assert!(case.data.position.contacts.contact.capacity() < 3 * most);
    assert!(total_dropped(&case) > 80_000);
    assert_eq!(case.data.warnings.get(Warning::Contactfull).number, 1);
}

/// A Hessian that finds no room is done without, by conjugate gradients.
#[test]
fn a_hessian_that_does_not_fit_is_not_made() {
    let roomy = |solver: &str| heap(160, "1G", &format!(r#"solver="{solver}""#)).forward();
    let (newton, gradients) = (roomy("Newton"), roomy("CG"));
    let mut tight = heap(160, "1G", "");
    tight.model.unchecked().narena = newton.rows().storage.bytes as i64;
    tight = tight.forward();
    assert_eq!(total_dropped(&tight), 0);
    assert_eq!(tight.nefc(), newton.nefc());
    assert_eq!(tight.qacc(), gradients.qacc());
    assert_ne!(tight.qacc(), newton.qacc());
}

/// Other rows stay when there is no room for contacts.
#[test]
fn limits_are_never_lost() {
    let case = Case::new(
        r#"<mujoco><size memory="1K"/><worldbody><geom type="plane" size="1 1 1"/>
           <body pos="0 0 .09"><joint type="slide" axis="0 0 1" range="-.1 -.05"/>
             <geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#,
    )
    .forward();
    assert_eq!(case.rows().nl, 1);
    assert!(case.contacts().len() < 4);
    let count = |warning| case.data.warnings.get(warning).number;
    assert!(count(Warning::Contactfull) + count(Warning::Cnstrfull) > 0);
    assert!(total_dropped(&case) > 0);
}

/// The mark rises with the need and stays.
#[test]
fn growth_is_counted() {
    let mut case = Case::new(&stack_of_boxes(3, "")).z(1.0);
    case = case.forward();
    let storage = |case: &Case| case.rows().storage.clone();
    let apart = storage(&case);
    case = case.z(0.05).forward();
    let together = storage(&case);
    assert!(together.most_bytes > apart.most_bytes);
    assert_eq!(together.growth_count, apart.growth_count + 1);
    case = case.z(1.0).forward();
    assert_eq!(storage(&case).most_bytes, together.most_bytes);
    assert_eq!(storage(&case).growth_count, together.growth_count);
    assert_eq!(storage(&case).bytes, apart.bytes);
    assert_eq!(case.data.warnings.get(Warning::Contactfull).number, 0);
}

/// Three thousand static bodies and one that moves.
#[test]
fn many_static_bodies_and_one_that_moves() {
    let tiles: String = (0..3000)
        .map(|i| {
            let (x, y) = (f64::from(i % 60) * 0.1, f64::from(i / 60) * 0.1);
            format!(r#"<body pos="{x} {y} -.05"><geom type="box" size=".05 .05 .05"/></body>"#)
        })
        .collect();
    let case = Case::new(&format!(
        r#"<mujoco><worldbody>{tiles}<body pos="2 2 .11"><freejoint/>
           <geom size=".1"/></body></worldbody></mujoco>"#
    ))
    .steps(300);
    near(case.qpos_of()[2], 0.1, 2e-3);
    assert_eq!(total_dropped(&case), 0);
}
