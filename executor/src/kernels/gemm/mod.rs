//! Products of matrices: the inside of `dot_general` and `convolution`.
//!
//! Results are made in tiles of a few rows by two vectors of columns, whose sums stay in registers. The right operand is
//! packed in panels as wide as a tile, a block of which fits the L2 cache; the left operand is read where it stands if it
//! can be, and otherwise packed for one row of tiles, which fits the L1 cache. Packing turns any strides and any narrow
//! element type into what tiles read, so that one loop serves all of them.

pub mod choose;
pub mod narrow;
pub mod pack;
pub mod simd;
pub mod tile;

use std::cell::RefCell;
use std::ops::Range;

use pack::{PackLines, PackPanel, Side};
use tile::{MAX_ROWS, Tile, Tiles};

use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::pool::Pool;

/// Length of blocks along the contracting dimension, in packed elements.
const BLOCK_K: usize = 384;
/// Longest contracting dimension that is not cut into blocks, in packed elements.
const WHOLE_K: usize = 640;
/// Bytes of packed panels: half of an L2 cache.
const BLOCK_BYTES: usize = 1 << 19;
/// Bytes of a right operand that are read where they stand however often.
const DIRECT_BYTES: usize = 1 << 17;
/// Rows of the right operand that are packed at a time.
const PACKED_ROWS: usize = 16;
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
        let panel = 2 * S::LANES;
        if n_parts == 1 {
            self.part(addresses, &Part { batches: 0..n_batches, rows: 0..m, columns: 0..n });
        } else if n_batches >= 2 * n_parts {
            pool.run(n_parts, &|index| {
                let batches = n_batches * index / n_parts..n_batches * (index + 1) / n_parts;
                self.part(addresses, &Part { batches, rows: 0..m, columns: 0..n });
            });
        } else if n >= 4 * panel * n_parts || m < S::ROWS * n_parts {
            let n_panels = n.div_ceil(panel);
            pool.run(n_parts.min(n_panels), &|index| {
                let n_parts = n_parts.min(n_panels);
                let columns = n_panels * index / n_parts * panel..(n_panels * (index + 1) / n_parts * panel).min(n);
                self.part(addresses, &Part { batches: 0..n_batches, rows: 0..m, columns });
            });
        } else {
            let n_blocks = m.div_ceil(S::ROWS);
            pool.run(n_parts, &|index| {
                let rows = n_blocks * index / n_parts * S::ROWS..(n_blocks * (index + 1) / n_parts * S::ROWS).min(m);
                self.part(addresses, &Part { batches: 0..n_batches, rows, columns: 0..n });
            });
        }
    }

    fn part(&self, addresses: Addresses, part: &Part) {
        if part.rows.is_empty() || part.columns.is_empty() {
            return;
        }
        let blocks = Blocks::new(self, part);
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

/// How a part is cut into blocks.
struct Blocks<'p, S: Tiles> {
    product: &'p Product<S>,
    part: &'p Part,
    /// Elements of a block along the contracting dimension, a multiple of the group.
    block_k: usize,
    /// Columns of a block, a multiple of the width of a tile.
    block_n: usize,
    /// Whether tiles read the left operand where it stands.
    lhs_direct: bool,
    /// Whether tiles read whole panels of the right operand where they stand, and the elements between its rows.
    rhs_direct: Option<usize>,
    /// Bytes from the start of the scratch memory: the packed left operand, what is added to the sums, the sums.
    lhs_at: usize,
    init_at: usize,
    sums_at: usize,
    scratch: usize,
}

impl<'p, S: Tiles> Blocks<'p, S> {
    fn new(product: &'p Product<S>, part: &'p Part) -> Self {
        let panel = 2 * S::LANES;
        let (m, n) = (part.rows.len(), part.columns.len());
        let k = product.k.div_ceil(S::GROUP);
        let block_k = if k <= WHOLE_K { k } else { k.div_ceil(k.div_ceil(BLOCK_K)) }.max(1);
        let rhs_direct = rhs_direct(product, part);
        let width = size_of::<S::In>();
        let most = (BLOCK_BYTES / (block_k * width) / panel).max(1) * panel;
        let block_n = if rhs_direct.is_some() { n } else { n.div_ceil(n.div_ceil(most)) }.next_multiple_of(panel);
        let align = |bytes: usize| bytes.next_multiple_of(ALIGN);
        // When whole panels are read where they stand, only the last one may be packed.
        let packed = if rhs_direct.is_some() { panel } else { block_n };
        let lhs_at = align(block_k * packed * width);
        // Lines are a little longer, so that they do not compete for places in the cache.
        let init_at = align(lhs_at + (block_k + 16) * MAX_ROWS * width);
        let sums_at = align(init_at + block_n * size_of::<S::Acc>());
        let sums = if product.store.is_some() { m * n * size_of::<S::Acc>() } else { 0 };
        Self {
            product,
            part,
            block_k: block_k * S::GROUP,
            block_n,
            lhs_direct: lhs_direct(product),
            rhs_direct,
            lhs_at,
            init_at,
            sums_at,
            scratch: align(sums_at + sums),
        }
    }

    /// One product.
    ///
    /// # Safety
    /// The addresses are those of the product's operands and result; the scratch memory has `self.scratch` bytes.
    unsafe fn batch(&self, lhs: *const u8, rhs: *const u8, result: *mut u8, scratch: *mut u8) {
        let (product, part) = (self.product, self.part);
        let n = part.columns.len();
        // SAFETY: the scratch memory is that large.
        let sums = unsafe { scratch.add(self.sums_at) }.cast::<S::Acc>();
        let own_rows: Vec<isize>;
        let (c, c_rows): (*mut S::Acc, &[isize]) = match product.store {
            // SAFETY: the first column lies inside the results.
            None => {
                (unsafe { result.cast::<S::Acc>().add(part.columns.start) }, &product.result_rows[part.rows.clone()])
            }
            Some(_) => {
                own_rows = (0..part.rows.len()).map(|row| (row * n) as isize).collect();
                (sums, &own_rows)
            }
        };
        let mut k = 0;
        loop {
            let to_k = (k + self.block_k).min(product.k);
            let mut column = 0;
            while column < n {
                let end = (column + self.block_n).min(n);
                // SAFETY: as for this function.
                unsafe { self.block(lhs, rhs, scratch, (k, to_k), column..end, c, c_rows) };
                column = end;
            }
            k = to_k;
            if k >= product.k {
                break;
            }
        }
        if let Some(store) = product.store {
            for (row, at) in product.result_rows[part.rows.clone()].iter().enumerate() {
                let at = (at + part.columns.start as isize) * product.result_width as isize;
                // SAFETY: rows lie inside the results.
                unsafe { store(sums.add(row * n), result.offset(at), n) };
            }
        }
    }

    /// All rows of some columns, summed over a stretch of the contracting dimension.
    ///
    /// # Safety
    /// As for [`Blocks::batch`].
    #[expect(clippy::too_many_arguments, reason = "what the loops around have fixed")]
    unsafe fn block(
        &self,
        lhs: *const u8,
        rhs: *const u8,
        scratch: *mut u8,
        (k, to_k): (usize, usize),
        columns: Range<usize>,
        c: *mut S::Acc,
        c_rows: &[isize],
    ) {
        let (product, part) = (self.product, self.part);
        let n_groups = (to_k - k).div_ceil(S::GROUP);
        let panel = 2 * S::LANES;
        // SAFETY: the scratch memory is that large.
        let (packed, packed_lhs, init) = unsafe {
            (
                scratch.cast::<S::In>(),
                scratch.add(self.lhs_at).cast::<S::In>(),
                scratch.add(self.init_at).cast::<S::Acc>(),
            )
        };
        let lines = &product.rhs.side.lines[part.columns.start + columns.start..part.columns.start + columns.end];
        let is_direct = |lines: &[isize]| self.rhs_direct.filter(|_| lines.len() == panel);
        // Some rows of all panels at a time, so that memory is read in long stretches.
        let is_whole = product.rhs.side.step == 1 || product.rhs.side.runs.len() > 1;
        let rows = if is_whole { to_k - k } else { PACKED_ROWS * S::GROUP }.max(1);
        let mut at_k = k;
        while at_k < to_k {
            let next = (at_k + rows).min(to_k);
            for (index, lines) in lines.chunks(panel).enumerate().filter(|(_, lines)| is_direct(lines).is_none()) {
                let at = if self.rhs_direct.is_some() { 0 } else { index * n_groups * panel };
                // SAFETY: lines lie inside the operand; the scratch memory has room for all panels of a block.
                unsafe {
                    let to = packed.add(at + (at_k - k) / S::GROUP * panel);
                    (product.rhs.panel)(rhs, &product.rhs.side, lines, (at_k, next), to, panel);
                }
            }
            at_k = next;
        }
        if S::GROUP > 1 {
            for index in 0..lines.len().div_ceil(panel) {
                // SAFETY: as above.
                unsafe {
                    corrections::<S>(packed.add(index * n_groups * panel), n_groups, panel, init.add(index * panel))
                };
            }
        }
        let stretches: smallvec::SmallVec<[(isize, usize); 8]> = match self.lhs_direct {
            true => {
                let pieces = product.lhs.side.pieces(k, to_k);
                pieces.map(|(offset, _, len)| (offset * product.lhs.width as isize, len.div_ceil(S::GROUP))).collect()
            }
            false => smallvec::smallvec![(0, n_groups)],
        };
        let is_rows = product.lhs.side.step == 1 || self.lhs_direct;
        let mut row = 0;
        while row < c_rows.len() {
            let rows = row..(row + S::ROWS).min(c_rows.len());
            let lhs_lines = &product.lhs.side.lines[part.rows.start + rows.start..part.rows.start + rows.end];
            let mut a = [packed_lhs.cast_const(); MAX_ROWS];
            let mut a_step = 1;
            if self.lhs_direct {
                for (i, a) in a.iter_mut().enumerate() {
                    let line = lhs_lines[i.min(lhs_lines.len() - 1)];
                    // SAFETY: lines lie inside the operand.
                    *a = unsafe { lhs.offset(line * product.lhs.width as isize) }.cast();
                }
                a_step = product.lhs.side.step;
            } else if is_rows {
                let stride = n_groups + 16;
                // SAFETY: the scratch memory has room for the lines of a tile.
                unsafe { (product.lhs.lines)(lhs, &product.lhs.side, lhs_lines, (k, to_k), packed_lhs, stride) };
                for (i, a) in a.iter_mut().enumerate() {
                    // SAFETY: as above.
                    *a = unsafe { packed_lhs.add(i.min(lhs_lines.len() - 1) * stride) };
                }
            } else {
                // SAFETY: as above.
                unsafe { (product.lhs.panel)(lhs, &product.lhs.side, lhs_lines, (k, to_k), packed_lhs, S::ROWS) };
                for (i, a) in a.iter_mut().enumerate() {
                    // SAFETY: as above.
                    *a = unsafe { packed_lhs.add(i.min(lhs_lines.len() - 1)) };
                }
                a_step = S::ROWS as isize;
            }
            let mut tile = Tile::<S> {
                a,
                stretches: &stretches,
                a_step,
                b: packed,
                b_step: panel,
                c,
                c_rows: &c_rows[rows.clone()],
                n_columns: panel,
                init: std::ptr::null(),
                accumulate: k > 0,
            };
            for (index, lines) in lines.chunks(panel).enumerate() {
                // SAFETY: panels lie inside the packed block or the operand, columns inside the results.
                unsafe {
                    match is_direct(lines) {
                        Some(step) => {
                            let start = lines[0] + k as isize * product.rhs.side.step;
                            tile.b = rhs.offset(start * product.rhs.width as isize).cast();
                            tile.b_step = step;
                        }
                        None => {
                            let at = if self.rhs_direct.is_some() { 0 } else { index * n_groups * panel };
                            tile.b = packed.add(at);
                            tile.b_step = panel;
                        }
                    }
                    if S::GROUP > 1 {
                        tile.init = init.add(index * panel);
                    }
                    tile.c = c.add(columns.start + index * panel);
                    tile.n_columns = lines.len();
                    // A second vector of columns that do not exist is not computed.
                    let n_vectors = if lines.len() <= S::LANES { 1 } else { 2 };
                    S::tile(rows.len(), n_vectors, &tile);
                }
            }
            row = rows.end;
        }
    }
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
    is_long && !(distance.is_multiple_of(1024) && product.k * lhs.width > 64)
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
        && lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
    (can && is_worth).then_some(rhs.side.step.unsigned_abs())
}

/// What the numbers that are added to each byte of the left operand add to the sums, negated: −128 times the sums of columns.
///
/// # Safety
/// The panel has `n_groups` rows of `width` groups, and there is room for `width` sums.
unsafe fn corrections<S: Tiles>(panel: *const S::In, n_groups: usize, width: usize, to: *mut S::Acc) {
    // SAFETY: groups are four bytes, sums are i32: the only kind with groups.
    unsafe {
        let (panel, to) = (panel.cast::<[i8; 4]>(), to.cast::<i32>());
        for column in 0..width {
            *to.add(column) = 0;
        }
        for group in 0..n_groups {
            for column in 0..width {
                let [a, b, c, d] = (*panel.add(group * width + column)).map(i32::from);
                *to.add(column) = (*to.add(column)).wrapping_sub((a + b + c + d) * 128);
            }
        }
    }
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
