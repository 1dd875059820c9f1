//! `bitcast_convert` between elements of different sizes; of the same size it is part of fused loops.
//!
//! Elements of whole bytes stand in memory as they are read, so that the bytes are copied. Smaller ones have a byte each,
//! which is put together with its neighbours or taken apart.

use std::ops::Range;

use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::Address;
use super::{Copy, Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::BodyLowering;

/// Bytes below which the work is not worth splitting over threads.
const GRAIN: usize = 1 << 15;

/// Elements of a few bits become bytes of larger ones, or the other way round.
#[derive(Debug)]
struct Regroup {
    from: SlotId,
    to: SlotId,
    /// Bits of the smaller elements: 1, 2 or 4.
    bits: usize,
    /// Whether they are the result.
    is_apart: bool,
    /// Bytes on the other side.
    n_bytes: usize,
}

/// The kernel of a `bitcast_convert`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let ([operand], [result]) = (&node.operands[..], &node.types[..]) else { return None };
    let ty = cx.ty(*operand);
    if [ty, result].iter().any(|ty| cx.graph().module.quantized(ty.ty).is_some()) {
        return None;
    }
    let (before, after) = (ty.element?.bits() as usize, result.element?.bits() as usize);
    let (is_apart, bits) = (before > after, before.min(after));
    let known = bits >= 8 || (before.max(after) >= 8 && matches!(bits, 1 | 2 | 4));
    if !known {
        return None;
    }
    let (bytes, result_bytes) = (ty.bytes(), result.bytes());
    let (from, to) = (cx.dense(*operand), cx.output(Val::Node(index, 0)));
    if bits >= 8 {
        return Some((Box::new(Copy { from, to, bytes: result_bytes }), vec![from], vec![to]));
    }
    let n_bytes = if is_apart { bytes } else { result_bytes };
    Some((Box::new(Regroup { from, to, bits, is_apart, n_bytes }), vec![from], vec![to]))
}

/// Takes each byte apart into elements of `BITS`, the lowest bits first.
fn apart<const BITS: usize>(to: &mut [u8], from: &[u8]) {
    for (to, byte) in to.chunks_exact_mut(8 / BITS).zip(from) {
        for (place, to) in to.iter_mut().enumerate() {
            *to = byte >> (place * BITS) & ((1 << BITS) - 1);
        }
    }
}

/// Puts bytes together of elements of `BITS`, whose other bits do not matter.
fn together<const BITS: usize>(to: &mut [u8], from: &[u8]) {
    for (byte, from) in to.iter_mut().zip(from.chunks_exact(8 / BITS)) {
        let parts = from.iter().enumerate();
        *byte = parts.fold(0, |byte, (place, part)| byte | (part & ((1 << BITS) - 1)) << (place * BITS));
    }
}

impl Regroup {
    /// Bytes `range` of the side that has whole ones.
    ///
    /// # Safety
    /// The addresses are those of the slots.
    unsafe fn range(&self, from: Address, to: Address, range: Range<usize>) {
        let (n, parts) = (range.len(), range.len() * 8 / self.bits);
        let (whole, small) = (range.start as isize, (range.start * 8 / self.bits) as isize);
        let (from_at, from_len) = if self.is_apart { (whole, n) } else { (small, parts) };
        let (to_at, to_len) = if self.is_apart { (small, parts) } else { (whole, n) };
        // SAFETY: both sides have as many bits.
        let (from, to) = unsafe {
            let from = std::slice::from_raw_parts(from.at(from_at).cast_const(), from_len);
            (from, std::slice::from_raw_parts_mut(to.at(to_at), to_len))
        };
        match (self.bits, self.is_apart) {
            (1, true) => apart::<1>(to, from),
            (2, true) => apart::<2>(to, from),
            (_, true) => apart::<4>(to, from),
            (1, false) => together::<1>(to, from),
            (2, false) => together::<2>(to, from),
            (_, false) => together::<4>(to, from),
        }
    }
}

impl Kernel for Regroup {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let (from, to) = (Address(memory.address(self.from)), Address(memory.address(self.to)));
        pool.split(self.n_bytes, GRAIN, &|range| {
            // SAFETY: the addresses are those of the slots, and threads have bytes of their own.
            unsafe { self.range(from, to, range) };
        });
    }

    fn describe(&self) -> String {
        let how = if self.is_apart { "taken apart into" } else { "put together from" };
        format!("{} bytes {how} elements of {} bits", self.n_bytes, self.bits)
    }
}
