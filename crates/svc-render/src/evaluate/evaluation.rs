//! Inputs and results of an evaluation.

use std::fmt;

use indexmap::IndexMap;

use super::value::Value;

/// Resolves names that the evaluated text does not define.
pub trait Scope {
    /// Returns the value of `name`; `None` if it is unknown.
    fn get(&self, name: &str) -> Option<Value>;
}

/// A scope without names.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmptyScope;

impl Scope for EmptyScope {
    fn get(&self, _name: &str) -> Option<Value> {
        None
    }
}

impl Scope for IndexMap<String, Value> {
    fn get(&self, name: &str) -> Option<Value> {
        Self::get(self, name).cloned()
    }
}

/// Resource limits of one evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalLimits {
    /// Maximum number of evaluated expressions, visited items, and sixteenths of copied text.
    pub steps: u64,
    /// Maximum depth of function calls.
    pub calls: u32,
    /// Maximum nesting depth of expressions across all open calls; this bounds the stack.
    pub nesting: u32,
    /// Maximum number of bytes of text that the evaluation creates, and that are reachable from one
    /// value.
    pub bytes: usize,
    /// Maximum number of items of one array or object.
    pub items: usize,
}

impl Default for EvalLimits {
    fn default() -> Self {
        Self {
            steps: 100_000,
            calls: 64,
            nesting: 256,
            bytes: 1 << 20,
            items: 10_000,
        }
    }
}

/// Error of an evaluation: a syntax error, or an exceeded limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError {
    /// Message in lower case, without a full stop.
    pub message: String,
    /// Byte offset in the evaluated text.
    pub offset: usize,
}

impl EvalError {
    pub(super) fn new(message: impl Into<String>, offset: usize) -> Self {
        Self {
            message: message.into(),
            offset,
        }
    }

    pub(super) fn too_deep(offset: usize) -> Self {
        Self::new("this is nested too deeply", offset)
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for EvalError {}

/// Result of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The value of the text.
    pub value: Value,
    /// Whether the text uses JavaScript that only an engine can run, such as regular expressions.
    /// The values of these parts are `undefined` in `value`.
    pub needs_engine: bool,
}
