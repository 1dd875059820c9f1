//! A function as a graph of values, with calls written out.
//!
//! A [`Body`] is a straight list of nodes, each after what it reads. Regions are bodies of their own; what a region sees of
//! the values around it becomes further parameters of its body and further inputs of its node (`captures`). Ops stay the
//! module's: a node names one and adds only what changes when calls and regions are taken apart.

mod build;
mod fold;
mod narrow;
mod simplify;

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ir::{Literal, Module, OpId, TypeId, ValueId};
use stablehlo::ops::OpKind;

pub use build::build;

/// Sizes of dimensions.
pub type Dims = SmallVec<[usize; 4]>;

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    /// The type in the module.
    pub ty: TypeId,
    /// Storage element type; none for tokens.
    pub element: Option<ElementType>,
    /// Sizes; all known.
    pub shape: Dims,
}

impl Ty {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Bytes that the elements take.
    pub fn bytes(&self) -> usize {
        self.element.map_or(0, |element| self.len() * element.byte_width())
    }
}

/// A value inside a body.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Val {
    /// A parameter of the body.
    Param(u32),
    /// A result of a node.
    Node(u32, u16),
}

/// Index of a body in its graph.
pub type BodyId = usize;

/// What a node computes.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// An op of the module on the node's operands.
    Op(OpKind),
    /// A value that is known.
    Constant(Literal),
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it computes.
    pub kind: NodeKind,
    /// The op of the module that it stands for, or that its constant came from.
    pub op: OpId,
    /// The op's operands, then the values that its regions see.
    pub operands: SmallVec<[Val; 4]>,
    /// The module's values that the captures are.
    pub captures: SmallVec<[ValueId; 4]>,
    /// Values around that the regions see and that are known: their bodies have copies of their own.
    pub constants: Vec<(ValueId, Literal)>,
    /// Types of the results.
    pub types: SmallVec<[Ty; 1]>,
    /// The op's regions; each has its block's arguments, then the captures, as parameters.
    pub bodies: SmallVec<[BodyId; 2]>,
    /// Of a contraction, the operand whose lines a third one has factors for, one each or one for all: what the op is told to
    /// multiply are the products with them.
    pub scaled: Option<usize>,
}

impl Node {
    /// The operands that the op itself has.
    pub fn own_operands(&self) -> &[Val] {
        &self.operands[..self.operands.len() - self.captures.len()]
    }
}

/// A straight list of nodes.
#[derive(Clone, Default, Debug)]
pub struct Body {
    /// Types of the parameters.
    pub params: Vec<Ty>,
    /// Nodes, each after what it reads.
    pub nodes: Vec<Node>,
    /// What the body gives.
    pub results: Vec<Val>,
}

impl Body {
    /// The type of a value.
    pub fn ty(&self, value: Val) -> &Ty {
        match value {
            Val::Param(index) => &self.params[index as usize],
            Val::Node(node, result) => &self.nodes[node as usize].types[result as usize],
        }
    }

    /// The node that makes a value.
    pub fn node(&self, value: Val) -> Option<&Node> {
        match value {
            Val::Param(_) => None,
            Val::Node(node, _) => Some(&self.nodes[node as usize]),
        }
    }

    /// The literal of a value that is known.
    pub fn constant(&self, value: Val) -> Option<&Literal> {
        match &self.node(value)?.kind {
            NodeKind::Constant(literal) => Some(literal),
            NodeKind::Op(_) => None,
        }
    }

    /// The op kind that makes a value.
    pub fn kind(&self, value: Val) -> Option<OpKind> {
        match self.node(value)?.kind {
            NodeKind::Op(kind) => Some(kind),
            NodeKind::Constant(_) => None,
        }
    }

    /// How often each node's results are read, by nodes and as results of the body.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.nodes.len()];
        let operands = self.nodes.iter().flat_map(|node| &node.operands);
        for value in operands.chain(&self.results) {
            if let Val::Node(node, _) = value {
                uses[*node as usize] += 1;
            }
        }
        uses
    }
}

/// A function, its calls written out.
#[derive(Clone, Debug)]
pub struct Graph<'m> {
    /// Where the ops are.
    pub module: &'m Module,
    /// Bodies; the first is the function's.
    pub bodies: Vec<Body>,
}

/// Why a program is not planned and runs on the interpreter as a whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unplanned(pub String);

/// The function that an op calls, or whose result its own is.
pub(crate) fn callee(module: &Module, op: OpId) -> Option<OpId> {
    let name = match module.kind(op)? {
        OpKind::Call => "callee",
        OpKind::Composite => "decomposition",
        _ => return None,
    };
    module.function(module.flat_symbol(module.property(op, name)?)?)
}
