//! The token stream of a text, for finding places in it and for editors.
//!
//! Never fails: bytes that begin no token become [`TokenKind::Unknown`]. White space is left out, comments are kept. The
//! byte predicates are the parser's ([`super::parse::lexical`]).

use super::parse::lexical::{begins_word, is_space, run, token_length};
use crate::ir::Span;

/// What a token is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `// …` up to the end of the line.
    Comment,
    /// Keyword, op name, attribute name, scalar type: `stablehlo.add`, `i32`.
    Word,
    /// `%name`
    Value,
    /// `#name`
    Attribute,
    /// `!name`
    Type,
    /// `^name`
    Block,
    /// `@name`, `@"any text"`
    Symbol,
    /// `12`, `0xFF`
    Integer,
    /// `1.5e+3`
    Float,
    /// `"text"`
    String,
    /// `-> : , = < > { } [ ] ( ) - + ? * | ...` and the brackets of the resource section.
    Punctuation,
    /// Anything else.
    Unknown,
}

/// A token.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where.
    pub span: Span,
}

/// The tokens of `text` (of which only the first 4 GiB are looked at).
pub fn tokens(text: &[u8]) -> Tokens<'_> {
    tokens_from(text, 0)
}

/// The tokens of `text` from the byte at `start` on.
pub fn tokens_from(text: &[u8], start: u32) -> Tokens<'_> {
    let text = &text[..text.len().min(u32::MAX as usize)];
    Tokens { text, at: (start as usize).min(text.len()) }
}

/// Iterator over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl Tokens<'_> {
    /// Goes on at the byte at `offset`.
    pub fn seek(&mut self, offset: u32) {
        self.at = (offset as usize).min(self.text.len());
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.at += run(&self.text[self.at..], is_space);
        let rest = &self.text[self.at..];
        let first = *rest.first()?;
        let (kind, length) = match first {
            b'/' if rest.get(1) == Some(&b'/') => {
                (TokenKind::Comment, memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()))
            }
            b'.' if rest.starts_with(b"...") => (TokenKind::Punctuation, 3),
            _ => {
                let length = token_length(rest).max(1);
                match kind(first, &rest[..length]) {
                    // A letter outside of ASCII is one unknown thing, not several.
                    TokenKind::Unknown => {
                        (TokenKind::Unknown, 1 + run(&rest[1..], |byte| first >= 0x80 && (0x80..0xc0).contains(&byte)))
                    }
                    kind => (kind, length),
                }
            }
        };
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        self.at += length;
        Some(Token { kind, span })
    }
}

fn kind(first: u8, token: &[u8]) -> TokenKind {
    let prefixed = |kind| if token.len() > 1 { kind } else { TokenKind::Unknown };
    match first {
        b'"' => prefixed(TokenKind::String),
        b'%' => prefixed(TokenKind::Value),
        b'#' if token == b"#-}" => TokenKind::Punctuation,
        b'#' => prefixed(TokenKind::Attribute),
        b'!' => prefixed(TokenKind::Type),
        b'^' => prefixed(TokenKind::Block),
        b'@' => prefixed(TokenKind::Symbol),
        b'0'..=b'9' if token.contains(&b'.') => TokenKind::Float,
        b'0'..=b'9' => TokenKind::Integer,
        _ if begins_word(first) => TokenKind::Word,
        b':' | b',' | b'=' | b'<' | b'>' | b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'-' | b'+' | b'?' | b'*'
        | b'|' => TokenKind::Punctuation,
        _ => TokenKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};

    #[test]
    fn every_kind() {
        use TokenKind::*;
        let text =
            "%a#1 = \"x.y\"(@f, @\"g h\") <{a = 0xF : i32}> // note\n^bb0: !q.u<i8:f32, 1.5e-3> -> ... {-# #-} # é $";
        let found: Vec<_> = tokens(text.as_bytes())
            .map(|token| (token.kind, &text[token.span.start as usize..token.span.end as usize]))
            .collect();
        let wanted = [
            (Value, "%a"),
            (Attribute, "#1"),
            (Punctuation, "="),
            (String, "\"x.y\""),
            (Punctuation, "("),
            (Symbol, "@f"),
            (Punctuation, ","),
            (Symbol, "@\"g h\""),
            (Punctuation, ")"),
            (Punctuation, "<"),
            (Punctuation, "{"),
            (Word, "a"),
            (Punctuation, "="),
            (Integer, "0xF"),
            (Punctuation, ":"),
            (Word, "i32"),
            (Punctuation, "}"),
            (Punctuation, ">"),
            (Comment, "// note"),
            (Block, "^bb0"),
            (Punctuation, ":"),
            (Type, "!q.u"),
            (Punctuation, "<"),
            (Word, "i8"),
            (Punctuation, ":"),
            (Word, "f32"),
            (Punctuation, ","),
            (Float, "1.5e-3"),
            (Punctuation, ">"),
            (Punctuation, "->"),
            (Punctuation, "..."),
            (Punctuation, "{-#"),
            (Punctuation, "#-}"),
            (Unknown, "#"),
            (Unknown, "é"),
            (Unknown, "$"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn an_unfinished_string_is_a_string() {
        let kinds: Vec<_> = tokens(b"\"abc").map(|token| token.kind).collect();
        assert_eq!(kinds, [TokenKind::String]);
    }
}
