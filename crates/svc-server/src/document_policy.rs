//! Content Security Policies.

use svc_site::PolicySource;

/// Policy of a page that sends requests to the origins `plain`, contains scripts with the hashes
/// `digests` and loads services from the sources `services`. Other sites cannot frame the page.
pub(crate) fn of_page(plain: &[String], digests: &[String], services: &[PolicySource]) -> String {
    svc_site::page_policy(plain, digests, services) + "; frame-ancestors 'self'"
}

/// A file of the repository that a browser shows as a document must not run scripts on the origin
/// of the site.
const FILE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/// Policy of a file of the repository; `None` unless the media type is a document that can contain
/// scripts.
pub(crate) fn of_file(content_type: &str) -> Option<&'static str> {
    let essence = content_type.split(';').next().unwrap_or("").trim();
    let essence = essence.to_ascii_lowercase();
    let active = essence.ends_with("+xml")
        || essence.ends_with("/xml")
        || essence.ends_with("/xslt")
        || essence.ends_with("/html");
    active.then_some(FILE_POLICY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_that_could_run_scripts_has_a_policy() {
        for active in [
            "application/xml",
            "text/xml; charset=utf-8",
            "image/svg+xml",
            "application/xhtml+xml",
            "application/rss+xml",
            "application/mathml+xml",
            "text/html; charset=utf-8",
        ] {
            assert!(
                of_file(active).is_some_and(|policy| policy.ends_with("sandbox")),
                "{active}"
            );
        }
        for plain in [
            "image/png",
            "application/json",
            "text/plain; charset=utf-8",
            "application/pdf",
        ] {
            assert_eq!(of_file(plain), None, "{plain}");
        }
    }

    #[test]
    fn pages_with_repository_scripts_use_strict_dynamic() {
        let strict = of_page(&[], &[], &[]);
        assert!(strict.contains("script-src 'self';"), "{strict}");
        let open = of_page(
            &["http://api.test".to_owned()],
            &["'sha256-x'".to_owned()],
            &[],
        );
        assert!(
            open.contains("script-src 'strict-dynamic' 'sha256-x' "),
            "{open}"
        );
        assert!(
            open.contains("connect-src 'self' https: wss: http://api.test;"),
            "{open}"
        );
    }
}
