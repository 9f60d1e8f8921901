//! A server with projects, in this process.

use std::error::Error;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use argon2::password_hash::PasswordHasher as _;
use argon2::{Algorithm, Argon2, Params, Version};
use svc_server::{
    DeployRequest, Deployer, DeploymentState, Limits, Projects, PublishTarget, Reference, Settings,
    Trigger,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

type BoxError = Box<dyn Error>;

const DEPLOY_TIMEOUT: Duration = Duration::from_secs(300);

/// A running server with projects; it stops when this is dropped.
#[derive(Debug)]
pub struct ProjectServer {
    /// Address it listens on.
    pub addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: Option<JoinHandle<()>>,
    deployer: Deployer,
    runtime: tokio::runtime::Runtime,
}

impl ProjectServer {
    /// Starts a server with its data in `dir` and deploys all projects. `settings` is the rest of
    /// `server.toml`, which is written there.
    ///
    /// # Errors
    /// Fails if the settings are invalid or the server cannot be started.
    pub fn start(dir: &Path, settings: &str) -> Result<Self, BoxError> {
        let file = dir.join("server.toml");
        let text = format!("listen = \"127.0.0.1:0\"\ndata = \"data\"\n{settings}");
        fs::write(&file, text)?;
        let read = Settings::from_file(&file)?;
        let problems = read.render_text();
        let settings = read.settings.ok_or(problems)?;
        let ids: Vec<String> = settings.projects.iter().map(|one| one.id.clone()).collect();
        let runtime = tokio::runtime::Runtime::new()?;
        let started = runtime.block_on(Projects::start(settings, Limits::default()))?;
        let (addr, deployer) = (started.local_addr()?, started.deployer().clone());
        let (stop, stopped) = oneshot::channel::<()>();
        let running = runtime.spawn(started.run(|| None, async {
            // An error means that the sender is gone.
            let _ = stopped.await;
        }));
        let server = Self {
            addr,
            stop: Some(stop),
            running: Some(running),
            deployer,
            runtime,
        };
        for project in ids {
            server.deploy(DeployRequest::live(&project, Trigger::Command))?;
        }
        Ok(server)
    }

    /// Deploys a branch of a project as its preview `name`.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn deploy_preview(&self, project: &str, name: &str, branch: &str) -> Result<(), BoxError> {
        self.deploy(DeployRequest {
            target: PublishTarget::Preview {
                name: name.to_owned(),
            },
            reference: Reference {
                branch: Some(branch.to_owned()),
                ..Reference::default()
            },
            ..DeployRequest::live(project, Trigger::Command)
        })
    }

    fn deploy(&self, request: DeployRequest) -> Result<(), BoxError> {
        let id = self.deployer.trigger(request);
        let id = id.map_err(|error| error.to_string())?;
        let deployment = self.deployer.wait(&id, DEPLOY_TIMEOUT);
        let deployment = deployment.ok_or("no deployment")?;
        match deployment.state {
            DeploymentState::Live => Ok(()),
            state => Err(format!("{state:?}: {}", deployment.summary).into()),
        }
    }
}

impl Drop for ProjectServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The server may have ended already.
            let _ = stop.send(());
        }
        if let Some(running) = self.running.take() {
            let _ = self.runtime.block_on(running);
        }
    }
}

/// A hash of a password that is fast to compute.
///
/// # Errors
/// Fails if the password is too long.
pub fn cheap_hash(password: &str) -> io::Result<String> {
    let failed = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
    let params = Params::new(64, 1, 1, None).map_err(|error| failed(&error))?;
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash = hasher.hash_password_with_salt(password.as_bytes(), &[7; 16]);
    Ok(hash.map_err(|error| failed(&error))?.to_string())
}
