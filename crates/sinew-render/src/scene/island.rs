//! Colours of islands: objects that constraints tie together have the same.

use sinew_engine::Data;
use sinew_model::Model;

/// The colour of a body's island; grey where it is in none, and none where it cannot move.
pub(super) fn of_body(model: &Model, data: &Data, body: i32) -> Option<[f32; 4]> {
    let welded = model.body_weldid[usize::try_from(body).ok()?] as usize;
    if model.body_dofnum[welded] == 0 {
        return None;
    }
    let islands = &data.position.islands;
    let dof = usize::try_from(model.body_dofadr[welded]).ok()?;
    let island = islands.dof_island.get(dof).filter(|_| islands.nisland > 0);
    Some(colour(first_dof(data, island)))
}

/// The colour of a constraint row's island.
pub(super) fn of_row(data: &Data, row: i32) -> [f32; 4] {
    let islands = &data.position.islands;
    let row = usize::try_from(row).ok().filter(|_| islands.nisland > 0);
    let island = row.and_then(|row| islands.efc_island.get(row));
    colour(first_dof(data, island))
}

/// The first degree of freedom of an island, which its colour follows from.
fn first_dof(data: &Data, island: Option<&i32>) -> Option<u32> {
    let islands = &data.position.islands;
    let island = usize::try_from(*island?).ok()?;
    let place = usize::try_from(*islands.island_idofadr.get(island)?).ok()?;
    u32::try_from(*islands.map_idof2dof.get(place)?).ok()
}

/// A colour for a number, or grey. Hue, saturation and brightness are digits of the number to bases 7, 3 and 5, read
/// backwards.
fn colour(number: Option<u32>) -> [f32; 4] {
    let Some(number) = number else {
        return [0.7, 0.7, 0.7, 1.0];
    };
    let hue = backwards(number + 1, 7) as f32;
    let saturation = (0.5 + 0.5 * backwards(number + 1, 3)) as f32;
    let value = (0.6 + 0.4 * backwards(number + 1, 5)) as f32;
    let channel = |shift: f32| {
        // How far the hue is from this channel's own, in sixths of the circle.
        let k = (shift + 6.0 * hue) % 6.0;
        value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0)
    };
    [channel(5.0), channel(3.0), channel(1.0), 1.0]
}

/// The digits of a number to a base, behind the point and in reverse.
fn backwards(mut number: u32, base: u32) -> f64 {
    let (mut value, mut part) = (0.0, 1.0 / f64::from(base));
    while number > 0 {
        value += part * f64::from(number % base);
        number /= base;
        part /= f64::from(base);
    }
    value
}
