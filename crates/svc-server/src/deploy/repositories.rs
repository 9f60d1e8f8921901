//! Information of GitHub about repositories on live sites.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_diagnostics::Severity;
use svc_site::{Repositories, Site};

use super::deployer::DeployerInner;
use super::state::BuildInputs;
use super::{Deployer, PublishTarget};

impl Deployer {
    /// Sites of the projects, without previews: untrusted content must not cause requests of this
    /// server.
    pub(crate) fn sites(&self) -> Vec<(String, Arc<Site>)> {
        let state = self.0.state();
        let live = state.live_targets.iter().filter(|((_, target), shown)| {
            // A placeholder for a failed deployment has no inputs.
            *target == PublishTarget::Live && shown.inputs.is_some()
        });
        live.map(|((project, _), shown)| (project.clone(), shown.current.get()))
            .collect()
    }

    /// Sets the information about repositories: the sites of `changed` projects are rebuilt
    /// immediately, all others with their next deployment.
    pub(crate) fn set_repositories(
        &self,
        repositories: &Arc<Repositories>,
        changed: &BTreeSet<String>,
    ) {
        self.0.state().repositories = Arc::clone(repositories);
        for project in changed {
            self.0.refresh_site(project);
        }
    }
}

impl DeployerInner {
    /// Rebuilds the site of a project from the same files. A site that is published meanwhile is
    /// not replaced; it is compared in the next round.
    fn refresh_site(&self, project: &str) {
        let target_key = (project.to_owned(), PublishTarget::Live);
        let state = self.state();
        let (Some(plan), Some(shown)) = (
            state.plans.get(project),
            state.live_targets.get(&target_key),
        ) else {
            return;
        };
        let Some(inputs) = shown.inputs.clone() else {
            return;
        };
        let before = shown.current.get();
        let options = state.load_options(plan, &PublishTarget::Live, false);
        drop(state);
        // If the files cannot be read anymore, the site stays unchanged.
        let Ok(checked) = svc_site::rebuild(&before, &options) else {
            return;
        };
        if checked.has(Severity::Fatal) {
            return;
        }
        let site = Arc::new(checked.value);
        let inputs = BuildInputs::new(&inputs.key, &options, &site, inputs.history);
        let mut state = self.state();
        let Some(shown) = state.live_targets.get_mut(&target_key) else {
            return;
        };
        if !shown.current.replace(&before, Arc::clone(&site)) {
            return;
        }
        shown.record(inputs, &site);
        let live = state.live(project, &PublishTarget::Live).cloned();
        drop(state);
        if let Some(live) = live {
            self.schedule_prerender(&live);
        }
    }
}
