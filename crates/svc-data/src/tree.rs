//! The tree.

use svc_diagnostics::Span;

use crate::KeyMap;

/// A value and the characters it was read from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// Where it stands. The expansion of a YAML alias has the place of its anchor.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// The JSON data model.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`, also an empty YAML value.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Box<str>),
    /// An array.
    Array(Vec<Node>),
    /// An object, in the order of the text.
    Object(Object),
}

/// A number: exact when it is an integer of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// Anything else; always finite.
    Float(f64),
}

impl Number {
    /// The number as a float.
    #[expect(
        clippy::cast_precision_loss,
        reason = "callers that need exactness match on Int"
    )]
    pub const fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(int) => int.fmt(out),
            Self::Float(float) => float.fmt(out),
        }
    }
}

/// The members of an object. Of duplicate keys the last value is kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    pub(crate) members: KeyMap<Member>,
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Object {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.members.get(key).map(|member| &member.value)
    }

    /// The member with the place of its key.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.get(key)
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Node)> {
        self.members
            .iter()
            .map(|(key, member)| (key, &member.value))
    }

    /// Keys and members in order.
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&str, &Member)> {
        self.members.iter()
    }

    /// Keys and members in order, taken out.
    pub fn into_members(self) -> impl ExactSizeIterator<Item = (Box<str>, Member)> {
        self.members.into_iter()
    }

    /// The members, taken out.
    pub fn into_map(self) -> KeyMap<Member> {
        self.members
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Sets a member; a key that was there keeps its position.
    pub fn insert(&mut self, key: &str, key_span: Span, value: Node) -> Option<Member> {
        self.members.insert(key, Member { key_span, value })
    }
}

impl Node {
    /// A node at a place.
    pub const fn new(span: Span, value: Value) -> Self {
        Self { span, value }
    }

    /// The member of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(string) = &self.value {
            Some(string)
        } else {
            None
        }
    }

    /// The boolean, if it is one.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self.value {
            Some(value)
        } else {
            None
        }
    }

    /// The number, if it is one.
    pub const fn as_number(&self) -> Option<Number> {
        if let Value::Number(number) = self.value {
            Some(number)
        } else {
            None
        }
    }

    /// The items, if it is an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Value::Array(items) = &self.value {
            Some(items)
        } else {
            None
        }
    }

    /// The members, if it is an object.
    pub const fn as_object(&self) -> Option<&Object> {
        if let Value::Object(object) = &self.value {
            Some(object)
        } else {
            None
        }
    }

    /// Whether it is null.
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// What it is, with article, for messages: "a string", "an object".
    pub const fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// A string, number or boolean as text; what people mean by an unquoted YAML scalar.
    pub fn to_text(&self) -> Option<String> {
        match &self.value {
            Value::String(string) => Some(string.to_string()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}
