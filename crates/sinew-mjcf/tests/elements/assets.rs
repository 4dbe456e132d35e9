//! Textures, materials, height fields and skins. Values are the reference's (3.5.0).

use crate::workbench::{close, load, refuse, scene};
use sinew_mjcf::{Loader, load_text};
use sinew_model::Model;
use sinew_model::kinds::ColorSpace;
use std::sync::Arc;

/// A short fingerprint of bytes (FNV-1a).
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Type, builtin, mark; fingerprint of the pixels that MuJoCo 3.5.0 makes of
/// `width='33' height='20' rgb1='.1 .5 .93' rgb2='1 .3 0' markrgb='.2 .4 .6' random='.1'`.
#[rustfmt::skip]
const BUILTIN: &[(&str, &str, &str, u64)] = &[
    ("2d", "gradient", "none", 0x1eea9d2946481033),
    ("2d", "gradient", "edge", 0xf0b05460850367a5),
    ("2d", "gradient", "cross", 0x705eace8fd6acbc1),
    ("2d", "gradient", "random", 0xf54c089fd8d917be),
    ("cube", "gradient", "none", 0x718760e55d03d4c1),
    ("cube", "gradient", "edge", 0xcede4bd324976fa1),
    ("cube", "gradient", "cross", 0x5bec977cf2e10b15),
    ("cube", "gradient", "random", 0xf65899107511394d),
    ("2d", "checker", "none", 0xa9f720c9d4c0ca6d),
    ("2d", "checker", "edge", 0x55a196ef0fb8d115),
    ("2d", "checker", "cross", 0x15ccede85be03115),
    ("2d", "checker", "random", 0x24980003f9d6431d),
    ("cube", "checker", "none", 0x32586c9079c9ccc7),
    ("cube", "checker", "edge", 0xcacc87daacea1dc7),
    ("cube", "checker", "cross", 0x6bc669dabb121a6d),
    ("cube", "checker", "random", 0x84a17ec812e0a0a7),
    ("2d", "flat", "none", 0xbe834bedac9f3909),
    ("2d", "flat", "edge", 0x9d34000a9a27d4fb),
    ("2d", "flat", "cross", 0x4a0b1ba0cec66475),
    ("2d", "flat", "random", 0xd578331ebb431d9b),
    ("cube", "flat", "none", 0x57c3fa677af7a2c1),
    ("cube", "flat", "edge", 0xdaab85897aa75a41),
    ("cube", "flat", "cross", 0xaab40358ee7c2b6d),
    ("cube", "flat", "random", 0x77cfa3a00a8cf241),
];

#[test]
fn builtin_textures_have_the_references_pixels() {
    for (kind, builtin, mark, expected) in BUILTIN {
        let m = load(&format!(
            "<mujoco><asset><texture name='t' type='{kind}' builtin='{builtin}' width='33' \
             height='20' rgb1='.1 .5 .93' rgb2='1 .3 0' mark='{mark}' markrgb='.2 .4 .6' \
             random='.1'/></asset></mujoco>"
        ));
        assert_eq!(
            fingerprint(&m.tex_data),
            *expected,
            "{kind} {builtin} {mark}"
        );
        let height = if *kind == "2d" { 20 } else { 6 * 33 };
        assert_eq!((m.tex_width[0], m.tex_height[0]), (33, height));
        assert_eq!(m.tex_colorspace[0], ColorSpace::Auto.code());
    }
}

/// A PNG with eight bits per channel.
fn png(color: png::ColorType, size: [u32; 2], pixels: &[u8], srgb: bool) -> Arc<[u8]> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    if srgb {
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    }
    let mut writer = encoder.write_header().expect("header");
    writer.write_image_data(pixels).expect("pixels");
    writer.finish().expect("end");
    bytes.into()
}

fn with_file(name: &str, bytes: Arc<[u8]>, asset: &str) -> Result<Model, String> {
    let text = scene("", &format!("<asset>{asset}</asset>"));
    let loaded = Loader::new().asset(name, bytes).load_text(&text);
    loaded
        .map(|loaded| loaded.model)
        .map_err(|error| error.to_string())
}

#[test]
fn texture_files_are_converted_mirrored_and_arranged() {
    let pixels: Vec<u8> = (0..24).collect();
    let rgb = png(png::ColorType::Rgb, [4, 2], &pixels, false);
    let load = |attributes: &str| {
        let asset = format!("<texture name='t' file='a.png' {attributes}/>");
        with_file("a.png", rgb.clone(), &asset).expect("loads")
    };
    let m = load("type='2d'");
    assert_eq!(m.tex_data, pixels);
    assert_eq!(m.tex_colorspace, [ColorSpace::Linear.code()]);
    let m = load("type='2d' nchannel='1'");
    assert_eq!(m.tex_data, [0, 3, 6, 9, 12, 15, 18, 21]);
    let m = load("type='2d' nchannel='4'");
    assert_eq!(m.tex_data[..8], [0, 1, 2, 255, 3, 4, 5, 255]);
    let m = load("type='2d' hflip='true'");
    assert_eq!(m.tex_data[..6], [9, 10, 11, 6, 7, 8]);
    let m = load("type='2d' vflip='true'");
    assert_eq!(m.tex_data[..3], [12, 13, 14]);
    // Two of the eight squares are sides of a cube; the others take the first colour.
    let m = load("gridsize='2 4' gridlayout='R......B' rgb1='1 0 0'");
    assert_eq!((m.tex_width[0], m.tex_height[0]), (1, 6));
    let red = [255, 0, 0];
    let sides = [[0, 1, 2], red, red, red, red, [21, 22, 23]].concat();
    assert_eq!(m.tex_data, sides);

    let asset = "<texture name='t' file='a.png' gridsize='1 2' nchannel='4'/>";
    assert!(with_file("a.png", rgb.clone(), asset).is_err());

    let square = png(png::ColorType::Rgb, [1, 1], &[7, 8, 9], true);
    let asset = "<texture name='t' fileup='a.png' rgb1='0 0 1'/>";
    let m = with_file("a.png", square, asset).expect("loads");
    let blue = [0, 0, 255];
    assert_eq!(
        m.tex_data,
        [blue, blue, [7, 8, 9], blue, blue, blue].concat()
    );
    assert_eq!(m.tex_colorspace, [ColorSpace::Srgb.code()]);
}

#[test]
fn height_fields_come_from_images_raw_files_and_text() {
    let grey = png(png::ColorType::Grayscale, [2, 2], &[10, 20, 30, 50], false);
    let asset = "<hfield name='h' file='a.png' size='1 1 1 1'/>";
    let m = with_file("a.png", grey, asset).expect("loads");
    assert_eq!(m.hfield_data, [0.5, 1.0, 0.0, 0.25]);

    let mut raw = [2_i32, 1].map(i32::to_le_bytes).concat();
    raw.extend([3.0_f32, 5.0].map(f32::to_le_bytes).concat());
    let asset = "<hfield name='h' file='a.bin' size='1 2 3 4'/>";
    let m = with_file("a.bin", raw.clone().into(), asset).expect("loads");
    assert_eq!((m.hfield_nrow[0], m.hfield_ncol[0]), (2, 1));
    assert_eq!(m.hfield_data, [0.0, 1.0]);
    assert_eq!(m.hfield_size, [[1.0, 2.0, 3.0, 4.0]]);
    for length in [0, 5, 8, raw.len() - 1] {
        let cut: Arc<[u8]> = raw[..length].into();
        assert!(with_file("a.bin", cut, asset).is_err(), "{length} bytes");
    }

    let text = "<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3 5'/>";
    let m = load(&scene("", &format!("<asset>{text}</asset>")));
    assert_eq!(m.hfield_data, [0.5, 1.0, 0.0, 0.25]);
    let text = "<hfield name='h' nrow='2' ncol='3' size='1 1 1 1'/>";
    let m = load(&scene("", &format!("<asset>{text}</asset>")));
    assert_eq!(m.hfield_data, [0.0; 6]);
}

#[test]
fn materials_inherit_role_by_role() {
    let m = load(&scene(
        "<default><material texture='t' shininess='.9'/>\
         <default class='q'><material><layer texture='u' role='normal'/></material></default></default>",
        "<asset><texture name='t' builtin='flat' width='2'/><texture name='u' builtin='flat' width='3'/>\
         <material name='m' rgba='1 0 0 1'/><material name='n' class='q'/>\
         <material name='o' class='q' texture='u' texrepeat='2 3' texuniform='true'/></asset>",
    ));
    let none = -1;
    let roles = |rgb, normal| [none, rgb, none, none, none, normal, none, none, none, none];
    assert_eq!(m.mat_texid, [roles(0, none), roles(0, 1), roles(1, 1)]);
    assert_eq!(m.mat_shininess, [0.9; 3]);
    assert_eq!((m.mat_metallic[0], m.mat_roughness[0]), (-1.0, -1.0));
    assert_eq!(m.mat_texrepeat[2], [2.0, 3.0]);
    assert_eq!(m.mat_texuniform, [0, 0, 1]);
}

#[test]
fn skins_have_normalised_weights() {
    let m = load(&scene(
        "",
        "<asset><skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2' inflate='.1' group='3'>\
         <bone body='a' bindpos='1 2 3' bindquat='2 0 0 0' vertid='0 1 2' vertweight='1 2 3'/>\
         <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='1' vertweight='6'/></skin></asset>",
    ));
    assert_eq!(m.skin_bonevertweight, [1.0, 0.25, 1.0, 0.75]);
    assert_eq!(m.skin_bonebindquat[0], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.skin_bonebodyid, [1, 2]);
    assert_eq!(m.skin_bonevertadr, [0, 3]);
    assert_eq!((m.skin_texcoordadr[0], m.skin_matid[0]), (-1, -1));
}

#[test]
fn plugins_make_the_references_meshes() {
    // Vertices, faces, mass.
    for (plugin, vertices, faces, mass) in [
        ("bolt", 25764, 51524, 572.9259664096854),
        ("gear", 22004, 44008, 1359.4424122467549),
        ("nut", 23258, 46516, 461.55924321460395),
    ] {
        let m = load(&format!(
            "<mujoco><extension><plugin plugin='mujoco.sdf.{plugin}'><instance name='t'/></plugin>\
             </extension><asset><mesh name='m'><plugin instance='t'/></mesh></asset><worldbody>\
             <body><freejoint/><geom type='sdf' mesh='m'><plugin instance='t'/></geom></body>\
             </worldbody></mujoco>"
        ));
        assert_eq!((m.nmeshvert, m.nmeshface), (vertices, faces), "{plugin}");
        close(&m.body_mass[1..], &[mass], 1e-12);
        assert_eq!(m.mesh_quat[0].0, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(m.geom_plugin, [0]);
    }
}

#[test]
fn visual_assets_can_be_discarded() {
    let assets = "<asset><texture name='t' type='2d' file='missing.png'/>\
        <material name='m' texture='t'/></asset>";
    let text = scene("<compiler discardvisual='true'/>", assets);
    let m = load(&text);
    assert_eq!((m.ntex, m.nmat), (0, 0));
}

#[test]
fn wrong_assets_are_refused() {
    let hundred_bytes = "<texture name='t' type='2d' builtin='flat' width='40000' height='40000'/>";
    for (asset, said) in [
        (
            "<texture name='t' type='2d' builtin='flat' width='0' height='4'/>",
            "positive width",
        ),
        (
            "<texture name='t' type='2d' builtin='flat' width='4'/>",
            "positive height",
        ),
        (
            "<texture name='t' builtin='flat' width='4' nchannel='1'/>",
            "3 or 4 channels",
        ),
        (hundred_bytes, "too many pixels"),
        (
            "<texture name='t' builtin='flat' width='2147483647'/>",
            "too many pixels",
        ),
        (
            "<texture name='t' builtin='flat' width='4' gridlayout='ab'/>",
            "one character per square",
        ),
        ("<texture name='t' type='2d' file='zz.png'/>", "zz.png"),
        ("<texture name='t'/>", "no file and no builtin"),
        (
            "<texture type='2d' builtin='flat' width='4' height='4'/>",
            "has no name",
        ),
        (
            "<material name='m' texture='zz'/>",
            "no texture is named `zz`",
        ),
        (
            "<material name='m'/><material name='m'/>",
            "repeated name `m`",
        ),
        (
            "<hfield name='h' nrow='2' ncol='3' size='1 1 1 1' elevation='1 2'/>",
            "elevation has 2",
        ),
        (
            "<hfield name='h' nrow='2' ncol='3' size='1 1 0 1'/>",
            "must be positive",
        ),
        (
            "<hfield name='h' nrow='2000000' ncol='2000000' size='1 1 1 1'/>",
            "too many cells",
        ),
        (
            "<hfield name='h' size='1 1 1 1'/>",
            "positive nrow and ncol",
        ),
        ("<skin name='s' file='zz.obj'/>", ".skn"),
        (
            "<skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'><bone body='a' bindpos='0 0 0' \
             bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>",
            "face names vertex 3",
        ),
        (
            "<skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='a' bindpos='0 0 0' \
             bindquat='1 0 0 0' vertid='0 1' vertweight='1 1'/></skin>",
            "vertex 2 has no positive weight",
        ),
    ] {
        let error = refuse(&scene("", &format!("<asset>{asset}</asset>")));
        let message = error.to_string();
        assert!(message.contains(said), "{asset}: {message}");
        assert_eq!(error.diagnostics[0].line, 4, "{asset}");
    }
}

#[test]
fn hostile_files_are_refused_quickly() {
    // A header that announces 1.6e9 pixels.
    let good = png(png::ColorType::Rgb, [1, 1], &[0; 3], false);
    let mut huge = good.to_vec();
    huge[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
    let asset = "<texture name='t' type='2d' file='a.png'/>";
    assert!(with_file("a.png", huge.into(), asset).is_err());
    // Every cut and every flipped byte gives a model or an error, never a panic.
    for i in 0..good.len() {
        let _ = with_file("a.png", good[..i].into(), asset);
        let mut bent = good.to_vec();
        bent[i] ^= 0xff;
        let _ = with_file("a.png", bent.into(), asset);
    }
    let loaded = load_text("<mujoco><size memory='900000T'/></mujoco>");
    assert!(loaded.is_err());
}
