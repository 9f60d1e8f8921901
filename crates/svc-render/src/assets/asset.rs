//! A style sheet, script or other file of the program, named by the hash of its content.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_config::Theme;

/// A built-in asset. Its name contains a hash of the content, so it can be cached forever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramAsset {
    /// File name with hash: `svc.0123456789abcdef.css`.
    pub name: String,
    /// Media type.
    pub content_type: &'static str,
    /// Content.
    pub content: Cow<'static, [u8]>,
    /// Theme that requires the asset; `None` if all sites use it.
    pub theme: Option<Theme>,
    /// Whether only pages with a playground require it.
    pub playground: bool,
    /// Whether only pages with services of other companies require it.
    pub integrations: bool,
}

impl ProgramAsset {
    /// The content of a script or a style sheet; empty for binary files.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.content).unwrap_or_default()
    }
}

/// Creates an asset from a script.
pub(crate) fn script(stem: &str, text: String) -> ProgramAsset {
    hashed(
        stem,
        "js",
        "text/javascript; charset=utf-8",
        text.into_bytes(),
    )
}

/// Creates an asset from a style sheet, minified.
pub(crate) fn sheet(stem: &str, css: &str) -> ProgramAsset {
    let mut text = String::new();
    minify_css(css, &mut text);
    hashed(stem, "css", "text/css; charset=utf-8", text.into_bytes())
}

/// Creates an asset from JSON data for scripts.
pub(crate) fn data(stem: &str, value: &serde_json::Value) -> ProgramAsset {
    hashed(
        stem,
        "json",
        "application/json",
        value.to_string().into_bytes(),
    )
}

/// Creates an asset from a WOFF2 font.
pub(crate) fn font(stem: &str, bytes: &'static [u8]) -> ProgramAsset {
    hashed(stem, "woff2", "font/woff2", bytes)
}

/// Creates an asset whose name contains the hash of its content.
pub(super) fn hashed(
    stem: &str,
    extension: &str,
    content_type: &'static str,
    content: impl Into<Cow<'static, [u8]>>,
) -> ProgramAsset {
    let content = content.into();
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    let mut name = String::new();
    // Formatting to a `String` cannot fail.
    let _ = write!(name, "{stem}.{:016x}.{extension}", hasher.finish());
    ProgramAsset {
        name,
        content_type,
        content,
        theme: None,
        playground: false,
        integrations: false,
    }
}

/// Removes comments and indentation from a style sheet. Strings in built-in style sheets contain no
/// `/*`.
pub(super) fn minify_css(css: &str, out: &mut String) {
    let mut rest = css;
    let mut plain = String::with_capacity(css.len());
    while let Some(start) = rest.find("/*") {
        plain.push_str(&rest[..start]);
        let after = &rest[start..];
        rest = after.find("*/").map_or("", |end| &after[end + 2..]);
    }
    plain.push_str(rest);
    for line in plain.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out.push_str(line);
        // Line breaks are only significant within selectors and values.
        if !line.ends_with([',', '{', ';', '}']) {
            out.push(' ');
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minified_css_retains_the_rules() {
        let mut out = String::new();
        minify_css("/* a */\na,\nb {\n  color: red; /* x */\n}\n", &mut out);
        assert_eq!(out, "a,b {color: red;}\n");
    }

    #[test]
    fn names_depend_on_the_content() {
        let one = hashed("svc", "css", "text/css", b"a{}".as_slice());
        let two = hashed("svc", "css", "text/css", b"b{}".as_slice());
        assert_ne!(one.name, two.name);
    }
}
