//! Repositories that a site comes from: fetching them, their files and their dates.
//!
//! Nothing in a repository is ever executed: no hooks, no filters, no commands of submodules or
//! of its settings. There is no work tree and no index; [`Repository::export`] reads objects and
//! writes plain files.
//!
//! Which way an [`Address`] is fetched:
//!
//! | Address | Way |
//! | --- | --- |
//! | `https://…`, `http://…` where allowed | this crate speaks Git's protocol through `svc-fetch`, which connects to the host of the address only |
//! | `ssh://…`, `user@host:path` | this crate speaks Git's protocol through the program `ssh`, which is told everything on its command line and reads no settings of the user |
//! | a folder, `file://…` | its objects are read where they are; no program runs and nothing is copied |
//! | any but a folder, with [`Options::program`] | the program `git` fetches into the store, with everything switched off that runs something |
//!
//! What is fetched lies in a store, a bare repository that only this crate writes to. It is
//! shallow unless dates are wanted, and then it holds the history without the contents of files
//! where the server can leave them out. A store that is broken is thrown away and made anew.

mod codes;
mod commit;
mod dates;
mod error;
mod export;
mod fetch;
mod names;
mod objects;
mod options;
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
pub use options::{Credentials, Options, RepositoryLimits, Secret};
pub use program::{classify_ssh_stderr, hardened_git_command};
pub use remote_url::RemoteUrl;
pub use repository::{Repository, cached_dates};
pub use work_tree::{Head, WorkTree};
