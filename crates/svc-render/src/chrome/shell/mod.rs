//! The HTML document: head, page frame and all parts.

pub(crate) mod scripts;

use askama::Template;
use svc_source::Mode;

use self::scripts::PageScript;
use super::{
    Page, View, banner, breadcrumbs, color_mode, contextual, directory, footer, head, navbar,
    outdated, pager, related, search, sidebar, switcher, timestamp, toc,
};
use crate::article::content::Article;
use crate::assets::names;
use crate::html::Html;
use crate::i18n::Messages;
use crate::integrations::Integrations;
use crate::language::{direction, language_tag};
use crate::themes;
use crate::themes::site_css::site_css;

/// Confines the content of pages to its area on sites whose pages must not change the page frame,
/// such as with fixed positions or negative margins.
const CONTAINMENT_CSS: &str =
    ".mdx-content{contain:layout;overflow:clip;overflow-clip-margin:1rem}";

#[derive(Template)]
#[template(path = "chrome/shell/shell.html")]
struct Shell<'a> {
    view: &'a View<'a>,
    texts: &'static Messages,
    lang: &'a str,
    dir: &'static str,
    side: bool,
    has_tabs: bool,
    has_aside: bool,
    mode: &'static str,
    path: &'a str,
    theme: &'static str,
    color_mode: &'static str,
    title: String,
    head: Html,
    asset_base: String,
    theme_script: &'a str,
    /// The inline script that runs before the first paint.
    early: Option<Html>,
    stylesheet: &'a str,
    modules: Vec<&'a str>,
    scripts: Vec<PageScript>,
    /// The inline script that loads the others, if they have no tags.
    loader: Option<Html>,
    site_css: Html,
    utilities: Html,
    styles: Vec<String>,
    /// Style sheet of the consent dialog.
    consent_stylesheet: Option<&'static str>,
    /// The consent dialog.
    consent: Html,
    /// What the services of other companies need.
    services: Html,
    markdown: Option<String>,
    /// The list of all pages for agents, which often read only the beginning of a page.
    index: Option<String>,
    feed: Option<String>,
    feed_button: bool,
    feed_icon: Html,
    banner_key: Option<String>,
    banner: Html,
    navbar: Html,
    side_head: Html,
    side_foot: Html,
    switchers: Html,
    anchors: Html,
    sidebar: Html,
    show_header: bool,
    hidden_title: bool,
    eyebrow: Html,
    heading: &'a str,
    deprecated: bool,
    version: Option<&'a str>,
    page_menu: Html,
    lead: Html,
    outdated: Html,
    article: Html,
    directory: Html,
    related: Html,
    timestamp: Html,
    pager: Html,
    footer: Html,
    contents: Html,
    toc: Html,
    search: Html,
}

/// The version of the page or of a navigation element that contains it. `None` when a version menu
/// already shows it.
fn version<'a>(view: &View<'a>) -> Option<&'a str> {
    let nodes = view.cx.site_map.nodes_on_trail(&view.route.path);
    let chosen = |node: &&svc_nav::NavNode| {
        node.element() == Some(svc_config::ElementKind::Version)
            && Some(&node.name) == view.route.version.as_ref()
    };
    let own = view.route.version.as_deref();
    own.filter(|version| !version.is_empty() && !nodes.iter().any(chosen))
}

/// The article; a local preview adds a note to a protected page, and blocks of which changes are
/// marked are numbered.
fn with_mark(view: &View<'_>, page: &Page<'_>, article: &Html) -> Html {
    if page.is_route && view.cx.options.site.change_marks {
        return crate::content_blocks::number_blocks(article);
    }
    if !view.cx.options.site.dev || !view.route.protected {
        return article.clone();
    }
    let text = Html::literal(
        "<p data-svc-protected><strong>Protected page.</strong> Only readers who sign in can access it. This preview shows it to everybody.</p>",
    );
    let mut html = crate::ui::ready_callout(view.texts(), "warning", &text);
    html.add(article);
    html
}

/// The HTML document of a page.
pub(crate) fn document(view: &View<'_>, page: &Page<'_>, article: &Article) -> String {
    let config = view.config();
    let options = view.cx.options;
    let frame = view.cx.site_map.chrome(config, &view.route.path);
    let lang = language_tag(view.route.language.as_deref().unwrap_or("en"));
    let levels = view.cx.site_map.divisions(&view.route.path);
    let tabs = navbar::tabs(view, &levels);
    let bare = matches!(page.mode, Mode::Custom | Mode::Center);
    let plain = page.mode == Mode::Default;
    let headless = matches!(page.mode, Mode::Custom | Mode::Frame);
    let sidebar = sidebar::render(view);
    let switchers = switcher::render(view, &levels);
    // Without a sidebar the menus are in the header.
    let menus = if bare { switchers.clone() } else { Html::new() };
    let bar = navbar::bar(view, frame.navbar, tabs, menus, !sidebar.is_empty());
    let names = names(config.theme);
    let inline = scripts::inline(view.cx, article, page.is_route);
    let services = page
        .is_route
        .then(|| Integrations::new(config, &options.site));
    let services = services.as_ref();
    let side = themes::definition(config.theme).shell == themes::ShellLayout::Side;
    let texts = view.texts();
    let menu = contextual::menu(view).filter(|_| page.has_markdown);
    // The page renders everything except the header itself.
    let blank = page.mode == Mode::Custom;
    let shell = Shell {
        view,
        texts,
        lang,
        dir: direction(lang),
        side: side && !bare && !sidebar.is_empty(),
        has_tabs: bar.has_tabs(),
        has_aside: article.features.aside,
        mode: match page.mode {
            Mode::Default => "default",
            Mode::Wide => "wide",
            Mode::Custom => "custom",
            Mode::Frame => "frame",
            Mode::Center => "center",
        },
        path: &view.route.path,
        theme: config.theme.name(),
        color_mode: color_mode(config),
        title: if page.title == config.name {
            config.name.clone()
        } else {
            format!("{} - {}", page.title, config.name)
        },
        head: head::render(view, page),
        asset_base: format!("{}/_svc/assets/", options.site.base_path),
        theme_script: &names.early,
        early: inline.as_ref().map(|inline| inline.early.clone()),
        stylesheet: &names.css,
        modules: article.modules.keys().map(String::as_str).collect(),
        scripts: scripts::of_page(view.cx, article, page.is_route),
        loader: inline.map(|inline| inline.loader),
        site_css: Html::trusted(
            site_css(config, options)
                + if options.site.without_scripts {
                    CONTAINMENT_CSS
                } else {
                    ""
                }
                + &crate::markdown::site_palette(
                    config,
                    view.cx.highlighter,
                    article.features.code_themes.iter(),
                ),
        ),
        utilities: Html::trusted(crate::tailwind::css(
            article.html.as_str(),
            &article.module_strings,
            config,
        )),
        styles: options.styles.iter().map(|path| view.file(path)).collect(),
        consent_stylesheet: services.and_then(Integrations::stylesheet),
        consent: services.map_or_else(Html::new, |services| services.dialog(texts)),
        services: services.map_or_else(Html::new, Integrations::block),
        markdown: page.has_markdown.then(|| view.markdown_url()),
        // Sites that must not be indexed have no list.
        index: (!config.seo.is_noindex()).then(|| view.public_url_or_path("/llms.txt")),
        feed: article.features.feed.then(|| {
            view.href(&format!(
                "{}/rss.xml",
                view.route.path.trim_end_matches('/')
            ))
        }),
        feed_button: article.features.feed_button,
        feed_icon: crate::icons::render_icon("rss", None, svc_config::IconLibrary::Lucide)
            .unwrap_or_default(),
        banner_key: banner::key(frame.banner),
        banner: banner::render(view, frame.banner),
        navbar: bar.header(),
        side_head: bar.side_head(side),
        side_foot: bar.side_foot(),
        switchers,
        anchors: sidebar::anchors(view, &levels),
        sidebar,
        show_header: !headless,
        // A page without a title of its own keeps a hidden one for screen readers.
        hidden_title: headless && !article.html.as_str().contains("<h1"),
        eyebrow: page.status.map_or_else(
            || breadcrumbs::render(view),
            |status| {
                let mut html = Html::literal("<p class=\"eyebrow not-found-status-code\">");
                html.esc(status).lit("</p>");
                html
            },
        ),
        version: version(view),
        heading: page.title,
        deprecated: view.route.deprecated,
        page_menu: menu
            .as_ref()
            .map(|menu| contextual::header(view, menu))
            .unwrap_or_default(),
        lead: if view.route.operation.is_some() {
            crate::api::description(view.cx, texts, view.route).0
        } else {
            let text = page.description.map(crate::markdown::plain_inline);
            text.unwrap_or_default()
        },
        outdated: outdated::render(view, page),
        article: with_mark(view, page, &article.html),
        timestamp: timestamp::render(view, page),
        directory: directory::render(view),
        related: related::render(view),
        pager: if headless {
            Html::new()
        } else {
            pager::render(view)
        },
        footer: if blank {
            Html::new()
        } else {
            footer::render(
                view,
                frame.footer,
                services.map_or_else(Html::new, |services| services.privacy_button(texts)),
            )
        },
        contents: if plain && (!article.features.aside || article.toc.len() > 1) {
            toc::small(view, article)
        } else {
            Html::new()
        },
        toc: if plain && !article.features.aside {
            let list = menu.as_ref().map(|menu| contextual::list(view, menu));
            toc::render(view, article, list.unwrap_or_default())
        } else {
            Html::new()
        },
        search: search::render(view),
    };
    // Rendering to a String fails only on a formatter error, which no field raises.
    crate::icons::with_sprite(shell.render().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use crate::testing::document;

    /// The text of the version label next to the title.
    fn version(navigation: &str, own: &str) -> Option<String> {
        let site = format!(
            "//- /docs.json\n{{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#112233\"}}, \"navigation\": {navigation}}}\n//- /a.mdx\n---\ntitle: A\n{own}---\nText\n"
        );
        let html = document(&site, "/a");
        let (_, rest) = html.split_once("svc-pill-version\">")?;
        let (pill, _) = rest.split_once("</h1>")?;
        let text = crate::Html::trusted(pill.to_owned()).to_text();
        Some(text.trim().to_owned())
    }

    #[test]
    fn the_version_label_is_shown_unless_a_menu_shows_it() {
        let pages = r#"{"pages": ["a"]}"#;
        let anchor = r#"{"anchors": [{"anchor": "X", "version": "2.1", "pages": ["a"]}]}"#;
        let versions = r#"{"versions": [{"version": "2.1", "pages": ["a"]}]}"#;
        let shown = |text: &str| Some(text.to_owned());
        assert_eq!(version(pages, ""), None);
        assert_eq!(version(pages, "version: 3\n"), shown("Version: 3"));
        assert_eq!(version(anchor, ""), shown("Version: 2.1"));
        assert_eq!(
            version(anchor, "version: \"3 <b>\"\n"),
            shown("Version: 3 &#60;b&#62;")
        );
        assert_eq!(version(versions, ""), None);
        assert_eq!(version(versions, "version: 3\n"), shown("Version: 3"));
    }
}
