//! The `builtin` dialect: modules and casts between dialects.

use super::op;
use super::spec::Trait;

op! {
    /// `module @name attributes {…} { … }`: the outermost op of every program.
    pub struct ModuleOp = "builtin" "module";
    operands {}
    attributes {
        optional _ sym_name: Str;
        optional _ sym_visibility: Str;
    }
    results {}
    regions { one _ body; }
    spec {
        summary: "Holds functions and other symbols",
        traits: &[Trait::IsolatedFromAbove, Trait::GraphRegions, Trait::SingleBlock, Trait::NoTerminator, Trait::Symbol, Trait::SymbolTable],
    }
}
