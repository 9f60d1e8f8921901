//! Template language of code samples.
//!
//! `{{name}}` inserts a value, `{{name|lit}}` a string literal of the language, `{{name|raw}}` a
//! multi-line one, `{{name|native}}` JSON in the syntax of the language; `{{#if name}} {{else}}
//! {{/if}}` is a condition and `{{#each names}} {{/each}}` a loop. A tag alone on its line does not
//! leave an empty line. The browser runs the same templates with the same values, so that samples
//! follow the input.

use serde_json::{Map, Value};

use super::highlight::{Token, TokenKind, highlight};
use super::language::Language;
use super::literal;
use crate::request::json;

/// A node of a template.
#[derive(Debug)]
enum TemplateNode<'t> {
    Text(&'t str),
    Value {
        name: &'t str,
        filter: &'t str,
    },
    If {
        name: &'t str,
        then: Vec<Self>,
        otherwise: Vec<Self>,
    },
    Each {
        name: &'t str,
        body: Vec<Self>,
    },
}

/// Renders the template of a language with `values`.
pub(super) fn run(language: &Language, values: &Map<String, Value>) -> Vec<Token> {
    let mut pieces = pieces(language.template).into_iter();
    let (parts, _) = parse(&mut pieces);
    let mut run = Renderer {
        language,
        scopes: vec![values],
        line: String::new(),
        plain: String::new(),
        tokens: Vec::new(),
    };
    run.parts(&parts);
    run.flush();
    run.tokens
}

/// Texts and tags (without braces) in turns: text, tag, text, …, text.
fn pieces(template: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut text_start = 0;
    let mut at = 0;
    while let Some(offset) = template[at..].find("{{") {
        let open = at + offset;
        let Some(length) = template[open..].find("}}") else {
            break;
        };
        let close = open + length + 2;
        let tag = &template[open + 2..close - 2];
        let line = template[..open]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let after = &template[close..];
        let alone = tag.starts_with(['#', '/']) || tag == "else";
        let alone = alone
            && line >= text_start
            && template[line..open].trim().is_empty()
            && (after.is_empty() || after.starts_with('\n'));
        out.push(&template[text_start..if alone { line } else { open }]);
        out.push(tag);
        text_start = close + usize::from(alone && !after.is_empty());
        at = text_start;
    }
    out.push(&template[text_start..]);
    out
}

/// Nodes up to the end of the current block, and the tag that ended it.
fn parse<'t>(pieces: &mut impl Iterator<Item = &'t str>) -> (Vec<TemplateNode<'t>>, &'t str) {
    let mut parts = Vec::new();
    loop {
        match pieces.next() {
            Some(text) => parts.push(TemplateNode::Text(text)),
            None => return (parts, ""),
        }
        let Some(tag) = pieces.next() else {
            return (parts, "");
        };
        if let Some(name) = tag.strip_prefix("#if ") {
            let (then, end) = parse(pieces);
            let otherwise = if end == "else" {
                parse(pieces).0
            } else {
                Vec::new()
            };
            parts.push(TemplateNode::If {
                name,
                then,
                otherwise,
            });
        } else if let Some(name) = tag.strip_prefix("#each ") {
            let (body, _) = parse(pieces);
            parts.push(TemplateNode::Each { name, body });
        } else if tag == "else" || tag.starts_with('/') {
            return (parts, tag);
        } else {
            let (name, filter) = tag.split_once('|').unwrap_or((tag, ""));
            parts.push(TemplateNode::Value { name, filter });
        }
    }
}

struct Renderer<'a> {
    language: &'a Language,
    scopes: Vec<&'a Map<String, Value>>,
    /// The current line, for the indentation of multi-line values.
    line: String,
    /// Code that is not highlighted yet.
    plain: String,
    tokens: Vec<Token>,
}

impl<'a> Renderer<'a> {
    fn get(&self, name: &str) -> &'a Value {
        static NULL: Value = Value::Null;
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(name)).unwrap_or(&NULL)
    }

    fn holds(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => true,
        }
    }

    fn parts(&mut self, parts: &[TemplateNode<'_>]) {
        for part in parts {
            match part {
                TemplateNode::Text(text) => self.text(text),
                TemplateNode::Value { name, filter } => self.value(name, filter),
                TemplateNode::If {
                    name,
                    then,
                    otherwise,
                } => {
                    let chosen = if self.holds(name) { then } else { otherwise };
                    self.parts(chosen);
                }
                TemplateNode::Each { name, body } => {
                    let items = self.get(name).as_array();
                    for item in items.into_iter().flatten().filter_map(Value::as_object) {
                        self.scopes.push(item);
                        self.parts(body);
                        self.scopes.pop();
                    }
                }
            }
        }
    }

    fn value(&mut self, name: &str, filter: &str) {
        let value = self.get(name);
        let text = super::text_of(value);
        let indent: String = self
            .line
            .chars()
            .take_while(|c| c.is_whitespace())
            .collect();
        match filter {
            "lit" => self.string(&literal::short(self.language, &text)),
            "raw" => self.string(&literal::long(self.language, &text, &indent)),
            "native" => {
                let Language {
                    indent: unit,
                    literals,
                    ..
                } = self.language;
                self.text(&json::lines(value, &indent, unit, literals));
            }
            _ => self.text(&text),
        }
    }

    fn text(&mut self, text: &str) {
        self.plain.push_str(text);
        self.advance(text);
    }

    fn string(&mut self, text: &str) {
        self.flush();
        self.tokens.push(Token {
            kind: TokenKind::String,
            text: text.to_owned(),
        });
        self.advance(text);
    }

    fn advance(&mut self, text: &str) {
        match text.rsplit_once('\n') {
            Some((_, last)) => last.clone_into(&mut self.line),
            None => self.line.push_str(text),
        }
    }

    fn flush(&mut self) {
        highlight(self.language, &self.plain, &mut self.tokens);
        self.plain.clear();
    }
}
