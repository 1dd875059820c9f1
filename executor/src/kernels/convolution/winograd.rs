//! Convolutions with kernels of 3 by 3 in fewer multiplications: Winograd's F(2×2, 3×3).
//!
//! Tiles of 4 by 4 elements of the input become results of 2 by 2 windows: input and kernel are transformed by sums and
//! differences, multiplied as 16 products of matrices, and transformed back; that takes 16 multiplications where windows take
//! 36. Every result depends on elements of its own window only, but the rounding errors are those of the largest of them.
//! Infinities may turn into NaN on the way, so that a convolution with a result that is not finite is computed again by
//! windows.
#![expect(clippy::needless_range_loop, reason = "loops over numbers of registers, which the compiler unrolls")]

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::kernels::Kernel;
use crate::kernels::fused::{Bound, Loop};
use crate::kernels::gemm::simd::Simd;
#[cfg(target_arch = "x86_64")]
use crate::kernels::gemm::simd::{F32x8, F32x16};
use crate::kernels::gemm::then;
use crate::kernels::gemm::tile::{MAX_ROWS, Tile, Tiles};
use crate::kernels::isa::Isa;
use crate::kernels::memory::{Buffer, Memory, SlotId};
use crate::kernels::pool::Pool;
use crate::kernels::strided_copy::Materialize;

/// Elements of a transformed tile.
const POINTS: usize = 16;
/// Bytes of transformed tiles and of products of one block of tiles.
const BLOCK_BYTES: usize = 3 << 18;
/// Fewer tiles are not worth the transformation of the kernel.
const MIN_TILES: usize = 36;
/// Products with fewer features are too short.
const MIN_FEATURES: usize = 32;
/// Elements between rows of transformed tiles, so that they do not compete for places in the cache.
const PADDING: usize = 16;

/// Sizes and places of a convolution, distances in elements.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Where the input, the kernel and the result begin in their slots.
    pub starts: [isize; 3],
    /// Batches.
    pub n_batches: usize,
    /// Distance of batches in the input and in the result.
    pub batch: [isize; 2],
    /// Sizes and distances of the spatial dimensions of the input; features are neighbours.
    pub input: [(usize, isize); 2],
    /// Places before the first element of the input.
    pub low: [i64; 2],
    /// Features of the input.
    pub n_in: usize,
    /// Features of the result.
    pub n_out: usize,
    /// Distances in the kernel: of the spatial dimensions, features of the input, features of the result.
    pub kernel: [isize; 4],
    /// Sizes and distances of the spatial dimensions of the result; features are neighbours.
    pub result: [(usize, isize); 2],
}

impl Shape {
    fn n_tiles(&self) -> [usize; 2] {
        self.result.map(|(n, _)| n.div_ceil(2))
    }

    /// All tiles of all batches.
    pub fn n_all_tiles(&self) -> usize {
        self.n_tiles().iter().product::<usize>() * self.n_batches
    }
}

/// What is compiled for some vectors.
#[derive(Copy, Clone, Debug)]
struct Functions {
    lanes: usize,
    rows: usize,
    weights: unsafe fn(&Shape, *const f32, usize, *mut f32),
    input: unsafe fn(&[*const f32; POINTS], n_in: usize, to: *mut f32, step: usize),
    output: unsafe fn(from: *const f32, step: usize, to: &[Option<*mut f32>; 4], n_out: usize) -> bool,
    tile: unsafe fn(&Product<'_>),
}

/// One product of a block of tiles: rows of `lhs` by panels of `rhs`.
struct Product<'p> {
    lhs: *const f32,
    n_rows: usize,
    rhs: *const f32,
    n_panels: usize,
    k: usize,
    to: *mut f32,
    to_rows: &'p [isize],
}

/// A convolution of that kind.
#[derive(Debug)]
pub struct Winograd {
    slots: [SlotId; 3],
    shape: Shape,
    functions: Functions,
    /// The transformed kernel, packed in panels.
    weights: SlotId,
    /// Whether it stands there before the convolution begins.
    is_prepared: bool,
    /// What stands outside of the input.
    zeros: Vec<f32>,
    /// Where the rows of products begin.
    rows: Vec<isize>,
    /// What makes features neighbours in the input, and what puts the results where they belong.
    copies: [Option<Materialize>; 2],
    /// What is done to results as soon as they are finished.
    after: Option<Box<Loop>>,
}

thread_local! {
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// An address that threads share.
#[derive(Copy, Clone)]
struct Shared<T>(*mut T);
// SAFETY: threads write disjoint parts.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn at(self) -> *mut T {
        self.0
    }
}

/// `a − b`
///
/// # Safety
/// As for [`Simd`].
#[inline(always)]
unsafe fn sub<S: Simd<In = f32, Acc = f32>>(a: S::V, b: S::V) -> S::V {
    // SAFETY: the caller's promise.
    unsafe { S::fma(a, S::splat(&-1.0), b) }
}

/// Transforms two vectors of features of the result for one feature of the input.
///
/// # Safety
/// The kernel is readable, and the transformed one writable for all points.
#[inline(always)]
unsafe fn weights_body<S: Tiles<In = f32, Acc = f32>>(shape: &Shape, kernel: *const f32, index: usize, to: *mut f32) {
    let panel = 2 * S::LANES;
    let [row, column, input, output] = shape.kernel;
    let n_panels = shape.n_out.div_ceil(panel);
    let step = n_panels * shape.n_in * panel;
    // SAFETY: the caller's promise.
    unsafe {
        let half = S::splat(&0.5);
        for vector in 0..n_panels * 2 {
            let first = vector * S::LANES;
            let mut g = [[S::zero(); 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    let at = kernel.wrapping_offset(i as isize * row + j as isize * column + index as isize * input);
                    let at = at.wrapping_offset(first as isize * output);
                    if first >= shape.n_out {
                        continue;
                    }
                    g[i][j] = if output == 1 {
                        S::load(at)
                    } else {
                        let mut lanes = [0.0; 16];
                        for lane in 0..S::LANES {
                            lanes[lane] = *at.offset(lane as isize * output);
                        }
                        S::load(lanes.as_ptr())
                    };
                }
            }
            // Rows (1 0 0), (1/2 1/2 1/2), (1/2 −1/2 1/2), (0 0 1), from the left and, transposed, from the right.
            let mut rows = [[S::zero(); 3]; 4];
            for j in 0..3 {
                let ends = S::add(g[0][j], g[2][j]);
                rows[0][j] = g[0][j];
                rows[1][j] = S::fma(S::zero(), half, S::add(ends, g[1][j]));
                rows[2][j] = S::fma(S::zero(), half, sub::<S>(ends, g[1][j]));
                rows[3][j] = g[2][j];
            }
            let to = to.add((vector / 2 * shape.n_in + index) * panel + vector % 2 * S::LANES);
            for i in 0..4 {
                let [a, b, c] = rows[i];
                let ends = S::add(a, c);
                S::store_acc(to.add(4 * i * step), a);
                S::store_acc(to.add((4 * i + 1) * step), S::fma(S::zero(), half, S::add(ends, b)));
                S::store_acc(to.add((4 * i + 2) * step), S::fma(S::zero(), half, sub::<S>(ends, b)));
                S::store_acc(to.add((4 * i + 3) * step), c);
            }
        }
    }
}

/// Transforms a tile of the input: the points of a vector of features are `step` apart.
///
/// # Safety
/// All of the sixteen have `n_in` features, a multiple of the lanes, and there is room for all points.
#[inline(always)]
unsafe fn input_body<S: Tiles<In = f32, Acc = f32>>(
    from: &[*const f32; POINTS],
    n_in: usize,
    to: *mut f32,
    step: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        for at in (0..n_in).step_by(S::LANES) {
            // Rows (1 0 −1 0), (0 1 1 0), (0 −1 1 0), (0 1 0 −1), from the left and, transposed, from the right.
            let mut rows = [[S::zero(); 4]; 4];
            for j in 0..4 {
                let mut d = [S::zero(); 4];
                for i in 0..4 {
                    d[i] = S::load(from[4 * i + j].add(at));
                }
                rows[0][j] = sub::<S>(d[0], d[2]);
                rows[1][j] = S::add(d[1], d[2]);
                rows[2][j] = sub::<S>(d[2], d[1]);
                rows[3][j] = sub::<S>(d[1], d[3]);
            }
            for i in 0..4 {
                let [a, b, c, d] = rows[i];
                let to = to.add(4 * i * step + at);
                S::store_acc(to, sub::<S>(a, c));
                S::store_acc(to.add(step), S::add(b, c));
                S::store_acc(to.add(2 * step), sub::<S>(c, b));
                S::store_acc(to.add(3 * step), sub::<S>(b, d));
            }
        }
    }
}

/// The results of a tile; whether all are finite.
///
/// # Safety
/// All points and results have `n_out` features, a multiple of the lanes.
#[inline(always)]
unsafe fn output_body<S: Tiles<In = f32, Acc = f32>>(
    from: *const f32,
    step: usize,
    to: &[Option<*mut f32>; 4],
    n_out: usize,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut check = S::zero();
        for at in (0..n_out).step_by(S::LANES) {
            // Rows (1 1 1 0), (0 1 −1 −1), from the left and, transposed, from the right.
            let mut rows = [[S::zero(); 4]; 2];
            for j in 0..4 {
                let mut m = [S::zero(); 4];
                for i in 0..4 {
                    m[i] = S::load(from.add((4 * i + j) * step + at));
                }
                rows[0][j] = S::add(S::add(m[0], m[1]), m[2]);
                rows[1][j] = sub::<S>(sub::<S>(m[1], m[2]), m[3]);
            }
            for i in 0..2 {
                let [a, b, c, d] = rows[i];
                let results = [S::add(S::add(a, b), c), sub::<S>(sub::<S>(b, c), d)];
                for j in 0..2 {
                    if let Some(to) = to[2 * i + j] {
                        S::store_acc(to.add(at), results[j]);
                        // Zero times a number that is not finite is NaN.
                        check = S::fma(check, results[j], S::zero());
                    }
                }
            }
        }
        let mut lanes = [0.0; 16];
        S::store_acc(lanes.as_mut_ptr(), check);
        lanes.iter().all(|lane| *lane == 0.0)
    }
}

/// # Safety
/// All addresses are readable, or writable, for what the product says.
unsafe fn product<S: Tiles<In = f32, Acc = f32>>(product: &Product<'_>) {
    let (panel, stride) = (2 * S::LANES, product.k + PADDING);
    for index in 0..product.n_panels {
        let rhs = product.rhs.wrapping_add(index * product.k * panel);
        for first in (0..product.n_rows).step_by(S::ROWS) {
            let n_rows = S::ROWS.min(product.n_rows - first);
            let row = |i: usize| product.lhs.wrapping_add((first + i.min(n_rows - 1)) * stride);
            let tile = Tile::<S> {
                a: std::array::from_fn::<_, MAX_ROWS, _>(row),
                stretches: &[(0, product.k)],
                a_step: 1,
                b: rhs,
                b_step: panel,
                c: product.to.wrapping_add(index * panel),
                c_rows: &product.to_rows[first..first + n_rows],
                n_columns: panel,
                init: std::ptr::null(),
                accumulate: false,
                ahead: (rhs.cast(), 0),
            };
            // SAFETY: the caller's promise.
            unsafe { S::tile(n_rows, 2, &tile) };
        }
    }
}

fn functions(isa: Isa) -> Option<Functions> {
    macro_rules! compiled {
        ($S:ty, $feature:literal) => {{
            #[target_feature(enable = $feature)]
            unsafe fn weights(shape: &Shape, kernel: *const f32, index: usize, to: *mut f32) {
                // SAFETY: the caller's promise.
                unsafe { weights_body::<$S>(shape, kernel, index, to) }
            }
            #[target_feature(enable = $feature)]
            unsafe fn input(from: &[*const f32; POINTS], n_in: usize, to: *mut f32, step: usize) {
                // SAFETY: the caller's promise.
                unsafe { input_body::<$S>(from, n_in, to, step) }
            }
            #[target_feature(enable = $feature)]
            unsafe fn output(from: *const f32, step: usize, to: &[Option<*mut f32>; 4], n_out: usize) -> bool {
                // SAFETY: the caller's promise.
                unsafe { output_body::<$S>(from, step, to, n_out) }
            }
            Some(Functions {
                lanes: <$S as Simd>::LANES,
                rows: <$S as Simd>::ROWS,
                weights,
                input,
                output,
                tile: product::<$S>,
            })
        }};
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => compiled!(F32x16, "avx512f,avx512dq"),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => compiled!(F32x8, "avx2,fma"),
        _ => None,
    }
}

impl Winograd {
    /// Whether a convolution is worth it.
    pub fn is_worth(isa: Isa, shape: &Shape) -> bool {
        let is_in_vectors = |lanes: usize, n: usize| n >= MIN_FEATURES && n.is_multiple_of(lanes);
        functions(isa).is_some_and(|Functions { lanes, .. }| {
            is_in_vectors(lanes, shape.n_in) && is_in_vectors(lanes, shape.n_out) && shape.n_all_tiles() >= MIN_TILES
        })
    }

    /// The convolution of the input and the kernel in the first two of the slots into the third, if it is
    /// [worth it](Self::is_worth); `scratch` gives a slot of so many bytes. One of the copies is made before, one after.
    pub fn new(
        isa: Isa,
        slots: [SlotId; 3],
        shape: Shape,
        copies: [Option<Materialize>; 2],
        scratch: impl FnOnce(usize) -> SlotId,
    ) -> Option<Self> {
        let functions = functions(isa).filter(|_| Self::is_worth(isa, &shape))?;
        let width = shape.n_out.next_multiple_of(2 * functions.lanes);
        let weights = scratch(weights_bytes(&shape, width)?);
        let zeros = vec![0.0; shape.n_in];
        let is_prepared = false;
        let mut this =
            Self { slots, shape, functions, weights, is_prepared, zeros, rows: Vec::new(), copies, after: None };
        this.rows = (0..this.block()).map(|row| (row * width) as isize).collect();
        Some(this)
    }

    /// The slots that are written besides the result.
    pub fn scratch(&self) -> impl Iterator<Item = SlotId> + '_ {
        let [before, after] = &self.copies;
        let copied = before.iter().map(|copy| copy.to).chain(after.iter().map(|copy| copy.from));
        copied.chain([self.weights])
    }

    /// As for [`Kernel::packs`].
    pub fn packs(&self) -> Option<(SlotId, usize)> {
        Some((self.slots[1], weights_bytes(&self.shape, self.width())?)).filter(|_| !self.is_prepared)
    }

    /// As for [`Kernel::packed`].
    pub fn packed(&mut self, slot: SlotId) -> Box<dyn Kernel> {
        (self.weights, self.is_prepared) = (slot, true);
        Box::new(self.preparation())
    }

    fn preparation(&self) -> Weights {
        let [_, kernel, _] = self.slots;
        Weights { kernel, to: self.weights, shape: self.shape.clone(), weights: self.functions.weights }
    }

    /// As for [`Kernel::followed_by`].
    pub fn followed_by(&mut self, after: &Loop, to: SlotId) -> bool {
        // Should the convolution have to be computed again, what follows must find everything as it was; its own results
        // may stand where those of the convolution do, which will be new.
        let is_read = |slot: SlotId| after.inputs.iter().any(|input| input.slot == slot);
        let again = after.outputs.iter().all(|(_, slot, _)| *slot == to || !is_read(*slot));
        if again && self.copies[1].is_none() {
            self.slots[2] = to;
            self.after = Some(Box::new(after.clone()));
        }
        self.after.is_some()
    }

    fn width(&self) -> usize {
        self.shape.n_out.next_multiple_of(2 * self.functions.lanes)
    }

    /// Elements of the transformed features and of the products of a tile, for one point.
    fn tile_sizes(&self) -> (usize, usize) {
        (self.shape.n_in + PADDING, self.width())
    }

    /// Tiles of a block.
    fn block(&self) -> usize {
        let (lhs, to) = self.tile_sizes();
        let rows = self.functions.rows;
        (BLOCK_BYTES / (POINTS * (lhs + to) * 4) / rows).clamp(2, 8) * rows
    }

    /// Computes the convolution; false if a result is not finite, so that it has to be computed by windows.
    pub fn run(&self, memory: &Memory, pool: &Pool) -> bool {
        let [before, after] = &self.copies;
        if let Some(copy) = before {
            copy.run(memory, pool);
        }
        let is_finite = self.results(memory, pool);
        if let (Some(copy), true) = (after, is_finite) {
            copy.run(memory, pool);
        }
        is_finite
    }

    fn results(&self, memory: &Memory, pool: &Pool) -> bool {
        let [input, _, result] = self.slots.map(|slot| memory.address(slot).cast::<f32>());
        let [start, _, result_start] = self.shape.starts;
        let (input, result) = (Shared(input.wrapping_offset(start)), Shared(result.wrapping_offset(result_start)));
        let weights = Shared(memory.address(self.weights).cast::<f32>());
        if !self.is_prepared {
            self.preparation().run(memory, pool);
        }
        let after = self.after.as_ref().map(|after| after.bind(|slot| memory.address(slot)));
        let is_finite = AtomicBool::new(true);
        pool.split(self.shape.n_all_tiles(), self.functions.rows, &|range| {
            let all = SCRATCH.with_borrow_mut(|scratch| {
                let (lhs, to) = self.tile_sizes();
                let bytes = POINTS * (lhs + to) * self.block() * 4;
                if scratch.bytes().len() < bytes {
                    *scratch = Buffer::new(bytes);
                }
                let mut all = true;
                for first in range.clone().step_by(self.block()) {
                    let tiles = first..(first + self.block()).min(range.end);
                    // SAFETY: the addresses are those of the operands, and the scratch memory is large enough.
                    all &= unsafe {
                        self.tiles(input.at(), weights.at(), result.at(), scratch.as_ptr().cast::<f32>(), tiles.clone())
                    };
                    if let Some(after) = &after {
                        self.follow(after, tiles);
                    }
                }
                all
            });
            if !all {
                is_finite.store(false, Ordering::Relaxed);
            }
        });
        is_finite.load(Ordering::Relaxed)
    }

    /// Does what follows to the results of some tiles.
    fn follow(&self, after: &Bound<'_>, tiles: std::ops::Range<usize>) {
        let shape = &self.shape;
        let [(n_rows, row_step), (n_columns, column_step)] = shape.result;
        let [tile_rows, tile_columns] = shape.n_tiles();
        let mut tile = tiles.start;
        while tile < tiles.end {
            let (row, column) = (tile / tile_columns % tile_rows * 2, tile % tile_columns * 2);
            let batch = (tile / tile_columns / tile_rows) as isize;
            let n = (tile_columns - tile % tile_columns).min(tiles.end - tile);
            for row in row..(row + 2).min(n_rows) {
                let first = shape.starts[2] + batch * shape.batch[1] + row as isize * row_step;
                let columns = column..(column + 2 * n).min(n_columns);
                let at = |column: usize| (first + column as isize * column_step).unsigned_abs();
                if column_step == shape.n_out as isize {
                    after.range(at(columns.start), at(columns.end));
                } else {
                    columns.for_each(|column| after.range(at(column), at(column) + shape.n_out));
                }
            }
            tile += n;
        }
    }

    /// Some tiles; whether all results are finite.
    ///
    /// # Safety
    /// The addresses are those of the operands; the scratch memory has room for a block.
    unsafe fn tiles(
        &self,
        input: *const f32,
        weights: *const f32,
        result: *mut f32,
        scratch: *mut f32,
        tiles: std::ops::Range<usize>,
    ) -> bool {
        let shape = &self.shape;
        let [n_rows, n_columns] = shape.n_tiles();
        let (lhs_size, to_size) = self.tile_sizes();
        let n = tiles.len();
        let (lhs, to) = (scratch, scratch.wrapping_add(POINTS * n * lhs_size));
        let place = |tile: usize| {
            let (row, column) = (tile / n_columns % n_rows, tile % n_columns);
            (tile / n_columns / n_rows, 2 * row, 2 * column)
        };
        for (index, tile) in tiles.clone().enumerate() {
            let (batch, row, column) = place(tile);
            let base = input.wrapping_offset(batch as isize * shape.batch[0]);
            let inside = |at: usize, part: usize, dim: usize| {
                let at = (at + part) as i64 - shape.low[dim];
                (0..shape.input[dim].0 as i64).contains(&at).then(|| at as isize * shape.input[dim].1)
            };
            let rows: [Option<isize>; 4] = std::array::from_fn(|part| inside(row, part, 0));
            let columns: [Option<isize>; 4] = std::array::from_fn(|part| inside(column, part, 1));
            let at: [*const f32; POINTS] = std::array::from_fn(|point| match (rows[point / 4], columns[point % 4]) {
                (Some(row), Some(column)) => base.wrapping_offset(row + column),
                _ => self.zeros.as_ptr(),
            });
            // SAFETY: places are inside the input, or zeros.
            unsafe { (self.functions.input)(&at, shape.n_in, lhs.add(index * lhs_size), n * lhs_size) };
        }
        let n_panels = self.width() / (2 * self.functions.lanes);
        for point in 0..POINTS {
            let product = Product {
                lhs: lhs.wrapping_add(point * n * lhs_size),
                n_rows: n,
                rhs: weights.wrapping_add(point * shape.n_in * self.width()),
                n_panels,
                k: shape.n_in,
                to: to.wrapping_add(point * n * to_size),
                to_rows: &self.rows[..n],
            };
            // SAFETY: as for this function.
            unsafe { (self.functions.tile)(&product) };
        }
        let mut all = true;
        for (index, tile) in tiles.enumerate() {
            let (batch, row, column) = place(tile);
            let base = result.wrapping_offset(batch as isize * shape.batch[1]);
            let at: [Option<*mut f32>; 4] = std::array::from_fn(|part| {
                let (row, column) = (row + part / 2, column + part % 2);
                let [(n_rows, row_step), (n_columns, column_step)] = shape.result;
                let offset = row as isize * row_step + column as isize * column_step;
                (row < n_rows && column < n_columns).then(|| base.wrapping_offset(offset))
            });
            // SAFETY: results that exist are inside the slot.
            all &= unsafe { (self.functions.output)(to.add(index * to_size), n * to_size, &at, shape.n_out) };
        }
        all
    }

    /// What is done, for people.
    pub fn describe(&self) -> String {
        let shape = &self.shape;
        let how = if self.copies.iter().any(Option::is_some) { ", features copied beside each other" } else { "" };
        let (n, n_in, n_out) = (shape.n_all_tiles(), shape.n_in, shape.n_out);
        format!("{n} tiles of 2x2 windows, {n_in} by {n_out} features{how}{}", then(&self.after))
    }
}

/// Bytes of a transformed kernel with `width` features of the result.
fn weights_bytes(shape: &Shape, width: usize) -> Option<usize> {
    POINTS.checked_mul(shape.n_in)?.checked_mul(width)?.checked_mul(4)
}

/// Transforms the kernel of a convolution.
#[derive(Debug)]
struct Weights {
    kernel: SlotId,
    to: SlotId,
    shape: Shape,
    weights: unsafe fn(&Shape, *const f32, usize, *mut f32),
}

impl Kernel for Weights {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let kernel = Shared(memory.address(self.kernel).cast::<f32>().wrapping_offset(self.shape.starts[1]));
        let weights = Shared(memory.address(self.to).cast::<f32>());
        let grain = (1 << 12) / self.shape.n_out + 1;
        pool.split(self.shape.n_in, grain, &|range| {
            for index in range {
                // SAFETY: the kernel has these features, and every thread transforms its own.
                unsafe { (self.weights)(&self.shape, kernel.at(), index, weights.at()) };
            }
        });
    }

    fn describe(&self) -> String {
        format!("transformation of a kernel of {} by {} features", self.shape.n_in, self.shape.n_out)
    }
}
