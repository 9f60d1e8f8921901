//! All problems of a repository or of one file.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use svc_diagnostics::{Checked, Diagnostic, Location, Severity, SourceFile, Span, render_text};
use svc_nav::RouteBody;

use crate::codes::INVALID_OPENAPI;
use crate::export::names;
use crate::load::threads;
use crate::stages::CONFIGS;
use crate::{LoadOptions, Site, links, load};

/// What `validate` found, with the texts it was found in.
#[derive(Debug)]
pub struct Validation {
    /// All problems, by file and place.
    pub diagnostics: Vec<Diagnostic>,
    /// Pages that were looked at.
    pub pages: usize,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Site(Box<Site>),
    File(SourceFile),
}

impl Validation {
    /// The problems for a terminal, with the lines they are in.
    pub fn render_text(&self) -> String {
        let text_of = |path: &str| match &self.source {
            Source::Site(site) => site.text_of(path),
            Source::File(file) => (**file.path() == *path).then(|| &**file.text()),
        };
        render_text(&self.diagnostics, &text_of)
    }

    /// How many problems of this severity there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|found| found.severity == severity)
            .count()
    }
}

/// The folder of the site that a page file belongs to: the nearest one above it with a configuration.
/// Nothing for other files.
pub fn site_dir(page: &Path) -> Option<PathBuf> {
    let ending = page.extension()?;
    if ending != "mdx" && ending != "md" {
        return None;
    }
    let page = page.canonicalize().ok().filter(|page| page.is_file())?;
    let has = |folder: &&Path| CONFIGS.iter().any(|name| folder.join(name).is_file());
    page.ancestors().skip(1).find(has).map(Path::to_owned)
}

/// Checks a folder, the folder of a `docs.json`, one page within its site, or one OpenAPI document;
/// sites are loaded with `options`.
///
/// # Errors
/// When the path cannot be read, or a page belongs to no site.
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
        // A bare name has an empty parent.
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

fn site(root: &Path, options: &LoadOptions) -> io::Result<Validation> {
    let options = LoadOptions {
        // What nobody may read yet is checked all the same.
        serve_protected: true,
        // Nothing that is checked depends on the days.
        ..options.without_dates()
    };
    let Checked {
        value: site,
        mut diagnostics,
    } = load(root, &options)?;
    let threads = threads();
    diagnostics.extend(site.page_diagnostics(threads));
    diagnostics.extend(links::check(&site, threads));
    diagnostics.extend(names::check(&site));
    let pages = site.map.routes.len();
    let source = Source::Site(Box::new(site));
    Ok(Validation {
        diagnostics: sort_diagnostics(diagnostics),
        pages,
        source,
    })
}

/// Checks one page or snippet. What is wrong elsewhere is left out.
fn page(path: &Path, options: &LoadOptions) -> io::Result<Validation> {
    let file = path.canonicalize()?;
    let Some(root) = site_dir(path) else {
        return Err(io::Error::other(
            "no folder above this page has a `docs.json`, so it belongs to no site",
        ));
    };
    let inside = file.strip_prefix(&root).ok().and_then(Path::to_str);
    let name = inside.unwrap_or_default().replace('\\', "/");
    let Checked {
        value: site,
        mut diagnostics,
    } = load(&root, &options.without_dates())?;
    let page = site.pages.iter().find(|page| *page.path == *name);
    let route = page.and_then(|page| {
        site.map.routes.values().find(|route| match &route.body {
            RouteBody::Page { slug } => *slug == page.slug,
            RouteBody::Generated => false,
        })
    });
    if let Some(route) = route {
        diagnostics.extend(site.problems(&route.path));
    } else if site.pages.is_snippet(&name) {
        // Only the pages that show it know what is wrong with it.
        diagnostics.extend(site.page_diagnostics(threads()));
        diagnostics.extend(links::check(&site, threads()));
    } else if !site.tree.contains(&name) && !is_about(&diagnostics, &name) {
        return Err(io::Error::other("the page is left out of its site"));
    }
    diagnostics.retain(|found| {
        let here = |at: &Location| *at.file == *name;
        found.location.as_ref().is_some_and(here)
    });
    Ok(Validation {
        diagnostics: sort_diagnostics(diagnostics),
        pages: usize::from(route.is_some()),
        source: Source::Site(Box::new(site)),
    })
}

fn is_about(diagnostics: &[Diagnostic], name: &str) -> bool {
    let mut places = diagnostics
        .iter()
        .filter_map(|found| found.location.as_ref());
    places.any(|at| *at.file == *name)
}

fn document(file: &SourceFile) -> Validation {
    let checked = svc_openapi::parse(file);
    let mut diagnostics = checked.diagnostics;
    if checked.value.is_none() && diagnostics.is_empty() {
        let found = Diagnostic::new(
            &INVALID_OPENAPI,
            format!("`{}` is not an OpenAPI document", file.path()),
        )
        .at(file.location(Span::default()))
        .hint("it needs a key `openapi` with a version from 3.0 on");
        diagnostics.push(found);
    }
    let source = Source::File(file.clone());
    Validation {
        diagnostics: sort_diagnostics(diagnostics),
        pages: 0,
        source,
    }
}

/// Sorted by file and place, each problem once: a snippet is drawn for every page that shows it.
pub(crate) fn sort_diagnostics(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|left, right| {
        let place = |found: &Diagnostic| {
            found
                .location
                .as_ref()
                .map(|at| (at.file.clone(), at.span.start, at.span.end))
        };
        (place(left), left.code.id, &left.message).cmp(&(
            place(right),
            right.code.id,
            &right.message,
        ))
    });
    let mut seen = BTreeSet::new();
    diagnostics.retain(|found| {
        let place = found.location.as_ref().map(|at| (at.file.clone(), at.span));
        seen.insert((
            place,
            found.code.id,
            found.message.clone(),
            found.pointer.clone(),
        ))
    });
    diagnostics
}
