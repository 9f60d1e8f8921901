//! Limits on the depth and size of values. Traversing and dropping a value must be cheap, although
//! few steps can create a value that is very deep or shares one part many times.

use std::collections::HashMap;
use std::sync::Arc;

use super::{JsxChild, Value};

/// Maximum nesting depth of containers.
const MAX_DEPTH: u32 = 100;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ValueSize {
    pub(super) depth: u32,
    /// Number of parts; shared parts count each time they are reachable.
    pub(super) size: usize,
    pub(super) bytes: usize,
}

impl ValueSize {
    fn add(&mut self, other: Self) {
        self.depth = self.depth.max(other.depth + 1);
        self.size = self.size.saturating_add(other.size);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    pub(super) fn is_too_deep(self) -> bool {
        self.depth > MAX_DEPTH
    }
}

/// Sizes of containers by memory address. The containers are retained, so that no address is
/// reused.
#[derive(Debug, Default)]
pub(super) struct ValueSizes {
    sizes: HashMap<usize, ValueSize>,
    values: Vec<Value>,
}

impl ValueSizes {
    pub(super) fn of(&mut self, value: &Value) -> ValueSize {
        self.within(value, 0)
    }

    fn within(&mut self, value: &Value, depth: u32) -> ValueSize {
        let pointer = match value {
            Value::Array(items) => Arc::as_ptr(items).addr(),
            Value::Object(entries) => Arc::as_ptr(entries).addr(),
            Value::Element(element) => Arc::as_ptr(element).addr(),
            Value::String(text) => {
                return ValueSize {
                    depth: 0,
                    size: 1,
                    bytes: text.len(),
                };
            }
            _ => {
                return ValueSize {
                    depth: 0,
                    size: 1,
                    bytes: 0,
                };
            }
        };
        if let Some(weight) = self.sizes.get(&pointer) {
            return *weight;
        }
        if depth > MAX_DEPTH {
            return ValueSize {
                depth: MAX_DEPTH + 1,
                size: usize::MAX,
                bytes: usize::MAX,
            };
        }
        let mut weight = ValueSize {
            depth: 1,
            size: 1,
            bytes: 0,
        };
        let text = |bytes| ValueSize {
            depth: 0,
            size: 1,
            bytes,
        };
        match value {
            Value::Array(items) => {
                for item in items.iter() {
                    weight.add(self.within(item, depth + 1));
                }
            }
            Value::Object(entries) => {
                for (key, item) in entries.iter() {
                    weight.add(text(key.len()));
                    weight.add(self.within(item, depth + 1));
                }
            }
            Value::Element(element) => {
                for (key, item) in &element.props {
                    weight.add(text(key.len()));
                    weight.add(self.within(item, depth + 1));
                }
                for child in &element.children {
                    match child {
                        JsxChild::Text(content) => weight.add(text(content.len())),
                        JsxChild::Value(item) => weight.add(self.within(item, depth + 1)),
                    }
                }
            }
            _ => {}
        }
        self.sizes.insert(pointer, weight);
        self.values.push(value.clone());
        weight
    }
}
