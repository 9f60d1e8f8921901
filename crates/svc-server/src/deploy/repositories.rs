//! What is known of repositories on GitHub, on the sites that readers see.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_diagnostics::Severity;
use svc_site::{Repositories, Site};

use super::deployer::DeployerInner;
use super::state::BuildInputs;
use super::{Deployer, PublishTarget};

impl Deployer {
    /// The sites of the projects. Previews are not among them: they may come from strangers, who do
    /// not choose what this server asks for.
    pub(crate) fn sites(&self) -> Vec<(String, Arc<Site>)> {
        let state = self.0.state();
        let live = state.live_targets.iter().filter(|((_, target), shown)| {
            // A report of what failed is no site.
            *target == PublishTarget::Live && shown.inputs.is_some()
        });
        live.map(|((project, _), shown)| (project.clone(), shown.current.get()))
            .collect()
    }

    /// Takes what is known of repositories: the sites of `changed` projects show it at once, all others
    /// from their next deployment on.
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
    /// Shows the site of a project as it is made now of the same files. One that comes meanwhile is
    /// left alone: what it says of repositories is compared once more later.
    fn refresh_site(&self, project: &str) {
        let place = (project.to_owned(), PublishTarget::Live);
        let state = self.state();
        let (Some(plan), Some(shown)) = (state.plans.get(project), state.live_targets.get(&place))
        else {
            return;
        };
        let Some(made) = shown.inputs.clone() else {
            return;
        };
        let before = shown.current.get();
        let options = state.load_options(plan, &PublishTarget::Live, false);
        drop(state);
        // What cannot be read any more stays as it is.
        let Ok(checked) = svc_site::rebuild(&before, &options) else {
            return;
        };
        if checked.has(Severity::Fatal) {
            return;
        }
        let site = Arc::new(checked.value);
        let made = BuildInputs::new(&made.key, &options, &site, made.history);
        let mut state = self.state();
        let Some(shown) = state.live_targets.get_mut(&place) else {
            return;
        };
        if !shown.current.replace(&before, Arc::clone(&site)) {
            return;
        }
        shown.record(made, &site);
        let live = state.live(project, &PublishTarget::Live).cloned();
        drop(state);
        if let Some(live) = live {
            self.schedule_prerender(&live);
        }
    }
}
