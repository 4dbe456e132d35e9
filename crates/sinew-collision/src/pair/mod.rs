//! Contacts between two primitive shapes in closed form, one pair of shapes per file.
//!
//! A pair function takes the two shapes in the order of their type codes, the distance up to which
//! contacts are wanted (`margin`), and appends what it finds. Conventions shared by all pairs:
//! the normal points from the first shape to the second; `dist` is negative in penetration; the
//! position lies midway between the two surfaces along the normal. Contact count and order equal
//! the reference's, since solvers and warm starts see them.

mod box_box;
mod box_box_filter;
mod capsule_box;
mod capsule_capsule;
mod plane_box;
mod plane_capsule;
mod plane_cylinder;
mod plane_sphere;
mod sphere_box;
mod sphere_capsule;
mod sphere_cylinder;
mod sphere_sphere;

pub use box_box::box_box;
pub use box_box_filter::drop_outside_and_repeated;
pub use capsule_box::capsule_box;
pub use capsule_capsule::capsule_capsule;
pub use plane_box::plane_box;
pub use plane_capsule::plane_capsule;
pub use plane_cylinder::plane_cylinder;
pub use plane_sphere::plane_sphere;
pub use sphere_box::sphere_box;
pub use sphere_capsule::sphere_capsule;
pub use sphere_cylinder::sphere_cylinder;
pub use sphere_sphere::sphere_sphere;

use sinew_math::{Mat3, Vec3};

/// No pair of shapes makes more contacts than this.
pub const MOST_CONTACTS: usize = 50;

/// A shape where it stands: what `size` means depends on the type.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Centre in the world.
    pub pos: Vec3,
    /// Orientation in the world.
    pub mat: Mat3,
    /// Radius, half length or half sizes, as in `geom_size`.
    pub size: [f64; 3],
}

impl Shape {
    /// The local z axis in the world: a plane's normal, a capsule's or cylinder's axis.
    #[inline]
    pub fn axis(&self) -> Vec3 {
        self.mat.column(2)
    }

    /// The same shape at another centre.
    #[inline]
    fn at(&self, pos: Vec3) -> Shape {
        Shape { pos, ..*self }
    }
}

/// One contact between two shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Distance between the surfaces; negative in penetration.
    pub dist: f64,
    /// Midpoint between the surfaces, world.
    pub pos: Vec3,
    /// Unit normal from the first shape to the second, world.
    pub normal: Vec3,
    /// Wanted direction of the first tangent; zero when any will do.
    pub tangent: Vec3,
}

impl Touch {
    #[inline]
    fn new(dist: f64, pos: Vec3, normal: Vec3) -> Touch {
        Touch {
            dist,
            pos,
            normal,
            tangent: Vec3::ZERO,
        }
    }
}

/// `x` limited to ±`limit`; a value that is not a number stays one.
#[inline]
fn clip(x: f64, limit: f64) -> f64 {
    if x < -limit {
        -limit
    } else if x > limit {
        limit
    } else {
        x
    }
}
