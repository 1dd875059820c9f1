//! Looking at the nodes of a body: what ops a value is made by.

use stablehlo::ops::OpKind;

use crate::graph::{Body, Graph, Node, NodeKind, Val};

/// Looks at the nodes of a body.
pub struct Matcher<'g, 'm> {
    /// The graph of the body.
    pub graph: &'g Graph<'m>,
    /// The body.
    pub body: &'g Body,
}

impl Matcher<'_, '_> {
    /// The node of a value, if it is of this kind.
    pub fn op(&self, value: Val, wanted: OpKind) -> Option<&Node> {
        let node = self.body.node(value)?;
        matches!(node.kind, NodeKind::Op(kind) if kind == wanted).then_some(node)
    }

    /// The operands of a value that is made by an op of this kind.
    pub fn pair(&self, value: Val, wanted: OpKind) -> Option<(Val, Val)> {
        let [x, y] = self.op(value, wanted)?.operands[..] else { return None };
        Some((x, y))
    }

    /// The operands of a value that is selected.
    pub fn select(&self, value: Val) -> Option<(Val, Val, Val)> {
        let [pred, on_true, on_false] = self.op(value, OpKind::Select)?.operands[..] else { return None };
        Some((pred, on_true, on_false))
    }
}
