//! The choice of language, product, version and dropdown, as menus above the sidebar.

use svc_config::ElementKind;
use svc_nav::{DivisionLevel, NavNode};

use super::View;
use crate::html::Html;

pub(super) fn render(view: &View<'_>, levels: &[DivisionLevel<'_>]) -> Html {
    let mut html = Html::new();
    for level in levels {
        // Tabs stand in the header, anchors above the pages.
        let elsewhere = matches!(level.kind, ElementKind::Tab | ElementKind::Anchor);
        if !elsewhere && level.items.len() > 1 {
            menu(&mut html, view, level);
        }
    }
    html
}

fn menu(html: &mut Html, view: &View<'_>, level: &DivisionLevel<'_>) {
    let texts = view.texts();
    let label = match level.kind {
        ElementKind::Language => texts.language,
        ElementKind::Version => texts.version,
        ElementKind::Product => texts.product,
        ElementKind::Group
        | ElementKind::Tab
        | ElementKind::MenuItem
        | ElementKind::Anchor
        | ElementKind::Dropdown => texts.section,
    };
    html.lit("<details class=\"svc-switcher svc-popup\"")
        .attr("data-kind", level.kind.word())
        .lit("><summary>");
    html.lit("<span class=\"svc-visually-hidden\">")
        .esc(label)
        .lit(": </span>");
    if let Some(active) = level
        .items
        .iter()
        .find(|item| item.active)
        .or(level.items.first())
    {
        content(html, view, level.kind, active.node, false);
    }
    html.lit("</summary><ul class=\"svc-popup-list\">");
    for item in &level.items {
        let Some(href) = &item.href else { continue };
        html.lit("<li><a class=\"svc-popup-item\"").attr("href", &view.href(href));
        if item.active {
            html.lit(" aria-current=\"true\"");
        }
        html.lit(">");
        content(html, view, level.kind, item.node, true);
        html.lit("</a></li>");
    }
    html.lit("</ul></details>");
}

fn content(html: &mut Html, view: &View<'_>, kind: ElementKind, node: &NavNode, long: bool) {
    html.add(&view.icon(node.icon.as_ref())).lit("<span>");
    html.esc(if kind == ElementKind::Language {
        language_name(&node.key)
    } else {
        &node.name
    });
    if let Some(description) = node.description.as_deref().filter(|_| long) {
        html.lit("<small>").esc(description).lit("</small>");
    }
    html.lit("</span>");
    if let Some(tag) = &node.tag {
        html.lit("<span class=\"svc-pill\">")
            .esc(tag)
            .lit("</span>");
    }
}

/// A language's name in that language.
fn language_name(code: &str) -> &str {
    match code {
        "ar" => "العربية",
        "ca" => "Català",
        "cs" => "Čeština",
        "cn" | "zh" | "zh-Hans" | "zh-CN" => "简体中文",
        "zh-Hant" | "zh-TW" => "繁體中文",
        "da" => "Dansk",
        "nl" => "Nederlands",
        "en" => "English",
        "fi" => "Suomi",
        "fr" => "Français",
        "fr-CA" => "Français (Canada)",
        "de" => "Deutsch",
        "he" => "עברית",
        "hi" => "हिन्दी",
        "hu" => "Magyar",
        "id" => "Bahasa Indonesia",
        "it" => "Italiano",
        "jp" | "ja" | "ja-JP" => "日本語",
        "ko" => "한국어",
        "lv" => "Latviešu",
        "no" => "Norsk",
        "pl" => "Polski",
        "pt" => "Português",
        "pt-BR" => "Português (Brasil)",
        "ro" => "Română",
        "ru" => "Русский",
        "es" => "Español",
        "sv" => "Svenska",
        "tr" => "Türkçe",
        "uk" => "Українська",
        "uz" => "Oʻzbekcha",
        "vi" => "Tiếng Việt",
        code => code,
    }
}
