//! `base_path` and `origin`: where a site begins.

use super::decode::{Cx, Fields};

/// Longest base path.
const MAX_BASE_PATH_BYTES: usize = 128;

/// First parts of addresses that a site and its server need themselves.
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

/// The pattern of base paths.
pub(super) const PATTERN: &str = "^(/[A-Za-z0-9._~-]+)+/?$|^/$";
/// The pattern of origins.
pub(super) const ORIGIN: &str = "^https?://[^/?#@\\s]+/?$";

/// Empty, or the path before all addresses, without a slash at its end.
pub(super) fn decode(cx: &mut Cx<'_>, project: Fields<'_>) -> String {
    let Some(text) = cx.text(project, "base_path") else {
        return String::new();
    };
    let read = parse_base_path(text.text).and_then(|path| {
        let first = path.split('/').nth(1).filter(|first| is_reserved(first));
        let hint =
            |first| format!("addresses below `/{first}` are the server's own; choose another path");
        first.map(hint).map_or(Ok(path.clone()), Err)
    });
    read.unwrap_or_else(|hint| {
        cx.refuse(text, "base_path", hint);
        String::new()
    })
}

/// Reads a base path: empty, or without a slash at its end.
///
/// # Errors
/// What has to be written instead.
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
            "write parts of letters, digits, `-`, `.`, `_` and `~`, with one `/` before each";
        return Err(hint.to_owned());
    }
    if path.len() > MAX_BASE_PATH_BYTES {
        return Err(format!("write at most {MAX_BASE_PATH_BYTES} characters"));
    }
    Ok(path.to_owned())
}

fn is_reserved(first: &str) -> bool {
    RESERVED.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Empty, or scheme and host where readers find the site.
pub(super) fn origin(cx: &mut Cx<'_>, project: Fields<'_>) -> String {
    let Some(text) = cx.text(project, "origin") else {
        return String::new();
    };
    parse_origin(text.text).unwrap_or_else(|| {
        cx.refuse(text, "origin", ORIGIN_HINT);
        String::new()
    })
}

/// What has to be written for an origin.
pub(crate) const ORIGIN_HINT: &str =
    "write scheme and host without a path: `https://docs.example.com`";

/// Reads scheme and host; nothing when it is something else.
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
