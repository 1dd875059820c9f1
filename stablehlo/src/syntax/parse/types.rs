//! Types.

use smallvec::SmallVec;

use super::error::{Checked, POptional, PResult, expected, fault, fault_with_help};
use super::lexical::{self, Input, accept, accept_digits, accept_suffix_id, begins_word, peek, separated, skip};
use super::{Parser, TypeList, punct};
use crate::ir::{AttrId, Attribute, DYNAMIC, FloatKind, RankedTensor, Shape, Signedness, Type, TypeId};

/// MLIR's limit of integer widths.
const MAX_INTEGER_WIDTH: u32 = 16_777_215;

impl<'s> Parser<'s> {
    /// type: `function-type | non-function-type`
    #[inline]
    pub fn type_(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let i = skip(i);
        if i.first() == Some(&b'(') {
            return self.nested(i, Self::function_type);
        }
        self.non_function_type(i)
    }

    /// type-list-no-parens, at least one type.
    pub fn type_list(&mut self, i: Input<'s>) -> PResult<'s, TypeList> {
        let mut types = TypeList::new();
        let (i, ()) = separated(i, |i| {
            let (i, ty) = self.type_(i)?;
            types.push(ty);
            Ok((i, ()))
        })?;
        Ok((i, types))
    }

    /// type-list-parens: `'(' ')' | '(' type-list-no-parens ')'`
    #[inline]
    pub fn type_list_parens(&mut self, i: Input<'s>) -> PResult<'s, TypeList> {
        let (i, ()) = punct!(i, "(")?;
        if let Some(rest) = accept(i, ")") {
            return Ok((rest, TypeList::new()));
        }
        let (i, types) = self.type_list(i)?;
        let (i, ()) = punct!(i, ")")?;
        Ok((i, types))
    }

    /// function-result-type: `type-list-parens | non-function-type`
    #[inline]
    pub fn function_result_types(&mut self, i: Input<'s>) -> PResult<'s, TypeList> {
        if peek(i) == b'(' {
            return self.type_list_parens(i);
        }
        let (i, ty) = self.non_function_type(i)?;
        Ok((i, SmallVec::from_slice(&[ty])))
    }

    /// function-type: `type-list-parens '->' function-result-type`
    pub fn function_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let (i, inputs) = self.type_list_parens(i)?;
        let (i, ()) = punct!(i, "->")?;
        let (i, results) = self.function_result_types(i)?;
        let ty = Type::Function { inputs: inputs.as_slice().into(), results: results.as_slice().into() };
        Ok((i, self.module.intern_type(ty)))
    }

    /// non-function-type
    pub fn non_function_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let i = skip(i);
        if let Some((rest, text)) = plain_tensor_text(i) {
            if let Some(ty) = self.type_texts.get(text) {
                return Ok((rest, *ty));
            }
            let (rest, ty) = self.slow_type(i)?;
            self.type_texts.insert(text, ty);
            return Ok((rest, ty));
        }
        self.slow_type(i)
    }

    fn slow_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        match self.accept_type(i)? {
            Some(read) => Ok(read),
            None => Err(expected(i, "parse/expected-type", "a type")),
        }
    }

    /// non-function-type, or none when no type begins here.
    pub(super) fn accept_type(&mut self, i: Input<'s>) -> POptional<'s, TypeId> {
        let i = skip(i);
        if i.first() == Some(&b'!') {
            return self.nested(i, Self::extended_type).map(Some);
        }
        let Some((rest, word)) = lexical::accept_word(i) else {
            return Ok(None);
        };
        let production = match word {
            b"tensor" => Self::tensor_type,
            b"complex" => Self::complex_type,
            b"tuple" => Self::tuple_type,
            b"vector" => Self::vector_type,
            b"memref" => Self::memref_type,
            _ => return Ok(self.scalar_type(i, word)?.map(|ty| (rest, ty))),
        };
        self.nested(rest, |parser, rest| production(parser, rest, i)).map(Some)
    }

    /// A type that is one word.
    fn scalar_type(&mut self, at: Input<'s>, word: &[u8]) -> Checked<'s, Option<TypeId>> {
        let ty = match word {
            b"index" => Type::Index,
            b"none" => Type::None,
            b"token" => Type::BuiltinToken,
            _ => match integer_type(word) {
                Some(Some(ty)) => ty,
                Some(None) => {
                    let message = format!("integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits");
                    return Err(fault(at, "parse/integer-width", message));
                }
                None => match std::str::from_utf8(word).ok().and_then(FloatKind::from_name) {
                    Some(kind) => Type::Float(kind),
                    None => return Ok(None),
                },
            },
        };
        Ok(Some(self.module.intern_type(ty)))
    }

    /// tensor-type: `tensor '<' dimension-list type (',' attribute)? '>'`
    fn tensor_type(&mut self, i: Input<'s>, at: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        if let Some(rest) = accept(i, "*") {
            let (rest, ()) = x_in_dimension_list(rest)?;
            let (rest, element) = self.type_(rest)?;
            self.check_tensor_element(at, element)?;
            let (rest, ()) = punct!(rest, ">")?;
            return Ok((rest, self.module.intern_type(Type::UnrankedTensor { element })));
        }
        let (i, shape) = dimension_list(i)?;
        let (mut i, element) = self.type_(i)?;
        let mut encoding = None;
        if let Some(rest) = accept(i, ",") {
            let encoding_at = rest;
            let (rest, attr) = self.attribute(rest)?;
            self.check_encoding(encoding_at, attr, &shape)?;
            encoding = Some(attr);
            i = rest;
        }
        self.check_tensor_element(at, element)?;
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_type(Type::RankedTensor(RankedTensor { shape, element, encoding }))))
    }

    fn check_tensor_element(&self, at: Input<'s>, element: TypeId) -> Checked<'s, ()> {
        if !is_never_element(self.module.ty(element)) {
            return Ok(());
        }
        let message = format!("invalid tensor element type: `{}`", self.module.display_type(element));
        Err(fault(at, "parse/invalid-element-type", message))
    }

    /// Bounds must have one entry per dimension, and only dynamic dimensions have bounds.
    fn check_encoding(&self, at: Input<'s>, encoding: AttrId, shape: &Shape) -> Checked<'s, ()> {
        let Attribute::Bounds(bounds) = self.module.attr(encoding) else {
            return Ok(());
        };
        if bounds.len() != shape.len() {
            let message = format!("bounds have {} entries, but the type has rank {}", bounds.len(), shape.len());
            return Err(fault(at, "parse/invalid-bounds", message));
        }
        match bounds.iter().zip(shape).position(|(bound, size)| *bound != DYNAMIC && *size != DYNAMIC) {
            Some(dim) => {
                let message = format!("static dimension {dim} cannot have a bound, use `?` for it");
                Err(fault(at, "parse/invalid-bounds", message))
            }
            None => Ok(()),
        }
    }

    /// complex-type: `complex '<' type '>'`
    fn complex_type(&mut self, i: Input<'s>, at: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, part) = self.type_(i)?;
        let (i, ()) = punct!(i, ">")?;
        if !matches!(self.module.ty(part), Type::Integer { .. } | Type::Float(_)) {
            return Err(fault(at, "parse/invalid-element-type", "complex parts must be integers or floats"));
        }
        Ok((i, self.module.intern_type(Type::Complex(part))))
    }

    /// tuple-type: `tuple '<' (type (',' type)*)? '>'`
    fn tuple_type(&mut self, i: Input<'s>, _at: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, types) = match accept(i, ">") {
            Some(_) => (i, TypeList::new()),
            None => self.type_list(i)?,
        };
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_type(Type::Tuple(types.as_slice().into()))))
    }

    /// vector-type: `vector '<' (dimension | '[' dimension ']') … type '>'`
    fn vector_type(&mut self, i: Input<'s>, at: Input<'s>) -> PResult<'s, TypeId> {
        let (mut i, ()) = punct!(i, "<")?;
        let mut shape = Shape::new();
        let mut scalable = SmallVec::new();
        loop {
            let (open, in_brackets) = match accept(i, "[") {
                Some(rest) => (rest, true),
                None => (i, false),
            };
            let Some((mut rest, size)) = dimension(open)? else {
                if in_brackets {
                    return Err(expected(open, "parse/expected-dimension", "a dimension"));
                }
                break;
            };
            if size <= 0 {
                return Err(fault(open, "parse/invalid-dimension", "vector types must have positive constant sizes"));
            }
            if in_brackets {
                (rest, ()) = punct!(rest, "]")?;
            }
            (i, ()) = x_in_dimension_list(rest)?;
            shape.push(size);
            scalable.push(in_brackets);
        }
        let (i, element) = self.type_(i)?;
        let (i, ()) = punct!(i, ">")?;
        let ty = self.module.ty(element);
        if is_never_element(ty) || matches!(ty, Type::Vector { .. } | Type::Complex(_)) {
            let message = "vector elements must be int, index, float or a dialect's scalar type";
            return Err(fault(at, "parse/invalid-element-type", message));
        }
        Ok((i, self.module.intern_type(Type::Vector { shape, scalable, element })))
    }

    /// memref-type: `memref '<' dimension-list type (',' layout)? (',' memory-space)? '>'`
    fn memref_type(&mut self, i: Input<'s>, _at: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, shape) = match accept(i, "*") {
            Some(rest) => (x_in_dimension_list(rest)?.0, None),
            None => {
                let (rest, shape) = dimension_list(i)?;
                (rest, Some(shape))
            }
        };
        let (mut i, element) = self.type_(i)?;
        let (mut layout, mut memory_space) = (None, None);
        while let Some(rest) = accept(i, ",") {
            let at = rest;
            let (rest, attr) = self.attribute(rest)?;
            let is_layout = matches!(self.module.attr(attr), Attribute::AffineMap(_) | Attribute::StridedLayout { .. });
            if is_layout && layout.is_none() && memory_space.is_none() && shape.is_some() {
                layout = Some(attr);
            } else if memory_space.is_none() && !is_layout {
                memory_space = Some(attr);
            } else {
                return Err(fault(at, "parse/invalid-memref", "a memref has at most one layout and one memory space"));
            }
            i = rest;
        }
        let (i, ()) = punct!(i, ">")?;
        if let Some(attr) = layout
            && self.is_identity_layout(attr)
        {
            layout = None;
        }
        Ok((i, self.module.intern_type(Type::MemRef { shape, element, layout, memory_space })))
    }

    fn is_identity_layout(&self, layout: AttrId) -> bool {
        use crate::ir::AffineExpr;
        matches!(self.module.attr(layout), Attribute::AffineMap(map)
            if map.symbols == 0 && map.results.len() == map.dims as usize
                && map.results.iter().enumerate().all(|(index, result)| *result == AffineExpr::Dim(index as u32)))
    }

    /// extended-type: `'!' (alias | dialect '.' name ('<' … '>')? | dialect '<' … '>')`
    fn extended_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let at = i;
        let Some((rest, name)) = accept_suffix_id(i, b'!') else {
            return Err(expected(i, "parse/expected-type", "a type"));
        };
        let dot = name.iter().position(|byte| *byte == b'.');
        if dot.is_none() && rest.first() != Some(&b'<') {
            return match self.type_aliases.get(name).copied() {
                Some(ty) => {
                    self.expand(at, self.module.type_extent(ty), false)?;
                    Ok((rest, ty))
                }
                None => {
                    let message = format!("undefined symbol alias id `{}`", String::from_utf8_lossy(name));
                    Err(fault_with_help(
                        at,
                        "parse/undefined-alias",
                        message,
                        "type aliases are defined before their use",
                    ))
                }
            };
        }
        let dialect = &name[..dot.unwrap_or(name.len())];
        if dialect.is_empty() {
            return Err(fault(at, "parse/unknown-dialect", "a name without dialect in front of the dot"));
        }
        match dialect {
            b"stablehlo" | b"quant" => {
                // Both spellings, `!d.name<…>` and `!d<name<…>>`, are read token by token.
                let body_at = &at[1 + dialect.len() + 1..];
                let (rest, ty) = match dialect {
                    b"quant" => self.quant_type(body_at, at)?,
                    _ => self.stablehlo_type(body_at, at)?,
                };
                match dot {
                    Some(_) => Ok((rest, ty)),
                    None => {
                        let (rest, ()) = punct!(rest, ">")?;
                        Ok((rest, ty))
                    }
                }
            }
            _ => {
                let (rest, dialect, body) = self.opaque_symbol(at, rest, name, dot)?;
                Ok((rest, self.module.intern_type(Type::Opaque { dialect, body })))
            }
        }
    }

    /// `stablehlo`'s types: `token`, `future<T, …>`
    fn stablehlo_type(&mut self, i: Input<'s>, at: Input<'s>) -> PResult<'s, TypeId> {
        let (rest, name) = lexical::bare_id(i)?;
        match name {
            b"token" => Ok((rest, self.module.intern_type(Type::Token))),
            b"future" => {
                let (rest, ()) = punct!(rest, "<")?;
                let (rest, types) = self.type_list(rest)?;
                let (rest, ()) = punct!(rest, ">")?;
                Ok((rest, self.module.intern_type(Type::Future(types.as_slice().into()))))
            }
            _ => {
                let message = format!("unknown type `{}` in dialect `stablehlo`", String::from_utf8_lossy(name));
                Err(fault(at, "parse/unknown-type", message))
            }
        }
    }

    /// The namespace and the body of `!d.body`, `!d.body<…>`, `!d<body>` or the same with `#`: both forms give the same body
    /// when the dotted form can spell it.
    pub(super) fn opaque_symbol(
        &mut self,
        at: Input<'s>,
        rest: Input<'s>,
        name: &'s [u8],
        dot: Option<usize>,
    ) -> Checked<'s, (Input<'s>, crate::ir::NameId, Box<str>)> {
        let (rest, body) = match (dot, rest.first()) {
            (Some(dot), Some(b'<')) => {
                let (after, _) = lexical::opaque_body(rest)?;
                (after, &at[1 + dot + 1..at.len() - after.len()])
            }
            (Some(dot), _) => (rest, &name[dot + 1..]),
            (None, _) => lexical::opaque_body(rest)?,
        };
        let dialect = self.name_of_bytes(at, &name[..dot.unwrap_or(name.len())])?;
        match std::str::from_utf8(body) {
            Ok(body) => Ok((rest, dialect, body.into())),
            Err(_) => Err(fault(at, "parse/invalid-name", "the body of a dialect's type or attribute must be UTF-8")),
        }
    }

    /// type-alias-def: `'!' alias-name '=' type`
    pub(super) fn type_alias_def(&mut self, i: Input<'s>) -> PResult<'s, ()> {
        let at = i;
        let Some((i, name)) = accept_suffix_id(i, b'!') else {
            return Err(expected(i, "parse/expected-type", "a type alias"));
        };
        self.check_alias_name(at, name, self.type_aliases.contains_key(name))?;
        let (i, ()) = punct!(i, "=")?;
        let (i, ty) = self.type_(i)?;
        self.type_aliases.insert(name, ty);
        Ok((i, ()))
    }

    pub(super) fn check_alias_name(&self, at: Input<'s>, name: &[u8], is_defined: bool) -> Checked<'s, ()> {
        let shown = String::from_utf8_lossy(name);
        if is_defined {
            return Err(fault(at, "parse/alias-redefinition", format!("redefinition of alias id `{shown}`")));
        }
        if name.contains(&b'.') {
            let message = format!("alias `{shown}` contains a `.`, which is reserved for names of dialects");
            return Err(fault(at, "parse/invalid-alias", message));
        }
        Ok(())
    }
}

/// The text of a tensor type without anything nested or unusual in it, which can be looked up whole.
#[inline]
fn plain_tensor_text(i: Input<'_>) -> Option<(Input<'_>, &[u8])> {
    let body = i.strip_prefix(b"tensor<")?;
    let length = body.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'?')?;
    (body[length] == b'>').then(|| (&body[length + 1..], &i[..b"tensor<".len() + length + 1]))
}

/// `iN`, `siN`, `uiN`: none when the word is no integer type, and none inside when the width is too large.
fn integer_type(word: &[u8]) -> Option<Option<Type>> {
    let (signedness, digits) = match word {
        [b'i', digits @ ..] => (Signedness::Signless, digits),
        [b's', b'i', digits @ ..] => (Signedness::Signed, digits),
        [b'u', b'i', digits @ ..] => (Signedness::Unsigned, digits),
        _ => return None,
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let width = std::str::from_utf8(digits).ok()?.parse::<u32>().ok().filter(|width| *width <= MAX_INTEGER_WIDTH);
    Some(width.map(|width| Type::Integer { width, signedness }))
}

/// dimension-list: `(dimension 'x')*`, up to what is no dimension.
fn dimension_list(mut i: Input<'_>) -> PResult<'_, Shape> {
    let mut shape = Shape::new();
    loop {
        let size = match accept(i, "?") {
            Some(rest) => Some((rest, DYNAMIC)),
            None => dimension(i)?,
        };
        let Some((rest, size)) = size else {
            return Ok((i, shape));
        };
        shape.push(size);
        (i, ()) = x_in_dimension_list(rest)?;
    }
}

/// A static dimension size, if one is next; of `0x1F` only the zero is taken.
fn dimension(i: Input<'_>) -> POptional<'_, i64> {
    let at = skip(i);
    if !at.first().is_some_and(u8::is_ascii_digit) {
        return Ok(None);
    }
    let Some((rest, digits)) = (match at {
        [b'0', b'x', ..] => Some((&at[1..], &at[..1])),
        _ => accept_digits(at),
    }) else {
        return Ok(None);
    };
    match std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()) {
        Some(size) => Ok(Some((rest, size))),
        None => Err(fault(at, "parse/invalid-dimension", "dimension size does not fit 64 bits")),
    }
}

/// The `x` between dimensions, which may touch what follows.
fn x_in_dimension_list(i: Input<'_>) -> PResult<'_, ()> {
    match skip(i) {
        [b'x', rest @ ..] => Ok((rest, ())),
        _ => Err(expected(i, "parse/expected-dimension", "`x` in the dimension list")),
    }
}

/// Whether a type of the builtin dialect is no element of tensors or vectors.
fn is_never_element(ty: &Type) -> bool {
    matches!(
        ty,
        Type::None
            | Type::Tuple(_)
            | Type::Function { .. }
            | Type::RankedTensor(_)
            | Type::UnrankedTensor { .. }
            | Type::MemRef { .. }
            | Type::BuiltinToken
    )
}

/// Whether a type may begin with this byte.
pub(super) fn begins_type(byte: u8) -> bool {
    begins_word(byte) || byte == b'!' || byte == b'('
}
