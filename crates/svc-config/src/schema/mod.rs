//! The JSON Schema and the reference of all keys, generated from the declarations that drive the
//! decoders.

mod json;
mod object;
mod option_doc;
mod option_docs;
mod services;

use serde_json::{Value, json};

use crate::{SiteConfig, keys::shape::Object};

pub use option_doc::{OptionDoc, OptionGroup};

/// URL of the published schema. Every site serves it too, at `/schema/docs.json`.
pub const SCHEMA_URL: &str = "https://svc.dev/schema/docs.json";

/// The JSON Schema (draft 2020-12) of `docs.json`.
///
/// It accepts the documents that [`parse`](crate::parse()) reads without an error. Unknown keys are
/// allowed, as they are by `parse`; keys without effect and older spellings are marked
/// `deprecated`. Problems that concern more than one value or file (a duplicate redirect, a missing
/// file) are only reported by the decoder.
///
/// ```
/// let schema = svc_config::schema();
/// assert_eq!(schema["properties"]["appearance"]["properties"]["strict"]["default"], false);
/// ```
pub fn schema() -> Value {
    let mut writer = json::Writer::new();
    let site = writer.object(&site());
    let mut out = serde_json::Map::new();
    let mut add = |key: &str, value: Value| out.insert(key.to_owned(), value);
    add(
        "$schema",
        "https://json-schema.org/draft/2020-12/schema".into(),
    );
    add("$id", SCHEMA_URL.into());
    add("title", "docs.json".into());
    add(
        "description",
        "Configuration of a documentation site.".into(),
    );
    // Editors offer this in an empty file.
    add(
        "defaultSnippets",
        json!([{
            "label": "A site",
            "description": "The keys that every site needs.",
            "body": {
                "$schema": SCHEMA_URL,
                "theme": "svc",
                "name": "$1",
                "colors": { "primary": "#${2:0f766e}" },
                "navigation": { "groups": [{ "group": "${3:Start}", "pages": ["${4:index}"] }] },
            },
        }]),
    );
    out.extend(site);
    let definitions: serde_json::Map<String, Value> = writer
        .definitions
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    out.insert("$defs".to_owned(), definitions.into());
    Value::Object(out)
}

/// The whole document.
fn site() -> Object {
    Object::new(SiteConfig::properties())
}

/// All keys of `docs.json`, grouped for the reference.
///
/// ```
/// let groups = svc_config::option_docs();
/// let appearance = groups.iter().find(|group| group.title == "appearance").expect("a group");
/// assert_eq!((&*appearance.keys[2].path, &*appearance.keys[2].default), ("appearance.strict", "false"));
/// ```
pub fn option_docs() -> Vec<OptionGroup> {
    option_docs::sections(&site())
}

#[cfg(test)]
mod tests;
