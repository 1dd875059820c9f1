//! Which step computes an elementwise node.

use interpreter::element::CompareType;
use interpreter::ops::elementwise::question;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::elementwise::convert::ReducePrecision;

use crate::graph::{Graph, Node, NodeKind};
use crate::kernels::elementwise::{self as kernels, Detail, Operation};
use crate::kernels::isa::Isa;
use crate::kernels::lanes::StepFn;

/// What a node computes, for those that have a [`step`].
pub fn operation(graph: &Graph<'_>, node: &Node) -> Option<Operation> {
    let NodeKind::Op(kind) = node.kind else { return None };
    let module = graph.module;
    let to = node.types.first()?.element?;
    let from = match kind {
        // What is converted later is reshaped as it was.
        OpKind::Reshape => to,
        _ => module.storage_element(module.value_type(*module.operands(node.op).first()?))?,
    };
    let detail = match kind {
        OpKind::Compare => {
            let (direction, compare_type) = question(module, node.op)?;
            Detail::Compare(direction, compare_type == CompareType::TotalOrder)
        }
        OpKind::ReducePrecision => {
            let op = ReducePrecision::new(module, node.op);
            Detail::Precision(op.exponent_bits(), op.mantissa_bits())
        }
        _ => Detail::None,
    };
    Some(Operation { kind, from, to, detail })
}

/// The step of a node on operands of its own shape or on scalars; none when the node is not elementwise.
pub fn step(graph: &Graph<'_>, node: &Node, isa: Isa) -> Option<StepFn> {
    let NodeKind::Op(kind) = node.kind else { return None };
    let module = graph.module;
    let [result] = &node.types[..] else { return None };
    let types = || module.operands(node.op).iter().map(|operand| module.value_type(*operand)).chain([result.ty]);
    // Storage under another name is what it was.
    if kind != OpKind::BitcastConvert && types().any(|ty| module.quantized(ty).is_some()) {
        return None;
    }
    let element = module.storage_element(types().next()?)?;
    let to = result.element?;
    match kind {
        // A reshape in the order of the elements.
        OpKind::Reshape => Some(kernels::copy(to)),
        OpKind::Compare => {
            let (direction, compare_type) = question(module, node.op)?;
            kernels::compare(isa, element, direction, compare_type)
        }
        OpKind::Select => kernels::select(isa, to),
        OpKind::Convert if element == to => Some(kernels::copy(to)),
        OpKind::Convert => kernels::convert(isa, element, to),
        OpKind::BitcastConvert => (element.bits() == to.bits()).then(|| kernels::copy(to)),
        OpKind::ReducePrecision => {
            let op = ReducePrecision::new(module, node.op);
            kernels::reduce_precision(isa, element, op.exponent_bits(), op.mantissa_bits())
        }
        _ => kernels::simple(isa, kind, element),
    }
}
