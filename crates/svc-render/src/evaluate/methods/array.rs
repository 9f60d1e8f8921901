//! Methods of arrays.

use std::sync::Arc;

use super::super::convert::write_joined;
use super::super::interpreter::{EvalResult, Interpreter};
use super::super::operators::same;
use super::super::{EvalError, Value};
use super::arguments::{position, to_integer};

impl Interpreter<'_> {
    pub(super) fn array_method(
        &mut self,
        items: &Arc<Vec<Value>>,
        key: &str,
        args: &[Value],
    ) -> EvalResult {
        let first = args.first().cloned().unwrap_or_default();
        self.charge(items.len() / 16)?;
        match key {
            "map" | "filter" | "find" | "findIndex" | "findLast" | "some" | "every" | "forEach"
            | "flatMap" => self.visit(items, key, &first),
            "reduce" | "reduceRight" => self.reduce(items, key == "reduceRight", &first, args),
            "sort" | "toSorted" => {
                let sorted = self.merge_sort(items.to_vec(), &first)?;
                self.array(sorted)
            }
            "reverse" | "toReversed" => self.array(items.iter().rev().cloned().collect()),
            "slice" => {
                let from = position(args.first(), 0, items.len());
                let to = position(args.get(1), items.len(), items.len());
                self.array(items.get(from..to).unwrap_or(&[]).to_vec())
            }
            "concat" => {
                let mut all = items.to_vec();
                for arg in args {
                    match arg {
                        Value::Array(more) => all.extend(more.iter().cloned()),
                        other => all.push(other.clone()),
                    }
                    self.count(all.len())?;
                }
                self.array(all)
            }
            "flat" => {
                let depth = to_integer(args.first(), 1.0).clamp(0.0, 100.0) as u32;
                let mut all = Vec::new();
                self.flatten(items, depth, &mut all)?;
                self.array(all)
            }
            "join" | "toString" => {
                let separator = match first {
                    Value::Undefined => ",".into(),
                    other => self.text_of(&other)?,
                };
                let weight = self.measure(&Value::Array(Arc::clone(items)));
                self.charge(weight.size)?;
                self.reserve_bytes(weight.bytes.saturating_add(separator.len() * items.len()))?;
                let mut text = String::new();
                write_joined(items, &separator, &mut text);
                Ok(Value::from(text))
            }
            "includes" | "indexOf" | "lastIndexOf" => self.search(items, key, &first),
            "at" => {
                let index = to_integer(args.first(), 0.0);
                let index = if index < 0.0 {
                    index + items.len() as f64
                } else {
                    index
                };
                let item = if index < 0.0 {
                    None
                } else {
                    items.get(index as usize)
                };
                Ok(item.cloned().unwrap_or_default())
            }
            "keys" => self.array(
                (0..items.len())
                    .map(|at| Value::Number(at as f64))
                    .collect(),
            ),
            "values" => Ok(Value::Array(Arc::clone(items))),
            "entries" => {
                let mut all = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    all.push(self.array(vec![Value::Number(index as f64), item.clone()])?);
                }
                self.array(all)
            }
            "fill" => self.array(items.iter().map(|_| first.clone()).collect()),
            _ => self.unsupported(),
        }
    }

    /// Calls a callback; a value that is not a function returns `undefined`.
    fn callback(&mut self, callback: &Value, args: &[Value]) -> EvalResult {
        match callback {
            Value::Function(function) => self.invoke(function, args),
            _ => {
                self.charge(1)?;
                Ok(Value::Undefined)
            }
        }
    }

    fn visit(&mut self, items: &Arc<Vec<Value>>, key: &str, callback: &Value) -> EvalResult {
        let mut results = Vec::new();
        let array = Value::Array(Arc::clone(items));
        let mut order: Vec<(usize, &Value)> = items.iter().enumerate().collect();
        if key == "findLast" {
            order.reverse();
        }
        for (index, item) in order {
            let args = [item.clone(), Value::Number(index as f64), array.clone()];
            let result = self.callback(callback, &args)?;
            let yes = result.is_true();
            match key {
                "map" => results.push(result),
                "filter" if yes => results.push(item.clone()),
                "find" | "findLast" if yes => return Ok(item.clone()),
                "findIndex" if yes => return Ok(Value::Number(index as f64)),
                "some" if yes => return Ok(Value::Bool(true)),
                "every" if !yes => return Ok(Value::Bool(false)),
                "flatMap" => match result {
                    Value::Array(more) => {
                        self.count(results.len() + more.len())?;
                        results.extend(more.iter().cloned());
                    }
                    other => results.push(other),
                },
                _ => {}
            }
        }
        match key {
            "map" | "filter" | "flatMap" => self.array(results),
            "findIndex" => Ok(Value::Number(-1.0)),
            "some" => Ok(Value::Bool(false)),
            "every" => Ok(Value::Bool(true)),
            _ => Ok(Value::Undefined),
        }
    }

    fn reduce(
        &mut self,
        items: &Arc<Vec<Value>>,
        backwards: bool,
        callback: &Value,
        args: &[Value],
    ) -> EvalResult {
        let array = Value::Array(Arc::clone(items));
        let mut order: Vec<(usize, &Value)> = items.iter().enumerate().collect();
        if backwards {
            order.reverse();
        }
        let mut order = order.into_iter();
        let mut result = match args.get(1) {
            Some(initial) => initial.clone(),
            None => order
                .next()
                .map(|(_, item)| item.clone())
                .unwrap_or_default(),
        };
        for (index, item) in order {
            let args = [
                result,
                item.clone(),
                Value::Number(index as f64),
                array.clone(),
            ];
            result = self.callback(callback, &args)?;
        }
        Ok(result)
    }

    /// A stable merge sort, because comparisons can fail and can be inconsistent.
    fn merge_sort(&mut self, items: Vec<Value>, callback: &Value) -> Result<Vec<Value>, EvalError> {
        let mut runs: Vec<Vec<Value>> = items.into_iter().map(|item| vec![item]).collect();
        while runs.len() > 1 {
            let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
            let mut pairs = runs.into_iter();
            while let Some(left) = pairs.next() {
                merged.push(match pairs.next() {
                    Some(right) => self.merge(left, right, callback)?,
                    None => left,
                });
            }
            runs = merged;
        }
        Ok(runs.pop().unwrap_or_default())
    }

    fn merge(
        &mut self,
        left: Vec<Value>,
        right: Vec<Value>,
        callback: &Value,
    ) -> Result<Vec<Value>, EvalError> {
        let mut result = Vec::with_capacity(left.len() + right.len());
        let mut left = left.into_iter().peekable();
        let mut right = right.into_iter().peekable();
        while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
            let swap = self.is_after(first, second, callback)?;
            result.extend(if swap { right.next() } else { left.next() });
        }
        result.extend(left);
        result.extend(right);
        Ok(result)
    }

    fn is_after(
        &mut self,
        first: &Value,
        second: &Value,
        callback: &Value,
    ) -> Result<bool, EvalError> {
        if let Value::Function(_) = callback {
            let order = self.callback(callback, &[first.clone(), second.clone()])?;
            self.charge_text(&order)?;
            return Ok(order.to_number() > 0.0);
        }
        self.charge(1)?;
        match (first, second) {
            (Value::Undefined, other) => return Ok(*other != Value::Undefined),
            (_, Value::Undefined) => return Ok(false),
            _ => {}
        }
        let (first, second) = (self.text_of(first)?, self.text_of(second)?);
        self.charge(first.len().min(second.len()) / 16)?;
        Ok(first.encode_utf16().gt(second.encode_utf16()))
    }

    fn flatten(
        &mut self,
        items: &[Value],
        depth: u32,
        all: &mut Vec<Value>,
    ) -> Result<(), EvalError> {
        for item in items {
            self.charge(1)?;
            match item {
                Value::Array(more) if depth > 0 => {
                    self.nested(|machine| machine.flatten(more, depth - 1, all))?;
                }
                other => {
                    self.count(all.len() + 1)?;
                    all.push(other.clone());
                }
            }
        }
        Ok(())
    }

    fn search(&mut self, items: &[Value], key: &str, target: &Value) -> EvalResult {
        let mut result = None;
        for (index, item) in items.iter().enumerate() {
            if let (Value::String(item), Value::String(target)) = (item, target)
                && item.len() == target.len()
            {
                self.charge(item.len() / 16)?;
            }
            if same(item, target) {
                result = Some(index);
                if key != "lastIndexOf" {
                    break;
                }
            }
        }
        Ok(match key {
            "includes" => Value::Bool(result.is_some()),
            _ => Value::Number(result.map_or(-1.0, |index| index as f64)),
        })
    }
}
