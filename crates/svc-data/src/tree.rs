//! The tree of a document.

use svc_diagnostics::Span;

use crate::KeyMap;

/// A value and the span it was read from.
///
/// ```
/// use svc_data::{Limits, parse_json};
/// use svc_diagnostics::SourceFile;
/// let file = SourceFile::new("a.json", r#"{"name": "A", "size": 2, "tags": ["x"], "old": null}"#);
/// let root = parse_json(&file, &Limits::default()).value;
/// assert_eq!(root.kind(), "an object");
/// assert_eq!(root.get("name").and_then(|name| name.as_str()), Some("A"));
/// let size = root.get("size").unwrap();
/// assert_eq!(size.as_number().map(|number| number.as_f64()), Some(2.0));
/// assert_eq!((size.as_bool(), size.to_text().as_deref()), (None, Some("2")));
/// assert_eq!(file.slice(size.span), "2");
/// assert_eq!(root.get("tags").and_then(|tags| tags.as_array()).map(<[_]>::len), Some(1));
/// assert!(root.get("old").unwrap().is_null());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// Span in the document. The expansion of a YAML alias has the span of its anchor.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A value of the JSON data model.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`, or an empty YAML value.
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
    /// An object; its members are in the order of the document.
    Object(Object),
}

/// A number; exact if it is a 64-bit integer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A 64-bit integer.
    Int(i64),
    /// Any other number; always finite.
    Float(f64),
}

impl Number {
    /// Converts the number to a float. Integers beyond 2⁵³ lose precision.
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

/// The members of an object. The last of duplicate members is retained (in TOML the first).
///
/// ```
/// use svc_data::{Node, Object, Value};
/// use svc_diagnostics::Span;
/// let mut object = Object::default();
/// assert!(object.is_empty());
/// let node = Node::new(Span::new(3, 7), Value::Bool(true));
/// assert!(object.insert("a", Span::new(0, 1), node.clone()).is_none());
/// assert_eq!(object.get("a"), Some(&node));
/// assert_eq!(object.member("a").map(|member| member.key_span), Some(Span::new(0, 1)));
/// assert_eq!(object.iter().next(), Some(("a", &node)));
/// assert_eq!((object.len(), object.members().len()), (1, 1));
/// assert!(object.into_map().contains_key("a"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    pub(crate) members: KeyMap<Member>,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Span of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Object {
    /// Returns the value of a key, or `None` if the key is missing.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.members.get(key).map(|member| &member.value)
    }

    /// Returns the value of a key with the span of the key, or `None` if the key is missing.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.get(key)
    }

    /// Iterates over keys and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Node)> {
        self.members
            .iter()
            .map(|(key, member)| (key, &member.value))
    }

    /// Iterates over keys and members in order.
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&str, &Member)> {
        self.members.iter()
    }

    /// Converts the object to an iterator over keys and members in order.
    pub fn into_members(self) -> impl ExactSizeIterator<Item = (Box<str>, Member)> {
        self.members.into_iter()
    }

    /// Returns the members by key.
    pub const fn as_map(&self) -> &KeyMap<Member> {
        &self.members
    }

    /// Converts the object to a map of its members.
    pub fn into_map(self) -> KeyMap<Member> {
        self.members
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Inserts a member and returns the previous one of that key. An existing key keeps its
    /// position.
    pub fn insert(&mut self, key: &str, key_span: Span, value: Node) -> Option<Member> {
        self.members.insert(key, Member { key_span, value })
    }
}

impl From<KeyMap<Member>> for Object {
    fn from(members: KeyMap<Member>) -> Self {
        Self { members }
    }
}

impl Node {
    /// Creates a node.
    pub const fn new(span: Span, value: Value) -> Self {
        Self { span, value }
    }

    /// Returns the value of a key; `None` if the key is missing or the node is not an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// Returns the string; `None` if the node is not a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(string) = &self.value {
            Some(string)
        } else {
            None
        }
    }

    /// Returns the boolean; `None` if the node is not a boolean.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self.value {
            Some(value)
        } else {
            None
        }
    }

    /// Returns the number; `None` if the node is not a number.
    pub const fn as_number(&self) -> Option<Number> {
        if let Value::Number(number) = self.value {
            Some(number)
        } else {
            None
        }
    }

    /// Returns the items; `None` if the node is not an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Value::Array(items) = &self.value {
            Some(items)
        } else {
            None
        }
    }

    /// Returns the members; `None` if the node is not an object.
    pub const fn as_object(&self) -> Option<&Object> {
        if let Value::Object(object) = &self.value {
            Some(object)
        } else {
            None
        }
    }

    /// Returns the members by key; `None` if the node is not an object.
    pub fn as_map(&self) -> Option<&KeyMap<Member>> {
        self.as_object().map(Object::as_map)
    }

    /// Returns the members by key, to be changed; `None` if the node is not an object.
    ///
    /// ```
    /// use svc_data::{Limits, parse_json};
    /// use svc_diagnostics::SourceFile;
    /// let file = SourceFile::new("a.json", r#"{"name": "Acme", "tabs": []}"#);
    /// let mut tree = parse_json(&file, &Limits::default()).value;
    /// tree.as_map_mut().and_then(|members| members.remove("tabs"));
    /// assert_eq!(tree.to_json().to_string(), r#"{"name":"Acme"}"#);
    /// ```
    pub const fn as_map_mut(&mut self) -> Option<&mut KeyMap<Member>> {
        if let Value::Object(object) = &mut self.value {
            Some(&mut object.members)
        } else {
            None
        }
    }

    /// Returns true if the value is null.
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// Returns the type with its article, for messages: "a string", "an object".
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

    /// Returns a string, number or boolean as text, as an unquoted YAML scalar is usually meant;
    /// `None` for other types.
    pub fn to_text(&self) -> Option<String> {
        match &self.value {
            Value::String(string) => Some(string.to_string()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}
