//! The attributes of a flex with their defaults, checked.

use super::Fault;
use crate::compile::Context;
use crate::compile::pair::{SOLIMP, SOLREF, prefix};
use crate::place::{At, Place};
use crate::spec::extra::Flex;
use crate::spec::tree::FlexContact;
use crate::spec::value::Elastic2d;
use sinew_model::kinds::{FlexSelf, ObjectType};

/// What a flex asks for.
pub struct Written<'a> {
    pub place: Place,
    /// Where its elements are written.
    pub element_place: Place,
    pub name: &'a str,
    pub dim: usize,
    pub group: i32,
    pub radius: f64,
    pub rgba: [f32; 4],
    pub material: i32,
    pub flatskin: bool,
    /// Corners of the elements as written.
    pub elements: &'a [i32],
    pub texcoord: &'a [f32],
    written_element_texcoord: &'a [i32],
    pub contact: Contact,
    pub edge_stiffness: f64,
    pub edge_damping: f64,
    pub young: f64,
    pub poisson: f64,
    pub damping: f64,
    pub thickness: f64,
    pub elastic2d: Elastic2d,
}

/// How it touches.
pub struct Contact {
    pub contype: i32,
    pub conaffinity: i32,
    pub condim: i32,
    pub priority: i32,
    pub friction: [f64; 3],
    pub solmix: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub internal: bool,
    pub selfcollide: FlexSelf,
    pub activelayers: i32,
    pub passive: bool,
}

fn or<T: Clone>(at: Option<&At<T>>, usual: T) -> T {
    at.map_or(usual, |at| at.value.clone())
}

fn slice<T>(at: &Option<At<Vec<T>>>) -> &[T] {
    at.as_ref().map_or(&[], |at| &at.value)
}

impl<'a> Written<'a> {
    /// Reads and checks what is written.
    pub fn read(ctx: &mut Context, flex: &'a Flex) -> Result<Written<'a>, Fault> {
        let table = &flex.table;
        let (edge, elasticity) = (flex.edge.as_ref(), flex.elasticity.as_ref());
        let material = material(ctx, flex)?;
        let written = Written {
            place: table.place,
            element_place: table.element.as_ref().map_or(table.place, |at| at.place),
            name: table.name.as_ref().map_or("", |at| at.value.as_str()),
            dim: dimension(flex)?,
            group: or(table.group.as_ref(), 0),
            radius: or(table.radius.as_ref(), 0.005),
            rgba: or(table.rgba.as_ref(), [0.5, 0.5, 0.5, 1.0]),
            material,
            flatskin: or(table.flatskin.as_ref(), false),
            elements: slice(&table.element),
            texcoord: slice(&table.texcoord),
            written_element_texcoord: slice(&table.elemtexcoord),
            contact: Contact::read(flex.contact.as_ref()),
            edge_stiffness: or(edge.and_then(|edge| edge.stiffness.as_ref()), 0.0),
            edge_damping: or(edge.and_then(|edge| edge.damping.as_ref()), 0.0),
            young: or(elasticity.and_then(|one| one.young.as_ref()), 0.0),
            poisson: or(elasticity.and_then(|one| one.poisson.as_ref()), 0.0),
            damping: or(elasticity.and_then(|one| one.damping.as_ref()), 0.0),
            thickness: or(elasticity.and_then(|one| one.thickness.as_ref()), -1.0),
            elastic2d: or(
                elasticity.and_then(|one| one.elastic2d.as_ref()),
                Elastic2d::None,
            ),
        };
        written.check_elements()?;
        written.check_forces(flex)?;
        written.check_elasticity(flex)?;
        Ok(written)
    }

    /// Whether it resists bending.
    pub fn bends(&self) -> bool {
        self.dim == 2 && matches!(self.elastic2d, Elastic2d::Bend | Elastic2d::Both)
    }

    /// Texture coordinates of the corners of elements: as written, or those of the vertices. The
    /// reference copies three per element, whatever the dimension.
    pub fn element_texcoord(&self, elements: &[i32]) -> Vec<i32> {
        let mut out = if self.written_element_texcoord.is_empty() {
            let count = 3 * (elements.len() / (self.dim + 1));
            elements[..count.min(elements.len())].to_vec()
        } else {
            self.written_element_texcoord.to_vec()
        };
        out.resize(elements.len(), 0);
        out
    }

    /// Checks texture coordinates against the number of vertices.
    pub fn check_texcoord(&self, flex: &Flex, vertices: usize) -> Result<(), Fault> {
        let place = |at: Option<Place>| at.unwrap_or(self.place);
        let count = self.texcoord.len();
        let has_own = !self.written_element_texcoord.is_empty();
        if count > 0 && (!count.is_multiple_of(2) || (count != 2 * vertices && !has_own)) {
            return Err(Fault::new(
                place(flex.table.texcoord.as_ref().map(|at| at.place)),
                "texcoord",
                format!("{count} texture coordinates do not fit {vertices} vertices"),
                "write two per vertex, or say by elemtexcoord which corner uses which",
            ));
        }
        if !has_own {
            return Ok(());
        }
        let most = i32::try_from(count / 2).unwrap_or(i32::MAX);
        // −1 says that a corner has none.
        let outside = self
            .written_element_texcoord
            .iter()
            .find(|id| **id < -1 || **id >= most);
        let corners = self.written_element_texcoord.len();
        let at = place(flex.table.elemtexcoord.as_ref().map(|at| at.place));
        if let (Some(id), true) = (outside, count > 0) {
            return Err(Fault::new(
                at,
                "elemtexcoord",
                format!("a corner has texture coordinate {id}, there are {most}"),
                "texture coordinates are counted from 0",
            ));
        }
        if flex.table.elemtexcoord.is_some() && corners > self.elements.len() && self.dim < 3 {
            return Err(Fault::new(
                at,
                "elemtexcoord",
                format!(
                    "{corners} corners, the elements have {}",
                    self.elements.len()
                ),
                "write one texture coordinate per corner",
            ));
        }
        Ok(())
    }

    fn check_elements(&self) -> Result<(), Fault> {
        let corners = self.dim + 1;
        if self.elements.is_empty() || !self.elements.len().is_multiple_of(corners) {
            return Err(Fault::new(
                self.element_place,
                "element",
                format!(
                    "`element` has {} vertices, elements of dimension {} need {corners} each",
                    self.elements.len(),
                    self.dim
                ),
                "list the corners of all elements one after the other",
            ));
        }
        Ok(())
    }

    fn check_forces(&self, flex: &Flex) -> Result<(), Fault> {
        let edge = flex.edge.as_ref();
        if self.edge_stiffness > 0.0 && self.dim > 1 {
            let at = edge.and_then(|edge| edge.stiffness.as_ref());
            return Err(Fault::new(
                at.map_or(self.place, |at| at.place),
                "stiffness",
                "only flexes of dimension 1 have springs along their edges",
                "use `<elasticity young=…>`, or an equality constraint on the edges",
            ));
        }
        let is_interpolated = flex
            .table
            .node
            .as_ref()
            .is_some_and(|at| !at.value.0.is_empty());
        let contact = flex.contact.as_ref();
        if is_interpolated && self.contact.selfcollide != FlexSelf::None {
            let at = contact.and_then(|contact| contact.selfcollide.as_ref());
            return Err(Fault::new(
                at.map_or(self.place, |at| at.place),
                "selfcollide",
                "a flex that is interpolated between nodes cannot collide with itself",
                "write `<contact selfcollide=\"none\"/>`",
            ));
        }
        if is_interpolated && self.contact.internal {
            let at = contact.and_then(|contact| contact.internal.as_ref());
            return Err(Fault::new(
                at.map_or(self.place, |at| at.place),
                "internal",
                "a flex that is interpolated between nodes has no internal contacts",
                "leave out `internal`",
            ));
        }
        Ok(())
    }

    fn check_elasticity(&self, flex: &Flex) -> Result<(), Fault> {
        let elasticity = flex.elasticity.as_ref();
        let place = |at: Option<&At<f64>>| at.map_or(self.place, |at| at.place);
        if self.young.is_nan() || self.young <= 0.0 {
            return Ok(());
        }
        if !(0.0..0.5).contains(&self.poisson) {
            return Err(Fault::new(
                place(elasticity.and_then(|one| one.poisson.as_ref())),
                "poisson",
                format!(
                    "Poisson's ratio must be at least 0 and less than 0.5, not {}",
                    self.poisson
                ),
                "0.45 is rubber, 0.3 is metal, 0 is cork",
            ));
        }
        if self.bends() && (self.thickness.is_nan() || self.thickness < 0.0) {
            return Err(Fault::new(
                place(elasticity.and_then(|one| one.thickness.as_ref())),
                "thickness",
                "bending needs a positive thickness",
                "give `<elasticity thickness=…>`, in metres",
            ));
        }
        Ok(())
    }
}

impl Contact {
    fn read(contact: Option<&FlexContact>) -> Contact {
        let none = FlexContact::default();
        let contact = contact.unwrap_or(&none);
        Contact {
            contype: or(contact.contype.as_ref(), 1),
            conaffinity: or(contact.conaffinity.as_ref(), 1),
            condim: or(contact.condim.as_ref(), 3),
            priority: or(contact.priority.as_ref(), 0),
            friction: prefix(&contact.friction, [1.0, 0.005, 0.0001]),
            solmix: or(contact.solmix.as_ref(), 1.0),
            solref: prefix(&contact.solref, SOLREF),
            solimp: prefix(&contact.solimp, SOLIMP),
            margin: or(contact.margin.as_ref(), 0.0),
            gap: or(contact.gap.as_ref(), 0.0),
            internal: or(contact.internal.as_ref(), false),
            selfcollide: or(contact.selfcollide.as_ref(), FlexSelf::Auto),
            activelayers: or(contact.activelayers.as_ref(), 1),
            passive: or(contact.passive.as_ref(), false),
        }
    }
}

fn dimension(flex: &Flex) -> Result<usize, Fault> {
    let at = flex.table.dim.as_ref();
    match or(at, 2) {
        dim @ 1..=3 => Ok(dim as usize),
        dim => Err(Fault::new(
            at.map_or(flex.table.place, |at| at.place),
            "dim",
            format!("a flex has 1, 2 or 3 dimensions, not {dim}"),
            "1 is a rope, 2 a cloth, 3 a solid",
        )),
    }
}

fn material(ctx: &mut Context, flex: &Flex) -> Result<i32, Fault> {
    let material = flex.table.material.as_ref();
    let Some(material) = material.filter(|at| !at.value.is_empty()) else {
        return Ok(-1);
    };
    let id = ctx.resolve(ObjectType::Material, material, "flex", "material");
    id.map(|id| id as i32).ok_or_else(Fault::reported)
}
