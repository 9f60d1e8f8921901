//! The page frame: one module per part, each with its template, style sheet and script.

mod banner;
mod breadcrumbs;
mod contextual;
mod directory;
mod footer;
mod head;
mod hooks;
mod navbar;
mod pager;
mod related;
mod search;
mod shell;
mod sidebar;
mod switcher;
mod timestamp;
mod toc;

use svc_config::{ColorMode, Icon, SiteConfig};
use svc_nav::{GlobalLink, Route, RouteBody};

use crate::article::Article;
use crate::ctx::RenderContext;
use crate::html::Html;
use crate::i18n::{self, Messages};
use crate::url::{printed_path, printed_target};

pub use hooks::{STYLE_HOOKS, StyleHook};
pub use shell::scripts::inline_scripts;
pub(crate) use shell::{Page, document};

/// Style sheets of the parts, in the order of the page.
pub(crate) const CSS: &[&str] = &[
    include_str!("shell/shell.css"),
    include_str!("banner/banner.css"),
    include_str!("navbar/navbar.css"),
    include_str!("sidebar/sidebar.css"),
    include_str!("popup/popup.css"),
    include_str!("switcher/switcher.css"),
    include_str!("breadcrumbs/breadcrumbs.css"),
    include_str!("contextual/contextual.css"),
    include_str!("directory/directory.css"),
    include_str!("related/related.css"),
    include_str!("toc/toc.css"),
    include_str!("timestamp/timestamp.css"),
    include_str!("pager/pager.css"),
    include_str!("footer/footer.css"),
    include_str!("search/search.css"),
    include_str!("shell/side.css"),
    include_str!("shell/missing.css"),
    include_str!("shell/modes.css"),
];

/// Scripts of the parts; each one finds its own elements.
pub(crate) const JS: &[&str] = &[
    include_str!("theme_toggle/theme_toggle.js"),
    include_str!("navbar/navbar.js"),
    include_str!("popup/popup.js"),
    include_str!("sidebar/sidebar.js"),
    include_str!("contextual/contextual.js"),
    include_str!("prefetch/prefetch.js"),
    include_str!("shell/print.js"),
    include_str!("shell/jump.js"),
    include_str!("shell/missing.js"),
    include_str!("banner/banner.js"),
    include_str!("timestamp/timestamp.js"),
    include_str!("toc/toc.js"),
    include_str!("search/search.js"),
];

/// The script of the live preview: it reloads changed pages and shows diagnostics.
pub(crate) const PREVIEW_JS: &str = include_str!("preview/preview.js");

/// The script that runs before the first paint.
pub(crate) const EARLY_JS: &str = concat!(
    include_str!("theme_toggle/theme.js"),
    include_str!("sidebar/place.js")
);

/// Inputs of all parts of the page frame.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) cx: &'a RenderContext<'a>,
    pub(crate) route: &'a Route,
    /// Element ids in the article.
    pub(crate) used_ids: &'a [String],
}

impl<'a> View<'a> {
    pub(crate) fn config(&self) -> &'a SiteConfig {
        self.cx.config
    }

    /// The URL for `target`: paths of the site get the base path, URLs with a scheme that can run
    /// scripts become `#`.
    pub(crate) fn href(&self, target: &str) -> String {
        let is_page = |path: &str| self.cx.site_map.routes.contains_key(path);
        let target = match is_page(target) {
            true => printed_path(self.config(), target),
            false => printed_target(self.config(), target, is_page),
        };
        resolve_url(&self.cx.options.site.base_path, &target)
    }

    /// The URL of a file of the repository, with its fingerprint.
    pub(crate) fn file(&self, path: &str) -> String {
        self.href(path) + &self.cx.options.metadata.fingerprint_query(path)
    }

    /// The date of the last change, such as `2026-03-05`. `None` if it is unknown.
    pub(crate) fn last_modified(&self) -> Option<String> {
        last_modified(self.cx, self.route)
    }

    /// Links on every page: those of the site, and those of the navigation elements that contain
    /// the page.
    pub(crate) fn global_links(&self) -> impl Iterator<Item = &'a GlobalLink> {
        let map = self.cx.site_map;
        let nodes = map.nodes_on_trail(&self.route.path);
        let on_trail = nodes.into_iter().flat_map(|node| &node.global);
        map.global
            .iter()
            .chain(on_trail)
            .filter(|link| !link.hidden)
    }

    /// The texts of the interface in the language of the page.
    pub(crate) fn texts(&self) -> &'static Messages {
        i18n::messages(self.route.language.as_deref())
    }

    /// The element id of a part of the page frame. Style sheets of existing sites refer to these
    /// ids; only if a heading of the page has the same id, the part gets another one, so that links
    /// target the heading.
    pub(crate) fn id(&self, name: &str) -> String {
        let mut id = name.to_owned();
        while self.used_ids.contains(&id) {
            id.insert_str(0, "svc-");
        }
        id
    }

    /// The percent-encoded URL path of the page's Markdown version.
    pub(crate) fn markdown_path(&self) -> String {
        let path = if self.route.path == "/" {
            "/index"
        } else {
            &self.route.path
        };
        format!("{}.md", svc_source::encoded_path(path))
    }

    /// The URL of the page's Markdown version.
    pub(crate) fn markdown_url(&self) -> String {
        self.href(&self.markdown_path())
    }

    /// The absolute URL of a path of the site. `None` if the origin of the site is unknown.
    pub(crate) fn public_url(&self, path: &str) -> Option<String> {
        let options = &self.cx.options;
        crate::url::public_url(
            self.config(),
            &options.site.origin,
            &options.site.base_path,
            path,
        )
    }

    /// The HTML of an icon; empty without one.
    pub(crate) fn icon(&self, icon: Option<&Icon>) -> Html {
        icon.map_or_else(Html::new, |icon| crate::icons::site_icon(self.cx, icon))
    }
}

/// The date on which the page of a route was last changed, such as `2026-03-05`. `None` if it is
/// unknown.
pub fn last_modified(cx: &RenderContext<'_>, route: &Route) -> Option<String> {
    let RouteBody::Page { slug } = &route.body else {
        return None;
    };
    let page = cx.pages.get(slug)?;
    let own = page.front_matter.extra("lastUpdatedDate");
    let own = own
        .filter(|date| is_day(date))
        .map(|date| date[..10].to_owned());
    own.or_else(|| cx.options.metadata.dates.get(&*page.path).cloned())
}

/// Whether a text begins with an ISO 8601 date.
fn is_day(text: &str) -> bool {
    let form = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    let begin = text.as_bytes().get(..10);
    begin.is_some_and(|begin| begin.iter().copied().enumerate().all(form))
}

/// The icon of links to other sites.
pub(crate) fn external_mark() -> Html {
    let mut html = Html::literal("<span class=\"svc-external\" aria-hidden=\"true\">");
    let icon = crate::icons::render_icon("arrow-up-right", None, svc_config::IconLibrary::Lucide);
    html.add(&icon.unwrap_or_default()).lit("</span>");
    html
}

/// The value of the `dir` attribute for a language.
pub(crate) fn direction(lang: &str) -> &'static str {
    if matches!(lang, "ar" | "he") {
        "rtl"
    } else {
        "ltr"
    }
}

/// The color mode of a site as the pages encode it.
pub(crate) const fn color_mode(config: &SiteConfig) -> &'static str {
    match (config.appearance.default, config.appearance.strict) {
        (ColorMode::System, _) => "system",
        (ColorMode::Light, false) => "light",
        (ColorMode::Dark, false) => "dark",
        (ColorMode::Light, true) => "strict-light",
        (ColorMode::Dark, true) => "strict-dark",
    }
}

/// The BCP 47 tag for a language code of `docs.json`, where the two differ.
pub(crate) fn language_tag(code: &str) -> &str {
    match code {
        "cn" => "zh",
        "jp" => "ja",
        code => code,
    }
}

/// Like [`View::href`], for any base path.
pub(crate) fn resolve_url(base: &str, target: &str) -> String {
    let target = target.trim();
    if target.starts_with('/') && !target.starts_with("//") {
        return format!("{base}{}", encode_path(target));
    }
    let scheme: String = target
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .take(12)
        .collect();
    let scheme = scheme.to_ascii_lowercase();
    if ["https:", "http:", "mailto:", "tel:"]
        .iter()
        .any(|known| scheme.starts_with(known))
    {
        return target.to_owned();
    }
    match target.find(':') {
        Some(colon) if !target[..colon].contains(['/', '#', '?']) => "#".to_owned(),
        _ if target.starts_with(['#', '?']) || target.starts_with("//") => target.to_owned(),
        _ => format!("{base}/{}", encode_path(target.trim_start_matches("./"))),
    }
}

/// Percent-encodes characters that are invalid in a path; existing escapes are left unchanged.
fn encode_path(path: &str) -> String {
    // Fast path: almost all URLs are plain, and a page has a thousand of them.
    let plain = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\{}".contains(&byte);
    if path.bytes().all(plain) {
        return path.to_owned();
    }
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '"' => out.push_str("%22"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            '{' => out.push_str("%7B"),
            '}' => out.push_str("%7D"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Inputs of the parts that depend on an article.
pub(crate) struct Content<'a> {
    pub(crate) article: &'a Article,
}

#[cfg(test)]
mod tests {
    use super::resolve_url;

    #[test]
    fn script_urls_are_replaced() {
        for bad in [
            "javascript:alert(1)",
            " JaVaScRiPt:x",
            "java\nscript:x",
            "data:text/html,x",
        ] {
            assert_eq!(resolve_url("", bad), "#", "{bad}");
        }
        assert_eq!(resolve_url("/docs", "/a b"), "/docs/a%20b");
        assert_eq!(resolve_url("/docs", "changelog"), "/docs/changelog");
        assert_eq!(
            resolve_url("", "https://example.com/?a=b:c"),
            "https://example.com/?a=b:c"
        );
        assert_eq!(resolve_url("", "#part:one"), "#part:one");
    }
}
