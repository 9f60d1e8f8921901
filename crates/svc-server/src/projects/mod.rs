//! A server with several projects: settings, sites by host, deployments, and the control socket.

mod host_table;
mod remote_documents;
mod repositories;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::File;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use svc_objects::{ObjectLocation, ObjectStore};
use svc_site::{LoadOptions, SiteOptions};
use svc_store::Database;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::watch;
use tracing::{error, warn};

use crate::admin::{AdminBuilder, AdminServer, server_id};
use crate::backup;
use crate::cdn::PurgeSender;
use crate::data_files;
use crate::deploy::{
    Cluster, DeployRequest, Deployer, DeployerOptions, FileJournal, Journal, ProjectConfig,
    Publisher, Trigger,
};
use crate::github::GitHub;
use crate::metrics::CountingJournal;
use crate::pull_requests::{Announcer, PullRequestCounters, PullRequestJournal, Sender};
use crate::readers::{self, ReaderState};
use crate::readiness::Readiness;
use crate::stop::SighupStream;
use crate::tls::{Acme, https_redirect};
use crate::{
    AcmeSettings, GitHubOptions, Host, InheritedSockets, Limits, Metrics, ProjectSettings, Server,
    Settings, Sites, Tls, TlsSettings, WebhookLimits, Webhooks, permissions,
};
use host_table::HostTable;
use remote_documents::ProjectDocuments;

/// Interval of the checks for expired previews and for repositories.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(60);

/// How long a start waits for the lock of the data directory.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// A multi-project server that serves its last deployments and is about to accept requests.
#[derive(Debug)]
pub struct Projects {
    server: Server,
    /// Listener that redirects to HTTPS.
    redirect: Option<Server>,
    /// Port of HTTPS in its redirects, if it is not that of `server`.
    public_port: Option<u16>,
    tls: Option<Tls>,
    /// Requests certificates; `None` if all come from files.
    acme: Option<Acme>,
    sites: Sites,
    deployer: Deployer,
    host_table: Arc<HostTable>,
    remote_documents: ProjectDocuments,
    admin: Option<AdminServer>,
    /// The listener for metrics.
    metrics_server: Option<Server>,
    metrics: Metrics,
    readiness: Readiness,
    /// Tasks that follow other servers, which sessions of readers they have ended and what they
    /// have built, and that purge CDNs.
    following: Vec<tokio::task::JoinHandle<()>>,
    hangups: SighupStream,
    /// Cache of information about GitHub repositories.
    github: GitHub,
    /// Interval of the checks for expired previews and for repositories.
    maintenance_interval: Duration,
    #[cfg(unix)]
    control: crate::control::Control,
    /// Lock of the data directory.
    _lock: File,
}

impl Projects {
    /// Binds the address, locks the data directory, and publishes the deployments that were live at
    /// the end of the last run. From here on SIGHUP does not end the program; an early one is
    /// handled by [`Self::run`].
    ///
    /// # Errors
    /// If the address cannot be bound, or the data directory cannot be used or is in use by another
    /// server.
    pub async fn start(settings: Settings, limits: Limits) -> io::Result<Self> {
        Self::start_at(settings, limits, InheritedSockets::default()).await
    }

    /// As [`Self::start`], with sockets of the service manager instead of the addresses of the
    /// settings.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub async fn start_at(
        settings: Settings,
        limits: Limits,
        mut sockets: InheritedSockets,
    ) -> io::Result<Self> {
        let with_name = |error: io::Error, name: &dyn fmt::Display| {
            io::Error::new(error.kind(), format!("{name}: {error}"))
        };
        let hangups = SighupStream::new();
        let addr = settings.listen;
        let limits = Limits {
            trusted_proxies: settings.trusted_proxies.clone(),
            ..limits
        };
        let metrics = Metrics::default();
        let server = Server::bind_or_inherit(sockets.sites.take(), addr, limits.clone())
            .await
            .map_err(|error| with_name(error, &addr))?
            .with_metrics(metrics.sites());
        let tls = settings.tls.as_ref().map(Tls::load).transpose()?;
        let redirect_listen = settings.tls.as_ref().and_then(|tls| tls.redirect_listen);
        let redirect = match redirect_listen {
            Some(addr) => {
                let bound = Server::bind(addr, limits.clone()).await;
                Some(bound.map_err(|error| with_name(error, &addr))?)
            }
            None => None,
        };
        let metrics_server = match settings.metrics {
            Some(addr) => {
                let limits = limits.clone().for_admin_listener();
                let bound = Server::bind_or_inherit(sockets.metrics.take(), addr, limits).await;
                Some(bound.map_err(|error| with_name(error, &format!("metrics at {addr}")))?)
            }
            None => None,
        };
        let data = settings.data.clone();
        let shown = data.display();
        permissions::create_private_dir(&data).map_err(|error| with_name(error, &shown))?;
        let lock = lock(&data)?;
        if backup::is_interrupted(&data) {
            return Err(io::Error::other(format!(
                "a restore of the data folder `{}` was interrupted; run `svc-server restore` again",
                data.display()
            )));
        }
        let acme = Acme::open(settings.tls.as_ref(), &data, tls.as_ref(), &metrics)
            .map_err(|error| with_name(error, &shown))?;
        let mut reader_key = readers::key_in(&data).map_err(|error| with_name(error, &shown))?;
        let journal = FileJournal::open(&data.join("deployments.journal"))
            .map_err(|error| with_name(error, &shown))?;
        if let Some(damage) = journal.damage() {
            warn!("{damage}");
        }
        let mut admin = AdminBuilder::open(&settings).await;
        if let Some(admin) = &mut admin
            && let Some(shared) = admin.shared_key(reader_key).await
            && shared != reader_key
        {
            reader_key = shared;
            readers::replace_key(&data, &shared).map_err(|error| with_name(error, &shown))?;
        }
        let journal: Box<dyn Journal> = match &admin {
            Some(admin) => admin.journal(journal),
            None => Box::new(journal),
        };
        let (pull_requests, pull_request_events) = unbounded_channel();
        let journal: Box<dyn Journal> = match &admin {
            Some(_) => Box::new(PullRequestJournal::new(journal, pull_requests.clone())),
            None => journal,
        };
        let journal = Box::new(CountingJournal::new(journal, &metrics));
        let share = match &admin {
            Some(admin) => admin.share(),
            None => Box::new(|_: &crate::deploy::Action| {}),
        };
        let sites = Sites::default();
        let max_builds = settings.max_builds;
        let documents = ProjectDocuments::new(metrics.count_fetches("documents"));
        let plans = plans(&settings, &documents);
        let github = GitHub::new(GitHubOptions::cached_in(Some(&data)))
            .counted_by(metrics.count_fetches("repositories"));
        let shared = admin.as_ref().map(AdminBuilder::database);
        let reader_state = ReaderState::open(&data, reader_key, shared);
        let reader_state = reader_state.map_err(|error| with_name(error, &shown))?;
        let mut following = Vec::new();
        if admin.is_some() {
            following.push(tokio::spawn(reader_state.clone().follow()));
        }
        metrics.observe_readers(reader_state.clone());
        metrics.observe_data(data.clone());
        // No project has this name.
        let preview_key = readers::key_of_project(&reader_key, "previews of all projects");
        let (purges, purge_queue) = PurgeSender::new();
        following.push(tokio::spawn(
            purge_queue.run(metrics.count_fetches("purge")),
        ));
        let host_table = Arc::new(HostTable::new(
            sites.clone(),
            settings.clone(),
            (limits.clone(), metrics.clone()),
            reader_state,
            purges,
        ));
        let cluster = match (&settings.objects, &admin) {
            (Some(location), Some(admin)) => {
                let cluster = cluster(location, admin.database(), &data);
                Some(cluster.map_err(|error| with_name(error, &shown))?)
            }
            _ => None,
        };
        let options = DeployerOptions {
            data: data.clone(),
            journal,
            publisher: Box::new(Arc::clone(&host_table)),
            max_builds,
            repositories: github.repositories(),
            share,
            cluster: cluster.clone(),
        };
        let start = move || Deployer::start(options, plans);
        let deployer = tokio::task::spawn_blocking(start)
            .await
            .map_err(io::Error::other)?
            .map_err(|error| with_name(error, &shown))?;
        let objects = cluster.as_ref().map(|cluster| cluster.objects().clone());
        if let Some(cluster) = cluster {
            following.push(tokio::spawn(cluster.clone().follow(deployer.clone())));
            following.push(tokio::spawn(cluster.clone().probe_objects()));
            following.push(tokio::spawn(cluster.collect_all()));
        }
        let webhooks = Webhooks::new(
            deployer.clone(),
            sites.clone(),
            WebhookLimits::default(),
            preview_key,
        );
        host_table.connect(webhooks.clone());
        if let Some(admin) = &admin {
            webhooks.connect(pull_requests);
            let connected = (admin.database(), deployer.clone(), webhooks.clone());
            let server = server_id(&data).map_err(|error| with_name(error, &shown))?;
            let key = readers::key_of_project(&reader_key, "comments on pull requests");
            let counters = Arc::new(PullRequestCounters::default());
            metrics.observe_pull_requests(Arc::clone(&counters));
            let fetches = metrics.count_fetches("pull_request");
            let settings = Arc::clone(&host_table);
            let announcer = Announcer {
                database: admin.database(),
                deployer: deployer.clone(),
                settings: Arc::new(move || settings.settings()),
                waiting: Vec::new(),
            };
            let sender = Sender::new(connected, (server, key), (counters, fetches));
            following.push(tokio::spawn(sender.run(announcer, pull_request_events)));
        }
        let administered = match admin {
            Some(admin) => {
                let services = (deployer.clone(), webhooks.clone(), &sites);
                let listener = (sockets.admin.take(), &limits, &metrics);
                Some(admin.start(&settings, listener, services).await?)
            }
            None => None,
        };
        sockets.warn_unused();
        let listed = Arc::clone(&host_table);
        let store = administered.as_ref().map(AdminServer::database);
        let readiness = Readiness::new(
            Box::new(move || listed.live_sites()),
            store,
            objects.clone(),
        );
        if let Some(objects) = objects {
            metrics.observe_objects(objects);
        }
        if let Some(tls) = tls.clone() {
            metrics.observe_certificates("sites", tls);
        }
        metrics.observe_readiness(readiness.clone());
        metrics.observe_deployer(deployer.clone());
        #[cfg(unix)]
        let control = crate::control::Control::open(&data, deployer.clone(), webhooks)
            .map_err(|error| with_name(error, &shown))?;
        Ok(Self {
            server: server.with_tls(tls.clone()),
            redirect,
            public_port: settings.tls.as_ref().and_then(|tls| tls.public_port),
            tls,
            acme,
            sites,
            deployer,
            host_table,
            remote_documents: documents,
            admin: administered,
            metrics_server,
            metrics,
            readiness,
            following,
            hangups,
            github,
            maintenance_interval: MAINTENANCE_INTERVAL,
            #[cfg(unix)]
            control,
            _lock: lock,
        })
    }

    /// The bound address.
    ///
    /// # Errors
    /// If the operating system does not return it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.server.local_addr()
    }

    /// Whether the listener is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// Address or host of the administration; both `None` if it is disabled.
    pub fn admin_addr(&self) -> (Option<SocketAddr>, Option<&Host>) {
        let administered = self.admin.as_ref();
        administered.map_or((None, None), AdminServer::addrs)
    }

    /// Address of the listener for metrics; `None` if there is none.
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics_server.as_ref()?.local_addr().ok()
    }

    /// The deployer.
    pub fn deployer(&self) -> &Deployer {
        &self.deployer
    }

    /// The sites by host.
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Serves requests until `stop` completes. On SIGHUP, `reload` reads the settings; it returns
    /// `None` after reporting errors, and the settings are then unchanged.
    pub async fn run(
        self,
        reload: impl Fn() -> Option<Settings> + Send + Sync + 'static,
        stop: impl Future<Output = ()>,
    ) {
        let signals = {
            let (host_table, deployer) = (Arc::clone(&self.host_table), self.deployer.clone());
            let documents = self.remote_documents.clone();
            let admin = self.admin.as_ref().map(AdminServer::handle);
            let mut hangups = self.hangups;
            let (tls, acme) = (self.tls.clone(), self.acme.clone());
            tokio::spawn(async move {
                let reload = Arc::new(reload);
                while hangups.next().await {
                    let (host_table, deployer) = (Arc::clone(&host_table), deployer.clone());
                    let (reload, documents) = (Arc::clone(&reload), documents.clone());
                    let (tls, acme) = (tls.clone(), acme.clone());
                    let task = move || {
                        let settings = reload();
                        if let (Some(tls), Some(settings)) = (&tls, &settings) {
                            apply_certificates(tls, acme.as_ref(), settings);
                        }
                        apply_settings(&host_table, &deployer, &documents, settings.clone());
                        settings
                    };
                    // A panic must not prevent later reloads.
                    let settings = tokio::task::spawn_blocking(task).await;
                    if let (Some(admin), Ok(Some(settings))) = (&admin, settings)
                        && let Err(error) = admin.update(&settings).await
                    {
                        error!("administration: settings not applied: {error}");
                    }
                }
            })
        };
        let sweeping = {
            let (host_table, round) = (Arc::clone(&self.host_table), self.maintenance_interval);
            tokio::spawn(async move {
                loop {
                    let host_table = Arc::clone(&host_table);
                    // A failure is retried in the next round.
                    let _ = tokio::task::spawn_blocking(move || host_table.expire_previews()).await;
                    tokio::time::sleep(round).await;
                }
            })
        };
        let watching = tokio::spawn(self.remote_documents.clone().watch(self.deployer.clone()));
        let polling = tokio::spawn(repositories::watch(
            self.github,
            Arc::clone(&self.host_table),
            self.deployer.clone(),
            self.maintenance_interval,
        ));
        #[cfg(unix)]
        let control = tokio::spawn(self.control.run());
        let (stopping, shutdown) = watch::channel(false);
        let metrics_server = self.metrics_server.map(|server| {
            let mut shutdown = shutdown.clone();
            let stop = async move {
                let _ = shutdown.wait_for(|stopping| *stopping).await;
            };
            tokio::spawn(server.run(self.metrics.responder(), stop))
        });
        let admin = self.admin.map(|admin| tokio::spawn(admin.run(shutdown)));
        let (readiness, host_table) = (self.readiness.clone(), Arc::clone(&self.host_table));
        let stop = async move {
            stop.await;
            readiness.drain();
            tokio::time::sleep(host_table.settings().drain_delay).await;
            // Without an administration there is no receiver.
            let _ = stopping.send(true);
        };
        let port = self.public_port.unwrap_or_else(|| {
            let addr = self.server.local_addr();
            addr.map_or(0, |addr| addr.port())
        });
        let redirecting = self.redirect.map(|redirect| {
            let forever = std::future::pending();
            let challenges = self.tls.as_ref().map(|tls| tls.challenges().clone());
            let responder = https_redirect(port, challenges.unwrap_or_default());
            tokio::spawn(redirect.run(responder, forever))
        });
        // Both listeners are bound, so that a challenge reaches them.
        let acme = self.acme.map(|acme| tokio::spawn(acme.run()));
        let server = self.server.with_body_router(self.sites.body_router());
        let responder = self.readiness.responder(self.sites.responder());
        server.run(responder, stop).await;
        if let Some(redirecting) = redirecting {
            redirecting.abort();
        }
        if let Some(server) = metrics_server {
            let _ = server.await;
        }
        if let Some(admin) = admin {
            let _ = admin.await;
        }
        self.deployer.stop();
        for following in self.following {
            following.abort();
        }
        if let Some(acme) = acme {
            acme.abort();
        }
        signals.abort();
        sweeping.abort();
        watching.abort();
        polling.abort();
        #[cfg(unix)]
        control.abort();
    }
}

/// Uses the certificates of new settings, and requests those of new hosts.
fn apply_certificates(tls: &Tls, acme: Option<&Acme>, settings: &Settings) {
    let Some(settings) = &settings.tls else {
        return;
    };
    let mut files = settings.certificates.clone();
    if let Some(acme) = acme {
        if let Some(settings) = &settings.acme {
            acme.set_hosts(settings.hosts.clone());
        }
        files.extend(acme.files());
    }
    if let Err(error) = tls.set_files(&files) {
        error!("the previous certificates stay in use: {error}");
    }
}

/// Applies new settings and checks every project for changes.
fn apply_settings(
    host_table: &HostTable,
    deployer: &Deployer,
    documents: &ProjectDocuments,
    settings: Option<Settings>,
) {
    let Some(settings) = settings else { return };
    let settings = retain_startup_settings(settings, &host_table.settings());
    let (plans, max_builds) = (plans(&settings, documents), settings.max_builds);
    host_table.update(settings);
    let taken = deployer.set_max_builds(max_builds);
    if let Err(error) = taken.and_then(|()| deployer.set_projects(plans)) {
        error!("cannot apply the settings: {error}");
        return;
    }
    for project in deployer.projects() {
        let request = DeployRequest::live(project, Trigger::Signal);
        if let Err(error) = deployer.trigger(request) {
            warn!("{error}");
        }
    }
}

/// The new settings, with values that require a restart left unchanged and logged.
fn retain_startup_settings(new: Settings, now: &Settings) -> Settings {
    for (key, same) in [
        ("`listen`", new.listen == now.listen),
        (
            "`[tls]`, except its certificates and hosts,",
            tls_of_start(&new) == tls_of_start(now),
        ),
        ("`data`", new.data == now.data),
        (
            "`trusted_proxies`",
            new.trusted_proxies == now.trusted_proxies,
        ),
        ("`[log]`", new.log == now.log),
        ("`[metrics]`", new.metrics == now.metrics),
        ("`[traces]`", new.traces == now.traces),
        ("`[objects]`", new.objects == now.objects),
        // The administration logs its other changes itself.
        ("`[admin]`", new.admin.is_none() || now.admin.is_some()),
    ] {
        if !same {
            warn!("{key} has changed; restart the server to apply it");
        }
    }
    Settings {
        listen: now.listen,
        tls: now.tls.clone(),
        data: now.data.clone(),
        trusted_proxies: now.trusted_proxies.clone(),
        log: now.log.clone(),
        metrics: now.metrics,
        traces: now.traces.clone(),
        objects: now.objects.clone(),
        admin: now.admin.clone(),
        ..new
    }
}

/// The settings of TLS that require a restart.
fn tls_of_start(settings: &Settings) -> Option<TlsSettings> {
    let tls = settings.tls.clone()?;
    let acme = tls.acme.map(|acme| AcmeSettings {
        hosts: Vec::new(),
        ..acme
    });
    Some(TlsSettings {
        certificates: Vec::new(),
        acme,
        ..tls
    })
}

/// This server among those that share a database and an object store.
fn cluster(location: &ObjectLocation, database: Database, data: &Path) -> io::Result<Cluster> {
    let objects = ObjectStore::new(location.clone()).map_err(io::Error::other)?;
    Cluster::new(database, objects, server_id(data)?, data)
}

/// Locks the data directory against other servers.
pub(crate) fn lock(data: &Path) -> io::Result<File> {
    let path = data.join("lock");
    let file = data_files::open(&path)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    // A server that is stopping, or a child process that is being started, may hold the lock for a
    // moment.
    let end = Instant::now() + LOCK_TIMEOUT;
    while file.try_lock().is_err() {
        if Instant::now() > end {
            return Err(io::Error::other(format!(
                "another server uses the data folder `{}`; stop it, or set another folder",
                data.display()
            )));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(file)
}

fn plans(settings: &Settings, documents: &ProjectDocuments) -> Vec<ProjectConfig> {
    documents.update(settings);
    let projects = settings.projects.iter();
    projects
        .map(|project| plan(settings, project, documents))
        .collect()
}

fn plan(
    settings: &Settings,
    project: &ProjectSettings,
    documents: &ProjectDocuments,
) -> ProjectConfig {
    ProjectConfig {
        id: project.id.clone(),
        source: project.source.clone(),
        git: settings.git.clone(),
        load: LoadOptions {
            site: SiteOptions {
                relay: settings.outbound.relay.is_some(),
                fingerprints: true,
                image_variants: settings.image_variants,
                ..project.site.clone()
            },
            remote: documents.source(&project.id),
            ..LoadOptions::default()
        },
        private_previews: project.has_private_previews(),
        preview_integrations: project
            .previews
            .as_ref()
            .is_some_and(|previews| previews.integrations),
        stop_on_errors: project.stop_on_errors,
        max_retained: project.keep,
        poll: project.poll,
    }
}
