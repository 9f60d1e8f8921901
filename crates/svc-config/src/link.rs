//! Decoders of links and URLs.

use svc_data::{browser_scheme, url_scheme};
use svc_diagnostics::DiagnosticCode;

use crate::{
    codes::{EMPTY, URL, URL_IGNORED},
    decode::{Cx, NodeRef},
    keys::{patterns, shape::Shape, value_kind},
    text::shorten,
    url::{is_url, is_web_url},
};

value_kind!(
    /// A path, `#fragment`, `mailto:` or URL.
    pub(crate) Link -> String = Shape::Pattern(&patterns::LINK), Cx::link
);
value_kind!(
    /// The link of an element that also works without one: the decoder ignores an invalid link.
    pub(crate) ElementLink -> String = Shape::Pattern(&patterns::ELEMENT_LINK), Cx::lenient_link
);
value_kind!(pub(crate) WebUrl -> String = Shape::Pattern(&patterns::WEB_URL), Cx::web_url);
value_kind!(
    /// A path of the repository or a web URL.
    pub(crate) File -> String = Shape::Pattern(&patterns::FILE), Cx::file
);

/// Schemes that run code or hide content.
const UNSAFE_SCHEMES: &[&str] = &["javascript", "data", "vbscript", "file", "blob"];

impl Cx {
    /// Decodes a link: a path, `#fragment`, `mailto:` or URL. A bare relative path gets a leading
    /// slash.
    pub(crate) fn link(&mut self, at: &NodeRef<'_>) -> Option<String> {
        self.link_or(&URL, at)
    }

    /// Decodes a link of an element that also works without one: an invalid link is a warning.
    pub(crate) fn lenient_link(&mut self, at: &NodeRef<'_>) -> Option<String> {
        if !at.is_string()
            || at
                .tree
                .as_str()
                .is_some_and(|text| is_unsafe_scheme(text.trim()))
        {
            return self.link(at);
        }
        self.link_or(&URL_IGNORED, at)
    }

    fn link_or(&mut self, code: &'static DiagnosticCode, at: &NodeRef<'_>) -> Option<String> {
        let text = self.non_empty_string(at)?;
        let hint = "write a path such as `/guides/start`, a fragment or a full URL";
        if is_unsafe_scheme(&text) {
            let message = format!("{} has a scheme that is not allowed", at.name());
            self.report(code, at, message, "write a path or an `https://` URL");
            return None;
        }
        if text.starts_with(['/', '#']) || text.starts_with("mailto:") {
            return Some(text);
        }
        if url_scheme(&text).is_some() {
            if is_url(&text) {
                return Some(text);
            }
        } else if !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            let path = text.trim_start_matches("./");
            return Some(format!("/{path}"));
        }
        let message = format!("`{}` is neither a path nor a URL", shorten(&text));
        self.report(code, at, message, hint);
        None
    }

    /// Decodes an `http` or `https` URL.
    pub(crate) fn web_url(&mut self, at: &NodeRef<'_>) -> Option<String> {
        let text = self.non_empty_string(at)?;
        if is_web_url(&text) {
            return Some(text);
        }
        let message = format!("{} is not a URL: `{}`", at.name(), shorten(&text));
        self.report(&URL, at, message, "write a full URL, `https://…`");
        self.fix_url(at, &text);
        None
    }

    /// Fixes the last diagnostic by the scheme `https`, if the text is a host with or without
    /// another web scheme.
    pub(crate) fn fix_url(&mut self, at: &NodeRef<'_>, text: &str) {
        let text = text.strip_prefix("//").unwrap_or(text);
        let rest = text.strip_prefix("http://").unwrap_or(text);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_host = host.contains('.') && !host.starts_with('.') && !host.ends_with('.');
        let url = format!("https://{rest}");
        if is_host && !host.contains('@') && is_web_url(&url) {
            self.fix_text(at, &url);
        }
    }

    /// Decodes a path of the repository or a web URL.
    pub(crate) fn file(&mut self, at: &NodeRef<'_>) -> Option<String> {
        let text = self.non_empty_string(at)?;
        if url_scheme(&text).is_some() && !is_web_url(&text) {
            let message = format!("{} is neither a path nor a web URL", at.name());
            self.report(
                &URL,
                at,
                message,
                "write a path of the repository or an `https://` URL",
            );
            return None;
        }
        self.check_file_later(at, &text);
        Some(text)
    }

    /// Decodes the path or URL of an image.
    pub(crate) fn image(&mut self, at: &NodeRef<'_>) -> Option<String> {
        let text = self.file(at)?;
        if text.chars().count() < 3 {
            let message = format!("{} is too short for the path of an image", at.name());
            self.report(
                &EMPTY,
                at,
                message,
                "write the path with its file extension",
            );
            return None;
        }
        Some(text)
    }
}

fn is_unsafe_scheme(text: &str) -> bool {
    browser_scheme(text).is_some_and(|scheme| UNSAFE_SCHEMES.contains(&&*scheme))
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    fn href(text: &str) -> Option<String> {
        let text = serde_json::to_string(text).unwrap();
        let json = format!("\"navbar\":{{\"links\":[{{\"label\":\"a\",\"href\":{text}}}]}}");
        let checked = site_of(&json);
        checked
            .value
            .and_then(|site| site.navbar.links.first().map(|link| link.href.clone()))
    }

    #[test]
    fn paths_fragments_and_urls_are_unchanged_and_relative_paths_get_a_slash() {
        for (text, expected) in [
            ("/a", "/a"),
            ("#a", "#a"),
            ("mailto:a@b.c", "mailto:a@b.c"),
            ("https://x.com/a#b", "https://x.com/a#b"),
            ("changelog", "/changelog"),
            ("./a/b", "/a/b"),
        ] {
            assert_eq!(href(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn unsafe_schemes_and_invalid_urls_are_rejected() {
        for text in [
            "javascript:alert(1)",
            "JaVa\nScript:x",
            "data:text/html,x",
            "http://",
            "a b",
            " ",
        ] {
            assert_eq!(href(text), None, "{text}");
        }
        assert_eq!(
            errors_of(r#""navbar":{"links":[{"label":"a","href":"a b"}]}"#),
            ["/navbar/links/0/href config-url"]
        );
    }
}
