//! The `func` dialect: functions, calls and returns.

use super::classes::ANY;
use super::op;
use super::spec::{ResultNames, Syntax, Trait};
use super::value_classes::FUNCTION;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Types};
use crate::syntax::TypeForm;

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
        syntax: Syntax::Form(RETURN_FORM),
    }
}
