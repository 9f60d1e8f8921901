//! Starts the administration from its settings.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use svc_admin_api::Deployments;
use svc_store::Database;
use tokio::sync::watch;

use super::store_opener::StoreOpener;
use super::workers::{self, WorkerOptions};
use super::{Administration, AdministrationOptions, SystemClock, dispatch, timers};
use crate::service::{BodyHandler, BodyRouter, first_of};
use crate::{AdminSettings, Limits, Metrics, Server, Tls};

/// How long the program waits for running agents on exit.
const AGENT_STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// An administration that is about to accept requests.
pub(crate) struct BoundAdmin<D> {
    database: Database,
    opening: StoreOpener,
    administration: Administration<Database, D>,
    server: Option<Server>,
    metrics: Metrics,
}

impl<D> std::fmt::Debug for BoundAdmin<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("administration", &self.administration)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

impl<D: Deployments + Send + 'static> BoundAdmin<D> {
    /// Binds the address of the settings, if there is one.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub(crate) async fn start(
        settings: &AdminSettings,
        (database, opening): (Database, StoreOpener),
        deployments: D,
        (socket, limits, metrics): (Option<TcpListener>, &Limits, &Metrics),
    ) -> io::Result<Self> {
        let server = match settings.listen {
            Some(addr) => {
                let named = |error: io::Error| {
                    io::Error::new(error.kind(), format!("administration at {addr}: {error}"))
                };
                let limits = limits.clone().for_admin_listener();
                let bound = Server::bind_or_inherit(socket, addr, limits).await;
                let bound = bound.map(|server| server.with_metrics(metrics.admin()));
                let tls = settings.tls.as_ref().map(Tls::load).transpose();
                let tls = tls.map_err(named)?;
                if let Some(tls) = tls.clone() {
                    metrics.observe_certificates("admin", tls);
                }
                Some(bound.map_err(named)?.with_tls(tls))
            }
            None => None,
        };
        metrics.observe_store(database.clone());
        let options = options_of(settings);
        let administration = Administration::new(database.clone(), deployments, options);
        Ok(Self {
            database,
            opening,
            administration,
            server,
            metrics: metrics.clone(),
        })
    }

    /// The bound address; `None` if the administration has no listener of its own.
    pub(crate) fn local_addr(&self) -> Option<SocketAddr> {
        self.server
            .as_ref()
            .and_then(|server| server.local_addr().ok())
    }

    /// Router for all requests. Until the store is open, pages show that; nobody should fill in a
    /// form that cannot be saved. API requests get the error from the store.
    pub(crate) fn body_router(&self) -> BodyRouter {
        let (database, posts) = (self.database.clone(), self.administration.body_router());
        Arc::new(move |parts: &Parts| {
            if database.is_open() || !dispatch::is_page(parts) {
                return posts(parts);
            }
            let unopened: BodyHandler =
                Box::new(|parts, _| Box::pin(async move { dispatch::unavailable(&parts) }));
            Some(unopened)
        })
    }

    /// The deployment service.
    pub(crate) fn deployments(&self) -> &D {
        self.administration.deployments()
    }

    /// Serves requests and runs jobs with `options`, until `stop` is set.
    pub(crate) async fn run(
        self,
        options: watch::Receiver<Option<WorkerOptions>>,
        mut settings: watch::Receiver<AdminSettings>,
        stop: watch::Receiver<bool>,
    ) {
        let posts = self.body_router();
        let ticking = {
            let database = self.database.clone();
            let settings = settings.clone();
            tokio::spawn(async move {
                let is_open = || database.is_open();
                let ages = || retention(&settings.borrow());
                timers::tick(&database, &SystemClock::default(), ages, is_open).await;
            })
        };
        let applying = {
            let administration = self.administration.clone();
            tokio::spawn(async move {
                while settings.changed().await.is_ok() {
                    let options = options_of(&settings.borrow_and_update());
                    administration.set_options(options);
                }
            })
        };
        let working = workers::run(self.database.clone(), options, stop.clone());
        let working = tokio::spawn(working);
        let mut stopped = stop;
        let shutdown = async move {
            // The sender is gone when the program ends.
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        match self.server {
            Some(server) => {
                let routers = first_of(vec![self.metrics.body_router(), posts]);
                let server = server.with_body_router(routers);
                server.run(Arc::new(dispatch::reject_all), shutdown).await;
            }
            None => shutdown.await,
        }
        ticking.abort();
        applying.abort();
        self.opening.end().await;
        let _ = tokio::time::timeout(AGENT_STOP_TIMEOUT, working).await;
        self.database.close().await;
    }
}

/// The options of requests.
fn options_of(settings: &AdminSettings) -> AdministrationOptions {
    AdministrationOptions {
        origin: settings.origin.clone(),
        trusted_proxies: settings.trusted_proxies.clone(),
        rates: settings.rates,
        oidc: settings.oidc.clone(),
    }
}

const fn retention(settings: &AdminSettings) -> timers::Retention {
    timers::Retention {
        archive: settings.archive,
        audit: settings.audit,
    }
}
