//! From a function of a module to a [`Graph`].

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use stablehlo::ir::{BlockId, Literal, Module, OpId, Type, TypeId, ValueId};
use stablehlo::ops::OpKind;
use stablehlo::verify::Verified;

use super::{Body, BodyId, Dims, Graph, Node, NodeKind, Ty, Unplanned, Val, callee};

/// How deep calls and regions may nest before a program is left to the interpreter.
const MAX_DEPTH: usize = 64;
/// How many nodes a graph may have: calls are written out, so that a small program can mean a large graph.
const MAX_NODES: usize = 1 << 18;

/// Makes the graph of `function`.
///
/// # Errors
/// Programs with values whose sizes are not known, tuples, or more nesting than is written out.
pub fn build(verified: Verified<'_>, function: OpId) -> Result<Graph<'_>, Unplanned> {
    let module = verified.module();
    let mut builder = Builder { module, bodies: vec![Body::default()], n_nodes: 0 };
    let block = module.entry_block(function, 0).ok_or_else(|| Unplanned("the function has no body".to_owned()))?;
    let params = module.block(block).arguments.iter().map(|argument| builder.ty(module.value_type(*argument)));
    builder.bodies[0].params = params.collect::<Result<_, _>>()?;
    let mut scope = Scope { body: 0, values: FxHashMap::default(), captures: None, constants: Vec::new() };
    for (index, argument) in module.block(block).arguments.iter().enumerate() {
        scope.values.insert(*argument, Val::Param(index as u32));
    }
    let results = builder.block(&mut scope, None, block, 0)?;
    builder.bodies[0].results = results.to_vec();
    let mut graph = Graph { module, bodies: builder.bodies };
    graph.simplify(verified);
    Ok(graph)
}

struct Builder<'m> {
    module: &'m Module,
    bodies: Vec<Body>,
    n_nodes: usize,
}

/// What names mean while a body is being made.
struct Scope {
    body: BodyId,
    values: FxHashMap<ValueId, Val>,
    /// Values of the bodies around that this one reads, in order; none for functions, which see nothing.
    captures: Option<Vec<ValueId>>,
    /// Values of the bodies around that are known, and therefore copied.
    constants: Vec<(ValueId, Literal)>,
}

impl<'m> Builder<'m> {
    fn ty(&self, ty: TypeId) -> Result<Ty, Unplanned> {
        if matches!(self.module.ty(ty), Type::Token | Type::BuiltinToken) {
            return Ok(Ty { ty, element: None, shape: Dims::new() });
        }
        let unplanned =
            || Unplanned(format!("values of type {} are left to the interpreter", self.module.display_type(ty)));
        let element = self.module.storage_element(ty).ok_or_else(unplanned)?;
        let shape = self.module.shape(ty).ok_or_else(unplanned)?;
        let shape: Dims =
            shape.iter().map(|size| usize::try_from(*size).ok()).collect::<Option<_>>().ok_or_else(unplanned)?;
        let n = stablehlo::ir::element_count(&shape).and_then(|n| n.checked_mul(element.byte_width()));
        n.filter(|bytes| *bytes <= isize::MAX as usize).ok_or_else(unplanned)?;
        Ok(Ty { ty, element: Some(element), shape })
    }

    /// Adds the ops of `block` to the scope's body; the values that its terminator gives.
    fn block(
        &mut self,
        scope: &mut Scope,
        outer: Option<&Scope>,
        block: BlockId,
        depth: usize,
    ) -> Result<SmallVec<[Val; 4]>, Unplanned> {
        if depth > MAX_DEPTH {
            return Err(Unplanned("calls or regions nest deeper than is written out".to_owned()));
        }
        let ops = &self.module.block(block).ops;
        for op in ops {
            let kind = self
                .module
                .kind(*op)
                .ok_or_else(|| Unplanned(format!("{} is not known to the executor", self.module.op_name(*op))))?;
            match kind {
                OpKind::Return | OpKind::FuncReturn => return self.operands(scope, outer, *op),
                OpKind::Call | OpKind::Composite => self.call(scope, outer, *op, depth)?,
                _ => self.node(scope, outer, *op, kind, depth)?,
            }
        }
        Err(Unplanned("a block has no terminator".to_owned()))
    }

    fn operands(
        &mut self,
        scope: &mut Scope,
        outer: Option<&Scope>,
        op: OpId,
    ) -> Result<SmallVec<[Val; 4]>, Unplanned> {
        self.module.operands(op).iter().map(|operand| self.value(scope, outer, *operand)).collect()
    }

    /// What a value of the module is in this body; a value from outside becomes a parameter.
    fn value(&mut self, scope: &mut Scope, outer: Option<&Scope>, value: ValueId) -> Result<Val, Unplanned> {
        if let Some(known) = scope.values.get(&value) {
            return Ok(*known);
        }
        // A constant from outside is worth having inside: what is known can be chosen kernels by.
        let around = outer.and_then(|outer| Some((outer, *outer.values.get(&value)?)));
        if let Some((outer, at @ Val::Node(node, 0))) = around
            && let Some(literal) = self.bodies[outer.body].constant(at)
        {
            scope.constants.push((value, literal.clone()));
            let copy = self.bodies[outer.body].nodes[node as usize].clone();
            let here = self.push(scope.body, copy)?;
            scope.values.insert(value, here);
            return Ok(here);
        }
        let ty = self.ty(self.module.value_type(value))?;
        let Some(captures) = &mut scope.captures else {
            return Err(Unplanned("a function uses a value from outside".to_owned()));
        };
        captures.push(value);
        let params = &mut self.bodies[scope.body].params;
        params.push(ty);
        let here = Val::Param(params.len() as u32 - 1);
        scope.values.insert(value, here);
        Ok(here)
    }

    fn push(&mut self, body: BodyId, node: Node) -> Result<Val, Unplanned> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            return Err(Unplanned("the program is larger than is written out".to_owned()));
        }
        let nodes = &mut self.bodies[body].nodes;
        nodes.push(node);
        Ok(Val::Node(nodes.len() as u32 - 1, 0))
    }

    fn call(&mut self, scope: &mut Scope, outer: Option<&Scope>, op: OpId, depth: usize) -> Result<(), Unplanned> {
        let unplanned = || Unplanned("a call of something that is not a function of this module".to_owned());
        let function = callee(self.module, op).ok_or_else(unplanned)?;
        let block = self.module.entry_block(function, 0).ok_or_else(unplanned)?;
        let inputs = self.operands(scope, outer, op)?;
        let arguments = &self.module.block(block).arguments;
        let values = arguments.iter().copied().zip(inputs).collect();
        let mut inside = Scope { body: scope.body, values, captures: None, constants: Vec::new() };
        let results = self.block(&mut inside, None, block, depth + 1)?;
        scope.values.extend(self.module.results(op).iter().zip(results));
        Ok(())
    }

    fn node(
        &mut self,
        scope: &mut Scope,
        outer: Option<&Scope>,
        op: OpId,
        kind: OpKind,
        depth: usize,
    ) -> Result<(), Unplanned> {
        let mut operands = self.operands(scope, outer, op)?;
        let results = self.module.results(op);
        let types = results.iter().map(|result| self.ty(self.module.value_type(result))).collect::<Result<_, _>>()?;
        let mut node = Node {
            kind: NodeKind::Op(kind),
            op,
            operands: SmallVec::new(),
            captures: SmallVec::new(),
            constants: Vec::new(),
            types,
            bodies: SmallVec::new(),
            scaled: None,
        };
        if kind == OpKind::Constant {
            let literal = self.module.property(op, "value").and_then(|attr| Literal::from_attr(self.module, attr));
            let literal = literal.ok_or_else(|| Unplanned("a constant of unusual form".to_owned()))?;
            node.kind = NodeKind::Constant(literal);
        }
        let regions = self.module.regions(op);
        if !regions.is_empty() {
            let captures = self.regions(&mut node, scope, regions.len(), depth)?;
            for value in &captures {
                operands.push(self.value(scope, outer, *value)?);
            }
            node.captures = captures.into();
            if scope.captures.is_some() {
                scope.constants.extend(node.constants.iter().cloned());
            }
        }
        node.operands = operands;
        let first = self.push(scope.body, node)?;
        let Val::Node(node, _) = first else { return Ok(()) };
        scope.values.extend(results.iter().enumerate().map(|(index, result)| (result, Val::Node(node, index as u16))));
        Ok(())
    }

    /// Makes the bodies of an op's regions; the values from outside that any of them reads, which all take as parameters.
    fn regions(
        &mut self,
        node: &mut Node,
        outer: &Scope,
        n_regions: usize,
        depth: usize,
    ) -> Result<Vec<ValueId>, Unplanned> {
        let mut captures: Vec<ValueId> = Vec::new();
        let mut made = Vec::new();
        for region in 0..n_regions {
            let block = self.module.entry_block(node.op, region);
            let block = block.ok_or_else(|| Unplanned("a region without a block".to_owned()))?;
            let arguments = &self.module.block(block).arguments;
            let params = arguments.iter().map(|argument| self.ty(self.module.value_type(*argument)));
            let params = params.collect::<Result<_, _>>()?;
            self.bodies.push(Body { params, ..Body::default() });
            let mut inside = Scope {
                body: self.bodies.len() - 1,
                values: FxHashMap::default(),
                captures: Some(Vec::new()),
                constants: Vec::new(),
            };
            inside
                .values
                .extend(arguments.iter().enumerate().map(|(index, argument)| (*argument, Val::Param(index as u32))));
            let results = self.block(&mut inside, Some(outer), block, depth + 1)?;
            self.bodies[inside.body].results = results.to_vec();
            node.constants.append(&mut inside.constants);
            let own = inside.captures.unwrap_or_default();
            captures.extend(own.iter().filter(|value| !captures.contains(value)).copied().collect::<Vec<_>>());
            made.push((inside.body, arguments.len(), own));
        }
        for (body, n_arguments, own) in &made {
            self.share_captures(*body, *n_arguments, own, &captures)?;
            node.bodies.push(*body);
        }
        Ok(captures)
    }

    /// Gives a body all of its op's captures as parameters, in the common order.
    fn share_captures(
        &mut self,
        body: BodyId,
        n_arguments: usize,
        own: &[ValueId],
        all: &[ValueId],
    ) -> Result<(), Unplanned> {
        let types = all.iter().map(|value| self.ty(self.module.value_type(*value))).collect::<Result<Vec<_>, _>>()?;
        let body = &mut self.bodies[body];
        body.params.truncate(n_arguments);
        body.params.extend(types);
        let place: Vec<u32> =
            own.iter().map(|value| all.iter().position(|other| other == value).unwrap_or(0) as u32).collect();
        let moved = |value: &mut Val| {
            if let Val::Param(index) = value
                && let Some(capture) = (*index as usize).checked_sub(n_arguments)
            {
                *index = n_arguments as u32 + place[capture];
            }
        };
        body.nodes.iter_mut().flat_map(|node| &mut node.operands).for_each(moved);
        body.results.iter_mut().for_each(moved);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::agrees;

    #[test]
    fn calls_and_composites_are_written_out() {
        let mlir = "func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
            %a = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
            %b = stablehlo.composite \"my.twice\" %a {decomposition = @twice} : (tensor<8xf32>) -> tensor<8xf32>
            return %b, %a : tensor<8xf32>, tensor<8xf32>
          }
          func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
            %0 = stablehlo.add %x, %x : tensor<8xf32>
            return %0 : tensor<8xf32>
          }";
        agrees(mlir, 1).without_interpreter().with("loop 8: add add");
    }
}
