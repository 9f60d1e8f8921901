//! Link checks: internal links and redirects whose target does not exist.

use std::collections::BTreeMap;

use svc_data::percent::decode_lossy;
use svc_diagnostics::{
    Diagnostic, Fix, Location, did_you_mean, is_shortened_path, is_typing_error,
};
use svc_nav::Route;
use svc_render::{PageLink, locate_in_document};

use crate::codes::{BROKEN_FRAGMENT, BROKEN_LINK, UNSERVED_FILE};
use crate::file_types::can_be_served;
use crate::{Resource, Site, redirect_links, versions};

/// Codes of diagnostics about links, anchors, files, redirects and snippets that lead nowhere.
pub const LINK_CODES: &[&str] = &[
    "link-broken",
    "link-fragment",
    "link-file",
    "redirect-broken",
    "nav-missing-page",
    "config-file-missing",
    "import-missing",
];

/// Maximum number of broken links for which a similar path is searched; the search is expensive.
const MAX_GUESSES: usize = 200;
/// Maximum number of redirects that are followed for a link. More are a loop.
const MAX_REDIRECTS: usize = 8;

/// Checks the links of all pages, rendering those that have not been rendered. A broken link in a
/// snippet appears once per page that includes the snippet;
/// [`sort_diagnostics`](crate::diagnostics::sort_diagnostics) removes the duplicates.
pub(crate) fn check(site: &Site, threads: usize) -> Vec<Diagnostic> {
    site.summarize_all(threads);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut guesses = 0;
    for (index, route) in site.map.routes.values().enumerate() {
        let Some(summary) = site.summary(index) else {
            continue;
        };
        diagnostics.extend(
            summary
                .links
                .iter()
                .filter_map(|link| check_link(site, route, link, &mut guesses)),
        );
    }
    diagnostics.extend(redirect_links::check(site, &mut guesses));
    diagnostics
}

/// Links of all pages to other sites, by their URLs without fragments.
pub(crate) fn external(site: &Site, threads: usize) -> BTreeMap<String, Vec<Location>> {
    site.summarize_all(threads);
    let mut links: BTreeMap<String, Vec<Location>> = BTreeMap::new();
    for index in 0..site.map.routes.len() {
        let summary = site.summary(index);
        let all = summary.iter().flat_map(|summary| summary.links.iter());
        for link in all.filter(|link| link.is_external()) {
            let url = link.href.split('#').next().unwrap_or_default();
            let locations = links.entry(url.to_owned()).or_default();
            let location = location(site, link);
            // A snippet is in several pages.
            if !locations.contains(&location) {
                locations.push(location);
            }
        }
    }
    links
}

/// Replaces a part of the URL of a link. `None` for links in descriptions of OpenAPI documents and
/// for URLs that are not written as they are resolved.
fn link_fix(site: &Site, link: &PageLink, old: &str, new: &str) -> Option<Fix> {
    let file = site.tree.text(link.file.path())?;
    if file.text() != link.file.text() {
        return None;
    }
    // The text of a link can contain its URL.
    let before = ["](", "](./", "=\"", "=\"./", "='", "]: ", ""].into_iter();
    let mut fixes = before.filter_map(|before| {
        let whole = |url: &str| format!("{before}{url}");
        Fix::replace(file, link.span, &whole(old), &whole(new))
    });
    Some(Fix {
        title: format!("write `{new}`"),
        ..fixes.next()?
    })
}

/// Removes trailing slashes, except from the root.
pub(crate) fn trimmed(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    }
}

/// Location of a link in its file. Descriptions in OpenAPI documents are parsed on their own, so
/// their spans are mapped back to the document.
fn location(site: &Site, link: &PageLink) -> Location {
    match site.tree.text(link.file.path()) {
        Some(file) if file.text() != link.file.text() => {
            locate_in_document(file, &link.file, link.span)
        }
        _ => link.location(),
    }
}

impl Site {
    /// The diagnostics of the page at a canonical path: those of rendering it and those of its
    /// links. Renders the page, and the pages whose fragments its links refer to. Empty when there
    /// is no such page.
    pub fn problems(&self, path: &str) -> Vec<Diagnostic> {
        let entry = self.map.routes.get_full(path);
        let entry = entry.and_then(|(index, _, route)| Some((route, self.summary(index)?)));
        let Some((route, summary)) = entry else {
            return Vec::new();
        };
        let mut guesses = 0;
        let links = summary.links.iter();
        let links = links.filter_map(|link| check_link(self, route, link, &mut guesses));
        let all = summary.diagnostics.iter().cloned().chain(links);
        let all = versions::label(&self.tree, all.collect());
        crate::diagnostics::sort_diagnostics(all)
    }
}

impl Site {
    /// The diagnostics of the configuration that only the finished site has: redirects that lead
    /// nowhere, and pages whose paths are not valid file names.
    pub fn config_problems(&self) -> Vec<Diagnostic> {
        let mut diagnostics = redirect_links::check(self, &mut 0);
        diagnostics.extend(crate::export::names::check(self));
        versions::label(&self.tree, diagnostics)
    }

    /// The ids that links to the page at a canonical path can refer to, sorted. Renders the page;
    /// empty when there is no such page.
    pub fn anchors(&self, path: &str) -> impl Iterator<Item = &str> {
        let index = self.map.routes.get_index_of(path);
        let summary = index.and_then(|index| self.summary(index));
        let ids = summary.map(|summary| summary.ids.iter());
        ids.into_iter().flatten().map(|id| &**id)
    }
}

fn check_link(
    site: &Site,
    route: &Route,
    link: &PageLink,
    guesses: &mut usize,
) -> Option<Diagnostic> {
    if link.is_external() {
        return None;
    }
    let (url, fragment) = match link.href.split_once('#') {
        Some((url, fragment)) => (url, Some(fragment)),
        None => (&*link.href, None),
    };
    let path = url.split('?').next().unwrap_or(url);
    let target = if path.is_empty() {
        route
    } else {
        let path = decode_lossy(path);
        let trimmed = trimmed(&path);
        match target(site, trimmed) {
            LinkTarget::Page(target) => target,
            LinkTarget::Other => return None,
            LinkTarget::NotFound => return Some(broken_link(site, link, trimmed, guesses)),
            LinkTarget::BrokenRedirect(to) => {
                let message = format!("`{trimmed}` is redirected to `{to}`, which does not exist");
                let diagnostic = Diagnostic::new(&BROKEN_LINK, message).at(location(site, link));
                return Some(diagnostic.hint("correct the link or the redirect"));
            }
        }
    };
    let fix = |id: &str, near: &str| {
        link_fix(site, link, &format!("#{id}"), &format!("#{near}"))
            .filter(|_| is_typing_error(id, near))
    };
    let diagnostic = check_fragment(site, target, fragment?, guesses, &fix)?;
    Some(diagnostic.at(location(site, link)))
}

/// The problem of a fragment that a page does not have, without its location. `fix` replaces an id
/// by a similar one.
pub(crate) fn check_fragment(
    site: &Site,
    target: &Route,
    fragment: &str,
    guesses: &mut usize,
    fix: &dyn Fn(&str, &str) -> Option<Fix>,
) -> Option<Diagnostic> {
    let id = decode_lossy(fragment);
    // `#top` and `#` are the top of every page; `#:~:text=` is handled by the browser.
    if id.is_empty() || id == "top" || id.starts_with(":~:") {
        return None;
    }
    let index = site.map.routes.get_index_of(&target.path)?;
    let summary = site.summary(index)?;
    let plain = without_marks(&id);
    let mut ids = summary.ids.iter();
    if summary.has_id(&id)
        || site.fragments_have_id(&summary.fragments, &id)
        || ids.any(|known| without_marks(known) == plain)
    {
        return None;
    }
    let message = format!("`{}` has no heading or anchor `#{id}`", target.path);
    let diagnostic = Diagnostic::new(&BROKEN_FRAGMENT, message);
    *guesses += 1;
    let near =
        (*guesses <= MAX_GUESSES).then(|| did_you_mean(&id, summary.ids.iter().map(|id| &**id)));
    Some(match near.flatten() {
        Some(near) => diagnostic
            .hint(format!("did you mean `#{near}`?"))
            .fix(fix(&id, near)),
        None => {
            diagnostic.hint("use an id of that page; the id of a heading is derived from its text")
        }
    })
}

/// What a path leads to.
pub(crate) enum LinkTarget<'a> {
    /// A page, which can have anchors.
    Page(&'a Route),
    /// Something else, or another site.
    Other,
    /// Nothing.
    NotFound,
    /// A redirect leads to this path, which does not exist.
    BrokenRedirect(String),
}

/// The target of a path, after redirects. Other sites and destinations with a fragment, which
/// replaces that of the link, are not followed.
pub(crate) fn target<'a>(site: &'a Site, path: &str) -> LinkTarget<'a> {
    let mut path = path.to_owned();
    for followed in 0..=MAX_REDIRECTS {
        let to = match site.find(&path) {
            Resource::Redirect { to, .. } => to,
            other => {
                return match (resource_target(other, &path), followed) {
                    // Editors do not read the files of other branches.
                    (LinkTarget::NotFound, _) if versions::is_unread(&site.config, &path) => {
                        LinkTarget::Other
                    }
                    (LinkTarget::NotFound, 1..) => LinkTarget::BrokenRedirect(path),
                    (target, _) => target,
                };
            }
        };
        let next = to.strip_prefix(site.base_path());
        let next = next.filter(|next| next.starts_with('/') && !next.starts_with("//"));
        let Some(next) = next.filter(|next| !next.contains('#')) else {
            return LinkTarget::Other;
        };
        let next = next.split('?').next().unwrap_or(next);
        path = trimmed(&decode_lossy(next)).to_owned();
    }
    LinkTarget::Other
}

fn resource_target<'a>(resource: Resource<'a>, path: &str) -> LinkTarget<'a> {
    match resource {
        Resource::Page(route) => LinkTarget::Page(route),
        Resource::Redirect { .. }
        | Resource::Asset(_)
        | Resource::PlaygroundSpec(_)
        | Resource::SchemaFragment(_)
        | Resource::Image(_)
        | Resource::Variant(_)
        | Resource::Feed(_)
        | Resource::Discovery(_)
        | Resource::Markdown(_)
        | Resource::Generated(_)
        | Resource::SectionFile(_)
        | Resource::ApiText(_) => LinkTarget::Other,
        Resource::NotFound if path.starts_with("/_svc/") => LinkTarget::Other,
        Resource::NotFound => LinkTarget::NotFound,
    }
}

fn broken_link(site: &Site, link: &PageLink, path: &str, guesses: &mut usize) -> Diagnostic {
    let file = path.trim_start_matches('/');
    if site.tree.contains(file) && !file.ends_with(".mdx") && !file.ends_with(".md") {
        return Diagnostic::new(
            &UNSERVED_FILE,
            format!("`{path}` is a file that is not served"),
        )
        .at(location(site, link))
        .hint(
            "files with this name or type are never served; publish the content in another file",
        );
    }
    let (kind, hint) = match can_be_served(path) {
        true => ("file", "add the file, or correct the path"),
        false => (
            "page or file",
            "add the page, correct the link, or add a redirect",
        ),
    };
    let diagnostic = Diagnostic::new(&BROKEN_LINK, format!("there is no {kind} `{path}`"))
        .at(location(site, link));
    match guess(site, path, guesses) {
        Some(near) => diagnostic
            .hint(format!("did you mean `{near}`?"))
            .fix(path_fix(site, link, path, &near)),
        None => diagnostic.hint(hint),
    }
}

/// Whether the author of a path certainly meant this one: it has a typing error, or is the only path
/// with further folders.
pub(crate) fn is_same_path(site: &Site, path: &str, near: &str) -> bool {
    is_typing_error(path, near)
        || is_shortened_path(path, near)
            && (can_be_served(path) || site.count_of_longer_routes(path) == 1)
}

/// Replaces the path of a link: as it is resolved, or without its leading slash, as relative links
/// are written.
fn path_fix(site: &Site, link: &PageLink, path: &str, near: &str) -> Option<Fix> {
    if !is_same_path(site, path, near) {
        return None;
    }
    link_fix(site, link, path, near).or_else(|| {
        let (_, written) = path.rsplit_once('/')?;
        let (folder, name) = near.rsplit_once('/')?;
        let same = path.strip_suffix(written)?.strip_suffix('/')? == folder;
        link_fix(site, link, written, name).filter(|_| same)
    })
}

/// The most similar path of a page or file.
pub(crate) fn guess(site: &Site, path: &str, guesses: &mut usize) -> Option<String> {
    *guesses += 1;
    if *guesses > MAX_GUESSES {
        return None;
    }
    if can_be_served(path) {
        let bare = path.trim_start_matches('/');
        let files: Vec<&str> = site.assets().map(|(file, _)| file).collect();
        let near = did_you_mean(bare, files.iter().copied()).or_else(|| {
            let mut same = files
                .iter()
                .copied()
                .filter(|file| is_shortened_path(bare, file));
            same.next().filter(|_| same.next().is_none())
        });
        return near.map(|near| format!("/{near}"));
    }
    site.misspelled_route(path).map(|route| route.path.clone())
}

/// The id without quotation marks and colons. Ids of headings contain those of their text, and
/// links to them are often typed with other ones. The script of pages ignores the difference too.
fn without_marks(id: &str) -> String {
    id.chars().filter(|c| !"\"'“”„‘’‚:".contains(*c)).collect()
}
