//! `shlo explain`: says in plain words what a rule, an op or a point of the semantics is about.

use clap::{Args, ValueEnum};
use interpreter::semantics::{self, Point};
use serde_json::{Value, json};
use stablehlo::diag::rules::{self, Example, Rule};
use stablehlo::ops::spec::{Arity, Attr, DefaultValue, Numerics, OpSpec, Presence, Trait};
use stablehlo::ops::{self, OpKind};

use crate::codes;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::to_json;

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo explain pad_c2            a rule, by the code that a complaint ends with
  shlo explain pad               an op: operands, attributes, results, rules, an example
  shlo explain parse/unknown-op  a code that is not about a rule of the specification
  shlo explain chlo.top_k        an op of another dialect than stablehlo
  shlo explain divide-by-zero    a point that the specification leaves open, and what happens here
  shlo explain --list            all rules
  shlo explain --list --format json

Exit codes: 0 done, 2 nothing has that name.";

/// Flags of `shlo explain`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// A rule (pad_c2), another code (parse/expected-type), an op (pad) or a point of the semantics (divide-by-zero)
    #[arg(required_unless_present = "list", value_name = "NAME")]
    names: Vec<String>,
    /// List everything that can be explained; with names only what contains one of them
    #[arg(long)]
    list: bool,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Form,
}

/// Forms of the answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Form {
    /// For people.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

/// Something that can be explained.
#[derive(Copy, Clone)]
enum Subject {
    Rule(Rule),
    Op(&'static OpSpec),
    Point(&'static Point),
    Code(&'static str, &'static str),
}

/// Does it.
///
/// # Errors
/// When nothing has the name, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut out = output::stdout();
    if arguments.list {
        let wanted = |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|part| name.contains(part));
        let subjects = all().filter(|subject| wanted(&subject.name()));
        out.put(match arguments.format {
            Form::Text => subjects.map(|subject| subject.line()).collect::<String>(),
            Form::Json => to_json(&document(subjects)),
        })?;
    } else {
        let subjects = arguments.names.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
        out.put(match arguments.format {
            Form::Text => subjects.iter().map(Subject::text).collect::<Vec<_>>().join("\n"),
            Form::Json => to_json(&document(subjects.into_iter())),
        })?;
    }
    out.finish()?;
    Ok(Exit::Success)
}

fn document(subjects: impl Iterator<Item = Subject>) -> Value {
    let (mut all_rules, mut ops, mut points, mut codes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for subject in subjects {
        match subject {
            Subject::Rule(rule) => all_rules.push(rule_json(&rule)),
            Subject::Op(spec) => ops.push(op_json(spec)),
            Subject::Point(point) => points.push(point_json(point)),
            Subject::Code(code, text) => {
                codes.push(with_examples(json!({ "code": code, "text": text }), &code_examples(code)))
            }
        }
    }
    json!({ "schema": 1, "rules": all_rules, "ops": ops, "points": points, "codes": codes })
}

fn all() -> impl Iterator<Item = Subject> {
    let ops = OpKind::ALL.iter().map(|kind| Subject::Op(kind.spec()));
    let points = semantics::POINTS.iter().map(Subject::Point);
    rules::all().map(Subject::Rule).chain(ops).chain(points).chain(all_codes())
}

/// Codes of complaints that are not about a rule.
fn all_codes() -> impl Iterator<Item = Subject> {
    codes::all().map(|(code, text)| Subject::Code(code, text))
}

/// What `name` means; a mnemonic without dialect is StableHLO's if that has it.
fn find(name: &str) -> Result<Subject, Failure> {
    let wanted = name.trim_matches(['[', ']', '`', '"']);
    if let Some(rule) = rules::find(&wanted.to_ascii_lowercase()) {
        return Ok(Subject::Rule(rule));
    }
    let in_stablehlo = || ops::find(&format!("stablehlo.{wanted}"));
    let elsewhere = || OpKind::ALL.iter().copied().find(|kind| kind.spec().mnemonic == wanted);
    let op = ops::find(wanted).or_else(in_stablehlo).or_else(elsewhere);
    let found = op.map(|kind| Subject::Op(kind.spec())).or_else(|| semantics::point(wanted).map(Subject::Point));
    let found = found.or_else(|| all_codes().find(|subject| subject.name() == wanted));
    found.ok_or_else(|| unknown(wanted))
}

fn unknown(name: &str) -> Failure {
    let mut near: Vec<(usize, bool, String)> = all()
        .flat_map(|subject| subject.names())
        .map(|it| (strsim::damerau_levenshtein(name, &it), it.chars().next() != name.chars().next(), it))
        .filter(|(distance, _, candidate)| *distance <= 1 + candidate.len().min(name.len()) / 4)
        .collect();
    near.sort();
    near.dedup();
    let names: Vec<&str> = near.iter().take(3).map(|(.., candidate)| candidate.as_str()).collect();
    let hint = match names.is_empty() {
        true => "`shlo explain --list` shows all names".to_owned(),
        false => format!("did you mean {}?", names.join(", ")),
    };
    Failure::usage(format!("no rule, code, op or point of the semantics is called `{name}`; {hint}"))
}

impl Subject {
    fn name(&self) -> String {
        match self {
            Subject::Rule(rule) => rule.code(),
            Subject::Op(spec) => spec.name.to_owned(),
            Subject::Point(point) => point.id.to_owned(),
            Subject::Code(code, _) => (*code).to_owned(),
        }
    }

    /// All names under which it is found.
    fn names(&self) -> Vec<String> {
        match self {
            Subject::Op(spec) => vec![spec.name.to_owned(), spec.mnemonic.to_owned()],
            _ => vec![self.name()],
        }
    }

    fn line(&self) -> String {
        let text = match self {
            Subject::Rule(rule) => rule.text(),
            Subject::Op(spec) => spec.summary.to_owned(),
            Subject::Point(point) => point.topic.to_owned(),
            Subject::Code(_, text) => (*text).to_owned(),
        };
        format!("{:<32} {text}\n", self.name())
    }

    fn text(&self) -> String {
        match self {
            Subject::Rule(rule) => rule_text(rule),
            Subject::Op(spec) => op_text(spec),
            Subject::Point(point) => point_text(point),
            Subject::Code(code, text) => {
                wrapped(text, &format!("{code}: "), "  ") + &examples_text(&code_examples(code))
            }
        }
    }
}

fn rule_text(rule: &Rule) -> String {
    let mut text = format!("{}: rule {} of {}\n\n", rule.code(), rule.label(), rule.spec.name);
    text += &wrapped(&rule.text(), "  ", "  ");
    text += "\n";
    text += &wrapped(&rule.checked(), "Checked:        ", "                ");
    text += &format!("Specification:  {}\n", rule.link());
    text += &format!("The op:         shlo explain {}\n", short_name(rule.spec));
    text + &examples_text(&rule.examples())
}

/// The examples of a code that is not about an op: of a rule for types and attributes wherever they occur.
fn code_examples(code: &str) -> Vec<Example> {
    rules::examples(rules::TYPE_EXAMPLES).into_iter().filter(|example| example.code == code).collect()
}

/// The first accepted and the first rejected program, where there are such.
fn examples_text(examples: &[Example]) -> String {
    let headings = [(true, "Accepted:"), (false, "Rejected:")];
    let shown = headings.into_iter().filter_map(|(accepted, heading)| {
        let example = examples.iter().find(|example| example.accepted == accepted)?;
        Some(format!("\n{heading}\n\n{}", indented(example.program)))
    });
    shown.collect()
}

fn op_text(spec: &'static OpSpec) -> String {
    let mut text = wrapped(&format!("{}: {}", spec.name, spec.summary), "", "  ");
    if !spec.anchor.is_empty() {
        text += &format!("Specification: {}\n", rules::link(spec));
    }
    if let Some(instead) = spec.deprecated {
        text += &wrapped(instead, "Deprecated: ", "  ");
    }
    text +=
        &section("Operands", spec.operands.iter().map(|o| (o.label, many(o.name, o.arity), o.class.words.to_owned())));
    text += &section("Attributes", spec.attributes.iter().map(|a| (a.label, a.name.to_owned(), attribute_words(a))));
    text += &section("Results", spec.results.iter().map(|r| ("", many(r.name, r.arity), r.class.words.to_owned())));
    text += &section("Regions", spec.regions.iter().map(|r| (r.label, many(r.name, r.arity), String::new())));
    text += &section("Rules", constraints(spec).map(|rule| ("", rule.code(), rule.text())));
    text += &format!("\nNumerics: {}\n", numerics_words(spec.numerics));
    let traits = trait_words(spec);
    if !traits.is_empty() {
        text += &wrapped(&traits, "Traits: ", "  ");
    }
    let points = points_of(spec);
    text +=
        &section("Left open by the specification", points.iter().map(|p| ("", p.id.to_owned(), p.topic.to_owned())));
    if let Some(example) = rules::examples(spec.examples).iter().find(|example| example.accepted) {
        text += &format!("\nExample:\n\n{}", indented(example.program));
    }
    text
}

fn constraints(spec: &'static OpSpec) -> impl Iterator<Item = Rule> {
    rules::of(spec).into_iter().filter(|rule| matches!(rule.subject, rules::Subject::Constraint(_)))
}

fn point_text(point: &Point) -> String {
    let mut text = wrapped(&format!("{}: {}", point.id, point.topic), "", "  ");
    if !point.ops.is_empty() {
        text += &wrapped(&point.ops.join(", "), "Ops:            ", "                ");
    }
    text += "\n";
    text += &wrapped(point.specification, "Specification:  ", "                ");
    text += &wrapped(point.ours, "Here:           ", "                ");
    text += &wrapped(&plain(point.evaluator), "Evaluator:      ", "                ");
    text += &wrapped(&plain(point.xla), "XLA on CPUs:    ", "                ");
    if !point.anchor.is_empty() {
        text += &format!("Read:           {}#{}\n", rules::SPECIFICATION, point.anchor);
    }
    if !point.references.is_empty() {
        text += &wrapped(&point.references.join(", "), "Reports:        ", "                ");
    }
    if point.strict {
        text += "At run time:    `shlo run --strict` reports where a run touches it\n";
    }
    text
}

/// What a peer does, without the emphasis of the documentation page.
fn plain(peer: semantics::Peer) -> String {
    peer.to_string().replace("**", "")
}

/// Rows of label, name and words under a heading; nothing when there is no row.
fn section(heading: &str, rows: impl Iterator<Item = (&'static str, String, String)>) -> String {
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let widest = rows.iter().map(|(_, name, _)| name.len()).max().unwrap_or(0);
    let labels = if rows.iter().any(|(label, ..)| !label.is_empty()) { 4 } else { 0 };
    let mut text = format!("\n{heading}:\n");
    for (label, name, words) in rows {
        let first = format!("  {label:<labels$}{name:<widest$}  ");
        text += &wrapped(&words, &first, &" ".repeat(first.len()));
    }
    text
}

fn many(name: &str, arity: Arity) -> String {
    if arity == Arity::Many { format!("{name}...") } else { name.to_owned() }
}

fn attribute_words(attribute: &Attr) -> String {
    let kind = rules::kind_words(attribute.kind);
    match attribute.presence {
        Presence::Required => kind.to_owned(),
        Presence::Optional => format!("{kind}; optional"),
        Presence::Default(value) | Presence::Filled(value) => format!("{kind}; default {}", default_words(value)),
    }
}

fn default_words(value: DefaultValue) -> String {
    match value {
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::I32(value) => value.to_string(),
        DefaultValue::I64(value) => value.to_string(),
        DefaultValue::EmptyString => "\"\"".to_owned(),
        DefaultValue::EmptyArray => "[]".to_owned(),
        DefaultValue::EmptyDictionary => "{}".to_owned(),
        DefaultValue::DefaultAccuracy => "the default accuracy".to_owned(),
    }
}

fn numerics_words(numerics: Numerics) -> String {
    match numerics {
        Numerics::Exact => "one right result, correctly rounded for floats".to_owned(),
        Numerics::Ulp(ulps) => format!("implementations may be {ulps} ulps off for f32 and f64"),
        Numerics::Accumulation => "many terms; the order of accumulation is free".to_owned(),
        Numerics::Random => "not determined".to_owned(),
    }
}

fn trait_words(spec: &OpSpec) -> String {
    let words = [
        (Trait::Pure, "no effects"),
        (Trait::Terminator, "ends a block"),
        (Trait::Commutative, "commutative"),
        (Trait::IsolatedFromAbove, "regions see no values from outside"),
        (Trait::Symbol, "defines a symbol"),
        (Trait::SymbolTable, "holds symbols"),
    ];
    words.iter().filter(|(bit, _)| spec.has(*bit)).map(|(_, words)| *words).collect::<Vec<_>>().join(", ")
}

fn points_of(spec: &OpSpec) -> Vec<&'static Point> {
    let named = |op: &&str| *op == spec.name || (spec.dialect == "stablehlo" && *op == spec.mnemonic);
    semantics::POINTS.iter().filter(|point| point.ops.iter().any(named)).collect()
}

fn short_name(spec: &OpSpec) -> &'static str {
    if spec.dialect == "stablehlo" { spec.mnemonic } else { spec.name }
}

fn indented(program: &str) -> String {
    program.trim_matches('\n').lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect()
}

const WIDTH: usize = 100;

/// `text` in lines of at most [`WIDTH`] characters; words are never cut.
fn wrapped(text: &str, first: &str, others: &str) -> String {
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += &line;
            out.push('\n');
            others.clone_into(&mut line);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    out += line.trim_end();
    out.push('\n');
    out
}

fn rule_json(rule: &Rule) -> Value {
    let document = json!({
        "code": rule.code(),
        "op": rule.spec.name,
        "label": rule.label(),
        "text": rule.text(),
        "checked": rule.checked(),
        "link": rule.link(),
    });
    with_examples(document, &rule.examples())
}

fn with_examples(mut document: Value, examples: &[Example]) -> Value {
    for (accepted, key) in [(true, "accepted"), (false, "rejected")] {
        document[key] =
            json!(examples.iter().find(|example| example.accepted == accepted).map(|example| example.program));
    }
    document
}

fn op_json(spec: &'static OpSpec) -> Value {
    let input = |label: &str, name: &str, words: &str| json!({ "label": label, "name": name, "type": words });
    json!({
        "name": spec.name,
        "summary": spec.summary,
        "link": rules::link(spec),
        "deprecated": spec.deprecated,
        "operands": spec.operands.iter().map(|o| input(o.label, o.name, o.class.words)).collect::<Vec<_>>(),
        "attributes": spec.attributes.iter().map(|a| input(a.label, a.name, &attribute_words(a))).collect::<Vec<_>>(),
        "results": spec.results.iter().map(|r| input("", r.name, r.class.words)).collect::<Vec<_>>(),
        "regions": spec.regions.iter().map(|r| json!({ "label": r.label, "name": r.name })).collect::<Vec<_>>(),
        "rules": rules::of(spec).iter().map(|rule| rule.code()).collect::<Vec<_>>(),
        "points": points_of(spec).iter().map(|point| point.id).collect::<Vec<_>>(),
    })
}

fn point_json(point: &Point) -> Value {
    json!({
        "id": point.id,
        "ops": point.ops,
        "topic": point.topic,
        "specification": point.specification,
        "here": point.ours,
        "evaluator": plain(point.evaluator),
        "xla": plain(point.xla),
        "references": point.references,
        "strict": point.strict,
    })
}
