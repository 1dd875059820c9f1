//! The values that go into a run and come out of it, as the command line names them.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use interpreter::io::inputs::{Argument, read_inputs};
use interpreter::io::outputs::{self, Format};
use interpreter::io::{InputError, npz, signature, weights};
use interpreter::{Tensor, Value};
use stablehlo::ir::{Module, OpId};

use crate::exit::{Exit, Failure};
use crate::{output, source};

/// Flags about values.
#[derive(Args, Debug)]
pub struct ValueArgs {
    /// A value for the next argument, or for the one called NAME: see the notations below
    #[arg(short, long = "input", value_name = "[NAME=]VALUE", allow_hyphen_values = true)]
    inputs: Vec<String>,
    /// All arguments in MLIR's notation: '[dense<1> : tensor<2xi32>, dense<…> : …]'
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    args: Option<String>,
    /// Values for the arguments that FILE (.safetensors or .npz) has arrays for: by the arguments' names, else by their
    /// numbers (in_0, arg0, 0)
    #[arg(long, value_name = "FILE")]
    params: Vec<PathBuf>,
    /// Where results go: `-` for standard output, @FILE to write a file, +FILE to append to it, '' for nowhere; once for
    /// all results, or once for each. Files end in .npy, .npz, .safetensors, .bin, .mlir or .txt
    #[arg(short, long = "output", value_name = "TO", allow_hyphen_values = true)]
    outputs: Vec<String>,
    /// What a result must be, in the notations of --input; once for each result, '(ignored)' for any value
    #[arg(long = "expect", visible_alias = "expected_output", value_name = "VALUE", allow_hyphen_values = true)]
    expects: Vec<String>,
}

/// The notations, for the help text.
pub const NOTATIONS: &str = "\
Values (VALUE):
  2x3xf32=1 2 3 4 5 6           elements; without the type, that of the argument
  dense<[1, 2]> : tensor<2xi32> MLIR's notation
  @x.npy                        a file of numpy (.npy, .npz, .npz:name), .safetensors, or raw bytes (.bin)
  @list.txt                     any other file: one value in each line
  zeros, ones, iota, splat:0.5, rand:seed=7,dist=normal, large, special
  images=@x.npy                 for the argument called images";

impl ValueArgs {
    /// Whether results are to be compared.
    pub fn has_expectations(&self) -> bool {
        !self.expects.is_empty()
    }

    /// Whether there are values for arguments.
    pub fn has_inputs(&self) -> bool {
        !self.inputs.is_empty() || self.args.is_some() || !self.params.is_empty()
    }

    /// Random numbers for the arguments of `function`, the same ones every time.
    ///
    /// # Errors
    /// When the sizes of an argument are not known, or it is too large.
    pub fn random(module: &Module, function: OpId, max_bytes: usize) -> Result<Vec<Value>, Failure> {
        let arguments = signature::arguments(module, function).map_err(failure)?;
        let texts: Vec<String> = (0..arguments.len()).map(|index| format!("rand:seed={index}")).collect();
        let mut no_file = |_: &str| Err(std::io::Error::from(ErrorKind::NotFound));
        let tensors = read_inputs(&texts, &arguments, &mut no_file, max_bytes).map_err(failure)?;
        Ok(tensors.into_iter().map(Value::Tensor).collect())
    }

    /// Whether it is said where results go.
    pub fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// The values for the arguments of `function`.
    ///
    /// # Errors
    /// When values cannot be read, do not fit, are missing or too many.
    pub fn inputs(&self, module: &Module, function: OpId, max_bytes: usize) -> Result<Vec<Value>, Failure> {
        let arguments = signature::arguments(module, function).map_err(failure)?;
        let mut files = Files::new(max_bytes);
        let mut texts = Vec::new();
        for path in &self.params {
            texts.extend(files.matching(path, &arguments)?);
        }
        if let Some(list) = &self.args {
            texts.extend(split_list(list));
        }
        texts.extend(self.inputs.iter().cloned());
        let numbered = number_unnamed(&arguments);
        let tensors = read_inputs(&texts, &numbered, &mut |path| files.read(path), max_bytes).map_err(failure)?;
        Ok(tensors.into_iter().map(Value::Tensor).collect())
    }

    /// What the results of `function` must be; none where anything goes.
    ///
    /// # Errors
    /// As [`Self::inputs`].
    pub fn expectations(
        &self,
        module: &Module,
        function: OpId,
        results: &[Value],
        max_bytes: usize,
    ) -> Result<Vec<Option<Tensor>>, Failure> {
        let mut wanted = signature::results(module, function).map_err(failure)?;
        for (argument, result) in wanted.iter_mut().zip(results) {
            if let Value::Tensor(tensor) = result {
                // A dynamic result is expected in the shape that it has.
                argument.shape = tensor.shape().iter().map(|size| Some(*size)).collect();
            }
        }
        let mut files = Files::new(max_bytes);
        let mut read = |texts: &[String], wanted: &[Argument]| {
            read_inputs(texts, wanted, &mut |path| files.read(path), max_bytes).map_err(failure)
        };
        if !self.expects.iter().any(|text| is_ignored(text)) {
            return Ok(read(&self.expects, &wanted)?.into_iter().map(Some).collect());
        }
        if self.expects.len() != wanted.len() {
            let message = format!("there are {} results, but {} --expect", wanted.len(), self.expects.len());
            return Err(Failure::usage(message));
        }
        let one = |(text, wanted): (&String, &Argument)| match is_ignored(text) {
            true => Ok(None),
            false => Ok(read(std::slice::from_ref(text), std::slice::from_ref(wanted))?.pop()),
        };
        self.expects.iter().zip(&wanted).map(one).collect()
    }

    /// Writes results where they are to go.
    ///
    /// # Errors
    /// When a file cannot be written or cannot hold them.
    pub fn write(&self, results: &[Value], out: &mut output::Stream<std::io::Stdout>) -> Result<(), Failure> {
        let tensor = |(index, value): (usize, &Value)| match value {
            Value::Tensor(tensor) => Ok((format!("out_{index}"), tensor.clone())),
            _ => Err(Failure::new(Exit::Unsupported, format!("result {index} is no tensor and cannot be written"))),
        };
        let tensors: Vec<(String, Tensor)> = results.iter().enumerate().map(tensor).collect::<Result<_, _>>()?;
        if let [to] = self.outputs.as_slice() {
            return write_to(to, &tensors, out);
        }
        if self.outputs.len() != tensors.len() {
            let message = format!("there are {} results, but {} --output", tensors.len(), self.outputs.len());
            return Err(Failure::usage(message));
        }
        self.outputs.iter().zip(tensors.chunks(1)).try_for_each(|(to, tensor)| write_to(to, tensor, out))
    }
}

fn is_ignored(text: &str) -> bool {
    text.trim() == "(ignored)"
}

fn failure(error: InputError) -> Failure {
    let exit = if error.code() == "input/too-large" { Exit::Resource } else { Exit::Input };
    Failure::new(exit, format!("{} [{}]", error.message(), error.code()))
}

fn write_to(to: &str, tensors: &[(String, Tensor)], out: &mut output::Stream<std::io::Stdout>) -> Result<(), Failure> {
    let (path, append) = match (to, to.strip_prefix('@'), to.strip_prefix('+')) {
        ("", ..) => return Ok(()),
        ("-", ..) => return out.put(outputs::render(tensors, Format::Mlir).map_err(failure)?),
        (_, Some(path), _) => (Path::new(path), false),
        (_, _, Some(path)) => (Path::new(path), true),
        _ => return Err(Failure::usage(format!("--output takes -, @FILE, +FILE or '', not `{to}`"))),
    };
    let Some(format) = Format::of_path(path) else {
        let message = format!("{}: the name must end in .npy, .npz, .safetensors, .bin, .mlir or .txt", path.display());
        return Err(Failure::usage(message));
    };
    if append {
        outputs::check_append(format).map_err(failure)?;
    }
    let bytes = outputs::render(tensors, format).map_err(failure)?;
    if append { output::append_to_file(path, &bytes) } else { output::replace_file(path, &bytes) }
}

/// Arguments without a name can be called by their number.
fn number_unnamed(arguments: &[Argument]) -> Vec<Argument> {
    let named = |(index, argument): (usize, &Argument)| Argument {
        name: argument.name.clone().or_else(|| Some(format!("arg{index}"))),
        ..argument.clone()
    };
    arguments.iter().enumerate().map(named).collect()
}

/// Files that were read, each once, each of at most `limit` bytes.
struct Files {
    read: HashMap<PathBuf, bytes::Bytes>,
    limit: u64,
}

impl Files {
    fn new(max_bytes: usize) -> Self {
        Self { read: HashMap::new(), limit: max_bytes as u64 }
    }

    fn read(&mut self, path: &str) -> std::io::Result<bytes::Bytes> {
        if let Some(bytes) = self.read.get(Path::new(path)) {
            return Ok(bytes.clone());
        }
        let bytes = source::read_file(Path::new(path), self.limit)?;
        self.read.insert(PathBuf::from(path), bytes.clone());
        Ok(bytes)
    }

    /// Input texts for the arguments that an archive has arrays for.
    fn matching(&mut self, path: &Path, arguments: &[Argument]) -> Result<Vec<String>, Failure> {
        let shown = path.display().to_string();
        let about = |error: InputError| failure(error.about(&shown));
        let bytes = self.read(&shown).map_err(|error| {
            let exit = if error.kind() == ErrorKind::FileTooLarge { Exit::Resource } else { Exit::Input };
            Failure::new(exit, format!("{shown}: {error}"))
        })?;
        let names =
            if bytes.starts_with(b"PK") { npz::names(&bytes) } else { weights::names(&bytes) }.map_err(about)?;
        let named = number_unnamed(arguments);
        let texts: Vec<String> = signature::matching(&names, arguments)
            .into_iter()
            .filter_map(|(index, array)| Some(format!("{}=@{shown}:{array}", named.get(index)?.name.as_ref()?)))
            .collect();
        if texts.is_empty() {
            let of_arguments: Vec<&str> = named.iter().filter_map(|argument| argument.name.as_deref()).collect();
            let message =
                format!("{shown}: no array has the name of an argument; the arguments are {}", of_arguments.join(", "));
            return Err(Failure::new(Exit::Input, message));
        }
        Ok(texts)
    }
}

/// The items of `[a, b, …]` in MLIR's notation: commas inside brackets and strings separate nothing.
fn split_list(list: &str) -> Vec<String> {
    let list = list.trim();
    let inner = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
    let mut items = vec![String::new()];
    let (mut depth, mut in_string) = (0usize, false);
    for c in inner.chars() {
        match c {
            '"' => in_string = !in_string,
            '[' | '<' | '(' | '{' if !in_string => depth += 1,
            ']' | '>' | ')' | '}' if !in_string => depth = depth.saturating_sub(1),
            ',' if !in_string && depth == 0 => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(item) = items.last_mut() {
            item.push(c);
        }
    }
    items.into_iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!(split_list("[]"), [""; 0]);
        assert_eq!(
            split_list("[dense<[1, 2]> : tensor<2xi32>, dense<\"0x,\"> : tensor<complex<f32>>]"),
            ["dense<[1, 2]> : tensor<2xi32>", "dense<\"0x,\"> : tensor<complex<f32>>"]
        );
    }
}
