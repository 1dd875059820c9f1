//! Lists of dimension numbers: the questions that many ops ask about them.

use std::fmt;

use crate::ir::{DYNAMIC, Shape};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_shapes, ensure};

/// Whether two sizes may be equal: they are, or one of them is not known.
pub fn compatible(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// Whether two shapes may be equal, bounds aside.
pub fn same_sizes(a: &[i64], b: &[i64]) -> bool {
    compatible_shapes(a, &[], b, &[])
}

/// Sizes as messages write them: `[2, ?]`.
pub fn show(sizes: &[i64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| crate::syntax::dimension(*size)).collect();
    format!("[{}]", sizes.join(", "))
}

/// A list of numbers in an attribute.
#[derive(Copy, Clone)]
pub struct List<'a> {
    attr: &'static str,
    /// How messages call it.
    pub name: &'static str,
    /// The numbers.
    pub dims: &'a [i64],
}

impl<'a> List<'a> {
    /// The field `name` of the attribute `attr` (the same word twice for a list that is an attribute itself).
    pub fn new(attr: &'static str, name: &'static str, dims: &'a [i64]) -> Self {
        Self { attr, name, dims }
    }

    fn fault(&self, message: String) -> Fault {
        Fault::new(message).at(Place::Attr(self.attr))
    }

    /// Passes when every number is a dimension of something with `rank` dimensions; `of` says of what.
    pub fn in_range(self, rank: usize, of: impl fmt::Display) -> Verdict {
        let outside = self.dims.iter().find(|dim| usize::try_from(**dim).map_or(true, |dim| dim >= rank));
        match outside {
            None => Ok(()),
            Some(dim) => {
                Err(self
                    .fault(format!("{} must be in range [0, {rank}), the dimensions of {of}, got {dim}", self.name)))
            }
        }
    }

    /// Passes when the numbers do not descend.
    pub fn sorted(self) -> Verdict {
        ensure(self.dims.is_sorted(), || self.fault(format!("{} must be sorted, got {}", self.name, show(self.dims))))
    }

    /// Passes when no number occurs twice.
    pub fn unique(self) -> Verdict {
        match first_repeated(self.dims.iter().copied()) {
            None => Ok(()),
            Some(dim) => {
                Err(self.fault(format!("{} must not repeat, got {dim} twice in {}", self.name, show(self.dims))))
            }
        }
    }

    /// Passes when no number occurs twice in this list and `other` together.
    pub fn distinct(self, other: List<'_>) -> Verdict {
        match first_repeated(self.dims.iter().chain(other.dims).copied()) {
            None => Ok(()),
            Some(dim) => {
                let (one, two) = (show(self.dims), show(other.dims));
                Err(self.fault(format!(
                    "{} and {} must not repeat, got {dim} twice in {one} and {two}",
                    self.name, other.name
                )))
            }
        }
    }

    /// Passes when both lists have the same length.
    pub fn same_length(self, other: List<'_>) -> Verdict {
        ensure(self.dims.len() == other.dims.len(), || {
            let (one, two) = (self.dims.len(), other.dims.len());
            self.fault(format!("{} and {} must have the same length, got {one} and {two}", self.name, other.name))
        })
    }

    /// Passes when there are `expected` numbers; `why` says where that number comes from.
    pub fn length(self, expected: usize, why: &str) -> Verdict {
        ensure(self.dims.len() == expected, || {
            self.fault(format!("{} must have length {expected}, {why}, got {}", self.name, self.dims.len()))
        })
    }

    /// Passes when no number is negative.
    pub fn not_negative(self) -> Verdict {
        match self.dims.iter().position(|size| *size < 0) {
            None => Ok(()),
            Some(index) => {
                let found = crate::syntax::dimension(self.dims[index]);
                Err(self.fault(format!("{} must not be negative, got {found} at index {index}", self.name)))
            }
        }
    }

    /// Passes when every number is positive.
    pub fn positive(self) -> Verdict {
        match self.dims.iter().position(|size| *size <= 0) {
            None => Ok(()),
            Some(index) => {
                let found = crate::syntax::dimension(self.dims[index]);
                Err(self.fault(format!("{} must be positive, got {found} at index {index}", self.name)))
            }
        }
    }
}

/// Passes when the number in the attribute `attr` is a dimension of something with `rank` dimensions; `of` says of what.
pub fn dimension(attr: &'static str, dim: i64, rank: usize, of: impl fmt::Display) -> Verdict {
    List::new(attr, attr, &[dim]).in_range(rank, of)
}

/// The first number that occurred before. Lists are short in real programs; long ones come from hostile input.
fn first_repeated(dims: impl Iterator<Item = i64>) -> Option<i64> {
    let dims: Shape = dims.collect();
    if dims.len() <= 16 {
        return dims.iter().enumerate().find(|(index, dim)| dims[..*index].contains(dim)).map(|(_, dim)| *dim);
    }
    let mut seen = rustc_hash::FxHashSet::default();
    dims.into_iter().find(|dim| !seen.insert(*dim))
}

/// The size of a dimension whose number was checked to be in range.
pub fn size_at(shape: &[i64], dim: i64) -> i64 {
    usize::try_from(dim).ok().and_then(|dim| shape.get(dim)).copied().unwrap_or(DYNAMIC)
}

/// A set of dimensions, asked in constant time: ranks and lists are as long as a hostile text makes them.
pub struct DimSet(smallvec::SmallVec<[bool; 8]>);

impl DimSet {
    /// The dimensions below `rank` that one of the lists names.
    pub fn new(rank: usize, lists: &[&[i64]]) -> Self {
        let mut named = smallvec::smallvec![false; rank];
        for dim in lists.iter().copied().flatten() {
            if let Some(at) = usize::try_from(*dim).ok().and_then(|dim| named.get_mut(dim)) {
                *at = true;
            }
        }
        Self(named)
    }

    /// Whether dimension `dim` is in the set.
    pub fn has(&self, dim: usize) -> bool {
        self.0.get(dim).copied().unwrap_or(false)
    }

    /// The dimensions below the rank that are not in the set.
    pub fn others(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|(_, named)| !**named).map(|(dim, _)| dim)
    }
}

/// Passes when all values at `places` may have one shape: sizes agree where they are known and respect bounds.
pub fn same_shape(cx: &Cx<'_>, places: impl IntoIterator<Item = Place>) -> Verdict {
    let mut places = places.into_iter().filter_map(|place| Some((place, cx.value(place)?)));
    let Some((first, one)) = places.next() else {
        return Ok(());
    };
    let wanted = cx.shape(one);
    for (place, other) in places {
        if cx.ty(one) == cx.ty(other) {
            continue;
        }
        let found = cx.shape(other);
        let fits = compatible_shapes(wanted, cx.bounds(one), found, cx.bounds(other));
        ensure(fits, || {
            Fault::new(format!("shapes must be the same, got {} and {}", show(wanted), show(found)))
                .at(place)
                .label(first, format!("this has shape {}", show(wanted)))
        })?;
    }
    Ok(())
}

/// Passes when `from` and `to` have the same rank, and compatible sizes except in dimension `dim`.
pub fn same_shape_except(from: &[i64], to: &[i64], dim: i64) -> Verdict {
    ensure(from.len() == to.len(), || {
        Fault::new(format!("operand and result must have the same rank, got {} and {}", from.len(), to.len()))
    })?;
    let others = from.iter().zip(to).enumerate().all(|(at, (a, b))| at as i64 == dim || compatible(*a, *b));
    ensure(others, || {
        Fault::new(format!(
            "operand and result must have the same sizes except in dimension {dim}, got {} and {}",
            show(from),
            show(to)
        ))
    })
}

/// Some dimensions of a value: which, the value's sizes, and how messages call it.
pub type Along<'a> = (&'a [i64], &'a [i64], &'a str);

/// Passes when dimensions that correspond, of one value and another, may have the same size; `kind` says what they are.
pub fn same_sizes_along(
    kind: &str,
    (dims, sizes, name): Along<'_>,
    (others, other_sizes, other_name): Along<'_>,
) -> Verdict {
    for (dim, other) in dims.iter().zip(others) {
        let (a, b) = (size_at(sizes, *dim), size_at(other_sizes, *other));
        ensure(compatible(a, b), || {
            Fault::new(format!(
                "{kind} dimensions must have the same size, got {a} in dimension {dim} of {name} and {b} in dimension \
                 {other} of {other_name}"
            ))
        })?;
    }
    Ok(())
}

/// Passes when the written result types have the inferred shapes, whatever their element types.
pub fn check_result_shapes(cx: &Cx<'_>, mut inferred: Vec<Inferred>) -> Verdict {
    for one in &mut inferred {
        if let Inferred::Tensor { element, .. } = one {
            *element = None;
        }
    }
    cx.check_results(&inferred)
}

/// A tensor with the bounds that some of its dimensions have.
pub fn bounded(shape: Shape, bounds: Shape, element: Option<crate::ir::TypeId>) -> Inferred {
    let bounds = if bounds.iter().all(|bound| *bound == DYNAMIC) { Shape::new() } else { bounds };
    Inferred::Tensor { shape, bounds, element }
}

/// Bound of dimension `dim`; [`DYNAMIC`] where there is none.
pub fn bound_at(bounds: &[i64], dim: usize) -> i64 {
    bounds.get(dim).copied().unwrap_or(DYNAMIC)
}
