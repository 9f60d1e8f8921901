//! Synchronizes several servers that share a database: an action that is requested from one is
//! performed by all.
//!
//! The actions that the deployer of a server [shares](crate::deploy::DeployerOptions::share) are
//! added to the database by [`publish`]. [`apply_actions`] performs those of other servers in
//! order, starting after the last one that this server has performed. A notification only triggers
//! a check, so a server that was unavailable misses no actions.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_admin_api::{Clock as _, Random as _, StoreError};
use svc_store::{Database, SharedAction};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::UnboundedReceiver;
use tracing::warn;

use super::{SystemClock, SystemRandom};
use crate::Webhooks;
use crate::deploy::{Action, TriggerError};

/// Delay before an unavailable database is retried.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// Interval of checks without a notification.
const ROUND_INTERVAL: Duration = Duration::from_secs(60);
/// A server without a heartbeat for this long is considered gone.
const PRESENCE_TTL: Duration = Duration::from_secs(300);
/// How long actions and servers are stored; longer than any server is down.
const ACTION_TTL: Duration = Duration::from_secs(90 * 86_400);

/// This server among those that share a database.
#[derive(Debug, Clone)]
pub(super) struct Peers {
    /// ID of the server, a suffix of the IDs of its deployments.
    pub(super) id: String,
    /// Display name of the server.
    pub(super) name: String,
    /// Names of the servers with a recent heartbeat.
    present: Arc<Mutex<BTreeSet<String>>>,
}

impl Peers {
    /// The server of a data directory.
    ///
    /// # Errors
    /// If its ID cannot be read or created.
    pub(super) fn new(data: &Path) -> io::Result<Self> {
        let id = id(data)?;
        let short = id.get(..4).unwrap_or(&id);
        Ok(Self {
            name: format!("{} ({short})", host()),
            id,
            present: Arc::default(),
        })
    }

    /// Whether a server has sent a heartbeat recently.
    pub(super) fn is_present(&self, name: &str) -> bool {
        name == self.name || self.present().contains(name)
    }

    /// Whether there are several servers, so that their names must be shown.
    pub(super) fn are_several(&self) -> bool {
        self.present().iter().any(|name| *name != self.name)
    }

    fn present(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the actions of this server to the database until the channel is closed. Actions that cannot
/// be added are retried.
pub(super) async fn publish(
    database: Database,
    peers: Peers,
    mut actions: UnboundedReceiver<Action>,
) {
    let clock = SystemClock::default();
    while let Some(action) = actions.recv().await {
        let Ok(document) = serde_json::to_string(&action) else {
            continue;
        };
        let mut is_logged = false;
        let at = clock.now();
        while let Err(error) = database.add_action(&peers.id, at, document.clone()).await {
            // Why the store is not open was logged already.
            if !is_logged && database.is_open() {
                warn!("administration: cannot notify other servers, retrying: {error}");
            }
            is_logged = true;
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }
}

/// Performs the actions of other servers, forever.
pub(super) async fn apply_actions(database: Database, webhooks: Webhooks, peers: Peers) {
    let mut notices = database.subscribe();
    let mut logged = String::new();
    loop {
        let pause = match round(&database, &webhooks, &peers).await {
            Ok(()) => {
                logged.clear();
                ROUND_INTERVAL
            }
            Err(error) => {
                let text =
                    format!("administration: cannot receive actions of other servers: {error}");
                if text != logged && database.is_open() {
                    warn!("{text}");
                }
                logged = text;
                RETRY_INTERVAL
            }
        };
        if let Ok(Err(RecvError::Closed)) = tokio::time::timeout(pause, notices.recv()).await {
            return;
        }
    }
}

async fn round(database: &Database, webhooks: &Webhooks, peers: &Peers) -> Result<(), StoreError> {
    let now = SystemClock::default().now();
    database.put_server(&peers.id, &peers.name, now).await?;
    let servers = database.servers().await?.into_iter();
    let seen_since = now.minus(PRESENCE_TTL);
    let present = servers.filter(|server| server.seen_at >= seen_since);
    *peers.present() = present.map(|server| server.name).collect();
    loop {
        let pending = database.actions(&peers.id).await?;
        let Some(last) = pending.last().map(|action| action.number) else {
            break;
        };
        let others = pending.iter().filter(|action| action.server != peers.id);
        for (action, age) in pending_actions(others, |at| now.millis().saturating_sub(at)) {
            let project = action.subject().0.to_owned();
            let webhooks = webhooks.clone();
            let task = move || webhooks.apply_remote(action, age);
            match tokio::task::spawn_blocking(task).await {
                // Servers can have different projects.
                Ok(Ok(()) | Err(TriggerError::Unknown(_))) | Err(_) => {}
                Ok(Err(reason)) => warn!(project, "action of another server not applied: {reason}"),
            }
        }
        database.advance(&peers.id, last).await?;
    }
    database.delete_actions(now.minus(ACTION_TTL)).await
}

/// The actions to perform with their age: all that are not made obsolete by a later action for the
/// same target. Actions of a newer version of the program are skipped.
fn pending_actions<'a>(
    pending: impl Iterator<Item = &'a SharedAction>,
    age: impl Fn(i64) -> i64,
) -> Vec<(Action, Duration)> {
    let read = pending.filter_map(|item| {
        let age = u64::try_from(age(item.at.millis())).unwrap_or(0);
        let action = serde_json::from_str(&item.document).ok()?;
        Some((action, Duration::from_millis(age)))
    });
    let mut left: Vec<(Action, Duration)> = Vec::new();
    for (action, age) in read {
        left.retain(|(earlier, _)| !is_superfluous(earlier, &action));
        left.push((action, age));
    }
    left
}

fn is_superfluous(earlier: &Action, later: &Action) -> bool {
    let insists = |action: &Action| match action {
        Action::Deploy(request) => request.trigger.is_manual(),
        Action::Remove { .. } | Action::RollBack { .. } => true,
    };
    // A push does not undo a rollback to the state before it.
    let is_roll_back = matches!(earlier, Action::RollBack { .. });
    earlier.subject() == later.subject() && !is_roll_back && (insists(later) || !insists(earlier))
}

/// Name of this machine.
fn host() -> String {
    let read = |path| fs::read_to_string(path).ok();
    let name = read("/proc/sys/kernel/hostname").or_else(|| read("/etc/hostname"));
    let name = name.unwrap_or_default().trim().to_owned();
    let fits = |name: &String| !name.is_empty() && name.len() <= 64;
    Some(name)
        .filter(fits)
        .unwrap_or_else(|| "server".to_owned())
}

/// ID of this server among those that share a database, stored in the data directory.
///
/// # Errors
/// If it cannot be read or created.
pub(crate) fn id(data: &Path) -> io::Result<String> {
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
    let id = hex::encode(bytes);
    crate::data_files::replace(&path, id.as_bytes())?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use svc_admin_api::Timestamp;

    use super::*;
    use crate::deploy::{DeployRequest, PublishTarget, Trigger};

    #[test]
    fn the_server_id_is_stable() {
        let dir = tempfile::tempdir().unwrap();
        let first = id(dir.path()).unwrap();
        assert_eq!(id(dir.path()).unwrap(), first);
        fs::write(dir.path().join("server.id"), "../x").unwrap();
        let second = id(dir.path()).unwrap();
        assert!(second != first && second.len() == 12);
    }

    /// The actions that a server performs after it was unavailable.
    fn done(actions: &[&Action]) -> Vec<Action> {
        let shared: Vec<SharedAction> = actions
            .iter()
            .map(|action| SharedAction {
                number: 1,
                at: Timestamp::from_millis(1_000),
                server: "other".to_owned(),
                document: serde_json::to_string(action).unwrap(),
            })
            .collect();
        let left = pending_actions(shared.iter(), |at| 3_000 - at).into_iter();
        left.map(|(action, age)| {
            assert_eq!(age, Duration::from_secs(2));
            action
        })
        .collect()
    }

    #[test]
    fn superseded_actions_are_skipped_and_rollbacks_persist() {
        let deploy = |trigger| Action::Deploy(DeployRequest::live("docs", trigger));
        let (push, command) = (deploy(Trigger::Push), deploy(Trigger::Command));
        let back = Action::RollBack {
            project: "docs".to_owned(),
            snapshot: "abc".to_owned(),
        };
        let target = PublishTarget::Preview {
            name: "b".to_owned(),
        };
        let preview = Action::Deploy(DeployRequest {
            target: target.clone(),
            ..DeployRequest::live("docs", Trigger::Push)
        });
        let remove = Action::Remove {
            project: "docs".to_owned(),
            target,
        };
        let cases: [(&[&Action], &[&Action]); 5] = [
            (&[&push, &preview, &push, &remove], &[&push, &remove]),
            (&[&push, &command], &[&command]),
            // Only a manual deployment supersedes the earlier rollback.
            (&[&back, &command, &push], &[&back, &command, &push]),
            (&[&push, &back, &push], &[&back, &push]),
            (&[&remove, &preview], &[&remove, &preview]),
        ];
        for (pending, expected) in cases {
            let expected: Vec<Action> = expected.iter().map(|item| (*item).clone()).collect();
            assert_eq!(done(pending), expected, "{pending:?}");
        }
        let unknown = SharedAction {
            number: 1,
            at: Timestamp::from_millis(0),
            server: "other".to_owned(),
            document: r#"{"dance":{}}"#.to_owned(),
        };
        assert_eq!(pending_actions([&unknown].into_iter(), |at| at), []);
    }
}
