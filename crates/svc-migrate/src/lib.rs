//! Converts documentation repositories of other generators into MDX pages and a docs.json.
//!
//! A [`Repository`] in memory goes in, a [`Migration`] comes out: the files of the new repository,
//! and a diagnostic for everything that has no equivalent. This crate reads and writes no files.
//!
//! ```
//! use svc_migrate::{Format, OutputFile, Repository, detect, migrate};
//! let mut repository = Repository::new();
//! repository.insert_text("mkdocs.yml", "site_name: Acme\n");
//! repository.insert_text("docs/index.md", "# Hello\n\n!!! tip\n    Text\n");
//! assert_eq!(detect(&repository), Some(Format::Mkdocs));
//! let migration = migrate(&repository, Format::Mkdocs);
//! let Some(OutputFile::Text(page)) = migration.files.get("index.mdx") else { panic!() };
//! assert!(page.contains("<Tip>"));
//! ```

mod codes;
mod docusaurus;
mod front_matter;
mod gitbook;
mod include;
mod js;
mod links;
mod markdown;
mod mdbook;
mod mkdocs;
mod navigation;
mod path;
mod readme;
mod repository;
mod site;
mod social;
mod starlight;
mod summary;
mod video;
mod vitepress;

use std::collections::BTreeMap;

use svc_diagnostics::Diagnostic;

pub use codes::{
    CODES, MIGRATE_CONFIG, MIGRATE_LIMIT, MIGRATE_MARKUP, MIGRATE_MISSING, MIGRATE_SETTING,
    MIGRATE_STYLE, MIGRATE_SYNTAX,
};
pub use repository::Repository;

/// A generator of documentation sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// MkDocs, in particular with Material for MkDocs.
    Mkdocs,
    /// Docusaurus 2 and 3.
    Docusaurus,
    /// Starlight, the documentation theme of Astro.
    Starlight,
    /// VitePress.
    Vitepress,
    /// mdBook.
    Mdbook,
    /// GitBook.
    Gitbook,
    /// ReadMe.
    Readme,
}

/// A file of the new repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputFile {
    /// A new text.
    Text(String),
    /// A copy of the file of the old repository at this path.
    Copy(String),
}

/// A converted page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigratedPage {
    /// Path in the old repository.
    pub source: String,
    /// Path in the new repository.
    pub output: String,
    /// URL path on the new site.
    pub path: String,
    /// URL paths on the old site, which the new site serves or redirects.
    pub old_urls: Vec<String>,
}

/// A converted repository.
#[derive(Debug, Clone, Default)]
pub struct Migration {
    /// Files by path.
    pub files: BTreeMap<String, OutputFile>,
    /// Pages in the order of their old paths.
    pub pages: Vec<MigratedPage>,
    /// What was not converted, with locations in the old repository.
    pub diagnostics: Vec<Diagnostic>,
}

/// The generator of a repository, by its configuration file at the root or in a folder of the root.
///
/// Example: [crate documentation](crate).
pub fn detect(repository: &Repository) -> Option<Format> {
    if mkdocs::config_path(repository).is_some() {
        Some(Format::Mkdocs)
    } else if docusaurus::config_path(repository).is_some() {
        Some(Format::Docusaurus)
    } else if starlight::config_path(repository).is_some() {
        Some(Format::Starlight)
    } else if vitepress::config_path(repository).is_some() {
        Some(Format::Vitepress)
    } else if mdbook::config_path(repository).is_some() {
        Some(Format::Mdbook)
    } else if gitbook::config_path(repository).is_some() {
        Some(Format::Gitbook)
    } else if readme::config_path(repository).is_some() {
        Some(Format::Readme)
    } else {
        None
    }
}

/// Converts a repository. Without a configuration file of the format, the result has no files and a
/// diagnostic.
///
/// Example: [crate documentation](crate).
pub fn migrate(repository: &Repository, format: Format) -> Migration {
    match format {
        Format::Mkdocs => mkdocs::migrate(repository),
        Format::Docusaurus => docusaurus::migrate(repository),
        Format::Starlight => starlight::migrate(repository),
        Format::Vitepress => vitepress::migrate(repository),
        Format::Mdbook => mdbook::migrate(repository),
        Format::Gitbook => gitbook::migrate(repository),
        Format::Readme => readme::migrate(repository),
    }
}
