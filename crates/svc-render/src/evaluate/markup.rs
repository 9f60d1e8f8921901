//! Parser of JSX: tags, attributes, children.

use super::ast::{Expr, Jsx, JsxAttribute, JsxNode, Name};
use super::lexer::{Kind, is_name_part, is_name_start, skip_blank};
use super::parser::{Parsed, Parser};
use super::{EvalError, Value};

type Part<T> = Parsed<(T, usize)>;

impl Parser<'_> {
    fn tail(&self, at: usize) -> &str {
        self.source.get(at..).unwrap_or("")
    }

    fn blank(&self, at: usize) -> usize {
        skip_blank(self.source, at).0
    }

    /// Parses the element whose `<` is at `start`. Returns its end as well.
    pub(super) fn element(&mut self, start: usize) -> Part<Jsx> {
        self.nested(|parser| parser.element_here(start))
    }

    fn element_here(&mut self, start: usize) -> Part<Jsx> {
        let mut at = self.blank(start + 1);
        let name = self.tag_name(at);
        at += name.len();
        let name: Option<Name> = if name.is_empty() {
            None
        } else {
            Some(name.into())
        };
        if let Some(name) = &name
            && let Some(head) = name.split('.').next()
            && (name.contains('.') || head.starts_with(|c: char| !c.is_lowercase()))
        {
            self.names.push(head.into());
        }
        let mut attributes = Vec::new();
        loop {
            at = self.blank(at);
            let rest = self.tail(at);
            if rest.starts_with('>') {
                at += 1;
                break;
            }
            if rest.starts_with('/') {
                let end = self.blank(at + 1);
                if !self.tail(end).starts_with('>') {
                    return Err(EvalError::new("expected `>` after `/`", end));
                }
                let element = Jsx {
                    name,
                    attributes,
                    children: Vec::new(),
                    offset: start,
                };
                return Ok((element, end + 1));
            }
            if name.is_none() {
                return Err(EvalError::new("expected a tag name after `<`", at));
            }
            let (attribute, end) = self.attribute(at)?;
            attributes.push(attribute);
            at = end;
        }
        let (children, at) = self.children(at, start, name.as_ref())?;
        Ok((
            Jsx {
                name,
                attributes,
                children,
                offset: start,
            },
            at,
        ))
    }

    fn tag_name(&self, at: usize) -> String {
        let rest = self.tail(at);
        if !rest.starts_with(is_name_start) {
            return String::new();
        }
        let end = rest.find(|c| !is_name_part(c) && !matches!(c, '-' | '.' | ':'));
        rest.get(..end.unwrap_or(rest.len()))
            .unwrap_or("")
            .to_owned()
    }

    /// Parses the expression after the `{` at `at`. Returns the end of its `}` as well.
    fn braces(&mut self, at: usize) -> Part<Expr> {
        self.resume(at + 1);
        let value = self.sequence()?;
        if !self.is("}") {
            return Err(self.unexpected("`}`"));
        }
        Ok((value, self.token.end))
    }

    /// Parses `{...value}` at `at`.
    fn spread(&mut self, at: usize) -> Part<Expr> {
        self.resume(at + 1);
        self.advance();
        let value = self.assignment()?;
        if !self.is("}") {
            return Err(self.unexpected("`}`"));
        }
        Ok((value, self.token.end))
    }

    /// The first token after the `{` at `at`.
    fn inside(&mut self, at: usize) -> Kind<'_> {
        self.resume(at + 1);
        self.token.kind.clone()
    }

    fn attribute(&mut self, at: usize) -> Part<JsxAttribute> {
        if self.tail(at).starts_with('{') {
            if self.inside(at) != Kind::Punct("...") {
                return Err(self.unexpected("`...`"));
            }
            let (value, end) = self.spread(at)?;
            return Ok((JsxAttribute::Spread(value), end));
        }
        let rest = self.tail(at);
        let length = rest.find(|c| !is_name_part(c) && !matches!(c, '-' | ':' | '.' | '@'));
        let name = rest.get(..length.unwrap_or(rest.len())).unwrap_or("");
        if name.is_empty() {
            return Err(EvalError::new(
                "expected an attribute or the end of the tag",
                at,
            ));
        }
        let mut end = at + name.len();
        let name: Name = name.into();
        let equals = self.blank(end);
        if !self.tail(equals).starts_with('=') {
            return Ok((
                JsxAttribute::Named(name, Expr::Literal(Value::Bool(true))),
                end,
            ));
        }
        end = self.blank(equals + 1);
        let rest = self.tail(end);
        let value = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let Some(length) = rest.get(1..).and_then(|inner| inner.find(quote)) else {
                    return Err(EvalError::new("this attribute value is never closed", end));
                };
                let text = svc_mdx::decode_references(rest.get(1..=length).unwrap_or(""));
                end += length + 2;
                Expr::Literal(Value::from(text))
            }
            Some('{') => {
                let (value, after) = self.braces(end)?;
                end = after;
                value
            }
            Some('<') => {
                let (value, after) = self.element(end)?;
                end = after;
                Expr::Jsx(Box::new(value))
            }
            _ => return Err(EvalError::new("expected a value after `=`", end)),
        };
        Ok((JsxAttribute::Named(name, value), end))
    }

    fn children(&mut self, mut at: usize, start: usize, name: Option<&Name>) -> Part<Vec<JsxNode>> {
        let mut children = Vec::new();
        loop {
            let rest = self.tail(at);
            let Some(length) = rest.find(['<', '{']) else {
                let tag = name.map_or("", |name| name);
                return Err(EvalError::new(format!("`<{tag}>` is never closed"), start));
            };
            let text = collapse(rest.get(..length).unwrap_or(""));
            if !text.is_empty() {
                children.push(JsxNode::Text(svc_mdx::decode_references(&text)));
            }
            at += length;
            if self.tail(at).starts_with('{') {
                match self.inside(at) {
                    Kind::Punct("}") => at = self.token.end,
                    Kind::Punct("...") => {
                        let (value, end) = self.spread(at)?;
                        children.push(JsxNode::Spread(value));
                        at = end;
                    }
                    _ => {
                        let (value, end) = self.braces(at)?;
                        children.push(JsxNode::Value(value));
                        at = end;
                    }
                }
                continue;
            }
            let slash = self.blank(at + 1);
            if !self.tail(slash).starts_with('/') {
                let (child, end) = self.element(at)?;
                children.push(JsxNode::Value(Expr::Jsx(Box::new(child))));
                at = end;
                continue;
            }
            let closing = self.blank(slash + 1);
            let found = self.tag_name(closing);
            if name.map_or("", |name| name) != found {
                let tag = name.map_or("", |name| name);
                let message = format!("expected `</{tag}>`, found `</{found}>`");
                return Err(EvalError::new(message, at));
            }
            let end = self.blank(closing + found.len());
            if !self.tail(end).starts_with('>') {
                return Err(EvalError::new("expected `>`", end));
            }
            return Ok((children, end + 1));
        }
    }
}

/// Applies the white space rules of JSX: lines are trimmed at line breaks, empty lines are removed,
/// the others are joined with a space.
pub(crate) fn collapse(text: &str) -> String {
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.len().saturating_sub(1);
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r');
    let mut result = String::new();
    let mut first_kept = true;
    for (index, line) in lines.iter().enumerate() {
        let mut line = *line;
        if index > 0 {
            line = line.trim_start_matches(blank);
        }
        if index < last {
            line = line.trim_end_matches(blank);
        }
        if line.is_empty() {
            continue;
        }
        if !first_kept {
            result.push(' ');
        }
        first_kept = false;
        result.push_str(line);
    }
    result
}
