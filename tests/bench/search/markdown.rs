//! Markdown with components as a page to index: line by line, which is enough to compare engines
//! on the same text.

use svc_search::{Document, Section};

/// Attributes of components whose values readers see.
const VISIBLE_ATTRIBUTES: &[&str] = &["body", "label", "name", "path", "query", "title"];

/// Reads a page.
pub(crate) fn document(path: &str, source: &str) -> Document {
    let mut reader = Reader {
        document: Document {
            path: path.to_owned(),
            ..Document::default()
        },
        sections: vec![Section::default()],
        headings: Vec::new(),
        fence: None,
    };
    let front = source
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"));
    let (front, body) = front.unwrap_or(("", source));
    for (key, value) in front.lines().filter_map(|line| line.split_once(": ")) {
        reader.add_field(key, unquoted(value));
    }
    for line in body.lines() {
        reader.add_line(line);
    }
    Document {
        sections: reader.sections.into(),
        ..reader.document
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

struct Reader {
    /// The page without its sections.
    document: Document,
    sections: Vec<Section>,
    /// Headings above the current line, with their levels.
    headings: Vec<(usize, String)>,
    /// The fence that ends the current block of code.
    fence: Option<String>,
}

impl Reader {
    fn section(&mut self) -> &mut Section {
        if self.sections.is_empty() {
            self.sections.push(Section::default());
        }
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }

    /// Adds a field of the front matter.
    fn add_field(&mut self, key: &str, value: &str) {
        match key {
            "title" => value.clone_into(&mut self.document.title),
            "description" => self.add_text(value),
            "keywords" => {
                let keywords = value.trim_matches(['[', ']']).split(',').map(unquoted);
                self.document.keywords = keywords.map(str::to_owned).collect();
            }
            "openapi" => self.section().identifiers.push(value.to_owned()),
            _ => {}
        }
    }

    fn add_line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(fence) = &self.fence {
            if trimmed.starts_with(fence.as_str()) {
                self.fence = None;
            } else {
                let section = self.section();
                section.code.push_str(line);
                section.code.push('\n');
            }
        } else if trimmed.starts_with("```") {
            self.fence = Some(
                trimmed
                    .chars()
                    .take_while(|letter| *letter == '`')
                    .collect(),
            );
        } else if !trimmed.starts_with("import ") && !trimmed.starts_with("export ") {
            match heading(trimmed) {
                Some((level, text)) => self.add_heading(level, text),
                None => self.add_prose(line),
            }
        }
    }

    fn add_heading(&mut self, level: usize, text: String) {
        if level == 1 && self.document.title.is_empty() {
            self.document.title = text;
            return;
        }
        while self.headings.last().is_some_and(|last| last.0 >= level) {
            self.headings.pop();
        }
        let id = text
            .to_lowercase()
            .replace(|letter: char| !letter.is_alphanumeric(), "-");
        self.headings.push((level, text));
        self.sections.push(Section {
            id,
            headings: self.headings.iter().map(|last| last.1.clone()).collect(),
            ..Section::default()
        });
    }

    /// Adds prose without its tags and the targets of its links.
    fn add_prose(&mut self, line: &str) {
        let mut text = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(['<', ']']) {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            let is_tag = rest[1..].starts_with(|next: char| next.is_alphabetic() || next == '/');
            let (end, is_skipped) = if rest.starts_with('<') {
                ('>', is_tag)
            } else {
                (')', rest.starts_with("]("))
            };
            let Some(end) = rest.find(end).filter(|_| is_skipped) else {
                text.push_str(&rest[..1]);
                rest = &rest[1..];
                continue;
            };
            if is_tag {
                self.add_tag(&rest[..end], &mut text);
            }
            rest = &rest[end + 1..];
        }
        text.push_str(rest);
        self.add_text(&text);
    }

    /// Adds the visible attributes of a tag: names of parameters as identifiers, others as text.
    fn add_tag(&mut self, tag: &str, text: &mut String) {
        for name in VISIBLE_ATTRIBUTES {
            let Some((_, rest)) = tag.split_once(&format!("{name}=\"")) else {
                continue;
            };
            let value = rest.split('"').next().unwrap_or_default();
            if tag.contains("Field") && *name != "title" {
                self.section().identifiers.push(value.to_owned());
            } else {
                text.push_str(value);
                text.push(' ');
            }
        }
    }

    fn add_text(&mut self, text: &str) {
        let section = self.section();
        section.text.push_str(text);
        section.text.push('\n');
    }
}

/// Returns level and text of a heading.
fn heading(line: &str) -> Option<(usize, String)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let text = text
        .strip_prefix(' ')
        .filter(|_| (1..=6).contains(&level))?;
    let text = text.split(" {#").next().unwrap_or(text);
    Some((level, text.trim().replace('`', "")))
}
