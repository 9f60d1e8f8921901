//! Events that are common to all forges.

/// An event and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Name of the forge.
    pub forge: &'static str,
    /// The event.
    pub event: Event,
    /// URLs of the repository of the event.
    pub repository: Vec<String>,
}

/// An event of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A test delivery.
    Ping,
    /// A branch was created, updated or deleted.
    Push {
        /// Name of the branch, without `refs/heads/`.
        branch: String,
        /// Commit of the branch after the event; for a deleted branch, the last commit if the forge
        /// reports it.
        commit: Option<String>,
        /// Whether the branch was deleted.
        deleted: bool,
    },
    /// A pull request or merge request.
    Request(PullRequest),
    /// An event without effect on deployments, described by a phrase.
    Other(String),
}

/// A pull request that was opened, updated or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// Number of the request in the repository.
    pub number: u64,
    /// Source branch, which can be in a fork.
    pub branch: String,
    /// Last commit of the source branch.
    pub commit: Option<String>,
    /// Whether the source is a fork, whose authors may have no permissions for the repository.
    pub foreign: bool,
    /// Ref of the changes in the target repository, such as `refs/pull/12/head`.
    pub reference: String,
    /// Whether the request was closed or merged.
    pub closed: bool,
    /// Time of the last update, in seconds since the Unix epoch.
    pub updated: Option<i64>,
}

impl Event {
    /// The event of a push to a ref; pushes to refs other than branches are [`Self::Other`].
    pub(super) fn push(reference: &str, before: &str, after: &str, deleted: bool) -> Self {
        let Some(branch) = reference.strip_prefix("refs/heads/") else {
            return Self::Other("a push to something that is not a branch".to_owned());
        };
        let deleted = deleted || is_zero(after);
        Self::moved(branch, if deleted { before } else { after }, deleted)
    }

    /// The event of a created, updated or deleted branch.
    pub(super) fn moved(branch: &str, commit: &str, deleted: bool) -> Self {
        if !is_branch(branch) {
            return Self::Other("a branch with a name that Git does not allow".to_owned());
        }
        Self::Push {
            branch: branch.to_owned(),
            commit: commit_id(commit),
            deleted,
        }
    }
}

/// The text if it is a commit ID.
pub(super) fn commit_id(text: &str) -> Option<String> {
    let hex = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hex && !is_zero(text)).then(|| text.to_ascii_lowercase())
}

/// Whether the ID consists of zeros, which forges use for "no commit".
fn is_zero(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b'0')
}

/// Whether Git allows the name for a branch.
pub(super) fn is_branch(name: &str) -> bool {
    let odd = |letter: char| letter.is_control() || " ~^:?*[\\".contains(letter);
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    name.len() <= 244
        && name != "@"
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(odd)
        && name.split('/').all(part)
}
