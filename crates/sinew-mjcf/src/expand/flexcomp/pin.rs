//! Which points are pinned to the parent.

use super::fault::Fault;
use super::settings::Settings;
use crate::place::{At, Place};
use crate::spec::tree::FlexPin;
use crate::spec::value::FlexcompType;
use core::ops::RangeInclusive;

/// Numbers that belong together, and where they stand.
type Numbers<const N: usize> = (Place, [i32; N]);

/// The points of a grid, or the nodes of an interpolated shape, by their coordinates.
struct Grid<'a> {
    settings: &'a Settings<'a>,
    dim: usize,
}

/// Most points that pins may mark, each counted as often as it is marked.
const MOST_MARKS: usize = 100_000_000;

/// Which points are pinned, or which nodes of an interpolated shape, counted from 0, too.
pub fn pinned(
    settings: &Settings,
    pins: &[FlexPin],
    dim: usize,
    points: usize,
) -> Result<Vec<bool>, Fault> {
    let grid = Grid { settings, dim };
    for pin in pins {
        for (attribute, at) in [("grid", &pin.grid), ("gridrange", &pin.gridrange)] {
            if let Some(at) = at.as_ref().filter(|at| !at.value.is_empty()) {
                grid.check(attribute, at.place)?;
            }
        }
    }
    let ids = list(pins, |pin| &pin.id, 1, "id")?;
    let ranges = list(pins, |pin| &pin.range, 2, "range")?;
    let grid_points = list(pins, |pin| &pin.grid, dim, "grid")?;
    let grid_ranges = list(pins, |pin| &pin.gridrange, 2 * dim, "gridrange")?;
    let all = points.max(settings.nodes_per_axis().pow(3));
    if settings.is_rigid() {
        return Ok(vec![true; all]);
    }
    let mut marks = Marks {
        pinned: vec![false; all],
        left: MOST_MARKS,
    };
    let known = |id: i32| usize::try_from(id).ok().filter(|id| *id < points);
    for (place, [id]) in ids {
        let id = known(id).ok_or_else(|| outside(place, "id", points))?;
        marks.mark(id..=id, place, "id")?;
    }
    for (place, [first, last]) in ranges {
        let (Some(first), Some(last)) = (known(first), known(last)) else {
            return Err(outside(place, "range", points));
        };
        marks.mark(first..=last, place, "range")?;
    }
    grid.mark_points(grid_points, &mut marks)?;
    grid.mark_ranges(grid_ranges, &mut marks)?;
    Ok(marks.pinned)
}

/// Marked points, and how many more marks are allowed.
struct Marks {
    pinned: Vec<bool>,
    left: usize,
}

impl Marks {
    fn mark(
        &mut self,
        ids: RangeInclusive<usize>,
        place: Place,
        attribute: &'static str,
    ) -> Result<(), Fault> {
        let count = (ids.end() + 1).saturating_sub(*ids.start());
        let Some(left) = self.left.checked_sub(count) else {
            return Err(Fault::new(
                place,
                attribute,
                format!("the pins name more than {MOST_MARKS} points"),
                "name every point once",
            )
            .element("pin")
            .code("mjcf::too-large"));
        };
        self.left = left;
        let points = self.pinned.len();
        if count > 0 {
            let marked = self.pinned.get_mut(ids);
            marked
                .ok_or_else(|| outside(place, attribute, points))?
                .fill(true);
        }
        Ok(())
    }
}

/// The values of an attribute of all pins in groups of a fixed size.
fn list<const N: usize>(
    pins: &[FlexPin],
    attribute: impl Fn(&FlexPin) -> &Option<At<Vec<i32>>>,
    size: usize,
    name: &'static str,
) -> Result<Vec<Numbers<N>>, Fault> {
    let mut out = Vec::new();
    let mut group = Vec::new();
    let mut last = Place::default();
    // The reference joins the lists of all pins before it divides them.
    for at in pins.iter().filter_map(|pin| attribute(pin).as_ref()) {
        last = at.place;
        for number in &at.value {
            group.push(*number);
            if group.len() == size {
                let mut values = [0; N];
                for (value, number) in values.iter_mut().zip(&group) {
                    *value = *number;
                }
                out.push((at.place, values));
                group.clear();
            }
        }
    }
    if group.is_empty() {
        return Ok(out);
    }
    Err(Fault::new(
        last,
        name,
        format!("`{name}` of the pins must have a multiple of {size} numbers"),
        "a range is two ends, a point of a grid has one number per dimension",
    )
    .element("pin"))
}

fn outside(place: Place, attribute: &'static str, points: usize) -> Fault {
    Fault::new(
        place,
        attribute,
        format!("a pin is outside the {points} points of the flexcomp"),
        "points are counted from 0",
    )
    .element("pin")
}

impl Grid<'_> {
    fn is_interpolated(&self) -> bool {
        self.settings.nodes_per_axis() > 0
    }

    fn check(&self, attribute: &'static str, place: Place) -> Result<(), Fault> {
        let is_grid = self.settings.kind == FlexcompType::Grid;
        if self.dim > 1 && (is_grid || self.is_interpolated()) {
            return Ok(());
        }
        Err(Fault::new(
            place,
            attribute,
            format!("`{attribute}` pins points of grids of 2 or 3 dimensions, and nodes"),
            "use `id` or `range`",
        )
        .element("pin"))
    }

    /// The number of a point; coordinates beyond the dimension are 0.
    fn id(&self, [ix, iy, iz]: [usize; 3]) -> usize {
        let [_, y, z] = self.settings.count;
        if self.dim == 2 {
            ix.saturating_mul(y).saturating_add(iy)
        } else {
            ix.saturating_mul(y)
                .saturating_add(iy)
                .saturating_mul(z)
                .saturating_add(iz)
        }
    }

    /// Coordinates, if they lie within the counts.
    fn within(&self, coordinates: [i32; 3], counts: [usize; 3]) -> Option<[usize; 3]> {
        let mut out = [0; 3];
        let pairs = coordinates.into_iter().zip(counts).take(self.dim);
        for (out, (coordinate, count)) in out.iter_mut().zip(pairs) {
            *out = usize::try_from(coordinate).ok().filter(|c| *c < count)?;
        }
        Some(out)
    }

    fn outside(&self, place: Place, attribute: &'static str, counts: [usize; 3]) -> Fault {
        let counts: Vec<String> = counts.iter().take(self.dim).map(usize::to_string).collect();
        Fault::new(
            place,
            attribute,
            format!("a pin is outside the grid of {}", counts.join(" × ")),
            "coordinates are counted from 0",
        )
        .element("pin")
    }

    fn mark_points(&self, points: Vec<Numbers<3>>, marks: &mut Marks) -> Result<(), Fault> {
        let mut counts = self.settings.count;
        if self.settings.kind != FlexcompType::Grid && self.is_interpolated() {
            counts = [self.settings.nodes_per_axis(); 3];
        }
        for (place, coordinates) in points {
            let coordinates = self.within(coordinates, counts);
            let coordinates = coordinates.ok_or_else(|| self.outside(place, "grid", counts))?;
            let id = self.id(coordinates);
            marks.mark(id..=id, place, "grid")?;
        }
        Ok(())
    }

    fn mark_ranges(&self, ranges: Vec<Numbers<6>>, marks: &mut Marks) -> Result<(), Fault> {
        let counts = self.settings.count;
        for (place, numbers) in ranges {
            let [a, b, c, d, e, f] = numbers;
            let (low, high) = if self.dim == 2 {
                ([a, b, 0], [c, d, 0])
            } else {
                ([a, b, c], [d, e, f])
            };
            let (Some([x0, y0, z0]), Some([x1, y1, z1])) =
                (self.within(low, counts), self.within(high, counts))
            else {
                return Err(self.outside(place, "gridrange", counts));
            };
            if y1 < y0 || z1 < z0 {
                continue;
            }
            for ix in x0..=x1 {
                for iy in y0..=y1 {
                    // The last axis runs fastest.
                    let ids = self.id([ix, iy, z0])..=self.id([ix, iy, z1]);
                    marks.mark(ids, place, "gridrange")?;
                }
            }
        }
        Ok(())
    }
}
