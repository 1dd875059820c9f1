//! Sort keys: what a comparator looks at, as unsigned integers in the same order.

use interpreter::dispatch_element;
use interpreter::element::{CompareType, Direction, Element, ElementType, Exact};
use interpreter::ops::elementwise::question;
use smallvec::SmallVec;
use stablehlo::ir::Literal;
use stablehlo::ops::OpKind;

use super::matcher::Matcher;
use crate::graph::{BodyId, Graph, Val};

/// How floats are compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// Zeros are equal; there is no order with NaN.
    Float,
    /// −NaN, …, −0, +0, …, +NaN.
    Total,
    /// Zeros are equal, all NaNs are equal and the largest.
    Canonical,
}

/// One of the values that lines are sorted by.
#[derive(Copy, Clone, Debug)]
pub struct Key {
    /// Which operand.
    pub operand: usize,
    /// Its elements.
    pub element: ElementType,
    /// How they are compared.
    pub order: Order,
    /// Whether the largest come first.
    pub descending: bool,
}

/// The keys that a comparator compares, the most important one first.
///
/// Recognised are comparisons of an operand's two elements, as they are or with zeros and NaNs brought into one form, and
/// such comparisons with ties broken by others.
pub fn recognise(graph: &Graph<'_>, body: BodyId) -> Option<SmallVec<[Key; 2]>> {
    let body = &graph.bodies[body];
    let [result] = body.results[..] else { return None };
    let matcher = Matcher { graph, body };
    let mut keys = SmallVec::new();
    let mut value = result;
    // Each round takes one key off; comparators are finite.
    for _ in 0..=body.nodes.len() {
        if let Some(key) = matcher.comparison(value, false) {
            keys.push(key);
            return Some(keys);
        }
        // first before second, or equal and …
        let (x, y) = matcher.pair(value, OpKind::Or)?;
        let (key, rest) = match (matcher.comparison(x, false), matcher.comparison(y, false)) {
            (Some(key), _) => (key, y),
            (None, Some(key)) => (key, x),
            (None, None) => return None,
        };
        let (x, y) = matcher.pair(rest, OpKind::And)?;
        let same = |value| {
            matcher.comparison(value, true).is_some_and(|tie| tie.operand == key.operand && tie.order == key.order)
        };
        value = if same(x) {
            y
        } else if same(y) {
            x
        } else {
            return None;
        };
        keys.push(key);
    }
    None
}

impl Matcher<'_, '_> {
    /// A comparison of the two elements of an operand; for ties one that asks whether they are equal.
    fn comparison(&self, value: Val, tie: bool) -> Option<Key> {
        let node = self.op(value, OpKind::Compare)?;
        let (direction, compare_type) = question(self.graph.module, node.op)?;
        let [lhs, rhs] = node.operands[..] else { return None };
        let ((lhs, canonical), (rhs, other)) = (self.side(lhs)?, self.side(rhs)?);
        let swapped = lhs % 2 == 1;
        if canonical != other || lhs / 2 != rhs / 2 || lhs == rhs {
            return None;
        }
        let direction = if swapped { direction.swapped() } else { direction };
        let descending = match (direction, tie) {
            (Direction::Lt, false) | (Direction::Eq, true) => false,
            (Direction::Gt, false) => true,
            _ => return None,
        };
        let operand = lhs as usize / 2;
        let ty = &self.body.params[lhs as usize];
        let element = ty.element?;
        let order = match (compare_type == CompareType::TotalOrder, canonical) {
            (true, false) => Order::Total,
            (true, true) => Order::Canonical,
            (false, false) => Order::Float,
            (false, true) => return None,
        };
        if self.graph.module.quantized(ty.ty).is_some() || element.is_complex() {
            return None;
        }
        Some(Key { operand, element, order, descending })
    }

    /// The argument that a value is, and whether zeros and NaNs were brought into one form.
    fn side(&self, value: Val) -> Option<(u32, bool)> {
        if let Val::Param(index) = value {
            return Some((index, false));
        }
        // select(x ≠ x, NaN, select(x = 0, 0, x))
        let (is_nan, nan, rest) = self.select(value)?;
        let (is_zero, zero, kept) = self.select(rest)?;
        let Val::Param(index) = kept else { return None };
        let element = self.body.params[index as usize].element?;
        let asks = |value: Val, wanted: Direction| {
            let node = self.op(value, OpKind::Compare)?;
            let (direction, compare_type) = question(self.graph.module, node.op)?;
            (direction == wanted && compare_type != CompareType::TotalOrder).then_some(&node.operands[..])
        };
        let is_constant = |value: Val, holds: fn(f64, bool) -> bool| {
            let literal: Option<&Literal> = self.body.constant(value);
            literal.is_some_and(|literal| {
                dispatch_element!(element, T => {
                    let value = T::read_le(literal.data());
                    // The total order tells −0 and −NaN from their positive forms.
                    let negative = Element::compare(value, T::zero(), Direction::Lt, CompareType::TotalOrder);
                    matches!(value.to_exact(), Exact::Float(value) if holds(value, negative))
                })
            })
        };
        let positive_zero = |value, negative: bool| value == 0.0 && !negative;
        let any_zero = |value: f64, _: bool| value == 0.0;
        let positive_nan = |value: f64, negative: bool| value.is_nan() && !negative;
        let compares_nan = *asks(is_nan, Direction::Ne)? == [kept, kept];
        let compares_zero = match asks(is_zero, Direction::Eq)? {
            [x, zero] if *x == kept => is_constant(*zero, any_zero),
            [zero, x] if *x == kept => is_constant(*zero, any_zero),
            _ => false,
        };
        let is_form =
            compares_nan && compares_zero && is_constant(nan, positive_nan) && is_constant(zero, positive_zero);
        is_form.then_some((index, true))
    }
}

impl Key {
    /// The key of a NaN, where the order is none with it.
    pub fn nan(&self) -> Option<u64> {
        let infinity: u64 = match self.element {
            ElementType::F32 => 0x7f80_0000,
            ElementType::F64 => 0x7ff0_0000_0000_0000,
            ElementType::BF16 => 0x7f80,
            ElementType::F16 => 0x7c00,
            _ => return None,
        };
        let sign = 1u64 << (self.element.bits() - 1);
        let mask = sign | (sign - 1);
        let key = (infinity + 1) | sign;
        (self.order == Order::Float).then_some(if self.descending { key ^ mask } else { key })
    }
}

/// What the keys of a line were like.
#[derive(Copy, Clone, Default, Debug)]
pub struct Seen {
    /// An element is NaN.
    pub nan: bool,
    /// Equal keys may belong to elements with different bits.
    pub merged: bool,
}

/// An unsigned integer that keys are.
pub trait Word: Copy + Send + Sync + 'static {
    /// The low bits of a number.
    fn from_u64(value: u64) -> Self;
    /// As 64 bits.
    fn to_u64(self) -> u64;
}

macro_rules! words {
    ($($T:ty),*) => {$(
        impl Word for $T {
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as $T
            }
            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }
        }
    )*};
}
words!(u32, u64);

/// Elements as keys: `n` of them from `at` on, `step` bytes apart.
///
/// # Safety
/// The elements are readable.
pub unsafe fn keys<K: Word>(key: &Key, at: *const u8, step: isize, out: &mut [K]) -> Seen {
    // SAFETY: the caller's promise.
    unsafe {
        match key.element {
            ElementType::F32 => float_keys::<K, 4>(key, at, step, out, 0x7f80_0000),
            ElementType::F64 => float_keys::<K, 8>(key, at, step, out, 0x7ff0_0000_0000_0000),
            ElementType::BF16 => float_keys::<K, 2>(key, at, step, out, 0x7f80),
            ElementType::F16 => float_keys::<K, 2>(key, at, step, out, 0x7c00),
            ElementType::I32 => integer_keys::<K, 4>(key, at, step, out),
            ElementType::I64 => integer_keys::<K, 8>(key, at, step, out),
            ElementType::I16 => integer_keys::<K, 2>(key, at, step, out),
            ElementType::I8 => integer_keys::<K, 1>(key, at, step, out),
            ElementType::UI32 => integer_keys::<K, 4>(key, at, step, out),
            ElementType::UI64 => integer_keys::<K, 8>(key, at, step, out),
            ElementType::UI16 => integer_keys::<K, 2>(key, at, step, out),
            _ => integer_keys::<K, 1>(key, at, step, out),
        }
    }
}

/// Whether there are keys for elements of a type.
pub fn has_keys(element: ElementType) -> bool {
    use ElementType::*;
    matches!(element, F32 | F64 | BF16 | F16 | I32 | I64 | I16 | I8 | UI32 | UI64 | UI16 | UI8)
}

#[inline(always)]
unsafe fn bits<const W: usize>(at: *const u8) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match W {
            1 => u64::from(at.read()),
            2 => u64::from(at.cast::<u16>().read_unaligned()),
            4 => u64::from(at.cast::<u32>().read_unaligned()),
            _ => at.cast::<u64>().read_unaligned(),
        }
    }
}

/// A key of floats of `W` bytes, whose magnitudes beyond `infinity` are NaN.
#[inline(always)]
unsafe fn float_keys<K: Word, const W: usize>(
    key: &Key,
    at: *const u8,
    step: isize,
    out: &mut [K],
    infinity: u64,
) -> Seen {
    let sign = 1u64 << (8 * W - 1);
    let mask = sign | (sign - 1);
    let flip = if key.descending { mask } else { 0 };
    let mut seen = Seen::default();
    let is_total = key.order == Order::Total;
    for (index, out) in out.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        let mut bits = unsafe { bits::<W>(at.offset(index as isize * step)) };
        let magnitude = bits & !sign;
        if !is_total {
            let nan = magnitude > infinity;
            let negative_zero = bits == sign;
            seen.nan |= nan;
            seen.merged |= nan | negative_zero;
            bits = if negative_zero { 0 } else { bits };
            bits = if nan { infinity + 1 } else { bits };
        }
        let negative = bits & sign != 0;
        let ordered = if negative { !bits & mask } else { bits | sign };
        *out = K::from_u64(ordered ^ flip);
    }
    seen
}

#[inline(always)]
unsafe fn integer_keys<K: Word, const W: usize>(key: &Key, at: *const u8, step: isize, out: &mut [K]) -> Seen {
    let sign = if key.element.is_signed() { 1u64 << (8 * W - 1) } else { 0 };
    let mask = u64::MAX >> (64 - 8 * W);
    let flip = sign ^ if key.descending { mask } else { 0 };
    for (index, out) in out.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *out = K::from_u64(unsafe { bits::<W>(at.offset(index as isize * step)) } ^ flip);
    }
    Seen::default()
}

/// Writes elements from their keys, where equal keys are equal elements.
///
/// # Safety
/// There is room for the elements at `at`, `step` bytes apart.
pub unsafe fn elements<K: Word>(key: &Key, at: *mut u8, step: isize, keys: &[K]) {
    let width = key.element.byte_width();
    let sign = 1u64 << (8 * width - 1);
    let mask = sign | (sign - 1);
    let flip = if key.descending { mask } else { 0 };
    let is_float = key.element.is_float();
    let is_signed = key.element.is_signed();
    let back = |key: K| {
        let ordered = key.to_u64() ^ flip;
        match (is_float, is_signed) {
            (true, _) if ordered & sign != 0 => ordered & !sign,
            (true, _) => !ordered & mask,
            (false, true) => ordered ^ sign,
            (false, false) => ordered,
        }
    };
    // SAFETY: the caller's promise.
    unsafe {
        match width {
            1 => keys.iter().enumerate().for_each(|(i, key)| at.offset(i as isize * step).write(back(*key) as u8)),
            2 => keys
                .iter()
                .enumerate()
                .for_each(|(i, key)| at.offset(i as isize * step).cast::<u16>().write_unaligned(back(*key) as u16)),
            4 => keys
                .iter()
                .enumerate()
                .for_each(|(i, key)| at.offset(i as isize * step).cast::<u32>().write_unaligned(back(*key) as u32)),
            _ => keys
                .iter()
                .enumerate()
                .for_each(|(i, key)| at.offset(i as isize * step).cast::<u64>().write_unaligned(back(*key))),
        }
    }
}
