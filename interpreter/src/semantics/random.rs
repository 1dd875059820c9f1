//! Open points: random numbers.

use std::fmt::Write as _;

use super::Peer::{Agrees, Differs, Unsupported, Wrong};
use super::{Point, Section};

pub(super) const POINTS: &[Point] = &[
    Point {
        id: "rng-values",
        section: Section::Random,
        ops: &["rng"],
        topic: "the numbers themselves",
        anchor: "rng",
        specification: "left to the implementation, maybe with hidden state",
        ours: "seeded by the run and deterministic; a judge looks at ranges and shapes only",
        evaluator: Unsupported("the process aborts"),
        xla: Differs("Philox with hidden state: the same in each fresh process, different from call to call"),
        references: &["openxla/stablehlo#597"],
        vectors: &["rng_*"],
        strict: false,
    },
    Point {
        id: "rng-uniform-bounds",
        section: Section::Random,
        ops: &["rng"],
        topic: "UNIFORM with a ≥ b",
        anchor: "rng",
        specification: "undefined",
        ours: "an error; for floats a = b gives a",
        evaluator: Unsupported("the process aborts"),
        xla: Differs(
            "integers with a = b are arbitrary, floats with a > b interpolate; f32 values lie on a grid of 2^−23",
        ),
        references: &[],
        vectors: &["rng_UNIFORM_i32_5_5"],
        strict: true,
    },
    Point {
        id: "rng-normal-deviation",
        section: Section::Random,
        ops: &["rng"],
        topic: "NORMAL with b ≤ 0",
        anchor: "rng",
        specification: "undefined for b < 0",
        ours: "b < 0 is an error; b = 0 gives a",
        evaluator: Unsupported("the process aborts"),
        xla: Differs("Box–Muller; b = 0 gives a"),
        references: &[],
        vectors: &["rng_NORMAL_f32_1p0_0p0"],
        strict: true,
    },
    Point {
        id: "rng-three-fry",
        section: Section::Random,
        ops: &["rng_bit_generator"],
        topic: "THREE_FRY",
        anchor: "rng_bit_generator",
        specification: "some variant of Threefry, left to the implementation",
        ours: "Threefry-2x32 with 20 rounds exactly as XLA counts its blocks, because programs that JAX writes depend on it; defined below",
        evaluator: Unsupported("the process aborts"),
        xla: Agrees,
        references: &["openxla/stablehlo#415", "openxla/stablehlo#1135", "iree-org/iree#13844"],
        vectors: &["tf_*"],
        strict: false,
    },
    Point {
        id: "rng-philox",
        section: Section::Random,
        ops: &["rng_bit_generator"],
        topic: "PHILOX",
        anchor: "rng_bit_generator",
        specification: "some variant of Philox, left to the implementation",
        ours: "Philox-4x32 with 10 rounds exactly as XLA counts its blocks; defined below",
        evaluator: Unsupported("the process aborts"),
        xla: Agrees,
        references: &["openxla/stablehlo#415", "openxla/stablehlo#1135"],
        vectors: &["px2_*", "px3_*"],
        strict: false,
    },
    Point {
        id: "rng-default",
        section: Section::Random,
        ops: &["rng_bit_generator"],
        topic: "DEFAULT",
        anchor: "rng_bit_generator",
        specification: "left to the implementation",
        ours: "PHILOX with the same state",
        evaluator: Unsupported("the process aborts"),
        xla: Agrees,
        references: &[],
        vectors: &["def2_*", "def3_*"],
        strict: false,
    },
    Point {
        id: "rng-state-shape",
        section: Section::Random,
        ops: &["rng_bit_generator"],
        topic: "shape of the state",
        anchor: "rng_bit_generator",
        specification: "THREE_FRY two ui64 words, PHILOX two or three, DEFAULT free",
        ours: "DEFAULT as PHILOX; other lengths and element types are rejected",
        evaluator: Unsupported("the process aborts"),
        xla: Agrees,
        references: &[],
        vectors: &["def_state4", "px_state4", "rbg_state_*"],
        strict: false,
    },
    Point {
        id: "rng-result-type",
        section: Section::Random,
        ops: &["rng_bit_generator"],
        topic: "element type of the result",
        anchor: "rng_bit_generator",
        specification: "integers and floats",
        ours: "the random bits in the declared type, floats by their bits; i1 is rejected",
        evaluator: Unsupported("the process aborts"),
        xla: Wrong("the bits are right, but the result is typed as unsigned"),
        references: &[],
        vectors: &["tf_f32_4", "tf_i8_4", "tf_i1_4", "px3_i1_4", "px3_f32_4"],
        strict: false,
    },
];

/// One call of `rng_bit_generator` with its exact outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RngExample {
    /// `THREE_FRY` or `PHILOX`.
    pub algorithm: &'static str,
    /// Words of the initial state.
    pub state: &'static [u64],
    /// Shape of the result.
    pub shape: &'static [usize],
    /// Bits of an element of the result, which is an unsigned integer.
    pub bits: u32,
    /// Words of the final state.
    pub output_state: &'static [u64],
    /// Elements of the result, row-major.
    pub output: &'static [u64],
}

const fn example(
    algorithm: &'static str,
    state: &'static [u64],
    shape: &'static [usize],
    bits: u32,
    output_state: &'static [u64],
    output: &'static [u64],
) -> RngExample {
    RngExample { algorithm, state, shape, bits, output_state, output }
}

const KEY: u64 = 0x0123_4567_89AB_CDEF;
const COUNTER: u64 = 0xFEDC_BA98_7654_3210;

/// Examples for the definitions of THREE_FRY and PHILOX.
pub const RNG_EXAMPLES: &[RngExample] = &[
    example("THREE_FRY", &[0, 0], &[2], 32, &[0, 1], &[1_797_259_609, 2_579_123_966]),
    example("THREE_FRY", &[1, 2], &[4], 32, &[1, 4], &[43_444_564, 2_150_618_427, 3_979_645_651, 3_745_730_563]),
    example(
        "THREE_FRY",
        &[1, 2],
        &[4],
        64,
        &[1, 6],
        &[9_236_835_810_183_407_956, 16_087_790_271_692_313_299, 18_212_823_393_184_779_219, 2_658_481_902_456_610_144],
    ),
    example("THREE_FRY", &[1, 2], &[4], 16, &[1, 4], &[59_732, 54_587, 37_587, 20_483]),
    example("THREE_FRY", &[1, 2], &[4], 8, &[1, 4], &[84, 59, 211, 3]),
    example("THREE_FRY", &[1, 2], &[4], 4, &[1, 4], &[4, 11, 3, 3]),
    example(
        "THREE_FRY",
        &[KEY, COUNTER],
        &[2, 3],
        32,
        &[KEY, COUNTER + 3],
        &[2_933_171_071, 3_284_946_178, 2_934_253_134, 288_411_921, 2_039_365_678, 2_961_824_378],
    ),
    example(
        "THREE_FRY",
        &[KEY, COUNTER],
        &[5],
        32,
        &[KEY, COUNTER + 3],
        &[2_933_171_071, 288_411_921, 3_284_946_178, 2_039_365_678, 2_934_253_134],
    ),
    example(
        "THREE_FRY",
        &[0, u64::MAX - 1],
        &[8],
        32,
        &[0, 2],
        &[
            328_910_991,
            1_567_939_911,
            145_227_835,
            1_976_240_827,
            1_797_259_609,
            2_579_123_966,
            1_351_547_692,
            3_235_790_642,
        ],
    ),
    example("PHILOX", &[0, 0, 0], &[4], 32, &[0, 1, 0], &[1_713_891_541, 3_781_805_453, 3_159_862_348, 2_600_524_760]),
    example("PHILOX", &[0, 0], &[4], 32, &[0, 1], &[1_713_891_541, 3_781_805_453, 3_159_862_348, 2_600_524_760]),
    example(
        "PHILOX",
        &[1, 2, 3],
        &[6],
        32,
        &[1, 4, 3],
        &[4_031_113_034, 1_366_700_262, 495_645_701, 3_051_723_414, 89_414_891, 1_917_262_711],
    ),
    example(
        "PHILOX",
        &[1, 2],
        &[6],
        32,
        &[1, 4],
        &[2_100_602_697, 2_847_456_232, 2_074_354_647, 800_269_529, 1_828_267_006, 3_135_207_875],
    ),
    example(
        "PHILOX",
        &[KEY, COUNTER, 7],
        &[3],
        64,
        &[KEY, COUNTER + 2, 7],
        &[17_009_757_508_053_092_424, 2_413_110_391_285_946_467, 665_053_814_763_606_750],
    ),
    example("PHILOX", &[1, 2, 3], &[6], 8, &[1, 4, 3], &[74, 230, 5, 150, 235, 119]),
    example("PHILOX", &[1, 2, 3], &[6], 16, &[1, 4, 3], &[59_210, 12_518, 62_469, 39_574, 23_787, 7031]),
];

const DEFINITION: &str = "\
### Definition of THREE_FRY and PHILOX

State words are ui64; the low half of a word is its low 32 bits. All arithmetic is on unsigned integers and wraps;
`^` is exclusive or. *n* is the number of elements of the result. A result type narrower than 32 bits takes the low
bits of one 32-bit word for each element, nothing is packed; floats take the bits of the integer of their width.

**THREE_FRY**, state (key, counter).

- The block function is Threefry-2x32 with 20 rounds. Its key words are k0 = low half of key, k1 = high half,
  k2 = k0 ^ k1 ^ 0x1BD11BDA. Start with x0 = c0 + k0, x1 = c1 + k1. A round is: x0 += x1; rotate x1 left by r; x1 ^= x0.
  There are five groups of four rounds, with r = 13, 15, 26, 6 in groups 1, 3 and 5 and r = 17, 29, 16, 24 in groups 2
  and 4. After group g, with key indices modulo 3: x0 += k[g], x1 += k[g + 1] + g.
- Block i is the block function of the low and high half of counter + i (a 64-bit sum), and yields x0 and x1.
- 64-bit elements: element i is x0 + x1·2^32 of block i; the counter grows by n.
- Other elements: let d be the first dimension of even size or, if none is even, the first of the largest. Let H be
  the shape with dimension d halved, rounded up. Block i belongs to the i-th position of H in row-major order. The
  element at position p of the result comes from the block at p with p[d] halved (rounded down): x0 if p[d] is even,
  x1 if it is odd. The counter grows by the number of positions of H, also where the last halves go unused. A scalar
  takes x0 of one block.

**PHILOX**, state (key, a, b) or (key, a).

- The block function is Philox-4x32 with 10 rounds. Its key words are the low and high half of key. A round turns
  (c0, c1, c2, c3) into (hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0), where hi0 and lo0 are the halves of the 64-bit product
  0xD2511F53·c0 and hi1 and lo1 those of 0xCD9E8D57·c2; after it k0 += 0x9E3779B9 and k1 += 0xBB67AE85.
- The 128-bit counter is a + b·2^64; with two state words b is key. Block i is the block function of the four 32-bit
  words of counter + i, lowest first, and yields w0, w1, w2, w3.
- 64-bit elements: elements 2i and 2i + 1 are w0 + w1·2^32 and w2 + w3·2^32 of block i. Other elements: elements 4i to
  4i + 3 are w0 to w3 of block i. Both in row-major order.
- The counter grows by the number of blocks. With three state words the carry goes into b, with two it is lost.
";

/// Appends the definition of the two algorithms. Writing to a `String` cannot fail.
pub(super) fn render(page: &mut String) {
    page.push('\n');
    page.push_str(DEFINITION);
    page.push_str("\n| Algorithm | State | Result type | Final state | Result |\n| --- | --- | --- | --- | --- |\n");
    for row in RNG_EXAMPLES {
        let shape: String = row.shape.iter().map(|size| format!("{size}x")).collect();
        let _ = writeln!(
            page,
            "| {} | {} | {shape}ui{} | {} | {} |",
            row.algorithm,
            listed(row.state),
            row.bits,
            listed(row.output_state),
            listed(row.output)
        );
    }
}

fn listed(words: &[u64]) -> String {
    let words: Vec<String> = words.iter().map(u64::to_string).collect();
    words.join(", ")
}
