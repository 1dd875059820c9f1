//! What a check sees: the module, the op, and the questions that checks often ask.

use super::fault::{Fault, Place, Verdict, ensure};
use super::infer::{Inferred, compatible_elements, compatible_types};
use super::symbols::{Symbols, search_symbol, symbol_table_around};
use crate::ir::{DYNAMIC, Dims, Module, OpId, Shape, TypeId, ValueId};
use crate::ops::OpKind;

/// The op under check in its module.
#[derive(Copy, Clone)]
pub struct Cx<'m> {
    /// The module.
    pub module: &'m Module,
    /// The op.
    pub op: OpId,
    symbols: Option<&'m Symbols<'m>>,
}

impl<'m> Cx<'m> {
    /// Looks at `op` of `module`.
    pub fn new(module: &'m Module, op: OpId) -> Self {
        Self { module, op, symbols: None }
    }

    /// The same with a table of the module's symbols, so that looking one up takes no search.
    pub(super) fn with_symbols(module: &'m Module, op: OpId, symbols: &'m Symbols<'m>) -> Self {
        Self { module, op, symbols: Some(symbols) }
    }

    /// The op that the symbol `name` stands for where this op stands: the nearest symbol table around it decides.
    pub fn symbol(&self, name: &str) -> Option<OpId> {
        let table = symbol_table_around(self.module, self.op)?;
        match self.symbols {
            Some(symbols) => symbols.get(table, name.as_bytes()),
            None => search_symbol(self.module, table, name.as_bytes()),
        }
    }

    /// The function that the symbol `name` stands for where this op stands.
    pub fn function(&self, name: &str) -> Option<OpId> {
        self.symbol(name).filter(|op| self.module.kind(*op) == Some(OpKind::Func))
    }

    /// Operand number `index`, which is there: checks run after the structure check.
    pub fn operand(&self, index: usize) -> ValueId {
        self.module.operands(self.op)[index]
    }

    /// Result number `index`, which is there: checks run after the structure check.
    pub fn result(&self, index: usize) -> ValueId {
        self.module.results(self.op).get(index).expect("the structure check has counted the results")
    }

    /// Type of a value.
    pub fn ty(&self, value: ValueId) -> TypeId {
        self.module.value_type(value)
    }

    /// Types of values.
    pub fn types(&self, values: &[ValueId]) -> Vec<TypeId> {
        values.iter().map(|value| self.ty(*value)).collect()
    }

    /// Types of the operands.
    pub fn operand_types(&self) -> Vec<TypeId> {
        self.types(self.module.operands(self.op))
    }

    /// Types of the results.
    pub fn result_types(&self) -> Vec<TypeId> {
        self.module.results(self.op).iter().map(|result| self.ty(result)).collect()
    }

    /// Sizes of a value whose declared class is a ranked tensor; empty for anything else.
    pub fn shape(&self, value: ValueId) -> &'m [i64] {
        self.module.shape(self.ty(value)).unwrap_or(&[])
    }

    /// Rank of a value whose declared class is a ranked tensor.
    pub fn rank(&self, value: ValueId) -> usize {
        self.shape(value).len()
    }

    /// Bounds of a value's dimensions; empty when it has none.
    pub fn bounds(&self, value: ValueId) -> &'m [i64] {
        self.module.bounds(self.ty(value)).unwrap_or(&[])
    }

    /// Element type of a tensor value; the type itself for anything else.
    pub fn element_type(&self, value: ValueId) -> TypeId {
        let ty = self.ty(value);
        self.module.element_type(ty).unwrap_or(ty)
    }

    /// A type as the text writes it.
    pub fn show(&self, ty: TypeId) -> String {
        self.module.display_type(ty).to_string()
    }

    /// The value at a place.
    pub fn value(&self, place: Place) -> Option<ValueId> {
        match place {
            Place::Operand(index) => self.module.operands(self.op).get(index).copied(),
            Place::Result(index) => self.module.results(self.op).get(index),
            _ => None,
        }
    }

    /// Passes when the values at all `places` have exactly one element type, scales and zero points included.
    pub fn same_element_type(&self, places: &[Place]) -> Verdict {
        self.element_types_agree(places, |wanted, found| wanted == found)
    }

    /// Passes when the values at all `places` have one element type up to scales and zero points.
    pub fn same_baseline_element_type(&self, places: &[Place]) -> Verdict {
        self.element_types_agree(places, |wanted, found| compatible_elements(self.module, wanted, found))
    }

    fn element_types_agree(&self, places: &[Place], agree: impl Fn(TypeId, TypeId) -> bool) -> Verdict {
        let mut typed = places.iter().filter_map(|place| Some((*place, self.element_type(self.value(*place)?))));
        let Some((first, wanted)) = typed.next() else {
            return Ok(());
        };
        for (place, found) in typed {
            ensure(agree(wanted, found), || {
                let message =
                    format!("element types must be equal, got {} and {}", self.show(wanted), self.show(found));
                Fault::new(message).at(place).label(first, format!("this has element type {}", self.show(wanted)))
            })?;
        }
        Ok(())
    }

    /// Passes when all operands and results have the same shape and element type as far as both are known; quantized
    /// element types may differ in scale and zero point.
    pub fn same_baseline_types(&self) -> Verdict {
        let operands = self.module.operands(self.op);
        let Some(first) = operands.first().map(|operand| self.ty(*operand)) else {
            return Ok(());
        };
        let results = self.module.results(self.op);
        let mut same = true;
        for (index, value) in operands[1..].iter().copied().chain(results.iter()).enumerate() {
            let ty = self.ty(value);
            if ty == first {
                continue;
            }
            same = false;
            ensure(compatible_types(self.module, first, ty), || {
                let place = match (index + 1).checked_sub(operands.len()) {
                    None => Place::Operand(index + 1),
                    Some(result) => Place::Result(result),
                };
                let message = format!(
                    "operands and result must have the same shape and element type, got {} and {}",
                    self.show(first),
                    self.show(ty)
                );
                Fault::new(message).at(place).label(Place::Operand(0), format!("this is {}", self.show(first)))
            })?;
        }
        // Unknown sizes of the first operand may hide a disagreement of the others.
        if !same && operands.len() > 1 { self.check_results(&[self.most_specific(operands)?]) } else { Ok(()) }
    }

    /// The most specific type that values of the same rank allow: known sizes win over unknown ones, smaller bounds over
    /// larger ones.
    ///
    /// # Errors
    /// When known sizes differ, or one exceeds a bound.
    pub fn most_specific(&self, values: &[ValueId]) -> Result<Inferred, Fault> {
        let Some((first, rest)) = values.split_first() else {
            return Err(Fault::new("expected at least one operand"));
        };
        if rest.iter().all(|value| self.ty(*value) == self.ty(*first)) {
            return Ok(Inferred::Type(self.ty(*first)));
        }
        let mut shape = Shape::from_slice(self.shape(*first));
        let mut bounds = Dims::from_elem(DYNAMIC, shape.len());
        for value in values {
            for (dim, size) in self.shape(*value).iter().enumerate().take(shape.len()) {
                let bound = self.bounds(*value).get(dim).copied().unwrap_or(DYNAMIC);
                let merged = Inferred::merge_dimensions([(shape[dim], bounds[dim]), (*size, bound)]);
                let Some((size, bound)) = merged else {
                    let message =
                        format!("sizes of dimension {dim} disagree between {}", self.show_types(&self.types(values)));
                    return Err(Fault::new(message));
                };
                (shape[dim], bounds[dim]) = (size, bound);
            }
        }
        Ok(Inferred::Tensor { shape, bounds, element: Some(self.element_type(*first)) })
    }

    /// The shape of `inferred` with other elements; none when they do not follow from the operands.
    pub fn with_element(&self, inferred: Inferred, element: Option<TypeId>) -> Inferred {
        match inferred {
            Inferred::Type(ty) => Inferred::Tensor {
                shape: self.module.shape(ty).unwrap_or(&[]).into(),
                bounds: self.module.bounds(ty).unwrap_or(&[]).into(),
                element,
            },
            Inferred::Tensor { shape, bounds, .. } => Inferred::Tensor { shape, bounds, element },
        }
    }

    /// `types` as the text writes them, comma separated.
    pub fn show_types(&self, types: &[TypeId]) -> String {
        types.iter().map(|ty| self.show(*ty)).collect::<Vec<_>>().join(", ")
    }

    /// Passes when the written result types agree with the inferred ones.
    pub fn check_results(&self, inferred: &[Inferred]) -> Verdict {
        let results = self.module.results(self.op);
        ensure(results.len() == inferred.len(), || {
            Fault::new(format!("expected {} results, got {}", inferred.len(), results.len()))
        })?;
        for (index, (result, inferred)) in results.iter().zip(inferred).enumerate() {
            ensure(inferred.admits(self.module, self.ty(result)), || {
                let message = format!(
                    "inferred type {} is incompatible with the result type {}",
                    self.show_inferred(inferred),
                    self.show(self.ty(result))
                );
                Fault::new(message).at(Place::Result(index))
            })?;
        }
        Ok(())
    }

    /// An inferred type as the text would write it.
    pub fn show_inferred(&self, inferred: &Inferred) -> String {
        match inferred {
            Inferred::Type(ty) => self.show(*ty),
            Inferred::Tensor { shape, bounds, element } => {
                let mut text = String::from("tensor<");
                for size in shape {
                    text.push_str(&crate::syntax::dimension(*size));
                    text.push('x');
                }
                text.push_str(&element.map_or_else(|| "…".to_owned(), |element| self.show(element)));
                if bounds.iter().any(|bound| *bound != DYNAMIC) {
                    let bounds: Vec<String> = bounds.iter().map(|bound| crate::syntax::dimension(*bound)).collect();
                    text.push_str(&format!(", #stablehlo.bounds<{}>", bounds.join(", ")));
                }
                text.push('>');
                text
            }
        }
    }
}
