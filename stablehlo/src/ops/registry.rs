//! The list of all ops.

use super::spec::OpSpec;
use super::*;

/// Makes the closed set of op kinds out of the list of declarations.
macro_rules! ops {
    ($($kind:ident = $view:path,)*) => {
        /// A registered op.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "each is documented at its declaration")]
        pub enum OpKind { $($kind),* }

        impl OpKind {
            /// All registered ops, in the order of the list.
            pub const ALL: &'static [OpKind] = &[$(OpKind::$kind),*];

            /// The declaration.
            pub fn spec(self) -> &'static OpSpec {
                const SPECS: &[&OpSpec] = &[$(&<$view>::SPEC),*];
                SPECS[self as usize]
            }
        }
    };
}

ops! {
    // builtin
    Module = builtin::ModuleOp<'static>,

    // func
    Func = func::Func<'static>,

    // stablehlo: elementwise
    Add = stablehlo::elementwise::Add<'static>,

    // stablehlo: shape and data movement
    Pad = stablehlo::pad::Pad<'static>,

    // stablehlo: contractions, reductions, windows, gathers, linear algebra, normalization, random numbers
    Dot = stablehlo::dot::Dot<'static>,
    DotGeneral = stablehlo::dot_general::DotGeneral<'static>,
    Convolution = stablehlo::convolution::Convolution<'static>,
    DynamicConv = stablehlo::dynamic_conv::DynamicConv<'static>,
    Reduce = stablehlo::reduce::Reduce<'static>,
    ReduceWindow = stablehlo::reduce_window::ReduceWindow<'static>,
    SelectAndScatter = stablehlo::select_and_scatter::SelectAndScatter<'static>,
    Scatter = stablehlo::scatter::Scatter<'static>,
    Gather = stablehlo::gather::Gather<'static>,
    DynamicGather = stablehlo::dynamic_gather::DynamicGather<'static>,
    Sort = stablehlo::sort::Sort<'static>,
    Map = stablehlo::map::Map<'static>,
    Fft = stablehlo::fft::Fft<'static>,
    Cholesky = stablehlo::cholesky::Cholesky<'static>,
    TriangularSolve = stablehlo::triangular_solve::TriangularSolve<'static>,
    BatchNormTraining = stablehlo::batch_norm_training::BatchNormTraining<'static>,
    BatchNormInference = stablehlo::batch_norm_inference::BatchNormInference<'static>,
    BatchNormGrad = stablehlo::batch_norm_grad::BatchNormGrad<'static>,
    Rng = stablehlo::rng::Rng<'static>,
    RngBitGenerator = stablehlo::rng_bit_generator::RngBitGenerator<'static>,
}

impl OpKind {
    /// The full name: `stablehlo.add`.
    pub fn name(self) -> &'static str {
        self.spec().name
    }
}

/// The op with this full name.
pub fn find(name: &str) -> Option<OpKind> {
    use std::sync::LazyLock;
    type Names = rustc_hash::FxHashMap<&'static str, OpKind>;
    static NAMES: LazyLock<Names> = LazyLock::new(|| OpKind::ALL.iter().map(|kind| (kind.name(), *kind)).collect());
    NAMES.get(name).copied()
}
