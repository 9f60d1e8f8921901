//! Paths inside a repository and the addresses of pages.

use std::borrow::Cow;

/// A path with `.`, `..` and repeated slashes resolved, without leading slash. `..` at the root
/// stays at the root; a slash at the end is kept.
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

/// The folder of a file, without slash at the end; empty at the root.
pub(crate) fn parent_dir(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The address of a page: `/x` for the slugs `x` and `x/index`, `/` for `index`.
pub fn canonical_path(slug: &str) -> String {
    let slug = slug.trim_matches('/');
    let slug = match slug.strip_suffix("index") {
        Some("") => "",
        Some(folder) if folder.ends_with('/') => folder.trim_end_matches('/'),
        _ => slug,
    };
    format!("/{slug}")
}

/// A path as it is written in an address: every byte that cannot stand for itself in a path is
/// percent-encoded (RFC 3986, 3.3), `?`, `#` and `%` among them.
pub fn encoded_path(path: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte);
    if path.bytes().all(plain) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() * 2);
    for byte in path.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    Cow::Owned(out)
}

/// The slug of a page file: its path without `.mdx` or `.md`; nothing for other files.
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
    fn a_path_in_an_address_ends_where_the_path_ends() {
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
    fn index_pages_have_the_address_of_their_folder() {
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
