//! The extension `x-svc`, also read under its older name `x-mint`: one object with a few keys.
//!
//! An object with one value of the wrong type would have a different meaning from the intended one,
//! so it is ignored as a whole; the reader of the document reports the error.

use svc_data::{Node, Value};

/// The names of the extension, the current one first.
pub(crate) const NAMES: [&str; 2] = ["x-svc", "x-mint"];

/// Maximum number of badges and groups.
const MAX_TEXTS: usize = 16;

/// The type of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Text,
    Object,
    Texts,
}

impl ValueType {
    fn fits(self, node: &Node) -> bool {
        let text = |node: &Node| node.as_str().is_some();
        node.is_null()
            || match self {
                Self::Text => text(node),
                Self::Object => node.as_object().is_some(),
                Self::Texts => match node.as_array() {
                    Some(items) => items.iter().all(text),
                    None => text(node),
                },
            }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Object => "an object",
            Self::Texts => "an array of strings",
        }
    }
}

const KEYS: [(&str, ValueType); 8] = [
    ("metadata", ValueType::Object),
    ("content", ValueType::Text),
    ("href", ValueType::Text),
    ("pre", ValueType::Texts),
    ("post", ValueType::Texts),
    ("groups", ValueType::Texts),
    ("mcp", ValueType::Object),
    ("playground", ValueType::Object),
];

/// A value of the wrong type: its key (empty for the extension itself), the value, the expected
/// type.
pub(crate) type ExtensionError<'a> = (&'static str, &'a Node, &'static str);

/// The errors of an extension.
pub(crate) fn errors(extension: &Node) -> impl Iterator<Item = ExtensionError<'_>> {
    let whole = (!extension.is_null() && extension.as_object().is_none()).then_some((
        "",
        extension,
        "an object",
    ));
    let keys = KEYS.into_iter().filter_map(|(key, expected)| {
        let value = extension.get(key)?;
        (!expected.fits(value)).then_some((key, value, expected.noun()))
    });
    whole.into_iter().chain(keys)
}

/// The value of a key; None if any value of the extension has the wrong type.
pub(crate) fn of<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    let object = node.as_object()?;
    NAMES.into_iter().find_map(|name| {
        let extension = object.get(name)?;
        let value = extension.get(key).filter(|value| !value.is_null())?;
        errors(extension).next().is_none().then_some(value)
    })
}

/// Badges or groups: an array of strings, or a single string.
pub(crate) fn texts(node: &Node, key: &str) -> Vec<String> {
    of(node, key).map(string_list).unwrap_or_default()
}

fn string_list(node: &Node) -> Vec<String> {
    match node.as_array() {
        Some(items) => {
            let texts = items.iter().filter_map(Node::as_str);
            texts.take(MAX_TEXTS).map(str::to_owned).collect()
        }
        None => node.as_str().map(str::to_owned).into_iter().collect(),
    }
}

/// Whether the extension of a node restricts its readers: by `groups`, its own or those of its
/// metadata, or by `public: false` there. A value of the wrong type restricts them too.
pub(crate) fn requires_protection(node: &Node) -> bool {
    let Some(object) = node.as_object() else {
        return false;
    };
    let names_groups = |node: &Node| {
        let groups = node.get("groups").filter(|groups| !groups.is_null());
        groups.is_some_and(|groups| groups.as_array().is_none_or(|groups| !groups.is_empty()))
    };
    let extensions = NAMES.into_iter().filter_map(|name| object.get(name));
    extensions.into_iter().any(|extension| {
        let metadata = extension.get("metadata");
        let public = metadata.and_then(|metadata| metadata.get("public"));
        names_groups(extension)
            || metadata.is_some_and(names_groups)
            || public.is_some_and(|public| public.as_bool() != Some(true))
    })
}

/// Whether any part of a node restricts its readers.
pub fn has_protection(node: &Node) -> bool {
    requires_protection(node)
        || match &node.value {
            Value::Array(items) => items.iter().any(has_protection),
            Value::Object(object) => object.iter().any(|(_, value)| has_protection(value)),
            _ => false,
        }
}

/// Maximum number of explained values of an `enum`.
const MAX_NOTES: usize = 100;

/// The explanations of the values of an `enum`, as a Markdown list. `x-enum-varnames` has names;
/// `x-enumDescriptions` and `x-enum-descriptions` have texts, as a list beside the values or by
/// value.
pub(crate) fn enum_notes(schema: &Node) -> Option<String> {
    let values = schema.get("enum").and_then(Node::as_array)?;
    let names = schema.get("x-enum-varnames");
    let texts = ["x-enumDescriptions", "x-enum-descriptions"];
    let texts = texts.iter().find_map(|key| schema.get(key));
    let of = |list: Option<&Node>, at: usize, value: &str| {
        let list = list?;
        let own = list.as_array().and_then(|items| items.get(at));
        let text = own.or_else(|| list.get(value))?.to_text()?;
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!line.is_empty()).then_some(line)
    };
    let lines: Vec<String> = values
        .iter()
        .enumerate()
        .take(MAX_NOTES)
        .filter_map(|(at, value)| {
            let value = value.to_text()?;
            let name = of(names, at, &value).filter(|name| *name != value);
            let text = of(texts, at, &value);
            match (name, text) {
                (None, None) => None,
                (Some(name), None) => Some(format!("- `{value}`: `{name}`")),
                (None, Some(text)) => Some(format!("- `{value}`: {text}")),
                (Some(name), Some(text)) => Some(format!("- `{value}` (`{name}`): {text}")),
            }
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The values of keys as badges: a string as it is, a number as text, `true` as the name of its
/// key, an array as its items.
pub(crate) fn badges_of(node: &Node, keys: &[String]) -> Vec<String> {
    let mut badges = Vec::new();
    for key in keys {
        let Some(value) = node.get(key) else { continue };
        let items = value.as_array().unwrap_or(std::slice::from_ref(value));
        for item in items.iter().take(MAX_TEXTS) {
            badges.extend(match item.as_bool() {
                Some(true) => Some(key.clone()),
                Some(false) => None,
                None => item.to_text().filter(|text| !text.is_empty()),
            });
        }
    }
    badges
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;

    fn node(text: &str) -> Node {
        let file = SourceFile::new("a.yaml", text);
        svc_data::parse(&file, &svc_data::Limits::default()).value
    }

    #[test]
    fn one_invalid_value_invalidates_the_whole_extension() {
        let good = node("x-svc: {pre: [a, b], post: c, href: null}");
        assert_eq!(texts(&good, "pre"), ["a", "b"]);
        assert_eq!(texts(&good, "post"), ["c"]);
        let bad = node("x-svc: {pre: [a, 7], post: c}\nx-mint: {post: older}");
        assert_eq!(texts(&bad, "pre"), [""; 0]);
        assert_eq!(texts(&bad, "post"), ["older"]);
        let faults: Vec<_> = errors(bad.get("x-svc").unwrap()).map(|f| f.0).collect();
        assert_eq!(faults, ["pre"]);
        assert!(of(&node("x-svc: [href]"), "href").is_none());
    }

    #[test]
    fn values_of_an_enum_are_explained() {
        let listed =
            node("enum: [1, 2, 3]\nx-enum-varnames: [On, Off]\nx-enum-descriptions: [It runs]");
        let notes = enum_notes(&listed).unwrap();
        assert_eq!(notes, "- `1` (`On`): It runs\n- `2`: `Off`");
        let named = node("enum: [a, b]\nx-enumDescriptions: {b: Second}");
        assert_eq!(enum_notes(&named).unwrap(), "- `b`: Second");
        assert_eq!(enum_notes(&node("enum: [a]")), None);
    }

    #[test]
    fn any_key_can_be_a_badge() {
        let schema = node("x-a: text\nx-b: true\nx-c: false\nx-d: 3\nx-e: [x, 2, '']\nx-f: {g: 1}");
        let keys = ["x-b", "x-a", "x-c", "x-d", "x-e", "x-f", "x-g"].map(str::to_owned);
        assert_eq!(badges_of(&schema, &keys), ["x-b", "text", "3", "x", "2"]);
    }
}
