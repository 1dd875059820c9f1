//! Order: `create_token`, `after_all` and `optimization_barrier`.

use crate::ir::OpId;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Syntax, Trait};
use crate::ops::value_classes::{TENSOR_OR_TOKEN, TOKEN};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::parse::lexical::accept;
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const RESULT_TYPE: &[Form] = &[AttrDict, Types(TypeForm::Results)];

op! {
    /// A token that waits for nothing.
    pub struct CreateToken = "stablehlo" "create_token";
    operands {}
    attributes {}
    results { one output: TOKEN; }
    regions {}
    spec {
        summary: "Makes a token that depends on nothing",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(RESULT_TYPE),
        deprecated: Some("write `stablehlo.after_all` without operands instead"),
    }
}

const AFTER_ALL_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Same)];

op! {
    /// A token that waits for others.
    pub struct AfterAll = "stablehlo" "after_all";
    operands { many I1 inputs: TOKEN; }
    attributes {}
    results { one result: TOKEN; }
    regions {}
    spec {
        summary: "Makes a token after all that `inputs` stand for has happened",
        anchor: "after_all",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(AFTER_ALL_FORM),
    }
}

op! {
    /// An identity that optimizations may not cross.
    pub struct OptimizationBarrier = "stablehlo" "optimization_barrier";
    operands { many _ operand: TENSOR_OR_TOKEN; }
    attributes {}
    results { many result: TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Gives `operand` back, after everything that makes it has run and before anything that uses the results",
        syntax: Syntax::Custom { parse: parse_barrier, print: print_barrier },
        anchor: "optimization_barrier",
        traits: &[Trait::Pure],
        constraints: &[Constraint {
            label: "C1",
            text: "There is one result per operand, of exactly the same type.",
            check: Check::Fn(barrier_c1_types),
        }],
        infer: Infer::Fn(infer_barrier),
    }
}

fn barrier_c1_types(cx: &Cx<'_>) -> Verdict {
    let operands = cx.module.operands(cx.op);
    let results = cx.module.results(cx.op);
    ensure(operands.len() == results.len(), || {
        Fault::new(format!("expected one result per operand, {}, got {}", operands.len(), results.len()))
    })?;
    for (index, (operand, result)) in operands.iter().zip(results.iter()).enumerate() {
        let (wanted, found) = (cx.ty(*operand), cx.ty(result));
        ensure(wanted == found, || {
            Fault::new(format!("result #{index} must have type {}, got {}", cx.show(wanted), cx.show(found)))
                .at(Place::Result(index))
                .label(Place::Operand(index), format!("has type {}", cx.show(wanted)))
        })?;
    }
    Ok(())
}

fn infer_barrier(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(cx.module.operands(cx.op).iter().map(|operand| Inferred::Type(cx.ty(*operand))).collect())
}

/// `{…} %a, %b : T, U`, or `{…}()` without operands.
fn print_barrier(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let operands = module.operands(op);
    let types = || operands.iter().map(|operand| module.value_type(*operand));
    if !module.results(op).iter().map(|result| module.value_type(result)).eq(types()) {
        return p.give_up();
    }
    p.attr_dict(op, &[]);
    if operands.is_empty() {
        return p.out.push_str("()");
    }
    p.out.push(' ');
    p.values(operands);
    p.out.push_str(" : ");
    p.types(types());
}

/// Reads what [`print_barrier`] writes.
fn parse_barrier<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    if let Some(i) = accept(i, "(") {
        return punct!(i, ")");
    }
    let (i, ()) = parser.operands(i, state)?;
    parser.types(i, state, TypeForm::Operands)
}
