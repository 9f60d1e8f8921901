//! Tags and expressions: syntax that begins with `<` or `{`, in flow and in text.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use svc_diagnostics::{DiagnosticCode, Span};

use crate::{
    Attribute, AttributeKind, AttributeValue,
    diagnostic::{BAD_ATTRIBUTE, BAD_EXPRESSION, BAD_TAG, UNCLOSED_EXPRESSION},
    js::braces,
    step_counter,
    text::{decode, is_name_part, is_name_start, is_space, line_ending},
};

/// A tag. All spans are in the text it was parsed from.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    /// True for a closing tag `</…>`.
    pub closing: bool,
    /// True for `<…/>`.
    pub self_closing: bool,
    /// Name; `None` for a fragment.
    pub name: Option<Box<str>>,
    /// Span of the name.
    pub name_span: Span,
    /// Attributes in the order of the tag.
    pub attributes: Vec<Attribute>,
    /// Span of the tag with its brackets.
    pub span: Span,
}

/// Error of a tag or expression that is invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct ParseError {
    /// Kind of problem.
    pub code: &'static DiagnosticCode,
    /// Offset at which the problem was detected.
    pub offset: usize,
    /// Message, in the form of [`svc_diagnostics::Diagnostic::message`].
    pub message: Cow<'static, str>,
    /// Next step that fixes the problem.
    pub hint: Cow<'static, str>,
    /// True if the text ended early, so that more text could make it valid.
    pub incomplete: bool,
}

/// A `{…}` with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BracedExpression {
    /// Text between the braces; continuation lines are dedented by up to two columns.
    pub(crate) value: String,
    /// Span of that text.
    pub(crate) inner: Span,
    /// Offset after the closing brace.
    pub(crate) end: usize,
    /// The JavaScript has no lexical error.
    pub(crate) clean: bool,
}

/// Parses `{…}` at `at`.
pub(crate) fn expression(text: &str, at: usize) -> Result<BracedExpression, ParseError> {
    let Some(parsed) = braces(text, at) else {
        return Err(ParseError {
            code: &UNCLOSED_EXPRESSION,
            offset: at,
            message: "`{` begins an expression that is not closed".into(),
            hint: "write `\\{` for a plain brace, or close it with `}`".into(),
            incomplete: true,
        });
    };
    let inner = text.get(at + 1..parsed.close).unwrap_or("");
    Ok(BracedExpression {
        value: dedent(inner),
        inner: Span::from_range(at + 1..parsed.close),
        end: parsed.close + 1,
        clean: parsed.clean,
    })
}

/// Removes up to two columns of white space from every line but the first.
fn dedent(value: &str) -> String {
    step_counter::tick(value.len());
    if !value.contains(['\n', '\r']) {
        return value.to_owned();
    }
    let bytes = value.as_bytes();
    let mut out = String::with_capacity(value.len());
    let mut at = 0;
    while at < value.len() {
        let end = value
            .get(at..)
            .and_then(|rest| rest.find(['\n', '\r']))
            .map(|end| at + end);
        let Some(end) = end else {
            out.push_str(value.get(at..).unwrap_or(""));
            break;
        };
        let next = end + line_ending(bytes, end);
        out.push_str(value.get(at..next).unwrap_or(""));
        at = next;
        if bytes.get(at) == Some(&b'\t') {
            // A tab is four columns wide here; two of them remain.
            out.push_str("  ");
            at += 1;
        } else {
            let spaces = bytes
                .iter()
                .skip(at)
                .take(2)
                .take_while(|b| **b == b' ')
                .count();
            at += spaces;
            if spaces == 1 && bytes.get(at) == Some(&b'\t') {
                out.push_str("  ");
                at += 1;
            }
        }
    }
    out
}

struct Reader<'a> {
    text: &'a str,
    pos: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        step_counter::tick(1);
        let byte = *self.text.as_bytes().get(self.pos)?;
        if byte.is_ascii() {
            return Some(char::from(byte));
        }
        self.text
            .get(self.pos..)
            .and_then(|rest| rest.chars().next())
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.peek()
            && is_space(c)
        {
            self.pos += c.len_utf8();
        }
    }

    /// Reads a name, with dashes as in JSX.
    fn name(&mut self) -> bool {
        if !self.peek().is_some_and(is_name_start) {
            return false;
        }
        while let Some(c) = self.peek()
            && (is_name_part(c) || c == '-')
        {
            self.pos += c.len_utf8();
        }
        true
    }

    fn slice(&self, from: usize) -> &str {
        self.text.get(from..self.pos).unwrap_or("")
    }

    fn error(
        &self,
        code: &'static DiagnosticCode,
        message: &str,
        hint: impl Into<Cow<'static, str>>,
    ) -> ParseError {
        let next = self.peek();
        let message = match next {
            Some(c) => format!("{message}, found `{c}`"),
            None => format!("{message}, but the content ends"),
        };
        ParseError {
            code,
            offset: self.pos,
            message: message.into(),
            hint: hint.into(),
            incomplete: next.is_none(),
        }
    }
}

/// Parses the tag at `at`, which must be a `<`.
///
/// # Errors
/// Returns [`ParseError`] if the tag is invalid.
///
/// # Example
///
/// ```
/// use svc_mdx::parse_jsx;
/// let tag = parse_jsx("<Card title=\"a\" /> b", 0).expect("it is a tag");
/// assert_eq!(tag.name.as_deref(), Some("Card"));
/// assert!(tag.self_closing);
/// assert!(parse_jsx("<Card", 0).is_err_and(|error| error.incomplete));
/// ```
pub fn parse_jsx(text: &str, at: usize) -> Result<Tag, ParseError> {
    const ESCAPE: &str = "write `\\<` or `&lt;` for a plain `<`";
    let mut reader = Reader { text, pos: at + 1 };
    if reader.peek().is_none_or(is_space) {
        return Err(reader.error(&BAD_TAG, "expected the name of a tag after `<`", ESCAPE));
    }
    let closing = reader.peek() == Some('/');
    if closing {
        reader.pos += 1;
        reader.skip_space();
    }
    let start = reader.pos;
    let name = if reader.name() {
        Some(full_name(&mut reader, start)?)
    } else if reader.peek() == Some('>') {
        None
    } else {
        return Err(reader.error(&BAD_TAG, "expected the name of a tag after `<`", ESCAPE));
    };
    let name_end = start + name.as_ref().map_or(0, |_| reader.pos - start);
    if !reader
        .peek()
        .is_none_or(|c| is_space(c) || matches!(c, '/' | '>' | '{'))
    {
        let hint = if reader.peek() == Some('@') || reader.slice(start).contains(':') {
            "MDX does not support `<url>` links; write `[text](url)`"
        } else {
            ESCAPE
        };
        return Err(reader.error(&BAD_TAG, "unexpected character in the name of a tag", hint));
    }
    let mut tag = Tag {
        closing,
        self_closing: false,
        name,
        name_span: Span::from_range(start..name_end),
        attributes: Vec::new(),
        span: Span::default(),
    };
    attributes(&mut reader, &mut tag)?;
    tag.attributes.shrink_to_fit();
    tag.span = Span::from_range(at..reader.pos);
    Ok(tag)
}

/// Reads the rest of a name: `.Member` parts or `:local`. White space around the separators is
/// dropped.
fn full_name(reader: &mut Reader<'_>, start: usize) -> Result<Box<str>, ParseError> {
    let mut name = reader.slice(start).to_owned();
    let mut end = reader.pos;
    loop {
        reader.skip_space();
        let Some(mark @ ('.' | ':')) = reader.peek() else {
            break;
        };
        if name.contains(':') || (mark == ':' && name.contains('.')) {
            break;
        }
        reader.pos += 1;
        reader.skip_space();
        let part = reader.pos;
        if !reader.name() {
            let hint = "write `<Name.Part>` or `<prefix:name>`; for a URL, `[text](url)`";
            return Err(reader.error(&BAD_TAG, "expected a name in the tag", hint));
        }
        name.push(mark);
        name.push_str(reader.slice(part));
        end = reader.pos;
    }
    reader.pos = end;
    Ok(name.into_boxed_str())
}

fn attributes(reader: &mut Reader<'_>, tag: &mut Tag) -> Result<(), ParseError> {
    loop {
        reader.skip_space();
        let start = reader.pos;
        match reader.peek() {
            Some('>') => {
                reader.pos += 1;
                return Ok(());
            }
            Some('/') => {
                reader.pos += 1;
                reader.skip_space();
                if reader.peek() != Some('>') {
                    let hint = "write `/>` at the end of the tag; comments are not allowed inside";
                    return Err(reader.error(&BAD_TAG, "expected `>` after `/`", hint));
                }
                reader.pos += 1;
                tag.self_closing = true;
                return Ok(());
            }
            Some('{') => {
                let braced = expression(reader.text, start)?;
                reader.pos = braced.end;
                let value = braced.value.trim();
                let Some(value) = value.strip_prefix("...") else {
                    return Err(ParseError {
                        code: &BAD_ATTRIBUTE,
                        offset: start,
                        message: "expected `...` in braces between attributes".into(),
                        hint: "write `name={value}` or `{...values}`".into(),
                        incomplete: false,
                    });
                };
                let kind = AttributeKind::Spread(value.into());
                tag.attributes.push(Attribute {
                    span: Span::from_range(start..reader.pos),
                    kind,
                });
            }
            _ => tag.attributes.push(attribute(reader)?),
        }
    }
}

fn attribute(reader: &mut Reader<'_>) -> Result<Attribute, ParseError> {
    let start = reader.pos;
    if !reader.name() {
        let hint = "close the tag with `>`, or write an attribute: `name=\"value\"`";
        return Err(reader.error(&BAD_ATTRIBUTE, "expected an attribute or `>`", hint));
    }
    let mut name = reader.slice(start).to_owned();
    let mut end = reader.pos;
    reader.skip_space();
    if reader.peek() == Some(':') {
        reader.pos += 1;
        reader.skip_space();
        let local = reader.pos;
        if !reader.name() {
            let hint = "write `prefix:name`";
            return Err(reader.error(&BAD_ATTRIBUTE, "expected a name after `:`", hint));
        }
        name.push(':');
        name.push_str(reader.slice(local));
        end = reader.pos;
        reader.skip_space();
    }
    let mut value = AttributeValue::None;
    if reader.peek() == Some('=') {
        reader.pos += 1;
        reader.skip_space();
        value = attribute_value(reader, &name)?;
        end = reader.pos;
    } else if !reader
        .peek()
        .is_none_or(|c| is_name_start(c) || matches!(c, '/' | '>' | '{'))
    {
        let hint = "write `name=\"value\"` or `name={value}`";
        return Err(reader.error(
            &BAD_ATTRIBUTE,
            "unexpected character after an attribute",
            hint,
        ));
    }
    let span = Span::from_range(start..end);
    Ok(Attribute {
        span,
        kind: AttributeKind::Named {
            name: name.into(),
            value,
        },
    })
}

fn attribute_value(reader: &mut Reader<'_>, name: &str) -> Result<AttributeValue, ParseError> {
    match reader.peek() {
        Some(quote @ ('"' | '\'')) => {
            let start = reader.pos + 1;
            let rest = reader.text.get(start..).unwrap_or("");
            let closing = memchr(quote as u8, rest.as_bytes());
            step_counter::tick(closing.unwrap_or(rest.len()));
            let Some(length) = closing else {
                return Err(ParseError {
                    code: &BAD_ATTRIBUTE,
                    offset: reader.pos,
                    message: format!("the value of `{name}` has no closing quote").into(),
                    hint: format!("close the value with `{quote}`").into(),
                    incomplete: true,
                });
            };
            reader.pos = start + length + 1;
            let raw = rest.get(..length).unwrap_or("");
            Ok(AttributeValue::String(decode(&unindent(raw), false).into()))
        }
        Some('{') => {
            let at = reader.pos;
            let braced = expression(reader.text, at)?;
            if braced.value.trim().is_empty() {
                return Err(ParseError {
                    code: &BAD_EXPRESSION,
                    offset: at,
                    message: format!("the value of `{name}` is empty").into(),
                    hint: format!("write `{name}={{value}}`, or remove `{name}`").into(),
                    incomplete: false,
                });
            }
            reader.pos = braced.end;
            Ok(AttributeValue::Expression {
                value: braced.value.into(),
                span: braced.inner,
            })
        }
        _ => {
            let message = format!("expected a value for `{name}`");
            let hint = format!("write `{name}=\"value\"` or `{name}={{value}}`");
            Err(reader.error(&BAD_ATTRIBUTE, &message, hint))
        }
    }
}

/// Removes leading white space from every line but the first.
fn unindent(value: &str) -> Cow<'_, str> {
    if memchr2(b'\n', b'\r', value.as_bytes()).is_none() {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut line_start = false;
    for c in value.chars() {
        if matches!(c, '\n' | '\r') {
            line_start = true;
        } else if line_start && is_space(c) {
            continue;
        } else {
            line_start = false;
        }
        out.push(c);
    }
    Cow::Owned(out)
}

impl Tag {
    /// Maps all spans to another text.
    pub(crate) fn relocate(&mut self, map: &impl Fn(Span) -> Span) {
        self.span = map(self.span);
        self.name_span = map(self.name_span);
        for attribute in &mut self.attributes {
            attribute.span = map(attribute.span);
            if let AttributeKind::Named {
                value: AttributeValue::Expression { span, .. },
                ..
            } = &mut attribute.kind
            {
                *span = map(*span);
            }
        }
    }
}
