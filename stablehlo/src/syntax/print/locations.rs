//! Locations.

use std::borrow::Cow;

use super::Printer;
use super::write::{push_string, push_u64};
use crate::arena::Entity;
use crate::ir::{BlockId, FileRange, LocId, Location, OpId};

/// A location while printing: the module's own by number, then those that ops without `loc(…)` have by their place.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct LocKey(pub(super) u32);

impl Entity for LocKey {
    fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl LocKey {
    /// A location that the module holds.
    pub(super) fn written(location: LocId) -> Self {
        Self::from_index(location.index())
    }
}

impl<'m> Printer<'m> {
    /// The location of an op, also when it has none of its own.
    pub(super) fn op_location(&mut self, op: OpId) -> LocKey {
        if let Some(location) = self.module.op(op).location() {
            return LocKey::written(location);
        }
        if let Some(key) = self.implied_keys[op] {
            return key;
        }
        let source = self.module.source(op);
        let key = self.implied_location((source.end > 0).then_some(source.name));
        self.implied_keys.set(op, Some(key));
        key
    }

    /// The location of a block argument, also when it has none of its own.
    pub(super) fn argument_location(&mut self, block: BlockId, index: usize) -> LocKey {
        let info = self.module.argument_info(block, index);
        match info.location {
            Some(location) => LocKey::written(location),
            None => self.implied_location((info.span.end > 0).then_some(info.span.start)),
        }
    }

    /// The place of a byte of the source, `unknown` for what was not read from text.
    fn implied_location(&mut self, offset: Option<u32>) -> LocKey {
        let location = offset.map_or(Location::Unknown, |offset| self.module.implied_location(offset));
        match self.module.find_location(&location) {
            Some(location) => LocKey::written(location),
            None => {
                let extra = self.extra_locations.insert_full(location).0;
                LocKey::from_index(self.module.n_locations() + extra)
            }
        }
    }

    /// The location behind a key; implied ones are places or `unknown`.
    pub(super) fn location(&self, key: LocKey) -> Cow<'m, Location> {
        let index = key.index();
        match index.checked_sub(self.module.n_locations()) {
            Some(extra) => Cow::Owned(self.extra_locations.get_index(extra).cloned().unwrap_or(Location::Unknown)),
            None => Cow::Borrowed(self.module.location(LocId::from_index(index))),
        }
    }

    /// ` loc(#loc3)` after an op, when locations are printed.
    pub(super) fn op_location_suffix(&mut self, op: OpId) {
        if self.options.locations {
            let key = self.op_location(op);
            self.out.push_str(" loc(");
            self.nested_location(key);
            self.out.push(')');
        }
    }

    /// ` loc("f":1:2)` after a block argument, when locations are printed; never an alias.
    pub fn argument_location_suffix(&mut self, block: BlockId, index: usize) {
        if self.options.locations {
            let key = self.argument_location(block, index);
            if self.collecting() {
                return self.visit_location(key, false);
            }
            self.out.push(' ');
            self.location_in_full(key);
        }
    }

    /// `loc(…)`; its parts may be aliases.
    pub(super) fn location_in_full(&mut self, key: LocKey) {
        self.out.push_str("loc(");
        self.location_body(key);
        self.out.push(')');
    }

    /// A location inside another one: its alias, or what stands in `loc(…)`.
    fn nested_location(&mut self, key: LocKey) {
        if !self.location_alias(key) {
            self.location_body(key);
        }
    }

    fn location_body(&mut self, key: LocKey) {
        if !self.enter() {
            return;
        }
        match &*self.location(key) {
            Location::Unknown => self.out.push_str("unknown"),
            Location::File(range) => self.file_range(range),
            Location::Name { name, child } => {
                push_string(&mut self.out, name);
                if !self.module.is_unknown_location(*child) {
                    self.out.push('(');
                    self.nested_location(LocKey::written(*child));
                    self.out.push(')');
                }
            }
            Location::CallSite { callee, caller } => {
                self.out.push_str("callsite(");
                self.nested_location(LocKey::written(*callee));
                self.out.push_str(" at ");
                self.nested_location(LocKey::written(*caller));
                self.out.push(')');
            }
            Location::Fused { metadata, locations } => {
                self.out.push_str("fused");
                if let Some(metadata) = metadata {
                    self.out.push('<');
                    self.attr(*metadata);
                    self.out.push('>');
                }
                self.out.push('[');
                for (index, location) in locations.iter().enumerate() {
                    self.out.push_str(if index > 0 { ", " } else { "" });
                    self.nested_location(LocKey::written(*location));
                }
                self.out.push(']');
            }
        }
        self.leave();
    }

    /// `"f":1:2`, `"f":1:2 to 3:4`, `"f":1:2 to :4`
    fn file_range(&mut self, range: &FileRange) {
        push_string(&mut self.out, self.module.str(range.file).as_bytes());
        self.out.push(':');
        push_u64(&mut self.out, u64::from(range.line));
        self.out.push(':');
        push_u64(&mut self.out, u64::from(range.column));
        let same_line = range.line == range.end_line;
        if same_line && range.column == range.end_column {
            return;
        }
        self.out.push_str(" to ");
        if !same_line {
            push_u64(&mut self.out, u64::from(range.end_line));
        }
        self.out.push(':');
        push_u64(&mut self.out, u64::from(range.end_column));
    }
}
