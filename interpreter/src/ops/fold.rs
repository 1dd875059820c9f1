//! Folding many elements into accumulators with a region: the inner loop of `reduce`, `reduce_window`,
//! `select_and_scatter` and `scatter`.
//!
//! The caller says in which order which elements meet which accumulators, in runs with steps; each accumulator sees its
//! elements in exactly that order, `acc = body(acc, element)`. The common bodies of one op are loops on native values, all
//! others go through [`Computation`].

use bytes::Bytes;
use smallvec::SmallVec;
use stablehlo::element::ElementType;

use super::computation::{Computation, Single};
use super::elementwise::{self, written_out};
use super::positions::Ticks;
use crate::element::{Element, bf16, f16};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::Tensor;
use crate::value::Values;

/// Positions `start`, `start + step`, …
#[derive(Copy, Clone, Debug)]
pub struct Run {
    /// The first one.
    pub start: usize,
    /// Distance to the next; 0 for the same one again and again.
    pub step: usize,
}

impl Run {
    /// `start`, `start + step`, …
    pub fn new(start: usize, step: usize) -> Self {
        Self { start, step }
    }

    /// One position.
    pub fn at(start: usize) -> Self {
        Self { start, step: 0 }
    }
}

/// What accumulators begin with.
pub enum Start<'t> {
    /// So many times the initial value of each input.
    Init(usize, &'t [Tensor]),
    /// The elements of tensors.
    Elements(&'t [Tensor]),
}

/// Accumulators for each input, and the elements that are folded into them.
pub struct Fold<'c, 'r> {
    kernel: Box<dyn Kernel + 'c>,
    ticks: Ticks<'c, 'r>,
}

trait Kernel {
    /// `acc[to] = body(acc[to], input[from])`, `n` times.
    fn fold(&mut self, to: Run, from: Run, n: usize) -> Result<()>;
    /// `acc[to] = body(acc[to], init)`, `n` times.
    fn fold_init(&mut self, to: Run, n: usize) -> Result<()>;
    /// The accumulators' bytes, and their element type.
    fn finish(self: Box<Self>) -> Vec<(ElementType, Vec<u8>)>;
}

impl<'c, 'r> Fold<'c, 'r> {
    /// Gets accumulators ready. Inputs and initial values are converted to what `body` takes.
    ///
    /// # Errors
    /// `exec/unsupported` for a body of other types, `exec/memory-limit`.
    pub fn new(cx: &'c Cx<'r>, body: Computation<'c, 'r>, inputs: &[Tensor], start: &Start<'_>) -> Result<Self> {
        // A call may name any function as the body.
        let n = body.results.len();
        let fits = body.arguments.len() == 2 * n && inputs.len() == n;
        if !fits || body.arguments[..n] != body.results[..] || body.arguments[n..] != body.results[..] {
            return Err(EvalError::unsupported("a body takes two scalars for each input and gives one of their type"));
        }
        let converted = |tensors: &[Tensor], first: usize| -> Result<Vec<Tensor>> {
            let elements = body.arguments.iter().skip(first);
            tensors.iter().zip(elements).map(|(tensor, element)| elementwise::convert(cx, tensor, *element)).collect()
        };
        let inputs = converted(inputs, body.arguments.len() / 2)?;
        let (start, inits) = match start {
            Start::Init(count, inits) => {
                let inits = converted(inits, 0)?;
                let splat = |init: &Tensor| super::shapes::splat(init.element(), &[*count], init.element_bytes(0));
                (inits.iter().map(splat).collect::<Result<Vec<_>>>()?, inits)
            }
            Start::Elements(tensors) => (converted(tensors, 0)?, Vec::new()),
        };
        let ticks = Ticks::new(cx);
        // In a strict run ops on integers look out for overflow.
        let single = body.single().filter(|_| !(cx.is_strict() && body.results.iter().any(|ty| ty.is_integer())));
        let kernel = match (single, &inputs[..], &start[..]) {
            (Some(single), [input], [start]) => {
                cx.memory().check(input.element(), input.shape())?;
                cx.memory().check(start.element(), start.shape())?;
                native(single, input, start, inits.first())
            }
            _ => Box::new(General::new(cx, body, inputs, &start, inits)?),
        };
        Ok(Self { kernel, ticks })
    }

    /// `acc[to] = body(acc[to], input[from])`, `n` times, one position after the other.
    ///
    /// # Errors
    /// Those of the body, and the limits of the run.
    #[inline]
    pub fn fold(&mut self, to: Run, from: Run, n: usize) -> Result<()> {
        self.ticks.add(n)?;
        self.kernel.fold(to, from, n)
    }

    /// The same with the initial value in place of elements.
    ///
    /// # Errors
    /// As [`Fold::fold`].
    pub fn fold_init(&mut self, to: Run, n: usize) -> Result<()> {
        self.ticks.add(n)?;
        self.kernel.fold_init(to, n)
    }

    /// Counts elements that are looked at and folded into nothing.
    ///
    /// # Errors
    /// The limits of the run.
    pub fn skip(&mut self, n: usize) -> Result<()> {
        self.ticks.add(n)
    }

    /// The accumulators as tensors of this shape.
    ///
    /// # Errors
    /// `exec/bug` if the shape has another number of elements.
    pub fn finish(self, shape: &[usize]) -> Result<Values> {
        let tensor = |(element, bytes): (ElementType, Vec<u8>)| {
            let tensor = Tensor::new(element, shape, bytes);
            tensor.map(Into::into).ok_or_else(|| EvalError::bug("as many accumulators as elements of the result"))
        };
        self.kernel.finish().into_iter().map(tensor).collect()
    }
}

/// A loop on native values: compiled for each body in the types that models are made of, with a pointer to the body's
/// function in all others.
fn native(single: Single, input: &Tensor, start: &Tensor, init: Option<&Tensor>) -> Box<dyn Kernel> {
    macro_rules! own_loop {
        ($T:ty) => {
            match single {
                Single::Add => Native::boxed(input, start, init, |acc: $T, x: $T| Element::add(acc, x)),
                Single::Multiply => Native::boxed(input, start, init, |acc: $T, x: $T| Element::multiply(acc, x)),
                Single::Maximum => Native::boxed(input, start, init, |acc: $T, x: $T| Element::maximum(acc, x)),
                Single::Minimum => Native::boxed(input, start, init, |acc: $T, x: $T| Element::minimum(acc, x)),
                Single::Second => Native::boxed(input, start, init, |_: $T, x: $T| x),
            }
        };
    }
    match input.element() {
        ElementType::F32 => own_loop!(f32),
        ElementType::F64 => own_loop!(f64),
        ElementType::I32 => own_loop!(i32),
        ElementType::I64 => own_loop!(i64),
        ElementType::BF16 => own_loop!(bf16),
        ElementType::F16 => own_loop!(f16),
        element => crate::dispatch_element!(element, T => {
            let body: fn(T, T) -> T = match single {
                Single::Add => Element::add,
                Single::Multiply => Element::multiply,
                Single::Maximum => Element::maximum,
                Single::Minimum => Element::minimum,
                Single::Second => |_, x| x,
            };
            Native::boxed(input, start, init, body)
        }),
    }
}

struct Native<T, F> {
    acc: Vec<T>,
    input: Vec<T>,
    init: T,
    body: F,
}

impl<T: Element, F: Fn(T, T) -> T + 'static> Native<T, F> {
    fn boxed(input: &Tensor, start: &Tensor, init: Option<&Tensor>, body: F) -> Box<dyn Kernel> {
        let init = init.map_or_else(T::zero, |init| init.get(0));
        Box::new(Self { acc: start.to_vec(), input: input.to_vec(), init, body })
    }
}

impl<T: Element, F: Fn(T, T) -> T> Kernel for Native<T, F> {
    fn fold(&mut self, to: Run, from: Run, n: usize) -> Result<()> {
        match (to.step, from.step) {
            _ if n == 1 => {
                let acc = &mut self.acc[to.start];
                *acc = (self.body)(*acc, self.input[from.start]);
            }
            (0, 1) => {
                let acc = &mut self.acc[to.start];
                *acc = self.input[from.start..from.start + n].iter().fold(*acc, |acc, x| (self.body)(acc, *x));
            }
            (1, 1) => {
                let input = &self.input[from.start..from.start + n];
                for (acc, x) in self.acc[to.start..to.start + n].iter_mut().zip(input) {
                    *acc = (self.body)(*acc, *x);
                }
            }
            _ => {
                for i in 0..n {
                    let acc = &mut self.acc[to.start + i * to.step];
                    *acc = (self.body)(*acc, self.input[from.start + i * from.step]);
                }
            }
        }
        Ok(())
    }

    fn fold_init(&mut self, to: Run, n: usize) -> Result<()> {
        for i in 0..n {
            let acc = &mut self.acc[to.start + i * to.step];
            *acc = (self.body)(*acc, self.init);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Vec<(ElementType, Vec<u8>)> {
        vec![(T::TYPE, crate::element::write_all(&self.acc))]
    }
}

/// From this many accumulators on, running a region op by op for all of them is faster than one by one.
const LIFT_FROM: usize = 64;

/// Any body, on elements in storage form.
struct General<'c, 'r> {
    body: Computation<'c, 'r>,
    inputs: Vec<Bytes>,
    inits: Vec<Tensor>,
    acc: Vec<Vec<u8>>,
    widths: Vec<usize>,
    results: SmallVec<[elementwise::Word; 2]>,
}

impl<'c, 'r> General<'c, 'r> {
    fn new(
        cx: &'c Cx<'r>,
        body: Computation<'c, 'r>,
        inputs: Vec<Tensor>,
        start: &[Tensor],
        inits: Vec<Tensor>,
    ) -> Result<Self> {
        let whole = |tensor: &Tensor| Ok(written_out(cx, tensor)?.into_owned());
        let shared = |tensor: &Tensor| match tensor.data().len() == tensor.len() * tensor.element().byte_width() {
            true => Ok(tensor.data().clone()),
            false => whole(tensor).map(Bytes::from),
        };
        let widths = body.results.iter().map(|element| element.byte_width()).collect();
        Ok(Self {
            inputs: inputs.iter().map(shared).collect::<Result<_>>()?,
            acc: start.iter().map(whole).collect::<Result<_>>()?,
            body,
            inits,
            widths,
            results: SmallVec::new(),
        })
    }

    /// One step of one accumulator; with the initial value when there is no position to read from.
    fn step(&mut self, to: usize, from: Option<usize>) -> Result<()> {
        let acc = self.acc.iter().zip(&self.widths).map(|(acc, width)| &acc[to * width..][..*width]);
        match from {
            Some(from) => {
                let inputs = self.inputs.iter().zip(&self.widths);
                let inputs = inputs.map(|(input, width)| &input[from * width..][..*width]);
                self.body.apply(acc.chain(inputs), &mut self.results)?;
            }
            None => {
                let inits = self.inits.iter().map(|init| init.element_bytes(0));
                self.body.apply(acc.chain(inits), &mut self.results)?;
            }
        }
        for ((acc, width), result) in self.acc.iter_mut().zip(&self.widths).zip(&self.results) {
            acc[to * width..][..*width].copy_from_slice(&result[..*width]);
        }
        Ok(())
    }

    /// All steps of one accumulator; false, and nothing is done, for a region that is no program.
    fn repeat(&mut self, to: usize, from: Run, n: usize) -> bool {
        let acc = self.acc.iter().zip(&self.widths).map(|(acc, width)| &acc[to * width..][..*width]);
        let input = |index: usize, step: usize| {
            let width = self.widths[index];
            &self.inputs[index][(from.start + step * from.step) * width..][..width]
        };
        if !self.body.repeat(acc, input, n, &mut self.results) {
            return false;
        }
        for ((acc, width), result) in self.acc.iter_mut().zip(&self.widths).zip(&self.results) {
            acc[to * width..][..*width].copy_from_slice(&result[..*width]);
        }
        true
    }

    fn lifted(&mut self, to: usize, from: Run, n: usize) -> Result<()> {
        let tensor = |index: usize, data: Bytes| {
            let tensor = Tensor::new(self.body.results[index], &[n], data);
            tensor.map(Into::into).ok_or_else(|| EvalError::bug("as many elements as the run is long"))
        };
        let mut arguments = Values::new();
        for (index, acc) in self.acc.iter().enumerate() {
            let width = self.widths[index];
            arguments.push(tensor(index, Bytes::copy_from_slice(&acc[to * width..][..n * width]))?);
        }
        for (index, input) in self.inputs.iter().enumerate() {
            let width = self.widths[index];
            let data = match from.step {
                1 => input.slice(from.start * width..(from.start + n) * width),
                step => {
                    let element = |i: usize| &input[(from.start + i * step) * width..][..width];
                    (0..n).flat_map(element).copied().collect()
                }
            };
            arguments.push(tensor(index, data)?);
        }
        for ((acc, width), result) in
            self.acc.iter_mut().zip(&self.widths).zip(self.body.apply_lifted(arguments, &[n])?)
        {
            let acc = &mut acc[to * width..][..n * width];
            match result.splat_bytes() {
                Some(value) => acc.chunks_exact_mut(*width).for_each(|acc| acc.copy_from_slice(value)),
                None => acc.copy_from_slice(result.data()),
            }
        }
        Ok(())
    }
}

impl Kernel for General<'_, '_> {
    fn fold(&mut self, to: Run, from: Run, n: usize) -> Result<()> {
        if n >= LIFT_FROM && to.step == 1 && self.body.lifts() {
            return self.lifted(to.start, from, n);
        }
        if n > 1 && to.step == 0 && self.repeat(to.start, from, n) {
            return Ok(());
        }
        (0..n).try_for_each(|i| self.step(to.start + i * to.step, Some(from.start + i * from.step)))
    }

    fn fold_init(&mut self, to: Run, n: usize) -> Result<()> {
        (0..n).try_for_each(|i| self.step(to.start + i * to.step, None))
    }

    fn finish(self: Box<Self>) -> Vec<(ElementType, Vec<u8>)> {
        self.body.results.iter().copied().zip(self.acc).collect()
    }
}
