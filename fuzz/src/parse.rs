//! The text parser: any bytes give a module and located diagnostics; what has no errors prints, and its print reads back
//! to the same print.

use stablehlo::syntax::parse::parse_bytes;
use stablehlo::syntax::{PrintOptions, parse, print};

/// Reads `bytes` as text.
///
/// # Panics
/// When a diagnostic lies outside the text, or printing is not the inverse of parsing.
pub fn run(bytes: &[u8]) {
    let parsed = parse_bytes("-", bytes);
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.end as usize <= bytes.len(), "{diagnostic:?}");
        assert!(!diagnostic.code.starts_with("bug/"), "{diagnostic:?}");
    }
    // What does not verify may use values that are not there; its print need not read back.
    let text = std::str::from_utf8(bytes).unwrap_or("");
    if !parsed.is_ok() || stablehlo::verify::verify(&parsed.module, text).is_err() {
        return;
    }
    for options in [PrintOptions { generic: true, ..PrintOptions::default() }, PrintOptions::default()] {
        let printed = print(&parsed.module, options);
        let again = parse("-", &printed);
        assert!(again.is_ok(), "printed text does not parse: {:?}\n{printed}", again.diagnostics);
        assert_eq!(print(&again.module, options), printed, "printing is a fixed point");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn smoke() {
        crate::seeds::smoke(super::run);
    }
}
