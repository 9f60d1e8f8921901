//! Information of GitHub about the repositories that the sites of all projects show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};
use std::time::Duration;

use svc_site::{Repositories, Site};
use tokio::task::spawn_blocking;

use super::host_table::HostTable;
use crate::deploy::Deployer;
use crate::github::GitHub;

/// Maximum number of repositories per project: all projects share the rate limit of the server.
const MAX_REPOSITORIES: usize = 50;

/// A site and the repositories that it names.
type SiteRepositories = (Weak<Site>, BTreeSet<String>);

/// Refreshes the repositories of all projects periodically, and updates the sites.
pub(super) async fn watch(
    github: GitHub,
    host_table: Arc<HostTable>,
    deployer: Deployer,
    round: Duration,
) {
    let mut sites = BTreeMap::new();
    loop {
        // The settings may change at any time.
        if !host_table.settings().outbound.offline {
            let handle = deployer.clone();
            let task = move || names(&handle, sites);
            // After a panic, all names are collected again.
            sites = spawn_blocking(task).await.unwrap_or_default();
            let all = sites.values().flat_map(|(_, slugs)| slugs.clone());
            github.refresh(&all.collect()).await;
            let known = github.repositories();
            let changed = changed(&sites, &known);
            let handle = deployer.clone();
            let task = move || handle.set_repositories(&known, &changed);
            let _ = spawn_blocking(task).await;
        }
        tokio::time::sleep(round).await;
    }
}

/// Names of repositories by site. Only new sites are searched.
fn names(
    deployer: &Deployer,
    before: BTreeMap<String, SiteRepositories>,
) -> BTreeMap<String, SiteRepositories> {
    let sites = deployer.sites().into_iter();
    let pairs = sites.map(|(project, site)| {
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
    pairs.collect()
}

/// Projects whose sites show outdated information about their repositories.
fn changed(sites: &BTreeMap<String, SiteRepositories>, known: &Repositories) -> BTreeSet<String> {
    let others = sites.iter().filter(|(_, (site, slugs))| {
        let site = site.upgrade();
        site.is_some_and(|site| {
            let shown = site.known_repositories();
            slugs.iter().any(|slug| shown.get(slug) != known.get(slug))
        })
    });
    others.map(|(project, _)| project.clone()).collect()
}
