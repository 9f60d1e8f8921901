//! Parses JavaScript with oxc. Its parser is recursive, so the stack is sized before it runs.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Program, SourceType};
use oxc_parser::Parser;
use oxc_span::LabeledSpan;
use svc_mdx::js::{Lexer, TokenKind};

use super::EvalError;
use super::ast::{Expr, Name};
use super::lower::{Lowered, Lowering};

/// Maximum number of tokens that can nest in a text.
const MAX_MARKS: usize = 100_000;
/// Maximum number of such tokens in a text that is parsed on the stack of the caller.
const MAX_DIRECT_MARKS: usize = 128;
/// Stack size in bytes per token that can nest.
const STACK_PER_MARK: usize = 5_600;

/// Parses a text of at most one expression. Returns the names that it reads as well.
pub(super) fn expression(text: &str) -> Lowered<(Option<Expr>, Vec<Name>)> {
    let mut tokens = Lexer::new(text, 0);
    let first = tokens.find(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Newline));
    let Some(first) = first else {
        return Ok((None, Vec::new()));
    };
    // Spread attributes begin with dots.
    let dots = text
        .get(first.start..)
        .is_some_and(|rest| rest.starts_with("..."));
    let start = if dots { first.start + 3 } else { 0 };
    let source = text.get(start..).unwrap_or("");
    let source = source.trim_end().strip_suffix(';').unwrap_or(source);
    with_stack(source, || {
        let allocator = Allocator::default();
        let parser = Parser::new(&allocator, source, SourceType::jsx());
        let tree = parser.parse_expression().map_err(|errors| {
            let first = errors.first();
            let message = first.map_or("", |error| &error.message);
            let label = first.and_then(|error| error.labels.first());
            let mut error = syntax_error(message, label, source);
            error.offset += start;
            error
        })?;
        let mut lowering = Lowering::new(source, start);
        let expression = lowering.expression(&tree)?;
        Ok((Some(expression), lowering.names))
    })
    .unwrap_or_else(|| Err(EvalError::too_deep(0)))
}

/// Parses a module and passes it to `visit`, with its first syntax error.
pub(super) fn module<T: Send>(
    text: &str,
    visit: impl FnOnce(&Program<'_>, Option<EvalError>) -> T + Send,
) -> Option<T> {
    with_stack(text, || {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, text, SourceType::tsx()).parse();
        let error = parsed.diagnostics.first();
        let error = error.map(|error| syntax_error(&error.message, error.labels.first(), text));
        visit(&parsed.program, error)
    })
}

/// Converts an error of the parser: its message becomes lower case, without a full stop.
fn syntax_error(message: &str, label: Option<&LabeledSpan>, source: &str) -> EvalError {
    let offset = label.map_or(0, |label| label.offset() as usize);
    let length = label.map_or(0, |label| label.len() as usize);
    let token = source.get(offset..offset + length).unwrap_or("");
    let mut message = match message.trim_end_matches('.') {
        "Unexpected token" if token.is_empty() => "unexpected end".to_owned(),
        "Unexpected token" => format!("unexpected `{token}`"),
        other => other.replace("`EOF`", "the end"),
    };
    let acronym = message.chars().nth(1).is_some_and(char::is_uppercase);
    if let Some(first) = message.get_mut(..1).filter(|_| !acronym) {
        first.make_ascii_lowercase();
    }
    EvalError::new(message, offset)
}

/// Calls `task`, which parses `source` and recurses into its syntax tree, with sufficient stack;
/// `None` if the tree can be too deep, or if there is no memory for the stack.
pub(crate) fn with_stack<T: Send>(source: &str, task: impl FnOnce() -> T + Send) -> Option<T> {
    let marks = nesting_marks(source);
    if marks <= MAX_DIRECT_MARKS {
        return Some(task());
    }
    if marks > MAX_MARKS {
        return None;
    }
    std::thread::scope(|scope| {
        // Pages of the stack that are not used cost no memory.
        let thread = std::thread::Builder::new().stack_size((1 << 20) + marks * STACK_PER_MARK);
        let worker = thread.spawn_scoped(scope, task).ok()?;
        worker.join().ok()
    })
}

/// Number of tokens that can nest, an upper bound of the depth of the syntax tree. It does not skip
/// strings and comments, because a simple scan can mistake code for them.
pub(crate) fn nesting_marks(source: &str) -> usize {
    const KEYWORDS: &[&str] = &[
        "new", "typeof", "void", "delete", "await", "yield", "else", "keyof", "infer", "async",
    ];
    let signs = source
        .bytes()
        .filter(|byte| b"!~+-*/%=?:.&|^<>([{`".contains(byte))
        .count();
    let keywords = source
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|token| KEYWORDS.contains(token))
        .count();
    signs + keywords
}
