//! Numbering: which index each attribute, type, op name and dialect gets in the file.
//!
//! What is used most often comes first, so that it has the shortest index; among equals what was met first. In each range
//! of indices that take the same number of bytes, the entries of one dialect stand together.

use smallvec::SmallVec;

use super::table::{AttrEntry, DialectEntry, Form, OpNameEntry, Piece, PropertiesEntry, StringEntry, Table, TypeEntry};

const UNSEEN: u32 = u32::MAX;

/// Counts uses and remembers what was met first.
#[derive(Default, Debug)]
pub(super) struct Counter {
    attrs: Counts,
    places: Counts,
    types: Counts,
    op_names: Counts,
    properties: Counts,
    attr_order: Vec<AttrEntry>,
    type_order: Vec<TypeEntry>,
    op_name_order: Vec<OpNameEntry>,
    /// By dialect of the table.
    dialects: Vec<u32>,
    dialect_order: Vec<DialectEntry>,
    /// Resources in order of first use; all belong to the builtin dialect.
    resources: indexmap::IndexSet<StringEntry, rustc_hash::FxBuildHasher>,
    /// Entries that are being visited, with what is visited next in them.
    stack: Vec<(Item, usize)>,
}

#[derive(Copy, Clone, Debug)]
enum Item {
    Attr(u32),
    Type(u32),
}

/// How often each entry of a kind is used.
#[derive(Default, Debug)]
struct Counts(Vec<u32>);

impl Counts {
    /// Counts a use of entry `index`; whether it is the first one.
    #[inline]
    fn add(&mut self, index: u32, n: u32) -> bool {
        let index = index as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, 0);
        }
        let count = &mut self.0[index];
        let is_first = *count == 0;
        *count = count.saturating_add(n);
        is_first
    }
}

impl Counter {
    /// Counts the name of an op.
    pub(super) fn op_name(&mut self, table: &Table, name: OpNameEntry) {
        if self.op_names.add(name.0, 1) {
            self.op_name_order.push(name);
            self.dialect(table.op_names[name.0 as usize].dialect);
        }
    }

    /// Counts an attribute or location, and what is inside when it is met first.
    #[inline]
    pub(super) fn attr(&mut self, table: &Table, attr: AttrEntry) {
        self.enter_attr(table, attr);
        self.visit(table);
    }

    /// Counts a type.
    pub(super) fn ty(&mut self, table: &Table, ty: TypeEntry) {
        self.enter_type(table, ty);
        self.visit(table);
    }

    /// Counts what an op's properties refer to. Many ops have equal properties, so only the first of them is looked through;
    /// the others are counted and made up for at the end.
    pub(super) fn properties(&mut self, table: &Table, properties: PropertiesEntry) {
        if self.properties.add(properties.0, 1) {
            for piece in &table.properties[properties.0 as usize] {
                self.piece(table, piece);
                self.visit(table);
            }
        }
    }

    fn count_repeated_properties(&mut self, table: &Table) {
        for (pieces, count) in table.properties.iter().zip(&self.properties.0) {
            let n_more = count.saturating_sub(1);
            for piece in pieces {
                match piece {
                    Piece::Attr(attr) | Piece::OptionalAttr(Some(attr)) => match attr.0 & AttrEntry::PLACE {
                        0 => self.attrs.add(attr.0, n_more),
                        _ => self.places.add(attr.0 & !AttrEntry::PLACE, n_more),
                    },
                    Piece::Type(ty) => self.types.add(ty.0, n_more),
                    _ => false,
                };
            }
        }
    }

    fn enter_attr(&mut self, table: &Table, attr: AttrEntry) {
        if attr.0 & AttrEntry::PLACE != 0 {
            let place = attr.0 & !AttrEntry::PLACE;
            if self.places.add(place, 1) {
                self.attr_order.push(attr);
                self.dialect(Table::BUILTIN);
                self.enter_attr(table, table.places.get(place).file);
            }
        } else if self.attrs.add(attr.0, 1) {
            self.attr_order.push(attr);
            self.dialect(table.attrs[attr.0 as usize].dialect);
            self.stack.push((Item::Attr(attr.0), 0));
        }
    }

    fn enter_type(&mut self, table: &Table, ty: TypeEntry) {
        if self.types.add(ty.0, 1) {
            self.type_order.push(ty);
            self.dialect(table.types[ty.0 as usize].dialect);
            self.stack.push((Item::Type(ty.0), 0));
        }
    }

    /// Visits what is on the stack, each entry's pieces in their order and to their depth.
    fn visit(&mut self, table: &Table) {
        while let Some((item, at)) = self.stack.last_mut() {
            let entry = match item {
                Item::Attr(index) => &table.attrs[*index as usize],
                Item::Type(index) => &table.types[*index as usize],
            };
            let piece = match &entry.form {
                Form::Encoded(pieces) => pieces.get(*at),
                Form::Text(_) => None,
            };
            *at += 1;
            match piece {
                Some(piece) => self.piece(table, piece),
                None => {
                    self.stack.pop();
                }
            }
        }
    }

    fn piece(&mut self, table: &Table, piece: &Piece) {
        match piece {
            Piece::Attr(attr) | Piece::OptionalAttr(Some(attr)) => self.enter_attr(table, *attr),
            Piece::Type(ty) => self.enter_type(table, *ty),
            Piece::Resource(key) => {
                self.resources.insert(*key);
            }
            _ => {}
        }
    }

    fn dialect(&mut self, dialect: DialectEntry) {
        let index = dialect.0 as usize;
        if index >= self.dialects.len() {
            self.dialects.resize(index + 1, UNSEEN);
        }
        if self.dialects[index] == UNSEEN {
            self.dialects[index] = self.dialect_order.len() as u32;
            self.dialect_order.push(dialect);
        }
    }

    /// Gives everything its number. `has_data` says which resources have data: these come first.
    pub(super) fn number(mut self, table: &Table, has_data: impl Fn(StringEntry) -> bool) -> Numbers {
        self.count_repeated_properties(table);
        let Self { attrs, places, types, op_names, attr_order, type_order, op_name_order, dialects, .. } = self;
        let rank = |dialect: DialectEntry| dialects[dialect.0 as usize];
        let builtin = dialects.first().copied().unwrap_or(0);
        let (with, without): (Vec<_>, Vec<_>) = self.resources.into_iter().partition(|key| has_data(*key));
        let attr_order = arrange(
            attr_order,
            |attr| match attr.0 & AttrEntry::PLACE {
                0 => attrs.0[attr.0 as usize],
                _ => places.0[(attr.0 & !AttrEntry::PLACE) as usize],
            },
            |attr| match attr.0 & AttrEntry::PLACE {
                0 => rank(table.attrs[attr.0 as usize].dialect),
                _ => builtin,
            },
        );
        let type_order =
            arrange(type_order, |ty| types.0[ty.0 as usize], |ty| rank(table.types[ty.0 as usize].dialect));
        let op_name_order = arrange(
            op_name_order,
            |name| op_names.0[name.0 as usize],
            |name| rank(table.op_names[name.0 as usize].dialect),
        );
        let mut numbers = Numbers {
            attrs: vec![UNSEEN; table.attrs.len()],
            places: vec![UNSEEN; table.places.len()],
            types: vec![UNSEEN; table.types.len()],
            op_names: vec![UNSEEN; table.op_names.len()],
            dialects,
            dialect_order: self.dialect_order,
            n_resources_with_data: with.len(),
            resource_order: with.into_iter().chain(without).collect(),
            attr_order,
            type_order,
            op_name_order,
        };
        for (number, attr) in numbers.attr_order.iter().enumerate() {
            match attr.0 & AttrEntry::PLACE {
                0 => numbers.attrs[attr.0 as usize] = number as u32,
                _ => numbers.places[(attr.0 & !AttrEntry::PLACE) as usize] = number as u32,
            }
        }
        for (number, ty) in numbers.type_order.iter().enumerate() {
            numbers.types[ty.0 as usize] = number as u32;
        }
        for (number, name) in numbers.op_name_order.iter().enumerate() {
            numbers.op_names[name.0 as usize] = number as u32;
        }
        numbers
    }
}

/// The order of the file for entries in order of first use.
fn arrange<T: Copy>(order: Vec<T>, count: impl Fn(T) -> u32, dialect: impl Fn(T) -> u32) -> Vec<T> {
    // Most entries are used once; they need no sorting.
    let (mut often, once): (Vec<T>, Vec<T>) = order.into_iter().partition(|entry| count(*entry) > 1);
    often.sort_by_key(|entry| std::cmp::Reverse(count(*entry)));
    often.extend(once);
    let mut order = often;
    let (mut start, mut size, mut first) = (0, 0, 0);
    for n_bytes in 1..9 {
        size = (1usize << (7 * n_bytes)) - size;
        let end = order.len().min(start + size);
        let group = &mut order[start..end];
        if group.is_empty() {
            break;
        }
        group_by(group, |entry| match dialect(entry) {
            found if found == first => 0,
            found => found + 1,
        });
        first = dialect(order[end - 1]);
        start = end;
    }
    order
}

/// Sorts by a small key, keeping the order among equals, in linear time.
fn group_by<T: Copy>(items: &mut [T], key: impl Fn(T) -> u32) {
    if items.is_sorted_by_key(|item| key(*item)) {
        return;
    }
    let mut starts: SmallVec<[usize; 16]> = SmallVec::new();
    for item in items.iter() {
        let key = key(*item) as usize + 1;
        if key >= starts.len() {
            starts.resize(key + 1, 0);
        }
        starts[key] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let unsorted = items.to_vec();
    for item in unsorted {
        let at = &mut starts[key(item) as usize];
        items[*at] = item;
        *at += 1;
    }
}

/// The numbers that a file refers to its entries by.
#[derive(Debug)]
pub(super) struct Numbers {
    attrs: Vec<u32>,
    places: Vec<u32>,
    types: Vec<u32>,
    op_names: Vec<u32>,
    dialects: Vec<u32>,
    /// Entries by their numbers.
    pub(super) attr_order: Vec<AttrEntry>,
    pub(super) type_order: Vec<TypeEntry>,
    pub(super) op_name_order: Vec<OpNameEntry>,
    pub(super) dialect_order: Vec<DialectEntry>,
    /// Keys of resources by their numbers, those without data last.
    pub(super) resource_order: indexmap::IndexSet<StringEntry, rustc_hash::FxBuildHasher>,
    pub(super) n_resources_with_data: usize,
}

impl Numbers {
    #[inline]
    pub(super) fn attr(&self, attr: AttrEntry) -> u64 {
        u64::from(match attr.0 & AttrEntry::PLACE {
            0 => self.attrs[attr.0 as usize],
            _ => self.places[(attr.0 & !AttrEntry::PLACE) as usize],
        })
    }

    #[inline]
    pub(super) fn ty(&self, ty: TypeEntry) -> u64 {
        u64::from(self.types[ty.0 as usize])
    }

    pub(super) fn op_name(&self, name: OpNameEntry) -> u64 {
        u64::from(self.op_names[name.0 as usize])
    }

    pub(super) fn dialect(&self, dialect: DialectEntry) -> u64 {
        u64::from(self.dialects[dialect.0 as usize])
    }

    pub(super) fn resource(&self, key: StringEntry) -> u64 {
        self.resource_order.get_index_of(&key).map_or(0, |number| number as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand from the rules: most used first, among equals first met first, then by dialect inside groups of 128.
    #[test]
    fn order_is_by_use_then_by_dialect() {
        // (use count, dialect), in order of first use
        let entries = [(1, 0), (3, 1), (1, 2), (3, 0), (2, 1), (1, 0)];
        let order = arrange((0..6).collect(), |at: usize| entries[at].0, |at| entries[at].1);
        assert_eq!(order, [3, 0, 5, 1, 4, 2]);
    }

    #[test]
    fn groups_begin_with_the_dialect_that_ended_the_one_before() {
        // Number 127, the last that takes one byte, is of dialect 1: so the next group begins with dialect 1.
        let dialect = |at: usize| u32::from(at % 2 == 1);
        let order = arrange((0..132).collect(), |_| 1, dialect);
        assert_eq!(order[..3], [0, 2, 4]);
        assert_eq!(order[126..], [125, 127, 129, 131, 128, 130]);
    }
}
