//! Small random changes to program texts.

/// A source of mutated seeds; the same seed gives the same sequence.
pub(crate) struct Mutator {
    state: u64,
}

/// Pieces that make trouble in the grammar.
const PIECES: &[&str] = &[
    "dense<",
    "tensor<",
    ">",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "?",
    "-1",
    "9223372036854775807",
    "0x",
    "x0x",
    "\"",
    "loc(",
    "#",
    "%0",
    "%arg0",
    " : ",
    "->",
    "i1",
    "f32",
    "ui64",
    "!quant.uniform<i8:f32, 1.0>",
    "complex<f32>",
    "4294967296",
    "{-#",
    "#-}",
    "\0",
    "\u{e9}",
    "// -----",
    "stablehlo.add",
    "\"stablehlo.reduce\"",
    "^bb0",
    "@main",
    "<{",
    "}>",
    "array<i64: ",
    "unit",
    "1e400",
];

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A random number below `limit` (splitmix64).
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit.max(1) as u64) as usize
    }

    /// One of the seeds with a few pieces cut out, doubled, replaced or put in.
    pub(crate) fn mutate(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let which = self.below(seeds.len());
        let mut bytes = seeds[which].clone();
        for _ in 0..1 + self.below(6) {
            let at = self.below(bytes.len() + 1);
            let len = self.below(24).min(bytes.len() - at);
            match self.below(5) {
                0 => drop(bytes.drain(at..at + len)),
                1 => {
                    let piece = bytes[at..at + len].to_vec();
                    bytes.splice(at..at, piece);
                }
                2 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    bytes.splice(at..at + len.min(4), piece.bytes());
                }
                3 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    bytes.splice(at..at, piece.bytes());
                }
                _ => {
                    let other = self.below(seeds.len());
                    let from = self.below(seeds[other].len() + 1);
                    let len = self.below(80).min(seeds[other].len() - from);
                    bytes.splice(at..at, seeds[other][from..from + len].iter().copied());
                }
            }
        }
        bytes
    }

    /// One of the seeds with a few bytes changed, cut out or put in.
    pub(crate) fn mutate_bytes(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let which = self.below(seeds.len());
        let mut bytes = seeds[which].clone();
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len());
            let Some(byte) = bytes.get(at).copied() else { continue };
            match self.below(6) {
                0 => bytes[at] = byte ^ 1 << self.below(8),
                1 => bytes[at] = self.below(256) as u8,
                // Varints of one byte count in twos.
                2 => bytes[at] = byte.wrapping_add(2),
                3 => bytes[at] = byte.wrapping_sub(2),
                4 => drop(bytes.remove(at)),
                _ => bytes.insert(at, self.below(256) as u8),
            }
        }
        bytes
    }
}
