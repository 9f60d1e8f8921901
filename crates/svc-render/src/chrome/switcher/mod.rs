//! Menus for languages, products, versions and dropdowns above the sidebar.

use std::sync::OnceLock;

use svc_config::{ElementKind, Icon};
use svc_nav::{Division, DivisionLevel};

use super::View;
use crate::assets::ProgramAsset;
use crate::assets::asset::script;
use crate::html::Html;
use crate::language::language_tag;

/// An entry of a menu.
struct Choice<'a> {
    name: &'a str,
    icon: Option<&'a Icon>,
    tag: Option<&'a str>,
    about: Option<&'a str>,
    /// The language of the name and of the target.
    lang: Option<&'a str>,
    /// Code of a language of the site, which scripts remember when a reader selects it.
    code: Option<&'a str>,
    href: Option<String>,
    active: bool,
}

/// The script of the start page of an exported site in several languages, which needs the attributes
/// `data-base`, the base path, and `data-languages`, codes and URL paths of start pages
/// (`en=/ de=/de`), the first of which is that of the page itself. Servers do not have it.
pub fn start_script() -> &'static ProgramAsset {
    static ASSET: OnceLock<ProgramAsset> = OnceLock::new();
    ASSET.get_or_init(|| script("start", include_str!("start.js").to_owned()))
}

pub(super) fn render(view: &View<'_>, levels: &[DivisionLevel<'_>]) -> Html {
    let mut html = Html::new();
    let row = levels
        .iter()
        .position(|level| level.kind == ElementKind::Tab);
    let mut kinds = Vec::new();
    for (at, level) in levels.iter().enumerate() {
        // The outermost tabs and their items are in the header, anchors above the pages.
        let elsewhere = match level.kind {
            ElementKind::Tab => row == Some(at),
            ElementKind::MenuItem => at > 0 && row == Some(at - 1),
            ElementKind::Anchor => true,
            _ => false,
        };
        if elsewhere {
            continue;
        }
        let own = |item| division_choice(view, item);
        let mut choices: Vec<Choice<'_>> = level.items.iter().map(own).collect();
        // Global links are in the outermost menu of their kind.
        if !kinds.contains(&level.kind) {
            kinds.push(level.kind);
            choices.extend(global_choices(view, level.kind));
        }
        menu(&mut html, view, level.kind, &choices);
    }
    for kind in [
        ElementKind::Language,
        ElementKind::Product,
        ElementKind::Version,
        ElementKind::Dropdown,
    ] {
        if !kinds.contains(&kind) {
            let choices: Vec<Choice<'_>> = global_choices(view, kind).collect();
            menu(&mut html, view, kind, &choices);
        }
    }
    html
}

fn division_choice<'a>(view: &View<'_>, item: &'a Division<'_>) -> Choice<'a> {
    let node = item.node;
    let kind = node.element();
    // Selecting the current language or version stays on the page.
    let stays = matches!(kind, Some(ElementKind::Language | ElementKind::Version));
    let language = kind == Some(ElementKind::Language);
    Choice {
        name: if language {
            language_name(&node.key)
        } else {
            &node.name
        },
        icon: node.icon.as_ref(),
        tag: node.tag.as_deref(),
        about: node.description.as_deref(),
        lang: language.then(|| language_tag(&node.key)),
        code: (language && view.config().i18n.detect).then_some(&*node.key),
        href: if item.active && stays {
            Some(view.route.path.clone())
        } else {
            item.href.clone()
        },
        active: item.active,
    }
}

fn global_choices<'a>(view: &View<'a>, kind: ElementKind) -> impl Iterator<Item = Choice<'a>> {
    view.global_links()
        .filter(move |link| link.kind == kind)
        .map(move |link| {
            let language = kind == ElementKind::Language;
            Choice {
                name: if language {
                    language_name(&link.name)
                } else {
                    &link.name
                },
                icon: link.icon.as_ref(),
                tag: link.tag.as_deref(),
                about: link.description.as_deref(),
                lang: language.then(|| language_tag(&link.name)),
                code: None,
                href: Some(link.href.clone()),
                active: false,
            }
        })
}

fn menu(html: &mut Html, view: &View<'_>, kind: ElementKind, choices: &[Choice<'_>]) {
    // A single entry needs no menu, unless it links to another site.
    let active = choices.iter().find(|choice| choice.active);
    if choices.is_empty() || (choices.len() == 1 && active.is_some()) {
        return;
    }
    let texts = view.texts();
    let label = match kind {
        ElementKind::Language => texts.language,
        ElementKind::Version => texts.version,
        ElementKind::Product => texts.product,
        ElementKind::Tab => texts.sections,
        ElementKind::Group
        | ElementKind::MenuItem
        | ElementKind::Anchor
        | ElementKind::Dropdown => texts.section,
    };
    // Style sheets of existing sites use these class names.
    let names = match kind {
        ElementKind::Language => "localization-select",
        ElementKind::Product => "nav-dropdown-products-selector",
        _ => "nav-dropdown",
    };
    html.lit("<details class=\"svc-switcher svc-popup\"")
        .attr("data-kind", kind.as_str())
        .lit("><summary")
        .attr("class", &format!("{names}-trigger"))
        .lit(">");
    html.lit("<span class=\"svc-visually-hidden\">")
        .esc(label)
        .lit(": </span>");
    match active.or_else(|| choices.first().filter(|_| choices.len() > 1)) {
        Some(choice) => content(html, view, choice, None),
        None => {
            html.lit("<span>").esc(label).lit("</span>");
        }
    }
    html.lit("</summary><ul")
        .attr("class", &format!("svc-popup-list {names}-content"));
    if choices.iter().any(|choice| choice.code.is_some()) {
        html.attr("data-base", &view.cx.options.site.base_path);
    }
    html.lit(">");
    for choice in choices {
        let Some(href) = &choice.href else { continue };
        html.lit("<li")
            .attr_if("data-svc-language", choice.code)
            .lit("><a")
            .attr("class", &format!("svc-popup-item {names}-item"))
            .attr("href", &view.href(href))
            .attr_if("hreflang", choice.lang);
        if choice.active {
            html.lit(" aria-current=\"true\" data-active=\"true\"");
        }
        html.lit(">");
        content(html, view, choice, Some(names));
        if href.contains("://") {
            html.add(&super::external_mark());
        }
        html.lit("</a></li>");
    }
    html.lit("</ul></details>");
}

/// Contents of an entry; with class names, in the list, it includes the description.
fn content(html: &mut Html, view: &View<'_>, choice: &Choice<'_>, names: Option<&str>) {
    let icon = view.icon(choice.icon);
    let class = |part: &str| names.map(|names| format!("{names}-item-{part}"));
    match class("icon").filter(|_| !icon.is_empty()) {
        Some(class) => {
            html.lit("<span")
                .attr("class", &format!("svc-popup-icon {class}"));
            html.lit(">").add(&icon).lit("</span>");
        }
        None => {
            html.add(&icon);
        }
    }
    html.lit("<span")
        .attr_if("class", class("title").as_deref());
    html.attr_if("lang", choice.lang);
    html.lit(">").esc(choice.name);
    if let Some(about) = choice.about.filter(|about| !about.is_empty())
        && let Some(class) = class("description")
    {
        html.lit("<small").attr("class", &class);
        html.lit(">").esc(about).lit("</small>");
    }
    html.lit("</span>");
    if let Some(tag) = choice.tag {
        html.lit("<span class=\"svc-pill nav-tag-pill\">")
            .esc(tag)
            .lit("</span>");
    }
}

/// The name of a language in that language.
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

#[cfg(test)]
mod tests {
    use crate::testing::document;

    const SITE: &str = r##"
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {
  "global": {"versions": [{"version": "0.9", "href": "https://old.x.org"}]},
  "languages": [
    {"language": "en", "versions": [{"version": "2", "tag": "Latest", "pages": ["start", "more"]}, {"version": "1", "pages": ["v1/start"]}]},
    {"language": "cn", "pages": ["cn/start", "cn/more"]}]}}
//- /start.mdx
//- /more.mdx
//- /v1/start.mdx
//- /cn/start.mdx
//- /cn/more.mdx
"##;

    #[test]
    fn menu_entries_link_to_the_matching_page() {
        let html = document(SITE, "/more");
        for part in [
            "<a class=\"svc-popup-item localization-select-item\" href=\"/more\" hreflang=\"en\" aria-current=\"true\" data-active=\"true\">",
            "<a class=\"svc-popup-item localization-select-item\" href=\"/cn/more\" hreflang=\"zh\"><span class=\"localization-select-item-title\" lang=\"zh\">简体中文</span>",
            "<a class=\"svc-popup-item nav-dropdown-item\" href=\"/more\" aria-current=\"true\" data-active=\"true\"><span class=\"nav-dropdown-item-title\">2</span><span class=\"svc-pill nav-tag-pill\">Latest</span>",
            // The older version does not have this page.
            "<a class=\"svc-popup-item nav-dropdown-item\" href=\"/v1/start\"><span class=\"nav-dropdown-item-title\">1</span>",
            "href=\"https://old.x.org\"><span class=\"nav-dropdown-item-title\">0.9</span>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(html.contains("data-base=\"\"><li data-svc-language=\"en\"><a "));
        assert!(
            html.contains("<a class=\"svc-logo\" href=\"/start\">"),
            "the first page of the language"
        );
        assert!(document(SITE, "/cn/more").contains("<a class=\"svc-logo\" href=\"/cn/start\">"));
    }
}
