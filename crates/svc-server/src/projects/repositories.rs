//! What GitHub tells of the repositories that the sites of all projects show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};
use std::time::Duration;

use svc_site::{Repositories, Site};
use tokio::task::spawn_blocking;

use super::host_table::HostTable;
use crate::deploy::Deployer;
use crate::github::GitHub;

/// Repositories of one project: all share the questions that GitHub answers one server.
const MAX_REPOSITORIES: usize = 50;

/// The repositories that a site names.
type SiteRepositories = (Weak<Site>, BTreeSet<String>);

/// Asks about the repositories of all projects, now and then, and shows what has changed.
pub(super) async fn watch(
    github: GitHub,
    board: Arc<HostTable>,
    deployer: Deployer,
    round: Duration,
) {
    let mut named = BTreeMap::new();
    loop {
        // Other settings may be taken at any time.
        if !board.settings().outbound.offline {
            let own = deployer.clone();
            let work = move || names(&own, named);
            // After a mistake all of it is looked for again.
            named = spawn_blocking(work).await.unwrap_or_default();
            let all = named.values().flat_map(|(_, slugs)| slugs.clone());
            github.refresh(&all.collect()).await;
            let known = github.repositories();
            let changed = changed(&named, &known);
            let own = deployer.clone();
            let work = move || own.set_repositories(&known, &changed);
            let _ = spawn_blocking(work).await;
        }
        tokio::time::sleep(round).await;
    }
}

/// What the sites name. Texts are only searched in sites that are new.
fn names(
    deployer: &Deployer,
    before: BTreeMap<String, SiteRepositories>,
) -> BTreeMap<String, SiteRepositories> {
    let sites = deployer.sites().into_iter();
    let named = sites.map(|(project, site)| {
        let known = before.get(&project);
        let known = known.filter(|(known, _)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(&site)));
        let slugs = match known {
            Some((_, slugs)) => slugs.clone(),
            None => site
                .repositories()
                .into_iter()
                .take(MAX_REPOSITORIES)
                .collect(),
        };
        (project, (Arc::downgrade(&site), slugs))
    });
    named.collect()
}

/// The projects whose sites say something else of their repositories than what is known.
fn changed(named: &BTreeMap<String, SiteRepositories>, known: &Repositories) -> BTreeSet<String> {
    let others = named.iter().filter(|(_, (site, slugs))| {
        let site = site.upgrade();
        site.is_some_and(|site| {
            let told = site.known_repositories();
            slugs.iter().any(|slug| told.get(slug) != known.get(slug))
        })
    });
    others.map(|(project, _)| project.clone()).collect()
}
