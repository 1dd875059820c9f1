//! Aliases: `#loc3`, `#map`, `#set`, `#distinct`, `!tuple`.
//!
//! The source's own aliases are not kept. On printing, an alias is made for every location (when locations are printed,
//! and for locations inside attributes), affine map, integer set, `distinct` with a payload and long tuple type that the
//! text mentions. They are found by going through the module as printing would: [`Printer::collecting`] is on, and
//! writing a type or an attribute notes it instead.

use rustc_hash::FxHashMap;

use super::Printer;
use super::locations::LocKey;
use super::write::push_u64;
use crate::arena::SideMap;
use crate::ir::{AttrId, Attribute, LocId, Location, Module, Type, TypeId};

/// What an alias can stand for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Target {
    Type(TypeId),
    Attr(AttrId),
    Location(LocKey),
}

/// A number for each of some targets, found by index rather than by hashing: there is a location for every op.
#[derive(Clone, Debug, Default)]
struct Numbers {
    types: SideMap<TypeId, Option<u32>>,
    attrs: SideMap<AttrId, Option<u32>>,
    locations: SideMap<LocKey, Option<u32>>,
}

impl Numbers {
    fn get(&self, target: Target) -> Option<usize> {
        let number = match target {
            Target::Type(ty) => self.types[ty],
            Target::Attr(attr) => self.attrs[attr],
            Target::Location(key) => self.locations[key],
        };
        number.map(|number| number as usize)
    }

    fn set(&mut self, target: Target, number: usize) {
        let number = Some(number as u32);
        match target {
            Target::Type(ty) => self.types.set(ty, number),
            Target::Attr(attr) => self.attrs.set(attr, number),
            Target::Location(key) => self.locations.set(key, number),
        }
    }
}

/// A type, attribute or location that was met.
#[derive(Clone, Debug)]
struct Met {
    target: Target,
    /// Name without number, when this gets an alias.
    base: Option<&'static str>,
    /// 0 where neither this nor a part has an alias; else one more than the deepest part.
    depth: u32,
    /// Met only as location of ops so far.
    is_deferred: bool,
    parts: Vec<usize>,
}

/// The aliases of one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases {
    sorted: Vec<Alias>,
    numbers: Numbers,
}

#[derive(Clone, Debug)]
struct Alias {
    target: Target,
    base: &'static str,
    number: u32,
    is_deferred: bool,
}

/// What is noted while collecting.
#[derive(Clone, Debug, Default)]
pub(super) struct Collector {
    met: Vec<Met>,
    numbers: Numbers,
    /// The entries whose parts are being visited, innermost last.
    open: Vec<usize>,
}

/// The name that an alias for `ty` gets.
fn type_base(ty: &Type) -> Option<&'static str> {
    matches!(ty, Type::Tuple(types) if types.len() > 16).then_some("tuple")
}

/// The name that an alias for `attr` gets.
fn attr_base(module: &Module, attr: &Attribute) -> Option<&'static str> {
    match attr {
        Attribute::AffineMap(_) => Some("map"),
        Attribute::IntegerSet(_) => Some("set"),
        Attribute::Distinct { value, .. } if !matches!(module.attr(*value), Attribute::Unit) => Some("distinct"),
        Attribute::Location(_) => Some("loc"),
        _ => None,
    }
}

/// Whether anything in the module could get an alias when locations are not printed.
pub(super) fn has_candidates(module: &Module) -> bool {
    module.attr_ids().any(|attr| attr_base(module, module.attr(attr)).is_some())
        || module.type_ids().any(|ty| type_base(module.ty(ty)).is_some())
}

impl Printer<'_> {
    /// Whether this goes through the module to find aliases, and nothing needs to be written.
    pub(super) fn collecting(&self) -> bool {
        self.collector.is_some()
    }

    /// Ends collecting: the aliases are known.
    pub(super) fn finish_collecting(&mut self) {
        let Some(mut collector) = self.collector.take() else { return };
        let kind = |met: &Met| !matches!(met.target, Target::Type(_));
        collector.met.sort_by(|a, b| (a.depth, kind(a), a.base).cmp(&(b.depth, kind(b), b.base)));
        let mut next = FxHashMap::<&'static str, u32>::default();
        for met in collector.met {
            let Some(base) = met.base else { continue };
            let number = next.entry(base).or_default();
            self.aliases.numbers.set(met.target, self.aliases.sorted.len());
            let alias = Alias { target: met.target, base, number: *number, is_deferred: met.is_deferred };
            self.aliases.sorted.push(alias);
            *number += 1;
        }
        self.out.clear();
        self.used_resources.clear();
        self.distinct_numbers.clear();
    }

    /// Writes `#map = …` lines: those that stand before the text or the deferred ones that follow it.
    pub(super) fn alias_definitions(&mut self, deferred: bool) {
        for index in 0..self.aliases.sorted.len() {
            let Alias { target, is_deferred, .. } = self.aliases.sorted[index];
            if is_deferred != deferred {
                continue;
            }
            self.alias_name(index);
            self.out.push_str(" = ");
            match target {
                Target::Type(ty) => self.type_in_full(ty),
                Target::Attr(attr) => self.attr_in_full(attr, super::attributes::TypeSuffix::Full),
                Target::Location(key) => self.location_in_full(key),
            }
            self.out.push('\n');
        }
    }

    fn alias_name(&mut self, index: usize) {
        let alias = &self.aliases.sorted[index];
        self.out.push(if matches!(alias.target, Target::Type(_)) { '!' } else { '#' });
        self.out.push_str(alias.base);
        if alias.number > 0 {
            push_u64(&mut self.out, u64::from(alias.number));
        }
    }

    fn alias(&mut self, target: Target) -> bool {
        if self.aliases.sorted.is_empty() {
            return false;
        }
        let Some(index) = self.aliases.numbers.get(target) else { return false };
        self.alias_name(index);
        true
    }

    /// Writes the alias of a type, if it has one.
    pub(super) fn type_alias(&mut self, ty: TypeId) -> bool {
        self.alias(Target::Type(ty))
    }

    /// Writes the alias of an attribute, if it has one.
    pub(super) fn attr_alias(&mut self, attr: AttrId) -> bool {
        !self.aliases.sorted.is_empty() && self.alias(attr_target(self.module, attr))
    }

    /// Writes the alias of a location, if it has one.
    pub(super) fn location_alias(&mut self, key: LocKey) -> bool {
        self.alias(Target::Location(key))
    }

    // ---------------------------------------------------------------- collecting

    /// Notes a type; what is met at the op's level cannot be deferred.
    pub(super) fn visit_type(&mut self, ty: TypeId) {
        self.visit(Target::Type(ty), false, false);
    }

    /// Notes an attribute.
    pub(super) fn visit_attr(&mut self, attr: AttrId, without_type: bool) {
        self.visit(attr_target(self.module, attr), false, without_type);
    }

    /// Notes a location.
    pub(super) fn visit_location(&mut self, key: LocKey, can_be_deferred: bool) {
        self.visit(Target::Location(key), can_be_deferred, true);
    }

    fn visit(&mut self, target: Target, can_be_deferred: bool, without_type: bool) {
        let module = self.module;
        let Some(collector) = &mut self.collector else { return };
        let index = match collector.numbers.get(target) {
            Some(index) => {
                if !can_be_deferred {
                    collector.place_before(index);
                }
                index
            }
            None => {
                let base = match target {
                    Target::Type(ty) => type_base(module.ty(ty)),
                    Target::Attr(attr) => attr_base(module, module.attr(attr)),
                    Target::Location(_) => Some("loc"),
                };
                let index = collector.met.len();
                let is_deferred = base.is_some() && can_be_deferred;
                let depth = u32::from(base.is_some());
                collector.met.push(Met { target, base, depth, is_deferred, parts: Vec::new() });
                collector.numbers.set(target, index);
                collector.open.push(index);
                self.visit_parts(target, can_be_deferred, without_type);
                self.close(index);
                index
            }
        };
        if let Some(collector) = &mut self.collector
            && let Some(parent) = collector.open.last()
        {
            collector.met[*parent].parts.push(index);
        }
    }

    /// Computes the depth of an entry all of whose parts were visited.
    fn close(&mut self, index: usize) {
        let Some(collector) = &mut self.collector else { return };
        collector.open.pop();
        let parts = &collector.met[index].parts;
        let deepest = parts.iter().map(|part| collector.met[*part].depth).max().unwrap_or(0);
        if deepest > 0 {
            collector.met[index].depth = deepest + 1;
        }
    }

    fn visit_parts(&mut self, target: Target, deferred: bool, without_type: bool) {
        if !self.enter() {
            return;
        }
        match target {
            Target::Type(ty) => self.visit_parts_of_type(ty, deferred),
            Target::Attr(attr) => self.visit_parts_of_attr(attr, deferred, without_type),
            Target::Location(key) => self.visit_parts_of_location(key, deferred),
        }
        self.leave();
    }

    fn visit_types(&mut self, types: &[TypeId], deferred: bool) {
        for ty in types {
            self.visit(Target::Type(*ty), deferred, false);
        }
    }

    fn visit_parts_of_type(&mut self, ty: TypeId, deferred: bool) {
        let module = self.module;
        let (types, attrs): (&[TypeId], [Option<AttrId>; 2]) = match module.ty(ty) {
            Type::Complex(element) | Type::UnrankedTensor { element } | Type::Vector { element, .. } => {
                (std::slice::from_ref(element), [None; 2])
            }
            Type::Tuple(types) | Type::Future(types) => (types, [None; 2]),
            Type::Function { inputs, results } => {
                self.visit_types(inputs, deferred);
                (results, [None; 2])
            }
            Type::RankedTensor(tensor) => (std::slice::from_ref(&tensor.element), [tensor.encoding, None]),
            Type::MemRef { element, layout, memory_space, .. } => {
                (std::slice::from_ref(element), [*layout, *memory_space])
            }
            _ => return,
        };
        self.visit_types(types, deferred);
        for attr in attrs.into_iter().flatten() {
            self.visit(attr_target(module, attr), deferred, false);
        }
    }

    fn visit_parts_of_attr(&mut self, attr: AttrId, deferred: bool, without_type: bool) {
        let module = self.module;
        let mut visit = |attr: AttrId| self.visit(attr_target(module, attr), deferred, false);
        let ty = match module.attr(attr) {
            Attribute::Distinct { value, .. } => return visit(*value),
            Attribute::Dictionary(entries) => return entries.iter().for_each(|(_, value)| visit(*value)),
            Attribute::Array(values) => return values.iter().for_each(|value| visit(*value)),
            Attribute::Type(ty) => Some(*ty),
            Attribute::DenseElements(dense) => Some(dense.ty).filter(|_| !without_type),
            Attribute::DenseStringElements { ty, .. }
            | Attribute::DenseResource { ty, .. }
            | Attribute::SparseElements { ty, .. } => Some(*ty).filter(|_| !without_type),
            Attribute::String { ty, .. } | Attribute::Opaque { ty, .. } => ty.filter(|_| !without_type),
            _ => None,
        };
        if let Some(ty) = ty {
            self.visit(Target::Type(ty), deferred, false);
        }
    }

    fn visit_parts_of_location(&mut self, key: LocKey, deferred: bool) {
        let module = self.module;
        let location = self.location(key);
        let parts: &[LocId] = match &*location {
            Location::Unknown | Location::File(_) => &[],
            Location::Name { child, .. } if module.is_unknown_location(*child) => &[],
            Location::Name { child, .. } => &[*child],
            Location::CallSite { callee, caller } => &[*callee, *caller],
            Location::Fused { metadata, locations } => {
                if let Some(metadata) = metadata {
                    self.visit(attr_target(module, *metadata), deferred, false);
                }
                locations
            }
        };
        for part in parts {
            self.visit(Target::Location(LocKey::written(*part)), deferred, true);
        }
    }
}

impl Collector {
    /// An entry that is needed before the text, and with it its parts.
    fn place_before(&mut self, index: usize) {
        let mut pending = vec![index];
        while let Some(index) = pending.pop() {
            if std::mem::take(&mut self.met[index].is_deferred) {
                pending.extend(&self.met[index].parts);
            }
        }
    }
}

/// Locations are one thing, whether they stand in an attribute or belong to an op.
fn attr_target(module: &Module, attr: AttrId) -> Target {
    match module.attr(attr) {
        Attribute::Location(location) => Target::Location(LocKey::written(*location)),
        _ => Target::Attr(attr),
    }
}
