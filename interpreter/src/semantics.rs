//! What StableHLO leaves open, and what is chosen here.
//!
//! The specification does not fix every result: integer division by zero, conversion out of range, the order of a
//! reduction, which random numbers come out. [`POINTS`] lists every such point with what the specification says, what
//! this interpreter does, and what the two implementations that most programs meet were seen to do. The interpreter
//! names points by their id when it reaches one at run time, and `docs/semantics.md` is rendered from the same table,
//! so that the documentation cannot drift.
//!
//! Observations were made with jaxlib 0.10.2 on x86-64 (upstream's reference interpreter and XLA's CPU backend, both
//! as shipped in it), with operands that the compiler could not fold; `testdata/semantics.jsonl` holds the programs.

use std::fmt::{self, Write as _};

mod accuracy;
mod bits;
mod chlo;
mod complex;
mod contract;
mod control;
mod convert;
mod dynamic;
mod floats;
mod general;
mod index;
mod integers;
mod linalg;
mod quantized;
mod random;
mod reduce;
#[cfg(test)]
mod tests;

pub use accuracy::{ACCURACY, Accuracy, Bound, PEER_ACCURACY, PeerAccuracy};
pub use random::{RNG_EXAMPLES, RngExample};

/// One question that the specification leaves open or that implementations answer differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Stable name in kebab case, for example `divide-by-zero`; unique, never reused.
    pub id: &'static str,
    /// The part of the table it belongs to.
    pub section: Section,
    /// Ops concerned: mnemonics of the specification, CHLO's with their prefix; empty where no particular op is.
    pub ops: &'static [&'static str],
    /// What the question is about.
    pub topic: &'static str,
    /// Heading of the specification to read, as the anchor of a link; empty where it has none.
    pub anchor: &'static str,
    /// What the specification says, in our words.
    pub specification: &'static str,
    /// What this interpreter does.
    pub ours: &'static str,
    /// What upstream's reference interpreter does.
    pub evaluator: Peer,
    /// What XLA does on CPUs.
    pub xla: Peer,
    /// Public issues and pull requests, as `owner/repository#number`.
    pub references: &'static [&'static str],
    /// Ids in `testdata/semantics.jsonl` that show the point; `*` stands for any characters.
    pub vectors: &'static [&'static str],
    /// Whether a run can notice from the values that the point matters, and says so when asked to be strict.
    pub strict: bool,
}

/// Parts of the table, in the order of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Errors, exceptions, NaN and layout in general.
    General,
    /// Integers and booleans.
    Integers,
    /// `convert`.
    Convert,
    /// `bitcast_convert`, `real`, `imag`.
    Bits,
    /// Comparison, selection, rounding and elementary functions on floats.
    Floats,
    /// Complex numbers.
    Complex,
    /// Reductions, windows and sorting.
    Reduce,
    /// Slices, gather and scatter.
    Indexing,
    /// Dynamic shapes and `iota`.
    Dynamism,
    /// `dot_general`, `convolution`, `reduce_precision`.
    Contraction,
    /// FFT, factorisations, batch normalisation.
    LinearAlgebra,
    /// Random numbers.
    Random,
    /// Quantized types.
    Quantized,
    /// Control flow, effects and processes.
    Control,
    /// The CHLO dialect.
    Chlo,
}

impl Section {
    /// Heading in the documentation.
    pub const fn title(self) -> &'static str {
        match self {
            Self::General => "General latitude",
            Self::Integers => "Integers and booleans",
            Self::Convert => "Conversion",
            Self::Bits => "Bits and parts",
            Self::Floats => "Floats",
            Self::Complex => "Complex numbers",
            Self::Reduce => "Reductions, windows and sorting",
            Self::Indexing => "Indexing",
            Self::Dynamism => "Dynamic shapes and iota",
            Self::Contraction => "Contractions and precision",
            Self::LinearAlgebra => "FFT, factorisations and batch normalisation",
            Self::Random => "Random numbers",
            Self::Quantized => "Quantized types",
            Self::Control => "Control flow, effects and processes",
            Self::Chlo => "CHLO",
        }
    }
}

/// What another implementation was seen to do, compared with ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The same.
    Agrees,
    /// Something else, at least in part, that the specification allows.
    Differs(&'static str),
    /// Something that contradicts the specification, IEEE-754 or itself, or the process dies: not to be copied.
    Wrong(&'static str),
    /// Nothing: it refuses. The text may be empty.
    Unsupported(&'static str),
    /// Not observed. The text may be empty.
    Unknown(&'static str),
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => f.write_str("the same"),
            Self::Differs(text) => f.write_str(text),
            Self::Wrong(text) => write!(f, "**wrong:** {text}"),
            Self::Unsupported("") => f.write_str("not supported"),
            Self::Unsupported(text) => write!(f, "not supported: {text}"),
            Self::Unknown("") => f.write_str("not observed"),
            Self::Unknown(text) => write!(f, "not observed; {text}"),
        }
    }
}

/// Every point, by section.
pub const POINTS: &[Point] = &ALL;

static ALL: [Point; count(PARTS)] = concatenated(PARTS);

const PARTS: &[&[Point]] = &[
    general::POINTS,
    integers::POINTS,
    convert::POINTS,
    bits::POINTS,
    floats::POINTS,
    complex::POINTS,
    reduce::POINTS,
    index::POINTS,
    dynamic::POINTS,
    contract::POINTS,
    linalg::POINTS,
    random::POINTS,
    quantized::POINTS,
    control::POINTS,
    chlo::POINTS,
];

const fn count(parts: &[&[Point]]) -> usize {
    let mut total = 0;
    let mut part = 0;
    while part < parts.len() {
        total += parts[part].len();
        part += 1;
    }
    total
}

const fn concatenated<const N: usize>(parts: &[&[Point]]) -> [Point; N] {
    let mut all = [parts[0][0]; N];
    let (mut next, mut part) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[next] = parts[part][i];
            next += 1;
            i += 1;
        }
        part += 1;
    }
    all
}

/// The point of that id.
pub fn point(id: &str) -> Option<&'static Point> {
    POINTS.iter().find(|point| point.id == id)
}

const SPECIFICATION: &str = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md";

const INTRODUCTION: &str = "\
# Semantics that the specification leaves open

<!-- Rendered from interpreter/src/semantics; `UPDATE=1 cargo test -p interpreter semantics` writes it again. -->

The [specification](https://github.com/openxla/stablehlo/blob/main/docs/spec.md) of StableHLO does not fix every
result, and implementations do not always follow it where it does. This page lists the points where that matters, what
the reference interpreter of this project does at each, and what two other implementations were seen to do:

- *Evaluator*: upstream's reference interpreter, as shipped in jaxlib 0.10.2;
- *XLA*: XLA's CPU backend in the same jaxlib, on x86-64, with operands that it could not fold.

\"The same\" means the same as here. **Wrong** marks what contradicts the specification, IEEE-754 or the implementation
itself, or ends the process. A point marked *strict* is noticed at run time: `shlo run --strict` reports it with its
name. The programs behind the observations are in `testdata/semantics.jsonl`, under the names listed as vectors.
";

/// The whole documentation page, `docs/semantics.md`.
pub fn render_markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    render_contents(&mut page);
    let mut section = None;
    for point in POINTS {
        if section != Some(point.section) {
            if section == Some(Section::Random) {
                random::render(&mut page);
            }
            section = Some(point.section);
            // Writing to a String cannot fail.
            let _ = writeln!(page, "\n## {}", point.section.title());
        }
        render_point(&mut page, point);
    }
    accuracy::render(&mut page);
    page
}

fn render_contents(page: &mut String) {
    page.push('\n');
    let mut section = None;
    for point in POINTS {
        if section != Some(point.section) {
            section = Some(point.section);
            let title = point.section.title();
            let points = POINTS.iter().filter(|p| p.section == point.section).count();
            let _ = writeln!(page, "- [{title}](#{}) ({points})", anchor_of(title));
        }
    }
    page.push_str("- [Accuracy](#accuracy-of-functions)\n");
}

fn render_point(page: &mut String, point: &Point) {
    let _ = write!(page, "\n### {}\n\n", point.id);
    let ops: Vec<String> = point.ops.iter().map(|op| format!("`{op}`")).collect();
    if !ops.is_empty() {
        let _ = write!(page, "{}: ", ops.join(", "));
    }
    let strict = if point.strict { " *(strict)*" } else { "" };
    let _ = write!(page, "{}{strict}\n\n", point.topic);
    let _ = match point.anchor {
        "" => writeln!(page, "- Specification: {}", point.specification),
        anchor => writeln!(page, "- [Specification]({SPECIFICATION}#{anchor}): {}", point.specification),
    };
    let _ = writeln!(page, "- Here: {}", point.ours);
    let _ = writeln!(page, "- Evaluator: {}", point.evaluator);
    let _ = writeln!(page, "- XLA: {}", point.xla);
    if !point.references.is_empty() {
        let links: Vec<String> = point.references.iter().map(|reference| link_to_issue(reference)).collect();
        let _ = writeln!(page, "- See {}", links.join(", "));
    }
    if !point.vectors.is_empty() {
        let vectors: Vec<String> = point.vectors.iter().map(|vector| format!("`{vector}`")).collect();
        let _ = writeln!(page, "- Vectors: {}", vectors.join(", "));
    }
}

fn link_to_issue(reference: &str) -> String {
    match reference.split_once('#') {
        Some((repository, number)) => {
            format!("[{reference}](https://github.com/{repository}/issues/{number})")
        }
        None => reference.to_owned(),
    }
}

/// The anchor that Markdown viewers give a heading.
fn anchor_of(title: &str) -> String {
    title
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' => Some(c.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}
