//! Which files of the repository are served unchanged.
//!
//! Images, fonts, media, styles and scripts are always served. Other types, such as data and
//! archives, can be in a repository for other reasons and are served only if the site refers to
//! them. If readers may not see all pages, every file is served only if a page that they see refers
//! to it.

use std::sync::Arc;

use svc_nav::Audience;
use svc_source::{Contents, canonical_path};

use crate::file_types::{Use, extension, kind};
use crate::generated::file::GeneratedFile;
use crate::references::References;
use crate::site::Site;

/// Extensions of source files that are searched for references, besides pages and snippets.
const SOURCES: [&str; 6] = ["css", "js", "jsx", "mjs", "ts", "tsx"];

/// Generated files in `.well-known`.
const WELL_KNOWN: [&str; 4] = [
    ".well-known/agent-skills/index.json",
    ".well-known/skills/index.json",
    ".well-known/mcp.json",
    ".well-known/mcp/server-card.json",
];

impl Site {
    /// Media type of a file of the repository if it is served unchanged. `path` has no leading
    /// slash.
    pub(crate) fn served_type(&self, path: &str) -> Option<&'static str> {
        let (used, media_type) = kind(path)?;
        let is_public = match used {
            Use::Loaded if !self.is_closed() => true,
            _ if replaces_generated_file(path) || self.is_on_every_page(path) => true,
            _ if self.is_own_config(path) => false,
            _ if self.is_document(path) => self.open_sources().any(|open| open.path == path),
            _ => self.references().contains(path),
        };
        is_public.then_some(media_type)
    }

    /// Whether a part of the site is withheld from its readers.
    pub(crate) fn is_closed(&self) -> bool {
        match self.options.site.audience() {
            Audience::Outsiders => true,
            Audience::Trusted => false,
            _ => self.config.is_protected() || !self.map.withheld.pages.is_empty(),
        }
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
        || WELL_KNOWN.contains(&path)
        || path == "rss.xml"
        || path.ends_with("/rss.xml")
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use crate::{LoadOptions, Resource, Site, assemble, export};

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
