//! Values for the arguments of a function, as people write them on a command line.
//!
//! | text | value |
//! |---|---|
//! | `2x3xf32=1 2 3 4 5 6`, `f32=3.14`, `3.14` | elements, see [`iree`](super::iree); without a type, the argument's |
//! | `dense<[1, 2]> : tensor<2xi32>` | MLIR's notation |
//! | `@x.npy` | every array in the file, one per argument |
//! | `@x.npz`, `@x.npz:name` | the arrays of an archive: those with the arguments' names, else in order; or one of them |
//! | `@x.safetensors`, `@x.safetensors:name` | the same |
//! | `2x2xi32=@f.bin` | raw little-endian elements, one per ⌈bits/8⌉ bytes |
//! | `@list` | any other file: one such text per line; `#` begins a comment |
//! | `zeros`, `rand:seed=7` … | see [`generate`](super::generate) |
//! | `x=…` | for the argument called `x` |
//!
//! Files are opened by the caller, through the function that is given.

use bytes::Bytes;
use stablehlo::element::ElementType;

use super::error::{InputError, Result};
use super::{generate, iree, mlir, npy, npz, weights};
use crate::tensor::{Dims, Tensor, n_bytes};

/// What a function takes at one place.
#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Element type.
    pub element: ElementType,
    /// Sizes; none where the program leaves one open.
    pub shape: Vec<Option<usize>>,
}

/// Where the bytes of a file come from.
pub type ReadFile<'a> = dyn FnMut(&str) -> std::io::Result<Bytes> + 'a;

/// How lists of inputs may name further lists.
const MAX_LIST_DEPTH: usize = 4;

/// The tensors for `arguments` that `texts` describe; `max_bytes` is the most that one may take.
///
/// # Errors
/// `input/…`: malformed texts and files, values that do not fit their argument, too many or too few of them.
pub fn read_inputs(
    texts: &[String],
    arguments: &[Argument],
    read_file: &mut ReadFile<'_>,
    max_bytes: usize,
) -> Result<Vec<Tensor>> {
    let mut reader = Reader { arguments, values: vec![None; arguments.len()], read_file, max_bytes };
    for text in texts {
        reader.read(text, 0).map_err(|error| error.about(&shortened(text)))?;
    }
    let missing = |index: usize| {
        let message = format!("there is no value for {}; {} are needed", reader.name_of(index), arguments.len());
        InputError::new("input/missing", message)
    };
    if let Some(index) = reader.values.iter().position(Option::is_none) {
        return Err(missing(index));
    }
    Ok(reader.values.into_iter().flatten().collect())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

struct Reader<'a, 'f> {
    arguments: &'a [Argument],
    values: Vec<Option<Tensor>>,
    read_file: &'a mut ReadFile<'f>,
    max_bytes: usize,
}

impl Reader<'_, '_> {
    fn name_of(&self, index: usize) -> String {
        match self.arguments.get(index).and_then(|argument| argument.name.as_deref()) {
            Some(name) => format!("argument {index} ({name})"),
            None => format!("argument {index}"),
        }
    }

    /// One text, for the argument that it names or the next without a value.
    fn read(&mut self, text: &str, depth: usize) -> Result<()> {
        let text = text.trim();
        let (name, value) = split_name(text, self.arguments);
        let index = match name {
            Some(name) => {
                let named = |argument: &Argument| argument.name.as_deref() == Some(name);
                let index = self.arguments.iter().position(named);
                index.ok_or_else(|| InputError::new("input/unknown-name", format!("no argument is called {name}")))?
            }
            None => self.next(0),
        };
        if let Some(path) = value.strip_prefix('@') {
            return self.read_file(path, index, name.is_some(), depth);
        }
        let tensor = match value.split_once("=@") {
            Some((ty, path)) => self.raw_file(ty, path)?,
            None => self.text_value(value, index)?,
        };
        self.put(index, tensor)
    }

    /// The first argument from `from` on that has no value yet.
    fn next(&self, from: usize) -> usize {
        (from..self.values.len()).find(|index| self.values[*index].is_none()).unwrap_or(self.values.len())
    }

    fn argument(&self, index: usize) -> Result<&Argument> {
        self.arguments.get(index).ok_or_else(|| {
            let message = format!("the function takes only {} arguments", self.arguments.len());
            InputError::new("input/too-many", message)
        })
    }

    fn put(&mut self, index: usize, tensor: Tensor) -> Result<()> {
        let argument = self.argument(index)?;
        let fits = |(size, wanted): (&usize, &Option<usize>)| wanted.is_none_or(|wanted| *size == wanted);
        let same_shape = tensor.rank() == argument.shape.len() && tensor.shape().iter().zip(&argument.shape).all(fits);
        if tensor.element() != argument.element || !same_shape {
            let message =
                format!("{} takes {}, this is {}", self.name_of(index), type_text(argument), iree::type_text(&tensor));
            return Err(InputError::new("input/type", message));
        }
        if self.values[index].replace(tensor).is_some() {
            return Err(InputError::new("input/twice", format!("{} has a value already", self.name_of(index))));
        }
        Ok(())
    }

    fn text_value(&self, value: &str, index: usize) -> Result<Tensor> {
        if value.starts_with("dense") {
            return mlir::parse(value);
        }
        let (ty, elements) = match value.split_once('=') {
            Some((ty, elements)) => (iree::parse_type(ty), elements),
            None => (iree::parse_type(value), ""),
        };
        if let Some((element, shape)) = ty {
            return match elements.trim() {
                generator if generator.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                    generate::generate(generator, element, &shape, self.max_bytes)
                        .unwrap_or_else(|| iree::parse_elements(element, &shape, generator, self.max_bytes))
                }
                elements => iree::parse_elements(element, &shape, elements, self.max_bytes),
            };
        }
        let (element, shape) = self.static_type(index)?;
        generate::generate(value, element, &shape, self.max_bytes)
            .unwrap_or_else(|| iree::parse_elements(element, &shape, value, self.max_bytes))
    }

    /// `2x2xi32=@f.bin`
    fn raw_file(&mut self, ty: &str, path: &str) -> Result<Tensor> {
        let (element, shape) =
            iree::parse_type(ty).ok_or_else(|| InputError::new("input/type", format!("`{ty}` is no type")))?;
        raw(element, &shape, self.bytes_of(path)?)
    }

    fn bytes_of(&mut self, path: &str) -> Result<Bytes> {
        (self.read_file)(path).map_err(|error| {
            let too_large = error.kind() == std::io::ErrorKind::FileTooLarge;
            InputError::new(if too_large { "input/too-large" } else { "input/file" }, format!("{path}: {error}"))
        })
    }

    /// The argument's own type, when a text has none.
    fn static_type(&self, index: usize) -> Result<(ElementType, Dims)> {
        let argument = self.argument(index)?;
        let shape: Option<Dims> = argument.shape.iter().copied().collect();
        let open = || {
            let message = format!(
                "{} has type {}, so its shape must be written: {}=…",
                self.name_of(index),
                type_text(argument),
                type_text(argument).replace('?', "4")
            );
            InputError::new("input/type", message)
        };
        Ok((argument.element, shape.ok_or_else(open)?))
    }

    fn read_file(&mut self, path: &str, index: usize, is_named: bool, depth: usize) -> Result<()> {
        let (path, part) = split_part(path);
        let bytes = self.bytes_of(path)?;
        let element = |reader: &Self, index: usize| reader.arguments.get(index).map(|argument| argument.element);
        let is_npz = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06");
        if is_npz || path.ends_with(".safetensors") {
            let names = match part {
                Some(part) => vec![part.to_owned()],
                None if is_npz => npz::names(&bytes)?,
                None => weights::names(&bytes)?,
            };
            for (name, index) in self.places(&names, index) {
                let element = element(self, index);
                let tensor = match is_npz {
                    true => npz::read(&bytes, &name, element, self.max_bytes as u64)?,
                    false => weights::read(&bytes, &name, element)?,
                };
                self.put(index, tensor)?;
            }
            return Ok(());
        }
        if bytes.starts_with(b"\x93NUMPY") {
            let (mut rest, mut index) = (&bytes[..], index);
            while !rest.is_empty() {
                let tensor = npy::read(&mut rest, element(self, index))?;
                self.put(index, tensor)?;
                if is_named && !rest.is_empty() {
                    let message = "the file holds several arrays, which one named argument cannot take";
                    return Err(InputError::new("input/npy", message));
                }
                index = self.next(index);
            }
            return Ok(());
        }
        if path.ends_with(".bin") || path.ends_with(".raw") {
            let (element, shape) = self.static_type(index)?;
            return self.put(index, raw(element, &shape, bytes)?);
        }
        self.read_list(&bytes, depth)
    }

    /// Which argument gets which array: by name if every argument finds its own, else in order.
    fn places(&self, names: &[String], first: usize) -> Vec<(String, usize)> {
        if let [name] = names {
            return vec![(name.clone(), first)];
        }
        let open = (0..self.arguments.len()).filter(|index| self.values[*index].is_none());
        let by_name: Option<Vec<(String, usize)>> = open
            .map(|index| {
                let name = self.arguments[index].name.clone()?;
                names.contains(&name).then_some((name, index))
            })
            .collect();
        if let Some(places) = by_name.filter(|places| !places.is_empty()) {
            return places;
        }
        let mut index = first;
        let mut places = Vec::new();
        for name in names {
            places.push((name.clone(), index));
            index = self.next(index + 1);
        }
        places
    }

    fn read_list(&mut self, bytes: &[u8], depth: usize) -> Result<()> {
        if depth >= MAX_LIST_DEPTH {
            return Err(InputError::new("input/list", "lists name lists too deep"));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| InputError::new("input/list", "the file is neither an array nor a text that lists inputs"))?;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            let line = line.strip_prefix("--input=").unwrap_or(line);
            if !line.is_empty() && !line.starts_with('#') {
                self.read(line, depth + 1).map_err(|error| error.about(&format!("line {}", number + 1)))?;
            }
        }
        Ok(())
    }
}

/// Raw little-endian elements.
///
/// # Errors
/// `input/bin` when their number does not fit.
pub fn raw(element: ElementType, shape: &[usize], bytes: Bytes) -> Result<Tensor> {
    let found = bytes.len();
    Tensor::new(element, shape, bytes).ok_or_else(|| {
        let wanted = n_bytes(element, shape).map_or("too many".to_owned(), |bytes| bytes.to_string());
        InputError::new("input/bin", format!("the type takes {wanted} bytes, the file has {found}"))
    })
}

/// Splits `name=` off, unless what stands before the `=` is a type.
fn split_name<'t>(text: &'t str, arguments: &[Argument]) -> (Option<&'t str>, &'t str) {
    let Some((name, value)) = text.split_once('=') else {
        return (None, text);
    };
    let name = name.trim();
    let is_known = arguments.iter().any(|argument| argument.name.as_deref() == Some(name));
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$'));
    let begins_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_known || (is_word && begins_well && iree::parse_type(name).is_none()) {
        (Some(name), value.trim())
    } else {
        (None, text)
    }
}

/// Splits `:name` off a path to an archive.
fn split_part(path: &str) -> (&str, Option<&str>) {
    for suffix in [".npz:", ".safetensors:"] {
        if let Some(at) = path.find(suffix) {
            let end = at + suffix.len() - 1;
            return (&path[..end], Some(&path[end + 1..]));
        }
    }
    (path, None)
}

fn type_text(argument: &Argument) -> String {
    let sizes = argument.shape.iter().map(|size| size.map_or("?x".to_owned(), |size| format!("{size}x")));
    format!("{}{}", sizes.collect::<String>(), argument.element)
}
