//! Shapes in lanes touch where each of them would touch alone: same contacts, same order, same bits.

mod generator;

use bytemuck::Pod;
use generator::Generator;
use sinew_collision::pair::{self, Shape, Touch, TouchList, Touches};
use sinew_math::lanes::{self, Double4, Double8, Work};
use sinew_math::{Mask, Mat3, Real, Vec3};

/// A pair of shapes over any number.
trait Pair {
    fn find<T: Real, Out: Touches<T>>(a: &Shape<T>, b: &Shape<T>, margin: T, out: &mut Out);
}

macro_rules! pairs {
    ($($name:ident: $function:ident),*) => {
        $(
            struct $name;

            impl Pair for $name {
                #[inline(always)]
                fn find<T: Real, Out: Touches<T>>(
                    a: &Shape<T>,
                    b: &Shape<T>,
                    margin: T,
                    out: &mut Out,
                ) {
                    pair::$function(a, b, margin, out);
                }
            }
        )*
    };
}

pairs!(
    PlaneSphere: plane_sphere,
    PlaneCapsule: plane_capsule,
    PlaneCylinder: plane_cylinder,
    PlaneBox: plane_box,
    SphereSphere: sphere_sphere,
    SphereCapsule: sphere_capsule,
    SphereCylinder: sphere_cylinder,
    SphereBox: sphere_box,
    CapsuleCapsule: capsule_capsule
);

/// Two shapes and a margin.
type World = (Shape, Shape, f64);

/// Compares packs of worlds with one world after the other.
struct Compare<'a, P>(&'a [World], std::marker::PhantomData<P>);

impl<P: Pair> Work for Compare<'_, P> {
    /// Number of contacts.
    type Output = usize;

    #[inline(always)]
    fn run<T: Real + Pod>(self) -> usize {
        let mut contacts = 0;
        for worlds in self.0.chunks_exact(T::LANES) {
            let first = gather::<T>(worlds.iter().map(|world| &world.0));
            let second = gather::<T>(worlds.iter().map(|world| &world.1));
            let mut margin = T::ZERO;
            for (lane, world) in worlds.iter().enumerate() {
                margin.set_lane(lane, world.2);
            }
            let mut found = TouchList::<T, 4>::new();
            P::find(&first, &second, margin, &mut found);
            for (lane, world) in worlds.iter().enumerate() {
                let mut alone = Vec::new();
                P::find(&world.0, &world.1, world.2, &mut alone);
                contacts += alone.len();
                for place in 0..4 {
                    let (exists, touch) = found.get(place);
                    assert_eq!(exists.lane(lane), place < alone.len(), "{world:?}");
                    if let Some(expected) = alone.get(place) {
                        let in_lane = numbers(&touch).map(|x| x.lane(lane));
                        let expected = numbers(expected);
                        for k in 0..10 {
                            let is_same = in_lane[k].to_bits() == expected[k].to_bits()
                                || in_lane[k].is_nan() && expected[k].is_nan();
                            assert!(is_same, "{in_lane:?} {expected:?} {world:?}");
                        }
                    }
                }
            }
        }
        contacts
    }
}

fn numbers<T: Real>(touch: &Touch<T>) -> [T; 10] {
    let (p, n, t) = (touch.pos, touch.normal, touch.tangent);
    [
        touch.dist, p[0], p[1], p[2], n[0], n[1], n[2], t[0], t[1], t[2],
    ]
}

/// One shape per lane.
fn gather<'a, T: Real>(shapes: impl Iterator<Item = &'a Shape>) -> Shape<T> {
    let mut out = Shape {
        pos: Vec3::zero(),
        mat: Mat3::identity(),
        size: [T::ZERO; 3],
    };
    for (lane, shape) in shapes.enumerate() {
        for k in 0..3 {
            out.pos[k].set_lane(lane, shape.pos[k]);
            out.size[k].set_lane(lane, shape.size[k]);
        }
        for k in 0..9 {
            out.mat[k].set_lane(lane, shape.mat[k]);
        }
    }
    out
}

fn world(generator: &mut Generator) -> World {
    let kind = (generator.between(0.0, 1.0) * 6.0) as u32;
    let (mut first, mut second) = (generator.shape(kind < 2), generator.shape(kind < 2));
    match kind {
        // The same place, or the same direction.
        2 => second.pos = first.pos,
        3 => second.mat = first.mat,
        // A state that has gone wrong.
        4 if generator.between(0.0, 1.0) < 0.1 => first.pos[1] = f64::NAN,
        _ => {}
    }
    let margin = if generator.between(0.0, 1.0) < 0.5 {
        0.0
    } else {
        0.05
    };
    (first, second, margin)
}

fn check<P: Pair>() {
    let mut generator = Generator(77);
    let worlds: Vec<World> = (0..8000).map(|_| world(&mut generator)).collect();
    let compare = || Compare::<P>(&worlds, std::marker::PhantomData);
    let contacts = compare().run::<f64>();
    assert!(contacts > 1000, "the shapes are not all apart: {contacts}");
    let counts = [
        compare().run::<Double4>(),
        compare().run::<Double8>(),
        lanes::double4(compare()),
        lanes::double8(compare()),
    ];
    assert_eq!(counts, [contacts; 4]);
}

#[test]
fn planes_touch_in_lanes_as_alone() {
    check::<PlaneSphere>();
    check::<PlaneCapsule>();
    check::<PlaneCylinder>();
    check::<PlaneBox>();
}

#[test]
fn round_shapes_touch_in_lanes_as_alone() {
    check::<SphereSphere>();
    check::<SphereCapsule>();
    check::<SphereCylinder>();
    check::<SphereBox>();
    check::<CapsuleCapsule>();
}
