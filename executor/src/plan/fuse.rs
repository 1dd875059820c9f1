//! Which elementwise nodes are computed in one loop.
//!
//! A *cluster* is a set of elementwise nodes with as many elements each, computed together element by element, so that what
//! one gives the next stays in the cache. Everything else (contractions, loops, …) is a unit by itself. A node joins the
//! clusters of its operands unless that would make a cluster wait for itself through another unit.

use smallvec::SmallVec;
use stablehlo::ops::OpKind;

use super::elementwise;
use super::views::{Views, is_view};
use crate::graph::{Body, Graph, Node, NodeKind, Val};

/// Index of a unit.
pub type UnitId = usize;

/// How a node is computed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// It is known.
    Constant,
    /// It is another value looked at differently.
    View,
    /// Its elements follow from their positions; each loop that reads it makes them afresh.
    Iota,
    /// Element by element.
    Elementwise,
    /// By a step of its own.
    Whole,
}

/// The units of a body.
#[derive(Debug)]
pub struct Units {
    /// By node.
    pub classes: Vec<Class>,
    /// The unit of each elementwise or whole node.
    pub unit: Vec<Option<UnitId>>,
    /// Nodes of each unit in order; empty for units that were joined to others.
    pub members: Vec<Vec<u32>>,
    /// Units in an order in which each comes after what it reads.
    pub order: Vec<UnitId>,
}

/// How many units are looked at before a merge counts as impossible.
const MAX_VISITS: usize = 512;

fn class(graph: &Graph<'_>, views: &Views, index: u32, node: &Node) -> Class {
    let kind = match node.kind {
        NodeKind::Constant(_) => return Class::Constant,
        NodeKind::Op(kind) => kind,
    };
    if is_view(kind) {
        // A reshape that strides cannot say is a copy in the order of the elements.
        let is_own_root = node.types.len() == 1 && views.of(Val::Node(index, 0)).root == Val::Node(index, 0);
        return if is_own_root && node.types[0].element.is_some() { Class::Elementwise } else { Class::View };
    }
    match kind {
        OpKind::Iota => Class::Iota,
        _ if elementwise::step(graph, node, crate::kernels::isa::Isa::Baseline).is_some() => Class::Elementwise,
        _ => Class::Whole,
    }
}

/// Finds the units of a body.
pub fn units(graph: &Graph<'_>, body: &Body, views: &Views) -> Units {
    let classes: Vec<Class> = (0u32..).zip(&body.nodes).map(|(index, node)| class(graph, views, index, node)).collect();
    let mut fuser = Fuser { body, views, unit: vec![None; body.nodes.len()], units: Vec::new(), classes: &classes };
    let mut last_effect: Option<UnitId> = None;
    for (index, class) in (0u32..).zip(&classes) {
        match class {
            Class::Elementwise => fuser.elementwise(index),
            Class::Whole => {
                let id = fuser.whole(index);
                // What has effects happens in the order of the program.
                if !graph.is_pure(&body.nodes[index as usize]) {
                    fuser.units[id].reads.extend(last_effect.replace(id).map(|before| (before, true)));
                }
            }
            Class::Constant | Class::View | Class::Iota => {}
        }
    }
    let (unit, units) = (fuser.unit, fuser.units);
    let find = |mut id: UnitId| {
        while let Some(into) = units[id].joined {
            id = into;
        }
        id
    };
    let unit: Vec<Option<UnitId>> = unit.into_iter().map(|id| id.map(find)).collect();
    let mut members = vec![Vec::new(); units.len()];
    for (index, id) in (0u32..).zip(&unit) {
        if let Some(id) = id {
            members[*id].push(index);
        }
    }
    let order = order(&units, &members, find);
    Units { classes, unit, members, order }
}

/// Units after what they read, as near to the order of the program as that allows.
fn order(units: &[Unit], members: &[Vec<u32>], find: impl Fn(UnitId) -> UnitId) -> Vec<UnitId> {
    let mut state = vec![0u8; units.len()];
    let mut order = Vec::new();
    for first in 0..units.len() {
        let mut stack = vec![first];
        while let Some(id) = stack.last().copied() {
            if members[id].is_empty() || state[id] == 2 {
                stack.pop();
            } else if state[id] == 1 {
                state[id] = 2;
                order.push(id);
                stack.pop();
            } else {
                state[id] = 1;
                let waiting =
                    units[id].reads.iter().map(|(read, _)| find(*read)).filter(|read| *read != id && state[*read] == 0);
                stack.extend(waiting.collect::<SmallVec<[UnitId; 8]>>());
            }
        }
    }
    order
}

/// Units that are read, each with whether it must be finished before.
type Reads = SmallVec<[(UnitId, bool); 4]>;

#[derive(Default, Debug)]
struct Unit {
    /// Units that this one reads, possibly with repetitions, and whether otherwise than element by element.
    reads: Vec<(UnitId, bool)>,
    /// Number of elements; none for whole nodes.
    n: Option<usize>,
    joined: Option<UnitId>,
}

struct Fuser<'f> {
    body: &'f Body,
    views: &'f Views,
    classes: &'f [Class],
    unit: Vec<Option<UnitId>>,
    units: Vec<Unit>,
}

impl Fuser<'_> {
    fn find(&self, mut id: UnitId) -> UnitId {
        while let Some(into) = self.units[id].joined {
            id = into;
        }
        id
    }

    /// The units that a node reads, each with whether it must be finished before, and of the others the clusters that the
    /// node could be part of.
    fn reads(&self, index: u32) -> (Reads, SmallVec<[UnitId; 4]>) {
        let node = &self.body.nodes[index as usize];
        let n = node.types.first().map_or(0, |ty| ty.len());
        let mut reads = Reads::new();
        for operand in &node.operands {
            let view = self.views.of(*operand);
            let Val::Node(root, _) = view.root else { continue };
            let Some(id) = self.unit[root as usize] else { continue };
            let id = self.find(id);
            let before = self.units[id].n != Some(n) || !view.is_identity(self.body.ty(view.root).len());
            match reads.iter_mut().find(|(other, _)| *other == id) {
                Some((_, known)) => *known |= before,
                None => reads.push((id, before)),
            }
        }
        let near = reads.iter().filter(|(_, before)| !before).map(|(id, _)| *id).collect();
        (reads, near)
    }

    fn elementwise(&mut self, index: u32) {
        debug_assert_eq!(self.classes[index as usize], Class::Elementwise);
        let (reads, near) = self.reads(index);
        let mut into: Option<UnitId> = None;
        for cluster in near {
            let joins = match into {
                None => reads.iter().all(|(read, _)| *read == cluster || !self.reaches(*read, cluster)),
                Some(home) => {
                    !self.reaches_around(home, cluster)
                        && !self.reaches_around(cluster, home)
                        && reads
                            .iter()
                            .all(|(read, _)| *read == cluster || *read == home || !self.reaches(*read, cluster))
                }
            };
            if !joins {
                continue;
            }
            into = Some(match into {
                None => cluster,
                Some(home) => self.join(home, cluster),
            });
        }
        let n = self.body.nodes[index as usize].types[0].len();
        let id = into.unwrap_or_else(|| self.new_unit(Some(n)));
        self.unit[index as usize] = Some(id);
        self.units[id].reads.extend(reads.iter().filter(|(read, _)| *read != id));
    }

    fn whole(&mut self, index: u32) -> UnitId {
        let (reads, _) = self.reads(index);
        let id = self.new_unit(None);
        self.unit[index as usize] = Some(id);
        self.units[id].reads.extend(reads);
        id
    }

    fn new_unit(&mut self, n: Option<usize>) -> UnitId {
        self.units.push(Unit { n, ..Unit::default() });
        self.units.len() - 1
    }

    fn join(&mut self, a: UnitId, b: UnitId) -> UnitId {
        let (into, from) = (a.min(b), a.max(b));
        let reads = std::mem::take(&mut self.units[from].reads);
        self.units[from].joined = Some(into);
        self.units[into].reads.extend(reads);
        into
    }

    /// Whether `from` must wait for `to`. When that is not found out soon, the answer is yes.
    fn reaches(&self, from: UnitId, to: UnitId) -> bool {
        from == to || self.path(from, to, true)
    }

    /// Whether `from` must be done after `to` and not together with it: because of something in between, or because it reads
    /// `to` otherwise than element by element.
    fn reaches_around(&self, from: UnitId, to: UnitId) -> bool {
        self.path(from, to, false)
    }

    /// Whether there is a chain of reads; `direct` ones count if they are asked for or cannot be in one loop.
    fn path(&self, from: UnitId, to: UnitId, direct: bool) -> bool {
        let mut seen: rustc_hash::FxHashSet<UnitId> = rustc_hash::FxHashSet::default();
        let mut stack: Vec<UnitId> = vec![from];
        while let Some(id) = stack.pop() {
            for (read, before) in &self.units[id].reads {
                let read = self.find(*read);
                if read == to {
                    if direct || id != from || *before {
                        return true;
                    }
                } else if read != from && seen.insert(read) {
                    if seen.len() > MAX_VISITS {
                        return true;
                    }
                    stack.push(read);
                }
            }
        }
        false
    }
}
