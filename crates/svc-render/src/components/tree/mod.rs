//! `Tree`, `Tree.Folder` and `Tree.File`: folders and files.

use svc_mdx::{Kind, Node, plain_text};

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::article::Children;
use crate::ctx::{Ctx, Frame, MAX_DEPTH};
use crate::html::Html;
use crate::icons;

const FOLDER: &[Prop] = &[
    required("name", PropKind::Text, "Name"),
    prop("defaultOpen", PropKind::Flag, "Open at first"),
    prop("openable", PropKind::Flag, "Can be opened; on without it"),
    prop("highlight", PropKind::Flag, "Stands out"),
    prop("comment", PropKind::Text, "A remark behind the name"),
];
const FILE: &[Prop] = &[
    required("name", PropKind::Text, "Name"),
    prop("highlight", PropKind::Flag, "Stands out"),
    prop("comment", PropKind::Text, "A remark behind the name"),
];

pub(super) static TREE: Component = Component {
    name: "tree",
    tags: &[
        Spec {
            tag: "Tree",
            props: &[],
            render: tree,
        },
        Spec {
            tag: "Tree.File",
            props: FILE,
            render: file,
        },
        Spec {
            tag: "Tree.Folder",
            props: FOLDER,
            render: folder,
        },
    ],
    css: include_str!("tree.css"),
    js: None,
    docs: include_str!("tree.md"),
};

fn tree(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.swap_frame(Frame::Tree);
    let lists = match element.children {
        Children::Nodes(nodes)
            if nodes
                .iter()
                .any(|node| matches!(node.kind, Kind::List { .. })) =>
        {
            Some(nodes)
        }
        _ => None,
    };
    let body = match lists {
        Some(nodes) => listed(cx, nodes, 0),
        None => cx.children(element.children),
    };
    let mut out = Html::new();
    out.lit("<div class=\"svc-tree tree\"><ul role=\"tree\">")
        .add(&body)
        .lit("</ul></div>\n");
    out
}

fn folder(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.swap_frame(Frame::Tree);
    let name = element.text("name").unwrap_or_default();
    cx.say(&name);
    let body = cx.children(element.children);
    let openable = element.props.flag_or("openable", true);
    let open = element.props.flag("defaultOpen") || !openable;
    let comment = element.text("comment");
    folder_html(
        &name,
        comment.as_deref(),
        open,
        element.props.flag("highlight"),
        &body,
    )
}

fn file(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let name = element.text("name").unwrap_or_default();
    cx.say(&name);
    file_html(
        &name,
        element.text("comment").as_deref(),
        element.props.flag("highlight"),
    )
}

fn drawing(name: &str) -> Html {
    icons::drawn(name, None, svc_config::IconLibrary::Lucide).unwrap_or_default()
}

fn name_html(icon: &str, name: &str, comment: Option<&str>, out: &mut Html) {
    out.add(&drawing(icon))
        .lit("<span class=\"svc-tree-name\">")
        .esc(name)
        .lit("</span>");
    if let Some(comment) = comment {
        out.lit("<span class=\"svc-tree-comment\">")
            .esc(comment)
            .lit("</span>");
    }
}

fn folder_html(name: &str, comment: Option<&str>, open: bool, bright: bool, body: &Html) -> Html {
    let mut out = Html::new();
    out.lit("<li class=\"svc-tree-folder tree-folder\" role=\"treeitem\"")
        .flag("data-highlight", bright);
    out.lit("><details").flag("open", open).lit("><summary>");
    name_html("folder", name, comment, &mut out);
    out.lit("</summary><ul role=\"group\">")
        .add(body)
        .lit("</ul></details></li>");
    out
}

fn file_html(name: &str, comment: Option<&str>, bright: bool) -> Html {
    let mut out = Html::new();
    out.lit("<li class=\"svc-tree-file tree-file\" role=\"treeitem\"")
        .flag("data-highlight", bright);
    out.lit(">");
    name_html("file", name, comment, &mut out);
    out.lit("</li>");
    out
}

/// A Markdown list as a tree: a name with a slash at its end, or with a list below, is a folder.
fn listed(cx: &mut Ctx<'_>, nodes: &[Node], depth: usize) -> Html {
    let mut out = Html::new();
    if depth > MAX_DEPTH {
        return out;
    }
    for node in nodes {
        match &node.kind {
            Kind::List { children, .. } => {
                let html = listed(cx, children, depth + 1);
                out.add(&html);
            }
            Kind::ListItem { children, .. } => {
                let below = children
                    .iter()
                    .position(|child| matches!(child.kind, Kind::List { .. }));
                let (head, inner) = children.split_at(below.unwrap_or(children.len()));
                let text = plain_text(head);
                let name = text.trim();
                cx.say(name);
                if below.is_some() || name.ends_with('/') {
                    let body = listed(cx, inner, depth + 1);
                    let name = name.trim_end_matches('/');
                    out.add(&folder_html(name, None, below.is_some(), false, &body));
                } else {
                    out.add(&file_html(name, None, false));
                }
            }
            _ => {}
        }
    }
    out
}
