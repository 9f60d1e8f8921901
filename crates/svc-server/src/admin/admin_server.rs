//! The administration of a server with many projects.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use svc_admin_api::StoreError;
use svc_admin_api::project::ProjectRecord;
use svc_store::Database;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Mutex, watch};

use super::peers::{self, Peers};
use super::store_opener::StoreOpener;
use super::workers::{self, WorkerOptions};
use super::{DeploymentService, RecordingJournal, SystemClock, bound_admin, projects, record};
use crate::deploy::{Action, Deployer, Deployment, FileJournal, Journal};
use crate::sites::Served;
use crate::{AdminSettings, Host, Limits, LogFn, Settings, Sites, Webhooks};

/// What stands for the project at the host of the administration; no project has such an id.
const PROJECT: &str = "(administration)";

/// An administration whose store is being opened.
#[derive(Debug)]
pub(crate) struct AdminBuilder {
    settings: AdminSettings,
    handle: AdminHandle,
    work: watch::Receiver<Option<WorkerOptions>>,
    opening: StoreOpener,
    states: (UnboundedSender<Deployment>, UnboundedReceiver<Deployment>),
    /// What other servers of the database are told; nothing where there are none.
    actions: Option<(UnboundedSender<Action>, UnboundedReceiver<Action>)>,
}

/// An administration that is about to answer.
#[derive(Debug)]
pub(crate) struct AdminServer {
    bound: bound_admin::BoundAdmin<DeploymentService<Database>>,
    states: UnboundedReceiver<Deployment>,
    peers: Option<(Peers, UnboundedReceiver<Action>)>,
    handle: AdminHandle,
    work: watch::Receiver<Option<WorkerOptions>>,
    host: Option<Host>,
}

/// What new settings change.
#[derive(Debug, Clone)]
pub(crate) struct AdminHandle {
    database: Database,
    work: watch::Sender<Option<WorkerOptions>>,
    /// The settings that need a new start.
    startup_settings: Arc<AdminSettings>,
    /// What the last settings say, for the moment in which the store is open.
    desired: Arc<Mutex<DesiredState>>,
}

/// What the store and the workers have to know of settings.
#[derive(Debug, Default)]
struct DesiredState {
    projects: Vec<ProjectRecord>,
    work: Option<WorkerOptions>,
}

impl AdminBuilder {
    /// Begins to open the store, when the settings want an administration. As soon as it is open
    /// it gets the projects of the settings.
    pub(crate) async fn open(settings: &Settings, tell: &LogFn) -> Option<Self> {
        let admin = settings.admin.clone()?;
        let (work, works) = watch::channel(None);
        let kept = AdminHandle {
            database: Database::new(),
            work,
            startup_settings: Arc::new(admin.clone()),
            desired: Arc::default(),
        };
        kept.remember(settings, tell).await;
        let putting = kept.clone();
        let next = move || {
            let kept = putting.clone();
            async move { kept.put().await }
        };
        Some(Self {
            opening: StoreOpener::begin(&kept.database, &admin.store, next, tell),
            // A file of SQLite belongs to one server.
            actions: (!admin.store.expose().starts_with("sqlite:")).then(unbounded_channel),
            settings: admin,
            handle: kept,
            work: works,
            states: unbounded_channel(),
        })
    }

    /// What the deployer tells the other servers of the database with.
    pub(crate) fn share(&self) -> Box<dyn Fn(&Action) + Send + Sync> {
        let sender = self.actions.as_ref().map(|(sender, _)| sender.clone());
        Box::new(move |action| {
            if let Some(sender) = &sender {
                // Nobody listens any more when the server ends.
                let _ = sender.send(action.clone());
            }
        })
    }

    /// The journal that also tells what is to be written down in the store.
    pub(crate) fn journal(&self, journal: FileJournal) -> Box<dyn Journal> {
        Box::new(RecordingJournal::new(journal, self.states.0.clone()))
    }

    /// Takes the addresses.
    ///
    /// # Errors
    /// When an address is taken.
    pub(crate) async fn start(
        mut self,
        settings: &Settings,
        limits: &Limits,
        (deployer, webhooks, sites): (Deployer, Webhooks, &Sites),
        tell: LogFn,
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
        let running =
            bound_admin::BoundAdmin::start(&self.settings, store, deployed, limits, tell).await?;
        if let Some(host) = &self.settings.host {
            let served = Served {
                body_router: Some(running.body_router()),
                ..Served::pending(PROJECT)
            };
            sites.set(host.as_str(), served);
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
    /// Where it answers, for people.
    pub(crate) fn addrs(&self) -> (Option<SocketAddr>, Option<&Host>) {
        (self.bound.local_addr(), self.host.as_ref())
    }

    /// What new settings are given to.
    pub(crate) fn handle(&self) -> AdminHandle {
        self.handle.clone()
    }

    /// Answers until `stop` is set.
    pub(crate) async fn run(self, stop: watch::Receiver<bool>, tell: LogFn) {
        let deployed = self.bound.deployments().clone();
        let quiet = bound_admin::log_while_open(&self.handle.database, &tell);
        let recording = record::record(deployed.clone(), self.states, quiet);
        let recording = tokio::spawn(recording);
        let following = self.peers.map(|(peers, actions)| {
            let (database, webhooks) = (self.handle.database.clone(), deployed.webhooks);
            let quiet = bound_admin::log_while_open(&database, &tell);
            let publishing =
                peers::publish(database.clone(), peers.clone(), actions, Arc::clone(&quiet));
            let following = peers::apply_actions(database, webhooks, peers, quiet);
            tokio::spawn(async move { tokio::join!(publishing, following) })
        });
        self.bound.run(self.work, stop).await;
        recording.abort();
        if let Some(following) = following {
            following.abort();
        }
    }
}

impl AdminHandle {
    /// Takes the projects and the agent of other settings.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn update(&self, settings: &Settings, tell: &LogFn) -> Result<(), StoreError> {
        if settings.admin.as_ref() != Some(&*self.startup_settings) {
            tell("administration: `[admin]` has changed; restart the server to apply it");
        }
        self.remember(settings, tell).await;
        if self.database.is_open() {
            self.put().await?;
        }
        Ok(())
    }

    async fn remember(&self, settings: &Settings, tell: &LogFn) {
        let wanted = DesiredState {
            projects: projects::from_settings(settings, &SystemClock::default()),
            work: workers::worker_options(settings, tell),
        };
        *self.desired.lock().await = wanted;
    }

    /// Tells the store and the workers what is wanted.
    async fn put(&self) -> Result<(), StoreError> {
        let wanted = self.desired.lock().await;
        let clock = SystemClock::default();
        projects::save_projects(&self.database, &clock, &wanted.projects).await?;
        self.work.send_replace(wanted.work.clone());
        Ok(())
    }
}
