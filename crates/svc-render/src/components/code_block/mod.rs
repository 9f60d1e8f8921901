//! `CodeBlock`: a code block as an element.

use svc_mdx::{Kind, plain_text};

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::article::Children;
use crate::code::parse_meta;
use crate::ctx::{Ctx, ParentContext};
use crate::evaluate::{JsxChild, Value};
use crate::html::Html;
use crate::markdown::{Code, show};

const PROPS: &[Prop] = &[
    prop("language", PropKind::Text, "Language"),
    prop("filename", PropKind::Text, "Title"),
    prop("title", PropKind::Text, "Title"),
    prop("icon", PropKind::Icon, "Icon before the title"),
    prop("lines", PropKind::Flag, "Line numbers"),
    prop("wrap", PropKind::Flag, "Wrap long lines"),
    prop("nocopy", PropKind::Flag, "Without a copy button"),
    prop(
        "expandable",
        PropKind::Flag,
        "Collapsed initially if it is long",
    ),
    prop("highlight", PropKind::Any, "Highlighted lines"),
    prop(
        "focus",
        PropKind::Any,
        "Focused lines; the others are dimmed",
    ),
];

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
    let code = text(element.children);
    let props = element.props;
    let mut meta_text = String::new();
    for name in ["highlight", "focus"] {
        if let Some(lines) = lines(props.get(name)) {
            meta_text.push_str(&format!("{name}={{{lines}}} "));
        }
    }
    let mut meta = parse_meta(&meta_text);
    meta.title = element.text("filename").or_else(|| element.text("title"));
    meta.icon = element.text("icon");
    let flag = |name: &str| props.get(name).is_some().then(|| props.flag(name));
    meta.lines = flag("lines");
    meta.wrap = flag("wrap");
    meta.nocopy = flag("nocopy");
    meta.expandable = flag("expandable");
    let lang = element.text("language").or_else(|| element.text("lang"));
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
fn text(children: Children<'_>) -> String {
    match children {
        Children::None => String::new(),
        Children::Nodes(nodes) => {
            let mut out = String::new();
            for node in nodes {
                match &node.kind {
                    Kind::Expression { value, .. } => {
                        let trimmed = value.trim();
                        let quoted = ['`', '"', '\'']
                            .iter()
                            .find_map(|quote| trimmed.strip_prefix(*quote)?.strip_suffix(*quote));
                        out.push_str(&quoted.unwrap_or(trimmed).replace("\\n", "\n"));
                    }
                    _ => out.push_str(&plain_text(std::slice::from_ref(node))),
                }
            }
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
