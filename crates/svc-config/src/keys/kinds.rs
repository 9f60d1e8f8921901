//! Kinds of values that many keys have.

use std::marker::PhantomData;

use super::{
    ValueKind,
    shape::{Shape, list},
    shape_of, value_kind,
};
use crate::decode::{Cx, NodeRef, StringEnum};

value_kind!(
    /// Any value; it has no effect.
    pub(crate) Anything -> () = Shape::Anything, |_, _| Some(())
);
value_kind!(pub(crate) Text -> String = Shape::Text, Cx::string);
value_kind!(pub(crate) NonEmpty -> String = Shape::NonEmpty, Cx::non_empty_string);
value_kind!(
    /// One text or several.
    pub(crate) Texts -> Vec<String> = Shape::Any(vec![Shape::NonEmpty, ListOf::<NonEmpty>::shape()]),
    Cx::string_list
);
value_kind!(
    /// Whether pages are public: any value but `true` requests protection.
    pub(crate) Public -> bool = Shape::Boolean, |cx, at| Some(cx.boolean(at).unwrap_or(false))
);

impl ValueKind for bool {
    type Value = Self;

    fn shape() -> Shape {
        Shape::Boolean
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        cx.boolean(at)
    }
}

impl ValueKind for f64 {
    type Value = Self;

    fn shape() -> Shape {
        Shape::Number
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        cx.number(at)
    }
}

impl<W: StringEnum> ValueKind for W {
    type Value = Self;

    fn shape() -> Shape {
        Shape::OneOf(names::<W>())
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        cx.string_enum(at)
    }
}

/// The values of an enumeration.
pub(crate) fn names<W: StringEnum>() -> Vec<&'static str> {
    W::VARIANTS.iter().map(|value| value.as_str()).collect()
}

/// An array of values of one kind.
pub(crate) struct ListOf<K>(PhantomData<K>);

impl<K: ValueKind> ValueKind for ListOf<K> {
    type Value = Vec<K::Value>;

    fn shape() -> Shape {
        Shape::List(Box::new(list(shape_of::<K>())))
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self::Value> {
        cx.list(at, K::decode)
    }
}

/// A string, or an object that stands for the same value.
pub(crate) struct StringOr<S, O>(PhantomData<(S, O)>);

impl<S: ValueKind, O: ValueKind<Value = S::Value>> ValueKind for StringOr<S, O> {
    type Value = S::Value;

    fn shape() -> Shape {
        Shape::Any(vec![shape_of::<S>(), shape_of::<O>()])
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self::Value> {
        if at.is_string() {
            S::decode(cx, at)
        } else if at.is_object() {
            O::decode(cx, at)
        } else {
            cx.type_mismatch(at, "a string or an object");
            None
        }
    }
}
