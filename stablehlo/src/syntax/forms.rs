//! Pretty forms as data: one description that the parser follows when reading and the printer when writing.

/// A part of a pretty form, after the op's name.
///
/// Parts bring the spaces in front of them along in their texts; only the first part (and what follows a dictionary that
/// stands first) gets one by itself, unless it is a text that begins with a parenthesis.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Form {
    /// All operands, comma separated (also when there are none).
    Operands,
    /// Fixed text; the printer writes it as it stands, the parser expects its tokens and lets spaces vary.
    Text(&'static str),
    /// The value of an inherent attribute in the bare spelling of its kind: `[1, 2]`, `0`, `LT`.
    Slot(&'static str),
    /// Parts that stand there exactly when the inherent attribute named first is present and has not its default value.
    Optional(&'static str, &'static [Form]),
    /// ` {…}`: discardable attributes and the inherent ones that no part shows, merged and sorted, defaults left out;
    /// nothing when empty.
    AttrDict,
    /// ` : ` and types.
    Types(TypeForm),
}

/// How operand and result types are written at the end.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum TypeForm {
    /// `(operand types) -> result types`
    Function,
    /// One type when operands and results all have the same, else as `Function`.
    Same,
    /// The complex result type when both operands have its real counterpart, else as `Function`.
    Complex,
    /// `pred, T` when both branches have the result's type, else as `Function`.
    Select,
    /// Operand types, comma separated; results, where the op declares some, have the same types.
    Operands,
    /// Result types, comma separated; there are no operands, or their types follow: those of a tuple's members.
    Results,
    /// CHLO: `T, U -> V` (operand types bare, results in function style).
    Bare,
}

use Form::{AttrDict, Operands, Types};

/// `%x : T`
pub const UNARY: &[Form] = &[Operands, AttrDict, Types(TypeForm::Same)];
/// `%a, %b : T`
pub const BINARY: &[Form] = &[Operands, AttrDict, Types(TypeForm::Same)];
/// `%a, %b : (T, U) -> V`
pub const FUNCTIONAL: &[Form] = &[Operands, AttrDict, Types(TypeForm::Function)];
