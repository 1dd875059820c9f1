//! Products of matrices: the inside of `dot_general` and `convolution`.
//!
//! Results are made in tiles of a few rows by two vectors of columns, whose sums stay in registers. The right operand is
//! packed in panels as wide as a tile, a block of which fits the L2 cache; the left operand is read where it stands if it
//! can be, and otherwise packed for one row of tiles, which fits the L1 cache. Packing turns any strides and any narrow
//! element type into what tiles read, so that one loop serves all of them.

mod blocks;
pub mod choose;
pub mod mixed;
pub mod narrow;
pub mod pack;
mod pack_groups;
#[cfg(target_arch = "x86_64")]
mod pack_weights;
pub mod simd;
pub mod tile;

use std::cell::RefCell;
use std::ops::Range;

use pack::{PackLines, PackPanel, Side};
use tile::Tiles;

use super::memory::{Buffer, Memory, SlotId};
use super::pool::Pool;

/// Length of blocks along the contracting dimension, in packed elements.
const BLOCK_K: usize = 384;
/// Longest contracting dimension that is not cut into blocks, in packed elements.
const WHOLE_K: usize = 640;
/// Bytes of packed panels: most of an L2 cache.
const BLOCK_BYTES: usize = 3 << 18;
/// Bytes of a packed left operand that is kept for all blocks of columns.
const KEPT_BYTES: usize = 6 << 20;
/// Bytes of a right operand that are read where they stand however often.
const DIRECT_BYTES: usize = 1 << 15;
/// Rows of the right operand that are packed at a time.
const PACKED_ROWS: usize = 8;
/// Products below which work is not worth splitting over threads.
const GRAIN: usize = 1 << 18;

/// How one operand is packed.
#[derive(Debug)]
pub struct Operand<I> {
    /// Where it stands.
    pub slot: SlotId,
    /// Bytes of an element.
    pub width: usize,
    /// Where its elements are.
    pub side: Side,
    /// Where each product of the batch begins, in elements.
    pub batches: Box<[isize]>,
    /// Packs a panel.
    pub panel: PackPanel<I>,
    /// Packs lines.
    pub lines: PackLines<I>,
    /// Whether elements in memory are packed elements.
    pub is_packed_type: bool,
}

/// Stores sums as elements of another type: `n` from `from` to `to`.
pub type Store<A> = unsafe fn(from: *const A, to: *mut u8, n: usize);

/// A batch of products.
#[derive(Debug)]
pub struct Product<S: Tiles> {
    /// The left operand.
    pub lhs: Operand<S::In>,
    /// The right operand.
    pub rhs: Operand<S::In>,
    /// Where the results go.
    pub result: SlotId,
    /// Bytes of a result.
    pub result_width: usize,
    /// Where each product of the batch begins in the results, in elements.
    pub result_batches: Box<[isize]>,
    /// Where each row begins, in elements; columns stand one after the other.
    pub result_rows: Box<[isize]>,
    /// Stores sums as elements; none if they are the same.
    pub store: Option<Store<S::Acc>>,
    /// Length of the contracting dimension.
    pub k: usize,
}

thread_local! {
    /// Packed parts of operands, kept between products.
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// Addresses that threads share.
#[derive(Copy, Clone)]
struct Addresses {
    lhs: *const u8,
    rhs: *const u8,
    result: *mut u8,
}
// SAFETY: operands are only read, and threads write disjoint results.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

/// Which results a thread makes.
#[derive(Clone, Debug)]
struct Part {
    batches: Range<usize>,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl<S: Tiles> Product<S> {
    fn n_rows(&self) -> usize {
        self.lhs.side.lines.len()
    }

    fn n_columns(&self) -> usize {
        self.rhs.side.lines.len()
    }

    /// Computes all results on all threads.
    pub fn run(&self, memory: &Memory, pool: &Pool) {
        let (n_batches, m, n) = (self.result_batches.len(), self.n_rows(), self.n_columns());
        if n_batches == 0 || m == 0 || n == 0 {
            return;
        }
        let addresses = Addresses {
            lhs: memory.address(self.lhs.slot),
            rhs: memory.address(self.rhs.slot),
            result: memory.address(self.result),
        };
        let work = n_batches.saturating_mul(m).saturating_mul(n).saturating_mul(self.k.max(1));
        let n_parts = (work / GRAIN).clamp(1, pool.n_threads());
        if n_parts == 1 {
            self.part(addresses, &Part { batches: 0..n_batches, rows: 0..m, columns: 0..n });
        } else if n_batches >= 4 * n_parts || n_batches.is_multiple_of(n_parts) {
            pool.run(n_parts, &|index| {
                let batches = n_batches * index / n_parts..n_batches * (index + 1) / n_parts;
                self.part(addresses, &Part { batches, rows: 0..m, columns: 0..n });
            });
        } else {
            let (by_rows, by_columns) = grid::<S>(n_parts, m, n);
            let share = |n: usize, edge: usize, index: usize, n_parts: usize| {
                let n_edges = n.div_ceil(edge);
                n_edges * index / n_parts * edge..(n_edges * (index + 1) / n_parts * edge).min(n)
            };
            pool.run(by_rows * by_columns, &|index| {
                let rows = share(m, S::ROWS, index / by_columns, by_rows);
                let columns = share(n, 2 * S::LANES, index % by_columns, by_columns);
                self.part(addresses, &Part { batches: 0..n_batches, rows, columns });
            });
        }
    }

    fn part(&self, addresses: Addresses, part: &Part) {
        if part.rows.is_empty() || part.columns.is_empty() {
            return;
        }
        let blocks = blocks::Blocks::new(self, part);
        SCRATCH.with_borrow_mut(|scratch| {
            if scratch.bytes().len() < blocks.scratch {
                *scratch = Buffer::new(blocks.scratch);
            }
            let scratch = scratch.as_ptr();
            for batch in part.batches.clone() {
                // SAFETY: batches begin inside the operands, see the plan.
                let at = |base: *const u8, operand: &Operand<S::In>| unsafe {
                    base.offset(operand.batches[batch] * operand.width as isize)
                };
                let (lhs, rhs) = (at(addresses.lhs, &self.lhs), at(addresses.rhs, &self.rhs));
                // SAFETY: as above.
                let result =
                    unsafe { addresses.result.offset(self.result_batches[batch] * self.result_width as isize) };
                // SAFETY: the addresses are those of the operands, and the scratch memory is as large as the blocks need.
                unsafe { blocks.batch(lhs, rhs, result, scratch) };
            }
        });
    }
}

/// How many parts rows and columns are cut into: every part packs its rows and columns, and the largest one counts.
fn grid<S: Tiles>(n_parts: usize, m: usize, n: usize) -> (usize, usize) {
    let (n_rows, n_columns) = (m.div_ceil(S::ROWS), n.div_ceil(2 * S::LANES));
    let cost = |(by_rows, by_columns): &(usize, usize)| {
        let (rows, columns) = (n_rows.div_ceil(*by_rows), n_columns.div_ceil(*by_columns));
        // Of tiles by multiplications of vectors, of packing by about the cycles that a row of tiles or a panel takes.
        rows * columns * 2 * S::ROWS + rows * S::ROWS + columns * 3 * S::LANES
    };
    let choices = (1..=n_parts).map(|by_rows| (by_rows.min(n_rows), (n_parts / by_rows).clamp(1, n_columns)));
    choices.min_by_key(cost).unwrap_or((1, 1))
}

/// Whether tiles can read the left operand where it stands.
fn lhs_direct<S: Tiles>(product: &Product<S>) -> bool {
    let lhs = &product.lhs;
    if !lhs.is_packed_type || lhs.side.step != 1 || product.k == 0 {
        return false;
    }
    if S::GROUP > 1 && !lhs.side.runs.iter().all(|(_, len)| len.is_multiple_of(S::GROUP)) {
        return false;
    }
    // Runs that are short make packing worth while; rows a power of two apart compete for places in the cache.
    let is_long = lhs.side.runs.len() == 1 || lhs.side.runs.iter().all(|(_, len)| *len >= 16 * S::GROUP);
    let distance = match &lhs.side.lines[..] {
        [first, second, ..] => (second - first).unsigned_abs() * lhs.width,
        _ => 1,
    };
    is_long && !(distance.is_multiple_of(2048) && product.k * lhs.width > 64)
}

/// Whether tiles can and should read panels of the right operand where they stand; how far its rows are apart.
fn rhs_direct<S: Tiles>(product: &Product<S>, part: &Part) -> Option<usize> {
    let rhs = &product.rhs;
    let lines = &rhs.side.lines[part.columns.clone()];
    let bytes = rhs.width * lines.len() * product.k;
    let is_worth = part.rows.len() <= 4 * S::ROWS || bytes <= DIRECT_BYTES;
    let can = rhs.is_packed_type
        && S::GROUP == 1
        && rhs.side.runs.len() == 1
        && rhs.side.step > 0
        && lines.len() >= 2 * S::LANES
        && rhs.side.distance == Some(1);
    (can && is_worth).then_some(rhs.side.step.unsigned_abs())
}

impl<S: Tiles> super::Kernel for Product<S> {
    fn run(&self, memory: &Memory, pool: &Pool) {
        Product::run(self, memory, pool);
    }

    fn describe(&self) -> String {
        let (b, m, n, k) = (self.result_batches.len(), self.n_rows(), self.n_columns(), self.k);
        let lhs = if lhs_direct(self) { "read in place" } else { "packed" };
        format!("product {b}x{m}x{k}x{n} in {} by {} tiles of {}, left {lhs}", S::ROWS, 2 * S::LANES, name::<S>())
    }
}

fn name<S: Tiles>() -> &'static str {
    let name = std::any::type_name::<S>();
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}
