//! Closures that leave an evaluation. They keep their captured variables alive.

use std::sync::Arc;

use indexmap::IndexMap;

use super::heap::{FunctionKind, HeapRef};
use super::{Function, JsxChild, JsxElement, Value};

/// Converts functions in a value to strong references; `None` if it contains none.
pub(super) fn escaped(value: &Value) -> Option<Value> {
    match value {
        Value::Function(function) => {
            let FunctionKind::Closure {
                code,
                heap: home @ HeapRef::Weak(_),
                frame,
            } = &function.kind
            else {
                return None;
            };
            let home = HeapRef::Strong(home.heap()?);
            let kind = FunctionKind::Closure {
                code: Arc::clone(code),
                heap: home,
                frame: *frame,
            };
            Some(Value::Function(Arc::new(Function { kind })))
        }
        Value::Array(items) => {
            if !items.iter().any(holds_function) {
                return None;
            }
            let items: Vec<Value> = items
                .iter()
                .map(|item| escaped(item).unwrap_or_else(|| item.clone()))
                .collect();
            Some(Value::from(items))
        }
        Value::Object(entries) => {
            if !entries.values().any(holds_function) {
                return None;
            }
            Some(Value::Object(Arc::new(escaped_entries(entries))))
        }
        Value::Element(element) => {
            if !holds_function(value) {
                return None;
            }
            let children = element.children.iter().map(|child| match child {
                JsxChild::Text(text) => JsxChild::Text(text.clone()),
                JsxChild::Value(value) => {
                    JsxChild::Value(escaped(value).unwrap_or_else(|| value.clone()))
                }
            });
            Some(Value::Element(Arc::new(JsxElement {
                tag: element.tag.clone(),
                props: escaped_entries(&element.props),
                children: children.collect(),
                offset: element.offset,
            })))
        }
        _ => None,
    }
}

fn escaped_entries(entries: &IndexMap<String, Value>) -> IndexMap<String, Value> {
    let entry = |(key, value): (&String, &Value)| {
        (key.clone(), escaped(value).unwrap_or_else(|| value.clone()))
    };
    entries.iter().map(entry).collect()
}

fn holds_function(value: &Value) -> bool {
    match value {
        Value::Function(function) => {
            matches!(
                &function.kind,
                FunctionKind::Closure {
                    heap: HeapRef::Weak(_),
                    ..
                }
            )
        }
        Value::Array(items) => items.iter().any(holds_function),
        Value::Object(entries) => entries.values().any(holds_function),
        Value::Element(element) => {
            element.props.values().any(holds_function)
                || element.children.iter().any(|child| match child {
                    JsxChild::Text(_) => false,
                    JsxChild::Value(value) => holds_function(value),
                })
        }
        _ => false,
    }
}
