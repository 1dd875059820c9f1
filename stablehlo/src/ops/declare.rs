//! The macro with which an op is declared.

/// Declares an op: the constant row `SPEC` and a typed view with one accessor per operand, attribute, result and region.
///
/// ```text
/// op! {
///     /// What `Pad` is, for readers of the code.
///     pub struct Pad = "stablehlo" "pad";
///     operands { one I1 operand: TENSOR; one I2 padding_value: SCALAR_TENSOR; }
///     attributes { required I3 low: I64Array; default I4 lower: Bool = DefaultValue::Bool(false); } // or optional, filled
///     results { one result: TENSOR; }
///     regions { }                                                   // one I4 body; many branches
///     spec { summary: "…", constraints: &[…], ..OpSpec::DEFAULT }
/// }
/// ```
///
/// Labels (`I1`) are the specification's; ops outside it write `_`. Type classes come from [`classes`](super::classes),
/// attribute classes from [`attr_classes`](super::attr_classes). The golden file `rules/<dialect>/<mnemonic>.mlir` must exist.
///
/// Accessors suppose that the op has the declared structure, which the verifier establishes before it runs the op's rules:
/// `one` operands give a `ValueId`, `many` a slice; optional attributes give an `Option`.
macro_rules! op {
    (
        $(#[$doc:meta])*
        pub struct $view:ident = $dialect:literal $mnemonic:literal;
        operands { $($o_arity:ident $o_label:tt $o_name:ident: $o_class:expr;)* }
        attributes { $($a_presence:ident $a_label:tt $a_name:ident: $a_class:ident $(= $a_default:expr)?;)* }
        results { $($r_arity:ident $r_name:ident: $r_class:expr;)* }
        regions { $($g_arity:ident $g_label:tt $g_name:ident;)* }
        spec { $($field:ident: $value:expr,)* }
    ) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug)]
        pub struct $view<'m> {
            module: &'m $crate::ir::Module,
            op: $crate::ir::OpId,
        }

        #[allow(dead_code, non_snake_case, clippy::allow_attributes, reason = "every part gets an accessor of its own name")]
        impl<'m> $view<'m> {
            /// The declaration.
            #[allow(clippy::needless_update, clippy::allow_attributes, reason = "some declarations say everything")]
            pub const SPEC: $crate::ops::spec::OpSpec = $crate::ops::spec::OpSpec {
                dialect: $dialect,
                mnemonic: $mnemonic,
                name: concat!($dialect, ".", $mnemonic),
                operands: &[$($crate::ops::spec::Operand {
                    label: $crate::ops::declare::label!($o_label),
                    name: $crate::ops::declare::bare!($o_name),
                    class: $o_class,
                    arity: $crate::ops::declare::arity!($o_arity),
                }),*],
                attributes: &[$($crate::ops::spec::Attr {
                    label: $crate::ops::declare::label!($a_label),
                    name: $crate::ops::declare::bare!($a_name),
                    kind: <$crate::ops::attr_classes::$a_class as $crate::ops::spec::AttrClass>::KIND,
                    presence: $crate::ops::declare::presence!($a_presence $(($a_default))?),
                }),*],
                results: &[$($crate::ops::spec::OpResult {
                    name: $crate::ops::declare::bare!($r_name),
                    class: $r_class,
                    arity: $crate::ops::declare::arity!($r_arity),
                }),*],
                regions: &[$($crate::ops::spec::RegionSpec {
                    label: $crate::ops::declare::label!($g_label),
                    name: $crate::ops::declare::bare!($g_name),
                    arity: $crate::ops::declare::arity!($g_arity),
                }),*],
                examples: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/", $dialect, "/", $mnemonic, ".mlir")),
                $($field: $value,)*
                ..$crate::ops::spec::OpSpec::DEFAULT
            };

            /// Views `op`, which must be of this kind.
            pub fn new(module: &'m $crate::ir::Module, op: $crate::ir::OpId) -> Self {
                debug_assert_eq!(module.op_name(op), Self::SPEC.name);
                Self { module, op }
            }

            /// The op behind the view.
            pub fn id(self) -> $crate::ir::OpId {
                self.op
            }

            $($crate::ops::declare::operand_accessor!($o_arity $o_name);)*
            $($crate::ops::declare::attribute_accessor!($a_presence $a_name $a_class);)*
            $($crate::ops::declare::result_accessor!($r_arity $r_name);)*
            $($crate::ops::declare::region_accessor!($g_arity $g_name);)*
        }
    };
}

macro_rules! label {
    (_) => {
        ""
    };
    ($label:ident) => {
        stringify!($label)
    };
}

/// The name of an identifier without the `r#` that Rust keywords need.
macro_rules! bare {
    (r#type) => {
        "type"
    };
    (r#mod) => {
        "mod"
    };
    ($name:ident) => {
        stringify!($name)
    };
}

macro_rules! arity {
    (one) => {
        $crate::ops::spec::Arity::One
    };
    (many) => {
        $crate::ops::spec::Arity::Many
    };
}

macro_rules! presence {
    (required) => {
        $crate::ops::spec::Presence::Required
    };
    (optional) => {
        $crate::ops::spec::Presence::Optional
    };
    (default($value:expr)) => {
        $crate::ops::spec::Presence::Default($value)
    };
    (filled($value:expr)) => {
        $crate::ops::spec::Presence::Filled($value)
    };
}

macro_rules! operand_accessor {
    (one $name:ident) => {
        #[doc = concat!("The operand `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::ir::ValueId {
            $crate::ops::access::operands(
                self.module,
                self.op,
                &Self::SPEC,
                const { $crate::ops::access::operand_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )[0]
        }
    };
    (many $name:ident) => {
        #[doc = concat!("The operands `", stringify!($name), "`.")]
        pub fn $name(self) -> &'m [$crate::ir::ValueId] {
            $crate::ops::access::operands(
                self.module,
                self.op,
                &Self::SPEC,
                const { $crate::ops::access::operand_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )
        }
    };
}

macro_rules! attribute_accessor {
    (required $name:ident $class:ident) => {
        #[doc = concat!("The attribute `", stringify!($name), "`.")]
        pub fn $name(self) -> <$crate::ops::attr_classes::$class as $crate::ops::spec::AttrClass>::Value<'m> {
            $crate::ops::access::required::<$crate::ops::attr_classes::$class>(
                self.module,
                self.op,
                const { $crate::ops::access::attribute_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )
        }
    };
    ($presence:ident $name:ident $class:ident) => {
        #[doc = concat!("The attribute `", stringify!($name), "`, if it is written.")]
        pub fn $name(self) -> Option<<$crate::ops::attr_classes::$class as $crate::ops::spec::AttrClass>::Value<'m>> {
            $crate::ops::access::optional::<$crate::ops::attr_classes::$class>(
                self.module,
                self.op,
                const { $crate::ops::access::attribute_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )
        }
    };
}

macro_rules! result_accessor {
    (one $name:ident) => {
        #[doc = concat!("The result `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::ir::ValueId {
            $crate::ops::access::result(
                self.module,
                self.op,
                &Self::SPEC,
                const { $crate::ops::access::result_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )
        }
    };
    (many $name:ident) => {
        #[doc = concat!("The results `", stringify!($name), "`.")]
        pub fn $name(self) -> Vec<$crate::ir::ValueId> {
            $crate::ops::access::results(
                self.module,
                self.op,
                &Self::SPEC,
                const { $crate::ops::access::result_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )
        }
    };
}

macro_rules! region_accessor {
    (one $name:ident) => {
        #[doc = concat!("The region `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::ir::RegionId {
            $crate::ops::access::regions(
                self.module,
                self.op,
                &Self::SPEC,
                const { $crate::ops::access::region_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )[0]
        }
    };
    (many $name:ident) => {
        #[doc = concat!("The regions `", stringify!($name), "`.")]
        pub fn $name(self) -> &'m [$crate::ir::RegionId] {
            $crate::ops::access::regions(
                self.module,
                self.op,
                &Self::SPEC,
                const { $crate::ops::access::region_position(&Self::SPEC, $crate::ops::declare::bare!($name)) },
            )
        }
    };
}

pub(crate) use {
    arity, attribute_accessor, bare, label, op, operand_accessor, presence, region_accessor, result_accessor,
};
