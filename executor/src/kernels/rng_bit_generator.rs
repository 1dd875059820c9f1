//! `rng_bit_generator`: Threefry and Philox, many blocks at once, with the interpreter's counting.

use stablehlo::element::ElementType;
use stablehlo::ir::RngAlgorithm;
use stablehlo::ops::stablehlo::rng_bit_generator::RngBitGenerator as Op;

use super::isa::Isa;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::Address;
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::BodyLowering;

/// Blocks that are computed together.
const BLOCKS: usize = 128;
/// Words that they make at most.
const WORDS: usize = 4 * BLOCKS;
/// Words that are worth a thread.
const GRAIN: usize = 1 << 15;

/// How the words of Threefry's blocks are laid out.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Layout {
    /// Block after block.
    InOrder,
    /// The two words of a block are neighbours along a dimension of this size, with `inner` elements per step.
    Along { size: usize, inner: usize },
}

#[derive(Debug)]
struct RngBitGenerator {
    is_philox: bool,
    layout: Layout,
    /// Number of elements, and bytes and bits of one.
    n: usize,
    width: usize,
    bits: u32,
    isa: Isa,
    state: SlotId,
    next_state: SlotId,
    to: SlotId,
}

/// The kernel of an `rng_bit_generator`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let state_ty = cx.ty(node.operands[0]);
    let [_, ty] = &node.types[..] else { return None };
    let element = ty.element?;
    let n_state = state_ty.len();
    let is_philox = match Op::new(cx.graph().module, node.op).rng_algorithm() {
        RngAlgorithm::ThreeFry if n_state == 2 => false,
        RngAlgorithm::Philox | RngAlgorithm::Default if n_state == 2 || n_state == 3 => true,
        _ => return None,
    };
    if state_ty.element != Some(ElementType::UI64) || element == ElementType::I1 || element.is_complex() {
        return None;
    }
    let layout = if is_philox || element.byte_width() == 8 { Layout::InOrder } else { along(&ty.shape)? };
    let state = cx.dense(node.operands[0]);
    let (next_state, to) = (cx.output(Val::Node(index, 0)), cx.output(Val::Node(index, 1)));
    let (width, bits) = (element.byte_width(), element.bits());
    let kernel = RngBitGenerator { is_philox, layout, n: ty.len(), width, bits, isa: cx.isa(), state, next_state, to };
    Some((Box::new(kernel), vec![state], vec![next_state, to]))
}

/// Neighbours along the first dimension of even size or, without one, the first of the largest; none for a scalar.
fn along(shape: &[usize]) -> Option<Layout> {
    let largest = || (0..shape.len()).rev().max_by_key(|dim| shape[*dim]);
    let dim = (0..shape.len()).find(|dim| shape[*dim].is_multiple_of(2)).or_else(largest)?;
    let inner = shape[dim + 1..].iter().product();
    let size = shape[dim];
    Some(if inner == 1 && size.is_multiple_of(2) { Layout::InOrder } else { Layout::Along { size, inner } })
}

type Words = [u32; WORDS];

/// The blocks `first..first + BLOCKS`.
type BlocksFn = unsafe fn(key: u64, counter: u128, words: &mut Words);

#[inline(always)]
fn philox(key: u64, counter: u128, words: &mut Words) {
    // Each number has a lane of 64 bits to itself, where products have room. What is above its 32 bits means nothing.
    const LANES: usize = 16;
    const LOW: u64 = 0xffff_ffff;
    for (group, words) in words.as_chunks_mut::<{ 4 * LANES }>().0.iter_mut().enumerate() {
        let counter = counter.wrapping_add((group * LANES) as u128);
        let (low, high) = (counter as u64, (counter >> 64) as u64);
        let (mut c0, mut c1) = ([0u64; LANES], [0u64; LANES]);
        let (mut c2, mut c3) = ([0u64; LANES], [0u64; LANES]);
        for lane in 0..LANES {
            let sum = low.wrapping_add(lane as u64);
            let carried = high.wrapping_add(u64::from(sum < low));
            (c0[lane], c1[lane], c2[lane], c3[lane]) = (sum, sum >> 32, carried, carried >> 32);
        }
        let (mut k0, mut k1) = (key as u32, (key >> 32) as u32);
        for _ in 0..10 {
            for lane in 0..LANES {
                let first = (c0[lane] & LOW) * 0xD251_1F53;
                let second = (c2[lane] & LOW) * 0xCD9E_8D57;
                c0[lane] = (second >> 32) ^ c1[lane] ^ u64::from(k0);
                c1[lane] = second;
                c2[lane] = (first >> 32) ^ c3[lane] ^ u64::from(k1);
                c3[lane] = first;
            }
            k0 = k0.wrapping_add(0x9E37_79B9);
            k1 = k1.wrapping_add(0xBB67_AE85);
        }
        for lane in 0..LANES {
            let pairs = [(c0[lane] & LOW) | c1[lane] << 32, (c2[lane] & LOW) | c3[lane] << 32];
            for (pair, words) in pairs.into_iter().zip(words[4 * lane..].as_chunks_mut::<2>().0) {
                *words = [pair as u32, (pair >> 32) as u32];
            }
        }
    }
}

#[inline(always)]
fn three_fry(key: u64, counter: u128, words: &mut Words) {
    const LANES: usize = 32;
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let k = [key as u32, (key >> 32) as u32, key as u32 ^ (key >> 32) as u32 ^ 0x1BD1_1BDA];
    for group in 0..BLOCKS / LANES {
        let (mut x0, mut x1) = ([0u32; LANES], [0u32; LANES]);
        for lane in 0..LANES {
            let counter = (counter as u64).wrapping_add((group * LANES + lane) as u64);
            x0[lane] = (counter as u32).wrapping_add(k[0]);
            x1[lane] = ((counter >> 32) as u32).wrapping_add(k[1]);
        }
        for round in 0..5 {
            for rotation in ROTATIONS[round % 2] {
                for lane in 0..LANES {
                    x0[lane] = x0[lane].wrapping_add(x1[lane]);
                    x1[lane] = x1[lane].rotate_left(rotation) ^ x0[lane];
                }
            }
            let after = round + 1;
            for lane in 0..LANES {
                x0[lane] = x0[lane].wrapping_add(k[after % 3]);
                x1[lane] = x1[lane].wrapping_add(k[(after + 1) % 3]).wrapping_add(after as u32);
            }
        }
        let words = &mut words[group * LANES * 2..][..LANES * 2];
        for (lane, words) in words.chunks_exact_mut(2).enumerate() {
            words.copy_from_slice(&[x0[lane], x1[lane]]);
        }
    }
}

macro_rules! for_each_isa {
    ($name:ident, $baseline:ident, $avx2:ident, $avx512:ident) => {
        unsafe fn $baseline(key: u64, counter: u128, words: &mut Words) {
            $name(key, counter, words);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        unsafe fn $avx2(key: u64, counter: u128, words: &mut Words) {
            $name(key, counter, words);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2")]
        unsafe fn $avx512(key: u64, counter: u128, words: &mut Words) {
            $name(key, counter, words);
        }
    };
}
for_each_isa!(philox, philox_baseline, philox_avx2, philox_avx512);
for_each_isa!(three_fry, three_fry_baseline, three_fry_avx2, three_fry_avx512);

impl RngBitGenerator {
    fn words_per_block(&self) -> usize {
        if self.is_philox { 4 } else { 2 }
    }

    /// How many blocks there are.
    fn n_blocks(&self) -> usize {
        match self.layout {
            Layout::InOrder => (self.n * if self.width == 8 { 2 } else { 1 }).div_ceil(self.words_per_block()),
            Layout::Along { size, .. } if size == 0 || self.n == 0 => 0,
            Layout::Along { size, .. } => self.n / size * size.div_ceil(2),
        }
    }

    fn blocks(&self) -> BlocksFn {
        match (self.is_philox, self.isa) {
            #[cfg(target_arch = "x86_64")]
            (true, Isa::Avx512) => philox_avx512,
            #[cfg(target_arch = "x86_64")]
            (true, Isa::Avx2) => philox_avx2,
            #[cfg(target_arch = "x86_64")]
            (false, Isa::Avx512) => three_fry_avx512,
            #[cfg(target_arch = "x86_64")]
            (false, Isa::Avx2) => three_fry_avx2,
            (true, _) => philox_baseline,
            (false, _) => three_fry_baseline,
        }
    }

    /// Stores one word as an element.
    ///
    /// # Safety
    /// The slot has an element of that number.
    #[inline(always)]
    unsafe fn store(&self, to: Address, element: usize, word: u32) {
        let masked = if self.bits >= 32 { word } else { word & (u32::MAX >> (32 - self.bits)) };
        // SAFETY: the caller's promise.
        unsafe {
            match self.width {
                1 => to.0.add(element).write(masked as u8),
                2 => to.0.cast::<u16>().add(element).write_unaligned(masked as u16),
                _ => to.0.cast::<u32>().add(element).write_unaligned(masked),
            }
        }
    }

    /// Stores the words of the blocks `first..first + n`.
    fn place(&self, to: Address, words: &Words, first: usize, n: usize) {
        match self.layout {
            Layout::InOrder if self.width >= 4 => {
                let bytes = self.n * self.width;
                let at = first * self.words_per_block() * 4;
                let n = (n * self.words_per_block() * 4).min(bytes - at);
                // SAFETY: n bytes are left in the result, and there are as many words.
                unsafe { std::ptr::copy_nonoverlapping(words.as_ptr().cast(), to.0.add(at), n) };
            }
            Layout::InOrder => {
                let at = first * self.words_per_block();
                let n = (n * self.words_per_block()).min(self.n - at);
                for (index, word) in words[..n].iter().enumerate() {
                    // SAFETY: n elements are left in the result.
                    unsafe { self.store(to, at + index, *word) };
                }
            }
            Layout::Along { size, inner } => {
                let half = size.div_ceil(2);
                let (mut column, row) = (first % inner, first / inner);
                let (mut pair, mut outer) = (row % half, row / half);
                for words in words[..2 * n].chunks_exact(2) {
                    let at = (outer * size + 2 * pair) * inner + column;
                    // SAFETY: the blocks are those of the result; where the size is odd, the last pair's second is not.
                    unsafe {
                        self.store(to, at, words[0]);
                        if 2 * pair + 1 < size {
                            self.store(to, at + inner, words[1]);
                        }
                    }
                    column += 1;
                    if column == inner {
                        (column, pair) = (0, pair + 1);
                        if pair == half {
                            (pair, outer) = (0, outer + 1);
                        }
                    }
                }
            }
        }
    }
}

impl Kernel for RngBitGenerator {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let (state, next) = (memory.bytes(self.state), memory.bytes_mut(self.next_state));
        let word = |index: usize| {
            let bytes = state.get(index * 8..index * 8 + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u64::from_le_bytes)
        };
        let key = word(0).unwrap_or(0);
        let low = word(1).unwrap_or(0);
        // A state of two words counts on in the key.
        let counter =
            if self.is_philox { u128::from(low) | u128::from(word(2).unwrap_or(key)) << 64 } else { low.into() };
        let n_blocks = self.n_blocks();
        let after = counter.wrapping_add(n_blocks as u128);
        for (next, value) in next.chunks_exact_mut(8).zip([key, after as u64, (after >> 64) as u64]) {
            next.copy_from_slice(&value.to_le_bytes());
        }
        let to = Address(memory.address(self.to));
        let (blocks, n_groups) = (self.blocks(), n_blocks.div_ceil(BLOCKS));
        pool.split(n_groups, GRAIN / WORDS, &|groups| {
            let to = { to };
            let mut words = [0; WORDS];
            for group in groups {
                let first = group * BLOCKS;
                // SAFETY: the plan was made for what the machine has.
                unsafe { blocks(key, counter.wrapping_add(first as u128), &mut words) };
                self.place(to, &words, first, BLOCKS.min(n_blocks - first));
            }
        });
    }

    fn describe(&self) -> String {
        format!("{} bits for {} elements", if self.is_philox { "philox" } else { "threefry" }, self.n)
    }
}
