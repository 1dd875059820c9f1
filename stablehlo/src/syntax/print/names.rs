//! Names of SSA values and blocks.
//!
//! The source's names are not kept. Values are numbered region by region, parents first; a nested region goes on where the
//! region around it ended, so siblings repeat each other's numbers. Some ops suggest names (`%cst`, `%iterArg`); a name
//! that is visible already gets a number from a counter that all names share (`%cst_0`, `%c_1`). In the generic form there
//! are no suggestions and no two values share a number.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::write::push_u64;
use crate::arena::Entity as _;
use crate::ir::{Attribute, BlockId, LocId, Location, Module, OpId, OpName, RegionId, Type, ValueDef, ValueId};
use crate::ops::spec::{Arity, OpSpec, ResultNames};

/// What a value is called.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Name {
    /// Not numbered: defined outside of what is printed.
    Unknown,
    /// `%3`; for a result of an op with several results printed together, `%3#1`.
    Number(u32),
    /// `%arg3`
    Argument(u32),
    /// `%cst`: index into the texts.
    Text(u32),
    /// `%cst_4`
    Numbered { text: u16, number: u32 },
}

/// Names of everything inside one op.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    values: Vec<Name>,
    texts: Vec<String>,
    /// Numbers of blocks other than the first of their region.
    blocks: FxHashMap<BlockId, u32>,
}

impl Names {
    /// Whether the results of this op are printed as one group, given its first result.
    pub(super) fn is_group(&self, first: ValueId) -> bool {
        matches!(self.values.get(first.index()), Some(Name::Number(_)))
    }

    /// Appends `%name`, with `#1` for a part of a group if `with_part`.
    pub(super) fn push_value(&self, module: &Module, value: ValueId, with_part: bool, out: &mut String) {
        out.push('%');
        match self.values.get(value.index()).copied().unwrap_or(Name::Unknown) {
            Name::Unknown => out.push_str("<<unknown>>"),
            Name::Argument(number) => {
                out.push_str("arg");
                push_u64(out, u64::from(number));
            }
            Name::Text(text) => out.push_str(&self.texts[text as usize]),
            Name::Numbered { text, number } => {
                out.push_str(&self.texts[text as usize]);
                out.push('_');
                push_u64(out, u64::from(number));
            }
            Name::Number(number) => {
                push_u64(out, u64::from(number));
                if let ValueDef::Result { op, index } = module.definition(value)
                    && with_part
                    && module.results(op).len() > 1
                {
                    out.push('#');
                    push_u64(out, u64::from(index));
                }
            }
        }
    }

    /// Appends `^bb1`.
    pub(super) fn push_block(&self, block: BlockId, out: &mut String) {
        out.push_str("^bb");
        push_u64(out, u64::from(self.block_number(block)));
    }

    /// Position of a block in its region.
    pub(super) fn block_number(&self, block: BlockId) -> u32 {
        self.blocks.get(&block).copied().unwrap_or(0)
    }
}

/// How to name.
#[derive(Copy, Clone, Debug)]
pub(super) struct Naming {
    /// No suggestions, and counters that are never set back.
    pub(super) generic: bool,
    /// Names of locations come first.
    pub(super) by_location: bool,
}

/// Counters and visible names at some point of the program.
#[derive(Clone, Default)]
struct Scope {
    next_value: u32,
    next_argument: u32,
    next_conflict: u32,
    /// Which texts are visible names, one bit each.
    used: u128,
    /// Names of the regions around, when names come from locations.
    outer: Option<Rc<Visible>>,
}

/// The names of a region, when they come from locations and any name can occur.
#[derive(Default)]
struct Visible {
    outer: Option<Rc<Visible>>,
    names: FxHashSet<String>,
}

impl Visible {
    fn contains(&self, name: &str) -> bool {
        let mut region = Some(self);
        while let Some(visible) = region {
            if visible.names.contains(name) {
                return true;
            }
            region = visible.outer.as_deref();
        }
        false
    }
}

/// Names everything inside `top`, and its results.
pub(super) fn name_values(module: &Module, top: OpId, naming: Naming) -> Names {
    let mut namer = Namer {
        module,
        naming,
        scope: Scope::default(),
        names: Names { values: vec![Name::Unknown; module.n_values()], ..Names::default() },
        numbers: FxHashMap::default(),
        visible: Visible::default(),
    };
    let mut pending: Vec<(RegionId, Scope)> =
        module.regions(top).iter().map(|region| (*region, Scope::default())).collect();
    namer.results(top);
    while let Some((region, scope)) = pending.pop() {
        if !naming.generic {
            namer.scope = scope;
        }
        if naming.by_location {
            namer.visible = Visible { outer: namer.scope.outer.take(), names: FxHashSet::default() };
        }
        namer.region(region);
        if naming.by_location {
            namer.scope.outer = Some(Rc::new(std::mem::take(&mut namer.visible)));
        }
        for block in module.blocks(region) {
            for op in &module.block(*block).ops {
                pending.extend(module.regions(*op).iter().map(|region| (*region, namer.scope.clone())));
            }
        }
    }
    namer.names
}

struct Namer<'m> {
    module: &'m Module,
    naming: Naming,
    scope: Scope,
    names: Names,
    /// Index of a text.
    numbers: FxHashMap<String, u32>,
    /// Names of the region being named.
    visible: Visible,
}

impl Namer<'_> {
    fn region(&mut self, region: RegionId) {
        let blocks = self.module.blocks(region);
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                self.names.blocks.insert(*block, number as u32);
            }
            self.arguments(region, *block, number == 0);
            for op in &self.module.block(*block).ops {
                self.results(*op);
            }
        }
    }

    fn arguments(&mut self, region: RegionId, block: BlockId, is_entry: bool) {
        let arguments = &self.module.block(block).arguments;
        let owner = self.module.region_parent(region).filter(|_| !self.naming.generic && is_entry);
        for (index, argument) in arguments.iter().enumerate() {
            let location = self.module.argument_info(block, index).location;
            let name = match owner.and_then(|op| argument_hint(self.module, op, index)) {
                Some(hint) => self.hint(hint),
                None => match self.location_name(location) {
                    Some(text) => self.hint(&text),
                    None if is_entry => self.argument(),
                    None => self.number(),
                },
            };
            self.names.values[argument.index()] = name;
        }
    }

    fn results(&mut self, op: OpId) {
        let results = self.module.results(op);
        let Some(first) = results.get(0) else { return };
        let module = self.module;
        let spec = match module.op(op).name() {
            OpName::Known(kind) if !self.naming.generic => Some(kind.spec()),
            _ => None,
        };
        let location = self.location_name(module.op(op).location());
        let hint = match spec.map(|spec| (spec, spec.result_names)) {
            _ if location.is_some() => None,
            Some((spec, ResultNames::Declared)) if spec.results.len() > 1 => {
                return self.declared_results(op, spec);
            }
            Some((_, ResultNames::Fn(hint))) => hint(module, op),
            _ => None,
        };
        let foreign = match module.op(op).name() {
            OpName::Opaque(_) if !self.naming.generic && location.is_none() => foreign_hint(module, op),
            _ => None,
        };
        let name = match (&location, hint, &foreign) {
            (Some(text), ..) | (None, None, Some(text)) => self.hint(text),
            (None, Some(hint), _) => self.hint(hint),
            (None, None, None) => self.number(),
        };
        for value in results.iter() {
            self.names.values[value.index()] = name;
        }
        debug_assert_eq!(self.names.values[first.index()], name);
    }

    /// Every declared result by its name.
    fn declared_results(&mut self, op: OpId, spec: &OpSpec) {
        let values = self.module.results(op);
        if spec.results.len() == values.len() && spec.results.iter().all(|result| result.arity == Arity::One) {
            for (result, value) in spec.results.iter().zip(values.iter()) {
                self.names.values[value.index()] = self.hint(result.name);
            }
        } else {
            let name = self.number();
            for value in values.iter() {
                self.names.values[value.index()] = name;
            }
        }
    }

    fn number(&mut self) -> Name {
        self.scope.next_value += 1;
        Name::Number(self.scope.next_value - 1)
    }

    fn argument(&mut self) -> Name {
        let number = self.scope.next_argument;
        self.scope.next_argument += 1;
        if self.naming.by_location { self.any_name(&format!("arg{number}")) } else { Name::Argument(number) }
    }

    /// A name among arbitrary ones; numbered when it is visible already.
    fn any_name(&mut self, wanted: &str) -> Name {
        let mut name = wanted.to_owned();
        while self.visible.contains(&name) {
            name = format!("{wanted}_{}", self.scope.next_conflict);
            self.scope.next_conflict += 1;
        }
        let text = self.text(&name);
        self.visible.names.insert(name);
        Name::Text(text)
    }

    /// A suggested name; numbered when it is visible already.
    fn hint(&mut self, hint: &str) -> Name {
        if self.naming.by_location {
            return self.any_name(hint);
        }
        let text = self.text(hint);
        let bit = 1u128.checked_shl(text).unwrap_or(0);
        if self.scope.used & bit == 0 && bit != 0 {
            self.scope.used |= bit;
            return Name::Text(text);
        }
        let number = self.scope.next_conflict;
        self.scope.next_conflict += 1;
        match u16::try_from(text) {
            Ok(text) => Name::Numbered { text, number },
            Err(_) => self.number(),
        }
    }

    fn text(&mut self, text: &str) -> u32 {
        // There are few texts, and the last ones come again soon.
        if let Some(index) = self.names.texts.iter().take(4).position(|known| known == text) {
            return index as u32;
        }
        match self.numbers.get(text) {
            Some(index) => *index,
            None => {
                let index = self.names.texts.len() as u32;
                self.names.texts.push(text.to_owned());
                self.numbers.insert(text.to_owned(), index);
                index
            }
        }
    }

    /// The name in a location, when names come from locations.
    fn location_name(&self, location: Option<LocId>) -> Option<Cow<'static, str>> {
        if !self.naming.by_location || self.naming.generic {
            return None;
        }
        let name = match self.module.location(location?) {
            Location::Name { name, .. } => name,
            Location::Fused { locations, .. } => {
                locations.iter().find_map(|location| match self.module.location(*location) {
                    Location::Name { name, .. } => Some(name),
                    _ => None,
                })?
            }
            _ => return None,
        };
        (!name.is_empty()).then(|| identifier(name).into())
    }
}

/// A name as an identifier: spaces become `_`, other odd bytes two hexadecimal digits, and no digit stands first.
fn identifier(name: &[u8]) -> String {
    let mut text = String::new();
    if name.first().is_some_and(u8::is_ascii_digit) {
        text.push('_');
    }
    for byte in name {
        match byte {
            b' ' => text.push('_'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'$' | b'.' | b'_' | b'-' => text.push(char::from(*byte)),
            _ => super::write::push_hex(&mut text, &[*byte]),
        }
    }
    text
}

/// What ops of other dialects call their results.
fn foreign_hint(module: &Module, op: OpId) -> Option<Cow<'static, str>> {
    let hint = match module.op_name(op) {
        "arith.constant" => return constant_hint(module, op),
        "tensor.cast" | "memref.cast" => "cast",
        "tensor.dim" => "dim",
        "tensor.extract" => "extracted",
        "tensor.from_elements" => "from_elements",
        _ => return None,
    };
    Some(hint.into())
}

/// `c4_i32`, `c4`, `true`, `cst`
fn constant_hint(module: &Module, op: OpId) -> Option<Cow<'static, str>> {
    let Attribute::Integer { ty, value } = module.attr(module.property(op, "value")?) else {
        return Some("cst".into());
    };
    Some(match module.ty(*ty) {
        Type::Integer { width: 1, .. } => if *value == 0 { "false" } else { "true" }.into(),
        Type::Integer { .. } => format!("c{value}_{}", module.display_type(*ty)).into(),
        _ => format!("c{value}").into(),
    })
}

/// What an op calls the arguments of its regions.
fn argument_hint(module: &Module, op: OpId, index: usize) -> Option<&'static str> {
    match module.op(op).name() {
        OpName::Known(kind) => kind.spec().argument_names.and_then(|name| name(module, op, index)),
        OpName::Opaque(_) => None,
    }
}
