//! SSA names: what is visible where, uses before definitions, and values of ops that failed.
//!
//! One table for the whole text with a log of what each scope changed. A name is visible in its region and in regions
//! nested in it; nothing inside a region that is isolated from above sees names from outside. A use before the
//! definition gets a placeholder value that is exchanged when the definition comes.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Parser, Use};
use crate::arena::Entity;
use crate::diag::Diagnostic;
use crate::ir::{NewOp, OpId, OpName, Span, TypeId, ValueId};
use crate::ops::OpKind;

/// What a name means.
#[derive(Copy, Clone)]
struct Entry {
    meaning: Meaning,
    /// The isolated region the entry belongs to: it means nothing in any other.
    isolation: u32,
}

#[derive(Copy, Clone)]
enum Meaning {
    Nothing,
    /// `count` values with consecutive ids.
    Values {
        first: ValueId,
        count: u32,
        at: u32,
    },
    /// Used, not yet defined: index into [`Names::forwards`].
    Forward(u32),
    /// A failed op would have defined it.
    Poisoned,
}

const EMPTY: Entry = Entry { meaning: Meaning::Nothing, isolation: 0 };

#[derive(Copy, Clone)]
enum Key<'s> {
    Number(u32),
    Text(&'s [u8]),
}

/// Uses of a name before its definition.
struct Forward<'s> {
    name: &'s [u8],
    items: SmallVec<[ForwardItem; 1]>,
}

/// Uses of one result number.
struct ForwardItem {
    number: u32,
    ty: TypeId,
    span: Span,
    uses: Vec<(OpId, u32)>,
}

/// A use that waits for its definition: which item of which forward, and which operand of the op being made.
pub(super) type Fixup = (u32, u32, u32);

pub(super) struct Names<'s> {
    /// Entries of `%0`, `%1` …
    numbered: Vec<Entry>,
    /// Entries of all other names.
    named: FxHashMap<&'s [u8], Entry>,
    /// Names that were defined, as places in the source (start and length).
    log: Vec<(u32, u32)>,
    /// What definitions hid, for the few that hid something: index into `log`, and what is to come back.
    shadowed: Vec<(usize, Entry)>,
    source: &'s [u8],
    forwards: Vec<Forward<'s>>,
    /// What uses before definitions overwrote inside isolated regions: undone when the isolated region ends.
    hidden: Vec<(Key<'s>, Entry)>,
    isolation: u32,
    n_isolations: u32,
    /// One value per type that stands for values which do not exist.
    placeholders: FxHashMap<TypeId, ValueId>,
    /// Numbers from here on are kept in `named`, so that one large number takes no memory.
    number_limit: u32,
}

/// Where a scope began; given back to close it.
pub(super) struct Scope {
    log: usize,
    /// For isolated regions, the length of [`Names::hidden`].
    hidden: Option<usize>,
    outer_isolation: u32,
}

impl<'s> Names<'s> {
    pub(super) fn new(source: &'s [u8]) -> Self {
        Self {
            numbered: Vec::new(),
            named: FxHashMap::default(),
            log: Vec::new(),
            shadowed: Vec::new(),
            source,
            forwards: Vec::new(),
            hidden: Vec::new(),
            isolation: 0,
            n_isolations: 0,
            placeholders: FxHashMap::default(),
            number_limit: (source.len() / 8).clamp(256, 1 << 28) as u32,
        }
    }

    /// The key of a name: its number when it is written in the canonical way.
    #[inline]
    fn key(&self, name: &'s [u8]) -> Key<'s> {
        let canonical = match name {
            [b'0'] => return Key::Number(0),
            [b'1'..=b'9', ..] => name.len() <= 9,
            _ => false,
        };
        if canonical {
            let number = name.iter().fold(0u32, |number, digit| number * 10 + u32::from(digit - b'0'));
            if number < self.number_limit {
                return Key::Number(number);
            }
        }
        Key::Text(name)
    }

    #[inline]
    fn entry(&self, key: Key<'s>) -> Entry {
        let entry = match key {
            Key::Number(number) => self.numbered.get(number as usize).copied(),
            Key::Text(name) => self.named.get(name).copied(),
        };
        entry.filter(|entry| entry.isolation == self.isolation).unwrap_or(EMPTY)
    }

    fn set(&mut self, key: Key<'s>, entry: Entry) -> Entry {
        match key {
            Key::Number(number) => {
                let number = number as usize;
                if number >= self.numbered.len() {
                    self.numbered.resize(number + 1, EMPTY);
                }
                std::mem::replace(&mut self.numbered[number], entry)
            }
            Key::Text(name) => self.named.insert(name, entry).unwrap_or(EMPTY),
        }
    }

    /// The name means nothing any more.
    fn forget(&mut self, key: Key<'s>) {
        match key {
            Key::Number(number) => {
                if let Some(entry) = self.numbered.get_mut(number as usize) {
                    *entry = EMPTY;
                }
            }
            Key::Text(name) => {
                self.named.remove(name);
            }
        }
    }

    /// Gives the name at `start` of the source a meaning until the end of the scope.
    fn put(&mut self, key: Key<'s>, meaning: Meaning, start: u32, length: usize) {
        let old = self.set(key, Entry { meaning, isolation: self.isolation });
        // A use before the definition is not what the name means after the scope.
        if old.isolation != self.isolation && !matches!(old.meaning, Meaning::Nothing) {
            self.shadowed.push((self.log.len(), old));
        }
        self.log.push((start, length as u32));
    }

    pub(super) fn open_scope(&mut self, isolated: bool) -> Scope {
        let hidden = isolated.then_some(self.hidden.len());
        let scope = Scope { log: self.log.len(), hidden, outer_isolation: self.isolation };
        if isolated {
            self.n_isolations += 1;
            self.isolation = self.n_isolations;
        }
        scope
    }

    pub(super) fn close_scope(&mut self, scope: &Scope) {
        while self.log.len() > scope.log
            && let Some((start, length)) = self.log.pop()
        {
            let back = self.shadowed.pop_if(|(index, _)| *index == self.log.len());
            let source: &'s [u8] = self.source;
            let key = self.key(&source[start as usize..start as usize + length as usize]);
            match back {
                Some((_, entry)) => {
                    self.set(key, entry);
                }
                None => self.forget(key),
            }
        }
        if let Some(mark) = scope.hidden {
            while self.hidden.len() > mark
                && let Some((key, entry)) = self.hidden.pop()
            {
                self.set(key, entry);
            }
        }
        self.isolation = scope.outer_isolation;
    }
}

impl<'s> Parser<'s> {
    /// The value that a use means, which must have type `ty`; uses before the definition are noted in `fixups`.
    pub(super) fn resolve_ssa_use(
        &mut self,
        wanted: &Use<'s>,
        ty: TypeId,
        operand: u32,
        fixups: &mut SmallVec<[Fixup; 2]>,
    ) -> ValueId {
        let key = self.names.key(wanted.name);
        match self.names.entry(key).meaning {
            Meaning::Values { first, count, at } if wanted.number < count => {
                let value = ValueId::from_index(first.index() + wanted.number as usize);
                let found = self.module.value_type(value);
                if found != ty {
                    self.report_type_mismatch(wanted, ty, found, at);
                }
                value
            }
            Meaning::Values { count, at, .. } => {
                let message = format!(
                    "reference to invalid result number: {} has {count} result{}",
                    show(wanted.name),
                    if count == 1 { "" } else { "s" }
                );
                let diagnostic = Diagnostic::error("ssa/invalid-result-number", wanted.span, message)
                    .with_label(Span::new(at, at + 1 + wanted.name.len() as u32), "defined here");
                self.report(diagnostic);
                self.placeholder(ty)
            }
            Meaning::Poisoned => self.placeholder(ty),
            Meaning::Forward(forward) => self.forward_use(forward, wanted, ty, operand, fixups),
            Meaning::Nothing => {
                let forward = self.names.forwards.len() as u32;
                let isolation = self.names.isolation;
                self.names.forwards.push(Forward { name: wanted.name, items: SmallVec::new() });
                // Outlives the scope: the definition may come in any later place of the isolated region.
                let old = self.names.set(key, Entry { meaning: Meaning::Forward(forward), isolation });
                if old.isolation != isolation {
                    self.names.hidden.push((key, old));
                }
                self.forward_use(forward, wanted, ty, operand, fixups)
            }
        }
    }

    fn forward_use(
        &mut self,
        forward: u32,
        wanted: &Use<'s>,
        ty: TypeId,
        operand: u32,
        fixups: &mut SmallVec<[Fixup; 2]>,
    ) -> ValueId {
        let items = &mut self.names.forwards[forward as usize].items;
        let item = match items.iter().position(|item| item.number == wanted.number) {
            Some(item) => item,
            None => {
                items.push(ForwardItem { number: wanted.number, ty, span: wanted.span, uses: Vec::new() });
                items.len() - 1
            }
        };
        let (prior, at) = (items[item].ty, items[item].span.start);
        if prior != ty {
            self.report_type_mismatch(wanted, ty, prior, at);
        }
        fixups.push((forward, item as u32, operand));
        self.placeholder(ty)
    }

    /// Notes that operands of `op` wait for definitions.
    pub(super) fn add_fixups(&mut self, op: OpId, fixups: &[Fixup]) {
        for (forward, item, operand) in fixups {
            self.names.forwards[*forward as usize].items[*item as usize].uses.push((op, *operand));
        }
    }

    /// A value of type `ty` that stands for one that does not exist (yet); it belongs to an op that stands nowhere.
    pub(super) fn placeholder(&mut self, ty: TypeId) -> ValueId {
        if let Some(value) = self.names.placeholders.get(&ty) {
            return *value;
        }
        let name = OpName::Known(OpKind::UnrealizedConversionCast);
        let op = self.module.create_op(&NewOp { result_types: &[ty], ..NewOp::new(name) });
        let value = self.module.result(op).expect("the op has one result");
        self.names.placeholders.insert(ty, value);
        value
    }

    /// Gives `count` values from `first` on the name at `span`.
    pub(super) fn define_values(&mut self, name: &'s [u8], span: Span, first: ValueId, count: u32) {
        let key = self.names.key(name);
        match self.names.entry(key).meaning {
            Meaning::Nothing => {}
            // The name was given to an op that failed: what comes now is at least a value.
            Meaning::Poisoned => {}
            Meaning::Values { at, .. } => {
                let message = format!("redefinition of SSA value {}", show(name));
                let diagnostic = Diagnostic::error("ssa/redefinition", span, message)
                    .with_label(Span::new(at, at + 1 + name.len() as u32), "previously defined here");
                self.report(diagnostic);
                return;
            }
            Meaning::Forward(forward) => self.define_forward(forward, name, span, first, count),
        }
        self.names.put(key, Meaning::Values { first, count, at: span.start }, span.start + 1, name.len());
    }

    /// Exchanges the placeholders of uses before this definition.
    fn define_forward(&mut self, forward: u32, name: &'s [u8], span: Span, first: ValueId, count: u32) {
        let items = std::mem::take(&mut self.names.forwards[forward as usize].items);
        for item in items {
            if item.number >= count {
                // Stays undefined.
                self.names.forwards[forward as usize].items.push(item);
                continue;
            }
            let value = ValueId::from_index(first.index() + item.number as usize);
            let ty = self.module.value_type(value);
            if ty != item.ty {
                let message = format!(
                    "definition of SSA value {}#{} has type {}",
                    show(name),
                    item.number,
                    self.module.display_type(ty)
                );
                let label = format!("previously used here with type {}", self.module.display_type(item.ty));
                let diagnostic = Diagnostic::error("ssa/type-mismatch", span, message).with_label(item.span, label);
                self.report(diagnostic);
            }
            for (op, operand) in item.uses {
                self.module.set_operand(op, operand as usize, value);
            }
        }
    }

    /// The name belongs to an op that failed: no use of it will be complained about.
    pub(super) fn poison_name(&mut self, name: &'s [u8], span: Span) {
        let key = self.names.key(name);
        match self.names.entry(key).meaning {
            Meaning::Values { .. } | Meaning::Poisoned => return,
            Meaning::Forward(forward) => self.names.forwards[forward as usize].items.clear(),
            Meaning::Nothing => {}
        }
        self.names.put(key, Meaning::Poisoned, span.start + 1, name.len());
    }

    pub(super) fn open_scope(&mut self, isolated: bool) -> Scope {
        self.names.open_scope(isolated)
    }

    pub(super) fn close_scope(&mut self, scope: &Scope) {
        self.names.close_scope(scope);
    }

    /// Uses that never found a definition.
    pub(super) fn report_undefined_values(&mut self) {
        let forwards = std::mem::take(&mut self.names.forwards);
        for forward in &forwards {
            for item in &forward.items {
                let message = format!("use of undeclared SSA value {}", show(forward.name));
                let diagnostic = Diagnostic::error("ssa/undefined-value", item.span, message)
                    .with_help("a value is visible in its own region and in the regions nested in it");
                self.report(diagnostic);
            }
        }
    }

    fn report_type_mismatch(&mut self, wanted: &Use<'s>, ty: TypeId, found: TypeId, at: u32) {
        let message = format!(
            "use of value {} expects a different type than prior uses: {} vs {}",
            show(wanted.name),
            self.module.display_type(ty),
            self.module.display_type(found)
        );
        let label = format!("prior use or definition with type {}", self.module.display_type(found));
        let span = Span::new(at, at + 1 + wanted.name.len() as u32);
        self.report(Diagnostic::error("ssa/type-mismatch", wanted.span, message).with_label(span, label));
    }
}

/// A name as the text writes it, in quotes.
fn show(name: &[u8]) -> String {
    format!("`%{}`", String::from_utf8_lossy(name))
}
