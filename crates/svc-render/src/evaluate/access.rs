//! Members, indexes and calls.

use std::sync::Arc;

use super::ast::{Chain, ChainLink, Expr, LinkKind, Name};
use super::interpreter::{EvalResult, Interpreter};
use super::{EvalError, Value, methods};

impl Interpreter<'_> {
    /// Reads the property `key` of `value` and charges the cost of computed properties.
    pub(super) fn read(&mut self, value: &Value, key: &str) -> EvalResult {
        match value {
            Value::String(text) => self.charge(text.len() / 16)?,
            Value::Element(element) => self.charge(element.props.len())?,
            _ => {}
        }
        Ok(methods::member(value, key))
    }

    pub(super) fn chain(&mut self, chain: &Chain, frame: usize) -> EvalResult {
        let mut value = self.evaluate(&chain.base, frame)?;
        let mut links = chain.links.iter().enumerate();
        while let Some((index, link)) = links.next() {
            self.charge(1)?;
            self.offset = link.offset;
            if link.optional && !value.is_some() {
                return Ok(Value::Undefined);
            }
            let key = match &link.kind {
                LinkKind::Member(name) => Arc::clone(name),
                LinkKind::Index(index) => {
                    let index = self.evaluate(index, frame)?;
                    self.text_of(&index)?
                }
                LinkKind::Call(args) => {
                    let args = self.items(args, frame)?;
                    value = match &value {
                        Value::Function(function) => self.invoke(&Arc::clone(function), &args)?,
                        _ => Value::Undefined,
                    };
                    continue;
                }
                LinkKind::Tagged(template) => {
                    self.needs_engine = true;
                    value = self.evaluate(template, frame)?;
                    continue;
                }
            };
            let Some(ChainLink {
                kind: LinkKind::Call(args),
                optional,
                ..
            }) = chain.links.get(index + 1)
            else {
                value = self.read(&value, &key)?;
                continue;
            };
            links.next();
            if !value.is_some() {
                // The callee is undefined, but the chain continues.
                if *optional || link.optional {
                    return Ok(Value::Undefined);
                }
                value = Value::Undefined;
                continue;
            }
            let args = self.items(args, frame)?;
            if let (0, Expr::Identifier(name)) = (index, &chain.base)
                && let Some(result) = self.change(name, &value, &key, &args, frame)?
            {
                value = result;
                continue;
            }
            value = self.nested(|machine| machine.method(&value, &key, &args))?;
        }
        Ok(value)
    }

    /// Calls a method that mutates the array in a variable.
    fn change(
        &mut self,
        name: &Name,
        value: &Value,
        method: &str,
        args: &[Value],
        frame: usize,
    ) -> Result<Option<Value>, EvalError> {
        let Value::Array(items) = value else {
            return Ok(None);
        };
        if matches!(method, "sort" | "reverse" | "fill") {
            let result = self.nested(|machine| machine.method(value, method, args))?;
            self.set(frame, name, result.clone());
            return Ok(Some(result));
        }
        if !matches!(method, "push" | "unshift" | "pop" | "shift") {
            return Ok(None);
        }
        self.count(items.len() + args.len())?;
        self.charge(items.len() / 8)?;
        let mut items = items.as_ref().clone();
        let result = match method {
            "push" => {
                items.extend(args.iter().cloned());
                Value::Number(items.len() as f64)
            }
            "unshift" => {
                items.splice(0..0, args.iter().cloned());
                Value::Number(items.len() as f64)
            }
            "pop" => items.pop().unwrap_or_default(),
            _ if items.is_empty() => Value::Undefined,
            _ => items.remove(0),
        };
        let items = self.array(items)?;
        self.set(frame, name, items);
        Ok(Some(result))
    }
}
