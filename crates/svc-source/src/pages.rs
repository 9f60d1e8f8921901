//! Which files are pages.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use indexmap::IndexMap;
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::codes::{DUPLICATE_PAGE, SAME_LETTERS};
use crate::imports::imports;
use crate::paths::page_slug;
use crate::{Contents, Import, Page, SourceTree, front_matter, resolve_import};

/// All pages of a repository by slug, sorted by path, and the files that are snippets.
#[derive(Debug, Clone, Default)]
pub struct PageIndex {
    pages: IndexMap<Arc<str>, Arc<Page>>,
    snippets: BTreeSet<Arc<str>>,
    /// Everything that was read, sorted by path, for reading again.
    files: Vec<Arc<IndexedFile>>,
}

/// One file that is a page or may import something.
#[derive(Debug)]
struct IndexedFile {
    file: SourceFile,
    /// Nothing for a file that can only be a snippet.
    page: Option<Arc<Page>>,
    /// What a snippet imports; of pages it stands in the page.
    imports: Vec<Import>,
    /// What is wrong with the front matter.
    diagnostics: Vec<Diagnostic>,
}

impl IndexedFile {
    fn imports(&self) -> &[Import] {
        self.page
            .as_ref()
            .map_or(&self.imports, |page| &page.imports)
    }
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
            return self.get_exact("index");
        }
        self.get_exact(&format!("{slug}/index"))
    }

    /// The page of exactly this slug.
    pub fn get_exact(&self, slug: &str) -> Option<&Page> {
        self.pages.get(slug).map(|page| &**page)
    }

    /// All pages, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        self.pages.values().map(|page| &**page)
    }

    /// Whether another index has the same pages with the same front matter, and the same snippets:
    /// everything that is the same where only bodies of pages were edited.
    pub fn front_matter_eq(&self, other: &Self) -> bool {
        let head = |page: &Page| {
            let head = page.file.text().get(..page.body as usize);
            (page.body, head.map(str::to_owned))
        };
        self.pages.len() == other.pages.len()
            && self.snippets == other.snippets
            && self
                .pages
                .values()
                .zip(other.pages.values())
                .all(|(one, two)| {
                    Arc::ptr_eq(one, two) || (one.path == two.path && head(one) == head(two))
                })
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
    update_pages(tree, &PageIndex::default())
}

/// As [`pages`]; files that have the same text as when `before` was made are not read again.
pub fn update_pages(tree: &SourceTree, before: &PageIndex) -> Checked<PageIndex> {
    let files: Vec<&SourceFile> = tree
        .iter()
        .filter_map(|(path, contents)| match contents {
            Contents::Text(file) if is_candidate(path) => Some(file),
            _ => None,
        })
        .collect();
    let read = read_all(&files, &before.files);
    let mut diagnostics = Vec::new();
    let mut snippets = BTreeSet::new();
    for one in &read {
        snippets.extend(one.imports().iter().filter_map(|import| {
            let path = resolve_import(one.file.path(), &import.specifier);
            let known = tree.text(&path)?;
            (known.path() != one.file.path()).then(|| known.path().clone())
        }));
        if one.page.is_none() {
            snippets.insert(one.file.path().clone());
        }
    }
    let mut pages: IndexMap<Arc<str>, Arc<Page>> = IndexMap::with_capacity(read.len());
    for one in &read {
        if snippets.contains(one.file.path()) {
            continue;
        }
        let Some(page) = &one.page else {
            continue;
        };
        diagnostics.extend(one.diagnostics.iter().cloned());
        if let Some(before) = pages.get_mut(&page.slug) {
            let message = format!("`{}` and `{}` make the same page", before.path, page.path);
            let problem = Diagnostic::new(&DUPLICATE_PAGE, message)
                .at(page.file.location(Span::new(0, 0)))
                .hint("rename or remove one of them; the `.mdx` file is shown");
            diagnostics.push(problem);
            if page.path.ends_with(".mdx") {
                *before = Arc::clone(page);
            }
            continue;
        }
        pages.insert(page.slug.clone(), Arc::clone(page));
    }
    diagnostics.extend(case_conflicts(&pages));
    Checked {
        value: PageIndex {
            pages,
            snippets,
            files: read,
        },
        diagnostics,
    }
}

/// Pages whose files a system that ignores case cannot keep beside each other.
fn case_conflicts(pages: &IndexMap<Arc<str>, Arc<Page>>) -> Vec<Diagnostic> {
    let mut seen: HashMap<String, &Page> = HashMap::with_capacity(pages.len());
    let mut found = Vec::new();
    for page in pages.values() {
        let Some(other) = seen.insert(page.slug.to_lowercase(), page) else {
            continue;
        };
        let message = format!(
            "`{}` and `{}` differ only in capital letters",
            other.path, page.path
        );
        let problem = Diagnostic::new(&SAME_LETTERS, message)
            .at(page.file.location(Span::new(0, 0)))
            .hint("rename one of them; macOS and Windows keep only one of both");
        found.push(problem);
    }
    found
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

fn read_all(files: &[&SourceFile], before: &[Arc<IndexedFile>]) -> Vec<Arc<IndexedFile>> {
    let known: Vec<Option<&Arc<IndexedFile>>> = files
        .iter()
        .map(|file| find_unchanged(before, file))
        .collect();
    let unknown = files.iter().zip(&known).filter(|(_, read)| read.is_none());
    let unknown: Vec<&SourceFile> = unknown.map(|(file, _)| *file).collect();
    let mut new = read_new(&unknown).into_iter();
    let all = known.into_iter().map(|read| read.map(Arc::clone));
    all.filter_map(|read| read.or_else(|| new.next())).collect()
}

/// Reads pages on all processors, or here when they are few: a thread has its price, and memory.
fn read_new(files: &[&SourceFile]) -> Vec<Arc<IndexedFile>> {
    let workers = thread::available_parallelism()
        .map_or(1, NonZeroUsize::get)
        .min(16);
    let share = files.len().div_ceil(workers).max(64);
    let work = |share: &[&SourceFile]| -> Vec<Arc<IndexedFile>> {
        share.iter().map(|file| Arc::new(read(file))).collect()
    };
    if files.len() <= share {
        return work(files);
    }
    thread::scope(|scope| {
        let mut shares = files.chunks(share);
        let first = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|share| (share, scope.spawn(move || work(share))))
            .collect();
        let mut all = work(first);
        for (share, other) in others {
            all.extend(other.join().unwrap_or_else(|_| work(share)));
        }
        all
    })
}

/// What was read of the same text under the same path.
fn find_unchanged<'a>(
    before: &'a [Arc<IndexedFile>],
    file: &SourceFile,
) -> Option<&'a Arc<IndexedFile>> {
    let at = before.binary_search_by(|one| one.file.path().cmp(file.path()));
    let read = before.get(at.ok()?)?;
    Arc::ptr_eq(read.file.text(), file.text()).then_some(read)
}

fn read(file: &SourceFile) -> IndexedFile {
    let path = file.path();
    let slug = page_slug(path).filter(|_| !is_snippet_path(path));
    let Some(slug) = slug else {
        return IndexedFile {
            file: file.clone(),
            page: None,
            imports: imports(file.text(), 0),
            diagnostics: Vec::new(),
        };
    };
    let Checked {
        value: (front_matter, body),
        diagnostics,
    } = front_matter(file);
    let page = Page {
        path: path.clone(),
        slug: slug.into(),
        file: file.clone(),
        body,
        front_matter,
        imports: imports(file.text(), body as usize),
    };
    IndexedFile {
        file: file.clone(),
        page: Some(Arc::new(page)),
        imports: Vec::new(),
        diagnostics,
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
