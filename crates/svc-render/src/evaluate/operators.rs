//! Operators on evaluated operands.

use super::ast::Binary;
use super::interpreter::{EvalResult, Interpreter};
use super::{Value, number};
use std::sync::Arc;

impl Interpreter<'_> {
    pub(super) fn operate(&mut self, operator: Binary, left: &Value, right: &Value) -> EvalResult {
        self.charge_text(left)?;
        self.charge_text(right)?;
        Ok(match operator {
            Binary::Add => return self.add(left, right),
            Binary::Equal => Value::Bool(same(left, right)),
            Binary::Different => Value::Bool(!same(left, right)),
            Binary::LooseEqual => Value::Bool(loosely_same(left, right)),
            Binary::LooseDifferent => Value::Bool(!loosely_same(left, right)),
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                Value::Bool(ordered(operator, left, right))
            }
            Binary::In => {
                let key = self.text_of(left)?;
                Value::Bool(match right {
                    Value::Object(entries) => entries.contains_key(key.as_ref()),
                    Value::Array(items) => {
                        key.parse::<usize>().is_ok_and(|index| index < items.len())
                    }
                    _ => false,
                })
            }
            Binary::InstanceOf => Value::Bool(false),
            // Short-circuiting happens before the right side is evaluated.
            Binary::Nullish | Binary::Or | Binary::And => right.clone(),
            _ => Value::Number(arithmetic(operator, left.to_number(), right.to_number())),
        })
    }

    fn add(&mut self, left: &Value, right: &Value) -> EvalResult {
        let numeric = |value: &Value| {
            matches!(
                value,
                Value::Number(_) | Value::Bool(_) | Value::Null | Value::Undefined
            )
        };
        if numeric(left) && numeric(right) {
            return Ok(Value::Number(left.to_number() + right.to_number()));
        }
        let left = self.text_of(left)?;
        let right = self.text_of(right)?;
        self.reserve_bytes(left.len() + right.len())?;
        Ok(Value::String(Arc::from(
            [left.as_ref(), right.as_ref()].concat(),
        )))
    }
}

fn arithmetic(operator: Binary, left: f64, right: f64) -> f64 {
    let shift = number::to_i32(right) as u32 & 31;
    match operator {
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        Binary::Remainder => left % right,
        Binary::Power => left.powf(right),
        Binary::BitOr => f64::from(number::to_i32(left) | number::to_i32(right)),
        Binary::BitXor => f64::from(number::to_i32(left) ^ number::to_i32(right)),
        Binary::BitAnd => f64::from(number::to_i32(left) & number::to_i32(right)),
        Binary::ShiftLeft => f64::from(number::to_i32(left).wrapping_shl(shift)),
        Binary::ShiftRight => f64::from(number::to_i32(left).wrapping_shr(shift)),
        Binary::ShiftRightUnsigned => {
            f64::from(number::to_i32(left).cast_unsigned().wrapping_shr(shift))
        }
        _ => f64::NAN,
    }
}

/// `===`
pub(super) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => Arc::ptr_eq(left, right),
        (Value::Object(left), Value::Object(right)) => Arc::ptr_eq(left, right),
        (Value::Element(left), Value::Element(right)) => Arc::ptr_eq(left, right),
        (Value::Function(left), Value::Function(right)) => Arc::ptr_eq(left, right),
        _ => left == right,
    }
}

fn loosely_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Undefined | Value::Null, Value::Undefined | Value::Null) => true,
        (Value::Undefined | Value::Null, _) | (_, Value::Undefined | Value::Null) => false,
        (
            Value::Number(_) | Value::Bool(_),
            Value::String(_) | Value::Number(_) | Value::Bool(_),
        )
        | (Value::String(_), Value::Number(_) | Value::Bool(_)) => {
            left.to_number() == right.to_number()
        }
        _ => same(left, right),
    }
}

fn ordered(operator: Binary, left: &Value, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => {
            Some(left.encode_utf16().cmp(right.encode_utf16()))
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => None,
        _ => left.to_number().partial_cmp(&right.to_number()),
    };
    order.is_some_and(|order| match operator {
        Binary::Less => order.is_lt(),
        Binary::LessEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        _ => order.is_ge(),
    })
}
