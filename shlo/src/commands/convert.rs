//! `shlo convert`: turns text, bytecode and portable artifacts into each other.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use stablehlo::bytecode::{self, Encoded};
use stablehlo::diag::Diagnostic;
use stablehlo::ir::Module;
use stablehlo::syntax::{PrintOptions, print};
use stablehlo::vhlo::{self, Version, current_version};

use super::load::{Program, Source};
use super::target;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::source::{Place, ReadArgs};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo convert model.mlirbc -o model.mlir                  bytecode or an artifact as text
  shlo convert model.mlir -o model.mlirbc                  text as bytecode
  shlo convert model.mlir -o model.mlirbc --target week12  an artifact for readers of the last twelve weeks
  shlo convert old.mlirbc -o new.mlirbc --target current   an artifact of another version
  shlo convert model.mlirbc --strip-locations | less       text without source locations

Three forms: `text`; `bytecode`, MLIR's binary form with the ops as they are, for tools of the very version that --target
names; `vhlo`, a portable artifact, which every tool from the target version on understands. Without --to, a --target means
vhlo, else the end of OUT decides: .mlir is text, .mlirbc, .mlir.bc and .bc are bytecode.

Targets: a version such as 1.9.0, or how old readers may be: `current`, `week4`, `week12`, `max`. `shlo compat` says which
versions a program can be written for.

Nothing binary is written when the program breaks a rule or the target cannot express it; each part that is too new is
named, with the version that brought it. Text is written with a warning for each broken rule. Locations are kept, also in text, unless --strip-locations is given.

Exit codes: 0 done, 3 the program cannot be read or is invalid, 4 the target (or shlo) does not have something that the
program uses.";

/// Flags of `shlo convert`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// The program: a file, text or bytecode, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where it goes, `-` for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// The form; by default what the end of OUT says
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
    /// The version of StableHLO that an artifact is for, or whose tools shall read the bytecode; the current one by default
    #[arg(long, value_name = "VERSION", value_parser = target::parse)]
    target: Option<Version>,
    /// With --to bytecode: the version of the bytecode format, 0 to 6
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=6))]
    bytecode_version: Option<u64>,
    /// Leave out where the ops came from
    #[arg(long, visible_alias = "strip-debuginfo")]
    strip_locations: bool,
    /// Convert the program without checking that it is valid
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// The forms of programs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// MLIR text.
    Text,
    /// MLIR bytecode.
    Bytecode,
    /// A portable artifact.
    Vhlo,
}

impl Arguments {
    /// The form that is asked for.
    fn form(&self) -> Result<Form, Failure> {
        let form = match (self.to, self.target, self.bytecode_version) {
            (Some(form), ..) => form,
            (None, _, Some(_)) => Form::Bytecode,
            (None, Some(_), None) => Form::Vhlo,
            (None, None, None) => form_of(&self.output)?,
        };
        if self.target.is_some() && form == Form::Text {
            return Err(Failure::usage("--target is for the binary forms; text is that of the current version"));
        }
        if self.bytecode_version.is_some() && form != Form::Bytecode {
            return Err(Failure::usage(
                "--bytecode-version is for --to bytecode; an artifact's follows from its target",
            ));
        }
        if form != Form::Text && is_stdout(&self.output) && std::io::stdout().is_terminal() {
            return Err(Failure::usage("bytecode is not for terminals; name a file with -o"));
        }
        Ok(form)
    }
}

/// The form that the name of a file says.
fn form_of(path: &Path) -> Result<Form, Failure> {
    let name = path.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
    let ends_with = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end.as_bytes()));
    if is_stdout(path) || ends_with(&[".mlir", ".txt"]) {
        return Ok(Form::Text);
    }
    if ends_with(&[".mlirbc", ".bc"]) {
        return Ok(Form::Bytecode);
    }
    let message = format!("{} may be anything; say --to text, bytecode or vhlo", path.display());
    Err(Failure::usage(message))
}

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Does it.
///
/// # Errors
/// When the program cannot be read, is invalid or cannot be expressed, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let form = arguments.form()?;
    let place = Place::named(&arguments.input);
    let about = |failure: Failure| failure.about(&place.name());
    let source = Source::read(&place).map_err(about)?;
    let mut program = source.only_program(arguments.read).map_err(about)?;
    if !arguments.no_verify
        && let (None, mut complaints) = program.check(arguments.read)
    {
        // Text is for people, who may want to see what is wrong with it.
        if form == Form::Text {
            complaints.soften();
        }
        complaints.show()?;
        if complaints.has_errors() {
            return Ok(complaints.exit());
        }
    }
    if arguments.strip_locations {
        program.module.strip_locations();
    }
    output::end_cleanly_on_interrupt();
    if form == Form::Text {
        let options = PrintOptions { locations: program.module.has_locations(), ..PrintOptions::default() };
        let text = print(&program.module, options);
        return write(&arguments.output, |to| to.write_all(text.as_bytes()));
    }
    let encode = |module: &Module| match form {
        Form::Vhlo => vhlo::serialize_portable_artifact(module, arguments.target.unwrap_or_else(current_version)),
        _ => {
            let default = bytecode::Options::default();
            let format = arguments.bytecode_version.unwrap_or(default.format);
            let release = arguments.target.unwrap_or(default.release);
            bytecode::write(module, &bytecode::Options { format, release, ..default })
        }
    };
    let encoded = match encode(&program.module) {
        Ok(encoded) => encoded,
        Err(refusals) => return refuse(&program, refusals, encode),
    };
    write(&arguments.output, |mut to| encoded.write_to(&mut to))
}

/// Shows why the program cannot be expressed, with places in a text: for bytecode they are found by trying once more.
fn refuse(
    program: &Program<'_>,
    mut refusals: Vec<Diagnostic>,
    encode: impl Fn(&Module) -> Result<Encoded, Vec<Diagnostic>>,
) -> Result<Exit, Failure> {
    let sheet = program.sheet();
    if let Err(with_places) = encode(sheet.module()) {
        refusals = with_places;
    }
    sheet.locate(refusals).show()?;
    Ok(Exit::Unsupported)
}

fn write(path: &Path, bytes: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Result<Exit, Failure> {
    if is_stdout(path) {
        let mut out = output::stdout();
        out.put_with(bytes)?;
        out.finish()?;
    } else {
        output::replace_file_with(path, |file| bytes(file))?;
    }
    Ok(Exit::Success)
}
