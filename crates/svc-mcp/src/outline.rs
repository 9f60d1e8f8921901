//! The sections of a Markdown text.

/// A heading and the text up to the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutlineSection {
    /// 1 to 6; 0 for the text before the first heading.
    pub(crate) level: usize,
    /// The heading without markup.
    pub(crate) title: String,
    /// Position of the heading.
    pub(crate) start: usize,
    /// End of the text before the next heading.
    pub(crate) end: usize,
}

/// The sections of a text in their order.
pub(crate) fn outline(text: &str) -> Vec<OutlineSection> {
    let mut out: Vec<OutlineSection> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_start_matches(' ').trim_end();
        let marks = content.len() - content.trim_start_matches(['`', '~']).len();
        match fence {
            None if marks >= 3 => fence = content.get(..marks),
            Some(open) if content.len() == marks && content.starts_with(open) => fence = None,
            _ => {}
        }
        let level = content.len() - content.trim_start_matches('#').len();
        let is_heading = fence.is_none()
            && (1..=6).contains(&level)
            && line.len() - line.trim_start_matches(' ').len() <= 3
            && matches!(content.as_bytes().get(level), Some(b' '));
        if !is_heading {
            continue;
        }
        if let Some(last) = out.last_mut() {
            last.end = start;
        } else if !text[..start].trim().is_empty() {
            out.push(OutlineSection {
                level: 0,
                title: String::new(),
                start: 0,
                end: start,
            });
        }
        out.push(OutlineSection {
            level,
            title: plain(content[level..].trim()),
            start,
            end: text.len(),
        });
    }
    if out.is_empty() {
        out.push(OutlineSection {
            level: 0,
            title: String::new(),
            start: 0,
            end: text.len(),
        });
    }
    out
}

/// The end of a section with its subsections.
pub(crate) fn end_of(sections: &[OutlineSection], index: usize) -> usize {
    let Some(first) = sections.get(index) else {
        return 0;
    };
    let rest = sections.iter().skip(index + 1);
    let below = rest.take_while(|section| section.level > first.level);
    below.last().unwrap_or(first).end
}

/// A heading without markup and without its id.
fn plain(heading: &str) -> String {
    let heading = heading.trim_end_matches('#').trim_end();
    let heading = match heading.rsplit_once(" {#") {
        Some((text, id)) if id.ends_with('}') => text,
        _ => heading,
    };
    let mut out = String::with_capacity(heading.len());
    let mut rest = heading;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '`' | '*' | '\\' => rest = after,
            // Only the text of a link counts.
            ']' if after.starts_with('(') => {
                rest = after.find(')').map_or("", |end| &after[end + 1..]);
            }
            '[' | ']' => rest = after,
            '<' => rest = after.find('>').map_or("", |end| &after[end + 1..]),
            c => {
                out.push(c);
                rest = after;
            }
        }
    }
    out.trim().to_owned()
}

/// Letters and digits of a heading or an id in lower case, by which both are compared.
pub(crate) fn folded(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_outside_of_code_begin_sections() {
        let text = "> Note\n\n# Title\nText\n## `a` and [b](/b) {#own}\n```md\n# no\n```\n### Deep\n#no\n## Last ##\n";
        let sections = outline(text);
        let titles: Vec<(usize, &str)> = sections
            .iter()
            .map(|section| (section.level, section.title.as_str()))
            .collect();
        let expected = [
            (0, ""),
            (1, "Title"),
            (2, "a and b"),
            (3, "Deep"),
            (2, "Last"),
        ];
        assert_eq!(titles, expected);
        let joined: String = sections
            .iter()
            .map(|section| &text[section.start..section.end])
            .collect();
        assert_eq!(joined, text);
        assert_eq!(end_of(&sections, 1), text.len());
        assert_eq!(end_of(&sections, 2), sections[4].start);
        assert_eq!(folded("`A` & b-2"), "ab2");
    }
}
