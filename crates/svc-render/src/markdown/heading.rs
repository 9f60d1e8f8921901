//! Headings: ids, anchors, and the table of contents.

use svc_mdx::{Kind, Node, plain_text};

use crate::ctx::{Ctx, TocItem};
use crate::html::Html;

/// A heading that a component creates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heading<'a> {
    /// Heading level, 1 to 6.
    pub(crate) depth: u8,
    /// Id that is set by the author.
    pub(crate) id: Option<&'a str>,
    /// Text for the generated id and the table of contents.
    pub(crate) text: &'a str,
    /// Rendered content.
    pub(crate) html: Html,
    /// Whether the heading has no link to itself.
    pub(crate) no_anchor: bool,
    /// Additional class names.
    pub(crate) class: Option<&'a str>,
}

pub(super) fn markdown(
    cx: &mut Ctx<'_>,
    depth: u8,
    id: Option<&str>,
    children: &[Node],
    out: &mut Html,
) {
    cx.out.text.break_line();
    let from = cx.out.text.len();
    let mut html = Html::new();
    cx.nodes_into(children, &mut html);
    let search_text = cx.out.text.since(from).to_owned();
    cx.out.text.break_line();
    let text = if search_text.is_empty() {
        plain_text(children)
    } else {
        search_text
    };
    // Badges and icons after the title are not part of the id.
    let bare = bare_text(children).filter(|_| depth <= 4 && !cx.page.plain_headings);
    let generated = bare.map(|bare| svc_source::heading_id(&bare));
    let heading = Heading {
        depth,
        id: id.or(generated
            .as_deref()
            .filter(|generated| !generated.is_empty())),
        text: &text,
        html,
        ..Heading::default()
    };
    out.add(&heading_with(cx, &heading));
}

/// The text of a title without its components; `None` if it has no components.
fn bare_text(children: &[Node]) -> Option<String> {
    let component = |node: &Node| match &node.kind {
        Kind::Element(element) => element
            .name
            .as_deref()
            .is_some_and(|name| name.starts_with(|first: char| first.is_ascii_uppercase())),
        _ => false,
    };
    children.iter().any(component).then(|| {
        let nodes = children.iter().filter(|node| !component(node));
        nodes
            .map(|node| plain_text(std::slice::from_ref(node)))
            .collect()
    })
}

/// Renders a heading with its id and adds it to the table of contents.
pub(crate) fn heading_with(cx: &mut Ctx<'_>, heading: &Heading<'_>) -> Html {
    let (open, close) = match heading.depth {
        0 | 1 => ("<h1", "</h1>\n"),
        2 => ("<h2", "</h2>\n"),
        3 => ("<h3", "</h3>\n"),
        4 => ("<h4", "</h4>\n"),
        5 => ("<h5", "</h5>\n"),
        _ => ("<h6", "</h6>\n"),
    };
    let mut out = Html::new();
    out.lit(open).attr_if("class", heading.class);
    let wants_id = (heading.depth <= 4 && !cx.page.plain_headings) || heading.id.is_some();
    if !wants_id {
        out.lit(">").add(&heading.html).lit(close);
        return out;
    }
    let own = heading.id.map(clean_id).filter(|id| !id.is_empty());
    let id = cx
        .ids
        .unique(&own.unwrap_or_else(|| svc_source::heading_id(heading.text)));
    // If an enclosing element has this id, it is the target of links.
    if !cx.ids.is_author(&id) {
        out.attr("id", &id);
    }
    // The link contains the whole title, so that no extra control is needed; the sign comes from
    // CSS.
    let has_link =
        heading.html.as_str().contains("<a ") || heading.html.as_str().contains("<button");
    // A nested link would end the outer one.
    if heading.no_anchor || cx.frames.is_linked() {
        out.lit(">").add(&heading.html).lit(close);
    } else {
        let target = format!("#{id}");
        out.lit(" data-svc-heading><a class=\"svc-anchor\"")
            .attr("href", &target);
        if has_link {
            out.attr("aria-label", cx.texts.link_to_section)
                .lit("></a>")
                .add(&heading.html);
        } else {
            out.lit(">").add(&heading.html).lit("</a>");
        }
        out.lit(close);
    }
    if !cx.page.plain_headings && heading.depth <= 4 {
        let text = heading.text.trim().to_owned();
        cx.out.start_section(TocItem {
            depth: heading.depth.max(1),
            id,
            text,
            is_section: false,
        });
    }
    out
}

/// Removes characters that are not allowed from an id.
pub(crate) fn clean_id(id: &str) -> String {
    let trimmed = id.trim().trim_start_matches('#');
    let mut out = String::with_capacity(trimmed.len());
    for letter in trimmed.chars() {
        match letter {
            letter if letter.is_whitespace() => out.push('-'),
            '<' | '>' | '"' | '\'' | '`' | '{' | '}' | '\\' => {}
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}
