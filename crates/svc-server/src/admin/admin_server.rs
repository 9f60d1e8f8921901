//! The administration of a server with several projects.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use svc_admin_api::StoreError;
use svc_admin_api::project::ProjectRecord;
use svc_store::Database;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Mutex, watch};
use tracing::warn;

use super::peers::{self, Peers};
use super::store_opener::StoreOpener;
use super::workers::{self, AgentCounters, WorkerOptions};
use super::{DeploymentService, RecordingJournal, SystemClock, bound_admin, projects, record};
use crate::deploy::{Action, Deployer, Deployment, FileJournal, Journal};
use crate::sites::Served;
use crate::{AdminSettings, Host, Limits, Metrics, Settings, Sites, Webhooks};

/// Project ID of the administration in the host table; not a valid ID of a project.
const PROJECT: &str = "(administration)";

/// An administration whose store is being opened.
#[derive(Debug)]
pub(crate) struct AdminBuilder {
    settings: AdminSettings,
    handle: AdminHandle,
    work: watch::Receiver<Option<WorkerOptions>>,
    opening: StoreOpener,
    states: (UnboundedSender<Deployment>, UnboundedReceiver<Deployment>),
    /// Channel for the actions that are shared with other servers of the database; `None` for
    /// SQLite.
    actions: Option<(UnboundedSender<Action>, UnboundedReceiver<Action>)>,
}

/// An administration that is about to accept requests.
#[derive(Debug)]
pub(crate) struct AdminServer {
    bound: bound_admin::BoundAdmin<DeploymentService<Database>>,
    states: UnboundedReceiver<Deployment>,
    peers: Option<(Peers, UnboundedReceiver<Action>)>,
    handle: AdminHandle,
    work: watch::Receiver<Option<WorkerOptions>>,
    host: Option<Host>,
}

/// Handle for applying new settings.
#[derive(Debug, Clone)]
pub(crate) struct AdminHandle {
    database: Database,
    work: watch::Sender<Option<WorkerOptions>>,
    /// Settings that apply without a restart.
    live: watch::Sender<AdminSettings>,
    /// Settings that require a restart.
    startup_settings: Arc<AdminSettings>,
    /// Desired state from the latest settings, applied as soon as the store is open.
    desired: Arc<Mutex<DesiredState>>,
    agents: AgentCounters,
}

/// State of the settings that the store and the workers need.
#[derive(Debug, Default)]
struct DesiredState {
    projects: Vec<ProjectRecord>,
    work: Option<WorkerOptions>,
}

impl AdminBuilder {
    /// Starts opening the store if the settings enable the administration; returns `None`
    /// otherwise. Once the store is open, the projects of the settings are saved in it.
    pub(crate) async fn open(settings: &Settings) -> Option<Self> {
        let admin = settings.admin.clone()?;
        let (options, works) = watch::channel(None);
        let handle = AdminHandle {
            database: Database::closed(),
            work: options,
            live: watch::Sender::new(admin.clone()),
            startup_settings: Arc::new(admin.clone()),
            desired: Arc::default(),
            agents: AgentCounters::default(),
        };
        handle.remember(settings).await;
        let putting = handle.clone();
        let next = move || {
            let handle = putting.clone();
            async move { handle.put().await }
        };
        Some(Self {
            opening: StoreOpener::begin(&handle.database, &admin.store, next),
            // An SQLite file belongs to one server.
            actions: (!admin.store.reveal().starts_with("sqlite:")).then(unbounded_channel),
            settings: admin,
            handle,
            work: works,
            states: unbounded_channel(),
        })
    }

    /// The key of readers' sessions that the servers of the database share: `own` if this is the
    /// first one. `None` if the database is not available.
    pub(crate) async fn shared_key(&mut self, own: [u8; 32]) -> Option<[u8; 32]> {
        self.opening.first_attempt().await;
        let own = hex::encode(own);
        let shared = self.handle.database.shared_key("readers", &own);
        let digits = shared.await.ok()?;
        let mut key = [0; 32];
        hex::decode_to_slice(digits, &mut key).ok()?;
        Some(key)
    }

    /// The store, which may not be open yet.
    pub(crate) fn database(&self) -> Database {
        self.handle.database.clone()
    }

    /// Callback with which the deployer shares actions with the other servers of the database.
    pub(crate) fn share(&self) -> Box<dyn Fn(&Action) + Send + Sync> {
        let sender = self.actions.as_ref().map(|(sender, _)| sender.clone());
        Box::new(move |action| {
            if let Some(sender) = &sender {
                // The receiver is gone when the server stops.
                let _ = sender.send(action.clone());
            }
        })
    }

    /// A journal that also sends each state to the store.
    pub(crate) fn journal(&self, journal: FileJournal) -> Box<dyn Journal> {
        Box::new(RecordingJournal::new(journal, self.states.0.clone()))
    }

    /// Binds the addresses.
    ///
    /// # Errors
    /// If an address cannot be bound.
    pub(crate) async fn start(
        mut self,
        settings: &Settings,
        (socket, limits, metrics): (Option<TcpListener>, &Limits, &Metrics),
        (deployer, webhooks, sites): (Deployer, Webhooks, &Sites),
    ) -> io::Result<AdminServer> {
        let database = self.handle.database.clone();
        let peers = match self.actions {
            Some((_, actions)) => Some((Peers::new(&settings.data)?, actions)),
            None => None,
        };
        let deployed = DeploymentService {
            store: database.clone(),
            deployer,
            webhooks,
            peers: peers.as_ref().map(|(peers, _)| peers.clone()),
        };
        self.opening.first_attempt().await;
        let store = (database, self.opening);
        metrics.observe_agents(self.handle.agents.clone());
        let listener = (socket, limits, metrics);
        let running =
            bound_admin::BoundAdmin::start(&self.settings, store, deployed, listener).await?;
        if let Some(host) = &self.settings.host {
            let entry = Served {
                body_router: Some(running.body_router()),
                counters: Some(metrics.admin_counters()),
                ..Served::pending(PROJECT)
            };
            sites.set(host.as_str(), entry);
        }
        Ok(AdminServer {
            bound: running,
            states: self.states.1,
            peers,
            handle: self.handle,
            work: self.work,
            host: self.settings.host,
        })
    }
}

impl AdminServer {
    /// Address or host, for log lines.
    pub(crate) fn addrs(&self) -> (Option<SocketAddr>, Option<&Host>) {
        (self.bound.local_addr(), self.host.as_ref())
    }

    /// The store.
    pub(crate) fn database(&self) -> Database {
        self.handle.database.clone()
    }

    /// Handle for applying new settings.
    pub(crate) fn handle(&self) -> AdminHandle {
        self.handle.clone()
    }

    /// Serves requests until `stop` is set.
    pub(crate) async fn run(self, stop: watch::Receiver<bool>) {
        let deployed = self.bound.deployments().clone();
        let database = self.handle.database.clone();
        let is_open = move || database.is_open();
        let recording = record::record(deployed.clone(), self.states, is_open);
        let recording = tokio::spawn(recording);
        let following = self.peers.map(|(peers, actions)| {
            let (database, webhooks) = (self.handle.database.clone(), deployed.webhooks);
            let publishing = peers::publish(database.clone(), peers.clone(), actions);
            let following = peers::apply_actions(database, webhooks, peers);
            tokio::spawn(async move { tokio::join!(publishing, following) })
        });
        let settings = self.handle.live.subscribe();
        self.bound.run(self.work, settings, stop).await;
        recording.abort();
        if let Some(following) = following {
            following.abort();
        }
    }
}

impl AdminHandle {
    /// Applies the projects and the agent of new settings.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn update(&self, settings: &Settings) -> Result<(), StoreError> {
        self.apply(settings.admin.as_ref());
        self.remember(settings).await;
        if self.database.is_open() {
            self.put().await?;
        }
        Ok(())
    }

    /// Applies the keys of `[admin]` that need no restart, and logs the others.
    fn apply(&self, new: Option<&AdminSettings>) {
        let Some(new) = new else {
            warn!("administration: `[admin]` was removed; restart the server to apply it");
            return;
        };
        let now = &*self.startup_settings;
        for (key, same) in [
            ("listen", new.listen == now.listen),
            ("host", new.host == now.host),
            ("tls", new.tls == now.tls),
            ("store", new.store == now.store),
            ("oidc", new.oidc == now.oidc),
        ] {
            if !same {
                warn!(
                    "administration: `{key}` of `[admin]` has changed; restart the server to apply it"
                );
            }
        }
        self.live.send_replace(new.clone());
    }

    async fn remember(&self, settings: &Settings) {
        let state = DesiredState {
            projects: projects::from_settings(settings, &SystemClock::default()),
            work: workers::worker_options(settings, &self.agents),
        };
        *self.desired.lock().await = state;
    }

    /// Applies the desired state to the store and the workers.
    async fn put(&self) -> Result<(), StoreError> {
        let state = self.desired.lock().await;
        let clock = SystemClock::default();
        projects::save_projects(&self.database, &clock, &state.projects).await?;
        self.work.send_replace(state.work.clone());
        Ok(())
    }
}
