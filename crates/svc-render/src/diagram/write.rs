//! Rewrites the engine's SVG with an allowlist of elements and attributes: no scripts, links, URLs
//! or styles.

use mermaid_rs_renderer::DiagramKind;

use super::colors;
use super::rendered::{Diagram, MARK};
use super::source::AccessibleText;
use crate::html::Html;
use crate::untrusted_markup::{self, MarkupToken};

/// Maximum size of the SVG of one diagram in bytes.
const MAX_OUTPUT_BYTES: usize = 2 * 1024 * 1024;

/// Allowed elements: name, start tag, end tag.
const ELEMENTS: &[(&str, &str, &str)] = &[
    ("circle", "<circle", "</circle>"),
    ("clipPath", "<clipPath", "</clipPath>"),
    ("defs", "<defs", "</defs>"),
    ("ellipse", "<ellipse", "</ellipse>"),
    ("g", "<g", "</g>"),
    ("line", "<line", "</line>"),
    ("marker", "<marker", "</marker>"),
    ("path", "<path", "</path>"),
    ("polygon", "<polygon", "</polygon>"),
    ("polyline", "<polyline", "</polyline>"),
    ("rect", "<rect", "</rect>"),
    ("text", "<text", "</text>"),
    ("tspan", "<tspan", "</tspan>"),
    // The link target is dropped, the content is not.
    ("a", "<g", "</g>"),
];

/// Allowed attributes with numbers, lists of numbers and keywords.
const ATTRIBUTES: &[&str] = &[
    "cx",
    "cy",
    "d",
    "dominant-baseline",
    "dx",
    "dy",
    "fill-opacity",
    "fill-rule",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "letter-spacing",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "opacity",
    "orient",
    "points",
    "r",
    "refX",
    "refY",
    "rx",
    "ry",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "text-decoration",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// Allowed attributes with a color.
const COLORS: &[&str] = &["fill", "stroke"];
/// Allowed attributes that reference an id of the diagram.
const REFERENCES: &[&str] = &["clip-path", "marker-end", "marker-mid", "marker-start"];

/// Rewrites the SVG. Returns `None` if it contains an element or attribute that is not allowed.
pub(super) fn write(svg: &str, kind: DiagramKind, text: AccessibleText) -> Option<Diagram> {
    let themed = colors::is_themed(kind);
    let mut pieces = untrusted_markup::tokenize(svg.trim())?.into_iter();
    let Some(MarkupToken::Open("svg", root)) = pieces.next() else {
        return None;
    };
    let view = untrusted_markup::value(&root, "viewBox").filter(|text| is_plain(text))?;
    let numbers: Vec<f32> = view
        .split_ascii_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [_, _, width, height] = numbers.as_slice() else {
        return None;
    };
    let size = |length: f32| {
        let fits = (1.0..=40_000.0).contains(&length);
        // Rounding is safe: the value is in range.
        fits.then_some(length.round() as u32)
    };
    let (width, height) = (size(*width)?, size(*height)?);
    let view = view.to_owned();
    let mut out = Html::new();
    let mut open: Vec<&str> = vec![""];
    let mut hidden = 0_usize;
    let mut first = true;
    let mut ids: Vec<String> = Vec::new();
    for piece in pieces {
        if out.len() > MAX_OUTPUT_BYTES {
            return None;
        }
        match piece {
            // Tooltips of links, external images, and the background of the diagram.
            MarkupToken::Open(name, attributes)
                if hidden > 0
                    || matches!(name, "title" | "desc" | "image")
                    || (std::mem::take(&mut first) && name == "rect" && is_ground(&attributes)) =>
            {
                hidden += 1;
            }
            MarkupToken::Close if hidden > 0 => hidden -= 1,
            MarkupToken::Text(_) if hidden > 0 => {}
            MarkupToken::Open(name, attributes) => {
                let (_, start, end) = ELEMENTS.iter().find(|(key, ..)| *key == name)?;
                out.lit(start);
                if matches!(name, "marker" | "clipPath") {
                    let id = untrusted_markup::value(&attributes, "id")?;
                    out.attr("id", &format!("{MARK}{}", number(&mut ids, id)));
                }
                shape(&mut out, name, &attributes, &mut ids);
                out.lit(">");
                open.push(end);
            }
            MarkupToken::Close => {
                out.lit(open.pop()?);
            }
            MarkupToken::Text(text) => {
                out.esc(&text.replace(MARK, ""));
            }
        }
    }
    Some(Diagram {
        inner: out.into_string(),
        view,
        width,
        height,
        paper: !themed,
        text,
    })
}

fn is_ground(attributes: &[(&str, String)]) -> bool {
    untrusted_markup::value(attributes, "id").is_none()
        && untrusted_markup::value(attributes, "stroke").is_none()
}

fn shape(out: &mut Html, name: &str, attributes: &[(&str, String)], ids: &mut Vec<String>) {
    let value = |key: &str| untrusted_markup::value(attributes, key);
    for known in ATTRIBUTES {
        if let Some(text) = value(known).filter(|text| is_plain(text)) {
            out.attr(known, text);
        }
    }
    for known in COLORS {
        let Some(text) = value(known) else { continue };
        // An invalid color would be rendered black.
        match colors::color(text) {
            Some(color) => out.attr(known, color),
            None if matches!(name, "text" | "tspan") => out,
            None => out.attr(known, "none"),
        };
    }
    for known in REFERENCES {
        let id = value(known).and_then(|text| text.strip_prefix("url(#")?.strip_suffix(')'));
        if let Some(id) = id {
            out.attr(known, &format!("url(#{MARK}{})", number(ids, id)));
        }
    }
}

/// The number that replaces an id of the diagram.
fn number(ids: &mut Vec<String>, id: &str) -> usize {
    if let Some(at) = ids.iter().position(|known| known == id) {
        return at;
    }
    ids.push(id.to_owned());
    ids.len() - 1
}

/// Whether a value consists of numbers, keywords and the parentheses of `translate(1 2)`; URLs are
/// not.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b" .,-+%()".contains(&byte))
        && !text.contains("url")
        && !text.contains("NaN")
        && !text.contains("inf")
}

/// Whether an element of this name is allowed.
#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    name != "a" && ELEMENTS.iter().any(|(key, ..)| *key == name)
}
