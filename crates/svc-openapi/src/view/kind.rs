//! The types that a schema allows, and their display.

use serde_json::Value as Json;
use svc_data::{Node, Value};

use super::flat_schema::{FlatSchema, Part};
use super::type_set::{
    ALL, ARRAY, BOOLEAN, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING, stated_types, suggested,
    type_of,
};
use super::{Kind, SchemaView};

/// The types that all parts allow, without null. Sets the fields of the view that follow from them.
pub(super) fn types(flat: &FlatSchema<'_>, view: &mut SchemaView) -> u8 {
    let (mut types, mut all_null, mut stated) = (ALL, true, false);
    view.nullable |= flat.null;
    for part in &flat.parts {
        if part.get("nullable").and_then(Node::as_bool) == Some(true) {
            view.nullable = true;
        }
        if let Some(own) = stated_types(part.node) {
            if types & own & !NULL == 0 && types & own != NULL {
                view.conflict = conflict(&flat.parts);
            }
            stated = true;
            types &= own | NULL;
            all_null &= own & NULL != 0;
        }
    }
    let listed = ["enum", "const"]
        .iter()
        .any(|key| flat.parts.iter().any(|part| part.get(key).is_some()));
    let only_null = (stated && all_null && types == NULL)
        || (!stated && listed && view.nullable && view.enum_values.is_empty());
    view.nullable |= stated && all_null;
    types &= !NULL;
    if only_null {
        types = 0;
    } else if !stated {
        types = inferred(flat, view);
    }
    if types == ALL & !NULL {
        types = ALL;
    }
    view.base = match types {
        _ if flat.impossible => Kind::Never,
        ALL => Kind::Any,
        0 if only_null => Kind::Null,
        0 => Kind::Never,
        BOOLEAN => Kind::Boolean,
        INTEGER => Kind::Integer,
        NUMBER | FRACTION => Kind::Number,
        STRING if is_file(flat, view) => Kind::File,
        STRING => Kind::String,
        OBJECT => Kind::Object,
        ARRAY => Kind::Array,
        _ => Kind::Union,
    };
    if view.base == Kind::Null {
        view.nullable = false;
    }
    types
}

/// The distinct types of parts that exclude each other.
fn conflict(parts: &[Part<'_>]) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    for part in parts {
        let kind = part.get("type").and_then(Node::to_text);
        if let Some(kind) = kind.filter(|kind| types.len() < 4 && !types.contains(kind)) {
            types.push(kind);
        }
    }
    types
}

fn value_bits(value: &Json) -> u8 {
    match value {
        Json::Null => 0,
        Json::Number(number) if number.is_f64() => NUMBER,
        value => type_of(value),
    }
}

/// Types that follow from other keywords, if those agree.
fn inferred(flat: &FlatSchema<'_>, view: &SchemaView) -> u8 {
    if !view.enum_values.is_empty() {
        return view
            .enum_values
            .iter()
            .map(value_bits)
            .fold(0, |a, b| a | b);
    }
    suggested(|keys| {
        keys.iter()
            .any(|key| flat.parts.iter().any(|part| part.get(key).is_some()))
    })
}

fn is_file(flat: &FlatSchema<'_>, view: &SchemaView) -> bool {
    let typed = flat
        .parts
        .iter()
        .any(|part| part.get("type").and_then(Node::as_str) == Some("file"));
    typed || holds_file(view.format.as_deref(), view.media_type.as_deref())
}

/// Whether a string with that format or content is a file.
pub(crate) fn holds_file(format: Option<&str>, media_type: Option<&str>) -> bool {
    if matches!(format, Some("binary" | "base64")) {
        return true;
    }
    let Some(media_type) = media_type else {
        return false;
    };
    let essence = media_type
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .to_ascii_lowercase();
    let (family, kind) = essence.split_once('/').unwrap_or((&essence, ""));
    matches!(family, "image" | "audio" | "video")
        || (family == "application"
            && matches!(
                kind,
                "octet-stream"
                    | "pdf"
                    | "zip"
                    | "gzip"
                    | "x-gzip"
                    | "x-tar"
                    | "tar"
                    | "x-7z-compressed"
                    | "vnd.rar"
                    | "x-rar-compressed"
                    | "7z"
                    | "rar"
            ))
}

/// The names of types, without null; empty for all of them.
pub(super) fn type_names(types: u8) -> Vec<&'static str> {
    let names = [
        (BOOLEAN, "boolean"),
        (STRING, "string"),
        (OBJECT, "object"),
        (ARRAY, "array"),
    ];
    if types & !NULL == ALL & !NULL {
        return Vec::new();
    }
    let number = match types & NUMBER {
        0 => None,
        INTEGER => Some("integer"),
        _ => Some("number"),
    };
    let known = names.iter().filter(|(bit, _)| types & bit != 0);
    known.map(|(_, name)| *name).chain(number).collect()
}

/// The type of a schema that is not expanded.
pub(super) fn shallow(node: &Node) -> Kind {
    let has = |key: &str| node.get(key).is_some();
    match stated_types(node).map(|types| types & !NULL) {
        Some(OBJECT) => Kind::Object,
        Some(ARRAY) => Kind::Array,
        Some(STRING) => Kind::String,
        Some(INTEGER) => Kind::Integer,
        Some(NUMBER) => Kind::Number,
        Some(BOOLEAN) => Kind::Boolean,
        _ if has("properties") || has("allOf") => Kind::Object,
        _ => Kind::Any,
    }
}

/// Whether the schema has children.
pub(super) fn expands(node: &Node) -> bool {
    let keys = ["properties", "items", "prefixItems"];
    keys.iter().any(|key| node.get(key).is_some())
        || matches!(
            node.get("additionalProperties"),
            Some(Node {
                value: Value::Object(_),
                ..
            })
        )
}

/// Sets the display name of the type.
pub(super) fn name_kind(view: &mut SchemaView, types: u8) {
    let kind = match view.base {
        Kind::Array => match &view.items {
            Some(items) if items.kind.contains(' ') => format!("({})[]", items.kind),
            Some(items) => format!("{}[]", items.kind),
            None => "any[]".to_owned(),
        },
        Kind::Union if !view.variants.is_empty() => {
            let mut kinds: Vec<&str> = Vec::new();
            for variant in &view.variants {
                if !kinds.contains(&variant.schema.kind.as_str()) && kinds.len() < 6 {
                    kinds.push(&variant.schema.kind);
                }
            }
            kinds.join(" | ")
        }
        Kind::Union if types != ALL => {
            let pairs = [
                (BOOLEAN, "boolean"),
                (STRING, "string"),
                (OBJECT, "object"),
                (ARRAY, "array"),
            ];
            let number = if types & FRACTION != 0 {
                "number"
            } else {
                "integer"
            };
            let mut names: Vec<&str> = pairs
                .iter()
                .filter(|(bit, _)| types & bit != 0)
                .map(|(_, name)| *name)
                .collect();
            if types & NUMBER != 0 {
                names.insert(
                    usize::from(types & BOOLEAN != 0) + usize::from(types & STRING != 0),
                    number,
                );
            }
            names.join(" | ")
        }
        Kind::Never if !view.conflict.is_empty() => view.conflict.join(" & "),
        _ if !view.enum_values.is_empty() => format!("enum<{}>", view.base.as_str()),
        base => base.as_str().to_owned(),
    };
    view.kind = kind;
}
