//! Findings for people: a first line as MLIR's tools write it, then the lines of the program with what is wrong in them.

use std::fmt::Write;

use stablehlo::diag::Severity;

use super::{Finding, file_name, sanitize};

/// `file:line:column: error: message [code]` and the drawing.
pub fn finding(finding: &Finding, color: bool) -> String {
    let mut out = String::new();
    let paint = |text: &str, code: &str| match color {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let mut place = sanitize(&file_name(&finding.file, finding.origin)).into_owned();
    if let Some(region) = finding.region {
        // Writing to a String cannot fail, here and below.
        let _ = write!(place, ":{}:{}", region.line, region.column);
    }
    let word = match finding.severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Remark | Severity::Note => "1;36",
    };
    let _ = writeln!(
        out,
        "{} {} {} [{}]",
        paint(&format!("{place}:"), "1"),
        paint(&format!("{}:", finding.severity.word()), word),
        sanitize(&finding.message),
        finding.code
    );
    out.push_str(&finding.drawing);
    out
}
