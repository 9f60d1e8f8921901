//! The parts of the navigation that have lists and full texts for language models of their own.

use std::collections::HashSet;

use indexmap::IndexMap;
use svc_config::ElementKind;
use svc_nav::{NavNode, Route};

use super::llms::{self, ListedPage};
use super::text::unique_slug;
use crate::Site;

/// Maximum number of characters of a list. Agents cut longer files off.
pub(super) const MAX_LIST_CHARS: usize = 50_000;
/// Directory of the files of sections.
const DIR: &str = "/_llms/";
/// Slug of the list of OpenAPI documents.
const APIS: &str = "openapi";
/// Names of the list and of the full text of a section.
pub(super) const NAMES: [&str; 2] = ["llms.txt", "llms-full.txt"];
/// Characters of the head of a list and, for each page, of the origin in its URL.
const HEAD_CHARS: usize = 4_000;
const ORIGIN_CHARS: usize = 40;

/// A part of the navigation.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) pages: Vec<ListedPage>,
}

/// All listed pages by section.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    /// Pages in the default language and version.
    pub(super) pages: Vec<ListedPage>,
    /// The sections of these; none if one that is small enough has all of them.
    pub(super) sections: Vec<Section>,
    /// The sections of other versions and languages.
    pub(super) variants: Vec<Section>,
}

/// A list or full text of a section, or the list of OpenAPI documents.
#[derive(Debug, Clone, Copy)]
pub struct SectionFile<'a> {
    pub(super) kind: FileKind<'a>,
}

/// Contents of a [`SectionFile`].
#[derive(Debug, Clone, Copy)]
pub(super) enum FileKind<'a> {
    /// The pages of a section.
    List(&'a Section),
    /// The texts of these pages.
    FullText(&'a Section),
    /// The OpenAPI documents of the site.
    Apis,
}

impl SectionFile<'_> {
    /// URL path of the file.
    pub fn path(&self) -> String {
        match self.kind {
            FileKind::List(section) => section.path(NAMES[0]),
            FileKind::FullText(section) => section.path(NAMES[1]),
            FileKind::Apis => format!("{DIR}{APIS}/{}", NAMES[0]),
        }
    }
}

impl Section {
    /// URL path of the file `name`.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{DIR}{}/{name}", self.slug)
    }
}

impl Sections {
    pub(super) fn new(site: &Site) -> Self {
        let [pages, variant_pages] = llms::listed_pages(site);
        let (mut parts, mut variant_parts) = (Vec::new(), Vec::new());
        for (title, pages) in partition(site, &pages, 0) {
            let title = title.unwrap_or("Other pages").to_owned();
            split(site, title, pages, 1, &mut parts);
        }
        for (title, pages) in variants(site, &variant_pages) {
            split(site, title, pages, 0, &mut variant_parts);
        }
        if parts.len() < 2 {
            parts.clear();
        }
        let mut slugs = HashSet::from([APIS.to_owned()]);
        let mut named = |parts: Vec<(String, Vec<&ListedPage>)>| -> Vec<Section> {
            let sections = parts.into_iter().map(|(title, pages)| Section {
                slug: unique_slug(&mut slugs, &svc_openapi::slugify(&title), "section"),
                title,
                pages: pages.into_iter().cloned().collect(),
            });
            sections.collect()
        };
        let (sections, variants) = (named(parts), named(variant_parts));
        Self {
            pages,
            sections,
            variants,
        }
    }

    /// Whether a single list of all pages would be too long.
    pub(super) fn is_nested(&self) -> bool {
        chars(&self.pages) > MAX_LIST_CHARS && !self.sections.is_empty()
    }
}

impl Site {
    /// The files of all sections, and the list of OpenAPI documents.
    pub(crate) fn section_files(&self) -> impl Iterator<Item = SectionFile<'_>> {
        let Sections {
            sections, variants, ..
        } = self.sections();
        let sections = sections.iter().chain(variants);
        let kinds = |section| [FileKind::List(section), FileKind::FullText(section)];
        let files = sections.flat_map(kinds).map(|kind| SectionFile { kind });
        files.chain(self.api_list())
    }

    /// The list of OpenAPI documents; `None` if the site has none.
    pub(super) fn api_list(&self) -> Option<SectionFile<'_>> {
        let has_documents = super::api_catalog::documents(self, "").next().is_some();
        let exists = has_documents || !self.api_texts().documents().is_empty();
        let kind = FileKind::Apis;
        exists.then_some(SectionFile { kind })
    }

    /// The file of a section at a URL path.
    pub(crate) fn section_file_at(&self, path: &str) -> Option<SectionFile<'_>> {
        let (slug, name) = path.strip_prefix(DIR)?.split_once('/')?;
        if slug == APIS {
            return self.api_list().filter(|_| name == NAMES[0]);
        }
        let Sections {
            sections, variants, ..
        } = self.sections();
        let mut sections = sections.iter().chain(variants);
        let section = sections.find(|section| section.slug == slug)?;
        let kind = match NAMES.iter().position(|known| *known == name)? {
            0 => FileKind::List(section),
            _ => FileKind::FullText(section),
        };
        Some(SectionFile { kind })
    }
}

/// Groups pages by their language and version, with the names of both.
fn variants<'p>(site: &Site, pages: &'p [ListedPage]) -> Vec<(String, Vec<&'p ListedPage>)> {
    let mut parts: IndexMap<[Option<&str>; 2], (String, Vec<&ListedPage>)> = IndexMap::new();
    for page in pages {
        let Some(route) = site.map.route(&page.path) else {
            continue;
        };
        let key = [route.language.as_deref(), route.version.as_deref()];
        let nodes = route.trail.iter().filter_map(|id| site.map.node(*id));
        let names = nodes
            .filter(|node| is_variant(node))
            .map(|node| &*node.name);
        let title = || {
            let names: Vec<&str> = names.collect();
            match names.is_empty() {
                true => key.into_iter().flatten().collect::<Vec<_>>().join(": "),
                false => names.join(": "),
            }
        };
        let part = parts.entry(key).or_insert_with(|| (title(), Vec::new()));
        part.1.push(page);
    }
    parts.into_values().collect()
}

/// Whether an element is that of a language or version.
fn is_variant(node: &NavNode) -> bool {
    matches!(
        node.element(),
        Some(ElementKind::Language | ElementKind::Version)
    )
}

/// Divides a section until its list is short enough: by the elements below it, then by number.
fn split<'a>(
    site: &Site,
    title: String,
    pages: Vec<&'a ListedPage>,
    depth: usize,
    out: &mut Vec<(String, Vec<&'a ListedPage>)>,
) {
    if chars(pages.iter().copied()) <= MAX_LIST_CHARS {
        out.push((title, pages));
        return;
    }
    let has_parts = pages
        .iter()
        .any(|page| element(site, page, depth).is_some());
    if has_parts {
        for (name, pages) in partition(site, pages.iter().copied(), depth) {
            let title = match name {
                Some(name) => format!("{title}: {name}"),
                None => title.clone(),
            };
            split(site, title, pages, depth + 1, out);
        }
        return;
    }
    let (mut part, mut length, mut number) = (Vec::new(), HEAD_CHARS, 1);
    for page in pages {
        length += chars([page]) - HEAD_CHARS;
        if length > MAX_LIST_CHARS {
            out.push((format!("{title} ({number})"), std::mem::take(&mut part)));
            length = chars([page]);
            number += 1;
        }
        part.push(page);
    }
    out.push((format!("{title} ({number})"), part));
}

/// Groups pages by the name of their element at a depth.
fn partition<'a, 'p>(
    site: &'a Site,
    pages: impl IntoIterator<Item = &'p ListedPage>,
    depth: usize,
) -> Vec<(Option<&'a str>, Vec<&'p ListedPage>)> {
    let mut parts: IndexMap<Option<usize>, (Option<&str>, Vec<&ListedPage>)> = IndexMap::new();
    for page in pages {
        let element = element(site, page, depth);
        let key = element.map(|node| node.id);
        let name = element.map(|node| &*node.name);
        parts.entry(key).or_insert((name, Vec::new())).1.push(page);
    }
    parts.into_values().collect()
}

/// The element of the navigation at a depth that contains a page. Languages and versions do not
/// count, because the pages of a list have the same ones.
fn element<'a>(site: &'a Site, page: &ListedPage, depth: usize) -> Option<&'a NavNode> {
    let route: &Route = site.map.route(&page.path)?;
    let nodes = route.trail.iter().filter_map(|id| site.map.node(*id));
    nodes.filter(|node| !is_variant(node)).nth(depth)
}

fn chars<'a>(pages: impl IntoIterator<Item = &'a ListedPage>) -> usize {
    let pages = pages.into_iter();
    HEAD_CHARS + pages.map(|page| page.chars() + ORIGIN_CHARS).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use svc_source::SourceTree;

    use super::*;
    use crate::{GeneratedFile, LoadOptions, Resource, assemble};

    const PAGES: usize = 300;

    /// Two tabs with groups; the pages of one group need several lists.
    fn site(description: &str) -> Site {
        let pages = |dir: &str, count: usize| {
            let pages: Vec<String> = (0..count).map(|n| format!("\"{dir}/{n}\"")).collect();
            pages.join(", ")
        };
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#112233"}}, "navigation": {{"tabs": [
                {{"tab": "Guides", "groups": [{{"group": "Start", "pages": [{}]}}, {{"group": "Next", "pages": [{}]}}]}},
                {{"tab": "Start", "pages": [{}]}}]}}}}"##,
            pages("start", PAGES),
            pages("next", 5),
            pages("more", 5)
        );
        let mut files = vec![("docs.json".to_owned(), config)];
        for (dir, count) in [("start", PAGES), ("next", 5), ("more", 5)] {
            for number in 0..count {
                let text = format!(
                    "---\ntitle: {dir} {number}\ndescription: {description}\n---\nText of {dir} {number}."
                );
                files.push((format!("{dir}/{number}.mdx"), text));
            }
        }
        assemble(SourceTree::from_files(files), &LoadOptions::default())
            .unwrap()
            .value
    }

    fn read(site: &Site, path: &str) -> String {
        let packed = match site.find(path) {
            Resource::Generated(file) => site.generated_file(file, "https://x.org"),
            Resource::SectionFile(file) => site.section_file(&file, "https://x.org"),
            other => panic!("{path}: {other:?}"),
        };
        String::from_utf8_lossy(&packed.bytes).into_owned()
    }

    fn links(text: &str) -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("- ["));
        let links = lines.filter_map(|line| line.split_once("](")?.1.split_once(')'));
        links.map(|(link, _)| link.to_owned()).collect()
    }

    #[test]
    fn long_lists_are_divided_and_no_page_is_dropped() {
        let description = "Words that describe it. ".repeat(11);
        let site = site(&description);
        let read = |path: &str| read(&site, path);
        let index = read("/llms.txt");
        let mut pages = BTreeSet::new();
        let mut lists = Vec::new();
        for link in links(&index) {
            let path = link.strip_prefix("https://x.org").unwrap();
            let list = read(path);
            assert!(list.chars().count() < MAX_LIST_CHARS, "{path}");
            assert!(list.contains(description.trim()), "{list}");
            let full = read(&path.replace("llms.txt", "llms-full.txt"));
            for page in links(&list) {
                let path = page.strip_prefix("https://x.org").unwrap();
                let name = path.trim_end_matches(".md").trim_start_matches('/');
                let text = format!("Text of {}.", name.replace('/', " "));
                assert!(full.contains(&text), "{text} {full}");
                assert!(matches!(site.find(path), Resource::Markdown(_)), "{path}");
                assert!(pages.insert(page));
            }
            lists.push(path.to_owned());
        }
        assert_eq!(pages.len(), PAGES + 10);
        let names = [
            "guides-start-1",
            "guides-start-2",
            "guides-start-3",
            "guides-next",
            "start",
        ];
        assert_eq!(lists, names.map(|name| format!("/_llms/{name}/llms.txt")));
        assert!(matches!(site.find("/_llms/x/llms.txt"), Resource::NotFound));
    }

    #[test]
    fn other_versions_and_languages_have_sections_of_their_own() {
        let version = |name: &str, dir: &str| {
            format!(
                r#"{{"version": "{name}", "groups": [{{"group": "Start", "pages": ["{dir}/a", "{dir}/secret"]}}]}}"#
            )
        };
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#112233"}}, "navigation": {{"languages": [
                {{"language": "en", "versions": [{}, {}]}},
                {{"language": "de", "groups": [{{"group": "Anfang", "pages": ["de/a"]}}]}}]}}}}"##,
            version("v2", "v2"),
            version("v1 (old)", "v1")
        );
        let mut files = vec![("docs.json".to_owned(), config)];
        for dir in ["v2", "v1", "de"] {
            let text = format!("---\ntitle: Page of {dir}\n---\nText of {dir}.");
            files.push((format!("{dir}/a.mdx"), text));
            let text = "---\ntitle: Secret\nhidden: true\n---\nSecret.".to_owned();
            files.push((format!("{dir}/secret.mdx"), text));
        }
        let site = assemble(SourceTree::from_files(files), &LoadOptions::default())
            .unwrap()
            .value;
        let index = read(&site, "/llms.txt");
        assert!(index.contains("> Documentation of A: 1 page.\n"), "{index}");
        assert!(
            index.contains("- [Page of v2](") && !index.contains("[Page of v1]"),
            "{index}"
        );
        let mut lists = Vec::new();
        for line in index.lines().filter(|line| line.contains("/_llms/")) {
            let path = links(line).remove(0).replace("https://x.org", "");
            assert!(line.ends_with(": 1 pages"), "{line}");
            let full = read(&site, &path.replace("llms.txt", "llms-full.txt"));
            lists.push((path.clone(), read(&site, &path), full));
        }
        let [(v1, list, full), (de, german, _)] = lists.as_slice() else {
            panic!("{lists:?}");
        };
        assert!(v1.contains("v1") && de.contains("de"), "{v1} {de}");
        assert!(
            list.contains("- [Page of v1](https://x.org/v1/a.md): "),
            "{list}"
        );
        assert!(
            full.contains("Text of v1.") && german.contains("/de/a.md"),
            "{full} {german}"
        );
        let all: String = lists
            .iter()
            .map(|(_, list, full)| format!("{list}{full}"))
            .collect();
        assert!(
            !all.contains("Secret") && !index.contains("Secret"),
            "{all}"
        );
    }

    #[test]
    fn a_short_list_has_all_pages_and_the_sections() {
        let site = site("Short");
        let index = site.generated_file(GeneratedFile::Llms, "https://x.org");
        let index = String::from_utf8_lossy(&index.bytes);
        assert!(index.chars().count() < MAX_LIST_CHARS);
        assert!(
            index.contains("- [next 1](https://x.org/next/1.md): Short ("),
            "{index}"
        );
        assert!(
            index.contains("- [Guides](https://x.org/_llms/guides/llms.txt): 305 pages, "),
            "{index}"
        );
    }
}
