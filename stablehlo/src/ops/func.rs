//! The `func` dialect: functions, calls and returns.

use super::classes::ANY;
use super::op;
use super::spec::{Check, Constraint, ResultNames, Syntax, Trait};
use super::value_classes::FUNCTION;
use crate::ir::{AttrId, Attribute, Module, OpId, Type, TypeId};
use crate::ops::OpKind;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Types};
use crate::syntax::TypeForm;
use crate::syntax::parse::functions::{parse_call, parse_call_indirect, parse_func};
use crate::syntax::print::functions::{print_call, print_call_indirect, print_func};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};
use crate::vhlo::history::History;

op! {
    /// `func.func public @name(%arg0: T) -> U { … }`
    pub struct Func = "func" "func";
    operands {}
    attributes {
        required _ sym_name: Str;
        required _ function_type: Ty;
        optional _ sym_visibility: Str;
        optional _ arg_attrs: Array;
        optional _ res_attrs: Array;
        optional _ no_inline: Unit;
    }
    results {}
    regions { one _ body; }
    spec {
        summary: "A function, with a body or declared",
        // Upstream's own texts end functions in `stablehlo.return` too.
        terminators: &[OpKind::FuncReturn, OpKind::Return],
        default_dialect: "func",
        traits: &[Trait::IsolatedFromAbove, Trait::Symbol],
        syntax: Syntax::Custom { parse: parse_func, print: print_func },
        constraints: &[
            Constraint {
                label: "C1",
                text: "function_type is a function type.",
                check: Check::Fn(func_c1_type),
            },
            Constraint {
                label: "C2",
                text: "The visibility is public, private or nested, and a function without body is not public.",
                check: Check::Fn(func_c2_visibility),
            },
            Constraint {
                label: "C3",
                text: "The arguments of the first block have the types that function_type says.",
                check: Check::Fn(func_c3_arguments),
            },
            Constraint {
                label: "C4",
                text: "arg_attrs and res_attrs hold one dictionary per argument or result, with keys that start with a dialect's name.",
                check: Check::Fn(func_c4_attributes),
            },
        ],
        vhlo: History::USUAL.foreign(&["no_inline"]).declared(),
    }
}

op! {
    /// `call @f(%a) : (T) -> U`
    pub struct Call = "func" "call";
    operands { many _ operands: ANY; }
    attributes {
        required _ callee: Symbol;
        optional _ arg_attrs: Array;
        optional _ res_attrs: Array;
        optional _ no_inline: Unit;
    }
    results { many results: ANY; }
    regions {}
    spec {
        summary: "Calls the function `callee`",
        syntax: Syntax::Custom { parse: parse_call, print: print_call },
        constraints: &[
            Constraint {
                label: "C1",
                text: "callee is a function of the module around.",
                check: Check::Fn(call_c1_defined),
            },
            Constraint {
                label: "C2",
                text: "The operands have exactly the types that the function takes.",
                check: Check::Fn(call_c2_operands),
            },
            Constraint {
                label: "C3",
                text: "The results have exactly the types that the function returns.",
                check: Check::Fn(call_c3_results),
            },
        ],
        vhlo: History::USUAL.foreign(&["arg_attrs", "res_attrs", "no_inline"]).declared(),
    }
}

op! {
    /// `call_indirect %f(%a) : (T) -> U`
    pub struct CallIndirect = "func" "call_indirect";
    operands { one _ callee: FUNCTION; many _ callee_operands: ANY; }
    attributes {
        optional _ arg_attrs: Array;
        optional _ res_attrs: Array;
    }
    results { many results: ANY; }
    regions {}
    spec {
        summary: "Calls the function that the value `callee` is",
        syntax: Syntax::Custom { parse: parse_call_indirect, print: print_call_indirect },
        constraints: &[Constraint {
            label: "C1",
            text: "Operands and results have exactly the types of the callee's function type.",
            check: Check::Fn(call_indirect_c1_types),
        }],
    }
}

const CONSTANT_FORM: &[Form] = &[AttrDict, Slot("value"), Types(TypeForm::Results)];

op! {
    /// `constant @f : (T) -> U`
    pub struct FuncConstant = "func" "constant";
    operands {}
    attributes { required _ value: Symbol; }
    results { one result: FUNCTION; }
    regions {}
    spec {
        summary: "The function `value` as a value",
        traits: &[Trait::Pure],
        constraints: &[Constraint {
            label: "C1",
            text: "value is a function of the module around, and its type is the result's.",
            check: Check::Fn(constant_c1_function),
        }],
        syntax: Syntax::Form(CONSTANT_FORM),
        result_names: ResultNames::Fn(|_, _| Some("f")),
    }
}

const RETURN_FORM: &[Form] = &[AttrDict, Operands, Types(TypeForm::Operands)];

op! {
    /// `return %a : T`
    pub struct FuncReturn = "func" "return";
    operands { many _ operands: ANY; }
    attributes {}
    results {}
    regions {}
    spec {
        summary: "Ends a function and gives its results",
        traits: &[Trait::Pure, Trait::Terminator],
        constraints: &[
            Constraint {
                label: "C1",
                text: "The op stands directly in a function.",
                check: Check::Fn(return_c1_in_function),
            },
            Constraint {
                label: "C2",
                text: "The operands have exactly the types of the function's results.",
                check: Check::Fn(return_c2_types),
            },
        ],
        syntax: Syntax::Form(RETURN_FORM),
        vhlo: History::USUAL.declared(),
    }
}

/// Operand and result types of a `func.func`; none when the op is malformed.
pub fn function_type(module: &Module, function: OpId) -> Option<(&[TypeId], &[TypeId])> {
    let Attribute::Type(ty) = module.attr(module.property(function, "function_type")?) else {
        return None;
    };
    match module.ty(*ty) {
        Type::Function { inputs, results } => Some((inputs, results)),
        _ => None,
    }
}

/// Passes when `found` are exactly the types `wanted`; `whose` says where those come from.
pub(super) fn exact_types(
    cx: &Cx<'_>,
    (what, place): (&str, fn(usize) -> Place),
    found: &[TypeId],
    wanted: &[TypeId],
    whose: &str,
) -> Verdict {
    ensure(found.len() == wanted.len(), || {
        Fault::new(format!("wrong number of {what}s: {whose} {}, got {}", wanted.len(), found.len()))
    })?;
    match found.iter().zip(wanted).position(|(found, wanted)| found != wanted) {
        None => Ok(()),
        Some(index) => {
            let (wanted, found) = (cx.show(wanted[index]), cx.show(found[index]));
            Err(Fault::new(format!("{what} #{index} must have type {wanted}, as {whose} it, got {found}"))
                .at(place(index)))
        }
    }
}

fn func_c1_type(cx: &Cx<'_>) -> Verdict {
    let found = Func::new(cx.module, cx.op).function_type();
    ensure(function_type(cx.module, cx.op).is_some(), || {
        Fault::new(format!("function_type must be a function type, got {}", cx.show(found)))
            .at(Place::Attr("function_type"))
    })
}

fn func_c2_visibility(cx: &Cx<'_>) -> Verdict {
    let op = Func::new(cx.module, cx.op);
    let visibility = op.sym_visibility().unwrap_or(b"public");
    ensure(matches!(visibility, b"public" | b"private" | b"nested"), || {
        let found = String::from_utf8_lossy(visibility);
        Fault::new(format!("the visibility must be public, private or nested, got \"{found}\""))
            .at(Place::Attr("sym_visibility"))
    })?;
    ensure(visibility != b"public" || !cx.module.blocks(op.body()).is_empty(), || {
        Fault::new("a function without body must be private or nested, got a public one")
            .at(Place::Attr("sym_visibility"))
            .help("write `func.func private`")
    })
}

fn func_c3_arguments(cx: &Cx<'_>) -> Verdict {
    let (Some((inputs, _)), Some(block)) = (function_type(cx.module, cx.op), cx.module.entry_block(cx.op, 0)) else {
        return Ok(());
    };
    let arguments = &cx.module.block(block).arguments;
    ensure(arguments.len() == inputs.len(), || {
        let (wanted, found) = (inputs.len(), arguments.len());
        Fault::new(format!("the first block must have {wanted} arguments, as function_type says, got {found}"))
    })?;
    for (index, (argument, wanted)) in arguments.iter().zip(inputs).enumerate() {
        let found = cx.ty(*argument);
        ensure(found == *wanted, || {
            let (wanted, found) = (cx.show(*wanted), cx.show(found));
            Fault::new(format!("argument #{index} must have type {wanted}, as function_type says, got {found}"))
        })?;
    }
    Ok(())
}

fn func_c4_attributes(cx: &Cx<'_>) -> Verdict {
    let op = Func::new(cx.module, cx.op);
    let Some((inputs, results)) = function_type(cx.module, cx.op) else {
        return Ok(());
    };
    check_dictionaries(cx, "arg_attrs", op.arg_attrs(), inputs.len())?;
    check_dictionaries(cx, "res_attrs", op.res_attrs(), results.len())
}

fn check_dictionaries(cx: &Cx<'_>, name: &'static str, attrs: Option<&[AttrId]>, wanted: usize) -> Verdict {
    let Some(attrs) = attrs else {
        return Ok(());
    };
    let fault = |message: String| Fault::new(message).at(Place::Attr(name));
    ensure(attrs.len() == wanted, || fault(format!("{name} must have {wanted} entries, got {}", attrs.len())))?;
    for attr in attrs {
        let Attribute::Dictionary(entries) = cx.module.attr(*attr) else {
            return Err(fault(format!("{name} must hold dictionaries, got {}", cx.module.display_attr(*attr))));
        };
        let plain = entries.iter().map(|(key, _)| cx.module.str(*key)).find(|key| !key.contains('.'));
        ensure(plain.is_none(), || {
            let key = plain.unwrap_or_default();
            fault(format!("attributes of arguments and results must start with a dialect's name, got `{key}`"))
                .help(format!("write `dialect.{key}`"))
        })?;
    }
    Ok(())
}

fn call_c1_defined(cx: &Cx<'_>) -> Verdict {
    let callee = Call::new(cx.module, cx.op).callee();
    ensure(cx.function(callee).is_some(), || {
        Fault::new(format!("`@{callee}` is not a function of the module around")).at(Place::Attr("callee"))
    })
}

/// The function called and its types.
fn callee<'m>(cx: &Cx<'m>) -> Option<(OpId, &'m [TypeId], &'m [TypeId])> {
    let function = cx.function(Call::new(cx.module, cx.op).callee())?;
    let (inputs, results) = function_type(cx.module, function)?;
    Some((function, inputs, results))
}

fn call_c2_operands(cx: &Cx<'_>) -> Verdict {
    let Some((function, inputs, _)) = callee(cx) else {
        return Ok(());
    };
    exact_types(cx, ("operand", Place::Operand), &cx.operand_types(), inputs, "the function takes")
        .map_err(|fault| fault.label(Place::Other(function), "the function"))
}

fn call_c3_results(cx: &Cx<'_>) -> Verdict {
    let Some((function, _, results)) = callee(cx) else {
        return Ok(());
    };
    exact_types(cx, ("result", Place::Result), &cx.result_types(), results, "the function returns")
        .map_err(|fault| fault.label(Place::Other(function), "the function"))
}

fn call_indirect_c1_types(cx: &Cx<'_>) -> Verdict {
    let op = CallIndirect::new(cx.module, cx.op);
    let Type::Function { inputs, results } = cx.module.ty(cx.ty(op.callee())) else {
        return Ok(());
    };
    let found = cx.types(op.callee_operands());
    exact_types(cx, ("operand", |index| Place::Operand(index + 1)), &found, inputs, "the function takes")?;
    exact_types(cx, ("result", Place::Result), &cx.result_types(), results, "the function returns")
}

fn constant_c1_function(cx: &Cx<'_>) -> Verdict {
    let op = FuncConstant::new(cx.module, cx.op);
    let Some(function) = cx.function(op.value()) else {
        return Err(
            Fault::new(format!("`@{}` is not a function of the module around", op.value())).at(Place::Attr("value"))
        );
    };
    let found = cx.ty(op.result());
    let wanted = match cx.module.property(function, "function_type").map(|attr| cx.module.attr(attr)) {
        Some(Attribute::Type(ty)) => *ty,
        _ => return Ok(()),
    };
    ensure(wanted == found, || {
        Fault::new(format!(
            "the result must have type {}, as the function has, got {}",
            cx.show(wanted),
            cx.show(found)
        ))
        .at(Place::Result(0))
        .label(Place::Other(function), "the function")
    })
}

fn return_c1_in_function(cx: &Cx<'_>) -> Verdict {
    let around = cx.module.parent_op(cx.op);
    ensure(around.is_some_and(|op| cx.module.kind(op) == Some(OpKind::Func)), || {
        let found = around.map_or("nothing", |op| cx.module.op_name(op));
        Fault::new(format!("`func.return` must stand directly in a `func.func`, got `{found}` around it"))
            .help("regions of StableHLO ops end with `stablehlo.return`")
    })
}

fn return_c2_types(cx: &Cx<'_>) -> Verdict {
    let Some(function) = cx.module.parent_op(cx.op) else {
        return Ok(());
    };
    let Some((_, results)) = function_type(cx.module, function) else {
        return Ok(());
    };
    exact_types(cx, ("operand", Place::Operand), &cx.operand_types(), results, "the function returns")
        .map_err(|fault| fault.label(Place::Other(function), "the function"))
}
