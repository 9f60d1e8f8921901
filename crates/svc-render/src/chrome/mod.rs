//! The page around the text: one room per part, each with its template, style and script.

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

/// Styles of the parts, in the order of the page.
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

/// Scripts of the parts; each finds its own elements.
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

/// The script of pages that a writer previews: it follows what changes and shows what is wrong.
pub(crate) const PREVIEW_JS: &str = include_str!("preview/preview.js");

/// The script that runs before the first paint.
pub(crate) const EARLY_JS: &str = concat!(
    include_str!("theme_toggle/theme.js"),
    include_str!("sidebar/place.js")
);

/// What every part of the page sees.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) cx: &'a RenderContext<'a>,
    pub(crate) route: &'a Route,
    /// Ids that the text of the page uses.
    pub(crate) used_ids: &'a [String],
}

impl<'a> View<'a> {
    pub(crate) fn config(&self) -> &'a SiteConfig {
        self.cx.config
    }

    /// An address for `href`: paths of the site get the base path, script addresses become `#`.
    pub(crate) fn href(&self, target: &str) -> String {
        let is_page = |path: &str| self.cx.site_map.routes.contains_key(path);
        let target = match is_page(target) {
            true => printed_path(self.config(), target),
            false => printed_target(self.config(), target, is_page),
        };
        resolve_url(&self.cx.options.base_path, &target)
    }

    /// The address of a file of the repository, with its version.
    pub(crate) fn file(&self, path: &str) -> String {
        self.href(path) + &self.cx.options.metadata.fingerprint_query(path)
    }

    /// The day of the last change, as far as anybody knows it: `2026-03-05`.
    pub(crate) fn last_modified(&self) -> Option<String> {
        last_modified(self.cx, self.route)
    }

    /// Links that stand on every page: the site's, and those of the elements around the page.
    pub(crate) fn global_links(&self) -> impl Iterator<Item = &'a GlobalLink> {
        let map = self.cx.site_map;
        let around = map.nodes_on_trail(&self.route.path);
        let own = around.into_iter().flat_map(|node| &node.global);
        map.global.iter().chain(own).filter(|link| !link.hidden)
    }

    /// What the interface says, in the language of the page.
    pub(crate) fn texts(&self) -> &'static Messages {
        i18n::messages(self.route.language.as_deref())
    }

    /// The id of a part of the frame. Styles of real sites name these parts, so they have their
    /// names; only where a heading of the page has the same one, links mean the heading.
    pub(crate) fn id(&self, name: &str) -> String {
        let mut id = name.to_owned();
        while self.used_ids.contains(&id) {
            id.insert_str(0, "svc-");
        }
        id
    }

    /// The path of the page's Markdown twin, as addresses have it.
    pub(crate) fn markdown_path(&self) -> String {
        let path = if self.route.path == "/" {
            "/index"
        } else {
            &self.route.path
        };
        format!("{}.md", svc_source::encoded_path(path))
    }

    /// The address of the page's Markdown twin.
    pub(crate) fn markdown_url(&self) -> String {
        self.href(&self.markdown_path())
    }

    /// The address on the web of a path of the site, where the site knows its own.
    pub(crate) fn public_url(&self, path: &str) -> Option<String> {
        let options = &self.cx.options;
        crate::url::public_url(self.config(), &options.origin, &options.base_path, path)
    }

    /// An icon, or nothing.
    pub(crate) fn icon(&self, icon: Option<&Icon>) -> Html {
        icon.map_or_else(Html::new, |icon| crate::icons::site_icon(self.cx, icon))
    }
}

/// The day on which the page of a route was changed last, as far as anybody knows it: `2026-03-05`.
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

/// Whether a text begins with a day in the form of ISO 8601.
fn is_day(text: &str) -> bool {
    let form = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    let begin = text.as_bytes().get(..10);
    begin.is_some_and(|begin| begin.iter().copied().enumerate().all(form))
}

/// The mark of a link that leads away from the site.
pub(crate) fn external_mark() -> Html {
    let mut html = Html::literal("<span class=\"svc-external\" aria-hidden=\"true\">");
    let icon = crate::icons::render_icon("arrow-up-right", None, svc_config::IconLibrary::Lucide);
    html.add(&icon.unwrap_or_default()).lit("</span>");
    html
}

/// The direction in which a language is written.
pub(crate) fn direction(lang: &str) -> &'static str {
    if matches!(lang, "ar" | "he") {
        "rtl"
    } else {
        "ltr"
    }
}

/// The colour mode of a site as its pages name it.
pub(crate) const fn color_mode(config: &SiteConfig) -> &'static str {
    match (config.appearance.default, config.appearance.strict) {
        (ColorMode::System, _) => "system",
        (ColorMode::Light, false) => "light",
        (ColorMode::Dark, false) => "dark",
        (ColorMode::Light, true) => "strict-light",
        (ColorMode::Dark, true) => "strict-dark",
    }
}

/// The tag of BCP 47 for a language code of `docs.json`, where the two differ.
pub(crate) fn language_tag(code: &str) -> &str {
    match code {
        "cn" => "zh",
        "jp" => "ja",
        code => code,
    }
}

/// As [`View::href`], for any base path.
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

/// Percent-encodes what may not stand in a path; what is encoded already stays.
fn encode_path(path: &str) -> String {
    // Almost every address is plain, and a page has a thousand of them.
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

/// The parts that depend on an article.
pub(crate) struct Content<'a> {
    pub(crate) article: &'a Article,
}

#[cfg(test)]
mod tests {
    use super::resolve_url;

    #[test]
    fn script_addresses_do_not_pass() {
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
