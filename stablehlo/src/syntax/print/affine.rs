//! Affine maps and integer sets.

use super::Printer;
use super::write::{push_i64, push_u64};
use crate::ir::{AffineExpr, AffineMap, AffineOp, IntegerSet};

impl Printer<'_> {
    /// `affine_map<(d0)[s0] -> (d0 + s0)>`
    pub(super) fn affine_map(&mut self, map: &AffineMap) {
        self.out.push_str("affine_map<");
        self.affine_space(map.dims, map.symbols);
        self.out.push_str(" -> (");
        for (index, result) in map.results.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.affine(result, false);
        }
        self.out.push_str(")>");
    }

    /// `affine_set<(d0) : (d0 - 1 >= 0)>`
    pub(super) fn integer_set(&mut self, set: &IntegerSet) {
        self.out.push_str("affine_set<");
        self.affine_space(set.dims, set.symbols);
        self.out.push_str(" : (");
        for (index, (expression, is_equality)) in set.constraints.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.affine(expression, false);
            self.out.push_str(if *is_equality { " == 0" } else { " >= 0" });
        }
        if set.constraints.is_empty() {
            self.out.push_str("0 == 0");
        }
        self.out.push_str(")>");
    }

    /// `(d0, d1)[s0]`
    fn affine_space(&mut self, dims: u32, symbols: u32) {
        self.out.push('(');
        self.numbered("d", dims);
        self.out.push(')');
        if symbols > 0 {
            self.out.push('[');
            self.numbered("s", symbols);
            self.out.push(']');
        }
    }

    fn numbered(&mut self, prefix: &str, count: u32) {
        for index in 0..count {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.out.push_str(prefix);
            push_u64(&mut self.out, u64::from(index));
        }
    }

    /// An expression; in parentheses when `tight`, that is beside an operator that binds more than a sum.
    fn affine(&mut self, expression: &AffineExpr, tight: bool) {
        if !self.enter() {
            return;
        }
        match expression {
            AffineExpr::Dim(index) => {
                self.out.push('d');
                push_u64(&mut self.out, u64::from(*index));
            }
            AffineExpr::Symbol(index) => {
                self.out.push('s');
                push_u64(&mut self.out, u64::from(*index));
            }
            AffineExpr::Constant(number) => push_i64(&mut self.out, *number),
            AffineExpr::Binary(op, lhs, rhs) => {
                self.out.push_str(if tight { "(" } else { "" });
                match op {
                    AffineOp::Add => self.affine_sum(lhs, rhs),
                    AffineOp::Mul => self.affine_product(lhs, rhs),
                    AffineOp::Mod => self.affine_operator(lhs, " mod ", rhs),
                    AffineOp::FloorDiv => self.affine_operator(lhs, " floordiv ", rhs),
                    AffineOp::CeilDiv => self.affine_operator(lhs, " ceildiv ", rhs),
                }
                self.out.push_str(if tight { ")" } else { "" });
            }
        }
        self.leave();
    }

    fn affine_operator(&mut self, lhs: &AffineExpr, operator: &str, rhs: &AffineExpr) {
        self.affine(lhs, true);
        self.out.push_str(operator);
        self.affine(rhs, true);
    }

    /// `d0 * 2`; a product with −1 is a sign.
    fn affine_product(&mut self, lhs: &AffineExpr, rhs: &AffineExpr) {
        if *rhs == AffineExpr::Constant(-1) {
            self.out.push('-');
            return self.affine(lhs, true);
        }
        self.affine_operator(lhs, " * ", rhs);
    }

    /// `d0 + d1`; what is added with a negative sign or factor is subtracted.
    fn affine_sum(&mut self, lhs: &AffineExpr, rhs: &AffineExpr) {
        self.affine(lhs, false);
        match rhs {
            AffineExpr::Constant(number) if *number < 0 => {
                self.out.push_str(" - ");
                push_u64(&mut self.out, number.unsigned_abs());
            }
            AffineExpr::Binary(AffineOp::Mul, term, factor) => match **factor {
                AffineExpr::Constant(-1) => {
                    self.out.push_str(" - ");
                    self.affine(term, matches!(**term, AffineExpr::Binary(AffineOp::Add, ..)));
                }
                AffineExpr::Constant(factor) if factor < -1 => {
                    self.out.push_str(" - ");
                    self.affine(term, true);
                    self.out.push_str(" * ");
                    push_u64(&mut self.out, factor.unsigned_abs());
                }
                _ => self.affine_plus(rhs),
            },
            _ => self.affine_plus(rhs),
        }
    }

    fn affine_plus(&mut self, rhs: &AffineExpr) {
        self.out.push_str(" + ");
        self.affine(rhs, false);
    }
}
