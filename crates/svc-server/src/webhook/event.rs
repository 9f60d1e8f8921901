//! What a forge can say, the same for all of them.

/// One event and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The forge, for people.
    pub forge: &'static str,
    /// What has happened.
    pub event: Event,
    /// The addresses of the repository that it has happened to.
    pub repository: Vec<String>,
}

/// What has happened to a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Somebody tries whether deliveries arrive.
    Ping,
    /// A branch is at another commit, new or gone.
    Push {
        /// The branch, without `refs/heads/`.
        branch: String,
        /// Where it is now; where it was when it is gone, if the forge says so.
        commit: Option<String>,
        /// Whether it is gone.
        deleted: bool,
    },
    /// A pull request (a merge request at GitLab).
    Request(PullRequest),
    /// Something that changes nothing here; a phrase that says what.
    Other(String),
}

/// A pull request that was opened, changed or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// Its number in the repository.
    pub number: u64,
    /// The branch with the changes, in a repository that may be a fork.
    pub branch: String,
    /// The last commit of that branch.
    pub commit: Option<String>,
    /// Whether the changes come from another repository, so from people without rights here.
    pub foreign: bool,
    /// Where the changes are in the repository itself: `refs/pull/12/head`.
    pub reference: String,
    /// Whether it was closed or merged.
    pub closed: bool,
    /// When it was changed, in seconds since 1970.
    pub updated: Option<i64>,
}

impl Event {
    /// A push to a reference by its full name: to a branch, else something to pass over.
    pub(super) fn push(reference: &str, before: &str, after: &str, deleted: bool) -> Self {
        let Some(branch) = reference.strip_prefix("refs/heads/") else {
            return Self::Other("a push to something that is not a branch".to_owned());
        };
        let deleted = deleted || is_zero(after);
        Self::moved(branch, if deleted { before } else { after }, deleted)
    }

    /// A branch, by its short name, that is at another commit or gone.
    pub(super) fn moved(branch: &str, commit: &str, deleted: bool) -> Self {
        if !is_branch(branch) {
            return Self::Other("a branch whose name is not one of Git".to_owned());
        }
        Self::Push {
            branch: branch.to_owned(),
            commit: commit_id(commit),
            deleted,
        }
    }
}

/// The id of a commit, if the text is one.
pub(super) fn commit_id(text: &str) -> Option<String> {
    let hex = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hex && !is_zero(text)).then(|| text.to_ascii_lowercase())
}

/// How forges write "no commit".
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
