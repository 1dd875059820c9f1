//! Ops on programs in text. Expected values are arithmetic by hand or what XLA and jaxlib's evaluator gave, as each test
//! says.

mod contractions;
mod linear_algebra;
mod random;
mod reductions;
mod sorting;

use stablehlo::ops::OpKind::{self, *};

/// The families' tables of rows are not exhaustive: a row that is missing shows here.
#[test]
fn every_op_is_executed_but_these() {
    let without: Vec<OpKind> = OpKind::ALL.iter().copied().filter(|kind| super::of_kind(*kind).is_none()).collect();
    let expected =
        [Module, UnrealizedConversionCast, Func, CallIndirect, FuncConstant, RunParallel, AsinAcosKernel, Send, Recv];
    assert_eq!(without, expected);
}
