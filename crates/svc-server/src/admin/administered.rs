//! The administration of a server with many projects.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use svc_store::Database;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::follow::{self, Own};
use super::workers::{self, Work};
use super::{Deployed, Recorded, SystemClock, projects, record, running};
use crate::deploy::{Deployer, Deployment, FileJournal, Journal};
use crate::sites::Served;
use crate::{AdminSettings, Host, Limits, Settings, Sites, Tell, Webhooks};

/// What stands for the project at the host of the administration; no project has such an id.
const PROJECT: &str = "(administration)";

/// An administration whose store is open.
#[derive(Debug)]
pub(crate) struct Opened {
    settings: AdminSettings,
    database: Database,
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
}

impl Opened {
    /// Opens the store, when the settings want an administration.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub(crate) async fn open(settings: &Settings) -> io::Result<Option<Self>> {
        let Some(settings) = &settings.admin else {
            return Ok(None);
        };
        Ok(Some(Self {
            database: running::open(settings).await?,
            settings: settings.clone(),
            states: unbounded_channel(),
        }))
    }

    /// The journal that also tells what is to be written down in the store.
    pub(crate) fn journal(&self, journal: FileJournal) -> Box<dyn Journal> {
        Box::new(Recorded::new(journal, self.states.0.clone()))
    }

    /// Puts the projects into the store and takes the addresses.
    ///
    /// # Errors
    /// When the store fails or an address is taken.
    pub(crate) async fn start(
        self,
        settings: &Settings,
        limits: &Limits,
        (deployer, webhooks, sites): (Deployer, Webhooks, &Sites),
        tell: Tell,
    ) -> io::Result<Administered> {
        let shared = !self.settings.store.expose().starts_with("sqlite:");
        let (work, works) = watch::channel(None);
        let kept = Kept {
            database: self.database.clone(),
            work,
            fixed: Arc::new(self.settings.clone()),
        };
        kept.take(settings, &tell).await.map_err(io::Error::other)?;
        let own = Own::default();
        let deployed = Deployed {
            store: self.database.clone(),
            deployer,
            webhooks,
            server: match shared {
                true => Some(follow::name(&settings.data)?),
                false => None,
            },
            tell: match shared {
                true => own.telling(&self.database, Arc::clone(&tell)),
                false => Arc::new(|_, _| {}),
            },
        };
        let database = self.database;
        let running =
            running::Running::start(&self.settings, database, deployed, limits, tell).await?;
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
            kept,
            work: works,
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
        let recording = record::record(deployed.clone(), self.states, Arc::clone(&tell));
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
    pub(crate) async fn take(
        &self,
        settings: &Settings,
        tell: &Tell,
    ) -> Result<(), svc_admin_api::StoreError> {
        if settings.admin.as_ref() != Some(&*self.fixed) {
            tell("administration: `[admin]` has changed, which counts after the next start");
        }
        let clock = SystemClock::default();
        let known = projects::of(settings, &clock);
        projects::keep(&self.database, &clock, &known).await?;
        let work = workers::work(settings, tell);
        self.work.send_replace(work);
        Ok(())
    }
}
