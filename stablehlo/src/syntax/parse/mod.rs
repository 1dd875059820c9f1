//! Reading text.
//!
//! Productions are nom functions over the bytes that are left (`&[u8]`, lexed on demand), methods of [`Parser`] where they
//! intern types or make ops. A failed op is skipped up to the next one; every fault becomes a diagnostic.

use nom::IResult;

use crate::diag::Diagnostic;
use crate::ir::{AttrId, BlockId, Module, NameId, RegionId, Span, TypeId};

/// What a production gets: the bytes that are left.
pub type Input<'s> = &'s [u8];

/// What a production gives.
pub type PResult<'s, T> = IResult<Input<'s>, T, SyntaxError<'s>>;

/// Why a production failed, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct SyntaxError<'s> {
    /// The bytes left where it failed.
    pub at: Input<'s>,
    /// Stable code, `parse/…`.
    pub code: &'static str,
    /// What was expected or is wrong.
    pub message: std::borrow::Cow<'static, str>,
    /// What to do about it.
    pub help: Option<&'static str>,
}

impl<'s> nom::error::ParseError<Input<'s>> for SyntaxError<'s> {
    fn from_error_kind(at: Input<'s>, _kind: nom::error::ErrorKind) -> Self {
        Self { at, code: "parse/syntax", message: "unexpected text".into(), help: None }
    }
    /// Keeps the failure that got furthest.
    fn append(_at: Input<'s>, _kind: nom::error::ErrorKind, other: Self) -> Self {
        other
    }
    fn or(self, other: Self) -> Self {
        if other.at.len() <= self.at.len() { other } else { self }
    }
}

/// A use of a value in the text, before its type is known.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Use<'s> {
    /// The name without `%`.
    pub name: &'s [u8],
    /// Result number after `#`, 0 when absent.
    pub number: u32,
    /// Where.
    pub span: Span,
}

/// What reading an op collects.
#[derive(Clone, Debug, Default)]
pub struct OpState<'s> {
    /// Operands as written.
    pub operands: Vec<Use<'s>>,
    /// Their types, once known; as many as operands when the op's syntax function returns.
    pub operand_types: Vec<TypeId>,
    /// Types of the results.
    pub result_types: Vec<TypeId>,
    /// Inherent attributes by declared slot.
    pub properties: Vec<Option<AttrId>>,
    /// Discardable attributes.
    pub attributes: Vec<(NameId, AttrId)>,
    /// Regions.
    pub regions: Vec<RegionId>,
    /// Successors.
    pub successors: Vec<BlockId>,
}

/// Reads what follows the name of an op with a custom syntax.
pub type ParseFn = for<'s> fn(&mut Parser<'s>, Input<'s>, &mut OpState<'s>) -> PResult<'s, ()>;

/// The state of reading one text.
pub struct Parser<'s> {
    /// The whole text.
    pub source: &'s [u8],
    /// What is being built.
    pub module: Module,
    /// Faults so far.
    pub diagnostics: Vec<Diagnostic>,
}

/// What reading a text gives.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// All that could be understood.
    pub module: Module,
    /// Faults, in order of their places; the module is whole when there is no error among them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads `text`; `name` is what locations call it.
pub fn parse(name: &str, text: &str) -> Parsed {
    let _ = text;
    Parsed { module: Module::new(name), diagnostics: Vec::new() }
}
