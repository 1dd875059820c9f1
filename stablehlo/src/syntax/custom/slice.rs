//! Syntax of `slice`.

use crate::ir::{Attribute, Dims, OpId};
use crate::ops::attr_classes::I64Array;
use crate::ops::spec::AttrClass as _;
use crate::syntax::parse::lexical::{accept, int64};
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::print::write::push_i64;
use crate::syntax::{Printer, TypeForm};

/// `%x [0:2, 1:3:2] : (T) -> U`; a stride of 1 is left out.
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let list = |name| module.property(op, name).and_then(|attr| I64Array::read(module, attr));
    let (Some(starts), Some(limits), Some(strides)) = (list("start_indices"), list("limit_indices"), list("strides"))
    else {
        return p.give_up();
    };
    if starts.len() != limits.len() || starts.len() != strides.len() {
        return p.give_up();
    }
    p.out.push(' ');
    p.values(module.operands(op));
    p.out.push_str(" [");
    for (dim, start) in starts.iter().enumerate() {
        p.out.push_str(if dim > 0 { ", " } else { "" });
        push_i64(&mut p.out, *start);
        p.out.push(':');
        push_i64(&mut p.out, limits[dim]);
        if strides[dim] != 1 {
            p.out.push(':');
            push_i64(&mut p.out, strides[dim]);
        }
    }
    p.out.push(']');
    p.attr_dict(op, &["start_indices", "limit_indices", "strides"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.operand(i, state)?;
    let (mut i, ()) = punct!(i, "[")?;
    let (mut starts, mut limits, mut strides) = (Dims::new(), Dims::new(), Dims::new());
    if let Some(rest) = accept(i, "]") {
        i = rest;
    } else {
        loop {
            let (rest, start) = int64(i)?;
            let (rest, ()) = punct!(rest, ":")?;
            let (rest, limit) = int64(rest)?;
            let (rest, stride) = match accept(rest, ":") {
                Some(rest) => int64(rest)?,
                None => (rest, 1),
            };
            starts.push(start);
            limits.push(limit);
            strides.push(stride);
            match accept(rest, ",") {
                Some(rest) => i = rest,
                None => {
                    (i, ()) = punct!(rest, "]")?;
                    break;
                }
            }
        }
    }
    for (name, list) in [("start_indices", starts), ("limit_indices", limits), ("strides", strides)] {
        let list = parser.module.intern_attr(Attribute::DenseI64Array(list));
        parser.set_attribute(state, name, list);
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}
