//! How large interned things are when written out.
//!
//! Types, attributes and locations share their parts. A text of a few lines can name, through aliases, a tuple that would
//! take more memory written out than there is (`!b = tuple<!a, !a>`, `!c = tuple<!b, !b>`, …), and a chain of aliases nests
//! deeper than any stack. Readers bound what they accept by these numbers.

use super::{AttrId, Attribute, LocId, Location, Module, Type, TypeId};

/// Size and depth of a type, attribute or location.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Number of parts, the thing itself included; at most `u32::MAX`.
    pub nodes: u32,
    /// How deep the parts are nested; 1 when there are none.
    pub depth: u32,
}

impl Extent {
    /// Something without parts.
    pub const LEAF: Extent = Extent { nodes: 1, depth: 1 };

    fn around(parts: impl IntoIterator<Item = Extent>) -> Extent {
        parts.into_iter().fold(Extent::LEAF, |whole, part| Extent {
            nodes: whole.nodes.saturating_add(part.nodes),
            depth: whole.depth.max(part.depth.saturating_add(1)),
        })
    }
}

/// Extents of what is interned already.
impl Module {
    pub(super) fn extent_of_type(&self, ty: &Type) -> Extent {
        let types = |types: &[TypeId]| Extent::around(types.iter().map(|ty| self.type_extent(*ty)));
        let with = |element: TypeId, attrs: [Option<AttrId>; 2]| {
            let attrs = attrs.into_iter().flatten().map(|attr| self.attr_extent(attr));
            Extent::around(attrs.chain([self.type_extent(element)]))
        };
        match ty {
            Type::Complex(element) | Type::UnrankedTensor { element } | Type::Vector { element, .. } => {
                types(std::slice::from_ref(element))
            }
            Type::Tuple(elements) | Type::Future(elements) => types(elements),
            Type::Function { inputs, results } => {
                Extent::around(inputs.iter().chain(results).map(|ty| self.type_extent(*ty)))
            }
            Type::RankedTensor(tensor) => with(tensor.element, [tensor.encoding, None]),
            Type::MemRef { element, layout, memory_space, .. } => with(*element, [*layout, *memory_space]),
            _ => Extent::LEAF,
        }
    }

    pub(super) fn extent_of_attr(&self, attr: &Attribute) -> Extent {
        let attrs = |attrs: &[AttrId]| Extent::around(attrs.iter().map(|attr| self.attr_extent(*attr)));
        match attr {
            Attribute::Array(values) | Attribute::Mesh { axes: values, .. } => attrs(values),
            Attribute::Dictionary(entries) => Extent::around(entries.iter().map(|(_, attr)| self.attr_extent(*attr))),
            Attribute::Type(ty) => Extent::around([self.type_extent(*ty)]),
            Attribute::DenseElements(elements) => Extent::around([self.type_extent(elements.ty)]),
            Attribute::DenseStringElements { ty, .. } | Attribute::DenseResource { ty, .. } => {
                Extent::around([self.type_extent(*ty)])
            }
            Attribute::SparseElements { ty, indices, values } => {
                Extent::around([self.type_extent(*ty), self.attr_extent(*indices), self.attr_extent(*values)])
            }
            Attribute::String { ty: Some(ty), .. } | Attribute::Opaque { ty: Some(ty), .. } => {
                Extent::around([self.type_extent(*ty)])
            }
            Attribute::Distinct { value, .. } => attrs(std::slice::from_ref(value)),
            Attribute::ReplicaGroupMeshAxes { mesh, axes } => attrs(&[*mesh, *axes]),
            Attribute::Location(location) => Extent::around([self.location_extent(*location)]),
            _ => Extent::LEAF,
        }
    }

    pub(super) fn extent_of_location(&self, location: &Location) -> Extent {
        match location {
            Location::Name { child, .. } => Extent::around([self.location_extent(*child)]),
            Location::CallSite { callee, caller } => {
                Extent::around([self.location_extent(*callee), self.location_extent(*caller)])
            }
            Location::Fused { metadata, locations } => {
                let metadata = metadata.map(|attr| self.attr_extent(attr));
                Extent::around(locations.iter().map(|part| self.location_extent(*part)).chain(metadata))
            }
            Location::Unknown | Location::File(_) => Extent::LEAF,
        }
    }

    /// How large a location is when written out.
    pub fn location_extent(&self, location: LocId) -> Extent {
        self.extents.location(location)
    }

    /// How large a type is when written out.
    pub fn type_extent(&self, ty: TypeId) -> Extent {
        self.extents.ty(ty)
    }

    /// How large an attribute is when written out.
    pub fn attr_extent(&self, attr: AttrId) -> Extent {
        self.extents.attr(attr)
    }
}

/// The extents of everything interned, by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Extents {
    pub(super) types: Vec<Extent>,
    pub(super) attributes: Vec<Extent>,
    pub(super) locations: Vec<Extent>,
}

impl Extents {
    fn ty(&self, ty: TypeId) -> Extent {
        self.types.get(crate::arena::Entity::index(ty)).copied().unwrap_or(Extent::LEAF)
    }

    fn attr(&self, attr: AttrId) -> Extent {
        self.attributes.get(crate::arena::Entity::index(attr)).copied().unwrap_or(Extent::LEAF)
    }

    fn location(&self, location: LocId) -> Extent {
        self.locations.get(crate::arena::Entity::index(location)).copied().unwrap_or(Extent::LEAF)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Signedness;

    #[test]
    fn parts_are_counted_as_often_as_they_are_written() {
        let mut module = Module::new("test");
        let mut ty = module.intern_type(Type::Integer { width: 32, signedness: Signedness::Signless });
        assert_eq!(module.type_extent(ty), Extent::LEAF);
        for _ in 0..40 {
            ty = module.intern_type(Type::Tuple([ty, ty].into()));
        }
        assert_eq!(module.type_extent(ty), Extent { nodes: u32::MAX, depth: 41 });
        let tensor = module.tensor_type(&[2], ty);
        let attr = module.intern_attr(Attribute::Type(tensor));
        let array = module.intern_attr(Attribute::Array([attr].into()));
        assert_eq!(module.attr_extent(array).depth, 44);
    }
}
