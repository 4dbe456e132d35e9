//! The attributes of a flexcomp with their defaults, checked before anything is made.

use super::fault::Fault;
use crate::compile::orientation::Oriented;
use crate::compile::pose::Pose;
use crate::place::{At, Place};
use crate::report::Report;
use crate::spec::Document;
use crate::spec::tree::{Flexcomp, FlexcompTable};
use crate::spec::value::{Elastic2d, FlexEdgeEquality, FlexcompDof, FlexcompType};
use sinew_math::{MIN_VALUE, Vec3};

/// What a flexcomp asks for.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// What was written.
    pub table: &'a FlexcompTable,
    /// The shape.
    pub kind: FlexcompType,
    /// Dimension of the elements as written; some shapes and files decide it themselves.
    pub dim: usize,
    /// How the points move.
    pub dof: FlexcompDof,
    /// Points along the axes.
    pub count: [usize; 3],
    /// Distance of points along the axes.
    pub spacing: [f64; 3],
    /// Scale of points that are listed or read.
    pub scale: [f64; 3],
    /// Mass of the whole.
    pub mass: f64,
    /// Side of the cubes that stand for the inertia of points.
    pub inertiabox: f64,
    /// Radius around the elements.
    pub radius: f64,
    /// Where the points stand in the parent.
    pub pose: Pose,
}

impl<'a> Settings<'a> {
    /// Reads and checks what is written.
    pub fn read(
        flexcomp: &'a Flexcomp,
        documents: &[Document],
        report: &mut Report,
    ) -> Result<Self, Fault> {
        let table = &flexcomp.table;
        let settings = Settings {
            table,
            kind: or(&table.kind, FlexcompType::Grid),
            dim: dimension(table)?,
            dof: or(&table.dof, FlexcompDof::Full),
            count: counts(table)?,
            spacing: or(&table.spacing, [0.02; 3]),
            scale: or(&table.scale, [1.0; 3]),
            mass: or(&table.mass, 1.0),
            inertiabox: or(&table.inertiabox, 0.005),
            radius: or(&table.radius, 0.005),
            pose: Pose {
                pos: Vec3(or(&table.pos, [0.0; 3])),
                quat: table
                    .orientation()
                    .resolve_among(table.place, documents, "flexcomp", report),
            },
        };
        settings.check_counts()?;
        settings.check_spacing(flexcomp)?;
        settings.check_sizes()?;
        check_edges(flexcomp)?;
        Ok(settings)
    }

    /// Whether the points are listed or read from a file.
    pub fn is_direct(&self) -> bool {
        matches!(
            self.kind,
            FlexcompType::Direct | FlexcompType::Mesh | FlexcompType::Gmsh
        )
    }

    /// Whether all points are fixed to the parent, as written.
    pub fn is_rigid(&self) -> bool {
        or(&self.table.rigid, false)
    }

    /// Nodes along each axis that carry interpolated points; 0 if every point moves by itself.
    pub fn nodes_per_axis(&self) -> usize {
        match self.dof {
            FlexcompDof::Full | FlexcompDof::Radial => 0,
            FlexcompDof::Trilinear => 2,
            FlexcompDof::Quadratic => 3,
        }
    }

    /// Whether a generated shape comes with texture coordinates.
    pub fn needs_texcoord(&self) -> bool {
        let has_some = |at: &Option<At<Vec<f32>>>| at.as_ref().is_some_and(|t| !t.value.is_empty());
        let has_material =
            |at: &Option<At<String>>| at.as_ref().is_some_and(|m| !m.value.is_empty());
        !has_some(&self.table.texcoord) && has_material(&self.table.material)
    }

    fn check_counts(&self) -> Result<(), Fault> {
        let least = if self.dof == FlexcompDof::Radial && self.dim == 3 {
            2
        } else {
            1
        };
        if self.count.iter().any(|count| *count < least) {
            return Err(Fault::new(
                place(&self.table.count, self.table.place),
                "count",
                format!("a flexcomp needs at least {least} points along every axis"),
                "count is three whole numbers, such as \"4 4 1\" for a cloth",
            ));
        }
        Ok(())
    }

    fn check_spacing(&self, flexcomp: &Flexcomp) -> Result<(), Fault> {
        let margin = flexcomp.contact.as_ref().map(|contact| &contact.margin);
        let margin = margin.map_or(0.0, |margin| or(margin, 0.0));
        let least = 2.0 * self.radius + margin;
        if self.is_direct() || self.spacing.iter().all(|space| *space >= least) {
            return Ok(());
        }
        Err(Fault::new(
            place(&self.table.spacing, self.table.place),
            "spacing",
            "points are closer to each other than the elements are thick",
            format!(
                "make spacing at least {least} (twice the radius and the margin), or the radius smaller"
            ),
        ))
    }

    fn check_sizes(&self) -> Result<(), Fault> {
        let table = self.table;
        if !self.scale.iter().all(|scale| *scale >= MIN_VALUE) {
            return Err(Fault::new(
                place(&table.scale, table.place),
                "scale",
                "the scale of a flexcomp must be positive",
                "turn the shape by its orientation instead of mirroring it",
            ));
        }
        for (attribute, value, at) in [
            ("mass", self.mass, &table.mass),
            ("inertiabox", self.inertiabox, &table.inertiabox),
        ] {
            if value.is_nan() || value < MIN_VALUE {
                return Err(Fault::new(
                    place(at, table.place),
                    attribute,
                    format!("`{attribute}` of a flexcomp must be positive"),
                    "every point becomes a body with its part of the mass",
                ));
            }
        }
        Ok(())
    }
}

/// Stretching is held by elasticity or by constraints, not by both.
fn check_edges(flexcomp: &Flexcomp) -> Result<(), Fault> {
    let edge = flexcomp
        .edge
        .as_ref()
        .and_then(|edge| edge.equality.as_ref());
    let is_held = edge.is_some_and(|at| at.value != FlexEdgeEquality::False);
    let elasticity = flexcomp.elasticity.as_ref();
    let elastic = elasticity.and_then(|elasticity| elasticity.elastic2d.as_ref());
    match elastic {
        Some(at) if is_held && matches!(at.value, Elastic2d::Stretch | Elastic2d::Both) => {
            Err(Fault::new(
                at.place,
                "elastic2d",
                "elasticity against stretching and an edge equality cannot both be present",
                "keep `<edge equality=…>` with elastic2d \"bend\" or \"none\", or stretching without the equality",
            )
            .element("elasticity"))
        }
        _ => Ok(()),
    }
}

fn dimension(table: &FlexcompTable) -> Result<usize, Fault> {
    match or(&table.dim, 2) {
        dim @ 1..=3 => Ok(dim as usize),
        dim => Err(Fault::new(
            place(&table.dim, table.place),
            "dim",
            format!("a flexcomp has 1, 2 or 3 dimensions, not {dim}"),
            "1 is a rope, 2 a cloth, 3 a solid",
        )),
    }
}

fn counts(table: &FlexcompTable) -> Result<[usize; 3], Fault> {
    let written = or(&table.count, [10; 3]);
    Ok(written.map(|count| usize::try_from(count).unwrap_or(0)))
}

/// What is written, or the default.
pub fn or<T: Clone>(at: &Option<At<T>>, usual: T) -> T {
    at.as_ref().map_or(usual, |at| at.value.clone())
}

/// Where an attribute stands, or else its element.
pub fn place<T>(at: &Option<At<T>>, element: Place) -> Place {
    at.as_ref().map_or(element, |at| at.place)
}
