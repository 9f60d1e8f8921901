//! Problems of versions with a `ref`.

use serde::{Deserialize, Serialize};
use svc_diagnostics::{Diagnostic, DiagnosticCode};
use svc_git::GitError;

use super::{CODES, MAX_VERSION_REFS, VersionRequest};
use crate::codes::{VERSION_REF_CONFIG, VERSION_REF_LIMIT, VERSION_REF_MISSING, VERSION_REF_PATH};

/// Why the files of a version cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionProblem {
    code: String,
    message: String,
    hint: String,
}

impl VersionProblem {
    fn new(code: &'static DiagnosticCode, message: String, hint: impl Into<String>) -> Self {
        Self {
            code: code.id.to_owned(),
            message,
            hint: hint.into(),
        }
    }

    /// The problem of a revision that cannot be read.
    pub fn of(reference: &str, error: &GitError) -> Self {
        match error {
            GitError::ReferenceNotFound { suggestions, .. } => {
                let hint = match suggestions.as_slice() {
                    [] => "push it, or correct the name".to_owned(),
                    [one] => format!("did you mean `{one}`?"),
                    more => {
                        let names: Vec<String> =
                            more.iter().map(|name| format!("`{name}`")).collect();
                        format!(
                            "the repository has {}; a shallow clone has to fetch others first",
                            names.join(", ")
                        )
                    }
                };
                let message = format!("the repository has no branch, tag or commit `{reference}`");
                Self::new(&VERSION_REF_MISSING, message, hint)
            }
            GitError::TooLarge { max, what } => {
                let message = format!("`{reference}` is too large: more than {max} {what}");
                Self::new(
                    &VERSION_REF_LIMIT,
                    message,
                    "exclude large files from the repository",
                )
            }
            GitError::SubfolderNotFound(folder) => {
                let message = format!("`{reference}` has no folder `{folder}`");
                let hint = "the documentation must be in the same folder in all branches";
                Self::new(&VERSION_REF_CONFIG, message, hint)
            }
            other => {
                let message = format!("`{reference}` cannot be read: {other}");
                Self::new(
                    &VERSION_REF_MISSING,
                    message,
                    "fetch it, and build the site again",
                )
            }
        }
    }

    /// The problem of a preview of a fork, whose author must not choose what is published.
    pub fn of_fork() -> Self {
        let message = "previews of forks do not show versions with `ref`".to_owned();
        Self::new(
            &VERSION_REF_MISSING,
            message,
            "the deployed site shows them after the merge",
        )
    }

    /// The diagnostic at the `ref` of the version.
    pub(super) fn diagnostic(self, request: &VersionRequest) -> Diagnostic {
        let code = CODES.into_iter().find(|code| code.id == self.code);
        Diagnostic::new(code.unwrap_or(&VERSION_REF_MISSING), self.message)
            .at(request.reference.location.clone())
            .pointer(request.reference.pointer.clone())
            .hint(self.hint)
    }
}

pub(super) fn without_repository() -> VersionProblem {
    let message = "the files of a version with `ref` cannot be read, because the folder is not in a Git repository".to_owned();
    let hint = "run svc in a clone of the repository, or list the pages of the version instead";
    VersionProblem::new(&VERSION_REF_MISSING, message, hint)
}

/// The snapshot does not contain the version.
pub(super) fn not_stored() -> VersionProblem {
    let message = "the files of the version were not fetched".to_owned();
    VersionProblem::new(&VERSION_REF_MISSING, message, "deploy the site again")
}

pub(super) fn without_config() -> VersionProblem {
    let message = "the `ref` of the version has no readable `docs.json`".to_owned();
    let hint = "add one to the branch, or choose a revision that has it; its `navigation` is that of the version";
    VersionProblem::new(&VERSION_REF_CONFIG, message, hint)
}

pub(super) fn too_many() -> VersionProblem {
    let message = format!("the site has more than {MAX_VERSION_REFS} versions with `ref`");
    VersionProblem::new(&VERSION_REF_LIMIT, message, "remove the oldest ones")
}

pub(super) fn nameless(version: &str) -> VersionProblem {
    let message = format!("the name of version `{version}` has no letter or digit for its URLs");
    VersionProblem::new(&VERSION_REF_PATH, message, "rename the version")
}

pub(super) fn occupied(version: &str, dir: &str) -> VersionProblem {
    let message = format!(
        "the pages of version `{version}` would be below `/{dir}`, where this branch has files itself"
    );
    VersionProblem::new(
        &VERSION_REF_PATH,
        message,
        format!("rename the version or `{dir}`"),
    )
}

pub(super) fn repeated(version: &str, dir: &str) -> VersionProblem {
    let message = format!(
        "the pages of version `{version}` would be below `/{dir}`, as those of another version"
    );
    VersionProblem::new(&VERSION_REF_PATH, message, "rename one of the versions")
}
