//! Geoms and elements of a flex touch where MuJoCo 3.5.0 says, in the same order.
//!
//! The expected values in `golden/elements.txt` were written by `golden/elements.py` from the reference;
//! the shapes come from a generator that both sides run.

mod generator;

use generator::Generator;
use sinew_collision::convex::{
    Convex, Field, Kind, Method, PairSettings, Workspace, convex_simplex, hfield_simplex,
};
use sinew_collision::pair::{self, Shape, Touch, Triangle};
use sinew_math::Vec3;

const KINDS: [&str; 6] = [
    "sphere",
    "capsule",
    "ellipsoid",
    "cylinder",
    "box",
    "hfield",
];
const CASES: usize = 60;
const ELEVATION: [f32; 12] = [0.7, 1.0, 0.0, 0.35, 0.2, 0.8, 0.5, 0.4, 0.1, 0.9, 0.3, 0.6];

/// An element where it stands.
struct Element {
    corners: Vec<Vec3>,
    centre: Vec3,
    radius: f64,
}

impl Element {
    fn new(generator: &mut Generator, dimension: usize) -> Element {
        let corners: Vec<Vec3> = (0..=dimension)
            .map(|_| Vec3(std::array::from_fn(|_| generator.between(-0.3, 0.3))))
            .collect();
        let (mut low, mut high) = (corners[0], corners[0]);
        for corner in &corners {
            for k in 0..3 {
                low[k] = low[k].min(corner[k]);
                high[k] = high[k].max(corner[k]);
            }
        }
        Element {
            corners,
            centre: (low + high) * 0.5,
            radius: generator.between(0.005, 0.05),
        }
    }

    fn capsule(&self) -> Shape {
        Shape::capsule_between([self.corners[0], self.corners[1]], self.radius)
    }

    fn triangle(&self) -> Triangle {
        Triangle {
            corners: [self.corners[0], self.corners[1], self.corners[2]],
            radius: self.radius,
        }
    }
}

/// Contacts by the functions that the engine chooses for a kind of geom and a dimension.
fn touches(kind: &str, shape: &Shape, element: &Element, margin: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    let mut work = Workspace::default();
    let settings = PairSettings {
        method: Method::Native,
        iterations: 35,
        tolerance: 1e-6,
        is_multiple: false,
    };
    match (kind, element.corners.len() - 1) {
        ("sphere", 1) => pair::sphere_capsule(shape, &element.capsule(), margin, &mut out),
        ("capsule", 1) => pair::capsule_capsule(shape, &element.capsule(), margin, &mut out),
        ("box", 1) => {
            pair::capsule_box(&element.capsule(), shape, margin, &mut out);
            for touch in &mut out {
                touch.normal = -touch.normal;
            }
        }
        ("sphere", 2) => {
            let triangle = element.triangle();
            pair::sphere_triangle(shape.pos, shape.size[0], &triangle, margin, &mut out);
        }
        ("capsule", 2) => {
            pair::capsule_triangle(shape, &element.triangle(), margin, &mut out);
        }
        ("box", 2) => pair::box_triangle(shape, &element.triangle(), margin, &mut out),
        ("hfield", _) => {
            let [x, y, z] = shape.size;
            let field = Field {
                pos: shape.pos,
                mat: shape.mat,
                size: [x, y, z, 0.1],
                rows: 3,
                columns: 4,
                elevation: &ELEVATION,
            };
            let parts = (&element.corners[..], element.centre, element.radius);
            hfield_simplex(&settings, &field, parts, margin, &mut work, &mut out);
        }
        _ => {
            let kind = match kind {
                "sphere" => Kind::Sphere,
                "capsule" => Kind::Capsule,
                "ellipsoid" => Kind::Ellipsoid,
                "cylinder" => Kind::Cylinder,
                _ => Kind::Box,
            };
            let mut first = Convex::new(kind, shape.pos, shape.mat, shape.size, margin);
            let mut simplex =
                Convex::simplex(&element.corners, element.centre, element.radius, margin);
            convex_simplex(
                &settings,
                &mut first,
                &mut simplex,
                margin,
                &mut work,
                &mut out,
            );
        }
    }
    out
}

#[test]
fn geoms_and_elements_equal_the_reference() {
    let golden = include_str!("golden/elements.txt");
    let mut lines = golden.lines().filter(|line| !line.starts_with('#'));
    let mut contacts = 0;
    for (index, kind) in KINDS.iter().enumerate() {
        for dimension in 1..=3 {
            let mut generator = Generator(2000 + 10 * index as u64 + dimension as u64);
            for case in 0..CASES {
                let shape = generator.shape(case % 3 == 2);
                let element = Element::new(&mut generator, dimension);
                let margin = if case % 2 == 0 { 0.0 } else { 0.05 };
                let found = touches(kind, &shape, &element, margin);
                contacts += found.len();
                let header = lines.next().expect("a header per case");
                assert_eq!(
                    header,
                    format!("{kind} {dimension} {case} {}", found.len()),
                    "contact count"
                );
                for touch in &found {
                    let numbers = lines.next().expect("a line per contact").split(' ');
                    let expected: Vec<f64> = numbers
                        .map(|word| word.parse().expect("a number"))
                        .collect();
                    let ours = [touch.dist].into_iter().chain(touch.pos.0);
                    for (a, b) in ours.chain(touch.normal.0).zip(&expected) {
                        assert!(
                            (a - b).abs() <= 1e-12,
                            "{kind} {dimension} {case}: {touch:?} != {expected:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(lines.next().is_none(), "every stored case was checked");
    assert!(contacts > 500, "the cases are not all apart: {contacts}");
}
