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
    use super::{is_https, is_url, is_web_url};

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
}
