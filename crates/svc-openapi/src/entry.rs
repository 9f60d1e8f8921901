//! Entries of the navigation and the front matter that refer to operations.

use crate::OperationKind;

/// A reference to an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRef {
    /// The document, as written; None if the entry has none.
    pub spec: Option<String>,
    /// Path or webhook.
    pub kind: OperationKind,
    /// Method in lower case; `webhook` for a webhook.
    pub method: String,
    /// Path, or name of the webhook.
    pub path: String,
}

const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// Whether a token can be a method that a document of version 3.2 adds. Such methods are recognized
/// by upper case.
fn is_own_method(token: &str) -> bool {
    let capital = |byte: u8| byte.is_ascii_uppercase();
    let other = |byte: u8| capital(byte) || byte.is_ascii_digit() || b"-_".contains(&byte);
    token.bytes().next().is_some_and(capital) && token.bytes().all(other)
}

/// Parses `METHOD /path`, `spec METHOD /path`, `webhook name` or `spec webhook name`. None for any
/// other text, which is the path of a page or document.
///
/// # Example
///
/// ```
/// use svc_openapi::parse_entry;
/// let entry = parse_entry("pets.json GET /pets").expect("it refers to an operation");
/// assert_eq!((entry.spec.as_deref(), &*entry.method, &*entry.path), (Some("pets.json"), "get", "/pets"));
/// assert_eq!(parse_entry("guides/pets"), None);
/// ```
pub fn parse_entry(entry: &str) -> Option<EntryRef> {
    let tokens: Vec<&str> = entry.split_whitespace().collect();
    let read = |spec: Option<&str>, method: &str, rest: &[&str]| {
        let own = is_own_method(method);
        let method = method.to_ascii_lowercase();
        let spec = spec.map(str::to_owned);
        if method == "webhook" && !rest.is_empty() {
            let path = rest.join(" ");
            return Some(EntryRef {
                spec,
                kind: OperationKind::Webhook,
                method,
                path,
            });
        }
        let [path] = rest else { return None };
        if !(own || METHODS.contains(&method.as_str())) || !path.starts_with('/') {
            return None;
        }
        let path = (*path).to_owned();
        Some(EntryRef {
            spec,
            kind: OperationKind::Path,
            method,
            path,
        })
    };
    match tokens.as_slice() {
        [method, rest @ ..] if rest.len() == 1 => read(None, method, rest),
        [spec, method, rest @ ..] => {
            read(Some(spec), method, rest).or_else(|| read(None, spec, tokens.get(1..)?))
        }
        _ => None,
    }
}
