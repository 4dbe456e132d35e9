//! Sizes asked for by the user, and the memory that follows from them.
//!
//! `narena` tells how many bytes the reference would reserve for the arrays of a step. Nothing here
//! reserves that much: sinew's arrays grow with what a step needs. The number is kept because users
//! read it.

use super::Context;
use crate::place::At;
use sinew_model::ModelArrays;

/// Bytes of one contact in the reference.
const CONTACT_BYTES: i64 = 576;
const NUMBER_BYTES: i64 = 8;
const INTEGER_BYTES: i64 = 4;
const MEBIBYTE: i64 = 1 << 20;
/// More memory than this cannot be meant: one tebibyte.
const MOST_MEMORY: i64 = 1 << 40;

/// Checks the size section and fills what does not depend on the rest of the model.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let size = &ctx.spec.size;
    let mut wrong: Vec<(&str, &At<i32>, i32)> = Vec::new();
    macro_rules! at_least {
        ($least:literal: $($field:ident),*) => { $(
            if let Some(written) = size.$field.as_ref().filter(|w| w.value < $least) {
                wrong.push((stringify!($field), written, $least));
            }
        )* };
    }
    at_least!(-1: njmax, nconmax, nstack, nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam,
        nuser_tendon, nuser_actuator, nuser_sensor);
    at_least!(0: nuserdata);
    for (attribute, written, least) in wrong {
        ctx.report
            .error(
                "mjcf::invalid-size",
                written.place,
                format!("{attribute} must be at least {least}"),
            )
            .element("size")
            .attribute(attribute);
    }
    let value = |written: &Option<At<i32>>| written.as_ref().map_or(-1, |at| i64::from(at.value));
    model.njmax = value(&size.njmax);
    model.nconmax = value(&size.nconmax);
    model.nuserdata = usize::try_from(value(&size.nuserdata)).unwrap_or(0);

    let memory = memory(ctx);
    if let (Some(bytes), Some(written)) = (memory, &ctx.spec.size.memory) {
        super::budget::check_memory(ctx, bytes, written.place);
    }
    let size = &ctx.spec.size;
    if memory.is_some() {
        for (attribute, written) in [("nstack", &size.nstack), ("njmax", &size.njmax)] {
            if let Some(written) = written.as_ref().filter(|written| written.value != -1) {
                ctx.report
                    .error(
                        "mjcf::invalid-size",
                        written.place,
                        format!("either memory or {attribute} can be given, not both"),
                    )
                    .element("size")
                    .attribute(attribute);
            }
        }
    }
}

/// Fills `narena`; runs when all sizes are known.
pub fn arena(ctx: &mut Context, model: &mut ModelArrays) {
    if let Some(bytes) = memory(ctx) {
        model.narena = bytes;
        return;
    }
    let of = |size: usize| size as i64;
    let contacts = if model.nconmax == -1 {
        100
    } else {
        model.nconmax
    };
    let rows = if model.njmax == -1 { 500 } else { model.njmax };
    let stack = ctx.spec.size.nstack.as_ref().filter(|n| n.value != -1);
    let mut bytes = match stack {
        Some(stack) => NUMBER_BYTES * i64::from(stack.value),
        None => {
            let side = rows + of(model.neq) + of(model.nv);
            let objects = [
                model.nq,
                model.nv,
                model.nu,
                model.na,
                model.nbody,
                model.njnt,
                model.ngeom,
                model.nsite,
                model.neq,
                model.ntendon,
                model.nwrap,
            ];
            let objects: i64 = objects.into_iter().map(of).sum();
            let numbers = side.saturating_mul(side).saturating_mul(5) + 20 * objects;
            NUMBER_BYTES.saturating_mul(numbers.max(1000))
        }
    };
    let parts = [
        contacts.saturating_mul(CONTACT_BYTES),
        rows * (8 * INTEGER_BYTES + 14 * NUMBER_BYTES),
        of(model.nv) * 3 * INTEGER_BYTES,
        rows * of(model.nv) * (2 * INTEGER_BYTES + 2 * NUMBER_BYTES),
        rows.saturating_mul(rows)
            .saturating_mul(INTEGER_BYTES + NUMBER_BYTES),
    ];
    for part in parts {
        bytes = bytes.saturating_add(part);
    }
    let mebibytes = bytes / MEBIBYTE + i64::from(bytes % MEBIBYTE != 0);
    model.narena = mebibytes.saturating_mul(MEBIBYTE);
}

/// The bytes asked for by `memory`; `None` when not given or −1.
fn memory(ctx: &mut Context) -> Option<i64> {
    let At { value, place } = ctx.spec.size.memory.as_ref()?;
    match parse_memory(value) {
        Ok(Some(bytes)) if bytes > MOST_MEMORY => {
            ctx.report
                .error("mjcf::too-large", *place, "memory is beyond one tebibyte")
                .element("size")
                .attribute("memory");
            None
        }
        Ok(bytes) => bytes,
        Err(()) => {
            ctx.report
                .error(
                    "mjcf::invalid-size",
                    *place,
                    "memory must be a whole number of bytes, with an optional suffix",
                )
                .element("size")
                .attribute("memory")
                .hint("such as 500K, 8M or 1G");
            None
        }
    }
}

/// Reads `8M`: a whole number and at most one of K M G T P E, in either case. `Ok(None)`: −1.
fn parse_memory(text: &str) -> Result<Option<i64>, ()> {
    let text = text.trim_start();
    if text == "-1" {
        return Ok(None);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at_checked(digits).ok_or(())?;
    let number: u64 = number.parse().map_err(|_| ())?;
    let shift = match suffix {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        "P" | "p" => 50,
        "E" | "e" => 60,
        _ => return Err(()),
    };
    let bytes = number.checked_mul(1 << shift).ok_or(())?;
    i64::try_from(bytes).map(Some).map_err(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_takes_one_suffix() {
        assert_eq!(parse_memory("512"), Ok(Some(512)));
        assert_eq!(parse_memory(" 2K"), Ok(Some(2048)));
        assert_eq!(parse_memory("3m"), Ok(Some(3 << 20)));
        assert_eq!(parse_memory("-1"), Ok(None));
        for bad in [
            "",
            "-2",
            "1.5M",
            "1KB",
            "K",
            "1 K",
            "99999999999999999999",
            "16E",
            "8E",
        ] {
            assert_eq!(parse_memory(bad), Err(()), "{bad}");
        }
    }
}
