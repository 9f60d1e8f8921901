//! Checks of the elements of an article.

use std::collections::{HashMap, HashSet};

use svc_diagnostics::{Diagnostic, DiagnosticCode, Location};

use super::name::{Name, label};
use super::{
    EMPTY_HEADING, EMPTY_LINK, MISSING_ALT, MISSING_TITLE, REPEATED_LINK, TABLE_HEADER,
    UNNAMED_CONTROL, URL_LINK, VAGUE_LINK, link_texts,
};
use crate::ctx::marks::{LOCATION, WITHOUT_ALT, WITHOUT_TITLE};
use crate::html_markdown::nodes::{Element, Node};

/// A heading of the article.
#[derive(Debug)]
pub(super) struct Heading {
    /// Heading level, 1 to 6.
    pub(super) level: u8,
    /// Index of its location.
    pub(super) at: Option<usize>,
}

/// What surrounds an element.
#[derive(Debug, Clone, Copy, Default)]
struct Surroundings {
    /// Index of the location of the nearest element that has one.
    at: Option<usize>,
    is_in_label: bool,
    is_in_captioned_figure: bool,
}

/// Checks of the elements of an article, in document order.
#[derive(Debug)]
pub(super) struct ElementCheck<'a> {
    locations: &'a [Location],
    language: Option<&'a str>,
    pub(super) headings: Vec<Heading>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// URL and location of the first link with a text, and whether another one is reported.
    links: HashMap<String, (String, usize, bool)>,
    /// The ids that `<label for>` names.
    labeled: HashSet<String>,
}

impl<'a> ElementCheck<'a> {
    pub(super) fn new(locations: &'a [Location], language: Option<&'a str>) -> Self {
        Self {
            locations,
            language,
            headings: Vec::new(),
            diagnostics: Vec::new(),
            links: HashMap::new(),
            labeled: HashSet::new(),
        }
    }

    pub(super) fn nodes(&mut self, nodes: &[Node<'_>]) {
        self.collect_labels(nodes);
        self.children(nodes, Surroundings::default());
    }

    fn collect_labels(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            if let Node::Element(element) = node {
                if element.tag == "label"
                    && let Some(id) = element.attribute("for")
                {
                    self.labeled.insert(id.into_owned());
                }
                self.collect_labels(&element.children);
            }
        }
    }

    fn children(&mut self, nodes: &[Node<'_>], around: Surroundings) {
        for node in nodes {
            if let Node::Element(element) = node {
                self.element(element, around);
            }
        }
    }

    fn element(&mut self, element: &Element<'_>, around: Surroundings) {
        if element.attribute("aria-hidden").as_deref() == Some("true") {
            return;
        }
        let own = element.attribute(LOCATION);
        let at = own.and_then(|at| at.parse().ok()).or(around.at);
        match element.tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element, at),
            "a" if element.has("href") && !element.has_class("svc-anchor") => {
                self.link(element, at);
            }
            "img" => self.image(element, at),
            "iframe" => {
                let is_named = label(element).is_some() || element.has("title");
                if element.has(WITHOUT_TITLE) || !is_named {
                    self.report(
                        &MISSING_TITLE,
                        at,
                        "a frame has no title",
                        "add `title=\"…\"`, which says what the frame shows",
                    );
                }
            }
            "video" => {
                let is_named = label(element).is_some() || element.has("title");
                if !is_named && !around.is_in_captioned_figure {
                    self.report(
                        &MISSING_TITLE,
                        at,
                        "a video has no title",
                        "add `title=\"…\"`, which says what the video shows, or a `<Frame caption=\"…\">` around it",
                    );
                }
            }
            "table" => self.table(element, at),
            "button" | "summary" | "input" | "select" | "textarea" => {
                self.control(element, at, around.is_in_label);
            }
            _ => {}
        }
        let is_captioned = || {
            let caption = element.find(&|child| child.tag == "figcaption");
            caption.is_some_and(|caption| !Name::of(caption).text.is_empty())
        };
        let inner = Surroundings {
            at,
            is_in_label: around.is_in_label || element.tag == "label",
            is_in_captioned_figure: around.is_in_captioned_figure
                || (element.tag == "figure" && is_captioned()),
        };
        self.children(&element.children, inner);
    }

    /// Reports a problem at a location. What has none is not of the author.
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        at: Option<usize>,
        message: impl Into<String>,
        hint: &str,
    ) {
        if let Some(location) = at.and_then(|at| self.locations.get(at)) {
            let diagnostic = Diagnostic::new(code, message);
            self.diagnostics
                .push(diagnostic.at(location.clone()).hint(hint));
        }
    }

    fn heading(&mut self, element: &Element<'_>, at: Option<usize>) {
        let level = element.tag.as_bytes().get(1);
        let level = level.map_or(2, |digit| digit.saturating_sub(b'0'));
        self.headings.push(Heading { level, at });
        let name = Name::of(element);
        if name.text.is_empty() && !name.lacks_alt {
            let message = format!("a heading of level {level} has no text");
            self.report(&EMPTY_HEADING, at, message, "add the text, or remove it");
        }
    }

    fn image(&mut self, element: &Element<'_>, at: Option<usize>) {
        let is_decoration = matches!(
            element.attribute("role").as_deref(),
            Some("presentation" | "none")
        );
        let lacks_alt = element.has(WITHOUT_ALT) || !element.has("alt");
        if lacks_alt && !is_decoration && label(element).is_none() {
            let src = element.attribute("src").unwrap_or_default();
            let message = match src.is_empty() || src.starts_with("data:") {
                true => "the image has no alternative text".to_owned(),
                false => format!("the image `{src}` has no alternative text"),
            };
            self.report(
                &MISSING_ALT,
                at,
                message,
                "describe what the image shows: `![description](…)` or `alt=\"description\"`; if it is only decoration, write `<img alt=\"\" … />`",
            );
        }
    }

    fn link(&mut self, element: &Element<'_>, at: Option<usize>) {
        let href = element.attribute("href").unwrap_or_default();
        let Name { text, lacks_alt } = Name::of(element);
        if text.is_empty() {
            if !lacks_alt {
                self.report(
                    &EMPTY_LINK,
                    at,
                    format!("the link to `{href}` has no text"),
                    "add a text, or `aria-label=\"…\"` to a link that shows only an icon",
                );
            }
            return;
        }
        let words = link_texts::normalized(&text);
        // The name of a component or command can be a common term.
        let code = element.find(&|child| child.tag == "code");
        let is_code = code.is_some_and(|code| Name::of(code).text == text);
        if !is_code && link_texts::is_vague(&words, self.language) {
            self.report(
                &VAGUE_LINK,
                at,
                format!("the text of the link, `{text}`, does not say where it leads"),
                "use words that make sense without the sentence around them, such as the title of the target",
            );
        } else if link_texts::is_long_url(&text) {
            self.report(
                &URL_LINK,
                at,
                format!("the text of the link is its URL, `{text}`"),
                "screen readers read a URL letter by letter; write `[title of the target](URL)`",
            );
        } else {
            self.repetition(words, &text, &href, at);
        }
    }

    /// Reports a link whose text is that of another link with a different URL, once for each text.
    fn repetition(&mut self, words: String, text: &str, href: &str, at: Option<usize>) {
        let Some(at) = at else { return };
        // Sections of one page are one target; links to the page itself are those of components.
        let href = href.split('#').next().unwrap_or_default();
        if href.is_empty() || !(href.starts_with('/') || href.starts_with("http")) {
            return;
        }
        let Some((first, first_at, is_reported)) = self.links.get_mut(&words) else {
            self.links.insert(words, (href.to_owned(), at, false));
            return;
        };
        if *first == href || *is_reported || *first_at == at {
            return;
        }
        *is_reported = true;
        let (first, first_at) = (first.clone(), *first_at);
        let locations = (self.locations.get(at), self.locations.get(first_at));
        if let (Some(location), Some(other)) = locations {
            let message =
                format!("the text `{text}` leads to `{href}` here and to `{first}` before");
            self.diagnostics.push(
                Diagnostic::new(&REPEATED_LINK, message)
                    .at(location.clone())
                    .label(other.clone(), format!("leads to `{first}`"))
                    .hint("give the links different texts: in a list of links they cannot be told apart"),
            );
        }
    }

    fn table(&mut self, element: &Element<'_>, at: Option<usize>) {
        let is_layout = matches!(
            element.attribute("role").as_deref(),
            Some("presentation" | "none")
        );
        let is_header = |cell: &Element<'_>| {
            let is_header = cell.tag == "th"
                || matches!(
                    cell.attribute("role").as_deref(),
                    Some("columnheader" | "rowheader")
                );
            is_header && !Name::of(cell).text.is_empty()
        };
        let has_cells = element.find(&|cell| cell.tag == "td").is_some();
        if !is_layout && has_cells && element.find(&is_header).is_none() {
            self.report(
                &TABLE_HEADER,
                at,
                "a table has no header cells with text",
                "write the names of the columns in its first row (`<th>` in HTML)",
            );
        }
    }

    fn control(&mut self, element: &Element<'_>, at: Option<usize>, is_in_label: bool) {
        let attribute = |name: &str| element.attribute(name).unwrap_or_default();
        let filled = |name: &str| !attribute(name).trim().is_empty();
        let kind = match (element.tag, &*attribute("type")) {
            ("input", "hidden") => return,
            // Browsers name these.
            ("input", "submit" | "reset") if !element.has("value") => return,
            ("input", "submit" | "reset" | "button") if filled("value") => return,
            ("input", "image") if filled("alt") => return,
            (tag, _) => tag,
        };
        let is_named = match kind {
            "button" | "summary" => {
                let name = Name::of(element);
                !name.text.is_empty() || name.lacks_alt
            }
            _ => {
                let has_label = element
                    .attribute("id")
                    .is_some_and(|id| self.labeled.contains(&*id));
                let has_placeholder = kind != "select" && filled("placeholder");
                is_in_label
                    || has_label
                    || has_placeholder
                    || label(element).is_some()
                    || filled("title")
            }
        };
        if !is_named && !element.has("hidden") {
            let hint = match kind {
                "button" | "summary" => {
                    "add a text, or `aria-label=\"…\"` if it shows only an icon"
                }
                _ => "put it in a `<label>` with a text, or add `aria-label=\"…\"`",
            };
            self.report(
                &UNNAMED_CONTROL,
                at,
                format!("a `<{kind}>` has no name"),
                hint,
            );
        }
    }
}
