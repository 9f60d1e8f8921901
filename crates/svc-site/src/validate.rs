//! Validation of a repository or a single file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use svc_diagnostics::{Checked, Diagnostic, Location, Severity, SourceFile, Span, render_text};
use svc_nav::{Audience, RouteBody};
use svc_render::SiteOptions;

use crate::codes::INVALID_OPENAPI;
use crate::diagnostics::sort_diagnostics;
use crate::export::names;
use crate::parallel::threads;
use crate::stages::CONFIGS;
use crate::{AccessibilityChecks, LoadOptions, Site, links, load, versions};

/// Result of [`validate`] or [`check_accessibility`](crate::check_accessibility), with the sources for excerpts.
#[derive(Debug)]
pub struct Validation {
    /// All diagnostics, sorted by file and location.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of pages that were checked.
    pub pages: usize,
    pub(crate) source: Source,
}

#[derive(Debug)]
pub(crate) enum Source {
    /// A site, or one page of it.
    Site {
        site: Box<Site>,
        page: Option<String>,
    },
    /// A site whose accessibility was checked.
    Accessibility {
        site: Box<Site>,
        checks: AccessibilityChecks,
    },
    /// A single document.
    File(SourceFile),
}

impl Source {
    fn text_of(&self, path: &str) -> Option<&str> {
        match self {
            Self::Site { site, .. } | Self::Accessibility { site, .. } => site.text_of(path),
            Self::File(file) => (**file.path() == *path).then(|| &**file.text()),
        }
    }
}

impl Validation {
    /// Formats the diagnostics for a terminal, with source excerpts.
    pub fn render_text(&self) -> String {
        self.render(&self.diagnostics)
    }

    /// Formats diagnostics of the same files for a terminal, with source excerpts.
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        render_text(diagnostics, &|path| self.source.text_of(path))
    }

    /// Links of pages to other sites, by their URLs without fragments. Renders the pages that have not
    /// been rendered.
    pub fn external_links(&self) -> BTreeMap<String, Vec<Location>> {
        match &self.source {
            Source::Site { site, .. } | Source::Accessibility { site, .. } => {
                links::external(site, threads())
            }
            Source::File(_) => BTreeMap::new(),
        }
    }

    /// The text of a file that was validated; `None` for other files.
    pub fn text_of(&self, path: &str) -> Option<&str> {
        self.source.text_of(path)
    }

    /// Number of diagnostics with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }
}

/// The root directory of the site that contains the page file `page`: the nearest ancestor with a
/// configuration file. `None` for other files and without such a directory.
pub fn site_dir(page: &Path) -> Option<PathBuf> {
    let ending = page.extension()?;
    if ending != "mdx" && ending != "md" {
        return None;
    }
    let page = page.canonicalize().ok().filter(|page| page.is_file())?;
    enclosing_site(page.parent()?).map(Path::to_owned)
}

/// The nearest directory with a configuration file, from `dir` upwards.
pub fn enclosing_site(dir: &Path) -> Option<&Path> {
    let has = |dir: &&Path| CONFIGS.iter().any(|name| dir.join(name).is_file());
    dir.ancestors().find(has)
}

/// Validates a directory, the directory of a `docs.json`, a page within its site, or an OpenAPI
/// document. Sites are loaded with `options`.
///
/// # Errors
/// When the path cannot be read, or no ancestor directory of a page has a configuration file.
pub fn validate(path: &Path, options: &LoadOptions) -> io::Result<Validation> {
    if path.is_dir() {
        return site(path, options);
    }
    if path
        .extension()
        .is_some_and(|ending| ending == "mdx" || ending == "md")
    {
        return page(path, options);
    }
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("");
    if CONFIGS.contains(&name) {
        // The parent of a bare file name is the empty path.
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        std::fs::metadata(path)?;
        return site(parent.unwrap_or(Path::new(".")), options);
    }
    let limit = svc_source::LoadOptions::default().max_text_bytes;
    if std::fs::metadata(path)?.len() > limit {
        return Err(io::Error::other(format!(
            "the file is larger than {limit} bytes"
        )));
    }
    let file = SourceFile::new(name, std::fs::read_to_string(path)?);
    Ok(document(&file))
}

/// Options for a whole site.
pub(crate) fn site_options(options: &LoadOptions) -> LoadOptions {
    LoadOptions {
        site: SiteOptions {
            // Pages that are not served yet are validated too.
            audience: Audience::Trusted,
            without_code_colors: true,
            ..options.site.clone()
        },
        // No check depends on dates.
        ..options.without_dates()
    }
}

fn site(root: &Path, options: &LoadOptions) -> io::Result<Validation> {
    Ok(site_problems(load(root, &site_options(options))?))
}

/// Adds the problems of all pages to those of loading a site.
pub(crate) fn site_problems(loaded: Checked<Site>) -> Validation {
    let Checked {
        value: site,
        diagnostics,
    } = loaded;
    let diagnostics = complete(&site, diagnostics, threads());
    let pages = site.map.routes.len();
    Validation {
        diagnostics,
        pages,
        source: Source::Site {
            site: Box::new(site),
            page: None,
        },
    }
}

/// The diagnostics of loading a site with those of its pages, links, names and skills, sorted.
pub(crate) fn complete(
    site: &Site,
    mut diagnostics: Vec<Diagnostic>,
    threads: usize,
) -> Vec<Diagnostic> {
    diagnostics.extend(site.page_diagnostics(threads));
    diagnostics.extend(links::check(site, threads));
    diagnostics.extend(names::check(site));
    diagnostics.extend(site.repository_skills().diagnostics.iter().cloned());
    diagnostics.extend(site.report_translations());
    sort_diagnostics(versions::label(&site.tree, diagnostics))
}

/// Validates a page or snippet. Diagnostics of other files are dropped.
fn page(path: &Path, options: &LoadOptions) -> io::Result<Validation> {
    let file = path.canonicalize()?;
    let Some(root) = site_dir(path) else {
        return Err(io::Error::other(
            "no parent folder of this page contains a `docs.json`",
        ));
    };
    let relative = file.strip_prefix(&root).ok().and_then(Path::to_str);
    let name = relative.unwrap_or_default().replace('\\', "/");
    page_problems(load(&root, &options.without_dates())?, name)
}

/// Adds the problems of a page or snippet to those of loading its site, and drops those of other
/// files.
pub(crate) fn page_problems(loaded: Checked<Site>, name: String) -> io::Result<Validation> {
    let Checked {
        value: site,
        mut diagnostics,
    } = loaded;
    let page = site.pages.iter().find(|page| *page.path == *name);
    let route = page.and_then(|page| {
        site.map.routes.values().find(|route| match &route.body {
            RouteBody::Page { slug } => *slug == page.slug,
            RouteBody::Generated => false,
        })
    });
    if let Some(route) = route {
        diagnostics.extend(site.problems(&route.path));
        diagnostics.extend(site.report_translations());
    } else if site.pages.is_snippet(&name) {
        // Diagnostics of a snippet are reported by the pages that include it.
        diagnostics.extend(site.page_diagnostics(threads()));
        diagnostics.extend(links::check(&site, threads()));
    } else if !site.tree.contains(&name) && !is_about(&diagnostics, &name) {
        return Err(io::Error::other("the page is excluded from its site"));
    }
    diagnostics.retain(|diagnostic| {
        let is_page = |at: &Location| *at.file == *name;
        diagnostic.location.as_ref().is_some_and(is_page)
    });
    Ok(Validation {
        diagnostics: sort_diagnostics(diagnostics),
        pages: usize::from(route.is_some()),
        source: Source::Site {
            site: Box::new(site),
            page: Some(name),
        },
    })
}

fn is_about(diagnostics: &[Diagnostic], name: &str) -> bool {
    let mut locations = diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.location.as_ref());
    locations.any(|at| *at.file == *name)
}

pub(crate) fn document(file: &SourceFile) -> Validation {
    let checked = svc_openapi::parse(file);
    let mut diagnostics = checked.diagnostics;
    if checked.value.is_none() && diagnostics.is_empty() {
        let diagnostic = Diagnostic::new(
            &INVALID_OPENAPI,
            format!("`{}` is not an OpenAPI document", file.path()),
        )
        .at(file.location(Span::default()))
        .hint("add the key `openapi` with version 3.0 or later");
        diagnostics.push(diagnostic);
    }
    let source = Source::File(file.clone());
    Validation {
        diagnostics: sort_diagnostics(diagnostics),
        pages: 0,
        source,
    }
}
