//! `slice`: a part of a tensor, at places known from the program.

use crate::ir::{Attribute, DYNAMIC, Dims, OpId, Shape};
use crate::ops::attr_classes::I64Array;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{AttrClass as _, Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::{self, List};
use crate::syntax::parse::lexical::{accept, int64};
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::print::write::push_i64;
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// A part of a tensor.
    pub struct Slice = "stablehlo" "slice";
    operands { one I1 operand: TENSOR; }
    attributes {
        required I2 start_indices: I64Array;
        required I3 limit_indices: I64Array;
        required I4 strides: I64Array;
    }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes every `strides`-th element from `start_indices` up to `limit_indices`",
        syntax: Syntax::Custom { parse, print },
        anchor: "slice",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type.", |cx| cx.same_element_type(&[Place::Operand(0), Place::Result(0)])),
            Constraint::rule("C2", "start_indices, limit_indices and strides have one entry per dimension of operand.", c2_one_per_dimension),
            Constraint::rule("C3", "In every dimension 0 <= start <= limit <= size of operand.", c3_in_range),
            Constraint::rule("C4", "strides are positive.", |cx| {
                List::new("strides", "strides", Slice::new(cx.module, cx.op).strides()).positive()
            }),
            Constraint::rule("C5", "Each dimension of result is (limit - start) / stride, rounded up.", |cx| cx.check_results(&infer(cx)?)),
        ],
        infer: Infer::Fn(infer),
    }
}

fn c2_one_per_dimension(cx: &Cx<'_>) -> Verdict {
    let op = Slice::new(cx.module, cx.op);
    let lists =
        [("start_indices", op.start_indices()), ("limit_indices", op.limit_indices()), ("strides", op.strides())];
    let rank = cx.rank(op.operand());
    lists
        .into_iter()
        .try_for_each(|(name, list)| List::new(name, name, list).length(rank, "one per dimension of the operand"))
}

fn c3_in_range(cx: &Cx<'_>) -> Verdict {
    let op = Slice::new(cx.module, cx.op);
    let bounds = cx.bounds(op.operand());
    for (dim, size) in cx.shape(op.operand()).iter().enumerate() {
        let (start, limit) = (op.start_indices()[dim], op.limit_indices()[dim]);
        ensure(start >= 0, || {
            let message = format!("start_indices must not be negative, got {start} in dimension {dim}");
            Fault::new(message).at(Place::Attr("start_indices"))
        })?;
        let most = if *size == DYNAMIC { dims::bound_at(bounds, dim) } else { *size };
        ensure(most == DYNAMIC || limit <= most, || {
            let what = if *size == DYNAMIC { "bound" } else { "size" };
            let message = format!("limit_indices must be at most the {what} {most} of dimension {dim}, got {limit}");
            Fault::new(message).at(Place::Attr("limit_indices")).label(Place::Operand(0), "sliced")
        })?;
        ensure(start <= limit, || {
            let message =
                format!("start_indices must be at most limit_indices, got {start} and {limit} in dimension {dim}");
            Fault::new(message).at(Place::Attr("start_indices"))
        })?;
    }
    Ok(())
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Slice::new(cx.module, cx.op);
    let ranges = op.start_indices().iter().zip(op.limit_indices()).zip(op.strides());
    let sizes: Shape = ranges.map(|((start, limit), stride)| ceil_div(limit.saturating_sub(*start), *stride)).collect();
    Ok(vec![Inferred::tensor(sizes, cx.element_type(op.operand()))])
}

/// `distance / stride` rounded up, for a distance that is not negative and a positive stride.
fn ceil_div(distance: i64, stride: i64) -> i64 {
    if distance <= 0 || stride <= 0 { 0 } else { (distance - 1) / stride + 1 }
}

/// `%x [0:2, 1:3:2] : (T) -> U`; a stride of 1 is left out.
fn print(p: &mut Printer<'_>, op: OpId) {
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
fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
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
