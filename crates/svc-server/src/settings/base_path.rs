//! `base_path` and `origin`: where a site begins.

use super::decode::{Cx, Fields};

/// Longest base path.
const LONGEST: usize = 128;

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
    let path = text.text.strip_suffix('/').unwrap_or(text.text);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._~-".contains(&b);
    let odd = |part: &str| matches!(part, "" | "." | "..") || !part.bytes().all(plain);
    let Some(parts) = path.strip_prefix('/') else {
        if !path.is_empty() {
            cx.refuse(
                text,
                "base_path",
                "write a path that begins with `/`: `/docs`",
            );
        }
        return String::new();
    };
    if parts.split('/').any(odd) {
        let hint =
            "write parts of letters, digits, `-`, `.`, `_` and `~`, with one `/` before each";
        cx.refuse(text, "base_path", hint);
    } else if path.len() > LONGEST {
        cx.refuse(
            text,
            "base_path",
            format!("write at most {LONGEST} characters"),
        );
    } else if let Some(first) = parts.split('/').next().filter(|first| is_reserved(first)) {
        let hint = format!("addresses below `/{first}` are the server's own; choose another path");
        cx.refuse(text, "base_path", hint);
    } else {
        return path.to_owned();
    }
    String::new()
}

fn is_reserved(first: &str) -> bool {
    RESERVED.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Empty, or scheme and host where readers find the site.
pub(super) fn origin(cx: &mut Cx<'_>, project: Fields<'_>) -> String {
    let Some(text) = cx.text(project, "origin") else {
        return String::new();
    };
    let read = url::Url::parse(text.text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    });
    let Some(read) = read else {
        let hint = "write scheme and host without a path: `https://docs.example.com`";
        cx.refuse(text, "origin", hint);
        return String::new();
    };
    read.origin().ascii_serialization()
}
