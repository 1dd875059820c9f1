//! `convolution`: products of windows of a tensor with a kernel.

use super::convolution_rules;
use crate::diag::Diagnostic;
use crate::element::ElementType;
use crate::ir::{AttrId, Attribute, Blob, DenseElements, Literal, Module, OpId};
use crate::ops::classes::{ANY_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Infer, Numerics, Syntax, Trait};
use crate::syntax::parse::lexical::{accept, bare_id};
use crate::syntax::parse::{Input, OpState, PResult, Parser, expected, fault, keyword, punct};
use crate::syntax::{Printer, TypeForm};
use crate::vhlo::history::{Absent, History, WindowRank};

op! {
    /// Products of windows of a tensor with a kernel.
    pub struct Convolution = "stablehlo" "convolution";
    operands {
        one I1 lhs: TENSOR;
        one I2 rhs: ANY_TENSOR;
    }
    attributes {
        optional I3 window_strides: I64Array;
        optional I4 padding: I64Elements;
        optional I5 lhs_dilation: I64Array;
        optional I6 rhs_dilation: I64Array;
        optional I7 window_reversal: BoolArray;
        required I8 dimension_numbers: ConvDims;
        required I17 feature_group_count: I64;
        required I18 batch_group_count: I64;
        optional I19 precision_config: PrecisionConfig;
    }
    results {
        one result: ANY_TENSOR;
    }
    regions {}
    spec {
        summary: "Slides the kernel `rhs` over windows of `lhs` and sums the products",
        syntax: Syntax::Custom { parse, print },
        words: WORDS,
        anchor: "convolution",
        traits: &[Trait::Pure],
        constraints: convolution_rules::RULES,
        infer: Infer::Fn(convolution_rules::infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL
            .absent(&[
                ("window_strides", Absent::Ones(WindowRank::Spatial)),
                ("padding", Absent::ZeroPairs(WindowRank::Spatial)),
                ("lhs_dilation", Absent::Ones(WindowRank::Spatial)),
                ("rhs_dilation", Absent::Ones(WindowRank::Spatial)),
                ("window_reversal", Absent::Falses(WindowRank::Spatial)),
            ])
            .declared(),
    }
}

/// Lists inside `window = {…}` by attribute and word, in the order of printing.
const WINDOW: [(&str, &str); 5] = [
    ("window_strides", "stride"),
    ("padding", "pad"),
    ("lhs_dilation", "lhs_dilate"),
    ("rhs_dilation", "rhs_dilate"),
    ("window_reversal", "reverse"),
];

/// Words of the pretty form by attribute.
const WORDS: &[(&str, &str)] =
    &[("dimension_numbers", "dim_numbers"), WINDOW[0], WINDOW[1], WINDOW[2], WINDOW[3], WINDOW[4]];

/// `(%x, %w) dim_numbers = […]x[…]->[…], window = {stride = [1, 1], …} {…} : (T, U) -> V`
fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(Attribute::ConvDimensionNumbers(dims)) =
        module.property(op, "dimension_numbers").map(|attr| module.attr(attr))
    else {
        return p.give_up();
    };
    let padding = module.property(op, "padding");
    let rows = padding.and_then(|padding| padding_rows(module, padding));
    if padding.is_some() && rows.as_ref().is_none_or(|rows| rows.len() != dims.input_spatial_dimensions.len()) {
        return p.give_up();
    }
    p.out.push('(');
    p.values(module.operands(op));
    p.out.push_str(") dim_numbers = ");
    p.conv_dimension_numbers(dims);
    p.out.push_str(", window = {");
    let mut separator = "";
    for (name, word) in WINDOW {
        let Some(attr) = module.property(op, name) else { continue };
        p.out.extend([separator, word, " = "]);
        match &rows {
            Some(rows) if name == "padding" => print_padding(p, rows),
            _ => p.bare_attr(attr),
        }
        separator = ", ";
    }
    p.out.push('}');
    let shown = WINDOW.map(|(name, _)| name);
    p.attr_dict(op, &[&shown[..], &["dimension_numbers"]].concat());
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// The rows of a `tensor<Nx2xi64>`.
fn padding_rows(module: &Module, padding: AttrId) -> Option<Vec<[i64; 2]>> {
    let literal = Literal::from_attr(module, padding).filter(|literal| literal.element() == ElementType::I64)?;
    let [rows @ 0..=64, 2] = *literal.shape() else { return None };
    let number = |index| Some(i64::from_le_bytes(literal.element_bytes(index).try_into().ok()?));
    (0..rows).map(|row| Some([number(2 * row)?, number(2 * row + 1)?])).collect()
}

/// `[[1, 1], [0, 0]]`
fn print_padding(p: &mut Printer<'_>, rows: &[[i64; 2]]) {
    p.out.push('[');
    for (index, row) in rows.iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { "" });
        p.i64_list(row);
    }
    p.out.push(']');
}

/// Reads what [`print`] writes.
fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = parser.operands(i, state)?;
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = keyword!(i, "dim_numbers")?;
    let (i, ()) = punct!(i, "=")?;
    let (i, ()) = parser.slot(i, state, "dimension_numbers")?;
    let (i, ()) = punct!(i, ",")?;
    let (i, ()) = keyword!(i, "window")?;
    let (i, ()) = punct!(i, "=")?;
    let (i, ()) = punct!(i, "{")?;
    let (i, ()) = parse_window(parser, i, state)?;
    let (rest, ()) = parser.attribute_dictionary(i, state)?;
    report_group_counts(parser, i, rest, state);
    parser.types(rest, state, TypeForm::Function)
}

/// Complains about group counts on the line of the dictionary they stand in, as upstream does.
fn report_group_counts<'s>(parser: &mut Parser<'s>, from: Input<'s>, to: Input<'s>, state: &OpState<'s>) {
    for (label, name) in [("C21", "feature_group_count"), ("C22", "batch_group_count")] {
        let slot = Convolution::SPEC.attribute_slot(name);
        let attr = slot.and_then(|slot| state.properties.get(slot).copied().flatten());
        let count = attr.and_then(|attr| parser.module.integer_attr(attr));
        if let Some(message) = count.and_then(|count| convolution_rules::group_count_fault(name, count)) {
            let code = Convolution::SPEC.rule_code(label);
            parser.report(Diagnostic::error(code, parser.span(from, to), message));
        }
    }
}

/// `stride = [1, 1], …}`: in any order, each at most once.
fn parse_window<'s>(parser: &mut Parser<'s>, mut i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let mut seen = [false; WINDOW.len()];
    if let Some(rest) = accept(i, "}") {
        return Ok((rest, ()));
    }
    loop {
        let (rest, word) = bare_id(i)?;
        let Some(which) = WINDOW.iter().position(|(_, known)| known.as_bytes() == word) else {
            let words = "`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`";
            return Err(expected(i, "parse/expected-keyword", words));
        };
        if std::mem::replace(&mut seen[which], true) {
            return Err(fault(i, "parse/repeated-field", format!("`{}` is given twice", WINDOW[which].1)));
        }
        let (rest, ()) = punct!(rest, "=")?;
        let (rest, ()) = match WINDOW[which].0 {
            "padding" => parse_padding(parser, rest, state)?,
            name => parser.slot(rest, state, name)?,
        };
        match accept(rest, ",") {
            Some(rest) => i = rest,
            None => return punct!(rest, "}"),
        }
    }
}

/// `[[1, 1], [0, 0]]`
fn parse_padding<'s>(parser: &mut Parser<'s>, at: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (mut i, ()) = punct!(at, "[")?;
    let mut data = Vec::new();
    let mut rows = 0;
    if let Some(rest) = accept(i, "]") {
        i = rest;
    } else {
        loop {
            let (rest, row) = parser.i64_list(i)?;
            if row.len() != 2 {
                let message = format!("expected two numbers, low and high padding, got {}", row.len());
                return Err(fault(i, "parse/padding", message));
            }
            data.extend(row.iter().flat_map(|number| number.to_le_bytes()));
            rows += 1;
            match accept(rest, ",") {
                Some(rest) => i = rest,
                None => {
                    (i, ()) = punct!(rest, "]")?;
                    break;
                }
            }
        }
    }
    let element = parser.i64_type();
    let ty = parser.module.tensor_type(&[rows, 2], element);
    let splat = data.len() > 8 && data[8..] == data[..data.len() - 8];
    data.truncate(if splat { 8 } else { data.len() });
    let dense = DenseElements { ty, data: Blob::new(data), splat };
    let padding = parser.module.intern_attr(Attribute::DenseElements(dense));
    parser.set_attribute(state, "padding", padding);
    Ok((i, ()))
}
