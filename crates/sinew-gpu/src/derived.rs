//! Arrays besides the state that users ask for.

use crate::device::DeviceError;
use sinew_kernels::derive::{NAMES, sources};
use sinew_kernels::scene::Head;

/// An array that users ask for, and where a row of what is derived has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The reference's name.
    pub name: &'static str,
    /// Where its numbers begin.
    pub start: usize,
    /// The shape of a world's numbers.
    pub shape: Vec<usize>,
}

/// The arrays of those names, one after the other, and where the numbers of all come from.
pub(crate) fn derived(
    head: &Head,
    names: &[String],
) -> Result<(Vec<Derived>, Vec<i32>), DeviceError> {
    let (mut arrays, mut all) = (Vec::new(), Vec::new());
    for name in names {
        let unknown = || DeviceError::NotDerived(name.clone());
        let known = NAMES.iter().find(|known| *known == name);
        let name = *known.ok_or_else(unknown)?;
        let found = sources(head, name).ok_or_else(unknown)?;
        arrays.push(Derived {
            name,
            start: all.len(),
            shape: shape(head, name, found.len()),
        });
        all.extend(found);
    }
    Ok((arrays, all))
}

/// The shape of an array of so many numbers: a row for each object, where a row has several numbers.
fn shape(head: &Head, name: &str, numbers: usize) -> Vec<usize> {
    let (rows, width) = match name {
        "xpos" | "xipos" | "subtree_com" => (head.nbody, 3),
        "xquat" => (head.nbody, 4),
        "xmat" | "ximat" => (head.nbody, 9),
        "cinert" => (head.nbody, 10),
        "cvel" | "cfrc_ext" => (head.nbody, 6),
        "xanchor" | "xaxis" => (head.njnt, 3),
        "geom_xpos" => (head.ngeom, 3),
        "geom_xmat" => (head.ngeom, 9),
        "site_xpos" => (head.nsite, 3),
        "site_xmat" => (head.nsite, 9),
        "cdof" | "cdof_dot" => (head.nv, 6),
        _ => return vec![numbers],
    };
    vec![rows, width]
}
