//! Diagnostics, and how reading goes on after a fault.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::Parser;
use super::error::{Checked, SyntaxError, What, reported};
use super::lexical::{self, Input, accept, accept_digits, accept_keyword, accept_suffix_id, skip, token_length};
use crate::diag::Diagnostic;
use crate::ir::Span;
use crate::ops::OpKind;

/// More faults than this are not reported.
pub(super) const MAX_DIAGNOSTICS: usize = 1000;

impl<'s> Parser<'s> {
    /// Turns the error of a production into a diagnostic.
    pub(super) fn report_error(&mut self, error: &nom::Err<SyntaxError<'s>>) {
        let (nom::Err::Error(error) | nom::Err::Failure(error)) = error else {
            return;
        };
        if error.0.what == What::Reported || self.gave_up {
            return;
        }
        let span = match error.0.what {
            What::Expected(_) => self.wrong_token_span(error.at()),
            _ => self.token_span(error.at()),
        };
        let mut diagnostic = Diagnostic::error(error.code(), span, error.message());
        diagnostic.help = error.0.help.as_ref().map(ToString::to_string);
        // All regions that are open at the end of the text miss their brace there: once is enough.
        let is_repeated = self.diagnostics.last().is_some_and(|last| last.span == span && last.code == diagnostic.code);
        if !is_repeated {
            self.report(diagnostic);
        }
    }

    /// The token at `at`, or the last byte of the text.
    fn token_span(&self, at: Input<'s>) -> Span {
        let at = skip(at);
        let start = self.offset(at);
        match at.is_empty() {
            true => Span::new(start.saturating_sub(1), start),
            false => Span::new(start, start + token_length(at) as u32),
        }
    }

    /// Where a missing token is missed: at the wrong one, or behind the last token of an earlier line, as MLIR does.
    fn wrong_token_span(&self, at: Input<'s>) -> Span {
        let span = self.token_span(at);
        let mut before = &self.source[..span.start as usize];
        loop {
            while let [head @ .., b' ' | b'\t'] = before {
                before = head;
            }
            match before {
                [] => return span,
                [.., b'\n' | b'\r'] => {}
                // Something stands before the token on its own line.
                _ if !self.source[before.len()..span.start as usize].contains(&b'\n') => return span,
                _ => {
                    let end = before.len() as u32;
                    return Span::new(end, end);
                }
            }
            before = &before[..before.len() - 1];
            let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            if let Some(comment) = find_comment(&before[line_start..]) {
                before = &before[..line_start + comment];
            }
        }
    }

    /// Reports `error` of the op (or block, or definition) that begins at `start`, and finds where to go on: the next
    /// plausible op, label or closing brace.
    ///
    /// # Errors
    /// When reading can only go on outside: at the next function, or not at all.
    pub(super) fn recover(&mut self, start: Input<'s>, error: nom::Err<SyntaxError<'s>>) -> Checked<'s, Input<'s>> {
        self.report_error(&error);
        let end = &self.source[self.source.len()..];
        if self.gave_up {
            return Err(reported(end));
        }
        let (nom::Err::Error(failed) | nom::Err::Failure(failed)) = &error else {
            return Err(reported(end));
        };
        if failed.0.what == What::Reported {
            // On the way out to the next function.
            return if self.open_functions > 0 { Err(error) } else { Ok(failed.at()) };
        }
        match self.resume_point(start, skip(failed.at())) {
            Resume::Here(rest) => Ok(rest),
            Resume::Function(rest) => Err(reported(rest)),
        }
    }

    fn resume_point(&self, start: Input<'s>, failed: Input<'s>) -> Resume<'s> {
        if failed.is_empty() {
            return Resume::Here(failed);
        }
        let mut depth = 0u32;
        let mut i = start;
        loop {
            let before = i;
            i = skip(i);
            if i.is_empty() {
                return Resume::Here(i);
            }
            let begins_line = before[..before.len() - i.len()].contains(&b'\n');
            if begins_line && i.len() < start.len() && i.len() <= failed.len() {
                if self.open_functions > 0 && begins_function(i) {
                    return Resume::Function(i);
                }
                if depth == 0 && begins_op(i) {
                    return Resume::Here(i);
                }
            }
            match i[0] {
                b'{' => depth += 1,
                // At the top there is no region that it could close.
                b'}' if depth == 0 && !self.labels.is_empty() => return Resume::Here(i),
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            i = &i[token_length(i).max(1)..];
        }
    }
}

/// Where reading goes on.
enum Resume<'s> {
    Here(Input<'s>),
    /// At a function, with all regions around the fault closed.
    Function(Input<'s>),
}

/// Where a comment begins on a line; a `//` in a string counts as one, as it does for MLIR.
fn find_comment(line: &[u8]) -> Option<usize> {
    memchr::memmem::find(line, b"//")
}

fn begins_function(i: Input<'_>) -> bool {
    let name = OpKind::Func.name();
    let quoted = i.strip_prefix(b"\"").and_then(|rest| rest.strip_prefix(name.as_bytes()));
    quoted.is_some_and(|rest| rest.starts_with(b"\"")) || accept_keyword(i, name).is_some()
}

/// Whether a line that begins like this is probably an op, a label or a definition.
fn begins_op(i: Input<'_>) -> bool {
    match i[0] {
        b'"' | b'^' => true,
        b'#' | b'!' => accept_suffix_id(i, i[0]).is_some_and(|(rest, _)| accept(rest, "=").is_some()),
        b'%' => accept_suffix_id(i, b'%').is_some_and(|(rest, _)| {
            let rest = match accept(rest, ":") {
                Some(rest) => accept_digits(rest).map_or(rest, |(rest, _)| rest),
                None => rest,
            };
            accept(rest, "=").is_some() || accept(rest, ",").is_some()
        }),
        _ => lexical::accept_word(i).is_some_and(|(_, word)| word.contains(&b'.') || is_short_name(word)),
    }
}

/// Whether a word without a dialect is the name of an op somewhere.
fn is_short_name(word: &[u8]) -> bool {
    static NAMES: LazyLock<FxHashSet<&'static [u8]>> = LazyLock::new(|| {
        let specs = OpKind::ALL.iter().map(|kind| kind.spec());
        let dialects: FxHashSet<_> = specs.clone().map(|spec| spec.default_dialect).collect();
        specs.filter(|spec| dialects.contains(spec.dialect)).map(|spec| spec.mnemonic.as_bytes()).collect()
    });
    NAMES.contains(word)
}

/// The registered op whose name is closest to a wrong one, if it is close enough to be meant.
pub(super) fn did_you_mean(dialect: &str, mnemonic: &str) -> Option<&'static str> {
    let candidates = OpKind::ALL.iter().map(|kind| kind.spec()).filter(|spec| spec.dialect == dialect);
    let scored = candidates.map(|spec| (distance(mnemonic, spec.mnemonic), spec.name));
    let (distance, name) = scored.min()?;
    (distance <= 1 + mnemonic.len() / 4).then_some(name)
}

/// Levenshtein's distance; far too long words are just far.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 64 {
        return a.len();
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
