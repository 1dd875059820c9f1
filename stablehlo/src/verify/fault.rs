//! What a check reports: a complaint about a part of an op, before it is turned into a located diagnostic.

/// The outcome of a check.
pub type Verdict = Result<(), Fault>;

/// A part of the op under check.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The op as a whole (its name).
    Op,
    /// An operand by its position.
    Operand(usize),
    /// A result by its position.
    Result(usize),
    /// An inherent or discardable attribute by its name.
    Attr(&'static str),
    /// A region by its position.
    Region(usize),
    /// Another op, for example the terminator of a region.
    Other(crate::ir::OpId),
}

/// A complaint about an op.
#[derive(Clone, Debug)]
pub struct Fault(pub(super) Box<FaultData>);

#[derive(Clone, Debug)]
pub(super) struct FaultData {
    pub(super) message: String,
    pub(super) place: Place,
    pub(super) labels: Vec<(Place, String)>,
    pub(super) help: Option<String>,
    pub(super) code: Option<String>,
}

impl Fault {
    /// A complaint about the op as a whole; `message` is in the user's terms and gives the values found and expected.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(FaultData {
            message: message.into(),
            place: Place::Op,
            labels: Vec::new(),
            help: None,
            code: None,
        }))
    }

    /// The part of the op that is wrong.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.0.place = place;
        self
    }

    /// A part that the fault disagrees with.
    #[must_use]
    pub fn label(mut self, place: Place, message: impl Into<String>) -> Self {
        self.0.labels.push((place, message.into()));
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Another code than that of the rule whose check reports this.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

/// Passes when `holds`, else fails with the fault that `fault` makes.
pub fn ensure(holds: bool, fault: impl FnOnce() -> Fault) -> Verdict {
    if holds { Ok(()) } else { Err(fault()) }
}
