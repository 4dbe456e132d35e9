//! Convex shapes touch in lent memory where they touch on the heap: same contacts, same bits.

mod generator;

use generator::Generator;
use sinew_collision::convex::{
    self, Convex, Field, HeightField, Kind, Lent, MeshShape, Method, PairSettings, Polytope,
    Workspace, convex_contact, convex_convex, field_contacts, hfield_convex,
};
use sinew_collision::pair::{Shape, Touch};

const SETTINGS: PairSettings = PairSettings {
    method: Method::Native,
    iterations: 35,
    tolerance: 1e-6,
    is_multiple: false,
};
const LIMITS: (usize, f64) = (SETTINGS.iterations, SETTINGS.tolerance);

fn solid(kind: usize, shape: &Shape, margin: f64) -> Convex<'static> {
    let kind = match kind % 5 {
        0 => Kind::Cylinder,
        1 => Kind::Ellipsoid,
        2 => Kind::Box,
        3 => Kind::Capsule,
        _ => Kind::Sphere,
    };
    Convex::new(kind, shape.pos, shape.mat, shape.size, margin)
}

fn bits(touches: &[Touch]) -> Vec<u64> {
    let numbers = |touch: &Touch| {
        let (pos, normal) = (touch.pos.0, touch.normal.0);
        [[touch.dist; 3], pos, normal].concat()
    };
    let all = touches.iter().flat_map(numbers);
    all.map(f64::to_bits).collect()
}

#[test]
fn shapes_touch_in_lent_memory_as_on_the_heap() {
    let mut generator = Generator(11);
    let mut memory = vec![f64::NAN; convex::room(LIMITS.0)];
    let mut work = Workspace::default();
    let mut contacts = 0;
    for i in 0..20_000 {
        let margin = if i % 3 == 0 { 0.02 } else { 0.0 };
        let shapes = [generator.shape(i % 7 == 0), generator.shape(i % 7 == 0)];
        let pair = || {
            (
                solid(i, &shapes[0], margin),
                solid(i / 5, &shapes[1], margin),
            )
        };
        let (mut first, mut second) = pair();
        let mut expected = Vec::new();
        convex_convex(
            &SETTINGS,
            &mut first,
            &mut second,
            1.0,
            margin,
            &mut work,
            &mut expected,
        );
        let (mut first, mut second) = pair();
        let polytope = &mut Polytope::<f64, Lent<'_>>::lent(&mut memory, LIMITS.0);
        let found = convex_contact(LIMITS, &mut first, &mut second, margin, polytope);
        let found: Vec<Touch> = found.into_iter().collect();
        assert_eq!(bits(&found), bits(&expected), "{shapes:?}");
        contacts += found.len();
    }
    assert!(contacts > 2000, "{contacts}");
}

#[test]
fn height_fields_touch_in_lent_memory_as_on_the_heap() {
    let mut generator = Generator(12);
    let mut memory = vec![f64::NAN; convex::room(LIMITS.0)];
    let mut work = Workspace::default();
    let elevation: Vec<f32> = (0..20 * 24)
        .map(|_| generator.between(0.0, 1.0) as f32)
        .collect();
    let wide: Vec<f64> = elevation.iter().map(|&x| f64::from(x)).collect();
    let mut contacts = 0;
    for i in 0..2000 {
        let margin = if i % 3 == 0 { 0.02 } else { 0.0 };
        let (ground, shape) = (generator.shape(false), generator.shape(false));
        let field = Field {
            pos: ground.pos,
            mat: ground.mat,
            size: [2.0, 1.5, 0.3, 0.2],
            rows: 20,
            columns: 24,
            elevation: &elevation,
        };
        let placed = solid(i, &shape, 0.0);
        let mut expected = Vec::new();
        hfield_convex(
            &SETTINGS,
            &field,
            &placed,
            2.0,
            margin,
            &mut work,
            &mut expected,
        );
        let field = HeightField {
            pos: field.pos,
            mat: field.mat,
            size: field.size,
            rows: field.rows,
            columns: field.columns,
            elevation: &wide[..],
        };
        let mut found = Vec::new();
        let polytope = &mut Polytope::<f64, Lent<'_>>::lent(&mut memory, LIMITS.0);
        field_contacts::<f64, MeshShape<'_>, _>(
            &field,
            &placed,
            2.0,
            margin,
            |prism, shape| convex::deepest(LIMITS, prism, shape, 0.0, polytope),
            &mut found,
        );
        assert_eq!(bits(&found), bits(&expected), "{ground:?} {shape:?}");
        contacts += found.len();
    }
    assert!(contacts > 1000, "{contacts}");
}
