//! Syntax of `dot_general`.

use crate::ir::{Attribute, Dims, DotDimensionNumbers, OpId};
use crate::syntax::parse::lexical::{accept, accept_keyword};
use crate::syntax::parse::{Input, OpState, PResult, Parser, keyword, punct};
use crate::syntax::{Printer, TypeForm};

/// `%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGH], algorithm = <…> : (T, U) -> V`
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(Attribute::DotDimensionNumbers(dims)) =
        module.property(op, "dot_dimension_numbers").map(|attr| module.attr(attr))
    else {
        return p.give_up();
    };
    p.out.push(' ');
    p.values(module.operands(op));
    p.out.push_str(", ");
    if !dims.lhs_batching_dimensions.is_empty() || !dims.rhs_batching_dimensions.is_empty() {
        p.out.push_str("batching_dims = ");
        p.i64_list(&dims.lhs_batching_dimensions);
        p.out.push_str(" x ");
        p.i64_list(&dims.rhs_batching_dimensions);
        p.out.push_str(", ");
    }
    p.out.push_str("contracting_dims = ");
    p.i64_list(&dims.lhs_contracting_dimensions);
    p.out.push_str(" x ");
    p.i64_list(&dims.rhs_contracting_dimensions);
    for (name, keyword) in [("precision_config", ", precision = "), ("algorithm", ", algorithm = ")] {
        if let Some(attr) = module.property(op, name) {
            p.out.push_str(keyword);
            p.bare_attr(attr);
        }
    }
    p.attr_dict(op, &["dot_dimension_numbers", "precision_config", "algorithm"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.operand(i, state)?;
    let (i, ()) = punct!(i, ",")?;
    let (i, ()) = parser.operand(i, state)?;
    let (mut i, ()) = punct!(i, ",")?;
    let mut dims = DotDimensionNumbers::default();
    if let Some(rest) = accept_keyword(i, "batching_dims") {
        (i, (dims.lhs_batching_dimensions, dims.rhs_batching_dimensions)) = pair_of_lists(parser, rest)?;
        (i, ()) = punct!(i, ",")?;
    }
    (i, ()) = keyword!(i, "contracting_dims")?;
    (i, (dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions)) = pair_of_lists(parser, i)?;
    let dims = parser.module.intern_attr(Attribute::DotDimensionNumbers(Box::new(dims)));
    parser.set_attribute(state, "dot_dimension_numbers", dims);
    for (name, word) in [("precision_config", "precision"), ("algorithm", "algorithm")] {
        if let Some(rest) = accept(i, ",").and_then(|rest| accept_keyword(rest, word)) {
            (i, ()) = punct!(rest, "=")?;
            (i, ()) = parser.slot(i, state, name)?;
        }
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}

/// `= [0] x [1]`
fn pair_of_lists<'s>(parser: &mut Parser<'s>, i: Input<'s>) -> PResult<'s, (Dims, Dims)> {
    let (i, ()) = punct!(i, "=")?;
    let (i, lhs) = parser.i64_list(i)?;
    let (i, ()) = keyword!(i, "x")?;
    let (i, rhs) = parser.i64_list(i)?;
    Ok((i, (lhs, rhs)))
}
