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
mod prepack;
pub mod simd;
pub mod tile;

use std::cell::RefCell;
use std::ops::Range;

use blocks::Places;
use pack::{PackLines, PackPanel, Side};
use prepack::{Layout, Packing};
use tile::Tiles;

use super::Kernel;
use super::fused::{Bound, Loop};
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
/// The most rows of the left operand for which it pays to keep the right one packed.
const PACKED_ONCE_ROWS: usize = 256;
/// Elements that are a piece of work for what follows a product, if results leave the caches otherwise.
const LONG: usize = 256;
/// Bytes of results that leave the caches.
const LARGE: usize = 4 << 20;
/// Products below which work is not worth splitting over threads.
const GRAIN: usize = 1 << 18;

/// How one operand is packed.
#[derive(Clone, Debug)]
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
    /// What is done to results as soon as they are finished.
    pub after: Option<Box<Loop>>,
    /// Where the right operand stands packed, and how; none if it is packed on the way.
    pub packed: Option<(SlotId, Layout)>,
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
    /// The packed right operand, or null.
    packed: *const u8,
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
            packed: self.packed.map_or(std::ptr::null_mut(), |(slot, _)| memory.address(slot)),
            result: memory.address(self.result),
        };
        let each = self.k.max(1) + self.after.as_ref().map_or(0, |after| after.code.len());
        let work = n_batches.saturating_mul(m).saturating_mul(n).saturating_mul(each);
        let n_parts = (work / GRAIN).clamp(1, pool.n_threads());
        let by_batches = n_parts == 1 || n_batches >= 4 * n_parts || n_batches.is_multiple_of(n_parts);
        let (by_rows, by_columns) = if by_batches { (1, 1) } else { grid::<S>(n_parts, m, n) };
        let (piecewise, at_once): (_, Option<&Loop>) = match self.after.as_deref() {
            Some(after) if self.is_piecewise(by_columns) => (Some(after.bind(|slot| memory.address(slot))), None),
            after => (None, after),
        };
        let after = piecewise.as_ref();
        if by_batches {
            pool.run(n_parts, &|index| {
                let batches = n_batches * index / n_parts..n_batches * (index + 1) / n_parts;
                self.part(addresses, after, &Part { batches, rows: 0..m, columns: 0..n });
            });
        } else {
            let share = |n: usize, edge: usize, index: usize, n_parts: usize| {
                let n_edges = n.div_ceil(edge);
                n_edges * index / n_parts * edge..(n_edges * (index + 1) / n_parts * edge).min(n)
            };
            pool.run(by_rows * by_columns, &|index| {
                let rows = share(m, S::ROWS, index / by_columns, by_rows);
                let columns = share(n, 2 * S::LANES, index % by_columns, by_columns);
                self.part(addresses, after, &Part { batches: 0..n_batches, rows, columns });
            });
        }
        if let Some(after) = at_once {
            after.run(memory, pool);
        }
    }

    /// Whether what follows is worth doing to results piece by piece, with columns shared among so many parts: each piece
    /// costs as much as some hundred elements, so that whole rows should be finished together, unless all results are so
    /// many that they leave the caches.
    fn is_piecewise(&self, by_columns: usize) -> bool {
        let (n, most) = (self.n_columns(), blocks::block_columns::<S>(blocks::block_k::<S>(self.k)));
        let is_next = self.result_rows.get(1).is_none_or(|second| second - self.result_rows[0] == n as isize);
        let bytes = self.result_batches.len() * self.n_rows() * n * self.result_width;
        by_columns == 1 && is_next && n <= most || n.div_ceil(by_columns).min(most) >= LONG && bytes >= LARGE
    }

    fn part(&self, addresses: Addresses, after: Option<&Bound<'_>>, part: &Part) {
        if part.rows.is_empty() || part.columns.is_empty() {
            return;
        }
        let blocks = blocks::Blocks::new(self, part, after);
        SCRATCH.with_borrow_mut(|scratch| {
            if scratch.bytes().len() < blocks.scratch {
                *scratch = Buffer::new(blocks.scratch);
            }
            let (scratch, packed) = (scratch.as_ptr(), addresses.packed);
            for batch in part.batches.clone() {
                // SAFETY: batches begin inside the operands, see the plan.
                let at = |base: *const u8, operand: &Operand<S::In>, batch: usize| unsafe {
                    base.offset(operand.batches[batch] * operand.width as isize)
                };
                let operands = |batch| (at(addresses.lhs, &self.lhs, batch), at(addresses.rhs, &self.rhs, batch));
                let (lhs, rhs) = operands(batch);
                let following = (batch + 1 < part.batches.end).then(|| operands(batch + 1));
                let first = self.result_batches[batch];
                // SAFETY: as above.
                let result = unsafe { addresses.result.offset(first * self.result_width as isize) };
                // SAFETY: the addresses are those of the operands, and the scratch memory is as large as the blocks need.
                unsafe { blocks.batch(Places { lhs, rhs, packed, result, first, scratch, batch, following }) };
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
    if product.packed.is_some() {
        return None;
    }
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

impl<S: Tiles> Kernel for Product<S> {
    fn run(&self, memory: &Memory, pool: &Pool) {
        Product::run(self, memory, pool);
    }

    fn packs(&self) -> Option<(SlotId, usize)> {
        let layout = Layout::of(self);
        // Many rows are long at work where a column is packed quickly.
        let is_worth = self.packed.is_none() && self.n_rows() <= PACKED_ONCE_ROWS && self.k > 1;
        Some((self.rhs.slot, layout.bytes()?)).filter(|_| is_worth)
    }

    fn packed(&mut self, slot: SlotId) -> Option<Box<dyn Kernel>> {
        let layout = Layout::of(self);
        self.packed = Some((slot, layout));
        Some(Box::new(Packing::<S> { operand: self.rhs.clone(), layout, to: slot, k: self.k }))
    }

    fn finishes(&self) -> Option<SlotId> {
        self.after.is_none().then_some(self.result)
    }

    fn followed_by(&mut self, after: &Loop, to: SlotId) -> bool {
        self.after = Some(Box::new(after.clone()));
        self.result = to;
        true
    }

    fn describe(&self) -> String {
        let (b, m, n, k) = (self.result_batches.len(), self.n_rows(), self.n_columns(), self.k);
        let lhs = if lhs_direct(self) { "read in place" } else { "packed" };
        let (rows, columns, of) = (S::ROWS, 2 * S::LANES, name::<S>());
        let rhs = if self.packed.is_some() { ", right kept packed" } else { "" };
        format!("product {b}x{m}x{k}x{n} in {rows} by {columns} tiles of {of}, left {lhs}{rhs}{}", then(&self.after))
    }
}

fn name<S: Tiles>() -> &'static str {
    let name = std::any::type_name::<S>();
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// What follows, for people.
pub fn then(after: &Option<Box<Loop>>) -> String {
    after.as_ref().map_or(String::new(), |after| format!(", then loop {after}"))
}
