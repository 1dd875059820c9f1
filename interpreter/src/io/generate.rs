//! Made-up inputs: `zeros`, `ones`, `iota`, `splat:0.5`, `rand:seed=7,dist=normal`, `large`, `special`.
//!
//! Equal texts give equal bytes on every machine.

use stablehlo::element::ElementType;

use super::error::{InputError, Result};
use super::iree::parse_element;
use crate::dispatch_element;
use crate::element::{Element, Exact, functions};
use crate::tensor::{Tensor, n_bytes};

/// The tensor that `text` describes, or none when it names no generator. `max_bytes` is the most it may take.
///
/// - `zeros`, `ones`, `splat:VALUE`: every element the same;
/// - `iota`: counting in row-major order;
/// - `rand[:seed=N][,dist=uniform|normal][,min=A][,max=B]`: uniform floats are in [−1, 1) unless said, integers in
///   [−8, 8) or [0, 16) within their type; `normal` has mean 0 and deviation 1;
/// - `large[:seed=N]`: floats of any magnitude and sign, evenly spread over the exponents; integers over the whole type;
/// - `special`: NaN, infinities, zeros, the smallest and largest numbers, again and again.
///
/// # Errors
/// `input/generator` for bad parameters, `input/too-large`.
pub fn generate(text: &str, element: ElementType, shape: &[usize], max_bytes: usize) -> Option<Result<Tensor>> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    let splat = |value: &str| {
        let mut bytes = Vec::new();
        parse_element(element, value, &mut bytes)?;
        Tensor::splat(element, shape, bytes).ok_or_else(|| InputError::too_large(element, shape))
    };
    Some(match name {
        "zeros" => Ok(Tensor::splat(element, shape, vec![0; element.byte_width()]))
            .and_then(|tensor| tensor.ok_or_else(|| InputError::too_large(element, shape))),
        "ones" => splat("1"),
        "splat" => splat(parameters),
        "iota" => fill(element, shape, max_bytes, |index| Exact::Integer(index as i128)),
        "rand" => Parameters::parse(parameters).and_then(|parameters| random(&parameters, element, shape, max_bytes)),
        "large" => Parameters::parse(parameters).and_then(|parameters| large(&parameters, element, shape, max_bytes)),
        "special" => special(element, shape, max_bytes),
        _ => return None,
    })
}

fn fill(
    element: ElementType,
    shape: &[usize],
    max_bytes: usize,
    mut value: impl FnMut(usize) -> Exact,
) -> Result<Tensor> {
    let bytes = n_bytes(element, shape)
        .filter(|bytes| *bytes <= max_bytes)
        .ok_or_else(|| InputError::too_large(element, shape))?;
    let width = element.byte_width();
    let mut data = vec![0; bytes];
    dispatch_element!(element, T => {
        for (index, out) in data.chunks_exact_mut(width).enumerate() {
            T::from_exact(value(index)).write_le(out);
        }
    });
    Tensor::new(element, shape, data).ok_or_else(|| InputError::too_large(element, shape))
}

#[derive(Default)]
struct Parameters {
    seed: u64,
    normal: bool,
    min: Option<f64>,
    max: Option<f64>,
}

impl Parameters {
    fn parse(text: &str) -> Result<Self> {
        let mut parameters = Self::default();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let bad = || InputError::new("input/generator", format!("`{entry}` is not a parameter of a generator"));
            let (key, value) = entry.split_once('=').ok_or_else(bad)?;
            match (key.trim(), value.trim()) {
                ("seed", value) => parameters.seed = value.parse().map_err(|_| bad())?,
                ("dist", "normal") => parameters.normal = true,
                ("dist", "uniform") => parameters.normal = false,
                ("min", value) => parameters.min = Some(value.parse().map_err(|_| bad())?),
                ("max", value) => parameters.max = Some(value.parse().map_err(|_| bad())?),
                _ => return Err(bad()),
            }
        }
        Ok(parameters)
    }
}

/// SplitMix64: every seed gives its own sequence.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1), a multiple of 2^−53.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Normally distributed, by Box and Muller's method.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * functions::log(1.0 - self.unit())).sqrt();
        radius * functions::cosine(std::f64::consts::TAU * self.unit())
    }
}

fn random(parameters: &Parameters, element: ElementType, shape: &[usize], max_bytes: usize) -> Result<Tensor> {
    let mut random = Random(parameters.seed);
    let (default_min, default_max): (f64, f64) = match element {
        element if element.is_boolean() => (0.0, 2.0),
        element if element.is_signed() => (-8.0, 8.0),
        element if element.is_unsigned() => (0.0, 16.0),
        _ => (-1.0, 1.0),
    };
    // i2 and i4 are narrower than the default range.
    let half = 2f64.powi(element.bits() as i32 - 1);
    let (lowest, highest) = match element {
        element if element.is_signed() => (-half, half),
        element if element.is_integer() => (0.0, 2.0 * half),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let min = parameters.min.unwrap_or(default_min.max(lowest));
    let max = parameters.max.unwrap_or(default_max.min(highest));
    if !(min.is_finite() && max.is_finite() && min <= max) {
        return Err(InputError::new("input/generator", format!("min={min} and max={max} are not a range")));
    }
    let whole = element.is_integer() || element.is_boolean();
    let mut draw = move || match (parameters.normal, whole) {
        (true, false) => random.normal(),
        (true, true) => random.normal().round_ties_even(),
        (false, false) => min + (max - min) * random.unit(),
        (false, true) => (min + (max - min) * random.unit()).floor(),
    };
    let is_complex = element.is_complex();
    let is_boolean = element.is_boolean();
    fill(element, shape, max_bytes, |_| match (draw(), is_complex) {
        (real, true) => Exact::Complex(real, draw()),
        (value, false) if is_boolean => Exact::Integer(i128::from(value.rem_euclid(2.0) >= 1.0)),
        (value, false) => Exact::Float(value),
    })
}

fn large(parameters: &Parameters, element: ElementType, shape: &[usize], max_bytes: usize) -> Result<Tensor> {
    let mut random = Random(parameters.seed);
    let part = element.complex_part().unwrap_or(element);
    let Some(format) = part.float_format() else {
        return fill(element, shape, max_bytes, |_| Exact::Integer(random.bits() as i128));
    };
    let limit = format.to_f64(format.max_finite(false));
    let (lowest, highest) = (format.min_exponent(), functions::log2(limit));
    let mut draw = move || {
        let exponent = f64::from(lowest) + random.unit() * (highest - f64::from(lowest));
        // A power of two is exact in every type, so it is scaled by a factor below 2 of its own.
        let size = functions::scale(1.0 + random.unit() * 0.999, exponent.floor() as i32);
        if random.bits() & 1 == 1 && format.signed { -size } else { size }
    };
    let is_complex = element.is_complex();
    fill(element, shape, max_bytes, |_| match (draw().clamp(-limit, limit), is_complex) {
        (real, true) => Exact::Complex(real, draw()),
        (value, false) => Exact::Float(value),
    })
}

fn special(element: ElementType, shape: &[usize], max_bytes: usize) -> Result<Tensor> {
    let bytes = n_bytes(element, shape)
        .filter(|bytes| *bytes <= max_bytes)
        .ok_or_else(|| InputError::too_large(element, shape))?;
    let patterns = special_bits(element.complex_part().unwrap_or(element));
    let width = element.complex_part().unwrap_or(element).byte_width();
    let mut data = Vec::with_capacity(bytes);
    let mut cycle = patterns.iter().cycle();
    while data.len() < bytes {
        let bits = cycle.next().copied().unwrap_or(0);
        data.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    Tensor::new(element, shape, data).ok_or_else(|| InputError::too_large(element, shape))
}

/// Values at which functions tend to be wrong.
fn special_bits(element: ElementType) -> Vec<u128> {
    let Some(format) = element.float_format() else {
        let all = u128::MAX >> (128 - element.bits());
        return match element.is_signed() {
            true => vec![0, 1, all, all >> 1, (all >> 1) + 1],
            false => vec![0, 1, all, all >> 1],
        };
    };
    let one = format.round(false, 1, 0, false);
    let smallest = format.min_positive();
    let smallest_normal = if format.has_zero { 1u128 << format.mantissa_bits } else { 0 };
    let mut bits = Vec::new();
    for negative in [false, true] {
        let sign = if negative { format.sign_bit() } else { 0 };
        bits.extend(format.infinity(negative));
        bits.extend([format.zero(negative), format.max_finite(negative)]);
        bits.extend([one | sign, smallest | sign, smallest_normal | sign, (smallest_normal.max(1) - 1) | sign]);
        if format.has_nan() {
            bits.push(format.nan(negative));
        }
    }
    let mut seen = Vec::new();
    bits.retain(|bits| {
        !seen.contains(bits) && {
            seen.push(*bits);
            true
        }
    });
    bits
}
