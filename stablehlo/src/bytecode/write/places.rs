//! The places (`"f":1:2`) of a file that is being written: there is one for almost every op.

use rustc_hash::FxHashMap;

use super::table::AttrEntry;

/// `"f":1:2`
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// The name of the file, a string attribute.
    pub(crate) file: AttrEntry,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

const NONE: u32 = u32::MAX;

/// How many places of a line are looked through one by one.
const MAX_CHAIN: usize = 8;

/// Distinct places.
///
/// Almost all of them are in one file, one or few on a line, and come in the order of lines. So those are found by their line
/// in a vector, which stays in the cache; a hash map holds the others.
#[derive(Default, Debug)]
pub(super) struct Places {
    places: Vec<Place>,
    /// By place: the one before on the same line.
    before: Vec<u32>,
    main: Option<AttrEntry>,
    /// By line of the main file: the place found last, none where there is none.
    lines: Vec<u32>,
    others: FxHashMap<Place, u32>,
}

impl Places {
    /// Makes room for `n_places`, and for looking up those in the first `n_lines` lines of `file` by their line.
    pub(super) fn expect(&mut self, file: AttrEntry, n_lines: usize, n_places: usize) {
        self.main = Some(file);
        self.lines.resize(n_lines, NONE);
        self.places.reserve(n_places);
        self.before.reserve(n_places);
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> Place {
        self.places[index as usize]
    }

    /// The number of a place.
    pub(super) fn insert(&mut self, place: Place) -> u32 {
        let new = self.places.len() as u32;
        let line = place.line as usize;
        if self.main != Some(place.file) || line >= self.lines.len() {
            return self.insert_other(place);
        }
        let last = self.lines[line];
        let mut at = last;
        let mut length = 0;
        while at != NONE {
            if self.places[at as usize].column == place.column {
                return at;
            }
            at = self.before[at as usize];
            length += 1;
        }
        if length == MAX_CHAIN {
            return self.insert_other(place);
        }
        self.lines[line] = new;
        self.push(place, last)
    }

    fn insert_other(&mut self, place: Place) -> u32 {
        let new = self.places.len() as u32;
        let found = *self.others.entry(place).or_insert(new);
        if found == new { self.push(place, NONE) } else { found }
    }

    fn push(&mut self, place: Place, before: u32) -> u32 {
        self.places.push(place);
        self.before.push(before);
        self.places.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_are_one() {
        let (main, other) = (AttrEntry(0), AttrEntry(1));
        let mut places = Places::default();
        places.expect(main, 4, 0);
        let all: Vec<Place> = [(main, 2), (main, 9), (other, 2), (main, 3)]
            .into_iter()
            .flat_map(|(file, line)| (0..20).map(move |column| Place { file, line, column }))
            .collect();
        for _ in 0..2 {
            let numbers: Vec<u32> = all.iter().map(|place| places.insert(*place)).collect();
            assert_eq!(numbers, (0..80).collect::<Vec<u32>>());
        }
        assert_eq!(places.len(), 80);
        assert_eq!(places.get(41), Place { file: other, line: 2, column: 1 });
    }
}
