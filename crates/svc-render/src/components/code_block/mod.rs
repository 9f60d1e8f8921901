//! `CodeBlock`: a code block as an element.

use svc_mdx::{Kind, Node, Span, plain_text};

use super::common::LANG;
use super::component::{Component, Element, Spec};
use super::prop::{Prop, props};
use crate::article::children::Children;
use crate::code::parse_meta;
use crate::ctx::{Ctx, ParentContext};
use crate::evaluate::{JsxChild, Value};
use crate::html::Html;
use crate::markdown::{Code, show};

props! { PROPS:
    LANGUAGE = prop("language", Text, "Language");
    FILENAME = prop("filename", Text, "Title");
    TITLE = prop("title", Text, "Title");
    ICON = prop("icon", Icon, "Icon before the title");
    LINES = prop("lines", Flag, "Line numbers");
    WRAP = prop("wrap", Flag, "Wrap long lines");
    NOCOPY = prop("nocopy", Flag, "Without a copy button");
    EXPANDABLE = prop("expandable", Flag, "Collapsed initially if it is long");
    HIGHLIGHT = prop("highlight", Any, "Highlighted lines");
    FOCUS = prop("focus", Any, "Focused lines; the others are dimmed");
}

pub(super) static CODE_BLOCK: Component = Component {
    name: "code_block",
    tags: &[Spec {
        tag: "CodeBlock",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("code_block.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    // A fence inside is rendered on its own.
    if let Children::Nodes(nodes) = element.children
        && nodes
            .iter()
            .any(|node| matches!(node.kind, Kind::Code { .. }))
    {
        return cx.children(element.children);
    }
    let code = text(cx, element.children);
    let mut meta_text = String::new();
    for prop in [HIGHLIGHT, FOCUS] {
        if let Some(lines) = lines(element.value(prop)) {
            meta_text.push_str(&format!("{}={{{lines}}} ", prop.name));
        }
    }
    let mut meta = parse_meta(&meta_text);
    meta.title = element.text(FILENAME).or_else(|| element.text(TITLE));
    meta.icon = element.text(ICON);
    let flag = |prop: Prop| element.value(prop).is_some().then(|| element.flag(prop));
    meta.lines = flag(LINES);
    meta.wrap = flag(WRAP);
    meta.nocopy = flag(NOCOPY);
    meta.expandable = flag(EXPANDABLE);
    let lang = element.text(LANGUAGE).or_else(|| element.text(LANG));
    // The enclosing group takes the block, not the frame of the tag.
    let own = cx.frames.pop().unwrap_or_default();
    let html = show(
        cx,
        Code {
            lang: lang.as_deref(),
            code: code.trim_matches('\n'),
            tokens: None,
            meta,
            span: element.span,
        },
    );
    cx.frames.push(own);
    debug_assert!(matches!(cx.frames.current(), Some(ParentContext::Plain)));
    html
}

/// The text of the children, without markup.
fn text(cx: &mut Ctx<'_>, children: Children<'_>) -> String {
    match children {
        Children::None => String::new(),
        Children::Nodes(nodes) => {
            let mut out = String::new();
            nodes_text(cx, nodes, &mut out);
            out
        }
        Children::Parts(parts) => {
            let mut out = String::new();
            for part in parts.iter().take(10_000) {
                match part {
                    JsxChild::Text(text) => out.push_str(text),
                    JsxChild::Value(Value::String(text)) => out.push_str(text),
                    JsxChild::Value(Value::Number(number)) => out.push_str(&format!("{number}")),
                    JsxChild::Value(_) => {}
                }
            }
            out
        }
        Children::Branch(branch) => branch.text(),
    }
}

fn nodes_text(cx: &mut Ctx<'_>, nodes: &[Node], out: &mut String) {
    for node in nodes {
        match &node.kind {
            Kind::Expression { value, .. } => {
                let (start, end) = (node.span.start, node.span.end);
                let inner = Span::new(start + 1, end.saturating_sub(1).max(start + 1));
                match cx.evaluate(value, inner) {
                    Value::String(text) => out.push_str(&text),
                    Value::Number(number) => out.push_str(&format!("{number}")),
                    _ => out.push_str(value.trim()),
                }
            }
            Kind::Paragraph(inner) => nodes_text(cx, inner, out),
            _ => out.push_str(&plain_text(std::slice::from_ref(node))),
        }
    }
}

/// Converts `"[1,3]"`, `"1-3"` or `[1, 3]` to the syntax of a fence's info string.
fn lines(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.trim_matches(['[', ']', '{', '}']).to_owned()),
        Value::Number(number) => Some(format!("{number}")),
        Value::Array(items) => {
            let items: Vec<String> = items
                .iter()
                .filter_map(Value::as_number)
                .map(|n| format!("{n}"))
                .collect();
            Some(items.join(","))
        }
        _ => None,
    }
}
