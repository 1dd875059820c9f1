//! What a text says it expects: `// expected-error@+1 {{…}}` comments, as MLIR's `--verify-diagnostics` reads them.
//!
//! ```text
//! // expected-error@+1 {{part of the message}}           the line below; also @-2, @above, @below, @unknown, or none: this line
//! // expected-error-re@+1 {{got {{[0-9]+}} operands}}    regular expressions in inner braces
//! // expected-error[pad_c2]@+1 {{low}}                   our addition: the code, or only the code without {{…}}
//! ```
//!
//! A pattern matches a diagnostic of its kind on its line when it occurs in `[code] message`.

use regex_lite::Regex;

use crate::diag::{Diagnostic, Severity};
use crate::ir::{LineIndex, Span};

/// One comment.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The kind of diagnostic.
    pub severity: Severity,
    /// The line it is expected on, counted from 1; none for `@unknown`.
    pub line: Option<u32>,
    /// The code it must have, if one is given.
    pub code: Option<String>,
    /// The text between the braces.
    pub text: String,
    /// Where the comment stands.
    pub span: Span,
    pattern: Pattern,
}

#[derive(Clone, Debug)]
enum Pattern {
    Text(String),
    Regex(Regex),
    /// A regular expression that cannot be read matches nothing.
    Broken,
}

/// A difference between what was expected and what was found.
#[derive(Clone, Debug)]
pub enum Mismatch {
    /// Nothing found matches this comment.
    Missing(Expectation),
    /// No comment expects this diagnostic.
    Unexpected(Diagnostic),
}

impl Mismatch {
    /// The difference as a diagnostic.
    pub fn to_diagnostic(&self) -> Diagnostic {
        match self {
            Mismatch::Missing(expected) => {
                let line = expected.line.map_or_else(|| "an unknown line".to_owned(), |line| format!("line {line}"));
                let code = expected.code.as_ref().map_or_else(String::new, |code| format!(" `{code}`"));
                let message = format!(
                    "expected {}{code} \"{}\" on {line}, which was not reported",
                    expected.severity.word(),
                    expected.text
                );
                Diagnostic::error("expected/missing", expected.span, message)
            }
            Mismatch::Unexpected(found) => {
                let message = format!("unexpected {}: [{}] {}", found.severity.word(), found.code, found.message);
                let mut diagnostic = Diagnostic::error("expected/unexpected", found.span, message);
                diagnostic.labels.clone_from(&found.labels);
                diagnostic.help.clone_from(&found.help);
                diagnostic
            }
        }
    }
}

impl Pattern {
    fn new(text: &str, is_regex: bool) -> Self {
        if !is_regex {
            return Pattern::Text(text.to_owned());
        }
        let mut source = String::new();
        let mut rest = text;
        while let Some((literal, after)) = rest.split_once("{{") {
            source.push_str(&regex_lite::escape(literal));
            let (inner, after) = after.split_once("}}").unwrap_or((after, ""));
            source.push_str("(?:");
            source.push_str(inner);
            source.push(')');
            rest = after;
        }
        source.push_str(&regex_lite::escape(rest));
        Regex::new(&source).map_or(Pattern::Broken, Pattern::Regex)
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            Pattern::Text(part) => text.contains(part.as_str()),
            Pattern::Regex(regex) => regex.is_match(text),
            Pattern::Broken => false,
        }
    }
}

impl Expectation {
    /// Whether something of this kind, on this line and with this code and message, is what the comment expects.
    fn matches(&self, severity: Severity, line: u32, code: &str, message: &str) -> bool {
        self.severity == severity
            && self.line.is_none_or(|wanted| wanted == line)
            && self.code.as_ref().is_none_or(|wanted| wanted == code)
            && (self.pattern.matches(message) || self.pattern.matches(&format!("[{code}] {message}")))
    }
}

/// All comments in `text`, in order.
pub fn expectations(text: &str) -> Vec<Expectation> {
    let mut found: Vec<Expectation> = Vec::new();
    // Comments with `@below` wait for the next line without one; `@above` means the last such line.
    let mut waiting: Vec<usize> = Vec::new();
    let mut last_plain = 1;
    let mut start = 0;
    for (line, content) in (1u32..).zip(text.split_inclusive('\n')) {
        match read(content, start, line, last_plain) {
            Some((expectation, below)) => {
                if below {
                    waiting.push(found.len());
                }
                found.push(expectation);
            }
            None => {
                for index in waiting.drain(..) {
                    found[index].line = Some(line);
                }
                last_plain = line;
            }
        }
        start += content.len();
    }
    found
}

/// Reads the comment of one line, and whether it waits for the next line without one.
fn read(content: &str, start: usize, line: u32, last_plain: u32) -> Option<(Expectation, bool)> {
    let at = content.find("expected-")?;
    let rest = &content[at + "expected-".len()..];
    let (severity, rest) = [Severity::Error, Severity::Note, Severity::Remark, Severity::Warning]
        .into_iter()
        .find_map(|severity| Some((severity, rest.strip_prefix(severity.word())?)))?;
    let (is_regex, rest) = rest.strip_prefix("-re").map_or((false, rest), |rest| (true, rest));
    let (code, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((code, rest)) => (Some(code.to_owned()), rest),
        None => (None, rest),
    };
    let rest = rest.trim_start_matches(' ');
    let (place, rest) = match rest.strip_prefix('@') {
        Some(rest) => rest.split_at(rest.find([' ', '{', '\n', '\r']).unwrap_or(rest.len())),
        None => ("", rest),
    };
    let (wanted, below) = match place {
        "" => (Some(line), false),
        "unknown" => (None, false),
        "above" => (Some(last_plain), false),
        "below" => (Some(line + 1), true),
        offset => (Some(u32::try_from(i64::from(line) + offset.parse::<i64>().ok()?).ok()?), false),
    };
    let text = match rest.trim().strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")) {
        Some(text) => text,
        None if code.is_some() && rest.trim().is_empty() => "",
        None => return None,
    };
    let span = Span::new((start + at) as u32, (start + content.trim_end().len()) as u32);
    let pattern = Pattern::new(text, is_regex);
    Some((Expectation { severity, line: wanted, code, text: text.to_owned(), span, pattern }, below))
}

/// Compares what was found in `text` with what its comments expect; nothing comes back when they agree.
///
/// Labels of diagnostics count as notes: they satisfy `expected-note`, but need not be expected.
pub fn compare(text: &str, diagnostics: &[Diagnostic]) -> Vec<Mismatch> {
    let lines = LineIndex::new(text.as_bytes());
    let line_of = |span: Span| lines.line_column(span.start).line;
    let mut expected: Vec<(Expectation, bool)> = expectations(text).into_iter().map(|one| (one, false)).collect();
    let mut mismatches = Vec::new();
    for diagnostic in diagnostics {
        let line = line_of(diagnostic.span);
        // Several comments may fit one diagnostic (upstream's tools report some faults twice); all of them are satisfied.
        let mut fits = false;
        for (expectation, seen) in &mut expected {
            if expectation.matches(diagnostic.severity, line, &diagnostic.code, &diagnostic.message) {
                (*seen, fits) = (true, true);
            }
            let notes = diagnostic.labels.iter().map(|label| (line_of(label.span), &label.message));
            for (line, message) in notes {
                *seen |= expectation.matches(Severity::Note, line, &diagnostic.code, message);
            }
        }
        if !fits {
            mismatches.push(Mismatch::Unexpected(diagnostic.clone()));
        }
    }
    mismatches.extend(expected.into_iter().filter(|(_, seen)| !seen).map(|(one, _)| Mismatch::Missing(one)));
    mismatches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Option<u32>> {
        expectations(text).iter().map(|one| one.line).collect()
    }

    #[test]
    fn places() {
        assert_eq!(lines("// expected-error@+1 {{a}}\nx\n"), [Some(2)]);
        assert_eq!(lines("x\nx // expected-error {{a}}\n"), [Some(2)]);
        assert_eq!(lines("x\ny\n// expected-error @-2 {{a}}\n"), [Some(1)]);
        assert_eq!(lines("x\n// expected-error@above {{a}}\n// expected-note@above {{b}}\n"), [Some(1), Some(1)]);
        assert_eq!(lines("// expected-error@below {{a}}\n// expected-error@below {{b}}\nx\n"), [Some(3), Some(3)]);
        assert_eq!(lines("// expected-error@unknown {{a}}\n"), [None]);
        assert_eq!(lines("// expected-error@+x {{a}}\n// expected-fault {{a}}\n// expected-error a\n"), []);
    }

    fn agree(comment: &str, code: &str, message: &str) -> bool {
        let text = format!("// {comment}\nx\n");
        let at = text.len() as u32 - 2;
        compare(&text, &[Diagnostic::error(code, Span::new(at, at + 1), message)]).is_empty()
    }

    #[test]
    fn patterns() {
        assert!(agree("expected-error@+1 {{two words}}", "pad_c1", "these two words"));
        assert!(agree("expected-error@+1 {{[pad_c1] these}}", "pad_c1", "these two words"));
        assert!(agree("expected-error[pad_c1]@+1", "pad_c1", "anything"));
        assert!(!agree("expected-error[pad_c2]@+1 {{words}}", "pad_c1", "two words"));
        assert!(!agree("expected-warning@+1 {{words}}", "pad_c1", "two words"));
        assert!(agree("expected-error-re@+1 {{got {{[0-9]+}} (of {{.*}})}}", "c", "got 12 (of many)"));
        assert!(!agree("expected-error-re@+1 {{got {{[0-9]+}} of}}", "c", "got x of"));
        assert!(!agree("expected-error-re@+1 {{got {{[0-9}}}}", "c", "got 1"), "a broken expression");
    }

    #[test]
    fn differences() {
        let found = compare("// expected-error@+1 {{a}}\nx\ny\n", &[Diagnostic::error("c", Span::new(29, 30), "b")]);
        let texts: Vec<String> = found.iter().map(|one| one.to_diagnostic().message).collect();
        assert_eq!(texts, ["unexpected error: [c] b", "expected error \"a\" on line 2, which was not reported"]);
    }

    #[test]
    fn labels_are_notes_that_need_not_be_expected() {
        let text = "// expected-error@+2 {{a}}\n// expected-note@+2 {{b}}\nx\ny\n";
        let x = text.find("x\n").unwrap() as u32;
        let diagnostic = Diagnostic::error("c", Span::new(x, x + 1), "a")
            .with_label(Span::new(x + 2, x + 3), "b")
            .with_label(Span::new(x, x + 1), "more");
        assert!(compare(text, &[diagnostic]).is_empty());
    }
}
