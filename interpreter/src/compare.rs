//! Comparing results with expectations: all measures at once, and one rule that decides.
//!
//! NaN equals NaN and an infinity equals itself; −0 equals +0, but such pairs are counted. Complex numbers are compared by
//! their parts; integers and booleans exactly unless a tolerance is asked for.

use std::fmt;

use stablehlo::element::ElementType;

use crate::dispatch_float;
use crate::element::{Element, Float};
use crate::io::mlir::print_element;
use crate::tensor::Tensor;

/// When two values count as equal: if their difference is at most `atol + rtol × |expected|`, or if at most `ulp` representable
/// values lie between them. All zero means exactly equal.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Rule {
    /// Absolute tolerance.
    pub atol: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Units in the last place (for integers: difference).
    pub ulp: u64,
}

impl Rule {
    /// Equal numbers only.
    pub const EXACT: Rule = Rule { atol: 0.0, rtol: 0.0, ulp: 0 };

    /// What is expected of whole programs when nothing is said: integers and booleans exact; floats to about half the
    /// digits of their type, because the order of sums is free.
    pub fn default_for(element: ElementType) -> Self {
        let both = |tolerance| Rule { atol: tolerance, rtol: tolerance, ulp: 4 };
        match element.complex_part().unwrap_or(element) {
            ElementType::F64 => both(1e-9),
            ElementType::F32 => both(1e-5),
            ElementType::F16 => both(1e-3),
            ElementType::BF16 => both(1e-2),
            element if element.is_float() => Rule { ulp: 1, ..Rule::EXACT },
            _ => Rule::EXACT,
        }
    }
}

/// A measure at its worst, and where.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Worst<T> {
    /// The measure.
    pub value: T,
    /// Index of the element in row-major order.
    pub index: usize,
}

impl<T: PartialOrd + Copy> Worst<T> {
    fn see(&mut self, value: T, index: usize) {
        if value > self.value {
            *self = Self { value, index };
        }
    }
}

/// An element that the rule does not accept.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// Its indices.
    pub index: Vec<usize>,
    /// What came out, as MLIR writes it.
    pub actual: String,
    /// What was expected.
    pub expected: String,
}

/// How two tensors compare.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// Why they cannot be compared element by element: another shape or element type.
    pub incomparable: Option<String>,
    /// Elements.
    pub n_elements: usize,
    /// Elements that the rule does not accept.
    pub n_mismatches: usize,
    /// The first of them.
    pub mismatches: Vec<Mismatch>,
    /// Largest absolute difference of finite numbers.
    pub max_abs: Worst<f64>,
    /// Largest difference relative to the expected number, where that is not zero.
    pub max_rel: Worst<f64>,
    /// Most representable values in between, of finite numbers.
    pub max_ulp: Worst<u64>,
    /// Cosine of the angle between the tensors as vectors, over finite pairs; 1 where both are zero.
    pub cosine: f64,
    /// Pairs of which only one is NaN.
    pub n_nan: usize,
    /// Pairs of which one is infinite and the other another number.
    pub n_infinite: usize,
    /// Pairs of −0 and +0.
    pub n_zero_signs: usize,
}

/// How many mismatches a report shows.
const SHOWN: usize = 5;

impl Comparison {
    /// Whether the rule accepts everything.
    pub fn passes(&self) -> bool {
        self.incomparable.is_none() && self.n_mismatches == 0
    }
}

/// A pair of numbers, of one element or one of its parts.
struct Pair {
    actual: f64,
    expected: f64,
    ulps: u64,
    is_equal: bool,
}

/// Compares by `rule`.
pub fn compare(actual: &Tensor, expected: &Tensor, rule: Rule) -> Comparison {
    let mut comparison = Comparison { n_elements: actual.len(), cosine: 1.0, ..Comparison::default() };
    if actual.element() != expected.element() || actual.shape() != expected.shape() {
        let ty = crate::io::iree::type_text;
        comparison.incomparable = Some(format!("{} is not {}", ty(actual), ty(expected)));
        return comparison;
    }
    let mut sums = Sums::default();
    let mut see = |index: usize, pairs: &[Pair]| {
        let mut accepted = true;
        for pair in pairs {
            accepted &= comparison.measure(pair, index, rule);
            sums.add(pair);
        }
        if !accepted {
            comparison.n_mismatches += 1;
            if comparison.mismatches.len() < SHOWN {
                comparison.mismatches.push(Mismatch {
                    index: indices(actual.shape(), index),
                    actual: print_element(actual, index),
                    expected: print_element(expected, index),
                });
            }
        }
    };
    // Where every pair is the same, one stands for all.
    let same = actual.splat_bytes().is_some() && expected.splat_bytes().is_some();
    let n_pairs = if same { actual.len().min(1) } else { actual.len() };
    let element = actual.element();
    let part = element.complex_part().unwrap_or(element);
    let floats = dispatch_float!(part, T => {
        let numbers = |tensor: &Tensor, index: usize| -> [T; 2] {
            let bytes = tensor.element_bytes(index);
            [T::read_le(bytes), bytes.get(T::WIDTH..).map_or(T::zero(), T::read_le)]
        };
        let n_parts = element.byte_width() / T::WIDTH;
        for index in 0..n_pairs {
            let (actual, expected) = (numbers(actual, index), numbers(expected, index));
            let pairs = [0, 1].map(|part| float_pair(actual[part], expected[part]));
            see(index, &pairs[..n_parts]);
        }
    });
    if floats.is_none() {
        for index in 0..n_pairs {
            see(index, &[integer_pair(actual.integer(index).unwrap_or(0), expected.integer(index).unwrap_or(0))]);
        }
    }
    comparison.cosine = sums.cosine();
    if same && n_pairs == 1 {
        let Comparison { n_mismatches, n_nan, n_infinite, n_zero_signs, .. } = &mut comparison;
        for count in [n_mismatches, n_nan, n_infinite, n_zero_signs] {
            *count *= actual.len();
        }
    }
    comparison
}

fn float_pair<T: Float>(actual: T, expected: T) -> Pair {
    let (a, e) = (Float::to_f64(actual), Float::to_f64(expected));
    let is_equal = a == e || (a.is_nan() && e.is_nan());
    Pair { actual: a, expected: e, ulps: ulp_distance(actual, expected), is_equal }
}

fn integer_pair(actual: i128, expected: i128) -> Pair {
    let ulps = u64::try_from(actual.abs_diff(expected)).unwrap_or(u64::MAX);
    Pair { actual: actual as f64, expected: expected as f64, ulps, is_equal: actual == expected }
}

impl Comparison {
    /// Takes a pair into the measures; whether the rule accepts it.
    fn measure(&mut self, pair: &Pair, index: usize, rule: Rule) -> bool {
        let Pair { actual, expected, ulps, is_equal } = *pair;
        if is_equal {
            if actual == 0.0 && actual.is_sign_negative() != expected.is_sign_negative() {
                self.n_zero_signs += 1;
            }
            return true;
        }
        if actual.is_nan() != expected.is_nan() {
            self.n_nan += 1;
            return false;
        }
        if !(actual.is_finite() && expected.is_finite()) {
            self.n_infinite += 1;
            return false;
        }
        let difference = match (actual - expected).abs() {
            // Integers beyond 2^53 differ although their floats may not.
            0.0 => f64::MIN_POSITIVE,
            difference => difference,
        };
        self.max_abs.see(difference, index);
        if expected != 0.0 {
            self.max_rel.see(difference / expected.abs(), index);
        }
        self.max_ulp.see(ulps, index);
        ulps <= rule.ulp || difference <= rule.atol + rule.rtol * expected.abs()
    }
}

/// Sums for the cosine, scaled by the largest number seen so that they do not overflow.
#[derive(Default)]
struct Sums {
    dot: f64,
    actual: f64,
    expected: f64,
    scale: f64,
}

impl Sums {
    fn add(&mut self, pair: &Pair) {
        if !(pair.actual.is_finite() && pair.expected.is_finite()) {
            return;
        }
        let largest = pair.actual.abs().max(pair.expected.abs());
        if largest > self.scale {
            let shrink = (self.scale / largest).powi(2);
            (self.dot, self.actual, self.expected) = (self.dot * shrink, self.actual * shrink, self.expected * shrink);
            self.scale = largest;
        }
        if self.scale > 0.0 {
            let (actual, expected) = (pair.actual / self.scale, pair.expected / self.scale);
            self.dot += actual * expected;
            self.actual += actual * actual;
            self.expected += expected * expected;
        }
    }

    fn cosine(&self) -> f64 {
        match (self.actual == 0.0, self.expected == 0.0) {
            (true, true) => 1.0,
            (true, false) | (false, true) => 0.0,
            (false, false) => (self.dot / (self.actual.sqrt() * self.expected.sqrt())).clamp(-1.0, 1.0),
        }
    }
}

/// The indices of an element by its place in row-major order.
pub(crate) fn indices(shape: &[usize], index: usize) -> Vec<usize> {
    let mut rest = index;
    let mut indices: Vec<usize> = shape
        .iter()
        .rev()
        .map(|size| {
            let size = (*size).max(1);
            let index = rest % size;
            rest /= size;
            index
        })
        .collect();
    indices.reverse();
    indices
}

impl fmt::Display for Comparison {
    /// `2 of 6 elements differ; max abs 1e-3 at 4, max rel …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.incomparable {
            return write!(f, "cannot be compared: {reason}");
        }
        match self.n_mismatches {
            0 => write!(f, "all {} elements agree", self.n_elements)?,
            n => write!(f, "{n} of {} elements differ", self.n_elements)?,
        }
        write!(
            f,
            "; max abs {:e}, max rel {:e}, max ulp {}, cosine {}",
            self.max_abs.value, self.max_rel.value, self.max_ulp.value, self.cosine
        )?;
        for (count, what) in [
            (self.n_nan, "NaN on one side"),
            (self.n_infinite, "infinite on one side"),
            (self.n_zero_signs, "zeros of other sign"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        for mismatch in &self.mismatches {
            write!(f, "\n  at {:?}: {}, expected {}", mismatch.index, mismatch.actual, mismatch.expected)?;
        }
        Ok(())
    }
}

/// How many representable values lie between two floats, counted through zero: 0 for equal bits, for −0 and +0, and
/// for two NaNs; the largest number when only one is finite or infinities differ.
pub fn ulp_distance<T: Float>(a: T, b: T) -> u64 {
    if a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) {
        return 0;
    }
    if !(a.is_finite() && b.is_finite()) {
        return u64::MAX;
    }
    a.position().abs_diff(b.position())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{Complex, F8E4M3FN};

    #[test]
    fn measures_by_hand() {
        let expected = Tensor::from_vec(&[2, 3], &[1.0f32, 2.0, -0.0, f32::NAN, f32::INFINITY, 4.0]).unwrap();
        let actual =
            Tensor::from_vec(&[2, 3], &[1.0f32 + f32::EPSILON, 2.5, 0.0, f32::NAN, f32::INFINITY, 4.0]).unwrap();
        let report = compare(&actual, &expected, Rule { ulp: 1, ..Rule::EXACT });
        assert_eq!((report.n_mismatches, report.n_zero_signs, report.n_nan, report.n_infinite), (1, 1, 0, 0));
        assert_eq!(report.max_abs, Worst { value: 0.5, index: 1 });
        assert_eq!(report.max_rel, Worst { value: 0.25, index: 1 });
        assert_eq!(report.max_ulp, Worst { value: 1 << 21, index: 1 });
        assert_eq!(report.mismatches[0].index, [0, 1]);
        assert!(compare(&actual, &expected, Rule { rtol: 0.25, ..Rule::EXACT }).passes());
        assert!(!compare(&actual, &expected, Rule { atol: 0.49, ..Rule::EXACT }).passes());
        let shown = report.to_string();
        assert!(shown.contains("1 of 6 elements differ") && shown.contains("at [0, 1]: 2.500000e+00"), "{shown}");
    }

    #[test]
    fn differences_of_denormals_are_what_they_are() {
        let of = |bits: u64| Tensor::scalar(f64::from_bits(bits));
        let report = compare(&of(3), &of(1), Rule::EXACT);
        assert_eq!((report.max_abs.value, report.max_rel.value), (f64::from_bits(2), 2.0));
        let report = compare(&Tensor::scalar(i64::MAX), &Tensor::scalar(i64::MAX - 1), Rule::EXACT);
        assert_eq!((report.n_mismatches, report.max_ulp.value), (1, 1));
        assert!(report.max_abs.value > 0.0);
    }

    #[test]
    fn one_sided_nan_and_infinities_never_pass() {
        let lax = Rule { atol: f64::INFINITY, rtol: f64::INFINITY, ulp: u64::MAX };
        let with = |value: f32| Tensor::scalar(value);
        assert!(!compare(&with(f32::NAN), &with(1.0), lax).passes());
        assert!(!compare(&with(f32::INFINITY), &with(f32::NEG_INFINITY), lax).passes());
        assert!(!compare(&with(f32::MAX), &with(f32::INFINITY), lax).passes());
        assert!(compare(&Tensor::scalar(1.0f64), &with(1.0), lax).incomparable.is_some());
    }

    #[test]
    fn integers_are_exact_and_complex_numbers_go_by_parts() {
        let of = |value: i64| Tensor::scalar(value);
        assert!(!compare(&of(i64::MAX), &of(i64::MAX - 1), Rule::default_for(ElementType::I64)).passes());
        assert!(compare(&of(3), &of(4), Rule { ulp: 1, ..Rule::EXACT }).passes());
        let complex = |re, im| Tensor::scalar(Complex { re, im });
        let report = compare(&complex(1.0f32, 2.0), &complex(1.0, 3.0), Rule::EXACT);
        assert_eq!((report.n_mismatches, report.max_abs.value), (1, 1.0));
        // (1·1 + 2·3) / (√5 · √10)
        assert!((report.cosine - 7.0 / 50f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn ulps_count_through_zero() {
        assert_eq!(ulp_distance(0.0f32, -0.0), 0);
        assert_eq!(ulp_distance(f32::from_bits(1), -f32::from_bits(1)), 2);
        assert_eq!(ulp_distance(1.0f64, 1.0 + f64::EPSILON), 1);
        assert_eq!(ulp_distance(f32::INFINITY, f32::MAX), u64::MAX);
        assert_eq!(ulp_distance(F8E4M3FN::from_f32(1.0), F8E4M3FN::from_f32(1.25)), 2);
    }

    #[test]
    fn one_pair_of_splats_stands_for_all() {
        let of = |value: f32| Tensor::full(&[1 << 20, 1 << 20], value);
        let report = compare(&of(1.0), &of(2.0), Rule::EXACT);
        assert_eq!((report.n_mismatches, report.n_elements), (1 << 40, 1 << 40));
    }

    #[test]
    fn cosine_of_huge_numbers() {
        let huge = Tensor::from_vec(&[2], &[1e300f64, 1e300]).unwrap();
        let report = compare(&huge, &huge, Rule::EXACT);
        assert!((report.cosine - 1.0).abs() < 1e-15);
    }
}
