//! How the ops of portable artifacts came to be what they are: the words in which declarations say it.
//!
//! VHLO names every version of every op (`gather_v1`, `gather_v2`). An op's declaration holds its [`History`]: the version of
//! StableHLO that brought its first form and, for each later form, the small named [`Change`]s from the form before.
//! Attribute names, their order and what an older form cannot express all follow from that.

use super::Version;
use crate::ir::{Module, OpId};

/// What portable artifacts call an op.
#[derive(Copy, Clone, Debug)]
pub enum Vhlo {
    /// `mnemonic_v1`, since the oldest version, for ops of the `stablehlo` dialect; none for those of other dialects.
    Usual,
    /// Forms as this history says.
    History(History),
}

/// The forms of an op in portable artifacts.
#[derive(Copy, Clone, Debug)]
pub struct History {
    /// The version that brought the first form, `mnemonic_v1`.
    pub since: Version,
    /// From each form to the next.
    pub steps: &'static [Step],
    /// VHLO writes every attribute: what the absence of these means, where it is not what absence means for every
    /// attribute of the kind.
    pub absent: &'static [(&'static str, Absent)],
    /// Attributes that VHLO writes in another way than others of their kind.
    pub written: &'static [(&'static str, Written)],
    /// Inherent attributes that no form of the op knows; they travel as discardable ones.
    pub foreign: &'static [&'static str],
    /// What older versions additionally demand.
    pub demands: &'static [Demand],
}

impl History {
    /// One form, as old as VHLO, with nothing special about it.
    pub const USUAL: History =
        History { since: Version::MINIMUM, steps: &[], absent: &[], written: &[], foreign: &[], demands: &[] };

    /// The usual history of an op that is younger.
    pub const fn since(major: u32, minor: u32) -> Self {
        History { since: Version::new(major, minor, 0), ..History::USUAL }
    }

    /// With these further forms.
    #[must_use]
    pub const fn steps(self, steps: &'static [Step]) -> Self {
        History { steps, ..self }
    }

    /// With these meanings of absence.
    #[must_use]
    pub const fn absent(self, absent: &'static [(&'static str, Absent)]) -> Self {
        History { absent, ..self }
    }

    /// With these attributes written differently.
    #[must_use]
    pub const fn written(self, written: &'static [(&'static str, Written)]) -> Self {
        History { written, ..self }
    }

    /// With these attributes left to the discardable ones.
    #[must_use]
    pub const fn foreign(self, foreign: &'static [&'static str]) -> Self {
        History { foreign, ..self }
    }

    /// With these demands of older versions.
    #[must_use]
    pub const fn demands(self, demands: &'static [Demand]) -> Self {
        History { demands, ..self }
    }

    /// As the declaration's field.
    pub const fn declared(self) -> Vhlo {
        Vhlo::History(self)
    }
}

/// The step to an op's next form.
#[derive(Copy, Clone, Debug)]
pub struct Step {
    /// The version that brought the form.
    pub since: Version,
    /// What is new. The form before can still be written for ops that use none of it.
    pub changes: &'static [Change],
}

impl Step {
    /// The step that version `major.minor.0` brought.
    pub const fn new(major: u32, minor: u32, changes: &'static [Change]) -> Self {
        Self { since: Version::new(major, minor, 0), changes }
    }
}

/// What distinguishes a form of an op from the one before.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// These attributes (by their VHLO names) are new. Older forms mean the value that absence stands for.
    Attributes(&'static [&'static str]),
    /// What was one operand is a list; older forms hold exactly one.
    OperandList,
    /// Regions are new.
    Regions,
    /// The attribute `padding` is gone: an operand of that name, there before under another, says it. Older forms write zeros.
    PaddingOperand,
}

/// What the absence of an attribute means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Absent {
    /// An empty text.
    EmptyString,
    /// A number.
    I64(i64),
    /// No numbers.
    NoDims,
    /// A one for each dimension of the window that this attribute describes.
    Ones(WindowRank),
    /// Two zeros for each dimension of the window, in a matrix.
    ZeroPairs(WindowRank),
    /// False for each dimension of the window.
    Falses(WindowRank),
    /// An empty text, or an empty dictionary where `api_version` is that of typed calls.
    BackendConfig,
    /// `API_VERSION_ORIGINAL`
    OriginalApi,
    /// Nothing that artifacts could hold: the op cannot be written without it.
    Refused,
}

/// Where the number of a window's dimensions stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WindowRank {
    /// The number of spatial dimensions in `dimension_numbers`.
    Spatial,
    /// The size of `window_dimensions`.
    Dimensions,
}

/// Ways of writing an attribute that do not follow from its kind.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// An i32 as a word of VHLO's enumeration of calling conventions.
    ApiVersion,
}

/// What versions before `since` demand of an op, whatever its form.
#[derive(Copy, Clone, Debug)]
pub struct Demand {
    /// The version that dropped the demand.
    pub since: Version,
    /// What such an op does, in the words of a message: "has element types that differ".
    pub unless: &'static str,
    /// Whether an op fulfils it.
    pub holds: fn(&Module, OpId) -> bool,
}

/// Before 0.17.0 the results of reductions had exactly the operands' element types.
pub(crate) const EQUAL_ELEMENT_TYPES: &[Demand] = &[Demand {
    since: Version::new(0, 17, 0),
    unless: "results whose element types are not the operands'",
    holds: |module, op| {
        let operands = module.operands(op).iter().map(|value| module.element_type(module.value_type(*value)));
        let results = module.results(op).iter().map(|value| module.element_type(module.value_type(value)));
        operands.zip(results).all(|(operand, result)| operand == result)
    },
}];
