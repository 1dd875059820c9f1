//! Operands that are brought into the order in which kernels read them once, instead of in every run or round.
//!
//! The right operand of a product is packed before it is multiplied. Where it is a constant the first run of a plan packs it
//! for all runs; where it comes from outside of a loop it is packed before the loop.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::{Action, Home, Slot, Step};
use crate::kernels::memory::{ALIGN, Buffer, Memory, SlotId};
use crate::kernels::pool::Pool;

/// The most bytes that a plan keeps, and as many again for what is packed before loops: packed operands are copies, and the
/// operands themselves are still there. Together half of the 64 MB that a plan may take besides what is live.
const MAX_BYTES: usize = 16 << 20;
/// The most bytes of one packed operand that comes from outside of a loop.
const MAX_LOOP_BYTES: usize = 8 << 20;

/// What the first run of a plan makes for all runs.
#[derive(Default, Debug)]
pub(crate) struct Once {
    /// Steps that read constants and write what is kept.
    pub steps: Vec<Step>,
    /// Bytes of what is kept, [`MAX_BYTES`] at most. They are taken at the first run and given back with the plan.
    pub bytes: usize,
    /// The memory, made at the first run; none inside when the system had not as much.
    memory: OnceLock<Option<Buffer>>,
}

impl Once {
    /// Takes what can be done once out of `steps`.
    pub fn new(steps: &mut Vec<Step>, slots: &mut Vec<Slot>) -> Self {
        let mut this = Self::default();
        this.constants(steps, slots);
        let mut left = MAX_BYTES;
        before_loops(steps, slots, &mut left);
        this
    }

    /// Packs constant operands once for all runs.
    fn constants(&mut self, steps: &mut [Step], slots: &mut Vec<Slot>) {
        for step in steps {
            match &mut step.action {
                Action::Branch { branches, .. } => {
                    branches.iter_mut().for_each(|branch| self.constants(branch, slots));
                }
                Action::While { body, machine: None, .. } => self.constants(body, slots),
                Action::Kernel(kernel) => {
                    let Some((operand, bytes)) = kernel.packs() else { continue };
                    let is_constant = matches!(slots[operand.0 as usize].home, Home::Constant(..));
                    let all = self.bytes.saturating_add(bytes.next_multiple_of(ALIGN));
                    if !is_constant || all > MAX_BYTES {
                        continue;
                    }
                    let slot = SlotId(slots.len() as u32);
                    let Some(packing) = kernel.packed(slot) else { continue };
                    slots.push(Slot { bytes, home: Home::Kept(self.bytes), scope: None });
                    self.bytes = all;
                    step.reads.push(slot);
                    let (reads, writes) = (vec![operand], vec![slot]);
                    self.steps.push(Step { op: step.op, action: Action::Kernel(packing), reads, writes });
                }
                _ => {}
            }
        }
    }

    /// What is kept; it is made if this is the first run. None when there is no memory for it.
    pub fn memory(&self, slots: &[Slot], pool: &Pool) -> Option<*mut u8> {
        if self.bytes == 0 {
            return Some(std::ptr::null_mut());
        }
        let made = self.memory.get_or_init(|| {
            let buffer = Buffer::try_new(self.bytes)?;
            let memory = Memory::new(slots.iter().map(|slot| {
                let at = match &slot.home {
                    Home::Constant(owned, shared) if shared.is_empty() => owned.as_ptr().cast_mut(),
                    Home::Constant(_, shared) => shared.as_ptr().cast_mut(),
                    Home::Kept(at) => buffer.as_ptr().wrapping_add(*at),
                    // These steps read constants only.
                    _ => return (std::ptr::null_mut(), 0),
                };
                (at, slot.bytes)
            }));
            for step in &self.steps {
                if let Action::Kernel(kernel) = &step.action {
                    kernel.run(&memory, pool);
                }
            }
            Some(buffer)
        });
        made.as_ref().map(Buffer::as_ptr)
    }
}

/// Packs operands that come from outside of a loop before it, in all lists of steps; `left` bytes may still be taken.
fn before_loops(steps: &mut Vec<Step>, slots: &mut Vec<Slot>, left: &mut usize) {
    let mut at = 0;
    while at < steps.len() {
        let step = &mut steps[at];
        let op = step.op;
        let mut packings = Vec::new();
        match &mut step.action {
            Action::Branch { branches, .. } => {
                branches.iter_mut().for_each(|branch| before_loops(branch, slots, left));
            }
            Action::While { cond, pred, body, swaps, machine: None, id } => {
                let mut written: FxHashSet<SlotId> = swaps.iter().flat_map(|(a, b)| [*a, *b]).collect();
                written.insert(*pred);
                writes(cond, &mut written);
                writes(body, &mut written);
                let scope = slots[swaps.first().map_or(*pred, |(carried, _)| *carried).0 as usize].scope;
                let scope = scope.filter(|scope| scope != id);
                let mut outer = Outer { written: &written, scope, slots, left, packings: Vec::new() };
                outer.pack(body);
                packings = outer.packings;
                before_loops(body, slots, left);
            }
            _ => {}
        }
        step.reads.extend(packings.iter().map(|(_, _, slot)| *slot));
        for (packing, operand, slot) in packings {
            let action = Action::Kernel(packing);
            steps.insert(at, Step { op, action, reads: vec![operand], writes: vec![slot] });
            at += 1;
        }
        at += 1;
    }
}

/// What steps write, with those inside of them.
fn writes(steps: &[Step], written: &mut FxHashSet<SlotId>) {
    for step in steps {
        written.extend(&step.writes);
        match &step.action {
            Action::Branch { branches, .. } => branches.iter().for_each(|branch| writes(branch, written)),
            Action::While { cond, pred, body, swaps, .. } => {
                written.extend(swaps.iter().flat_map(|(a, b)| [*a, *b]).chain([*pred]));
                writes(cond, written);
                writes(body, written);
            }
            _ => {}
        }
    }
}

/// What is packed before one loop.
struct Outer<'l> {
    /// What the loop writes.
    written: &'l FxHashSet<SlotId>,
    /// The loop around it.
    scope: Option<usize>,
    slots: &'l mut Vec<Slot>,
    left: &'l mut usize,
    packings: Vec<(Box<dyn crate::kernels::Kernel>, SlotId, SlotId)>,
}

impl Outer<'_> {
    /// Packs what steps of the loop read, and those of loops in it.
    fn pack(&mut self, steps: &mut [Step]) {
        for step in steps {
            match &mut step.action {
                Action::While { body, machine: None, .. } => {
                    let before = self.packings.len();
                    self.pack(body);
                    step.reads.extend(self.packings[before..].iter().map(|(_, _, slot)| *slot));
                }
                Action::Kernel(kernel) => {
                    let Some((operand, bytes)) = kernel.packs() else { continue };
                    if self.written.contains(&operand) || bytes > MAX_LOOP_BYTES.min(*self.left) {
                        continue;
                    }
                    let slot = SlotId(self.slots.len() as u32);
                    let Some(packing) = kernel.packed(slot) else { continue };
                    self.slots.push(Slot { bytes, home: Home::Arena(0), scope: self.scope });
                    *self.left -= bytes;
                    step.reads.push(slot);
                    self.packings.push((packing, operand, slot));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use interpreter::compare::Rule;

    use crate::testing::agrees_within;

    /// Sums in another order.
    fn near() -> Rule {
        Rule { atol: 1e-3, rtol: 1e-3, ..Rule::EXACT }
    }

    /// A constant of some numbers.
    fn constant(shape: &[usize], ty: &str) -> String {
        let number = |at: usize| {
            let number = (at * 7 % 23) as i64 - 11;
            if ty.starts_with('i') { number.to_string() } else { format!("{number}.5") }
        };
        fn list(shape: &[usize], first: usize, number: &dyn Fn(usize) -> String) -> String {
            let Some((size, rest)) = shape.split_first() else { return number(first) };
            let step: usize = rest.iter().product();
            let parts: Vec<String> = (0..*size).map(|at| list(rest, first + at * step, number)).collect();
            format!("[{}]", parts.join(", "))
        }
        format!("dense<{}>", list(shape, 0, &number))
    }

    fn product([m, k, n]: [usize; 3], ty: &str, is_transposed: bool) -> String {
        let (shape, dim) = if is_transposed { ([n, k], 1) } else { ([k, n], 0) };
        let (x, y) = (format!("tensor<{m}x{k}x{ty}>"), format!("tensor<{m}x{n}x{ty}>"));
        let w = format!("tensor<{}x{}x{ty}>", shape[0], shape[1]);
        format!(
            "func.func @main(%x: {x}) -> {y} {{
               %w = stablehlo.constant {} : {w}
               %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [{dim}] : ({x}, {w}) -> {y}
               return %p : {y}
             }}",
            constant(&shape, ty)
        )
    }

    #[test]
    fn constant_operands_are_packed_once() {
        for shape in [[5, 40, 70], [13, 700, 33], [50, 64, 100]] {
            for is_transposed in [false, true] {
                let agreed = agrees_within(&product(shape, "f32", is_transposed), 1, near());
                agreed.without_interpreter().with("right kept packed").with("once, ");
            }
        }
        for ty in ["i8", "i32", "f64"] {
            let rule = if ty == "f64" { near() } else { Rule::EXACT };
            agrees_within(&product([9, 130, 70], ty, false), 2, rule).without_interpreter().with("right kept packed");
        }
        let rough = Rule { atol: 2.0, rtol: 0.02, ..Rule::EXACT };
        for ty in ["bf16", "f16"] {
            agrees_within(&product([9, 130, 70], ty, true), 3, rough).without_interpreter().with("right kept packed");
        }
    }

    #[test]
    fn constant_kernels_are_packed_once() {
        for (channels, groups) in [(8, 1), (32, 1), (12, 2)] {
            let x = format!("tensor<1x12x13x{channels}xf32>");
            let shape = [3, 3, channels / groups, channels];
            let w = format!("tensor<3x3x{}x{channels}xf32>", channels / groups);
            let mlir = format!(
                "func.func @main(%x: {x}) -> {x} {{
                   %w = stablehlo.constant {} : {w}
                   %p = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                     window = {{stride = [1, 1], pad = [[1, 1], [1, 1]]}}
                     {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x}, {w}) -> {x}
                   return %p : {x}
                 }}",
                constant(&shape, "f32")
            );
            agrees_within(&mlir, 4, near()).without_interpreter();
        }
    }

    #[test]
    fn what_comes_from_outside_of_a_loop_is_packed_before_it() {
        let program = |inner: &str| {
            format!(
                "func.func @main(%x: tensor<8x40xf32>, %w: tensor<40x40xf32>, %v: tensor<40x40xf32>)
                     -> (tensor<8x40xf32>, tensor<40x40xf32>) {{
                   %zero = stablehlo.constant dense<0> : tensor<i32>
                   %r:3 = stablehlo.while(%a = %x, %i = %zero, %u = %v) : tensor<8x40xf32>, tensor<i32>, tensor<40x40xf32>
                     cond {{
                       %n = stablehlo.constant dense<5> : tensor<i32>
                       %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                       stablehlo.return %c : tensor<i1>
                     }} do {{
                       %one = stablehlo.constant dense<1> : tensor<i32>
                       %half = stablehlo.constant dense<0.1> : tensor<40x40xf32>
                       {inner}
                       %q = stablehlo.dot_general %p, %u, contracting_dims = [1] x [0]
                         : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
                       %t = stablehlo.tanh %q : tensor<8x40xf32>
                       %next = stablehlo.multiply %u, %half : tensor<40x40xf32>
                       %j = stablehlo.add %i, %one : tensor<i32>
                       stablehlo.return %t, %j, %next : tensor<8x40xf32>, tensor<i32>, tensor<40x40xf32>
                     }}
                   return %r#0, %r#2 : tensor<8x40xf32>, tensor<40x40xf32>
                 }}"
            )
        };
        let plain = "%p = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
            : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>";
        let nested = "%p, %k = stablehlo.while(%b = %a, %l = %zero) : tensor<8x40xf32>, tensor<i32>
            cond {
              %m = stablehlo.constant dense<3> : tensor<i32>
              %d = stablehlo.compare LT, %l, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %d : tensor<i1>
            } do {
              %e = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0]
                : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
              %g = stablehlo.dot_general %e, %u, contracting_dims = [1] x [1]
                : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
              %h = stablehlo.tanh %g : tensor<8x40xf32>
              %o = stablehlo.add %l, %one : tensor<i32>
              stablehlo.return %h, %o : tensor<8x40xf32>, tensor<i32>
            }";
        for inner in [plain, &nested.replace("%p, %k =", "%p:2 =")] {
            let mlir = program(inner);
            // The results of an inner loop are named by their number.
            let mlir =
                if inner.contains("%p:2") { mlir.replace("dot_general %p, %u", "dot_general %p#0, %u") } else { mlir };
            let agreed = agrees_within(&mlir, 5, near()).without_interpreter();
            agreed.with("packing of 1x40x2 panels").with("right kept packed");
        }
    }
}
