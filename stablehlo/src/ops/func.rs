//! The `func` dialect: functions, calls and returns.

use super::op;
use super::spec::Trait;

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
        traits: &[Trait::IsolatedFromAbove, Trait::Symbol],
    }
}
