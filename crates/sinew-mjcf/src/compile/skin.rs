//! Skins: columns `skin_*`.

use super::Context;
use super::file::refuse;
use super::material;
use crate::asset::pace::Pace;
use crate::asset::skin::{self, Bone};
use crate::place::At;
use crate::source::AssetKind;
use crate::spec::asset::Skin;
use sinew_model::ModelArrays;
use sinew_model::kinds::ObjectType;

/// Groups run from 0 to 5.
const GROUPS: i32 = 6;

/// Appends the skin columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    model.nskin = spec.skins.len();
    for written in &spec.skins {
        if !ctx.has_time(written.table.place) {
            return;
        }
        let name = written.table.name.as_ref().map_or("", |name| &name.value);
        let element = format!("skin \"{name}\"");
        let group = written.table.group.as_ref().map_or(0, |group| group.value);
        if !(0..GROUPS).contains(&group) {
            ctx.report
                .error(
                    "mjcf::invalid-skin",
                    written.table.place,
                    "the group of a skin is between 0 and 5",
                )
                .element(&element)
                .attribute("group");
        }
        let Some(skin) = load(ctx, written, &element) else {
            continue;
        };
        push(ctx, model, written, skin, group, &element);
    }
}

/// The skin from its file or from its attributes, checked and normalised.
fn load(ctx: &mut Context, written: &Skin, element: &str) -> Option<skin::Skin> {
    let table = &written.table;
    let source = ctx.source;
    let goes_on = || !source.is_overdue();
    let pace = Pace::new(&goes_on);
    let file = table.file.as_ref().filter(|file| !file.value.is_empty());
    let mut skin = match file {
        Some(file) => {
            let is_inline = table.vertex.is_some()
                || table.texcoord.is_some()
                || table.face.is_some()
                || !written.bones.is_empty();
            if is_inline {
                refuse(ctx, file, element, "file", "the skin is also given inline");
                return None;
            }
            let is_skin = file.value.get(file.value.len().saturating_sub(4)..);
            if !is_skin.is_some_and(|end| end.eq_ignore_ascii_case(".skn")) {
                refuse(
                    ctx,
                    file,
                    element,
                    "file",
                    "a skin file has the extension .skn",
                );
                return None;
            }
            let (bytes, _) = ctx.asset(AssetKind::Skin, file, element, "file")?;
            // As read, and as the model has it, in lists that grew.
            if let Err(shortage) = ctx.source.memory().take(3 * bytes.len() as u64) {
                refuse(
                    ctx,
                    file,
                    element,
                    "file",
                    &format!("it would take {shortage}"),
                );
                return None;
            }
            let decoded = skin::decode(&bytes, &pace);
            source.release(bytes);
            if !ctx.has_time(file.place) {
                return None;
            }
            match decoded {
                Ok(skin) => skin,
                Err(what) => {
                    refuse(ctx, file, element, "file", &what);
                    return None;
                }
            }
        }
        None => inline(ctx, written, element)?,
    };
    let completed = skin.complete(&pace);
    if !ctx.has_time(table.place) {
        return None;
    }
    if let Err(what) = completed {
        let bone = what.bone.and_then(|bone| written.bones.get(bone));
        let place = bone.map_or(file.map_or(table.place, |file| file.place), |bone| {
            bone.place
        });
        ctx.report
            .error("mjcf::invalid-skin", place, what.message)
            .element(element);
        return None;
    }
    Some(skin)
}

fn inline(ctx: &mut Context, written: &Skin, element: &str) -> Option<skin::Skin> {
    fn values<T: Clone>(attribute: &Option<At<Vec<T>>>) -> Vec<T> {
        attribute.as_ref().map_or(Vec::new(), |at| at.value.clone())
    }
    let table = &written.table;
    let mut skin = skin::Skin {
        vertex: values(&table.vertex),
        texcoord: values(&table.texcoord),
        face: values(&table.face),
        bones: Vec::new(),
    };
    for bone in &written.bones {
        let (Some(body), Some(bindpos), Some(bindquat)) =
            (&bone.body, &bone.bindpos, &bone.bindquat)
        else {
            let attribute = match (&bone.body, &bone.bindpos) {
                (None, _) => "body",
                (_, None) => "bindpos",
                _ => "bindquat",
            };
            ctx.missing(bone.place, element, attribute);
            return None;
        };
        skin.bones.push(Bone {
            body: body.value.clone(),
            bindpos: bindpos.value,
            bindquat: bindquat.value,
            vertid: values(&bone.vertid),
            vertweight: values(&bone.vertweight),
        });
    }
    Some(skin)
}

fn push(
    ctx: &mut Context,
    model: &mut ModelArrays,
    written: &Skin,
    skin: skin::Skin,
    group: i32,
    element: &str,
) {
    let table = &written.table;
    model
        .skin_matid
        .push(material::find(ctx, &table.material, element));
    model.skin_group.push(group);
    let rgba = table.rgba.as_ref();
    model
        .skin_rgba
        .push(rgba.map_or([0.5, 0.5, 0.5, 1.0], |rgba| rgba.value));
    let inflate = table.inflate.as_ref();
    model
        .skin_inflate
        .push(inflate.map_or(0.0, |inflate| inflate.value));
    model.skin_vertadr.push(model.nskinvert as i32);
    model.skin_vertnum.push((skin.vertex.len() / 3) as i32);
    let has_texcoord = !skin.texcoord.is_empty();
    model.skin_texcoordadr.push(if has_texcoord {
        model.nskintexvert as i32
    } else {
        -1
    });
    model.skin_faceadr.push(model.nskinface as i32);
    model.skin_facenum.push((skin.face.len() / 3) as i32);
    model.skin_boneadr.push(model.nskinbone as i32);
    model.skin_bonenum.push(skin.bones.len() as i32);
    model.skin_pathadr.push(-1);

    model.skin_vert.extend(rows::<f32, 3>(&skin.vertex));
    model.skin_texcoord.extend(rows::<f32, 2>(&skin.texcoord));
    model.skin_face.extend(rows::<i32, 3>(&skin.face));
    model.nskinvert = model.skin_vert.len();
    model.nskintexvert = model.skin_texcoord.len();
    model.nskinface = model.skin_face.len();
    for (index, bone) in skin.bones.iter().enumerate() {
        let inline = written.bones.get(index).and_then(|bone| bone.body.as_ref());
        let place = inline
            .or(table.file.as_ref())
            .map_or(table.place, |at| at.place);
        let attribute = if inline.is_some() { "body" } else { "file" };
        let body = At::new(bone.body.clone(), place);
        let id = ctx.resolve(ObjectType::Body, &body, element, attribute);
        model.skin_bonebodyid.push(id.map_or(-1, |id| id as i32));
        model.skin_bonevertadr.push(model.nskinbonevert as i32);
        model.skin_bonevertnum.push(bone.vertid.len() as i32);
        model.skin_bonebindpos.push(bone.bindpos);
        model.skin_bonebindquat.push(bone.bindquat);
        model.skin_bonevertid.extend(&bone.vertid);
        model.skin_bonevertweight.extend(&bone.vertweight);
        model.nskinbonevert = model.skin_bonevertid.len();
    }
    model.nskinbone = model.skin_bonebodyid.len();
}

/// Groups numbers into rows.
fn rows<T: Copy, const N: usize>(numbers: &[T]) -> impl Iterator<Item = [T; N]> {
    numbers
        .chunks_exact(N)
        .filter_map(|row| row.first_chunk::<N>().copied())
}
