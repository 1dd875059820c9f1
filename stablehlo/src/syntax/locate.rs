//! Where in the text the parts of an op stand, for diagnostics and editors.
//!
//! Only whole ops have spans in the IR. The parts are found again here, by reading the tokens of one op, when somebody
//! asks: that is when something is wrong with it, which is rare.

use super::Form;
use super::lex::{self, Token, TokenKind};
use super::parse::lexical::{begins_word, token_length};
use crate::ir::{Module, OpId, Span};
use crate::ops::spec::{OpSpec, Syntax};
use crate::verify::Place;

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
        Some(first) if *first == b'"' || begins_word(*first) => token_length(rest),
        _ => 0,
    };
    Span::new(start, start.saturating_add(len as u32))
}

/// The declaration of a registered op that is written in its pretty form.
fn pretty_spec(module: &Module, text: &str, op: OpId) -> Option<&'static OpSpec> {
    let is_generic = text.as_bytes().get(module.source(op).name as usize) == Some(&b'"');
    module.kind(op).map(|kind| kind.spec()).filter(|_| !is_generic)
}

/// The tokens of `op` after its name, without those of the ops inside it.
fn tokens(module: &Module, text: &str, op: OpId) -> Vec<Token> {
    let source = module.source(op);
    let mut inner: Vec<(u32, u32)> = Vec::new();
    for block in module.regions(op).iter().flat_map(|region| module.blocks(*region)) {
        let sources = module.block(*block).ops.iter().map(|op| module.source(*op));
        // The compact form of `reduce` gives its own place to what it stands for.
        inner.extend(sources.filter(|inner| inner.start > source.name).map(|it| (it.start, it.end)));
    }
    inner.sort_unstable();
    scan(text, name(module, text, op).end, source.end, &inner)
}

/// The tokens between two places, jumping over the sorted ranges `skip`. Comments are left out; `%name#1` and `%name:2` are
/// one token.
fn scan(text: &str, start: u32, end: u32, skip: &[(u32, u32)]) -> Vec<Token> {
    let mut stream = lex::tokens_from(text.as_bytes(), start);
    let mut skip = skip.iter().peekable();
    let mut tokens: Vec<Token> = Vec::new();
    while let Some(token) = stream.next().filter(|token| token.span.start < end) {
        if let Some((_, after)) = skip.next_if(|(from, _)| *from <= token.span.start) {
            stream.seek(token.span.start.max(*after));
            continue;
        }
        let touches = |before: &Token| before.span.end == token.span.start;
        match (token.kind, tokens.as_mut_slice()) {
            (TokenKind::Comment, _) => {}
            (TokenKind::Attribute, [.., value]) if value.kind == TokenKind::Value && touches(value) => {
                value.span = value.span.cover(token.span);
            }
            // A colon before something else than a number belongs to the type that follows.
            (TokenKind::Integer, [.., value, colon])
                if value.kind == TokenKind::Value
                    && sign(text, *colon) == b':'
                    && value.span.end == colon.span.start
                    && touches(colon) =>
            {
                value.span = value.span.cover(token.span);
                tokens.pop();
            }
            _ => tokens.push(token),
        }
    }
    tokens
}

/// The byte of a token that is one byte of punctuation, else NUL.
fn sign(text: &str, token: Token) -> u8 {
    match token.kind {
        TokenKind::Punctuation if token.span.end == token.span.start + 1 => text.as_bytes()[token.span.start as usize],
        _ => 0,
    }
}

fn operand(module: &Module, text: &str, op: OpId, index: usize) -> Option<Span> {
    let n_operands = module.operands(op).len();
    let place = pretty_spec(module, text, op).and_then(|spec| spec.operand_places);
    let at = place.map_or(index, |place| place(index, n_operands));
    let mut values = tokens(module, text, op).into_iter().filter(|token| token.kind == TokenKind::Value);
    values.nth(at).map(|token| token.span).filter(|_| index < n_operands)
}

fn result(module: &Module, text: &str, op: OpId, index: usize) -> Option<Span> {
    let source = module.source(op);
    let mut first = 0;
    for Token { kind, span } in scan(text, source.start, source.name, &[]) {
        if kind != TokenKind::Value {
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

fn attribute(module: &Module, text: &str, op: OpId, key: &str) -> Option<Span> {
    let pretty = pretty_spec(module, text, op).and_then(|spec| match spec.syntax {
        Syntax::Form(form) => pretty_key(form, key),
        _ => spec.words.iter().find(|(name, _)| *name == key).map(|(_, word)| *word),
    });
    let tokens = tokens(module, text, op);
    let is_key = |at: usize, key: &str| {
        let Token { kind, span } = tokens[at];
        let written = text.get(span.start as usize..span.end as usize).unwrap_or_default();
        match kind {
            TokenKind::Word => written == key,
            TokenKind::String => written.trim_matches('"') == key,
            _ => false,
        }
    };
    let sign_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or(0, |token| sign(text, *token));
    let assigned = |at: &usize| sign_at(Some(at + 1)) == b'=';
    let listed = |at: &usize| matches!(sign_at(at.checked_sub(1)), b'{' | b',');
    let find = |key: &str, fits: &dyn Fn(&usize) -> bool| (0..tokens.len()).find(|at| is_key(*at, key) && fits(at));
    let start = pretty.and_then(|key| find(key, &assigned));
    let start = start.or_else(|| find(key, &assigned)).or_else(|| find(key, &listed))?;
    let span = tokens[start].span;
    if assigned(&start) {
        return Some(span.cover(value_span(text, &tokens[start + 2..])?));
    }
    Some(span)
}

/// What an attribute's value covers: up to the comma or closing bracket after it, or to the end of what it opened.
fn value_span(text: &str, tokens: &[Token]) -> Option<Span> {
    let first = *tokens.first()?;
    let mut span = first.span;
    let is_list = matches!(sign(text, first), b'[' | b'{');
    let mut depth = 0usize;
    for token in tokens {
        match sign(text, *token) {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' if depth == 0 => break,
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => break,
            _ => {}
        }
        span = span.cover(token.span);
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
  %e = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %f = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] // , precision = 1
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
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
        assert_eq!(part(1, Place::Attr("k")), Some("k = \"}, z\""));
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
        assert_eq!(part(3, Place::Operand(0)), Some("%x"));
        assert_eq!(part(3, Place::Operand(1)), Some("%i"));
    }

    #[test]
    fn words_of_pretty_forms_that_are_functions() {
        assert_eq!(part(3, Place::Attr("dimensions")), Some("dimensions = [0]"));
        assert_eq!(part(4, Place::Attr("dot_dimension_numbers")), Some("contracting_dims = [0]"));
        assert_eq!(part(4, Place::Attr("precision_config")), Some("precision = [DEFAULT, DEFAULT]"));
    }
}
