//! The `builtin` dialect: modules and casts between dialects.

use super::classes::ANY;
use super::op;
use super::spec::{Check, Constraint, Syntax, Trait};
use crate::ir::Attribute;
use crate::syntax::parse::functions::{parse_cast, parse_module};
use crate::syntax::print::functions::{print_cast, print_module};
use crate::verify::{Cx, Fault, Verdict, ensure};

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
        default_dialect: "builtin",
        traits: &[Trait::IsolatedFromAbove, Trait::GraphRegions, Trait::SingleBlock, Trait::NoTerminator, Trait::Symbol, Trait::SymbolTable],
        constraints: &[
            Constraint {
                label: "C1",
                text: "The attributes of a module start with a dialect's name, except for its own name and visibility.",
                check: Check::Fn(module_c1_attributes),
            },
            Constraint { label: "C2", text: "The block of a module has no arguments.", check: Check::Fn(module_c2_block) },
        ],
        syntax: Syntax::Custom { parse: parse_module, print: print_module },
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
        syntax: Syntax::Custom { parse: parse_cast, print: print_cast },
    }
}

fn module_c1_attributes(cx: &Cx<'_>) -> Verdict {
    let Some(Attribute::Dictionary(entries)) = cx.module.op(cx.op).attributes().map(|attr| cx.module.attr(attr)) else {
        return Ok(());
    };
    let plain = entries.iter().map(|(key, _)| cx.module.str(*key)).find(|key| !key.contains('.'));
    ensure(plain.is_none(), || {
        let key = plain.unwrap_or_default();
        Fault::new(format!("attributes of a module must start with a dialect's name, got `{key}`"))
            .help(format!("write `dialect.{key}`"))
    })
}

fn module_c2_block(cx: &Cx<'_>) -> Verdict {
    let n_arguments = cx.module.entry_block(cx.op, 0).map_or(0, |block| cx.module.block(block).arguments.len());
    ensure(n_arguments == 0, || Fault::new(format!("the block of a module has no arguments, got {n_arguments}")))
}
