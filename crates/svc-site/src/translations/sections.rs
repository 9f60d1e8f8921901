//! The sections of a page, with digests of their text.

use std::collections::BTreeMap;

use svc_source::{Page, heading_id};

use crate::digest;

/// Maximum number of sections of a page; the last one contains the rest.
const MAX_SECTIONS: usize = 1_000;
/// Number of characters of a digest.
const DIGEST_CHARS: usize = 12;

/// The text of a page from a heading to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageSection {
    /// Id of the heading; empty for title, description and the text before the first heading.
    pub(super) id: String,
    /// Text of the heading, or the title of the page.
    pub(super) title: String,
    /// Line of the heading in the file, from 1.
    pub(super) line: usize,
    /// Digest of the text. Empty lines and spaces at the ends of lines do not count.
    pub(super) digest: String,
}

/// The sections of a page in order; the first one is that before the first heading.
pub(super) fn sections(page: &Page) -> Vec<PageSection> {
    let body = page.body_text();
    let before = page.file.text().len() - body.len();
    let front_matter = page.file.text().get(..before).unwrap_or_default();
    let mut open = OpenSection::new(String::new(), page.title(), 1);
    open.add(&page.title());
    open.add(page.front_matter.description.as_deref().unwrap_or_default());
    let mut sections = Vec::new();
    let mut ids = BTreeMap::new();
    let mut fence: Option<&str> = None;
    for (index, line) in body.lines().enumerate() {
        let trimmed = line.trim();
        let marks = fence_marks(trimmed);
        match fence {
            Some(begin) if marks.starts_with(begin) && trimmed.len() == marks.len() => fence = None,
            Some(_) => {}
            None if !marks.is_empty() => fence = Some(marks),
            None => {
                let title = heading(trimmed).filter(|_| sections.len() + 1 < MAX_SECTIONS);
                if let Some(title) = title {
                    let line = front_matter.matches('\n').count() + index + 1;
                    let next = OpenSection::new(unique_id(&mut ids, &title), title, line);
                    sections.push(std::mem::replace(&mut open, next).close());
                }
            }
        }
        open.add(line);
    }
    sections.push(open.close());
    sections
}

/// A section whose end has not been read.
struct OpenSection {
    section: PageSection,
    text: String,
}

impl OpenSection {
    const fn new(id: String, title: String, line: usize) -> Self {
        let section = PageSection {
            id,
            title,
            line,
            digest: String::new(),
        };
        Self {
            section,
            text: String::new(),
        }
    }

    fn add(&mut self, line: &str) {
        let line = line.trim_end();
        if !line.is_empty() {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn close(mut self) -> PageSection {
        let mut digest = digest::tag(self.text.as_bytes());
        digest.truncate(DIGEST_CHARS);
        self.section.digest = digest;
        self.section
    }
}

/// The marks with which a line begins or ends a code block; empty for other lines.
fn fence_marks(line: &str) -> &str {
    let Some(mark) = line.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
        return "";
    };
    let count = line.chars().take_while(|c| *c == mark).count();
    match count {
        0..3 => "",
        // The marks are ASCII characters.
        _ => line.get(..count).unwrap_or_default(),
    }
}

/// The plain text of a heading. `None` for other lines.
fn heading(line: &str) -> Option<String> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    if !(1..=6).contains(&level) || !text.starts_with([' ', '\t']) {
        return None;
    }
    let text = text.trim().trim_end_matches('#').trim_end();
    Some(plain(text))
}

/// The text without the marks of links, code and emphasis.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, target) = rest.split_at(at);
        out.push_str(before);
        rest = target.split_once(')').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.retain(|c| !matches!(c, '`' | '*' | '[' | ']'));
    out.trim().to_owned()
}

/// An id that no earlier section has: `name`, `name-2`, `name-3`.
fn unique_id(ids: &mut BTreeMap<String, usize>, title: &str) -> String {
    let name = match heading_id(title) {
        empty if empty.is_empty() => "section".to_owned(),
        name => name,
    };
    let mut id = name.clone();
    while ids.contains_key(&id) {
        let number = ids.entry(name.clone()).or_insert(1);
        *number += 1;
        id = format!("{name}-{number}");
    }
    ids.insert(id.clone(), 1);
    id
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use super::*;

    fn of(text: &str) -> Vec<PageSection> {
        let tree = SourceTree::from_files([("a.mdx", text)]);
        let pages = svc_source::pages(&tree).value;
        sections(pages.get("/a").expect("it was added"))
    }

    fn heads(text: &str) -> Vec<(String, String, usize)> {
        let sections = of(text).into_iter();
        sections
            .map(|section| (section.id, section.title, section.line))
            .collect()
    }

    #[test]
    fn headings_outside_of_code_begin_sections() {
        let text = "---\ntitle: A page\n---\nIntro.\n\n## One `x` [two](/two)\n\n```md\n## No\n~~~\n```\n\n~~~~\n```\n# No\n~~~~\n\n<Tab title=\"T\">\n  ### One x two ###\n</Tab>\n\n#No\n\n####### No\n\n## *Ende*\n";
        let head = |id: &str, title: &str, line| (id.to_owned(), title.to_owned(), line);
        assert_eq!(
            heads(text),
            [
                head("", "A page", 1),
                head("one-x-two", "One x two", 6),
                head("one-x-two-2", "One x two", 19),
                head("ende", "Ende", 26),
            ]
        );
        assert_eq!(heads(""), [head("", "A", 1)]);
        assert_eq!(
            heads("# ?\n# ?\n")[1..],
            [head("section", "?", 1), head("section-2", "?", 2)]
        );
    }

    #[test]
    fn a_digest_changes_with_the_text_of_its_section_only() {
        let digests = |text: &str| -> Vec<String> {
            let sections = of(text).into_iter();
            sections.map(|section| section.digest).collect()
        };
        let text = "---\ntitle: A\n---\nIntro.\n\n## One\n\nText.\n\n## Two\n\nMore.\n";
        let before = digests(text);
        assert!(before.iter().all(|digest| digest.len() == DIGEST_CHARS));
        let changed = digests(&text.replace("Text.", "Other."));
        assert!(changed[0] == before[0] && changed[1] != before[1] && changed[2] == before[2]);
        let title = digests(&text.replace("title: A", "title: B"));
        assert!(title[0] != before[0] && title[1..] == before[1..]);
        // Spaces and other fields of the front matter do not matter to a translator.
        let spaces = text
            .replace("Text.", "\n\nText.  \r")
            .replace("A\n", "A\nicon: x\n");
        assert_eq!(digests(&spaces), before);
        let many = digests(&"# a\n".repeat(MAX_SECTIONS * 2));
        assert_eq!(many.len(), MAX_SECTIONS);
    }
}
