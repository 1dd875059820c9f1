//! Elements attributes: `dense<…>`, `dense_resource<…>`, `sparse<…>`.

use smallvec::SmallVec;

use super::attributes::accept_bool;
use super::error::{Checked, POptional, PResult, SyntaxError, expected, fault, fault_with_help};
use super::hex::hex_string;
use super::lexical::{self, Input, Number, accept, accept_number, peek, separated_until, skip};
use super::numbers::{IntegerFormat, accept_signed_number, float_bits, push_bits};
use super::{Parser, punct};
use crate::element::FloatFormat;
use crate::ir::{AttrId, Attribute, Blob, DYNAMIC, DenseElements, Signedness, Type, TypeId};

/// One element as written.
#[derive(Copy, Clone)]
struct Item {
    /// How many bytes are left where it begins; positions are kept small because there may be millions.
    left: u32,
    kind: ItemKind,
}

#[derive(Copy, Clone, PartialEq)]
enum ItemKind {
    Bool(bool),
    Number,
    String,
}

/// A literal before its type is known.
struct Literal<'s> {
    source: Input<'s>,
    items: SmallVec<[Item; 4]>,
    /// Sizes of the nested lists, outermost first.
    shape: SmallVec<[usize; 4]>,
    /// How deep lists are nested at the first element, once that is known.
    rank: Option<usize>,
    /// Elements are pairs.
    complex: bool,
}

impl<'s> Literal<'s> {
    fn new(source: Input<'s>) -> Self {
        Self { source, items: SmallVec::new(), shape: SmallVec::new(), rank: None, complex: false }
    }

    fn push(&mut self, at: Input<'s>, kind: ItemKind) {
        self.items.push(Item { left: at.len() as u32, kind });
    }

    /// The text where an element begins.
    fn at(&self, item: Item) -> Input<'s> {
        &self.source[self.source.len() - item.left as usize..]
    }
}

/// How an element is stored.
enum Format {
    Integer(IntegerFormat),
    Float(&'static FloatFormat),
}

impl Format {
    fn bytes(&self) -> usize {
        match self {
            Format::Integer(integer) => integer.width.div_ceil(8).max(1) as usize,
            Format::Float(float) => float.bits.div_ceil(8) as usize,
        }
    }
}

/// A type of elements: one format for each of its parts (complex numbers have two).
struct ElementFormat {
    part: Format,
    complex: bool,
}

impl ElementFormat {
    fn bytes(&self) -> usize {
        self.part.bytes() * if self.complex { 2 } else { 1 }
    }
}

impl<'s> Parser<'s> {
    /// dense-elements-attribute: `dense '<' literal? '>' ':' type`, behind the word at `at`.
    pub(super) fn dense_elements(&mut self, i: Input<'s>, at: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let start = skip(i);
        if start.starts_with(b"\"0x") {
            return self.hex_elements(start, at, ty);
        }
        if let Some((rest, attr)) = self.typed_elements(start, at)? {
            return Ok((rest, attr));
        }
        let mut literal = Literal::new(self.source);
        let (i, ()) = match peek(start) {
            b'>' => (start, ()),
            _ => self.tensor_literal(start, &mut literal, 0, false)?,
        };
        let (i, ()) = punct!(i, ">")?;
        let (i, ty) = self.elements_type(i, ty)?;
        let attr = self.build_elements(at, &literal, ty)?;
        Ok((i, attr))
    }

    /// `':' type` unless the type is given.
    fn elements_type(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, TypeId> {
        match ty {
            Some(ty) => Ok((i, ty)),
            None => {
                let (i, ()) = punct!(i, ":")?;
                self.type_(i)
            }
        }
    }

    /// tensor-literal: `element | '[' (tensor-literal (',' tensor-literal)*)? ']'`, whose elements are attributes that have
    /// types when it is `typed`.
    fn tensor_literal(
        &mut self,
        i: Input<'s>,
        literal: &mut Literal<'s>,
        depth: usize,
        typed: bool,
    ) -> PResult<'s, ()> {
        let Some(i) = accept(i, "[") else {
            return self.tensor_element(i, literal, depth, typed);
        };
        self.nested(i, |parser, i| {
            let mut size = 0;
            let (i, ()) = separated_until(i, "]", "`]`", |i| {
                size += 1;
                // Most elements are plain numbers in the innermost list.
                match peek(i) {
                    b'[' => parser.tensor_literal(i, literal, depth + 1, typed),
                    _ => parser.tensor_element(i, literal, depth + 1, typed),
                }
            })?;
            parser.close_list(i, literal, depth, size)
        })
    }

    /// An element inside `depth` lists; what type is written behind it says nothing that the whole type does not say.
    #[inline]
    fn tensor_element(
        &mut self,
        i: Input<'s>,
        literal: &mut Literal<'s>,
        depth: usize,
        typed: bool,
    ) -> PResult<'s, ()> {
        if *literal.rank.get_or_insert(depth) != depth {
            return Err(inconsistent_ranks(i));
        }
        let (i, ()) = element(i, literal)?;
        if typed && let Some(rest) = accept(i, ":") {
            return Ok((self.type_(rest)?.0, ()));
        }
        Ok((i, ()))
    }

    /// All lists of one depth must have one size.
    fn close_list(&self, i: Input<'s>, literal: &mut Literal<'s>, depth: usize, size: usize) -> PResult<'s, ()> {
        // Sizes become known from the inside; the slots outside are filled when their lists end.
        while literal.shape.len() <= depth {
            literal.shape.push(usize::MAX);
        }
        match literal.shape[depth] {
            usize::MAX => literal.shape[depth] = size,
            known if known == size => {}
            _ => return Err(inconsistent_ranks(i)),
        }
        Ok((i, ()))
    }

    /// The type-first form: `dense<tensor<2xi32> : [1 : i32, 2 : i32]>`, behind `<`.
    fn typed_elements(&mut self, i: Input<'s>, at: Input<'s>) -> POptional<'s, AttrId> {
        let begins = i.first().is_some_and(|byte| lexical::begins_word(*byte)) && accept_bool(i).is_none();
        if !begins {
            return Ok(None);
        }
        let (i, ty) = self.type_(i)?;
        let (i, ()) = punct!(i, ":")?;
        let mut literal = Literal::new(self.source);
        let (i, ()) = self.tensor_literal(i, &mut literal, 0, true)?;
        let (i, ()) = punct!(i, ">")?;
        let attr = self.build_elements(at, &literal, ty)?;
        Ok(Some((i, attr)))
    }

    /// Sizes and element type of the type of elements.
    fn static_shape(&self, at: Input<'s>, ty: TypeId) -> Checked<'s, (&[i64], TypeId)> {
        let (Some(shape), Some(element)) = (self.module.shape(ty), self.module.element_type(ty)) else {
            return Err(match self.module.ty(ty) {
                Type::UnrankedTensor { .. } | Type::MemRef { .. } => {
                    fault(at, "parse/invalid-elements", "elements literal type must have static shape")
                }
                _ => fault(at, "parse/invalid-elements", "elements literal must be a shaped type"),
            });
        };
        match shape.contains(&DYNAMIC) {
            true => Err(fault(at, "parse/invalid-elements", "elements literal type must have static shape")),
            false => Ok((shape, element)),
        }
    }

    /// How elements of this type are stored; none for those that are strings.
    fn element_format(&self, element: TypeId) -> Option<ElementFormat> {
        let part = |ty: TypeId| match self.module.ty(ty) {
            Type::Float(kind) => Some(Format::Float(kind.format())),
            other => IntegerFormat::of(other).map(Format::Integer),
        };
        match *self.module.ty(element) {
            Type::Complex(inner) => Some(ElementFormat { part: part(inner)?, complex: true }),
            _ => Some(ElementFormat { part: part(element)?, complex: false }),
        }
    }

    fn build_elements(&mut self, at: Input<'s>, literal: &Literal<'s>, ty: TypeId) -> Checked<'s, AttrId> {
        let (shape, element) = self.static_shape(at, ty)?;
        let is_list = literal.rank.unwrap_or(literal.shape.len()) > 0 || !literal.shape.is_empty();
        let matches = || {
            let sizes = literal.shape.iter().map(|size| i64::try_from(*size).ok());
            sizes.eq(shape.iter().map(|size| Some(*size)))
        };
        if is_list && !matches() {
            let message = format!(
                "inferred shape of elements literal ({:?}) does not match type ({:?})",
                literal.shape.as_slice(),
                shape
            );
            return Err(fault(at, "parse/invalid-elements", message));
        }
        if literal.items.is_empty() && !shape.contains(&0) {
            let message =
                format!("parsed zero elements, but type (`{}`) expected at least 1", self.module.display_type(ty));
            return Err(fault(at, "parse/invalid-elements", message));
        }
        let Some(format) = self.element_format(element) else {
            return self.build_strings(literal, ty, is_list);
        };
        if format.complex != literal.complex && !literal.items.is_empty() {
            let message = format!(
                "parsed {} elements, but type (`{}`) expected {}",
                literal.items.len(),
                self.module.display_type(element),
                if format.complex { "pairs" } else { "single numbers" }
            );
            return Err(fault(at, "parse/invalid-elements", message));
        }
        let width = format.part.bytes();
        self.count_wide(at, literal.items.len().saturating_mul(width.saturating_sub(16)))?;
        let mut data = Vec::with_capacity(literal.items.len() * width);
        for item in &literal.items {
            push_element(literal.at(*item), item.kind, &format.part, &mut data)?;
        }
        Ok(self.dense_value(ty, data, format.bytes()))
    }

    /// `dense<…>` of stored elements of `width` bytes: one element when all are the same.
    pub(super) fn dense_value(&mut self, ty: TypeId, mut data: Vec<u8>, width: usize) -> AttrId {
        let splat = !data.is_empty() && is_splat(&data, width);
        if splat {
            data.truncate(width);
        }
        self.module.intern_attr(Attribute::DenseElements(DenseElements { ty, data: Blob::new(data), splat }))
    }

    /// Elements of opaque types are strings.
    fn build_strings(&mut self, literal: &Literal<'s>, ty: TypeId, is_list: bool) -> Checked<'s, AttrId> {
        let mut values: Vec<Box<[u8]>> = Vec::with_capacity(literal.items.len());
        for item in &literal.items {
            if item.kind != ItemKind::String {
                return Err(expected(literal.at(*item), "parse/expected-string", "a string"));
            }
            let (_, value) = lexical::string_literal(literal.at(*item))?;
            values.push(value.into_owned().into());
        }
        let splat = !values.is_empty() && (!is_list || values.iter().all(|value| *value == values[0]));
        if splat {
            values.truncate(1);
        }
        Ok(self.module.intern_attr(Attribute::DenseStringElements { ty, values: values.into(), splat }))
    }

    /// `"0x…" '>' ':' type`: the raw storage of all elements or of one.
    fn hex_elements(&mut self, i: Input<'s>, at: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let Some(length) = lexical::string_length(i) else {
            return Err(fault(i, "parse/unterminated-string", "string literal has no end"));
        };
        let (rest, ()) = punct!(&i[length..], ">")?;
        let (rest, ty) = self.elements_type(rest, ty)?;
        let (shape, element) = self.static_shape(at, ty)?;
        let n_elements = shape.iter().try_fold(1u64, |product, size| product.checked_mul(u64::try_from(*size).ok()?));
        let Some(format) = self.element_format(element) else {
            let mut literal = Literal::new(self.source);
            literal.push(i, ItemKind::String);
            let attr = self.build_strings(&literal, ty, false)?;
            return Ok((rest, attr));
        };
        let (_, data) = hex_string(i)?;
        let width = format.bytes();
        let whole = n_elements.and_then(|n| n.checked_mul(width as u64)) == Some(data.len() as u64);
        if !whole && data.len() != width {
            let message =
                format!("elements hex data size is invalid for provided type: `{}`", self.module.display_type(ty));
            let help = format!("each element takes {width} byte{}", if width == 1 { "" } else { "s" });
            return Err(fault_with_help(at, "parse/invalid-elements", message, help));
        }
        Ok((rest, self.dense_value(ty, data, width)))
    }

    /// dense-resource-elements: `dense_resource '<' key '>' ':' type`, behind the word.
    pub(super) fn dense_resource_elements(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, key) = self.resource_key(i)?;
        let (i, ()) = punct!(i, ">")?;
        let at = i;
        let (i, ty) = self.elements_type(i, ty)?;
        if self.module.shape(ty).is_none() {
            return Err(fault(at, "parse/invalid-elements", "`dense_resource` expected a shaped type"));
        }
        Ok((i, self.module.intern_attr(Attribute::DenseResource { key, ty })))
    }

    /// sparse-elements-attribute: `sparse '<' (indices ',' values)? '>' ':' type`, behind the word.
    pub(super) fn sparse_elements(&mut self, i: Input<'s>, at: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let mut indices = Literal::new(self.source);
        let mut values = Literal::new(self.source);
        let (i, ()) = match accept(i, ">") {
            Some(_) => (i, ()),
            None => {
                let (i, ()) = self.tensor_literal(i, &mut indices, 0, false)?;
                let (i, ()) = punct!(i, ",")?;
                self.tensor_literal(i, &mut values, 0, false)?
            }
        };
        let (i, ()) = punct!(i, ">")?;
        let (i, ty) = self.elements_type(i, ty)?;
        let (shape, element) = self.static_shape(at, ty)?;
        let rank = shape.len() as i64;
        let n_indices = match indices.shape.as_slice() {
            [] => i64::from(!indices.items.is_empty()),
            [first, ..] => *first as i64,
        };
        let i64_type = self.i64_type();
        let indices_type = self.module.tensor_type(&[n_indices, rank], i64_type);
        let values_type = self.module.tensor_type(&[n_indices], element);
        let indices = self.build_elements(at, &indices, indices_type)?;
        let values = self.build_elements(at, &values, values_type)?;
        Ok((i, self.module.intern_attr(Attribute::SparseElements { ty, indices, values })))
    }
}

#[cold]
fn inconsistent_ranks(at: Input<'_>) -> nom::Err<SyntaxError<'_>> {
    let message = "tensor literal is invalid; ranks are not consistent between elements";
    fault(at, "parse/invalid-elements", message)
}

/// element: a number with a sign, a boolean, a string, or a pair of numbers in parentheses.
#[inline]
fn element<'s>(i: Input<'s>, literal: &mut Literal<'s>) -> PResult<'s, ()> {
    let at = skip(i);
    if let Some(rest) = accept(at, "(") {
        if !literal.complex && !literal.items.is_empty() {
            return Err(fault(at, "parse/invalid-elements", "either all elements are pairs or none"));
        }
        literal.complex = true;
        let (rest, ()) = part(rest, literal)?;
        let (rest, ()) = punct!(rest, ",")?;
        let (rest, ()) = part(rest, literal)?;
        return punct!(rest, ")");
    }
    if literal.complex {
        return Err(fault(at, "parse/invalid-elements", "either all elements are pairs or none"));
    }
    part(at, literal)
}

/// A single number, boolean or string.
#[inline]
fn part<'s>(i: Input<'s>, literal: &mut Literal<'s>) -> PResult<'s, ()> {
    let at = skip(i);
    let unsigned = accept(at, "-").unwrap_or(at);
    if let Some((rest, _)) = accept_number(unsigned) {
        literal.push(at, ItemKind::Number);
        return Ok((rest, ()));
    }
    if let Some((rest, value)) = accept_bool(at) {
        literal.push(at, ItemKind::Bool(value));
        return Ok((rest, ()));
    }
    if let Some((rest, _)) = lexical::accept_string(at)? {
        literal.push(at, ItemKind::String);
        return Ok((rest, ()));
    }
    Err(expected(at, "parse/expected-element", "element literal of primitive type"))
}

/// Appends the storage of one element.
#[inline]
fn push_element<'s>(at: Input<'s>, kind: ItemKind, format: &Format, data: &mut Vec<u8>) -> Checked<'s, ()> {
    let bits = match (kind, format) {
        (ItemKind::Number, Format::Float(float)) => {
            let Some((_, negative, number)) = accept_signed_number(at) else {
                return Err(expected(at, "parse/expected-number", "a number"));
            };
            float_bits(at, negative, number, float)?
        }
        (ItemKind::Number, Format::Integer(integer)) => integer_bits(at, *integer)?,
        (ItemKind::Bool(value), Format::Integer(IntegerFormat { width: 1, signedness: Signedness::Signless, .. })) => {
            u128::from(value)
        }
        (ItemKind::Bool(_), _) => {
            return Err(fault(at, "parse/invalid-elements", "expected i1 type for 'true' or 'false' values"));
        }
        (ItemKind::String, _) => {
            let message = "expected string containing hex digits starting with `0x`";
            return Err(fault(at, "parse/invalid-hex", message));
        }
    };
    push_bits(bits, format.bytes(), data);
    Ok(())
}

fn integer_bits<'s>(at: Input<'s>, format: IntegerFormat) -> Checked<'s, u128> {
    let Some((_, negative, number)) = accept_signed_number(at) else {
        return Err(expected(at, "parse/expected-number", "a number"));
    };
    let Number::Integer(text) = number else {
        let message = "expected integer elements, but parsed floating-point";
        return Err(fault(at, "parse/expected-integer", message));
    };
    let Some(value) = format.value(negative, text) else {
        return Err(fault(at, "parse/integer-range", "integer constant out of range for type"));
    };
    let mask = 1u128.checked_shl(format.width).map_or(u128::MAX, |limit| limit - 1);
    Ok(if format.width > 128 { value as u128 } else { value as u128 & mask })
}

/// Whether all elements of `width` bytes are the same.
fn is_splat(data: &[u8], width: usize) -> bool {
    // Each byte equals the one an element further on.
    data.len() >= width && data[width..] == data[..data.len() - width]
}
