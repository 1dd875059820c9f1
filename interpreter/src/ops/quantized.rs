//! Quantized tensors: `uniform_quantize`, `uniform_dequantize`, and every other op between the two.
//!
//! A quantized tensor is held as its storage. The specification defines most ops on quantized operands as
//! *dequantize, op, quantize*, computed in the expressed type; that is what [`through_expressed_types`] does for any op.
//! Ops that only move elements, or whose regions say what happens to elements, work on the storage when all their
//! quantized types agree ([`on_storage`]).

use smallvec::SmallVec;
use stablehlo::ir::{Module, OpId, QuantizationParameters, QuantizedType, ScaleZeroPoint, TypeId};
use stablehlo::ops::OpKind;

use crate::element::{Element, Float, Integer, Number};
use crate::error::{EvalError, Result};
use crate::eval::{Cx, OpFn, one};
use crate::tensor::Tensor;
use crate::value::{Value, Values};
use crate::{dispatch_float, dispatch_integer};

/// Whether an operand or a result of `op` is a quantized tensor.
pub(super) fn is_quantized(module: &Module, op: OpId) -> bool {
    types(module, op).any(|ty| module.quantized(ty).is_some())
}

fn types(module: &Module, op: OpId) -> impl Iterator<Item = TypeId> {
    let values = module.operands(op).iter().copied().chain(module.results(op).iter());
    values.map(|value| module.value_type(value))
}

/// Whether `op` is executed on dequantized operands.
pub(crate) fn in_expressed_types(module: &Module, op: OpId) -> bool {
    let between = matches!(module.kind(op), Some(OpKind::UniformQuantize | OpKind::UniformDequantize));
    !between && is_quantized(module, op) && !on_storage(module, op)
}

/// Whether `op` is executed on the storage of its quantized operands.
pub fn on_storage(module: &Module, op: OpId) -> bool {
    use OpKind::*;
    match module.kind(op) {
        // What happens to elements is written in regions, on scalars of the quantized type.
        Some(
            Case | If | While | Map | Reduce | ReduceWindow | Scatter | SelectAndScatter | Sort | AllReduce
            | ReduceScatter | CollectiveReduce,
        ) => true,
        // Values are handed on as they are.
        Some(
            AfterAll | BitcastConvert | Call | Composite | Constant | CustomCall | FuncReturn | GetDimensionSize
            | GetTupleElement | Infeed | OptimizationBarrier | Outfeed | Recv | Return | Send | SetDimensionSize
            | Tuple | ExpectEq | ExpectEqConst | ExpectSerializedEq | Print | Probe,
        ) => true,
        // Elements are moved: as storage when they mean the same before and after.
        Some(
            Broadcast
            | BroadcastInDim
            | Concatenate
            | DynamicBroadcastInDim
            | DynamicGather
            | DynamicPad
            | DynamicReshape
            | DynamicSlice
            | DynamicUpdateSlice
            | Gather
            | Pad
            | RealDynamicSlice
            | Reshape
            | Reverse
            | Select
            | Slice
            | TorchIndexSelect
            | Transpose,
        ) => {
            let mut quantized = types(module, op).filter_map(|ty| module.quantized(ty));
            let first = quantized.next();
            quantized.all(|other| first.is_none_or(|first| same_meaning(first, other)))
        }
        _ => false,
    }
}

/// Whether storage of one type means the same in the other; the quantization dimension may move.
fn same_meaning(a: &QuantizedType, b: &QuantizedType) -> bool {
    let entries = |ty: &QuantizedType| match &ty.parameters {
        QuantizationParameters::PerAxis { entries, .. } => Some(entries.clone()),
        _ => None,
    };
    a == b || (a.storage == b.storage && a.expressed == b.expressed && entries(a).is_some() && entries(a) == entries(b))
}

/// The op on dequantized operands, its quantized results quantized.
pub(crate) fn through_expressed_types(cx: &Cx<'_>, meaning: OpFn) -> Result<Values> {
    let module = cx.module();
    let operand_types: SmallVec<[TypeId; 4]> =
        module.operands(cx.op()).iter().map(|operand| module.value_type(*operand)).collect();
    let mut operands = Values::new();
    for (operand, ty) in cx.take_all().into_iter().zip(operand_types) {
        operands.push(match module.quantized(ty) {
            Some(quantized) => Value::Tensor(dequantize(cx, &operand.into_tensor()?, quantized)?),
            None => operand,
        });
    }
    let results = meaning(&cx.in_expressed_types(operands))?;
    let mut quantized_results = Values::new();
    for (index, result) in results.into_iter().enumerate() {
        quantized_results.push(match module.quantized(cx.result_type(index)?) {
            Some(quantized) => Value::Tensor(quantize(cx, &result.into_tensor()?, quantized)?),
            None => result,
        });
    }
    Ok(quantized_results)
}

/// `uniform_quantize`: of floats; a quantized operand was dequantized before.
pub fn uniform_quantize(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let Some(quantized) = cx.module().quantized(cx.result_type(0)?) else {
        return Err(EvalError::bug("uniform_quantize has a quantized result"));
    };
    let from = cx
        .module()
        .operands(cx.op())
        .first()
        .and_then(|operand| cx.module().quantized(cx.module().value_type(*operand)));
    let operand = match from {
        Some(from) => dequantize(cx, &operand, from)?,
        None => operand,
    };
    Ok(one(quantize(cx, &operand, quantized)?))
}

/// `uniform_dequantize`.
pub fn uniform_dequantize(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let ty = cx.module().operands(cx.op()).first().map(|operand| cx.module().value_type(*operand));
    match ty.and_then(|ty| cx.module().quantized(ty)) {
        Some(quantized) => Ok(one(dequantize(cx, &operand, quantized)?)),
        None => Err(EvalError::bug("uniform_dequantize has a quantized operand")),
    }
}

/// `(storage − zero_point) × scale`, the difference exact, the product in the expressed type.
pub fn dequantize(cx: &Cx<'_>, operand: &Tensor, quantized: &QuantizedType) -> Result<Tensor> {
    let expressed = expressed(cx, quantized)?;
    let parameters = Parameters::new(quantized, operand.shape())?;
    cx.memory().check(expressed, operand.shape())?;
    let storage = dispatch_integer!(operand.element(), S => {
        operand.to_vec::<S>().into_iter().map(integer).collect::<Vec<i128>>()
    });
    let storage = storage.ok_or_else(|| EvalError::unsupported("quantized values are stored as integers"))?;
    let result = dispatch_float!(expressed, T => {
        let values = storage.iter().enumerate().map(|(index, stored)| {
            let ScaleZeroPoint { scale, zero_point } = parameters.at(index);
            let difference = T::from_exact(crate::element::Exact::Integer(stored - i128::from(zero_point)));
            Element::multiply(difference, <T as Float>::from_f64(scale.get()))
        });
        Tensor::from_vec::<T>(operand.shape(), &values.collect::<Vec<T>>())
    });
    result.flatten().ok_or_else(|| EvalError::bug("as many elements as before"))
}

fn integer<T: Integer>(value: T) -> i128 {
    value.to_i128()
}

/// `round(clamp(storage_min, x / scale + zero_point, storage_max))`, each step in the expressed type; NaN becomes 0 or
/// the storage bound next to it.
pub fn quantize(cx: &Cx<'_>, x: &Tensor, quantized: &QuantizedType) -> Result<Tensor> {
    let storage = quantized.storage;
    let element = cx.module().storage_type_element(quantized);
    let element = element.ok_or_else(|| EvalError::unsupported("quantized values are stored as integers"))?;
    let parameters = Parameters::new(quantized, x.shape())?;
    cx.memory().check(element, x.shape())?;
    let (min, max) = (i128::from(storage.min), i128::from(storage.max));
    let stored = dispatch_float!(x.element(), T => {
        let elements = x.to_vec::<T>().into_iter().enumerate();
        elements
            .map(|(index, x)| {
                if Float::is_nan(x) {
                    cx.touch("quantize-nan");
                    return 0.clamp(min, max);
                }
                let ScaleZeroPoint { scale, zero_point } = parameters.at(index);
                let scaled = Number::divide(x, <T as Float>::from_f64(scale.get()));
                let shifted = Element::add(scaled, T::from_exact(crate::element::Exact::Integer(zero_point.into())));
                let bound = |bound: i128| T::from_exact(crate::element::Exact::Integer(bound));
                let clamped = Element::minimum(Element::maximum(shifted, bound(min)), bound(max));
                // The bounds may round outwards when they become floats: clamp once more as integers.
                (Float::to_f64(Float::round_nearest_even(clamped)) as i128).clamp(min, max)
            })
            .collect::<Vec<i128>>()
    });
    let stored = stored.ok_or_else(|| EvalError::unsupported(format!("{} is not quantized", x.element())))?;
    let result = dispatch_integer!(element, S => {
        let values = stored.iter().map(|value| S::from_exact(crate::element::Exact::Integer(*value)));
        Tensor::from_vec::<S>(x.shape(), &values.collect::<Vec<S>>())
    });
    result.flatten().ok_or_else(|| EvalError::unsupported("quantized values are stored as integers"))
}

fn expressed(cx: &Cx<'_>, quantized: &QuantizedType) -> Result<stablehlo::element::ElementType> {
    let expressed = cx.module().scalar_element(quantized.expressed).filter(|element| element.is_float());
    expressed.ok_or_else(|| EvalError::unsupported("the expressed type of a quantized type is a float"))
}

/// Which scale and zero point belong to an element, by its row-major index.
enum Parameters<'q> {
    PerTensor(ScaleZeroPoint),
    PerAxis {
        entries: &'q [ScaleZeroPoint],
        /// Elements between neighbours along the quantization dimension.
        stride: usize,
    },
    SubChannel {
        entries: &'q [ScaleZeroPoint],
        /// Per dimension: size of the tensor, size of a block, number of blocks.
        dims: SmallVec<[(usize, usize, usize); 4]>,
    },
}

impl<'q> Parameters<'q> {
    fn new(quantized: &'q QuantizedType, shape: &[usize]) -> Result<Self> {
        let misfit = || EvalError::invalid("exec/shape-mismatch", "the shape does not fit the quantization parameters");
        Ok(match &quantized.parameters {
            QuantizationParameters::PerTensor(entry) => Self::PerTensor(*entry),
            QuantizationParameters::PerAxis { dimension, entries } => {
                let dimension = usize::try_from(*dimension).ok().filter(|dim| shape.get(*dim) == Some(&entries.len()));
                let stride = shape[dimension.ok_or_else(misfit)? + 1..].iter().product();
                Self::PerAxis { entries, stride }
            }
            QuantizationParameters::SubChannel { blocks, shape: table, entries } => {
                if table.len() != shape.len() {
                    return Err(misfit());
                }
                let block_of =
                    |dim: usize| blocks.iter().find(|(at, _)| usize::try_from(*at) == Ok(dim)).map(|(_, size)| *size);
                let mut dims = SmallVec::new();
                for (dim, (size, n_blocks)) in shape.iter().zip(table).enumerate() {
                    let block = block_of(dim).map_or(Some((*size).max(1)), |block| usize::try_from(block).ok());
                    let n_blocks = usize::try_from(*n_blocks).ok();
                    let (Some(block @ 1..), Some(n_blocks)) = (block, n_blocks) else { return Err(misfit()) };
                    if *size > block.saturating_mul(n_blocks) {
                        return Err(misfit());
                    }
                    dims.push((*size, block, n_blocks));
                }
                Self::SubChannel { entries, dims }
            }
        })
    }

    fn at(&self, index: usize) -> ScaleZeroPoint {
        match self {
            Self::PerTensor(entry) => *entry,
            Self::PerAxis { entries, stride } => entries[index / stride % entries.len()],
            Self::SubChannel { entries, dims } => {
                let (mut rest, mut at, mut step) = (index, 0, 1);
                for (size, block, n_blocks) in dims.iter().rev() {
                    at += rest % size / block * step;
                    step *= n_blocks;
                    rest /= size;
                }
                entries[at]
            }
        }
    }
}
