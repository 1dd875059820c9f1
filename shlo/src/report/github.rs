//! Findings as workflow commands of GitHub Actions.

use std::fmt::Write;

use stablehlo::diag::Severity;

use super::Finding;

/// `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`
pub fn finding(finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark | Severity::Note => "notice",
    };
    let mut line = format!("::{command} file={}", property(&finding.file));
    if let Some(region) = finding.region_in_file() {
        // Writing to a String cannot fail.
        let _ = write!(line, ",line={},col={},endLine={}", region.line, region.column, region.end_line);
        if region.end_line == region.line {
            let _ = write!(line, ",endColumn={}", region.end_column);
        }
    }
    let _ = writeln!(line, ",title={}::{}", property(&finding.code), data(&finding.message_for_file()));
    line
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
