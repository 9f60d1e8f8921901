//! From the settings to an administration that answers.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use svc_admin_api::Deployments;
use svc_store::Database;
use tokio::sync::watch;

use super::workers::{self, Work};
use super::{Administration, AdministrationOptions, SystemClock, front, timers};
use crate::service::Posts;
use crate::{AdminSettings, Limits, Server, Tell};

/// How long the end of the program waits for agents that are asked to end.
const LEAVE: Duration = Duration::from_secs(15);

/// Opens the store of an administration.
///
/// # Errors
/// When it cannot be used; says which and why, without a password.
pub(crate) async fn open(settings: &AdminSettings) -> io::Result<Database> {
    let opened = Database::open(settings.store.expose()).await;
    opened.map_err(|error| io::Error::other(format!("the store of `[admin]`: {error}")))
}

/// An administration that is about to answer.
pub(crate) struct Running<D> {
    database: Database,
    administration: Administration<Database, D>,
    server: Option<Server>,
    ages: timers::Ages,
    tell: Tell,
}

impl<D> std::fmt::Debug for Running<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("administration", &self.administration)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

impl<D: Deployments + Send + 'static> Running<D> {
    /// Takes the address of the settings, if they name one.
    ///
    /// # Errors
    /// When the address is taken.
    pub(crate) async fn start(
        settings: &AdminSettings,
        database: Database,
        deployments: D,
        limits: &Limits,
        tell: Tell,
    ) -> io::Result<Self> {
        let server = match settings.listen {
            Some(address) => {
                let bound = Server::bind(address, limits.clone()).await;
                Some(bound.map_err(|error| {
                    io::Error::new(
                        error.kind(),
                        format!("administration at {address}: {error}"),
                    )
                })?)
            }
            None => None,
        };
        let options = AdministrationOptions {
            origin: settings.origin.clone(),
            trusted_proxies: settings.trusted_proxies.clone(),
            rates: settings.rates,
            oidc: settings.oidc.clone(),
        };
        let administration =
            Administration::new(database.clone(), deployments, options, Arc::clone(&tell));
        Ok(Self {
            database,
            administration,
            server,
            ages: timers::Ages {
                archive: settings.archive,
                audit: settings.audit,
            },
            tell,
        })
    }

    /// The address that was taken.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        self.server
            .as_ref()
            .and_then(|server| server.address().ok())
    }

    /// Takes the requests of a host.
    pub(crate) fn posts(&self) -> Posts {
        self.administration.posts()
    }

    /// What makes deployments.
    pub(crate) fn deployments(&self) -> &D {
        self.administration.deployments()
    }

    /// Answers, and works on jobs as `work` says, until `stop` is set.
    pub(crate) async fn run(
        self,
        work: watch::Receiver<Option<Work>>,
        stop: watch::Receiver<bool>,
    ) {
        let ticking = {
            let (database, tell) = (self.database.clone(), Arc::clone(&self.tell));
            let ages = self.ages;
            tokio::spawn(async move {
                timers::tick(&database, &SystemClock::default(), ages, tell).await;
            })
        };
        let working = workers::run(self.database.clone(), work, stop.clone());
        let working = tokio::spawn(working);
        let mut stopped = stop;
        let ended = async move {
            // The sender is gone when the program ends.
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        match self.server {
            Some(server) => {
                let server = server.taking(self.administration.posts());
                server.run(Arc::new(front::nothing), ended).await;
            }
            None => ended.await,
        }
        ticking.abort();
        let _ = tokio::time::timeout(LEAVE, working).await;
        self.database.close().await;
    }
}
