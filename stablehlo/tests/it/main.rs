//! Tests of the crate as its users see it.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod bytecode;
mod parser;
mod printer;
mod printer_laws;
mod rules;
mod verify;
mod vhlo;

/// What is wrong with a program: the parser's complaints, if there are none the verifier's.
fn diagnostics(text: &str) -> Vec<stablehlo::diag::Diagnostic> {
    let parsed = stablehlo::syntax::parse("test.mlir", text);
    if !parsed.diagnostics.is_empty() {
        return parsed.diagnostics;
    }
    stablehlo::verify::verify(&parsed.module, text).err().unwrap_or_default()
}
