//! References to pages.

use super::types::PageRef;
use crate::{
    decode::{Cx, NodeRef},
    keys::{ValueKind, shape::Shape},
    remote_url,
};

impl PageRef {
    /// Moves the page, or the document of the operation, below a directory.
    pub(crate) fn move_below(&mut self, dir: &str) {
        let first = self.path.split_whitespace().next().unwrap_or_default();
        let bare = METHODS
            .iter()
            .chain(&["WEBHOOK"])
            .any(|method| method.eq_ignore_ascii_case(first));
        let operation = is_operation(&self.path);
        if !(operation && bare) && remote_url(first).is_none() {
            self.path = format!("{dir}/{}", self.path);
        }
    }
}

impl ValueKind for PageRef {
    type Value = Self;

    fn shape() -> Shape {
        Shape::NonEmpty
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let text = match at.tree.as_str().map(str::trim) {
            Some(text) if !text.is_empty() => normalize(text),
            // It reports the type mismatch.
            _ => cx.non_empty_string(at)?,
        };
        Some(Self {
            path: text,
            location: cx.location_of(at),
            index: at.index(),
        })
    }
}

/// Removes a leading slash, dot segments and double slashes. A trailing slash stays, and an
/// operation (`spec.json GET /users/`) keeps its path.
fn normalize(text: &str) -> String {
    // Almost every path is already normalized.
    let odd = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b'/');
    if !text.bytes().any(odd) && !text.starts_with('/') && !text.contains("//") {
        return text.to_owned();
    }
    if is_operation(text) {
        let tokens: Vec<&str> = text.split_whitespace().collect();
        return tokens.join(" ").trim_start_matches(['/', '.']).to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    let mut path = parts.join("/");
    if text.ends_with('/') && !path.is_empty() {
        path.push('/');
    }
    path
}

const METHODS: &[&str] = &[
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "QUERY",
];

fn is_operation(text: &str) -> bool {
    let mut tokens = text.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        let Some(next) = tokens.peek() else {
            return false;
        };
        let method = METHODS
            .iter()
            .any(|method| method.eq_ignore_ascii_case(token));
        if method && next.starts_with('/') || token.eq_ignore_ascii_case("webhook") {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn paths_are_normalized_and_operations_are_not() {
        for (written, expected) in [
            ("/a/../b", "b"),
            ("./c", "c"),
            ("d/", "d/"),
            ("a//b", "a/b"),
            ("a/b-c_d1", "a/b-c_d1"),
            ("a/b.c/./d", "a/b.c/d"),
            ("../../x", "x"),
            ("my page", "my page"),
            ("GET /users/", "GET /users/"),
            ("/spec.json  POST /a//b", "spec.json POST /a//b"),
            ("https://x.com/o.json get /a", "https://x.com/o.json get /a"),
            ("webhook a.b", "webhook a.b"),
            ("/", ""),
        ] {
            assert_eq!(normalize(written), expected);
        }
    }
}
