//! Which geoms are near each other: the first look at all pairs.

use crate::Number;
use crate::scene::Scene;
use crate::warp::{LANES, Shared, Warp};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_math::Vec3;
use sinew_math::series::Cells;

/// A warp that looks at the pairs of a world.
pub(crate) struct Near<'a, T> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    kinematics: &'a KinematicsRef<'a, T>,
    /// Where geoms are, three numbers each.
    positions: Shared<'a, T>,
}

impl<'a, T: Number> Near<'a, T> {
    /// One that knows where the geoms are.
    #[inline(always)]
    pub fn new(
        warp: Warp,
        scene: &'a Scene<'a, T>,
        kinematics: &'a KinematicsRef<'a, T>,
        positions: Shared<'a, T>,
    ) -> Self {
        let placed = scene.tables.placed_geoms;
        warp.each(placed.len(), |k| {
            let geom = placed[k] as usize;
            let pos = *kinematics.geom_xpos.at(geom);
            for k in 0..3 {
                positions[3 * geom + k].set(pos[k]);
            }
        });
        Near {
            warp,
            scene,
            kinematics,
            positions,
        }
    }

    /// Tells the pairs of geoms that are near each other, each with its place among them; how many there are.
    #[inline(always)]
    pub fn find(&self, tell: impl Fn(usize, usize)) -> usize {
        let pairs = self.scene.head.pairs;
        let (mut near, mut first) = (0, 0);
        while first < pairs {
            let are_near = self.warp.which(first, pairs, |i| self.is_near(i));
            self.warp.each(LANES, |lane| {
                if are_near >> lane & 1 != 0 {
                    tell(near + before(are_near, lane), first + lane);
                }
            });
            near += are_near.count_ones() as usize;
            first += LANES;
        }
        near
    }

    /// Whether the bounding spheres, or the half space of a plane and a sphere, come closer than the margin.
    #[inline(always)]
    fn is_near(&self, pair: usize) -> bool {
        let tables = &self.scene.tables;
        let (first, second) = (tables.near_first[pair], tables.near_second[pair] as usize);
        let reach = tables.near_reach[pair];
        let pos = |geom: usize| -> Vec3<T> {
            let at = |k: usize| self.positions[3 * geom + k].get();
            Vec3([at(0), at(1), at(2)])
        };
        if first >= 0 {
            let between = pos(first as usize) - pos(second);
            return between.dot(between) <= reach * reach;
        }
        let plane = !first as usize;
        let away = pos(second) - pos(plane);
        let height = away.dot(self.kinematics.geom_xmat.at(plane).column(2));
        !height.greater(reach)
    }
}

/// How many of the threads before one have their bit set.
#[inline(always)]
pub(crate) fn before(bits: u32, lane: usize) -> usize {
    (bits & ((1 << lane) - 1)).count_ones() as usize
}
