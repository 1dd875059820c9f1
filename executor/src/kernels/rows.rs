//! Steps that go over the same rows, done together block of rows by block of rows.
//!
//! A softmax reads a row, folds it, reads it again, folds what came of it and reads that again. One step after the other
//! would carry every row through memory each time; here each block of rows goes through all parts while it is in the
//! cache, and what only the parts themselves read never leaves it: such values have no place but a block in the memory of
//! the thread.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;

use super::Kernel;
use super::fused::Loop;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::offsets::prefetch;
use super::pool::Pool;

/// Bytes of rows that are at work at once: half of an L2 cache. Fewer would stay in the L1 cache, but each block costs every
/// part some 0.1 µs.
const BLOCK: usize = 1 << 19;
/// Bytes below which a step is not worth splitting over threads.
const GRAIN: usize = 1 << 15;
/// Pieces of work for each thread, so that one that is held up does not hold up all.
const BLOCKS: usize = 4;
/// Bytes that are asked for ahead.
const AHEAD: usize = 1 << 13;

/// A slot of which each row has a part of its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RowsOf {
    /// The slot.
    pub slot: SlotId,
    /// Bytes of a row.
    pub bytes: usize,
}

/// A kernel that can be run for some of its rows alone.
pub trait ByRows {
    /// How many rows there are.
    fn n_rows(&self) -> usize;
    /// Slots of which a row of the kernel reads and writes its own part only.
    fn own(&self) -> SmallVec<[RowsOf; 2]>;
    /// Computes some rows.
    fn run_rows(&self, place: &dyn Fn(SlotId) -> *mut u8, rows: Range<usize>);
}

/// Something that is done to every row.
#[derive(Debug)]
pub enum Part {
    /// A loop, with so many elements in a row.
    Loop(Box<Loop>, usize),
    /// A kernel that has rows.
    Kernel(Box<dyn Kernel>),
}

/// A value that nobody but the parts reads.
#[derive(Copy, Clone, Debug)]
struct Local {
    slot: SlotId,
    row: usize,
    /// Where its block begins in the memory of the thread, per row of a block.
    at: usize,
}

/// Parts that go over the same rows.
#[derive(Debug)]
pub struct Rows {
    n_rows: usize,
    parts: Vec<Part>,
    locals: Vec<Local>,
    /// Bytes of local values per row.
    local_row: usize,
    /// Bytes that a row takes in all.
    row: usize,
    /// What comes from memory, row by row.
    streams: Vec<RowsOf>,
}

thread_local! {
    /// Local values of this thread.
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

impl Rows {
    /// `parts` over `n_rows` rows of `row` bytes in all; the slots of `locals` stand nowhere else, and of those of `streams`
    /// rows are read that no part makes.
    pub fn new(n_rows: usize, parts: Vec<Part>, locals: &[RowsOf], streams: Vec<RowsOf>, row: usize) -> Self {
        let mut at = 0;
        let locals = locals.iter().map(|local| {
            let begin = at;
            at += local.bytes;
            Local { slot: local.slot, row: local.bytes, at: begin }
        });
        Self { n_rows, parts, locals: locals.collect(), local_row: at, row, streams }
    }

    /// The parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Does all parts for all rows.
    pub fn run(&self, memory: &Memory, pool: &Pool) {
        let shared = Shared(memory);
        let n_threads = pool.n_threads();
        let block = (BLOCK / self.row.max(1)).clamp(1, self.n_rows.max(1));
        if n_threads == 1 || self.n_rows * self.row < 2 * GRAIN {
            return self.rows(&shared, 0..self.n_rows, block);
        }
        // Neighbouring blocks for each thread, so that what comes next can be asked for.
        let n_tasks = (self.n_rows * self.row / GRAIN).min(n_threads * BLOCKS).clamp(1, self.n_rows);
        pool.run(n_tasks, &|index| {
            let rows = self.n_rows * index / n_tasks..self.n_rows * (index + 1) / n_tasks;
            self.rows(&shared, rows, block);
        });
    }

    fn rows(&self, shared: &Shared<'_>, rows: Range<usize>, block: usize) {
        SCRATCH.with_borrow_mut(|scratch| {
            let bytes = self.local_row * block + (self.locals.len() + 1) * ALIGN;
            if scratch.bytes().len() < bytes {
                *scratch = Buffer::new(bytes);
            }
            let scratch = scratch.as_ptr();
            // Blocks of equal size.
            let n_blocks = rows.len().div_ceil(block);
            for index in 0..n_blocks {
                let [begin, end] = [index, index + 1].map(|index| rows.start + rows.len() * index / n_blocks);
                let place = |slot: SlotId| match self.locals.iter().position(|local| local.slot == slot) {
                    None => shared.address(slot),
                    Some(index) => {
                        let local = &self.locals[index];
                        // Rows are found as in a slot that has all of them.
                        let at = (local.at * block).next_multiple_of(ALIGN) + index * ALIGN;
                        scratch.wrapping_add(at).wrapping_sub(begin * local.row)
                    }
                };
                for (number, part) in self.parts.iter().enumerate() {
                    if number + 1 == self.parts.len() && end < rows.end {
                        self.ask_for(shared, end..rows.end);
                    }
                    match part {
                        Part::Loop(fused, row) => fused.bind(place).range(begin * row, end * row),
                        Part::Kernel(kernel) => {
                            if let Some(kernel) = kernel.by_rows() {
                                kernel.run_rows(&place, begin..end);
                            }
                        }
                    }
                }
            }
        });
    }

    /// Asks for the beginning of rows that come next: they come from memory while the last part is at work, and by then
    /// the machine has seen that they are read in order.
    fn ask_for(&self, shared: &Shared<'_>, rows: Range<usize>) {
        for stream in &self.streams {
            let first = shared.address(stream.slot).wrapping_add(rows.start * stream.bytes);
            let bytes = (rows.len() * stream.bytes).min(AHEAD);
            (0..bytes).step_by(ALIGN).for_each(|at| prefetch(first.wrapping_add(at)));
        }
    }
}

/// The memory of a run, for threads that only ask where slots stand.
struct Shared<'m>(&'m Memory);

impl Shared<'_> {
    fn address(&self, slot: SlotId) -> *mut u8 {
        self.0.address(slot)
    }
}

// SAFETY: addresses change between steps only, by the thread that runs the steps.
unsafe impl Sync for Shared<'_> {}

#[cfg(test)]
mod tests {
    use crate::testing::{agrees_within, ulps};

    /// A softmax of rows with a bias before and a scale after it.
    fn softmax(rows: usize, columns: usize) -> String {
        let (x, row, one) =
            (format!("tensor<{rows}x{columns}xf32>"), format!("tensor<{rows}xf32>"), format!("tensor<{columns}xf32>"));
        format!(
            "func.func @main(%x: {x}, %bias: {one}, %scale: {row}) -> ({x}, {row}) {{
               %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
               %zero = stablehlo.constant dense<0.0> : tensor<f32>
               %b = stablehlo.broadcast_in_dim %bias, dims = [1] : ({one}) -> {x}
               %y = stablehlo.add %x, %b : {x}
               %max = stablehlo.reduce(%y init: %least) applies stablehlo.maximum across dimensions = [1]
                 : ({x}, tensor<f32>) -> {row}
               %m = stablehlo.broadcast_in_dim %max, dims = [0] : ({row}) -> {x}
               %d = stablehlo.subtract %y, %m : {x}
               %e = stablehlo.exponential %d : {x}
               %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
                 : ({x}, tensor<f32>) -> {row}
               %q = stablehlo.divide %scale, %sum : {row}
               %s = stablehlo.broadcast_in_dim %q, dims = [0] : ({row}) -> {x}
               %r = stablehlo.multiply %e, %s : {x}
               return %r, %max : {x}, {row}
             }}"
        )
    }

    #[test]
    fn a_softmax_is_one_step() {
        for (rows, columns) in [(16, 2), (17, 3), (64, 100), (301, 700), (20, 20_000)] {
            let agreed = agrees_within(&softmax(rows, columns), 1, ulps(256)).without_interpreter();
            let start = format!("{rows} rows, each: ");
            agreed.with(&start).with("exponential");
        }
    }

    #[test]
    fn what_is_gathered_is_one_step_with_its_indices_and_its_readers() {
        for (n, size, row) in [(20_000, 3000, ""), (3000, 700, "x16"), (1200, 500, "x37")] {
            let (a, r, offset) = (format!("{size}{row}"), format!("{n}{row}"), if row.is_empty() { "" } else { "1" });
            let sizes = if row.is_empty() { "1".to_owned() } else { format!("1, {}", &row[1..]) };
            let mlir = format!(
                "func.func @main(%a: tensor<{a}xf32>, %j: tensor<{n}xi32>) -> (tensor<{r}xf32>, tensor<{n}xi32>) {{
                   %zero = stablehlo.constant dense<0> : tensor<{n}xi32>
                   %many = stablehlo.constant dense<131> : tensor<{n}xi32>
                   %size = stablehlo.constant dense<{size}> : tensor<{n}xi32>
                   %i = stablehlo.multiply %j, %many : tensor<{n}xi32>
                   %p = stablehlo.compare LT, %i, %zero : (tensor<{n}xi32>, tensor<{n}xi32>) -> tensor<{n}xi1>
                   %w = stablehlo.add %i, %size : tensor<{n}xi32>
                   %s = stablehlo.select %p, %w, %i : tensor<{n}xi1>, tensor<{n}xi32>
                   %v = stablehlo.reshape %s : (tensor<{n}xi32>) -> tensor<{n}x1xi32>
                   %g = \"stablehlo.gather\"(%a, %v) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{offset}],
                     collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: {sizes}>}}>
                     : (tensor<{a}xf32>, tensor<{n}x1xi32>) -> tensor<{r}xf32>
                   %r = stablehlo.multiply %g, %g : tensor<{r}xf32>
                   return %r, %s : tensor<{r}xf32>, tensor<{n}xi32>
                 }}"
            );
            let agreed = agrees_within(&mlir, 4, ulps(0)).without_interpreter();
            agreed.with(&format!("{n} rows, each")).with("gather");
        }
    }

    #[test]
    fn what_is_gathered_from_its_own_indices_comes_after_them() {
        let mlir = "func.func @main(%a: tensor<20000xi32>) -> tensor<20000xi32> {
            %many = stablehlo.constant dense<7919> : tensor<20000xi32>
            %size = stablehlo.constant dense<20000> : tensor<20000xi32>
            %b = stablehlo.multiply %a, %many : tensor<20000xi32>
            %i = stablehlo.remainder %b, %size : tensor<20000xi32>
            %v = stablehlo.reshape %i : (tensor<20000xi32>) -> tensor<20000x1xi32>
            %g = \"stablehlo.gather\"(%i, %v) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
              start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
              : (tensor<20000xi32>, tensor<20000x1xi32>) -> tensor<20000xi32>
            return %g : tensor<20000xi32>
          }";
        agrees_within(mlir, 6, ulps(0)).without_interpreter();
    }

    #[test]
    fn windows_are_one_step_with_their_readers() {
        for (shape, window, padding) in [
            ("3x30x31x16", "1, 3, 3, 1", "[[0, 0], [1, 1], [1, 1], [0, 0]]"),
            ("3x16x30x31", "1, 1, 3, 3", "[[0, 0], [0, 0], [1, 1], [1, 1]]"),
        ] {
            let ty = format!("tensor<{shape}xf32>");
            let mlir = format!(
                "func.func @main(%a: {ty}, %b: {ty}) -> {ty} {{
                   %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
                   %m = \"stablehlo.reduce_window\"(%a, %least) <{{padding = dense<{padding}> : tensor<4x2xi64>,
                     window_dimensions = array<i64: {window}>, window_strides = array<i64: 1, 1, 1, 1>}}> ({{
                   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
                     %2 = stablehlo.maximum %x, %y : tensor<f32>
                     stablehlo.return %2 : tensor<f32>
                   }}) : ({ty}, tensor<f32>) -> {ty}
                   %nine = stablehlo.constant dense<9.0> : {ty}
                   %q = stablehlo.divide %m, %nine : {ty}
                   %r = stablehlo.add %q, %b : {ty}
                   return %r : {ty}
                 }}"
            );
            agrees_within(&mlir, 5, ulps(0)).without_interpreter().with("rows, each: windows");
        }
    }

    #[test]
    fn what_crosses_rows_stays_apart() {
        // The sums are added to the columns of the transposed operand: row 0 of that needs all of them.
        let mlir = "func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
            %zero = stablehlo.constant dense<0.0> : tensor<f32>
            %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [1]
              : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
            %s = stablehlo.broadcast_in_dim %sum, dims = [1] : (tensor<32xf32>) -> tensor<32x32xf32>
            %r = stablehlo.add %x, %s : tensor<32x32xf32>
            return %r : tensor<32x32xf32>
          }";
        let agreed = agrees_within(mlir, 2, ulps(0)).without_interpreter();
        assert!(!agreed.plan.contains("rows, each"), "{}", agreed.plan);
    }

    #[test]
    fn loops_around_carry_rows() {
        let mlir = "func.func @main(%x: tensor<48x40xf32>) -> (tensor<48x40xf32>, tensor<i32>) {
            %zero = stablehlo.constant dense<0> : tensor<i32>
            %r:2 = stablehlo.while(%v = %x, %i = %zero) : tensor<48x40xf32>, tensor<i32>
              cond {
                %n = stablehlo.constant dense<5> : tensor<i32>
                %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %c : tensor<i1>
              } do {
                %one = stablehlo.constant dense<1> : tensor<i32>
                %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
                %max = stablehlo.reduce(%v init: %low) applies stablehlo.maximum across dimensions = [1]
                  : (tensor<48x40xf32>, tensor<f32>) -> tensor<48xf32>
                %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<48xf32>) -> tensor<48x40xf32>
                %d = stablehlo.subtract %v, %m : tensor<48x40xf32>
                %min = stablehlo.reduce(%d init: %low) applies stablehlo.maximum across dimensions = [1]
                  : (tensor<48x40xf32>, tensor<f32>) -> tensor<48xf32>
                %k = stablehlo.broadcast_in_dim %min, dims = [0] : (tensor<48xf32>) -> tensor<48x40xf32>
                %w = stablehlo.add %d, %k : tensor<48x40xf32>
                %w2 = stablehlo.multiply %w, %w : tensor<48x40xf32>
                %j = stablehlo.add %i, %one : tensor<i32>
                stablehlo.return %w2, %j : tensor<48x40xf32>, tensor<i32>
              }
            return %r#0, %r#1 : tensor<48x40xf32>, tensor<i32>
          }";
        agrees_within(mlir, 3, ulps(0)).without_interpreter().with("48 rows, each");
    }
}
