//! Contacts between two primitive shapes in closed form, one pair of shapes per file.
//!
//! A pair function takes the two shapes in the order of their type codes, the distance up to which
//! contacts are wanted (`margin`), and appends what it finds. Most are written over the number and
//! append to any [`Touches`]: a vector for one world, a [`TouchList`] without heap for worlds in
//! lanes, each of which finds what it would find alone; two boxes, and capsule and box, branch so much by
//! where they touch that they are written for a single number; the pairs with a triangle are written for `f64`. Conventions shared by all pairs: the normal
//! points from the first shape to the second; `dist` is negative in penetration; the position lies
//! midway between the two surfaces along the normal. Contact count and order equal the reference's,
//! since solvers and warm starts see them.

mod box_box;
mod box_box_filter;
#[cfg(feature = "std")]
mod box_triangle;
mod capsule_box;
mod capsule_capsule;
#[cfg(feature = "std")]
mod capsule_triangle;
mod plane_box;
mod plane_capsule;
mod plane_cylinder;
mod plane_sphere;
mod sphere_box;
mod sphere_capsule;
mod sphere_cylinder;
mod sphere_sphere;
#[cfg(feature = "std")]
mod sphere_triangle;
mod touch;

pub use box_box::box_box;
pub use box_box_filter::drop_outside_and_repeated;
#[cfg(feature = "std")]
pub use box_triangle::box_triangle;
pub use capsule_box::capsule_box;
pub use capsule_capsule::capsule_capsule;
#[cfg(feature = "std")]
pub use capsule_triangle::capsule_triangle;
pub use plane_box::plane_box;
pub use plane_capsule::plane_capsule;
pub use plane_cylinder::plane_cylinder;
pub use plane_sphere::plane_sphere;
pub use sphere_box::sphere_box;
pub use sphere_capsule::sphere_capsule;
pub use sphere_cylinder::sphere_cylinder;
pub use sphere_sphere::sphere_sphere;
#[cfg(feature = "std")]
pub use sphere_triangle::{Triangle, sphere_triangle};
pub use touch::{Touch, TouchList, TouchSlots, Touches};

use sinew_math::{Mat3, Quat, Real, Vec3};

/// No pair of shapes makes more contacts than this.
pub const MOST_CONTACTS: usize = 50;

/// A shape where it stands: what `size` means depends on the type.
#[derive(Clone, Copy, Debug)]
pub struct Shape<T = f64> {
    /// Centre in the world.
    pub pos: Vec3<T>,
    /// Orientation in the world.
    pub mat: Mat3<T>,
    /// Radius, half length or half sizes, as in `geom_size`.
    pub size: [T; 3],
}

impl<T: Real> Shape<T> {
    /// The local z axis in the world: a plane's normal, a capsule's or cylinder's axis.
    #[inline(always)]
    pub fn axis(&self) -> Vec3<T> {
        self.mat.column(2)
    }

    /// The same shape at another centre.
    #[inline(always)]
    fn at(&self, pos: Vec3<T>) -> Shape<T> {
        Shape { pos, ..*self }
    }
}

impl Shape {
    /// The capsule of a radius around the segment between two points.
    #[doc(alias = "mj_makeCapsule")]
    pub fn capsule_between([first, second]: [Vec3; 2], radius: f64) -> Shape {
        let (axis, length) = (first - second).normalize();
        Shape {
            pos: (first + second) * 0.5,
            mat: Quat::from_z_to(axis).to_mat(),
            size: [radius, 0.5 * length, 0.0],
        }
    }
}

/// `x` limited to ±`limit`; a value that is not a number stays one.
#[inline(always)]
fn clip<T: Real>(x: T, limit: T) -> T {
    let below_top = T::select(x.greater(limit), limit, x);
    T::select(x.less(-limit), -limit, below_top)
}
