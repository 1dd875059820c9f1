//! The `interpreter` dialect: what upstream's interpreter does beyond the specification.

use super::classes::TENSOR;
use super::func::function_type;
use super::op;
use super::spec::{Check, Constraint, Syntax};
use super::value_classes::TENSOR_OR_TOKEN;
use crate::ir::{AttrId, Attribute, OpId, Type};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::UNARY;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

op! {
    /// Programs of a grid of processes.
    pub struct RunParallel = "interpreter" "run_parallel";
    operands { many _ inputs: TENSOR_OR_TOKEN; }
    attributes { optional _ infeed: SymbolArray; required _ programs: SymbolArrays; }
    results { many results: TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Runs the functions `programs` as a grid of processes, replicas by partitions",
        constraints: &[
            Constraint {
                label: "C1",
                text: "programs has at least one program, and the same number of partitions for every replica.",
                check: Check::Fn(parallel_c1_grid),
            },
            Constraint {
                label: "C2",
                text: "All programs are functions of the module around.",
                check: Check::Fn(parallel_c2_programs),
            },
            Constraint {
                label: "C3",
                text: "There are as many operands and results as all programs together take and give.",
                check: Check::Fn(parallel_c3_counts),
            },
            Constraint {
                label: "C4",
                text: "infeed, if written, names at least one function; each returns one tensor.",
                check: Check::Fn(parallel_c4_infeed),
            },
        ],
    }
}

op! {
    /// Shows a value.
    pub struct Print = "interpreter" "print";
    operands { one _ operand: TENSOR; }
    attributes {}
    results {}
    regions {}
    spec {
        summary: "Writes `operand` to the standard output",
        syntax: Syntax::Form(UNARY),
    }
}

const PROBE_FORM: &[Form] = &[Operands, Text(", probe_id = "), Slot("probe_id"), AttrDict, Types(TypeForm::Same)];

op! {
    /// Keeps a value for later.
    pub struct Probe = "interpreter" "probe";
    operands { one _ operand: TENSOR; }
    attributes { required _ probe_id: Str; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Gives `operand` back and writes it to a file named after `probe_id`",
        constraints: &[Constraint {
            label: "C1",
            text: "The result has the operand's type.",
            check: Check::Fn(probe_c1_type),
        }],
        syntax: Syntax::Form(PROBE_FORM),
    }
}

/// The programs, one array per replica.
fn rows<'m>(cx: &Cx<'m>) -> impl Iterator<Item = &'m [AttrId]> + use<'m> {
    let module = cx.module;
    RunParallel::new(module, cx.op).programs().iter().filter_map(move |row| match module.attr(*row) {
        Attribute::Array(programs) => Some(&**programs),
        _ => None,
    })
}

fn parallel_c1_grid(cx: &Cx<'_>) -> Verdict {
    let fault = |message: String| Fault::new(message).at(Place::Attr("programs"));
    let n_partitions = rows(cx).next().map_or(0, <[AttrId]>::len);
    ensure(n_partitions > 0, || fault("programs must not be empty".to_owned()))?;
    match rows(cx).map(<[AttrId]>::len).find(|len| *len != n_partitions) {
        None => Ok(()),
        Some(len) => {
            Err(fault(format!("every replica must have {n_partitions} programs, as the first one has, got {len}")))
        }
    }
}

/// The function that `attr` names.
fn function(cx: &Cx<'_>, attr: AttrId, place: &'static str) -> Result<OpId, Fault> {
    let symbol = cx.module.flat_symbol(attr).unwrap_or_default();
    cx.function(symbol)
        .ok_or_else(|| Fault::new(format!("`@{symbol}` is not a function of the module around")).at(Place::Attr(place)))
}

fn parallel_c2_programs(cx: &Cx<'_>) -> Verdict {
    rows(cx).flatten().try_for_each(|program| function(cx, *program, "programs").map(|_| ()))
}

fn parallel_c3_counts(cx: &Cx<'_>) -> Verdict {
    let (mut n_inputs, mut n_results) = (0, 0);
    for program in rows(cx).flatten() {
        if let Some((inputs, results)) = function_type(cx.module, function(cx, *program, "programs")?) {
            n_inputs += inputs.len();
            n_results += results.len();
        }
    }
    let counts = [
        ("operands", cx.module.operands(cx.op).len(), n_inputs),
        ("results", cx.module.results(cx.op).len(), n_results),
    ];
    for (what, found, wanted) in counts {
        ensure(found == wanted, || {
            Fault::new(format!("wrong number of {what}: all programs together have {wanted}, got {found}"))
        })?;
    }
    Ok(())
}

fn parallel_c4_infeed(cx: &Cx<'_>) -> Verdict {
    let Some(queues) = RunParallel::new(cx.module, cx.op).infeed() else {
        return Ok(());
    };
    let fault = |message: String| Fault::new(message).at(Place::Attr("infeed"));
    ensure(!queues.is_empty(), || fault("infeed must not be empty; leave it out instead".to_owned()))?;
    for queue in queues {
        let Some((_, results)) = function_type(cx.module, function(cx, *queue, "infeed")?) else {
            continue;
        };
        let name = cx.module.flat_symbol(*queue).unwrap_or_default();
        let [only] = *results else {
            return Err(fault(format!("`@{name}` must return one tensor, got {} values", results.len())));
        };
        ensure(matches!(cx.module.ty(only), Type::RankedTensor(_) | Type::UnrankedTensor { .. }), || {
            fault(format!("`@{name}` must return a tensor, got {}", cx.show(only)))
        })?;
    }
    Ok(())
}

fn probe_c1_type(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_types()
}
