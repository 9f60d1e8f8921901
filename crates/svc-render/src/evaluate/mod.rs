//! The JavaScript that pages contain, evaluated without a JavaScript engine and without effects.
//!
//! Attribute values, `{expression}` nodes, `export const …` and small function components come
//! down to a [`Value`]. What a page cannot know while it is rendered (browser objects, regular
//! expressions, promises) is `undefined` and never an error; an [`EvalError`] means that the text
//! is not JavaScript, or that a limit of [`Limits`] was reached.

mod access;
mod ast;
mod binding;
mod convert;
mod entities;
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

pub(crate) use entities::resolve_entities;
pub(crate) use markup::collapse;

pub use exports::{Export, exports};
pub use heap::Function;
pub use value::{JsxChild, JsxElement, Value};

use std::fmt;

use indexmap::IndexMap;

use interpreter::Interpreter;
use parser::Parser;

/// Where an evaluation finds the names that its text does not define.
pub trait Scope {
    /// The value of `name`, or nothing where it is unknown.
    fn get(&self, name: &str) -> Option<Value>;
}

/// A scope that knows no name.
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

/// What one evaluation may use up before it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalLimits {
    /// Evaluated expressions, visited items, and sixteenths of copied text.
    pub steps: u64,
    /// Function calls inside each other.
    pub calls: u32,
    /// Expressions inside each other, over all open calls; this bounds the stack.
    pub nesting: u32,
    /// Bytes of text made by the evaluation, and bytes of text reachable from one value.
    pub bytes: usize,
    /// Items of one array or object.
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

/// Why a text has no value: it is not valid, or a limit was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError {
    /// A lower-case phrase.
    pub message: String,
    /// The byte in the evaluated text where it happened.
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

/// The value of one expression; nothing but comments and white space is `undefined`. The dots of a
/// spread attribute (`...props`) may stand before it.
pub fn evaluate(expression: &str, scope: &dyn Scope) -> Result<Value, EvalError> {
    evaluate_within(expression, scope, EvalLimits::default())
}

/// [`evaluate`] with other limits.
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

/// The exported names of a block of `import`, `export` and other statements, with their values, in
/// order. Functions may use names that are defined later in the block.
///
/// Imported names come from `scope` under their local names. The default export is `default`.
pub fn module(esm: &str, scope: &dyn Scope) -> Result<IndexMap<String, Value>, EvalError> {
    let module = Parser::new(esm).module()?;
    let mut machine = Interpreter::new(scope, &module.names, EvalLimits::default());
    machine.module(&module)
}

/// Whether `expression` is valid, without evaluating it.
pub fn check(expression: &str) -> Result<(), EvalError> {
    Parser::new(expression).expression_text().map(|_| ())
}

/// The result of calling a function with arguments; a component takes one object, its props.
pub fn call(function: &Function, args: &[Value], limits: EvalLimits) -> Result<Value, EvalError> {
    call_in(function, args, &EmptyScope, limits)
}

/// [`call`], where `scope` knows names that were unknown when the function was made.
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
