//! Ops that name code elsewhere: `custom_call` and `composite`.

use super::custom_call_rules as rules;
use crate::ir::{Attribute, OpId, Type, TypeId};
use crate::ops::func::{exact_types, function_type};
use crate::ops::spec::{Check, Constraint, DefaultValue, Syntax};
use crate::ops::value_classes::{ANY_TENSOR_TOKEN_OR_TUPLE, CUSTOM_CALL_VALUE};
use crate::ops::{OpKind, op};
use crate::syntax::parse::lexical::accept;
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::print::write::push_symbol;
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};
use crate::vhlo::Version;
use crate::vhlo::history::{Absent, Change, Demand, History, Step, Written};

/// What readers of `custom_call` could not do before.
const DEMANDS: &[Demand] = &[
    Demand {
        since: Version::new(1, 3, 0),
        unless: "a dictionary as backend_config, or the calling convention of typed calls",
        holds: |module, op| {
            let property = |name| module.property(op, name).map(|attr| module.attr(attr));
            !matches!(property("backend_config"), Some(Attribute::Dictionary(_)))
                && !matches!(property("api_version"), Some(Attribute::Integer { value: 4, .. }))
        },
    },
    Demand {
        since: Version::new(1, 17, 0),
        unless: "futures as operands",
        holds: |module, op| {
            module.operands(op).iter().all(|value| !matches!(module.ty(module.value_type(*value)), Type::Future(_)))
        },
    },
];

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
        syntax: Syntax::Custom { parse: parse_custom_call, print: print_custom_call },
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
        vhlo: History::USUAL
            .steps(&[Step::new(1, 18, &[Change::Attributes(&["result_tilings"])])])
            .absent(&[("api_version", Absent::OriginalApi), ("backend_config", Absent::BackendConfig)])
            .written(&[("api_version", Written::ApiVersion)])
            .demands(DEMANDS)
            .declared(),
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
        syntax: Syntax::Custom { parse: parse_composite, print: print_composite },
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
        vhlo: History::since(0, 19)
            .steps(&[Step::new(1, 14, &[Change::Regions])])
            .absent(&[("version", Absent::I64(0))])
            .declared(),
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
    exact_types(cx, ("operand", Place::Operand), &cx.operand_types(), inputs, "decomposition takes")
}

fn composite_c4_results(cx: &Cx<'_>) -> Verdict {
    let Some((_, results)) = decomposition(cx) else {
        return Ok(());
    };
    exact_types(cx, ("result", Place::Result), &cx.result_types(), results, "decomposition returns")
}

/// `@target(%a, %b) {…} : (T, U) -> V`
fn print_custom_call(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let target = module.property(op, "call_target_name");
    let Some(target) = target.and_then(|attr| module.string_attr(attr)) else { return p.give_up() };
    p.out.push(' ');
    push_symbol(&mut p.out, target);
    p.out.push('(');
    p.values(module.operands(op));
    p.out.push(')');
    p.attr_dict(op, &["call_target_name"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print_custom_call`] writes.
fn parse_custom_call<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, target) = parser.symbol_name(i)?;
    let target = parser.module.str(target).as_bytes().to_vec();
    let target = parser.string_value(&target);
    parser.set_attribute(state, "call_target_name", target);
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = parser.operands(i, state)?;
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}

/// `"name" %a, %b ({…}) {…} : (T, U) -> V`
fn print_composite(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(name) = module.property(op, "name") else { return p.give_up() };
    p.out.push(' ');
    p.attr_without_type(name);
    p.out.push(' ');
    p.values(module.operands(op));
    for (index, region) in module.regions(op).iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { " (" });
        p.region(*region, true, true);
    }
    p.out.push_str(if module.regions(op).is_empty() { "" } else { ")" });
    p.attr_dict(op, &["name"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print_composite`] writes.
fn parse_composite<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.slot(i, state, "name")?;
    let (mut i, ()) = parser.operands(i, state)?;
    if let Some(mut rest) = accept(i, "(") {
        loop {
            let (after, region) = parser.region(rest, &[])?;
            state.regions.push(region);
            match accept(after, ",") {
                Some(after) => rest = after,
                None => {
                    (i, ()) = punct!(after, ")")?;
                    break;
                }
            }
        }
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}
