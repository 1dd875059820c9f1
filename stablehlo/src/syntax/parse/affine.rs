//! Affine maps and integer sets.

use std::cell::Cell;

use super::error::{Checked, PResult, expected, fault};
use super::lexical::{self, Input, accept, accept_keyword, accept_number, separated, separated_until, skip};
use super::{Parser, punct};
use crate::ir::{AffineExpr, AffineMap, AffineOp, AttrId, Attribute, IntegerSet};

/// Names of dimensions and symbols.
struct Space<'s> {
    dims: Vec<&'s [u8]>,
    symbols: Vec<&'s [u8]>,
    /// How many operators may still come.
    operators_left: Cell<u32>,
}

impl Space<'_> {
    /// Counts an operator.
    fn operator<'s>(&self, at: Input<'s>) -> Checked<'s, ()> {
        match self.operators_left.get().checked_sub(1) {
            Some(left) => {
                self.operators_left.set(left);
                Ok(())
            }
            None => {
                let message = format!("more than {MAX_OPERATORS} operators in an affine map or set");
                Err(fault(at, "parse/too-deep", message))
            }
        }
    }
}

impl<'s> Parser<'s> {
    /// `affine_map '<' affine-map '>'`, after the word; affine-map: `'(' dims ')' ('[' symbols ']')? '->' '(' results ')'`
    pub(super) fn affine_map_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, space) = self.dim_and_symbol_id_lists(i)?;
        let (i, ()) = punct!(i, "->")?;
        let (i, results) = parenthesized(i, |i| self.affine_expr(i, &space))?;
        let (i, ()) = punct!(i, ">")?;
        let map = AffineMap { dims: space.dims.len() as u32, symbols: space.symbols.len() as u32, results };
        Ok((i, self.module.intern_attr(Attribute::AffineMap(Box::new(map)))))
    }

    /// `affine_set '<' integer-set '>'`, after the word.
    pub(super) fn integer_set_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, space) = self.dim_and_symbol_id_lists(i)?;
        let (i, ()) = punct!(i, ":")?;
        let (i, constraints) = parenthesized(i, |i| self.affine_constraint(i, &space))?;
        let (i, ()) = punct!(i, ">")?;
        let set = IntegerSet { dims: space.dims.len() as u32, symbols: space.symbols.len() as u32, constraints };
        Ok((i, self.module.intern_attr(Attribute::IntegerSet(Box::new(set)))))
    }

    /// affine-constraint: `affine-expr ('>=' | '==' | '<=') affine-expr`, as an expression compared with zero.
    fn affine_constraint(&mut self, i: Input<'s>, space: &Space<'s>) -> PResult<'s, (AffineExpr, bool)> {
        let (i, left) = self.affine_expr(i, space)?;
        let operator = |i, first: &str| accept(i, first).and_then(|rest| rest.strip_prefix(b"="));
        let (rest, swap, is_equality) = if let Some(rest) = operator(i, ">") {
            (rest, false, false)
        } else if let Some(rest) = operator(i, "=") {
            (rest, false, true)
        } else if let Some(rest) = operator(i, "<") {
            (rest, true, false)
        } else {
            return Err(expected(i, "parse/expected-punctuation", "`==` or `>=`"));
        };
        let (rest, right) = self.affine_expr(rest, space)?;
        let (left, right) = if swap { (right, left) } else { (left, right) };
        Ok((rest, (subtract(left, right), is_equality)))
    }

    /// dim-and-symbol-id-lists: `'(' bare-id-list ')' ('[' bare-id-list ']')?`
    fn dim_and_symbol_id_lists(&mut self, i: Input<'s>) -> PResult<'s, Space<'s>> {
        let at = i;
        let (i, ()) = punct!(i, "(")?;
        let (i, dims) = id_list(i)?;
        let (mut i, ()) = punct!(i, ")")?;
        let mut symbols = Vec::new();
        if let Some(rest) = accept(i, "[") {
            (i, symbols) = id_list(rest)?;
            (i, ()) = punct!(i, "]")?;
        }
        let mut sorted: Vec<_> = dims.iter().chain(&symbols).collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(fault(at, "parse/duplicate-identifier", "redefinition of an identifier of the affine map"));
        }
        Ok((i, Space { dims, symbols, operators_left: Cell::new(MAX_OPERATORS) }))
    }

    /// affine-expr: sums of products.
    fn affine_expr(&mut self, i: Input<'s>, space: &Space<'s>) -> PResult<'s, AffineExpr> {
        self.nested(i, |parser, i| {
            let (mut i, mut left) = parser.affine_term(i, space)?;
            loop {
                let (rest, negate) = match (accept(i, "+"), accept(i, "-")) {
                    (Some(rest), _) => (rest, false),
                    (_, Some(rest)) => (rest, true),
                    _ => return Ok((i, left)),
                };
                space.operator(i)?;
                let (rest, right) = parser.affine_term(rest, space)?;
                left = if negate { subtract(left, right) } else { binary(AffineOp::Add, left, right) };
                i = rest;
            }
        })
    }

    /// A product: `factor (('*' | 'mod' | 'floordiv' | 'ceildiv') factor)*`
    fn affine_term(&mut self, i: Input<'s>, space: &Space<'s>) -> PResult<'s, AffineExpr> {
        let (mut i, mut left) = self.affine_factor(i, space)?;
        loop {
            let (rest, op) = if let Some(rest) = accept(i, "*") {
                (rest, AffineOp::Mul)
            } else if let Some(rest) = accept_keyword(i, "mod") {
                (rest, AffineOp::Mod)
            } else if let Some(rest) = accept_keyword(i, "floordiv") {
                (rest, AffineOp::FloorDiv)
            } else if let Some(rest) = accept_keyword(i, "ceildiv") {
                (rest, AffineOp::CeilDiv)
            } else {
                return Ok((i, left));
            };
            space.operator(i)?;
            let at = rest;
            let (rest, right) = self.affine_factor(rest, space)?;
            let symbolic = |expr: &AffineExpr| !mentions_dim(expr);
            let is_affine = symbolic(&right) || (op == AffineOp::Mul && symbolic(&left));
            if !is_affine {
                let message = "one operand of a product, and every divisor, must be a constant or a symbol";
                return Err(fault(at, "parse/not-affine", message));
            }
            left = binary(op, left, right);
            i = rest;
        }
    }

    fn affine_factor(&mut self, i: Input<'s>, space: &Space<'s>) -> PResult<'s, AffineExpr> {
        let at = skip(i);
        if let Some(rest) = accept(at, "(") {
            let (rest, inner) = self.affine_expr(rest, space)?;
            let (rest, ()) = punct!(rest, ")")?;
            return Ok((rest, inner));
        }
        if let Some(rest) = accept(at, "-") {
            let (rest, inner) = self.nested(rest, |parser, rest| parser.affine_factor(rest, space))?;
            return Ok((rest, binary(AffineOp::Mul, inner, AffineExpr::Constant(-1))));
        }
        if let Some((rest, lexical::Number::Integer(text))) = accept_number(at) {
            return match lexical::integer_value(text).and_then(|value| i64::try_from(value).ok()) {
                Some(value) => Ok((rest, AffineExpr::Constant(value))),
                None => Err(fault(at, "parse/integer-range", "constant too large for an affine expression")),
            };
        }
        let Some((rest, word)) = lexical::accept_word(at) else {
            return Err(expected(at, "parse/expected-affine", "an affine expression"));
        };
        if let Some(index) = space.dims.iter().position(|name| *name == word) {
            return Ok((rest, AffineExpr::Dim(index as u32)));
        }
        if let Some(index) = space.symbols.iter().position(|name| *name == word) {
            return Ok((rest, AffineExpr::Symbol(index as u32)));
        }
        let message = format!("use of undeclared identifier `{}`", String::from_utf8_lossy(word));
        Err(fault(at, "parse/undefined-identifier", message))
    }
}

/// So many operators may one map or set have, so that the tree of an expression is never too deep.
const MAX_OPERATORS: u32 = 2048;

/// `'(' (item (',' item)*)? ')'`
fn parenthesized<'s, T>(i: Input<'s>, mut item: impl FnMut(Input<'s>) -> PResult<'s, T>) -> PResult<'s, Vec<T>> {
    let (i, ()) = punct!(i, "(")?;
    let mut items = Vec::new();
    let (i, ()) = separated_until(i, ")", "`)`", |i| {
        let (i, read) = item(i)?;
        items.push(read);
        Ok((i, ()))
    })?;
    Ok((i, items))
}

/// bare-id-list: `(bare-id (',' bare-id)*)?`
fn id_list(i: Input<'_>) -> PResult<'_, Vec<&[u8]>> {
    let mut names = Vec::new();
    if lexical::accept_word(i).is_none() {
        return Ok((i, names));
    }
    let (i, ()) = separated(i, |i| {
        let (i, name) = lexical::bare_id(i)?;
        names.push(name);
        Ok((i, ()))
    })?;
    Ok((i, names))
}

fn mentions_dim(expr: &AffineExpr) -> bool {
    match expr {
        AffineExpr::Dim(_) => true,
        AffineExpr::Symbol(_) | AffineExpr::Constant(_) => false,
        AffineExpr::Binary(_, left, right) => mentions_dim(left) || mentions_dim(right),
    }
}

fn subtract(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    let negated = binary(AffineOp::Mul, right, AffineExpr::Constant(-1));
    binary(AffineOp::Add, left, negated)
}

/// `left op right`, simplified where MLIR does so on construction: constants are folded and stand on the right, neutral
/// elements vanish.
fn binary(op: AffineOp, left: AffineExpr, right: AffineExpr) -> AffineExpr {
    use AffineExpr::{Binary, Constant};
    use AffineOp::{Add, CeilDiv, FloorDiv, Mod, Mul};
    let (left, right) = match op {
        Add | Mul if matches!(left, Constant(_)) && !matches!(right, Constant(_)) => (right, left),
        _ => (left, right),
    };
    if let (Constant(x), Constant(y)) = (&left, &right) {
        let folded = match op {
            Add => x.checked_add(*y),
            Mul => x.checked_mul(*y),
            Mod if *y > 0 => x.checked_rem_euclid(*y),
            FloorDiv if *y > 0 => x.checked_div_euclid(*y),
            CeilDiv if *y > 0 => x.checked_neg().and_then(|x| x.checked_div_euclid(*y)).and_then(i64::checked_neg),
            _ => None,
        };
        if let Some(value) = folded {
            return Constant(value);
        }
    }
    match (op, left, right) {
        (Add, left, Constant(0)) | (Mul | FloorDiv | CeilDiv, left, Constant(1)) => left,
        (Mul, _, Constant(0)) | (Mod, _, Constant(1)) => Constant(0),
        // (x + 1) + 2 is x + 3, (x * 2) * 3 is x * 6.
        (Add, Binary(Add, inner, constant), Constant(y)) if matches!(*constant, Constant(_)) => match *constant {
            Constant(x) if x.checked_add(y).is_some() => binary(Add, *inner, Constant(x + y)),
            constant => pair(Add, pair(Add, *inner, constant), Constant(y)),
        },
        (Mul, Binary(Mul, inner, constant), Constant(y)) if matches!(*constant, Constant(_)) => match *constant {
            Constant(x) if x.checked_mul(y).is_some() => binary(Mul, *inner, Constant(x * y)),
            constant => pair(Mul, pair(Mul, *inner, constant), Constant(y)),
        },
        (op, left, right) => pair(op, left, right),
    }
}

fn pair(op: AffineOp, left: AffineExpr, right: AffineExpr) -> AffineExpr {
    AffineExpr::Binary(op, Box::new(left), Box::new(right))
}
