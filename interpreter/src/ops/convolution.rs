//! `convolution`, `dynamic_conv`: products of a kernel with windows.

use stablehlo::element::ElementType;
use stablehlo::ir::ConvDimensionNumbers;
use stablehlo::ops::attr_classes::{BoolArray, ConvDims, I64, I64Array};

use super::contract::{Accumulator, Columns, accumulation_type, dispatch_accumulator, load, store};
use super::positions::{Indices, offsets, strides_of};
use super::shapes::one;
use super::window::{self, WindowDimension};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor};
use crate::value::Values;

/// `convolution`.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let padding = window::padding(cx)?;
    evaluate(cx, &padding)
}

/// `dynamic_conv`: the padding is an operand.
pub fn dynamic_conv(cx: &Cx<'_>) -> Result<Values> {
    let padding = cx.tensor(2)?.saturated_integers();
    evaluate(cx, &padding)
}

fn evaluate(cx: &Cx<'_>, padding: &[i64]) -> Result<Values> {
    let attributes = Attributes {
        window_strides: cx.attr::<I64Array>("window_strides"),
        padding,
        lhs_dilation: cx.attr::<I64Array>("lhs_dilation"),
        rhs_dilation: cx.attr::<I64Array>("rhs_dilation"),
        window_reversal: cx.attr::<BoolArray>("window_reversal"),
        dimension_numbers: cx.required::<ConvDims>("dimension_numbers")?,
        feature_group_count: cx.required::<I64>("feature_group_count")?,
        batch_group_count: cx.required::<I64>("batch_group_count")?,
    };
    Ok(one(convolution(cx, &cx.tensor(0)?, &cx.tensor(1)?, &attributes, cx.result_element(0)?)?))
}

/// What a convolution is told besides its operands, in the specification's names.
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct Attributes<'a> {
    pub window_strides: Option<&'a [i64]>,
    pub padding: &'a [i64],
    pub lhs_dilation: Option<&'a [i64]>,
    pub rhs_dilation: Option<&'a [i64]>,
    pub window_reversal: Option<&'a [bool]>,
    pub dimension_numbers: &'a ConvDimensionNumbers,
    pub feature_group_count: i64,
    pub batch_group_count: i64,
}

/// For each batch and window of `lhs`, the products with the kernel `rhs` summed over the places of the window and, for
/// each of them, the input features. Padding and the room between dilated elements are zeros that take part.
///
/// # Errors
/// `exec/shape-mismatch` when the operands do not fit each other, `exec/memory-limit`.
pub fn convolution(
    cx: &Cx<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    attributes: &Attributes<'_>,
    result: ElementType,
) -> Result<Tensor> {
    let plan = Plan::new(lhs, rhs, attributes)?;
    if cx.is_strict() && window::reads_padding(&plan.windows, &plan.n_windows) && !all_finite(rhs) {
        cx.touch("padding-times-infinity");
    }
    dispatch_accumulator!(accumulation_type(lhs.element(), rhs.element(), result), A => {
        let sums = sums::<A>(cx, lhs, rhs, &plan, result)?;
        store(cx, &sums, &plan.shape, result)
    })
}

/// Sizes and strides by role.
struct Plan {
    windows: Vec<WindowDimension>,
    n_windows: Dims,
    shape: Dims,
    n_batches: usize,
    /// Groups, of features or of batches.
    n_groups: usize,
    groups_batches: bool,
    /// Input features and output features of one group.
    n_in: usize,
    n_out: usize,
    lhs: Strides,
    rhs: Strides,
    result: Strides,
}

/// Strides of a batch, a feature and the spatial dimensions; of the kernel those of an output feature, an input feature
/// and the spatial dimensions.
struct Strides {
    batch: usize,
    feature: usize,
    spatial: Dims,
}

impl Strides {
    fn new(shape: &[usize], batch: i64, feature: i64, spatial: &[i64]) -> Self {
        let strides = strides_of(shape);
        let at = |dim: i64| strides.get(dim as usize).copied().unwrap_or(0);
        Self { batch: at(batch), feature: at(feature), spatial: spatial.iter().map(|dim| at(*dim)).collect() }
    }
}

impl Plan {
    fn new(lhs: &Tensor, rhs: &Tensor, attributes: &Attributes<'_>) -> Result<Self> {
        let numbers = attributes.dimension_numbers;
        let size = |tensor: &Tensor, dim: i64| {
            let size = usize::try_from(dim).ok().and_then(|dim| tensor.shape().get(dim)).copied();
            size.ok_or_else(|| EvalError::bug("a dimension number is out of range"))
        };
        let sizes = |tensor: &Tensor, dims: &[i64]| dims.iter().map(|dim| size(tensor, *dim)).collect::<Result<Dims>>();
        let kernel_sizes: Vec<i64> =
            sizes(rhs, &numbers.kernel_spatial_dimensions)?.iter().map(|size| *size as i64).collect();
        let base = sizes(lhs, &numbers.input_spatial_dimensions)?;
        let steps = [attributes.window_strides, attributes.lhs_dilation, attributes.rhs_dilation];
        let mut windows = window::make(&base, Some(&kernel_sizes), steps, attributes.padding)?;
        for (window, reversed) in windows.iter_mut().zip(attributes.window_reversal.unwrap_or(&[])) {
            window.reversed = *reversed;
        }
        let n_windows = window::counts(&windows)?;

        let groups = |count: i64| usize::try_from(count).ok().filter(|count| *count > 0);
        let counts = groups(attributes.feature_group_count).zip(groups(attributes.batch_group_count));
        let (feature_groups, batch_groups) = counts.ok_or_else(|| EvalError::bug("group counts are positive"))?;
        let n_groups = feature_groups.max(batch_groups);
        let n_batches = size(lhs, numbers.input_batch_dimension)?;
        let n_features = size(lhs, numbers.input_feature_dimension)?;
        let n_in = size(rhs, numbers.kernel_input_feature_dimension)?;
        let n_out = size(rhs, numbers.kernel_output_feature_dimension)?;
        if Some(n_features) != n_in.checked_mul(feature_groups)
            || n_out % n_groups != 0
            || n_batches % batch_groups != 0
        {
            let message = format!(
                "{n_batches} batches of {n_features} features in {batch_groups} and {feature_groups} groups do not fit a \
                 kernel of {n_in} by {n_out} features"
            );
            return Err(EvalError::invalid("exec/shape-mismatch", message));
        }
        let n_batches = n_batches / batch_groups;
        let mut shape: Dims = smallvec::smallvec![0; lhs.rank()];
        let places = std::iter::once((numbers.output_batch_dimension, n_batches))
            .chain(std::iter::once((numbers.output_feature_dimension, n_out)))
            .chain(numbers.output_spatial_dimensions.iter().copied().zip(n_windows.iter().copied()));
        for (dim, size) in places {
            let place = usize::try_from(dim).ok().and_then(|dim| shape.get_mut(dim));
            *place.ok_or_else(|| EvalError::bug("a dimension number is out of range"))? = size;
        }
        let (input, output) = (&numbers.input_spatial_dimensions, &numbers.output_spatial_dimensions);
        let (kernel_out, kernel_in) = (numbers.kernel_output_feature_dimension, numbers.kernel_input_feature_dimension);
        Ok(Self {
            lhs: Strides::new(lhs.shape(), numbers.input_batch_dimension, numbers.input_feature_dimension, input),
            rhs: Strides::new(rhs.shape(), kernel_out, kernel_in, &numbers.kernel_spatial_dimensions),
            result: Strides::new(&shape, numbers.output_batch_dimension, numbers.output_feature_dimension, output),
            windows,
            n_windows,
            shape,
            n_batches,
            n_groups,
            groups_batches: batch_groups > 1,
            n_in,
            n_out: n_out / n_groups,
        })
    }
}

/// Results that are computed at a time, to bound the memory that windows are copied to.
const BLOCK: usize = 64;

fn sums<A: Accumulator>(cx: &Cx<'_>, lhs: &Tensor, rhs: &Tensor, plan: &Plan, result: ElementType) -> Result<Vec<A>> {
    let count = cx.memory().check(A::TYPE, &plan.shape)?;
    let mut sums = vec![A::ZERO; count];
    if count == 0 {
        return Ok(sums);
    }
    let (lhs, rhs) = (load::<A>(cx, lhs, result)?, load::<A>(cx, rhs, result)?);
    let sizes: Dims = plan.windows.iter().map(|window| window.size).collect();
    let kernel_at = offsets(cx, &sizes, &plan.rhs.spatial)?;
    let k = kernel_at.len() * plan.n_in;
    cx.memory().check_bytes(k.saturating_mul(BLOCK * size_of::<A>()))?;
    let tables: Vec<Table> = (0..sizes.len()).map(|dim| Table::new(cx, plan, dim)).collect::<Result<_>>()?;
    if plan.n_in == 1 && plan.n_groups > 1 && !plan.groups_batches {
        let n_out = plan.n_groups * plan.n_out;
        cx.memory().check_bytes(rhs.len().saturating_mul(size_of::<A>()))?;
        let stride = plan.rhs.batch;
        let line = |at: &usize| {
            let at = *at;
            (0..n_out).map(move |out| at + out * stride)
        };
        let kernel: Vec<A> = kernel_at.iter().flat_map(line).map(|at| rhs[at]).collect();
        depthwise(cx, plan, &lhs, &kernel, &tables, &mut sums)?;
        return Ok(sums);
    }
    let mut block = Block { rows: Vec::with_capacity(k * BLOCK), places: Vec::with_capacity(BLOCK) };
    for group in 0..plan.n_groups {
        let first_out = group * plan.n_out;
        let columns = Columns::new(cx, k, plan.n_out, |k, out| {
            let at = (first_out + out) * plan.rhs.batch + kernel_at[k / plan.n_in];
            rhs[at + k % plan.n_in * plan.rhs.feature]
        })?;
        let group_at = match plan.groups_batches {
            true => group * plan.n_batches * plan.lhs.batch,
            false => group * plan.n_in * plan.lhs.feature,
        };
        for batch in 0..plan.n_batches {
            let from = group_at + batch * plan.lhs.batch;
            let to = batch * plan.result.batch + first_out * plan.result.feature;
            let mut windows = Indices::new(&plan.n_windows);
            while let Some(window) = windows.advance() {
                block.push(&lhs, from, window, &tables, plan);
                let offset: usize = window.iter().zip(&plan.result.spatial).map(|(index, stride)| index * stride).sum();
                block.places.push(to + offset);
                if block.places.len() == BLOCK {
                    block.multiply(cx, &columns, plan, &mut sums)?;
                }
            }
            block.multiply(cx, &columns, plan, &mut sums)?;
        }
    }
    Ok(sums)
}

/// For one spatial dimension: where in `lhs` each place of each window lies; none for zeros.
struct Table {
    size: usize,
    places: Vec<Option<usize>>,
}

impl Table {
    fn new(cx: &Cx<'_>, plan: &Plan, dim: usize) -> Result<Self> {
        let (window, n, stride) = (plan.windows[dim], plan.n_windows[dim], plan.lhs.spatial[dim]);
        cx.memory().check(ElementType::ComplexF64, &[n, window.size])?;
        let place = |window_index: usize, place: usize| window.element(window_index, place).map(|index| index * stride);
        let places = (0..n).flat_map(|index| (0..window.size).map(move |at| place(index, at))).collect();
        Ok(Self { size: window.size, places })
    }

    fn of(&self, window: usize) -> &[Option<usize>] {
        &self.places[window * self.size..][..self.size]
    }
}

/// Calls `act` with where each place of a window lies, in row-major order; with none for zeros.
fn each_place(window: &[usize], tables: &[Table], mut act: impl FnMut(Option<usize>)) {
    let Some((last, outer)) = tables.split_last() else {
        return act(Some(0));
    };
    let line = last.of(window[outer.len()]);
    let sizes: Dims = outer.iter().map(|table| table.size).collect();
    let mut places = Indices::new(&sizes);
    while let Some(index) = places.advance() {
        let start = outer
            .iter()
            .zip(window)
            .zip(index)
            .try_fold(0, |sum, ((table, window), place)| Some(sum + table.of(*window)[*place]?));
        for place in line {
            act(start.zip(*place).map(|(start, place)| start + place));
        }
    }
}

/// Groups of one input feature each, all groups side by side.
fn depthwise<A: Accumulator>(
    cx: &Cx<'_>,
    plan: &Plan,
    lhs: &[A],
    kernel: &[A],
    tables: &[Table],
    sums: &mut [A],
) -> Result<()> {
    let n_out = plan.n_groups * plan.n_out;
    let mut row = vec![A::ZERO; n_out];
    for batch in 0..plan.n_batches {
        let mut windows = Indices::new(&plan.n_windows);
        while let Some(window) = windows.advance() {
            cx.tick(kernel.len())?;
            row.fill(A::ZERO);
            let mut lines = kernel.chunks_exact(n_out);
            each_place(window, tables, |place| {
                let kernel = lines.next().unwrap_or(&[]);
                let Some(from) = place.map(|place| batch * plan.lhs.batch + place) else {
                    row.iter_mut().zip(kernel).for_each(|(sum, rhs)| *sum = sum.add_product(A::ZERO, *rhs));
                    return;
                };
                if plan.n_out == 1 && plan.lhs.feature == 1 {
                    for ((sum, rhs), lhs) in row.iter_mut().zip(kernel).zip(&lhs[from..from + n_out]) {
                        *sum = sum.add_product(*lhs, *rhs);
                    }
                    return;
                }
                for (out, (sum, rhs)) in row.iter_mut().zip(kernel).enumerate() {
                    *sum = sum.add_product(lhs[from + out / plan.n_out * plan.lhs.feature], *rhs);
                }
            });
            let offset: usize = window.iter().zip(&plan.result.spatial).map(|(index, stride)| index * stride).sum();
            let to = batch * plan.result.batch + offset;
            for (out, sum) in row.iter().enumerate() {
                sums[to + out * plan.result.feature] = sum.finished();
            }
        }
    }
    Ok(())
}

/// Windows written out as rows, and where their results go.
struct Block<A> {
    rows: Vec<A>,
    places: Vec<usize>,
}

impl<A: Accumulator> Block<A> {
    /// Writes out a window: places in row-major order, for each the features.
    fn push(&mut self, lhs: &[A], from: usize, window: &[usize], tables: &[Table], plan: &Plan) {
        let n = plan.n_in;
        each_place(window, tables, |place| match (place, plan.lhs.feature) {
            (Some(place), 1) => self.rows.extend_from_slice(&lhs[from + place..][..n]),
            (Some(place), stride) => self.rows.extend((0..n).map(|feature| lhs[from + place + feature * stride])),
            (None, _) => self.rows.extend(std::iter::repeat_n(A::ZERO, n)),
        });
    }

    fn multiply(&mut self, cx: &Cx<'_>, columns: &Columns<A>, plan: &Plan, sums: &mut [A]) -> Result<()> {
        columns.multiply(cx, &self.rows, self.places.len(), |row, column, results| {
            let at = self.places[row] + column * plan.result.feature;
            for (index, result) in results.iter().enumerate() {
                sums[at + index * plan.result.feature] = *result;
            }
        })?;
        self.rows.clear();
        self.places.clear();
        Ok(())
    }
}

fn all_finite(tensor: &Tensor) -> bool {
    let element = tensor.element();
    let finite = crate::dispatch_float!(element, T => {
        tensor.data().chunks_exact(element.byte_width()).all(|bytes| {
            crate::element::Float::is_finite(<T as crate::element::Element>::read_le(bytes))
        })
    });
    finite.unwrap_or(true)
}
