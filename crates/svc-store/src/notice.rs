//! Notifications between the servers of a database.

use tokio::sync::broadcast;

/// A notification for other servers. Notifications can be lost when a connection is, so they only
/// reduce latency: receivers must also poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// There is a new action; see [`Database::actions`](crate::Database::actions).
    Action,
    /// A project, a key or an account has changed, or notifications may have been lost: cached data
    /// must be read from the database.
    Changed,
    /// Sessions of readers have ended; see
    /// [`Database::reader_revocations`](crate::Database::reader_revocations).
    Readers,
    /// Targets of deployments have changed; see
    /// [`Database::targets_after`](crate::Database::targets_after).
    Targets,
}

impl Notice {
    /// Payload of the PostgreSQL notification.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Changed => "changed",
            Self::Readers => "readers",
            Self::Targets => "targets",
        }
    }

    /// Parses a payload. Returns `None` for a payload of a newer version or another program.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let all = [Self::Action, Self::Changed, Self::Readers, Self::Targets];
        all.into_iter().find(|notice| notice.as_str() == text)
    }
}

/// Channel for notifications within this process.
#[derive(Debug)]
pub(crate) struct NoticeChannel(broadcast::Sender<Notice>);

impl Default for NoticeChannel {
    fn default() -> Self {
        // A receiver that lags behind by more gets an error and polls.
        Self(broadcast::Sender::new(256))
    }
}

impl NoticeChannel {
    pub(crate) fn publish(&self, notice: Notice) {
        // There may be no receivers.
        let _ = self.0.send(notice);
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.0.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_round_trip() {
        for notice in [
            Notice::Action,
            Notice::Changed,
            Notice::Readers,
            Notice::Targets,
        ] {
            assert_eq!(Notice::parse(notice.as_str()), Some(notice));
        }
        for text in ["", "x", "action 1"] {
            assert_eq!(Notice::parse(text), None, "{text}");
        }
    }
}
