//! Paths in the repository and URL paths.

/// Resolves a path against a directory; `None` if it leaves the root.
pub(crate) fn resolve(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = if path.starts_with('/') {
        Vec::new()
    } else {
        dir.split('/').filter(|part| !part.is_empty()).collect()
    };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The directory of a path; empty at the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The last segment of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Joins two paths, either of which can be empty.
pub(crate) fn join(dir: &str, path: &str) -> String {
    match (dir, path) {
        ("", path) => path.to_owned(),
        (dir, "") => dir.to_owned(),
        (dir, path) => format!("{dir}/{path}"),
    }
}

/// The path of a Markdown file without its extension; `None` for other files.
pub(crate) fn markdown_stem(path: &str) -> Option<&str> {
    [".mdx", ".md", ".markdown"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
}

/// The key under which a URL path is compared: without slashes at its ends, `index.html`, `index`
/// and `.html`.
pub(crate) fn url_key(url: &str) -> String {
    let url = url.trim_matches('/');
    let url = url.strip_suffix(".html").unwrap_or(url);
    match url.strip_suffix("index") {
        Some("") => String::new(),
        Some(dir) if dir.ends_with('/') => dir.trim_end_matches('/').to_owned(),
        _ => url.to_owned(),
    }
}

/// The path of a site's URL, without slashes at its ends: `https://a.b/c/` has `c`.
pub(crate) fn url_path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    path.split(['?', '#'])
        .next()
        .unwrap_or(path)
        .trim_matches('/')
}

/// A name as a title: `my-first_page` is `My first page`.
pub(crate) fn title_of(name: &str) -> String {
    let text = name.replace(['-', '_'], " ");
    let mut letters = text.trim().chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Compares a name with a pattern, in which `*` stands for any text, with slashes.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside_of_the_root() {
        assert_eq!(resolve("a/b", "../c.md").as_deref(), Some("a/c.md"));
        assert_eq!(resolve("a", "../../c.md"), None);
        assert_eq!(resolve("a", "/c").as_deref(), Some("c"));
    }

    #[test]
    fn urls_of_one_page_have_one_key() {
        for url in ["/a/", "/a", "a/index.html", "/a.html", "/a/index"] {
            assert_eq!(url_key(url), "a", "{url}");
        }
        assert_eq!(url_key("/index.html"), "");
        assert_eq!(url_path("https://a.b/c/d/?x"), "c/d");
        assert_eq!(url_path("https://a.b"), "");
    }
}
