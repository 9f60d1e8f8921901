//! Request paths. A request path is never joined to a directory: it is only a key that is looked up
//! in the maps of the site.

use svc_data::percent;

/// The path, percent-decoded once and without trailing or repeated slashes; `None` if it is not
/// UTF-8 or contains control characters.
pub(crate) fn normalize(raw: &str) -> Option<String> {
    let decoded = percent::decode_strict(raw)?;
    if decoded.chars().any(char::is_control) {
        return None;
    }
    let mut out = String::with_capacity(decoded.len());
    for segment in decoded.split('/').filter(|segment| !segment.is_empty()) {
        out.push('/');
        out.push_str(segment);
    }
    if out.is_empty() {
        out.push('/');
    }
    Some(out)
}

/// Percent-encodes a path for `Location`. The result never begins with two slashes.
pub(crate) fn encode(path: &str) -> String {
    let out = percent::encode(path, percent::REDIRECT_PATH);
    if out.starts_with("//") {
        return format!("/{}", out.trim_start_matches('/'));
    }
    out.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once_and_normalized() {
        assert_eq!(normalize("/a%20b/").as_deref(), Some("/a b"));
        assert_eq!(
            normalize("//evil.example//x").as_deref(),
            Some("/evil.example/x")
        );
        assert_eq!(normalize("/").as_deref(), Some("/"));
        assert_eq!(normalize("/%252e%252e/x").as_deref(), Some("/%2e%2e/x"));
        for bad in [
            "/%00",
            "/%",
            "/%zz",
            "/%ff",
            "/%c0%ae",
            "/a%0d%0aSet-Cookie:x",
            "/%+1",
        ] {
            assert_eq!(normalize(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_encoded_location_stays_on_the_host_and_on_one_line() {
        assert_eq!(encode("//evil.example"), "/evil.example");
        assert_eq!(encode("/a\r\nb c"), "/a%0D%0Ab%20c");
        assert_eq!(encode("/\\evil"), "/%5Cevil");
    }
}
