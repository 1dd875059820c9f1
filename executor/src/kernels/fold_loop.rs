//! A loop and the folds of the rows that it computes, in one go.
//!
//! What is only computed to be folded never goes to memory: the loop's machine code keeps accumulators, one for every lane, in
//! registers. Each row's accumulators are put together in a fixed order at its end.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::Kernel;
use super::fused::{Address, Bound, Loop, Reg};
use super::isa::Isa;
use super::jit::Machine;
use super::memory::{Buffer, Memory, SlotId};
use super::monoid::{Op, integer_ends};
use super::pool::Pool;
use super::reduce::RowFold;
use super::rows::{ByRows, RowsOf};

/// Elements that one thread folds at a time; longer rows are put together from such pieces.
const PIECE: usize = 1 << 15;
/// Elements below which a row is not worth a call.
const SHORT: usize = 64;
/// The most bytes of accumulators: two vectors for each of two copies of the loop's body.
const ACCUMULATORS: usize = 4 * 64;

/// A loop and a fold.
#[derive(Debug)]
pub struct FoldLoop {
    fused: Loop,
    machine: Machine,
    fold: RowFold,
    /// The accumulator that changes nothing, as often as fits.
    neutral: [u8; 8],
    own: SmallVec<[RowsOf; 2]>,
}

/// Accumulators of lanes.
#[repr(align(64))]
struct Block([u8; ACCUMULATORS]);

thread_local! {
    /// Accumulators of pieces, of the thread that runs the step.
    static PARTIALS: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

impl FoldLoop {
    /// The loop with the fold of what it computes in `reg`, if there is machine code for that. `own` are the slots of which a
    /// row of the loop has its own part.
    pub fn new<'c>(
        mut fused: Loop,
        reg: Reg,
        fold: RowFold,
        mut own: SmallVec<[RowsOf; 2]>,
        isa: Isa,
        constant: impl Fn(SlotId) -> Option<&'c [u8]>,
    ) -> Option<Self> {
        let folder = &fold.folder;
        let neutral = neutral(folder.op, folder.element, folder.acc_width)?;
        if fold.n < SHORT || fused.n != fold.n_rows * fold.n {
            return None;
        }
        fused.is_cached = true;
        (fused.small, fused.machine) = (None, None);
        let machine = Machine::folding(&fused, (reg, kind(folder.op)), isa, constant)?;
        if machine.accumulators() == 0 || machine.accumulators() > ACCUMULATORS {
            return None;
        }
        own.push(RowsOf { slot: fold.out, bytes: folder.element.byte_width() });
        Some(Self { fused, machine, fold, neutral, own })
    }

    /// Folds the elements `range` into the accumulator at `to`.
    fn fold(&self, bound: &Bound<'_>, range: Range<usize>, to: *mut u8) {
        let folder = &self.fold.folder;
        let mut block = Block([0; ACCUMULATORS]);
        block.0.chunks_exact_mut(8).for_each(|lanes| lanes.copy_from_slice(&self.neutral));
        let acc = block.0.as_mut_ptr();
        bound.folding(&self.machine, acc, range);
        let mut n = self.machine.accumulators() / folder.acc_width;
        while n > 1 {
            n /= 2;
            // SAFETY: there are twice as many accumulators.
            unsafe { (folder.merge)(acc, acc.add(n * folder.acc_width), n) };
        }
        // SAFETY: the caller's accumulator.
        unsafe { std::ptr::copy_nonoverlapping(acc, to, folder.acc_width) };
    }

    fn rows(&self, bound: &Bound<'_>, init: Address, out: Address, rows: Range<usize>) {
        let (n, folder) = (self.fold.n, &self.fold.folder);
        for row in rows {
            let mut acc = 0u64;
            self.fold(bound, row * n..(row + 1) * n, (&raw mut acc).cast());
            let to = out.0.wrapping_add(row * folder.element.byte_width());
            // SAFETY: the results lie inside their slot.
            unsafe { (folder.finish)(to, 1, init.0, (&raw const acc).cast(), 1) };
        }
    }

    /// Rows that are longer than a piece.
    fn in_pieces(&self, bound: &Bound<'_>, init: Address, out: Address, pool: &Pool) {
        let RowFold { n, n_rows, folder, .. } = self.fold;
        let (n_pieces, width) = (n.div_ceil(PIECE), folder.acc_width);
        PARTIALS.with_borrow_mut(|partials| {
            let bytes = n_rows * n_pieces * width;
            if partials.bytes().len() < bytes {
                *partials = Buffer::new(bytes);
            }
            let partials = Address(partials.as_ptr());
            pool.run(n_rows * n_pieces, &|index| {
                let Address(partials) = { partials };
                let (row, piece) = (index / n_pieces, index % n_pieces);
                let range = row * n + piece * PIECE..row * n + ((piece + 1) * PIECE).min(n);
                self.fold(bound, range, partials.wrapping_add(index * width));
            });
            for row in 0..n_rows {
                let acc = partials.0.wrapping_add(row * n_pieces * width);
                // SAFETY: every row has its n_pieces accumulators, and the results lie inside their slot.
                unsafe {
                    for piece in 1..n_pieces {
                        (folder.merge)(acc, acc.add(piece * width), 1);
                    }
                    (folder.finish)(out.0.add(row * folder.element.byte_width()), 1, init.0, acc, 1);
                }
            }
        });
    }

    fn ends(&self, place: &dyn Fn(SlotId) -> *mut u8) -> (Address, Address) {
        let (init, offset) = self.fold.init;
        (Address(place(init).wrapping_add(offset)), Address(place(self.fold.out)))
    }
}

impl ByRows for FoldLoop {
    fn n_rows(&self) -> usize {
        self.fold.n_rows
    }

    fn own(&self) -> SmallVec<[RowsOf; 2]> {
        self.own.clone()
    }

    fn run_rows(&self, place: &dyn Fn(SlotId) -> *mut u8, rows: Range<usize>) {
        let (init, out) = self.ends(place);
        self.rows(&self.fused.bind(place), init, out, rows);
    }
}

impl Kernel for FoldLoop {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let place = |slot| memory.address(slot);
        let ((init, out), bound) = (self.ends(&place), self.fused.bind(place));
        if self.fold.n > PIECE {
            return self.in_pieces(&bound, init, out, pool);
        }
        let grain = (PIECE / self.fold.n).max(1);
        pool.split(self.fold.n_rows, grain, &|range| self.rows(&bound, init, out, range));
    }

    fn by_rows(&self) -> Option<&dyn ByRows> {
        Some(self)
    }

    fn describe(&self) -> String {
        let RowFold { folder, n_rows, n, .. } = &self.fold;
        let code: Vec<&str> = self.fused.code.iter().map(|instr| instr.name).collect();
        let (op, element, code) = (folder.op, folder.element, code.join(" "));
        format!("reduce {op:?} of {element} by rows, {n_rows} of {n}, inside of their loop: {code}")
    }
}

fn kind(op: Op) -> OpKind {
    match op {
        Op::Add => OpKind::Add,
        Op::Multiply => OpKind::Multiply,
        Op::Maximum => OpKind::Maximum,
        Op::Minimum => OpKind::Minimum,
        Op::And => OpKind::And,
        Op::Or => OpKind::Or,
    }
}

/// The accumulator that changes no other, over and over; none for types whose accumulators are of other widths than lanes.
fn neutral(op: Op, element: ElementType, width: usize) -> Option<[u8; 8]> {
    let bits: u64 = if element.is_float() {
        let value = match op {
            // 0 would turn −0 into itself.
            Op::Add => -0.0,
            Op::Multiply => 1.0,
            Op::Maximum => f64::NEG_INFINITY,
            Op::Minimum => f64::INFINITY,
            Op::And | Op::Or => return None,
        };
        match width {
            4 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        }
    } else if element.is_integer() && width == element.byte_width() {
        let (least, most) = integer_ends(element);
        let value = match op {
            Op::Add | Op::Or => 0,
            Op::Multiply => 1,
            Op::Maximum => least,
            Op::Minimum => most,
            Op::And => -1,
        };
        value as u64
    } else {
        return None;
    };
    match width {
        4 => Some((bits & 0xffff_ffff | bits << 32).to_le_bytes()),
        8 => Some(bits.to_le_bytes()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use interpreter::Tensor;
    use interpreter::compare::Rule;

    use crate::Isa;
    use crate::testing::{agrees, agrees_on, agrees_within, ulps};

    /// Folds rows of `a · b` (or `a ∧ b`) by an op.
    fn program(element: &str, rows: usize, n: usize, before: &str, op: &str, init: &str, result: &str) -> String {
        let (x, row) = (format!("tensor<{rows}x{n}x{element}>"), format!("tensor<{rows}x{element}>"));
        let results = if result.contains("%y") { format!("({row}, {x})") } else { row.clone() };
        format!(
            "func.func @main(%a: {x}, %b: tensor<{n}x{element}>) -> {results} {{
               %init = stablehlo.constant dense<{init}> : tensor<{element}>
               %w = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<{n}x{element}>) -> {x}
               %y = stablehlo.{before} %a, %w : {x}
               %r = stablehlo.reduce(%y init: %init) applies stablehlo.{op} across dimensions = [1]
                 : ({x}, tensor<{element}>) -> {row}
               return {result} : {}
             }}",
            if result.contains("%y") { format!("{row}, {x}") } else { row.clone() }
        )
    }

    fn joined(agreed: crate::testing::Agreed) {
        let agreed = agreed.without_interpreter();
        if Isa::best() == Isa::Avx512 {
            agreed.with("inside of their loop");
        }
    }

    #[test]
    fn integers_are_folded_to_the_bit() {
        for element in ["i32", "ui32", "i64", "ui64"] {
            for (op, init) in [("add", 7), ("multiply", 3), ("maximum", 5), ("minimum", 5), ("and", 255), ("or", 1)] {
                joined(agrees(&program(element, 3, 100, "xor", op, &init.to_string(), "%r"), 1));
            }
        }
        for (rows, n) in [(1, 64), (1, 70_000), (2, 100_001), (17, 65), (300, 79)] {
            joined(agrees(&program("i32", rows, n, "multiply", "add", "1", "%r"), 2));
            joined(agrees(&program("i64", rows, n, "multiply", "add", "1", "%r, %y"), 3));
        }
    }

    #[test]
    fn extremes_of_floats_are_exact() {
        for (element, rows, n) in [("f32", 5, 100), ("bf16", 16, 131), ("f16", 2, 95), ("f64", 20, 71)] {
            for (op, init) in [("maximum", "-1.0"), ("minimum", "0.5")] {
                joined(agrees(&program(element, rows, n, "subtract", op, init, "%r, %y"), 4));
            }
        }
    }

    #[test]
    fn sums_of_floats_are_near() {
        for (rows, n) in [(1, 64), (1, 66_000), (3, 33_000), (16, 1000), (40, 97)] {
            // Products of small numbers of both signs: the sum may be much smaller than its parts.
            let rule = Rule { atol: 1e-4, rtol: 1e-4, ..ulps(64) };
            joined(agrees_within(&program("f32", rows, n, "multiply", "add", "0.25", "%r"), 5, rule));
            joined(agrees_within(&program("f64", rows, n, "multiply", "add", "0.25", "%r, %y"), 6, rule));
        }
        // Sums of 16-bit floats are f32's and rounded once.
        let rule = Rule { atol: 0.5, rtol: 0.02, ..ulps(4) };
        for element in ["bf16", "f16"] {
            joined(agrees_within(&program(element, 4, 130, "multiply", "add", "0.25", "%r"), 7, rule));
        }
    }

    #[test]
    fn rows_that_were_made_in_place_need_not_be_kept() {
        // The loop may square the window where that was written out; it need not write anything.
        let mlir = "func.func @main(%x: tensor<80x96xi32>, %i: tensor<i32>) -> tensor<80xi32> {
            %zero = stablehlo.constant dense<0> : tensor<i32>
            %w = stablehlo.dynamic_slice %x, %i, %i, sizes = [80, 95] : (tensor<80x96xi32>, tensor<i32>, tensor<i32>) -> tensor<80x95xi32>
            %y = stablehlo.multiply %w, %w : tensor<80x95xi32>
            %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
              : (tensor<80x95xi32>, tensor<i32>) -> tensor<80xi32>
            return %r : tensor<80xi32>
          }";
        joined(agrees(mlir, 9));
    }

    #[test]
    fn signs_of_zeros_and_nans_survive() {
        let mlir = program("f32", 4, 65, "multiply", "add", "-0.0", "%r");
        let mut a = vec![-0.0; 4 * 65];
        (a[70], a[140], a[141], a[259]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::INFINITY);
        let inputs = [Tensor::from_vec::<f32>(&[4, 65], &a), Tensor::from_vec::<f32>(&[65], &[1.0; 65])];
        joined(agrees_on(&mlir, &inputs.map(Option::unwrap), None));
    }
}
