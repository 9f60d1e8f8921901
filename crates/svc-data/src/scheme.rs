//! Schemes of URLs (RFC 3986, section 3.1).

/// The scheme of an absolute URL, as it is written. `None` if the text has none.
///
/// ```
/// use svc_data::url_scheme;
/// assert_eq!(url_scheme("https://example.com"), Some("https"));
/// assert_eq!(url_scheme("/a:b"), None);
/// ```
pub fn url_scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let valid = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let first = *scheme.as_bytes().first()?;
    (first.is_ascii_alphabetic() && scheme.bytes().all(valid)).then_some(scheme)
}

/// The scheme of a URL as browsers parse it, in lower case: white space and control characters are
/// skipped. `None` if the text has none, or one of more than 40 characters.
///
/// ```
/// use svc_data::browser_scheme;
/// assert_eq!(browser_scheme(" java\nScript:x").as_deref(), Some("javascript"));
/// ```
pub fn browser_scheme(url: &str) -> Option<String> {
    const MAX_CHARS: usize = 40;
    let visible = url
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control());
    let start: String = visible.take(MAX_CHARS + 1).collect();
    url_scheme(&start).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_parsed_like_in_browsers() {
        assert_eq!(
            browser_scheme("java\nscript:alert(1)").as_deref(),
            Some("javascript")
        );
        assert_eq!(
            browser_scheme(" \u{1}JavaScript:x").as_deref(),
            Some("javascript")
        );
        for (text, expected) in [("/a:b", None), ("#a:b", None), ("https://x", Some("https"))] {
            assert_eq!(browser_scheme(text).as_deref(), expected);
            assert_eq!(url_scheme(text), expected);
        }
        for text in ["1a:b", ":b", "a b:c", "a", ""] {
            assert_eq!(url_scheme(text), None, "{text}");
        }
    }
}
