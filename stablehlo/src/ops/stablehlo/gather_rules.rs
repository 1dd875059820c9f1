//! The rules of `gather` and `dynamic_gather`, which differ only in where the slice sizes come from.

use super::dims::{DimSet, List, bound_at, bounded, same_sizes_along, show, size_at};
use super::dynamic_gather::DynamicGather;
use super::gather::Gather;
use super::index_vectors::IndexVectors;
use crate::ir::{DYNAMIC, GatherDimensionNumbers, Shape, ValueId};
use crate::ops::OpKind;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const NUMBERS: &str = "dimension_numbers";
const SLICE_SIZES: &str = "slice_sizes";
const OPERAND: Place = Place::Operand(0);
const START_INDICES: Place = Place::Operand(1);

/// Either op.
pub struct Parts<'m> {
    cx: Cx<'m>,
    operand_value: ValueId,
    operand: &'m [i64],
    start_indices_value: ValueId,
    indices: IndexVectors<'m>,
    numbers: &'m GatherDimensionNumbers,
    /// How many slice sizes there are.
    n_slice_sizes: usize,
    /// The slice sizes, when they are known.
    slice_sizes: Option<Vec<i64>>,
    slice_sizes_place: Place,
}

impl<'m> Parts<'m> {
    /// The parts of the op under check.
    pub fn of(cx: &Cx<'m>) -> Self {
        let (operand, start_indices, numbers, n_slice_sizes, slice_sizes, slice_sizes_place) =
            if cx.module.kind(cx.op) == Some(OpKind::DynamicGather) {
                let op = DynamicGather::new(cx.module, cx.op);
                let count = cx.shape(op.slice_sizes()).first().copied().unwrap_or(0);
                let count = usize::try_from(count).unwrap_or(0);
                let sizes = cx.constant_integers(op.slice_sizes());
                (op.operand(), op.start_indices(), op.dimension_numbers(), count, sizes, Place::Operand(2))
            } else {
                let op = Gather::new(cx.module, cx.op);
                let sizes = op.slice_sizes();
                let place = Place::Attr(SLICE_SIZES);
                (op.operand(), op.start_indices(), op.dimension_numbers(), sizes.len(), Some(sizes.to_vec()), place)
            };
        Self {
            cx: *cx,
            operand_value: operand,
            operand: cx.shape(operand),
            start_indices_value: start_indices,
            indices: IndexVectors {
                attr: NUMBERS,
                name: "start_indices",
                place: START_INDICES,
                sizes: cx.shape(start_indices),
                dim: numbers.index_vector_dim,
            },
            numbers,
            n_slice_sizes,
            slice_sizes,
            slice_sizes_place,
        }
    }

    fn offset_dims(&self) -> List<'m> {
        List::new(NUMBERS, "offset_dims", &self.numbers.offset_dims)
    }

    fn collapsed_slice_dims(&self) -> List<'m> {
        List::new(NUMBERS, "collapsed_slice_dims", &self.numbers.collapsed_slice_dims)
    }

    fn operand_batching_dims(&self) -> List<'m> {
        List::new(NUMBERS, "operand_batching_dims", &self.numbers.operand_batching_dims)
    }

    fn start_indices_batching_dims(&self) -> List<'m> {
        List::new(NUMBERS, "start_indices_batching_dims", &self.numbers.start_indices_batching_dims)
    }

    fn start_index_map(&self) -> List<'m> {
        List::new(NUMBERS, "start_index_map", &self.numbers.start_index_map)
    }

    /// Each dimension of the operand is an offset, collapsed or batching dimension.
    pub fn rank_is_covered(&self) -> Verdict {
        let numbers = self.numbers;
        let counts =
            [numbers.offset_dims.len(), numbers.collapsed_slice_dims.len(), numbers.operand_batching_dims.len()];
        ensure(counts.iter().sum::<usize>() == self.operand.len(), || {
            let [offset, collapsed, batching] = counts;
            let message = format!(
                "offset_dims, collapsed_slice_dims and operand_batching_dims must be as many as operand has dimensions, \
                 {}, got {offset} + {collapsed} + {batching}",
                self.operand.len()
            );
            Fault::new(message).at(Place::Attr(NUMBERS)).label(OPERAND, format!("has rank {}", self.operand.len()))
        })
    }

    /// index_vector_dim is a dimension of start_indices or the one after its last.
    pub fn index_vector_dim_in_range(&self) -> Verdict {
        self.indices.dim_in_range()
    }

    /// There is one entry of start_index_map per element of an index vector.
    pub fn start_index_map_length(&self) -> Verdict {
        self.indices.one_entry_per_element(self.start_index_map())
    }

    /// offset_dims ascend.
    pub fn offset_dims_ascend(&self) -> Verdict {
        self.offset_dims().sorted()?;
        self.offset_dims().unique()
    }

    /// offset_dims are dimensions of the result.
    pub fn offset_dims_in_range(&self) -> Verdict {
        self.offset_dims().in_range(self.result_rank(), "the result")
    }

    /// No dimension is collapsed or batching twice.
    pub fn collapsed_and_batching_distinct(&self) -> Verdict {
        self.collapsed_slice_dims().distinct(self.operand_batching_dims())
    }

    /// collapsed_slice_dims are sorted.
    pub fn collapsed_sorted(&self) -> Verdict {
        self.collapsed_slice_dims().sorted()
    }

    /// collapsed_slice_dims are dimensions of the operand.
    pub fn collapsed_in_range(&self) -> Verdict {
        self.collapsed_slice_dims().in_range(self.operand.len(), "operand")
    }

    /// Slices have at most one element in collapsed dimensions.
    pub fn collapsed_slices_are_single(&self) -> Verdict {
        self.slices_are_single("collapsed", &self.numbers.collapsed_slice_dims)
    }

    /// operand_batching_dims are sorted.
    pub fn batching_sorted(&self) -> Verdict {
        self.operand_batching_dims().sorted()
    }

    /// operand_batching_dims are dimensions of the operand.
    pub fn batching_in_range(&self) -> Verdict {
        self.operand_batching_dims().in_range(self.operand.len(), "operand")
    }

    /// Slices have at most one element in batching dimensions.
    pub fn batching_slices_are_single(&self) -> Verdict {
        self.slices_are_single("batching", &self.numbers.operand_batching_dims)
    }

    /// start_indices_batching_dims do not repeat.
    pub fn indices_batching_unique(&self) -> Verdict {
        self.start_indices_batching_dims().unique()
    }

    /// start_indices_batching_dims are dimensions of start_indices.
    pub fn indices_batching_in_range(&self) -> Verdict {
        self.start_indices_batching_dims().in_range(self.indices.sizes.len(), "start_indices")
    }

    /// The dimension of index vectors is not a batching one.
    pub fn index_vector_dim_not_batching(&self) -> Verdict {
        self.indices.dim_not_batching(self.start_indices_batching_dims())
    }

    /// There are as many batching dimensions on both sides.
    pub fn batching_same_length(&self) -> Verdict {
        self.operand_batching_dims().same_length(self.start_indices_batching_dims())
    }

    /// Corresponding batching dimensions have the same size.
    pub fn batching_same_sizes(&self) -> Verdict {
        let ours = (&self.numbers.operand_batching_dims[..], self.operand, "operand");
        let theirs = (&self.numbers.start_indices_batching_dims[..], self.indices.sizes, "start_indices");
        same_sizes_along("batching", ours, theirs).map_err(|fault| {
            fault.at(Place::Attr(NUMBERS)).label(OPERAND, "operand").label(START_INDICES, "start_indices")
        })
    }

    /// No dimension is indexed twice, or indexed and batching.
    pub fn start_index_map_distinct(&self) -> Verdict {
        self.start_index_map().distinct(self.operand_batching_dims())
    }

    /// start_index_map names dimensions of the operand.
    pub fn start_index_map_in_range(&self) -> Verdict {
        self.start_index_map().in_range(self.operand.len(), "operand")
    }

    /// There is one slice size per dimension of the operand.
    pub fn slice_sizes_length(&self) -> Verdict {
        ensure(self.n_slice_sizes == self.operand.len(), || {
            let (wanted, found) = (self.operand.len(), self.n_slice_sizes);
            Fault::new(format!("slice_sizes must have one entry per dimension of operand, {wanted}, got {found}"))
                .at(self.slice_sizes_place)
                .label(OPERAND, format!("has rank {wanted}"))
        })
    }

    /// Slices fit into the operand.
    pub fn slice_sizes_fit(&self) -> Verdict {
        for (dim, size) in self.slice_sizes.iter().flatten().enumerate() {
            let whole = size_at(self.operand, dim as i64);
            ensure(*size >= 0 && (whole == DYNAMIC || *size <= whole), || {
                Fault::new(format!(
                    "slice_sizes must be between 0 and the operand's sizes, got {size} for size {} in dimension {dim}",
                    crate::syntax::dimension(whole)
                ))
                .at(self.slice_sizes_place)
                .label(OPERAND, format!("has shape {}", show(self.operand)))
            })?;
        }
        Ok(())
    }

    fn slices_are_single(&self, kind: &str, dims: &[i64]) -> Verdict {
        let Some(sizes) = &self.slice_sizes else {
            return Ok(());
        };
        match dims.iter().find(|dim| size_at(sizes, **dim) > 1) {
            None => Ok(()),
            Some(dim) => Err(Fault::new(format!(
                "slice_sizes must be at most 1 in {kind} dimensions, got {} in dimension {dim}",
                size_at(sizes, *dim)
            ))
            .at(self.slice_sizes_place)),
        }
    }

    /// Rank of the result: offset dimensions and those of start_indices without that of index vectors.
    fn result_rank(&self) -> usize {
        self.numbers.offset_dims.len() + self.indices.batch().count()
    }

    /// Batch dimensions of start_indices with the slices' dimensions put in at offset_dims.
    pub fn infer(&self) -> Vec<Inferred> {
        let numbers = self.numbers;
        let taken: [&[i64]; 2] = [&numbers.collapsed_slice_dims, &numbers.operand_batching_dims];
        let taken = DimSet::new(self.operand.len(), &taken);
        let offset_dims = DimSet::new(self.result_rank(), &[&numbers.offset_dims]);
        let slice_size = |dim: usize| self.slice_sizes.as_ref().and_then(|sizes| sizes.get(dim)).copied();
        let mut offsets = taken.others();
        let index_bounds = self.cx.bounds(self.start_indices_value);
        let mut batch = self.indices.batch();
        let (mut shape, mut bounds) = (Shape::new(), Shape::new());
        for dim in 0..self.result_rank() {
            if offset_dims.has(dim) {
                shape.push(offsets.next().and_then(slice_size).unwrap_or(DYNAMIC));
                bounds.push(DYNAMIC);
            } else if let Some((at, size)) = batch.next() {
                shape.push(size);
                bounds.push(bound_at(index_bounds, at));
            }
        }
        vec![bounded(shape, bounds, Some(self.cx.element_type(self.operand_value)))]
    }
}
