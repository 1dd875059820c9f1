//! Index vectors: where gathers read and scatters write, as vectors along a dimension of a tensor of indices.

use super::dims::{List, compatible, show};
use crate::verify::{Fault, Place, Verdict, ensure};

/// The indices of a gather or scatter.
#[derive(Copy, Clone)]
pub struct IndexVectors<'m> {
    /// The attribute with the dimension numbers.
    pub attr: &'static str,
    /// How messages call the indices.
    pub name: &'static str,
    /// Which operand they are.
    pub place: Place,
    /// Their sizes.
    pub sizes: &'m [i64],
    /// `index_vector_dim`: the dimension that the vectors lie along, or the one after the last for vectors of one element.
    pub dim: i64,
}

impl<'m> IndexVectors<'m> {
    /// Passes when the vectors lie along a dimension of the indices or the one after their last.
    pub fn dim_in_range(self) -> Verdict {
        let rank = self.sizes.len();
        ensure(usize::try_from(self.dim).is_ok_and(|dim| dim <= rank), || {
            let (of, dim) = (self.name, self.dim);
            Fault::new(format!("index_vector_dim must be in range [0, {rank}], the rank of {of}, got {dim}"))
                .at(Place::Attr(self.attr))
                .label(self.place, format!("has rank {rank}"))
        })
    }

    /// Passes when `map`, which says what the elements of a vector are indices of, has one entry per element.
    pub fn one_entry_per_element(self, map: List<'_>) -> Verdict {
        let size = usize::try_from(self.dim).ok().and_then(|dim| self.sizes.get(dim)).copied().unwrap_or(1);
        let found = map.dims.len();
        ensure(compatible(size, found as i64), || {
            let name = map.name;
            Fault::new(format!("{name} must have one entry per element of an index vector, {size}, got {found}"))
                .at(Place::Attr(self.attr))
                .label(self.place, format!("has shape {}", show(self.sizes)))
        })
    }

    /// Passes when the vectors do not lie along one of the batching dimensions.
    pub fn dim_not_batching(self, batching: List<'_>) -> Verdict {
        ensure(!batching.dims.contains(&self.dim), || {
            Fault::new(format!("{} must not contain index_vector_dim, {}", batching.name, self.dim))
                .at(Place::Attr(self.attr))
        })
    }

    /// The dimensions of the indices that the vectors do not lie along, with their sizes.
    pub fn batch(self) -> impl Iterator<Item = (usize, i64)> + use<'m> {
        let dim = self.dim;
        self.sizes.iter().copied().enumerate().filter(move |(at, _)| i64::try_from(*at) != Ok(dim))
    }
}
