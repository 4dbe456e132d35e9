//! Pictures of models: the same bytes on every machine, and what they show is where the engine says.

use sinew_collision::ray::Ray;
use sinew_engine::Data;
use sinew_engine::ray::RayFilter;
use sinew_math::Vec3;
use sinew_mjcf::Loader;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;
use sinew_render::{Image, Labels, Options, RenderError, Renderer, Scene, View};

fn load(text: &str) -> (Model, Data) {
    let model = Loader::new().load_text(text).expect("a model").model;
    let mut data = Data::new(&model);
    data.forward(&model).expect("a state");
    (model, data)
}

fn built_in(path: &str) -> (Model, Data) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    let loaded = Loader::new().load_path(&format!("{folder}{path}.xml"));
    let model = loaded.expect("a model").model;
    let mut data = Data::new(&model);
    data.forward(&model).expect("a state");
    (model, data)
}

fn draw(model: &Model, data: &Data, threads: usize, (width, height): (usize, usize)) -> Image {
    let view = View::free(model);
    let scene = Scene::new(model, data, &view, &Options::default());
    let renderer = Renderer::new(model).expect("a renderer");
    let renderer = renderer.threads(threads);
    renderer
        .draw(&scene, &view, width, height)
        .expect("a picture")
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Models with sky, haze, mirrors, shadows, textures, meshes, height fields, clear pieces, cloth, tendons, skins.
const SCENES: [&str; 9] = [
    "humanoid",
    "terrain",
    "mesh_scene",
    "box_pile",
    "muscle_arm",
    "sensor_zoo",
    "flex/trampoline",
    "flex/trilinear_jelly",
    "features/skin",
];

/// The one list holds for all targets: this runs on wasm32 too.
#[test]
fn pictures_are_the_published_ones_on_every_processor() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hashes.txt");
    let mut today = String::new();
    for name in SCENES {
        let (model, data) = built_in(name);
        let image = draw(&model, &data, 1, (120, 90));
        today += &format!("{name} {:016x}\n", hash(&image.pixels));
    }
    if std::env::var_os("SINEW_UPDATE_HASHES").is_some() {
        std::fs::write(path, today).expect("hashes.txt");
        return;
    }
    let published = std::fs::read_to_string(path).expect("hashes.txt");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&today), lines(&published));
}

#[test]
fn threads_change_no_pixel() {
    for name in SCENES {
        let (model, data) = built_in(name);
        let alone = draw(&model, &data, 1, (120, 90));
        assert_eq!(alone, draw(&model, &data, 3, (120, 90)), "{name}");
    }
}

/// Where rays from the eye meet geoms, pixels show these geoms at that depth.
#[test]
fn pixels_show_what_rays_meet() {
    let (model, mut data) = load(
        "<mujoco><worldbody><geom type='plane' size='4 4 1'/>
         <geom type='sphere' size='.3' pos='-1 0 .5'/><geom type='box' size='.2 .3 .4' pos='.3 .2 .4' euler='10 20 30'/>
         <geom type='capsule' size='.15' fromto='1 -.5 .2 1.2 .4 .9'/>
         <geom type='cylinder' size='.2 .3' pos='-.2 -.8 .3' euler='40 0 0'/>
         <geom type='ellipsoid' size='.2 .3 .1' pos='0 1 .6'/></worldbody></mujoco>",
    );
    let view = View::around(&model, Vec3([0.0, 0.0, 0.3]), 4.0, 120.0, -25.0);
    let scene = Scene::new(&model, &data, &view, &Options::default());
    let renderer = Renderer::new(&model).expect("a renderer");
    let (width, height) = (80, 60);
    let depth = renderer
        .depth(&scene, &view, width, height)
        .expect("depths");
    let seen = renderer
        .segment(&scene, &view, width, height)
        .expect("objects");
    let [bottom, top] = view.frustum.vertical;
    let half = 0.5 * (top - bottom) * width as f64 / height as f64;
    let (mut compared, mut other) = (0, 0);
    for y in 0..height {
        for x in 0..width {
            let across = (2.0 * (x as f64 + 0.5) / width as f64 - 1.0) * half / view.frustum.near;
            let up = (1.0 - 2.0 * (y as f64 + 0.5) / height as f64) * top / view.frustum.near;
            let direction = view.forward + view.right() * across + view.up * up;
            let ray = Ray {
                origin: view.position,
                direction,
            };
            let hit = data.cast_ray(&model, &ray, &RayFilter::default());
            let hit = hit.expect("a ray");
            let pixel = y * width + x;
            let expected = hit.map_or([-1, -1], |(geom, _)| [geom as i32, ObjectType::Geom.code()]);
            if seen.objects[pixel] != expected {
                // Round shapes are drawn with corners.
                other += 1;
                continue;
            }
            if let Some((_, hit)) = hit {
                compared += 1;
                let found = f64::from(depth.metres[pixel]);
                let error = (found - hit.distance).abs() / hit.distance;
                assert!(error < 5e-3, "{x} {y}: {found} {}", hit.distance);
            }
        }
    }
    assert!(
        other * 100 < width * height,
        "{other} pixels show something else"
    );
    assert!(compared > width * height / 3, "{compared}");
}

/// Two triangles share the diagonal of a square face; samples that lie on it are in one of them.
#[test]
fn faces_have_no_holes_along_their_diagonals() {
    let (model, data) = load(
        "<mujoco><worldbody><geom type='box' size='.2 .2 .2' pos='-1 1 .1'/><geom type='box' size='.2 .2 .2' pos='1 1 .1'/>
         <geom type='box' size='.2 .2 .2' pos='1 -1 .1'/><geom type='box' size='.2 .2 .2' pos='-1 -1 .1'/>
         <camera pos='0 0 3'/></worldbody></mujoco>",
    );
    let view = View::of_camera(&model, &data, 0).expect("a camera");
    let scene = Scene::new(&model, &data, &view, &Options::default());
    let renderer = Renderer::new(&model).expect("a renderer");
    for side in [200, 120, 64] {
        let seen = renderer
            .segment(&scene, &view, side, side)
            .expect("objects")
            .objects;
        let is_box = |x: usize, y: usize| seen[y * side + x][0] >= 0;
        let mut inner = 0;
        for y in 1..side - 1 {
            for x in 1..side - 1 {
                if is_box(x - 1, y) && is_box(x + 1, y) && is_box(x, y - 1) && is_box(x, y + 1) {
                    assert!(is_box(x, y), "a hole at {x} {y} of {side}");
                    inner += 1;
                }
            }
        }
        assert!(inner > side * side / 20, "{inner} of {side}");
    }
}

/// Edges lie on what is drawn whole, and threads change nothing there either.
#[test]
fn wireframes_are_edges_of_what_is_there() {
    let (model, data) = built_in("box_pile");
    let view = View::free(&model);
    let mut scene = Scene::new(&model, &data, &view, &Options::default());
    scene.effects.sky = false;
    let renderer = Renderer::new(&model).expect("a renderer");
    let lit = |image: &Image| -> Vec<bool> {
        let pixels = image.pixels.as_chunks::<3>().0.iter();
        pixels.map(|pixel| *pixel != [0; 3]).collect()
    };
    let whole = renderer.draw(&scene, &view, 120, 90).expect("a picture");
    scene.effects.wireframe = true;
    let edges = renderer.draw(&scene, &view, 120, 90).expect("a picture");
    let (whole, lines) = (lit(&whole), lit(&edges));
    assert!(
        lines
            .iter()
            .zip(&whole)
            .all(|(line, whole)| *whole || !line)
    );
    let count = |list: &[bool]| list.iter().filter(|is_lit| **is_lit).count();
    assert!(
        count(&lines) > 100 && count(&lines) < count(&whole),
        "{}",
        count(&lines)
    );
    let again = renderer.clone().threads(3).draw(&scene, &view, 120, 90);
    assert_eq!(again, Ok(edges));
    // Objects are whole all the same.
    let seen = renderer.segment(&scene, &view, 120, 90).expect("objects");
    let covered = seen.objects.iter().filter(|object| object[0] >= 0).count();
    assert!(covered > count(&lines), "{covered}");
}

/// Names of objects, or else their type and number, stand beside the pieces that show them.
#[test]
fn names_are_written_beside_pieces() {
    let (model, data) = load(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><geom size='.1'/>
         <body name='arm'><joint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let texts = |labels: Labels| -> Vec<(usize, String)> {
        let options = Options {
            labels: Some(labels),
            ..Options::default()
        };
        let scene = Scene::new(&model, &data, &View::free(&model), &options);
        scene
            .texts
            .into_iter()
            .map(|text| (text.piece, text.text))
            .collect()
    };
    let named = [(0, "floor"), (1, "geom 1"), (2, "geom 2")];
    assert_eq!(
        texts(Labels::Geoms),
        named.map(|(k, name)| (k, name.to_owned()))
    );
    assert_eq!(texts(Labels::Bodies), [(3, "arm".to_owned())]);
    assert!(texts(Labels::Joints).is_empty(), "joints are not shown");
}

#[test]
fn files_are_png_and_nothing_is_black() {
    let (model, data) = load("<mujoco/>");
    let image = draw(&model, &data, 1, (8, 8));
    assert!(image.pixels.iter().all(|&byte| byte == 0));
    assert!(image.to_png().starts_with(b"\x89PNG\r\n"));
}

#[test]
fn sizes_that_cannot_be_drawn_are_refused() {
    let (model, data) = load("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    let view = View::free(&model);
    let scene = Scene::new(&model, &data, &view, &Options::default());
    let renderer = Renderer::new(&model).expect("a renderer");
    for (width, height) in [(0, 10), (10, 0), (9000, 10), (usize::MAX, usize::MAX)] {
        let refused = renderer.draw(&scene, &view, width, height);
        assert_eq!(refused, Err(RenderError::Size { width, height }));
    }
    assert!(View::of_camera(&model, &data, 0).is_none());
}

/// Numbers that make no sense give some picture.
#[test]
fn bad_numbers_are_drawn_somehow() {
    let (mut model, mut data) = built_in("sensor_zoo");
    let arrays = model.unchecked();
    for (k, colour) in arrays.geom_rgba.iter_mut().enumerate() {
        *colour = [f32::NAN, f32::INFINITY, -1e30, [0.5, 1.0][k % 2]];
    }
    for light in &mut arrays.light_diffuse {
        *light = [f32::NAN; 3];
    }
    for (k, position) in data.position.kinematics.geom_xpos.iter_mut().enumerate() {
        *position = Vec3([[f64::NAN, 1e300, f64::INFINITY, 0.1][k % 4]; 3]);
    }
    let image = draw(&model, &data, 1, (40, 30));
    assert_eq!(image.pixels.len(), 3 * 40 * 30);
}

/// Ten thousand lights: a hundred are looked at, and few have a shadow map each.
#[test]
fn many_lights_are_few() {
    let light = "<light pos='0 0 3' dir='0 0 -1' castshadow='true'/>";
    let (model, data) = load(&format!(
        "<mujoco><worldbody>{}<geom size='.3'/></worldbody></mujoco>",
        light.repeat(10_000)
    ));
    assert_eq!(model.nlight, 10_000);
    let scene = Scene::new(&model, &data, &View::free(&model), &Options::default());
    assert_eq!(scene.lights.len(), 101);
    let casting = scene.lights.iter().filter(|light| light.casts_shadow);
    assert_eq!(casting.count(), 16);
    assert_eq!(draw(&model, &data, 1, (8, 8)).pixels.len(), 3 * 64);
}

/// What would take hours is refused before it is begun: copies of a mesh, and layers that fill the picture.
#[test]
fn more_triangles_than_can_be_drawn_are_refused() {
    let (model, data) = load(
        "<mujoco><asset><mesh name='m' builtin='sphere' params='4'/></asset><worldbody>
         <geom type='mesh' mesh='m'/></worldbody></mujoco>",
    );
    let view = View::free(&model);
    let mut scene = Scene::new(&model, &data, &view, &Options::default());
    let renderer = Renderer::new(&model).expect("a renderer");
    assert!(renderer.draw(&scene, &view, 8, 8).is_ok());
    scene.pieces = vec![scene.pieces[0]; 40_000_000 / model.nmeshface + 1];
    let refused = renderer.draw(&scene, &view, 8, 8);
    assert!(
        matches!(
            refused,
            Err(RenderError::TooMuch {
                what: "triangles",
                ..
            })
        ),
        "{refused:?}"
    );

    let (model, data) =
        load("<mujoco><worldbody><geom type='plane' size='0 0 1'/></worldbody></mujoco>");
    let view = View::around(&model, Vec3([0.0; 3]), 1.0, 0.0, -80.0);
    let mut scene = Scene::new(&model, &data, &view, &Options::default());
    let renderer = Renderer::new(&model).expect("a renderer");
    scene.pieces = vec![scene.pieces[0]; 200];
    let refused = [
        renderer.draw(&scene, &view, 8192, 8192).map(|_| ()),
        renderer.depth(&scene, &view, 8192, 8192).map(|_| ()),
    ];
    for refused in refused {
        let is_refused = matches!(
            refused,
            Err(RenderError::TooMuch {
                what: "pixels of triangles",
                ..
            })
        );
        assert!(is_refused, "{refused:?}");
    }
}

/// A texture of 10⁹ pixels is refused by the loader, before memory is reserved for it.
#[test]
fn textures_of_a_billion_pixels_are_refused() {
    for kind in ["2d", "cube", "skybox"] {
        let text = format!(
            "<mujoco><asset><texture name='t' type='{kind}' builtin='gradient' width='31623' height='31623'/></asset></mujoco>"
        );
        let error = Loader::new().load_text(&text).expect_err("too many pixels");
        assert!(error.to_string().contains("pixels"), "{error}");
    }
}

/// Meshes are limited by their sum before they are copied.
#[test]
fn more_meshes_than_can_be_kept_are_refused() {
    let (mut model, _) = load("<mujoco/>");
    model.unchecked().nmeshface = 20_000_001;
    let refused = Renderer::new(&model).map(|_| ());
    let found = 20_000_001;
    let (what, most) = ("triangles", 20_000_000);
    assert_eq!(refused, Err(RenderError::TooMuch { what, found, most }));
}
