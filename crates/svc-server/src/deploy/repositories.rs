//! What is known of repositories on GitHub, on the sites that readers see.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_diagnostics::Severity;
use svc_site::{Repositories, Site};

use super::deployer::Inner;
use super::state::Made;
use super::{Deployer, Target};

impl Deployer {
    /// The sites of the projects. Previews are not among them: they may come from strangers, who do
    /// not choose what this server asks for.
    pub(crate) fn sites(&self) -> Vec<(String, Arc<Site>)> {
        let state = self.0.state();
        let live = state.shown.iter().filter(|((_, target), shown)| {
            // A report of what failed is no site.
            *target == Target::Live && shown.made.is_some()
        });
        live.map(|((project, _), shown)| (project.clone(), shown.current.get()))
            .collect()
    }

    /// Takes what is known of repositories: the sites of `changed` projects show it at once, all others
    /// from their next deployment on.
    pub(crate) fn know(&self, repositories: &Arc<Repositories>, changed: &BTreeSet<String>) {
        self.0.state().repositories = Arc::clone(repositories);
        for project in changed {
            self.0.show_again(project);
        }
    }
}

impl Inner {
    /// Shows the site of a project as it is made now of the same files. One that comes meanwhile is
    /// left alone: what it says of repositories is compared once more later.
    fn show_again(&self, project: &str) {
        let place = (project.to_owned(), Target::Live);
        let state = self.state();
        let (Some(plan), Some(shown)) = (state.plans.get(project), state.shown.get(&place)) else {
            return;
        };
        let Some(made) = shown.made.clone() else {
            return;
        };
        let before = shown.current.get();
        let options = state.loading(plan, &Target::Live, false);
        drop(state);
        // What cannot be read any more stays as it is.
        let Ok(checked) = svc_site::rebuild(&before, &options) else {
            return;
        };
        if checked.has(Severity::Fatal) {
            return;
        }
        let site = Arc::new(checked.value);
        let made = Made::new(&made.key, &options, &site, made.history);
        let mut state = self.state();
        let Some(shown) = state.shown.get_mut(&place) else {
            return;
        };
        if !shown.current.replace(&before, Arc::clone(&site)) {
            return;
        }
        shown.note(made, &site);
        let live = state.live(project, &Target::Live).cloned();
        drop(state);
        if let Some(live) = live {
            self.draw_later(&live);
        }
    }
}
