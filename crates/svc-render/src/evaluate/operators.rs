//! Operators on evaluated operands.

use std::sync::Arc;

use oxc_ast::ast::BinaryOperator;

use super::ast::Operator;
use super::interpreter::{EvalResult, Interpreter};
use super::{Value, number};

impl Interpreter<'_> {
    pub(super) fn operate(
        &mut self,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> EvalResult {
        self.charge_text(left)?;
        self.charge_text(right)?;
        let Operator::Binary(operator) = operator else {
            // Short-circuiting happens before the right side is evaluated.
            return Ok(right.clone());
        };
        Ok(match operator {
            BinaryOperator::Addition => return self.add(left, right),
            BinaryOperator::StrictEquality => Value::Bool(same(left, right)),
            BinaryOperator::StrictInequality => Value::Bool(!same(left, right)),
            BinaryOperator::Equality => Value::Bool(loosely_same(left, right)),
            BinaryOperator::Inequality => Value::Bool(!loosely_same(left, right)),
            BinaryOperator::LessThan
            | BinaryOperator::LessEqualThan
            | BinaryOperator::GreaterThan
            | BinaryOperator::GreaterEqualThan => Value::Bool(ordered(operator, left, right)),
            BinaryOperator::In => {
                let key = self.text_of(left)?;
                Value::Bool(match right {
                    Value::Object(entries) => entries.contains_key(key.as_ref()),
                    Value::Array(items) => {
                        key.parse::<usize>().is_ok_and(|index| index < items.len())
                    }
                    _ => false,
                })
            }
            BinaryOperator::Instanceof => Value::Bool(false),
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

fn arithmetic(operator: BinaryOperator, left: f64, right: f64) -> f64 {
    let shift = number::to_i32(right) as u32 & 31;
    match operator {
        BinaryOperator::Subtraction => left - right,
        BinaryOperator::Multiplication => left * right,
        BinaryOperator::Division => left / right,
        BinaryOperator::Remainder => left % right,
        BinaryOperator::Exponential => left.powf(right),
        BinaryOperator::BitwiseOR => f64::from(number::to_i32(left) | number::to_i32(right)),
        BinaryOperator::BitwiseXOR => f64::from(number::to_i32(left) ^ number::to_i32(right)),
        BinaryOperator::BitwiseAnd => f64::from(number::to_i32(left) & number::to_i32(right)),
        BinaryOperator::ShiftLeft => f64::from(number::to_i32(left).wrapping_shl(shift)),
        BinaryOperator::ShiftRight => f64::from(number::to_i32(left).wrapping_shr(shift)),
        BinaryOperator::ShiftRightZeroFill => {
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

fn ordered(operator: BinaryOperator, left: &Value, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => {
            Some(left.encode_utf16().cmp(right.encode_utf16()))
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => None,
        _ => left.to_number().partial_cmp(&right.to_number()),
    };
    order.is_some_and(|order| match operator {
        BinaryOperator::LessThan => order.is_lt(),
        BinaryOperator::LessEqualThan => order.is_le(),
        BinaryOperator::GreaterThan => order.is_gt(),
        _ => order.is_ge(),
    })
}
