//! Global functions, functions of `Math`, `Object` and `JSON`, and React hooks with their behavior
//! in the first render.

use indexmap::IndexMap;
use svc_data::percent;

use super::super::interpreter::{EvalResult, Interpreter};
use super::super::{Function, Value, number};
use super::arguments::to_integer;
use super::{keys, member};

/// Maximum length of the indent of `JSON.stringify`.
const MAX_INDENT: usize = 10;

impl Interpreter<'_> {
    pub(in crate::evaluate) fn built_in(&mut self, name: &str, args: &[Value]) -> EvalResult {
        let first = args.first().cloned().unwrap_or_default();
        if let Some(function) = name.strip_prefix("Math.") {
            return self.math(function, args);
        }
        match name {
            "String" if args.is_empty() => Ok(Value::from("")),
            "String" | "String.raw" => self.text_of(&first).map(Value::String),
            "Number" if args.is_empty() => Ok(Value::Number(0.0)),
            "Number" => {
                self.charge_text(&first)?;
                Ok(Value::Number(first.to_number()))
            }
            "Boolean" => Ok(Value::Bool(first.is_true())),
            "parseFloat" | "Number.parseFloat" => {
                let text = self.text_of(&first)?;
                self.charge(text.len() / 16)?;
                Ok(Value::Number(number::leading(&text)))
            }
            "parseInt" | "Number.parseInt" => {
                let text = self.text_of(&first)?;
                self.charge(text.len() / 16)?;
                let radix = to_integer(args.get(1), 0.0);
                Ok(Value::Number(number::leading_integer(&text, radix)))
            }
            "isNaN" | "isFinite" => {
                self.charge_text(&first)?;
                let number = first.to_number();
                let yes = if name == "isNaN" {
                    number.is_nan()
                } else {
                    number.is_finite()
                };
                Ok(Value::Bool(yes))
            }
            "Number.isNaN" => Ok(Value::Bool(first.as_number().is_some_and(f64::is_nan))),
            "Number.isFinite" => Ok(Value::Bool(first.as_number().is_some_and(f64::is_finite))),
            "Number.isInteger" => {
                let is_integer = |number: f64| number.is_finite() && number.fract() == 0.0;
                Ok(Value::Bool(first.as_number().is_some_and(is_integer)))
            }
            "encodeURIComponent" => self.encode_uri(&first, percent::URI_COMPONENT),
            "encodeURI" => self.encode_uri(&first, percent::URI),
            "decodeURIComponent" => self.text_of(&first).map(Value::String),
            "Array.isArray" => Ok(Value::Bool(matches!(first, Value::Array(_)))),
            "Array.of" => self.array(args.to_vec()),
            "Array" | "Array.from" => self.array_from(name, &first, args),
            "JSON.stringify" => self.stringify(&first, args),
            "React.memo" | "React.forwardRef" | "useCallback" | "Object.freeze" => Ok(first),
            "useState" | "useReducer" => {
                let state = match (name, first) {
                    ("useState", Value::Function(make)) => self.invoke(&make, &[])?,
                    ("useState", value) => value,
                    _ => args.get(1).cloned().unwrap_or_default(),
                };
                self.array(vec![state, Function::built_in("setState")])
            }
            "useTransition" => self.array(vec![Value::Bool(false), Function::built_in("setState")]),
            "useMemo" => match first {
                Value::Function(make) => self.invoke(&make, &[]),
                _ => Ok(Value::Undefined),
            },
            "useRef" => self.object(IndexMap::from([("current".to_owned(), first)])),
            "useId" => Ok(Value::from(":r0:")),
            _ if name.starts_with("Object.") => self.object_function(name, &first, args),
            "JSON.parse" => self.unsupported(),
            _ => Ok(Value::Undefined),
        }
    }

    fn object_function(&mut self, name: &str, first: &Value, args: &[Value]) -> EvalResult {
        self.charge_text(first)?;
        match name {
            "Object.keys" => self.array(keys(first)),
            "Object.values" | "Object.entries" => {
                let mut all = Vec::new();
                for key in keys(first) {
                    let value = member(first, key.as_str().unwrap_or(""));
                    all.push(match name {
                        "Object.values" => value,
                        _ => self.array(vec![key, value])?,
                    });
                }
                self.array(all)
            }
            "Object.assign" => {
                let mut entries = IndexMap::new();
                for arg in args {
                    self.spread_into(&mut entries, arg)?;
                }
                self.object(entries)
            }
            "Object.fromEntries" => {
                let mut entries = IndexMap::new();
                for entry in self.iterated(first)? {
                    let key = self.text_of(&member(&entry, "0"))?;
                    entries.insert(key.to_string(), member(&entry, "1"));
                }
                self.object(entries)
            }
            _ => Ok(Value::Undefined),
        }
    }

    fn array_from(&mut self, name: &str, first: &Value, args: &[Value]) -> EvalResult {
        let length = match (name, first) {
            ("Array", Value::Number(length)) => Some(*length),
            ("Array", _) => return self.array(args.to_vec()),
            (_, Value::Object(_)) => Some(to_integer(Some(&member(first, "length")), 0.0)),
            _ => None,
        };
        let items = match length {
            Some(length) => {
                let length = length.max(0.0) as usize;
                self.count(length)?;
                vec![Value::Undefined; length]
            }
            None => self.iterated(first)?,
        };
        let Some(Value::Function(callback)) = args.get(1).filter(|_| name == "Array.from") else {
            return self.array(items);
        };
        let mut all = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            all.push(self.invoke(callback, &[item, Value::Number(index as f64)])?);
        }
        self.array(all)
    }

    fn stringify(&mut self, value: &Value, args: &[Value]) -> EvalResult {
        let indent = match args.get(2) {
            Some(Value::Number(width)) => " ".repeat(width.clamp(0.0, MAX_INDENT as f64) as usize),
            Some(Value::String(text)) => text.chars().take(MAX_INDENT).collect(),
            _ => String::new(),
        };
        let weight = self.measure(value);
        self.charge(weight.size)?;
        // Upper bound of the size, charged before the text is created.
        let line = indent
            .len()
            .saturating_mul(weight.depth as usize)
            .saturating_add(8);
        let max = weight
            .size
            .saturating_mul(line)
            .saturating_add(weight.bytes);
        if max > self.limits.bytes.saturating_mul(8) {
            return self.error("the evaluation exceeds the text limit");
        }
        match value.to_json(&indent) {
            Some(text) => self.text(text),
            None => Ok(Value::Undefined),
        }
    }

    fn encode_uri(&mut self, value: &Value, set: &'static percent::AsciiSet) -> EvalResult {
        let text = self.text_of(value)?;
        self.charge(text.len())?;
        self.text(percent::encode(&text, set).into_owned())
    }

    fn math(&mut self, function: &str, args: &[Value]) -> EvalResult {
        let mut numbers = Vec::new();
        for arg in args {
            self.charge_text(arg)?;
            numbers.push(arg.to_number());
        }
        let first = numbers.first().copied().unwrap_or(f64::NAN);
        let second = numbers.get(1).copied().unwrap_or(f64::NAN);
        let any_nan = numbers.iter().any(|number| number.is_nan());
        Ok(Value::Number(match function {
            "abs" => first.abs(),
            "ceil" => first.ceil(),
            "floor" => first.floor(),
            "trunc" => first.trunc(),
            // Halves round up, also below zero.
            "round" if first.fract().abs() == 0.5 => first.ceil().max(first.floor() + 1.0),
            "round" => first.round(),
            "sign" if first == 0.0 || first.is_nan() => first,
            "sign" => first.signum(),
            "sqrt" => first.sqrt(),
            "sin" => first.sin(),
            "cos" => first.cos(),
            "tan" => first.tan(),
            "log" => first.ln(),
            "log2" => first.log2(),
            "log10" => first.log10(),
            "pow" => first.powf(second),
            "hypot" => numbers
                .iter()
                .map(|number| number * number)
                .sum::<f64>()
                .sqrt(),
            "max" | "min" if any_nan => f64::NAN,
            "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
            _ => f64::NAN,
        }))
    }
}
