//! What a dilated convolution that is taken apart leaves out: the zeros between elements times weights. That makes a
//! difference only where a weight is infinite or NaN: 0 times such is NaN, and so is every sum that it goes into.

use std::ops::Range;

use stablehlo::element::ElementType;

use super::phases::Phase;
use super::{Parts, Placed};
use crate::kernels::dot_general::{places, shifted};
use crate::kernels::memory::{Memory, SlotId};

/// Results that weights at other places of the kernel make NaN.
#[derive(Debug)]
struct Others {
    /// For each place of the kernel, whether the part has it.
    has: Vec<bool>,
    /// Where its results of the first feature stand.
    results: Box<[isize]>,
}

/// The weights and which results they can make NaN.
#[derive(Debug)]
pub struct Holes {
    kernel: SlotId,
    result: SlotId,
    element: ElementType,
    result_element: ElementType,
    /// Where the places of the kernel stand for the first features.
    kernel_places: Box<[isize]>,
    kernel_in: (usize, isize),
    kernel_out: (usize, isize),
    out_feature: isize,
    phases: Vec<Others>,
}

/// The bits of the exponent, if the type has infinities or NaNs that are told by it.
fn exponent(element: ElementType) -> Option<(usize, u64)> {
    match element {
        ElementType::BF16 => Some((2, 0x7f80)),
        ElementType::F16 => Some((2, 0x7c00)),
        ElementType::F32 | ElementType::ComplexF32 => Some((4, 0x7f80_0000)),
        ElementType::F64 | ElementType::ComplexF64 => Some((8, 0x7ff0_0000_0000_0000)),
        _ => None,
    }
}

/// Whether all numbers are finite.
fn are_finite(bytes: &[u8], (width, exponent): (usize, u64)) -> bool {
    macro_rules! all {
        ($T:ty) => {{
            // Without a branch for each number.
            let is_special = |bytes: &[u8; size_of::<$T>()]| {
                u8::from(<$T>::from_le_bytes(*bytes) & exponent as $T == exponent as $T)
            };
            let (numbers, _) = bytes.as_chunks();
            numbers.chunks(4096).all(|numbers| numbers.iter().fold(0, |any, number| any | is_special(number)) == 0)
        }};
    }
    match width {
        2 => all!(u16),
        4 => all!(u32),
        _ => all!(u64),
    }
}

impl Holes {
    /// The holes of a convolution that was taken apart; none if there are none, or the weights are always finite.
    pub fn new(conv: &Parts, phases: &[Phase], kernel: Placed, result: Placed) -> Option<Self> {
        exponent(kernel.element).filter(|_| phases.iter().any(|phase| !phase.places.is_empty()))?;
        let sizes: Vec<usize> = conv.kernel_spatial.iter().map(|(size, _)| *size).collect();
        let others = |phase: &Phase| {
            let has = |mut place: usize| {
                sizes.iter().zip(&phase.places).rev().all(|(size, (first, step))| {
                    let at = place % size;
                    place /= size;
                    at >= *first && (at - first).is_multiple_of(*step)
                })
            };
            let mut axes = phase.parts.out_spatial.clone();
            axes.insert(0, conv.out_batch);
            let results = shifted(&places(&axes), result.start + phase.result_start);
            Others { has: (0..sizes.iter().product()).map(has).collect(), results }
        };
        Some(Self {
            kernel: kernel.slot,
            result: result.slot,
            element: kernel.element,
            result_element: result.element,
            kernel_places: shifted(&places(&conv.kernel_spatial), kernel.start),
            kernel_in: conv.kernel_in,
            kernel_out: conv.kernel_out,
            out_feature: conv.out_feature.1,
            phases: phases.iter().map(others).collect(),
        })
    }

    /// Makes results NaN that a zero times a weight goes into.
    pub fn run(&self, memory: &Memory) {
        let Some(exponent) = exponent(self.element) else { return };
        let weights = memory.bytes(self.kernel);
        if are_finite(weights, exponent) {
            return;
        }
        let width = self.element.byte_width();
        let is_special = |place: isize| {
            let at = place.unsigned_abs() * width;
            weights.get(at..at + width).is_some_and(|bytes| !are_finite(bytes, exponent))
        };
        for feature in 0..self.kernel_out.0 {
            let of_feature = |place: &isize| {
                let start = place + feature as isize * self.kernel_out.1;
                (0..self.kernel_in.0).any(|at| is_special(start + at as isize * self.kernel_in.1))
            };
            let special: Vec<bool> = self.kernel_places.iter().map(of_feature).collect();
            for phase in &self.phases {
                if special.iter().zip(&phase.has).any(|(is_special, has)| *is_special && !has) {
                    let by = feature as isize * self.out_feature;
                    phase.results.iter().for_each(|result| self.make_nan(memory, result + by));
                }
            }
        }
    }

    fn make_nan(&self, memory: &Memory, place: isize) {
        let width = self.result_element.byte_width();
        let at: Range<usize> = place.unsigned_abs() * width..(place.unsigned_abs() + 1) * width;
        let Some(to) = memory.bytes_mut(self.result).get_mut(at) else { return };
        match self.result_element {
            ElementType::BF16 => to.copy_from_slice(&0x7fc0_u16.to_le_bytes()),
            ElementType::F16 => to.copy_from_slice(&0x7e00_u16.to_le_bytes()),
            ElementType::F64 | ElementType::ComplexF64 => {
                to.as_chunks_mut().0.iter_mut().for_each(|part| *part = f64::NAN.to_le_bytes());
            }
            _ => to.as_chunks_mut().0.iter_mut().for_each(|part| *part = f32::NAN.to_le_bytes()),
        }
    }
}
