//! The configuration stage.

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::Arc;

use svc_config::{Document, IconLibrary, IconLookup, ResolveContext, SiteConfig};
use svc_diagnostics::{Diagnostic, SourceFile, did_you_mean};
use svc_render::Dependencies;
use svc_source::{Contents, SourceTree};

use super::previous::Previous;
use super::state::ConfigStage;
use crate::accessibility::color_notes;
use crate::codes::MISSING_CONFIG;
use crate::dependencies::DependencySet;
use crate::versions;

/// Names of configuration files; the first one that exists is used.
pub const CONFIGS: [&str; 2] = ["docs.json", "mint.json"];

pub(super) fn is_config(path: &str) -> bool {
    CONFIGS.contains(&path)
}

/// Configuration of a site without a readable configuration file.
const FALLBACK: &str = r##"{"theme": "svc", "name": "Documentation", "colors": {"primary": "#16a34a"}, "navigation": {"pages": []}}"##;

/// The configuration file of a repository. `None` when it has none.
pub fn config_file(tree: &SourceTree) -> Option<&SourceFile> {
    CONFIGS.iter().find_map(|name| tree.text(name))
}

/// Maximum number of missing files with a suggestion; each one is compared with all files.
const MAX_FILE_SUGGESTIONS: usize = 20;
/// Maximum number of unknown icons with a suggestion; each one is compared with all names.
const MAX_ICON_SUGGESTIONS: usize = 100;

/// Parses the configuration. The stage reads the configuration file and the files that it includes,
/// and looks up files whose existence it checks; the previous configuration is reused unless one of
/// these recorded dependencies changed. `encoding` is the result of [`convert_encoding`], which
/// finds nothing in an unchanged file, because the tree of the previous site has the converted text.
///
/// # Errors
/// When the built-in configuration cannot be parsed, which is a bug.
pub(super) fn config(
    tree: &SourceTree,
    mut encoding: Vec<Diagnostic>,
    previous: &Previous<'_>,
) -> io::Result<(Arc<SiteConfig>, ConfigStage)> {
    if encoding.is_empty()
        && let Some(site) = previous.unless_changed(is_config)
    {
        encoding.clone_from(&site.stages.config.encoding);
    }
    if let Some(site) = previous.unless_affected(|site| &site.stages.config.dependencies) {
        let stage = ConfigStage {
            encoding,
            ..site.stages.config.clone()
        };
        return Ok((Arc::clone(&site.config), stage));
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
    let file_suggestions = Cell::new(MAX_FILE_SUGGESTIONS);
    let similar = |path: &str| {
        let left = file_suggestions.get();
        file_suggestions.set(left.saturating_sub(1));
        recorded.borrow_mut().names = true;
        let extension = |path: &str| {
            path.rsplit_once('.')
                .map(|(_, end)| end.to_ascii_lowercase())
        };
        let files = tree.iter().map(|(file, _)| file);
        let files = files.filter(|file| extension(file) == extension(path));
        let near = (left > 0).then(|| did_you_mean(path, files));
        near.flatten().map(str::to_owned)
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
    let version_dir = |version: &str| {
        let dir = versions::version_dir(version);
        // The files of the version may come later.
        let config = format!("{dir}/{}", CONFIGS[0]);
        recorded.borrow_mut().contents.insert(config.into());
        tree.mounts()
            .iter()
            .any(|mount| *mount.dir == *dir)
            .then_some(dir)
    };
    let context = ResolveContext::default()
        .version_dir_with(&version_dir)
        .read_file_with(&lookup)
        .file_exists_with(&exists)
        .similar_file_with(&similar)
        .icon_lookup_with(&icons);
    let config =
        file.and_then(|file| svc_config::parse_with(file, &context).drain_into(&mut diagnostics));
    let config = config
        .or_else(|| svc_config::parse(&SourceFile::new("docs.json", FALLBACK), &|_| None).value)
        .ok_or_else(|| io::Error::other("the built-in configuration cannot be parsed"))?;
    diagnostics.extend(color_notes(tree, &config));
    let stage = ConfigStage {
        encoding,
        diagnostics,
        dependencies: DependencySet::of(&recorded.borrow(), None),
    };
    Ok((Arc::new(config), stage))
}

/// Converts a configuration file that is not in UTF-8 to text, so that the site can be shown and
/// other diagnostics are reported in the same run.
pub(super) fn convert_encoding(tree: &mut SourceTree) -> Vec<Diagnostic> {
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
