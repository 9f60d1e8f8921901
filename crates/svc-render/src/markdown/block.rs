//! Renders MDX nodes to HTML.

use svc_diagnostics::Span;
use svc_mdx::{Kind, Node};

use super::code_block::{Fence, code_block};
use super::{footnote, heading, image, link, list, math, table};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{callout_kind, ready_callout};

impl Ctx<'_> {
    /// Renders a list of nodes.
    pub(crate) fn nodes(&mut self, nodes: &[Node]) -> Html {
        let mut out = Html::new();
        self.nodes_into(nodes, &mut out);
        out
    }

    /// Renders nodes and appends them to `out`.
    pub(crate) fn nodes_into(&mut self, nodes: &[Node], out: &mut Html) {
        if !self.budget.enter() {
            return;
        }
        let mut last: Option<&Node> = None;
        for item in nodes {
            // The tree has no text for the white space between components on a line, which separates
            // two words.
            if last
                .is_some_and(|last| is_tag(last) && is_tag(item) && last.span.end < item.span.start)
            {
                out.lit("\n");
            }
            last = Some(item);
            let before = out.len();
            match mark_span(item) {
                Some(span) => self.marked(span, out, |cx, out| node(cx, item, out)),
                None => node(self, item, out),
            }
            if !self.charge(if matches!(item.kind, Kind::Text(_)) {
                out.len() - before
            } else {
                16
            }) {
                break;
            }
        }
        self.budget.leave();
    }

    /// Renders a paragraph. One with block content (a component in the middle of a line) becomes a
    /// `div`, because browsers close a `p` at a block element.
    pub(crate) fn paragraph(&mut self, children: &[Node], out: &mut Html) {
        self.out.text.break_line();
        let inner = self.nodes(children);
        self.out.text.break_line();
        if inner.is_blank() {
            return;
        }
        let mixed = children
            .iter()
            .any(|child| matches!(child.kind, Kind::Element(_) | Kind::Expression { .. }));
        if mixed && is_blocky(&inner) {
            out.lit("<div class=\"svc-paragraph\">")
                .add(&inner)
                .lit("</div>");
        } else {
            // Only if a style sheet of the site uses it, because it adds bytes to every paragraph.
            let marked = self.input.options.metadata.marks_paragraphs;
            out.lit(if marked { "<p data-as=\"p\">" } else { "<p>" });
            out.add(&inner).lit("</p>\n");
        }
    }
}

const fn is_tag(node: &Node) -> bool {
    matches!(node.kind, Kind::Element(_) | Kind::Expression { .. })
}

/// What checks of the HTML report for a node; `None` for nodes without checks.
fn mark_span(node: &Node) -> Option<Span> {
    match &node.kind {
        // The opening tag up to the end of its name.
        Kind::Element(element) => {
            let end = element.name_span.end.max(node.span.start.saturating_add(1));
            Some(Span::new(node.span.start, end))
        }
        Kind::Heading { .. }
        | Kind::Link { .. }
        | Kind::LinkReference { .. }
        | Kind::Image { .. }
        | Kind::ImageReference { .. }
        | Kind::Table { .. }
        | Kind::Expression { .. } => Some(node.span),
        _ => None,
    }
}

fn node(cx: &mut Ctx<'_>, node: &Node, out: &mut Html) {
    match &node.kind {
        Kind::Paragraph(children) => cx.paragraph(children, out),
        Kind::Heading {
            depth,
            id,
            children,
        } => {
            heading::markdown(cx, *depth, id.as_deref(), children, out);
        }
        Kind::ThematicBreak => {
            out.lit("<hr>");
        }
        Kind::Blockquote(children) => quotation(cx, children, out),
        Kind::List {
            ordered,
            start,
            spread,
            children,
        } => {
            list::list(cx, *ordered, *start, *spread, children, out);
        }
        // The parser produces no items outside of lists.
        Kind::ListItem { children, .. } => cx.nodes_into(children, out),
        Kind::Code { lang, meta, value } => {
            cx.out.text.break_line();
            let html = code_block(
                cx,
                &Fence {
                    lang: lang.as_deref(),
                    meta: meta.as_deref().unwrap_or(""),
                    code: value,
                    span: node.span,
                },
            );
            out.add(&html);
        }
        Kind::Math { value, .. } => {
            cx.out.text.break_line();
            let html = math::formula(cx, value, true, node.span);
            out.add(&html);
        }
        Kind::Definition { .. } | Kind::FootnoteDefinition { .. } | Kind::Esm(_) => {}
        Kind::Table { align, children } => table::table(cx, align, children, out),
        Kind::TableRow(children) | Kind::TableCell(children) => cx.nodes_into(children, out),
        Kind::Expression { value, flow } => {
            if *flow {
                cx.out.text.break_line();
            }
            let html = cx.expression(value, node.span);
            out.add(&html);
        }
        Kind::Element(element) => {
            let html = cx.element(element, node.span);
            out.add(&html);
        }
        Kind::Text(text) => render_text(cx, text, out),
        Kind::Emphasis(children) => wrap(cx, "<em>", children, "</em>", out),
        Kind::Strong(children) => wrap(cx, "<strong>", children, "</strong>", out),
        Kind::Delete(children) => wrap(cx, "<del>", children, "</del>", out),
        Kind::InlineCode(code) => inline_code(cx, code, out),
        Kind::InlineMath(value) => {
            let html = math::formula(cx, value, false, node.span);
            out.add(&html);
            cx.out.text.last_char = 'x';
        }
        Kind::Break => {
            out.lit("<br>");
            cx.out.text.push(" ");
            cx.out.text.last_char = ' ';
        }
        Kind::Link {
            url,
            title,
            children,
        } => {
            link::markdown(cx, url, title.as_deref(), children, node.span, out);
        }
        Kind::LinkReference {
            identifier,
            children,
            ..
        } => match definition(cx, identifier) {
            Some((url, title)) => {
                link::markdown(cx, &url, title.as_deref(), children, node.span, out);
            }
            None => cx.nodes_into(children, out),
        },
        Kind::Image { url, title, alt } => {
            image::markdown(cx, url, title.as_deref(), alt, node.span, out);
        }
        Kind::ImageReference {
            identifier, alt, ..
        } => {
            if let Some((url, title)) = definition(cx, identifier) {
                image::markdown(cx, &url, title.as_deref(), alt, node.span, out);
            }
        }
        Kind::FootnoteReference { identifier } => footnote::reference(cx, identifier, out),
    }
}

fn definition(cx: &Ctx<'_>, identifier: &str) -> Option<(String, Option<String>)> {
    cx.scope.module.definitions.get(identifier).cloned()
}

/// Renders children between two literal tags.
fn wrap(
    cx: &mut Ctx<'_>,
    open: &'static str,
    children: &[Node],
    close: &'static str,
    out: &mut Html,
) {
    out.lit(open);
    cx.nodes_into(children, out);
    out.lit(close);
}

/// Renders a block quote, or a callout if its first line is `[!NOTE]` or similar.
fn quotation(cx: &mut Ctx<'_>, children: &[Node], out: &mut Html) {
    let Some((kind, first, rest)) = alert(children) else {
        wrap(cx, "<blockquote>", children, "</blockquote>", out);
        return;
    };
    let mut body = Html::new();
    if !first.is_empty() {
        cx.paragraph(&first, &mut body);
    }
    cx.nodes_into(rest, &mut body);
    out.add(&ready_callout(cx.texts, kind, &body));
}

/// The callout kind of a block quote, its first paragraph without the marker, and the other nodes.
fn alert(children: &[Node]) -> Option<(&'static str, Vec<Node>, &[Node])> {
    let (first, rest) = children.split_first()?;
    let Kind::Paragraph(inline) = &first.kind else {
        return None;
    };
    let (mark, behind) = inline.split_first()?;
    let Kind::Text(text) = &mark.kind else {
        return None;
    };
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    let kind = callout_kind(line)?;
    // The marker must be a complete line.
    if !text.contains('\n')
        && !matches!(
            behind.first().map(|node| &node.kind),
            None | Some(Kind::Break)
        )
    {
        return None;
    }
    let behind = match behind.split_first() {
        Some((node, behind)) if matches!(node.kind, Kind::Break) => behind,
        _ => behind,
    };
    let mut remaining = Vec::with_capacity(inline.len());
    if !after.trim().is_empty() {
        let mut text = mark.clone();
        text.kind = Kind::Text(after.into());
        remaining.push(text);
    }
    remaining.extend_from_slice(behind);
    Some((kind, remaining, rest))
}

/// Whether HTML contains an element that is not allowed in a paragraph.
pub(crate) fn is_blocky(html: &Html) -> bool {
    const BOXES: &[&str] = &[
        "div",
        "p",
        "ul",
        "ol",
        "pre",
        "table",
        "figure",
        "details",
        "blockquote",
        "section",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "aside",
        "hr",
        "form",
        "iframe",
        "dl",
    ];
    html.as_str().match_indices('<').any(|(at, _)| {
        let rest = html.as_str().get(at + 1..).unwrap_or("");
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        rest.get(..end).is_some_and(|name| BOXES.contains(&name))
    })
}

fn render_text(cx: &mut Ctx<'_>, text: &str, out: &mut Html) {
    let text = cx.variables.expand(text);
    let mut shown = String::with_capacity(text.len() + 8);
    svc_mdx::smart_punctuation(&text, &mut cx.out.text.last_char, &mut shown);
    cx.out.text.push(&shown);
    out.esc(&shown);
}

fn inline_code(cx: &mut Ctx<'_>, code: &str, out: &mut Html) {
    let code = cx.substitute(code);
    let symbols = code.contains(['⌘', '⌥', '⇧', '⌃', '⏎', '⌫', '⎋', '⇥', '↵', '⇪']);
    out.lit("<code")
        .flag("data-symbols", symbols)
        .lit(">")
        .esc(&code)
        .lit("</code>");
    cx.out.text.push(&code);
    cx.out.text.last_char = 'x';
}
