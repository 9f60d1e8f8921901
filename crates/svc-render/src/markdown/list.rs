//! Lists and task lists.

use svc_mdx::{Kind, Node, plain_text};

use crate::ctx::Ctx;
use crate::html::Html;

pub(super) fn list(
    cx: &mut Ctx<'_>,
    ordered: bool,
    start: Option<u32>,
    spread: bool,
    children: &[Node],
    out: &mut Html,
) {
    let tasks = children.iter().any(|item| {
        matches!(
            item.kind,
            Kind::ListItem {
                checked: Some(_),
                ..
            }
        )
    });
    out.lit(if ordered { "<ol" } else { "<ul" });
    if let Some(start) = start.filter(|start| ordered && *start != 1) {
        out.lit(" start=\"").num(start).lit("\"");
    }
    if tasks {
        out.lit(" class=\"contains-task-list\"");
    }
    out.lit(">\n");
    for entry in children {
        item(cx, entry, spread, out);
    }
    out.lit(if ordered { "</ol>\n" } else { "</ul>\n" });
}

fn item(cx: &mut Ctx<'_>, node: &Node, spread: bool, out: &mut Html) {
    cx.out.text.break_line();
    let Kind::ListItem {
        checked,
        spread: own,
        children,
    } = &node.kind
    else {
        cx.nodes_into(std::slice::from_ref(node), out);
        return;
    };
    match checked {
        Some(done) => {
            // The checkbox is named after its item; its state is announced separately.
            let name: String = plain_text(children).chars().take(80).collect();
            out.lit("<li class=\"task-list-item\"><input type=\"checkbox\" disabled");
            out.flag("checked", *done)
                .attr("aria-label", name.lines().next().unwrap_or(""))
                .lit("> ");
        }
        None => {
            out.lit("<li>");
        }
    }
    let loose = spread || *own;
    for child in children {
        match &child.kind {
            Kind::Paragraph(inline) if loose => cx.paragraph(inline, out),
            Kind::Paragraph(inline) => cx.nodes_into(inline, out),
            _ => cx.nodes_into(std::slice::from_ref(child), out),
        }
    }
    out.lit("</li>\n");
    cx.out.text.break_line();
}
