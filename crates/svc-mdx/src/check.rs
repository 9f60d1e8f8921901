//! Parses the JavaScript of a page with `oxc`: one parse for each expression, attribute value,
//! spread and module block.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, ObjectPropertyKind, Statement};
use oxc_parser::Parser;
use oxc_span::{GetSpan as _, SourceType};
use svc_diagnostics::{Checked, DiagnosticCode, Span};

use crate::{
    AttributeKind, AttributeValue, Document, Element, Kind, ParseDiagnostic,
    diagnostic::{BAD_ATTRIBUTE, BAD_ESM, BAD_EXPRESSION, TOO_DEEP},
    js::{Lexer, TokenKind},
    walk,
};

/// Maximum nesting depth of brackets, operators and tags in JavaScript, because the parser of `oxc`
/// is recursive.
const MAX_NESTING: usize = 128;

/// Returns a diagnostic for every piece of invalid JavaScript, in the order of the page. `text` is
/// the text that `parsed` was parsed from. Spans with a diagnostic of the parser are skipped.
///
/// # Example
///
/// ```
/// use svc_mdx::{Options, check, parse};
/// let text = "a {f(b c)}";
/// let problems = check(text, &parse(text, &Options::default()));
/// assert_eq!(problems[0].span.start, 7);
/// ```
pub fn check(text: &str, parsed: &Checked<Document, ParseDiagnostic>) -> Vec<ParseDiagnostic> {
    let mut reported: Vec<Span> = parsed
        .diagnostics
        .iter()
        .filter(|problem| [&BAD_EXPRESSION, &BAD_ATTRIBUTE, &BAD_ESM].contains(&problem.code))
        .map(|problem| problem.span)
        .collect();
    reported.sort_unstable();
    let mut checker = Checker {
        text,
        reported,
        problems: Vec::new(),
    };
    walk(&parsed.value.children, |node, _| {
        match &node.kind {
            Kind::Expression { value, .. } => {
                let inner = Span::new(node.span.start + 1, node.span.end.saturating_sub(1));
                checker.expression(value, inner, ExpressionKind::Braces);
            }
            Kind::Esm(value) => checker.module(value, node.span),
            Kind::Element(element) => checker.element(element),
            _ => {}
        }
        true
    });
    checker.problems
}

/// Position of an expression in the syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpressionKind {
    /// `{…}` as content; may be empty.
    Braces,
    /// `name={…}`.
    Value,
    /// `{...…}`.
    Spread,
}

impl ExpressionKind {
    const fn code(self) -> &'static DiagnosticCode {
        match self {
            Self::Braces | Self::Value => &BAD_EXPRESSION,
            Self::Spread => &BAD_ATTRIBUTE,
        }
    }

    const fn message_and_hint(self) -> (&'static str, &'static str) {
        match self {
            Self::Braces => (
                "the text in these braces is not JavaScript",
                "fix the expression, or write `\\{` for a plain brace",
            ),
            Self::Value => (
                "the value of this attribute is not JavaScript",
                "fix the expression, or write text in quotes: `name=\"value\"`",
            ),
            Self::Spread => (
                "these attributes are not JavaScript",
                "write one expression after the dots: `{...values}`",
            ),
        }
    }
}

/// Message of an error, and its byte offset in the source.
type JsError = (usize, String);

struct Checker<'a> {
    text: &'a str,
    reported: Vec<Span>,
    problems: Vec<ParseDiagnostic>,
}

impl Checker<'_> {
    fn element(&mut self, element: &Element) {
        for attribute in &element.attributes {
            match &attribute.kind {
                AttributeKind::Named {
                    value: AttributeValue::Expression { value, span },
                    ..
                } => self.expression(value, *span, ExpressionKind::Value),
                AttributeKind::Spread(value) => {
                    let raw = self.raw(attribute.span);
                    let start = raw.find("...").map_or(0, |dots| dots + 3);
                    let end = raw.trim_end_matches('}').trim_end().len();
                    let from = attribute.span.start as usize;
                    let inner = Span::from_range(from + start..from + end.max(start));
                    self.expression(value, inner, ExpressionKind::Spread);
                }
                AttributeKind::Named { .. } => {}
            }
        }
    }

    fn raw(&self, span: Span) -> &str {
        let range = span.start as usize..span.end as usize;
        self.text.get(range).unwrap_or("")
    }

    fn expression(&mut self, value: &str, inner: Span, form: ExpressionKind) {
        if self.is_reported(inner) {
            return;
        }
        if let Some(at) = too_deep(value) {
            self.report_depth(value, inner, at);
        } else if let Some((at, reason)) = bad_expression(value, form) {
            let (message, hint) = form.message_and_hint();
            self.report(form.code(), value, inner, at, message, &reason, hint);
        }
    }

    fn module(&mut self, value: &str, span: Span) {
        if self.is_reported(span) {
            return;
        }
        if let Some(at) = too_deep(value) {
            self.report_depth(value, span, at);
        } else if let Some((at, reason)) = bad_module(value) {
            let message = "this `import` or `export` is not valid";
            let hint = "fix the code; leave a blank line before the content";
            self.report(&BAD_ESM, value, span, at, message, &reason, hint);
        }
    }

    /// Returns true if a diagnostic of the parser overlaps the span.
    fn is_reported(&self, span: Span) -> bool {
        // The spans are sorted by start, and few of them contain others.
        let after = self
            .reported
            .partition_point(|reported| reported.start < span.end);
        let reported = after
            .checked_sub(1)
            .and_then(|last| self.reported.get(last));
        reported.is_some_and(|reported| reported.end > span.start)
    }

    fn report_depth(&mut self, value: &str, inner: Span, at: usize) {
        let message = "this JavaScript is nested too deeply";
        let hint = "split it, or move the data to a file";
        self.report(&TOO_DEEP, value, inner, at, message, "", hint);
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of a diagnostic")]
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        value: &str,
        inner: Span,
        at: usize,
        message: &str,
        reason: &str,
        hint: &'static str,
    ) {
        let offset = page_offset(self.text, value, inner, at);
        let message = if reason.is_empty() {
            message.to_owned()
        } else {
            format!("{message}: {reason}")
        };
        let span = Span::from_range(offset..offset + 1);
        self.problems
            .push(ParseDiagnostic::new(code, span, message, hint));
    }
}

/// Returns the offset in the page of byte `at` of `value`. Only the starts of lines differ between
/// `value` and the page, so the distance to the end of the line is the same.
fn page_offset(text: &str, value: &str, inner: Span, at: usize) -> usize {
    let (from, to) = (inner.start as usize, inner.end as usize);
    let line = value
        .get(..at)
        .map_or(0, |before| lines(before).count() - 1);
    let end_of = |text: &str| {
        let mut start = 0;
        for piece in lines(text).take(line) {
            start += piece.len();
        }
        let last = lines(text).nth(line).unwrap_or("");
        start + last.trim_end_matches(['\n', '\r']).len()
    };
    let distance = end_of(value).saturating_sub(at);
    let offset = from + end_of(text.get(from..to).unwrap_or("")).saturating_sub(distance);
    let mut offset = offset.clamp(from, to.max(from)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Splits a text into lines with their endings. If the text ends with a line ending, the last line
/// is empty.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
        .chain(text.is_empty().then_some(""))
        .chain((text.ends_with('\n')).then_some(""))
}

/// Returns the offset at which brackets, tags or open operators exceed the maximum depth.
fn too_deep(value: &str) -> Option<usize> {
    let mut lexer = Lexer::new(value, 0);
    // Open operators and keywords at each level of brackets: those that a comma ends, and `else`,
    // which continues after a semicolon.
    let mut open = vec![(0_usize, 0_usize)];
    let mut all = 0_usize;
    while let Some(token) = lexer.next() {
        let depth = lexer.depth();
        while open.len() > depth + 1 {
            let (ended, continued) = open.pop().unwrap_or_default();
            all -= ended + continued;
        }
        while open.len() < depth + 1 {
            open.push((0, 0));
        }
        let text = value.get(token.start..token.end).unwrap_or("");
        let last = open.last_mut()?;
        match (token.kind, text) {
            (TokenKind::Operator, "," | ";") => {
                all -= std::mem::take(&mut last.0);
            }
            // These stand between values in a row, which needs no depth; all other operators may
            // nest.
            (TokenKind::Operator, "." | "|" | "&" | "/" | "%" | "<") => {}
            (TokenKind::Name, "else") => {
                last.1 += 1;
                all += 1;
            }
            (TokenKind::Operator, _) => {
                last.0 += 1;
                all += 1;
            }
            (TokenKind::Name, name) if NESTING_KEYWORDS.contains(&name) => {
                last.0 += 1;
                all += 1;
            }
            _ => {}
        }
        if depth + all > MAX_NESTING * 2 || depth > MAX_NESTING {
            return Some(token.start);
        }
    }
    None
}

/// Keywords that a complete expression or statement follows.
static NESTING_KEYWORDS: [&str; 14] = [
    "async", "await", "case", "class", "delete", "do", "extends", "for", "if", "new", "typeof",
    "void", "while", "yield",
];

fn is_blank(value: &str) -> bool {
    Lexer::new(value, 0).all(|token| matches!(token.kind, TokenKind::Comment | TokenKind::Newline))
}

fn bad_expression(value: &str, form: ExpressionKind) -> Option<JsError> {
    if form != ExpressionKind::Spread && is_blank(value) {
        let empty = form == ExpressionKind::Value;
        return empty.then(|| (0, "it is empty".to_owned()));
    }
    // Parentheses around the value prevent `{` from being a block; the line ending ends a comment.
    let (open, close) = match form {
        ExpressionKind::Braces | ExpressionKind::Value => ("(", "\n)"),
        ExpressionKind::Spread => ("({...", "\n})"),
    };
    let source = format!("{open}{value}{close}");
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, &source, SourceType::jsx()).parse();
    let inside = |at: usize| at.saturating_sub(open.len()).min(value.trim_end().len());
    if let Some(error) = parsed.diagnostics.first() {
        let at = error
            .labels
            .first()
            .map_or(0, |label| label.offset() as usize);
        return Some((inside(at), lowercase_message(&error.message)));
    }
    let statement = match &parsed.program.body[..] {
        [Statement::ExpressionStatement(statement)] => Some(statement),
        _ => None,
    };
    // Brackets in the value must not pair with those around it.
    let whole = statement.is_some_and(|statement| match &statement.expression {
        Expression::ParenthesizedExpression(outer) => {
            outer.span.start == 0
                && outer.span.end as usize == source.len()
                && (form != ExpressionKind::Spread || is_one_spread(&outer.expression))
        }
        _ => false,
    });
    if whole {
        return None;
    }
    let at = parsed
        .program
        .body
        .get(1)
        .map_or(0, |next| next.span().start);
    Some((
        inside(at as usize),
        "it is not a single expression".to_owned(),
    ))
}

fn is_one_spread(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::ObjectExpression(object)
        if matches!(&object.properties[..], [ObjectPropertyKind::SpreadProperty(_)]))
}

fn bad_module(value: &str) -> Option<JsError> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, value, SourceType::jsx()).parse();
    if let Some(error) = parsed.diagnostics.first() {
        let at = error
            .labels
            .first()
            .map_or(0, |label| label.offset() as usize);
        return Some((at.min(value.len()), lowercase_message(&error.message)));
    }
    let other = parsed
        .program
        .body
        .iter()
        .find(|statement| !statement.is_module_declaration())?;
    let reason = "only `import` and `export` are allowed here".to_owned();
    Some((other.span().start as usize, reason))
}

/// Converts a message of the parser to our style: lower case, without a full stop.
fn lowercase_message(message: &str) -> String {
    let message = message.trim_end_matches('.');
    let mut letters = message.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, parse};

    fn diagnostics(text: &str) -> Vec<(&'static str, usize)> {
        let parsed = parse(text, &Options::default());
        let problems = check(text, &parsed);
        assert!(problems.iter().all(|problem| !problem.hint.is_empty()));
        let position = |problem: &ParseDiagnostic| (problem.code.id, problem.span.start as usize);
        problems.iter().map(position).collect()
    }

    #[test]
    fn valid_javascript_is_not_reported() {
        for valid in [
            "{a}",
            "{}",
            "{/* a */}",
            "{a // b\n}",
            "{{a: 1}}",
            "{`a${b}`}",
            "{[1].map(a => <p key={a}>{a}</p>)}",
            "<A b={{c: 1}} {...d} e={() => { f() }}/>",
            "import a, {b as c} from 'd'\nexport const e = <F/>",
            "> {[\n>   1,\n>   2\n> ]}",
        ] {
            assert_eq!(diagnostics(valid), [], "{valid}");
        }
    }

    #[test]
    fn invalid_javascript_is_reported_at_its_position() {
        assert_eq!(diagnostics("a {f(b c)}"), [("mdx-bad-expression", 7)]);
        assert_eq!(diagnostics("<A b={1 +}/>"), [("mdx-bad-expression", 9)]);
        assert_eq!(diagnostics("<A {...b c}/>"), [("mdx-bad-attribute", 9)]);
        assert_eq!(diagnostics("<A {...b, c}/>").len(), 1);
        assert_eq!(diagnostics("<A b={/* c */}/>"), [("mdx-bad-expression", 6)]);
        assert_eq!(
            diagnostics("{a) + (b}").len() + diagnostics("{(a}").len(),
            1
        );
        assert_eq!(diagnostics("import a from b"), [("mdx-bad-esm", 14)]);
        assert_eq!(diagnostics("export const a = 1; b"), [("mdx-bad-esm", 20)]);
    }

    #[test]
    fn positions_are_correct_after_container_markers() {
        let text = "> <A b={[\n>     1,\n>     f(x y)\n> ]}/>\n";
        let at = text.find("y)").unwrap();
        assert_eq!(diagnostics(text), [("mdx-bad-expression", at)]);
        let text = "- {[\n      é,\n      f(x y)\n  ]}\n";
        let at = text.find("y)").unwrap();
        assert_eq!(diagnostics(text), [("mdx-bad-expression", at)]);
    }

    #[test]
    fn errors_of_the_parser_are_not_reported_twice() {
        let text = "{a b} {f(c d)}";
        assert_eq!(parse(text, &Options::default()).diagnostics.len(), 1);
        assert_eq!(diagnostics(text).len(), 1);
    }

    #[test]
    fn excessive_nesting_is_rejected() {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{a:", "}"),
            ("`${", "}`"),
            ("<a>", "</a>"),
            ("!", ""),
            ("-", ""),
            ("a=>", ""),
            ("a?b:", ""),
            ("a**", ""),
            ("a=", ""),
            ("new ", ""),
            ("typeof ", ""),
            ("a??", ""),
            ("a+", ""),
        ] {
            for count in [60, 120, 240, 20_000] {
                let text = format!("{{{}a{}}}", open.repeat(count), close.repeat(count));
                let parsed = parse(&text, &Options::default());
                assert!(check(&text, &parsed).len() < 2, "{open} {count}");
            }
        }
        let blocks = format!("export const a = () => {{{}", "if (a) {".repeat(5000));
        assert!(diagnostics(&blocks).len() < 2);
        let blocks = format!(
            "export const a = () => {{{}}}",
            "if (a) b(); else ".repeat(5000)
        );
        assert!(diagnostics(&blocks).len() < 2);
    }
}
