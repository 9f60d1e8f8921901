//! All sites that a client works on, and its open documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use lsp_server::{Message, Notification, Request};
use lsp_types::{
    DidChangeTextDocumentParams, FileEvent, LogMessageParams, MessageType, RegistrationParams,
    TextDocumentItem, Uri, WorkspaceFoldersChangeEvent,
};
use svc_diagnostics::Diagnostic;
use svc_site::{CONFIGS, Changes, LoadOptions};

use crate::capabilities::watch_registration;
use crate::client::Client;
use crate::document::Document;
use crate::project::{Documents, Project};
use crate::uri::path_of;
use crate::view::View;

/// Maximum number of open documents; further ones are ignored.
const MAX_DOCUMENTS: usize = 2_000;
/// Maximum number of sites in memory that have no open document.
const MAX_IDLE_PROJECTS: usize = 4;

/// The state of a session.
pub(crate) struct Workspace {
    load: Box<dyn Fn(&Path) -> LoadOptions>,
    pub(crate) client: Client,
    /// Directories that the client works on.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) documents: Documents,
    pub(crate) projects: BTreeMap<PathBuf, Project>,
    /// Directories whose site could not be loaded.
    failed: BTreeSet<PathBuf>,
    /// Diagnostics that the client shows, by file.
    pub(crate) published: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// Documents whose diagnostics are published even if they are the same, with the new version.
    pub(crate) changed: BTreeSet<PathBuf>,
    is_stale: bool,
    messages: Vec<Message>,
    /// The last rename of a file that the client got with edits and that it may report.
    pub(crate) expected_rename: Option<(PathBuf, PathBuf)>,
}

impl fmt::Debug for Workspace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Workspace")
            .field("folders", &self.folders)
            .finish_non_exhaustive()
    }
}

impl Workspace {
    pub(crate) fn new(load: Box<dyn Fn(&Path) -> LoadOptions>) -> Self {
        Self {
            load,
            client: Client::default(),
            folders: Vec::new(),
            documents: Documents::new(),
            projects: BTreeMap::new(),
            failed: BTreeSet::new(),
            published: BTreeMap::new(),
            changed: BTreeSet::new(),
            is_stale: false,
            messages: Vec::new(),
            expected_rename: None,
        }
    }

    /// The messages for the client, in order.
    pub(crate) fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    pub(crate) fn send(&mut self, method: &str, params: impl serde::Serialize) {
        let params = serde_json::to_value(params).unwrap_or_default();
        let method = method.to_owned();
        self.messages
            .push(Message::Notification(Notification { method, params }));
    }

    /// Logs a line in the client.
    pub(crate) fn log(&mut self, message: &str) {
        let params = LogMessageParams {
            typ: MessageType::ERROR,
            message: format!("svc: {message}"),
        };
        self.send("window/logMessage", params);
    }

    /// Registers for changes of files, and checks the sites of the workspace.
    pub(crate) fn start(&mut self) {
        if self.client.can_watch_files {
            let params = RegistrationParams {
                registrations: vec![watch_registration()],
            };
            self.messages.push(Message::Request(Request {
                id: "svc-register".to_owned().into(),
                method: "client/registerCapability".to_owned(),
                params: serde_json::to_value(params).unwrap_or_default(),
            }));
        }
        self.is_stale = true;
    }

    pub(crate) fn open(&mut self, item: TextDocumentItem) {
        let Some(path) = path_of(&item.uri) else {
            return;
        };
        // The file has its new path, so the client will not report the rename.
        self.expected_rename.take_if(|(_, new)| *new == path);
        if self.documents.len() >= MAX_DOCUMENTS && !self.documents.contains_key(&path) {
            self.log(&format!("more than {MAX_DOCUMENTS} documents are open"));
            return;
        }
        let mut document = Document::new(item.uri, item.version, item.text);
        if let Some(project) = self.nearest_project(&path) {
            project.admit(&path, &mut document);
        }
        if document.is_too_large {
            self.log("the document is too large to be checked");
        }
        self.documents.insert(path.clone(), document);
        self.touch(&path);
        // The file may be new, and not all clients report new files.
        self.change_file(&path);
    }

    pub(crate) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let encoding = self.client.encoding;
        let path = path_of(&params.text_document.uri);
        let document = path.and_then(|path| {
            let document = self.documents.get_mut(&path)?;
            Some((path, document))
        });
        let Some((path, document)) = document else {
            self.log("a document changed that is not open");
            return;
        };
        document.change(
            params.text_document.version,
            params.content_changes,
            encoding,
        );
        self.touch(&path);
    }

    pub(crate) fn save(&mut self, uri: &Uri) {
        if let Some(path) = path_of(uri) {
            self.change_file(&path);
        }
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else {
            return;
        };
        self.expected_rename.take_if(|(old, _)| *old == path);
        if self.documents.remove(&path).is_some() {
            self.touch(&path);
            self.changed.remove(&path);
            // The file may have been stored without a notification.
            self.change_file(&path);
        }
    }

    pub(crate) fn change_files(&mut self, events: &[FileEvent]) {
        for event in events {
            if let Some(path) = path_of(&event.uri) {
                self.change_file(&path);
            }
        }
    }

    pub(crate) fn change_dirs(&mut self, event: &WorkspaceFoldersChangeEvent) {
        for folder in &event.removed {
            let path = path_of(&folder.uri);
            self.folders.retain(|other| Some(other) != path.as_ref());
        }
        let added = event.added.iter().filter_map(|folder| path_of(&folder.uri));
        self.folders.extend(added);
        self.is_stale = true;
    }

    /// Marks a document as changed.
    fn touch(&mut self, path: &Path) {
        self.is_stale = true;
        self.changed.insert(path.to_owned());
        for (root, project) in &mut self.projects {
            project.is_stale |= path.starts_with(root);
        }
    }

    /// Marks a file on disk as changed.
    fn change_file(&mut self, path: &Path) {
        self.is_stale = true;
        self.failed.clear();
        for project in self.projects.values_mut() {
            if let Some(name) = project.relative(path) {
                project.changes.add(name);
            }
        }
    }

    /// Marks all files as changed, unless the client reports changes of files.
    pub(crate) fn expect_file_changes(&mut self) {
        if self.client.can_watch_files {
            return;
        }
        self.is_stale = true;
        for project in self.projects.values_mut() {
            project.changes = Changes::Unknown;
        }
    }

    /// Whether the site of an open document has not been loaded, so that requests about it have no
    /// result yet.
    pub(crate) fn needs_load(&self) -> bool {
        let mut documents = self.documents.keys();
        self.is_stale && documents.any(|path| self.nearest_project(path).is_none())
    }

    /// Whether something changed since the last check.
    pub(crate) const fn needs_check(&self) -> bool {
        self.is_stale
    }

    /// Loads and updates sites, and publishes diagnostics.
    pub(crate) fn check(&mut self) {
        // First, so that a panic below does not repeat forever.
        self.is_stale = false;
        self.load_projects();
        let mut errors = Vec::new();
        for project in self.projects.values_mut() {
            if let Err(error) = project.refresh(&mut self.documents) {
                errors.push(format!("{}: {error}", project.root.display()));
            }
        }
        for error in errors {
            self.log(&error);
        }
        self.publish();
    }

    /// Loads the sites of folders and of open documents, and removes those that are not used.
    fn load_projects(&mut self) {
        let documents = self.documents.keys();
        let in_use: BTreeSet<PathBuf> = documents.filter_map(|path| self.root_of(path)).collect();
        let folders = self.folders.iter();
        let of_folders = folders.filter_map(|folder| self.root_of(&folder.join(CONFIGS[0])));
        let wanted: BTreeSet<PathBuf> = of_folders.chain(in_use).collect();
        let mut idle = 0;
        self.projects.retain(|root, _| {
            let has_config = CONFIGS.iter().any(|name| root.join(name).is_file());
            idle += usize::from(!wanted.contains(root));
            wanted.contains(root) || (has_config && idle <= MAX_IDLE_PROJECTS)
        });
        self.load_roots(wanted);
    }

    /// Loads the sites that files belong to.
    pub(crate) fn load_around<'p>(&mut self, paths: impl Iterator<Item = &'p Path>) {
        let roots = paths.filter_map(|path| self.root_of(path)).collect();
        self.load_roots(roots);
    }

    fn load_roots(&mut self, roots: BTreeSet<PathBuf>) {
        for root in roots {
            if self.projects.contains_key(&root) || self.failed.contains(&root) {
                continue;
            }
            match Project::load(&root, (self.load)(&root), &mut self.documents) {
                Ok(project) => {
                    self.projects.insert(root, project);
                }
                Err(error) => {
                    self.log(&format!("{}: {error}", root.display()));
                    self.failed.insert(root);
                }
            }
        }
    }

    /// The directory of the site that a file belongs to: the nearest parent with a configuration
    /// file, which may not be saved yet.
    fn root_of(&self, path: &Path) -> Option<PathBuf> {
        let has_config = |dir: &&Path| {
            let mut configs = CONFIGS.iter().map(|name| dir.join(name));
            configs.any(|config| self.documents.contains_key(&config) || config.is_file())
        };
        path.ancestors()
            .skip(1)
            .find(has_config)
            .map(Path::to_owned)
    }

    /// The loaded site with the nearest root around a file.
    pub(crate) fn nearest_project(&self, path: &Path) -> Option<&Project> {
        path.ancestors()
            .skip(1)
            .find_map(|dir| self.projects.get(dir))
    }

    /// A document, or a file of a site. `None` if it is not part of a site.
    pub(crate) fn view(&self, uri: &Uri) -> Option<View<'_>> {
        let path = path_of(uri)?;
        let project = self.nearest_project(&path)?;
        View::new(self.client, project, self.documents.get(&path), &path)
    }
}
