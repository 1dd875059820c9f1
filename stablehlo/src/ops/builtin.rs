//! The `builtin` dialect: modules and casts between dialects.

use super::classes::ANY;
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

op! {
    /// `builtin.unrealized_conversion_cast %a : T to U`
    pub struct UnrealizedConversionCast = "builtin" "unrealized_conversion_cast";
    operands { many _ inputs: ANY; }
    attributes {}
    results { many outputs: ANY; }
    regions {}
    spec {
        summary: "Stands for a conversion between types that a later pass resolves",
        traits: &[Trait::Pure],
    }
}
