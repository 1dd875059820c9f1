//! Control flow: `if`, `case`, `while` and the `return` that ends their regions.

use super::computation::Computation;
use super::dims::bounded;
use crate::ir::{DYNAMIC, Dims, OpId, Shape, TypeId, ValueId};
use crate::ops::classes::{ANY, SCALAR_I32_TENSOR, SCALAR_PRED_TENSOR};
use crate::ops::op;
use crate::ops::spec::{Arity, Check, Constraint, Infer, Syntax, Trait};
use crate::ops::value_classes::{ANY_TENSOR_OR_TOKEN, ANY_TENSOR_TOKEN_OR_BUFFER};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::parse::lexical::{accept, expect_keyword};
use crate::syntax::parse::{Argument, Input, OpState, PResult, Parser, TrailingLocation, Use, fault, punct};
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_types, ensure};

op! {
    /// One of two regions, chosen by a boolean.
    pub struct If = "stablehlo" "if";
    operands { one I1 pred: SCALAR_PRED_TENSOR; }
    attributes {}
    results { many results: ANY_TENSOR_OR_TOKEN; }
    regions { one I2 true_branch; one I3 false_branch; }
    spec {
        summary: "Runs `true_branch` or `false_branch` depending on `pred`",
        anchor: "if",
        traits: &[Trait::SingleBlock],
        constraints: &[
            Constraint {
                label: "C1",
                text: "Neither branch takes arguments; both use values from outside directly.",
                check: Check::Fn(branches_take_nothing),
            },
            Constraint {
                label: "C2",
                text: "Both branches return the same number of values, of the same types.",
                check: Check::Fn(branches_agree),
            },
            Constraint {
                label: "C3",
                text: "The results have the types that the branches return.",
                check: Check::Fn(results_follow_branches),
            },
        ],
        infer: Infer::Fn(infer_branches),
    }
}

op! {
    /// One of many regions, chosen by a number.
    pub struct Case = "stablehlo" "case";
    operands { one I1 index: SCALAR_I32_TENSOR; }
    attributes {}
    results { many results: ANY_TENSOR_OR_TOKEN; }
    regions { many I2 branches; }
    spec {
        summary: "Runs the branch that `index` names, the last one when `index` is out of range",
        anchor: "case",
        traits: &[Trait::SingleBlock],
        constraints: &[
            Constraint { label: "C1", text: "There is at least one branch.", check: Check::Fn(case_c1_some_branch) },
            Constraint {
                label: "C2",
                text: "No branch takes arguments; all use values from outside directly.",
                check: Check::Fn(branches_take_nothing),
            },
            Constraint {
                label: "C3",
                text: "All branches return the same number of values, of the same types.",
                check: Check::Fn(branches_agree),
            },
            Constraint {
                label: "C4",
                text: "The results have the types that the branches return.",
                check: Check::Fn(results_follow_branches),
            },
        ],
        infer: Infer::Fn(infer_branches),
    }
}

op! {
    /// A loop over values that it carries along.
    pub struct While = "stablehlo" "while";
    operands { many I1 operand: ANY_TENSOR_TOKEN_OR_BUFFER; }
    attributes {}
    results { many results: ANY_TENSOR_TOKEN_OR_BUFFER; }
    regions { one I2 cond; one I3 body; }
    spec {
        summary: "Runs `body` again and again while `cond` holds",
        syntax: Syntax::Custom { parse: parse_while, print: print_while },
        // `(%iterArg = %a, …)`
        operand_places: Some(|index, _| 2 * index + 1),
        argument_names: Some(|_, _, _| Some("iterArg")),
        anchor: "while",
        traits: &[Trait::SingleBlock],
        constraints: &[
            Constraint {
                label: "C1",
                text: "cond takes values of the operands' types and returns one boolean, tensor<i1>.",
                check: Check::Fn(while_c1_cond),
            },
            Constraint {
                label: "C2",
                text: "body takes values of the operands' types and returns values of the same types.",
                check: Check::Fn(while_c2_body),
            },
            Constraint {
                label: "C3",
                text: "There is one result per operand, of the same type.",
                check: Check::Fn(while_c3_results),
            },
        ],
        infer: Infer::Fn(infer_while),
    }
}

const RETURN_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Operands)];

op! {
    /// The end of a region of a StableHLO op.
    ///
    /// The op around it says what a region may return, and complains on its own line, where upstream does.
    pub struct Return = "stablehlo" "return";
    operands { many _ results: ANY; }
    attributes {}
    results {}
    regions {}
    spec {
        summary: "Ends a region and gives its values",
        traits: &[Trait::Pure, Trait::Terminator],
        syntax: Syntax::Form(RETURN_FORM),
    }
}

/// How messages call branch `index`.
fn branch_name(cx: &Cx<'_>, index: usize) -> String {
    let declared = cx.module.kind(cx.op).and_then(|kind| kind.spec().regions.get(index));
    match declared {
        Some(region) if region.arity == Arity::One => region.name.to_owned(),
        _ => format!("branch {index}"),
    }
}

fn case_c1_some_branch(cx: &Cx<'_>) -> Verdict {
    ensure(!cx.module.regions(cx.op).is_empty(), || Fault::new("expected at least one branch, got none"))
}

fn branches_take_nothing(cx: &Cx<'_>) -> Verdict {
    for index in 0..cx.module.regions(cx.op).len() {
        let n_arguments = Computation::of(cx, index)?.arguments.len();
        ensure(n_arguments == 0, || {
            Fault::new(format!("{} must not take arguments, got {n_arguments}", branch_name(cx, index)))
                .at(Place::Region(index))
        })?;
    }
    Ok(())
}

fn branches_agree(cx: &Cx<'_>) -> Verdict {
    let first = Computation::of(cx, 0)?.returned;
    for index in 1..cx.module.regions(cx.op).len() {
        let other = Computation::of(cx, index)?.returned;
        ensure(all_compatible(cx, &first, &other), || {
            Fault::new(format!(
                "{} and {} must return the same types, got {} and {}",
                branch_name(cx, 0),
                branch_name(cx, index),
                show_types(cx, &first),
                show_types(cx, &other)
            ))
            .at(Place::Region(index))
        })?;
    }
    Ok(())
}

fn results_follow_branches(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_branches(cx)?)
}

/// For each result the type that all branches' values have, unknown where they differ.
fn infer_branches(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let mut columns: Vec<Vec<TypeId>> = Vec::new();
    for index in 0..cx.module.regions(cx.op).len() {
        for (at, ty) in Computation::of(cx, index)?.returned.into_iter().enumerate() {
            match columns.get_mut(at) {
                Some(column) => column.push(ty),
                None => columns.push(vec![ty]),
            }
        }
    }
    Ok(columns.iter().filter_map(|types| least_specific(cx, types)).collect())
}

/// The type that covers all `types`: sizes that are not everywhere the same and known become unknown.
fn least_specific(cx: &Cx<'_>, types: &[TypeId]) -> Option<Inferred> {
    let first = *types.first()?;
    let (Some(tensor), false) = (cx.module.tensor(first), types.iter().all(|ty| *ty == first)) else {
        return Some(Inferred::Type(first));
    };
    let mut shape: Shape = tensor.shape.clone();
    let bound_of = |ty: TypeId, dim: usize| cx.module.bounds(ty).and_then(|bounds| bounds.get(dim)).copied();
    let mut bounds: Dims = (0..shape.len()).map(|dim| bound_of(first, dim).unwrap_or(DYNAMIC)).collect();
    for ty in &types[1..] {
        let sizes = cx.module.shape(*ty).unwrap_or(&[]);
        for (dim, size) in sizes.iter().enumerate().take(shape.len()) {
            if shape[dim] == *size && *size != DYNAMIC {
                continue;
            }
            // The largest size that either side allows; none when one of them allows any.
            let limit = |size: i64, bound: i64| if size == DYNAMIC { bound } else { size };
            let one = limit(shape[dim], bounds[dim]);
            let two = limit(*size, bound_of(*ty, dim).unwrap_or(DYNAMIC));
            bounds[dim] = if one == DYNAMIC || two == DYNAMIC { DYNAMIC } else { one.max(two) };
            shape[dim] = DYNAMIC;
        }
    }
    Some(bounded(shape, bounds, Some(tensor.element)))
}

fn all_compatible(cx: &Cx<'_>, a: &[TypeId], b: &[TypeId]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible_types(cx.module, *a, *b))
}

/// Types, comma separated and in parentheses.
pub(super) fn show_types(cx: &Cx<'_>, types: &[TypeId]) -> String {
    format!("({})", cx.show_types(types))
}

/// Passes when `found` are the operands' types.
fn like_operands(cx: &Cx<'_>, found: &[TypeId], region: usize, what: &str) -> Verdict {
    let wanted = cx.operand_types();
    ensure(all_compatible(cx, &wanted, found), || {
        Fault::new(format!(
            "{what} must have the types of the operands, {}, got {}",
            show_types(cx, &wanted),
            show_types(cx, found)
        ))
        .at(Place::Region(region))
    })
}

fn while_c1_cond(cx: &Cx<'_>) -> Verdict {
    let cond = Computation::of(cx, 0)?;
    like_operands(cx, &cond.arguments, 0, "the arguments of cond")?;
    cond.arity("cond", cond.arguments.len(), 1)?;
    cond.returns_boolean(cx, "cond")
}

fn while_c2_body(cx: &Cx<'_>) -> Verdict {
    let body = Computation::of(cx, 1)?;
    like_operands(cx, &body.arguments, 1, "the arguments of body")?;
    like_operands(cx, &body.returned, 1, "what body returns")
}

fn while_c3_results(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_while(cx)?)
}

fn infer_while(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(cx.operand_types().into_iter().map(Inferred::Type).collect())
}

/// `(%iterArg = %a, …) : T, U attributes {…}`, then `cond {…} do {…}` on a line of its own.
///
/// The types are those of the operands, so a loop whose values have other types inside or at the end is written in the
/// generic form.
fn print_while(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let operands = module.operands(op);
    let types = || operands.iter().map(|operand| module.value_type(*operand));
    let arguments = |region: usize| match module.regions(op).get(region).map(|region| module.blocks(*region)) {
        Some([block]) => Some(&module.block(*block).arguments),
        _ => None,
    };
    let (Some(cond_arguments), Some(body_arguments)) = (arguments(0), arguments(1)) else { return p.give_up() };
    let fits = |values: &[ValueId]| values.iter().map(|value| module.value_type(*value)).eq(types());
    let results: Vec<ValueId> = module.results(op).iter().collect();
    if !fits(cond_arguments) || !fits(body_arguments) || !fits(&results) || module.regions(op).len() != 2 {
        return p.give_up();
    }
    p.out.push('(');
    for (index, operand) in operands.iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { "" });
        p.value(cond_arguments[index]);
        p.out.push_str(" = ");
        p.value(*operand);
    }
    p.out.push(')');
    if !operands.is_empty() {
        p.out.push_str(" : ");
        p.types(types());
    }
    p.attr_dict_with_keyword(op, &[]);
    p.out.push('\n');
    p.indentation();
    p.out.push_str("cond ");
    p.region(module.regions(op)[0], false, false);
    p.out.push_str(" do ");
    p.region(module.regions(op)[1], false, false);
}

/// Reads what [`print_while`] writes.
fn parse_while<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (mut i, ()) = punct!(i, "(")?;
    let mut names = Vec::new();
    if let Some(rest) = accept(i, ")") {
        i = rest;
    } else {
        loop {
            let (rest, argument) = parser.ssa_use(i)?;
            let (rest, ()) = punct!(rest, "=")?;
            let (rest, ()) = parser.operand(rest, state)?;
            names.push(argument);
            match accept(rest, ",") {
                Some(rest) => i = rest,
                None => {
                    (i, ()) = punct!(rest, ")")?;
                    break;
                }
            }
        }
        let at;
        (at, ()) = punct!(i, ":")?;
        (i, state.operand_types) = parser.type_list(at)?;
        if state.operand_types.len() != names.len() {
            let message = format!("expected {} types, got {}", names.len(), state.operand_types.len());
            return Err(fault(at, "parse/number-of-types", message));
        }
        state.result_types = state.operand_types.clone();
    }
    (i, ()) = parser.attribute_dictionary_with_keyword(i, state)?;
    let argument = |(name, ty): (&Use<'s>, &TypeId)| Argument {
        name: Some(name.name),
        span: name.span,
        ty: *ty,
        attributes: None,
        location: TrailingLocation::default(),
    };
    let arguments: Vec<Argument<'s>> = names.iter().zip(&state.operand_types).map(argument).collect();
    for word in ["cond", "do"] {
        let quoted = if word == "cond" { "`cond`" } else { "`do`" };
        (i, ()) = expect_keyword(i, word, quoted)?;
        let region;
        (i, region) = parser.region(i, &arguments)?;
        state.regions.push(region);
    }
    Ok((i, ()))
}
