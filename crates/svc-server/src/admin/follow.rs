//! Several servers of one database: what one is asked to deploy, all deploy.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use svc_admin_api::{DeployError, ProjectId, Random as _, Target};
use svc_store::{Database, Notice};
use tokio::sync::broadcast::error::RecvError;

use super::SystemRandom;
use super::deployed::{Deployed, Tell};
use crate::deploy::{Trigger, hex};

/// How long a notice of ours may be on its way back to us.
const ECHO: Duration = Duration::from_secs(60);

/// The notices that this server has sent and not heard yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Own(Arc<Mutex<Vec<(Instant, ProjectId, Target)>>>);

impl Own {
    fn add(&self, project: &ProjectId, target: &Target) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.retain(|(at, _, _)| at.elapsed() < ECHO);
        sent.push((Instant::now(), project.clone(), target.clone()));
    }

    /// Whether a notice is an echo of one of ours. Should it be another server's that came first,
    /// the echo does what that one asked for.
    fn is_echo(&self, project: &ProjectId, target: &Target) -> bool {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = sent
            .iter()
            .position(|(at, own, what)| at.elapsed() < ECHO && own == project && what == target);
        place.map(|place| sent.remove(place)).is_some()
    }

    /// What tells the other servers of a database.
    pub(super) fn telling(&self, database: &Database, tell: crate::Tell) -> Tell {
        let (own, database) = (self.clone(), database.clone());
        Arc::new(move |project: &ProjectId, target: &Target| {
            own.add(project, target);
            let notice = Notice::Deployment {
                project: project.clone(),
                target: target.clone(),
            };
            let (database, tell) = (database.clone(), Arc::clone(&tell));
            tokio::spawn(async move {
                if let Err(error) = database.notify(&notice).await {
                    tell(&format!(
                        "administration: other servers are not told: {error}"
                    ));
                }
            });
        })
    }
}

/// Deploys what other servers were asked to, for ever.
pub(super) async fn follow(
    database: Database,
    deployed: Deployed<Database>,
    own: Own,
    tell: crate::Tell,
) {
    let mut notices = database.listen();
    loop {
        let (project, target) = match notices.recv().await {
            Ok(Notice::Deployment { project, target }) => (project, target),
            // What was missed is found when the source is looked at.
            Ok(Notice::Changed) | Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        if own.is_echo(&project, &target) {
            continue;
        }
        match deployed.begin(&project, &target, Trigger::Peer).await {
            // Servers need not show the same projects.
            Ok(_) | Err(DeployError::UnknownProject) => {}
            Err(error) => tell(&format!(
                "{project}: another server was asked to deploy: {error}"
            )),
        }
    }
}

/// The name of this server among those of a database: a file of the data folder.
///
/// # Errors
/// When it cannot be read or made.
pub(super) fn name(data: &Path) -> io::Result<String> {
    let path = data.join("server.id");
    let fits = |text: &str| text.len() == 12 && text.bytes().all(|b| b.is_ascii_hexdigit());
    match fs::read_to_string(&path) {
        Ok(text) if fits(text.trim()) => return Ok(text.trim().to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut bytes = [0; 6];
    SystemRandom.fill(&mut bytes).map_err(io::Error::other)?;
    let name = hex(&bytes);
    crate::own_files::replace(&path, name.as_bytes())?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_is_known_once() {
        let project = |id: &str| ProjectId::parse(id).unwrap();
        let own = Own::default();
        own.add(&project("docs"), &Target::Site);
        assert!(!own.is_echo(&project("other"), &Target::Site));
        assert!(own.is_echo(&project("docs"), &Target::Site));
        assert!(!own.is_echo(&project("docs"), &Target::Site));
    }

    #[test]
    fn a_server_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let first = name(folder.path()).unwrap();
        assert_eq!(name(folder.path()).unwrap(), first);
        fs::write(folder.path().join("server.id"), "../x").unwrap();
        let second = name(folder.path()).unwrap();
        assert!(second != first && second.len() == 12);
    }
}
