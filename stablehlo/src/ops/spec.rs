//! What a declaration of an op consists of.
//!
//! Every op is declared once, with [`op!`](crate::ops::op). The parser, the printer, the verifier, `shlo explain`, the
//! documentation tables and the editor read these rows; nothing else in the workspace repeats an op's name, operands,
//! attributes or rules.

use super::OpKind;
use crate::ir::{AttrId, EnumKind, Module, OpId, TypeId};
use crate::syntax::{Form, ParseFn, PrintFn};
use crate::verify::{Cx, Inferred, Verdict};
use crate::vhlo::history::Vhlo;

/// What the pretty form calls an argument of the regions; none where it goes by number.
pub type ArgumentNames = fn(&Module, OpId, usize) -> Option<&'static str>;

/// One op.
#[derive(Copy, Clone, Debug)]
pub struct OpSpec {
    /// Dialect namespace: `stablehlo`, `chlo`, `func` …
    pub dialect: &'static str,
    /// Name inside the dialect: `dot_general`.
    pub mnemonic: &'static str,
    /// `stablehlo.dot_general`
    pub name: &'static str,
    /// One sentence: what the op does.
    pub summary: &'static str,
    /// Anchor of its section in the specification; empty for ops outside it.
    pub anchor: &'static str,
    /// Operands in order.
    pub operands: &'static [Operand],
    /// Inherent attributes in declared order: the slots of [`Module::properties`].
    pub attributes: &'static [Attr],
    /// Results in order.
    pub results: &'static [OpResult],
    /// Regions in order.
    pub regions: &'static [RegionSpec],
    /// Ops that may end its blocks, the usual one first; ops of unknown dialects may always.
    pub terminators: &'static [OpKind],
    /// The dialect whose ops stand in the pretty form's regions without its name; none when empty.
    pub default_dialect: &'static str,
    /// What holds for every op of this kind.
    pub traits: &'static [Trait],
    /// The specification's constraints, in the order in which they are checked (a check may rely on the ones before it).
    pub constraints: &'static [Constraint],
    /// Type inference.
    pub infer: Infer,
    /// The pretty form.
    pub syntax: Syntax,
    /// How results are called when printed.
    pub result_names: ResultNames,
    /// What the pretty form calls argument number `usize` of the regions; by number where it says nothing.
    pub argument_names: Option<ArgumentNames>,
    /// The words in front of attributes' values, by attribute, in a pretty form that is a function: where they are not the
    /// names of the attributes.
    pub words: &'static [(&'static str, &'static str)],
    /// Which of the `%names` of the pretty form is operand `index` of `n`; without it they stand in order.
    pub operand_places: Option<fn(usize, usize) -> usize>,
    /// How exactly a result is defined.
    pub numerics: Numerics,
    /// What the op is called in portable artifacts, and since when.
    pub vhlo: Vhlo,
    /// Why one should not write this op any more and what to write instead; none for current ops.
    pub deprecated: Option<&'static str>,
    /// Golden file of the op's rules: sections that show each rule accepting and rejecting.
    pub examples: &'static str,
}

impl OpSpec {
    /// What a declaration leaves unsaid.
    pub const DEFAULT: OpSpec = OpSpec {
        dialect: "",
        mnemonic: "",
        name: "",
        summary: "",
        anchor: "",
        operands: &[],
        attributes: &[],
        results: &[],
        regions: &[],
        terminators: &[OpKind::Return],
        default_dialect: "",
        traits: &[],
        constraints: &[],
        infer: Infer::No,
        syntax: Syntax::Generic,
        result_names: ResultNames::Declared,
        argument_names: None,
        words: &[],
        operand_places: None,
        numerics: Numerics::Exact,
        vhlo: Vhlo::Usual,
        deprecated: None,
        examples: "",
    };

    /// Whether the op has `wanted`.
    pub fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    /// The slot of an inherent attribute.
    pub fn attribute_slot(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|attr| attr.name == name)
    }

    /// The stable code of one of the op's rules: `pad_c2`, `pad_i1`, `chlo_top_k_c1`.
    pub fn rule_code(&self, label: &str) -> String {
        let prefix = if self.dialect == "stablehlo" { String::new() } else { format!("{}_", self.dialect) };
        format!("{prefix}{}_{}", self.mnemonic, label.to_ascii_lowercase())
    }

    /// The code of a complaint about an inherent attribute as an input, `pad_i3`; none where it has no label.
    pub fn attribute_code(&self, name: &str) -> Option<String> {
        let attr = self.attributes.iter().find(|attr| attr.name == name && !attr.label.is_empty())?;
        Some(self.rule_code(attr.label))
    }

    /// Which operands of an op with `n_operands` belong to declared operand `index`; none when the counts do not fit.
    ///
    /// `segments` are the sizes that ops with [`Trait::OperandSegments`] carry; otherwise several variadic operands
    /// share what is left equally, as in `reduce` and `scatter`.
    pub fn operand_range(
        &self,
        index: usize,
        n_operands: usize,
        segments: Option<&[i64]>,
    ) -> Option<std::ops::Range<usize>> {
        segment(self.operands.iter().map(|operand| operand.arity), index, n_operands, segments)
    }

    /// The same for results.
    pub fn result_range(
        &self,
        index: usize,
        n_results: usize,
        segments: Option<&[i64]>,
    ) -> Option<std::ops::Range<usize>> {
        segment(self.results.iter().map(|result| result.arity), index, n_results, segments)
    }
}

fn segment(
    arities: impl Iterator<Item = Arity> + Clone,
    index: usize,
    n_values: usize,
    segments: Option<&[i64]>,
) -> Option<std::ops::Range<usize>> {
    if let Some(segments) = segments {
        let size = |at: usize| segments.get(at).and_then(|size| usize::try_from(*size).ok());
        let start = (0..index).try_fold(0usize, |sum, at| sum.checked_add(size(at)?))?;
        let end = start.checked_add(size(index)?)?;
        return (end <= n_values).then_some(start..end);
    }
    let n_fixed = arities.clone().filter(|arity| *arity == Arity::One).count();
    let n_open = arities.clone().count() - n_fixed;
    let left = n_values.checked_sub(n_fixed)?;
    let each = match n_open {
        0 => (left == 0).then_some(0)?,
        _ => (left % n_open == 0).then_some(left / n_open)?,
    };
    let size = |arity: Arity| if arity == Arity::One { 1 } else { each };
    let start = arities.clone().take(index).map(size).sum();
    Some(start..start + size(arities.clone().nth(index)?))
}

/// How many values stand for one declared operand or result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly one.
    One,
    /// Any number.
    Many,
}

/// A declared operand.
#[derive(Copy, Clone, Debug)]
pub struct Operand {
    /// The specification's label of the input, `I1`; empty outside the specification.
    pub label: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What types it takes.
    pub class: TypeClass,
    /// How many values it stands for.
    pub arity: Arity,
}

/// A declared result.
#[derive(Copy, Clone, Debug)]
pub struct OpResult {
    /// Its name.
    pub name: &'static str,
    /// What types it may have.
    pub class: TypeClass,
    /// How many values it stands for.
    pub arity: Arity,
}

/// A declared region.
#[derive(Copy, Clone, Debug)]
pub struct RegionSpec {
    /// The specification's label of the input; empty outside the specification.
    pub label: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Whether any number of regions stand for it.
    pub arity: Arity,
}

/// A set of types with the words that describe it in diagnostics.
#[derive(Copy, Clone)]
pub struct TypeClass {
    /// "ranked tensor of integer type", in the singular and without article.
    pub words: &'static str,
    /// Whether a type belongs to it.
    pub accepts: fn(&Module, TypeId) -> bool,
}

impl std::fmt::Debug for TypeClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.words)
    }
}

/// A declared inherent attribute.
#[derive(Copy, Clone, Debug)]
pub struct Attr {
    /// The specification's label of the input; empty outside the specification.
    pub label: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: AttrKind,
    /// Whether it must be written.
    pub presence: Presence,
}

/// Whether an attribute must be written, and what its absence means.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Presence {
    /// Must be written.
    Required,
    /// May be absent, and absence has its own meaning.
    Optional,
    /// Absence means this value; pretty forms leave the value out, generic forms show it if it was written.
    Default(DefaultValue),
    /// Absence means this value, and the op always gets it when it is made.
    Filled(DefaultValue),
}

/// Values that attributes default to.
#[derive(Copy, Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the words say it")]
pub enum DefaultValue {
    Bool(bool),
    I32(i32),
    I64(i64),
    EmptyString,
    EmptyArray,
    EmptyDictionary,
    /// `#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>`
    DefaultAccuracy,
}

impl DefaultValue {
    /// Whether `attr` is this value.
    pub fn is(self, module: &Module, attr: AttrId) -> bool {
        use crate::ir::Attribute;
        match (self, module.attr(attr)) {
            (DefaultValue::Bool(wanted), Attribute::Integer { value, .. }) => i128::from(wanted) == *value,
            (DefaultValue::I32(wanted), Attribute::Integer { value, .. }) => i128::from(wanted) == *value,
            (DefaultValue::I64(wanted), Attribute::Integer { value, .. }) => i128::from(wanted) == *value,
            (DefaultValue::EmptyString, Attribute::String { value, ty: None }) => value.is_empty(),
            (DefaultValue::EmptyArray, Attribute::Array(values)) => values.is_empty(),
            (DefaultValue::EmptyDictionary, Attribute::Dictionary(entries)) => entries.is_empty(),
            (DefaultValue::DefaultAccuracy, Attribute::ResultAccuracy(accuracy)) => {
                accuracy.mode == crate::ir::ResultAccuracyMode::Default
                    && accuracy.ulps == 0
                    && accuracy.atol.get() == 0.0
                    && accuracy.rtol.get() == 0.0
            }
            _ => false,
        }
    }
}

/// What values an attribute takes, and how a pretty form writes them where the kind is known from the declaration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AttrKind {
    /// Anything.
    Any,
    /// `1 : i64`, bare `1`
    I64,
    /// `1 : i32`, bare `1`
    I32,
    /// `1 : ui32`, bare `1`
    UI32,
    /// `1 : ui64`, bare `1`
    UI64,
    /// `1.0 : f32`
    F32,
    /// `1.0 : f64`, bare `1.0`
    F64,
    /// `true`
    Bool,
    /// `unit`
    Unit,
    /// `"text"`
    String,
    /// A type.
    Type,
    /// Any attribute that has a type: integers, floats, elements, typed strings.
    Typed,
    /// `array<i64: 1, 2>`, bare `[1, 2]`
    I64Array,
    /// `array<i32: 1, 2>`, bare `[1, 2]`
    I32Array,
    /// `array<i1: true>`, bare `[true]`
    BoolArray,
    /// `dense<…> : tensor<…xi64>`
    I64Elements,
    /// Any elements attribute.
    Elements,
    /// `[…]`
    Array,
    /// `{…}`
    Dictionary,
    /// `"text"` or `{…}`
    StringOrDictionary,
    /// `@name`
    Symbol,
    /// `[@a, @b]`
    SymbolArray,
    /// `[[@a], [@b]]`
    SymbolArrays,
    /// `[dense<[1, 0]> : tensor<2xindex>, …]`
    LayoutArray,
    /// An array of layouts' arrays.
    TilingArray,
    /// A word, bare `LT` or `#stablehlo<comparison_direction LT>`
    Enum(EnumKind),
    /// `[#stablehlo<precision HIGH>, …]`, bare `[HIGH, DEFAULT]`
    EnumArray(EnumKind),
    /// `#stablehlo.dot<…>`
    DotDimensionNumbers,
    /// `#chlo.ragged_dot<…>`
    RaggedDotDimensionNumbers,
    /// `#stablehlo.gather<…>`
    GatherDimensionNumbers,
    /// `#stablehlo.scatter<…>`
    ScatterDimensionNumbers,
    /// `#stablehlo.conv<…>`
    ConvDimensionNumbers,
    /// `#stablehlo.dot_algorithm<…>`
    DotAlgorithm,
    /// `#stablehlo.channel_handle<…>`
    ChannelHandle,
    /// `#stablehlo.result_accuracy<…>`
    ResultAccuracy,
    /// An array of `#stablehlo.output_operand_alias<…>`
    OutputOperandAliases,
    /// `dense<…> : tensor<…xi64>` or `#stablehlo.replica_group_mesh_axes<…>`
    ReplicaGroups,
}

/// What holds for every op of a kind.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Trait {
    /// No effects: the op may be dropped when its results are not used.
    Pure,
    /// Its result is the value of its attribute `value`.
    ConstantLike,
    /// Ends a block.
    Terminator,
    /// Exchanging its two operands does not matter (exactly MLIR's trait: decides the compact form of `reduce`).
    Commutative,
    /// Nothing inside sees values from outside.
    IsolatedFromAbove,
    /// Its regions are graphs: a value may be used before it is defined.
    GraphRegions,
    /// Its regions hold at most one block.
    SingleBlock,
    /// Its regions need no terminator.
    NoTerminator,
    /// It gives its `sym_name` to the symbol table around it.
    Symbol,
    /// Its regions hold symbols.
    SymbolTable,
    /// Its operand counts are in an `operandSegmentSizes` attribute.
    OperandSegments,
    /// Its result counts are in a `resultSegmentSizes` attribute.
    ResultSegments,
}

/// One rule.
#[derive(Copy, Clone, Debug)]
pub struct Constraint {
    /// The specification's label: `C2`. Rules that upstream's tools have but the specification does not are called `X1`, …;
    /// dialects outside of the specification number their rules as it does.
    pub label: &'static str,
    /// The rule in plain words, one or two sentences, of our own.
    pub text: &'static str,
    /// How it is checked.
    pub check: Check,
}

impl Constraint {
    /// A rule that a function checks.
    pub const fn rule(label: &'static str, text: &'static str, check: fn(&Cx<'_>) -> Verdict) -> Self {
        Self { label, text, check: Check::Fn(check) }
    }
}

/// How a rule is checked.
#[derive(Copy, Clone, Debug)]
pub enum Check {
    /// By a function.
    Fn(fn(&Cx<'_>) -> Verdict),
    /// By the declared class of an operand, attribute, result or region named here; a complaint then carries that input's label.
    Class(&'static str),
    /// Together with another rule of the same op, whose label this is; the complaint carries that label.
    With(&'static str),
    /// Not by looking at the program; why.
    Runtime(&'static str),
}

/// Type inference of an op.
#[derive(Copy, Clone, Debug)]
pub enum Infer {
    /// Result types do not follow from the operands.
    No,
    /// This function computes them; it may rely on every constraint listed before the one that compares the result.
    Fn(fn(&Cx<'_>) -> Result<Vec<Inferred>, crate::verify::Fault>),
}

/// How an op is written other than in the generic form.
#[derive(Copy, Clone, Debug)]
pub enum Syntax {
    /// Generic form only.
    Generic,
    /// Parts in order; one description that both the parser and the printer follow.
    Form(&'static [Form]),
    /// Two functions, which stand with the declaration.
    Custom {
        /// Reads everything after the op's name.
        parse: ParseFn,
        /// Writes everything after the op's name.
        print: PrintFn,
    },
}

/// How results are called in the pretty form.
#[derive(Copy, Clone, Debug)]
pub enum ResultNames {
    /// By the declared result names when there are at least two declared results, else by number.
    Declared,
    /// By number.
    Numbers,
    /// By a function: the hint for the first result.
    Fn(fn(&Module, OpId) -> Option<&'static str>),
}

/// How exactly a result is defined.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Numerics {
    /// One right answer (for floats: the correctly rounded one).
    Exact,
    /// Implementations may be this many ulps off (f32, f64), see `docs/semantics.md`.
    Ulp(u32),
    /// A sum or product of many terms: the order is free.
    Accumulation,
    /// Not determined.
    Random,
}

/// An attribute kind as a marker type: what a typed view returns for it.
pub trait AttrClass {
    /// What reading gives.
    type Value<'m>;
    /// The kind as data.
    const KIND: AttrKind;
    /// Reads `attr`; none when it is of another kind.
    fn read(module: &Module, attr: AttrId) -> Option<Self::Value<'_>>;
}
