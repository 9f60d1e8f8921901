//! Which files of the repository are served unchanged.
//!
//! Images, fonts, media, styles and scripts are always served. Other types, such as data and
//! archives, can be in a repository for other reasons and are served only if the site refers to
//! them. On a protected site every file is served only if a visible page refers to it.

use std::collections::HashSet;
use std::sync::Arc;

use svc_data::percent::decode_lossy;
use svc_source::{Contents, SourceTree, canonical_path};

use crate::{GeneratedFile, Site};

/// Media types of files that pages load, sorted by extension.
const LOADABLE: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css; charset=utf-8"),
    ("eot", "application/vnd.ms-fontobject"),
    ("gif", "image/gif"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("ttf", "font/ttf"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
];

/// Media types of files that are served only if the site refers to them, sorted by extension.
const DATA: &[(&str, &str)] = &[
    ("csv", "text/csv; charset=utf-8"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// Names of build configuration files, which are never served from any directory.
const PRIVATE: [&str; 10] = [
    "composer.json",
    "docs.json",
    "jsconfig.json",
    "mint.json",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "tsconfig.json",
];

/// Extensions of source files that are searched for references, besides pages and snippets.
const SOURCES: [&str; 6] = ["css", "js", "jsx", "mjs", "ts", "tsx"];

/// Why a file may be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Its type is always served.
    Loaded,
    /// Served only if the site refers to it.
    Data,
}

fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn kind(path: &str) -> Option<(Use, &'static str)> {
    let ending = extension(path);
    let find = |list: &'static [(&str, &str)]| {
        let entry = list
            .iter()
            .find(|(candidate, _)| candidate.eq_ignore_ascii_case(ending));
        entry.map(|(_, media_type)| *media_type)
    };
    let loaded = find(LOADABLE).map(|media_type| (Use::Loaded, media_type));
    let (used, media_type) = loaded.or_else(|| Some((Use::Data, find(DATA)?)))?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let private = PRIVATE.iter().any(|other| other.eq_ignore_ascii_case(name))
        || path.split('/').any(|part| part.starts_with('.'));
    (!private).then_some((used, media_type))
}

/// Whether the type of a file is always served.
pub(crate) fn is_loaded(path: &str) -> bool {
    matches!(kind(path), Some((Use::Loaded, _)))
}

/// Whether a file can be served at all.
pub(crate) fn can_be_served(path: &str) -> bool {
    kind(path).is_some()
}

/// Files that the visible part of a site refers to.
#[derive(Debug, Default)]
pub(crate) struct References(HashSet<String>);

impl Site {
    /// Media type of a file of the repository if it is served unchanged. `path` has no leading
    /// slash.
    pub(crate) fn served_type(&self, path: &str) -> Option<&'static str> {
        let (used, media_type) = kind(path)?;
        let is_public = match used {
            Use::Loaded if !self.is_closed() => true,
            _ if replaces_generated_file(path) || self.is_on_every_page(path) => true,
            _ if self.is_own_config(path) => false,
            _ if self.is_document(path) => self.open_documents().any(|open| open.path == path),
            _ => self.references().0.contains(path),
        };
        is_public.then_some(media_type)
    }

    /// Whether the site is protected and enforces it by omitting pages.
    fn is_closed(&self) -> bool {
        self.config.is_protected() && !self.options.site.serves_protected()
    }

    /// Whether a file is a script or style sheet of the repository that every page loads.
    fn is_on_every_page(&self, path: &str) -> bool {
        let files = self.options.scripts.iter().chain(&self.options.styles);
        let mut files = files.filter_map(|file| file.strip_prefix('/'));
        files.any(|file| file == path)
    }

    /// Whether a file has the contents of the configuration, for example because it is a link to
    /// it.
    fn is_own_config(&self, path: &str) -> bool {
        let same = |text: &Arc<str>| **text == **self.config.file.text();
        self.tree.text(path).is_some_and(|file| same(file.text()))
    }

    fn is_document(&self, path: &str) -> bool {
        self.catalog
            .documents
            .iter()
            .any(|document| document.path == path)
    }

    /// Files that the visible pages, the configuration and the sources of components refer to;
    /// computed once.
    fn references(&self) -> &References {
        self.references.get_or_init(|| {
            let mut references = References::default();
            for page in self.pages.iter() {
                if self.map.routes.contains_key(&canonical_path(&page.slug)) {
                    references.read(&self.tree, &page.path, page.file.text());
                }
            }
            for (path, contents) in self.tree.iter() {
                let markdown = matches!(extension(path), "md" | "mdx");
                let source = match markdown {
                    true => self.pages.is_snippet(path),
                    false => SOURCES.contains(&extension(path)),
                };
                if source && let Contents::Text(file) = contents {
                    references.read(&self.tree, path, file.text());
                }
            }
            let config = &self.config.file;
            references.read(&self.tree, config.path(), config.text());
            for document in self
                .open_documents()
                .filter(|document| !document.is_remote())
            {
                references.read(&self.tree, &document.path, document.file.text());
            }
            references
        })
    }
}

/// Whether a file of the repository replaces a generated file.
fn replaces_generated_file(path: &str) -> bool {
    GeneratedFile::ALL
        .into_iter()
        .any(|file| file.path().strip_prefix('/') == Some(path))
        || path == "rss.xml"
        || path.ends_with("/rss.xml")
}

impl References {
    /// Adds the files that a text refers to: in quotes, in the parentheses of a link or of `url()`,
    /// or after the colon of front matter or of a link definition.
    fn read(&mut self, tree: &SourceTree, path: &str, text: &str) {
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let markdown = matches!(extension(path), "md" | "mdx");
        let mut fence: Option<(char, usize)> = None;
        for line in text.lines() {
            let run = run_of_fence(line.trim_start());
            match (fence, run) {
                (None, Some(open)) if markdown => fence = Some(open),
                (Some((mark, length)), Some((this, run))) if this == mark && run >= length => {
                    fence = None;
                }
                (None, _) => {
                    for destination in link_candidates(line, markdown) {
                        self.0.extend(resolve(tree, dir, destination));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The fence character and the length of a code fence (CommonMark, section 4.5).
fn run_of_fence(line: &str) -> Option<(char, usize)> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let run = line.chars().take_while(|c| *c == mark).count();
    (run >= 3).then_some((mark, run))
}

/// The substrings of a line that may be the path of a file. Code spans of Markdown are excluded,
/// but a template literal in an expression may be one.
fn link_candidates(line: &str, markdown: bool) -> Vec<&str> {
    let mut candidates = Vec::new();
    let mut before = "";
    for (at, part) in line.split('`').enumerate() {
        let code = markdown && at % 2 == 1 && !before.ends_with('{');
        if at % 2 == 1 && !code {
            candidates.push(strip_query(part));
        }
        if !code {
            candidates.extend(quoted(part));
        }
        before = part;
    }
    if markdown && let Some((_, rest)) = line.split_once(": ") {
        candidates.push(strip_query(rest.trim()));
    }
    candidates
}

fn strip_query(url: &str) -> &str {
    url.split(['#', '?']).next().unwrap_or(url)
}

/// Substrings in quotes and brackets.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let opens = ['"', '\'', '(', '<'];
    let ends = ['"', '\'', ')', '>', '\\'];
    text.match_indices(opens).filter_map(move |(at, opening)| {
        let rest = text.get(at + opening.len()..)?;
        let end = rest.find(ends).unwrap_or(rest.len());
        let path = strip_query(rest.get(..end)?);
        // The title of a link follows after a space.
        match opening {
            "(" => path.split_whitespace().next(),
            _ => Some(path),
        }
    })
}

/// The file of the repository that `destination` refers to, relative to the root or to `dir`.
fn resolve(tree: &SourceTree, dir: &str, destination: &str) -> Option<String> {
    let has_type = |list: &[(&str, &str)]| {
        list.iter()
            .any(|(other, _)| other.eq_ignore_ascii_case(extension(destination)))
    };
    if destination.len() > 1024 || !(has_type(LOADABLE) || has_type(DATA)) {
        return None;
    }
    let destination = decode_lossy(destination);
    if destination.contains("://") || destination.starts_with("//") {
        return None;
    }
    let existing = |path: String| (can_be_served(&path) && tree.contains(&path)).then_some(path);
    let from_root = || existing(join("", destination.trim_start_matches('/')));
    if destination.starts_with('/') {
        return from_root();
    }
    existing(join(dir, &destination)).or_else(from_root)
}

/// Joins a path to a directory and removes `.` and `..`.
fn join(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, Resource, Site, assemble, export};

    #[test]
    fn types_and_private_names_decide_whether_a_file_can_be_served() {
        assert!(LOADABLE.is_sorted() && DATA.is_sorted() && PRIVATE.is_sorted());
        for loaded in ["a.png", "x/A.PNG", "style.css"] {
            assert!(is_loaded(loaded), "{loaded}");
        }
        for data in ["openapi.yaml", "llms.txt", "a/b.json"] {
            assert!(can_be_served(data) && !is_loaded(data), "{data}");
        }
        let never = [
            "docs.json",
            "mint.json",
            "a.mdx",
            "a.md",
            "a.jsx",
            ".env",
            ".git/x.png",
            "x/.a.png",
            "png",
            "Makefile",
            "sub/docs.json",
            "sub/package.json",
            "x/pnpm-lock.yaml",
        ];
        for never in never {
            assert!(!can_be_served(never), "{never}");
        }
    }

    const DOCS: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#112233"},
        "navbar": {"links": [{"label": "Data", "href": "/config-data.csv"}]},
        "navigation": {"groups": [{"group": "G", "openapi": "api.yaml", "pages": ["index", "a/b"]}]}}"##;
    const API: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /x:\n    get: {summary: X, responses: {}}\n";

    fn site(more: &[(&str, &str)]) -> Site {
        let mut files = vec![
            ("docs.json", DOCS),
            ("api.yaml", API),
            ("old-api.yaml", API),
            (
                "index.mdx",
                "[d](/files/data.csv) <a href=\"files/two.zip\">z</a>\n```sh\ncat \"secret.json\" (secrets.txt)\n```\nSee `config.json` and \"x\"\n\n[ref]: /ref.txt\n",
            ),
            (
                "a/b.mdx",
                "import x from './local.json'\n\n![i](../i.png) [bad](/package.json)",
            ),
            (
                "box.jsx",
                "export const Box = () => fetch('/fetched.json#x')",
            ),
            ("i.png", ""),
            ("link.json", DOCS),
            ("sub/docs.json", "{}"),
        ];
        for path in [
            "files/data.csv",
            "files/two.zip",
            "ref.txt",
            "a/local.json",
            "fetched.json",
            "config-data.csv",
            "secret.json",
            "secrets.txt",
            "config.json",
            "package.json",
            "docker-compose.yml",
            "robots.txt",
            "sub/package.json",
        ] {
            files.push((path, "{}"));
        }
        files.extend_from_slice(more);
        assemble(SourceTree::from_files(files), &LoadOptions::default())
            .unwrap()
            .value
    }

    #[test]
    fn data_files_are_served_if_the_site_refers_to_them() {
        let site = site(&[("index2.mdx", "[l](/link.json)")]);
        let is = |path: &str| matches!(site.find(path), Resource::Asset(_));
        for path in [
            "/files/data.csv",
            "/files/two.zip",
            "/ref.txt",
            "/a/local.json",
            "/fetched.json",
            "/config-data.csv",
            "/i.png",
            "/api.yaml",
            "/robots.txt",
        ] {
            assert!(is(path), "{path}");
        }
        for path in [
            "/secret.json",
            "/secrets.txt",
            "/config.json",
            "/package.json",
            "/docker-compose.yml",
            "/old-api.yaml",
            "/link.json",
            "/sub/docs.json",
            "/sub/package.json",
            "/docs.json",
        ] {
            assert!(!is(path), "{path}");
        }
    }

    #[test]
    fn an_export_contains_the_served_files() {
        let out = tempfile::tempdir().unwrap();
        let report = export(&site(&[]), out.path(), &crate::ExportOptions::default()).unwrap();
        let has = |name: &str| report.manifest.iter().any(|file| file.path == name);
        assert!(has("files/data.csv") && has("api.yaml"));
        assert!(!has("secrets.txt") && !has("old-api.yaml") && !has("link.json"));
        let messages = report
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code.id == "link-file");
        let messages: Vec<&str> = messages
            .map(|diagnostic| diagnostic.message.as_str())
            .collect();
        assert_eq!(messages, ["`/package.json` is a file that is not served"]);
    }
}
