//! Recognition of URLs, as far as a configuration needs it: the scheme, and the host of web URLs.
//!
//! A full parser would depend on the tables of internationalized domain names. The parts of a URL
//! are not needed, only whether a browser could open it.

use svc_data::url_scheme;

/// Schemes whose URLs have a host.
const WITH_HOST: &[&str] = &["http", "https", "ws", "wss", "ftp"];

/// Whether the text is an absolute URL of any scheme.
pub(crate) fn is_url(text: &str) -> bool {
    let Some(scheme) = url_scheme(text) else {
        return false;
    };
    let rest = text.get(scheme.len() + 1..).unwrap_or("");
    let has_authority = WITH_HOST
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    !text.chars().any(char::is_control) && !rest.is_empty() && (!has_authority || has_host(rest))
}

/// Whether the text is an absolute `http` or `https` URL.
pub(crate) fn is_web_url(text: &str) -> bool {
    is_url(text)
        && url_scheme(text).is_some_and(|scheme| {
            ["http", "https"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known))
        })
}

/// Whether the text is an absolute `https` URL.
pub(crate) fn is_https(text: &str) -> bool {
    is_web_url(text) && url_scheme(text).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
}

/// The origin of an `https` URL, as a source of a Content Security Policy. `None` for other URLs, and
/// for those whose host [`is_host`] refuses or that contain characters that URLs have to encode.
///
/// ```
/// use svc_config::https_origin;
/// let origin = https_origin("https://Stats.example.com:8443/js/x.js");
/// assert_eq!(origin.as_deref(), Some("https://stats.example.com:8443"));
/// assert_eq!(https_origin("https://a;script-src *"), None);
/// assert_eq!(https_origin("https://user@example.com"), None);
/// ```
pub fn https_origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_stray = |c: char| c.is_whitespace() || c.is_control() || "\"'<>\\`".contains(c);
    let is_valid =
        scheme.eq_ignore_ascii_case("https") && is_host(host) && !rest.contains(is_stray);
    is_valid.then(|| format!("https://{}", host.to_ascii_lowercase()))
}

/// Whether the text is the name of a host in ASCII letters, digits, `-` and `.`, or an IPv4
/// address, with or without a port.
pub(crate) fn is_host(text: &str) -> bool {
    let (name, port) = text.split_once(':').unwrap_or((text, "0"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_plain);
    name.len() <= 253 && name.split('.').all(is_label) && !port.is_empty() && is_port(port)
}

/// Whether the rest after the scheme begins with `//` and a host.
fn has_host(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix("//") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or("");
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    if let Some(literal) = host.strip_prefix('[') {
        return literal.split_once(']').is_some_and(|(ip, port)| {
            let digits = |c: char| c.is_ascii_hexdigit() || matches!(c, ':' | '.');
            ip.contains(':')
                && ip.chars().all(digits)
                && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        });
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let stray = |c: char| c.is_whitespace() || "<>[]^|%\"`".contains(c);
    !name.is_empty() && !name.contains(stray) && is_port(port)
}

/// Whether the text is empty or a valid port number.
fn is_port(port: &str) -> bool {
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    port.is_empty() || digits && port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::{https_origin, is_host, is_https, is_url, is_web_url};

    #[test]
    fn web_urls_have_a_host() {
        for good in [
            "https://example.com",
            "HTTP://example.com:8080/a b?c#d",
            "https://user:word@example.com/",
            "https://[::1]:3000/x",
            "https://münchen.example/ä",
            "https://{tenant}.example.com/v1",
            "http://localhost:3000",
        ] {
            assert!(is_web_url(good), "{good}");
        }
        for bad in [
            "https://",
            "https:///path",
            "https:example.com",
            "https://a b.com",
            "https://example.com:port",
            "https://example.com:99999",
            "https://[::1",
            "https://[example]",
            "https://exa%mple.com",
            "https://exam\nple.com",
            "ftp://example.com",
            "//example.com",
            "example.com",
            "/a",
            "",
        ] {
            assert!(!is_web_url(bad), "{bad}");
        }
        assert!(is_https("HTTPS://example.com") && !is_https("http://example.com"));
    }

    #[test]
    fn other_schemes_need_text_after_the_colon() {
        for good in [
            "mailto:a@b.c",
            "tel:+123",
            "vscode:extension/a",
            "ftp://a/b",
            "urn:x",
        ] {
            assert!(is_url(good), "{good}");
        }
        for bad in ["mailto:", "1a:b", ":b", "a b:c", "ftp:a"] {
            assert!(!is_url(bad), "{bad}");
        }
    }

    #[test]
    fn origins_of_policies_contain_nothing_else() {
        let origin = |url: &str| https_origin(url).unwrap_or_default();
        assert_eq!(origin("HTTPS://A.example/x?y#z"), "https://a.example");
        assert_eq!(origin("https://127.0.0.1:80"), "https://127.0.0.1:80");
        for bad in [
            "http://a.example",
            "https://",
            "https://*.example",
            "https://a.example; script-src *",
            "https://a.example,b",
            "https://u:p@a.example",
            "https://a.example:",
            "https://a.example:99999",
            "https://a.example/x y",
            "https://münchen.example",
            "https://a..b",
            "https:a.example",
        ] {
            assert_eq!(origin(bad), "", "{bad}");
        }
        assert!(is_host("localhost:3000") && !is_host("a/b") && !is_host("https://a"));
    }
}
