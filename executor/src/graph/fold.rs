//! What is known when the plan is made is computed then.
//!
//! The interpreter does the computing, so that folding cannot change a result. Only small values are worth it: programs
//! are full of scalars that are converted, negated or compared once and for all.

use bytes::Bytes;
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::ir::{Literal, ValueId};
use stablehlo::ops::spec::Trait;
use stablehlo::verify::Verified;

use super::{Body, Node, NodeKind};
use crate::plan::is_view;

/// The most elements of a value that is computed.
const MAX_ELEMENTS: usize = 1 << 12;
/// Steps that one op may take.
const MAX_STEPS: u64 = 1 << 16;

/// Computes every node of a body whose operands are known.
pub fn fold(module: Verified<'_>, body: &mut Body) {
    for index in 0..body.nodes.len() {
        if let Some(literal) = folded(module, body, &body.nodes[index]) {
            let node = &mut body.nodes[index];
            node.kind = NodeKind::Constant(literal);
            node.operands.clear();
        }
    }
}

fn folded(module: Verified<'_>, body: &Body, node: &Node) -> Option<Literal> {
    let NodeKind::Op(kind) = node.kind else { return None };
    let [ty] = &node.types[..] else { return None };
    let element = ty.element?;
    if !kind.spec().has(Trait::Pure) || !node.bodies.is_empty() || node.operands.is_empty() || ty.is_empty() {
        return None;
    }
    let literals: Vec<&Literal> = node.operands.iter().map(|value| body.constant(*value)).collect::<Option<_>>()?;
    if is_view(kind) {
        // One element stays one element. What is not one stays a view, which costs nothing.
        let [literal] = literals[..] else { return None };
        let is_one = literal.is_splat() || literal.len() == 1;
        return Literal::splat(element, ty.shape.to_vec(), literal.data().clone()).filter(|_| is_one);
    }
    if ty.len() > MAX_ELEMENTS || literals.iter().any(|literal| literal.len() > MAX_ELEMENTS) {
        return None;
    }
    let ids: &[ValueId] = module.module().operands(node.op);
    let operands = ids.iter().copied().zip(literals).map(|(id, literal)| (id, Value::Tensor(Tensor::from(literal))));
    let config = Config { max_steps: MAX_STEPS, ..Config::default() };
    let results = interpreter::eval::run_op(module, node.op, operands.collect(), &config, &mut Host::default()).ok()?;
    let [Value::Tensor(tensor)] = &results[..] else { return None };
    compact(&Literal::from(tensor))
}

/// The literal with its one element once, if it has but one.
fn compact(literal: &Literal) -> Option<Literal> {
    let width = literal.element().byte_width();
    let data = literal.data();
    let first = data.get(..width)?;
    if literal.is_splat() || data.chunks(width).any(|element| element != first) {
        return Some(literal.clone());
    }
    Literal::splat(literal.element(), literal.shape().to_vec(), Bytes::copy_from_slice(first))
}

#[cfg(test)]
mod tests {
    use crate::testing::agrees;

    #[test]
    fn known_scalars_are_computed_with_the_plan() {
        let mlir = "func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
            %a = stablehlo.constant dense<3> : tensor<i32>
            %b = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
            %c = stablehlo.convert %a : (tensor<i32>) -> tensor<f32>
            %d = stablehlo.slice %b [1:2] : (tensor<2xf32>) -> tensor<1xf32>
            %e = stablehlo.reshape %d : (tensor<1xf32>) -> tensor<f32>
            %f = stablehlo.multiply %c, %c : tensor<f32>
            %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1000xf32>
            %h = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<f32>) -> tensor<1000xf32>
            %i = stablehlo.add %x, %g : tensor<1000xf32>
            %r = stablehlo.add %i, %h : tensor<1000xf32>
            return %r : tensor<1000xf32>
          }";
        let agreed = agrees(mlir, 1).without_interpreter().with("loop 1000: add add [linear splat splat]");
        assert_eq!(agreed.plan.matches(" = ").count(), 1, "{}", agreed.plan);
    }

    #[test]
    fn equal_folds_are_done_once() {
        let fold = "applies stablehlo.maximum across dimensions = [1]
              : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>";
        let mlir = format!(
            "func.func @main(%x: tensor<64x8xf32>) -> (tensor<64xf32>, tensor<64xf32>) {{
            %a = stablehlo.constant dense<0.0> : tensor<f32>
            %b = stablehlo.constant dense<0.0> : tensor<f32>
            %r = stablehlo.reduce(%x init: %a) {fold}
            %s = stablehlo.reduce(%x init: %b) {fold}
            %t = stablehlo.negate %s : tensor<64xf32>
            return %r, %t : tensor<64xf32>, tensor<64xf32>
          }}"
        );
        let agreed = agrees(&mlir, 2).without_interpreter();
        assert_eq!(agreed.plan.matches("reduce").count(), 1, "{}", agreed.plan);
    }
}
