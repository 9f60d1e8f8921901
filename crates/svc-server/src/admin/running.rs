//! From the settings to an administration that answers.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use svc_admin_api::Deployments;
use svc_store::Database;
use tokio::sync::watch;

use super::opening::Opening;
use super::workers::{self, Work};
use super::{Administration, AdministrationOptions, SystemClock, front, timers};
use crate::service::{Posts, Taken};
use crate::{AdminSettings, Limits, Server, LogFn};

/// How long the end of the program waits for agents that are asked to end.
const LEAVE: Duration = Duration::from_secs(15);

/// Lines for the log, but none as long as the store is not open: why it is not was told already,
/// and all else follows from that.
pub(super) fn while_open(database: &Database, tell: &LogFn) -> LogFn {
    let (database, tell) = (database.clone(), Arc::clone(tell));
    Arc::new(move |line: &str| {
        if database.is_open() {
            tell(line);
        }
    })
}

/// An administration that is about to answer.
pub(crate) struct Running<D> {
    database: Database,
    opening: Opening,
    administration: Administration<Database, D>,
    server: Option<Server>,
    ages: timers::Ages,
    tell: LogFn,
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
        (database, opening): (Database, Opening),
        deployments: D,
        limits: &Limits,
        tell: LogFn,
    ) -> io::Result<Self> {
        let server = match settings.listen {
            Some(address) => {
                let bound = Server::bind(address, limits.clone().beside()).await;
                let bound = bound.map(|server| server.telling(Arc::clone(&tell)));
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
            opening,
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

    /// Takes all requests. As long as the store is not open, pages say so: nobody should fill in
    /// a form that cannot be taken. The API says it by itself, where it asks the store.
    pub(crate) fn posts(&self) -> Posts {
        let (database, posts) = (self.database.clone(), self.administration.posts());
        Arc::new(move |parts: &Parts| {
            if database.is_open() || !front::is_page(parts) {
                return posts(parts);
            }
            let unopened: Taken =
                Box::new(|parts, _| Box::pin(async move { front::unopened(&parts) }));
            Some(unopened)
        })
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
        let posts = self.posts();
        let ticking = {
            let database = self.database.clone();
            let tell = while_open(&database, &self.tell);
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
                let server = server.taking(posts);
                server.run(Arc::new(front::nothing), ended).await;
            }
            None => ended.await,
        }
        ticking.abort();
        self.opening.end().await;
        let _ = tokio::time::timeout(LEAVE, working).await;
        self.database.close().await;
    }
}
