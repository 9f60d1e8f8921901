//! Approximate length of values as text.

use serde_json::Value as Json;

/// Consumes the size of a value; false, without consuming any, if it exceeds the rest.
pub(super) fn take(value: &Json, left: &mut usize) -> bool {
    let mut rest = *left;
    let enough = measure(value, &mut rest);
    if enough {
        *left = rest;
    }
    enough
}

fn measure(value: &Json, left: &mut usize) -> bool {
    let own = match value {
        Json::Null | Json::Bool(_) => 5,
        Json::Number(_) => 8,
        Json::String(text) => {
            let escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
            text.len() + 4 + 5 * text.bytes().filter(|byte| escaped(byte)).count()
        }
        Json::Array(items) => {
            return items.iter().all(|item| measure(item, left)) && bytes(left, 4);
        }
        Json::Object(members) => {
            let each =
                |(key, value): (&String, &Json)| bytes(left, key.len() + 6) && measure(value, left);
            return members.iter().all(each) && bytes(left, 4);
        }
    };
    bytes(left, own)
}

/// Consumes some bytes; false if fewer are left.
pub(super) fn bytes(left: &mut usize, count: usize) -> bool {
    left.checked_sub(count).is_some_and(|rest| {
        *left = rest;
        true
    })
}
