//! Syntax of `chlo.scan`.

use crate::ir::{Attribute, Module, OpId};
use crate::syntax::parse::{Input, OpState, PResult, Parser, keyword, punct};
use crate::syntax::print::write::push_i64;
use crate::syntax::{Printer, TypeForm};

/// Slices of the inputs come first, then what is carried.
pub(crate) fn argument_name(module: &Module, op: OpId, index: usize) -> Option<&'static str> {
    let n_inputs = n_inputs(module, op)?;
    Some(if index < n_inputs { "input" } else { "carry" })
}

fn n_inputs(module: &Module, op: OpId) -> Option<usize> {
    let Attribute::DenseI64Array(sizes) = module.attr(module.property(op, "operandSegmentSizes")?) else { return None };
    usize::try_from(*sizes.first()?).ok()
}

/// `(%a) inits (%z) dimension=0  attributes {…} {…} : (T, U) -> (V, W)`
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let operands = module.operands(op);
    let Some((inputs, inits)) = n_inputs(module, op).and_then(|n_inputs| operands.split_at_checked(n_inputs)) else {
        return p.give_up();
    };
    let dimension = module.property(op, "dimension").and_then(|attr| module.integer_attr(attr));
    let (Some(dimension), [body]) = (dimension, module.regions(op)) else { return p.give_up() };
    p.out.push('(');
    p.values(inputs);
    p.out.push_str(") inits (");
    p.values(inits);
    p.out.push_str(") dimension=");
    push_i64(&mut p.out, dimension);
    p.out.push(' ');
    p.attr_dict_with_keyword(op, &["dimension", "operandSegmentSizes", "resultSegmentSizes"]);
    p.out.push(' ');
    p.region(*body, true, true);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = parser.operands(i, state)?;
    let n_inputs = state.operands.len();
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = keyword!(i, "inits")?;
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = parser.operands(i, state)?;
    let n_inits = state.operands.len() - n_inputs;
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = keyword!(i, "dimension")?;
    let (i, ()) = punct!(i, "=")?;
    let (i, ()) = parser.slot(i, state, "dimension")?;
    let (i, ()) = parser.attribute_dictionary_with_keyword(i, state)?;
    let (i, body) = parser.region(i, &[])?;
    state.regions.push(body);
    let (i, ()) = parser.types(i, state, TypeForm::Function)?;
    let n_outputs = state.result_types.len().saturating_sub(n_inits);
    let results = [n_outputs as i64, (state.result_types.len() - n_outputs) as i64];
    for (name, sizes) in [("operandSegmentSizes", [n_inputs as i64, n_inits as i64]), ("resultSegmentSizes", results)] {
        let sizes = parser.module.intern_attr(Attribute::DenseI64Array(sizes.iter().copied().collect()));
        parser.set_attribute(state, name, sizes);
    }
    Ok((i, ()))
}
