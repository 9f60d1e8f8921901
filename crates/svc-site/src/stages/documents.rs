//! The stages for OpenAPI documents and lists of MCP tools: local documents, remote documents and
//! the catalog of both.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use svc_config::SiteConfig;
use svc_diagnostics::{Checked, SourceFile};
use svc_openapi::{ApiCatalog, ApiDocument};
use svc_source::{Contents, PageIndex, SourceTree, normalize};

use super::config::is_config;
use super::previous::Previous;
use super::state::ReadDocument;
use crate::parallel::{in_parallel, threads};
use crate::remote::{RemoteDocuments, RemoteStage, remote_references};

/// Parses the OpenAPI documents of the repository, and the documents and lists of MCP tools that the
/// configuration names, in parallel. The stage reads all JSON and YAML files except for the configuration; a
/// document is parsed only if its text changed. The documents are `None` when all of them are
/// unchanged.
pub(super) fn local_documents(
    tree: &SourceTree,
    config: &Arc<SiteConfig>,
    previous: &Previous<'_>,
) -> (Arc<Vec<ReadDocument>>, Option<Vec<ApiDocument>>) {
    let unchanged = previous.unless_changed(is_data);
    if let Some(site) = unchanged.filter(|site| Arc::ptr_eq(config, &site.config)) {
        return (Arc::clone(&site.stages.documents), None);
    }
    let tool_lists: BTreeSet<&str> = config.tool_lists();
    let is_tool_list = |file: &SourceFile| tool_lists.contains(&**file.path());
    // A document without its version is named on purpose, and its problems are reported.
    let named = config.openapi_documents().into_iter().map(normalize);
    let named: BTreeSet<String> = named.collect();
    let is_document = |file: &SourceFile| {
        svc_openapi::looks_like_openapi(file.text()) || named.contains(&**file.path())
    };
    let stage = previous.site().map(|site| &site.stages.documents);
    let files: Vec<&SourceFile> = tree
        .iter()
        .filter_map(|(path, contents)| match contents {
            Contents::Text(file) if is_data(path) => Some(file),
            _ => None,
        })
        .filter(|file| is_tool_list(file) || is_document(file))
        .collect();
    let same = |read: &ReadDocument, file: &SourceFile| {
        read.file.path() == file.path()
            && Arc::ptr_eq(read.file.text(), file.text())
            && read.is_tool_list == is_tool_list(file)
    };
    if let Some(documents) = stage
        && documents.len() == files.len()
        && documents
            .iter()
            .zip(&files)
            .all(|(read, file)| same(read, file))
    {
        return (Arc::clone(documents), None);
    }
    let read_before = |file: &SourceFile| -> Option<Checked<Option<ApiDocument>>> {
        let read = stage?.iter().find(|read| same(read, file))?;
        let mut documents = previous.site()?.catalog.documents.iter();
        let document = documents.find(|document| *document.path == **file.path());
        Some(Checked {
            value: document.cloned(),
            diagnostics: read.diagnostics.clone(),
        })
    };
    let read = in_parallel(files.len(), threads(), |index| {
        let file = files.get(index)?;
        let parse = match is_tool_list(file) {
            true => svc_openapi::parse_tools,
            false => svc_openapi::parse,
        };
        Some(read_before(file).unwrap_or_else(|| parse(file)))
    });
    let (mut documents, mut reports) = (Vec::new(), Vec::new());
    for (file, read) in files.into_iter().zip(read) {
        let read = read.unwrap_or_default();
        documents.extend(read.value);
        reports.push(ReadDocument {
            file: file.clone(),
            is_tool_list: is_tool_list(file),
            diagnostics: read.diagnostics,
        });
    }
    (Arc::new(reports), Some(documents))
}

/// Loads the remote documents. The stage reads the references in the configuration and in front
/// matter, and queries the provider of the documents: always with
/// [`Remote::Refetch`](super::Remote::Refetch), otherwise only after a change of the configuration
/// or of front matter. The documents are `None` when they are those of the previous site.
pub(super) fn remote_documents(
    config: &Arc<SiteConfig>,
    pages: &PageIndex,
    provider: Option<&dyn RemoteDocuments>,
    previous: &Previous<'_>,
) -> (Option<Vec<ApiDocument>>, RemoteStage) {
    if let Some(site) = previous.with_cached_remote(config, pages) {
        return (None, site.stages.remote.clone());
    }
    let references = remote_references(config, pages);
    let (documents, stage) = crate::remote::documents(&references, provider);
    (Some(documents), stage)
}

/// Builds the catalog of local and remote documents. `None` for either means that they are
/// unchanged. The previous catalog is reused if both are unchanged, and the list of extensions that
/// are shown as badges is the same.
pub(super) fn catalog(
    config: &SiteConfig,
    read: &[ReadDocument],
    (local, remote): (Option<Vec<ApiDocument>>, Option<Vec<ApiDocument>>),
    previous: &Previous<'_>,
) -> Arc<ApiCatalog> {
    let badges = &config.api.params_post;
    let previous_of = |is_remote: bool| {
        let documents = previous.site().map(|site| site.catalog.documents.iter());
        let documents = documents.into_iter().flatten();
        documents.filter(move |document| document.path.contains("://") == is_remote)
    };
    let same = |document: &ApiDocument, other: &ApiDocument| {
        document.path == other.path && document.file.text() == other.file.text()
    };
    let remote = remote.filter(|remote| {
        let mut sorted: Vec<&ApiDocument> = remote.iter().collect();
        sorted.sort_by(|one, other| one.path.cmp(&other.path));
        previous.site().is_none()
            || sorted.len() != previous_of(true).count()
            || !sorted
                .into_iter()
                .zip(previous_of(true))
                .all(|(one, other)| same(one, other))
    });
    if let (Some(site), None, None) = (previous.site(), &local, &remote)
        && site.config.api.params_post == *badges
    {
        return Arc::clone(&site.catalog);
    }
    let mut documents = local.unwrap_or_else(|| previous_of(false).cloned().collect());
    documents.extend(remote.unwrap_or_else(|| previous_of(true).cloned().collect()));
    let mut catalog = ApiCatalog::new(documents);
    let parsed: HashSet<&str> = catalog.documents.iter().map(|one| &*one.path).collect();
    let paths = read.iter().map(|read| &**read.file.path());
    let unread = paths.filter(|path| !parsed.contains(path));
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
