//! Parameters and destructuring. A pattern is parsed as an expression first and converted at `=` or
//! `=>`.

use super::EvalError;
use super::ast::{BindingElement, Expr, Item, LinkKind, Pattern, Property, PropertyKey};
use super::parser::{Parsed, Parser};

type Params = (Vec<BindingElement>, Option<Pattern>);

type Elements = (Vec<Option<BindingElement>>, Option<Box<Pattern>>);

pub(super) fn params(items: Vec<Item>, start: usize) -> Parsed<Params> {
    let (elements, rest) = elements(items, start)?;
    let mut params = Vec::new();
    for element in elements {
        params.push(element.ok_or_else(|| EvalError::new("a parameter is missing", start))?);
    }
    Ok((params, rest.map(|rest| *rest)))
}

fn elements(items: Vec<Item>, start: usize) -> Parsed<Elements> {
    let mut elements = Vec::new();
    let mut rest = None;
    for item in items {
        match item {
            Item::Hole => elements.push(None),
            Item::Value(value) => elements.push(Some(element(value, start)?)),
            Item::Spread(value) => rest = Some(Box::new(pattern(value, start)?)),
        }
    }
    Ok((elements, rest))
}

fn element(value: Expr, start: usize) -> Parsed<BindingElement> {
    Ok(match value {
        Expr::Assign(assign) if assign.operator.is_none() => BindingElement {
            pattern: assign.target,
            default: Some(assign.value),
        },
        other => BindingElement {
            pattern: pattern(other, start)?,
            default: None,
        },
    })
}

pub(super) fn pattern(value: Expr, start: usize) -> Parsed<Pattern> {
    Ok(match value {
        Expr::Identifier(name) => Pattern::Name(name),
        Expr::Array(items) => {
            let (elements, rest) = elements(items, start)?;
            Pattern::Array(elements, rest)
        }
        Expr::Object(properties) => {
            let mut entries = Vec::new();
            let mut rest = None;
            for property in properties {
                match property {
                    Property::Pair(key, value) => {
                        entries.push((key, element(value, start)?));
                    }
                    Property::Shorthand(name, default) => {
                        let pattern = Pattern::Name(name.clone());
                        entries
                            .push((PropertyKey::Name(name), BindingElement { pattern, default }));
                    }
                    Property::Spread(value) => {
                        rest = Some(Box::new(pattern(value, start)?));
                    }
                }
            }
            Pattern::Object(entries, rest)
        }
        Expr::Chain(chain)
            if matches!(
                chain.links.last().map(|link| &link.kind),
                Some(LinkKind::Member(_) | LinkKind::Index(_))
            ) =>
        {
            Pattern::Member(chain)
        }
        _ => return Err(EvalError::new("invalid assignment target", start)),
    })
}

impl Parser<'_> {
    /// Parses a pattern in a declaration, without its initializer.
    pub(super) fn declared_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.token.start;
        let value = match self.token.kind {
            super::lexer::Kind::Name(_) => Expr::Identifier(self.any_name()?),
            _ => self.nested(Self::bracketed)?,
        };
        let pattern = pattern(value, start)?;
        self.declare(&pattern);
        Ok(pattern)
    }

    pub(super) fn declare(&mut self, pattern: &Pattern) {
        let Some(scope) = self.declared.last_mut() else {
            return;
        };
        names(pattern, scope);
    }
}

/// Collects all names that a pattern binds.
pub(super) fn names(pattern: &Pattern, out: &mut Vec<super::ast::Name>) {
    match pattern {
        Pattern::Name(name) => out.push(name.clone()),
        Pattern::Member(_) => {}
        Pattern::Array(elements, rest) => {
            for element in elements.iter().flatten() {
                names(&element.pattern, out);
            }
            if let Some(rest) = rest {
                names(rest, out);
            }
        }
        Pattern::Object(entries, rest) => {
            for (_, element) in entries {
                names(&element.pattern, out);
            }
            if let Some(rest) = rest {
                names(rest, out);
            }
        }
    }
}
