//! The administration of a server with many projects.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use svc_admin_api::StoreError;
use svc_admin_api::project::Project;
use svc_store::Database;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Mutex, watch};

use super::follow::{self, Own};
use super::opening::Opening;
use super::workers::{self, Work};
use super::{Deployed, Recorded, SystemClock, projects, record, running};
use crate::deploy::{Deployer, Deployment, FileJournal, Journal};
use crate::sites::Served;
use crate::{AdminSettings, Host, Limits, Settings, Sites, Tell, Webhooks};

/// What stands for the project at the host of the administration; no project has such an id.
const PROJECT: &str = "(administration)";

/// An administration whose store is being opened.
#[derive(Debug)]
pub(crate) struct Opened {
    settings: AdminSettings,
    kept: Kept,
    work: watch::Receiver<Option<Work>>,
    opening: Opening,
    states: (UnboundedSender<Deployment>, UnboundedReceiver<Deployment>),
}

/// An administration that is about to answer.
#[derive(Debug)]
pub(crate) struct Administered {
    running: running::Running<Deployed<Database>>,
    states: UnboundedReceiver<Deployment>,
    own: Own,
    kept: Kept,
    work: watch::Receiver<Option<Work>>,
    shared: bool,
    host: Option<Host>,
}

/// What new settings change.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    database: Database,
    work: watch::Sender<Option<Work>>,
    /// The settings that need a new start.
    fixed: Arc<AdminSettings>,
    /// What the last settings say, for the moment in which the store is open.
    wanted: Arc<Mutex<Wanted>>,
}

/// What the store and the workers have to know of settings.
#[derive(Debug, Default)]
struct Wanted {
    projects: Vec<Project>,
    work: Option<Work>,
}

impl Opened {
    /// Begins to open the store, when the settings want an administration. As soon as it is open
    /// it gets the projects of the settings.
    pub(crate) async fn open(settings: &Settings, tell: &Tell) -> Option<Self> {
        let admin = settings.admin.clone()?;
        let (work, works) = watch::channel(None);
        let kept = Kept {
            database: Database::unopened(),
            work,
            fixed: Arc::new(admin.clone()),
            wanted: Arc::default(),
        };
        kept.remember(settings, tell).await;
        let putting = kept.clone();
        let next = move || {
            let kept = putting.clone();
            async move { kept.put().await }
        };
        Some(Self {
            opening: Opening::begin(&kept.database, &admin.store, next, tell),
            settings: admin,
            kept,
            work: works,
            states: unbounded_channel(),
        })
    }

    /// The journal that also tells what is to be written down in the store.
    pub(crate) fn journal(&self, journal: FileJournal) -> Box<dyn Journal> {
        Box::new(Recorded::new(journal, self.states.0.clone()))
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
        tell: Tell,
    ) -> io::Result<Administered> {
        let shared = !self.settings.store.expose().starts_with("sqlite:");
        let database = self.kept.database.clone();
        let own = Own::default();
        let deployed = Deployed {
            store: database.clone(),
            deployer,
            webhooks,
            server: match shared {
                true => Some(follow::name(&settings.data)?),
                false => None,
            },
            tell: match shared {
                true => own.telling(&database, Arc::clone(&tell)),
                false => Arc::new(|_, _| {}),
            },
        };
        self.opening.tried().await;
        let store = (database, self.opening);
        let running =
            running::Running::start(&self.settings, store, deployed, limits, tell).await?;
        if let Some(host) = &self.settings.host {
            let served = Served {
                posts: Some(running.posts()),
                ..Served::awaited(PROJECT)
            };
            sites.set(host.as_str(), served);
        }
        Ok(Administered {
            running,
            states: self.states.1,
            own,
            kept: self.kept,
            work: self.work,
            shared,
            host: self.settings.host,
        })
    }
}

impl Administered {
    /// Where it answers, for people.
    pub(crate) fn places(&self) -> (Option<SocketAddr>, Option<&Host>) {
        (self.running.address(), self.host.as_ref())
    }

    /// What new settings are given to.
    pub(crate) fn kept(&self) -> Kept {
        self.kept.clone()
    }

    /// Answers until `stop` is set.
    pub(crate) async fn run(self, stop: watch::Receiver<bool>, tell: Tell) {
        let deployed = self.running.deployments().clone();
        let quiet = running::while_open(&self.kept.database, &tell);
        let recording = record::record(deployed.clone(), self.states, quiet);
        let recording = tokio::spawn(recording);
        let following = self.shared.then(|| {
            let database = self.kept.database.clone();
            tokio::spawn(follow::follow(database, deployed, self.own, tell))
        });
        self.running.run(self.work, stop).await;
        recording.abort();
        if let Some(following) = following {
            following.abort();
        }
    }
}

impl Kept {
    /// Takes the projects and the agent of other settings.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn take(&self, settings: &Settings, tell: &Tell) -> Result<(), StoreError> {
        if settings.admin.as_ref() != Some(&*self.fixed) {
            tell("administration: `[admin]` has changed, which counts after the next start");
        }
        self.remember(settings, tell).await;
        if self.database.is_open() {
            self.put().await?;
        }
        Ok(())
    }

    async fn remember(&self, settings: &Settings, tell: &Tell) {
        let wanted = Wanted {
            projects: projects::of(settings, &SystemClock::default()),
            work: workers::work(settings, tell),
        };
        *self.wanted.lock().await = wanted;
    }

    /// Tells the store and the workers what is wanted.
    async fn put(&self) -> Result<(), StoreError> {
        let wanted = self.wanted.lock().await;
        let clock = SystemClock::default();
        projects::keep(&self.database, &clock, &wanted.projects).await?;
        self.work.send_replace(wanted.work.clone());
        Ok(())
    }
}
