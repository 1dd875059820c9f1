//! From text to results, and comparing their bytes. The executor's tests run the same programs through the same files, on
//! their own `engine`.

use interpreter::element::{Complex, ElementType, Float};
use interpreter::{Config, EvalError, Host, Tensor, entry};
use stablehlo::diag::Severity;
use stablehlo::syntax::parse::parse;
use stablehlo::verify::verify;

use crate::engine::run;

/// How a program ended.
pub enum End {
    /// With results, and the semantic points it reached.
    Results(Vec<Tensor>, Vec<&'static str>),
    /// Rejected before it ran.
    Rejected(String),
    /// With an error.
    Failed(EvalError),
}

/// Reads, verifies and runs the entry function of `text`.
pub fn run_text(name: &str, text: &str) -> End {
    let parsed = parse(name, text);
    if let Some(error) = parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        return End::Rejected(format!("{}: {}", error.code, error.message));
    }
    let verified = match verify(&parsed.module, text) {
        Ok(verified) => verified,
        Err(diagnostics) => {
            let error = &diagnostics[0];
            return End::Rejected(format!("{}: {}", error.code, error.message));
        }
    };
    let config = Config { max_steps: 100_000, max_bytes: 1 << 30, strict: true, ..Config::default() };
    let outcome =
        entry(&parsed.module).and_then(|function| run(verified, function, Vec::new(), &config, &mut Host::default()));
    match outcome {
        Ok(outcome) => match outcome.results.into_iter().map(|value| value.into_tensor()).collect() {
            Ok(results) => End::Results(results, outcome.touched.iter().map(|touch| touch.point).collect()),
            Err(error) => End::Failed(error),
        },
        Err(error) => End::Failed(error),
    }
}

/// What two results may differ in.
#[derive(Copy, Clone)]
pub enum Tolerance {
    Bits,
    AnyNan,
    EitherZero,
    Ulps(u64),
    /// Normwise: in multiples of the type's epsilon times the size of the number, or this size if it is larger.
    Norm(f64, f64),
}

/// The index of the first element that differs by more.
pub fn first_difference(actual: &Tensor, expected: &Tensor, tolerance: impl Fn(usize) -> Tolerance) -> Option<usize> {
    assert_eq!((actual.element(), actual.shape()), (expected.element(), expected.shape()));
    (0..actual.len()).find(|index| {
        actual.element_bytes(*index) != expected.element_bytes(*index)
            && !near(actual, expected, *index, tolerance(*index))
    })
}

fn near(actual: &Tensor, expected: &Tensor, index: usize, tolerance: Tolerance) -> bool {
    match actual.element() {
        ElementType::ComplexF32 => {
            let (a, e) = (actual.get::<Complex<f32>>(index), expected.get::<Complex<f32>>(index));
            let wide = |z: Complex<f32>| Complex::new(f64::from(z.re), f64::from(z.im));
            match tolerance {
                Tolerance::Norm(eps, _) => norm_near(wide(a), wide(e), eps * f64::from(f32::EPSILON)),
                _ => part_near(a.re, e.re, tolerance) && part_near(a.im, e.im, tolerance),
            }
        }
        ElementType::ComplexF64 => {
            let (a, e) = (actual.get::<Complex<f64>>(index), expected.get::<Complex<f64>>(index));
            match tolerance {
                Tolerance::Norm(eps, _) => norm_near(a, e, eps * f64::EPSILON),
                _ => part_near(a.re, e.re, tolerance) && part_near(a.im, e.im, tolerance),
            }
        }
        element => interpreter::dispatch_float!(element, T => {
            part_near(actual.get::<T>(index), expected.get::<T>(index), tolerance)
        })
        .unwrap_or(false),
    }
}

fn part_near<T: Float>(actual: T, expected: T, tolerance: Tolerance) -> bool {
    let both_nan = Float::is_nan(actual) && Float::is_nan(expected);
    let (a, e) = (Float::to_f64(actual), Float::to_f64(expected));
    match tolerance {
        Tolerance::Bits => Float::to_bits(actual) == Float::to_bits(expected),
        Tolerance::AnyNan => both_nan || Float::to_bits(actual) == Float::to_bits(expected),
        Tolerance::EitherZero => both_nan || a == e,
        Tolerance::Ulps(ulps) => both_nan || interpreter::compare::ulp_distance(actual, expected) <= ulps,
        Tolerance::Norm(eps, size) => {
            let epsilon = 2f64.powi(-(T::FORMAT.mantissa_bits as i32));
            both_nan
                || a == e
                || (!a.is_finite() && !e.is_finite())
                || (a - e).abs() <= eps * epsilon * size.max(e.abs())
        }
    }
}

/// Equal up to rounding relative to the absolute value; values that are not finite by their class.
fn norm_near(a: Complex<f64>, e: Complex<f64>, eps: f64) -> bool {
    let finite = |z: Complex<f64>| z.re.is_finite() && z.im.is_finite();
    if !finite(a) || !finite(e) {
        return !finite(a) && !finite(e);
    }
    let same_side = |a: f64, e: f64| a == 0.0 || e == 0.0 || a.signum() == e.signum() || (a - e).abs() <= eps;
    let size = |z: Complex<f64>| z.re.hypot(z.im);
    size(a - e) <= eps * size(e) && same_side(a.re, e.re) && same_side(a.im, e.im)
}

/// Storage of a vector in the data files: hexadecimal, one byte per element of less than a byte.
pub fn from_hex(element: ElementType, shape: &[usize], hex: &str) -> Option<Tensor> {
    let bytes: Option<Vec<u8>> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
    Tensor::new(element, shape, bytes?)
}

/// All elements in MLIR's notation, for messages.
pub fn show(tensor: &Tensor) -> String {
    interpreter::io::mlir::print(tensor)
}
