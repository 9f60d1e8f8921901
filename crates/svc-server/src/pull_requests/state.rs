//! What the forge should show about a pull request.

use serde::{Deserialize, Serialize};

use crate::deploy::{Deployment, DeploymentState, PublishTarget, Reference};

/// How far the preview of a pull request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    /// It is queued or being built.
    Pending,
    /// It shows the commit.
    Success,
    /// It could not be built.
    Failure,
    /// It was removed, and the pull request is open.
    Removed,
    /// The pull request was closed.
    Closed,
}

/// The document of a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RequestState {
    pub(super) phase: Phase,
    /// ID of the commit.
    pub(super) commit: String,
    /// Name of the preview; empty if it is not known yet.
    pub(super) preview: String,
    /// Host of the preview.
    pub(super) host: Option<String>,
    /// Result of the deployment, or the reason of its failure.
    pub(super) summary: String,
    /// Time of the phase in milliseconds since the Unix epoch.
    pub(super) at: u64,
}

impl RequestState {
    /// The state that a deployment of a preview leads to; `None` if it changes nothing.
    pub(super) fn of(deployment: &Deployment) -> Option<Self> {
        let PublishTarget::Preview { name } = &deployment.target else {
            return None;
        };
        let (phase, at) = match (deployment.removed, deployment.state) {
            (Some(at), _) => (Phase::Removed, Some(at)),
            (None, DeploymentState::Queued | DeploymentState::Building) => {
                (Phase::Pending, Some(deployment.queued))
            }
            (None, DeploymentState::Live) => (Phase::Success, deployment.finished),
            (None, DeploymentState::Failed) => (Phase::Failure, deployment.finished),
            (None, DeploymentState::Superseded) => return None,
        };
        let commit = deployment.commit.as_ref().map(|commit| commit.id.clone());
        Some(Self {
            phase,
            commit: commit.filter(|id| !id.is_empty())?,
            preview: name.clone(),
            host: deployment.host.clone(),
            summary: deployment.summary.clone(),
            at: at.unwrap_or(deployment.queued),
        })
    }

    /// Whether this state replaces another one of the same pull request. Several servers announce the
    /// same deployments, and a server announces its last ones again after a start.
    pub(super) fn replaces(&self, old: &Self) -> bool {
        if (self.phase, &self.commit) == (old.phase, &old.commit) {
            return false;
        }
        let is_over = matches!(old.phase, Phase::Removed | Phase::Closed);
        match self.phase {
            Phase::Pending if is_over => self.at > old.at,
            Phase::Pending => self.commit != old.commit,
            Phase::Success | Phase::Failure => !is_over || self.at > old.at,
            Phase::Removed => old.phase != Phase::Closed && self.at > old.at,
            Phase::Closed => true,
        }
    }
}

/// Ref of a preview: `refs/pull/12/head` or `refs/heads/x`.
pub(super) fn source_of(reference: &Reference) -> Option<String> {
    let branch = reference.branch.as_ref();
    let branch = branch.map(|branch| format!("refs/heads/{branch}"));
    reference.reference.clone().or(branch)
}

/// Number of the pull request of a ref.
pub(super) fn number_of(source: &str) -> Option<u64> {
    let rest = source.strip_prefix("refs/pull/");
    let rest = rest.or_else(|| source.strip_prefix("refs/merge-requests/"))?;
    rest.strip_suffix("/head")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(phase: Phase, commit: &str, at: u64) -> RequestState {
        RequestState {
            phase,
            commit: commit.to_owned(),
            preview: "pr-1".to_owned(),
            host: None,
            summary: String::new(),
            at,
        }
    }

    #[test]
    fn a_state_is_replaced_by_what_is_new() {
        use Phase::{Closed, Failure, Pending, Removed, Success};
        let old = |phase| state(phase, "a", 5);
        for (new, phase, expected) in [
            (state(Success, "a", 6), Pending, true),
            (state(Failure, "a", 6), Pending, true),
            // Another server, or a start.
            (state(Success, "a", 6), Success, false),
            (state(Pending, "a", 6), Success, false),
            (state(Pending, "b", 6), Success, true),
            (state(Success, "a", 6), Failure, true),
            (state(Removed, "a", 6), Success, true),
            (state(Removed, "a", 6), Closed, false),
            (state(Closed, "a", 6), Removed, true),
            (state(Success, "a", 4), Closed, false),
            (state(Removed, "a", 4), Success, false),
            // The request was opened again.
            (state(Pending, "a", 6), Closed, true),
            (state(Success, "a", 6), Removed, true),
        ] {
            assert_eq!(
                new.replaces(&old(phase)),
                expected,
                "{new:?} after {phase:?}"
            );
        }
    }

    #[test]
    fn refs_of_forges_have_a_number() {
        assert_eq!(number_of("refs/pull/12/head"), Some(12));
        assert_eq!(number_of("refs/merge-requests/3/head"), Some(3));
        for other in [
            "refs/heads/pull/12",
            "refs/pull/x/head",
            "refs/pull/12/merge",
        ] {
            assert_eq!(number_of(other), None, "{other}");
        }
    }
}
