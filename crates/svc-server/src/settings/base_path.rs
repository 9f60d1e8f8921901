//! `base_path` and `origin`: the URL prefix of a site.

use super::decode::{Cx, Fields};

const MAX_BASE_PATH_BYTES: usize = 128;

/// First segments of paths that a site and its server use themselves.
const RESERVED: &[&str] = &[
    ".well-known",
    "_svc",
    "api",
    "feedback",
    "llms-full.txt",
    "llms.txt",
    "login",
    "logout",
    "mcp",
    "robots.txt",
    "sitemap.xml",
    "skill.md",
];

/// Regular expression of base paths.
pub(super) const PATTERN: &str = "^(/[A-Za-z0-9._~-]+)+/?$|^/$";
/// Regular expression of origins.
pub(super) const ORIGIN: &str = "^https?://[^/?#@\\s]+/?$";

/// The base path without a trailing slash; empty if it is not set.
pub(super) fn decode(cx: &mut Cx<'_>, project: Fields<'_>) -> String {
    let Some(text) = cx.text(project, "base_path") else {
        return String::new();
    };
    let read = parse_base_path(text.text).and_then(|path| {
        let first = path.split('/').nth(1).filter(|first| is_reserved(first));
        let hint = |first| {
            format!("paths below `/{first}` are reserved for the server; choose another path")
        };
        first.map(hint).map_or(Ok(path.clone()), Err)
    });
    read.unwrap_or_else(|hint| {
        cx.refuse(text, "base_path", hint);
        String::new()
    })
}

/// Parses a base path. Returns it without a trailing slash; empty for `/`.
///
/// # Errors
/// A hint with an allowed value, if the text is not a base path or its first segment is reserved.
pub(crate) fn parse_base_path(text: &str) -> Result<String, String> {
    let path = text.strip_suffix('/').unwrap_or(text);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._~-".contains(&b);
    let odd = |part: &str| matches!(part, "" | "." | "..") || !part.bytes().all(plain);
    let Some(parts) = path.strip_prefix('/') else {
        return match path {
            "" => Ok(String::new()),
            _ => Err("write a path that begins with `/`: `/docs`".to_owned()),
        };
    };
    if parts.split('/').any(odd) {
        let hint =
            "write segments of letters, digits, `-`, `.`, `_` and `~`, each with one `/` before it";
        return Err(hint.to_owned());
    }
    if path.len() > MAX_BASE_PATH_BYTES {
        return Err(format!("write at most {MAX_BASE_PATH_BYTES} characters"));
    }
    Ok(path.to_owned())
}

fn is_reserved(first: &str) -> bool {
    RESERVED.iter().any(|name| first.eq_ignore_ascii_case(name))
}

/// Scheme and host of the site; empty if the key is not set.
pub(super) fn origin(cx: &mut Cx<'_>, project: Fields<'_>) -> String {
    let Some(text) = cx.text(project, "origin") else {
        return String::new();
    };
    parse_origin(text.text).unwrap_or_else(|| {
        cx.refuse(text, "origin", ORIGIN_HINT);
        String::new()
    })
}

/// Hint for an invalid origin.
pub(crate) const ORIGIN_HINT: &str =
    "write a scheme and a host without a path: `https://docs.example.com`";

/// Parses a scheme and host; `None` if the text is not an origin.
pub(crate) fn parse_origin(text: &str) -> Option<String> {
    let read = url::Url::parse(text).ok()?;
    let fits = matches!(read.scheme(), "http" | "https")
        && read.path() == "/"
        && read.query().is_none()
        && read.fragment().is_none()
        && read.username().is_empty()
        && read.password().is_none();
    fits.then(|| read.origin().ascii_serialization())
}
