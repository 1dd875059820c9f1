//! Findings as SARIF 2.1.0.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stablehlo::diag::{Severity, rules};

use super::{Finding, Origin, Region};

/// The whole document.
pub fn document(findings: &[Finding]) -> String {
    let mut codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut seen = BTreeMap::new();
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &codes, &mut seen)).collect();
    super::to_json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "shlo",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| rule(code)).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    }))
}

fn rule(code: &str) -> Value {
    match rules::find(code) {
        Some(rule) => json!({
            "id": code,
            "shortDescription": { "text": rule.text() },
            "fullDescription": { "text": rule.text() },
            "help": { "text": format!("{} `shlo explain {code}` shows an example.", rule.text()) },
            "helpUri": rule.link(),
        }),
        None => {
            let text = crate::codes::all().find(|(known, _)| *known == code).map(|(_, text)| text);
            json!({
                "id": code,
                "shortDescription": { "text": text.unwrap_or(code) },
                "help": { "text": text.unwrap_or("See the message.") },
            })
        }
    }
}

fn result(finding: &Finding, codes: &[&str], seen: &mut BTreeMap<u64, u32>) -> Value {
    let message = finding.message_for_file();
    let fingerprint = fingerprint(finding);
    let occurrence = seen.entry(fingerprint).and_modify(|count| *count += 1).or_insert(1);
    let region_of = |label: &super::Remark| if finding.origin == Origin::Source { Some(label.region) } else { None };
    let mut place = physical(&finding.file, finding.region_in_file());
    if let Origin::Byte(offset) = finding.origin {
        place["region"]["byteOffset"] = json!(offset);
    }
    let related = |(id, label): (usize, &super::Remark)| json!({ "id": id, "message": { "text": label.message }, "physicalLocation": physical(&finding.file, region_of(label)) });
    json!({
        "ruleId": finding.code,
        "ruleIndex": codes.binary_search(&finding.code.as_str()).ok(),
        "level": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark | Severity::Note => "note",
        },
        "message": { "text": message },
        "locations": [{ "physicalLocation": place }],
        "relatedLocations": finding.labels.iter().enumerate().map(related).collect::<Vec<_>>(),
        "partialFingerprints": { "primaryLocationLineHash": format!("{fingerprint:016x}:{occurrence}") },
    })
}

fn physical(file: &str, region: Option<Region>) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(region) = region {
        location["region"] = json!({
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        });
    }
    location
}

/// Paths below the current directory are given relative to it, so that results of different checkouts compare.
fn uri(file: &str) -> String {
    let path = std::path::Path::new(file);
    let relative = std::env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok());
    let text = relative.unwrap_or(path).to_string_lossy().replace('\\', "/");
    let text = text.strip_prefix("./").unwrap_or(&text);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut out = String::new();
    for byte in text.bytes() {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    if relative.is_none() && path.is_absolute() { format!("file://{out}") } else { out }
}

/// FNV-1a over what stays when lines move: the code, the file and the text of the line.
fn fingerprint(finding: &Finding) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in [&finding.code, &uri(&finding.file), finding.source_line.trim()] as [&str; 3] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
