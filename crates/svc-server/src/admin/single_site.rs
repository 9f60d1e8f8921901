//! The administration of a single-folder server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use svc_admin_api::audit::Actor;
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::{
    Clock as _, DeployError, DeployTarget, DeploymentHandle, DeploymentStatus, DeploymentSummary,
    Deployments, ProjectId, StatusId,
};
use svc_store::Database;
use tokio::sync::watch;

use super::store_opener::StoreOpener;
use super::{SystemClock, bound_admin, projects};
use crate::{AdminSettings, Limits, Metrics};

/// An administration whose only project is a folder.
#[derive(Debug)]
pub struct SingleSiteAdmin {
    running: bound_admin::BoundAdmin<StaticDeployments>,
    settings: AdminSettings,
}

impl SingleSiteAdmin {
    /// Binds an address and starts opening the store in the data directory.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn start(
        root: &Path,
        listen: SocketAddr,
        data: &Path,
        limits: &Limits,
    ) -> io::Result<Self> {
        let metrics = Metrics::default();
        Self::start_at(root, listen, data, (None, limits, &metrics)).await
    }

    /// As [`Self::start`], with a socket of the service manager and with metrics.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub(crate) async fn start_at(
        root: &Path,
        listen: SocketAddr,
        data: &Path,
        listener: (Option<TcpListener>, &Limits, &Metrics),
    ) -> io::Result<Self> {
        let settings = AdminSettings {
            listen: Some(listen),
            ..AdminSettings::with_defaults(data)
        };
        let clock = SystemClock::default();
        let id = name(root)?;
        let project = ProjectRecord {
            name: id.to_string(),
            id,
            agent: None,
            created_at: clock.now(),
        };
        let database = Database::closed();
        let next = {
            let (database, known) = (database.clone(), Arc::new([project]));
            move || {
                let (database, known) = (database.clone(), Arc::clone(&known));
                async move { projects::save_projects(&database, &SystemClock::default(), &*known).await }
            }
        };
        let mut opening = StoreOpener::begin(&database, &settings.store, next);
        opening.first_attempt().await;
        let store = (database, opening);
        let running = bound_admin::BoundAdmin::start(&settings, store, StaticDeployments, listener);
        Ok(Self {
            running: running.await?,
            settings,
        })
    }

    /// The bound address.
    pub fn local_addr(&self) -> Option<SocketAddr> {
        self.running.local_addr()
    }

    /// URL of the store.
    pub fn store(&self) -> &str {
        self.settings.store.reveal()
    }

    /// Serves requests until `stop` is set.
    pub async fn run(self, stop: watch::Receiver<bool>) {
        let (_workers, options) = watch::channel(None);
        let (_settings, settings) = watch::channel(self.settings);
        self.running.run(options, settings, stop).await;
    }
}

/// The project ID of a directory: its name, reduced to allowed characters.
fn name(root: &Path) -> io::Result<ProjectId> {
    let path = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let name = path.file_name().and_then(|name| name.to_str());
    let letters = name.unwrap_or_default().chars();
    let letters = letters.map(|c| {
        if c.is_whitespace() || c == '.' {
            '-'
        } else {
            c
        }
    });
    let plain = letters.filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c));
    let name: String = plain.take(63).collect();
    let name = name.to_ascii_lowercase();
    let id = ProjectId::parse(&name).or_else(|| ProjectId::parse("site"));
    id.ok_or_else(|| io::Error::other("the folder has no name"))
}

/// Changes of a folder are served immediately, so there is nothing to deploy.
#[derive(Debug, Clone, Copy)]
struct StaticDeployments;

impl StaticDeployments {
    fn unsupported() -> DeployError {
        let reason = "this server serves a folder directly, and its changes with `--watch`; only projects of a settings file are deployed";
        DeployError::Rejected(reason.to_owned())
    }
}

impl Deployments for StaticDeployments {
    async fn trigger(
        &self,
        _: &ProjectId,
        _: &DeployTarget,
        _: &Actor,
    ) -> Result<DeploymentHandle, DeployError> {
        Err(Self::unsupported())
    }

    async fn status(&self, _: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        Ok(None)
    }

    async fn list(&self, _: &ProjectId, _: usize) -> Result<Vec<DeploymentSummary>, DeployError> {
        Ok(Vec::new())
    }

    async fn roll_back(
        &self,
        _: &ProjectId,
        _: &StatusId,
    ) -> Result<DeploymentHandle, DeployError> {
        Err(Self::unsupported())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_named_after_its_dir() {
        let of = |path: &str| name(Path::new(path)).unwrap().to_string();
        assert_eq!(of("/no/such/Hand book.v2"), "hand-book-v2");
        assert_eq!(of("/no/such/Bücher"), "bcher");
        assert_eq!(of("/no/such/本"), "site");
        assert_eq!(of("/"), "site");
    }
}
