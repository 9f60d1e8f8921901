//! Collects class names from HTML.

use std::borrow::Cow;
use std::collections::HashSet;

/// All distinct class names in order of first use, without those of built-in components.
pub(super) fn names(html: &str) -> Vec<String> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut out = Vec::new();
    // Text and values are escaped, so this is always the start of an attribute.
    for at in memchr::memmem::find_iter(html.as_bytes(), " class=\"") {
        let rest = html.get(at + 8..).unwrap_or("");
        let Some((value, _)) = rest.split_once('"') else {
            break;
        };
        for name in value.split_ascii_whitespace() {
            if !name.starts_with("svc-") && name != "line" && seen.insert(name) {
                out.push(decode(name).into_owned());
            }
        }
    }
    out
}

/// A class name with its character references decoded.
fn decode(name: &str) -> Cow<'_, str> {
    if !name.contains('&') {
        return Cow::Borrowed(name);
    }
    let text = name
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#x27;", "'");
    Cow::Owned(text.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn class_names_are_unique_and_exclude_built_in_ones() {
        let html =
            r#"<p class="a svc-b"><i id="x" class="a [&amp;&gt;p]:m-1"> class=&quot;z&quot;"#;
        assert_eq!(names(html), ["a", "[&>p]:m-1"]);
        assert_eq!(names("<p class=\"a"), Vec::<String>::new());
    }
}
