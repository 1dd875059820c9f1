//! The rules behind diagnostic codes: what `shlo explain`, reports and editors say about `pad_c2`.

use crate::ops::OpKind;
use crate::ops::spec::{Arity, Attr, AttrKind, Check, Constraint, OpSpec, Operand, Presence, RegionSpec};

/// Address of the specification.
pub const SPECIFICATION: &str = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md";

/// A rule of the specification about an op.
#[derive(Copy, Clone, Debug)]
pub struct Rule {
    /// The op.
    pub spec: &'static OpSpec,
    /// What about it.
    pub subject: Subject,
}

/// What a rule is about.
#[derive(Copy, Clone, Debug)]
pub enum Subject {
    /// One of the op's constraints (`C1`).
    Constraint(&'static Constraint),
    /// The type of an operand (`I1`).
    Operand(&'static Operand),
    /// Presence and kind of an attribute (`I3`).
    Attribute(&'static Attr),
    /// A region (`I4`).
    Region(&'static RegionSpec),
}

impl Rule {
    /// The specification's label: `C2`.
    pub fn label(&self) -> &'static str {
        match self.subject {
            Subject::Constraint(constraint) => constraint.label,
            Subject::Operand(operand) => operand.label,
            Subject::Attribute(attribute) => attribute.label,
            Subject::Region(region) => region.label,
        }
    }

    /// The stable code: `pad_c2`.
    pub fn code(&self) -> String {
        self.spec.rule_code(self.label())
    }

    /// The rule in plain words.
    pub fn text(&self) -> String {
        match self.subject {
            Subject::Constraint(constraint) => constraint.text.to_owned(),
            Subject::Operand(operand) => {
                let many = if operand.arity == Arity::Many { " (any number)" } else { "" };
                format!("Operand {}{many} is a {}.", operand.name, operand.class.words)
            }
            Subject::Attribute(attribute) => {
                let presence = match attribute.presence {
                    Presence::Required => "must be given",
                    Presence::Optional => "may be left out",
                    Presence::Default(_) | Presence::Filled(_) => "may be left out and has a default value",
                };
                format!("Attribute {} {presence}; it is {}.", attribute.name, kind_words(attribute.kind))
            }
            Subject::Region(region) => format!("Region {} is a function on tensors.", region.name),
        }
    }

    /// How the rule is checked.
    pub fn checked(&self) -> String {
        match self.subject {
            Subject::Constraint(Constraint { check, .. }) => match check {
                Check::Fn(_) => "By the verifier, from the types and attributes of the op.".to_owned(),
                Check::Class(input) => format!("By the verifier, with the declared class of `{input}`."),
                Check::With(label) => {
                    format!("By the verifier, together with {}.", self.spec.rule_code(label))
                }
                Check::Runtime(why) => format!("Not from the program text: {why}"),
            },
            Subject::Operand(_) => "By the verifier, from the operand's type.".to_owned(),
            Subject::Attribute(_) => "By the verifier, from the attribute.".to_owned(),
            Subject::Region(_) => "By the verifier, from the region's blocks and types.".to_owned(),
        }
    }

    /// Address of the op's section in the specification; that of the whole for ops outside it.
    pub fn link(&self) -> String {
        link(self.spec)
    }

    /// The examples in which the rule accepts and rejects.
    pub fn examples(&self) -> Vec<Example> {
        let code = self.code();
        examples(self.spec.examples).into_iter().filter(|example| example.code == code).collect()
    }
}

/// Address of an op's section in the specification; that of the whole for ops outside it.
pub fn link(spec: &OpSpec) -> String {
    if spec.anchor.is_empty() { SPECIFICATION.to_owned() } else { format!("{SPECIFICATION}#{}", spec.anchor) }
}

/// Golden file of the rules for types and attributes wherever they occur.
pub const TYPE_EXAMPLES: &str = include_str!("../../rules/types.mlir");

/// A section of a golden file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The rule it shows, or whatever word stands before the colon.
    pub code: &'static str,
    /// Whether the rule accepts it.
    pub accepted: bool,
    /// The program, without its heading.
    pub program: &'static str,
}

/// The sections of a golden file (an op's, or [`TYPE_EXAMPLES`]) that have a heading `// code: accept` or `// code: reject`.
pub fn examples(golden: &'static str) -> Vec<Example> {
    let example = |section: std::ops::Range<usize>| {
        let (heading, program) = golden.get(section)?.trim_start().split_once('\n')?;
        let (code, verdict) = heading.strip_prefix("//")?.trim().split_once(':')?;
        let accepted = match verdict.split_whitespace().next()? {
            "accept" => true,
            "reject" => false,
            _ => return None,
        };
        Some(Example { code: code.trim(), accepted, program: program.trim_end() })
    };
    let sections = crate::syntax::sections(golden, crate::syntax::Split::MarkerLines);
    sections.into_iter().filter_map(example).collect()
}

/// All rules of an op that have a label, in the order of the specification: constraints first, then inputs.
pub fn of(spec: &'static OpSpec) -> Vec<Rule> {
    let constraints = spec.constraints.iter().map(Subject::Constraint);
    let operands = spec.operands.iter().map(Subject::Operand);
    let attributes = spec.attributes.iter().map(Subject::Attribute);
    let regions = spec.regions.iter().map(Subject::Region);
    let subjects = constraints.chain(operands).chain(attributes).chain(regions);
    let rules = subjects.map(move |subject| Rule { spec, subject }).filter(|rule| !rule.label().is_empty());
    let mut rules: Vec<Rule> = rules.collect();
    rules.sort_by_key(|rule| {
        (rule.label().get(..1), rule.label().get(1..).and_then(|number| number.parse::<u32>().ok()))
    });
    rules
}

/// All rules of all ops.
pub fn all() -> impl Iterator<Item = Rule> {
    OpKind::ALL.iter().flat_map(|kind| of(kind.spec()))
}

/// The rule with this code.
pub fn find(code: &str) -> Option<Rule> {
    all().find(|rule| code.ends_with(&rule.label().to_ascii_lowercase()) && rule.code() == code)
}

/// What values an attribute takes, with article.
pub fn kind_words(kind: AttrKind) -> &'static str {
    match kind {
        AttrKind::Any => "any attribute",
        AttrKind::I64 => "a 64-bit integer",
        AttrKind::I32 => "a 32-bit integer",
        AttrKind::UI32 => "an unsigned 32-bit integer",
        AttrKind::UI64 => "an unsigned 64-bit integer",
        AttrKind::F32 => "an f32 number",
        AttrKind::F64 => "an f64 number",
        AttrKind::Bool => "true or false",
        AttrKind::Unit => "a unit attribute",
        AttrKind::String => "a string",
        AttrKind::Type => "a type",
        AttrKind::Typed => "an attribute that has a type",
        AttrKind::I64Array => "an array of 64-bit integers",
        AttrKind::I32Array => "an array of 32-bit integers",
        AttrKind::BoolArray => "an array of booleans",
        AttrKind::I64Elements => "a dense constant of 64-bit integers",
        AttrKind::Elements => "a dense constant",
        AttrKind::Array => "an array",
        AttrKind::Dictionary => "a dictionary",
        AttrKind::StringOrDictionary => "a string or a dictionary",
        AttrKind::Symbol => "a symbol",
        AttrKind::SymbolArray => "an array of symbols",
        AttrKind::SymbolArrays => "an array of arrays of symbols",
        AttrKind::LayoutArray => "an array of layouts",
        AttrKind::TilingArray => "an array of arrays of layouts",
        AttrKind::Enum(_) => "one of the words of its enumeration",
        AttrKind::EnumArray(_) => "an array of words of its enumeration",
        AttrKind::DotDimensionNumbers => "a set of dot dimension numbers",
        AttrKind::RaggedDotDimensionNumbers => "a set of ragged dot dimension numbers",
        AttrKind::GatherDimensionNumbers => "a set of gather dimension numbers",
        AttrKind::ScatterDimensionNumbers => "a set of scatter dimension numbers",
        AttrKind::ConvDimensionNumbers => "a set of convolution dimension numbers",
        AttrKind::DotAlgorithm => "a dot algorithm",
        AttrKind::ChannelHandle => "a channel handle",
        AttrKind::ResultAccuracy => "a result accuracy",
        AttrKind::OutputOperandAliases => "an array of output-operand aliases",
        AttrKind::ReplicaGroups => "a table of replica groups or a set of mesh axes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<String> = all().map(|rule| rule.code()).collect();
        let n_codes = codes.len();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), n_codes);
    }

    #[test]
    fn order_is_that_of_the_specification() {
        let dot_general = OpKind::ALL.iter().find(|kind| kind.name() == "stablehlo.dot_general").unwrap();
        let labels: Vec<&str> = of(dot_general.spec()).iter().map(Rule::label).collect();
        assert_eq!(labels[..3], ["C1", "C2", "C3"]);
        assert_eq!(labels[9], "C10");
        assert_eq!(labels[24], "I1");
    }

    #[test]
    fn finds_by_code() {
        assert_eq!(find("pad_c3").unwrap().label(), "C3");
        assert_eq!(find("pad_i2").unwrap().label(), "I2");
        assert!(find("pad_c5").is_none() && find("pad").is_none() && find("").is_none());
    }

    /// A heading with a typing error would hide an example.
    #[test]
    fn every_example_belongs_to_a_rule() {
        for kind in OpKind::ALL {
            let codes: Vec<String> = of(kind.spec()).iter().map(Rule::code).collect();
            for example in examples(kind.spec().examples) {
                assert!(
                    example.code.contains('/') || codes.iter().any(|code| code == example.code),
                    "rules/{}/{}.mlir has an example of `{}`, which is no rule of the op",
                    kind.spec().dialect,
                    kind.spec().mnemonic,
                    example.code
                );
            }
        }
    }
}
