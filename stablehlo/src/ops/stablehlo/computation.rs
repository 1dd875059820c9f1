//! Regions that stand for functions: reducers, comparators and selectors.

use super::dims::{compatible, same_sizes, show};
use crate::ir::{Module, OpId, TypeId};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

/// A region as a function.
pub struct Computation {
    /// Which region it is.
    region: usize,
    /// Types of the entry block's arguments.
    pub arguments: Vec<TypeId>,
    /// Types of what the terminator returns.
    pub returned: Vec<TypeId>,
    terminator: OpId,
}

impl Computation {
    /// Reads region number `region`.
    ///
    /// # Errors
    /// A fault when it has no block or the block is empty.
    pub fn of(cx: &Cx<'_>, region: usize) -> Result<Self, Fault> {
        let block = cx.module.entry_block(cx.op, region).ok_or_else(|| Fault::new("expected a region with a block"))?;
        let terminator =
            cx.module.terminator(block).ok_or_else(|| Fault::new("expected a terminator at the end of the region"))?;
        Ok(Self {
            region,
            arguments: cx.types(&cx.module.block(block).arguments),
            returned: cx.types(cx.module.operands(terminator)),
            terminator,
        })
    }

    /// A complaint about the function: the op is wrong, the returning op or the region is where to look.
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(message).label(Place::Other(self.terminator), "what the region returns")
    }

    /// Passes when the function takes and returns so many values.
    pub fn arity(&self, name: &str, arguments: usize, returned: usize) -> Verdict {
        ensure(self.arguments.len() == arguments, || {
            let message = format!("{name} must take {arguments} arguments, got {}", self.arguments.len());
            Fault::new(message).label(Place::Region(self.region), "this region")
        })?;
        ensure(self.returned.len() == returned, || {
            self.fault(format!("{name} must return {returned} values, got {}", self.returned.len()))
        })
    }

    /// Passes when argument `index` is a 0-dimensional tensor of `element`.
    pub fn scalar_argument(&self, cx: &Cx<'_>, name: &str, index: usize, element: TypeId) -> Verdict {
        let found = self.arguments[index];
        ensure(is_scalar_of(cx.module, found, element), || {
            let message =
                format!("argument {index} of {name} must be tensor<{}>, got {}", cx.show(element), cx.show(found));
            Fault::new(message).label(Place::Region(self.region), "this region")
        })
    }

    /// Passes when the only returned value is `tensor<i1>`.
    pub fn returns_boolean(&self, cx: &Cx<'_>, name: &str) -> Verdict {
        let found = self.returned[0];
        let boolean = cx.module.rank(found) == Some(0)
            && cx.module.element(found) == Some(crate::element::ElementType::I1)
            && cx.module.tensor(found).is_some();
        ensure(boolean, || self.fault(format!("{name} must return tensor<i1>, got {}", cx.show(found))))
    }
}

/// Whether `ty` is a 0-dimensional tensor of exactly `element`.
fn is_scalar_of(module: &Module, ty: TypeId, element: TypeId) -> bool {
    module.tensor(ty).is_some_and(|tensor| tensor.shape.is_empty() && tensor.element == element)
}

/// The types that a reducer is judged by.
pub struct Reduction<'a> {
    /// How messages call the region: `body`.
    pub name: &'static str,
    /// Number of the region.
    pub region: usize,
    /// Types of the reduced values.
    pub inputs: &'a [TypeId],
    /// Types of the initial values; for `scatter` the updates'.
    pub init_values: &'a [TypeId],
    /// Whether the function sees single elements of `init_values` rather than all of them.
    pub elementwise: bool,
    /// Sizes that the function's arguments may have, in order and with gaps: none at all in the specification, but
    /// upstream (and its tests) lets a reducer work on slices when the initial values are slices too.
    pub allowed_sizes: &'a [i64],
}

/// Passes when the region is `(E0, …, En, E0, …, En) -> (E0, …, En)` with element types that those of inputs and initial
/// values can be promoted to.
pub fn check_reducer(cx: &Cx<'_>, reduction: &Reduction<'_>) -> Verdict {
    let computation = Computation::of(cx, reduction.region)?;
    let n = reduction.inputs.len();
    computation.arity(reduction.name, 2 * n, n)?;
    let sides = reduction.inputs.iter().zip(reduction.init_values);
    for (index, (input, init_value)) in sides.enumerate() {
        check_reducer_value(cx, reduction, &computation, index, *input, *init_value)?;
    }
    Ok(())
}

/// The part of [`check_reducer`] for one of the reduced values.
fn check_reducer_value(
    cx: &Cx<'_>,
    reduction: &Reduction<'_>,
    computation: &Computation,
    index: usize,
    input: TypeId,
    init_value: TypeId,
) -> Verdict {
    let name = reduction.name;
    let n = reduction.inputs.len();
    let returned = computation.returned[index];
    ensure(cx.module.tensor(returned).is_some(), || {
        computation.fault(format!("{name} must return tensors, got {}", cx.show(returned)))
    })?;
    for argument in [index, n + index] {
        let found = computation.arguments[argument];
        ensure(same_tensor(cx.module, found, returned), || {
            computation.fault(format!(
                "argument {argument} of {name} must have the type of returned value {index}, got {} and {}",
                cx.show(found),
                cx.show(returned)
            ))
        })?;
    }
    let shape = cx.module.shape(returned).unwrap_or(&[]);
    let init_shape = cx.module.shape(init_value).filter(|_| !reduction.elementwise).unwrap_or(&[]);
    ensure(same_sizes(shape, init_shape), || {
        computation.fault(format!(
            "{name} must return values shaped as the initial values, got {} and {}",
            cx.show(returned),
            cx.show(init_value)
        ))
    })?;
    for (what, from) in [("initial value", init_value), ("input", input)] {
        ensure(is_promotable(cx.module, from, returned), || {
            computation.fault(format!(
                "{what} {index} must be promotable to what {name} returns, got {} and {}",
                cx.show(from),
                cx.show(returned)
            ))
        })?;
    }
    ensure(is_subsequence(shape, reduction.allowed_sizes), || {
        computation.fault(format!(
            "{name} must work on single elements, or on slices with some of the sizes {}; got {}",
            show(reduction.allowed_sizes),
            show(shape)
        ))
    })
}

/// Whether both are tensors of one element type whose shapes may be the same.
fn same_tensor(module: &Module, a: TypeId, b: TypeId) -> bool {
    match (module.tensor(a), module.tensor(b)) {
        (Some(a), Some(b)) => a.element == b.element && same_sizes(&a.shape, &b.shape),
        _ => false,
    }
}

/// Whether the sizes can be found in `allowed` in the same order.
fn is_subsequence(sizes: &[i64], allowed: &[i64]) -> bool {
    let mut allowed = allowed.iter();
    sizes.iter().all(|size| allowed.any(|other| compatible(*size, *other)))
}

/// Whether values of type `from` can be promoted to `to` (specification, "is_promotable"): the same kind of element and
/// no fewer bits; for quantized elements the same expressed type and no narrower storage.
pub fn is_promotable(module: &Module, from: TypeId, to: TypeId) -> bool {
    if let (Some(from), Some(to)) = (module.quantized(from), module.quantized(to)) {
        let bits = |ty: TypeId| module.scalar_element(ty).map(|element| element.bits());
        return from.expressed == to.expressed && bits(from.storage.ty) <= bits(to.storage.ty);
    }
    let (Some(from), Some(to)) = (module.element(from), module.element(to)) else {
        return false;
    };
    // Booleans are not in the specification's last lines, which can only be an oversight: every reducer of them would fail.
    let kind = |element: crate::element::ElementType| {
        (element.is_boolean(), element.is_integer(), element.is_float(), element.is_complex())
    };
    kind(from) == kind(to) && from.bits() <= to.bits()
}

/// Element types of what the region returns: those of the op's results.
///
/// # Errors
/// As [`Computation::of`], or when it returns other things than tensors.
pub fn accumulator_elements(cx: &Cx<'_>, region: usize) -> Result<Vec<TypeId>, Fault> {
    let computation = Computation::of(cx, region)?;
    let element = |ty: &TypeId| {
        let tensor = cx.module.tensor(*ty).map(|tensor| tensor.element);
        tensor.ok_or_else(|| computation.fault(format!("expected a tensor, got {}", cx.show(*ty))))
    };
    computation.returned.iter().map(element).collect()
}
