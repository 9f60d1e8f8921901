//! References in texts that are not parsed: `url(…)` of styles, and links in strings.

use std::ops::Range;

use super::edits::Edit;
use super::resolver::Resolver;

/// Marks that a URL follows, and what ends it.
const STYLE_MARKS: [(&str, &str); 1] = [("url(", ")")];
const TEXT_MARKS: [(&str, &str); 6] = [
    ("](", ") \n"),
    ("href=\"", "\""),
    ("src=\"", "\""),
    ("href='", "'"),
    ("src='", "'"),
    ("href=\\\"", "\\"),
];

/// The edits of `url(…)` in a part of a text.
pub(super) fn edits(
    resolver: &Resolver<'_>,
    from: &str,
    text: &str,
    range: Range<usize>,
) -> Vec<Edit> {
    find(resolver, from, text, range, &STYLE_MARKS)
}

/// The edits of Markdown links and HTML attributes in a part of a text.
pub(super) fn links(
    resolver: &Resolver<'_>,
    from: &str,
    text: &str,
    range: Range<usize>,
) -> Vec<Edit> {
    find(resolver, from, text, range, &TEXT_MARKS)
}

fn find(
    resolver: &Resolver<'_>,
    from: &str,
    text: &str,
    range: Range<usize>,
    marks: &[(&str, &str)],
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let part = text.get(range.clone()).unwrap_or_default();
    for (mark, ends) in marks {
        for (at, _) in part.match_indices(mark) {
            let start = at + mark.len();
            let rest = part.get(start..).unwrap_or_default();
            let url = rest.split(|c| ends.contains(c)).next().unwrap_or_default();
            let bare = url.trim().trim_matches(['"', '\'', '<', '>']);
            let Some(inside) = url.find(bare).filter(|_| !bare.is_empty()) else {
                continue;
            };
            let start = range.start + start + inside;
            if let Some(new) = resolver.reference(from, bare) {
                edits.push(Edit {
                    range: start..start + bare.len(),
                    text: new,
                });
            }
        }
    }
    edits
}
