//! Converts the syntax tree of oxc to the tree that is evaluated. Syntax without a value, such as
//! regular expressions, becomes [`Expr::Opaque`]; types are dropped.
//!
//! Left-deep trees (operators, chains) are converted in a loop, and the depth of all others is
//! limited, so that the result can be evaluated and dropped with little stack.

mod expression;
mod jsx;
mod module;
mod pattern;
mod statement;

pub(crate) use jsx::{attribute_text, child_text};
pub use module::Import;
pub(super) use module::imports;

use std::sync::Arc;

use oxc_span::Span;

use super::EvalError;
use super::ast::{FunctionCode, Name};

/// Maximum depth of the syntax tree; real components stay below 100. Deeper trees would also exceed
/// the nesting limit of the evaluation.
const MAX_DEPTH: u32 = 256;

pub(super) type Lowered<T> = Result<T, EvalError>;

/// State of a conversion.
pub(super) struct Lowering<'s> {
    /// The text that was parsed.
    source: &'s str,
    /// Offset of `source` in the text of the caller.
    start: usize,
    depth: u32,
    /// Names that the text reads.
    pub(super) names: Vec<Name>,
    /// Declared names of each open block.
    declared: Vec<Vec<Name>>,
    functions: Vec<Vec<(Name, Arc<FunctionCode>)>>,
}

impl<'s> Lowering<'s> {
    pub(super) fn new(source: &'s str, start: usize) -> Self {
        Self {
            source,
            start,
            depth: 0,
            names: Vec::new(),
            declared: vec![Vec::new()],
            functions: vec![Vec::new()],
        }
    }

    fn offset(&self, at: u32) -> usize {
        self.start + at as usize
    }

    fn text(&self, span: Span) -> &'s str {
        self.source
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    fn unsupported<T>(&self, message: &str, span: Span) -> Lowered<T> {
        Err(EvalError::new(message, self.offset(span.start)))
    }

    /// Calls `convert` at one more level of nesting.
    fn nested<T>(
        &mut self,
        span: Span,
        convert: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if self.depth >= MAX_DEPTH {
            return Err(EvalError::too_deep(self.offset(span.start)));
        }
        self.depth += 1;
        let result = convert(self);
        self.depth -= 1;
        result
    }
}
