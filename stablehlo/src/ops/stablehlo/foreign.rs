//! Ops that name code elsewhere: `custom_call` and `composite`.

use super::custom_call_rules as rules;
use crate::ir::{Type, TypeId};
use crate::ops::func::function_type;
use crate::ops::spec::{Check, Constraint, DefaultValue, Syntax};
use crate::ops::value_classes::{ANY_TENSOR_TOKEN_OR_TUPLE, CUSTOM_CALL_VALUE};
use crate::ops::{OpKind, op};
use crate::syntax::custom;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

op! {
    /// A call of something that only the backend knows.
    pub struct CustomCall = "stablehlo" "custom_call";
    operands { many I1 inputs: CUSTOM_CALL_VALUE; }
    attributes {
        required I2 call_target_name: Str;
        default I3 has_side_effect: Bool = DefaultValue::Bool(false);
        optional I4 backend_config: StringOrDictionary;
        default I5 api_version: I32 = DefaultValue::I32(1);
        default I6 called_computations: SymbolArray = DefaultValue::EmptyArray;
        optional _ operand_layouts: LayoutArray;
        optional _ result_layouts: LayoutArray;
        default I7 output_operand_aliases: OutputOperandAliases = DefaultValue::EmptyArray;
        optional _ result_tilings: TilingArray;
    }
    results { many results: CUSTOM_CALL_VALUE; }
    regions {}
    spec {
        summary: "Calls the implementation-defined operation `call_target_name`",
        syntax: Syntax::Custom { parse: custom::custom_call::parse, print: custom::custom_call::print },
        anchor: "custom_call",
        constraints: &[
            Constraint {
                label: "X1",
                text: "Layouts are given for all operands and all results or for none; each is a permutation of the dimensions of its tensor and empty for anything else.",
                check: Check::Fn(rules::x1_layouts),
            },
            Constraint {
                label: "X2",
                text: "Each entry of output_operand_aliases names an operand and parts of it and of the results that exist and have the same type.",
                check: Check::Fn(rules::x2_aliases),
            },
            Constraint {
                label: "X3",
                text: "api_version is 0 to 4, and backend_config is a dictionary with version 4 (typed FFI) and a string with all others.",
                check: Check::Fn(rules::x3_backend_config),
            },
            Constraint {
                label: "X4",
                text: "Every memref among the results is aliased exactly once, and no memref among the operands twice; the targets CreateBuffer, Pin and Unpin take and give what their names say.",
                check: Check::Fn(rules::x4_buffers),
            },
        ],
    }
}

op! {
    /// An op made of other ops, with a name that backends may know.
    pub struct Composite = "stablehlo" "composite";
    operands { many I1 inputs: ANY_TENSOR_TOKEN_OR_TUPLE; }
    attributes {
        required I2 name: Str;
        default I3 composite_attributes: Dictionary = DefaultValue::EmptyDictionary;
        required I4 decomposition: Symbol;
        default I5 version: I32 = DefaultValue::I32(0);
    }
    results { many results: ANY_TENSOR_TOKEN_OR_TUPLE; }
    regions { many I6 regions; }
    spec {
        summary: "Stands for the function `decomposition`, under a name that backends may implement directly",
        syntax: Syntax::Custom { parse: custom::composite::parse, print: custom::composite::print },
        anchor: "composite",
        terminators: &[OpKind::Return, OpKind::FuncReturn],
        constraints: &[
            Constraint {
                label: "C1",
                text: "name has at least two parts, a namespace and a name, joined by dots: it starts with a letter; letters, digits, _ and, after the first dot, $ may follow.",
                check: Check::Fn(composite_c1_name),
            },
            Constraint {
                label: "C2",
                text: "decomposition is a function of the module around.",
                check: Check::Fn(composite_c2_defined),
            },
            Constraint {
                label: "C3",
                text: "The operands have exactly the types that decomposition takes.",
                check: Check::Fn(composite_c3_operands),
            },
            Constraint {
                label: "C4",
                text: "The results have exactly the types that decomposition returns.",
                check: Check::Fn(composite_c4_results),
            },
        ],
    }
}

fn composite_c1_name(cx: &Cx<'_>) -> Verdict {
    let name = Composite::new(cx.module, cx.op).name();
    let word = |part: &[u8], extra: &[u8]| {
        !part.is_empty()
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || extra.contains(byte))
    };
    let mut parts = name.split(|byte| *byte == b'.');
    let first = parts.next().unwrap_or_default();
    let namespaced = word(first, b"") && first[0].is_ascii_alphabetic() && name.contains(&b'.');
    ensure(namespaced && parts.all(|part| word(part, b"$")), || {
        let found = String::from_utf8_lossy(name);
        Fault::new(format!("name must be namespaced like \"my_namespace.my_op\", got \"{found}\""))
            .at(Place::Attr("name"))
    })
}

/// Types that the decomposition takes and returns; none when it is not there or malformed.
fn decomposition<'m>(cx: &Cx<'m>) -> Option<(&'m [TypeId], &'m [TypeId])> {
    function_type(cx.module, cx.function(Composite::new(cx.module, cx.op).decomposition())?)
}

fn composite_c2_defined(cx: &Cx<'_>) -> Verdict {
    let symbol = Composite::new(cx.module, cx.op).decomposition();
    ensure(cx.function(symbol).is_some(), || {
        Fault::new(format!("decomposition `@{symbol}` is not a function of the module around"))
            .at(Place::Attr("decomposition"))
    })
}

fn composite_c3_operands(cx: &Cx<'_>) -> Verdict {
    let Some((inputs, _)) = decomposition(cx) else {
        return Ok(());
    };
    let found: Vec<TypeId> = cx.module.operands(cx.op).iter().map(|value| cx.ty(*value)).collect();
    crate::ops::func::exact_types(cx, ("operand", Place::Operand), &found, inputs, "decomposition takes")
}

fn composite_c4_results(cx: &Cx<'_>) -> Verdict {
    let Some((_, results)) = decomposition(cx) else {
        return Ok(());
    };
    let found: Vec<TypeId> = cx.module.results(cx.op).iter().map(|value| cx.ty(value)).collect();
    crate::ops::func::exact_types(cx, ("result", Place::Result), &found, results, "decomposition returns")
}

/// The element types of a tuple type.
pub(super) fn tuple_elements<'m>(cx: &Cx<'m>, ty: TypeId) -> Option<&'m [TypeId]> {
    match cx.module.ty(ty) {
        Type::Tuple(elements) => Some(elements),
        _ => None,
    }
}
