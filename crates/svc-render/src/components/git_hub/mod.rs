//! `GitHub.Repo`: a link to a GitHub repository.

use svc_config::IconLibrary;

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::site_metadata::{Repository, format_count, repository_slug};
use crate::{icons, markdown};

props! { PROPS:
    REPO = required("repo", Text, "`owner/name`, or the URL");
    VARIANT = prop("variant", Text, "inset or flat");
}

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
    let repo = element.text(REPO).unwrap_or_default();
    let slug = repo.trim().trim_end_matches('/').trim_end_matches(".git");
    let slug = slug
        .strip_prefix("https://github.com/")
        .unwrap_or(slug)
        .to_owned();
    let url = format!("https://github.com/{slug}");
    cx.out.text.push_line(&slug);
    let icon = icons::named(cx, "github", Some("brands"), element.span);
    let target = markdown::target(cx, &url, element.span_of(REPO));
    let mut out = Html::new();
    out.lit("<a").attr(
        "class",
        format!("svc-git-hub {}", element.class()).trim_end(),
    );
    out.attr_if("data-variant", element.text(VARIANT).as_deref());
    if let Some(target) = &target {
        markdown::link_attributes(target, &mut out);
    }
    out.lit(">").add(&icon);
    out.lit("<span class=\"svc-git-hub-text\"><span class=\"svc-git-hub-name\">");
    out.esc(&slug).lit("</span>");
    let known = &cx.input.options.metadata.repositories;
    if let Some(known) = repository_slug(&repo).and_then(|slug| known.get(&slug)) {
        out.add(&facts(known));
    }
    out.lit("</span><span aria-hidden=\"true\">↗</span></a>\n");
    out
}

/// Description and counts of a repository. They are not part of the page's search text.
fn facts(known: &Repository) -> Html {
    let mut out = Html::new();
    if !known.description.is_empty() {
        out.lit("<span class=\"svc-git-hub-description\">")
            .esc(&known.description)
            .lit("</span>");
    }
    out.lit("<span class=\"svc-git-hub-numbers\">");
    // Terms of GitHub, which it does not translate.
    for (icon, number, label) in [
        ("star", known.stars, "stars"),
        ("code-fork", known.forks, "forks"),
    ] {
        let icon = icons::render_icon(icon, Some("solid"), IconLibrary::FontAwesome);
        out.lit("<span>").add(&icon.unwrap_or_default());
        out.esc(&format_count(number))
            .lit(" <span class=\"svc-visually-hidden\" lang=\"en\">")
            .esc(label)
            .lit("</span></span>");
    }
    out.lit("</span>");
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::site_metadata::{Repository, SiteMetadata};
    use crate::testing::document_with;
    use crate::{Html, RenderOptions};

    fn card(mdx: &str, known: Option<Repository>) -> String {
        let mut facts = SiteMetadata::default();
        let known = known.map(|known| ("acme/pets".to_owned(), known));
        facts.repositories = Arc::new(known.into_iter().collect());
        let options = RenderOptions {
            metadata: Arc::new(facts),
            ..RenderOptions::default()
        };
        let html = document_with(&format!("//- /a.mdx\n{mdx}\n"), "/a", options);
        let card = html.split_once("<a class=\"svc-git-hub").expect("a card").1;
        let card = card.split_once("</a>").expect("an end").0;
        format!("<a class=\"svc-git-hub{card}</a>")
    }

    fn known() -> Repository {
        Repository {
            description: "Pets & <b>more</b>".to_owned(),
            stars: 12_345,
            forks: 7,
        }
    }

    #[test]
    fn a_known_repository_shows_its_description_and_counts() {
        for repo in ["acme/pets", "https://github.com/Acme/Pets"] {
            let html = card(&format!("<GitHub.Repo repo=\"{repo}\" />"), Some(known()));
            assert!(
                html.contains(">Pets &amp; &lt;b&gt;more&lt;/b&gt;</span>"),
                "{html}"
            );
            let text = Html::trusted(html).to_text();
            assert!(
                text.contains("12.3k stars") && text.contains("7 forks"),
                "{text}"
            );
        }
    }

    #[test]
    fn an_unknown_repository_is_a_link_with_its_name() {
        for (repo, known) in [("acme/pets", None), ("acme/cats", Some(known()))] {
            let html = card(&format!("<GitHub.Repo repo=\"{repo}\" />"), known);
            assert!(!html.contains("stars"), "{html}");
            assert!(
                html.contains(&format!("href=\"https://github.com/{repo}\"")),
                "{html}"
            );
        }
    }
}
