//! Equal nodes are one, and nodes that nobody needs are gone.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use stablehlo::ir::AttrId;
use stablehlo::ops::OpKind;
use stablehlo::ops::spec::Trait;

use super::{Body, Graph, Node, NodeKind, Ty, Val};

/// What makes two nodes the same computation.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: OpKind,
    properties: SmallVec<[Option<AttrId>; 4]>,
    operands: SmallVec<[Val; 4]>,
    types: SmallVec<[Ty; 1]>,
}

impl Graph<'_> {
    /// Whether a node may be left out when nothing reads it, and done once when it stands twice.
    pub fn is_pure(&self, node: &Node) -> bool {
        let NodeKind::Op(kind) = node.kind else { return true };
        let own = kind.spec().has(Trait::Pure) || matches!(kind, OpKind::If | OpKind::Case | OpKind::While);
        own && node.bodies.iter().all(|body| self.bodies[*body].nodes.iter().all(|node| self.is_pure(node)))
    }

    /// Merges equal nodes and drops unneeded ones in every body.
    pub(super) fn simplify(&mut self) {
        for index in 0..self.bodies.len() {
            let mut body = std::mem::take(&mut self.bodies[index]);
            self.merge_equal(&mut body);
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
            let NodeKind::Op(kind) = node.kind else { continue };
            let node = &body.nodes[index];
            if !node.bodies.is_empty() || !self.is_pure(node) {
                continue;
            }
            let properties = self.module.properties(node.op).into();
            let key = Key { kind, properties, operands: node.operands.clone(), types: node.types.clone() };
            same[index] = *seen.entry(key).or_insert(index as u32);
        }
        for result in &mut body.results {
            if let Val::Node(node, _) = result {
                *node = same[*node as usize];
            }
        }
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
