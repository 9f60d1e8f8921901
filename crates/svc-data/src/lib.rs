//! JSON, YAML and TOML parsed into one tree with the span of every node.
//!
//! The tree serves `docs.json`, front matter, OpenAPI documents and server settings, so a problem
//! in any of them points at the exact characters. Parsing never fails: invalid parts are reported
//! and the rest is read (a trailing comma or a comment in JSON, a duplicate key). The meaning of
//! keys is left to the caller.
//!
//! ```
//! use svc_data::{Limits, parse_json};
//! use svc_diagnostics::SourceFile;
//! let file = SourceFile::new("docs.json", r#"{"name": "Acme", "tabs": [1, 2]}"#);
//! let tree = parse_json(&file, &Limits::default()).value;
//! assert_eq!(tree.get("name").and_then(|node| node.as_str()), Some("Acme"));
//! ```

mod brackets;
mod codes;
mod convert;
mod edit;
mod json;
mod key_map;
mod limits;
pub mod percent;
mod pointer;
mod scheme;
mod toml;
mod tree;
mod yaml;

pub use codes::CODES;
pub use edit::json_removal;
pub use json::parse_json;
pub use key_map::{IntoIter, Iter, KeyMap};
pub use limits::Limits;
pub use pointer::{at_pointer, escape_pointer, unescape_pointer};
pub use scheme::{browser_scheme, url_scheme};
pub use toml::parse_toml;
pub use tree::{Member, Node, Number, Object, Value};
pub use yaml::parse_yaml;

/// Parses a document as JSON if its first character is `{` or `[` or its path ends in `.json`,
/// otherwise as YAML.
///
/// ```
/// use svc_data::{Limits, parse};
/// use svc_diagnostics::SourceFile;
/// for text in ["{\"a\": 1}", "a: 1"] {
///     let file = SourceFile::new("a", text);
///     let root = parse(&file, &Limits::default()).value;
///     assert_eq!(root.get("a").and_then(|a| a.to_text()).as_deref(), Some("1"));
/// }
/// ```
pub fn parse(
    file: &svc_diagnostics::SourceFile,
    limits: &Limits,
) -> svc_diagnostics::Checked<Node> {
    let first = file
        .text()
        .trim_start_matches('\u{feff}')
        .trim_start()
        .chars()
        .next();
    if file.path().ends_with(".json") || matches!(first, Some('{' | '[')) {
        parse_json(file, limits)
    } else {
        parse_yaml(file, limits)
    }
}

#[cfg(test)]
mod tests;
