//! Names of generated pages: paths and groups.

use crate::{ApiDocument, Operation, OperationKind};

/// Group of operations without a tag.
pub const UNTAGGED_GROUP: &str = "API Reference";

/// Maximum length in bytes of a segment of the path of a generated page. Percent-encoding needs at
/// most three characters per byte, and file names are limited to 255 bytes.
pub const MAX_SEGMENT_BYTES: usize = 100;

/// Maximum number of segments of the path of a generated page.
const MAX_SEGMENTS: usize = 16;

/// Maximum depth of nested tags.
const MAX_TAG_LEVELS: usize = 8;

/// The slug of a text before reserved characters are removed.
pub(crate) fn raw_form(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((_, after)) = after.split_once('}') else {
            break;
        };
        form.push_str(before);
        form.push('-');
        rest = after;
    }
    form.push_str(rest);
    let form = form.replace(' ', "-");
    let form = form.strip_prefix('-').unwrap_or(&form);
    let form = form.strip_suffix('-').unwrap_or(form);
    let form: String = form
        .chars()
        .filter(|c| !"{}(),.'/\n".contains(*c))
        .collect();
    form.replace("--", "-").to_lowercase()
}

/// Converts a text to a slug: spaces and `{parameters}` become hyphens, hyphens at the ends and the
/// characters `{ } ( ) , . ' /` are removed, double hyphens become single ones, letters become
/// lower case. The remaining characters that are not unreserved are removed, and the result is cut
/// at a word to [`MAX_SEGMENT_BYTES`].
///
/// # Example
///
/// ```
/// assert_eq!(svc_openapi::slugify("Get a Pet!"), "get-a-pet");
/// ```
pub fn slugify(text: &str) -> String {
    segment(&raw_form(text))
}

/// Whether a character is unreserved in a path (RFC 3986, 2.3; RFC 3987, 2.2 for letters outside of
/// ASCII). Invisible characters are not.
fn is_unreserved(c: char) -> bool {
    match c {
        _ if c.is_ascii() => c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~'),
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => false,
        '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'.. => false,
        _ => !c.is_control() && !c.is_whitespace(),
    }
}

/// Converts a text to a path segment: its unreserved characters, cut at a word.
fn segment(text: &str) -> String {
    let clean: String = text.chars().filter(|c| is_unreserved(*c)).collect();
    cut(&clean, MAX_SEGMENT_BYTES).to_owned()
}

/// Cuts a segment to `bytes`: at the end of the last whole word, if that is close.
fn cut(segment: &str, bytes: usize) -> &str {
    if segment.len() <= bytes {
        return segment;
    }
    let end = segment.floor_char_boundary(bytes);
    let head = segment.get(..end).unwrap_or_default();
    let at_separator = segment.get(end..).is_some_and(|rest| rest.starts_with('-'));
    let cut_at = match head.rfind(['-', '_']) {
        _ if at_separator => head,
        Some(at) if at >= bytes / 2 => head.get(..at).unwrap_or(head),
        _ => head,
    };
    cut_at.trim_end_matches(['-', '_'])
}

/// Normalizes the path of a generated page, without slashes at its ends: segments contain only
/// unreserved characters and have at most [`MAX_SEGMENT_BYTES`] bytes; `.` and `..` are resolved,
/// and segments after the sixteenth are dropped.
///
/// # Example
///
/// ```
/// assert_eq!(svc_openapi::page_path("/api/../v1/a b/"), "v1/ab");
/// ```
pub fn page_path(path: &str) -> String {
    let mut segments: Vec<String> = Vec::new();
    for part in path.split('/') {
        match segment(part) {
            part if part.is_empty() || part == "." => {}
            part if part == ".." => {
                segments.pop();
            }
            part if segments.len() < MAX_SEGMENTS => segments.push(part),
            _ => {}
        }
    }
    segments.join("/")
}

/// Appends a number to a path that is already taken. The last segment is cut to at most
/// [`MAX_SEGMENT_BYTES`] bytes.
///
/// # Example
///
/// ```
/// assert_eq!(svc_openapi::numbered_path("api/pets", 2), "api/pets-2");
/// ```
pub fn numbered_path(path: &str, number: usize) -> String {
    let (dir, leaf) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    let number = format!("-{number}");
    let max_bytes = MAX_SEGMENT_BYTES.saturating_sub(number.len());
    format!("{dir}{}{number}", cut(leaf, max_bytes))
}

/// The last segment of the path of the page of an operation, before it is made unique. A summary
/// without unreserved characters is ignored.
///
/// Example: [crate documentation](crate).
pub fn operation_slug(operation: &Operation) -> String {
    let summary = operation.summary.as_deref().map(slugify);
    let path = || slugify(&operation.path);
    match (summary, operation.kind) {
        (Some(summary), _) if !summary.is_empty() => summary,
        (_, OperationKind::Webhook) => match path() {
            path if path.is_empty() => "webhook".to_owned(),
            path => path,
        },
        (_, OperationKind::Path) => segment(&format!("{}-{}", operation.method, path())),
    }
}

impl ApiDocument {
    /// The tag that determines the group of an operation: the first one. Since 3.2 the first one of
    /// kind `nav`, or else the first declared one without kind, or else the first undeclared one.
    /// None if the operation has no tag.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn tag_of<'a>(&self, operation: &'a Operation) -> Option<&'a str> {
        let first = operation.tags.first().map(String::as_str);
        if self.version.starts_with("3.0") || self.version.starts_with("3.1") {
            return first;
        }
        let tags = || {
            operation
                .tags
                .iter()
                .map(|name| (name.as_str(), self.tag(name)))
        };
        let nav = tags().find(|(_, tag)| tag.is_some_and(|tag| tag.kind.as_deref() == Some("nav")));
        let plain = || tags().find(|(_, tag)| tag.is_some_and(|tag| tag.kind.is_none()));
        let undeclared = || tags().find(|(_, tag)| tag.is_none());
        nav.or_else(plain)
            .or_else(undeclared)
            .map(|(name, _)| name)
            .or(first)
    }

    /// The name of the navigation group of an operation.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn group_of<'a>(&'a self, operation: &'a Operation) -> &'a str {
        let Some(name) = self.tag_of(operation) else {
            return UNTAGGED_GROUP;
        };
        self.label_of(name)
    }

    /// The display name of a tag in the navigation.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn label_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.tag(name)
            .and_then(|tag| tag.group.as_deref())
            .unwrap_or(name)
    }

    /// The ancestors of a tag (`parent`, 3.2), outermost first, and the tag itself at the end. A
    /// cycle of parents ends at its first repeated tag. A group of `x-tagGroups` precedes all of
    /// them.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn tag_chain<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let mut chain = vec![name];
        let mut now = name;
        while let Some(parent) = self.tag(now).and_then(|tag| tag.parent.as_deref()) {
            if chain.len() >= MAX_TAG_LEVELS || chain.contains(&parent) {
                break;
            }
            chain.push(parent);
            now = parent;
        }
        let outermost = chain.last().copied().unwrap_or(name);
        if let Some(group) = self
            .tag_groups
            .get(outermost)
            .filter(|group| *group != outermost)
        {
            chain.push(group);
        }
        chain.reverse();
        chain
    }

    /// The path of the page of an operation without leading slash, before it is made unique.
    /// `directory` is the folder of the section, usually `api-reference`.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn page_slug(&self, operation: &Operation, directory: &str) -> String {
        if let Some(href) = &operation.href {
            return page_path(href);
        }
        let dir = self.tag_of(operation).map(slugify).unwrap_or_default();
        let leaf = operation_slug(operation);
        page_path(&format!("{directory}/{dir}/{leaf}").to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_url_slugs() {
        let cases = [
            ("Get user (by ID)", "get-user-by-id"),
            ("/users/{id}", "users"),
            ("/users/{id}/posts", "users-posts"),
            ("/v1/a.b/{x}", "v1ab"),
            ("Foo - Bar", "foo--bar"),
            ("{open", "open"),
            ("Récupérer l’état", "récupérer-l’état"),
            ("按 ID 获取（v1）", "按-id-获取（v1）"),
            ("", ""),
        ];
        for (text, form) in cases {
            assert_eq!(slugify(text), form, "{text}");
        }
    }

    /// Text, Mintlify slug and svc slug where they differ: Mintlify retains characters that are not
    /// valid in a path.
    #[test]
    fn reserved_characters_are_removed_from_a_slug() {
        let cases = [
            ("Create & delete", "create-&-delete", "create--delete"),
            ("What is `#1`?", "what-is-`#1`?", "what-is-1"),
            ("App\\Http\\User", "app\\http\\user", "apphttpuser"),
            ("[Old] \"Get\"", "[old]-\"get\"", "old-get"),
            ("50% *off*; a:b@c", "50%-*off*;-a:b@c", "50-off-abc"),
            (
                "a\0b\tc\u{85}\u{202e}d\u{a0}e",
                "a\0b\tc\u{85}\u{202e}d\u{a0}e",
                "abcde",
            ),
            ("🚀 Launch", "🚀-launch", "🚀-launch"),
            ("???", "???", ""),
        ];
        for (text, reference, form) in cases {
            assert_eq!(raw_form(text), reference, "{text:?}");
            assert_eq!(slugify(text), form, "{text:?}");
        }
    }

    #[test]
    fn long_names_are_truncated_at_a_hyphen() {
        let long = "word ".repeat(300);
        let form = slugify(&long);
        assert!(
            form.len() <= MAX_SEGMENT_BYTES && form.ends_with("-word"),
            "{form}"
        );
        assert_eq!(slugify(&"x".repeat(300)).len(), MAX_SEGMENT_BYTES);
        let letters = slugify(&"é".repeat(300));
        assert_eq!(letters, "é".repeat(50));
        let exact = format!("{}-tail", "x".repeat(MAX_SEGMENT_BYTES));
        assert_eq!(slugify(&exact), "x".repeat(MAX_SEGMENT_BYTES));
        let second = numbered_path(&format!("api/{form}"), 12);
        assert!(
            second.starts_with("api/word-") && second.ends_with("-word-12"),
            "{second}"
        );
        assert!(second.len() <= "api/".len() + MAX_SEGMENT_BYTES);
        assert_eq!(numbered_path("same", 1), "same-1");
    }

    #[test]
    fn page_paths_stay_in_their_directory() {
        let cases = [
            ("/a//b/./c/../d/", "a/b/d"),
            ("../../x", "x"),
            ("a/.\\./.\0./b", "b"),
            ("/Get?q=1#x", "Getq1x"),
        ];
        for (path, own) in cases {
            assert_eq!(page_path(path), own, "{path:?}");
        }
        let deep = page_path(&"x/".repeat(500));
        assert_eq!(deep.split('/').count(), MAX_SEGMENTS);
    }
}
