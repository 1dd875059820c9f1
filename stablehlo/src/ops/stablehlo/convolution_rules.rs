//! The rules of `convolution` and `dynamic_conv`, which differ only in where the padding comes from.

use smallvec::SmallVec;

use super::convolution::Convolution;
use super::dims::{List, bound_at, bounded, check_result_shapes, compatible, show, size_at};
use super::dynamic_conv::DynamicConv;
use super::precision;
use super::quantized_product::{Elements, quantization_dimension};
use super::window::{self, Window, check_padding_shape, one_per_dimension, positive};
use crate::ir::{AttrId, ConvDimensionNumbers, DYNAMIC, Precision, Shape, ValueId};
use crate::ops::OpKind;
use crate::ops::spec::Constraint;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const DIMENSION_NUMBERS: &str = "dimension_numbers";
const LHS: Place = Place::Operand(0);
const RHS: Place = Place::Operand(1);

/// Where the padding comes from.
enum Padding {
    Attribute(Option<AttrId>),
    Operand(ValueId),
}

/// Either op.
struct Conv<'m> {
    lhs: &'m [i64],
    rhs: &'m [i64],
    window_strides: Option<&'m [i64]>,
    padding: Padding,
    lhs_dilation: Option<&'m [i64]>,
    rhs_dilation: Option<&'m [i64]>,
    window_reversal: Option<&'m [bool]>,
    numbers: &'m ConvDimensionNumbers,
    feature_group_count: i64,
    batch_group_count: i64,
    precision_config: Option<Vec<Precision>>,
}

impl<'m> Conv<'m> {
    fn of(cx: &Cx<'m>) -> Self {
        macro_rules! conv {
            ($op:expr, $padding:expr) => {
                Conv {
                    lhs: cx.shape($op.lhs()),
                    rhs: cx.shape($op.rhs()),
                    window_strides: $op.window_strides(),
                    padding: $padding,
                    lhs_dilation: $op.lhs_dilation(),
                    rhs_dilation: $op.rhs_dilation(),
                    window_reversal: $op.window_reversal(),
                    numbers: $op.dimension_numbers(),
                    feature_group_count: $op.feature_group_count(),
                    batch_group_count: $op.batch_group_count(),
                    precision_config: $op.precision_config(),
                }
            };
        }
        if cx.module.kind(cx.op) == Some(OpKind::DynamicConv) {
            let op = DynamicConv::new(cx.module, cx.op);
            conv!(op, Padding::Operand(op.padding()))
        } else {
            let op = Convolution::new(cx.module, cx.op);
            conv!(op, Padding::Attribute(op.padding()))
        }
    }

    /// Number of dimensions: N of the specification.
    fn rank(&self) -> usize {
        self.lhs.len()
    }

    /// Number of spatial dimensions. Every rule after the first may rely on a rank of at least 2.
    fn n_spatial(&self) -> usize {
        self.rank().saturating_sub(2)
    }

    /// The padding, when it is known.
    fn padding(&self, cx: &Cx<'_>) -> Option<Vec<i64>> {
        match self.padding {
            Padding::Attribute(attr) => Some(window::padding(cx, attr, self.n_spatial())),
            Padding::Operand(value) => cx.constant_integers(value),
        }
    }

    /// Size of the kernel in a spatial dimension.
    fn kernel_size(&self, dim: usize) -> i64 {
        self.numbers.kernel_spatial_dimensions.get(dim).map_or(DYNAMIC, |at| size_at(self.rhs, *at))
    }
}

/// All rules, in the order in which they are checked.
pub const RULES: &[Constraint] = &[
    Constraint::rule("C1", "lhs and rhs have the same rank, at least 2.", c1_ranks),
    Constraint::rule("C12", "There is one input spatial dimension per dimension but batch and feature.", c12),
    Constraint::rule("C17", "There is one kernel spatial dimension per dimension but input and output feature.", c17),
    Constraint::rule("C19", "There is one output spatial dimension per dimension but batch and feature.", c19),
    Constraint::rule("C13", "The input's dimension numbers name each dimension of lhs once.", c13),
    Constraint::rule("C18", "The kernel's dimension numbers name each dimension of rhs once.", c18),
    Constraint::rule("C20", "The output's dimension numbers name each dimension of the result once.", c20),
    Constraint::rule("C21", "feature_group_count is positive.", c21),
    Constraint::rule("C22", "batch_group_count is positive.", c22),
    Constraint::rule("C23", "Features or batches are grouped, not both.", c23_one_kind_of_groups),
    Constraint::rule("C10", "The input's batch size is a multiple of batch_group_count.", c10),
    Constraint::rule("C11", "The input's feature size is a multiple of feature_group_count.", c11),
    Constraint::rule("C14", "The kernel takes as many input features as lhs has per feature group.", c14),
    Constraint::rule("C15", "The kernel's number of output features is a multiple of batch_group_count.", c15),
    Constraint::rule("C16", "The kernel's number of output features is a multiple of feature_group_count.", c16),
    Constraint::rule("C2", "window_strides has one entry per spatial dimension.", c2),
    Constraint::rule("C3", "window_strides is positive.", c3),
    Constraint::rule("C4", "padding has a low and a high entry per spatial dimension.", c4_padding_shape),
    Constraint::rule("C5", "lhs_dilation has one entry per spatial dimension.", c5),
    Constraint::rule("C6", "lhs_dilation is positive.", c6),
    Constraint::rule("C7", "rhs_dilation has one entry per spatial dimension.", c7),
    Constraint::rule("C8", "rhs_dilation is positive.", c8),
    Constraint::rule("C9", "window_reversal has one entry per spatial dimension.", c9),
    Constraint::rule("C24", "precision_config has one entry per operand.", c24),
    Constraint::rule("C26", "The result has as many dimensions as the operands.", c26_result_rank),
    Constraint::rule(
        "C25",
        "The result has the input's batches per batch group, the kernel's output features, and in each spatial \
         dimension as many elements as there are windows.",
        c25_result_shape,
    ),
    Constraint::rule("C27", "Without quantization, operands have the same element type.", c27),
    Constraint::rule("C29", "Scales per axis of rhs are per output feature of the kernel.", c29),
    Constraint::rule("C30", "Scales per axis of the result are per output feature.", c30),
    Constraint::rule("C28", "With quantization, rhs is quantized, and lhs exactly when the result is.", c28),
    Constraint::rule("C31", "Quantized lhs and rhs have the same storage type.", c31),
    Constraint::rule("C32", "Quantized lhs, rhs and result have the same expressed type.", c32),
    Constraint::rule("C33", "When lhs is quantized and rhs per tensor, the result is quantized per tensor.", c33),
    Constraint::rule("C34", "An unquantized lhs and the result have the expressed type of a quantized rhs.", c34),
];

fn c1_ranks(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    ensure(conv.lhs.len() == conv.rhs.len(), || {
        let (lhs, rhs) = (conv.lhs.len(), conv.rhs.len());
        Fault::new(format!("lhs and rhs must have the same rank, got {lhs} and {rhs}"))
            .at(RHS)
            .label(LHS, format!("has rank {lhs}"))
    })?;
    // There are always a batch and a feature dimension, as C13 implies.
    ensure(conv.rank() >= 2, || {
        Fault::new(format!("lhs must have a batch and a feature dimension, got rank {}", conv.rank())).at(LHS)
    })
}

fn spatial_count(cx: &Cx<'_>, name: &'static str, dims: impl Fn(&ConvDimensionNumbers) -> &[i64]) -> Verdict {
    let conv = Conv::of(cx);
    List::new(DIMENSION_NUMBERS, name, dims(conv.numbers)).length(conv.n_spatial(), "the rank of lhs less 2")
}

fn c12(cx: &Cx<'_>) -> Verdict {
    spatial_count(cx, "input_spatial_dimensions", |numbers| &numbers.input_spatial_dimensions)
}

fn c17(cx: &Cx<'_>) -> Verdict {
    spatial_count(cx, "kernel_spatial_dimensions", |numbers| &numbers.kernel_spatial_dimensions)
}

fn c19(cx: &Cx<'_>) -> Verdict {
    spatial_count(cx, "output_spatial_dimensions", |numbers| &numbers.output_spatial_dimensions)
}

/// Passes when two feature-like dimensions and the spatial ones are the dimensions 0 … N−1 in some order.
fn names_each_once(cx: &Cx<'_>, name: &'static str, of: &str, others: [i64; 2], spatial: &[i64]) -> Verdict {
    let dims: SmallVec<[i64; 6]> = others.into_iter().chain(spatial.iter().copied()).collect();
    let dims = List::new(DIMENSION_NUMBERS, name, &dims);
    dims.in_range(Conv::of(cx).rank(), of)?;
    dims.unique()
}

fn c13(cx: &Cx<'_>) -> Verdict {
    let numbers = Conv::of(cx).numbers;
    let others = [numbers.input_batch_dimension, numbers.input_feature_dimension];
    names_each_once(cx, "input dimensions", "lhs", others, &numbers.input_spatial_dimensions)
}

fn c18(cx: &Cx<'_>) -> Verdict {
    let numbers = Conv::of(cx).numbers;
    let others = [numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension];
    names_each_once(cx, "kernel dimensions", "rhs", others, &numbers.kernel_spatial_dimensions)
}

fn c20(cx: &Cx<'_>) -> Verdict {
    let numbers = Conv::of(cx).numbers;
    let others = [numbers.output_batch_dimension, numbers.output_feature_dimension];
    names_each_once(cx, "output dimensions", "the result", others, &numbers.output_spatial_dimensions)
}

fn positive_count(name: &'static str, count: i64) -> Verdict {
    group_count_fault(name, count).map_or(Ok(()), |message| Err(Fault::new(message).at(Place::Attr(name))))
}

/// What is wrong with a group count.
pub fn group_count_fault(name: &str, count: i64) -> Option<String> {
    (count < 1).then(|| format!("{name} must be positive, got {count}"))
}

fn c21(cx: &Cx<'_>) -> Verdict {
    positive_count("feature_group_count", Conv::of(cx).feature_group_count)
}

fn c22(cx: &Cx<'_>) -> Verdict {
    positive_count("batch_group_count", Conv::of(cx).batch_group_count)
}

fn c23_one_kind_of_groups(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    ensure(conv.feature_group_count == 1 || conv.batch_group_count == 1, || {
        let (features, batches) = (conv.feature_group_count, conv.batch_group_count);
        Fault::new(format!("feature_group_count or batch_group_count must be 1, got {features} and {batches}"))
            .at(Place::Attr("batch_group_count"))
    })
}

/// Passes when a size is not known or a multiple of a group count.
fn multiple(what: &str, size: i64, place: Place, count_name: &'static str, count: i64) -> Verdict {
    ensure(size == DYNAMIC || size % count == 0, || {
        Fault::new(format!("{what} must be a multiple of {count_name}, got {size} and {count}"))
            .at(Place::Attr(count_name))
            .label(place, format!("its size is {size}"))
    })
}

fn c10(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    let size = size_at(conv.lhs, conv.numbers.input_batch_dimension);
    multiple("the input batch dimension", size, LHS, "batch_group_count", conv.batch_group_count)
}

fn c11(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    let size = size_at(conv.lhs, conv.numbers.input_feature_dimension);
    multiple("the input feature dimension", size, LHS, "feature_group_count", conv.feature_group_count)
}

fn c14(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    let features = size_at(conv.lhs, conv.numbers.input_feature_dimension);
    let kernel = size_at(conv.rhs, conv.numbers.kernel_input_feature_dimension);
    let per_group = if features == DYNAMIC { DYNAMIC } else { features / conv.feature_group_count };
    ensure(compatible(per_group, kernel), || {
        let message = format!(
            "the kernel input feature dimension must be the input features per group, {features} / {}, got {kernel}",
            conv.feature_group_count
        );
        Fault::new(message).at(RHS).label(LHS, format!("has {features} features"))
    })
}

fn c15(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    let size = size_at(conv.rhs, conv.numbers.kernel_output_feature_dimension);
    multiple("the kernel output feature dimension", size, RHS, "batch_group_count", conv.batch_group_count)
}

fn c16(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    let size = size_at(conv.rhs, conv.numbers.kernel_output_feature_dimension);
    multiple("the kernel output feature dimension", size, RHS, "feature_group_count", conv.feature_group_count)
}

fn c2(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    one_per_dimension("window_strides", conv.window_strides, conv.n_spatial())
}

fn c3(cx: &Cx<'_>) -> Verdict {
    positive("window_strides", Conv::of(cx).window_strides)
}

fn c4_padding_shape(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    match conv.padding {
        Padding::Attribute(padding) => check_padding_shape(cx, padding, conv.n_spatial()),
        Padding::Operand(padding) => {
            let found = cx.shape(padding);
            let wanted = [conv.n_spatial() as i64, 2];
            ensure(found == wanted, || {
                Fault::new(format!("padding must have shape {}, got {}", show(&wanted), show(found)))
                    .at(Place::Operand(2))
            })
        }
    }
}

fn c5(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    one_per_dimension("lhs_dilation", conv.lhs_dilation, conv.n_spatial())
}

fn c6(cx: &Cx<'_>) -> Verdict {
    positive("lhs_dilation", Conv::of(cx).lhs_dilation)
}

fn c7(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    one_per_dimension("rhs_dilation", conv.rhs_dilation, conv.n_spatial())
}

fn c8(cx: &Cx<'_>) -> Verdict {
    positive("rhs_dilation", Conv::of(cx).rhs_dilation)
}

fn c9(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    let found = conv.window_reversal.filter(|list| !list.is_empty()).map_or(conv.n_spatial(), <[bool]>::len);
    ensure(found == conv.n_spatial(), || {
        let message = format!(
            "window_reversal must have length {}, one per dimension of the window, got {found}",
            conv.n_spatial()
        );
        Fault::new(message).at(Place::Attr("window_reversal"))
    })
}

fn c24(cx: &Cx<'_>) -> Verdict {
    precision::check_count(Conv::of(cx).precision_config.as_deref())
}

fn c26_result_rank(cx: &Cx<'_>) -> Verdict {
    let rank = Conv::of(cx).rank();
    let found = cx.value(Place::Result(0)).map_or(rank, |result| cx.rank(result));
    ensure(found == rank, || {
        Fault::new(format!("the result must have rank {rank} as the operands, got {found}")).at(Place::Result(0))
    })
}

fn c25_result_shape(cx: &Cx<'_>) -> Verdict {
    let conv = Conv::of(cx);
    // The specification has a meaning for empty kernels; upstream, and its tests, do not take them.
    let empty = (0..conv.n_spatial()).find(|dim| conv.kernel_size(*dim) == 0);
    ensure(empty.is_none(), || {
        let dim = empty.unwrap_or_default();
        Fault::new(format!("the kernel must not be empty, got size 0 in spatial dimension {dim}")).at(RHS)
    })?;
    check_result_shapes(cx, infer(cx)?)
}

fn c27(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).operands_equal()
}

fn c28(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).quantized_together()
}

fn c29(cx: &Cx<'_>) -> Verdict {
    let found = Elements::of(cx).rhs().and_then(quantization_dimension);
    let wanted = Conv::of(cx).numbers.kernel_output_feature_dimension;
    ensure(found.is_none_or(|found| found == wanted), || {
        let found = found.unwrap_or_default();
        let message =
            format!("the quantization dimension of rhs must be kernel_output_feature_dimension, {wanted}, got {found}");
        Fault::new(message).at(RHS)
    })
}

fn c30(cx: &Cx<'_>) -> Verdict {
    let found = Elements::of(cx).result().and_then(quantization_dimension);
    let wanted = Conv::of(cx).numbers.output_feature_dimension;
    ensure(found.is_none_or(|found| found == wanted), || {
        let found = found.unwrap_or_default();
        let message =
            format!("the quantization dimension of the result must be output_feature_dimension, {wanted}, got {found}");
        Fault::new(message).at(Place::Result(0))
    })
}

fn c31(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).storage_types()
}

fn c32(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).expressed_types()
}

fn c33(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).granularity()
}

fn c34(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).weights_only()
}

/// Shape of the result; its element type does not follow from the operands.
///
/// # Errors
/// When the number of windows is too large.
pub fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let conv = Conv::of(cx);
    let numbers = conv.numbers;
    let mut shape: Shape = std::iter::repeat_n(DYNAMIC, conv.rank()).collect();
    let mut put = |dim: i64, size: i64| {
        if let Some(at) = usize::try_from(dim).ok().and_then(|dim| shape.get_mut(dim)) {
            *at = size;
        }
    };
    if let Some(padding) = conv.padding(cx) {
        let kernel_sizes: Shape = (0..conv.n_spatial()).map(|dim| conv.kernel_size(dim)).collect();
        let window = Window {
            sizes: &kernel_sizes,
            strides: conv.window_strides,
            base_dilations: conv.lhs_dilation,
            window_dilations: conv.rhs_dilation,
            padding,
        };
        for (dim, output) in numbers.output_spatial_dimensions.iter().enumerate() {
            let base = numbers.input_spatial_dimensions.get(dim).map_or(DYNAMIC, |at| size_at(conv.lhs, *at));
            put(*output, window.dimension(dim).count(base)?);
        }
    }
    let batch = size_at(conv.lhs, numbers.input_batch_dimension);
    put(numbers.output_batch_dimension, if batch == DYNAMIC { batch } else { batch / conv.batch_group_count.max(1) });
    put(numbers.output_feature_dimension, size_at(conv.rhs, numbers.kernel_output_feature_dimension));
    Ok(vec![bounded(shape, batch_bounds(cx, &conv), None)])
}

/// Bounds of the result: those of batches and features carry over.
fn batch_bounds(cx: &Cx<'_>, conv: &Conv<'_>) -> Shape {
    let mut bounds: Shape = std::iter::repeat_n(DYNAMIC, conv.rank()).collect();
    let operand = |index: usize, dim: i64| {
        let bounds = cx.value(Place::Operand(index)).map_or(&[][..], |value| cx.bounds(value));
        usize::try_from(dim).map_or(DYNAMIC, |dim| bound_at(bounds, dim))
    };
    let numbers = conv.numbers;
    let batch = operand(0, numbers.input_batch_dimension);
    let carried = [
        (numbers.output_batch_dimension, if batch == DYNAMIC { batch } else { batch / conv.batch_group_count.max(1) }),
        (numbers.output_feature_dimension, operand(1, numbers.kernel_output_feature_dimension)),
    ];
    for (dim, bound) in carried {
        if let Some(at) = usize::try_from(dim).ok().and_then(|dim| bounds.get_mut(dim)) {
            *at = bound;
        }
    }
    bounds
}
