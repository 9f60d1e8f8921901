//! The header: logo, search, links, mode toggle, and the tabs below.

mod tabs;

use askama::Template;
use svc_config::{ElementKind, Icon, Navbar, PrimaryKind};
use svc_data::percent;
use svc_nav::Audience;

use super::{View, search};
use crate::html::Html;
use crate::i18n::Messages;
use crate::sign_in::SIGN_IN_PATH;
use crate::site_metadata::{format_count, repository_slug};

pub(super) use tabs::{TabView, tabs};

/// Contents of the header, wherever the theme shows them.
pub(super) struct NavbarView<'a> {
    view: View<'a>,
    texts: &'static Messages,
    has_menu: bool,
    home: String,
    logo: Option<(Logo, Logo)>,
    /// Menus of pages without a sidebar.
    menus: Html,
    name: &'a str,
    initial: String,
    prompt: &'a str,
    links: Vec<LinkView>,
    primary: Option<LinkView>,
    toggle: bool,
    tabs: Vec<TabView>,
    /// The icon of links to other sites.
    external: Html,
}

#[derive(Template)]
#[template(path = "chrome/navbar/navbar.html")]
struct Header<'a> {
    bar: &'a NavbarView<'a>,
}

#[derive(Template)]
#[template(path = "chrome/navbar/side_head.html")]
struct SideHead<'a> {
    bar: &'a NavbarView<'a>,
    side: bool,
}

#[derive(Template)]
#[template(path = "chrome/navbar/side_foot.html")]
struct SideFoot<'a> {
    bar: &'a NavbarView<'a>,
}

impl NavbarView<'_> {
    /// Whether the header has a row of tabs.
    pub(super) fn has_tabs(&self) -> bool {
        !self.tabs.is_empty()
    }

    /// Whether the site is exported, so that only scripts search.
    pub(super) fn is_exported(&self) -> bool {
        self.view.cx.options.site.export
    }

    /// The header above the page; in narrow windows all themes show it.
    pub(super) fn header(&self) -> Html {
        // Rendering to a String fails only on a formatter error, which no field raises.
        Html::trusted(Header { bar: self }.render().unwrap_or_default())
    }

    /// Logo and search above the pages in the drawer; with `side` also the color mode toggle, above
    /// the pages in the sidebar.
    pub(super) fn side_head(&self, side: bool) -> Html {
        Html::trusted(SideHead { bar: self, side }.render().unwrap_or_default())
    }

    /// The links below the pages in the sidebar or drawer.
    pub(super) fn side_foot(&self) -> Html {
        if self.links.is_empty() && self.primary.is_none() {
            return Html::new();
        }
        Html::trusted(SideFoot { bar: self }.render().unwrap_or_default())
    }
}

struct LinkView {
    href: String,
    icon: Html,
    label: String,
    /// Formatted number of stars of the linked GitHub repository.
    stars: Option<String>,
}

/// The logo of one color mode.
#[derive(PartialEq)]
struct Logo {
    src: String,
    /// Width and height of the image, if known.
    size: Option<(u32, u32)>,
}

impl LinkView {
    /// The accessible name of a link that is only an icon: its host.
    fn name(&self) -> Option<&str> {
        let blank = self.label.trim().is_empty();
        let host = self
            .href
            .split_once("://")
            .map_or(&*self.href, |(_, rest)| {
                rest.split(['/', '?', '#']).next().unwrap_or(rest)
            });
        blank.then_some(host)
    }
}

/// The link to sign in or out. The page at its end says who has signed in.
fn account(view: &View<'_>) -> Option<LinkView> {
    let site = &view.cx.options.site;
    let label = match site.audience {
        Audience::Everyone if site.sign_in => view.texts().sign_in,
        Audience::Members(_) if site.sign_in => view.texts().sign_out,
        _ => return None,
    };
    let path = view.href(&view.route.path);
    let next = percent::encode(&path, percent::URI_COMPONENT);
    Some(LinkView {
        stars: None,
        href: format!("{}?next={next}", view.href(SIGN_IN_PATH)),
        icon: Html::new(),
        label: label.to_owned(),
    })
}

/// Collects the contents of the header for a page.
pub(super) fn bar<'a>(
    view: &View<'a>,
    navbar: &Navbar,
    tabs: Vec<TabView>,
    menus: Html,
    has_menu: bool,
) -> NavbarView<'a> {
    let config = view.config();
    // A link that this reader cannot follow is not shown.
    let withheld = &view.cx.site_map.withheld;
    let links = navbar.links.iter();
    let links = links.filter(|link| !withheld.has_page(&link.href));
    let links = links.map(|link| {
        let kind_icon = link
            .kind
            .as_deref()
            .filter(|kind| matches!(*kind, "github" | "discord"));
        let brand = kind_icon.map(brand);
        let label = link
            .label
            .clone()
            .unwrap_or_else(|| kind_label(link.kind.as_deref()));
        let known = repository_slug(&link.href).filter(|_| kind_icon == Some("github"));
        let known = known.and_then(|slug| view.cx.options.metadata.repositories.get(&slug));
        LinkView {
            stars: known.map(|known| format_count(known.stars)),
            href: view.href(&link.href),
            icon: view.icon(link.icon.as_ref().or(brand.as_ref())),
            label,
        }
    });
    let primary = navbar.primary.as_ref();
    let primary = primary.filter(|primary| !withheld.has_page(&primary.href));
    let primary = primary.map(|primary| LinkView {
        stars: None,
        href: view.href(&primary.href),
        icon: if primary.kind == PrimaryKind::Button {
            Html::new()
        } else {
            view.icon(Some(&brand(primary.kind.name())))
        },
        label: primary
            .label
            .clone()
            .unwrap_or_else(|| kind_label(Some(primary.kind.name()))),
    });
    let home = config.logo.as_ref().and_then(|logo| logo.href.clone());
    let home = home.unwrap_or_else(|| home_of(view));
    NavbarView {
        view: *view,
        texts: view.texts(),
        has_menu,
        home: view.href(&home),
        logo: config
            .logo
            .as_ref()
            .map(|logo| (&logo.light, &logo.dark))
            .filter(|(light, dark)| [light, dark].iter().all(|path| is_available(view, path)))
            .map(|(light, dark)| {
                let logo = |path: &str| {
                    let file = path.trim_start_matches("./").trim_start_matches('/');
                    Logo {
                        src: view.href(path) + &view.cx.options.metadata.fingerprint_query(file),
                        size: view.cx.tree.image_size(file),
                    }
                };
                (logo(light), logo(dark))
            }),
        name: &config.name,
        initial: config
            .name
            .chars()
            .next()
            .map(String::from)
            .unwrap_or_default(),
        prompt: search::prompt(view),
        links: links.chain(account(view)).collect(),
        menus,
        primary,
        toggle: !config.appearance.strict,
        tabs,
        external: super::external_mark(),
    }
}

/// Whether a logo can be shown: it is a URL or a file of the repository.
fn is_available(view: &View<'_>, path: &str) -> bool {
    path.contains("://")
        || view
            .cx
            .tree
            .contains(path.trim_start_matches("./").trim_start_matches('/'))
}

/// The target of the logo: the first page of the language, or the home page.
fn home_of(view: &View<'_>) -> String {
    let nodes = view.cx.site_map.nodes_on_trail(&view.route.path);
    let language = nodes
        .into_iter()
        .find(|node| node.element() == Some(ElementKind::Language));
    let first = language.and_then(|node| node.target());
    first.unwrap_or("/").to_owned()
}

fn brand(name: &str) -> Icon {
    Icon {
        name: name.to_owned(),
        style: Some("brands".to_owned()),
        library: Some("fontawesome".to_owned()),
    }
}

fn kind_label(kind: Option<&str>) -> String {
    match kind {
        Some("github") => "GitHub".to_owned(),
        Some("discord") => "Discord".to_owned(),
        _ => String::new(),
    }
}
