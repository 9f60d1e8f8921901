//! Entries of navigation and front matter that name an operation.

use crate::OperationKind;

/// What an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRef {
    /// The document, as written.
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

/// Whether a word can be a method that a document of version 3.2 adds: those are told from names
/// by their capitals.
fn is_own_method(word: &str) -> bool {
    let capital = |byte: u8| byte.is_ascii_uppercase();
    let other = |byte: u8| capital(byte) || byte.is_ascii_digit() || b"-_".contains(&byte);
    word.bytes().next().is_some_and(capital) && word.bytes().all(other)
}

/// Reads `METHOD /path`, `spec METHOD /path`, `webhook name` or `spec webhook name`; `None` when it
/// is none of them and so the path of a page or document.
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
