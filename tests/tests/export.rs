//! Exported sites are complete and reproducible, and their links work.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use svc_diagnostics::Diagnostic;
use svc_source::Contents;
use svc_tests::loaded_site::{LoadedSite, program_errors};
use svc_tests::markup::{Tag, tags};
use svc_tests::sites;

#[test]
fn our_documentation_has_no_broken_link() {
    let broken = broken_links("docs", &sites::docs());
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_fixture_has_exactly_the_expected_broken_links() {
    let broken = broken_links(
        "fixture",
        &sites::workspace().join("tests/fixtures/kitchen"),
    );
    let hrefs: BTreeSet<&str> = broken.iter().map(|link| link.href.as_str()).collect();
    assert_eq!(
        hrefs,
        BTreeSet::from(["#nowhere", "/missing-page"]),
        "{broken:#?}"
    );
}

#[test]
fn links_of_mcp_are_broken_only_in_its_sources() {
    real("mcp");
}

#[test]
fn links_of_fastmcp_are_broken_only_in_its_sources() {
    real("fastmcp");
}

#[test]
fn links_of_trigger_are_broken_only_in_its_sources() {
    real("trigger");
}

#[test]
fn links_of_polar_are_broken_only_in_its_sources() {
    real("polar");
}

#[test]
fn links_of_mintlify_are_broken_only_in_its_sources() {
    real("mintlify");
}

#[test]
fn exports_are_reproducible() {
    let fixture = sites::workspace().join("tests/fixtures/kitchen");
    let roots = [Some(sites::docs()), Some(fixture), sites::site("polar")];
    for root in roots.into_iter().flatten() {
        let (first, second) = (written(&root), written(&root));
        assert!(
            first.len() > 5,
            "{}: only {} files",
            root.display(),
            first.len()
        );
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&first), names(&second), "{}", root.display());
        for (path, bytes) in &first {
            assert!(
                second.get(path) == Some(bytes),
                "{}: {path} differs",
                root.display()
            );
        }
        eprintln!("{}: {} files, twice the same", name_of(&root), first.len());
    }
}

fn name_of(root: &Path) -> String {
    root.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn written(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let out = tempfile::tempdir().expect("a directory for the site");
    let site = LoadedSite::load(root).expect("the repository can be read");
    site.export(out.path()).expect("the site can be written");
    read_all(out.path())
}

fn read_all(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![dir.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next)
            .expect("a directory that was written")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("a file below its directory");
                let bytes = fs::read(&path).expect("a file that was written");
                files.insert(name.to_string_lossy().into_owned(), bytes);
            }
        }
    }
    files
}

fn real(name: &str) {
    if let Some(root) = sites::site(name) {
        broken_links(name, &root);
    }
}

/// A broken link of an exported page.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BrokenLink {
    page: String,
    href: String,
}

/// An exported site as a file server would serve it.
struct ExportedSite {
    files: BTreeSet<String>,
    ids: BTreeMap<String, BTreeSet<String>>,
}

/// Exports a site, follows every link of its pages and returns the broken ones. Each of them must
/// be broken in the source already.
fn broken_links(name: &str, root: &Path) -> Vec<BrokenLink> {
    let out = tempfile::tempdir().expect("a directory for the site");
    let loaded = LoadedSite::load(root).expect("the repository can be read");
    let report = loaded.export(out.path()).expect("the site can be written");
    assert_eq!(
        program_errors(&report.diagnostics),
        Vec::<String>::new(),
        "{name}"
    );
    assert_eq!(report.broken, 0, "{name}");
    let routes = loaded.site.map.routes.values();
    let pages = routes.filter(|route| !has_external_url(&loaded, &route.path));
    assert_eq!(report.pages, pages.count(), "{name}: every route is a page");
    same_on_demand(name, root, out.path());

    let files = read_all(out.path());
    let mut site = ExportedSite {
        files: files.keys().cloned().collect(),
        ids: BTreeMap::new(),
    };
    let mut pages: Vec<(&str, Vec<Tag>)> = Vec::new();
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let tags = tags(&String::from_utf8_lossy(bytes));
        let ids = tags.iter().flat_map(|tag| [tag.get("id"), tag.get("name")]);
        site.ids
            .insert(path.clone(), ids.flatten().map(str::to_owned).collect());
        pages.push((path, tags));
    }
    let (mut links, mut broken) = (0, BTreeSet::new());
    for (page, tags) in &pages {
        let own = tags
            .iter()
            .flat_map(|tag| [tag.get("href"), tag.get("src")]);
        for href in own.flatten() {
            let Some(target) = target(page, href) else {
                continue;
            };
            links += 1;
            if !site.has(&target) {
                broken.insert(BrokenLink {
                    page: (*page).to_owned(),
                    href: href.to_owned(),
                });
            }
        }
    }
    let sources = Sources::new(&loaded, &report.diagnostics);
    let (mut reported, mut written, mut ours) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for link in &broken {
        match sources.explain(link) {
            Reason::Reported => {
                reported.insert(link.href.as_str());
            }
            Reason::InSource => {
                written.insert(link.href.as_str());
            }
            Reason::Unexplained => ours.push(link),
        }
    }
    eprintln!(
        "{name}: {} pages, {} files, {links} links of this site; broken: {} addresses that the link check reports, {} more that stand so in the source, {} by us",
        report.pages,
        report.files,
        reported.len(),
        written.len(),
        ours.len()
    );
    written
        .iter()
        .take(12)
        .for_each(|href| eprintln!("  in the source: {href}"));
    let shown = &ours[..ours.len().min(40)];
    assert!(
        ours.is_empty(),
        "{name}: {} links are broken by us: {shown:#?}",
        ours.len()
    );
    broken.into_iter().collect()
}

/// Asserts that pages rendered on demand, last first, equal the exported pages.
fn same_on_demand(name: &str, root: &Path, out: &Path) {
    let site = LoadedSite::load(root).expect("the repository can be read");
    let step = (site.site.map.routes.len() / 150).max(1);
    for path in site.site.map.routes.keys().rev().step_by(step) {
        if has_external_url(&site, path) {
            continue;
        }
        let bare = path.trim_matches('/');
        let file = if bare.is_empty() {
            out.join("index.html")
        } else {
            out.join(bare).join("index.html")
        };
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let page = site.page(path).unwrap_or_default();
        let written = String::from_utf8(bytes).expect("a page is text");
        assert!(
            page == without_policy(&written),
            "{name}: {path} differs on demand"
        );
    }
}

/// Returns whether a page has an external URL; its file redirects there.
fn has_external_url(made: &LoadedSite, path: &str) -> bool {
    let route = made.site.map.routes.get(path);
    let page = route.and_then(|route| made.site.page_of(route));
    page.is_some_and(|page| page.front_matter.url.is_some())
}

/// Returns an exported page without its policy, which a server sends in a header instead.
fn without_policy(page: &str) -> String {
    const META: &str = "\n<meta http-equiv=\"Content-Security-Policy\"";
    let Some((before, rest)) = page.split_once(META) else {
        return page.to_owned();
    };
    let after = rest.split_once('>').map_or("", |(_, after)| after);
    [before, after].concat()
}

/// Returns path from the root and fragment of a link within this site; `None` for other sites.
fn target(page: &str, href: &str) -> Option<(PathBuf, String)> {
    let href = href.trim();
    let (url, fragment) = href.split_once('#').unwrap_or((href, ""));
    let path = url.split('?').next().unwrap_or("");
    let scheme = path
        .split('/')
        .next()
        .is_some_and(|first| first.contains(':'));
    if path.starts_with("//") || scheme || href.is_empty() {
        return None;
    }
    let dir = page.rsplit_once('/').map_or("", |(dir, _)| dir);
    let mut parts: Vec<&str> = Vec::new();
    if path.is_empty() {
        parts.extend(page.split('/'));
    } else if !path.starts_with('/') {
        parts.extend(dir.split('/').filter(|part| !part.is_empty()));
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let path: Vec<String> = parts.into_iter().map(decoded).collect();
    Some((path.iter().collect(), decoded(fragment)))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl ExportedSite {
    fn has(&self, (path, fragment): &(PathBuf, String)) -> bool {
        let path = path.to_string_lossy();
        let below = if path.is_empty() {
            "index.html".into()
        } else {
            format!("{path}/index.html")
        };
        let file = if self.files.contains(&*path) {
            path.into_owned()
        } else if self.files.contains(&below) {
            below
        } else {
            return false;
        };
        let everywhere = fragment.is_empty() || fragment == "top" || fragment.starts_with(":~:");
        everywhere || self.ids.get(&file).is_none_or(|ids| ids.contains(fragment))
    }
}

/// Reason why a link is broken.
enum Reason {
    /// The link check reports it.
    Reported,
    /// The source contains it.
    InSource,
    /// None of these.
    Unexplained,
}

/// Links in the sources, and the broken ones that are reported.
struct Sources<'a> {
    site: &'a LoadedSite,
    /// Reported paths and fragments.
    reported: BTreeSet<String>,
    /// Snippets, configuration and API documents, which affect many pages.
    shared: String,
}

impl<'a> Sources<'a> {
    fn new(made: &'a LoadedSite, diagnostics: &[Diagnostic]) -> Self {
        // A report of a path begins with the path; a report of a fragment has the page before it.
        let named = diagnostics
            .iter()
            .filter_map(|diagnostic| match diagnostic.code.id {
                "link-broken" => diagnostic.message.split('`').nth(1),
                "link-fragment" => diagnostic.message.split('`').nth(3),
                _ => None,
            });
        let reported = named.map(str::to_owned).collect();
        let pages: BTreeSet<&str> = made.site.pages.iter().map(|page| &*page.path).collect();
        let mut shared = String::new();
        for (path, contents) in made.site.tree.iter() {
            if let Contents::Text(file) = contents
                && !pages.contains(path)
            {
                shared.push_str(file.text());
                shared.push('\n');
            }
        }
        Self {
            site: made,
            reported,
            shared,
        }
    }

    /// Returns why a link is broken.
    fn explain(&self, link: &BrokenLink) -> Reason {
        let (url, fragment) = link.href.split_once('#').unwrap_or((&link.href, ""));
        let known = decoded(url.split('?').next().unwrap_or(""));
        let known = known.trim_end_matches('/');
        if self.reported.contains(known)
            || self.reported.contains(&format!("#{}", decoded(fragment)))
        {
            return Reason::Reported;
        }
        let route = link.page.trim_end_matches("index.html").trim_matches('/');
        let route = self.site.site.map.route(&format!("/{route}"));
        let page = route.and_then(|route| self.site.site.page_of(route));
        let text = page.map_or("", |page| page.file.text());
        let last = known.rsplit('/').next().unwrap_or(known);
        let written = [text, &self.shared].iter().any(|text| {
            if fragment.is_empty() {
                written_as_link(text, known, last)
            } else {
                text.contains(&format!("#{fragment}"))
            }
        });
        if written {
            Reason::InSource
        } else {
            Reason::Unexplained
        }
    }
}

/// Returns whether a text contains this path after a character that may precede a path.
fn written_as_link(text: &str, full: &str, last: &str) -> bool {
    let behind = |needle: &str, marks: &[char]| {
        !needle.is_empty()
            && text
                .match_indices(needle)
                .any(|(at, _)| text[..at].ends_with(marks))
    };
    let marks = &['"', '\'', '(', '<', ' ', '`', '{'];
    behind(full, marks)
        || behind(full.trim_start_matches('/'), marks)
        || behind(last, &['/', '(', '"', '\''])
}
