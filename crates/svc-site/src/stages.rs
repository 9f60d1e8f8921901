//! The stages of building a site, in order. Each stage stores its diagnostics and dependencies, so
//! that after a change only the stages with changed inputs run.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::thread;

use svc_config::{Document, IconLibrary, IconLookup, ResolveContext, SiteConfig};
use svc_diagnostics::{Checked, Diagnostic, SourceFile};
use svc_nav::{Audience, SiteMap};
use svc_openapi::{ApiCatalog, ApiDocument};
use svc_render::Dependencies;
use svc_source::{Contents, Difference, PageIndex, SourceTree};
use tracing::debug_span;

use crate::codes::MISSING_CONFIG;
use crate::dates::LastModified;
use crate::dependencies::{ChangeSet, DependencySet};
use crate::load::{in_parallel, threads};
use crate::remote::RemoteStage;
use crate::site::SiteParts;
use crate::{LoadOptions, Site};

/// Diagnostics and dependencies of the stages.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    /// Diagnostics of reading the directory.
    pub(crate) source: Vec<Diagnostic>,
    config: ConfigStage,
    pages: Vec<Diagnostic>,
    documents: Arc<Vec<ReadDocument>>,
    pub(crate) remote: RemoteStage,
    map: Vec<Diagnostic>,
    audience: Audience,
    /// Dates of the last changes; `None` when no page shows them.
    pub(crate) last_modified: Option<LastModified>,
}

#[derive(Debug, Default, Clone)]
struct ConfigStage {
    /// Diagnostics about the encoding of the file, whose text was converted.
    encoding: Vec<Diagnostic>,
    diagnostics: Vec<Diagnostic>,
    dependencies: DependencySet,
}

/// A file that looks like an OpenAPI document, and its diagnostics.
#[derive(Debug)]
struct ReadDocument {
    file: SourceFile,
    diagnostics: Vec<Diagnostic>,
}

/// The previous site and the changes of its files.
struct PreviousSite<'a> {
    site: &'a Site,
    differences: Vec<(Arc<str>, Difference)>,
    changes: ChangeSet,
}

/// Builds a site from files that have been read. `dates` returns the dates of last changes, given
/// those of the previous site.
///
/// `fetch_remote` is whether remote documents are fetched although no reference to them changed; a
/// live preview does not do that after each edit.
pub(crate) fn build(
    read: Checked<SourceTree>,
    options: &LoadOptions,
    dates: &dyn Fn(Option<&LastModified>) -> LastModified,
    previous: Option<&Site>,
    fetch_remote: bool,
) -> io::Result<Checked<Site>> {
    let mut tree = read.value;
    let mut encoding = decode_config(&mut tree);
    let before = previous.map(|site| {
        let differences = tree.differences(&site.tree);
        PreviousSite {
            changes: ChangeSet::of(&differences),
            site,
            differences,
        }
    });
    let before = before.as_ref();
    if let Some(before) = before
        && encoding.is_empty()
        && !before.has(is_config)
    {
        encoding.clone_from(&before.site.stages.config.encoding);
    }
    let (config, mut config_stage) =
        debug_span!("configuration").in_scope(|| configuration(&tree, before))?;
    config_stage.encoding = encoding;
    let (pages, stored) = match before {
        Some(old) => (
            debug_span!("front matter")
                .in_scope(|| svc_source::update_pages(&tree, &old.site.pages)),
            debug_span!("OpenAPI documents").in_scope(|| stored_documents(&tree, before)),
        ),
        None => thread::scope(|scope| {
            let tree = &tree;
            let stage = debug_span!("OpenAPI documents");
            let stored = scope.spawn(move || stage.in_scope(|| stored_documents(tree, None)));
            let pages = debug_span!("front matter").in_scope(|| svc_source::pages(tree));
            (pages, stored.join().unwrap_or_default())
        }),
    };
    let (remote, remote_stage) = match before {
        Some(before) if !fetch_remote && before.same_names(&config, &pages.value) => {
            (None, before.site.stages.remote.clone())
        }
        _ => {
            let named = crate::remote::remote_references(&config, &pages.value);
            let (documents, remote_stage) =
                crate::remote::documents(&named, options.remote.as_deref());
            (Some(documents), remote_stage)
        }
    };
    let (documents, stored) = stored;
    let catalog = debug_span!("API catalog")
        .in_scope(|| catalog(&config, &documents, (stored, remote), before));
    let audience = if options.serve_protected || options.dev {
        Audience::Trusted
    } else {
        Audience::Everyone
    };
    let (map, map_diagnostics) = debug_span!("navigation")
        .in_scope(|| site_map(audience, &config, &pages.value, &catalog, before));
    let mut stages = Stages {
        source: read.diagnostics,
        config: config_stage,
        pages: pages.diagnostics,
        documents,
        remote: remote_stage,
        map: map_diagnostics,
        audience,
        last_modified: None,
    };
    let mut diagnostics = stages.source.clone();
    diagnostics.extend_from_slice(&stages.config.encoding);
    diagnostics.extend_from_slice(&stages.config.diagnostics);
    diagnostics.extend_from_slice(&stages.pages);
    let documents = stages.documents.iter();
    diagnostics.extend(documents.flat_map(|read| read.diagnostics.iter().cloned()));
    diagnostics.extend_from_slice(&stages.remote.diagnostics);
    diagnostics.extend_from_slice(&stages.map);
    let mut inputs =
        debug_span!("styles and media").in_scope(|| crate::media::gather(&tree, &config, options));
    diagnostics.append(&mut inputs.diagnostics);
    // Reading the history is slow, so it is read only if a page shows dates.
    let shows_date = |page: &svc_source::Page| page.front_matter.timestamp == Some(true);
    if config.timestamp || pages.value.iter().any(shows_date) {
        let known = before.and_then(|before| before.site.stages.last_modified.as_ref());
        let dated = debug_span!("dates").in_scope(|| dates(known));
        inputs.facts.dates = Arc::clone(&dated.dates);
        stages.last_modified = Some(dated);
    }
    inputs.facts.repositories = Arc::clone(&options.repositories);
    if options.image_variants {
        let images = before.and_then(|before| before.site.facts().images.as_deref());
        let changed = |path: &str| before.is_none_or(|before| before.has(|one| one == path));
        let images = crate::variants::gather(&tree, images, &changed);
        inputs.facts.images = Some(Arc::new(images));
        inputs.media.variant_store = options.variant_store.clone();
    }
    if options.fingerprints {
        inputs.facts.fingerprints = crate::fingerprints::fingerprints(&tree);
    }
    // The highlighter caches colors; reuse it unless themes or grammars may have changed.
    if let Some(before) = before
        && Arc::ptr_eq(&config, &before.site.config)
        && !before.has(|path| names_grammar(&config, path))
    {
        inputs.highlighter = before.site.highlighter();
    }
    let parts = SiteParts {
        tree,
        config,
        pages: Arc::new(pages.value),
        catalog,
        map,
        stages,
        inputs,
    };
    let previous = before.map(|before| (before.site, &before.changes));
    Ok(Checked {
        value: Site::new(parts, options, previous),
        diagnostics,
    })
}

impl PreviousSite<'_> {
    /// Whether the configuration and front matter, and with them the references to documents, are
    /// unchanged.
    fn same_names(&self, config: &Arc<SiteConfig>, pages: &PageIndex) -> bool {
        Arc::ptr_eq(config, &self.site.config) && pages.front_matter_eq(&self.site.pages)
    }

    /// Whether a changed file has a path for which `concerns` returns true.
    fn has(&self, concerns: impl Fn(&str) -> bool) -> bool {
        self.differences.iter().any(|(path, _)| concerns(path))
    }
}

fn names_grammar(config: &SiteConfig, path: &str) -> bool {
    let grammars = &config.styling.codeblocks.custom_languages;
    grammars
        .iter()
        .any(|named| named.trim_start_matches('/') == path)
}

/// Resolves routes and navigation. They do not depend on the bodies of pages.
fn site_map(
    audience: Audience,
    config: &Arc<SiteConfig>,
    pages: &PageIndex,
    catalog: &Arc<ApiCatalog>,
    before: Option<&PreviousSite<'_>>,
) -> (Arc<SiteMap>, Vec<Diagnostic>) {
    let known = before.filter(|before| {
        Arc::ptr_eq(catalog, &before.site.catalog)
            && before.same_names(config, pages)
            && before.site.stages.audience == audience
    });
    if let Some(PreviousSite { site, .. }) = known {
        return (Arc::clone(&site.map), site.stages.map.clone());
    }
    let Checked {
        value: map,
        diagnostics,
    } = svc_nav::resolve_for(audience, config, pages, catalog);
    let same = before.filter(|before| *before.site.map == map);
    let map = same.map_or_else(|| Arc::new(map), |before| Arc::clone(&before.site.map));
    (map, diagnostics)
}

/// Names of configuration files; the first one that exists is used.
pub(crate) const CONFIGS: [&str; 2] = ["docs.json", "mint.json"];

fn is_config(path: &str) -> bool {
    CONFIGS.contains(&path)
}

/// Configuration of a site without a readable configuration file.
const FALLBACK: &str = r##"{"theme": "svc", "name": "Documentation", "colors": {"primary": "#16a34a"}, "navigation": {"pages": []}}"##;

/// The configuration file of a repository. `None` when it has none.
pub fn config_file(tree: &SourceTree) -> Option<&SourceFile> {
    CONFIGS.iter().find_map(|name| tree.text(name))
}

/// Converts a configuration file that is not in UTF-8 to text, so that the site can be shown and
/// other diagnostics are reported in the same run.
fn decode_config(tree: &mut SourceTree) -> Vec<Diagnostic> {
    let Some(name) = CONFIGS.into_iter().find(|name| tree.contains(name)) else {
        return Vec::new();
    };
    let read = match tree.get(name) {
        Some(Contents::Bytes(bytes)) => Document::from_bytes(name, bytes),
        // UTF-16 without a byte order mark is valid UTF-8 with many zero bytes.
        Some(Contents::Text(file)) if file.text().bytes().take(4).any(|byte| byte == 0) => {
            Document::from_bytes(name, file.text().as_bytes())
        }
        _ => return Vec::new(),
    };
    // Syntax errors are reported when the text is parsed.
    let encoding = |diagnostic: &Diagnostic| diagnostic.code.id == "config-encoding";
    tree.insert_text(name, read.value.text());
    read.diagnostics.into_iter().filter(encoding).collect()
}

/// Maximum number of unknown icons with a suggestion; each one is compared with all names.
const MAX_ICON_SUGGESTIONS: usize = 100;

fn configuration(
    tree: &SourceTree,
    before: Option<&PreviousSite<'_>>,
) -> io::Result<(Arc<SiteConfig>, ConfigStage)> {
    let known = before.filter(|before| {
        !before
            .changes
            .affects(&before.site.stages.config.dependencies)
    });
    if let Some(before) = known {
        let site = before.site;
        return Ok((Arc::clone(&site.config), site.stages.config.clone()));
    }
    let recorded = RefCell::new(Dependencies::default());
    recorded
        .borrow_mut()
        .contents
        .extend(CONFIGS.map(Box::from));
    let mut diagnostics = Vec::new();
    let lookup = |path: &str| {
        recorded.borrow_mut().contents.insert(path.into());
        tree.text(path).cloned()
    };
    let file = config_file(tree);
    if file.is_none() {
        let diagnostic = Diagnostic::new(&MISSING_CONFIG, "there is no `docs.json`")
            .hint("run svc in the folder that holds `docs.json`, or create one there");
        diagnostics.push(diagnostic);
    }
    let exists = |path: &str| {
        recorded.borrow_mut().presence.insert(path.into());
        tree.contains(path)
    };
    let suggestions = Cell::new(MAX_ICON_SUGGESTIONS);
    let icons = |library: IconLibrary, name: &str| {
        if svc_render::icon_exists(library, name) {
            return IconLookup::Known;
        }
        let left = suggestions.get();
        suggestions.set(left.saturating_sub(1));
        let nearest = (left > 0).then(|| svc_render::nearest_icon(library, name));
        IconLookup::Unknown {
            nearest: nearest.flatten().map(str::to_owned),
        }
    };
    let context = ResolveContext::default()
        .read_file_with(&lookup)
        .file_exists_with(&exists)
        .icon_lookup_with(&icons);
    let config =
        file.and_then(|file| svc_config::parse_with(file, &context).drain_into(&mut diagnostics));
    let config = config
        .or_else(|| svc_config::parse(&SourceFile::new("docs.json", FALLBACK), &|_| None).value)
        .ok_or_else(|| io::Error::other("the built-in configuration cannot be parsed"))?;
    let stage = ConfigStage {
        encoding: Vec::new(),
        diagnostics,
        dependencies: DependencySet::of(&recorded.borrow(), None),
    };
    Ok((Arc::new(config), stage))
}

/// Parses all OpenAPI documents of the repository in parallel. The documents are `None` when they
/// are unchanged.
fn stored_documents(
    tree: &SourceTree,
    before: Option<&PreviousSite<'_>>,
) -> (Arc<Vec<ReadDocument>>, Option<Vec<ApiDocument>>) {
    let known = before.map(|before| &before.site.stages.documents);
    if let (Some(before), Some(documents)) = (before, known)
        && !before.has(is_data)
    {
        return (Arc::clone(documents), None);
    }
    let files: Vec<&SourceFile> = tree
        .iter()
        .filter_map(|(path, contents)| match contents {
            Contents::Text(file) if is_data(path) => Some(file),
            _ => None,
        })
        .filter(|file| svc_openapi::looks_like_openapi(file.text()))
        .collect();
    let same = |read: &ReadDocument, file: &SourceFile| {
        read.file.path() == file.path() && Arc::ptr_eq(read.file.text(), file.text())
    };
    if let Some(documents) = known
        && documents.len() == files.len()
        && documents
            .iter()
            .zip(&files)
            .all(|(read, file)| same(read, file))
    {
        return (Arc::clone(documents), None);
    }
    let read_before = |file: &SourceFile| -> Option<Checked<Option<ApiDocument>>> {
        let read = known?.iter().find(|read| same(read, file))?;
        let mut documents = before?.site.catalog.documents.iter();
        let document = documents.find(|known| *known.path == **file.path());
        Some(Checked {
            value: document.cloned(),
            diagnostics: read.diagnostics.clone(),
        })
    };
    let read = in_parallel(files.len(), threads(), |at| {
        let file = files.get(at)?;
        Some(read_before(file).unwrap_or_else(|| svc_openapi::parse(file)))
    });
    let (mut documents, mut reports) = (Vec::new(), Vec::new());
    for (file, read) in files.into_iter().zip(read) {
        let read = read.unwrap_or_default();
        documents.extend(read.value);
        reports.push(ReadDocument {
            file: file.clone(),
            diagnostics: read.diagnostics,
        });
    }
    (Arc::new(reports), Some(documents))
}

/// Builds the catalog of stored and remote documents. `None` for either means that they are
/// unchanged.
fn catalog(
    config: &SiteConfig,
    read: &[ReadDocument],
    (stored, remote): (Option<Vec<ApiDocument>>, Option<Vec<ApiDocument>>),
    before: Option<&PreviousSite<'_>>,
) -> Arc<ApiCatalog> {
    let badges = &config.api.params_post;
    let known = |is_remote: bool| {
        let documents = before.map(|before| before.site.catalog.documents.iter());
        let documents = documents.into_iter().flatten();
        documents.filter(move |document| document.path.contains("://") == is_remote)
    };
    let same = |document: &ApiDocument, other: &ApiDocument| {
        document.path == other.path && document.file.text() == other.file.text()
    };
    let remote = remote.filter(|remote| {
        let mut sorted: Vec<&ApiDocument> = remote.iter().collect();
        sorted.sort_by(|one, other| one.path.cmp(&other.path));
        before.is_none()
            || sorted.len() != known(true).count()
            || !sorted
                .into_iter()
                .zip(known(true))
                .all(|(one, other)| same(one, other))
    });
    if let (Some(before), None, None) = (before, &stored, &remote)
        && before.site.config.api.params_post == *badges
    {
        return Arc::clone(&before.site.catalog);
    }
    let mut documents = stored.unwrap_or_else(|| known(false).cloned().collect());
    documents.extend(remote.unwrap_or_else(|| known(true).cloned().collect()));
    let mut catalog = ApiCatalog::new(documents);
    let known: HashSet<&str> = catalog.documents.iter().map(|one| &*one.path).collect();
    let paths = read.iter().map(|read| &**read.file.path());
    let unread = paths.filter(|path| !known.contains(path));
    catalog.unread = unread.map(str::to_owned).collect();
    catalog.show_as_badges(badges);
    Arc::new(catalog)
}

fn is_data(path: &str) -> bool {
    [".json", ".yaml", ".yml"]
        .iter()
        .any(|end| path.ends_with(end))
        && !is_config(path)
}
