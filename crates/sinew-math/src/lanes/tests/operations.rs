use super::*;
use crate::mask::Mask;

fn truth<T: Real>(mask: T::Mask) -> T {
    T::select(mask, T::ONE, T::ZERO)
}

struct Arithmetic;

impl Formula for Arithmetic {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let [a, b] = [x[0], x[1]];
        out.extend([a + b, a - b, a * b, a / b, -a, a.abs(), a.sqrt()]);
        out.extend([a.min_of(b), a.max_of(b), T::from_f64(0.1), T::ZERO, T::ONE]);
        let (mut sum, mut difference, mut product, mut quotient) = (a, a, a, a);
        sum += b;
        difference -= b;
        product *= b;
        quotient /= b;
        out.extend([sum, difference, product, quotient, T::default()]);
    }
}

struct Comparisons;

impl Formula for Comparisons {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let [a, b] = [x[0], x[1]];
        let (less, at_most, equals) = (a.less(b), a.at_most(b), a.equals(b));
        out.extend([less, at_most, a.greater(b), a.at_least(b), equals].map(truth::<T>));
        out.extend([less & equals, less | equals, !less, !(at_most & !less)].map(truth::<T>));
        out.extend([T::select(less, a, b), T::select(!at_most, b, a)]);
        out.extend([T::Mask::ALL, T::Mask::NONE].map(truth::<T>));
    }
}

struct Transcendental;

impl Formula for Transcendental {
    const INPUTS: usize = 2;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let [a, b] = [x[0], x[1]];
        out.extend([a.atan2(b), a.acos(), a.asin(), a.exp(), a.pow(b)]);
        out.extend([a.sin(), a.cos(), a.sin_cos().0, a.sin_cos().1]);
    }
}

fn pairs() -> Vec<f64> {
    let mut worlds = Vec::new();
    for a in SPECIAL {
        for b in SPECIAL {
            worlds.extend([a, b]);
        }
    }
    let mut random = Random::new(11);
    worlds.extend((0..20_000).map(|_| any_number(&mut random)));
    worlds
}

#[test]
fn arithmetic_is_that_of_single_numbers() {
    check::<Arithmetic>(&pairs());
}

#[test]
fn comparisons_are_those_of_single_numbers() {
    check::<Comparisons>(&pairs());
}

#[test]
fn functions_are_those_of_single_numbers() {
    check::<Transcendental>(&pairs());
}

/// Every pattern of lanes: what a mask says about all of them follows from each.
struct Patterns;

impl Work for Patterns {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        for pattern in 0_u32..1 << T::LANES {
            let mut x = T::ZERO;
            let mut mask = T::Mask::NONE;
            for lane in 0..T::LANES {
                let holds = pattern >> lane & 1 == 1;
                x.set_lane(lane, f64::from(u8::from(holds)));
                mask.set_lane(lane, holds);
            }
            let mut taken_away = T::Mask::ALL;
            for lane in 0..T::LANES {
                taken_away.set_lane(lane, mask.lane(lane));
            }
            for found in [mask, taken_away, x.equals(T::ONE), !x.equals(T::ZERO)] {
                assert_eq!(found.count(), pattern.count_ones() as usize);
                assert_eq!(found.any(), pattern != 0);
                assert_eq!(found.all(), pattern.count_ones() as usize == T::LANES);
                for lane in 0..T::LANES {
                    assert_eq!(found.lane(lane), pattern >> lane & 1 == 1);
                    let selected = T::select(found, T::from_f64(7.0), x);
                    assert_eq!(
                        selected.lane(lane),
                        if found.lane(lane) { 7.0 } else { 0.0 }
                    );
                }
            }
        }
    }
}

#[test]
fn masks_know_their_lanes() {
    portably::<f64, _>(Patterns);
    portably::<Double4, _>(Patterns);
    portably::<Double8, _>(Patterns);
    portably::<Single8, _>(Patterns);
    portably::<Single16, _>(Patterns);
    double4(Patterns);
    double8(Patterns);
    single8(Patterns);
    single16(Patterns);
}

/// Slices of packs, read and written as slices of whatever does the work.
struct Double<'a, P>(&'a mut [P]);

impl<P: Pod> Work for Double<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        assert_eq!(
            (size_of::<T>(), align_of::<T>()),
            (size_of::<P>(), align_of::<P>())
        );
        for x in bytemuck::cast_slice_mut::<P, T>(self.0) {
            *x += *x;
        }
    }
}

#[test]
fn slices_of_packs_are_slices_of_registers() {
    let mut packs = [Double4::from_array([1.0, 2.0, 3.0, 4.0]); 3];
    double4(Double(&mut packs));
    assert!(
        packs
            .iter()
            .all(|pack| pack.to_array() == [2.0, 4.0, 6.0, 8.0])
    );
    let mut packs = [Double8::from_f64(1.5); 3];
    double8(Double(&mut packs));
    assert!(packs.iter().all(|pack| pack.to_array() == [3.0; 8]));
    let mut packs = [Single8::from_f64(1.5); 3];
    single8(Double(&mut packs));
    assert!(packs.iter().all(|pack| pack.to_array() == [3.0; 8]));
    let mut packs = [Single16::from_f64(1.5); 3];
    single16(Double(&mut packs));
    assert!(packs.iter().all(|pack| pack.to_array() == [3.0; 16]));
}

#[test]
fn stored_numbers_are_lifted_into_every_lane() {
    use crate::lift::Lift;
    let shared: Double4 = 0.1_f64.lift();
    assert_eq!(shared.to_array(), [0.1; 4]);
    let single: Single8 = 0.1_f32.lift();
    assert_eq!(single.to_array(), [0.1; 8]);
    let own = Double4::from_array([1.0, 2.0, 3.0, 4.0]);
    let lifted: Double4 = own.lift();
    assert_eq!(lifted.to_array(), own.to_array());
    let vector: crate::Vec3<Double4> = crate::vec3(1.0, 2.0, 3.0).lift();
    assert_eq!(vector[1].to_array(), [2.0; 4]);
}
