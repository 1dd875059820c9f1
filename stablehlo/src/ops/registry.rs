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
    UnrealizedConversionCast = builtin::UnrealizedConversionCast<'static>,

    // func
    Func = func::Func<'static>,
    Call = func::Call<'static>,
    CallIndirect = func::CallIndirect<'static>,
    FuncConstant = func::FuncConstant<'static>,
    FuncReturn = func::FuncReturn<'static>,

    // check
    ExpectEqConst = check::ExpectEqConst<'static>,
    ExpectEq = check::ExpectEq<'static>,
    ExpectAlmostEqConst = check::ExpectAlmostEqConst<'static>,
    ExpectAlmostEq = check::ExpectAlmostEq<'static>,
    ExpectClose = check::ExpectClose<'static>,
    ExpectSerializedEq = check::ExpectSerializedEq<'static>,

    // interpreter
    RunParallel = interpreter::RunParallel<'static>,
    Print = interpreter::Print<'static>,
    Probe = interpreter::Probe<'static>,

    // chlo: broadcasting
    BroadcastAdd = chlo::broadcast::BroadcastAdd<'static>,
    BroadcastAtan2 = chlo::broadcast::BroadcastAtan2<'static>,
    BroadcastDivide = chlo::broadcast::BroadcastDivide<'static>,
    BroadcastMaximum = chlo::broadcast::BroadcastMaximum<'static>,
    BroadcastMinimum = chlo::broadcast::BroadcastMinimum<'static>,
    BroadcastMultiply = chlo::broadcast::BroadcastMultiply<'static>,
    BroadcastNextAfter = chlo::broadcast::BroadcastNextAfter<'static>,
    BroadcastPolygamma = chlo::broadcast::BroadcastPolygamma<'static>,
    BroadcastPower = chlo::broadcast::BroadcastPower<'static>,
    BroadcastRemainder = chlo::broadcast::BroadcastRemainder<'static>,
    BroadcastShiftLeft = chlo::broadcast::BroadcastShiftLeft<'static>,
    BroadcastShiftRightArithmetic = chlo::broadcast::BroadcastShiftRightArithmetic<'static>,
    BroadcastShiftRightLogical = chlo::broadcast::BroadcastShiftRightLogical<'static>,
    BroadcastSubtract = chlo::broadcast::BroadcastSubtract<'static>,
    BroadcastZeta = chlo::broadcast::BroadcastZeta<'static>,
    BroadcastAnd = chlo::broadcast::BroadcastAnd<'static>,
    BroadcastOr = chlo::broadcast::BroadcastOr<'static>,
    BroadcastXor = chlo::broadcast::BroadcastXor<'static>,
    BroadcastComplex = chlo::broadcast::BroadcastComplex<'static>,
    BroadcastCompare = chlo::broadcast::BroadcastCompare<'static>,
    BroadcastSelect = chlo::broadcast::BroadcastSelect<'static>,

    // chlo: elementwise
    AsinAcosKernel = chlo::unary::AsinAcosKernel<'static>,
    Acos = chlo::unary::Acos<'static>,
    Acosh = chlo::unary::Acosh<'static>,
    Asin = chlo::unary::Asin<'static>,
    Asinh = chlo::unary::Asinh<'static>,
    Atan = chlo::unary::Atan<'static>,
    Atanh = chlo::unary::Atanh<'static>,
    BesselI1e = chlo::unary::BesselI1e<'static>,
    Conj = chlo::unary::Conj<'static>,
    Cosh = chlo::unary::Cosh<'static>,
    Digamma = chlo::unary::Digamma<'static>,
    Erf = chlo::unary::Erf<'static>,
    ErfInv = chlo::unary::ErfInv<'static>,
    Erfc = chlo::unary::Erfc<'static>,
    IsInf = chlo::unary::IsInf<'static>,
    IsNegInf = chlo::unary::IsNegInf<'static>,
    IsPosInf = chlo::unary::IsPosInf<'static>,
    Lgamma = chlo::unary::Lgamma<'static>,
    Sinh = chlo::unary::Sinh<'static>,
    Square = chlo::unary::Square<'static>,
    ChloTan = chlo::unary::ChloTan<'static>,
    NextAfter = chlo::binary::NextAfter<'static>,
    Polygamma = chlo::binary::Polygamma<'static>,
    Zeta = chlo::binary::Zeta<'static>,
    Mulhi = chlo::binary::Mulhi<'static>,

    // chlo: others
    ChloConstant = chlo::constants::ChloConstant<'static>,
    ConstantLike = chlo::constants::ConstantLike<'static>,
    RaggedDot = chlo::ragged_dot::RaggedDot<'static>,
    TopK = chlo::top_k::TopK<'static>,
    Scan = chlo::scan::Scan<'static>,

    // stablehlo: control flow, order and values as wholes
    If = stablehlo::control_flow::If<'static>,
    Case = stablehlo::control_flow::Case<'static>,
    While = stablehlo::control_flow::While<'static>,
    Return = stablehlo::control_flow::Return<'static>,
    Tuple = stablehlo::tuples::Tuple<'static>,
    GetTupleElement = stablehlo::tuples::GetTupleElement<'static>,
    CreateToken = stablehlo::tokens::CreateToken<'static>,
    AfterAll = stablehlo::tokens::AfterAll<'static>,
    OptimizationBarrier = stablehlo::tokens::OptimizationBarrier<'static>,

    // stablehlo: distribution and the outside
    ReplicaId = stablehlo::process_id::ReplicaId<'static>,
    PartitionId = stablehlo::process_id::PartitionId<'static>,
    Infeed = stablehlo::transfer::Infeed<'static>,
    Outfeed = stablehlo::transfer::Outfeed<'static>,
    Send = stablehlo::transfer::Send<'static>,
    Recv = stablehlo::transfer::Recv<'static>,
    AllGather = stablehlo::gathering::AllGather<'static>,
    AllToAll = stablehlo::gathering::AllToAll<'static>,
    CollectiveBroadcast = stablehlo::gathering::CollectiveBroadcast<'static>,
    CollectivePermute = stablehlo::gathering::CollectivePermute<'static>,
    AllReduce = stablehlo::reducing::AllReduce<'static>,
    ReduceScatter = stablehlo::reducing::ReduceScatter<'static>,
    CollectiveReduce = stablehlo::reducing::CollectiveReduce<'static>,
    CrossReplicaSum = stablehlo::reducing::CrossReplicaSum<'static>,
    AsyncStart = stablehlo::async_ops::AsyncStart<'static>,
    AsyncDone = stablehlo::async_ops::AsyncDone<'static>,
    CustomCall = stablehlo::foreign::CustomCall<'static>,
    Composite = stablehlo::foreign::Composite<'static>,

    // stablehlo: elementwise
    Abs = stablehlo::elementwise::complex::Abs<'static>,
    Add = stablehlo::elementwise::add::Add<'static>,
    And = stablehlo::elementwise::binary::And<'static>,
    Atan2 = stablehlo::elementwise::binary::Atan2<'static>,
    BitcastConvert = stablehlo::elementwise::convert::BitcastConvert<'static>,
    Cbrt = stablehlo::elementwise::unary::Cbrt<'static>,
    Ceil = stablehlo::elementwise::unary::Ceil<'static>,
    Clamp = stablehlo::elementwise::choose::Clamp<'static>,
    Compare = stablehlo::elementwise::compare::Compare<'static>,
    Complex = stablehlo::elementwise::complex::Complex<'static>,
    Convert = stablehlo::elementwise::convert::Convert<'static>,
    Cosine = stablehlo::elementwise::unary::Cosine<'static>,
    CountLeadingZeros = stablehlo::elementwise::unary::CountLeadingZeros<'static>,
    Divide = stablehlo::elementwise::binary::Divide<'static>,
    Exponential = stablehlo::elementwise::unary::Exponential<'static>,
    ExponentialMinusOne = stablehlo::elementwise::unary::ExponentialMinusOne<'static>,
    Floor = stablehlo::elementwise::unary::Floor<'static>,
    Imag = stablehlo::elementwise::complex::Imag<'static>,
    IsFinite = stablehlo::elementwise::compare::IsFinite<'static>,
    Log = stablehlo::elementwise::unary::Log<'static>,
    LogPlusOne = stablehlo::elementwise::unary::LogPlusOne<'static>,
    Logistic = stablehlo::elementwise::unary::Logistic<'static>,
    Maximum = stablehlo::elementwise::binary::Maximum<'static>,
    Minimum = stablehlo::elementwise::binary::Minimum<'static>,
    Multiply = stablehlo::elementwise::binary::Multiply<'static>,
    Negate = stablehlo::elementwise::unary::Negate<'static>,
    Not = stablehlo::elementwise::unary::Not<'static>,
    Or = stablehlo::elementwise::binary::Or<'static>,
    Popcnt = stablehlo::elementwise::unary::Popcnt<'static>,
    Power = stablehlo::elementwise::binary::Power<'static>,
    Real = stablehlo::elementwise::complex::Real<'static>,
    ReducePrecision = stablehlo::elementwise::convert::ReducePrecision<'static>,
    Remainder = stablehlo::elementwise::binary::Remainder<'static>,
    RoundNearestAfz = stablehlo::elementwise::unary::RoundNearestAfz<'static>,
    RoundNearestEven = stablehlo::elementwise::unary::RoundNearestEven<'static>,
    Rsqrt = stablehlo::elementwise::unary::Rsqrt<'static>,
    Select = stablehlo::elementwise::choose::Select<'static>,
    ShiftLeft = stablehlo::elementwise::binary::ShiftLeft<'static>,
    ShiftRightArithmetic = stablehlo::elementwise::binary::ShiftRightArithmetic<'static>,
    ShiftRightLogical = stablehlo::elementwise::binary::ShiftRightLogical<'static>,
    Sign = stablehlo::elementwise::unary::Sign<'static>,
    Sine = stablehlo::elementwise::unary::Sine<'static>,
    Sqrt = stablehlo::elementwise::unary::Sqrt<'static>,
    Subtract = stablehlo::elementwise::binary::Subtract<'static>,
    Tan = stablehlo::elementwise::unary::Tan<'static>,
    Tanh = stablehlo::elementwise::unary::Tanh<'static>,
    UniformDequantize = stablehlo::elementwise::convert::UniformDequantize<'static>,
    UniformQuantize = stablehlo::elementwise::convert::UniformQuantize<'static>,
    Xor = stablehlo::elementwise::binary::Xor<'static>,

    // stablehlo: shape and data movement
    Broadcast = stablehlo::broadcast::Broadcast<'static>,
    BroadcastInDim = stablehlo::broadcast_in_dim::BroadcastInDim<'static>,
    Concatenate = stablehlo::concatenate::Concatenate<'static>,
    Constant = stablehlo::constant::Constant<'static>,
    DynamicBroadcastInDim = stablehlo::dynamic_broadcast_in_dim::DynamicBroadcastInDim<'static>,
    DynamicIota = stablehlo::dynamic_iota::DynamicIota<'static>,
    DynamicPad = stablehlo::dynamic_pad::DynamicPad<'static>,
    DynamicReshape = stablehlo::dynamic_reshape::DynamicReshape<'static>,
    DynamicSlice = stablehlo::dynamic_slice::DynamicSlice<'static>,
    DynamicUpdateSlice = stablehlo::dynamic_update_slice::DynamicUpdateSlice<'static>,
    Einsum = stablehlo::einsum::Einsum<'static>,
    GetDimensionSize = stablehlo::get_dimension_size::GetDimensionSize<'static>,
    Iota = stablehlo::iota::Iota<'static>,
    Pad = stablehlo::pad::Pad<'static>,
    RealDynamicSlice = stablehlo::real_dynamic_slice::RealDynamicSlice<'static>,
    Reshape = stablehlo::reshape::Reshape<'static>,
    Reverse = stablehlo::reverse::Reverse<'static>,
    SetDimensionSize = stablehlo::set_dimension_size::SetDimensionSize<'static>,
    Slice = stablehlo::slice::Slice<'static>,
    TorchIndexSelect = stablehlo::torch_index_select::TorchIndexSelect<'static>,
    Transpose = stablehlo::transpose::Transpose<'static>,
    UnaryEinsum = stablehlo::einsum::UnaryEinsum<'static>,

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

/// Whether the registry has ops of this dialect.
pub(crate) fn is_registered_dialect(dialect: &str) -> bool {
    use std::sync::LazyLock;
    static DIALECTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let mut dialects: Vec<_> = OpKind::ALL.iter().map(|kind| kind.spec().dialect).collect();
        dialects.sort_unstable();
        dialects.dedup();
        dialects
    });
    DIALECTS.binary_search(&dialect).is_ok()
}
