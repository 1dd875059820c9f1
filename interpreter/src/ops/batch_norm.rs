//! `batch_norm_training`, `batch_norm_inference`, `batch_norm_grad`.
//!
//! Written as the specification has them, in ops on whole tensors: every step is rounded to the element type, sums are
//! accumulated as in [`contract`](super::contract) and rounded once (`semantics`: `batch-norm-variance`,
//! `batch-norm-epsilon`).

use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::{F32, I64};

use super::elementwise::{convert, map, zip};
use super::shapes::{one, splat};
use crate::dispatch_float;
use crate::element::{Element, Elementary, Float, Number};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Tensor, show};
use crate::value::Values;

/// `batch_norm_inference`
pub fn batch_norm_inference(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let ops = Ops::new(cx, &operand)?;
    Ok(one(ops.inference(&operand, &cx.tensor(1)?, &cx.tensor(2)?, &cx.tensor(3)?, &cx.tensor(4)?)?))
}

/// `batch_norm_training`
pub fn batch_norm_training(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let ops = Ops::new(cx, &operand)?;
    let mean = ops.mean(&operand)?;
    let centered_operand = ops.subtract(&operand, &ops.of_feature(&mean)?)?;
    let variance = ops.mean(&ops.multiply(&centered_operand, &centered_operand)?)?;
    let output = ops.inference(&operand, &cx.tensor(1)?, &cx.tensor(2)?, &mean, &variance)?;
    Ok([output, mean, variance].into_iter().map(Into::into).collect())
}

/// `batch_norm_grad`
pub fn batch_norm_grad(cx: &Cx<'_>) -> Result<Values> {
    let (operand, scale, grad_output) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(4)?);
    let ops = Ops::new(cx, &operand)?;
    let scale_bcast = ops.of_feature(&scale)?;
    let variance_epsilon = ops.add(&ops.of_feature(&cx.tensor(3)?)?, &ops.epsilon()?)?;

    let centered_operand = ops.subtract(&operand, &ops.of_feature(&cx.tensor(2)?)?)?;
    let stddev = ops.sqrt(&variance_epsilon)?;
    let normalized_operand = ops.divide(&centered_operand, &stddev)?;

    // The steps and their order are the specification's.
    let i1 = ops.multiply(&grad_output, &ops.elements_per_feature()?)?;
    let i2 = ops.of_feature(&ops.sum(&grad_output)?)?;
    let i3 = ops.of_feature(&ops.sum(&ops.multiply(&grad_output, &centered_operand)?)?)?;
    let i4 = ops.multiply(&i3, &centered_operand)?;
    let i5 = ops.divide(&i4, &variance_epsilon)?;
    let i6 = ops.subtract(&ops.subtract(&i1, &i2)?, &i5)?;

    let factor = ops.divide(&ops.divide(&scale_bcast, &stddev)?, &ops.elements_per_feature()?)?;
    let grad_operand = ops.multiply(&factor, &i6)?;
    let grad_scale = ops.sum(&ops.multiply(&grad_output, &normalized_operand)?)?;
    let grad_offset = ops.sum(&grad_output)?;
    Ok([grad_operand, grad_scale, grad_offset].into_iter().map(Into::into).collect())
}

/// Arithmetic in the operand's type and shape.
struct Ops<'c, 'r> {
    cx: &'c Cx<'r>,
    element: ElementType,
    shape: Vec<usize>,
    feature_index: usize,
    epsilon: f32,
}

macro_rules! binary {
    ($($name:ident: $class:ident;)*) => {
        $(fn $name(&self, lhs: &Tensor, rhs: &Tensor) -> Result<Tensor> {
            dispatch_float!(self.element, T => zip(self.cx, lhs, rhs, <T as $class>::$name))
                .ok_or_else(|| EvalError::unsupported("batch normalization is defined on floats"))?
        })*
    };
}

impl<'c, 'r> Ops<'c, 'r> {
    fn new(cx: &'c Cx<'r>, operand: &Tensor) -> Result<Self> {
        let feature_index = usize::try_from(cx.required::<I64>("feature_index")?).ok();
        let feature_index = feature_index.filter(|dim| *dim < operand.rank());
        Ok(Self {
            cx,
            element: operand.element(),
            shape: operand.shape().to_vec(),
            feature_index: feature_index.ok_or_else(|| EvalError::bug("feature_index is out of range"))?,
            epsilon: cx.required::<F32>("epsilon")?,
        })
    }

    binary! {
        add: Element;
        subtract: Number;
        multiply: Element;
        divide: Number;
    }

    fn sqrt(&self, operand: &Tensor) -> Result<Tensor> {
        dispatch_float!(self.element, T => map(self.cx, operand, <T as Elementary>::sqrt))
            .ok_or_else(|| EvalError::unsupported("batch normalization is defined on floats"))?
    }

    /// A number as a splat.
    fn number(&self, value: f64, shape: &[usize]) -> Result<Tensor> {
        let number = convert(self.cx, &Tensor::scalar(value), self.element)?;
        splat(self.element, shape, number.data())
    }

    fn epsilon(&self) -> Result<Tensor> {
        self.number(f64::from(self.epsilon), &self.shape)
    }

    fn n_per_feature(&self) -> f64 {
        self.shape
            .iter()
            .enumerate()
            .filter(|(dim, _)| *dim != self.feature_index)
            .map(|(_, size)| *size as f64)
            .product()
    }

    fn elements_per_feature(&self) -> Result<Tensor> {
        self.number(self.n_per_feature(), &self.shape)
    }

    /// The value of each element's feature.
    fn of_feature(&self, values: &Tensor) -> Result<Tensor> {
        let (n_outer, n_features, n_inner) = self.extents();
        if *values.shape() != [n_features] {
            let message = format!("{n_features} features need as many values, got shape {}", show(values.shape()));
            return Err(EvalError::invalid("exec/shape-mismatch", message));
        }
        if self.cx.memory().check(self.element, &self.shape)? == 0 {
            return splat(self.element, &self.shape, &vec![0; self.element.byte_width()]);
        }
        let width = self.element.byte_width();
        let mut line = Vec::with_capacity(n_features * n_inner * width);
        for feature in 0..n_features {
            line.extend(values.element_bytes(feature).repeat(n_inner));
        }
        Tensor::new(self.element, &self.shape, line.repeat(n_outer))
            .ok_or_else(|| EvalError::bug("as many as elements"))
    }

    /// How many elements come before, along and after the feature dimension.
    fn extents(&self) -> (usize, usize, usize) {
        let product = |sizes: &[usize]| crate::tensor::count(sizes).unwrap_or(0);
        (
            product(&self.shape[..self.feature_index]),
            self.shape[self.feature_index],
            product(&self.shape[self.feature_index + 1..]),
        )
    }

    /// The sum over each feature, rounded once.
    fn sum(&self, operand: &Tensor) -> Result<Tensor> {
        let is_f64 = self.element == ElementType::F64;
        let sums = dispatch_float!(self.element, T => match is_f64 {
            true => self.sums::<T, f64>(operand, |acc, x| acc + x, |x| x, |x| x),
            false => self.sums::<T, f32>(operand, |acc, x| acc + x, |x| x as f32, f64::from),
        });
        sums.ok_or_else(|| EvalError::unsupported("batch normalization is defined on floats"))?
    }

    fn sums<T: Float, A: Copy + Default>(
        &self,
        operand: &Tensor,
        add: impl Fn(A, A) -> A,
        widen: impl Fn(f64) -> A,
        number: impl Fn(A) -> f64,
    ) -> Result<Tensor> {
        let (_, n_features, n_inner) = self.extents();
        self.cx.memory().check(ElementType::F64, &self.shape)?;
        self.cx.memory().check(ElementType::F64, &[n_features])?;
        let mut sums = vec![A::default(); n_features];
        // Row-major order is ascending for each feature.
        for (run, values) in operand.to_vec::<T>().chunks(n_inner.max(1)).enumerate() {
            self.cx.tick(values.len())?;
            let sum = &mut sums[run % n_features.max(1)];
            *sum = values.iter().fold(*sum, |sum, value| add(sum, widen(value.to_f64())));
        }
        let sums: Vec<T> = sums.into_iter().map(|sum| T::rounded(number(sum))).collect();
        Tensor::from_vec(&[n_features], &sums).ok_or_else(|| EvalError::bug("one sum per feature"))
    }

    fn mean(&self, operand: &Tensor) -> Result<Tensor> {
        let sum = self.sum(operand)?;
        let divisor = self.number(self.n_per_feature(), sum.shape())?;
        self.divide(&sum, &divisor)
    }

    fn inference(
        &self,
        operand: &Tensor,
        scale: &Tensor,
        offset: &Tensor,
        mean: &Tensor,
        variance: &Tensor,
    ) -> Result<Tensor> {
        let centered_operand = self.subtract(operand, &self.of_feature(mean)?)?;
        let stddev = self.sqrt(&self.add(&self.of_feature(variance)?, &self.epsilon()?)?)?;
        let normalized_operand = self.divide(&centered_operand, &stddev)?;
        self.add(&self.multiply(&self.of_feature(scale)?, &normalized_operand)?, &self.of_feature(offset)?)
    }
}
