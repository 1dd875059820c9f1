//! Which vector instructions are used.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// A level of vector instructions. Kernels are compiled for each of them and chosen when a plan is made.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Isa {
    /// What every machine of the architecture has (SSE2, NEON).
    Baseline,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

impl Isa {
    /// All levels, the lowest first.
    pub const ALL: &'static [Isa] = &[Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// The highest level that this machine has.
    pub fn best() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(detect)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        self <= Isa::best()
    }

    fn name(self) -> &'static str {
        match self {
            Isa::Baseline => "baseline",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Isa {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (avx2, avx512) {
        (true, true) => Isa::Avx512,
        (true, false) => Isa::Avx2,
        _ => Isa::Baseline,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Isa {
    Isa::Baseline
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not an [`Isa`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown instruction set {0:?}; known are baseline, avx2 and avx512")]
pub struct UnknownIsa(String);

impl FromStr for Isa {
    type Err = UnknownIsa;
    fn from_str(text: &str) -> Result<Self, UnknownIsa> {
        let known = Isa::ALL.iter().copied().find(|isa| isa.name() == text);
        known.ok_or_else(|| UnknownIsa(text.to_owned()))
    }
}
