//! Where in the text the parts of an op stand, for diagnostics and editors.
//!
//! Only whole ops have spans in the IR. The parts are found again here, by reading the tokens of one op, when somebody
//! asks: that is when something is wrong with it, which is rare.

use super::Form;
use crate::ir::{Module, OpId, Span};
use crate::ops::OpKind;
use crate::ops::spec::Syntax;
use crate::verify::Place;

/// A token that matters here.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Token {
    /// `%name`, `%name#1`, `%name:2`
    Value,
    /// An identifier, or a string, whose text without quotes is at the span.
    Word,
    /// One byte of punctuation.
    Sign(u8),
    /// `->`
    Arrow,
}

/// The span of a part of `op` in `text`, the text that `module` was read from; none when it cannot be told.
pub fn locate(module: &Module, text: &str, op: OpId, place: Place) -> Option<Span> {
    match place {
        Place::Op => Some(name(module, text, op)),
        Place::Other(other) => Some(name(module, text, other)),
        Place::Operand(index) => operand(module, text, op, index),
        Place::Result(index) => result(module, text, op, index),
        Place::Attr(key) => attribute(module, text, op, key),
        Place::Region(index) => region(module, text, op, index),
    }
}

/// The op's name: where MLIR says that an op is.
pub fn name(module: &Module, text: &str, op: OpId) -> Span {
    let start = module.source(op).name;
    let rest = text.as_bytes().get(start as usize..).unwrap_or_default();
    let len = match rest.first() {
        Some(b'"') => rest[1..].iter().position(|byte| *byte == b'"').map_or(1, |at| at + 2),
        _ => rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len()),
    };
    Span::new(start, start.saturating_add(len as u32))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.$-".contains(&byte)
}

/// The tokens of `op` after its name, without those of the ops inside it.
fn tokens(module: &Module, text: &str, op: OpId) -> Vec<(Token, Span)> {
    let source = module.source(op);
    let start = name(module, text, op).end as usize;
    let mut inner: Vec<(usize, usize)> = Vec::new();
    for block in module.regions(op).iter().flat_map(|region| module.blocks(*region)) {
        let sources = module.block(*block).ops.iter().map(|op| module.source(*op));
        // The compact form of `reduce` gives its own place to what it stands for.
        inner.extend(sources.filter(|inner| inner.start > source.name).map(|it| (it.start as usize, it.end as usize)));
    }
    inner.sort_unstable();
    scan(text.as_bytes(), start, source.end as usize, &inner)
}

/// Tokens of `bytes[start..end]`, jumping over the sorted ranges `skip`.
fn scan(bytes: &[u8], start: usize, end: usize, skip: &[(usize, usize)]) -> Vec<(Token, Span)> {
    let end = end.min(bytes.len());
    let mut tokens = Vec::new();
    let mut skip = skip.iter().peekable();
    let mut at = start;
    while at < end {
        if let Some((_, after)) = skip.next_if(|(from, _)| *from <= at) {
            at = at.max(*after);
            continue;
        }
        let rest = &bytes[at..end];
        let run = |from: usize, also: &[u8]| {
            let inside = |byte: &u8| is_word(*byte) || also.contains(byte);
            from + rest[from.min(rest.len())..].iter().take_while(|byte| inside(byte)).count()
        };
        let mut push =
            |token, from: usize, to: usize| tokens.push((token, Span::new((at + from) as u32, (at + to) as u32)));
        at += match rest[0] {
            b'/' if rest.get(1) == Some(&b'/') => rest.iter().take_while(|byte| **byte != b'\n').count(),
            b'"' => {
                let len = string_len(rest);
                push(Token::Word, 1, len.saturating_sub(1).max(1));
                len
            }
            b'%' => {
                let len = run(1, b"#:").min(rest.len());
                // A colon before something else than a number belongs to the type that follows.
                let len = rest[..len].iter().position(|byte| *byte == b':').map_or(len, |colon| {
                    let digits = rest[colon + 1..len].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    if digits == 0 { colon } else { colon + 1 + digits }
                });
                push(Token::Value, 0, len.max(1));
                len.max(1)
            }
            b'-' if rest.get(1) == Some(&b'>') => {
                push(Token::Arrow, 0, 2);
                2
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let len = run(0, b"");
                push(Token::Word, 0, len);
                len
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    push(Token::Sign(byte), 0, 1);
                }
                1
            }
        };
    }
    tokens
}

/// Length of the string literal at the start of `bytes`, quotes included.
fn string_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn operand(module: &Module, text: &str, op: OpId, index: usize) -> Option<Span> {
    let n_operands = module.operands(op).len();
    let is_generic = text.as_bytes().get(module.source(op).name as usize) == Some(&b'"');
    let values = tokens(module, text, op).into_iter().filter(|(token, _)| *token == Token::Value).map(|(_, span)| span);
    let at = match module.kind(op) {
        // `(%iterArg = %a, …)`
        Some(OpKind::While) if !is_generic => 2 * index + 1,
        // `(%a init: %x), (%b init: %y)`
        Some(OpKind::Reduce) if !is_generic && index < n_operands / 2 => 2 * index,
        Some(OpKind::Reduce) if !is_generic => 2 * (index - n_operands / 2) + 1,
        _ => index,
    };
    values.into_iter().nth(at).filter(|_| index < n_operands)
}

fn result(module: &Module, text: &str, op: OpId, index: usize) -> Option<Span> {
    let source = module.source(op);
    let mut first = 0;
    for (token, span) in scan(text.as_bytes(), source.start as usize, source.name as usize, &[]) {
        if token != Token::Value {
            continue;
        }
        let written = text.get(span.start as usize..span.end as usize)?;
        let count = written.rsplit_once(':').and_then(|(_, count)| count.parse().ok()).unwrap_or(1);
        if (first..first + count).contains(&index) {
            return Some(span);
        }
        first += count;
    }
    None
}

/// The words before the value of an attribute in the pretty form: `low` in `, low = [1]`.
fn pretty_key(form: &'static [Form], key: &str) -> Option<&'static str> {
    let mut before = "";
    for part in form {
        match part {
            Form::Text(text) => before = text,
            Form::Slot(name) if *name == key => {
                let words = before.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                return (!words.is_empty()).then_some(words);
            }
            Form::Optional(_, parts) => {
                if let Some(found) = pretty_key(parts, key) {
                    return Some(found);
                }
            }
            _ => before = "",
        }
    }
    None
}

/// The words before the values of attributes in pretty forms that are functions, where they differ from the names.
const PRETTY_KEYS: &[(&str, &str)] = &[
    ("dot_dimension_numbers", "contracting_dims"),
    ("precision_config", "precision"),
    ("dimension_numbers", "dim_numbers"),
    ("window_strides", "stride"),
    ("padding", "pad"),
    ("lhs_dilation", "lhs_dilate"),
    ("rhs_dilation", "rhs_dilate"),
    ("window_reversal", "reverse"),
];

fn attribute(module: &Module, text: &str, op: OpId, key: &str) -> Option<Span> {
    let is_generic = text.as_bytes().get(module.source(op).name as usize) == Some(&b'"');
    let pretty = match module.kind(op).map(|kind| kind.spec().syntax) {
        Some(Syntax::Form(form)) if !is_generic => pretty_key(form, key),
        Some(Syntax::Custom { .. }) if !is_generic => {
            PRETTY_KEYS.iter().find(|(name, _)| *name == key).map(|(_, word)| *word)
        }
        _ => None,
    };
    let tokens = tokens(module, text, op);
    let written = |span: Span| text.get(span.start as usize..span.end as usize);
    let is_key = |at: usize, key: &str| {
        let (token, span) = tokens[at];
        token == Token::Word && written(span) == Some(key)
    };
    let assigned = |at: &usize| tokens.get(at + 1).is_some_and(|(token, _)| *token == Token::Sign(b'='));
    let listed = |at: &usize| {
        let before = at.checked_sub(1).map(|before| tokens[before].0);
        matches!(before, Some(Token::Sign(b'{' | b',')))
    };
    let find = |key: &str, fits: &dyn Fn(&usize) -> bool| (0..tokens.len()).find(|at| is_key(*at, key) && fits(at));
    let start = pretty.and_then(|key| find(key, &assigned));
    let start = start.or_else(|| find(key, &assigned)).or_else(|| find(key, &listed))?;
    let mut span = tokens[start].1;
    if assigned(&start) {
        span = span.cover(value_span(&tokens[start + 2..])?);
    }
    Some(span)
}

/// What an attribute's value covers: up to the comma or closing bracket after it, or to the end of what it opened.
fn value_span(tokens: &[(Token, Span)]) -> Option<Span> {
    let mut span = tokens.first()?.1;
    let is_list = matches!(tokens.first()?.0, Token::Sign(b'[' | b'{'));
    let mut depth = 0usize;
    for (token, at) in tokens {
        match token {
            Token::Sign(b'(' | b'[' | b'{' | b'<') => depth += 1,
            Token::Sign(b')' | b']' | b'}' | b'>') if depth == 0 => break,
            Token::Sign(b')' | b']' | b'}' | b'>') => depth -= 1,
            Token::Sign(b',') if depth == 0 => break,
            _ => {}
        }
        span = span.cover(*at);
        if depth == 0 && is_list {
            break;
        }
    }
    Some(span)
}

/// The brace that opens a region.
fn region(module: &Module, text: &str, op: OpId, index: usize) -> Option<Span> {
    let block = module.entry_block(op, index)?;
    let first = module.source(*module.block(block).ops.first()?).start;
    let from = name(module, text, op).end as usize;
    let before = text.as_bytes().get(from..first as usize)?;
    let at = from + before.iter().rposition(|byte| *byte == b'{')?;
    Some(Span::new(at as u32, at as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"func.func @f(%x: tensor<4xf32>, %i: tensor<f32>) {
  %a = stablehlo.pad %x, %i, low = [0], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  %b:2, %c = "foo.bar"(%x, %a#0) <{k = "}, z", l = [1, 2]}> ({
    %z = stablehlo.negate %x : tensor<4xf32>
  }) {m, n = 1 : i32} : (tensor<4xf32>, tensor<5xf32>) -> (i1, i1, i1)
  %d:2 = stablehlo.while(%p = %i, %q = %x) : tensor<f32>, tensor<4xf32>
    cond {
      stablehlo.return %i : tensor<f32>
    } do {
      stablehlo.return %p, %q : tensor<f32>, tensor<4xf32>
    }
  return
}"#;

    fn part(line: usize, place: Place) -> Option<&'static str> {
        let parsed = crate::syntax::parse("test.mlir", TEXT);
        let function = parsed.module.top_ops()[0];
        let block = parsed.module.entry_block(function, 0)?;
        let span = locate(&parsed.module, TEXT, parsed.module.block(block).ops[line], place)?;
        TEXT.get(span.start as usize..span.end as usize)
    }

    #[test]
    fn pretty_forms() {
        assert_eq!(part(0, Place::Op), Some("stablehlo.pad"));
        assert_eq!(part(0, Place::Operand(1)), Some("%i"));
        assert_eq!(part(0, Place::Result(0)), Some("%a"));
        assert_eq!(part(0, Place::Attr("edge_padding_high")), Some("high = [1]"));
        assert_eq!(part(0, Place::Attr("interior_padding")), Some("interior = [0]"));
        assert_eq!(part(0, Place::Operand(2)), None);
    }

    #[test]
    fn generic_forms() {
        assert_eq!(part(1, Place::Op), Some("\"foo.bar\""));
        assert_eq!(part(1, Place::Operand(1)), Some("%a#0"));
        assert_eq!(part(1, Place::Result(1)), Some("%b:2"));
        assert_eq!(part(1, Place::Result(2)), Some("%c"));
        assert_eq!(part(1, Place::Attr("k")), Some("k = \"}, z"));
        assert_eq!(part(1, Place::Attr("l")), Some("l = [1, 2]"));
        assert_eq!(part(1, Place::Attr("m")), Some("m"));
        assert_eq!(part(1, Place::Attr("n")), Some("n = 1 : i32"));
        assert_eq!(part(1, Place::Region(0)), Some("{"));
        assert_eq!(part(1, Place::Attr("z")), None);
    }

    #[test]
    fn operands_of_loops() {
        assert_eq!(part(2, Place::Operand(0)), Some("%i"));
        assert_eq!(part(2, Place::Operand(1)), Some("%x"));
    }
}
