//! Versions whose files come from another branch, tag or commit: `ref` of an entry of `versions`.
//!
//! All revisions become one source tree before the stages run. The files of a version are below a
//! directory with the name of the version, which is also the start of its URLs. A file there sees
//! the directory as the root of the repository; `docs.json` in it is the navigation of the version.

mod problem;
mod read;
mod snapshot;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use svc_config::{Children, ElementKind, ResolveContext, SiteConfig, VersionRef, parse_with};
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, Severity, SourceFile};
use svc_git::{CommitId, WorkTree};
use svc_source::{Mount, SourceTree, read_regular};

pub use self::problem::VersionProblem;
use self::read::Revision;
pub use self::snapshot::{VERSIONS_DIR, VersionFiles, write_versions};
use crate::codes::{VERSION_REF_CONFIG, VERSION_REF_LIMIT, VERSION_REF_MISSING, VERSION_REF_PATH};
use crate::options::LoadOptions;
use crate::site::Site;
use crate::stages::CONFIGS;

/// Maximum number of versions with a `ref`.
pub const MAX_VERSION_REFS: usize = 20;
/// Maximum size of a configuration file whose versions are looked up, in bytes.
const MAX_CONFIG_BYTES: u64 = 32 << 20;

/// Codes of problems of versions with a `ref`.
const CODES: [&DiagnosticCode; 4] = [
    &VERSION_REF_CONFIG,
    &VERSION_REF_LIMIT,
    &VERSION_REF_MISSING,
    &VERSION_REF_PATH,
];

/// Source of the files of versions with a `ref`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum VersionSource {
    /// The objects of the repository that contains the loaded directory. The work tree is neither
    /// read nor changed.
    #[default]
    Enclosing,
    /// The objects of the repository that contains this directory, of which the loaded directory is
    /// a copy.
    Dir(PathBuf),
    /// They are not read, and the versions have no pages: for commands that change the work tree.
    None,
    /// The loaded directory is a snapshot that contains them, see [`write_versions`].
    Snapshot,
}

/// A version with a `ref`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRequest {
    /// Name of the version.
    pub version: String,
    /// Branch, tag or commit.
    pub reference: VersionRef,
    /// Directory of its files in the source tree, and start of its URLs.
    pub dir: String,
}

/// The directory of a version: its name in lower case, in which characters other than letters,
/// digits, `.`, `_` and `-` are hyphens.
pub(crate) fn version_dir(version: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let lower = version.to_lowercase();
    let dir: String = lower
        .chars()
        .map(|c| if allowed(c) { c } else { '-' })
        .collect();
    // Names that begin with a dot or an underscore are those of the program.
    let dir = dir
        .trim_start_matches(['.', '_', '-'])
        .trim_end_matches(['.', '-']);
    dir.to_owned()
}

/// The versions with a `ref` in a configuration, in the order of the file. `lookup` returns the text
/// of a file of the repository.
pub fn version_requests(lookup: &dyn Fn(&str) -> Option<SourceFile>) -> Vec<VersionRequest> {
    let Some(file) = CONFIGS.iter().find_map(|name| lookup(name)) else {
        return Vec::new();
    };
    // Almost no site has such versions, and checking the configuration takes time.
    if !file.text().contains("\"ref\"") && !file.text().contains("\"$ref\"") {
        return Vec::new();
    }
    let context = ResolveContext::default().read_file_with(lookup);
    let Some(site) = parse_with(&file, &context).value else {
        return Vec::new();
    };
    let Children::Elements(ElementKind::Version, versions) = site.navigation.children else {
        return Vec::new();
    };
    let request = |version: svc_config::Element| {
        Some(VersionRequest {
            reference: version.reference?,
            dir: version_dir(&version.name),
            version: version.name,
        })
    };
    versions.into_iter().filter_map(request).collect()
}

/// Adds the files of all versions with a `ref` to those of a repository that was read from `root`.
/// Files of `before`, the tree of the previous site with its diagnostics, are reused.
pub(crate) fn mount(
    files: &mut Checked<SourceTree>,
    root: &Path,
    options: &LoadOptions,
    before: Option<(&SourceTree, &[Diagnostic])>,
) {
    if options.versions == VersionSource::None {
        return;
    }
    let requests = {
        let tree = &files.value;
        version_requests(&|path| tree.text(path).cloned())
    };
    if requests.is_empty() {
        return;
    }
    let source = read::Source::open(root, options, before);
    let mut dirs = BTreeSet::new();
    let mut mounted = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        let revision = check_dir(&files.value, request, &mut dirs)
            .and_then(|()| match index < MAX_VERSION_REFS {
                true => source.read(request),
                false => Err(problem::too_many()),
            })
            .and_then(with_config);
        match revision {
            Ok(revision) => mounted.push((request, revision)),
            Err(problem) => files.diagnostics.push(problem.diagnostic(request)),
        }
    }
    for (request, revision) in mounted {
        let Revision {
            commit,
            files: read,
        } = revision;
        let mount = Mount::new(
            &request.dir,
            &request.version,
            &request.reference.name,
            &commit,
        );
        files.value.mount(mount, &read.value);
        files
            .diagnostics
            .extend(read.diagnostics.into_iter().map(|mut problem| {
                if let Some(at) = &mut problem.location {
                    at.file = format!("{}/{}", request.dir, at.file).into();
                }
                problem
            }));
    }
    if let Some((tree, _)) = before {
        files.value.share_texts(tree);
    }
}

/// Diagnostics of reading a repository without those of its versions.
pub(crate) fn without_versions(tree: &SourceTree, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_of_version = |problem: &&Diagnostic| {
        let of_file = problem
            .location
            .as_ref()
            .is_some_and(|at| tree.mounts().of(&at.file).is_some());
        of_file || CODES.iter().any(|code| code.id == problem.code.id)
    };
    diagnostics
        .iter()
        .filter(|problem| !is_of_version(problem))
        .cloned()
        .collect()
}

/// The commits of the versions with a `ref` of the site in a directory, in the order of the file.
/// `None` for a version that does not exist.
pub(crate) fn heads(root: &Path) -> Vec<Option<CommitId>> {
    let lookup = |path: &str| {
        let bytes = read_regular(&root.join(path), MAX_CONFIG_BYTES)?;
        Some(SourceFile::new(path, String::from_utf8(bytes).ok()?))
    };
    let requests = version_requests(&lookup);
    if requests.is_empty() {
        return Vec::new();
    }
    let tree = WorkTree::discover(root);
    let head = |request: &VersionRequest| {
        let tree = tree.as_ref()?;
        tree.resolve(&request.reference.name).ok()
    };
    requests.iter().map(head).collect()
}

impl Site {
    /// The branches, tags and commits that versions of the site come from.
    pub fn version_refs(&self) -> Vec<&str> {
        let Children::Elements(ElementKind::Version, versions) = &self.config.navigation.children
        else {
            return Vec::new();
        };
        let references = versions
            .iter()
            .filter_map(|version| version.reference.as_ref());
        references
            .map(|reference| reference.name.as_str())
            .collect()
    }

    /// Whether new commits change the site although its files are the same: pages show dates, or a
    /// version comes from another branch, tag or commit.
    pub fn depends_on_history(&self) -> bool {
        self.shows_last_modified() || !self.version_refs().is_empty()
    }
}

fn has_files(tree: &SourceTree, dir: &str) -> bool {
    let pages = [format!("{dir}.mdx"), format!("{dir}.md")];
    tree.under(dir).next().is_some() || pages.iter().any(|page| tree.contains(page))
}

/// Checks that the directory of a version can be used.
fn check_dir(
    tree: &SourceTree,
    request: &VersionRequest,
    dirs: &mut BTreeSet<String>,
) -> Result<(), VersionProblem> {
    let (version, dir) = (&request.version, &request.dir);
    if dir.is_empty() {
        return Err(problem::nameless(version));
    }
    if has_files(tree, dir) {
        return Err(problem::occupied(version, dir));
    }
    match dirs.insert(dir.clone()) {
        true => Ok(()),
        false => Err(problem::repeated(version, dir)),
    }
}

/// Checks that a revision has a readable configuration.
fn with_config(revision: Revision) -> Result<Revision, VersionProblem> {
    let tree = &revision.files.value;
    let file = CONFIGS.iter().find_map(|name| tree.text(name));
    let read = file.map(|file| svc_config::parse(file, &|path| tree.text(path).cloned()));
    match read.is_some_and(|read| read.value.is_some()) {
        true => Ok(revision),
        false => Err(problem::without_config()),
    }
}

/// Whether a path is below that of a version whose files were not read.
pub(crate) fn is_unread(config: &SiteConfig, path: &str) -> bool {
    let Children::Elements(ElementKind::Version, versions) = &config.navigation.children else {
        return false;
    };
    let mut unread = versions
        .iter()
        .filter(|version| version.reference.is_some() && version.mount.is_none());
    unread.any(|version| {
        let dir = version_dir(&version.name);
        let rest = path
            .strip_prefix('/')
            .and_then(|path| path.strip_prefix(&*dir));
        !dir.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Names files of versions in diagnostics by their revision, `release/1.x:guide.mdx`. Problems of
/// files that were published before are notes, and have no fix, because they are not in the work
/// tree.
pub(crate) fn label(tree: &SourceTree, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if tree.mounts().is_empty() {
        return diagnostics;
    }
    for problem in &mut diagnostics {
        for related in &mut problem.labels {
            if let Some(label) = tree.mounts().label(&related.location.file) {
                related.location.file = label.into();
            }
        }
        if let Some(at) = &mut problem.location
            && let Some(label) = tree.mounts().label(&at.file)
        {
            at.file = label.into();
            problem.severity = Severity::Info;
            problem.fix = None;
        }
    }
    diagnostics
}

#[cfg(test)]
mod tests;
