//! Evaluator for the JavaScript in pages, without a JavaScript engine and without side effects.
//!
//! Attribute values, `{expression}` nodes, `export const …` and small function components evaluate
//! to a [`Value`]. Values that are not available during rendering (browser objects, regular
//! expressions, promises) are `undefined` and not errors. An [`EvalError`] means that the text is
//! not valid JavaScript, or that a limit of [`EvalLimits`] was exceeded.

mod access;
mod ast;
mod binding;
mod convert;
mod escape_closures;
mod exports;
mod expression;
mod heap;
mod interpreter;
mod jsx;
mod lexer;
mod markup;
mod methods;
mod number;
mod operand;
mod operators;
mod parser;
mod pattern;
mod run;
mod size_limits;
mod statement;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use markup::collapse;

pub use exports::{Export, exports};
pub use heap::Function;
pub use value::{JsxChild, JsxElement, Value};

use std::fmt;

use indexmap::IndexMap;

use interpreter::Interpreter;
use parser::Parser;

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
    fn new(message: impl Into<String>, offset: usize) -> Self {
        Self {
            message: message.into(),
            offset,
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for EvalError {}

/// Evaluates one expression, optionally with the dots of a spread attribute (`...props`). Text of
/// only comments and white space evaluates to `undefined`.
///
/// # Errors
///
/// Fails if the text is not valid or a limit is exceeded.
pub fn evaluate(expression: &str, scope: &dyn Scope) -> Result<Value, EvalError> {
    evaluate_within(expression, scope, EvalLimits::default())
}

/// Like [`evaluate`], with custom limits.
///
/// # Errors
///
/// Fails if the text is not valid or a limit is exceeded.
pub fn evaluate_within(
    expression: &str,
    scope: &dyn Scope,
    limits: EvalLimits,
) -> Result<Value, EvalError> {
    let (program, names) = Parser::new(expression).expression_text()?;
    let Some(program) = program else {
        return Ok(Value::Undefined);
    };
    let mut machine = Interpreter::new(scope, &names, limits);
    let value = machine.evaluate(&program, 0)?;
    machine.escape(&value)
}

/// Evaluates a block of `import`, `export` and other statements. Returns the exported names and
/// their values in order; functions can use names that are defined later in the block.
///
/// Imported names are looked up in `scope` under their local names. The default export is named
/// `default`.
///
/// # Errors
///
/// Fails if the text is not valid or a limit is exceeded.
pub fn module(esm: &str, scope: &dyn Scope) -> Result<IndexMap<String, Value>, EvalError> {
    let module = Parser::new(esm).module()?;
    let mut machine = Interpreter::new(scope, &module.names, EvalLimits::default());
    machine.module(&module)
}

/// Parses `expression` without evaluating it.
///
/// # Errors
///
/// Fails if the text is not valid.
pub fn check(expression: &str) -> Result<(), EvalError> {
    Parser::new(expression).expression_text().map(|_| ())
}

/// Calls a function with arguments. A component takes one argument, its props.
///
/// # Errors
///
/// Fails if a limit is exceeded.
pub fn call(function: &Function, args: &[Value], limits: EvalLimits) -> Result<Value, EvalError> {
    call_in(function, args, &EmptyScope, limits)
}

/// Like [`call`], with a scope for names that were unknown when the function was created.
///
/// # Errors
///
/// Fails if a limit is exceeded.
pub fn call_in(
    function: &Function,
    args: &[Value],
    scope: &dyn Scope,
    limits: EvalLimits,
) -> Result<Value, EvalError> {
    let mut machine = Interpreter::new(scope, &[], limits);
    let value = machine.invoke(function, args)?;
    machine.escape(&value)
}
