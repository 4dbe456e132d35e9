//! Points and elements of a flexcomp, before it is moved and pinned.

use super::fault::Fault;
use super::settings::{Settings, place};
use super::{file, grid, surface};
use crate::expand::Shared;
use crate::place::Place;
use crate::spec::value::FlexcompType;
use sinew_math::Vec3;

/// Bytes that the columns of a model need for a point, and for an element with its edges.
const POINT_BYTES: usize = 200;
const ELEMENT_BYTES: usize = 760;
/// Bytes that a point and an element take while a shape is made, in lists that grew.
const POINT_MEMORY: usize = 128;
const ELEMENT_MEMORY: usize = 40;

/// Points and what connects them.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Dimension of the elements.
    pub dim: usize,
    /// The points.
    pub points: Vec<Vec3>,
    /// Points of each element, dim + 1 in a row.
    pub elements: Vec<i32>,
    /// Texture coordinates, two numbers each.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of the corners of elements; empty: those of the points.
    pub element_texcoord: Vec<i32>,
}

impl Shape {
    /// An empty shape of the dimension and with the texture coordinates that are written.
    pub fn new(settings: &Settings) -> Shape {
        let texcoord = settings.table.texcoord.as_ref();
        Shape {
            dim: settings.dim,
            texcoord: texcoord.map_or(Vec::new(), |at| at.value.clone()),
            ..Shape::default()
        }
    }

    /// Makes or reads the shape, and checks it.
    pub fn make(settings: &Settings, shared: &mut Shared) -> Result<Shape, Fault> {
        let shape = match settings.kind {
            FlexcompType::Grid | FlexcompType::Circle => grid::grid(settings, shared)?,
            FlexcompType::Square | FlexcompType::Disc => grid::cloth(settings, shared)?,
            FlexcompType::Box | FlexcompType::Cylinder | FlexcompType::Ellipsoid => {
                surface::make(settings, shared)?
            }
            FlexcompType::Mesh => file::mesh(settings, shared)?,
            FlexcompType::Gmsh => file::gmsh(settings, shared)?,
            FlexcompType::Direct => direct(settings, shared)?,
        };
        shape.check(settings)?;
        Ok(shape)
    }

    fn check(&self, settings: &Settings) -> Result<(), Fault> {
        let table = settings.table;
        if self.points.is_empty() || self.elements.is_empty() {
            return Err(Fault::whole(
                table.place,
                "a flexcomp needs points and elements, this one has none",
                "counts above 1 along as many axes as the flexcomp has dimensions; `point` and `element` for type \"direct\"",
            ));
        }
        let corners = self.dim + 1;
        if !self.elements.len().is_multiple_of(corners) {
            return Err(Fault::new(
                place(&table.element, table.place),
                "element",
                format!(
                    "{} corners cannot be divided among elements of {corners}",
                    self.elements.len()
                ),
                "an element has one point more than the flexcomp has dimensions",
            ));
        }
        let count = i32::try_from(self.points.len()).unwrap_or(i32::MAX);
        if let Some(outside) = self.elements.iter().find(|id| **id < 0 || **id >= count) {
            return Err(if settings.is_direct() {
                Fault::new(
                    place(&table.element, table.place),
                    "element",
                    format!("an element has point {outside}, there are {count}"),
                    "points are counted from 0",
                )
            } else {
                Fault::new(
                    place(&table.count, table.place),
                    "count",
                    "a cloth has points along two axes only",
                    "make the third count 1",
                )
            });
        }
        if !self
            .points
            .iter()
            .flat_map(|point| point.0)
            .all(f64::is_finite)
        {
            return Err(Fault::whole(
                table.place,
                "a point of the flexcomp is not finite",
                "look for nan and inf among spacing, scale, point and the numbers of the file",
            )
            .code("mjcf::not-finite"));
        }
        Ok(())
    }
}

/// What is listed in `point` and `element`.
fn direct(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let table = settings.table;
    let numbers = table.point.as_ref().map_or(&[][..], |at| &at.value);
    if !numbers.len().is_multiple_of(3) {
        return Err(Fault::new(
            place(&table.point, table.place),
            "point",
            format!("{} numbers cannot be divided among points", numbers.len()),
            "a point has three coordinates",
        ));
    }
    let (points, _) = numbers.as_chunks::<3>();
    let corners = table.element.as_ref().map_or(0, |at| at.value.len());
    check_size(settings, shared, Some(points.len()), Some(corners))?;
    Ok(Shape {
        points: points.iter().map(|point| Vec3(*point)).collect(),
        elements: table
            .element
            .as_ref()
            .map_or(Vec::new(), |at| at.value.clone()),
        ..Shape::new(settings)
    })
}

/// Compares the sizes of a shape with what a model may hold, and takes its memory, before anything is
/// made. `None` stands for a size beyond counting.
pub fn check_size(
    settings: &Settings,
    shared: &Shared,
    points: Option<usize>,
    elements: Option<usize>,
) -> Result<(), Fault> {
    let weigh = |point: usize, element: usize| {
        let points = points.and_then(|points| points.checked_mul(point))?;
        let elements = elements.and_then(|elements| elements.checked_mul(element))?;
        points.checked_add(elements)
    };
    let most = usize::try_from(shared.source.limits().model_bytes).unwrap_or(usize::MAX);
    if weigh(POINT_BYTES, ELEMENT_BYTES).is_some_and(|bytes| bytes <= most) {
        let bytes = weigh(POINT_MEMORY, ELEMENT_MEMORY).unwrap_or(usize::MAX);
        let place = place(&settings.table.count, settings.table.place);
        return take(shared, bytes, place, "count");
    }
    let [x, y, z] = settings.count;
    Err(Fault::new(
        place(&settings.table.count, settings.table.place),
        "count",
        format!("{x} × {y} × {z} points would take more than {most} bytes"),
        "make the counts smaller",
    )
    .code("mjcf::too-large"))
}

/// Takes memory for something that is about to be made.
pub fn take(
    shared: &Shared,
    bytes: usize,
    place: Place,
    attribute: &'static str,
) -> Result<(), Fault> {
    let taken = shared.budget.memory.take(bytes as u64);
    taken.map_err(|shortage| {
        Fault::new(
            place,
            attribute,
            format!("the flexcomp would take {shortage}"),
            "make it smaller, or raise the memory that loading may use",
        )
        .code("mjcf::memory")
    })
}
