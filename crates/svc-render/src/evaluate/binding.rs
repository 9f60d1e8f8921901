//! Binding of values to names: declarations, parameters, assignments.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexMap;

use super::ast::{BindingElement, Chain, ChainLink, Expr, LinkKind, Name, Pattern};
use super::interpreter::Interpreter;
use super::{EvalError, Value};

impl Interpreter<'_> {
    /// Assigns `value` to a pattern; with `new`, names are declared in `frame`.
    pub(super) fn bind(
        &mut self,
        pattern: &Pattern,
        value: Value,
        frame: usize,
        new: bool,
    ) -> Result<(), EvalError> {
        self.charge(1)?;
        match pattern {
            Pattern::Name(name) if new => self.define(frame, name, value),
            Pattern::Name(name) => self.set(frame, name, value),
            Pattern::Member(chain) => self.store(chain, value, frame)?,
            Pattern::Array(elements, rest) => {
                let items = self.iterated(&value)?;
                for (index, element) in elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let item = items.get(index).cloned().unwrap_or_default();
                    self.bind_element(element, item, frame, new)?;
                }
                if let Some(rest) = rest {
                    let items = items.into_iter().skip(elements.len()).collect();
                    let items = self.array(items)?;
                    self.nested(|machine| machine.bind(rest, items, frame, new))?;
                }
            }
            Pattern::Object(entries, rest) => {
                let mut used = Vec::new();
                for (key, element) in entries {
                    let key = self.key(key, frame)?;
                    let item = self.read(&value, &key)?;
                    used.push(key);
                    self.bind_element(element, item, frame, new)?;
                }
                if let Some(rest) = rest {
                    let mut others = IndexMap::new();
                    self.spread_into(&mut others, &value)?;
                    self.charge(used.len())?;
                    let used: HashSet<Name> = used.into_iter().collect();
                    others.retain(|key, _| !used.contains(key.as_str()));
                    let others = self.object(others)?;
                    self.nested(|machine| machine.bind(rest, others, frame, new))?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn bind_element(
        &mut self,
        element: &BindingElement,
        mut value: Value,
        frame: usize,
        new: bool,
    ) -> Result<(), EvalError> {
        if let Some(default) = &element.default
            && value == Value::Undefined
        {
            value = self.evaluate(default, frame)?;
        }
        self.nested(|machine| machine.bind(&element.pattern, value, frame, new))
    }

    /// Assigns `name.key = value` for a variable of this evaluation; only an engine assigns to
    /// deeper targets.
    pub(super) fn store(
        &mut self,
        chain: &Chain,
        value: Value,
        frame: usize,
    ) -> Result<(), EvalError> {
        let (Expr::Identifier(name), [ChainLink { kind, .. }]) =
            (&chain.base, chain.links.as_slice())
        else {
            self.needs_engine = true;
            return Ok(());
        };
        let key = match kind {
            LinkKind::Member(key) => Arc::clone(key),
            LinkKind::Index(key) => {
                let key = self.evaluate(key, frame)?;
                self.text_of(&key)?
            }
            LinkKind::Call(_) | LinkKind::Tagged(_) => return Ok(()),
        };
        let changed = match self.find(frame, name) {
            Some(Value::Object(entries)) => {
                self.charge(entries.len() / 4)?;
                let mut entries = entries.as_ref().clone();
                entries.insert(key.to_string(), value);
                self.object(entries)?
            }
            Some(Value::Array(items)) => {
                let Ok(index) = key.parse::<usize>() else {
                    return Ok(());
                };
                self.count(index.saturating_add(1))?;
                self.charge(items.len() / 4)?;
                let mut items = items.as_ref().clone();
                if index >= items.len() {
                    items.resize(index + 1, Value::Undefined);
                }
                if let Some(slot) = items.get_mut(index) {
                    *slot = value;
                }
                self.array(items)?
            }
            _ => return Ok(()),
        };
        self.set(frame, name, changed);
        Ok(())
    }
}
