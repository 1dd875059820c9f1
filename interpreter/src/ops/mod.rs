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
//! 2. A line in [`meaning`].
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
pub mod computation;
pub mod concatenate;
pub mod constant;
pub mod contract;
pub mod control_flow;
pub mod convolution;
pub mod custom_calls;
pub mod dot_general;
pub mod dynamic_slice;
pub mod effects;
pub mod einsum;
pub mod elementwise;
pub mod fft;
pub mod fold;
pub mod foreign;
pub mod gather;
pub mod householder;
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
use stablehlo::ir::{Module, OpId, RegionId, ValueId};
use stablehlo::ops::spec::Trait;

#[cfg(doc)]
use crate::eval::Cx;
use crate::eval::OpFn;

pub(crate) use strict::notice;

/// The meaning of `op`; none when it is not executed.
pub(crate) fn meaning(module: &Module, op: OpId) -> Option<OpFn> {
    of_name(module.kind(op)?.name())
}

fn of_name(name: &str) -> Option<OpFn> {
    if let Some(mnemonic) = name.strip_prefix("chlo.") {
        return chlo::meaning(mnemonic);
    }
    if let Some(mnemonic) = name.strip_prefix("stablehlo.") {
        return elementwise::meaning(mnemonic).or_else(|| stablehlo(mnemonic));
    }
    Some(match name {
        "func.call" => control_flow::call,
        "func.return" => control_flow::terminator,
        "check.expect_eq" => check::expect_eq,
        "check.expect_eq_const" => check::expect_eq_const,
        "check.expect_almost_eq" => check::expect_almost_eq,
        "check.expect_almost_eq_const" => check::expect_almost_eq_const,
        "check.expect_close" => check::expect_close,
        "check.expect_serialized_eq" => check::expect_serialized_eq,
        "interpreter.print" => effects::print,
        "interpreter.probe" => effects::probe,
        _ => return None,
    })
}

fn stablehlo(mnemonic: &str) -> Option<OpFn> {
    Some(match mnemonic {
        "after_all" | "create_token" => effects::token,
        "batch_norm_grad" => batch_norm::batch_norm_grad,
        "batch_norm_inference" => batch_norm::batch_norm_inference,
        "batch_norm_training" => batch_norm::batch_norm_training,
        "bitcast_convert" => bitcast_convert::eval,
        "broadcast" => broadcast::broadcast,
        "broadcast_in_dim" => broadcast::broadcast_in_dim,
        "case" => control_flow::case,
        "cholesky" => linear::eval_cholesky,
        "composite" => control_flow::composite,
        "concatenate" => concatenate::eval,
        "constant" => constant::eval,
        "convolution" => convolution::eval,
        "custom_call" => foreign::custom_call,
        "dot" => dot_general::dot,
        "dot_general" => dot_general::dot_general,
        "dynamic_broadcast_in_dim" => broadcast::dynamic_broadcast_in_dim,
        "dynamic_conv" => convolution::dynamic_conv,
        "dynamic_gather" => gather::dynamic_gather,
        "dynamic_iota" => iota::dynamic_iota,
        "dynamic_pad" => pad::dynamic_pad,
        "dynamic_reshape" => reshape::dynamic_reshape,
        "dynamic_slice" => dynamic_slice::dynamic_slice,
        "dynamic_update_slice" => dynamic_slice::dynamic_update_slice,
        "einsum" => einsum::eval,
        "fft" => fft::eval,
        "gather" => gather::gather,
        "get_dimension_size" => shapes::get_dimension_size,
        "get_tuple_element" => control_flow::get_tuple_element,
        "if" => control_flow::if_,
        "infeed" => effects::infeed,
        "iota" => iota::eval,
        "map" => map::eval,
        "optimization_barrier" => control_flow::optimization_barrier,
        "outfeed" => effects::outfeed,
        "pad" => pad::eval,
        "partition_id" | "replica_id" => effects::process_id,
        "real_dynamic_slice" => slice::real_dynamic_slice,
        "reduce" => reduce::eval,
        "reduce_window" => reduce_window::eval,
        "reshape" => reshape::eval,
        "return" => control_flow::terminator,
        "reverse" => reverse::eval,
        "rng" => rng::eval,
        "rng_bit_generator" => rng_bit_generator::eval,
        "scatter" => scatter::eval,
        "select_and_scatter" => select_and_scatter::eval,
        "set_dimension_size" => shapes::set_dimension_size,
        "slice" => slice::eval,
        "sort" => sort::eval,
        "torch_index_select" => gather::torch_index_select,
        "transpose" => transpose::eval,
        "triangular_solve" => linear::eval_triangular_solve,
        "tuple" => control_flow::tuple,
        "unary_einsum" => einsum::unary_einsum,
        "uniform_dequantize" => quantized::uniform_dequantize,
        "uniform_quantize" => quantized::uniform_quantize,
        "while" => control_flow::while_,
        _ => return None,
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
        let lifts = |name: &str| elementwise::meaning(name).is_some() || name == "constant";
        kind.spec().has(Trait::Terminator)
            || (kind.spec().dialect == "stablehlo"
                && lifts(kind.spec().mnemonic)
                && !quantized::is_quantized(module, *op))
    })
}

/// Values that a region uses and does not define.
pub fn captured_values(module: &Module, region: RegionId) -> Vec<ValueId> {
    let mut defined = FxHashSet::default();
    let mut used = Vec::new();
    for block in module.blocks(region) {
        defined.extend(module.block(*block).arguments.iter().copied());
        for op in &module.block(*block).ops {
            module.walk(*op, |inner| {
                used.extend_from_slice(module.operands(inner));
                defined.extend(module.results(inner).iter());
                for region in module.regions(inner) {
                    for block in module.blocks(*region) {
                        defined.extend(module.block(*block).arguments.iter().copied());
                    }
                }
            });
        }
    }
    used.retain(|value| !defined.contains(value));
    used.sort();
    used.dedup();
    used
}
