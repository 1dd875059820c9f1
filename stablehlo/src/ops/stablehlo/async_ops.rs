//! `async_start` and `async_done`.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::Trait;
use crate::ops::value_classes::FUTURE;

op! {
    /// The beginning of an op that runs beside others.
    pub struct AsyncStart = "stablehlo" "async_start";
    operands { many I1 operands: TENSOR; }
    attributes {}
    results { one result: FUTURE; }
    regions { one I2 body; }
    spec {
        summary: "Starts the op in `body` and gives a future for its results",
        anchor: "async_start",
        traits: &[Trait::SingleBlock, Trait::IsolatedFromAbove],
    }
}

op! {
    /// The end of an op that runs beside others.
    pub struct AsyncDone = "stablehlo" "async_done";
    operands { one I1 operand: FUTURE; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Waits for the op behind the future `operand` and gives its result",
        anchor: "async_done",
    }
}
