//! Special functions against 40-digit values (computed with mpmath), and the laws of `next_after` and the total order.

#![allow(clippy::excessive_precision, reason = "the values are given as they were computed, to 18 digits")]

use super::*;

/// Within this many ulp of the expected value.
#[track_caller]
fn check(found: f64, expected: f64, ulps: f64) {
    let ulp = expected.abs().next_up() - expected.abs();
    assert!((found - expected).abs() <= ulps * ulp, "expected {expected:e}, found {found:e}");
}

#[test]
fn zeta_has_its_values() {
    let cases = [
        (2.0, 1.0, 1.64493406684822644),
        (3.0, 0.5, 8.41439832211716),
        (1.5, 10.0, 0.648661631941570422),
        (2.25, 0.001, 5623414.70951116045),
        (50.0, 3.0, 1.3929563579707038e-24),
        (120.0, 1.75, 6.8459568529653013e-30),
        (1.0001, 2.0, 9999.57722294753897),
        (20.0, 1e6, 5.26320789490350877e-116),
        (3.0, -0.5, 0.414398322117159998),
        (2.0, -3.25, 19.4740850680821551),
        (5.0, -1000.125, -32766.5830211214223),
        (4.0, -1e9 - 0.5, 32.4696970113341457),
        (7.5, 100.25, 1.56337843888572085e-14),
        (2.0, 1e-8, 10000000000000001.2),
    ];
    for (s, q, expected) in cases {
        check(s.zeta(q), expected, 8.0);
    }
    assert_eq!(200f64.zeta(250.5), 0.0);
    assert_eq!(2f64.zeta(f64::INFINITY), 0.0);
    assert_eq!(1f64.zeta(1.0), f64::INFINITY);
    assert_eq!(2f64.zeta(-4.0), f64::INFINITY);
    for (s, q) in [(0.5, 1.0), (3.0, -4.0), (2.5, -0.5), (f64::NAN, 1.0), (2.0, f64::NAN)] {
        assert!(s.zeta(q).is_nan(), "{s} {q}");
    }
    // Far out below zero, and for huge orders, there is an end too.
    assert!(3f64.zeta(-1e300).is_nan());
    assert_eq!(1e300.zeta(1.0), 1.0);
    assert_eq!(f64::INFINITY.zeta(2.0), 0.0);
}

#[test]
fn polygamma_has_its_values() {
    let cases = [
        (1.0, 1.5, 0.934802200544679309),
        (1.0, -2.5, 9.53924664498912375),
        (2.0, 2.5, -0.236204051641727403),
        (3.0, -1.25, 1558.2209125348506),
        (10.0, 4.75, -0.150201002441951183),
        (100.0, 60.5, -1.27466812680880477e-22),
        (2.0, 1e-5, -2000000000000001.91),
        (5.0, 1e4, 2.40060005999999944e-19),
    ];
    for (n, x, expected) in cases {
        check(n.polygamma(x), expected, 8.0);
    }
    // In logarithms, as the factorial overflows or the series underflows.
    check(150f64.polygamma(1e3), -4.10177839192537526e-190, 2000.0);
    check(171f64.polygamma(200.25), 2.91265978116304858e-87, 2000.0);
    assert_eq!(1f64.polygamma(0.0), f64::INFINITY);
    assert_eq!(2f64.polygamma(0.0), f64::NEG_INFINITY);
    assert_eq!(1f64.polygamma(-3.0), f64::INFINITY);
    for (n, x) in [(0.5, 1.0), (-1.0, 1.0), (2.0, -3.0), (f64::INFINITY, 1.0), (1.0, f64::NAN)] {
        assert!(n.polygamma(x).is_nan(), "{n} {x}");
    }
}

#[test]
fn gamma_and_error_functions_have_their_values() {
    check(0.5.lgamma(), 0.572364942924700087, 1.0);
    check(1.5.lgamma(), -0.120782237635245222, 1.0);
    check((-0.5).lgamma(), 1.2655121234846454, 1.0);
    check((-2.75).lgamma(), 0.00448789753595577331, 1.0);
    check(1e305.lgamma(), 7.01288453363183891e307, 2.0);
    check(3e-300.lgamma(), 689.676915609545595, 1.0);
    check(2.0000001.lgamma(), 4.22784366653249792e-8, 1.0);
    assert_eq!([1f64.lgamma(), 2f64.lgamma()], [0.0, 0.0]);
    assert_eq!([0f64, -1.0, f64::INFINITY, f64::NEG_INFINITY].map(Float::lgamma), [f64::INFINITY; 4]);
    check(0.5.digamma(), -1.96351002602142348, 1.0);
    check((-0.75).digamma(), -2.89412020004293207, 1.0);
    check(1e305.digamma(), 702.288453363183934, 1.0);
    check((-1e-9).digamma(), 999999999.422784271, 1.0);
    assert_eq!([0f64, -0.0].map(Float::digamma), [f64::NEG_INFINITY, f64::INFINITY]);
    assert!((-1f64).digamma().is_nan());
    check(0.5.erf(), 0.520499877813046538, 1.0);
    check(Float::erfc(10f64), 2.08848758376254476e-45, 1.0);
    check(0.75.erf_inv(), 0.813419847597618542, 1.0);
    check(3f64.bessel_i1e(), 0.196826713297300854, 1.0);
}

/// Where the library behind the functions was found wrong.
#[test]
fn wrappers_repair_the_library() {
    assert_eq!(f64::NAN.power(0.0), 1.0);
    assert_eq!(1f64.power(f64::NAN), 1.0);
    check(f64::from_bits(0x5ffb47924948c5b4).power(-2.0), 1.913591251143687e-309, 1.0);
    assert_eq!((-2f64).power(-1074.0), f64::from_bits(1));
    assert_eq!((-2f64).power(-1073.0), -f64::from_bits(2));
    assert_eq!((-2f64).power(-1077.0).to_bits(), (-0f64).to_bits());
    // e^−740 and e^−102 are subnormal in f64 and f32; 1 / (1 + e^x) is the same there.
    check((-740f64).logistic(), 4.199558e-322, 1.0);
    assert_eq!((-800f64).logistic(), 0.0);
    assert_eq!((-102f32).logistic(), f32::from_bits(4));
    // 5.5^7 = 152243.5234375 is a tie of f32.
    assert_eq!(30.25f32.power(3.5), 152_243.53);
}

/// One step up and one down from every value, against the sorted list of values.
#[test]
fn next_after_is_the_neighbour() {
    fn check<T: Float>() {
        let mut values: Vec<T> = all::<T>().into_iter().filter(|x| !x.is_nan()).collect();
        values.sort_by(|a, b| a.to_f64().total_cmp(&b.to_f64()));
        values.dedup_by(|a, b| a.to_f64() == b.to_f64());
        let (low, high) = (values[0], values[values.len() - 1]);
        for pair in values.windows(2) {
            assert_eq!(pair[0].next_after(high).to_f64(), pair[1].to_f64(), "{pair:?}");
            assert_eq!(pair[1].next_after(low).to_f64(), pair[0].to_f64(), "{pair:?}");
        }
        assert_eq!(low.next_after(low), low);
    }
    check::<F4E2M1FN>();
    check::<F6E3M2FN>();
    check::<F8E3M4>();
    check::<F8E4M3FN>();
    check::<F8E4M3FNUZ>();
    check::<F8E5M2>();
    check::<F8E8M0FNU>();
    check::<f16>();
    check::<bf16>();
    assert_eq!(0f64.next_after(-0.0).to_bits(), (-0f64).to_bits());
    assert_eq!(0f32.next_after(-1.0), -f32::from_bits(1));
    assert_eq!((-f64::from_bits(1)).next_after(1.0).to_bits(), (-0f64).to_bits());
    assert_eq!(f32::MAX.next_after(f32::INFINITY), f32::INFINITY);
    assert!(f32::NAN.next_after(1.0).is_nan() && 1f32.next_after(f32::NAN).is_nan());
}

/// The total order sorts every pattern strictly: negative NaNs first, positive ones last.
#[test]
fn total_order_is_total() {
    fn check<T: Float>(lowest: u64, highest: u64) {
        let mut values = all::<T>();
        let less = |a: T, b: T| a.compare(b, Direction::Lt, CompareType::TotalOrder);
        values.sort_by(|&a, &b| if less(a, b) { std::cmp::Ordering::Less } else { less(b, a).cmp(&false) });
        assert_eq!((values[0].to_bits(), values[values.len() - 1].to_bits()), (lowest, highest), "{}", T::TYPE);
        for pair in values.windows(2) {
            assert!(less(pair[0], pair[1]), "{pair:?}");
            assert!(!pair[0].compare(pair[1], Direction::Eq, CompareType::TotalOrder));
            assert!(pair[1].compare(pair[0], Direction::Ge, CompareType::TotalOrder));
        }
    }
    check::<f16>(0xffff, 0x7fff);
    check::<F8E5M2>(0xff, 0x7f);
    check::<F8E4M3FNUZ>(0xff, 0x80);
    check::<F4E2M1FN>(0xf, 0x7);
    check::<F8E8M0FNU>(0x00, 0xff);
}

#[test]
fn maximum_and_minimum_propagate_nan_and_order_zeros() {
    fn check<T: Float>() {
        let [one, nan, plus, minus] = [1.0, f64::NAN, 0.0, -0.0].map(T::from_f64);
        assert!(one.maximum(nan).is_nan() && nan.minimum(one).is_nan());
        assert_eq!(plus.maximum(minus).to_bits(), plus.to_bits());
        assert_eq!(minus.maximum(plus).to_bits(), plus.to_bits());
        assert_eq!(plus.minimum(minus).to_bits(), minus.to_bits());
        assert_eq!(minus.minimum(plus).to_bits(), minus.to_bits());
        assert_eq!(one.maximum(plus), one);
        assert_eq!(one.minimum(plus), plus);
    }
    check::<f64>();
    check::<f32>();
    check::<f16>();
    check::<F8E4M3FN>();
}
