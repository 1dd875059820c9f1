//! Syntax of `reduce_precision`.

use crate::ir::{Attribute, OpId};
use crate::syntax::parse::lexical::bare_id;
use crate::syntax::parse::{Input, OpState, PResult, Parser, expected, keyword, punct};
use crate::syntax::print::write::push_i64;
use crate::syntax::{Printer, TypeForm};

/// `%x, format = e5m2 : T`
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let bits = |name| module.property(op, name).and_then(|attr| module.integer_attr(attr)).filter(|bits| *bits >= 0);
    let (Some(exponent), Some(mantissa)) = (bits("exponent_bits"), bits("mantissa_bits")) else {
        return p.give_up();
    };
    p.out.push(' ');
    p.values(module.operands(op));
    p.out.push_str(", format = e");
    push_i64(&mut p.out, exponent);
    p.out.push('m');
    push_i64(&mut p.out, mantissa);
    p.attr_dict(op, &["exponent_bits", "mantissa_bits"]);
    p.form_types(op, TypeForm::Same);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.operand(i, state)?;
    let (i, ()) = punct!(i, ",")?;
    let (i, ()) = keyword!(i, "format")?;
    let (at, ()) = punct!(i, "=")?;
    let (i, word) = bare_id(at)?;
    let Some((exponent, mantissa)) = exponent_and_mantissa(word) else {
        return Err(expected(at, "parse/float-format", "a float format like `e5m10`"));
    };
    let ty = parser.i32_type();
    for (name, bits) in [("exponent_bits", exponent), ("mantissa_bits", mantissa)] {
        let bits = parser.module.intern_attr(Attribute::Integer { ty, value: i128::from(bits) });
        parser.set_attribute(state, name, bits);
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Same)
}

/// The numbers in `e5m10`.
fn exponent_and_mantissa(word: &[u8]) -> Option<(i32, i32)> {
    let (exponent, mantissa) = std::str::from_utf8(word).ok()?.strip_prefix('e')?.split_once('m')?;
    let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
    Some((number(exponent)?, number(mantissa)?))
}
