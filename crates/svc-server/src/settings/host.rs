//! Host names, in the form in which sites are looked up.

use std::fmt;
use std::sync::Arc;

/// Maximum length of a host name in bytes (RFC 1035, section 2.3.4).
pub(crate) const MAX_HOST_BYTES: usize = 253;

/// A normalized host: lower case, punycode, without a port and without a trailing dot. An IPv6
/// address is in brackets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host(Arc<str>);

/// The text is not a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseHostError;

impl Host {
    /// Parses a host in capitals, with letters of any script or with a trailing dot. A scheme, port
    /// or path is not allowed.
    ///
    /// # Errors
    /// If the text is not a host.
    pub fn parse(text: &str) -> Result<Self, ParseHostError> {
        let text = text.strip_suffix('.').unwrap_or(text);
        let plain = |c: char| !c.is_control() && !c.is_whitespace() && !"%/\\?#@*{}".contains(c);
        if text.is_empty() || text.len() > 4 * MAX_HOST_BYTES || !text.chars().all(plain) {
            return Err(ParseHostError);
        }
        let host = url::Host::parse(text)
            .map_err(|_| ParseHostError)?
            .to_string();
        let empty = host.split('.').any(str::is_empty);
        let letters = |b: u8| b.is_ascii_alphanumeric() || b"-._:[]".contains(&b);
        if host.len() > MAX_HOST_BYTES || empty || !host.bytes().all(letters) {
            return Err(ParseHostError);
        }
        Ok(Self(host.into()))
    }

    /// The normalized name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Host {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Hosts of previews: a host name with the placeholder `{preview}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostPattern {
    before: String,
    after: String,
}

/// Placeholder for the name of a preview.
pub(crate) const PREVIEW: &str = "{preview}";
/// Replaces the placeholder while a pattern is validated.
const EXAMPLE: &str = "0preview0";

impl HostPattern {
    /// Parses a pattern such as `{preview}.docs.example.com`: the placeholder must appear once, in
    /// the first of at least two labels.
    ///
    /// # Errors
    /// If the text is not a pattern of that form.
    pub fn parse(text: &str) -> Result<Self, ParseHostError> {
        let (before, after) = text.split_once(PREVIEW).ok_or(ParseHostError)?;
        if before.contains('.') || !after.contains('.') || text.contains(EXAMPLE) {
            return Err(ParseHostError);
        }
        let host = Host::parse(&format!("{before}{EXAMPLE}{after}"))?;
        let (before, after) = host.as_str().split_once(EXAMPLE).ok_or(ParseHostError)?;
        Ok(Self {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// The host of a preview; `None` if the name does not form a valid host.
    pub fn host(&self, name: &str) -> Option<Host> {
        let label = format!("{}{name}", self.before);
        let label = label.len() + self.after.find('.').unwrap_or(0);
        let fits = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !fits || name.is_empty() || label > 63 {
            return None;
        }
        Host::parse(&format!("{}{name}{}", self.before, self.after)).ok()
    }

    /// Whether some host matches both patterns.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (&self.before, &other.before);
        let (c, d) = (&self.after, &other.after);
        (a.starts_with(b.as_str()) || b.starts_with(a.as_str()))
            && (c.ends_with(d.as_str()) || d.ends_with(c.as_str()))
            && c.split_once('.').map(|(_, domain)| domain)
                == d.split_once('.').map(|(_, domain)| domain)
    }

    /// Whether the host matches the pattern.
    pub fn matches(&self, host: &Host) -> bool {
        let rest = host.as_str().strip_prefix(&self.before);
        let name = rest.and_then(|rest| rest.strip_suffix(&self.after));
        name.is_some_and(|name| !name.is_empty() && !name.contains('.'))
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{PREVIEW}{}", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling(text: &str) -> Option<String> {
        Host::parse(text).ok().map(|host| host.to_string())
    }

    #[test]
    fn every_spelling_of_a_host_is_normalized() {
        for (text, host) in [
            ("docs.example.com", "docs.example.com"),
            ("Docs.EXAMPLE.com.", "docs.example.com"),
            ("Bücher.example", "xn--bcher-kva.example"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
            ("localhost", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("a_b.example", "a_b.example"),
        ] {
            assert_eq!(spelling(text).as_deref(), Some(host), "{text}");
        }
    }

    #[test]
    fn text_that_is_not_a_host_is_rejected() {
        for text in [
            "",
            ".",
            "..",
            "a..b",
            ".a",
            "a.example:80",
            "https://a.example",
            "a.example/docs",
            "a b",
            "*.example.com",
            "{preview}.example.com",
            "user@a.example",
            "a%2eb",
            "[::1",
            "xn--a",
        ] {
            assert_eq!(spelling(text), None, "{text}");
        }
        assert_eq!(spelling(&"a.".repeat(200)), None);
    }

    #[test]
    fn previews_get_separate_hosts() {
        let pattern = HostPattern::parse("Docs--{preview}.Example.com.").expect("a pattern");
        let host = pattern.host("pr-12").expect("a host");
        assert_eq!(host.as_str(), "docs--pr-12.example.com");
        assert_eq!(pattern.to_string(), "docs--{preview}.example.com");
        assert!(pattern.matches(&host));
        for other in [
            "docs.example.com",
            "docs--a.b.example.com",
            "docs--.example.com",
        ] {
            assert!(
                !pattern.matches(&Host::parse(other).expect("a host")),
                "{other}"
            );
        }
        for name in ["", "a.b", "a/b", "ä", &"a".repeat(60)] {
            assert_eq!(pattern.host(name), None, "{name}");
        }
    }

    #[test]
    fn a_pattern_names_the_preview_once_in_the_first_label() {
        for text in [
            "docs.example.com",
            "*.example.com",
            "docs.{preview}.example.com",
            "{preview}",
            "{preview}{preview}.example.com",
            "{preview}.example.com/x",
        ] {
            assert!(HostPattern::parse(text).is_err(), "{text}");
        }
    }
}
