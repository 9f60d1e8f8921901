//! Methods of strings. Positions count UTF-16 code units, as in JavaScript.

use std::sync::Arc;

use super::super::interpreter::{EvalResult, Interpreter};
use super::super::{EvalError, Value};
use super::arguments::{position, to_integer};

/// `length`.
pub(super) fn length(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.encode_utf16().count()
    }
}

pub(super) fn at(text: &str, index: usize) -> Option<Value> {
    if text.is_ascii() {
        return text.get(index..=index).map(Value::from);
    }
    let unit = text.encode_utf16().nth(index)?;
    Some(Value::from(String::from_utf16_lossy(&[unit])))
}

fn cut(text: &str, from: usize, to: usize) -> String {
    if from >= to {
        return String::new();
    }
    if text.is_ascii() {
        return text.get(from..to).unwrap_or("").to_owned();
    }
    let units: Vec<u16> = text.encode_utf16().skip(from).take(to - from).collect();
    String::from_utf16_lossy(&units)
}

/// Converts a byte position to a UTF-16 position.
fn units(text: &str, bytes: Option<usize>) -> Value {
    let before = bytes.and_then(|bytes| text.get(..bytes));
    Value::Number(before.map_or(-1.0, |before| length(before) as f64))
}

impl Interpreter<'_> {
    pub(super) fn string_method(
        &mut self,
        text: &Arc<str>,
        key: &str,
        args: &[Value],
    ) -> EvalResult {
        self.charge(text.len() / 16)?;
        let size = length(text);
        let pattern = match args.first() {
            Some(Value::String(pattern)) => Some(Arc::clone(pattern)),
            _ => None,
        };
        let same = || Ok(Value::String(Arc::clone(text)));
        match key {
            "toUpperCase" | "toLocaleUpperCase" => {
                self.reserve_bytes(text.len())?;
                self.text(text.to_uppercase())
            }
            "toLowerCase" | "toLocaleLowerCase" => {
                self.reserve_bytes(text.len())?;
                self.text(text.to_lowercase())
            }
            "trim" => self.text(text.trim().to_owned()),
            "trimStart" => self.text(text.trim_start().to_owned()),
            "trimEnd" => self.text(text.trim_end().to_owned()),
            "toString" | "valueOf" | "normalize" => same(),
            "slice" => {
                let (from, to) = (
                    position(args.first(), 0, size),
                    position(args.get(1), size, size),
                );
                self.text(cut(text, from, to))
            }
            "substring" => {
                let limit =
                    |value, other| to_integer(value, other).clamp(0.0, size as f64) as usize;
                let (from, to) = (limit(args.first(), 0.0), limit(args.get(1), size as f64));
                self.text(cut(text, from.min(to), from.max(to)))
            }
            "substr" => {
                let from = position(args.first(), 0, size);
                let count = to_integer(args.get(1), size as f64).clamp(0.0, (size - from) as f64);
                self.text(cut(text, from, from + count as usize))
            }
            "charAt" => {
                let index = to_integer(args.first(), 0.0);
                let unit = if index < 0.0 {
                    None
                } else {
                    at(text, index as usize)
                };
                Ok(unit.unwrap_or_else(|| Value::from("")))
            }
            "at" => {
                let index = to_integer(args.first(), 0.0);
                let index = if index < 0.0 {
                    index + size as f64
                } else {
                    index
                };
                let unit = if index < 0.0 {
                    None
                } else {
                    at(text, index as usize)
                };
                Ok(unit.unwrap_or_default())
            }
            "charCodeAt" | "codePointAt" => {
                let index = to_integer(args.first(), 0.0);
                let unit = if index < 0.0 {
                    None
                } else {
                    text.encode_utf16().nth(index as usize)
                };
                Ok(Value::Number(unit.map_or(f64::NAN, f64::from)))
            }
            "includes" => Ok(Value::Bool(
                pattern.is_some_and(|p| text.contains(p.as_ref())),
            )),
            "startsWith" => Ok(Value::Bool(
                pattern.is_some_and(|p| text.starts_with(p.as_ref())),
            )),
            "endsWith" => Ok(Value::Bool(
                pattern.is_some_and(|p| text.ends_with(p.as_ref())),
            )),
            "indexOf" => Ok(units(text, pattern.and_then(|p| text.find(p.as_ref())))),
            "lastIndexOf" => Ok(units(text, pattern.and_then(|p| text.rfind(p.as_ref())))),
            "split" => self.split(text, args, pattern),
            "replace" | "replaceAll" => match pattern {
                Some(pattern) => self.replace(text, &pattern, args.get(1), key == "replaceAll"),
                // Regular expressions are not supported and match nothing.
                None => same(),
            },
            "concat" => {
                let mut all = text.to_string();
                self.reserve_bytes(all.len())?;
                for arg in args {
                    let arg = self.text_of(arg)?;
                    self.reserve_bytes(arg.len())?;
                    all.push_str(&arg);
                }
                Ok(Value::from(all))
            }
            "repeat" => {
                let times = to_integer(args.first(), 0.0).max(0.0) as usize;
                self.reserve_bytes(text.len().saturating_mul(times))?;
                Ok(Value::from(if text.is_empty() {
                    String::new()
                } else {
                    text.repeat(times)
                }))
            }
            "padStart" | "padEnd" => {
                let fill = match args.get(1) {
                    None | Some(Value::Undefined) => " ".into(),
                    Some(fill) => self.text_of(fill)?,
                };
                let missing =
                    (to_integer(args.first(), 0.0).max(0.0) as usize).saturating_sub(size);
                if missing == 0 || fill.is_empty() {
                    return same();
                }
                self.reserve_bytes(missing.saturating_mul(3))?;
                let fill: String = fill.chars().cycle().take(missing).collect();
                let text = text.as_ref();
                self.text(
                    if key == "padStart" {
                        [&fill, text]
                    } else {
                        [text, &fill]
                    }
                    .concat(),
                )
            }
            "localeCompare" => {
                let other = self.text_of(args.first().unwrap_or(&Value::Undefined))?;
                self.reserve_bytes(text.len() + other.len())?;
                let order = (text.to_lowercase(), text).cmp(&(other.to_lowercase(), &other));
                Ok(Value::Number(f64::from(order as i8)))
            }
            _ => self.unsupported(),
        }
    }

    fn split(&mut self, text: &Arc<str>, args: &[Value], pattern: Option<Arc<str>>) -> EvalResult {
        let limit = to_integer(args.get(1), f64::from(u32::MAX)).max(0.0) as usize;
        let max = limit.min(self.limits.items + 1);
        let Some(pattern) = pattern else {
            return self.array(vec![Value::String(Arc::clone(text))]);
        };
        self.reserve_bytes(text.len())?;
        let parts: Vec<Value> = if pattern.is_empty() {
            text.chars()
                .take(max)
                .map(|c| Value::from(c.to_string()))
                .collect()
        } else {
            text.split(pattern.as_ref())
                .take(max)
                .map(Value::from)
                .collect()
        };
        self.charge(parts.len())?;
        self.array(parts)
    }

    fn replace(
        &mut self,
        text: &Arc<str>,
        pattern: &str,
        with: Option<&Value>,
        all: bool,
    ) -> Result<Value, EvalError> {
        let mut result = String::new();
        let mut end = 0;
        let max = if all { usize::MAX } else { 1 };
        for (at, matched) in text.match_indices(pattern).take(max) {
            self.charge(1)?;
            let with = match with {
                Some(Value::Function(function)) => {
                    let value = self.invoke(function, &[Value::from(matched)])?;
                    self.text_of(&value)?
                }
                Some(value) => self.text_of(value)?,
                None => "undefined".into(),
            };
            let before = text.get(end..at).unwrap_or("");
            self.reserve_bytes(before.len() + with.len())?;
            result.push_str(before);
            result.push_str(&with);
            end = at + matched.len();
        }
        let rest = text.get(end..).unwrap_or("");
        self.reserve_bytes(rest.len())?;
        result.push_str(rest);
        Ok(Value::from(result))
    }
}
