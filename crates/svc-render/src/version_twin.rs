//! Pages that are equal in two versions: search engines should find only one of them.

use svc_config::{Children, ElementKind, SiteConfig};
use svc_nav::{Route, RouteBody};
use svc_source::Page;

use crate::ctx::RenderContext;

/// The path of the page of the default branch with the same source, for a page of a version with a
/// `ref`. `None` if the source differs, if it imports files that differ, or for other pages.
pub fn default_version_path<'a>(cx: &RenderContext<'a>, route: &Route) -> Option<&'a str> {
    let page = page_of(cx, route)?;
    let mounts = cx.tree.mounts();
    let dir = mounts.root_of(&page.path);
    if dir.is_empty() || is_default(cx.config, dir) {
        return None;
    }
    let path = route.path.strip_prefix('/')?.strip_prefix(dir)?;
    let path = if path.is_empty() { "/" } else { path };
    cx.tree.record_page(path);
    let other = cx.site_map.routes.get(path)?;
    let twin = page_of(cx, other)?;
    let same = |one: &str, other: &str| {
        let (one, other) = (cx.tree.text(one), cx.tree.text(other));
        one.zip(other)
            .is_some_and(|(one, other)| one.text() == other.text())
    };
    let same_imports = || {
        page.imports.iter().all(|import| {
            let one = mounts.import(&page.path, &import.specifier);
            let other = mounts.import(&twin.path, &import.specifier);
            !cx.tree.contains(&one) && !cx.tree.contains(&other) || same(&one, &other)
        })
    };
    (same(&page.path, &twin.path) && same_imports()).then_some(&*other.path)
}

fn page_of<'a>(cx: &RenderContext<'a>, route: &Route) -> Option<&'a Page> {
    match &route.body {
        RouteBody::Page { slug } => cx.pages.get_exact(slug),
        RouteBody::Generated => None,
    }
}

/// Whether the version with files below `dir` is the default one.
fn is_default(config: &SiteConfig, dir: &str) -> bool {
    let Children::Elements(ElementKind::Version, versions) = &config.navigation.children else {
        return false;
    };
    let default = versions.iter().find(|version| version.default);
    let default = default.or_else(|| versions.first());
    default.is_some_and(|version| version.mount.as_deref() == Some(dir))
}
