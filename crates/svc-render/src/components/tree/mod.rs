//! `Tree`, `Tree.Folder` and `Tree.File`: a directory tree.

use svc_mdx::{Kind, Node, plain_text};

use super::component::{Component, Element, Spec};
use super::prop::{Prop, props};
use crate::article::children::Children;
use crate::ctx::{Ctx, MAX_DEPTH, ParentContext};
use crate::html::Html;
use crate::icons;
use crate::markdown;

props! { TREE_PROPS:
    STYLE = prop("style", Any, "CSS declarations; `--tree-highlight` is the highlight color");
}
props! { FOLDER_PROPS:
    NAME = required("name", Text, "Name");
    DEFAULT_OPEN = prop("defaultOpen", Flag, "Expanded initially");
    OPENABLE = prop("openable", Flag, "Can be expanded; default: on");
    HIGHLIGHT = prop("highlight", Flag, "Highlighted");
    COMMENT = prop("comment", Text, "A comment after the name");
}
const FILE_PROPS: &[Prop] = &[NAME, HIGHLIGHT, COMMENT];

pub(super) static TREE: Component = Component {
    name: "tree",
    tags: &[
        Spec {
            tag: "Tree",
            props: TREE_PROPS,
            render: tree,
        },
        Spec {
            tag: "Tree.File",
            props: FILE_PROPS,
            render: file,
        },
        Spec {
            tag: "Tree.Folder",
            props: FOLDER_PROPS,
            render: folder,
        },
    ],
    css: include_str!("tree.css"),
    js: Some(include_str!("tree.js")),
    docs: include_str!("tree.md"),
};

fn tree(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.frames.swap(ParentContext::Tree);
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
        Some(nodes) => list_html(cx, nodes, 0),
        None => cx.children(element.children),
    };
    let mut out = Html::new();
    let attributes = markdown::html_attributes(cx, element.props, &["style", "id"]);
    out.lit("<div").attr(
        "class",
        format!("svc-tree tree {}", element.class()).trim_end(),
    );
    out.add(&attributes)
        .lit(" data-svc-tree><ul>")
        .add(&body)
        .lit("</ul></div>\n");
    out
}

/// A folder or a file.
struct TreeEntry<'a> {
    name: &'a str,
    comment: Option<&'a str>,
    highlight: bool,
}

fn folder(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.frames.swap(ParentContext::Tree);
    let name = element.text(NAME).unwrap_or_default();
    cx.out.text.push_line(&name);
    let body = cx.children(element.children);
    let comment = element.text(COMMENT);
    let entry = TreeEntry {
        name: &name,
        comment: comment.as_deref(),
        highlight: element.flag(HIGHLIGHT),
    };
    if element.flag_or(OPENABLE, true) {
        folder_html(&entry, Some(element.flag(DEFAULT_OPEN)), &body)
    } else {
        folder_html(&entry, None, &body)
    }
}

fn file(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let name = element.text(NAME).unwrap_or_default();
    cx.out.text.push_line(&name);
    let comment = element.text(COMMENT);
    file_html(&TreeEntry {
        name: &name,
        comment: comment.as_deref(),
        highlight: element.flag(HIGHLIGHT),
    })
}

fn lucide_icon(name: &str) -> Html {
    icons::render_icon(name, None, svc_config::IconLibrary::Lucide).unwrap_or_default()
}

fn row(icon: &str, entry: &TreeEntry<'_>, out: &mut Html) {
    out.add(&lucide_icon(icon))
        .lit("<span class=\"svc-tree-name\">")
        .esc(entry.name)
        .lit("</span>");
    if let Some(comment) = entry.comment {
        out.lit("<span class=\"svc-tree-comment\">")
            .esc(comment)
            .lit("</span>");
    }
}

/// A folder: expanded, collapsed, or (`None`) always expanded.
fn folder_html(entry: &TreeEntry<'_>, open: Option<bool>, body: &Html) -> Html {
    let mut out = Html::new();
    out.lit("<li class=\"svc-tree-folder tree-folder\"")
        .flag("data-highlight", entry.highlight)
        .lit(">");
    match open {
        Some(open) => {
            out.lit("<details")
                .flag("open", open)
                .lit("><summary class=\"svc-tree-row\">");
            row("folder", entry, &mut out);
            out.lit("</summary>");
        }
        None => {
            out.lit("<div class=\"svc-tree-row\">");
            row("folder", entry, &mut out);
            out.lit("</div>");
        }
    }
    if !body.is_blank() {
        out.lit("<ul>").add(body).lit("</ul>");
    }
    out.lit(if open.is_some() {
        "</details></li>"
    } else {
        "</li>"
    });
    out
}

fn file_html(entry: &TreeEntry<'_>) -> Html {
    let mut out = Html::new();
    out.lit("<li class=\"svc-tree-file tree-file\"")
        .flag("data-highlight", entry.highlight);
    out.lit("><div class=\"svc-tree-row\">");
    row("file", entry, &mut out);
    out.lit("</div></li>");
    out
}

const fn plain(name: &str) -> TreeEntry<'_> {
    TreeEntry {
        name,
        comment: None,
        highlight: false,
    }
}

/// A Markdown list as a tree: an item that ends with a slash or has a nested list is a folder.
fn list_html(cx: &mut Ctx<'_>, nodes: &[Node], depth: usize) -> Html {
    let mut out = Html::new();
    if depth > MAX_DEPTH {
        return out;
    }
    for node in nodes {
        match &node.kind {
            Kind::List { children, .. } => {
                let html = list_html(cx, children, depth + 1);
                out.add(&html);
            }
            Kind::ListItem { children, .. } => {
                let below = children
                    .iter()
                    .position(|child| matches!(child.kind, Kind::List { .. }));
                let (head, inner) = children.split_at(below.unwrap_or(children.len()));
                let text = plain_text(head);
                let name = text.trim();
                cx.out.text.push_line(name);
                if below.is_some() || name.ends_with('/') {
                    let body = list_html(cx, inner, depth + 1);
                    let name = name.trim_end_matches('/');
                    out.add(&folder_html(&plain(name), Some(below.is_some()), &body));
                } else {
                    out.add(&file_html(&plain(name)));
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn folders_are_expanded_collapsed_or_fixed() {
        let html = page("<Tree>\n<Tree.Folder name=\"open\" defaultOpen>\n<Tree.File name=\"a\" comment=\"why\" />\n</Tree.Folder>\n<Tree.Folder name=\"shut\" highlight />\n<Tree.Folder name=\"fixed\" openable={false}>\n<Tree.File name=\"b\" />\n</Tree.Folder>\n</Tree>").html;
        assert!(
            html.contains("<details open><summary class=\"svc-tree-row\">"),
            "{html}"
        );
        assert!(html.contains("data-highlight><details><summary"), "{html}");
        assert_eq!(html.matches("<details").count(), 2, "{html}");
        assert!(html.contains("fixed</span></div><ul>"), "{html}");
        assert!(html.contains("svc-tree-comment\">why"), "{html}");
    }

    #[test]
    fn the_highlight_color_can_be_changed() {
        let page = page(
            "<Tree style={{ \"--tree-highlight\": \"rgb(1 2 3)\" }}>\n<Tree.File name=\"a\" highlight />\n</Tree>",
        );
        assert!(
            page.html.contains("style=\"--tree-highlight:rgb(1 2 3)\""),
            "{}",
            page.html
        );
        assert!(page.problems.is_empty(), "{:?}", page.problems);
    }

    #[test]
    fn names_in_a_list_have_no_formatting() {
        let html = page("<FileTree>\n- `src/`\n  - **a.rs**\n</FileTree>").html;
        assert!(
            html.contains(">src</span>") && html.contains(">a.rs</span>"),
            "{html}"
        );
    }
}
