//! `GitHub.Repo`: a link to a repository.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

const PROPS: &[Prop] = &[
    required("repo", PropKind::Text, "`owner/name`, or the address"),
    prop("variant", PropKind::Text, "inset or flat"),
];

pub(super) static GIT_HUB: Component = Component {
    name: "git_hub",
    tags: &[Spec {
        tag: "GitHub.Repo",
        props: PROPS,
        render,
    }],
    css: include_str!("git_hub.css"),
    js: None,
    docs: include_str!("git_hub.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let repo = element.text("repo").unwrap_or_default();
    let slug = repo.trim().trim_end_matches('/').trim_end_matches(".git");
    let slug = slug
        .strip_prefix("https://github.com/")
        .unwrap_or(slug)
        .to_owned();
    let address = format!("https://github.com/{slug}");
    cx.say(&slug);
    let icon = crate::icons::named(cx, "github", Some("brands"), element.span);
    let target = markdown::target(cx, &address, element.place("repo"));
    let mut out = Html::new();
    out.lit("<a").attr(
        "class",
        format!("svc-git-hub {}", element.class()).trim_end(),
    );
    out.attr_if("data-variant", element.text("variant").as_deref());
    if let Some(target) = &target {
        markdown::link_attributes(target, &mut out);
    }
    out.lit(">")
        .add(&icon)
        .lit("<span class=\"svc-git-hub-name\">")
        .esc(&slug);
    out.lit("</span><span aria-hidden=\"true\">↗</span></a>\n");
    out
}
