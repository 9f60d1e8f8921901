//! Elements that are converted by their class: parts of components, and controls of the page.

use super::api;
use super::blocks::{Block, blocks, first_with, indented, join, quoted};
use super::inlines::{destination, escape, inline};
use super::nodes::{Element, Node};

/// How an inline element of a component is converted.
#[derive(Debug, Clone, Copy)]
pub(super) enum InlineForm {
    /// As a code span.
    Code,
    /// Between parentheses.
    Parentheses,
    /// As its content, without the markup of its tag.
    Content,
}

static INLINES: &[(&str, InlineForm)] = &[
    ("svc-anchor", InlineForm::Content),
    ("svc-field-name", InlineForm::Code),
    ("svc-field-type", InlineForm::Code),
    ("svc-tooltip-tip", InlineForm::Parentheses),
    ("svc-update-label", InlineForm::Content),
];

type BlockForm = fn(&Element<'_>) -> Vec<Block>;

static BLOCKS: &[(&str, BlockForm)] = &[
    ("svc-api-heading", api::heading),
    ("svc-api-items", api::items),
    ("svc-api-limits", api::limits),
    ("svc-callout", callout),
    ("svc-card", card),
    ("svc-code", code_block),
    ("svc-endpoint", api::endpoint),
    ("svc-field", api::field),
    ("svc-git-hub", card),
    ("svc-response", api::response),
    ("svc-split-aside", api::aside),
    ("svc-step", step),
    ("svc-tile", card),
    ("svc-update", update),
    ("svc-variant", api::variant),
];

/// Parts that only work, or only mean something, in a browser.
static HIDDEN: &[&str] = &[
    "svc-api-excerpt",
    "svc-expandable-hide",
    "svc-fold-show",
    "svc-footnote-back",
    "svc-part-note",
    "svc-update-filters",
    "svc-view-switch",
];

pub(super) fn is_block(element: &Element<'_>) -> bool {
    block_form(element).is_some() || element.has("data-svc-panels")
}

pub(super) fn inline_form(element: &Element<'_>) -> Option<InlineForm> {
    form(INLINES, element)
}

/// The conversion of a component; `None` for other elements.
pub(super) fn block_form(element: &Element<'_>) -> Option<BlockForm> {
    form(BLOCKS, element)
}

fn form<T: Copy>(table: &[(&str, T)], element: &Element<'_>) -> Option<T> {
    let mut classes = element.classes().filter(|class| class.starts_with("svc-"));
    classes.find_map(|class| {
        let (_, form) = table.iter().find(|(name, _)| *name == class)?;
        Some(*form)
    })
}

/// Whether readers do not see an element, or only use it as a control.
pub(super) fn is_hidden(element: &Element<'_>) -> bool {
    match element.tag {
        "svg" | "template" | "noscript" | "canvas" | "select" | "textarea" | "legend" => true,
        "input" => element.attribute("type").as_deref() != Some("checkbox"),
        "button" if element.classes().any(|class| class.starts_with("svc-")) => true,
        _ => {
            element.has("hidden")
                || element.attribute("aria-hidden").as_deref() == Some("true")
                || element.classes().any(|class| HIDDEN.contains(&class))
        }
    }
}

/// The first descendant with a class.
fn part<'e, 'h>(element: &'e Element<'h>, class: &str) -> Option<&'e Element<'h>> {
    element.find(&|child| child.has_class(class))
}

pub(super) fn part_text(element: &Element<'_>, class: &str) -> String {
    part(element, class)
        .map(|part| inline(&part.children))
        .unwrap_or_default()
}

fn part_blocks(element: &Element<'_>, class: &str) -> Vec<Block> {
    part(element, class)
        .map(|part| blocks(&part.children))
        .unwrap_or_default()
}

/// A quote that begins with the kind of the callout.
fn callout(element: &Element<'_>) -> Vec<Block> {
    let label = element.attribute("aria-label").unwrap_or_default();
    let body = match part(element, "svc-callout-body") {
        Some(body) => blocks(&body.children),
        None => blocks(&element.children),
    };
    let body = match label.is_empty() {
        true => body,
        false => first_with(&format!("**{label}:** "), body),
    };
    vec![Block::new(quoted(&body))]
}

/// An item of a list: the title as link, and the content.
fn card(element: &Element<'_>) -> Vec<Block> {
    let own = element.url("href");
    let inner = element.find(&|child| child.has_class("svc-card-cover"));
    let href = own.or_else(|| inner.and_then(|link| link.url("href")));
    let is_part = |class: &str| {
        matches!(
            class,
            "svc-card-title" | "svc-tile-title" | "svc-git-hub-name"
        )
    };
    let title = element.find(&|child| child.classes().any(is_part));
    // The link of a title that covers the card is that of the item.
    let title = title.map(
        |title| match title.find(&|child| child.has_class("svc-card-cover")) {
            Some(cover) => inline(&cover.children),
            None => inline(&title.children),
        },
    );
    let is_rest = |child: &Element<'_>| !child.classes().any(is_part);
    let rest = rest(element, &is_rest);
    let mut head = match (title.filter(|title| !title.is_empty()), &href) {
        (Some(title), Some(href)) => format!("[{title}]({})", destination(href)),
        (Some(title), None) => format!("**{title}**"),
        (None, Some(href)) => format!("<{href}>"),
        (None, None) => String::new(),
    };
    if !head.is_empty() && !rest.is_empty() {
        head.push_str(": ");
    }
    item("- ", &join(&first_with(&head, rest)))
}

/// The blocks of an element without the parts that do not meet a condition.
fn rest(element: &Element<'_>, is_rest: &dyn Fn(&Element<'_>) -> bool) -> Vec<Block> {
    let mut out = Vec::new();
    for child in element.child_elements().filter(|child| is_rest(child)) {
        let has_parts = child.find(&|inner| !is_rest(inner)).is_some();
        match has_parts {
            true => out.extend(rest(child, is_rest)),
            false => out.extend(super::blocks::element_blocks(child)),
        }
    }
    out
}

/// A fenced block with its language, below its title.
fn code_block(element: &Element<'_>) -> Vec<Block> {
    let title = part(element, "svc-code-title").map(Element::text);
    titled_code(element, title.as_deref().unwrap_or(""))
}

/// A fenced block below a title. Programs that read the text of Markdown drop info strings, so the
/// title is a line of its own.
fn titled_code(element: &Element<'_>, title: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let title: Vec<&str> = title.split_whitespace().collect();
    if !title.is_empty() {
        out.push(Block::new(format!("**{}**", escape(&title.join(" ")))));
    }
    let pre = element.find(&|child| child.tag == "pre");
    out.extend(pre.map(super::blocks::fence));
    if let Some(note) = part(element, "svc-code-note") {
        out.extend(blocks(&note.children));
    }
    out
}

/// Panels one after the other, each with its title.
pub(super) fn panels(element: &Element<'_>) -> Vec<Block> {
    let mut out = Vec::new();
    for panel in element
        .child_elements()
        .filter(|child| child.has_class("svc-panels-panel"))
    {
        let title = panel.attribute("data-title").unwrap_or_default();
        let mut content = panel.child_elements();
        match (content.next(), content.next()) {
            (Some(code), None) if code.has_class("svc-code") && !title.is_empty() => {
                let own = part(code, "svc-code-title").map(Element::text);
                out.extend(titled_code(code, own.as_deref().unwrap_or(&title)));
            }
            _ => {
                if !title.is_empty() {
                    out.push(Block::new(format!("**{}**", title.trim())));
                }
                out.extend(blocks(&panel.children));
            }
        }
    }
    out
}

/// A step with its number before the title.
fn step(element: &Element<'_>) -> Vec<Block> {
    let number = part_text(element, "svc-step-number");
    let mut body = Vec::new();
    let content = element
        .child_elements()
        .find(|child| child.has_class("svc-step-body"));
    let Some(content) = content else {
        return blocks(&element.children);
    };
    let mut nodes = content.children.as_slice();
    if let Some((Node::Element(title), rest)) = nodes.split_first()
        && title.tag == "p"
        && title.has_class("svc-step-title")
    {
        let title = inline(&title.children);
        let dot = if number.is_empty() { "" } else { ". " };
        body.push(Block::new(format!("**{number}{dot}{title}**")));
        nodes = rest;
    }
    body.extend(blocks(nodes));
    body
}

/// A changelog entry: its label as a heading, its description and tags in a line.
fn update(element: &Element<'_>) -> Vec<Block> {
    let mut out = vec![Block::new(format!(
        "## {}",
        part_text(element, "svc-update-label")
    ))];
    let tags = part(element, "svc-update-tags");
    let tags = tags.map(|tags| {
        let tags = tags.child_elements().map(|tag| inline(&tag.children));
        tags.collect::<Vec<_>>().join(", ")
    });
    let facts = [
        part_text(element, "svc-update-description"),
        tags.unwrap_or_default(),
    ];
    let facts: Vec<&str> = facts
        .iter()
        .map(String::as_str)
        .filter(|fact| !fact.is_empty())
        .collect();
    if !facts.is_empty() {
        out.push(Block::new(format!("*{}*", facts.join(" · "))));
    }
    out.extend(part_blocks(element, "svc-update-body"));
    out
}

/// An item of a list whose further lines are indented.
pub(super) fn item(mark: &str, content: &str) -> Vec<Block> {
    match content.is_empty() {
        true => Vec::new(),
        false => vec![Block::item(indented(mark, content))],
    }
}
