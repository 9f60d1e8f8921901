//! What the servers of one database tell each other.

use tokio::sync::broadcast;

/// Something happened that others want to know soon. Notices may be lost when a connection is, so
/// they only save waiting: whoever hears none has to look now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// There is a new action: see [`Database::actions`](crate::Database::actions).
    Action,
    /// A project, a key or an account changed, or notices may have been lost: what is remembered
    /// of them is to be read anew.
    Changed,
}

impl Notice {
    /// The text that goes through PostgreSQL.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Changed => "changed",
        }
    }

    /// Reads it. A text of a newer program, or of somebody else, is nothing.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let all = [Self::Action, Self::Changed];
        all.into_iter().find(|notice| notice.as_str() == text)
    }
}

/// Notices on their way within this process.
#[derive(Debug)]
pub(crate) struct NoticeChannel(broadcast::Sender<Notice>);

impl Default for NoticeChannel {
    fn default() -> Self {
        // Whoever lags behind by more learns that, and looks for itself.
        Self(broadcast::Sender::new(256))
    }
}

impl NoticeChannel {
    pub(crate) fn publish(&self, notice: Notice) {
        // Perhaps nobody listens.
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
    fn notices_are_read_as_they_were_written() {
        for notice in [Notice::Action, Notice::Changed] {
            assert_eq!(Notice::parse(notice.as_str()), Some(notice));
        }
        for text in ["", "x", "action 1"] {
            assert_eq!(Notice::parse(text), None, "{text}");
        }
    }
}
