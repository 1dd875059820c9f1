//! The text parser: any bytes give a module and located diagnostics; what has no errors prints, and its print reads back
//! to the same print.

use stablehlo::diag::Severity;
use stablehlo::syntax::{PrintOptions, parse, print};

/// Reads `bytes` as text.
///
/// # Panics
/// When a diagnostic lies outside the text, or printing is not the inverse of parsing.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse("-", &text);
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
    }
    if parsed.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    // What does not verify may use values that are not there; its print need not read back.
    if stablehlo::verify::verify(&parsed.module, &text).is_err() {
        return;
    }
    for options in [PrintOptions { generic: true, ..PrintOptions::default() }, PrintOptions::default()] {
        let printed = print(&parsed.module, options);
        let again = parse("-", &printed);
        let whole = again.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
        assert!(whole, "printed text does not parse: {:?}\n{printed}", again.diagnostics);
        assert_eq!(print(&again.module, options), printed, "printing is a fixed point");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn smoke() {
        crate::smoke(super::run);
    }
}
