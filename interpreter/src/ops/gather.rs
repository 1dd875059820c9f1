//! `gather`, `dynamic_gather`, `torch_index_select`: slices picked by computed indices.

use stablehlo::element::ElementType;
use stablehlo::ir::GatherDimensionNumbers;
use stablehlo::ops::attr_classes::{GatherDims, I64, I64Array};

use super::positions::{lines, offsets, strides_of};
use super::shapes::{one, sizes, splat, unsigned};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width, show};
use crate::value::Values;

/// Reads the op and applies [`pick`].
pub fn gather(cx: &Cx<'_>) -> Result<Values> {
    let dimension_numbers = cx.required::<GatherDims>("dimension_numbers")?;
    let slice_sizes = unsigned(cx.required::<I64Array>("slice_sizes")?);
    Ok(one(pick(cx, &cx.tensor(0)?, &cx.tensor(1)?, dimension_numbers, &slice_sizes)?))
}

/// The same with `slice_sizes` as an operand.
pub fn dynamic_gather(cx: &Cx<'_>) -> Result<Values> {
    let dimension_numbers = cx.required::<GatherDims>("dimension_numbers")?;
    let slice_sizes = sizes(&cx.tensor(2)?)?;
    Ok(one(pick(cx, &cx.tensor(0)?, &cx.tensor(1)?, dimension_numbers, &slice_sizes)?))
}

/// The slice that each index vector of `start_indices` begins, moved inside the operand where it would reach out.
///
/// For each batch index, `full_start_index[start_index_map[d]] = clamp(0, start_index[d], dim - slice_size)` and
/// `full_batching_index` give the slice's place; `offset_dims` and the batch dimensions share the result's dimensions.
pub fn pick(
    cx: &Cx<'_>,
    operand: &Tensor,
    start_indices: &Tensor,
    dimension_numbers: &GatherDimensionNumbers,
    slice_sizes: &[usize],
) -> Result<Tensor> {
    check_window(operand, slice_sizes)?;
    let index_vectors = IndexVectors {
        indices: start_indices,
        index_vector_dim: dimension_numbers.index_vector_dim as usize,
        index_map: &dimension_numbers.start_index_map,
        operand_batching_dims: &dimension_numbers.operand_batching_dims,
        indices_batching_dims: &dimension_numbers.start_indices_batching_dims,
    };
    index_vectors.check("start_indices", operand.shape())?;
    let batch_shape = index_vectors.batch_shape();
    let dropped = |dim: &usize| {
        let dim = *dim as i64;
        dimension_numbers.collapsed_slice_dims.contains(&dim) || dimension_numbers.operand_batching_dims.contains(&dim)
    };
    let window_dims: Dims = (0..operand.rank()).filter(|dim| !dropped(dim)).collect();

    // The result's dimensions: windows at offset_dims in order, batches at the others in order.
    let rank = batch_shape.len() + window_dims.len();
    let offset_dims = unsigned(&dimension_numbers.offset_dims);
    let batch_dims: Dims = (0..rank).filter(|dim| !offset_dims.contains(dim)).collect();
    let mut shape: Dims = smallvec::smallvec![0; rank];
    for (dim, size) in batch_dims.iter().zip(&batch_shape) {
        shape[*dim] = *size;
    }
    for (dim, window_dim) in offset_dims.iter().zip(&window_dims) {
        shape[*dim] = slice_sizes[*window_dim];
    }
    let count = cx.memory().check(operand.element(), &shape)?;
    if count == 0 {
        return splat(operand.element(), &shape, &vec![0; operand.element().byte_width()]);
    }
    if let Some(value) = operand.splat_bytes() {
        return splat(operand.element(), &shape, value);
    }
    if let Some(dim) = (0..operand.rank()).find(|dim| slice_sizes[*dim] == 0) {
        // Only a dropped dimension can be empty where the result is not.
        let message =
            format!("slice_sizes[{dim}] is 0, so there is no element for that dimension, which the result lacks");
        return Err(EvalError::invalid("exec/out-of-bounds", message));
    }
    let strides = strides_of(&shape);
    let batch_at = offsets(cx, &batch_shape, &batch_dims.iter().map(|dim| strides[*dim]).collect::<Dims>())?;
    let window_shape: Dims = window_dims.iter().map(|dim| slice_sizes[*dim]).collect();
    let operand_strides = strides_of(operand.shape());
    let to = offsets(cx, &window_shape, &offset_dims.iter().map(|dim| strides[*dim]).collect::<Dims>())?;
    let from = offsets(cx, &window_shape, &window_dims.iter().map(|dim| operand_strides[*dim]).collect::<Dims>())?;
    let starts = starts(cx, operand.shape(), &index_vectors, &batch_shape, slice_sizes)?;
    let result = by_width!(operand.element(), W => {
        let words = operand.data().as_chunks::<W>().0;
        let mut result = vec![[0; W]; count];
        for (batch, start) in batch_at.iter().zip(&starts) {
            cx.tick(1)?;
            for (to, from) in to.iter().zip(&from) {
                result[batch + to] = words[start + from];
            }
        }
        result.into_flattened()
    });
    Tensor::new(operand.element(), &shape, result).ok_or_else(|| EvalError::bug("as many elements as counted"))
}

fn check_window(operand: &Tensor, slice_sizes: &[usize]) -> Result<()> {
    if slice_sizes.len() == operand.rank() && operand.shape().iter().zip(slice_sizes).all(|(size, slice)| slice <= size)
    {
        return Ok(());
    }
    let message = format!("slices of shape {} do not fit the operand {}", show(slice_sizes), show(operand.shape()));
    Err(EvalError::invalid("exec/shape-mismatch", message))
}

/// The index vectors that a tensor of indices holds along a dimension, or of one number each when that comes after the last;
/// the other dimensions say which vector.
pub(super) struct IndexVectors<'a> {
    pub indices: &'a Tensor,
    pub index_vector_dim: usize,
    /// The operand's dimension that each number of a vector is about.
    pub index_map: &'a [i64],
    /// Dimensions of the operand in which a vector means its own index, and those of `indices` that have it.
    pub operand_batching_dims: &'a [i64],
    pub indices_batching_dims: &'a [i64],
}

impl IndexVectors<'_> {
    /// What the program may not have known: an index vector has a number for each dimension it is about, and batching
    /// dimensions have the same sizes.
    pub fn check(&self, name: &str, operand: &[usize]) -> Result<()> {
        let size = |shape: &[usize], dim: i64| usize::try_from(dim).ok().and_then(|dim| shape.get(dim).copied());
        let in_vector = self.indices.shape().get(self.index_vector_dim).copied().unwrap_or(1);
        let differs = |(operand_dim, indices_dim): (&i64, &i64)| {
            size(operand, *operand_dim) != size(self.indices.shape(), *indices_dim)
        };
        let mut batching = self.operand_batching_dims.iter().zip(self.indices_batching_dims);
        if in_vector == self.index_map.len() && !batching.any(differs) {
            return Ok(());
        }
        let message = format!(
            "{name} of shape {} do not fit the operand {} and {} indexed dimensions",
            show(self.indices.shape()),
            show(operand),
            self.index_map.len()
        );
        Err(EvalError::invalid("exec/shape-mismatch", message))
    }

    /// The dimensions that say which vector.
    pub fn batch_shape(&self) -> Dims {
        let mut shape = Dims::from(self.indices.shape());
        if self.index_vector_dim < shape.len() {
            shape.remove(self.index_vector_dim);
        }
        shape
    }

    /// Where among the indices' elements each vector begins, and the distance of its numbers.
    pub fn places(&self, cx: &Cx<'_>) -> Result<(Vec<usize>, usize)> {
        let shape = self.indices.shape();
        match self.index_vector_dim < shape.len() {
            true => lines(cx, shape, self.index_vector_dim),
            false => Ok((offsets(cx, shape, &strides_of(shape))?, 1)),
        }
    }

    /// Each batching dimension of the operand, and its number among the dimensions that say which vector.
    pub fn batching(&self) -> impl Iterator<Item = (usize, usize)> {
        let batch_dim = |dim: &i64| *dim as usize - usize::from(self.index_vector_dim < *dim as usize);
        self.operand_batching_dims
            .iter()
            .zip(self.indices_batching_dims)
            .map(move |(operand_dim, indices_dim)| (*operand_dim as usize, batch_dim(indices_dim)))
    }
}

/// Where in the operand's row-major elements each batch's slice begins.
fn starts(
    cx: &Cx<'_>,
    shape: &[usize],
    index_vectors: &IndexVectors<'_>,
    batch_shape: &[usize],
    slice_sizes: &[usize],
) -> Result<Vec<usize>> {
    let strides = strides_of(shape);
    let (index_at, along_vector) = index_vectors.places(cx)?;
    cx.memory().check(ElementType::I64, index_vectors.indices.shape())?;
    let indices = index_vectors.indices.saturated_integers();
    let mut starts = vec![0; index_at.len()];
    for (position, dim) in index_vectors.index_map.iter().enumerate() {
        let dim = *dim as usize;
        let last = shape[dim] - slice_sizes[dim];
        for (start, index) in starts.iter_mut().zip(&index_at) {
            *start += indices[index + position * along_vector].clamp(0, last as i64) as usize * strides[dim];
        }
    }
    for (operand_dim, batch_dim) in index_vectors.batching() {
        let mut along: Dims = smallvec::smallvec![0; batch_shape.len()];
        along[batch_dim] = strides[operand_dim];
        for (start, offset) in starts.iter_mut().zip(offsets(cx, batch_shape, &along)?) {
            *start += offset;
        }
    }
    Ok(starts)
}

/// `torch_index_select`: along `dim`, the slices that `index` names; the first `batch_dims` dimensions go together.
pub fn torch_index_select(cx: &Cx<'_>) -> Result<Values> {
    let (operand, index) = (cx.tensor(0)?, cx.tensor(1)?);
    let wrapped = |value: i64, rank: usize| if value < 0 { value + rank as i64 } else { value };
    let dim = wrapped(cx.required::<I64>("dim")?, operand.rank()) as usize;
    let batch_dims = wrapped(cx.required::<I64>("batch_dims")?, index.rank()) as usize;
    if dim >= operand.rank() || batch_dims > dim || batch_dims > index.rank() {
        return Err(EvalError::invalid("exec/out-of-bounds", "dim and batch_dims are out of range"));
    }
    let mut slice_sizes = Dims::from(operand.shape());
    slice_sizes[..batch_dims].fill(1);
    slice_sizes[dim] = 1;
    let n_index_dims = index.rank() - batch_dims;
    let batching: Vec<i64> = (0..batch_dims as i64).collect();
    // Before dim: the operand's own dimensions; then those of index; then the operand's after dim.
    let offset_dims = (batch_dims..dim).chain(dim + n_index_dims..operand.rank() - 1 + n_index_dims);
    let dimension_numbers = GatherDimensionNumbers {
        offset_dims: offset_dims.map(|dim| dim as i64).collect(),
        collapsed_slice_dims: std::iter::once(dim as i64).collect(),
        operand_batching_dims: batching.iter().copied().collect(),
        start_indices_batching_dims: batching.into_iter().collect(),
        start_index_map: std::iter::once(dim as i64).collect(),
        index_vector_dim: index.rank() as i64,
    };
    Ok(one(pick(cx, &operand, &index, &dimension_numbers, &slice_sizes)?))
}
