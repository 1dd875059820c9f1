//! How exact our functions are, and how exact two other implementations were measured to be.

use std::fmt::{self, Write as _};

/// What is known about the rounding of one group of our functions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Mnemonics, or a group of them in words.
    pub functions: &'static str,
    /// Element types, in words.
    pub types: &'static str,
    /// The largest error of a finite result.
    pub bound: Bound,
    /// Why that is believed: a proof in a line, or what was tried.
    pub evidence: &'static str,
}

/// Largest error of a finite result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The value nearest to the exact result, ties to even, as far as the evidence goes.
    CorrectlyRounded,
    /// At most that many units in the last place of the exact result.
    Ulp(f64),
    /// Meant to be correctly rounded, not yet compared with an oracle.
    Unchecked,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CorrectlyRounded => f.write_str("correctly rounded"),
            Self::Ulp(ulp) => write!(f, "{ulp} ulp"),
            Self::Unchecked => f.write_str("not checked"),
        }
    }
}

/// Our functions. What is not listed as correctly rounded must not be taken to be.
pub const ACCURACY: &[Accuracy] = &[
    Accuracy {
        functions: "add, subtract, multiply, divide, sqrt",
        types: "f32, f64",
        bound: Bound::CorrectlyRounded,
        evidence: "IEEE-754 operations of the machine",
    },
    Accuracy {
        functions: "add, subtract, multiply, divide, sqrt",
        types: "f16, bf16",
        bound: Bound::CorrectlyRounded,
        evidence: "computed in a type with at least 2p + 2 digits, after which a second rounding does no harm",
    },
    Accuracy {
        functions: "exponential",
        types: "f32",
        bound: Bound::CorrectlyRounded,
        evidence: "no difference from CORE-MATH on 430,653 operands spread over all bit patterns",
    },
    Accuracy {
        functions: "exponential",
        types: "f64",
        bound: Bound::CorrectlyRounded,
        evidence: "no difference from CORE-MATH on 2,000,000 random operands in ±700",
    },
    Accuracy {
        functions: "tanh",
        types: "f64",
        bound: Bound::CorrectlyRounded,
        evidence: "no difference from CORE-MATH on 2,000,000 random operands in ±50",
    },
    Accuracy {
        functions: "other elementary functions",
        types: "f32, f64",
        bound: Bound::Unchecked,
        evidence: "not compared with an oracle yet",
    },
    Accuracy {
        functions: "elementary functions",
        types: "f16, bf16 and narrower",
        bound: Bound::Unchecked,
        evidence: "f64 and one more rounding, which can go wrong only where the f64 result is nearly a tie",
    },
];

/// Largest error of another implementation in units in the last place, over 3,000 operands with normal results,
/// against 120-bit arithmetic; empty where not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAccuracy {
    /// Mnemonic.
    pub function: &'static str,
    /// Upstream's interpreter in f32.
    pub evaluator_f32: &'static str,
    /// Upstream's interpreter in f64.
    pub evaluator_f64: &'static str,
    /// XLA on CPUs in f32.
    pub xla_f32: &'static str,
    /// XLA on CPUs in f64.
    pub xla_f64: &'static str,
}

const fn peers(
    function: &'static str,
    evaluator_f32: &'static str,
    evaluator_f64: &'static str,
    xla_f32: &'static str,
    xla_f64: &'static str,
) -> PeerAccuracy {
    PeerAccuracy { function, evaluator_f32, evaluator_f64, xla_f32, xla_f64 }
}

/// How far legal implementations stray: the ground for a judge's default tolerances.
pub const PEER_ACCURACY: &[PeerAccuracy] = &[
    peers("exponential", "0.50", "0.50", "0.98", "1.04"),
    peers("exponential_minus_one", "0.50", "0.71", "3.6", "2.9"),
    peers("log", "0.50", "0.51", "1.09", "0.51"),
    peers("log_plus_one", "0.50", "0.79", "2.1", "127 near −0.41"),
    peers("sqrt", "0.50", "0.50", "0.50", "0.50"),
    peers("rsqrt", "0.50", "1.4", "0.93", "1.1"),
    peers("cbrt", "0.50", "2.7", "0.83", "2.7"),
    peers("logistic", "1.9", "1.7", "1.8", "2.0"),
    peers("tanh", "0.50", "1.8", "3.8", "6.9"),
    peers("sine", "0.50", "0.52", "0.56", "0.52"),
    peers("cosine", "0.50", "0.52", "0.55", "0.52"),
    peers("tan", "0.50", "0.52", "0.69", "0.52"),
    peers("power", "0.50", "0.51", "0.50", "0.51"),
    peers("atan2", "0.50", "0.51", "0.95", "0.51"),
    peers("chlo.erf", "", "", "3.3", "0.85"),
    peers("chlo.erfc", "", "", "64", "45"),
    peers("chlo.erf_inv", "", "", "5.4", "19"),
    peers("chlo.lgamma", "", "", "12,000 near 2", "796 near 2"),
    peers("chlo.digamma", "", "", "26,000 near 1.46", "1,700"),
    peers("chlo.sinh, chlo.cosh", "", "", "24", "17"),
    peers("chlo.asin", "", "", "1.7", "1.4"),
    peers("chlo.acos", "", "", "1.6", "1.0"),
    peers("chlo.atan", "", "", "0.73", "0.50"),
    peers("chlo.atanh", "", "", "2.4", "124"),
    peers("chlo.asinh", "", "", "2.3", "1.7"),
    peers("chlo.acosh", "", "", "2.9", "2.8"),
    peers("chlo.bessel_i1e", "", "", "7.8", "6.1"),
];

/// Appends the section on accuracy. Writing to a `String` cannot fail.
pub(super) fn render(page: &mut String) {
    page.push_str("\n## Accuracy of functions\n\n| Functions | Types | Here | Evidence |\n| --- | --- | --- | --- |\n");
    for row in ACCURACY {
        let _ = writeln!(page, "| {} | {} | {} | {} |", row.functions, row.types, row.bound, row.evidence);
    }
    page.push_str(
        "\nThe largest errors of other implementations, in units in the last place, over 3,000 operands with normal \
         results each:\n\n| Function | Evaluator f32 | Evaluator f64 | XLA f32 | XLA f64 |\n| --- | --- | --- | --- | --- |\n",
    );
    for row in PEER_ACCURACY {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            row.function, row.evaluator_f32, row.evaluator_f64, row.xla_f32, row.xla_f64
        );
    }
}
