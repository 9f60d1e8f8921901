//! Evaluation of expressions.

use std::sync::Arc;

use indexmap::IndexMap;
use oxc_ast::ast::{LogicalOperator, UnaryOperator};

use super::ast::{
    Assign, Expr, FunctionCode, Item, Name, Operator, Pattern, Property, PropertyKey,
};
use super::heap::{FunctionKind, HeapRef};
use super::interpreter::{EvalResult, Interpreter};
use super::{EvalError, Function, Value, methods};

impl Interpreter<'_> {
    pub(super) fn evaluate(&mut self, expression: &Expr, frame: usize) -> EvalResult {
        self.charge(1)?;
        self.nested(|machine| machine.expression(expression, frame))
    }

    fn expression(&mut self, expression: &Expr, frame: usize) -> EvalResult {
        match expression {
            Expr::Literal(value) => Ok(value.clone()),
            Expr::Identifier(name) => match self.find(frame, name) {
                Some(value) => Ok(value),
                None if methods::is_engine_global(name.as_ref()) => self.unsupported(),
                None => Ok(methods::global(name)),
            },
            Expr::Opaque => self.unsupported(),
            Expr::Template(strings, values) => self.template(strings, values, frame),
            Expr::Array(items) => {
                let items = self.items(items, frame)?;
                self.array(items)
            }
            Expr::Object(properties) => self.properties(properties, frame),
            Expr::Unary(operator, operand) => self.unary(*operator, operand, frame),
            Expr::Update {
                target,
                step,
                prefix,
            } => self.update(target, *step, *prefix, frame),
            Expr::Chain(chain) => self.chain(chain, frame),
            Expr::Binary(first, rest) => self.binary(first, rest, frame),
            Expr::Conditional(arms, last) => {
                for (test, then) in arms {
                    if self.evaluate(test, frame)?.is_true() {
                        return self.evaluate(then, frame);
                    }
                }
                self.evaluate(last, frame)
            }
            Expr::Assign(assign) => self.assign(assign, frame),
            Expr::Function(code) => Ok(self.closure(code, frame)),
            Expr::Sequence(all) => {
                let mut last = Value::Undefined;
                for expression in all {
                    last = self.evaluate(expression, frame)?;
                }
                Ok(last)
            }
            Expr::Jsx(jsx) => self.jsx(jsx, frame),
        }
    }

    pub(super) fn closure(&mut self, code: &Arc<FunctionCode>, frame: usize) -> Value {
        let home = HeapRef::Weak(Arc::downgrade(&self.heap));
        let kind = FunctionKind::Closure {
            code: Arc::clone(code),
            heap: home,
            frame,
        };
        Value::Function(Arc::new(Function { kind }))
    }

    fn template(&mut self, strings: &[Arc<str>], values: &[Expr], frame: usize) -> EvalResult {
        let mut text = String::new();
        for (index, string) in strings.iter().enumerate() {
            text.push_str(string);
            if let Some(value) = values.get(index) {
                let value = self.evaluate(value, frame)?;
                let value = self.text_of(&value)?;
                self.reserve_bytes(value.len())?;
                text.push_str(&value);
            }
        }
        self.text(text)
    }

    pub(super) fn items(&mut self, items: &[Item], frame: usize) -> Result<Vec<Value>, EvalError> {
        let mut values = Vec::new();
        for item in items {
            match item {
                Item::Hole => values.push(Value::Undefined),
                Item::Value(value) => values.push(self.evaluate(value, frame)?),
                Item::Spread(value) => {
                    let value = self.evaluate(value, frame)?;
                    let more = self.iterated(&value)?;
                    self.count(values.len() + more.len())?;
                    values.extend(more);
                }
            }
        }
        Ok(values)
    }

    /// The items of a `for … of` loop.
    pub(super) fn iterated(&mut self, value: &Value) -> Result<Vec<Value>, EvalError> {
        match value {
            Value::Array(items) => {
                self.charge(items.len() / 16)?;
                Ok(items.to_vec())
            }
            Value::String(text) => {
                self.count(text.chars().take(self.limits.items + 1).count())?;
                self.reserve_bytes(text.len())?;
                Ok(text.chars().map(|c| Value::from(c.to_string())).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn key(&mut self, key: &PropertyKey, frame: usize) -> Result<Name, EvalError> {
        match key {
            PropertyKey::Name(name) => Ok(Arc::clone(name)),
            PropertyKey::Computed(expression) => {
                let value = self.evaluate(expression, frame)?;
                self.text_of(&value)
            }
        }
    }

    fn properties(&mut self, properties: &[Property], frame: usize) -> EvalResult {
        let mut entries = IndexMap::new();
        for property in properties {
            match property {
                Property::Pair(key, value) => {
                    let key = self.key(key, frame)?;
                    self.charge(key.len() / 16)?;
                    let value = self.evaluate(value, frame)?;
                    entries.insert(key.to_string(), value);
                }
                Property::Spread(value) => {
                    let value = self.evaluate(value, frame)?;
                    self.spread_into(&mut entries, &value)?;
                }
            }
        }
        self.object(entries)
    }

    pub(super) fn spread_into(
        &mut self,
        entries: &mut IndexMap<String, Value>,
        value: &Value,
    ) -> Result<(), EvalError> {
        match value {
            Value::Object(more) => {
                self.count(entries.len() + more.len())?;
                entries.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            Value::Array(items) => {
                self.count(entries.len() + items.len())?;
                for (index, item) in items.iter().enumerate() {
                    entries.insert(index.to_string(), item.clone());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr, frame: usize) -> EvalResult {
        let value = self.evaluate(operand, frame)?;
        Ok(match operator {
            UnaryOperator::LogicalNot => Value::Bool(!value.is_true()),
            UnaryOperator::Typeof => Value::from(value.type_name()),
            UnaryOperator::Void | UnaryOperator::Delete => Value::Undefined,
            UnaryOperator::UnaryNegation | UnaryOperator::UnaryPlus | UnaryOperator::BitwiseNot => {
                self.charge_text(&value)?;
                let number = value.to_number();
                Value::Number(match operator {
                    UnaryOperator::UnaryNegation => -number,
                    UnaryOperator::BitwiseNot => f64::from(!super::number::to_i32(number)),
                    _ => number,
                })
            }
        })
    }

    fn update(&mut self, target: &Expr, step: f64, prefix: bool, frame: usize) -> EvalResult {
        let old = self.evaluate(target, frame)?;
        self.charge_text(&old)?;
        let old = old.to_number();
        let new = Value::Number(old + step);
        match target {
            Expr::Identifier(name) => self.set(frame, name, new.clone()),
            Expr::Chain(chain) => self.store(chain, new.clone(), frame)?,
            _ => {}
        }
        Ok(if prefix { new } else { Value::Number(old) })
    }

    fn binary(&mut self, first: &Expr, rest: &[(Operator, Expr)], frame: usize) -> EvalResult {
        let mut left = self.evaluate(first, frame)?;
        for (operator, right) in rest {
            if decides(*operator, &left) {
                continue;
            }
            let right = self.evaluate(right, frame)?;
            left = self.operate(*operator, &left, &right)?;
        }
        Ok(left)
    }

    fn assign(&mut self, assign: &Assign, frame: usize) -> EvalResult {
        let Some(operator) = assign.operator else {
            let value = self.evaluate(&assign.value, frame)?;
            self.bind(&assign.target, value.clone(), frame, false)?;
            return Ok(value);
        };
        let old = match &assign.target {
            Pattern::Name(name) => self.find(frame, name).unwrap_or_default(),
            Pattern::Member(chain) => self.chain(chain, frame)?,
            _ => Value::Undefined,
        };
        if decides(operator, &old) {
            return Ok(old);
        }
        let value = self.evaluate(&assign.value, frame)?;
        let value = self.operate(operator, &old, &value)?;
        self.bind(&assign.target, value.clone(), frame, false)?;
        Ok(value)
    }
}

/// Whether `left` short-circuits a logical operator.
fn decides(operator: Operator, left: &Value) -> bool {
    match operator {
        Operator::Logical(LogicalOperator::And) => !left.is_true(),
        Operator::Logical(LogicalOperator::Or) => left.is_true(),
        Operator::Logical(LogicalOperator::Coalesce) => left.is_some(),
        Operator::Binary(_) => false,
    }
}
