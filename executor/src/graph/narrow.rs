//! Contractions read operands that were converted for them where they were converted from.
//!
//! Weights are stored in few bits and converted to what they are multiplied with. A kernel that widens elements while it
//! packs or reads them spares the program the wide copy, which is several times as large.

use stablehlo::element::ElementType;
use stablehlo::ir::Literal;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::broadcast_in_dim::BroadcastInDim;

use super::{Body, Graph, Node, NodeKind, Val};
use crate::kernels::dot_general::reads;
use crate::kernels::gemv;

/// Whether every number of one type is one of the other.
fn is_exact(from: ElementType, to: ElementType) -> bool {
    use ElementType::{BF16, F16, F32};
    let fits = |bits: u32| from.is_integer() && from.bits() <= bits;
    match to {
        F32 => fits(16) || matches!(from, BF16 | F16) || from.is_float() && from.bits() == 8,
        BF16 | F16 => fits(8),
        to if to.is_integer() && to.is_unsigned() => from.is_unsigned() && fits(to.bits() - 1),
        to if to.is_integer() => fits(to.bits() - 1),
        _ => false,
    }
}

impl Graph<'_> {
    /// Lets contractions read what their operands were converted from, if they can.
    pub(super) fn skip_conversions(&self, body: &mut Body) {
        self.sink_conversions(body);
        for index in 0..body.nodes.len() {
            while let Some(operands) = self.narrower(body, &body.nodes[index]) {
                body.nodes[index].operands[..2].copy_from_slice(&operands);
            }
            if let Some((operand, weights, factors)) = self.scaled(body, &body.nodes[index]) {
                let node = &mut body.nodes[index];
                node.operands[operand] = weights;
                node.operands.push(factors);
                node.scaled = Some(operand);
            }
        }
    }

    /// What a node's operand is the exact conversion of, if it is a `convert` of numbers.
    fn converted(&self, body: &Body, value: Val) -> Option<Val> {
        let from = *body.node(value)?.operands.first()?;
        if body.kind(value)? != OpKind::Convert {
            return None;
        }
        let (before, after) = (body.ty(from), body.ty(value));
        let is_plain = [before, after].iter().all(|ty| self.module.quantized(ty.ty).is_none());
        (is_plain && is_exact(before.element?, after.element?)).then_some(from)
    }

    /// What a contraction can read instead of its operands.
    fn narrower(&self, body: &Body, node: &Node) -> Option<[Val; 2]> {
        if !matches!(node.kind, NodeKind::Op(OpKind::Dot | OpKind::DotGeneral)) {
            return None;
        }
        let own = [node.operands[0], node.operands[1]];
        let [lhs, rhs] = own.map(|value| self.converted(body, value).unwrap_or(value));
        // Of integers there may be no product of only one that is narrow.
        [[lhs, rhs], [own[0], rhs], [lhs, own[1]]]
            .into_iter()
            .find(|operands| *operands != own && reads(self.module, node, operands.map(|value| body.ty(value))))
    }

    /// An operand of a product of few rows that is scaled weights, the weights, and what they are scaled by.
    fn scaled(&self, body: &Body, node: &Node) -> Option<(usize, Val, Val)> {
        if !matches!(node.kind, NodeKind::Op(OpKind::Dot | OpKind::DotGeneral)) {
            return None;
        }
        (0..2).rev().find_map(|operand| {
            let value = node.operands[operand];
            let product = body.node(value).filter(|_| body.kind(value) == Some(OpKind::Multiply))?;
            let (weights, factors) = [(0, 1), (1, 0)].into_iter().find_map(|(weights, factors)| {
                let weights = self.converted(body, product.operands[weights])?;
                Some((weights, product.operands[factors]))
            })?;
            // What is a view need not stand as gemv reads it.
            let is_whole = !body.kind(weights).is_some_and(crate::plan::is_view)
                && !body.constant(weights).is_some_and(Literal::is_splat);
            let types = [body.ty(weights), body.ty(node.operands[1 - operand]), body.ty(factors)];
            let dim = gemv::reads_scaled(self.module, node, operand, types).filter(|_| is_whole)?;
            Some((operand, weights, self.factors(body, factors, dim, types[0].shape[dim])?))
        })
    }

    /// The list of factors, or the one, of which `value` is the broadcast along a dimension.
    fn factors(&self, body: &Body, value: Val, dim: usize, n: usize) -> Option<Val> {
        if body.constant(value).is_some_and(Literal::is_splat) {
            return Some(value);
        }
        let node = body.node(value).filter(|_| body.kind(value) == Some(OpKind::BroadcastInDim))?;
        let list = node.operands[0];
        let dims = BroadcastInDim::new(self.module, node.op).broadcast_dimensions();
        match (&body.ty(list).shape[..], dims) {
            ([], []) => Some(list),
            ([size], [along]) if *size == n && usize::try_from(*along) == Ok(dim) => Some(list),
            _ => None,
        }
    }

    /// Transposes and reshapes what was converted before it is converted: that moves less, and brings conversions to where
    /// they are needed.
    fn sink_conversions(&self, body: &mut Body) {
        let uses = body.uses();
        for index in 0..body.nodes.len() {
            let NodeKind::Op(OpKind::Transpose | OpKind::Reshape) = body.nodes[index].kind else { continue };
            let operand = body.nodes[index].operands[0];
            let Val::Node(convert, _) = operand else { continue };
            let Some(from) = self.converted(body, operand) else { continue };
            if uses[convert as usize] != 1 || body.results.contains(&operand) {
                continue;
            }
            // The two change places.
            let narrow = body.ty(from).clone();
            let (moved, converted) = (body.nodes[index].clone(), body.nodes[convert as usize].clone());
            let mut types = moved.types.clone();
            types[0].ty = narrow.ty;
            types[0].element = narrow.element;
            body.nodes[convert as usize] = Node { operands: smallvec::smallvec![from], types, ..moved };
            let types = body.nodes[index].types.clone();
            body.nodes[index] = Node { operands: smallvec::smallvec![operand], types, ..converted };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{agrees, agrees_within};

    /// A product whose right operand is converted, perhaps turned first.
    fn program(lhs: &str, rhs: &str, result: &str, (m, k, n): (usize, usize, usize), turned: bool) -> String {
        let weights = if turned { format!("tensor<{n}x{k}x") } else { format!("tensor<{k}x{n}x") };
        let numbers = "[1] x [0]";
        let turn = match turned {
            true => format!(
                "%t = stablehlo.convert %w : ({weights}{rhs}>) -> {weights}{lhs}>
                 %c = stablehlo.transpose %t, dims = [1, 0] : ({weights}{lhs}>) -> tensor<{k}x{n}x{lhs}>"
            ),
            false => format!("%c = stablehlo.convert %w : ({weights}{rhs}>) -> {weights}{lhs}>"),
        };
        format!(
            "func.func @main(%x: tensor<{m}x{k}x{lhs}>, %w: {weights}{rhs}>) -> tensor<{m}x{n}x{result}> {{
               {turn}
               %0 = stablehlo.dot_general %x, %c, contracting_dims = {numbers}
                 : (tensor<{m}x{k}x{lhs}>, tensor<{k}x{n}x{lhs}>) -> tensor<{m}x{n}x{result}>
               return %0 : tensor<{m}x{n}x{result}>
             }}"
        )
    }

    const SIZES: [(usize, usize, usize); 5] = [(1, 40, 70), (3, 130, 33), (30, 67, 96), (13, 9, 5), (2, 700, 40)];

    #[test]
    fn weights_are_widened_as_they_are_read() {
        for (lhs, rhs, result) in [
            ("f32", "i8", "f32"),
            ("f32", "ui8", "f32"),
            ("f32", "i4", "f32"),
            ("f32", "bf16", "f32"),
            ("bf16", "i8", "bf16"),
            ("bf16", "i8", "f32"),
            ("bf16", "ui4", "f32"),
            ("f16", "i8", "f16"),
            ("f32", "f8E4M3FN", "f32"),
        ] {
            for size in SIZES {
                for turned in [false, true] {
                    let rule = match result {
                        "f32" => interpreter::compare::Rule { atol: 0.05, rtol: 1e-4, ulp: 0 },
                        _ => interpreter::compare::Rule { atol: 2.0, rtol: 1e-2, ulp: 2 },
                    };
                    let agreed = agrees_within(&program(lhs, rhs, result, size, turned), 3, rule).without_interpreter();
                    assert!(!agreed.plan.contains("convert"), "{}", agreed.plan);
                }
            }
        }
    }

    #[test]
    fn scaled_weights_are_scaled_as_they_are_read() {
        for (float, weights) in [("f32", "i8"), ("f32", "ui4"), ("bf16", "i8"), ("bf16", "i4")] {
            for (m, k, n) in [(1, 40, 70), (3, 133, 33), (9, 40, 70)] {
                for (columns, factors) in [(true, true), (true, false), (false, true), (false, false)] {
                    let (shape, numbers, dim) = if columns {
                        (format!("{k}x{n}"), "[1] x [0]", 1)
                    } else {
                        (format!("{n}x{k}"), "[1] x [1]", 0)
                    };
                    let (list, dims) =
                        if factors { (format!("{n}x"), format!("[{dim}]")) } else { (String::new(), "[]".into()) };
                    let mlir = format!(
                        "func.func @main(%x: tensor<{m}x{k}x{float}>, %w: tensor<{shape}x{weights}>, %s: tensor<{list}{float}>)
                             -> tensor<{m}x{n}x{float}> {{
                           %c = stablehlo.convert %w : (tensor<{shape}x{weights}>) -> tensor<{shape}x{float}>
                           %b = stablehlo.broadcast_in_dim %s, dims = {dims} : (tensor<{list}{float}>) -> tensor<{shape}x{float}>
                           %p = stablehlo.multiply %c, %b : tensor<{shape}x{float}>
                           %0 = stablehlo.dot_general %x, %p, contracting_dims = {numbers}
                             : (tensor<{m}x{k}x{float}>, tensor<{shape}x{float}>) -> tensor<{m}x{n}x{float}>
                           return %0 : tensor<{m}x{n}x{float}>
                         }}"
                    );
                    let rule = match float {
                        "f32" => interpreter::compare::Rule { atol: 0.05, rtol: 1e-4, ulp: 0 },
                        _ => interpreter::compare::Rule { atol: 2.0, rtol: 1e-2, ulp: 2 },
                    };
                    let agreed = agrees_within(&mlir, 9, rule).without_interpreter();
                    assert_eq!(agreed.plan.contains("multiply"), m > 4, "{}", agreed.plan);
                }
            }
        }
    }

    #[test]
    fn bytes_are_multiplied_as_bytes() {
        for (lhs, rhs) in [("i8", "i4"), ("i4", "i4"), ("ui8", "ui4")] {
            for size in SIZES {
                agrees(&program(lhs, rhs, "i32", size, false), 5).without_interpreter();
            }
        }
        for (lhs, rhs) in [("ui8", "i8"), ("i8", "ui8"), ("ui8", "ui8"), ("i8", "i8"), ("i2", "ui8")] {
            for (m, k, n) in SIZES {
                let mlir = format!(
                    "func.func @main(%x: tensor<{m}x{k}x{lhs}>, %w: tensor<{n}x{k}x{rhs}>) -> tensor<{m}x{n}xi32> {{
                       %a = stablehlo.convert %x : (tensor<{m}x{k}x{lhs}>) -> tensor<{m}x{k}xi32>
                       %b = stablehlo.convert %w : (tensor<{n}x{k}x{rhs}>) -> tensor<{n}x{k}xi32>
                       %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1]
                         : (tensor<{m}x{k}xi32>, tensor<{n}x{k}xi32>) -> tensor<{m}x{n}xi32>
                       return %0 : tensor<{m}x{n}xi32>
                     }}"
                );
                let agreed = agrees(&mlir, 7).without_interpreter();
                assert!(!agreed.plan.contains("convert"), "{}", agreed.plan);
            }
        }
    }
}
