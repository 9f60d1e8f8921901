//! Values of the evaluator.

use std::sync::Arc;

use indexmap::IndexMap;

use super::Function;

/// A JavaScript value, as far as rendering requires it.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// `undefined`, also used for everything that is not supported.
    #[default]
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    String(Arc<str>),
    /// An array.
    Array(Arc<Vec<Self>>),
    /// An object, with keys in insertion order.
    Object(Arc<IndexMap<String, Self>>),
    /// A closure or a built-in function; see [`call`](super::call).
    Function(Arc<Function>),
    /// A JSX element or fragment.
    Element(Arc<JsxElement>),
    /// A component that runs in the JavaScript engine.
    Component(Arc<EngineComponent>),
}

/// A component that a file of the site exports and that runs in the JavaScript engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineComponent {
    /// Path of the file.
    pub path: String,
    /// Exported name.
    pub name: String,
    /// Whether the component also runs in the browser.
    pub island: bool,
}

/// What an element renders.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum JsxTag {
    /// Its children: `<>…</>`.
    #[default]
    Fragment,
    /// A name as written: `div`, `Card`, `Tree.Folder`.
    Name(String),
    /// A component that runs in the JavaScript engine.
    Component(Arc<EngineComponent>),
    /// The content of the MDX file at a path.
    Content(String),
    /// HTML that the page has rendered already, by its index.
    Rendered(usize),
}

/// An element that was written in JSX, with evaluated attributes and children.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JsxElement {
    /// What the element renders.
    pub tag: JsxTag,
    /// Attributes in order, without `key` and `ref`.
    pub props: IndexMap<String, Value>,
    /// Children of the element.
    pub children: Vec<JsxChild>,
    /// Byte offset of `<` in the evaluated text.
    pub offset: usize,
}

/// A child of an element.
#[derive(Debug, Clone, PartialEq)]
pub enum JsxChild {
    /// Text after white space collapsing, with character references decoded.
    Text(String),
    /// The value of an expression or a nested element.
    Value(Value),
}

impl Value {
    /// The text of a string; `None` for other values.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The value of a number; `None` for other values.
    pub fn as_number(&self) -> Option<f64> {
        if let Self::Number(number) = self {
            Some(*number)
        } else {
            None
        }
    }

    /// The items of an array; `None` for other values.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// The entries of an object; `None` for other values.
    pub fn as_object(&self) -> Option<&IndexMap<String, Self>> {
        if let Self::Object(entries) = self {
            Some(entries)
        } else {
            None
        }
    }

    /// Whether the value is neither `undefined` nor `null`.
    pub fn is_some(&self) -> bool {
        !matches!(self, Self::Undefined | Self::Null)
    }

    /// Whether the value is truthy.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Bool(value) => *value,
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::String(text) => !text.is_empty(),
            Self::Array(_)
            | Self::Object(_)
            | Self::Function(_)
            | Self::Element(_)
            | Self::Component(_) => true,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<Vec<Self>> for Value {
    fn from(items: Vec<Self>) -> Self {
        Self::Array(Arc::new(items))
    }
}

impl From<IndexMap<String, Self>> for Value {
    fn from(entries: IndexMap<String, Self>) -> Self {
        Self::Object(Arc::new(entries))
    }
}
