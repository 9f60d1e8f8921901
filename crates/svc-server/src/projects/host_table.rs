//! Assigns sites to hosts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use http::Method;
use http::request::Parts;
use svc_fetch::FetchCounters;

use super::Publisher;
use crate::cdn::{CdnHeaders, PurgeSender};
use crate::deploy::PublishTarget;
use crate::readers::{PublicHosts, ReaderState, Readers};
use crate::service::{BodyRouter, first_of};
use crate::{
    Host, Limits, Mcp, McpLimits, Metrics, ProjectSettings, Relay, Served, Settings, SiteHandle,
    Sites, Webhooks,
};

/// Hosts of all projects and their sites.
pub(super) struct HostTable {
    sites: Sites,
    limits: Limits,
    metrics: Metrics,
    relay_fetches: Arc<FetchCounters>,
    reader_state: ReaderState,
    state: Mutex<HostTableState>,
    purges: PurgeSender,
    /// Set once the deployer has started; requests arrive after that.
    webhooks: Arc<OnceLock<Webhooks>>,
}

struct HostTableState {
    settings: Arc<Settings>,
    /// Hosts of each target that is live or pending.
    hosts: BTreeMap<(String, PublishTarget), Vec<Host>>,
}

impl fmt::Debug for HostTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("sites", &self.sites)
            .finish_non_exhaustive()
    }
}

impl HostTable {
    /// A table in which the hosts of all projects wait for their first deployment.
    pub(super) fn new(
        sites: Sites,
        settings: Settings,
        (limits, metrics): (Limits, Metrics),
        reader_state: ReaderState,
        purges: PurgeSender,
    ) -> Self {
        let host_table = Self {
            sites,
            limits,
            relay_fetches: metrics.count_fetches("relay"),
            metrics,
            reader_state,
            purges,
            state: Mutex::new(HostTableState {
                settings: Arc::new(settings.clone()),
                hosts: BTreeMap::new(),
            }),
            webhooks: Arc::default(),
        };
        host_table.update(settings);
        host_table
    }

    /// Routes webhook requests to `webhooks` from now on.
    pub(super) fn connect(&self, webhooks: Webhooks) {
        webhooks.set_projects(&self.state().settings.projects);
        // Called once.
        let _ = self.webhooks.set(webhooks);
    }

    /// The current settings.
    pub(super) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.state().settings)
    }

    /// The projects with their live sites.
    pub(super) fn live_sites(&self) -> Vec<(String, Option<SiteHandle>)> {
        let state = self.state();
        let projects = state.settings.projects.iter().map(|project| {
            let target = (project.id.clone(), PublishTarget::Live);
            let host = state.hosts.get(&target).and_then(|hosts| hosts.first());
            let served = host.and_then(|host| self.sites.get(host.as_str()));
            (target.0, served.and_then(|served| served.current))
        });
        projects.collect()
    }

    /// Removes expired previews.
    pub(super) fn expire_previews(&self) {
        if let Some(webhooks) = self.webhooks.get() {
            webhooks.expire_previews(crate::deploy::now());
        }
    }

    fn state(&self) -> MutexGuard<'_, HostTableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies new settings. Hosts that move to another project are released first; live targets
    /// move when the deployer publishes them.
    pub(super) fn update(&self, settings: Settings) {
        let mut state = self.state();
        let settings = Arc::new(settings);
        state.settings = Arc::clone(&settings);
        let pairs: BTreeSet<(&str, &Host)> = settings
            .projects
            .iter()
            .flat_map(|project| project.hosts.iter().map(|host| (&*project.id, host)))
            .collect();
        state.hosts.retain(|(project, target), hosts| {
            if *target != PublishTarget::Live {
                return true;
            }
            hosts.retain(|host| {
                let stays = pairs.contains(&(project.as_str(), host));
                if !stays {
                    self.sites.remove(host.as_str());
                }
                stays
            });
            !hosts.is_empty()
        });
        for project in &settings.projects {
            let target_key = (project.id.clone(), PublishTarget::Live);
            let known = state.hosts.get(&target_key);
            let shown = known.and_then(|hosts| self.sites.get(hosts.first()?.as_str()));
            let current = shown.and_then(|served| served.current);
            self.publish_target(&mut state, project, &PublishTarget::Live, current.as_ref());
        }
        drop(state);
        if let Some(webhooks) = self.webhooks.get() {
            webhooks.set_projects(&settings.projects);
        }
    }

    /// Publishes a target at its hosts.
    fn publish_target(
        &self,
        state: &mut HostTableState,
        project: &ProjectSettings,
        target: &PublishTarget,
        current: Option<&SiteHandle>,
    ) {
        let hosts = hosts(project, target);
        let served = self.served(&state.settings, project, target, current);
        for (number, host) in hosts.iter().enumerate() {
            let redirect = (number > 0 && project.redirect_hosts)
                .then(|| hosts.first().cloned())
                .flatten();
            // A host of another project is never reassigned.
            self.sites.set(
                host.as_str(),
                Served {
                    redirect,
                    ..served.clone()
                },
            );
        }
        let target_key = (project.id.clone(), target.clone());
        for old in state
            .hosts
            .insert(target_key, hosts.clone())
            .unwrap_or_default()
        {
            if !hosts.contains(&old) {
                self.sites.remove(old.as_str());
            }
        }
    }

    fn served(
        &self,
        settings: &Settings,
        project: &ProjectSettings,
        target: &PublishTarget,
        current: Option<&SiteHandle>,
    ) -> Served {
        let (webhooks, project_id) = (Arc::clone(&self.webhooks), project.clone());
        let mut posts: Vec<BodyRouter> = vec![Arc::new(move |parts: &Parts| {
            if parts.method != Method::POST && !parts.uri.path().contains(crate::webhook::PATH) {
                return None;
            }
            webhooks.get()?.body_router(&project_id)(parts)
        })];
        let router = self.site_router(settings);
        let readers = match target {
            PublishTarget::Live => project.readers.clone(),
            PublishTarget::Preview { .. } => project.preview_readers(),
        };
        let readers = current.zip(readers).map(|(current, readers)| {
            Readers::new(
                current.clone(),
                readers,
                (&project.id, public_hosts(project, target)),
                self.reader_state.clone(),
                Arc::clone(&router),
            )
        });
        match (&readers, current) {
            (Some(readers), _) => posts.push(readers.body_router()),
            (None, Some(current)) => posts.push(router(current.clone())),
            (None, None) => {}
        }
        Served {
            current: current.cloned(),
            readers,
            noindex: *target != PublishTarget::Live,
            live_host: (*target != PublishTarget::Live)
                .then(|| project.hosts.first().cloned())
                .flatten(),
            body_router: Some(first_of(posts)),
            cdn: cdn_headers(project, target),
            counters: self.metrics.project(&project.id),
            ..Served::pending(&project.id)
        }
    }
}

impl HostTable {
    /// Creates the router for requests with a body to a site: to its relay and its MCP server.
    fn site_router(
        &self,
        settings: &Settings,
    ) -> Arc<dyn Fn(SiteHandle) -> BodyRouter + Send + Sync> {
        let policy = settings.outbound.relay.clone();
        let relay_fetches = Arc::clone(&self.relay_fetches);
        let relay_limits = self.limits.relay.clone();
        let mcp_limits = McpLimits {
            calls_per_minute: settings.mcp_calls_per_minute,
            ..self.limits.mcp.clone()
        };
        Arc::new(move |site: SiteHandle| {
            let relay = Relay::counted_by(
                site.clone(),
                policy.clone(),
                relay_limits.clone(),
                Arc::clone(&relay_fetches),
            );
            let mcp = Mcp::new(site, mcp_limits.clone());
            first_of(vec![relay.body_router(), mcp.body_router()])
        })
    }
}

impl Publisher for Arc<HostTable> {
    fn publish(&self, project: &str, target: &PublishTarget, current: &SiteHandle) {
        let mut state = self.state();
        let settings = Arc::clone(&state.settings);
        let configured = settings.projects.iter().find(|known| known.id == project);
        if let Some(configured) = configured {
            self.publish_target(&mut state, configured, target, Some(current));
        }
    }

    fn updated(&self, project: &str, target: &PublishTarget) {
        let settings = self.settings();
        let project = settings.projects.iter().find(|known| known.id == project);
        let cdn = project.and_then(|project| Some((project, project.cdn.as_ref()?)));
        if let Some((project, cdn)) = cdn.filter(|_| *target == PublishTarget::Live)
            && let Some(purge) = &cdn.purge
        {
            self.purges.purge(&project.id, purge);
        }
    }

    fn hide(&self, project: &str, target: &PublishTarget) {
        let target_key = (project.to_owned(), target.clone());
        let hosts = self.state().hosts.remove(&target_key);
        for host in hosts.unwrap_or_default() {
            self.sites.remove(host.as_str());
        }
    }
}

/// Headers for a CDN, of a public site.
fn cdn_headers(project: &ProjectSettings, target: &PublishTarget) -> Option<Arc<CdnHeaders>> {
    let cdn = project.cdn.as_ref()?;
    let is_public = project.readers.is_none() && *target == PublishTarget::Live;
    is_public.then(|| Arc::new(CdnHeaders::new(&project.id, cdn.max_age)))
}

/// Hosts of a target at which readers sign in.
fn public_hosts(project: &ProjectSettings, target: &PublishTarget) -> PublicHosts {
    let mut hosts = hosts(project, target);
    if project.redirect_hosts {
        hosts.truncate(1);
    }
    PublicHosts {
        hosts,
        origin: project.site.origin.clone(),
    }
}

/// Hosts of a target.
fn hosts(project: &ProjectSettings, target: &PublishTarget) -> Vec<Host> {
    match target {
        PublishTarget::Live => project.hosts.clone(),
        PublishTarget::Preview { name } => {
            let pattern = project.previews.as_ref().map(|previews| &previews.host);
            let host = pattern.and_then(|pattern| pattern.host(name));
            host.into_iter().collect()
        }
    }
}
