//! Inputs that all parts of the page frame share.

use svc_config::{ColorMode, Icon, SiteConfig};
use svc_nav::{GlobalLink, Route, RouteBody};

use super::page::Page;
use crate::ctx::RenderContext;
use crate::html::Html;
use crate::i18n::{self, Messages};
use crate::icons;
use crate::url::{printed_path, printed_target, public_url, resolve_url};
use crate::version_twin::default_version_path;

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
        let options = self.cx.options;
        public_url(
            self.config(),
            &options.site.origin,
            &options.site.base_path,
            path,
        )
    }

    /// Like [`Self::public_url`], or the path if the origin of the site is unknown.
    pub(crate) fn public_url_or_path(&self, path: &str) -> String {
        self.public_url(path)
            .unwrap_or_else(|| resolve_url(&self.cx.options.site.base_path, path))
    }

    /// The canonical URL of the page. `None` for built-in pages and if the origin of the site is
    /// unknown.
    pub(crate) fn canonical_url(&self, page: &Page<'_>) -> Option<String> {
        if !page.is_route {
            return None;
        }
        let own = page
            .front_matter
            .and_then(|matter| matter.canonical.as_deref());
        match own.map(str::trim).filter(|own| !own.is_empty()) {
            Some(own) if own.starts_with('/') => self.public_url(own),
            Some(own) => Some(own.to_owned()),
            None => {
                let path = default_version_path(self.cx, self.route);
                let path = path.unwrap_or(&self.route.path);
                self.public_url(&printed_path(self.config(), path))
            }
        }
    }

    /// A path in the front matter of the page, relative to the root of the site.
    pub(crate) fn below_root(&self, path: &str) -> String {
        let mounts = self.cx.tree.mounts();
        match mounts.root_of(self.route.path.trim_start_matches('/')) {
            "" => path.to_owned(),
            root => format!("/{root}{path}"),
        }
    }

    /// The HTML of an icon; empty without one.
    pub(crate) fn icon(&self, icon: Option<&Icon>) -> Html {
        icon.map_or_else(Html::new, |icon| icons::site_icon(self.cx, icon))
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
pub(super) fn is_day(text: &str) -> bool {
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
    let icon = icons::render_icon("arrow-up-right", None, svc_config::IconLibrary::Lucide);
    html.add(&icon.unwrap_or_default()).lit("</span>");
    html
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
