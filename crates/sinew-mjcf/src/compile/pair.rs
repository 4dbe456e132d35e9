//! Contact pairs: geoms that are checked for contact whatever the filters say.
//!
//! What a pair does not say comes from its class and then from constants, never from its geoms.
//! Pairs are stored in the order of their body pairs; geom 1 is on the body with the lower id.

use super::Context;
use super::signature::{body_pair_signature, sort_by_signature};
use crate::place::At;
use crate::spec::constraint::Pair;
use crate::spec::element::Element;
use sinew_model::ModelArrays;
use sinew_model::kinds::ObjectType;

const FRICTION: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001];
pub(super) const SOLREF: [f64; 2] = [0.02, 1.0];
pub(super) const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Appends the pair columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let mut rows = Vec::with_capacity(spec.pairs.len());
    for written in &spec.pairs {
        if !ctx.has_time(written.place) {
            return;
        }
        let element = match &written.name {
            Some(name) => format!("pair \"{}\"", name.value),
            None => "pair".to_string(),
        };
        let class = ctx.class(written.class.as_ref(), &element);
        let mut pair = written.clone();
        pair.inherit(ctx.classes.pair(class));
        let condim = pair.condim.as_ref().map_or(3, |condim| condim.value);
        if ![1, 3, 4, 6].contains(&condim) {
            let place = pair.condim.as_ref().map_or(pair.place, |c| c.place);
            ctx.report
                .error(
                    "mjcf::invalid-condim",
                    place,
                    format!("condim {condim} does not exist"),
                )
                .element(&element)
                .attribute("condim")
                .hint("one of: 1, 3, 4, 6");
        }
        let first = geom(ctx, &pair, &pair.geom1, "geom1", &element);
        let second = geom(ctx, &pair, &pair.geom2, "geom2", &element);
        let (Some(mut first), Some(mut second)) = (first, second) else {
            continue;
        };
        let body = |geom: usize| model.geom_bodyid.get(geom).copied().unwrap_or(0);
        if body(first) > body(second) {
            std::mem::swap(&mut first, &mut second);
        }
        let signature = body_pair_signature(body(first), body(second));
        rows.push((signature, pair, condim, first, second));
    }
    if rows.len() != spec.pairs.len() {
        return;
    }

    let order = sort_by_signature(rows.iter().map(|row| row.0));
    ctx.names.reorder(ObjectType::Pair, &order, ctx.report);
    model.npair = rows.len();
    for &i in &order {
        let (signature, pair, condim, first, second) = &rows[i];
        model.pair_dim.push(*condim);
        model.pair_geom1.push(*first as i32);
        model.pair_geom2.push(*second as i32);
        model.pair_signature.push(*signature);
        let solref = |written: &Option<At<_>>, base| prefix(written, base);
        model.pair_solref.push(solref(&pair.solref, SOLREF));
        model
            .pair_solreffriction
            .push(solref(&pair.solreffriction, [0.0; 2]));
        model.pair_solimp.push(prefix(&pair.solimp, SOLIMP));
        model
            .pair_margin
            .push(pair.margin.as_ref().map_or(0.0, |margin| margin.value));
        model
            .pair_gap
            .push(pair.gap.as_ref().map_or(0.0, |gap| gap.value));
        model.pair_friction.push(prefix(&pair.friction, FRICTION));
    }
}

/// The numbers given, completed by constants.
pub(super) fn prefix<const N: usize>(
    written: &Option<At<crate::spec::value::Prefix<N>>>,
    base: [f64; N],
) -> [f64; N] {
    written
        .as_ref()
        .map_or(base, |written| written.value.over(base))
}

fn geom(
    ctx: &mut Context,
    pair: &Pair,
    name: &Option<At<String>>,
    attribute: &str,
    element: &str,
) -> Option<usize> {
    match name {
        Some(name) => ctx.resolve(ObjectType::Geom, name, element, attribute),
        None => {
            ctx.missing(pair.place, element, attribute);
            None
        }
    }
}
