//! Values of the evaluator that represent components of the engine.

use svc_diagnostics::DiagnosticCode;

use super::compile::Level;
use crate::evaluate::Value;

/// A module that cannot be compiled.
pub(crate) static MODULE_INVALID: DiagnosticCode = DiagnosticCode::error(
    "component-invalid",
    "a file with components cannot be compiled",
);

/// Prefix of the value of a component that runs in the engine; path, name and level follow.
pub(super) const COMPONENT: &str = "\0component\0";
/// Prefix of the element type of an imported MDX file in a component; the path follows.
pub(crate) const CONTENT: &str = "\0content:";

/// Creates the value that represents a component of the engine.
pub(crate) fn component(path: &str, name: &str, level: Level) -> Value {
    let level = if level == Level::Island { "i" } else { "e" };
    Value::from(format!("{COMPONENT}{path}\0{name}\0{level}"))
}

/// Whether a text is a value of [`component`].
pub(crate) fn is_component(text: &str) -> bool {
    text.starts_with(COMPONENT)
}
