//! The meaning of every op.
//!
//! # How an op is added
//!
//! 1. A file named after the mnemonic (families of like ops share one). In it a *meaning on values*: a function with the
//!    specification's variable names that takes and gives [`Tensor`](crate::tensor::Tensor)s,
//!
//!    ```text
//!    pub fn pad(cx: &Cx<'_>, operand: &Tensor, padding_value: &Tensor, edge_padding_low: &[i64], …) -> Result<Tensor>
//!    ```
//!
//!    and an *adapter* that reads operands and attributes of the op at hand and calls it. It is named after the op where
//!    a file holds several, else `eval`:
//!
//!    ```text
//!    pub fn eval(cx: &Cx<'_>) -> Result<Values> {
//!        let low = cx.required::<I64Array>("edge_padding_low")?;
//!        …
//!        Ok(one(pad(cx, &cx.tensor(0)?, &cx.tensor(1)?, low, high, interior)?))
//!    }
//!    ```
//! 2. A line in `of_kind`.
//!
//! What such a function may rely on: the module is verified, so operand counts, element types, ranks and attributes are
//! right. What it must see to itself: sizes that are only known at run time (`?`), and memory: before it makes a tensor
//! it asks [`Memory::check`](crate::memory::Memory::check). The evaluator compares the results with the static types.
//!
//! - Ops that only move elements are generic over the width of a word, see [`by_width`](crate::tensor::by_width): `view =
//!   operand.words::<W>()` is an `ndarray` view, results are made with [`Tensor::from_words`](crate::tensor::Tensor::from_words).
//!   A splat in is a splat out, so look at [`Tensor::splat_bytes`](crate::tensor::Tensor::splat_bytes) first.
//! - Ops that compute are generic over a trait of [`element`](crate::element); a `dispatch_…!` macro chooses the type once.
//!   [`elementwise`] has `map` and `zip`.
//! - Regions: [`Cx::run_region`] runs one on any values. A region of which [`is_elementwise`] holds can be run once for many elements with
//!   [`Cx::run_region_lifted`]. Loops over elements call [`Cx::tick`], so that limits hold.
//! - An op with a large operand that it changes in a few places takes it with [`Cx::take`] and changes
//!   [`Tensor::into_bytes_mut`](crate::tensor::Tensor::into_bytes_mut).
//! - Behaviour that the specification leaves open follows [`semantics`](crate::semantics); `Cx::touch` records that
//!   a run came across it.

pub mod batch_norm;
pub mod bitcast_convert;
pub mod broadcast;
pub mod check;
pub mod chlo;
pub mod collective;
pub mod computation;
pub mod concatenate;
pub mod constant;
pub mod contract;
pub mod control_flow;
pub mod convolution;
pub mod custom_calls;
pub mod decompositions;
pub mod dot_general;
pub mod dynamic_slice;
pub mod effects;
pub mod einsum;
pub mod elementwise;
pub mod fft;
pub mod fold;
pub mod foreign;
pub mod gather;
pub mod iota;
pub mod linear;
pub mod map;
pub mod pad;
pub mod positions;
pub mod quantized;
pub mod reduce;
pub mod reduce_window;
pub mod reshape;
pub mod reverse;
pub mod rng;
pub mod rng_bit_generator;
pub mod scatter;
pub mod select_and_scatter;
pub mod slice;
pub mod sort;
pub mod transpose;
pub mod window;

mod shapes;
mod strict;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;
use stablehlo::ir::{BlockId, Module, OpId, RegionId, ValueId};
use stablehlo::ops::OpKind;
use stablehlo::ops::spec::Trait;

#[cfg(doc)]
use crate::eval::Cx;
use crate::eval::OpFn;

pub(crate) use strict::notice;

/// The meaning of `op`; none when it is not executed.
pub(crate) fn meaning(module: &Module, op: OpId) -> Option<OpFn> {
    match module.kind(op) {
        Some(kind) => of_kind(kind),
        None => foreign::meaning(module.op_name(op)),
    }
}

/// The meaning of every op. There is no wildcard: who declares an op says here what it means, or that it has no meaning yet.
fn of_kind(kind: OpKind) -> Option<OpFn> {
    use OpKind::*;
    Some(match kind {
        // Families: each has a table of rows.
        Abs | Add | And | Atan2 | Cbrt | Ceil | Clamp | Compare | Complex | Convert | Cosine | CountLeadingZeros
        | Divide | Exponential | ExponentialMinusOne | Floor | Imag | IsFinite | Log | LogPlusOne | Logistic
        | Maximum | Minimum | Multiply | Negate | Not | Or | Popcnt | Power | Real | ReducePrecision | Remainder
        | RoundNearestAfz | RoundNearestEven | Rsqrt | Select | ShiftLeft | ShiftRightArithmetic
        | ShiftRightLogical | Sign | Sine | Sqrt | Subtract | Tan | Tanh | Xor => {
            return elementwise::meaning(kind);
        }
        AsinAcosKernel
        | Acos
        | Acosh
        | Asin
        | Asinh
        | Atan
        | Atanh
        | BesselI1e
        | Conj
        | Cosh
        | Digamma
        | Erf
        | ErfInv
        | Erfc
        | IsInf
        | IsNegInf
        | IsPosInf
        | Lgamma
        | Sinh
        | Square
        | ChloTan
        | NextAfter
        | Polygamma
        | Zeta
        | Mulhi
        | ChloConstant
        | ConstantLike
        | RaggedDot
        | TopK
        | Scan
        | BroadcastAdd
        | BroadcastAtan2
        | BroadcastDivide
        | BroadcastMaximum
        | BroadcastMinimum
        | BroadcastMultiply
        | BroadcastNextAfter
        | BroadcastPolygamma
        | BroadcastPower
        | BroadcastRemainder
        | BroadcastShiftLeft
        | BroadcastShiftRightArithmetic
        | BroadcastShiftRightLogical
        | BroadcastSubtract
        | BroadcastZeta
        | BroadcastAnd
        | BroadcastOr
        | BroadcastXor
        | BroadcastComplex
        | BroadcastCompare
        | BroadcastSelect => return chlo::meaning(kind),

        // Control flow and values as wholes.
        Call => control_flow::call,
        Case => control_flow::case,
        Composite => control_flow::composite,
        If => control_flow::if_,
        While => control_flow::while_,
        FuncReturn | Return => control_flow::terminator,
        Tuple => control_flow::tuple,
        GetTupleElement => control_flow::get_tuple_element,
        OptimizationBarrier => control_flow::optimization_barrier,
        AsyncStart => control_flow::async_start,
        AsyncDone => control_flow::async_done,

        // Moving elements.
        BitcastConvert => bitcast_convert::eval,
        Broadcast => broadcast::broadcast,
        BroadcastInDim => broadcast::broadcast_in_dim,
        Concatenate => concatenate::eval,
        Constant => constant::eval,
        DynamicBroadcastInDim => broadcast::dynamic_broadcast_in_dim,
        DynamicGather => gather::dynamic_gather,
        DynamicIota => iota::dynamic_iota,
        DynamicPad => pad::dynamic_pad,
        DynamicReshape => reshape::dynamic_reshape,
        DynamicSlice => dynamic_slice::dynamic_slice,
        DynamicUpdateSlice => dynamic_slice::dynamic_update_slice,
        Gather => gather::gather,
        GetDimensionSize => shapes::get_dimension_size,
        Iota => iota::eval,
        Pad => pad::eval,
        RealDynamicSlice => slice::real_dynamic_slice,
        Reshape => reshape::eval,
        Reverse => reverse::eval,
        SetDimensionSize => shapes::set_dimension_size,
        Slice => slice::eval,
        TorchIndexSelect => gather::torch_index_select,
        Transpose => transpose::eval,

        // Contractions, reductions, sorting, linear algebra, normalization, random numbers, quantization.
        BatchNormGrad => batch_norm::batch_norm_grad,
        BatchNormInference => batch_norm::batch_norm_inference,
        BatchNormTraining => batch_norm::batch_norm_training,
        Cholesky => linear::eval_cholesky,
        Convolution => convolution::eval,
        Dot => dot_general::dot,
        DotGeneral => dot_general::dot_general,
        DynamicConv => convolution::dynamic_conv,
        Einsum => einsum::eval,
        Fft => fft::eval,
        Map => map::eval,
        Reduce => reduce::eval,
        ReduceWindow => reduce_window::eval,
        Rng => rng::eval,
        RngBitGenerator => rng_bit_generator::eval,
        Scatter => scatter::eval,
        SelectAndScatter => select_and_scatter::eval,
        Sort => sort::eval,
        TriangularSolve => linear::eval_triangular_solve,
        UnaryEinsum => einsum::unary_einsum,
        UniformDequantize => quantized::uniform_dequantize,
        UniformQuantize => quantized::uniform_quantize,

        // The world around the program, and tests.
        AfterAll | CreateToken => effects::token,
        CustomCall => foreign::custom_call,
        Infeed => effects::infeed,
        Outfeed => effects::outfeed,
        PartitionId | ReplicaId => effects::process_id,
        Print => effects::print,
        Probe => effects::probe,
        ExpectAlmostEq => check::expect_almost_eq,
        ExpectAlmostEqConst => check::expect_almost_eq_const,
        ExpectClose => check::expect_close,
        ExpectEq => check::expect_eq,
        ExpectEqConst => check::expect_eq_const,
        ExpectSerializedEq => check::expect_serialized_eq,

        // Collectives, in a grid of one process.
        AllGather | AllReduce | AllToAll | CollectiveReduce | CrossReplicaSum | ReduceScatter => {
            collective::alone_in_group
        }
        CollectiveBroadcast => collective::collective_broadcast,
        CollectivePermute => collective::collective_permute,
        // They need a grid of several processes.
        Send | Recv | RunParallel => return None,
        // They are never executed as ops, or work on functions as values.
        Module | Func | CallIndirect | FuncConstant | UnrealizedConversionCast => return None,
    })
}

/// Whether a region on scalars computes each element by itself, so that it can be run once for many elements.
pub fn is_elementwise(module: &Module, region: RegionId) -> bool {
    let [block] = module.blocks(region) else {
        return false;
    };
    module.block(*block).ops.iter().all(|op| {
        let Some(kind) = module.kind(*op) else {
            return false;
        };
        let lifts = elementwise::meaning(kind).is_some() || kind == OpKind::Constant;
        kind.spec().has(Trait::Terminator) || (lifts && !quantized::is_quantized(module, *op))
    })
}

/// Values that the ops of a block use and neither it nor they define. The ops have no regions.
pub(crate) fn captured_values(module: &Module, block: BlockId) -> Vec<ValueId> {
    let block = module.block(block);
    let mut defined: FxHashSet<ValueId> = block.arguments.iter().copied().collect();
    defined.extend(block.ops.iter().flat_map(|op| module.results(*op).iter()));
    let used = block.ops.iter().flat_map(|op| module.operands(*op));
    used.copied().filter(|value| !defined.contains(value)).collect()
}
