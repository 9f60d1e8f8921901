//! Declarations of the keys of `docs.json`. One declaration of a key drives its decoder, the JSON
//! Schema, completion in editors and the reference of all keys.

mod key;
pub(crate) mod kinds;
pub(crate) mod patterns;
pub(crate) mod shape;
mod value;

pub(crate) use key::key;
pub(crate) use value::{ValueKind, shape_of};

/// Declares the keys of an object as a struct with one field for each key:
/// `/// Description.` `field: Type = key::<Kind>("name"),`. The first paragraph of the doc comment
/// is the description of the key in the reference. Fields are as visible as the struct. A key
/// without a field is checked but has no value. Fields in the block `and` have no key:
/// `field: Type = |cx, fields| value,`. Keys in the block `unsupported` are accepted without effect.
///
/// The struct gets `NAMES`, `properties()` and `read()`.
macro_rules! keys {
    (@default $default:ident $name:ident {
        $($(#[doc = $doc:literal])* $field:ident: $type:ty = $key:expr),* $(,)?
    }) => {
        impl $default for $name {
            fn default() -> Self {
                Self {
                    $($field: $key.resolve(None).expect("a key has no default")),*
                }
            }
        }
    };
    // One entry after the other: they differ in whether they have a field.
    (
        @entries ($($head:tt)*) [$($fields:tt)*] [$($keys:tt)*]
        $(#[doc = $doc:literal])* $field:ident: $type:ty = $key:expr $(, $($rest:tt)*)?
    ) => {
        crate::keys::keys! {
            @entries ($($head)*)
            [$($fields)* { $(#[doc = $doc])* $field: $type }]
            [$($keys)* { ($($doc)*) (let $field =) $key }]
            $($($rest)*)?
        }
    };
    (
        @entries ($($head:tt)*) [$($fields:tt)*] [$($keys:tt)*]
        $(#[doc = $doc:literal])* = $key:expr $(, $($rest:tt)*)?
    ) => {
        crate::keys::keys! {
            @entries ($($head)*)
            [$($fields)*]
            [$($keys)* { ($($doc)*) () $key }]
            $($($rest)*)?
        }
    };
    (
        @entries (
            $(#[$meta:meta])*
            $vis:vis struct $name:ident
            $(and {
                $($(#[$extra_meta:meta])* $extra:ident: $extra_type:ty = $value:expr),* $(,)?
            })?
            $(unsupported { $($unsupported:literal: $about:literal),* $(,)? })?
        )
        [$({ $(#[doc = $doc:literal])* $field:ident: $type:ty })*]
        [$({ ($($key_doc:literal)*) ($($let:tt)*) $key:expr })*]
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[doc = $doc])* $vis $field: $type,)*
            $($($(#[$extra_meta])* $vis $extra: $extra_type,)*)?
        }

        impl $name {
            /// The names of the keys, without those that are not supported.
            pub(crate) const NAMES: &'static [&'static str] = &[$($key.name),*];

            pub(crate) fn properties() -> Vec<crate::keys::shape::Property> {
                vec![
                    $($key.property(concat!($($key_doc, "\n"),*)),)*
                    $($(crate::keys::shape::unsupported($unsupported, $about),)*)?
                ]
            }

            /// Decodes all keys; None if one that the object needs is missing or invalid.
            pub(crate) fn read(
                cx: &mut crate::decode::Cx,
                fields: &crate::decode::Fields<'_>,
            ) -> Option<Self> {
                $($($let)* const { &$key }.read(cx, fields);)*
                Some(Self {
                    $($field: $field?,)*
                    $($($extra: {
                        let value: fn(
                            &mut crate::decode::Cx,
                            &crate::decode::Fields<'_>,
                        ) -> $extra_type = $value;
                        value(cx, fields)
                    },)*)?
                })
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident { $($entries:tt)* }
        $(and $extra:tt)?
        $(unsupported $unsupported:tt)?
    ) => {
        crate::keys::keys! {
            @entries (
                $(#[$meta])* $vis struct $name $(and $extra)? $(unsupported $unsupported)?
            )
            [] [] $($entries)*
        }
    };
}

/// Declares the keys of an object as [`keys`] does, and the kind of its values. `impl Default` is
/// the object without keys, `rules` are schemas of rules between keys, and `definition` is its
/// name below `$defs`.
macro_rules! object {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $body:tt
        $(and $extra:tt)?
        $(unsupported $unsupported:tt)?
        $(impl $default:ident)?
        $(rules [$($rule:expr),+])?
        $(definition $definition:tt)?
    ) => {
        crate::keys::keys! {
            $(#[$meta])*
            $vis struct $name $body $(and $extra)? $(unsupported $unsupported)?
        }

        $(crate::keys::keys! { @default $default $name $body })?

        impl crate::keys::ValueKind for $name {
            type Value = Self;

            $(const DEFINITION: Option<crate::keys::shape::Definition> =
                Some(crate::keys::shape::Definition::new $definition);)?

            fn shape() -> crate::keys::shape::Shape {
                crate::keys::shape::Shape::Object(crate::keys::shape::Object {
                    $(rules: vec![$($rule),+],)?
                    ..crate::keys::shape::Object::new(Self::properties())
                })
            }

            fn decode(
                cx: &mut crate::decode::Cx,
                at: &crate::decode::NodeRef<'_>,
            ) -> Option<Self> {
                let fields = cx.object(at, Self::NAMES)?;
                Self::read(cx, &fields)
            }
        }
    };
}

/// Declares an object with a single key whose value stands for the object.
macro_rules! single_key {
    ($vis:vis $name:ident -> $value:ty { $(#[doc = $doc:literal])* = $key:expr }) => {
        $vis struct $name;

        impl crate::keys::ValueKind for $name {
            type Value = $value;

            fn shape() -> crate::keys::shape::Shape {
                let property = $key.property(concat!($($doc, "\n"),*));
                crate::keys::shape::Shape::Object(crate::keys::shape::Object::new(vec![property]))
            }

            fn decode(
                cx: &mut crate::decode::Cx,
                at: &crate::decode::NodeRef<'_>,
            ) -> Option<$value> {
                let fields = cx.object(at, &[$key.name])?;
                $key.read(cx, &fields)
            }
        }
    };
}

/// Declares a kind of values: its shape and its decoder.
macro_rules! value_kind {
    (
        $(#[$meta:meta])*
        $vis:vis $name:ident -> $value:ty = $shape:expr, $decode:expr
        $(, definition $definition:tt)?
    ) => {
        $(#[$meta])*
        $vis struct $name;

        impl crate::keys::ValueKind for $name {
            type Value = $value;

            $(const DEFINITION: Option<crate::keys::shape::Definition> =
                Some(crate::keys::shape::Definition::new $definition);)?

            fn shape() -> crate::keys::shape::Shape {
                $shape
            }

            fn decode(
                cx: &mut crate::decode::Cx,
                at: &crate::decode::NodeRef<'_>,
            ) -> Option<$value> {
                let decode: fn(&mut crate::decode::Cx, &crate::decode::NodeRef<'_>) -> Option<$value> = $decode;
                decode(cx, at)
            }
        }
    };
}

pub(crate) use {keys, object, single_key, value_kind};
