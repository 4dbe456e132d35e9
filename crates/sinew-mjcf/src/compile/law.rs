//! Laws in place of the reference's: `sinew_bending`, `sinew_elasticity`, `sinew_gain`, `sinew_solver`.
//!
//! Each is written as the name of a law and its parameters, `sinew_bending="dihedral 0.01"`. What the names mean is the
//! engine's.

use super::Context;
use super::tree::element;
use crate::place::{At, Place};
use crate::spec::number;
use sinew_engine::law::named::{self, Chosen};
use sinew_model::Model;
use sinew_model::law::Law;

/// A name and numbers.
pub fn read(
    ctx: &mut Context,
    written: &At<String>,
    element: &str,
    attribute: &'static str,
) -> Option<Law> {
    let mut words = written.value.split_whitespace();
    let name = words.next().unwrap_or("").to_string();
    let parameters: Result<Vec<f64>, _> = words.map(number::real).collect();
    match parameters {
        Ok(parameters) if !name.is_empty() => Some(Law { name, parameters }),
        _ => {
            let message = "a law is a name and numbers, such as \"dihedral 0.01\"";
            let entry = ctx.report.error("mjcf::law", written.place, message);
            entry.element(element).attribute(attribute);
            None
        }
    }
}

/// Gives the model its laws, and asks the engine whether it knows them.
pub fn compile(ctx: &mut Context, model: &mut Model) {
    let spec = ctx.spec;
    for (id, flex) in spec.flexes.iter().enumerate() {
        let name = flex.table.name.as_ref().map_or("", |at| at.value.as_str());
        let element = element("flex", name);
        let dim = model.flex_dim.get(id).copied().unwrap_or(0);
        if let Some(written) = &flex.table.sinew_bending {
            match read(ctx, written, &element, "sinew_bending") {
                Some(law) if dim == 2 => {
                    ctx.laws.bending.insert(id, law);
                }
                Some(_) => {
                    let message = "only flexes of two dimensions bend: this has no effect";
                    let entry = ctx.report.warning("mjcf::law", written.place, message);
                    entry.element(element.clone()).attribute("sinew_bending");
                }
                None => {}
            }
        }
        if let Some(written) = &flex.table.sinew_elasticity {
            if let Some(law) = read(ctx, written, &element, "sinew_elasticity") {
                ctx.laws.elasticity.insert(id, law);
            }
        }
    }
    if let Some(written) = &spec.option.sinew_solver {
        ctx.laws.solver = read(ctx, written, "option", "sinew_solver");
    }
    if ctx.laws.is_empty() {
        return;
    }
    *model.laws_mut() = std::mem::take(&mut ctx.laws);
    for (chosen, error) in named::faults(model) {
        ctx.report
            .error("mjcf::law", place(ctx, chosen), error.to_string())
            .element("mujoco");
    }
}

/// Where a law is written.
fn place(ctx: &Context, chosen: Chosen) -> Place {
    let found = match chosen {
        Chosen::Bending(id) | Chosen::Elasticity(id) => {
            let flex = ctx.spec.flexes.get(id).map(|flex| &flex.table);
            let law = flex.and_then(|table| match chosen {
                Chosen::Bending(_) => table.sinew_bending.as_ref(),
                _ => table.sinew_elasticity.as_ref(),
            });
            law.map(|written| written.place)
                .or(flex.map(|table| table.place))
        }
        Chosen::Gain(id) => {
            let actuator = ctx.spec.actuators.get(id);
            actuator.map(|actuator| actuator.table.place)
        }
        Chosen::Solver => {
            let written = ctx.spec.option.sinew_solver.as_ref();
            written.map(|written| written.place)
        }
    };
    found.unwrap_or_default()
}
