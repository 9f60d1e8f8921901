//! Colors of diagrams. They refer to CSS variables of the page, so that they follow the color
//! scheme.

use mermaid_rs_renderer::ir::NodeStyle;
use mermaid_rs_renderer::{DiagramKind, Graph, Theme};

/// Colors that are passed to the engine, the CSS variable that replaces each on pages, and the color
/// on paper. The first are distinct and unlikely to be used by authors.
const ROLES: &[(&str, &str, &str)] = &[
    ("#010101", "none", "none"),
    ("#010203", "var(--svc-bg-raised)", "#ffffff"),
    ("#010204", "var(--svc-text)", "#1f2328"),
    ("#010205", "var(--svc-border-strong)", "#8b949e"),
    ("#010206", "var(--svc-text-faint)", "#57606a"),
    ("#010207", "var(--svc-info-bg)", "#e8f1fd"),
    ("#010208", "var(--svc-info-border)", "#8ab4f0"),
    ("#010209", "var(--svc-bg-soft)", "#f4f4f5"),
    ("#01020a", "var(--svc-warning-bg)", "#fff6e0"),
    ("#01020b", "var(--svc-warning-border)", "#e0b24c"),
    ("#01020c", "var(--svc-note-bg)", "#f0f0f3"),
    ("#01020d", "var(--svc-note-border)", "#a0a0ab"),
    ("#01020e", "var(--svc-border)", "#d0d7de"),
];

const PAGE: usize = 0;
const NODE: usize = 1;
const TEXT: usize = 2;
const EDGE_OF_NODE: usize = 3;
const LINE: usize = 4;
const GROUP: usize = 5;
const EDGE_OF_GROUP: usize = 6;
const LABEL: usize = 7;
const NOTE: usize = 8;
const EDGE_OF_NOTE: usize = 9;
const ACTIVE: usize = 10;
const EDGE_OF_ACTIVE: usize = 11;
const LIFELINE: usize = 12;

/// Whether a diagram type uses only colors of the theme. Other types have their own palettes.
pub(super) const fn is_themed(kind: DiagramKind) -> bool {
    matches!(
        kind,
        DiagramKind::Flowchart
            | DiagramKind::Class
            | DiagramKind::State
            | DiagramKind::Sequence
            | DiagramKind::Er
    )
}

/// The theme that is passed to the engine.
pub(super) fn theme() -> Theme {
    let of = |role: usize| ROLES.get(role).map_or("", |(color, ..)| *color).to_owned();
    Theme {
        primary_color: of(NODE),
        primary_text_color: of(TEXT),
        primary_border_color: of(EDGE_OF_NODE),
        line_color: of(LINE),
        secondary_color: of(GROUP),
        tertiary_color: of(NODE),
        edge_label_background: of(LABEL),
        cluster_background: of(GROUP),
        cluster_border: of(EDGE_OF_GROUP),
        background: of(PAGE),
        sequence_actor_fill: of(NODE),
        sequence_actor_border: of(EDGE_OF_NODE),
        sequence_actor_line: of(LIFELINE),
        sequence_note_fill: of(NOTE),
        sequence_note_border: of(EDGE_OF_NOTE),
        sequence_activation_fill: of(ACTIVE),
        sequence_activation_border: of(EDGE_OF_ACTIVE),
        text_color: of(TEXT),
        ..Theme::modern()
    }
}

/// Maps a color of the engine's output to CSS: theme colors become variables, others stay as they
/// are. `None` if it is not a color.
pub(super) fn color(text: &str) -> Option<&str> {
    let role = ROLES
        .iter()
        .find(|(key, ..)| key.eq_ignore_ascii_case(text.trim()));
    match role {
        Some((_, name, _)) => Some(name),
        None => {
            crate::style::safe_color(text).filter(|text| text.contains('(') == text.contains(')'))
        }
    }
}

/// Markup of a diagram with the colors of paper in place of the variables of pages.
pub(super) fn fixed(markup: &str) -> String {
    let variables = ROLES.iter().filter(|(_, name, _)| name.starts_with("var("));
    variables.fold(markup.to_owned(), |markup, (_, name, color)| {
        markup.replace(name, color)
    })
}

/// Whether the color was written by the author.
fn is_author_color(text: &str) -> bool {
    let known = ROLES
        .iter()
        .any(|(key, ..)| key.eq_ignore_ascii_case(text.trim()));
    !known && text != "none" && text != "transparent"
}

/// Sets a readable text color on backgrounds that the author set, for both color schemes, and
/// removes the author's text color where there is no such background.
pub(super) fn fix_contrast(graph: &mut Graph) {
    let styles = graph
        .class_defs
        .values_mut()
        .chain(graph.node_styles.values_mut())
        .chain(graph.subgraph_styles.values_mut());
    styles.for_each(|style: &mut NodeStyle| {
        match style.fill.as_deref().filter(|fill| is_author_color(fill)) {
            Some(fill) if style.text_color.is_none() => {
                style.text_color =
                    Some(if is_dark(fill) { "#ffffff" } else { "#111111" }.to_owned());
            }
            Some(_) => {}
            None => style.text_color = None,
        }
    });
}

/// Whether white text has the higher contrast on this color; unknown colors count as light.
fn is_dark(color: &str) -> bool {
    let names = [
        "black",
        "navy",
        "blue",
        "darkblue",
        "purple",
        "green",
        "darkgreen",
        "red",
        "darkred",
        "maroon",
        "teal",
        "indigo",
        "brown",
        "gray",
        "grey",
        "crimson",
        "darkslategray",
    ];
    let color = color.trim();
    if names.iter().any(|name| color.eq_ignore_ascii_case(name)) {
        return true;
    }
    let Some(digits) = color.strip_prefix('#') else {
        return false;
    };
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    let (red, green, blue) = match digits.as_slice() {
        [r, g, b] | [r, g, b, _] => (r * 17, g * 17, b * 17),
        [r, s, g, h, b, c, ..] => (r * 16 + s, g * 16 + h, b * 16 + c),
        _ => return false,
    };
    red * 299 + green * 587 + blue * 114 < 140_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_white_only_on_dark_colors() {
        for (color, dark) in [
            ("#000", true),
            ("#8b5cf6", true),
            ("#f9f", false),
            ("navy", true),
            ("x", false),
            ("#é", false),
        ] {
            assert_eq!(is_dark(color), dark, "{color}");
        }
    }
}
