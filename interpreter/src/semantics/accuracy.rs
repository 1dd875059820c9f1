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
    /// Meant to be correctly rounded, not compared with an oracle.
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
        functions: "add, subtract, multiply, divide, sqrt",
        types: "8, 6 and 4 bits",
        bound: Bound::CorrectlyRounded,
        evidence: "computed in f64, with more than 2p + 2 digits; pairs of operands of each type but f8E8M0FNU compared with the nearest value",
    },
    Accuracy {
        functions: "elementary functions but those below; chlo.erf, chlo.erfc, chlo.lgamma; chlo.digamma of positive numbers",
        types: "f64",
        bound: Bound::CorrectlyRounded,
        evidence: "no difference from arithmetic of 200 and more bits at 3,000 operands each in the usual range and 1,500 extreme ones; exponential and tanh also none from CORE-MATH at 2,000,000 random operands each",
    },
    Accuracy {
        functions: "chlo.digamma of negative numbers",
        types: "f64",
        bound: Bound::Ulp(0.52),
        evidence: "against arithmetic of 200 and more bits at 3,000 operands in the usual range and 1,500 extreme ones",
    },
    Accuracy {
        functions: "chlo.erf_inv",
        types: "f64",
        bound: Bound::Ulp(0.87),
        evidence: "against arithmetic of 200 and more bits at 3,000 operands in the usual range and 1,500 extreme ones; the worst are near ±1",
    },
    Accuracy {
        functions: "chlo.bessel_i1e",
        types: "f64",
        bound: Bound::Ulp(0.63),
        evidence: "against arithmetic of 200 and more bits at 3,000 operands in the usual range and 1,500 extreme ones",
    },
    Accuracy {
        functions: "chlo.zeta",
        types: "f64",
        bound: Bound::Ulp(2.1),
        evidence: "against arithmetic of 60 digits at 2,000 operands: orders up to 128, arguments of size 2^±20",
    },
    Accuracy {
        functions: "chlo.polygamma of positive numbers",
        types: "f64",
        bound: Bound::Ulp(2.4),
        evidence: "as for chlo.zeta; order 1 within 1.25 ulp. Beyond order 170, and where the series underflows, about 1e-13 of the result",
    },
    Accuracy {
        functions: "chlo.polygamma of negative numbers",
        types: "f64",
        bound: Bound::Ulp(10.0),
        evidence: "as for chlo.zeta: sums can cancel",
    },
    Accuracy {
        functions: "elementary functions of one operand, chlo.erf, chlo.erfc, chlo.erf_inv, chlo.lgamma, chlo.digamma, chlo.bessel_i1e",
        types: "f32",
        bound: Bound::CorrectlyRounded,
        evidence: "f64 rounded once, compared with a separate f32 implementation at every 131st bit pattern (32,786,010 each): the two differ for bessel_i1e near ±4e-8 and logistic with denormal results only, where the other is wrong; sine, cosine and tan at all 2^32; exponential also has no difference from CORE-MATH on 430,653 operands",
    },
    Accuracy {
        functions: "power, atan2, chlo.polygamma, chlo.zeta",
        types: "f32",
        bound: Bound::Unchecked,
        evidence: "f64 rounded once, which can go wrong only where the f64 result is nearly a tie",
    },
    Accuracy {
        functions: "cbrt, ceil, cosine, exponential, exponential_minus_one, floor, log, log_plus_one, logistic, roundings, rsqrt, sine, sqrt, tan, tanh, chlo.acos, chlo.acosh, chlo.asin, chlo.atan, chlo.cosh, chlo.sinh",
        types: "f16, bf16",
        bound: Bound::CorrectlyRounded,
        evidence: "every value of the type, against the f64 functions of another library; next to ties, where that library would have to be exact, nothing is said",
    },
    Accuracy {
        functions: "other elementary functions",
        types: "f16, bf16",
        bound: Bound::Unchecked,
        evidence: "f64 and one more rounding, which can go wrong only where the f64 result is nearly a tie",
    },
    Accuracy {
        functions: "elementary functions",
        types: "8, 6 and 4 bits",
        bound: Bound::Unchecked,
        evidence: "f64 and one more rounding, which can go wrong only where the f64 result is nearly a tie",
    },
    Accuracy {
        functions: "abs",
        types: "complex<f64>",
        bound: Bound::Ulp(0.51),
        evidence: "double-double arithmetic; the last sum and square root round once each",
    },
    Accuracy {
        functions: "other functions",
        types: "complex<f64>",
        bound: Bound::Ulp(8.0),
        evidence: "of the absolute value of the result, not of each part: 980 operands of 20 functions against mpmath, and each part within 16 ulp of itself at 7,287 extreme ones",
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
