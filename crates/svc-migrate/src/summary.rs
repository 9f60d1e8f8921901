//! `SUMMARY.md`, the table of contents of mdBook and GitBook.

use crate::markdown::plain_title;
use crate::navigation::NavNode;

/// Maximum nesting depth of entries.
const MAX_DEPTH: usize = 16;

/// A line of a table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A heading: the entries after it are a part of the book. Without a title, the part ends.
    Part(String),
    /// A page.
    Item {
        title: String,
        /// Path of the page or a URL; empty for a draft.
        link: String,
        /// Title in the navigation, if it differs: `[Title](page.md "Short")`.
        short: Option<String>,
        /// Number of the line, from 1.
        line: u32,
        items: Vec<Self>,
    },
}

/// Reads a table of contents. Its own heading of level 1 is no part.
pub(crate) fn parse(text: &str) -> Vec<Entry> {
    let mut flat: Vec<(usize, Entry)> = Vec::new();
    // Indentations of the open lists.
    let mut indents: Vec<usize> = Vec::new();
    let mut is_first = true;
    let mut in_comment = false;
    for (index, line) in text.split('\n').enumerate() {
        let line = line.replace('\t', "    ");
        let trimmed = line.trim();
        in_comment |= trimmed.starts_with("<!--");
        let skipped = in_comment || trimmed.is_empty();
        if trimmed.contains("-->") {
            in_comment = false;
        }
        if skipped {
            continue;
        }
        if trimmed.starts_with('#') {
            let title = plain_title(trimmed.trim_start_matches('#').trim());
            let is_title = std::mem::take(&mut is_first) && trimmed.starts_with("# ");
            indents.clear();
            if !is_title {
                flat.push((0, Entry::Part(title)));
            }
            continue;
        }
        let mark = ["- ", "* ", "+ "]
            .iter()
            .find_map(|mark| trimmed.strip_prefix(mark));
        let Some((title, target)) = link(mark.unwrap_or(trimmed)) else {
            continue;
        };
        is_first = false;
        let indent = line.len() - line.trim_start().len();
        let depth = if mark.is_some() {
            indents.retain(|open| *open < indent);
            indents.push(indent);
            (indents.len() - 1).min(MAX_DEPTH)
        } else {
            indents.clear();
            // Chapters outside of lists are outside of parts.
            if flat.iter().any(|entry| matches!(entry.1, Entry::Part(_))) {
                flat.push((0, Entry::Part(String::new())));
            }
            0
        };
        let (target, short) = match target.split_once(" \"") {
            Some((target, short)) => (target, short.strip_suffix('"')),
            None => (target, None),
        };
        let target = target.trim().trim_start_matches('<').trim_end_matches('>');
        let entry = Entry::Item {
            title: plain_title(title),
            link: svc_data::percent::decode(target).into_owned(),
            short: short.map(plain_title),
            line: u32::try_from(index + 1).unwrap_or(u32::MAX),
            items: Vec::new(),
        };
        flat.push((depth, entry));
    }
    let mut flat = flat.into_iter().peekable();
    tree(&mut flat, 0)
}

/// The navigation: parts are groups. `page` finds the page or the link of an item.
pub(crate) fn nodes(
    entries: &[Entry],
    page: &mut dyn FnMut(&Entry) -> Option<NavNode>,
) -> Vec<NavNode> {
    let mut out: Vec<NavNode> = Vec::new();
    let mut in_part = false;
    for entry in entries {
        match entry {
            Entry::Part(title) => {
                in_part = !title.is_empty();
                if in_part {
                    out.push(NavNode::group(title, Vec::new()));
                }
            }
            entry => match out.last_mut() {
                Some(NavNode::Group { items, .. }) if in_part => items.extend(item(entry, page)),
                _ => out.extend(item(entry, page)),
            },
        }
    }
    out.retain(|node| !matches!(node, NavNode::Group { items, .. } if items.is_empty()));
    out
}

fn item(entry: &Entry, page: &mut dyn FnMut(&Entry) -> Option<NavNode>) -> Option<NavNode> {
    let own = page(entry);
    let Entry::Item { title, items, .. } = entry else {
        return own;
    };
    let mut below: Vec<NavNode> = Vec::new();
    for entry in items {
        below.extend(item(entry, page));
    }
    if below.is_empty() {
        return own;
    }
    let root = match own {
        Some(NavNode::Page(slug)) => Some(slug),
        other => {
            below.splice(0..0, other);
            None
        }
    };
    Some(NavNode::Group {
        title: title.clone(),
        icon: None,
        root,
        is_expanded: false,
        items: below,
    })
}

/// Takes the entries of a depth and those below them.
fn tree(
    flat: &mut std::iter::Peekable<impl Iterator<Item = (usize, Entry)>>,
    depth: usize,
) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    while let Some((own, _)) = flat.peek() {
        if *own < depth {
            break;
        }
        if *own > depth {
            let below = tree(flat, depth + 1);
            match out.last_mut() {
                Some(Entry::Item { items, .. }) => items.extend(below),
                _ => out.extend(below),
            }
        } else if let Some((_, entry)) = flat.next() {
            out.push(entry);
        }
    }
    out
}

/// The text and the destination of a link that is a whole line.
fn link(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let at = inner.rfind("](")?;
    let target = inner[at + 2..].trim_end();
    let target = target
        .strip_suffix(')')
        .unwrap_or_else(|| target.rfind(')').map_or(target, |end| &target[..end]));
    Some((&inner[..at], target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(entries: &[Entry]) -> String {
        let one = |entry: &Entry| match entry {
            Entry::Part(title) => format!("#{title}"),
            Entry::Item {
                title, link, items, ..
            } if items.is_empty() => format!("{title}={link}"),
            Entry::Item {
                title, link, items, ..
            } => format!("{title}={link}[{}]", show(items)),
        };
        entries.iter().map(one).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn nested_lists_parts_and_drafts_are_read() {
        let text = "# Summary\n\n[Preface](p.md)\n\n# Part `one`\n\n- [A](a.md)\n    - [B](b/c%20d.md \"Bee\")\n      - [C]()\n- [D](<d.md>)\n\n---\n<!-- [X](x.md) -->\n[End](e.md)\n";
        assert_eq!(
            show(&parse(text)),
            "Preface=p.md,#Part one,A=a.md[B=b/c d.md[C=]],D=d.md,#,End=e.md"
        );
    }

    #[test]
    fn uneven_and_deep_indentation_is_read() {
        assert_eq!(show(&parse("   - [A](a)\n - [B](b)\n")), "A=a,B=b");
        let deep: String = (0..100)
            .map(|n| format!("{}- [A](a)\n", " ".repeat(n)))
            .collect();
        assert!(!parse(&deep).is_empty());
    }
}
