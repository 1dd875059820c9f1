//! Targets of `custom_call` whose meaning is documented and does not depend on a machine: what frameworks write when
//! they export for no particular device.
//!
//! | target | operands | results |
//! |---|---|---|
//! | `Sharding`, `SPMDFullToShardShape`, `SPMDShardToFullShape`, `annotate_device_placement`, `LayoutConstraint`, `xla.sdy.*` with one operand | a value | the same value, if it has the result's type |
//! | `mhlo.topk`, `TopK`, `stablehlo.dynamic_top_k` | tensor (and k) | the k largest of each row, and where they are |
//! | `ApproxTopK`, `stablehlo.dynamic_approx_top_k` | tensors, initial values (and k) | the first of each line in the order of the comparator, exactly |
//! | `LuDecomposition` | matrices | L below R, row exchanges, and the permutation that they make |
//! | `Qr` | matrices | R over the Householder vectors, and their factors, as LAPACK's geqrf has them |
//! | `ProductOfElementaryHouseholderReflectors` | these two | Q |
//! | `stablehlo.dynamic_reduce_window`, `stablehlo.dynamic_rng_bit_generator` | those of the op, then its shapes | those of the op |
//! | `shape_assertion` | a truth value, numbers for the message | nothing |
//! | `mhlo.acos` … `mhlo.tan`, `mhlo.erf` | a tensor | the CHLO function of that name |

use stablehlo::ir::{Attribute, EnumValue, RegionId, RngAlgorithm, Type};
use stablehlo::ops::OpKind;
use stablehlo::ops::attr_classes::{Str, SymbolArray};

use super::chlo::{self, top_k::top_k};
use super::computation::Computation;
use super::decompositions;
use super::reduce_window::reduce_window;
use super::rng_bit_generator::rng_bit_generator;
use super::shapes::sizes;
use super::sort::sort;
use super::window;
use crate::error::{EvalError, Result};
use crate::eval::{Cx, OpFn};
use crate::tensor::{Tensor, by_width};
use crate::value::{Value, Values};

/// The meaning of the target; none when it is not known.
pub fn meaning(target: &str) -> Option<OpFn> {
    Some(match target {
        "Sharding"
        | "SPMDFullToShardShape"
        | "SPMDShardToFullShape"
        | "annotate_device_placement"
        | "LayoutConstraint" => unchanged,
        _ if target.starts_with("xla.sdy.") => unchanged,
        "mhlo.topk" | "TopK" | "stablehlo.dynamic_top_k" => eval_top_k,
        "ApproxTopK" | "stablehlo.dynamic_approx_top_k" => approx_top_k,
        "LuDecomposition" => decompositions::lu,
        "Qr" => decompositions::qr,
        "ProductOfElementaryHouseholderReflectors" => decompositions::product_of_reflectors,
        "stablehlo.dynamic_reduce_window" => dynamic_reduce_window,
        "stablehlo.dynamic_rng_bit_generator" => dynamic_rng_bit_generator,
        "shape_assertion" => shape_assertion,
        // Functions of CHLO that older exporters write as calls.
        "mhlo.acos" => return chlo::function(OpKind::Acos),
        "mhlo.acosh" => return chlo::function(OpKind::Acosh),
        "mhlo.asin" => return chlo::function(OpKind::Asin),
        "mhlo.asinh" => return chlo::function(OpKind::Asinh),
        "mhlo.atan" => return chlo::function(OpKind::Atan),
        "mhlo.atanh" => return chlo::function(OpKind::Atanh),
        "mhlo.cosh" => return chlo::function(OpKind::Cosh),
        "mhlo.erf" => return chlo::function(OpKind::Erf),
        "mhlo.sinh" => return chlo::function(OpKind::Sinh),
        "mhlo.tan" => return chlo::function(OpKind::ChloTan),
        _ => return None,
    })
}

/// Calls a known target. Older programs want several results as one tuple.
pub fn call(cx: &Cx<'_>, known: OpFn) -> Result<Values> {
    let results = known(cx)?;
    match cx.module().results(cx.op()).get(0).map(|result| cx.module().ty(cx.module().value_type(result))) {
        Some(Type::Tuple(types)) if cx.n_results() == 1 && results.len() == types.len() => {
            Ok([Value::Tuple(results.into_vec().into())].into_iter().collect())
        }
        _ => Ok(results),
    }
}

/// The operands as they are: what such a call says is for a compiler.
pub fn unchanged(cx: &Cx<'_>) -> Result<Values> {
    let operands = cx.take_all();
    if operands.len() != cx.n_results() {
        return Err(EvalError::unsupported("this call does not give its operands as results"));
    }
    Ok(operands)
}

/// An entry of the call's `backend_config`, or of the dictionaries that exporters of MHLO put beside it.
fn option<'r>(cx: &Cx<'r>, name: &str) -> Option<&'r Attribute> {
    let module = cx.module();
    let dictionaries = [
        module.property(cx.op(), "backend_config"),
        module.discardable(cx.op(), "mhlo.backend_config"),
        module.discardable(cx.op(), "mhlo.attributes"),
    ];
    let entry = dictionaries.into_iter().flatten().find_map(|dictionary| module.dict_get(dictionary, name));
    entry.or_else(|| module.discardable(cx.op(), name)).map(|attr| module.attr(attr))
}

fn integer(cx: &Cx<'_>, name: &str) -> Option<i128> {
    match option(cx, name)? {
        Attribute::Integer { value, .. } => Some(*value),
        _ => None,
    }
}

/// The body of the only called computation.
fn called_region(cx: &Cx<'_>) -> Result<RegionId> {
    let module = cx.module();
    let called = cx.attr::<SymbolArray>("called_computations").unwrap_or(&[]);
    let name = called.first().and_then(|symbol| module.flat_symbol(*symbol));
    let function = name.and_then(|name| module.function(name));
    let region = function.and_then(|function| module.regions(function).first().copied());
    region.ok_or_else(|| EvalError::unsupported("the call needs called_computations"))
}

/// k is the second operand, an attribute, or the last size of the result.
fn eval_top_k(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let k = match (cx.n_operands(), integer(cx, "k"), cx.static_result_shape(0)?) {
        (2, ..) => cx.tensor(1)?.integer(0),
        (_, Some(k), _) => Some(k),
        (_, None, shape) => shape.and_then(|shape| shape.last().map(|k| *k as i128)),
    };
    let k = k.and_then(|k| usize::try_from(k).ok()).ok_or_else(|| EvalError::unsupported("top_k needs k"))?;
    top_k(cx, &operand, k, integer(cx, "largest").is_none_or(|largest| largest != 0), cx.result_element(1)?)
}

/// Sorts along `reduction_dim` and cuts; the exact answer is within any `recall_target`.
fn approx_top_k(cx: &Cx<'_>) -> Result<Values> {
    let n = cx.n_results();
    let operands = cx.tensors_from(0)?;
    let rank = operands.first().map_or(0, Tensor::rank);
    let dim = integer(cx, "reduction_dim").and_then(|dim| usize::try_from(dim).ok()).filter(|dim| *dim < rank);
    let dim = dim.ok_or_else(|| EvalError::unsupported("the call needs reduction_dim"))?;
    let Some(inputs) = operands.get(..n) else {
        return Err(EvalError::unsupported("the call has as many operands as results"));
    };
    let sorted = sort(cx, inputs, dim, Computation::new(cx, called_region(cx)?)?)?;
    let stated = cx.static_result_shape(0)?.and_then(|shape| shape.get(dim).copied());
    // The dynamic form has k after the initial values.
    let computed = operands.get(2 * n).filter(|k| k.rank() == 0).and_then(|k| k.integer(0));
    let k = computed.or_else(|| integer(cx, "top_k")).and_then(|k| usize::try_from(k).ok());
    let k = stated.or(k).ok_or_else(|| EvalError::unsupported("the call needs top_k"))?;
    let cut = |value: Value| {
        let tensor = value.into_tensor()?;
        if k > tensor.shape()[dim] {
            return Err(EvalError::invalid(
                "exec/shape-mismatch",
                format!("the first {k} of fewer elements are asked for"),
            ));
        }
        by_width!(tensor.element(), W => {
            let words = tensor.words::<W>();
            let cut = words.slice_axis(ndarray::Axis(dim), ndarray::Slice::from(..k));
            super::shapes::owned(cx, tensor.element(), &cut).map(Value::from)
        })
    };
    sorted.into_iter().map(cut).collect()
}

/// `reduce_window` with window dimensions, strides, dilations and padding as the last five operands.
fn dynamic_reduce_window(cx: &Cx<'_>) -> Result<Values> {
    let operands = cx.tensors_from(0)?;
    let Some((tensors, [dimensions, strides, base_dilations, window_dilations, padding])) = operands.split_last_chunk()
    else {
        return Err(EvalError::unsupported("dynamic_reduce_window has five operands after its tensors"));
    };
    let (inputs, init_values) = tensors.split_at(tensors.len() / 2);
    let [dimensions, strides, base_dilations, window_dilations, padding] =
        [dimensions, strides, base_dilations, window_dilations, padding].map(Tensor::saturated_integers);
    let shape = inputs.first().map_or(&[][..], Tensor::shape);
    let steps = [&strides, &base_dilations, &window_dilations].map(|steps| Some(&steps[..]));
    let windows = window::make(shape, Some(&dimensions), steps, &padding)?;
    reduce_window(cx, inputs, init_values, &windows, called_region(cx)?)
}

/// `rng_bit_generator` with the shape of its output as the second operand.
fn dynamic_rng_bit_generator(cx: &Cx<'_>) -> Result<Values> {
    let shape = sizes(&cx.tensor(1)?)?;
    let rng_algorithm = match option(cx, "rng_algorithm") {
        Some(Attribute::Enum(EnumValue::RngAlgorithm(algorithm))) => *algorithm,
        _ => RngAlgorithm::Default,
    };
    let (state, output) = rng_bit_generator(cx, &cx.tensor(0)?, rng_algorithm, cx.result_element(1)?, &shape)?;
    Ok([state, output].into_iter().map(Into::into).collect())
}

/// An error with the message `error_message`, in which `{0}` stands for the operand after the first, unless the first
/// operand is true.
fn shape_assertion(cx: &Cx<'_>) -> Result<Values> {
    match cx.tensor(0)?.integer(0) {
        Some(0) => {}
        Some(_) => return Ok(Values::new()),
        None => return Err(EvalError::unsupported("shape_assertion takes a truth value")),
    }
    let message = option(cx, "error_message").and_then(|attr| match attr {
        Attribute::String { value, .. } => Some(String::from_utf8_lossy(value).into_owned()),
        _ => None,
    });
    let config = cx.attr::<Str>("backend_config").map(|text| String::from_utf8_lossy(text).into_owned());
    let mut message = message.or(config).unwrap_or_else(|| "a shape assertion failed".to_owned());
    for (index, value) in cx.tensors_from(1)?.iter().enumerate() {
        if let Some(value) = value.integer(0) {
            message = message.replace(&format!("{{{index}}}"), &value.to_string());
        }
    }
    Err(EvalError::invalid("exec/shape-assertion", message))
}
