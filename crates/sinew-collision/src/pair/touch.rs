//! Contacts between two shapes, and where they are put.

use sinew_math::{Mask, Mat3, Real, Vec3};

/// One contact between two shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch<T = f64> {
    /// Distance between the surfaces; negative in penetration.
    pub dist: T,
    /// Midpoint between the surfaces, world.
    pub pos: Vec3<T>,
    /// Unit normal from the first shape to the second, world.
    pub normal: Vec3<T>,
    /// Wanted direction of the first tangent; zero when any will do.
    pub tangent: Vec3<T>,
}

impl<T: Real> Touch<T> {
    #[inline(always)]
    pub(super) fn new(dist: T, pos: Vec3<T>, normal: Vec3<T>) -> Touch<T> {
        Touch {
            dist,
            pos,
            normal,
            tangent: Vec3::zero(),
        }
    }

    /// A right-handed frame whose first row is the normal and whose second is as near as possible to
    /// the wanted tangent; without one, to y, or to z where the normal is near y.
    #[doc(alias = "mju_makeFrame")]
    #[inline(always)]
    pub fn frame(&self) -> Mat3<T> {
        let x = self.normal.normalized();
        let half = T::from_f64(0.5);
        let is_free = self.tangent.dot(self.tangent).less(T::from_f64(0.25));
        let is_across = x[1].less(half) & x[1].greater(-half);
        let unit = |k: usize| {
            let mut axis = Vec3::zero();
            axis[k] = T::ONE;
            axis
        };
        let any = Vec3::select(is_across, unit(1), unit(2));
        let y = Vec3::select(is_free, any, self.tangent);
        let y = (y - x * x.dot(y)).normalized();
        let z = x.cross(y);
        Mat3([x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]])
    }

    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    fn select(mask: T::Mask, yes: Touch<T>, no: Touch<T>) -> Touch<T> {
        Touch {
            dist: T::select(mask, yes.dist, no.dist),
            pos: Vec3::select(mask, yes.pos, no.pos),
            normal: Vec3::select(mask, yes.normal, no.normal),
            tangent: Vec3::select(mask, yes.tangent, no.tangent),
        }
    }
}

/// Where a pair of shapes puts the contacts it finds.
pub trait Touches<T: Real> {
    /// Appends a contact in the lanes in which it exists.
    fn add(&mut self, exists: T::Mask, touch: Touch<T>);
}

/// A list of contacts that can be changed after they were found.
pub trait TouchSlots<T: Real>: Touches<T> {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them.
    fn get(&self, i: usize) -> Touch<T>;
    /// Puts one in its place.
    fn set(&mut self, i: usize, touch: Touch<T>);
    /// Forgets those from a place on.
    fn truncate(&mut self, count: usize);
}

#[cfg(feature = "std")]
impl TouchSlots<f64> for Vec<Touch> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Touch {
        self[i]
    }

    #[inline(always)]
    fn set(&mut self, i: usize, touch: Touch) {
        self[i] = touch;
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        Vec::truncate(self, count);
    }
}

#[cfg(feature = "std")]
impl Touches<f64> for Vec<Touch> {
    #[inline(always)]
    fn add(&mut self, exists: bool, touch: Touch) {
        if exists {
            self.push(touch);
        }
    }
}

/// Contacts of every lane, up to `N`, in the order in which they were found there; what comes after
/// is left out. Four are enough for every pair that is written over the number.
#[derive(Clone, Copy, Debug)]
pub struct TouchList<T, const N: usize> {
    touches: [Touch<T>; N],
    count: T,
}

impl<T: Real, const N: usize> TouchList<T, N> {
    /// No contact in any lane.
    #[inline(always)]
    pub fn new() -> Self {
        TouchList {
            touches: [Touch::new(T::ZERO, Vec3::zero(), Vec3::zero()); N],
            count: T::ZERO,
        }
    }

    /// Forgets all contacts. What is left in their places does not matter.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = T::ZERO;
    }

    /// A contact by its place in the list, and the lanes whose list is long enough to have it.
    #[inline(always)]
    pub fn get(&self, place: usize) -> (T::Mask, Touch<T>) {
        let exists = self.count.greater(T::from_f64(place as f64));
        (exists, self.touches[place])
    }
}

impl<T: Real, const N: usize> Default for TouchList<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Real, const N: usize> Touches<T> for TouchList<T, N> {
    #[inline(always)]
    fn add(&mut self, exists: T::Mask, touch: Touch<T>) {
        for place in 0..N {
            let is_here = exists & self.count.equals(T::from_f64(place as f64));
            if is_here.any() {
                self.touches[place] = Touch::select(is_here, touch, self.touches[place]);
            }
        }
        let is_added = exists & self.count.less(T::from_f64(N as f64));
        self.count += T::select(is_added, T::ONE, T::ZERO);
    }
}
