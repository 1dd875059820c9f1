//! Findings as JSON: `{"diagnostics": [{file, line, column, end_line, end_column, severity, code, message, labels, help}]}`,
//! with `byte_offset` for faults in bytecode, and `as_text` where lines are those of the text form of a file in bytecode.

use serde::Serialize;

use super::{Finding, Origin, Remark};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_offset: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    as_text: bool,
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
            byte_offset: match finding.origin {
                Origin::Byte(offset) => Some(offset),
                Origin::Source | Origin::AsText => None,
            },
            as_text: finding.origin == Origin::AsText,
            severity: finding.severity.word(),
            code: &finding.code,
            message: &finding.message,
            labels: &finding.labels,
            help: finding.help.as_deref(),
        }
    }
    super::to_json(&Document { schema: 1, diagnostics: findings.iter().map(row).collect() })
}
