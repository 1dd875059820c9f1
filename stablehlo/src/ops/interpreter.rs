//! The `interpreter` dialect: what upstream's interpreter does beyond the specification.

use super::classes::TENSOR;
use super::op;
use super::spec::Syntax;
use super::value_classes::TENSOR_OR_TOKEN;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::UNARY;

op! {
    /// Programs of a grid of processes.
    pub struct RunParallel = "interpreter" "run_parallel";
    operands { many _ inputs: TENSOR_OR_TOKEN; }
    attributes { optional _ infeed: SymbolArray; required _ programs: SymbolArrays; }
    results { many results: TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Runs the functions `programs` as a grid of processes, replicas by partitions",
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
        syntax: Syntax::Form(PROBE_FORM),
    }
}
