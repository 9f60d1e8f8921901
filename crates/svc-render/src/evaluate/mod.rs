//! Evaluator for the JavaScript in pages, without a JavaScript engine and without side effects.
//!
//! The parser is oxc (`parse`); its tree is converted (`lower`) and interpreted. Attribute values,
//! `{expression}` nodes, `export const …` and small function components evaluate to a [`Value`].
//! Browser objects are `undefined` and not errors. So is everything that only an engine can run,
//! such as regular expressions; [`Evaluated`] has a flag for that, and the engine then runs
//! the expression. An [`EvalError`] means that the text is not valid JavaScript, or that a limit of
//! [`EvalLimits`] was exceeded.

mod access;
mod ast;
mod binding;
mod convert;
mod escape_closures;
mod evaluation;
mod expression;
mod heap;
mod interpreter;
mod jsx;
mod lower;
mod methods;
mod number;
mod operators;
mod parse;
mod run;
mod size_limits;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use lower::{attribute_text, child_text};
pub(crate) use parse::{nesting_marks, with_stack};

pub(crate) use methods::is_engine_global;

pub use evaluation::{EmptyScope, EvalError, EvalLimits, Evaluated, Scope};
pub use heap::Function;
pub use lower::Import;
pub use value::{EngineComponent, JsxChild, JsxElement, JsxTag, Value};

use indexmap::IndexMap;

use ast::ModuleAst;
use interpreter::Interpreter;
use lower::Lowering;

/// Evaluates one expression, optionally with the dots of a spread attribute (`...props`). Text of
/// only comments and white space evaluates to `undefined`.
///
/// # Errors
///
/// Fails if the text is not valid or a limit is exceeded.
pub fn evaluate(expression: &str, scope: &dyn Scope) -> Result<Value, EvalError> {
    evaluate_within(expression, scope, EvalLimits::default()).map(|evaluated| evaluated.value)
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
) -> Result<Evaluated, EvalError> {
    let (program, names) = parse::expression(expression)?;
    let mut machine = Interpreter::new(scope, &names, limits);
    let value = match program {
        Some(program) => machine.evaluate(&program, 0)?,
        None => Value::Undefined,
    };
    machine.finish(&value)
}

/// A parsed block of `import`, `export` and other statements.
#[derive(Debug)]
pub struct Module {
    /// The imports of values, in order; with a syntax error, those before it.
    pub imports: Vec<Import>,
    code: Result<ModuleAst, EvalError>,
}

impl Module {
    /// Parses a module. Errors are reported when it is evaluated.
    pub fn parse(text: &str) -> Self {
        let parsed = parse::module(text, |program, error| Self {
            imports: lower::imports(program),
            code: match error {
                Some(error) => Err(error),
                None => Lowering::new(text, 0).module(program),
            },
        });
        let mut module = parsed.unwrap_or_else(|| Self {
            imports: Vec::new(),
            code: Err(EvalError::too_deep(0)),
        });
        if let (true, Err(error)) = (module.imports.is_empty(), &module.code) {
            // After a syntax error there may be no tree, but the imports before it are valid.
            let before = text.get(..error.offset).unwrap_or("");
            let end = before.rfind("\nexport ").max(before.rfind("\nimport "));
            if let Some(before) = end.and_then(|end| before.get(..end)) {
                module.imports =
                    parse::module(before, |program, _| lower::imports(program)).unwrap_or_default();
            }
        }
        module
    }

    /// Evaluates the module. Returns the exported names and their values in order; functions can use
    /// names that are defined later in the block.
    ///
    /// Imported names are looked up in `scope` under their local names. The default export is named
    /// `default`.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid or a limit is exceeded.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<IndexMap<String, Value>, EvalError> {
        let code = self.code.as_ref().map_err(Clone::clone)?;
        let mut machine = Interpreter::new(scope, &code.names, EvalLimits::default());
        machine.module(code)
    }
}

/// Calls a function with arguments and a scope for names that were unknown when the function was
/// created. A component takes one argument, its props.
///
/// # Errors
///
/// Fails if a limit is exceeded.
pub fn call(
    function: &Function,
    args: &[Value],
    scope: &dyn Scope,
    limits: EvalLimits,
) -> Result<Evaluated, EvalError> {
    let mut machine = Interpreter::new(scope, &[], limits);
    let value = machine.invoke(function, args)?;
    machine.finish(&value)
}
