//! Links inside of the site that lead nowhere.

use svc_diagnostics::{Diagnostic, Location, did_you_mean, is_shortened_path};
use svc_nav::Route;
use svc_render::{InternalLink, locate_in_document};

use crate::codes::{BROKEN_FRAGMENT, BROKEN_LINK, BROKEN_REDIRECT, UNSERVED_FILE};
use crate::served::can_be_served;
use crate::{Resource, Site};

/// Broken links for which a similar address is looked for; the search is not free.
const MAX_GUESSES: usize = 200;

/// Checks the links of all pages, drawing those that have not been drawn. The same link of a
/// snippet is reported once, however many pages show it.
pub(crate) fn check(site: &Site, threads: usize) -> Vec<Diagnostic> {
    site.summarize_all(threads);
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut guesses = 0;
    for (index, route) in site.map.routes.values().enumerate() {
        let Some(summary) = site.summary(index) else {
            continue;
        };
        found.extend(
            summary
                .links
                .iter()
                .filter_map(|link| check_link(site, route, link, &mut guesses)),
        );
    }
    found.extend(redirects(site, &mut guesses));
    found
}

/// Redirects to addresses that do not exist. Those with parameters may lead anywhere.
fn redirects(site: &Site, guesses: &mut usize) -> Vec<Diagnostic> {
    let redirects = site.config.redirects.iter();
    let own = redirects.filter(|redirect| {
        let to = &redirect.destination;
        to.starts_with('/') && !to.starts_with("//") && !to.contains([':', '*'])
    });
    own.filter_map(|redirect| {
        let path = redirect.destination.split(['#', '?']).next()?;
        let path = trimmed(&decoded(path)).to_owned();
        if !matches!(target(site, &path), LinkTarget::NotFound) {
            return None;
        }
        let message = format!("the redirect leads to `{path}`, where no page or file is");
        let found = Diagnostic::new(&BROKEN_REDIRECT, message)
            .at(redirect.location.clone())
            .pointer(format!("/redirects/{}/destination", redirect.index));
        Some(match guess(site, &path, guesses) {
            Some(near) => found.hint(format!("did you mean `{near}`?")),
            None => found.hint("let it lead to a page, or remove it"),
        })
    })
    .collect()
}

/// Without slash at the end, but for the root.
fn trimmed(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    }
}

/// Where a link is written. Texts of OpenAPI documents are read by themselves.
fn location(site: &Site, link: &InternalLink) -> Location {
    match site.tree.text(link.file.path()) {
        Some(whole) if whole.text() != link.file.text() => {
            locate_in_document(whole, &link.file, link.span)
        }
        _ => link.location(),
    }
}

impl Site {
    /// What is wrong with the page of a canonical path: what was found while it was drawn, and its
    /// links. It is drawn for that, and so are pages that its links name a place in.
    pub fn problems(&self, path: &str) -> Vec<Diagnostic> {
        let found = self.map.routes.get_full(path);
        let found = found.and_then(|(at, _, route)| Some((route, self.summary(at)?)));
        let Some((route, summary)) = found else {
            return Vec::new();
        };
        let mut guesses = 0;
        let links = summary.links.iter();
        let links = links.filter_map(|link| check_link(self, route, link, &mut guesses));
        let all = summary.diagnostics.iter().cloned().chain(links);
        crate::validate::sort_diagnostics(all.collect())
    }
}

fn check_link(
    site: &Site,
    route: &Route,
    link: &InternalLink,
    guesses: &mut usize,
) -> Option<Diagnostic> {
    let (address, fragment) = match link.href.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment)),
        None => (&*link.href, None),
    };
    let path = address.split('?').next().unwrap_or(address);
    let target = if path.is_empty() {
        route
    } else {
        let path = decoded(path);
        let trimmed = trimmed(&path);
        match target(site, trimmed) {
            LinkTarget::Page(target) => target,
            LinkTarget::Other => return None,
            LinkTarget::NotFound => return Some(broken_link(site, link, trimmed, guesses)),
        }
    };
    let id = decoded(fragment?);
    // `#top` and `#` are the top of every page; `#:~:text=` is the browser's.
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
    let found = Diagnostic::new(&BROKEN_FRAGMENT, message).at(location(site, link));
    *guesses += 1;
    let near =
        (*guesses <= MAX_GUESSES).then(|| did_you_mean(&id, summary.ids.iter().map(|id| &**id)));
    Some(match near.flatten() {
        Some(near) => found.hint(format!("did you mean `#{near}`?")),
        None => found.hint("the id of a heading is made from its text"),
    })
}

enum LinkTarget<'a> {
    Page(&'a Route),
    Other,
    NotFound,
}

fn target<'a>(site: &'a Site, path: &str) -> LinkTarget<'a> {
    match site.find(path) {
        Resource::Page(route) => LinkTarget::Page(route),
        // A link to `/x/index` is a link to `/x`; other redirects may lead anywhere.
        Resource::Redirect { .. } => path
            .strip_suffix("/index")
            .and_then(|stem| site.map.route(stem))
            .map_or(LinkTarget::Other, LinkTarget::Page),
        Resource::Asset(_)
        | Resource::PlaygroundSpec(_)
        | Resource::SchemaFragment(_)
        | Resource::Image(_)
        | Resource::Variant(_)
        | Resource::Feed(_)
        | Resource::Markdown(_)
        | Resource::Generated(_) => LinkTarget::Other,
        Resource::NotFound if path.starts_with("/_svc/") => LinkTarget::Other,
        Resource::NotFound => LinkTarget::NotFound,
    }
}

fn broken_link(site: &Site, link: &InternalLink, path: &str, guesses: &mut usize) -> Diagnostic {
    let file = path.trim_start_matches('/');
    if site.tree.contains(file) && !file.ends_with(".mdx") && !file.ends_with(".md") {
        return Diagnostic::new(
            &UNSERVED_FILE,
            format!("`{path}` is a file that is not served"),
        )
        .at(location(site, link))
        .hint(
            "files of this name or kind are never served; put what readers need in another file",
        );
    }
    let (what, hint) = match can_be_served(path) {
        true => ("file", "add the file, or correct the path"),
        false => (
            "page or file",
            "add the page, correct the link, or add a redirect",
        ),
    };
    let found = Diagnostic::new(&BROKEN_LINK, format!("there is no {what} `{path}`"))
        .at(location(site, link));
    match guess(site, path, guesses) {
        Some(near) => found.hint(format!("did you mean `{near}`?")),
        None => found.hint(hint),
    }
}

/// The page or file that was most likely meant.
fn guess(site: &Site, path: &str, guesses: &mut usize) -> Option<String> {
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
    let near = site.near(path).into_iter().find(|route| {
        is_shortened_path(path, &route.path) || did_you_mean(path, [route.path.as_str()]).is_some()
    });
    near.map(|route| route.path.clone())
}

/// The id without quotation marks and colons: headings keep those of their text, and links to them
/// are typed with others. The script of pages follows such links too.
fn without_marks(id: &str) -> String {
    id.chars().filter(|c| !"\"'“”„‘’‚:".contains(*c)).collect()
}

/// Percent escapes (RFC 3986, 2.1) as text; what is no escape stays.
pub(crate) fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = bytes
            .get(at + 1..at + 3)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let value = digits
            .filter(|_| *byte == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(value.unwrap_or(*byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
