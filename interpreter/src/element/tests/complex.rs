//! Complex functions: values of mpmath in general position, the tables of C99 Annex G on the cuts and at infinity.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, PI};

use super::*;
use crate::compare::ulp_distance;

type C = Complex<f64>;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn function<T: Elementary>(name: &str) -> fn(T) -> T {
    macro_rules! by_name {
        ($($name:ident)*) => {
            match name {
                $(stringify!($name) => <T as Elementary>::$name,)*
                _ => panic!("unknown function {name}"),
            }
        };
    }
    by_name! {
        sqrt rsqrt cbrt exponential exponential_minus_one log log_plus_one logistic sine cosine tan tanh
        sinh cosh asin acos atan asinh acosh atanh square
    }
}

#[test]
fn functions_are_within_eight_eps() {
    let mut failures = Vec::new();
    let mut count = 0;
    for line in include_str!("../../../testdata/element/complex.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [x, y, re, im] = [1, 2, 3, 4].map(|at| words[at].parse::<f64>().unwrap());
        let found = function::<C>(words[0])(C::new(x, y));
        let error = (found.re - re).hypot(found.im - im) / re.hypot(im) / f64::EPSILON;
        if error > 8.0 || error.is_nan() {
            failures.push(format!("{line}: found {found}, {error:.1} eps"));
        }
        count += 1;
    }
    assert!(count > 800);
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn each_part_is_kept_at_the_extremes() {
    let mut failures = Vec::new();
    let mut count = 0;
    for line in
        include_str!("../../../testdata/element/complex_extremes.txt").lines().filter(|line| !line.starts_with('#'))
    {
        let words: Vec<&str> = line.split(' ').collect();
        let [x, y, re, im] = [1, 2, 3, 4].map(|at| words[at].parse::<f64>().unwrap());
        let found = function::<C>(words[0])(C::new(x, y));
        let error = ulp_distance(found.re, re).max(ulp_distance(found.im, im));
        if error > 16 {
            failures.push(format!("{line}: found {:e} {:e}, {error} ulp", found.re, found.im));
        }
        count += 1;
    }
    assert!(count > 500);
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

/// The same value, counting the sign of zero; all NaNs are the same.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || (a != 0.0 && (a - b).abs() <= 4e-16 * a.abs())
}

#[track_caller]
fn check(name: &str, cases: &[([f64; 2], [f64; 2])]) {
    for &([x, y], [re, im]) in cases {
        let found = function::<C>(name)(C::new(x, y));
        assert!(same(re, found.re) && same(im, found.im), "{name}({x}, {y}): ({re}, {im}), found {found:?}");
        let found = function::<Complex<f32>>(name)(Complex::new(x as f32, y as f32));
        assert!(
            same(f64::from(re as f32), found.re.into()) && same(f64::from(im as f32), found.im.into()),
            "f32 {name}"
        );
    }
}

#[test]
fn roots_and_logarithm_follow_annex_g() {
    check(
        "sqrt",
        &[
            ([-4.0, 0.0], [0.0, 2.0]),
            ([-4.0, -0.0], [0.0, -2.0]),
            ([-0.0, 0.0], [0.0, 0.0]),
            ([0.0, -0.0], [0.0, -0.0]),
            ([NAN, INF], [INF, INF]),
            ([3.0, -INF], [INF, -INF]),
            ([-INF, 1.0], [0.0, INF]),
            ([-INF, -1.0], [0.0, -INF]),
            ([INF, -1.0], [INF, -0.0]),
            ([-INF, NAN], [NAN, INF]),
            ([INF, NAN], [INF, NAN]),
            ([1.0, NAN], [NAN, NAN]),
            ([9.0, 0.0], [3.0, 0.0]),
        ],
    );
    check(
        "log",
        &[
            ([-0.0, 0.0], [-INF, PI]),
            ([0.0, -0.0], [-INF, -0.0]),
            ([-1.0, 0.0], [0.0, PI]),
            ([-1.0, -0.0], [0.0, -PI]),
            ([1.0, INF], [INF, FRAC_PI_2]),
            ([-INF, 1.0], [INF, PI]),
            ([INF, 1.0], [INF, 0.0]),
            ([-INF, INF], [INF, 3.0 * FRAC_PI_4]),
            ([INF, NAN], [INF, NAN]),
            ([NAN, 1.0], [NAN, NAN]),
        ],
    );
    check(
        "log_plus_one",
        &[
            ([-2.0, 0.0], [0.0, PI]),
            ([-2.0, -0.0], [0.0, -PI]),
            ([-1.0, 0.0], [-INF, 0.0]),
            ([0.5, -0.0], [1.5f64.ln(), -0.0]),
        ],
    );
}

#[test]
fn exponential_and_hyperbolic_functions_follow_annex_g() {
    check(
        "exponential",
        &[
            ([0.0, -0.0], [1.0, -0.0]),
            ([1.0, INF], [NAN, NAN]),
            ([INF, 0.0], [INF, 0.0]),
            ([-INF, 2.0], [-0.0, 0.0]),
            ([INF, 2.0], [-INF, INF]),
            ([INF, INF], [INF, NAN]),
            ([-INF, NAN], [0.0, 0.0]),
            ([NAN, 0.0], [NAN, 0.0]),
            ([NAN, 1.0], [NAN, NAN]),
        ],
    );
    check(
        "sinh",
        &[
            ([0.0, -0.0], [0.0, -0.0]),
            ([0.0, INF], [0.0, NAN]),
            ([INF, 0.0], [INF, 0.0]),
            ([-INF, 1.0], [-INF, INF]),
            ([INF, INF], [INF, NAN]),
            ([1.0, INF], [NAN, NAN]),
            ([NAN, 0.0], [NAN, 0.0]),
        ],
    );
    check(
        "cosh",
        &[
            ([0.0, 0.0], [1.0, 0.0]),
            ([-0.0, 1.0], [1f64.cos(), -0.0]),
            ([INF, 0.0], [INF, 0.0]),
            ([-INF, 1.0], [INF, -INF]),
            ([INF, INF], [INF, NAN]),
            ([1.0, NAN], [NAN, NAN]),
        ],
    );
    check(
        "tanh",
        &[
            ([0.0, -0.0], [0.0, -0.0]),
            ([INF, 1.0], [1.0, 0.0]),
            ([-INF, 2.0], [-1.0, -0.0]),
            ([INF, NAN], [1.0, 0.0]),
            ([1.0, INF], [NAN, NAN]),
            ([NAN, 0.0], [NAN, 0.0]),
        ],
    );
    // Large arguments whose small cosine brings the result back into range.
    let found = C::new(710.0, FRAC_PI_2).exponential();
    assert!(found.re.is_finite() && found.im == INF);
}

#[test]
fn inverse_functions_follow_annex_g() {
    check(
        "acos",
        &[
            ([0.0, 0.0], [FRAC_PI_2, -0.0]),
            ([2.0, 0.0], [0.0, -1.3169578969248167]),
            ([2.0, -0.0], [0.0, 1.3169578969248167]),
            ([-2.0, 0.0], [PI, -1.3169578969248167]),
            ([1.0, INF], [FRAC_PI_2, -INF]),
            ([-INF, 1.0], [PI, -INF]),
            ([INF, 1.0], [0.0, -INF]),
            ([-INF, INF], [3.0 * FRAC_PI_4, -INF]),
            ([0.0, NAN], [FRAC_PI_2, NAN]),
            ([1.0, NAN], [NAN, NAN]),
        ],
    );
    check(
        "acosh",
        &[
            ([-2.0, 0.0], [1.3169578969248167, PI]),
            ([-2.0, -0.0], [1.3169578969248167, -PI]),
            ([0.5, 0.0], [0.0, FRAC_PI_3]),
            ([INF, 1.0], [INF, 0.0]),
            ([-INF, INF], [INF, 3.0 * FRAC_PI_4]),
        ],
    );
    check(
        "asinh",
        &[
            ([0.0, 2.0], [1.3169578969248167, FRAC_PI_2]),
            ([-0.0, 2.0], [-1.3169578969248167, FRAC_PI_2]),
            ([1.0, INF], [INF, FRAC_PI_2]),
            ([INF, 1.0], [INF, 0.0]),
            ([INF, INF], [INF, FRAC_PI_4]),
            ([NAN, 0.0], [NAN, 0.0]),
        ],
    );
    check("asin", &[([1.0, 0.0], [FRAC_PI_2, 0.0]), ([-0.0, 0.0], [-0.0, 0.0]), ([INF, 1.0], [FRAC_PI_2, INF])]);
    check(
        "atanh",
        &[
            ([2.0, 0.0], [0.5493061443340549, FRAC_PI_2]),
            ([2.0, -0.0], [0.5493061443340549, -FRAC_PI_2]),
            ([1.0, 0.0], [INF, 0.0]),
            ([1.0, INF], [0.0, FRAC_PI_2]),
            ([INF, 1.0], [0.0, FRAC_PI_2]),
            ([0.0, NAN], [0.0, NAN]),
        ],
    );
    check("atan", &[([0.0, 2.0], [FRAC_PI_2, 0.5493061443340549]), ([-0.0, 2.0], [-FRAC_PI_2, 0.5493061443340549])]);
}

#[test]
fn square_has_no_undefined_difference_of_overflows() {
    const MAX: f64 = f64::MAX;
    for (x, y, re, im) in [
        (3.0, 4.0, -7.0, 24.0),
        (-1.0, -1.0, 0.0, 2.0),
        // The squares are (2^27 + 1)² and 2^54, of which the first needs 55 digits.
        (134_217_729.0, 134_217_728.0, 268_435_457.0, 36_028_797_287_399_424.0),
        (MAX, -MAX, 0.0, -INF),
        (MAX, MAX.next_down(), INF, INF),
        (-MAX.next_down(), MAX, -INF, -INF),
        (MAX, -INF, -INF, -INF),
        (-INF, MAX, INF, -INF),
        (INF, INF, NAN, INF),
        (0.0, INF, -INF, NAN),
        (NAN, 1.0, NAN, NAN),
    ] {
        let found = C::new(x, y).square();
        assert!(same(re, found.re) && same(im, found.im), "({x}, {y})²: found {found}");
    }
    let found = Complex::new(f32::MAX, f32::MAX.next_down()).square();
    assert!(found.re == f32::INFINITY && found.im == f32::INFINITY, "{found}");
    assert_eq!(Complex::new(f32::MAX, -f32::MAX).square(), Complex::new(0.0, f32::NEG_INFINITY));
}

#[test]
fn arctangent_of_a_quotient_scales() {
    for size in [1e-200, 1.0, 1e200, f64::MAX] {
        let found = C::new(size, 0.0).atan2(C::new(-size, 0.0));
        assert!(same(found.re, 3.0 * FRAC_PI_4) && found.im.abs() < 4e-16, "{size}: {found}");
    }
}

#[test]
fn division_scales_and_follows_annex_g() {
    let divide = |[a, b]: [f64; 2], [c, d]: [f64; 2]| C::new(a, b).divide(C::new(c, d));
    assert_eq!(divide([1.0, 2.0], [3.0, 4.0]), C::new(0.44, 0.08));
    assert_eq!(divide([1e300, 1e300], [1e300, 1e300]), C::new(1.0, 0.0));
    assert_eq!(divide([1e-300, 1e-300], [1e300, 0.0]), C::new(0.0, 0.0));
    assert_eq!(divide([f64::MAX, f64::MAX], [2.0, 2.0]), C::new(f64::MAX / 2.0, 0.0));
    assert_eq!(divide([5e-324, 0.0], [5e-324, 0.0]), C::new(1.0, 0.0));
    assert_eq!(divide([1.0, 1.0], [INF, 0.0]), C::new(0.0, 0.0));
    assert_eq!(divide([INF, 1.0], [1.0, 1.0]), C::new(INF, -INF));
    // A divisor on an axis loses neither part, however far apart they are.
    assert_eq!(divide([f64::MAX, 3e-154], [2.0, 0.0]), C::new(f64::MAX / 2.0, 1.5e-154));
    assert_eq!(divide([f64::MAX, 3e-154], [0.0, -2.0]), C::new(-1.5e-154, f64::MAX / 2.0));
    let by_zero = divide([1.0, 0.0], [0.0, 0.0]);
    assert!(by_zero.re == INF && by_zero.im.is_nan());
}

#[test]
fn absolute_value_is_hypot() {
    assert_eq!(C::new(3.0, -4.0).abs(), 5.0);
    assert_eq!(C::new(NAN, INF).abs(), INF);
    assert_eq!(C::new(f64::MAX / 2.0, f64::MAX / 2.0).abs(), f64::MAX / 2.0 * std::f64::consts::SQRT_2);
    assert_eq!(C::new(5e-324, 0.0).abs(), 5e-324);
    assert_eq!(Complex::new(3e38f32, 3e38).abs(), f32::INFINITY);
    assert_eq!(C::new(0.0, -0.0).sign(), C::new(0.0, 0.0));
    assert_eq!(C::new(-3.0 * 2f64.powi(600), 4.0 * 2f64.powi(600)).sign(), C::new(-0.6, 0.8));
}

#[test]
fn order_is_lexicographic() {
    let compare = |a: [f32; 2], b: [f32; 2], direction| {
        Complex::new(a[0], a[1]).compare(Complex::new(b[0], b[1]), direction, CompareType::Float)
    };
    assert!(compare([1.0, 2.0], [1.0, 3.0], Direction::Lt));
    assert!(!compare([1.0, 2.0], [1.0, 3.0], Direction::Ge));
    assert!(compare([2.0, 0.0], [1.0, 3.0], Direction::Ge));
    assert!(compare([1.0, 3.0], [1.0, 3.0], Direction::Le));
    assert!(compare([0.0, 3.0], [-0.0, 3.0], Direction::Eq));
    let nan = f32::NAN;
    for direction in [Direction::Eq, Direction::Lt, Direction::Le, Direction::Gt, Direction::Ge] {
        assert!(!compare([1.0, nan], [1.0, 3.0], direction), "{direction:?}");
    }
    assert!(compare([1.0, nan], [1.0, nan], Direction::Ne));
}
