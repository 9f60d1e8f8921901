//! The section or the breadcrumbs of the page, above its title (`styling.eyebrows`).

use svc_config::{ElementKind, Eyebrows};
use svc_nav::{NavNode, NodeKind};

use super::View;
use crate::html::Html;
use crate::themes;

pub(super) fn render(view: &View<'_>) -> Html {
    let mut html = Html::new();
    let map = view.cx.site_map;
    let default = themes::definition(view.config().theme).breadcrumbs;
    let whole = match view.config().styling.eyebrows {
        Some(Eyebrows::Breadcrumbs) => true,
        Some(Eyebrows::Section) => false,
        None => default,
    };
    if whole {
        let mut crumbs = map.breadcrumbs(&view.route.path);
        // A tab and its only group often have the same name; show the inner one only.
        let names: Vec<String> = crumbs.iter().map(|crumb| crumb.name.clone()).collect();
        let mut at = 0;
        crumbs.retain(|crumb| {
            at += 1;
            names.get(at) != Some(&crumb.name)
        });
        if crumbs.is_empty() {
            return html;
        }
        html.lit("<nav")
            .attr("aria-label", view.texts().breadcrumbs)
            .lit("><ol class=\"breadcrumb-list\">");
        for crumb in crumbs {
            html.lit("<li class=\"breadcrumb-item\">");
            match &crumb.href {
                Some(href) => {
                    html.lit("<a").attr("href", &view.href(href)).lit(">");
                    html.esc(&crumb.name).lit("</a>");
                }
                None => {
                    html.esc(&crumb.name);
                }
            }
            html.lit("</li>");
        }
        html.lit("</ol></nav>");
    } else {
        let nodes = map.nodes_on_trail(&view.route.path);
        let group = |node: &&&NavNode| node.kind == NodeKind::Element(ElementKind::Group);
        if let Some(section) = nodes.iter().rev().find(group) {
            html.lit("<p class=\"eyebrow\">")
                .esc(&section.name)
                .lit("</p>");
        }
    }
    html
}
