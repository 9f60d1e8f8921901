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

/// All listed pages by section. A site whose pages are all in one section that is small enough has
/// no section.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    pub(super) pages: Vec<ListedPage>,
    pub(super) sections: Vec<Section>,
}

/// A list or full text of a section.
#[derive(Debug, Clone, Copy)]
pub struct SectionFile<'a> {
    pub(super) section: &'a Section,
    pub(super) name: &'static str,
}

impl SectionFile<'_> {
    /// URL path of the file.
    pub fn path(&self) -> String {
        self.section.path(self.name)
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
        let pages = llms::listed_pages(site);
        let mut parts = Vec::new();
        for (title, pages) in partition(site, &pages, 0) {
            let title = title.unwrap_or("Other pages").to_owned();
            split(site, title, pages, 1, &mut parts);
        }
        let mut slugs = HashSet::new();
        let sections = parts.into_iter().map(|(title, pages)| {
            let slug = unique_slug(&mut slugs, &svc_openapi::slugify(&title), "section");
            Section {
                slug,
                title,
                pages: pages.into_iter().cloned().collect(),
            }
        });
        let mut sections: Vec<Section> = sections.collect();
        if sections.len() < 2 {
            sections.clear();
        }
        Self { pages, sections }
    }

    /// The files of all sections.
    pub(crate) fn files(&self) -> impl Iterator<Item = SectionFile<'_>> {
        let files = |section| NAMES.map(|name| SectionFile { section, name });
        self.sections.iter().flat_map(files)
    }

    /// Whether a single list of all pages would be too long.
    pub(super) fn is_nested(&self) -> bool {
        chars(&self.pages) > MAX_LIST_CHARS && !self.sections.is_empty()
    }
}

impl Site {
    /// The file of a section at a URL path.
    pub(crate) fn section_file_at(&self, path: &str) -> Option<SectionFile<'_>> {
        let (slug, name) = path.strip_prefix(DIR)?.split_once('/')?;
        let mut files = self.sections().files();
        files.find(|file| file.section.slug == slug && file.name == name)
    }
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
/// count, because only the pages of the default ones are listed.
fn element<'a>(site: &'a Site, page: &ListedPage, depth: usize) -> Option<&'a NavNode> {
    let route: &Route = site.map.route(&page.path)?;
    let nodes = route.trail.iter().filter_map(|id| site.map.node(*id));
    let mut nodes = nodes.filter(|node| {
        !matches!(
            node.element(),
            Some(ElementKind::Language | ElementKind::Version)
        )
    });
    nodes.nth(depth)
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

    fn links(text: &str) -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("- ["));
        let links = lines.filter_map(|line| line.split_once("](")?.1.split_once(')'));
        links.map(|(link, _)| link.to_owned()).collect()
    }

    #[test]
    fn long_lists_are_divided_and_no_page_is_dropped() {
        let description = "Words that describe it. ".repeat(11);
        let site = site(&description);
        let read = |path: &str| {
            let packed = match site.find(path) {
                Resource::Generated(file) => site.generated_file(file, "https://x.org"),
                Resource::SectionFile(file) => site.section_file(&file, "https://x.org"),
                other => panic!("{path}: {other:?}"),
            };
            String::from_utf8_lossy(&packed.bytes).into_owned()
        };
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
