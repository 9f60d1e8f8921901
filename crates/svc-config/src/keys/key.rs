//! Keys with the kind of their values and the consequence of their absence.

use super::{
    shape::{Property, property},
    value::{ValueKind, description, shape_of},
};
use crate::decode::{Cx, Fields, StringEnum};

/// A key of an object with a value of the kind `K`, and the field `F` that it is decoded to.
pub(crate) struct Key<K: ValueKind, F> {
    pub(crate) name: &'static str,
    required: bool,
    /// When the key is required, and the hint if it is missing.
    required_if: Option<(Condition, &'static str)>,
    default: &'static str,
    example: &'static str,
    rule: &'static str,
    deprecated: &'static str,
    /// The value of a missing or invalid key, and its JSON form if the reference has it.
    fallback: Option<Fallback<K::Value>>,
    /// Converts the value; None if the object cannot be used without it.
    field: fn(Option<K::Value>) -> Option<F>,
}

type Condition = fn(&Fields<'_>) -> bool;
type Fallback<V> = (fn() -> V, fn(V) -> String);

/// A default value with a JSON form.
pub(crate) trait Literal {
    fn json(self) -> String;
}

impl Literal for bool {
    fn json(self) -> String {
        self.to_string()
    }
}

impl<W: StringEnum> Literal for W {
    fn json(self) -> String {
        format!("\"{}\"", self.as_str())
    }
}

/// An optional key.
pub(crate) const fn key<K: ValueKind>(name: &'static str) -> Key<K, Option<K::Value>> {
    Key {
        name,
        required: false,
        required_if: None,
        default: "",
        example: "",
        rule: "",
        deprecated: "",
        fallback: None,
        field: Some,
    }
}

impl<K: ValueKind, F> Key<K, F> {
    /// The object is invalid without the key.
    pub(crate) const fn required(self) -> Key<K, K::Value> {
        self.expected().field(|value| value)
    }

    /// The key is reported if it is missing, but the object can be used without it.
    pub(crate) const fn expected(self) -> Self {
        let required = true;
        Self { required, ..self }
    }

    /// The key is expected if the condition is true.
    pub(crate) const fn expected_if(self, condition: Condition, hint: &'static str) -> Self {
        let required_if = Some((condition, hint));
        Self {
            required_if,
            ..self
        }
    }

    /// The value of a missing or invalid key, as the reference documents it.
    pub(crate) const fn or(self, value: fn() -> K::Value) -> Key<K, K::Value>
    where
        K::Value: Literal,
    {
        self.fallback(value, K::Value::json)
    }

    /// The value of a missing or invalid key.
    pub(crate) const fn or_else(self, value: fn() -> K::Value) -> Key<K, K::Value> {
        self.fallback(value, |_| String::new())
    }

    /// The default value of a missing or invalid key.
    pub(crate) const fn or_default(self) -> Key<K, K::Value>
    where
        K::Value: Default,
    {
        self.or_else(K::Value::default)
    }

    const fn fallback(
        self,
        value: fn() -> K::Value,
        json: fn(K::Value) -> String,
    ) -> Key<K, K::Value> {
        let fallback = Some((value, json));
        Self { fallback, ..self }.field(|value| value)
    }

    /// Converts the value, or its absence, to the field; None if the object cannot be used.
    pub(crate) const fn field<G>(self, field: fn(Option<K::Value>) -> Option<G>) -> Key<K, G> {
        Key {
            name: self.name,
            required: self.required,
            required_if: self.required_if,
            default: self.default,
            example: self.example,
            rule: self.rule,
            deprecated: self.deprecated,
            fallback: self.fallback,
            field,
        }
    }

    /// The default: JSON, or a description if it is not constant.
    pub(crate) const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// Example value, as JSON.
    pub(crate) const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// Rules that the kind does not express, in Markdown.
    pub(crate) const fn rule(self, rule: &'static str) -> Self {
        Self { rule, ..self }
    }

    /// What to use instead.
    pub(crate) const fn deprecated(self, deprecated: &'static str) -> Self {
        Self { deprecated, ..self }
    }

    /// The key with its doc comment, for the schema and the reference.
    pub(crate) fn property(self, doc: &str) -> Property {
        let default = match (self.default, self.fallback) {
            ("", Some((value, json))) => json(value()),
            (text, _) => text.to_owned(),
        };
        Property {
            required: self.required,
            default,
            example: self.example,
            rule: self.rule,
            deprecated: self.deprecated,
            ..property(self.name, &description(doc), shape_of::<K>())
        }
    }

    /// Decodes the key; None if the object cannot be used without it.
    pub(crate) fn read(&self, cx: &mut Cx, fields: &Fields<'_>) -> Option<F> {
        if let Some(at) = fields.get(self.name) {
            return self.resolve(K::decode(cx, &at));
        }
        if self.required {
            let hint = format!("add `\"{}\": …`", self.name);
            cx.missing(fields, self.name, &hint);
        } else if let Some((condition, hint)) = self.required_if
            && condition(fields)
        {
            cx.missing(fields, self.name, hint);
        }
        self.resolve(None)
    }

    /// The field for a value, or for a missing or invalid one.
    pub(crate) fn resolve(&self, value: Option<K::Value>) -> Option<F> {
        let fallback = self.fallback.map(|(value, _)| value);
        (self.field)(value.or_else(|| Some(fallback?())))
    }
}
