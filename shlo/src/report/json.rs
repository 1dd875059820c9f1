//! Findings as JSON: `{"diagnostics": [{file, line, column, end_line, end_column, severity, code, message, labels, help}]}`.

use serde::Serialize;

use super::{Finding, Remark};

#[derive(Serialize)]
struct Document<'f> {
    schema: u32,
    diagnostics: Vec<Row<'f>>,
}

#[derive(Serialize)]
struct Row<'f> {
    file: &'f str,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    severity: &'static str,
    code: &'f str,
    message: &'f str,
    labels: &'f [Remark],
    help: Option<&'f str>,
}

/// The whole document, one line.
pub fn document(findings: &[Finding]) -> String {
    fn row(finding: &Finding) -> Row<'_> {
        Row {
            file: &finding.file,
            line: finding.region.map(|region| region.line),
            column: finding.region.map(|region| region.column),
            end_line: finding.region.map(|region| region.end_line),
            end_column: finding.region.map(|region| region.end_column),
            severity: finding.severity.word(),
            code: &finding.code,
            message: &finding.message,
            labels: &finding.labels,
            help: finding.help.as_deref(),
        }
    }
    super::to_json(&Document { schema: 1, diagnostics: findings.iter().map(row).collect() })
}
