//! How requirements are told.

use super::needs::{Culprit, Need};
use crate::ir::{AttrId, Attribute, EnumValue, Module, OpId, Type, TypeId};
use crate::ops::OpKind;
use crate::ops::func::function_type;

/// How many parts of a type are searched for the place of another: types share parts, and nobody needs the place of
/// something that is hidden better.
const MAX_STEPS: usize = 1000;

/// What is needed, `known` where there is a version that has it.
pub(super) fn describe_type(module: &Module, ty: TypeId, known: bool) -> String {
    match module.ty(ty) {
        Type::MemRef { .. } if known => "a memref".to_owned(),
        Type::Future(_) if known => "`!stablehlo.future`".to_owned(),
        Type::Quantized(_) if known => "quantization per axis".to_owned(),
        Type::Integer { .. } | Type::Float(_) | Type::None => module.display_type(ty).to_string(),
        _ => format!("type {}", quoted(&module.display_type(ty).to_string())),
    }
}

/// The same for attributes.
pub(super) fn describe_attr(module: &Module, attr: AttrId, known: bool) -> String {
    match module.attr(attr) {
        Attribute::ResultAccuracy(_) | Attribute::Enum(EnumValue::ResultAccuracyMode(_)) if known => {
            "`#stablehlo.result_accuracy`".to_owned()
        }
        Attribute::ReplicaGroupMeshAxes { .. } if known => "`#stablehlo.replica_group_mesh_axes`".to_owned(),
        _ => format!("attribute {}", quoted(&module.display_attr(attr).to_string())),
    }
}

/// The beginning of a text, on one line.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("`{}…`", &text[..at]),
        None => format!("`{text}`"),
    }
}

/// `@main` for functions, the op's name and the function around it for others.
pub(super) fn place_of(module: &Module, op: OpId) -> String {
    let symbol = |op: OpId| module.property(op, "sym_name").and_then(|attr| module.string_attr(attr));
    if module.kind(op) == Some(OpKind::Func)
        && let Some(name) = symbol(op)
    {
        return format!("@{name}");
    }
    let mut around = module.parent_op(op);
    while let Some(op) = around {
        if module.kind(op) == Some(OpKind::Func) {
            break;
        }
        around = module.parent_op(op);
    }
    match around.and_then(symbol) {
        Some(name) => format!("`{}` in @{name}", module.op_name(op)),
        None => format!("`{}`", module.op_name(op)),
    }
}

/// Where in an attribute: an argument or result for the types of functions.
pub(super) fn at_attribute(module: &Module, op: OpId, name: &str, need: Need) -> String {
    let (Need::Version(_, part) | Need::Never(part)) = need else {
        return String::new();
    };
    let place = place_of(module, op);
    if let (OpKind::Func, "function_type", Some((inputs, results)), Culprit::Type(culprit)) =
        (module.kind(op).unwrap_or(OpKind::Module), name, function_type(module, op), part)
    {
        let holds = |ty: &TypeId| *ty == culprit || contains(module, *ty, culprit);
        if let Some(index) = inputs.iter().position(holds) {
            return format!("argument {index} of {place}");
        }
        if let Some(index) = results.iter().position(holds) {
            return format!("result {index} of {place}");
        }
    }
    format!("attribute `{name}` of {place}")
}

/// Whether `part` is somewhere inside `ty`.
fn contains(module: &Module, ty: TypeId, part: TypeId) -> bool {
    let mut stack = vec![ty];
    for _ in 0..MAX_STEPS {
        let Some(ty) = stack.pop() else {
            return false;
        };
        if ty == part {
            return true;
        }
        match module.ty(ty) {
            Type::Complex(element) | Type::UnrankedTensor { element } | Type::MemRef { element, .. } => {
                stack.push(*element);
            }
            Type::RankedTensor(tensor) => stack.push(tensor.element),
            Type::Tuple(types) | Type::Future(types) => stack.extend(types),
            Type::Function { inputs, results } => stack.extend(inputs.iter().chain(results)),
            Type::Quantized(quantized) => stack.extend([quantized.storage.ty, quantized.expressed]),
            _ => {}
        }
    }
    false
}
