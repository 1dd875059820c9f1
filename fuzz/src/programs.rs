//! Programs that are valid by construction, made of bytes: elementwise ops, ops that move data, reductions and loops.
//!
//! Functions whose results are free in their last places are left out, so that two engines must agree to the bit.

use std::fmt::Write;

/// Choices drawn from bytes; when they are used up, every choice is the first.
pub struct Choices<'b>(pub &'b [u8]);

impl Choices<'_> {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % n.max(1)
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A value of the program.
#[derive(Clone)]
struct Value {
    name: String,
    element: &'static str,
    shape: Vec<usize>,
}

fn type_of(element: &str, shape: &[usize]) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{element}>")
}

impl Value {
    fn ty(&self) -> String {
        type_of(self.element, &self.shape)
    }

    fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

const ELEMENTS: &[&str] = &["f32", "i32", "i1", "bf16", "f64", "ui8", "i64", "f16"];
/// Elements that a value may have: enough for several tiles of a fused loop.
const MAX_LEN: usize = 4096;

struct Program<'c, 'b> {
    choices: &'c mut Choices<'b>,
    text: String,
    n_names: usize,
}

/// A program of some ops; all of its last values are results.
pub fn program(choices: &mut Choices<'_>) -> String {
    let mut program = Program { choices, text: String::new(), n_names: 0 };
    let n_arguments = 1 + program.choices.below(3);
    let mut values: Vec<Value> = (0..n_arguments)
        .map(|index| {
            let rank = program.choices.below(4);
            let shape = (0..rank).map(|_| program.choices.of(&[3, 1, 4, 2, 7, 16, 0, 33])).collect::<Vec<usize>>();
            let shape = if shape.iter().product::<usize>() > MAX_LEN { vec![3] } else { shape };
            Value { name: format!("%a{index}"), element: program.choices.of(ELEMENTS), shape }
        })
        .collect();
    let arguments: Vec<String> = values.iter().map(|value| format!("{}: {}", value.name, value.ty())).collect();
    let n_ops = 2 + program.choices.below(24);
    program.ops(&mut values, n_ops, 0);
    let results = &values[values.len().saturating_sub(4)..];
    let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
    let types: Vec<String> = results.iter().map(Value::ty).collect();
    format!(
        "func.func @main({}) -> ({types}) {{\n{}  return {} : {types}\n}}\n",
        arguments.join(", "),
        program.text,
        names.join(", "),
        types = types.join(", ")
    )
}

impl Program<'_, '_> {
    fn ops(&mut self, values: &mut Vec<Value>, n_ops: usize, depth: usize) {
        for _ in 0..n_ops {
            let made = match self.choices.below(if depth < 2 { 10 } else { 9 }) {
                0 | 1 => self.binary(values),
                2 => self.unary(values),
                3 => self.choice(values),
                4 => self.convert(values),
                5 => self.moved(values),
                6 => self.resized(values),
                7 => self.reduce(values),
                8 => self.joined(values),
                _ => self.repeated(values, depth),
            };
            values.extend(made);
        }
    }

    fn new_value(&mut self, element: &'static str, shape: Vec<usize>) -> Value {
        self.n_names += 1;
        Value { name: format!("%v{}", self.n_names), element, shape }
    }

    /// Writes `result = op`.
    fn put(&mut self, result: Value, op: &str) -> Option<Value> {
        let _ = writeln!(self.text, "  {} = {op}", result.name);
        Some(result)
    }

    fn any(&mut self, values: &[Value]) -> Value {
        // Recent values are more likely, so that programs are deep.
        let back = self.choices.below(values.len().min(6));
        values[values.len() - 1 - back].clone()
    }

    /// A value of the same type as `like`, itself if there is no other.
    fn alike(&mut self, values: &[Value], like: &Value) -> Value {
        let same: Vec<&Value> =
            values.iter().filter(|value| value.element == like.element && value.shape == like.shape).collect();
        same[self.choices.below(same.len())].clone()
    }

    fn binary(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        let b = self.alike(values, &a);
        let op = match a.element {
            "i1" => self.choices.of(&["and", "or", "xor", "add", "maximum", "minimum"]),
            element if element.contains('i') => self.choices.of(&[
                "add",
                "subtract",
                "multiply",
                "maximum",
                "minimum",
                "and",
                "xor",
                "divide",
                "remainder",
                "shift_left",
                "shift_right_logical",
                "shift_right_arithmetic",
            ]),
            _ => self.choices.of(&["add", "subtract", "multiply", "maximum", "minimum", "divide"]),
        };
        let result = self.new_value(a.element, a.shape.clone());
        self.put(result, &format!("stablehlo.{op} {}, {} : {}", a.name, b.name, a.ty()))
    }

    fn unary(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        let op = match a.element {
            "i1" => "not",
            "ui8" => self.choices.of(&["not", "popcnt", "count_leading_zeros"]),
            element if element.contains('i') => self.choices.of(&["negate", "abs", "sign", "not", "popcnt"]),
            _ => self.choices.of(&["negate", "abs", "sign", "floor", "ceil", "round_nearest_even", "sqrt"]),
        };
        let result = self.new_value(a.element, a.shape.clone());
        self.put(result, &format!("stablehlo.{op} {} : {}", a.name, a.ty()))
    }

    /// A comparison and a selection by it.
    fn choice(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        let (b, c) = (self.alike(values, &a), self.alike(values, &a));
        let direction = self.choices.of(&["LT", "EQ", "NE", "GE", "GT", "LE"]);
        let pred = self.new_value("i1", a.shape.clone());
        let (ty, pred_ty) = (a.ty(), pred.ty());
        let pred = self
            .put(pred, &format!("stablehlo.compare {direction}, {}, {} : ({ty}, {ty}) -> {pred_ty}", a.name, b.name))?;
        let result = self.new_value(a.element, a.shape.clone());
        self.put(result, &format!("stablehlo.select {}, {}, {} : {pred_ty}, {ty}", pred.name, c.name, b.name))
    }

    fn convert(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        let to = self.choices.of(ELEMENTS);
        let result = self.new_value(to, a.shape.clone());
        let ty = result.ty();
        self.put(result, &format!("stablehlo.convert {} : ({}) -> {ty}", a.name, a.ty()))
    }

    /// The same elements in another order or shape.
    fn moved(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        let rank = a.shape.len();
        match self.choices.below(3) {
            0 => {
                let mut dims: Vec<usize> = (0..rank).collect();
                for index in (1..rank).rev() {
                    let other = self.choices.below(index + 1);
                    dims.swap(index, other);
                }
                let result = self.new_value(a.element, dims.iter().map(|dim| a.shape[*dim]).collect());
                let ty = result.ty();
                self.put(result, &format!("stablehlo.transpose {}, dims = {dims:?} : ({}) -> {ty}", a.name, a.ty()))
            }
            1 => {
                let n = a.len();
                let shape = match self.choices.below(3) {
                    0 => vec![n],
                    1 if n.is_multiple_of(2) => vec![2, n / 2],
                    1 => vec![1, n, 1],
                    _ => a.shape.iter().rev().copied().collect(),
                };
                let result = self.new_value(a.element, shape);
                let ty = result.ty();
                self.put(result, &format!("stablehlo.reshape {} : ({}) -> {ty}", a.name, a.ty()))
            }
            _ => {
                let dims: Vec<usize> = (0..rank).filter(|_| self.choices.below(2) == 1).collect();
                let result = self.new_value(a.element, a.shape.clone());
                self.put(result, &format!("stablehlo.reverse {}, dims = {dims:?} : {}", a.name, a.ty()))
            }
        }
    }

    /// A part of a value, or its elements repeated along new dimensions.
    fn resized(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        if self.choices.below(2) == 0 {
            let mut shape = Vec::new();
            let mut ranges = Vec::new();
            for size in &a.shape {
                let start = self.choices.below(size + 1);
                let limit = start + self.choices.below(size - start + 1);
                let stride = 1 + self.choices.below(3);
                shape.push((limit - start).div_ceil(stride));
                ranges.push(format!("{start}:{limit}:{stride}"));
            }
            let result = self.new_value(a.element, shape);
            let ty = result.ty();
            let op = format!("stablehlo.slice {} [{}] : ({}) -> {ty}", a.name, ranges.join(", "), a.ty());
            return self.put(result, &op);
        }
        let mut shape = a.shape.clone();
        let at = self.choices.below(shape.len() + 1);
        shape.insert(at, self.choices.of(&[3, 1, 5]));
        if shape.iter().product::<usize>() > MAX_LEN {
            return None;
        }
        let dims: Vec<usize> = (0..shape.len()).filter(|dim| *dim != at).collect();
        let result = self.new_value(a.element, shape);
        let ty = result.ty();
        self.put(result, &format!("stablehlo.broadcast_in_dim {}, dims = {dims:?} : ({}) -> {ty}", a.name, a.ty()))
    }

    fn reduce(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        let dims: Vec<usize> = (0..a.shape.len()).filter(|_| self.choices.below(2) == 0).collect();
        // The largest of floats may be one of two zeros.
        let (op, zero) = match a.element {
            "i1" => ("or", "false"),
            element if element.contains('i') => (self.choices.of(&["add", "maximum", "minimum"]), "0"),
            _ => return None,
        };
        let init = self.new_value(a.element, Vec::new());
        let init_ty = init.ty();
        let init = self.put(init, &format!("stablehlo.constant dense<{zero}> : {init_ty}"))?;
        let shape = (0..a.shape.len()).filter(|dim| !dims.contains(dim)).map(|dim| a.shape[dim]).collect();
        let result = self.new_value(a.element, shape);
        let ty = result.ty();
        let op = format!(
            "stablehlo.reduce({} init: {}) applies stablehlo.{op} across dimensions = {dims:?} : ({}, {init_ty}) -> {ty}",
            a.name,
            init.name,
            a.ty()
        );
        self.put(result, &op)
    }

    fn joined(&mut self, values: &[Value]) -> Option<Value> {
        let a = self.any(values);
        if a.shape.is_empty() || a.len() * 2 > MAX_LEN {
            return None;
        }
        let b = self.alike(values, &a);
        let dim = self.choices.below(a.shape.len());
        let mut shape = a.shape.clone();
        shape[dim] += b.shape[dim];
        let result = self.new_value(a.element, shape);
        let (from, ty) = (a.ty(), result.ty());
        self.put(
            result,
            &format!("stablehlo.concatenate {}, {}, dim = {dim} : ({from}, {from}) -> {ty}", a.name, b.name),
        )
    }

    /// A loop of a few rounds that carries one or two values.
    fn repeated(&mut self, values: &[Value], depth: usize) -> Option<Value> {
        let carried: Vec<Value> = (0..1 + self.choices.below(2)).map(|_| self.any(values)).collect();
        let n_rounds = self.choices.below(4);
        let count = "tensor<i32>";
        self.n_names += 1;
        let id = self.n_names;
        let _ = writeln!(self.text, "  %n{id} = stablehlo.constant dense<{n_rounds}> : {count}");
        let _ = writeln!(self.text, "  %z{id} = stablehlo.constant dense<0> : {count}");
        let _ = writeln!(self.text, "  %o{id} = stablehlo.constant dense<1> : {count}");
        let inside: Vec<Value> = (0..)
            .zip(&carried)
            .map(|(index, value)| Value { name: format!("%c{id}_{index}"), ..value.clone() })
            .collect();
        let starts: String = inside.iter().zip(&carried).map(|(i, c)| format!(", {} = {}", i.name, c.name)).collect();
        let types: String = carried.iter().map(|value| format!(", {}", value.ty())).collect();
        let n = carried.len() + 1;
        let _ =
            writeln!(self.text, "  %w{id}:{n} = stablehlo.while(%i{id} = %z{id}{starts}) : {count}{types}\n   cond {{");
        let _ =
            writeln!(self.text, "  %p{id} = stablehlo.compare LT, %i{id}, %n{id} : ({count}, {count}) -> tensor<i1>");
        let _ = writeln!(self.text, "  stablehlo.return %p{id} : tensor<i1>\n  }} do {{");
        let mut seen: Vec<Value> = values.iter().chain(&inside).cloned().collect();
        let n_ops = 1 + self.choices.below(5);
        self.ops(&mut seen, n_ops, depth + 1);
        let _ = writeln!(self.text, "  %j{id} = stablehlo.add %i{id}, %o{id} : {count}");
        let next: String = carried.iter().map(|value| format!(", {}", self.alike(&seen, value).name)).collect();
        let _ = writeln!(self.text, "  stablehlo.return %j{id}{next} : {count}{types}\n  }}");
        let first = &carried[0];
        Some(Value { name: format!("%w{id}#1"), element: first.element, shape: first.shape.clone() })
    }
}
