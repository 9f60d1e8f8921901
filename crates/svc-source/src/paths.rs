//! Paths in a repository and URL paths of pages.

use std::borrow::Cow;

use svc_data::percent;

/// Normalizes a path: resolves `.`, `..` and repeated slashes and removes the leading slash. `..`
/// at the root is ignored; a trailing slash is preserved.
///
/// ```
/// assert_eq!(svc_source::normalize("/a//./b/../c/"), "a/c/");
/// ```
pub fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let mut normal = parts.join("/");
    if path.ends_with('/') && !normal.is_empty() {
        normal.push('/');
    }
    normal
}

/// Returns the directory of a file without trailing slash; empty at the root.
pub(crate) fn parent_dir(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// Returns the URL path of a page: `/x` for the slugs `x` and `x/index`, `/` for `index`.
///
/// ```
/// use svc_source::canonical_path;
/// assert_eq!(canonical_path("guides/index"), "/guides");
/// assert_eq!(canonical_path("index"), "/");
/// ```
pub fn canonical_path(slug: &str) -> String {
    let slug = slug.trim_matches('/');
    let slug = match slug.strip_suffix("index") {
        Some("") => "",
        Some(dir) if dir.ends_with('/') => dir.trim_end_matches('/'),
        _ => slug,
    };
    ["/", slug].concat()
}

/// Percent-encodes a path for use in a URL: every byte that is not allowed in a path (RFC 3986,
/// section 3.3), and therefore also `?`, `#` and `%`.
///
/// ```
/// assert_eq!(svc_source::encoded_path("/a b?"), "/a%20b%3F");
/// ```
pub fn encoded_path(path: &str) -> Cow<'_, str> {
    percent::encode(path, percent::PATH)
}

/// Returns the slug of a page file: its path without `.mdx` or `.md`. `None` for other files.
pub(crate) fn page_slug(path: &str) -> Option<&str> {
    let slug = path
        .strip_suffix(".mdx")
        .or_else(|| path.strip_suffix(".md"))?;
    (!slug.is_empty() && !slug.ends_with('/')).then_some(slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_and_fragment_delimiters_are_encoded() {
        assert_eq!(encoded_path("/a/b-c_d.e~f@1"), "/a/b-c_d.e~f@1");
        assert_eq!(
            encoded_path("/a b?c#d%/é\\\""),
            "/a%20b%3Fc%23d%25/%C3%A9%5C%22"
        );
    }

    #[test]
    fn dots_and_slashes_resolve() {
        assert_eq!(normalize("/a//b/./c/../d"), "a/b/d");
        assert_eq!(normalize("../../x/"), "x/");
        assert_eq!(normalize("/"), "");
    }

    #[test]
    fn index_pages_have_the_path_of_their_dir() {
        assert_eq!(canonical_path("index"), "/");
        assert_eq!(canonical_path("a/index"), "/a");
        assert_eq!(canonical_path("a/reindex"), "/a/reindex");
        assert_eq!(canonical_path("/a/b/"), "/a/b");
        assert_eq!(canonical_path(""), "/");
    }

    #[test]
    fn only_page_files_have_slugs() {
        assert_eq!(page_slug("a/b.mdx"), Some("a/b"));
        assert_eq!(page_slug("a/b.md"), Some("a/b"));
        assert_eq!(page_slug("a/.md"), None);
        assert_eq!(page_slug("a.json"), None);
    }
}
