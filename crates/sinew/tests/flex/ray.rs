//! Rays against vertices, edges and faces.

use super::{grid, model, near};
use sinew::collision::ray::Ray;
use sinew::engine::ray::FlexParts;
use sinew::engine::{Data, Engine};
use sinew::math::vec3;
use sinew::model::Model;

/// What a ray straight down meets: distance and vertex.
fn down(model: &Model, x: f64, y: f64, parts: FlexParts) -> Option<(f64, i32)> {
    let mut data = Data::new(model);
    Engine::new(model).forward_kinematics(&mut data).unwrap();
    let ray = Ray {
        origin: vec3(x, y, 1.0),
        direction: vec3(0.0, 0.0, -2.0),
    };
    let hit = data.cast_ray_at_flex(model, &ray, 0, parts).unwrap();
    hit.map(|(vertex, hit)| {
        near(&[hit.normal[2].abs()], &[1.0], 1e-12);
        // Distances are compared to nine digits.
        ((hit.distance * 1e9).round() / 1e9, vertex)
    })
}

const NOTHING: FlexParts = FlexParts {
    vertices: false,
    edges: false,
    faces: false,
    layer: 0,
    skin: false,
};

#[test]
fn each_part_is_met_where_it_is() {
    let model = grid("");
    let [vertices, edges, faces, skin] = [
        FlexParts {
            vertices: true,
            ..NOTHING
        },
        FlexParts {
            edges: true,
            ..NOTHING
        },
        FlexParts {
            faces: true,
            ..NOTHING
        },
        FlexParts {
            skin: true,
            ..NOTHING
        },
    ];
    // Over a vertex, over an edge, over a face, beside all of them; distances in units of the direction.
    assert_eq!(down(&model, 0.0, 0.0, vertices), Some((0.495, 4)));
    assert_eq!(down(&model, 0.04, 0.0, vertices), None);
    assert_eq!(down(&model, 0.04, 0.0, edges), Some((0.495, 4)));
    assert_eq!(down(&model, 0.07, 0.03, edges), None);
    assert_eq!(down(&model, 0.07, 0.03, faces), Some((0.5, 7)));
    assert_eq!(down(&model, 0.06, 0.0, skin), Some((0.495, 7)));
    assert_eq!(down(&model, 0.07, 0.03, skin), Some((0.5, 7)));
    assert_eq!(down(&model, 0.0, 0.0, NOTHING), None);
    assert_eq!(down(&model, 0.2, 0.0, skin), None);
}

#[test]
fn layers_of_a_solid_are_met_one_at_a_time() {
    let model = model(
        "<mujoco><worldbody><flexcomp name='f' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' radius='.001'/>\
         </worldbody></mujoco>",
    );
    let faces = |layer: i32| FlexParts {
        faces: true,
        layer,
        ..NOTHING
    };
    let top = down(&model, 0.02, 0.01, faces(0)).unwrap();
    near(&[top.0], &[0.425], 1e-12);
    let layers = model.flex_elemlayer.iter().max().copied().unwrap();
    assert!(layers > 0);
    let inner = down(&model, 0.02, 0.01, faces(layers)).unwrap();
    assert!(inner.0 > top.0);
    assert_eq!(down(&model, 0.02, 0.01, faces(layers + 1)), None);
}

#[test]
fn an_unknown_flex_is_refused() {
    let model = grid("");
    let data = Data::new(&model);
    let ray = Ray {
        origin: vec3(0.0, 0.0, 1.0),
        direction: vec3(0.0, 0.0, -1.0),
    };
    assert!(data.cast_ray_at_flex(&model, &ray, 1, NOTHING).is_err());
}
