//! What all servers serve at a target.

use serde::{Deserialize, Serialize};
use svc_store::TargetRecord;

use crate::cdn::PURGE_DELAY;
use crate::deploy::{Commit, DeployRequest, Deployment, PublishTarget, Reference, Trigger, now};

/// What all servers serve at a target, and what it can be rolled back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::deploy) struct Release {
    /// Name of the snapshot; `None` if the target was removed.
    pub(in crate::deploy) snapshot: Option<String>,
    /// Reason of the deployment.
    pub(in crate::deploy) trigger: Trigger,
    /// Revision that was requested.
    pub(in crate::deploy) reference: Reference,
    /// Commit of the snapshot.
    pub(in crate::deploy) commit: Option<Commit>,
    /// Whether the files come from a fork.
    pub(in crate::deploy) foreign: bool,
    /// Host of a preview.
    pub(in crate::deploy) host: Option<String>,
    /// Snapshot that a rollback replaced.
    pub(in crate::deploy) left: Option<String>,
    /// Time of the release in milliseconds since the Unix epoch, by the clock of its server.
    #[serde(default)]
    pub(in crate::deploy) released_at: u64,
    /// Snapshots that are retained, the last published first.
    pub(in crate::deploy) history: Vec<RetainedSnapshot>,
}

/// A snapshot that a target can be rolled back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::deploy) struct RetainedSnapshot {
    pub(in crate::deploy) snapshot: String,
    pub(in crate::deploy) commit: Option<Commit>,
}

impl Release {
    /// Parses the release of a target; `None` if there is none, or a newer version wrote it.
    pub(in crate::deploy) fn of(record: &TargetRecord) -> Option<Self> {
        serde_json::from_str(record.release.as_ref()?).ok()
    }

    pub(super) fn to_document(&self) -> String {
        // Serialization of these types does not fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The release of a deployment that was built, after `before`.
    pub(in crate::deploy) fn of_build(
        deployment: &Deployment,
        (snapshot, commit): (String, Option<Commit>),
        before: Option<&Self>,
        max_retained: usize,
    ) -> Self {
        let newest = RetainedSnapshot {
            snapshot: snapshot.clone(),
            commit: commit.clone(),
        };
        let earlier = before
            .map(|before| before.history.clone())
            .unwrap_or_default();
        let max = match deployment.target {
            PublishTarget::Live => max_retained.max(1),
            PublishTarget::Preview { .. } => 1,
        };
        let earlier = earlier.into_iter().filter(|item| item.snapshot != snapshot);
        let history = [newest].into_iter().chain(earlier).take(max).collect();
        Self {
            snapshot: Some(snapshot),
            trigger: deployment.trigger.clone(),
            reference: deployment.reference.clone(),
            commit,
            foreign: deployment.foreign,
            host: deployment.host.clone(),
            left: None,
            released_at: now(),
            history,
        }
    }

    /// The release after a target was removed.
    pub(in crate::deploy) fn removed() -> Self {
        Self {
            snapshot: None,
            trigger: Trigger::Command,
            reference: Reference::default(),
            commit: None,
            foreign: false,
            host: None,
            left: None,
            released_at: now(),
            history: Vec::new(),
        }
    }

    /// The release after a rollback to a snapshot of the deployment `of`.
    pub(in crate::deploy) fn rolled_back(&self, snapshot: &str, of: String) -> Self {
        let known = self.history.iter().find(|item| item.snapshot == snapshot);
        Self {
            snapshot: Some(snapshot.to_owned()),
            trigger: Trigger::Rollback { of },
            commit: known.and_then(|item| item.commit.clone()),
            left: self.snapshot.clone(),
            released_at: now(),
            ..self.clone()
        }
    }

    /// Whether the release is older than a CDN waits for the servers.
    pub(in crate::deploy) fn is_late(&self) -> bool {
        let max = u64::try_from(PURGE_DELAY.as_millis()).unwrap_or(u64::MAX);
        now().saturating_sub(self.released_at) > max
    }

    /// The snapshot that was published before the present one.
    pub(in crate::deploy) fn previous(&self) -> Option<&str> {
        let present = self.snapshot.as_ref()?;
        let mut history = self.history.iter().map(|item| &item.snapshot);
        history.find(|key| *key == present)?;
        history.next().map(String::as_str)
    }

    /// Names of the snapshots that servers need.
    pub(in crate::deploy) fn snapshots(&self) -> impl Iterator<Item = &String> {
        let retained = self.history.iter().map(|item| &item.snapshot);
        retained.chain(&self.snapshot)
    }

    /// The request of a deployment that takes the release over.
    pub(in crate::deploy) fn request(
        &self,
        project: &str,
        target: &PublishTarget,
    ) -> DeployRequest {
        DeployRequest {
            project: project.to_owned(),
            target: target.clone(),
            trigger: self.trigger.clone(),
            reference: self.reference.clone(),
            commit: self.commit.clone(),
            foreign: self.foreign,
            host: self.host.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_retains_earlier_snapshots_and_finds_the_previous_one() {
        let request = DeployRequest::live("docs", Trigger::Push);
        let deployment = crate::deploy::state::DeployerState::default().new_deployment(request);
        let built = |key: &str, before: Option<&Release>| {
            Release::of_build(&deployment, (key.to_owned(), None), before, 3)
        };
        let mut release = built("a", None);
        assert_eq!(release.previous(), None);
        for key in ["b", "c", "d", "b"] {
            release = built(key, Some(&release));
        }
        let keys = |release: &Release| {
            let keys = release.history.iter().map(|item| item.snapshot.clone());
            keys.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(keys(&release), "b d c");
        assert_eq!(release.previous(), Some("d"));
        let back = release.rolled_back("d", "x".to_owned());
        assert_eq!(back.left.as_deref(), Some("b"));
        assert_eq!((&*keys(&back), back.previous()), ("b d c", Some("c")));
        let next = built("e", Some(&back));
        assert_eq!((&*keys(&next), next.left.as_deref()), ("e b d", None));
        assert_eq!(Release::removed().snapshots().count(), 0);
    }
}
