//! Which loops are done to the results of a product or a convolution piece by piece, while a piece is in the cache.
//!
//! A bias is added, a residual, an activation follows: as a step of its own, such a loop reads all results from memory again,
//! and all threads wait for each other before it. Here the loop joins the step that makes its input, which runs it on every
//! piece of its results as soon as that is finished.

use rustc_hash::FxHashMap;

use super::rows::count_uses;
use super::{Action, Home, Slot, Step};
use crate::kernels::fused::{Access, Loop};
use crate::kernels::memory::SlotId;

/// Steps that are looked through for the loop of a kernel's results.
const MAX_DISTANCE: usize = 32;
/// Fewer results stay in the first cache anyway.
const MIN_RESULTS: usize = 1 << 11;

/// Joins loops to the kernels that make what they read, in all lists of steps.
pub fn join(steps: &mut Vec<Step>, slots: &[Slot]) {
    let mut uses = FxHashMap::default();
    count_uses(steps, &mut uses);
    join_in(steps, slots, &uses);
}

fn join_in(steps: &mut Vec<Step>, slots: &[Slot], uses: &FxHashMap<SlotId, usize>) {
    for step in steps.iter_mut() {
        match &mut step.action {
            Action::Branch { branches, .. } => branches.iter_mut().for_each(|branch| join_in(branch, slots, uses)),
            Action::While { body, machine: None, .. } => join_in(body, slots, uses),
            _ => {}
        }
    }
    let mut at = 0;
    while at < steps.len() {
        match find(steps, slots, at) {
            Some((reader, place)) if follow(steps, slots, uses, at, reader) => {
                // The kernel, which has everything now, stands at one of the two places.
                let kernel = steps.remove(at);
                steps.insert(place, kernel);
                steps.remove(reader);
                at = if place == at { at + 1 } else { at };
            }
            _ => at += 1,
        }
    }
}

/// The loop that can follow the kernel at `at`, and where the two are to stand: here or there.
fn find(steps: &[Step], slots: &[Slot], at: usize) -> Option<(usize, usize)> {
    let Action::Kernel(kernel) = &steps[at].action else { return None };
    let made = kernel.finishes()?;
    let bytes = slots[made.0 as usize].bytes;
    let end = steps.len().min(at + MAX_DISTANCE);
    for reader in at + 1..end {
        let step = &steps[reader];
        if step.writes.contains(&made) && !step.reads.contains(&made) {
            return None;
        }
        if !step.reads.contains(&made) {
            continue;
        }
        if let Action::Loop(fused) = &step.action
            && fused.n >= MIN_RESULTS
            && is_element_by_element(fused, made, bytes)
            && is_apart(&steps[at], step, made)
        {
            let between = &steps[at + 1..reader];
            if may_pass(step, between, made) {
                return Some((reader, at));
            }
            if may_pass(&steps[at], between, made) {
                return Some((reader, reader - 1));
            }
        }
        if step.writes.contains(&made) {
            return None;
        }
    }
    None
}

/// Whether the loop reads each element of the slot for its own element only.
fn is_element_by_element(fused: &Loop, slot: SlotId, bytes: usize) -> bool {
    let mut inputs =
        fused.inputs.iter().filter(|input| input.slot == slot && !matches!(input.access, Access::Iota { .. }));
    inputs.all(|input| matches!(input.access, Access::Linear { offset: 0 }) && input.width * fused.n == bytes)
}

/// Whether the loop can run while the kernel does: it shares nothing but `made` with it that either of them writes.
fn is_apart(kernel: &Step, after: &Step, made: SlotId) -> bool {
    let others = kernel.writes.iter().filter(|slot| **slot != made);
    let is_named = |slot: &SlotId| after.reads.contains(slot) || after.writes.contains(slot);
    !others.into_iter().any(is_named) && !after.writes.iter().any(|slot| kernel.reads.contains(slot))
}

/// Whether the order of `step` and the others does not matter, `made` set aside.
fn may_pass(step: &Step, others: &[Step], made: SlotId) -> bool {
    others.iter().all(|other| {
        let is_plain =
            matches!(other.action, Action::Loop(_) | Action::Kernel(_) | Action::Rows(_) | Action::Reference(_));
        let is_read = step.reads.iter().any(|slot| *slot != made && other.writes.contains(slot));
        let is_written = step.writes.iter().any(|slot| other.reads.contains(slot) || other.writes.contains(slot));
        is_plain && !is_read && !is_written
    })
}

/// Whether nothing reads an element of `made` after the step that makes the one of `result`, so that they can share a place.
fn is_last_to_read(fused: &Loop, made: SlotId, result: SlotId) -> bool {
    let Some((reg, ..)) = fused.outputs.iter().find(|(_, slot, _)| *slot == result) else { return false };
    let is_made = |reg: &u16| fused.inputs.get(usize::from(*reg)).is_some_and(|input| input.slot == made);
    let after = fused.code.iter().skip_while(|instr| instr.out != *reg).skip(1);
    after.into_iter().all(|instr| !instr.args.iter().any(is_made))
}

/// Lets the kernel at `at` be followed by the loop at `reader`, if it can.
fn follow(steps: &mut [Step], slots: &[Slot], uses: &FxHashMap<SlotId, usize>, at: usize, reader: usize) -> bool {
    let (before, rest) = steps.split_at_mut(reader);
    let (kernel, after) = (&mut before[at], &rest[0]);
    let (Action::Kernel(does), Action::Loop(fused)) = (&mut kernel.action, &after.action) else { return false };
    let Some(made) = does.finishes() else { return false };
    // What only the loop reads stands where the loop's result will.
    let n_named = [&kernel.reads, &kernel.writes, &after.reads, &after.writes];
    let n_named = n_named.into_iter().flatten().filter(|slot| **slot == made).count();
    let is_local = matches!(slots[made.0 as usize].home, Home::Arena(_)) && uses.get(&made) == Some(&n_named);
    let bytes = slots[made.0 as usize].bytes;
    let is_free = |slot: &SlotId| {
        slots[slot.0 as usize].bytes == bytes && !after.reads.contains(slot) && is_last_to_read(fused, made, *slot)
    };
    let to = after.writes.iter().copied().find(|slot| is_local && is_free(slot)).unwrap_or(made);
    let mut fused = fused.clone();
    for input in &mut fused.inputs {
        if input.slot == made {
            input.slot = to;
        }
    }
    if !does.followed_by(&fused, to) {
        return false;
    }
    let is_gone = |slot: &SlotId| *slot == made && to != made;
    kernel.writes.retain(|slot| !is_gone(slot));
    for slot in after.reads.iter().filter(|slot| !is_gone(slot)) {
        if !kernel.writes.contains(slot) && !kernel.reads.contains(slot) {
            kernel.reads.push(*slot);
        }
    }
    for slot in &after.writes {
        if !kernel.writes.contains(slot) {
            kernel.writes.push(*slot);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use interpreter::Tensor;
    use interpreter::compare::Rule;

    use super::MIN_RESULTS;
    use crate::testing::{Agreed, agrees, agrees_on, agrees_within, generated};

    /// Sums in another order.
    fn near() -> Rule {
        Rule { atol: 1e-4, rtol: 1e-4, ..Rule::EXACT }
    }

    /// `relu(x · w + b)`, and the product itself if it `is_kept`.
    fn dense([m, k, n]: [usize; 3], ty: &str, is_kept: bool) -> String {
        let (x, w, b, y) = (
            format!("tensor<{m}x{k}x{ty}>"),
            format!("tensor<{k}x{n}x{ty}>"),
            format!("tensor<{n}x{ty}>"),
            format!("tensor<{m}x{n}x{ty}>"),
        );
        let (kept, also) = if is_kept { (", %p", format!(", {y}")) } else { ("", String::new()) };
        format!(
            "func.func @main(%x: {x}, %w: {w}, %b: {b}) -> ({y}{also}) {{
               %zero = stablehlo.constant dense<0> : {y}
               %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({x}, {w}) -> {y}
               %c = stablehlo.broadcast_in_dim %b, dims = [1] : ({b}) -> {y}
               %s = stablehlo.add %p, %c : {y}
               %r = stablehlo.maximum %s, %zero : {y}
               return %r{kept} : {y}{also}
             }}"
        )
        .replace("dense<0>", if ty.starts_with('i') { "dense<0>" } else { "dense<0.0>" })
    }

    fn one_step(agreed: Agreed) {
        agreed.without_interpreter().with(", then loop");
    }

    #[test]
    fn products_are_followed_by_what_is_done_to_their_results() {
        // Whole rows, parts of rows, blocks along the contracting dimension, odd sizes, nothing to sum.
        for shape in
            [[1, 40, 70], [3, 64, 500], [5, 7, 1], [33, 17, 31], [64, 40, 1500], [130, 700, 70], [40, 900, 1100]]
        {
            for is_kept in [false, true] {
                let agreed = agrees_within(&dense(shape, "f32", is_kept), 1, near());
                if shape[0] * shape[2] >= MIN_RESULTS {
                    one_step(agreed);
                }
            }
        }
        one_step(agrees_within(&dense([90, 0, 40], "f32", false), 3, near()));
        for ty in ["bf16", "f16"] {
            one_step(agrees_within(&dense([50, 300, 90], ty, false), 4, Rule { atol: 0.1, rtol: 0.02, ..Rule::EXACT }));
        }
        for ty in ["i8", "i16", "i32", "f64"] {
            let rule = if ty == "f64" { near() } else { Rule::EXACT };
            one_step(agrees_within(&dense([50, 130, 90], ty, false), 5, rule));
        }
    }

    #[test]
    fn convolutions_are_followed_by_what_is_done_to_their_results() {
        let program = |groups: usize| {
            let (x, b) = ("tensor<2x9x10x40xf32>", "tensor<40xf32>");
            let w = format!("tensor<3x3x{}x40xf32>", 40 / groups);
            format!(
                "func.func @main(%x: {x}, %w: {w}, %b: {b}) -> {x} {{
                   %zero = stablehlo.constant dense<0.0> : {x}
                   %p = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                     window = {{stride = [1, 1], pad = [[1, 1], [1, 1]]}}
                     {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x}, {w}) -> {x}
                   %c = stablehlo.broadcast_in_dim %b, dims = [3] : ({b}) -> {x}
                   %s = stablehlo.add %p, %c : {x}
                   %r = stablehlo.maximum %s, %zero : {x}
                   %q = stablehlo.add %r, %x : {x}
                   return %q : {x}
                 }}"
            )
        };
        for groups in [1, 2, 5, 40] {
            one_step(agrees_within(&program(groups), 6, near()));
        }
    }

    #[test]
    fn fewer_multiplications_are_followed_and_forgotten_where_a_result_is_not_finite() {
        let x = "tensor<1x12x14x32xf32>";
        let mlir = format!(
            "func.func @main(%x: {x}, %w: tensor<3x3x32x32xf32>, %b: tensor<32xf32>) -> {x} {{
               %p = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                 window = {{stride = [1, 1], pad = [[1, 1], [1, 1]]}}
                 {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, tensor<3x3x32x32xf32>) -> {x}
               %c = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<32xf32>) -> {x}
               %s = stablehlo.add %p, %c : {x}
               return %s : {x}
             }}"
        );
        let rule = Rule { atol: 1e-3, rtol: 1e-3, ..Rule::EXACT };
        let agreed = agrees_within(&mlir, 7, rule).without_interpreter();
        let has_winograd = agreed.plan.contains("tiles of 2x2");
        assert!(!has_winograd || agreed.plan.contains("features, then loop"), "{}", agreed.plan);
        let mut inputs = generated(&mlir, 8, None);
        let mut numbers = inputs[0].to_vec::<f32>();
        numbers[1000] = f32::INFINITY;
        inputs[0] = Tensor::from_vec::<f32>(inputs[0].shape(), &numbers).unwrap();
        agrees_on(&mlir, &inputs, Some(rule));
    }

    #[test]
    fn what_the_product_still_reads_is_not_overwritten() {
        // The sum could stand where the left operand does, and the product of sums where both are read again.
        let mlir =
            "func.func @main(%x: tensor<64x64xi32>, %w: tensor<64x64xi32>) -> (tensor<64x64xi32>, tensor<64x64xi32>) {
            %y = stablehlo.multiply %x, %x : tensor<64x64xi32>
            %p = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]
              : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
            %s = stablehlo.add %y, %p : tensor<64x64xi32>
            %q = stablehlo.dot_general %s, %s, contracting_dims = [1] x [0]
              : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
            %t = stablehlo.transpose %q, dims = [1, 0] : (tensor<64x64xi32>) -> tensor<64x64xi32>
            %u = stablehlo.add %q, %s : tensor<64x64xi32>
            return %u, %t : tensor<64x64xi32>, tensor<64x64xi32>
          }";
        agrees(mlir, 9).without_interpreter();
    }

    #[test]
    fn a_loop_of_two_products_follows_the_second() {
        let ty = "tensor<40x70xi32>";
        let mlir = format!(
            "func.func @main(%x: tensor<40x30xi32>, %v: tensor<30x70xi32>, %w: tensor<30x70xi32>) -> {ty} {{
               %p = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
                 : (tensor<40x30xi32>, tensor<30x70xi32>) -> {ty}
               %q = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
                 : (tensor<40x30xi32>, tensor<30x70xi32>) -> {ty}
               %r = stablehlo.multiply %p, %q : {ty}
               return %r : {ty}
             }}"
        );
        one_step(agrees(&mlir, 10));
    }

    #[test]
    fn products_in_loops_are_followed() {
        let ty = "tensor<32x32xi32>";
        let mlir = format!(
            "func.func @main(%x: {ty}, %w: {ty}) -> {ty} {{
               %zero = stablehlo.constant dense<0> : tensor<i32>
               %r:2 = stablehlo.while(%v = %x, %i = %zero) : {ty}, tensor<i32>
                 cond {{
                   %n = stablehlo.constant dense<5> : tensor<i32>
                   %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                   stablehlo.return %c : tensor<i1>
                 }} do {{
                   %one = stablehlo.constant dense<1> : tensor<i32>
                   %p = stablehlo.dot_general %v, %w, contracting_dims = [1] x [0] : ({ty}, {ty}) -> {ty}
                   %s = stablehlo.add %p, %v : {ty}
                   %j = stablehlo.add %i, %one : tensor<i32>
                   stablehlo.return %s, %j : {ty}, tensor<i32>
                 }}
               return %r#0 : {ty}
             }}"
        );
        agrees(&mlir, 11).without_interpreter();
    }
}
