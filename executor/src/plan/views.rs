//! Values that are other values, looked at differently: transposes, slices, reshapes, broadcasts.

use smallvec::SmallVec;
use stablehlo::ir::OpId;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::{
    broadcast::Broadcast, broadcast_in_dim::BroadcastInDim, reverse::Reverse, slice::Slice, transpose::Transpose,
};

use crate::graph::{Body, Dims, Graph, Val};

/// Distances in elements, one per dimension.
pub type Strides = SmallVec<[isize; 4]>;

/// A value as elements of another: element `index` stands at `offset + Σ index[d] · strides[d]` of `root`.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The value that is stored or computed.
    pub root: Val,
    /// Sizes.
    pub shape: Dims,
    /// Distances in elements of the root.
    pub strides: Strides,
    /// Where the first element stands.
    pub offset: isize,
}

/// The strides of row-major storage.
pub fn row_major(shape: &[usize]) -> Strides {
    let mut strides: Strides = shape.iter().map(|_| 0).collect();
    let mut stride = 1;
    for (dim, size) in shape.iter().enumerate().rev() {
        strides[dim] = stride as isize;
        stride *= size;
    }
    strides
}

impl View {
    /// All of a value in its own order.
    pub fn whole(root: Val, shape: &[usize]) -> Self {
        Self { root, shape: shape.into(), strides: row_major(shape), offset: 0 }
    }

    /// Number of elements.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the elements stand one after the other.
    pub fn is_dense(&self) -> bool {
        let mut expected = 1;
        for (size, stride) in self.shape.iter().zip(&self.strides).rev() {
            if *size != 1 {
                if *stride != expected {
                    return false;
                }
                expected *= *size as isize;
            }
        }
        true
    }

    /// Whether it is all of a root of `n` elements, in the root's order.
    pub fn is_identity(&self, n: usize) -> bool {
        self.offset == 0 && self.len() == n && self.is_dense()
    }

    /// Adjacent dimensions that are one run are joined, dimensions of size 1 dropped: sizes and strides.
    pub fn collapsed(&self) -> SmallVec<[(usize, isize); 4]> {
        let mut dims: SmallVec<[(usize, isize); 4]> = SmallVec::new();
        for (size, stride) in self.shape.iter().copied().zip(self.strides.iter().copied()) {
            match dims.last_mut() {
                _ if size == 1 => {}
                Some((outer, outer_stride)) if *outer_stride == stride * size as isize => {
                    *outer *= size;
                    *outer_stride = stride;
                }
                _ => dims.push((size, stride)),
            }
        }
        dims
    }

    /// The same elements in the same order with other sizes; none when no strides can say it.
    fn reshaped(&self, shape: &[usize]) -> Option<Self> {
        let mut strides: Strides = shape.iter().map(|_| 0).collect();
        if !self.shape.contains(&0) {
            let runs = self.collapsed();
            // Each run of old dimensions must be made of whole new dimensions.
            let mut dim = shape.len();
            for (size, stride) in runs.iter().rev() {
                let (mut left, mut stride) = (*size, *stride);
                while left > 1 {
                    dim = dim.checked_sub(1)?;
                    if shape[dim] == 1 {
                        continue;
                    }
                    if left % shape[dim] != 0 {
                        return None;
                    }
                    strides[dim] = stride;
                    stride *= shape[dim] as isize;
                    left /= shape[dim];
                }
            }
        }
        Some(Self { root: self.root, shape: shape.into(), strides, offset: self.offset })
    }
}

/// What `op` makes of the view of its operand; none when it is not a view or no strides can say it.
pub fn apply(graph: &Graph<'_>, op: OpId, kind: OpKind, operand: &View, shape: &[usize]) -> Option<View> {
    let module = graph.module;
    let root = operand.root;
    let size = |value: i64| usize::try_from(value).ok();
    let mut view = View { root, shape: shape.into(), strides: Strides::new(), offset: operand.offset };
    match kind {
        OpKind::Reshape => return operand.reshaped(shape),
        OpKind::BroadcastInDim => {
            view.strides = shape.iter().map(|_| 0).collect();
            for (from, to) in BroadcastInDim::new(module, op).broadcast_dimensions().iter().enumerate() {
                if operand.shape[from] != 1 {
                    view.strides[size(*to)?] = operand.strides[from];
                }
            }
        }
        OpKind::Broadcast => {
            let n_new = Broadcast::new(module, op).broadcast_sizes().len();
            view.strides = std::iter::repeat_n(0, n_new).chain(operand.strides.iter().copied()).collect();
        }
        OpKind::Transpose => {
            let permutation = Transpose::new(module, op).permutation().iter();
            view.strides = permutation.map(|dim| size(*dim).map(|dim| operand.strides[dim])).collect::<Option<_>>()?;
        }
        OpKind::Slice => {
            let slice = Slice::new(module, op);
            for (dim, stride) in operand.strides.iter().enumerate() {
                view.offset += slice.start_indices()[dim] as isize * stride;
                view.strides.push(stride * slice.strides()[dim] as isize);
            }
        }
        OpKind::Reverse => {
            view.strides.clone_from(&operand.strides);
            for dim in Reverse::new(module, op).dimensions() {
                let dim = size(*dim)?;
                if shape[dim] > 0 {
                    view.offset += (shape[dim] as isize - 1) * view.strides[dim];
                    view.strides[dim] = -view.strides[dim];
                }
            }
        }
        _ => return None,
    }
    Some(view)
}

/// Whether ops of this kind are views of their first operand whenever strides can say it.
pub fn is_view(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::Reshape
            | OpKind::BroadcastInDim
            | OpKind::Broadcast
            | OpKind::Transpose
            | OpKind::Slice
            | OpKind::Reverse
            | OpKind::OptimizationBarrier
    )
}

/// Views of all values of a body: what is not a view is its own root.
pub fn views(graph: &Graph<'_>, body: &Body) -> Views {
    let mut nodes: Vec<SmallVec<[View; 1]>> = Vec::with_capacity(body.nodes.len());
    let params: Vec<View> =
        (0u32..).zip(&body.params).map(|(index, ty)| View::whole(Val::Param(index), &ty.shape)).collect();
    for (index, node) in (0u32..).zip(&body.nodes) {
        let of = |value: Val| match value {
            Val::Param(param) => &params[param as usize],
            Val::Node(node, result) => &nodes[node as usize][result as usize],
        };
        let results = (0u16..).zip(&node.types).map(|(result, ty)| {
            let whole = || View::whole(Val::Node(index, result), &ty.shape);
            match &node.kind {
                // One stored element stands for all.
                crate::graph::NodeKind::Constant(literal) if literal.is_splat() => {
                    View { strides: ty.shape.iter().map(|_| 0).collect(), ..whole() }
                }
                crate::graph::NodeKind::Op(OpKind::OptimizationBarrier) => of(node.operands[result as usize]).clone(),
                crate::graph::NodeKind::Op(kind) if is_view(*kind) && ty.element.is_some() => {
                    apply(graph, node.op, *kind, of(node.operands[0]), &ty.shape).unwrap_or_else(whole)
                }
                _ => whole(),
            }
        });
        let results = results.collect();
        nodes.push(results);
    }
    Views { params, nodes }
}

/// The views of the values of a body.
#[derive(Debug)]
pub struct Views {
    params: Vec<View>,
    nodes: Vec<SmallVec<[View; 1]>>,
}

impl Views {
    /// The view that a value is.
    pub fn of(&self, value: Val) -> &View {
        match value {
            Val::Param(param) => &self.params[param as usize],
            Val::Node(node, result) => &self.nodes[node as usize][result as usize],
        }
    }
}
