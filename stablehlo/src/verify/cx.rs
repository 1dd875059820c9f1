//! What a check sees: the module, the op, and the questions that checks often ask.

use super::fault::{Fault, Place, Verdict, ensure};
use super::infer::{Inferred, compatible_elements};
use crate::ir::{Module, OpId, TypeId, ValueId};

/// The op under check in its module.
#[derive(Copy, Clone)]
pub struct Cx<'m> {
    /// The module.
    pub module: &'m Module,
    /// The op.
    pub op: OpId,
}

impl<'m> Cx<'m> {
    /// Type of a value.
    pub fn ty(&self, value: ValueId) -> TypeId {
        self.module.value_type(value)
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

    /// Passes when the values at all `places` have one element type.
    pub fn same_element_type(&self, places: &[Place]) -> Verdict {
        let mut typed = places.iter().filter_map(|place| Some((*place, self.element_type(self.value(*place)?))));
        let Some((first, wanted)) = typed.next() else {
            return Ok(());
        };
        for (place, found) in typed {
            ensure(compatible_elements(self.module, wanted, found), || {
                let message =
                    format!("element types must be equal, got {} and {}", self.show(wanted), self.show(found));
                Fault::new(message).at(place).label(first, format!("this has element type {}", self.show(wanted)))
            })?;
        }
        Ok(())
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
            Inferred::Tensor { shape, element, .. } => {
                let mut text = String::from("tensor<");
                for size in shape {
                    text.push_str(&crate::syntax::dimension(*size));
                    text.push('x');
                }
                text.push_str(&element.map_or_else(|| "…".to_owned(), |element| self.show(element)));
                text.push('>');
                text
            }
        }
    }
}
