//! A load never holds more than the memory it was given: it counts before it reserves.

use crate::counting::peak_of;
use sinew::mjcf::{Limits, Loader};
use std::fmt::Write;
use std::sync::Arc;

/// A model that grows with one number.
struct Case {
    name: &'static str,
    text: String,
    file: Option<(&'static str, Arc<[u8]>)>,
}

fn case(name: &'static str, text: String) -> Case {
    Case {
        name,
        text,
        file: None,
    }
}

fn world(inside: &str) -> String {
    format!("<mujoco><worldbody>{inside}</worldbody></mujoco>")
}

fn repeated(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = write!(text, "{}", each(i));
        text
    })
}

fn mesh(name: &'static str, attributes: &str, collides: bool) -> Case {
    let bit = u8::from(collides);
    case(
        name,
        format!(
            "<mujoco><asset><mesh name='m' inertia='shell' {attributes}/></asset><worldbody>\
             <geom type='mesh' mesh='m' contype='{bit}' conaffinity='{bit}'/></worldbody></mujoco>"
        ),
    )
}

fn chain(links: usize, inside: &str) -> String {
    let open = format!("<body pos='0 0 .1'>{inside}<geom size='.01'/>");
    world(&(open.repeat(links) + &"</body>".repeat(links)))
}

/// A model with one section besides or instead of the tree.
fn section(name: &str, inside: &str) -> String {
    let tree = "<worldbody><site name='s'/><site name='t' pos='1 0 0'/>\
        <body><joint name='j'/><geom size='1'/></body></worldbody>";
    format!("<mujoco>{tree}<{name}>{inside}</{name}></mujoco>")
}

fn asset(inside: &str) -> String {
    format!("<mujoco><asset>{inside}</asset></mujoco>")
}

/// Elements of the tree in numbers, copies of them, and long lists that travel with them.
fn trees() -> Vec<Case> {
    let long = "1 ".repeat(2000);
    let named = repeated(10_000, |i| {
        format!("<geom name='g{i}' size='.1' pos='{i} 0 0'/>")
    });
    let frames = ("<frame>".repeat(400) + &"</frame>".repeat(400)).repeat(30);
    let free = "<body><freejoint/><geom size='.1'/></body>".repeat(3_000);
    let copies = |count: usize, inside: &str| {
        world(&format!(
            "<replicate count='{count}' offset='1 0 0'>{inside}</replicate>"
        ))
    };
    let geoms = |count| "<geom size='1'/>".repeat(count);
    vec![
        case("bodies", world(&"<body/>".repeat(20_000))),
        case("named geoms", world(&named)),
        case("sites", world(&"<site/>".repeat(20_000))),
        case("nested frames", world(&frames)),
        case("a chain of hinges", chain(400, "<joint/>")),
        case("a chain of balls", chain(300, "<joint type='ball'/>")),
        case("free bodies", world(&free)),
        case("copies", copies(8000, "<body><geom size='1'/></body>")),
        case(
            "copies of lists",
            copies(1500, &format!("<geom size='1' user='{long}'/>")),
        ),
        case(
            "lists of a class",
            format!(
                "<mujoco><default><geom user='{long}'/></default><worldbody>{}</worldbody></mujoco>",
                geoms(1500)
            ),
        ),
        case(
            "wide user data",
            format!(
                "<mujoco><size nuser_geom='4000'/><worldbody>{}</worldbody></mujoco>",
                geoms(500)
            ),
        ),
    ]
}

/// Elements outside the tree in numbers, and numbers that stand for memory.
fn lists() -> Vec<Case> {
    let classes = repeated(20_000, |i| {
        format!("<default class='c{i}'><geom size='1'/></default>")
    });
    let fields = repeated(8_000, |i| {
        format!("<text name='t{i}' data='x'/><numeric name='n{i}' data='1'/>")
    });
    let sensor = |attributes: &str| format!("<framepos objtype='site' objname='s' {attributes}/>");
    let tendon = "<spatial><site site='s'/><site site='t'/></spatial>";
    vec![
        case("sensors", section("sensor", &sensor("").repeat(8_000))),
        case("a history", section("sensor", &sensor("nsample='1000000'"))),
        case(
            "actuators",
            section("actuator", &"<motor joint='j'/>".repeat(3_000)),
        ),
        case("tendons", section("tendon", &tendon.repeat(4_000))),
        case("classes", section("default", &classes)),
        case("tuples and texts", section("custom", &fields)),
        case(
            "user data of a simulation",
            "<mujoco><size nuserdata='4000000'/></mujoco>".into(),
        ),
        case(
            "keyframes",
            section("keyframe", "").replace("<mujoco>", "<mujoco><size nkey='100000'/>"),
        ),
        case(
            "comments and blanks",
            format!("<mujoco>{}</mujoco>", "<!-- -- -->    \n".repeat(60_000)),
        ),
    ]
}

fn assets() -> Vec<Case> {
    let heights = format!("elevation='{}'", "1 2 ".repeat(125_000));
    let field =
        |attributes: &str| asset(&format!("<hfield name='h' size='1 1 1 1' {attributes}/>"));
    let texture = |attributes: &str| asset(&format!("<texture name='t' {attributes}/>"));
    // Points on a sphere: all of them are corners of the hull.
    let points = repeated(6_000, |i| {
        let (height, angle) = (2.0 * i as f64 / 5_999.0 - 1.0, 2.4 * i as f64);
        let radius = (1.0 - height * height).max(0.0).sqrt();
        let (y, x) = sinew::math::sine::sin_cos(angle);
        format!("{} {} {height} ", radius * x, radius * y)
    });
    vec![
        case(
            "a number list",
            field(&format!("nrow='500' ncol='500' {heights}")),
        ),
        case("a height field", field("nrow='2000' ncol='1000'")),
        case(
            "a texture",
            texture("type='2d' builtin='flat' width='2000' height='2000'"),
        ),
        case(
            "a sky",
            texture("type='skybox' builtin='gradient' width='800'"),
        ),
        mesh("a plate", "builtin='plate' params='200 200'", false),
        mesh("a sphere", "builtin='supersphere' params='150 1 1'", false),
        mesh("a hull", "builtin='supersphere' params='150 1 1'", true),
        mesh("a wedge", "builtin='wedge' params='120 120 60 60 0'", true),
        mesh("inline vertices", &format!("vertex='{points}'"), true),
    ]
}

/// Models that name a file in memory.
fn files() -> Vec<Case> {
    let part = format!(
        "<mujoco><asset><mesh name='m' vertex='{}'/></asset>\
         <worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>",
        "0 0 0 1 0 0 0 1 0 0 0 1 ".repeat(500)
    );
    let attached = repeated(60, |i| {
        format!("<attach model='p' body='b' prefix='p{i}'/>")
    });
    let attaching = format!(
        "<mujoco><asset><model name='p' file='p.xml'/></asset>\
         <worldbody>{attached}</worldbody></mujoco>"
    );
    let grid = 700_u32;
    let mut heights = [grid.to_le_bytes(), grid.to_le_bytes()].concat();
    heights.extend((0..grid * grid).flat_map(|i| (i as f32).to_le_bytes()));
    let field = asset("<hfield name='h' size='1 1 1 1' file='h.bin'/>");
    let mut obj = repeated(20_000, |i| format!("v {} {} {}\n", i % 141, i / 141, i % 7));
    obj += &repeated(30_000, |i| {
        let at = i % 19_000 + 1;
        format!("f {at} {} {} {}\n", at + 1, at + 142, at + 141)
    });
    vec![
        Case {
            file: Some(("h.bin", heights.into())),
            ..case("a height file", field)
        },
        Case {
            file: Some(("m.obj", obj.into_bytes().into())),
            ..mesh("an OBJ file", "file='m.obj'", false)
        },
        Case {
            file: Some(("p.xml", part.into_bytes().into())),
            ..case("attached models", attaching)
        },
    ]
}

/// Cloths, solids and what they are made of.
fn flexes() -> Vec<Case> {
    let flexcomp = |attributes: &str, inside: &str| {
        world(&format!(
            "<flexcomp name='f' radius='.001' {attributes}>{inside}</flexcomp>"
        ))
    };
    let elastic = "young='1e3' poisson='.2'";
    let bends = format!("<elasticity {elastic} thickness='.01' elastic2d='both'/>");
    let solid = format!("<elasticity {elastic}/><contact selfcollide='none'/>");
    let (points, lines) = (20_000, 19_999);
    let places = repeated(points, |i| format!("{i} 0 0 "));
    let segments = repeated(lines, |i| format!("{i} {} ", i + 1));
    let listed = format!("type='direct' dim='1' point='{places}' element='{segments}'");
    let mut gmsh = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n".to_string();
    let _ = write!(gmsh, "1 {points} 1 {points}\n1 1 0 {points}\n");
    gmsh += &repeated(points, |i| format!("{}\n", i + 1));
    gmsh += &repeated(points, |i| format!("{i} 0 0\n"));
    let _ = write!(
        gmsh,
        "$EndNodes\n$Elements\n1 {lines} 1 {lines}\n1 1 1 {lines}\n"
    );
    gmsh += &repeated(lines, |i| format!("{0} {0} {1}\n", i + 1, i + 2));
    gmsh += "$EndElements\n";
    vec![
        case("a cloth", flexcomp("count='60 60 1'", &bends)),
        case(
            "a cloth that keeps its lengths",
            flexcomp("count='60 60 1'", "<edge equality='true'/>"),
        ),
        case(
            "a rigid cloth",
            flexcomp("count='200 200 1' rigid='true'", ""),
        ),
        case("a solid", flexcomp("dim='3' count='14 14 14'", &solid)),
        case(
            "an interpolated solid",
            flexcomp("dim='3' dof='trilinear' count='25 25 25'", &solid),
        ),
        case(
            "a solid that may touch inside",
            flexcomp("dim='3' count='12 12 12'", "<contact internal='true'/>"),
        ),
        case(
            "a list of points",
            flexcomp(&listed, "<pin range='0 19990'/>"),
        ),
        Case {
            file: Some(("f.gmsh", gmsh.into_bytes().into())),
            ..case(
                "a Gmsh file",
                flexcomp("type='gmsh' dim='1' file='f.gmsh' rigid='true'", ""),
            )
        },
    ]
}

#[test]
fn a_load_stays_within_its_memory() {
    let mut wrong = Vec::new();
    let cases = [trees(), lists(), assets(), files(), flexes()];
    for Case { name, text, file } in cases.into_iter().flatten() {
        let mut loader = Loader::new();
        if let Some((file, bytes)) = file {
            loader = loader.asset(file, bytes);
        }
        let load = |memory: Option<u64>| {
            let limits = Limits {
                memory,
                ..Limits::default()
            };
            let loader = loader.clone().limits(limits);
            peak_of(|| loader.load_text(&text).map(drop))
        };
        // Each case grows to some megabytes; the budget is a fraction of that, then a multiple.
        let (result, whole) = load(None);
        if let Err(error) = &result {
            let first = error.to_string();
            wrong.push(format!("{name} does not load: {:.200}", first));
        }
        for share in [16, 8, 4, 2, 1] {
            let budget = (whole / share) as u64;
            let (result, peak) = load(Some(budget));
            // What is not counted: the loader itself, and messages.
            if peak as u64 > budget + budget / 10 + (256 << 10) {
                wrong.push(format!(
                    "{name}: {peak} bytes where {budget} are allowed, {}",
                    result.is_ok()
                ));
            }
        }
        let (result, _) = load(Some(8 * whole as u64 + (1 << 20)));
        if let Err(error) = result {
            wrong.push(format!(
                "{name} takes {whole} and is refused eight times that: {:.200}",
                error.to_string()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A named geom takes less than 3.5 kB at the worst moment.
#[test]
fn many_named_geoms() {
    let count = 20_000;
    let text = world(&repeated(count, |i| {
        format!("<geom name='geom_{i}' pos='{i} 0 0' size='.1'/>")
    }));
    let (result, peak) = peak_of(|| Loader::new().load_text(&text).map(drop));
    result.expect("loads");
    assert!(peak / count < 3500, "{} bytes per geom", peak / count);
}

/// More bodies than there can be are refused before anything is made of them.
#[test]
fn too_many_bodies() {
    let text = world(&"<body/>".repeat(70_000));
    let (result, peak) = peak_of(|| Loader::new().load_text(&text).map(drop));
    let error = result.expect_err("too many");
    assert_eq!(error.diagnostics[0].code, "mjcf::too-many-bodies");
    assert!(peak / 70_000 < 1000, "{} bytes per body", peak / 70_000);
}
