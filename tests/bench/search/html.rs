//! Pages of a manual in HTML as pages to index.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_search::{Document, Section};

use crate::dom::{Child, Element};

/// Classes of navigation that a manual repeats on every page.
const NAVIGATION_CLASSES: &[&str] = &[
    "footer",
    "headerlink",
    "navfooter",
    "navheader",
    "related",
    "sphinxsidebar",
    "toc",
];
/// Elements without content of the page.
const IGNORED_ELEMENTS: &[&str] = &["head", "nav", "script", "style"];
/// Elements that do not separate terms.
const INLINE_ELEMENTS: &[&str] = &[
    "a", "acronym", "b", "code", "em", "i", "span", "strong", "sub", "sup", "tt",
];

/// Reads the pages below a directory, sorted by path.
///
/// `content` is the class of the element with the content, if not the whole body; `is_skipped` is
/// called with the path relative to the directory.
pub(crate) fn documents(
    dir: &Path,
    content: Option<&str>,
    is_skipped: &dyn Fn(&str) -> bool,
) -> io::Result<Vec<Arc<Document>>> {
    let mut documents = Vec::new();
    for file in files(dir, "html")? {
        let path = file.strip_prefix(dir).unwrap_or(&file).to_string_lossy();
        if !is_skipped(&path) {
            let html = fs::read_to_string(&file)?;
            documents.extend(document(&path, &html, content).map(Arc::new));
        }
    }
    Ok(documents)
}

/// Returns all files with an extension below a directory, sorted.
pub(crate) fn files(dir: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn document(path: &str, html: &str, content: Option<&str>) -> Option<Document> {
    let page = Element::parse(html);
    let first = |matches: &dyn Fn(&Element) -> bool| page.select(matches).into_iter().next();
    let title = first(&|element| element.name() == "title")?.text();
    let body = content.and_then(|class| first(&|element| element.has_class(class)));
    let body = body.or_else(|| first(&|element| element.name() == "body"))?;
    let mut builder = DocumentBuilder {
        document: Document {
            path: path.to_owned(),
            title: without_number(&title),
            ..Document::default()
        },
        sections: vec![Section::default()],
        headings: Vec::new(),
        has_title: false,
    };
    builder.add_children(&body, false, "");
    Some(Document {
        sections: builder.sections.into(),
        ..builder.document
    })
}

/// Returns a title without the number of its chapter and the name of the manual.
fn without_number(title: &str) -> String {
    let title = title.replace('\u{a0}', " ").replace('¶', "");
    let title = title.trim();
    let title = title.split(" — ").next().unwrap_or(title);
    let chapter = title.strip_prefix("Chapter ");
    let title = chapter
        .or_else(|| title.strip_prefix("Appendix "))
        .unwrap_or(title);
    let is_number = |text: &str| {
        let is_part = |letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase();
        text.len() < 8 && text.chars().all(|letter| is_part(letter) || letter == '.')
    };
    match title.split_once(". ") {
        Some((number, title)) if is_number(number) => title.to_owned(),
        _ => title.to_owned(),
    }
}

struct DocumentBuilder {
    /// The page without its sections.
    document: Document,
    sections: Vec<Section>,
    /// Headings above the current text, with their levels.
    headings: Vec<(u8, String)>,
    has_title: bool,
}

impl DocumentBuilder {
    /// Adds what an element contains; `id` is the nearest one above.
    fn add_children(&mut self, element: &Element, is_code: bool, id: &str) {
        for child in element.children() {
            match child {
                Child::Text(text) => self.add_text(&text, is_code),
                Child::Element(child) => self.add(&child, is_code, id),
            }
        }
    }

    fn add(&mut self, element: &Element, is_code: bool, id: &str) {
        let name = element.name();
        let is_navigation = NAVIGATION_CLASSES
            .iter()
            .any(|class| element.has_class(class));
        if is_navigation || IGNORED_ELEMENTS.contains(&name) {
            return;
        }
        let own_id = element.attribute("id");
        let id = own_id.as_deref().unwrap_or(id);
        if let [b'h', level @ b'1'..=b'6'] = name.as_bytes() {
            self.add_heading(level - b'0', &element.text(), id);
            return;
        }
        // What a definition with an address defines: a function, an option, a setting.
        if name == "dt" && own_id.is_some() {
            self.add_identifier(&element.text());
        }
        let is_code = is_code || name == "pre";
        self.add_children(element, is_code, id);
        if !INLINE_ELEMENTS.contains(&name) {
            self.add_text("\n", is_code);
        }
    }

    fn add_heading(&mut self, level: u8, text: &str, id: &str) {
        let text = without_number(text);
        if !self.has_title {
            self.has_title = true;
            if self.document.title.is_empty() {
                self.document.title = text;
            }
            return;
        }
        while self.headings.last().is_some_and(|last| last.0 >= level) {
            self.headings.pop();
        }
        self.headings.push((level, text));
        self.sections.push(Section {
            id: id.to_owned(),
            headings: self.headings.iter().map(|last| last.1.clone()).collect(),
            ..Section::default()
        });
    }

    /// Adds a defined name without parameters and type.
    fn add_identifier(&mut self, text: &str) {
        let name = text.split(['(', '[', '¶', '→']).next().unwrap_or(text);
        if let Some(section) = self.sections.last_mut() {
            section.identifiers.push(name.trim().to_owned());
        }
    }

    fn add_text(&mut self, text: &str, is_code: bool) {
        if let Some(section) = self.sections.last_mut() {
            let field = if is_code {
                &mut section.code
            } else {
                &mut section.text
            };
            field.push_str(text);
        }
    }
}
