//! A part of a product, cut into blocks whose packed operands fit the caches.

use std::ops::Range;

use smallvec::SmallVec;

use super::super::fused::Bound;
use super::super::memory::ALIGN;
use super::pack::Side;
use super::prepack::Layout;
use super::tile::{LINE, MAX_ROWS, Tile, Tiles};
use super::{BLOCK_BYTES, BLOCK_K, KEPT_BYTES, PACKED_ROWS, Part, Product, WHOLE_K, lhs_direct, rhs_direct};

/// Results that are enough for a call of what is done to them.
const MANY: usize = 1 << 12;
/// Rows of a panel that is read where it stands that are fetched ahead.
const ROWS_AHEAD: usize = 16;

/// Packed elements along the contracting dimension of a block.
pub(super) fn block_k<S: Tiles>(k: usize) -> usize {
    let k = k.div_ceil(S::GROUP);
    // Small products are too quick for divisions.
    if k <= WHOLE_K { k.max(1) } else { k.div_ceil(k.div_ceil(BLOCK_K)) }
}

/// The most columns of a block.
pub(super) fn block_columns<S: Tiles>(block_k: usize) -> usize {
    let panel = 2 * S::LANES;
    (BLOCK_BYTES / (block_k * size_of::<S::In>()) / panel).max(1) * panel
}

/// How a part is cut into blocks.
pub(super) struct Blocks<'p, S: Tiles> {
    product: &'p Product<S>,
    part: &'p Part,
    /// What is done to results when they are finished.
    after: Option<&'p Bound<'p>>,
    /// Where panels of the right operand stand packed, if they do.
    layout: Option<Layout>,
    /// Elements of a block along the contracting dimension, a multiple of the group.
    block_k: usize,
    /// Columns of a block, a multiple of the width of a tile.
    block_n: usize,
    /// Whether tiles read the left operand where it stands.
    lhs_direct: bool,
    /// Whether the left operand is packed once for all blocks of columns, instead of a row of tiles at a time.
    lhs_kept: bool,
    /// Whether tiles read whole panels of the right operand where they stand, and the elements between its rows.
    rhs_direct: Option<usize>,
    /// Bytes from the start of the scratch memory: the packed left operand, what is added to the sums, the sums.
    lhs_at: usize,
    init_at: usize,
    sums_at: usize,
    /// Bytes of the scratch memory.
    pub scratch: usize,
    /// Where rows of sums that are not yet results begin.
    sums_rows: Vec<isize>,
}

/// One block: some columns, summed over a stretch of the contracting dimension.
#[derive(Clone)]
struct Block {
    columns: Range<usize>,
    k: usize,
    to_k: usize,
}

/// Addresses of one product of the batch.
#[derive(Copy, Clone)]
pub(super) struct Places {
    pub lhs: *const u8,
    pub rhs: *const u8,
    /// The right operand packed, if it is.
    pub packed: *const u8,
    pub result: *mut u8,
    /// Which of all results is its first.
    pub first: isize,
    pub scratch: *mut u8,
    pub batch: usize,
    /// The operands of the next product of the batch, if there is one.
    pub following: Option<(*const u8, *const u8)>,
}

/// Lines of the right operand that are fetched while a block before is multiplied: each tile fetches two of every row.
struct Ahead {
    at: *const u8,
    /// Bytes from row to row.
    step: isize,
    /// Bytes from what one tile fetches to what the next one does.
    stride: usize,
    left: usize,
}

impl Ahead {
    /// What the next tile fetches.
    fn next(&mut self) -> (*const u8, isize) {
        self.left -= 1;
        let at = self.at;
        self.at = at.wrapping_add(self.stride);
        (at, self.step)
    }
}

impl<'p, S: Tiles> Blocks<'p, S> {
    pub(super) fn new(product: &'p Product<S>, part: &'p Part, after: Option<&'p Bound<'p>>) -> Self {
        let panel = 2 * S::LANES;
        let (m, n) = (part.rows.len(), part.columns.len());
        let block_k = block_k::<S>(product.k);
        let n_groups = product.k.div_ceil(S::GROUP);
        let n_blocks = if n_groups <= block_k { 1 } else { n_groups.div_ceil(block_k) };
        let rhs_direct = rhs_direct(product, part);
        let width = size_of::<S::In>();
        let most = block_columns::<S>(block_k);
        let block_n = if rhs_direct.is_some() { n } else { n.div_ceil(n.div_ceil(most)) }.next_multiple_of(panel);
        let lhs_direct = lhs_direct(product);
        let align = |bytes: usize| bytes.next_multiple_of(ALIGN);
        // When whole panels are read where they stand, only the last one may be packed.
        let packed = if rhs_direct.is_some() { panel } else { block_n };
        let layout = product.packed.map(|(_, layout)| layout);
        let lhs_at = if layout.is_some() { 0 } else { align(block_k * packed * width) };
        let row = row_bytes::<S>(block_k);
        let kept = m.div_ceil(S::ROWS).saturating_mul(n_blocks).saturating_mul(row);
        let lhs_kept = !lhs_direct && block_n < n && kept <= KEPT_BYTES;
        let init_at = align(lhs_at + if lhs_kept { kept } else { row });
        let sums_at = align(init_at + block_n * size_of::<S::Acc>());
        // Rows become results as soon as they are summed.
        let n_sums = match product.store {
            None => 0,
            Some(_) if n_blocks == 1 => S::ROWS,
            Some(_) => m,
        };
        Self {
            product,
            part,
            after,
            layout,
            block_k: block_k * S::GROUP,
            block_n,
            lhs_direct,
            lhs_kept,
            rhs_direct,
            lhs_at,
            init_at,
            sums_at,
            scratch: align(sums_at + n_sums * block_n * size_of::<S::Acc>()),
            sums_rows: (0..n_sums).map(|row| (row * block_n) as isize).collect(),
        }
    }

    /// One product.
    ///
    /// # Safety
    /// The addresses are those of the product's operands and result; the scratch memory has `self.scratch` bytes.
    pub(super) unsafe fn batch(&self, places: Places) {
        let mut block = self.block(0..self.block_n, 0);
        loop {
            let next = self.next(&block);
            // SAFETY: the caller's promise.
            unsafe { self.compute(places, &block, next.as_ref()) };
            let Some(next) = next else { return };
            block = next;
        }
    }

    fn block(&self, columns: Range<usize>, k: usize) -> Block {
        let columns = columns.start..columns.end.min(self.part.columns.len());
        Block { columns, k, to_k: (k + self.block_k).min(self.product.k) }
    }

    /// The block after this one: the next stretch of the contracting dimension, then the next columns.
    fn next(&self, block: &Block) -> Option<Block> {
        let (start, end) = (block.columns.start, block.columns.end);
        if block.to_k < self.product.k {
            return Some(self.block(start..end, block.to_k));
        }
        (end < self.part.columns.len()).then(|| self.block(end..end + self.block_n, 0))
    }

    /// Where the columns of a block begin in the right operand.
    fn lines(&self, block: &Block) -> &'p [isize] {
        let start = self.part.columns.start;
        &self.product.rhs.side.lines[start + block.columns.start..start + block.columns.end]
    }

    /// Which lines of the right operand are fetched for a block that comes later.
    fn ahead(&self, places: Places, block: &Block) -> Option<Ahead> {
        let (operand, lines, rhs) = (&self.product.rhs, self.lines(block), places.rhs);
        if self.layout.is_some() {
            let row = 2 * S::LANES * size_of::<S::In>();
            let stride = (block.to_k - block.k).div_ceil(S::GROUP) * row;
            let at = self.kept(places, block, 0)?.0.cast();
            return Some(Ahead { at, step: row as isize, stride, left: lines.len().div_ceil(2 * S::LANES) });
        }
        let Side { runs, step, distance, .. } = &operand.side;
        let ([(run, _)], first, Some(distance)) = (&runs[..], lines[0], *distance) else { return None };
        let bytes = |n: isize| n.wrapping_mul(operand.width as isize);
        // Each tile takes `block_k` steps: one for every row of the right operand, or for every column.
        let (step, n, is_whole) = match (*step, distance) {
            (step, 1) => (bytes(step), lines.len(), true),
            (1, distance) => (bytes(distance), block.to_k - block.k, lines.len() <= self.block_k / S::GROUP),
            _ => return None,
        };
        let at = rhs.wrapping_offset(bytes(first + run + block.k as isize * operand.side.step));
        is_whole.then(|| Ahead { at, step, stride: 2 * LINE, left: n * operand.width / (2 * LINE) + 1 })
    }

    /// Which lines of the left operand of the next product of a batch are fetched, if its rows follow each other.
    fn ahead_rows(&self, lhs: *const u8) -> Option<Ahead> {
        let (operand, k) = (&self.product.lhs, self.product.k);
        let Side { lines, runs, step: 1, distance: Some(distance) } = &operand.side else { return None };
        let (n_rows, distance) = (self.part.rows.len(), usize::try_from(*distance).ok()?);
        if runs.len() != 1 || distance > 2 * k || n_rows.saturating_mul(distance) * operand.width > BLOCK_BYTES / 2 {
            return None;
        }
        let first = (lines[self.part.rows.start] + runs[0].0).wrapping_mul(operand.width as isize);
        let stride = self.block_k / S::GROUP * 2 * LINE;
        let left = (n_rows * distance * operand.width).div_ceil(stride);
        Some(Ahead { at: lhs.wrapping_offset(first), step: 2 * LINE as isize, stride, left })
    }

    /// Where a panel of a block stands packed already, and the sums of its columns.
    fn kept(&self, places: Places, block: &Block, index: usize) -> Option<(*const S::In, *const S::Acc)> {
        let layout = self.layout.as_ref()?;
        let group = block.k / S::GROUP;
        let panel = (self.part.columns.start + block.columns.start) / (2 * S::LANES) + index;
        let at = |offset: usize| places.packed.wrapping_add(offset);
        let (panel, sums) = (layout.panel(places.batch, group, panel), layout.sums(places.batch, group, panel));
        Some((at(panel).cast(), at(sums).cast()))
    }

    /// Packs the columns of a block that tiles do not read where they stand.
    ///
    /// # Safety
    /// As for [`Blocks::batch`].
    unsafe fn pack_columns(&self, places: Places, block: &Block) {
        let panel = 2 * S::LANES;
        let (rhs, lines) = (&self.product.rhs, self.lines(block));
        let n_groups = (block.to_k - block.k).div_ceil(S::GROUP);
        let (packed, init) = (places.scratch.cast::<S::In>(), places.scratch.wrapping_add(self.init_at));
        // Some rows of all panels at a time, so that memory is read in long stretches.
        let is_whole = rhs.side.step == 1 || rhs.side.runs.len() > 1;
        let rows = if is_whole { block.to_k - block.k } else { PACKED_ROWS * S::GROUP }.max(1);
        for k in (block.k..block.to_k).step_by(rows) {
            let to_k = (k + rows).min(block.to_k);
            for (index, lines) in lines.chunks(panel).enumerate() {
                if self.direct_step(lines).is_some() {
                    continue;
                }
                // SAFETY: lines lie inside the operand; the scratch memory has room for all panels of a block.
                unsafe {
                    let to = packed.add(self.panel_at(index, n_groups) + (k - block.k) / S::GROUP * panel);
                    (rhs.panel)(places.rhs, &rhs.side, lines, (k, to_k), to, panel);
                }
            }
        }
        if let Some(factor) = S::CORRECTION {
            for index in 0..lines.len().div_ceil(panel) {
                // SAFETY: as above; there is room for as many sums as columns.
                unsafe {
                    let to = init.cast::<S::Acc>().add(index * panel);
                    S::column_sums(packed.add(index * n_groups * panel), n_groups, factor, to);
                    for column in 0..panel {
                        *to.add(column) = -*to.add(column);
                    }
                }
            }
        }
    }

    /// The elements between rows of a panel that is read where it stands.
    fn direct_step(&self, lines: &[isize]) -> Option<usize> {
        self.rhs_direct.filter(|_| lines.len() == 2 * S::LANES)
    }

    /// Where a panel begins among the packed ones.
    fn panel_at(&self, index: usize, n_groups: usize) -> usize {
        if self.rhs_direct.is_some() { 0 } else { index * n_groups * 2 * S::LANES }
    }

    /// Where tiles find the rows `rows` of the left operand, which are packed if need be: addresses, and the elements from
    /// one to the next along the contracting dimension.
    ///
    /// # Safety
    /// As for [`Blocks::batch`].
    unsafe fn rows(&self, places: Places, block: &Block, rows: Range<usize>) -> ([*const S::In; MAX_ROWS], isize) {
        let lhs = &self.product.lhs;
        let start = self.part.rows.start;
        let lines = &lhs.side.lines[start + rows.start..start + rows.end];
        let row = |i: usize| i.min(lines.len() - 1);
        if self.lhs_direct {
            // SAFETY: lines lie inside the operand.
            let at = |i| unsafe { places.lhs.offset(lines[row(i)] * lhs.width as isize) }.cast();
            return (std::array::from_fn(at), lhs.side.step);
        }
        let (k, to_k) = (block.k, block.to_k);
        let mut at = self.lhs_at;
        if self.lhs_kept {
            let n_rows = self.part.rows.len().div_ceil(S::ROWS);
            at += (k / self.block_k * n_rows + rows.start / S::ROWS) * row_bytes::<S>(self.block_k / S::GROUP);
        }
        let is_packed = self.lhs_kept && block.columns.start > 0;
        // SAFETY: the scratch memory has room for the rows of a tile, or of all of them.
        unsafe {
            let to = places.scratch.add(at).cast::<S::In>();
            if lhs.side.step == 1 {
                let stride = (to_k - k).div_ceil(S::GROUP) + PADDING;
                if !is_packed {
                    (lhs.lines)(places.lhs, &lhs.side, lines, (k, to_k), to, stride);
                }
                return (std::array::from_fn(|i| to.add(row(i) * stride).cast_const()), 1);
            }
            if !is_packed {
                (lhs.panel)(places.lhs, &lhs.side, lines, (k, to_k), to, S::ROWS);
            }
            (std::array::from_fn(|i| to.add(row(i)).cast_const()), S::ROWS as isize)
        }
    }

    /// All rows of a block; `next` is the one after it.
    ///
    /// # Safety
    /// As for [`Blocks::batch`].
    unsafe fn compute(&self, places: Places, block: &Block, next: Option<&Block>) {
        let (product, part) = (self.product, self.part);
        let panel = 2 * S::LANES;
        let n_groups = (block.to_k - block.k).div_ceil(S::GROUP);
        if self.layout.is_none() {
            // SAFETY: the caller's promise.
            unsafe { self.pack_columns(places, block) };
        }
        let (packed, init) = (places.scratch.cast::<S::In>(), places.scratch.wrapping_add(self.init_at));
        let mut ahead: SmallVec<[Ahead; 2]> = match (next, places.following) {
            _ if self.rhs_direct.is_some() => SmallVec::new(),
            (Some(next), _) => self.ahead(places, next).into_iter().collect(),
            (None, Some((lhs, rhs))) => {
                let following = Places { rhs, batch: places.batch + 1, ..places };
                let first = self.block(0..self.block_n, 0);
                self.ahead(following, &first).into_iter().chain(self.ahead_rows(lhs)).collect()
            }
            (None, None) => SmallVec::new(),
        };
        let stretches: SmallVec<[(isize, usize); 8]> = match self.lhs_direct {
            true => {
                let pieces = product.lhs.side.pieces(block.k, block.to_k);
                pieces.map(|(offset, _, len)| (offset * product.lhs.width as isize, len.div_ceil(S::GROUP))).collect()
            }
            false => smallvec::smallvec![(0, n_groups)],
        };
        let result_rows = &product.result_rows[part.rows.clone()];
        let first_column = (part.columns.start + block.columns.start) as isize;
        let lines = self.lines(block);
        let mut finished = Finished::new(self, block, places.first + first_column);
        for first in (0..part.rows.len()).step_by(S::ROWS) {
            let rows = first..(first + S::ROWS).min(part.rows.len());
            // SAFETY: the caller's promise.
            let (a, a_step) = unsafe { self.rows(places, block, rows.clone()) };
            let (c, c_rows) = match product.store {
                None => (places.result.cast::<S::Acc>().wrapping_offset(first_column), &result_rows[rows.clone()]),
                Some(_) => {
                    let sums = if self.sums_rows.len() == S::ROWS { 0..rows.len() } else { rows.clone() };
                    (places.scratch.wrapping_add(self.sums_at).cast(), &self.sums_rows[sums])
                }
            };
            let mut tile = Tile::<S> {
                a,
                stretches: &stretches,
                a_step,
                b: packed,
                b_step: panel,
                c,
                c_rows,
                n_columns: panel,
                init: std::ptr::null(),
                accumulate: block.k > 0,
                ahead: (packed.cast(), 0),
            };
            for (index, lines) in lines.chunks(panel).enumerate() {
                // SAFETY: panels lie inside the packed block or the operand, columns inside the results.
                unsafe {
                    match self.direct_step(lines) {
                        Some(step) => {
                            let start = lines[0] + block.k as isize * product.rhs.side.step;
                            tile.b = places.rhs.offset(start * product.rhs.width as isize).cast();
                            tile.b_step = step;
                            let bytes = step * product.rhs.width;
                            tile.ahead = (tile.b.cast::<u8>().wrapping_add(ROWS_AHEAD * bytes), bytes as isize);
                        }
                        None => {
                            tile.b = packed.add(self.panel_at(index, n_groups));
                            tile.b_step = panel;
                            tile.ahead = match ahead.iter_mut().find(|ahead| ahead.left > 0) {
                                Some(ahead) => ahead.next(),
                                None => (tile.b.cast(), 0),
                            };
                        }
                    }
                    tile.init = init.cast::<S::Acc>().wrapping_add(index * panel);
                    if let Some((panel, sums)) = self.kept(places, block, index) {
                        (tile.b, tile.init) = (panel, sums);
                    }
                    tile.c = c.add(index * panel);
                    tile.n_columns = lines.len();
                    // A second vector of columns that do not exist is not computed.
                    let n_vectors = if lines.len() <= S::LANES { 1 } else { 2 };
                    S::tile(rows.len(), n_vectors, &tile);
                }
            }
            if let (Some(store), true) = (product.store, block.to_k == product.k) {
                for (row, sums) in result_rows[rows.clone()].iter().zip(c_rows) {
                    let at = (row + first_column) * product.result_width as isize;
                    // SAFETY: rows lie inside the results.
                    unsafe { store(c.offset(*sums), places.result.offset(at), lines.len()) };
                }
            }
            if let Some(finished) = &mut finished {
                finished.rows(&result_rows[rows]);
            }
        }
        if let Some(mut finished) = finished {
            finished.flush();
        }
    }
}

/// Rows of results that are finished, on their way to what is done to them.
struct Finished<'b> {
    after: &'b Bound<'b>,
    /// Where the block begins among the results, before the row's own place is added.
    first: isize,
    n_columns: usize,
    /// Results next to each other that wait until they are many.
    from: isize,
    n: usize,
}

impl<'b> Finished<'b> {
    /// Of a block; none when nothing is done, or sums are not finished yet.
    fn new<S: Tiles>(blocks: &Blocks<'b, S>, block: &Block, first: isize) -> Option<Self> {
        let after = blocks.after.filter(|_| block.to_k == blocks.product.k)?;
        Some(Self { after, first, n_columns: block.columns.len(), from: 0, n: 0 })
    }

    fn rows(&mut self, rows: &[isize]) {
        for row in rows {
            let from = self.first + row;
            if from != self.from + self.n as isize {
                self.flush();
                self.from = from;
            }
            self.n += self.n_columns;
        }
        if self.n >= MANY {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.n > 0 {
            let from = self.from.unsigned_abs();
            self.after.range(from, from + self.n);
        }
        self.from += self.n as isize;
        self.n = 0;
    }
}

/// Lines of the left operand are a little longer, so that they do not compete for places in the cache.
const PADDING: usize = 16;

/// Bytes of the packed rows of a tile.
fn row_bytes<S: Tiles>(block_k: usize) -> usize {
    ((block_k + PADDING) * S::ROWS * size_of::<S::In>()).next_multiple_of(ALIGN)
}
