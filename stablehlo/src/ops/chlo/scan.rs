//! `chlo.scan`: a loop along a dimension that carries values.

use crate::ir::{Attribute, DYNAMIC, Module, OpId, RankedTensor, Shape, TypeId, ValueId};
use crate::ops::access::segments;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, DefaultValue, Infer, Numerics, ResultNames, Syntax, Trait};
use crate::ops::stablehlo::computation::Computation;
use crate::ops::stablehlo::dims::{compatible, same_sizes, show, size_at};
use crate::ops::value_classes::CHLO_TENSOR;
use crate::syntax::parse::{Input, OpState, PResult, Parser, keyword, punct};
use crate::syntax::print::write::push_i64;
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_elements, ensure};

op! {
    /// A loop along a dimension.
    pub struct Scan = "chlo" "scan";
    operands { many _ inputs: CHLO_TENSOR; many _ inits: CHLO_TENSOR; }
    attributes {
        required _ dimension: I64;
        optional _ scan_dim_size: I64;
        default _ is_reverse: Bool = DefaultValue::Bool(false);
        optional _ is_associative: Bool;
        required _ operandSegmentSizes: I32Array;
        required _ resultSegmentSizes: I32Array;
    }
    results { many outputs: CHLO_TENSOR; many carries: CHLO_TENSOR; }
    regions { one _ body; }
    spec {
        summary: "Runs `body` on slices of `inputs` along `dimension`, carrying values from one to the next",
        syntax: Syntax::Custom { parse, print },
        result_names: ResultNames::Numbers,
        argument_names: Some(argument_name),
        traits: &[Trait::IsolatedFromAbove, Trait::SingleBlock, Trait::OperandSegments, Trait::ResultSegments],
        constraints: &[
            Constraint {
                label: "C1",
                text: "There is at least one input or one output.",
                check: Check::Fn(c1_something),
            },
            Constraint {
                label: "C2",
                text: "dimension is a dimension of every input, and scan_dim_size is not negative.",
                check: Check::Fn(c2_dimension),
            },
            Constraint {
                label: "C3",
                text: "All inputs have the same size in dimension dimension, which is scan_dim_size if that is written.",
                check: Check::Fn(c3_size),
            },
            Constraint {
                label: "C4",
                text: "body takes a slice of each input, without dimension dimension, and a value like each of inits.",
                check: Check::Fn(c4_arguments),
            },
            Constraint {
                label: "C5",
                text: "body returns one slice per output and one value per carry; an output has the slices' shape with the scanned dimension put in.",
                check: Check::Fn(c5_results),
            },
        ],
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
    }
}

fn op<'m>(cx: &Cx<'m>) -> Scan<'m> {
    Scan::new(cx.module, cx.op)
}

fn c1_something(cx: &Cx<'_>) -> Verdict {
    ensure(!op(cx).inputs().is_empty() || !op(cx).outputs().is_empty(), || {
        Fault::new("expected at least one input or one output, got neither")
    })
}

/// The ranked tensor type of operand `index`.
fn ranked<'m>(cx: &Cx<'m>, index: usize, operand: ValueId) -> Result<&'m RankedTensor, Fault> {
    let ty = cx.ty(operand);
    cx.module.tensor(ty).ok_or_else(|| {
        Fault::new(format!("operand #{index} must be ranked, got {}", cx.show(ty))).at(Place::Operand(index))
    })
}

fn c2_dimension(cx: &Cx<'_>) -> Verdict {
    let dimension = op(cx).dimension();
    for (index, input) in op(cx).inputs().iter().enumerate() {
        let rank = ranked(cx, index, *input)?.shape.len();
        ensure(usize::try_from(dimension).is_ok_and(|dim| dim < rank), || {
            Fault::new(format!(
                "dimension must be in range [0, {rank}), the dimensions of input #{index}, got {dimension}"
            ))
            .at(Place::Attr("dimension"))
        })?;
    }
    ensure(dimension >= 0, || {
        Fault::new(format!("dimension must not be negative, got {dimension}")).at(Place::Attr("dimension"))
    })?;
    let size = op(cx).scan_dim_size().unwrap_or(0);
    ensure(size >= 0, || {
        Fault::new(format!("scan_dim_size must not be negative, got {size}")).at(Place::Attr("scan_dim_size"))
    })
}

fn c3_size(cx: &Cx<'_>) -> Verdict {
    let mut wanted = op(cx).scan_dim_size().unwrap_or(DYNAMIC);
    for (index, input) in op(cx).inputs().iter().enumerate() {
        let found = size_at(cx.shape(*input), op(cx).dimension());
        ensure(compatible(wanted, found), || {
            Fault::new(format!("input #{index} must have size {wanted} in the scanned dimension, got {found}"))
                .at(Place::Operand(index))
        })?;
        if found != DYNAMIC {
            wanted = found;
        }
    }
    Ok(())
}

/// Whether `ty` may be a tensor of that shape and element type.
fn is_like(cx: &Cx<'_>, ty: TypeId, shape: &[i64], element: TypeId) -> bool {
    cx.module.tensor(ty).is_some_and(|tensor| {
        compatible_elements(cx.module, tensor.element, element) && same_sizes(&tensor.shape, shape)
    })
}

fn c4_arguments(cx: &Cx<'_>) -> Verdict {
    let body = Computation::of(cx, 0)?;
    let operands = cx.module.operands(cx.op);
    ensure(body.arguments.len() == operands.len(), || {
        let (wanted, found) = (operands.len(), body.arguments.len());
        Fault::new(format!("body must take {wanted} arguments, one per operand, got {found}")).at(Place::Region(0))
    })?;
    let n_inputs = op(cx).inputs().len();
    for (index, (operand, argument)) in operands.iter().zip(&body.arguments).enumerate() {
        let tensor = ranked(cx, index, *operand)?;
        let mut shape = tensor.shape.clone();
        if index < n_inputs {
            shape.remove(op(cx).dimension() as usize);
        }
        ensure(is_like(cx, *argument, &shape, tensor.element), || {
            let found = cx.show(*argument);
            let (sizes, element) = (show(&shape), cx.show(tensor.element));
            Fault::new(format!(
                "argument {index} of body must be a tensor of shape {sizes} and element type {element}, got {found}"
            ))
            .at(Place::Region(0))
            .label(Place::Operand(index), format!("has type {}", cx.show(cx.ty(*operand))))
        })?;
    }
    Ok(())
}

fn c5_results(cx: &Cx<'_>) -> Verdict {
    let inferred = infer(cx)?;
    let n_outputs = op(cx).outputs().len();
    let (carries, inits) = (op(cx).carries().len(), op(cx).inits().len());
    ensure(carries == inits && inferred.len() == n_outputs + carries, || {
        let message = format!("expected {inits} carries and as many outputs as body returns besides them");
        Fault::new(format!(
            "{message}, {}, got {carries} carries and {n_outputs} outputs",
            inferred.len().saturating_sub(inits)
        ))
    })?;
    cx.check_results(&inferred)
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let body = Computation::of(cx, 0)?;
    let n_outputs = body.returned.len().checked_sub(op(cx).inits().len()).ok_or_else(|| {
        let (wanted, found) = (op(cx).inits().len(), body.returned.len());
        Fault::new(format!("body must return at least {wanted} values, one per carry, got {found}"))
            .at(Place::Region(0))
    })?;
    let known = op(cx).inputs().iter().map(|input| size_at(cx.shape(*input), op(cx).dimension()));
    let size = op(cx).scan_dim_size().into_iter().chain(known).find(|size| *size != DYNAMIC).unwrap_or(DYNAMIC);
    let dimension = usize::try_from(op(cx).dimension()).unwrap_or(usize::MAX);
    let infer = |(index, ty): (usize, &TypeId)| {
        let Some(tensor) = cx.module.tensor(*ty) else {
            return Err(
                Fault::new(format!("body must return ranked tensors, got {}", cx.show(*ty))).at(Place::Region(0))
            );
        };
        let mut shape: Shape = tensor.shape.clone();
        if index < n_outputs {
            if dimension > shape.len() {
                let message = format!("a slice of rank {} leaves no room for dimension {dimension}", shape.len());
                return Err(Fault::new(message).at(Place::Region(0)));
            }
            shape.insert(dimension, size);
        }
        Ok(Inferred::tensor(shape, tensor.element))
    };
    body.returned.iter().enumerate().map(infer).collect()
}

/// Slices of the inputs come first, then what is carried.
fn argument_name(module: &Module, op: OpId, index: usize) -> Option<&'static str> {
    let n_inputs = n_inputs(module, op)?;
    Some(if index < n_inputs { "input" } else { "carry" })
}

fn n_inputs(module: &Module, op: OpId) -> Option<usize> {
    let sizes = segments(module, op, &Scan::SPEC, "operandSegmentSizes")?;
    usize::try_from(*sizes.first()?).ok()
}

/// `(%a) inits (%z) dimension=0  attributes {…} {…} : (T, U) -> (V, W)`
fn print(p: &mut Printer<'_>, op: OpId) {
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
fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
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
