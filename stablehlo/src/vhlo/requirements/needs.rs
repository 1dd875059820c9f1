//! What types and attributes ask for.

use super::super::Version;
use super::Collector;
use crate::arena::Entity;
use crate::bytecode::dialects::vhlo::codes;
use crate::ir::{AttrId, Attribute, QuantizationParameters, Signedness, Type, TypeId};

/// What a type or attribute asks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// Nothing.
    Nothing,
    /// This version, because of this part of it.
    Version(Version, Culprit),
    /// No version has this part.
    Never(Culprit),
}

/// The part that asks for most.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Culprit {
    Type(TypeId),
    Attr(AttrId),
}

impl Need {
    pub(super) fn and(self, other: Need) -> Need {
        match (self, other) {
            (Need::Never(_), _) | (_, Need::Nothing) => self,
            (_, Need::Never(_)) | (Need::Nothing, _) => other,
            (Need::Version(mine, _), Need::Version(theirs, _)) if mine >= theirs => self,
            _ => other,
        }
    }

    /// What is left when only what cannot be held at all counts.
    pub(super) fn only_never(self) -> Need {
        match self {
            Need::Never(_) => self,
            _ => Need::Nothing,
        }
    }
}

/// Types and attributes nested deeper than this are not looked into: no reader takes them.
const MAX_DEPTH: u32 = 1000;

impl Collector<'_> {
    pub(super) fn ty(&mut self, ty: TypeId) -> Need {
        if let Some(need) = self.types[ty.index()] {
            return need;
        }
        let need = if self.module.type_extent(ty).depth > MAX_DEPTH {
            Need::Never(Culprit::Type(ty))
        } else {
            self.type_need(ty)
        };
        self.types[ty.index()] = Some(need);
        need
    }

    fn all_types(&mut self, types: &[TypeId]) -> Need {
        types.iter().fold(Need::Nothing, |need, ty| need.and(self.ty(*ty)))
    }

    fn type_need(&mut self, ty: TypeId) -> Need {
        let module = self.module;
        let Some(known) = codes::type_of(module, ty) else {
            // Types of dialects that are not known here stay as they are.
            let is_foreign = matches!(module.ty(ty), Type::Opaque { .. });
            return if is_foreign { Need::Nothing } else { Need::Never(Culprit::Type(ty)) };
        };
        let own = match known.since {
            Version::MINIMUM => Need::Nothing,
            since => Need::Version(since, Culprit::Type(ty)),
        };
        own.and(match module.ty(ty) {
            Type::Complex(element) | Type::UnrankedTensor { element } | Type::MemRef { element, .. } => {
                self.ty(*element)
            }
            Type::Tuple(types) => self.all_types(types),
            Type::Function { inputs, results } => self.all_types(inputs).and(self.all_types(results)),
            Type::RankedTensor(tensor) => {
                let encoding = match tensor.encoding {
                    Some(encoding) if !matches!(module.attr(encoding), Attribute::Bounds(_)) => {
                        Need::Never(Culprit::Attr(encoding))
                    }
                    _ => Need::Nothing,
                };
                encoding.and(self.ty(tensor.element))
            }
            Type::Quantized(quantized) => {
                let parts = self.ty(quantized.storage.ty).and(self.ty(quantized.expressed));
                match quantized.parameters {
                    // Versions of what is inside are not looked at.
                    QuantizationParameters::PerAxis { .. } => parts.only_never(),
                    _ => parts,
                }
            }
            // Nor here.
            Type::Future(types) => self.all_types(types).only_never(),
            _ => Need::Nothing,
        })
    }

    pub(super) fn attr(&mut self, attr: AttrId) -> Need {
        if let Some(need) = self.attrs[attr.index()] {
            return need;
        }
        let need = if self.module.attr_extent(attr).depth > MAX_DEPTH {
            Need::Never(Culprit::Attr(attr))
        } else {
            self.attr_need(attr)
        };
        self.attrs[attr.index()] = Some(need);
        need
    }

    fn all_attrs(&mut self, attrs: impl IntoIterator<Item = AttrId>) -> Need {
        attrs.into_iter().fold(Need::Nothing, |need, attr| need.and(self.attr(attr)))
    }

    fn attr_need(&mut self, attr: AttrId) -> Need {
        let module = self.module;
        let value = module.attr(attr);
        let Some(known) = codes::attribute_of(module, value) else {
            return Need::Never(Culprit::Attr(attr));
        };
        let own = match known.since {
            Version::MINIMUM => Need::Nothing,
            since => Need::Version(since, Culprit::Attr(attr)),
        };
        own.and(match value {
            Attribute::Array(values) => self.all_attrs(values.iter().copied()),
            Attribute::Dictionary(entries) => self.all_attrs(entries.iter().map(|(_, value)| *value)),
            Attribute::Integer { ty, .. } => match module.ty(*ty) {
                Type::Integer { width: 1, signedness: Signedness::Signless } => Need::Nothing,
                _ => self.ty(*ty),
            },
            Attribute::Float { ty, .. } | Attribute::Type(ty) => self.ty(*ty),
            Attribute::DenseElements(elements) => match module.ty(elements.ty) {
                Type::RankedTensor(_) => self.ty(elements.ty),
                _ => Need::Never(Culprit::Attr(attr)),
            },
            // A mesh is written by its name or whole; what is inside a mesh came with it.
            Attribute::ReplicaGroupMeshAxes { mesh, axes } => self.all_attrs([*mesh, *axes]),
            Attribute::Mesh { device_ids: Some(ids), .. } => self.attr(*ids).only_never(),
            _ => Need::Nothing,
        })
    }
}
