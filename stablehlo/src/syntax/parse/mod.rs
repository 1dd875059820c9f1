//! Reading text.
//!
//! Productions are nom functions over the bytes that are left (`&[u8]`, lexed on demand), methods of [`Parser`] where they
//! intern types or make ops, each named as MLIR's grammar names it. A failed op is skipped up to the next one; every fault
//! becomes a diagnostic, and a value that a failed op would have defined is never complained about again.
//!
//! | file | what it reads |
//! |---|---|
//! | [`lexical`] | tokens |
//! | [`error`] | why a production failed |
//! | `operations`, `regions`, `names` | ops in generic form, blocks, scopes of names |
//! | [`custom`] | helpers for ops with a syntax of their own: start there to write one |
//! | `forms` | ops whose syntax is data ([`Form`](super::Form)) and bare attribute values |
//! | `functions` | the `builtin` and `func` dialects |
//! | `foreign` | pretty forms of dialects that are kept opaque |
//! | `types`, `quant` | types |
//! | `attributes`, `numbers`, `dialect_attributes`, `mesh_attributes`, `affine`, `elements`, `locations`, `resources` | attributes |
//! | `recover` | diagnostics and how reading goes on after one |

mod affine;
mod attributes;
pub mod custom;
mod dialect_attributes;
mod elements;
pub mod error;
pub mod foreign;
mod forms;
pub(crate) mod functions;
mod hex;
pub mod lexical;
mod locations;
mod mesh_attributes;
mod names;
mod numbers;
mod operations;
mod quant;
mod recover;
mod regions;
mod resources;
mod types;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use custom::Argument;
pub use error::{PResult, SyntaxError, cut, expected, fault, fault_with_help};
pub use lexical::Input;
pub(crate) use lexical::{keyword, punct};
pub use locations::TrailingLocation;

use crate::diag::{Diagnostic, Severity};
use crate::ir::{
    AttrId, BlockId, Extent, FileRange, LineIndex, Location, Module, NameId, OpId, RegionId, Span, TypeId,
};
use crate::ops::OpKind;
use crate::ops::spec::OpSpec;

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

/// A list of types in a hurry.
pub type TypeList = SmallVec<[TypeId; 4]>;

/// What reading an op collects.
///
/// A syntax function fills it. When it returns, there must be as many `operand_types` as `operands`; property slots that
/// stay empty get their filled-in defaults afterwards.
#[derive(Clone, Debug, Default)]
pub struct OpState<'s> {
    /// The declaration, for registered ops.
    pub spec: Option<&'static OpSpec>,
    /// First byte of the op's name.
    pub name_at: u32,
    /// Its location when none is written, if that is not the place of the name.
    pub location: TrailingLocation<'s>,
    /// Operands as written.
    pub operands: SmallVec<[Use<'s>; 4]>,
    /// Their types, once known; as many as operands when the op's syntax function returns.
    pub operand_types: TypeList,
    /// Types of the results.
    pub result_types: TypeList,
    /// Inherent attributes by declared slot; see [`Parser::set_attribute`].
    pub properties: SmallVec<[Option<AttrId>; 8]>,
    /// Discardable attributes.
    pub attributes: SmallVec<[(NameId, AttrId); 2]>,
    /// Regions.
    pub regions: SmallVec<[RegionId; 2]>,
    /// Successors.
    pub successors: SmallVec<[BlockId; 2]>,
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
    names: names::Names<'s>,
    /// Blocks by label, one table per open region.
    labels: Vec<regions::Labels<'s>>,
    /// Registered ops by their names, as far as they have been met.
    op_names: FxHashMap<&'s [u8], OpKind>,
    /// Tensor types by their text.
    type_texts: FxHashMap<&'s [u8], TypeId>,
    type_aliases: FxHashMap<&'s [u8], TypeId>,
    attribute_aliases: FxHashMap<&'s [u8], AttrId>,
    /// Ops and block arguments whose `loc(#alias)` named an alias that is defined later.
    deferred_locations: Vec<locations::Deferred<'s>>,
    /// Identities of `distinct[N]` by their number in the text.
    distinct: FxHashMap<u64, AttrId>,
    /// Prefix that op names may leave out; empty when none.
    default_dialect: &'static str,
    /// Parts that uses of aliases stood for, so far.
    expanded: u64,
    /// Bytes that numbers took beyond the 16 of each, so far.
    wide: u64,
    /// How deep regions, attributes and types are nested.
    depth: u32,
    /// How many functions are open around the current place.
    open_functions: u32,
    /// There are too many faults: nothing more is read.
    gave_up: bool,
}

/// What reading a text gives.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// All that could be understood.
    pub module: Module,
    /// Faults, in order of their places; the module is whole when there is no error among them.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The errors among the diagnostics.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether everything was understood.
    pub fn is_ok(&self) -> bool {
        self.errors().next().is_none()
    }
}

/// Reads `text`; `name` is what locations call it.
pub fn parse(name: &str, text: &str) -> Parsed {
    parse_bytes(name, text.as_bytes())
}

/// Reads a text that need not be UTF-8 (bytes beyond ASCII are legal in strings and comments only).
pub fn parse_bytes(name: &str, text: &[u8]) -> Parsed {
    let mut parser = Parser::new(name, text);
    if u32::try_from(text.len()).is_err() {
        let message = "texts of 4 GiB and more are not read";
        parser.diagnostics.push(Diagnostic::error("parse/too-large", Span::default(), message));
    } else {
        parser.top_level(text);
        parser.finish();
    }
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Parsed { module: parser.module, diagnostics }
}

/// Reads a text that is one attribute, such as bytecode holds where a dialect has no encoding, into `module`.
///
/// # Errors
/// The message of the first fault.
pub(crate) fn parse_attribute_into(module: &mut Module, text: &[u8]) -> Result<AttrId, String> {
    parse_into(module, text, |parser, i| parser.attribute(i))
}

/// The same for a text that is one type.
///
/// # Errors
/// The message of the first fault.
pub(crate) fn parse_type_into(module: &mut Module, text: &[u8]) -> Result<TypeId, String> {
    parse_into(module, text, |parser, i| parser.type_(i))
}

fn parse_into<'s, T>(
    module: &mut Module,
    text: &'s [u8],
    production: impl FnOnce(&mut Parser<'s>, Input<'s>) -> PResult<'s, T>,
) -> Result<T, String> {
    if u32::try_from(text.len()).is_err() {
        return Err("texts of 4 GiB and more are not read".to_owned());
    }
    let outer = std::mem::replace(module, Module::new(""));
    let mut parser = Parser::with_module(outer, text);
    let read = production(&mut parser, text);
    let result = match read {
        Ok((rest, value)) if lexical::skip(rest).is_empty() => Ok(value),
        Ok((rest, _)) => Err(format!("it goes on with `{}`", String::from_utf8_lossy(&rest[..rest.len().min(20)]))),
        Err(error) => {
            parser.report_error(&error);
            Err(String::new())
        }
    };
    *module = parser.module;
    match parser.diagnostics.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        Some(diagnostic) => Err(diagnostic.message),
        None => result,
    }
}

impl<'s> Parser<'s> {
    fn new(name: &str, source: &'s [u8]) -> Self {
        let mut module = Module::new(name);
        module.reserve_for_text(source.len().min(u32::MAX as usize));
        if u32::try_from(source.len()).is_ok() {
            module.lines = LineIndex::new(source);
        }
        Self::with_module(module, source)
    }

    fn with_module(module: Module, source: &'s [u8]) -> Self {
        Self {
            source,
            module,
            diagnostics: Vec::new(),
            names: names::Names::new(source),
            labels: Vec::new(),
            op_names: FxHashMap::default(),
            type_texts: FxHashMap::default(),
            type_aliases: FxHashMap::default(),
            attribute_aliases: FxHashMap::default(),
            deferred_locations: Vec::new(),
            distinct: FxHashMap::default(),
            default_dialect: "builtin",
            expanded: 0,
            wide: 0,
            depth: 0,
            open_functions: 0,
            gave_up: false,
        }
    }

    /// toplevel: any order of ops, alias definitions and resource sections.
    fn top_level(&mut self, mut i: Input<'s>) {
        let body = self.module.entry_block(self.module.top(), 0).expect("a new module has a body");
        loop {
            let start = lexical::skip(i);
            let result = match start {
                [] => break,
                [b'#', ..] if lexical::accept_suffix_id(start, b'#').is_some() => self.attribute_alias_def(start),
                [b'!', ..] if lexical::accept_suffix_id(start, b'!').is_some() => self.type_alias_def(start),
                [b'{', b'-', b'#', ..] => self.file_metadata_dictionary(start),
                _ => self.operation(start, body),
            };
            i = match result {
                Ok((rest, ())) => rest,
                Err(error) => match self.recover(start, error) {
                    Ok(rest) => rest,
                    Err(_) => break,
                },
            };
        }
    }

    /// What can be said only at the end of the text.
    fn finish(&mut self) {
        self.report_undefined_values();
        self.patch_deferred_locations();
        let top = self.module.top();
        if let [only] = *self.module.top_ops()
            && self.module.kind(only) == Some(OpKind::Module)
        {
            self.adopt(only);
        } else {
            // MLIR says that the module nobody wrote stands at the text as a whole.
            let place = Location::File(FileRange {
                file: self.module.source_name_id(),
                line: 0,
                column: 0,
                end_line: 0,
                end_column: 0,
            });
            let location = self.module.intern_location(place);
            self.module.set_location(top, Some(location));
        }
    }

    /// Makes the only op of the implicit module the top-level op.
    fn adopt(&mut self, op: OpId) {
        self.module.detach_op(op);
        self.module.set_top(op);
    }

    /// Byte offset of the input `i`.
    pub fn offset(&self, i: Input<'s>) -> u32 {
        (self.source.len() - i.len()) as u32
    }

    /// The bytes between two inputs, white space in front dropped.
    pub fn span(&self, from: Input<'s>, to: Input<'s>) -> Span {
        Span::new(self.offset(lexical::skip(from)), self.offset(to))
    }

    /// Counts what a use of an alias stands for: aliases of aliases must not grow without bound.
    ///
    /// # Errors
    /// `parse/too-deep`, `parse/alias-expansion`
    fn expand(&mut self, at: Input<'s>, extent: Extent, is_location: bool) -> Result<(), nom::Err<SyntaxError<'s>>> {
        let deepest = if is_location { MAX_LOCATION_DEPTH } else { MAX_DEPTH };
        if self.depth.saturating_add(extent.depth) > deepest {
            return Err(fault(at, "parse/too-deep", format!("more than {deepest} levels of nesting")));
        }
        self.expanded = self.expanded.saturating_add(u64::from(extent.nodes));
        let most = 16 * self.source.len() as u64 + (1 << 20);
        if self.expanded > most {
            let message = format!("aliases stand for more than {most} types, attributes and locations all together");
            return Err(fault(at, "parse/alias-expansion", message));
        }
        Ok(())
    }

    /// Counts the bytes of numbers beyond 128 bits each: a digit of a type of millions of bits stands for megabytes.
    ///
    /// # Errors
    /// `parse/too-large`
    fn count_wide(&mut self, at: Input<'s>, bytes: usize) -> Result<(), nom::Err<SyntaxError<'s>>> {
        self.wide = self.wide.saturating_add(bytes as u64);
        let most = 64 * self.source.len() as u64 + (16 << 20);
        if self.wide > most {
            let message = format!("numbers of more than 128 bits take more than {most} bytes all together");
            return Err(fault(at, "parse/too-large", message));
        }
        Ok(())
    }

    /// Runs `production` one level deeper.
    ///
    /// # Errors
    /// `parse/too-deep` when regions, types and attributes are nested too deeply.
    pub fn nested<T>(
        &mut self,
        i: Input<'s>,
        production: impl FnOnce(&mut Self, Input<'s>) -> PResult<'s, T>,
    ) -> PResult<'s, T> {
        if self.depth >= MAX_DEPTH {
            return Err(fault(i, "parse/too-deep", format!("more than {MAX_DEPTH} levels of nesting")));
        }
        self.depth += 1;
        let result = production(self, i);
        self.depth -= 1;
        result
    }
}

/// Deepest nesting of regions, types and attributes taken together.
const MAX_DEPTH: u32 = 256;

/// Deepest nesting of a location that an alias stands for: stacks of calls are deeper than anything else.
const MAX_LOCATION_DEPTH: u32 = 4096;
