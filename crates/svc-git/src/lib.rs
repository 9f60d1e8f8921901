//! Git repositories as the source of a site: fetches them and reads their files and dates.
//!
//! Nothing in a repository is ever executed: no hooks, no filters, no commands of submodules or of
//! its configuration. There is no work tree and no index; [`Repository::export`] reads objects and
//! writes regular files.
//!
//! Transports by [`RemoteUrl`]:
//!
//! | Remote | Transport |
//! | --- | --- |
//! | `https://…`, `http://…` if allowed | Git's protocol over `svc-fetch`, which connects only to the host of the URL |
//! | `ssh://…`, `user@host:path` | Git's protocol over the program `ssh`, which gets all options on its command line and reads no user configuration |
//! | a directory, `file://…` | objects are read in place; no program is started and nothing is copied |
//! | any but a directory, with [`Options::git_program`] | the program `git` fetches into the store, with all features disabled that execute something |
//!
//! Fetched objects are stored in a bare repository that only this crate writes to. It is shallow
//! unless dates are needed; then it contains the history without file contents, if the server
//! supports filters. A corrupt store is deleted and created again.

mod advertisement;
mod codes;
mod commit;
mod dates;
mod error;
mod export;
mod fetch;
mod files;
mod local;
mod names;
mod objects;
mod options;
mod pack_reader;
mod packet;
mod program;
mod protocol;
mod remote_url;
mod repository;
mod result_cache;
mod store;
mod transport;
mod work_tree;

pub use codes::CODES;
pub use commit::{Commit, CommitId};
pub use error::GitError;
pub use export::PreviousExport;
pub use files::FileBytes;
pub use options::{Credentials, Options, RepositoryLimits, Secret};
pub use program::{classify_ssh_stderr, hardened_git_command};
pub use remote_url::RemoteUrl;
pub use repository::{Repository, cached_dates};
pub use work_tree::{Head, WorkTree};
