//! Built-ins of JavaScript: global names, properties, pure methods.

mod arguments;
mod array;
mod built_in;
mod string;

use std::sync::Arc;

use self::arguments::to_integer;
use super::heap::FunctionKind;
use super::interpreter::{EvalResult, Interpreter};
use super::{Function, JsxTag, Value, number};
use crate::table::NameSet;

/// Global names; they are values, so that `map(String)` works.
static GLOBALS: NameSet = NameSet::new(
    "\
    Array Boolean JSON Math Number Object React String decodeURIComponent encodeURI \
    encodeURIComponent isFinite isNaN parseFloat parseInt useCallback useContext useEffect \
    useId useLayoutEffect useMemo useReducer useRef useState useTransition",
);

/// Global names that only an engine supports.
static ENGINE_GLOBALS: NameSet = NameSet::new(
    "\
    BigInt Date Intl Map Promise Proxy Reflect RegExp Set Symbol URL URLSearchParams WeakMap \
    WeakSet arguments",
);

/// Functions that are members of a global.
static MEMBERS: NameSet = NameSet::new(
    "\
    Array.from Array.isArray Array.of JSON.parse JSON.stringify Math.abs Math.ceil Math.cos \
    Math.floor Math.hypot Math.log Math.log10 Math.log2 Math.max Math.min Math.pow Math.round \
    Math.sign Math.sin Math.sqrt Math.tan Math.trunc Number.isFinite Number.isInteger \
    Number.isNaN Number.parseFloat Number.parseInt Object.assign Object.entries Object.freeze \
    Object.fromEntries Object.keys Object.values React.memo React.forwardRef String.raw",
);

/// Whether only an engine supports a global name.
pub(crate) fn is_engine_global(name: &str) -> bool {
    ENGINE_GLOBALS.contains(name)
}

/// The value of a global name; `undefined` if it is not known.
pub(super) fn global(name: &str) -> Value {
    match name {
        "NaN" => Value::Number(f64::NAN),
        "Infinity" => Value::Number(f64::INFINITY),
        _ => GLOBALS
            .get(name)
            .map_or(Value::Undefined, Function::built_in),
    }
}

/// The property `key` of `value`.
pub(super) fn member(value: &Value, key: &str) -> Value {
    let index = || key.parse::<usize>().ok();
    match value {
        Value::Object(entries) => entries.get(key).cloned().unwrap_or_default(),
        Value::Array(items) if key == "length" => Value::Number(items.len() as f64),
        Value::Array(items) => index()
            .and_then(|index| items.get(index).cloned())
            .unwrap_or_default(),
        Value::String(text) if key == "length" => Value::Number(string::length(text) as f64),
        Value::String(text) => index()
            .and_then(|index| string::at(text, index))
            .unwrap_or_default(),
        Value::Element(element) => match key {
            "props" => Value::from(element.props.clone()),
            "type" => match &element.tag {
                JsxTag::Name(name) => Value::from(name.as_str()),
                JsxTag::Component(component) => Value::Component(Arc::clone(component)),
                JsxTag::Fragment | JsxTag::Content(_) | JsxTag::Rendered(_) => Value::Undefined,
            },
            _ => Value::Undefined,
        },
        Value::Function(function) => match (&function.kind, key) {
            (_, "name") => Value::from(function.name().unwrap_or("")),
            (FunctionKind::BuiltIn("Math"), "PI") => Value::Number(std::f64::consts::PI),
            (FunctionKind::BuiltIn("Math"), "E") => Value::Number(std::f64::consts::E),
            (FunctionKind::BuiltIn("Number"), "MAX_SAFE_INTEGER") => {
                Value::Number(9_007_199_254_740_991.0)
            }
            (FunctionKind::BuiltIn("React"), key) if key.starts_with("use") => global(key),
            (FunctionKind::BuiltIn(head), key) => MEMBERS
                .get(&format!("{head}.{key}"))
                .map_or(Value::Undefined, Function::built_in),
            _ => Value::Undefined,
        },
        Value::Component(component) if key == "name" => Value::from(component.name.as_str()),
        Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Component(_) => Value::Undefined,
    }
}

/// `Object.keys`.
pub(super) fn keys(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(entries) => entries
            .keys()
            .map(|key| Value::from(key.as_str()))
            .collect(),
        Value::Array(items) => (0..items.len())
            .map(|at| Value::from(at.to_string()))
            .collect(),
        _ => Vec::new(),
    }
}

impl Interpreter<'_> {
    /// Calls `value.key(…args)`; an unknown method returns `undefined`.
    pub(super) fn method(&mut self, value: &Value, key: &str, args: &[Value]) -> EvalResult {
        self.charge(1)?;
        if let Value::Function(function) = value
            && matches!(key, "call" | "apply")
        {
            let rest = args.get(1..).unwrap_or(&[]);
            return match (key, rest) {
                ("apply", [list, ..]) => {
                    let list = self.iterated(list)?;
                    self.invoke(&Arc::clone(function), &list)
                }
                _ => self.invoke(&Arc::clone(function), rest),
            };
        }
        if let Value::Function(function) = member(value, key) {
            return self.invoke(&function, args);
        }
        match (value, key) {
            (Value::Array(items), _) => self.array_method(items, key, args),
            (Value::String(text), _) => self.string_method(text, key, args),
            (Value::Number(number), _) => self.number_method(*number, key, args),
            (Value::Object(entries), "hasOwnProperty") => {
                let key = self.text_of(args.first().unwrap_or(&Value::Undefined))?;
                Ok(Value::Bool(entries.contains_key(key.as_ref())))
            }
            (_, "toString" | "toLocaleString") => self.text_of(value).map(Value::String),
            (_, "valueOf") => Ok(value.clone()),
            // An unknown function of `Math`, `Object`, …
            (Value::Function(_), _) => self.unsupported(),
            _ => Ok(Value::Undefined),
        }
    }

    fn number_method(&mut self, number: f64, key: &str, args: &[Value]) -> EvalResult {
        let digits = to_integer(args.first(), 0.0).clamp(0.0, 100.0) as usize;
        let text = match key {
            "toFixed" => {
                self.charge(64)?;
                number::to_fixed(number, digits)
            }
            "toString" => match args.first() {
                Some(Value::Number(radix)) => number::in_radix(number, *radix as u32),
                _ => number::to_text(number),
            },
            "toLocaleString" => {
                self.charge(64)?;
                let option = |name| args.get(1).map(|options| member(options, name));
                let least =
                    to_integer(option("minimumFractionDigits").as_ref(), 0.0).clamp(0.0, 20.0);
                let max = to_integer(option("maximumFractionDigits").as_ref(), least.max(3.0));
                number::group_digits(number, least as usize, max.clamp(least, 20.0) as usize)
            }
            "valueOf" => return Ok(Value::Number(number)),
            _ => return self.unsupported(),
        };
        self.text(text)
    }
}
