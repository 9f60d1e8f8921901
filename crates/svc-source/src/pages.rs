//! The page index: which files are pages and which are snippets.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use indexmap::IndexMap;
use indexmap::map::Entry;
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::codes::{DUPLICATE_PAGE, SAME_LETTERS};
use crate::imports::imports;
use crate::paths::page_slug;
use crate::{Contents, FrontMatter, Import, Mounts, Page, SourceTree, front_matter};

/// Index of all pages of a repository by slug, sorted by path, and of the files that are snippets.
///
/// ```
/// use svc_source::{SourceTree, pages, update_pages};
/// let mut tree = SourceTree::from_files([("a/index.mdx", "---\ntitle: A\n---\nText"), ("b.mdx", "")]);
/// let index = pages(&tree).value;
/// assert_eq!((index.len(), index.is_empty(), index.iter().len()), (2, false, 2));
/// let page = index.get("a").unwrap();
/// assert_eq!((page.title().as_str(), page.body_text()), ("A", "Text"));
/// assert!(index.get_exact("a").is_none());
/// assert!(!index.is_snippet("b.mdx"));
/// tree.insert_text("b.mdx", "Other text");
/// let updated = update_pages(&tree, &index).value;
/// assert!(updated.front_matter_eq(&index));
/// ```
#[derive(Debug, Clone, Default)]
pub struct PageIndex {
    pages: IndexMap<Arc<str>, Arc<Page>>,
    snippets: BTreeSet<Arc<str>>,
    /// All indexed files, sorted by path, for incremental updates.
    files: Vec<Arc<IndexedFile>>,
    mounts: Mounts,
}

/// A file that is a page or may import other files.
#[derive(Debug)]
struct IndexedFile {
    file: SourceFile,
    /// `None` for a file that can only be a snippet.
    page: Option<Arc<Page>>,
    /// Imports of a snippet; those of a page are in the page.
    imports: Vec<Import>,
    /// Diagnostics of the front matter.
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
    /// Returns the page of a slug in any spelling: with or without surrounding slashes, with the
    /// file extension, or as the folder of an `index` page. `None` if there is no such page.
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

    /// Returns the page of exactly this slug, or `None` if there is none.
    pub fn get_exact(&self, slug: &str) -> Option<&Page> {
        self.pages.get(slug).map(|page| &**page)
    }

    /// Iterates over all pages, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        self.pages.values().map(|page| &**page)
    }

    /// Returns true if both indexes have the same pages with equal front matter and the same
    /// snippets, that is, if at most bodies of pages differ.
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
                .all(|(a, b)| Arc::ptr_eq(a, b) || (a.path == b.path && head(a) == head(b)))
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns true if there are no pages.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Directories with files of other revisions.
    pub const fn mounts(&self) -> &Mounts {
        &self.mounts
    }

    /// Returns true if a file is a snippet: it is in `snippets/` or another file imports it.
    pub fn is_snippet(&self, path: &str) -> bool {
        self.snippets.contains(path)
    }

    /// Iterates over the paths of the snippets, sorted.
    pub fn snippets(&self) -> impl ExactSizeIterator<Item = &str> {
        self.snippets.iter().map(|path| &**path)
    }
}

/// Finds the pages of a tree and parses their front matter and imports, in parallel.
pub fn pages(tree: &SourceTree) -> Checked<PageIndex> {
    update_pages(tree, &PageIndex::default())
}

/// Same as [`pages`], but reuses the entries of `before` whose files are unchanged.
pub fn update_pages(tree: &SourceTree, before: &PageIndex) -> Checked<PageIndex> {
    let files: Vec<&SourceFile> = tree
        .iter()
        .filter_map(|(path, contents)| match contents {
            Contents::Text(file) if is_candidate(path) => Some(file),
            _ => None,
        })
        .collect();
    let mounts = tree.mounts();
    // A file may be a snippet because of its path in the mount.
    let known = match *mounts == before.mounts {
        true => &before.files[..],
        false => &[],
    };
    let read = read_all(&files, known, mounts);
    let mut diagnostics = Vec::new();
    let mut snippets = BTreeSet::new();
    for item in &read {
        snippets.extend(item.imports().iter().filter_map(|import| {
            let path = mounts.import(item.file.path(), &import.specifier);
            let known = tree.text(&path)?;
            (known.path() != item.file.path()).then(|| known.path().clone())
        }));
        if item.page.is_none() {
            snippets.insert(item.file.path().clone());
        }
    }
    let mut pages: IndexMap<Arc<str>, Arc<Page>> = IndexMap::with_capacity(read.len());
    for item in &read {
        if snippets.contains(item.file.path()) {
            continue;
        }
        let Some(page) = &item.page else {
            continue;
        };
        diagnostics.extend(item.diagnostics.iter().cloned());
        let mut entry = match pages.entry(Arc::clone(&page.slug)) {
            Entry::Vacant(entry) => {
                entry.insert(Arc::clone(page));
                continue;
            }
            Entry::Occupied(entry) => entry,
        };
        let existing = entry.get_mut();
        let message = format!(
            "`{}` and `{}` produce the same page",
            existing.path, page.path
        );
        let problem = Diagnostic::new(&DUPLICATE_PAGE, message)
            .at(page.file.location(Span::new(0, 0)))
            .hint("rename or remove one of them; the `.mdx` file is used");
        diagnostics.push(problem);
        if page.path.ends_with(".mdx") {
            *existing = Arc::clone(page);
        }
    }
    diagnostics.extend(case_conflicts(&pages));
    Checked {
        value: PageIndex {
            pages,
            snippets,
            files: read,
            mounts: mounts.clone(),
        },
        diagnostics,
    }
}

/// Reports pages whose files cannot be in the same directory on a case-insensitive file system.
fn case_conflicts(pages: &IndexMap<Arc<str>, Arc<Page>>) -> Vec<Diagnostic> {
    let is_lower = |slug: &str| {
        slug.bytes()
            .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
    };
    // As on most sites.
    if pages.keys().all(|slug| is_lower(slug)) {
        return Vec::new();
    }
    let mut seen: HashMap<String, &Page> = HashMap::with_capacity(pages.len());
    let mut diagnostics = Vec::new();
    for page in pages.values() {
        let Some(other) = seen.insert(page.slug.to_lowercase(), page) else {
            continue;
        };
        let message = format!("`{}` and `{}` differ only in case", other.path, page.path);
        let problem = Diagnostic::new(&SAME_LETTERS, message)
            .at(page.file.location(Span::new(0, 0)))
            .hint("rename one of them; macOS and Windows cannot store both");
        diagnostics.push(problem);
    }
    diagnostics
}

/// Returns true if a file is a page or may import other files.
fn is_candidate(path: &str) -> bool {
    page_slug(path).is_some() || path.ends_with(".jsx") || path.ends_with(".tsx")
}

/// Returns true if a file is a snippet because of its path. A nested folder `snippets` may contain
/// pages about snippets, so there only imported files are snippets.
fn is_snippet_path(path: &str) -> bool {
    path.starts_with("snippets/")
        || path.split('/').rev().skip(1).any(|dir| dir == "_snippets")
        || path.split('/').any(|part| part.starts_with('.'))
}

/// Returns true if a file is a skill for agents instead of a page: `skill.md` or
/// `skills/NAME/SKILL.md` with a name and without a title.
fn is_skill(path: &str, front_matter: &FrontMatter) -> bool {
    let mut parts = path.split('/');
    let at_skill_path = match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), None, ..) => file.eq_ignore_ascii_case("skill.md"),
        (Some("skills"), Some(_), Some("SKILL.md"), None) => true,
        _ => false,
    };
    at_skill_path && front_matter.title.is_none() && front_matter.extra("name").is_some()
}

fn read_all(
    files: &[&SourceFile],
    previous: &[Arc<IndexedFile>],
    mounts: &Mounts,
) -> Vec<Arc<IndexedFile>> {
    let mut rest = previous;
    let known: Vec<Option<&Arc<IndexedFile>>> = files
        .iter()
        .map(|file| find_unchanged(&mut rest, file))
        .collect();
    let unknown = files.iter().zip(&known).filter(|(_, read)| read.is_none());
    let unknown: Vec<&SourceFile> = unknown.map(|(file, _)| *file).collect();
    let mut new = read_new(&unknown, mounts).into_iter();
    let all = known.into_iter().map(|read| read.map(Arc::clone));
    all.filter_map(|read| read.or_else(|| new.next())).collect()
}

/// Reads pages in parallel, or on this thread if there are few, because threads cost time and
/// memory.
fn read_new(files: &[&SourceFile], mounts: &Mounts) -> Vec<Arc<IndexedFile>> {
    let workers = thread::available_parallelism()
        .map_or(1, NonZeroUsize::get)
        .min(16);
    let share = files.len().div_ceil(workers).max(64);
    let task = |share: &[&SourceFile]| -> Vec<Arc<IndexedFile>> {
        share
            .iter()
            .map(|file| Arc::new(read(file, mounts)))
            .collect()
    };
    if files.len() <= share {
        return task(files);
    }
    thread::scope(|scope| {
        let mut shares = files.chunks(share);
        let first = shares.next().unwrap_or_default();
        let handles: Vec<_> = shares
            .map(|share| (share, scope.spawn(move || task(share))))
            .collect();
        let mut all = task(first);
        for (share, handle) in handles {
            all.extend(handle.join().unwrap_or_else(|_| task(share)));
        }
        all
    })
}

/// Returns the entry of the same path if its text is unchanged. Files are looked up in the order of
/// their paths; the entries before them are removed.
fn find_unchanged<'a>(
    previous: &mut &'a [Arc<IndexedFile>],
    file: &SourceFile,
) -> Option<&'a Arc<IndexedFile>> {
    loop {
        let (read, rest) = previous.split_first()?;
        let (old, path) = (read.file.path(), file.path());
        let order = match Arc::ptr_eq(old, path) {
            true => Ordering::Equal,
            false => old.cmp(path),
        };
        if order.is_le() {
            *previous = rest;
        }
        if order.is_ge() {
            let is_same = order.is_eq() && Arc::ptr_eq(read.file.text(), file.text());
            return is_same.then_some(read);
        }
    }
}

fn read(file: &SourceFile, mounts: &Mounts) -> IndexedFile {
    let path = file.path();
    let in_root = mounts.relative(path);
    let slug = page_slug(path).filter(|_| !is_snippet_path(in_root));
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
    if is_skill(in_root, &front_matter) {
        return IndexedFile {
            file: file.clone(),
            page: None,
            imports: Vec::new(),
            diagnostics: Vec::new(),
        };
    }
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
    fn snippets_and_imported_files_are_not_pages() {
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
    fn get_accepts_every_spelling_of_a_slug() {
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
    fn a_page_with_invalid_front_matter_is_indexed() {
        let tree = SourceTree::from_files([("a.mdx", "---\ntitle: [\n---\nBody")]);
        let checked = pages(&tree);
        assert_eq!(checked.value.get("a").map(Page::title), Some("A".into()));
        assert_eq!(checked.diagnostics.len(), 1);
    }

    #[test]
    fn the_mdx_file_is_used_if_two_files_have_the_same_slug() {
        let tree = SourceTree::from_files([("a.md", "md"), ("a.mdx", "mdx")]);
        let checked = pages(&tree);
        assert_eq!(
            checked.value.get("a").map(|page| &*page.path),
            Some("a.mdx")
        );
        assert_eq!(checked.diagnostics[0].code, &DUPLICATE_PAGE);
    }

    #[test]
    fn a_file_that_imports_itself_is_a_page() {
        let tree = SourceTree::from_files([("a.mdx", "import A from './a.mdx'")]);
        assert_eq!(pages(&tree).value.len(), 1);
    }
}
