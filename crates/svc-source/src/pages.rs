//! Which files are pages.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use indexmap::IndexMap;
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::codes::DUPLICATE_PAGE;
use crate::imports::imports;
use crate::paths::page_slug;
use crate::{Contents, Import, Page, SourceTree, front_matter, resolve_import};

/// All pages of a repository by slug, sorted by path, and the files that are snippets.
#[derive(Debug, Clone, Default)]
pub struct PageIndex {
    pages: IndexMap<Arc<str>, Page>,
    snippets: BTreeSet<Arc<str>>,
}

impl PageIndex {
    /// The page of a slug as people write it: with or without slashes around it, with the ending
    /// of its file, and as the folder of an `index` page.
    pub fn get(&self, slug: &str) -> Option<&Page> {
        let slug = slug.trim_matches('/');
        if let Some(page) = self.pages.get(slug) {
            return Some(page);
        }
        if let Some(page) = page_slug(slug).and_then(|stem| self.pages.get(stem)) {
            return Some(page);
        }
        if slug.is_empty() {
            return self.pages.get("index");
        }
        self.pages.get(format!("{slug}/index").as_str())
    }

    /// The page of exactly this slug.
    pub fn get_exact(&self, slug: &str) -> Option<&Page> {
        self.pages.get(slug)
    }

    /// All pages, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        self.pages.values()
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there is no page.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Whether a file is a snippet: under `snippets/`, or imported by another file.
    pub fn is_snippet(&self, path: &str) -> bool {
        self.snippets.contains(path)
    }

    /// The files that are snippets, sorted.
    pub fn snippets(&self) -> impl ExactSizeIterator<Item = &str> {
        self.snippets.iter().map(|path| &**path)
    }
}

/// Finds the pages and reads their front matter and imports, on all processors.
pub fn pages(tree: &SourceTree) -> Checked<PageIndex> {
    let files: Vec<&SourceFile> = tree
        .iter()
        .filter_map(|(path, contents)| match contents {
            Contents::Text(file) if is_candidate(path) => Some(file),
            _ => None,
        })
        .collect();
    let read = read_all(&files);
    let mut diagnostics = Vec::new();
    let mut snippets = BTreeSet::new();
    for one in &read {
        snippets.extend(one.imports.iter().filter_map(|import| {
            let path = resolve_import(one.file.path(), &import.specifier);
            let known = tree.text(&path)?;
            (known.path() != one.file.path()).then(|| known.path().clone())
        }));
        if one.page.is_none() {
            snippets.insert(one.file.path().clone());
        }
    }
    let mut pages: IndexMap<Arc<str>, Page> = IndexMap::with_capacity(read.len());
    for one in read {
        if snippets.contains(one.file.path()) {
            continue;
        }
        let (Some(read), Some(slug)) = (one.page, page_slug(one.file.path())) else {
            continue;
        };
        let (front_matter, body) = read.value;
        diagnostics.extend(read.diagnostics);
        let slug: Arc<str> = slug.into();
        let page = Page {
            path: one.file.path().clone(),
            slug: slug.clone(),
            file: one.file.clone(),
            body,
            front_matter,
            imports: one.imports,
        };
        if let Some(before) = pages.get_mut(&slug) {
            let message = format!("`{}` and `{}` make the same page", before.path, page.path);
            let problem = Diagnostic::new(&DUPLICATE_PAGE, message)
                .at(page.file.location(Span::new(0, 0)))
                .hint("rename or remove one of them; the `.mdx` file is shown");
            diagnostics.push(problem);
            if page.path.ends_with(".mdx") {
                *before = page;
            }
            continue;
        }
        pages.insert(slug, page);
    }
    Checked {
        value: PageIndex { pages, snippets },
        diagnostics,
    }
}

/// Pages and everything that may import.
fn is_candidate(path: &str) -> bool {
    page_slug(path).is_some() || path.ends_with(".jsx") || path.ends_with(".tsx")
}

/// Whether a file can never be a page because of its place. A folder `snippets` further down may
/// well hold pages about snippets; there only what is imported is one.
fn is_snippet_path(path: &str) -> bool {
    path.starts_with("snippets/")
        || path
            .split('/')
            .rev()
            .skip(1)
            .any(|folder| folder == "_snippets")
        || path.split('/').any(|part| part.starts_with('.'))
}

struct ReadPage<'a> {
    file: &'a SourceFile,
    /// Nothing for a file that can only be a snippet.
    page: Option<Checked<(crate::FrontMatter, u32)>>,
    imports: Vec<Import>,
}

fn read_all<'a>(files: &[&'a SourceFile]) -> Vec<ReadPage<'a>> {
    let workers = thread::available_parallelism()
        .map_or(1, NonZeroUsize::get)
        .min(16);
    let share = files.len().div_ceil(workers).max(64);
    let shares: Vec<&[&SourceFile]> = files.chunks(share).collect();
    let work = |share: &[&'a SourceFile]| share.iter().map(|file| read(file)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let (first, rest) = shares
            .split_first()
            .map_or((&[][..], &[][..]), |(f, r)| (*f, r));
        let others: Vec<_> = rest
            .iter()
            .map(|share| (*share, scope.spawn(move || work(share))))
            .collect();
        let mut all = work(first);
        for (share, other) in others {
            all.extend(other.join().unwrap_or_else(|_| work(share)));
        }
        all
    })
}

fn read(file: &SourceFile) -> ReadPage<'_> {
    let path = file.path();
    let is_page = page_slug(path).is_some() && !is_snippet_path(path);
    let page = is_page.then(|| front_matter(file));
    let body = page.as_ref().map_or(0, |page| page.value.1 as usize);
    ReadPage {
        file,
        page,
        imports: imports(file.text(), body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slugs(index: &PageIndex) -> Vec<&str> {
        index.iter().map(|page| &*page.slug).collect()
    }

    #[test]
    fn snippets_and_imported_files_are_no_pages() {
        let tree = SourceTree::from_files([
            (
                "a.mdx",
                "import B from '/parts/b.mdx'\nimport { C } from '/c.jsx'",
            ),
            ("parts/b.mdx", "import D from './d.mdx'"),
            ("parts/d.mdx", ""),
            ("parts/e.md", ""),
            ("snippets/f.mdx", "import G from '/g.mdx'"),
            ("es/_snippets/h.mdx", ""),
            ("my-snippets/i.mdx", ""),
            ("guides/snippets/j.mdx", ""),
            ("g.mdx", ""),
            ("c.jsx", ""),
            (".mintlify/skills/x.md", ""),
            ("README.md", ""),
        ]);
        let index = pages(&tree).value;
        assert_eq!(
            slugs(&index),
            ["a", "guides/snippets/j", "my-snippets/i", "parts/e"]
        );
        assert!(index.is_snippet("parts/d.mdx") && index.is_snippet("c.jsx"));
        assert!(index.is_snippet("g.mdx") && !index.is_snippet("a.mdx"));
    }

    #[test]
    fn a_page_is_found_under_every_spelling() {
        let tree = SourceTree::from_files([("index.mdx", ""), ("x/index.mdx", ""), ("x/y.md", "")]);
        let index = pages(&tree).value;
        for (spelling, slug) in [
            ("/x/y", "x/y"),
            ("x/y/", "x/y"),
            ("x/y.mdx", "x/y"),
            ("x/y.md", "x/y"),
            ("x", "x/index"),
            ("x/index", "x/index"),
            ("/", "index"),
            ("", "index"),
        ] {
            assert_eq!(
                index.get(spelling).map(|page| &*page.slug),
                Some(slug),
                "{spelling}"
            );
        }
        assert!(index.get("z").is_none());
    }

    #[test]
    fn a_broken_front_matter_keeps_its_page() {
        let tree = SourceTree::from_files([("a.mdx", "---\ntitle: [\n---\nBody")]);
        let checked = pages(&tree);
        assert_eq!(checked.value.get("a").map(Page::title), Some("A".into()));
        assert_eq!(checked.diagnostics.len(), 1);
    }

    #[test]
    fn of_two_files_with_one_slug_the_mdx_counts() {
        let tree = SourceTree::from_files([("a.md", "md"), ("a.mdx", "mdx")]);
        let checked = pages(&tree);
        assert_eq!(
            checked.value.get("a").map(|page| &*page.path),
            Some("a.mdx")
        );
        assert_eq!(checked.diagnostics[0].code, &DUPLICATE_PAGE);
    }

    #[test]
    fn a_file_that_imports_itself_stays_a_page() {
        let tree = SourceTree::from_files([("a.mdx", "import A from './a.mdx'")]);
        assert_eq!(pages(&tree).value.len(), 1);
    }
}
