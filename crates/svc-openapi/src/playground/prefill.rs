//! Initial values of fields.

use serde_json::{Map, Value};

use super::table::SchemaTable;

/// Maximum number of rows that are visited for one value.
const MAX_STEPS: usize = 2_000;
/// Maximum depth of nested objects.
const MAX_DEPTH: usize = 8;

/// The `x-default` of a schema or of its properties; with `examples`, the examples of the author
/// fill the rest. None if there is neither.
pub(super) fn prefill_value(table: &SchemaTable<'_>, row: usize, examples: bool) -> Option<Value> {
    walk(table, row, examples, 0, &mut MAX_STEPS.clone())
}

fn walk(
    table: &SchemaTable<'_>,
    row: usize,
    examples: bool,
    depth: usize,
    left: &mut usize,
) -> Option<Value> {
    *left = left.checked_sub(1)?;
    let own = table.get(row)?;
    let written = own.get("prefill");
    let written = written.or_else(|| own.get("example").filter(|_| examples));
    if let Some(written) = written {
        return Some(written.clone());
    }
    if depth == MAX_DEPTH {
        return None;
    }
    let properties = own.get("properties")?.as_object()?;
    let mut members = Map::new();
    for (name, row) in properties {
        let row = row.as_u64().and_then(|row| usize::try_from(row).ok())?;
        if let Some(value) = walk(table, row, examples, depth + 1, left) {
            members.insert(name.clone(), value);
        }
    }
    (!members.is_empty()).then_some(Value::Object(members))
}

/// `value`, with the marked parts replaced.
pub(super) fn overlay(value: Value, marked: Option<Value>) -> Value {
    match (value, marked) {
        (value, None) => value,
        (Value::Object(mut members), Some(Value::Object(marked))) => {
            for (name, inner) in marked {
                let before = members.remove(&name).unwrap_or(Value::Null);
                members.insert(name, overlay(before, Some(inner)));
            }
            Value::Object(members)
        }
        (_, Some(marked)) => marked,
    }
}
