//! Parser of operands: literals, names, functions, objects, templates, regular expressions.

use std::sync::Arc;

use super::ast::{Body, Expr, FunctionCode, Item, Name, Property, PropertyKey};
use super::lexer::{self, Kind};
use super::parser::{Parsed, Parser};
use super::{EvalError, Value, pattern};

impl<'s> Parser<'s> {
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        self.primary()
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.token.start;
        match std::mem::replace(&mut self.token.kind, Kind::End) {
            Kind::Number(number) => {
                self.advance();
                Ok(Expr::Literal(Value::Number(number)))
            }
            Kind::String(text) => {
                self.advance();
                Ok(Expr::Literal(Value::String(text.into())))
            }
            Kind::Backtick => self.template(),
            Kind::Name(name) => {
                self.token.kind = Kind::Name(name);
                self.keyword(name)
            }
            Kind::Punct("(") => {
                self.advance();
                self.parenthesized(start, false)
            }
            Kind::Punct("[") => {
                self.advance();
                Ok(Expr::Array(self.items("]")?))
            }
            Kind::Punct("{") => {
                self.advance();
                self.object()
            }
            Kind::Punct("<") => {
                let (element, end) = self.element(start)?;
                self.resume(end);
                Ok(Expr::Jsx(Box::new(element)))
            }
            Kind::Punct("/" | "/=") => self.regex(start),
            other => {
                self.token.kind = other;
                Err(self.unexpected("an expression"))
            }
        }
    }

    fn keyword(&mut self, word: &'s str) -> Parsed<Expr> {
        let start = self.token.start;
        self.advance();
        let literal = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "undefined" => Value::Undefined,
            "function" => return self.function(false).map(Expr::Function),
            "new" => return self.construct(),
            "class" => return Err(EvalError::new("classes are not supported", start)),
            "async" if self.is_keyword("function") && !self.token.newline => {
                self.advance();
                return self.function(true).map(Expr::Function);
            }
            "async" if self.is("(") && !self.token.newline => {
                self.advance();
                return self.parenthesized(start, true);
            }
            "async" if matches!(self.token.kind, Kind::Name(_)) && !self.token.newline => {
                let name = self.any_name()?;
                return self.arrow(vec![Item::Value(Expr::Identifier(name))], start, true);
            }
            "return" | "const" | "let" | "var" | "if" | "else" | "for" | "while" | "do"
            | "switch" | "case" | "default" | "break" | "continue" | "throw" | "try" | "catch"
            | "finally" | "export" | "in" | "instanceof" | "with" => {
                return Err(EvalError::new(
                    format!("expected an expression, found `{word}`"),
                    start,
                ));
            }
            _ => {
                let name: Name = word.into();
                if self.is("=>") {
                    return self.arrow(vec![Item::Value(Expr::Identifier(name))], start, false);
                }
                self.names.push(Arc::clone(&name));
                return Ok(Expr::Identifier(name));
            }
        };
        Ok(Expr::Literal(literal))
    }

    /// Parses after `(`: the parameters of an arrow function, or a parenthesized expression. Both
    /// are parsed as a list; a following `=>` decides.
    fn parenthesized(&mut self, start: usize, asynchronous: bool) -> Parsed<Expr> {
        let mut items = self.items(")")?;
        if self.is("=>") {
            return self.arrow(items, start, asynchronous);
        }
        if asynchronous {
            return Ok(Expr::Opaque);
        }
        if let [Item::Value(_)] = items.as_slice()
            && let Some(Item::Value(only)) = items.pop()
        {
            return Ok(only);
        }
        let mut all = Vec::new();
        for item in items {
            let Item::Value(expression) = item else {
                return Err(EvalError::new(
                    "expected `=>` after parameters",
                    self.token.start,
                ));
            };
            all.push(expression);
        }
        if all.is_empty() {
            return Err(self.unexpected("`=>`"));
        }
        Ok(Expr::Sequence(all))
    }

    fn arrow(&mut self, items: Vec<Item>, start: usize, inert: bool) -> Parsed<Expr> {
        let (params, rest) = pattern::params(items, start)?;
        self.expect("=>")?;
        let body = if self.is("{") {
            Body::Block(self.block()?)
        } else {
            Body::Expression(self.assignment()?)
        };
        self.arrow = self.previous;
        Ok(Expr::Function(Arc::new(FunctionCode {
            name: None,
            params,
            rest,
            body,
            inert,
        })))
    }

    /// Parses after `function`.
    pub(super) fn function(&mut self, asynchronous: bool) -> Parsed<Arc<FunctionCode>> {
        let generator = self.accept("*");
        let name = if self.is("(") {
            None
        } else {
            Some(self.any_name()?)
        };
        self.callable(name, asynchronous || generator).map(Arc::new)
    }

    /// Parses parameters in parentheses and a body.
    fn callable(&mut self, name: Option<Name>, inert: bool) -> Parsed<FunctionCode> {
        let start = self.token.start;
        self.expect("(")?;
        let items = self.items(")")?;
        let (params, rest) = pattern::params(items, start)?;
        let body = Body::Block(self.nested(Self::block)?);
        Ok(FunctionCode {
            name,
            params,
            rest,
            body,
            inert,
        })
    }

    fn object(&mut self) -> Parsed<Expr> {
        let mut properties = Vec::new();
        while !self.accept("}") {
            properties.push(self.property()?);
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(Expr::Object(properties))
    }

    fn property(&mut self) -> Parsed<Property> {
        if self.accept("...") {
            return Ok(Property::Spread(self.assignment()?));
        }
        let mut inert = self.accept("*");
        // `get`, `set` and `async` are names unless another name follows.
        if let Kind::Name("get" | "set" | "async") = self.token.kind {
            let next = lexer::token(self.source, self.token.end);
            if matches!(
                next.kind,
                Kind::Name(_) | Kind::String(_) | Kind::Punct("[" | "*")
            ) {
                self.advance();
                self.accept("*");
                inert = true;
            }
        }
        let word = if let Kind::Name(name) = self.token.kind {
            Some(name)
        } else {
            None
        };
        let key = self.key()?;
        if self.is("(") {
            let code = self.nested(|parser| parser.callable(None, inert))?;
            return Ok(Property::Pair(key, Expr::Function(Arc::new(code))));
        }
        if let Some(word) = word
            && !self.is(":")
        {
            let name: Name = word.into();
            self.names.push(Arc::clone(&name));
            let default = if self.accept("=") {
                Some(self.assignment()?)
            } else {
                None
            };
            return Ok(Property::Shorthand(name, default));
        }
        self.expect(":")?;
        Ok(Property::Pair(key, self.assignment()?))
    }

    pub(super) fn key(&mut self) -> Parsed<PropertyKey> {
        let key = match &self.token.kind {
            Kind::Name(name) => PropertyKey::Name((*name).into()),
            Kind::String(text) => PropertyKey::Name(text.as_str().into()),
            Kind::Number(number) => PropertyKey::Name(super::number::to_text(*number).into()),
            Kind::Punct("[") => {
                self.advance();
                let computed = self.assignment()?;
                self.expect("]")?;
                return Ok(PropertyKey::Computed(computed));
            }
            _ => return Err(self.unexpected("a property name")),
        };
        self.advance();
        Ok(key)
    }

    /// Parses after `new`; the expression has no value.
    fn construct(&mut self) -> Parsed<Expr> {
        self.nested(Self::primary)?;
        while self.is(".") || self.is("[") {
            self.link()?;
        }
        if self.accept("(") {
            self.items(")")?;
        }
        Ok(Expr::Opaque)
    }

    /// Parses at the opening backtick.
    pub(super) fn template(&mut self) -> Parsed<Expr> {
        let start = self.token.start;
        let mut at = start + 1;
        let mut strings: Vec<Arc<str>> = Vec::new();
        let mut values = Vec::new();
        let mut text = String::new();
        loop {
            let rest = self.source.get(at..).unwrap_or("");
            let plain = rest.find(['`', '\\', '$']).unwrap_or(rest.len());
            text.push_str(rest.get(..plain).unwrap_or(""));
            at += plain;
            let rest = self.source.get(at..).unwrap_or("");
            if rest.starts_with('`') {
                strings.push(text.into());
                self.resume(at + 1);
                return Ok(Expr::Template(strings, values));
            } else if rest.starts_with("${") {
                strings.push(std::mem::take(&mut text).into());
                self.resume(at + 2);
                values.push(self.sequence()?);
                if !self.is("}") {
                    return Err(self.unexpected("`}`"));
                }
                at = self.token.end;
            } else if rest.starts_with('\\') {
                at = lexer::escape(self.source, at, &mut text);
            } else if rest.is_empty() {
                return Err(EvalError::new("this template is never closed", start));
            } else {
                text.push('$');
                at += 1;
            }
        }
    }

    fn regex(&mut self, start: usize) -> Parsed<Expr> {
        let rest = self.source.get(start + 1..).unwrap_or("");
        let mut class = false;
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => {
                    let flags = rest.get(at + 1..).unwrap_or("");
                    let length = flags.find(|c: char| !c.is_ascii_alphabetic());
                    self.resume(start + at + 2 + length.unwrap_or(flags.len()));
                    return Ok(Expr::Opaque);
                }
                _ => {}
            }
        }
        Err(EvalError::new(
            "this regular expression is never closed",
            start,
        ))
    }
}
