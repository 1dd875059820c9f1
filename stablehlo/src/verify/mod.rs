//! The verifier: the only maker of [`Verified`].
//!
//! For every op: structure by its declaration (counts, classes of operands and results, presence and kinds of attributes,
//! regions and terminators), SSA dominance and symbols, then the op's own rules in the order of the declaration. The
//! first broken rule of an op is reported; other ops are still looked at.

mod attribute_kinds;
mod constants;
mod cx;
mod dialects;
mod driver;
pub mod expected;
mod fault;
mod infer;
mod order;
mod place;
mod regions;
mod ssa;
mod structure;
mod symbols;
mod types;

pub use constants::Integers;
pub use cx::Cx;
pub use fault::{Fault, Place, Verdict, ensure};
pub use infer::{Inferred, compatible_elements, compatible_shapes, compatible_types};
pub use types::TypeRules;

use crate::diag::Diagnostic;
use crate::ir::Module;

/// A module that passed the verifier: what interpreter, executor and quantizer accept.
#[derive(Copy, Clone, Debug)]
pub struct Verified<'m>(&'m Module);

impl<'m> Verified<'m> {
    /// The module.
    pub fn module(self) -> &'m Module {
        self.0
    }
}

/// What the verifier lets pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifyOptions {
    /// Accept ops of dialects that nobody here has heard of. Ops of dialects that frameworks mix in (`sdy`, `mhlo`, `tf`,
    /// …) and attributes and types of any dialect are accepted anyhow; none of them are looked into.
    pub allow_unregistered: bool,
}

/// Verifies `module`; `text` is the source its spans refer to (empty when there is none).
///
/// # Errors
/// All complaints, sorted by place.
pub fn verify<'m>(module: &'m Module, text: &str) -> Result<Verified<'m>, Vec<Diagnostic>> {
    verify_with(module, text, VerifyOptions::default())
}

/// [`verify`] with options.
///
/// # Errors
/// All complaints, sorted by place.
pub fn verify_with<'m>(
    module: &'m Module,
    text: &str,
    options: VerifyOptions,
) -> Result<Verified<'m>, Vec<Diagnostic>> {
    let diagnostics = driver::run(module, text, options);
    if diagnostics.is_empty() { Ok(Verified(module)) } else { Err(diagnostics) }
}
