//! What is known is computed, equal nodes are one, and nodes that nobody needs are gone.

use bytes::Bytes;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use stablehlo::ir::AttrId;
use stablehlo::ops::OpKind;
use stablehlo::ops::spec::Trait;
use stablehlo::verify::Verified;

use super::fold::fold;
use super::{Body, Graph, Node, NodeKind, Ty, Val};
use crate::quantized::IN_ORDER;

/// What makes two nodes the same computation.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    what: What,
    operands: SmallVec<[Val; 4]>,
    types: SmallVec<[Ty; 1]>,
    bodies: SmallVec<[BodyKey; 1]>,
}

#[derive(PartialEq, Eq, Hash)]
enum What {
    Op(OpKind, SmallVec<[Option<AttrId>; 4]>),
    Constant(Bytes),
}

/// What makes two regions the same.
#[derive(PartialEq, Eq, Hash)]
struct BodyKey {
    params: Vec<Ty>,
    nodes: Vec<Key>,
    results: Vec<Val>,
}

/// The most nodes of a region that is compared with others.
const MAX_COMPARED: usize = 16;
/// The most bytes of constants that are compared.
const MAX_CONSTANT: usize = 1 << 12;

impl Graph<'_> {
    /// Whether a node may be left out when nothing reads it, and done once when it stands twice.
    pub fn is_pure(&self, node: &Node) -> bool {
        let NodeKind::Op(kind) = node.kind else { return true };
        let own = kind.spec().has(Trait::Pure) || matches!(kind, OpKind::If | OpKind::Case | OpKind::While);
        own && node.bodies.iter().all(|body| self.bodies[*body].nodes.iter().all(|node| self.is_pure(node)))
    }

    /// Merges equal nodes and drops unneeded ones in every body.
    pub(super) fn simplify(&mut self, verified: Verified<'_>) {
        for index in 0..self.bodies.len() {
            let mut body = std::mem::take(&mut self.bodies[index]);
            fold(verified, &mut body);
            self.merge_equal(&mut body);
            self.skip_conversions(&mut body);
            self.drop_unneeded(&mut body);
            self.bodies[index] = body;
        }
    }

    fn merge_equal(&self, body: &mut Body) {
        let mut seen: FxHashMap<Key, u32> = FxHashMap::default();
        let mut same: Vec<u32> = (0..body.nodes.len() as u32).collect();
        for index in 0..body.nodes.len() {
            let node = &mut body.nodes[index];
            for operand in &mut node.operands {
                if let Val::Node(node, _) = operand {
                    *node = same[*node as usize];
                }
            }
            let Some(key) = self.key(&body.nodes[index], 0) else { continue };
            same[index] = *seen.entry(key).or_insert(index as u32);
        }
        for result in &mut body.results {
            if let Val::Node(node, _) = result {
                *node = same[*node as usize];
            }
        }
    }

    /// What a node computes; none for what must be done as often as it is said, and for what is too large to compare.
    fn key(&self, node: &Node, depth: usize) -> Option<Key> {
        let what = match &node.kind {
            NodeKind::Op(_) if !self.is_pure(node) => return None,
            NodeKind::Op(kind) => {
                let properties = self.module.properties(node.op).iter().copied();
                let mark = self.module.discardable(node.op, IN_ORDER);
                What::Op(*kind, properties.chain([mark]).collect())
            }
            NodeKind::Constant(literal) if literal.data().len() > MAX_CONSTANT => return None,
            NodeKind::Constant(literal) => What::Constant(literal.data().clone()),
        };
        let bodies = node.bodies.iter().map(|body| {
            let body = &self.bodies[*body];
            if depth > 0 || body.nodes.len() > MAX_COMPARED {
                return None;
            }
            let nodes = body.nodes.iter().map(|node| self.key(node, depth + 1)).collect::<Option<_>>()?;
            Some(BodyKey { params: body.params.clone(), nodes, results: body.results.clone() })
        });
        let bodies = bodies.collect::<Option<_>>()?;
        Some(Key { what, operands: node.operands.clone(), types: node.types.clone(), bodies })
    }

    fn drop_unneeded(&self, body: &mut Body) {
        let mut needed = vec![false; body.nodes.len()];
        let need = |needed: &mut Vec<bool>, value: &Val| {
            if let Val::Node(node, _) = value {
                needed[*node as usize] = true;
            }
        };
        body.results.iter().for_each(|value| need(&mut needed, value));
        for index in (0..body.nodes.len()).rev() {
            let node = &body.nodes[index];
            if needed[index] || !self.is_pure(node) {
                needed[index] = true;
                node.operands.iter().for_each(|value| need(&mut needed, value));
            }
        }
        let mut place = vec![0; body.nodes.len()];
        let mut kept = Vec::with_capacity(body.nodes.len());
        for (index, node) in std::mem::take(&mut body.nodes).into_iter().enumerate() {
            if needed[index] {
                place[index] = kept.len() as u32;
                kept.push(node);
            }
        }
        let moved = |value: &mut Val| {
            if let Val::Node(node, _) = value {
                *node = place[*node as usize];
            }
        };
        kept.iter_mut().flat_map(|node| &mut node.operands).for_each(moved);
        body.results.iter_mut().for_each(moved);
        body.nodes = kept;
    }
}
