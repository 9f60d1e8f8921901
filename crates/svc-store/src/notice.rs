//! What the servers of one database tell each other.

use svc_admin_api::agent_job::Branch;
use svc_admin_api::{ProjectId, Target};
use tokio::sync::broadcast;

/// Something happened that others want to know soon. Notices may be lost when a connection is, so
/// they only save waiting: whoever hears none has to look now and then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Somebody asked for a deployment.
    Deployment {
        /// Of which project.
        project: ProjectId,
        /// Of what.
        target: Target,
    },
    /// A project, a key or an account changed, or notices may have been lost: what is remembered
    /// of them is to be read anew.
    Changed,
}

impl Notice {
    /// The text that goes through PostgreSQL: words without spaces in them.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Changed => "changed".to_owned(),
            Self::Deployment { project, target } => match target {
                Target::Site => format!("deployment {project}"),
                Target::Preview(branch) => format!("deployment {project} {branch}"),
            },
        }
    }

    /// Reads it. A text of a newer program, or of somebody else, is nothing.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let notice = match words.next()? {
            "changed" => Self::Changed,
            "deployment" => Self::Deployment {
                project: ProjectId::parse(words.next()?)?,
                target: match words.next() {
                    None => Target::Site,
                    Some(branch) => Target::Preview(Branch::try_from(branch.to_owned()).ok()?),
                },
            },
            _ => return None,
        };
        words.next().is_none().then_some(notice)
    }
}

/// Notices on their way within this process.
#[derive(Debug)]
pub(crate) struct Notices(broadcast::Sender<Notice>);

impl Default for Notices {
    fn default() -> Self {
        // Whoever lags behind by more learns that, and looks for itself.
        Self(broadcast::Sender::new(256))
    }
}

impl Notices {
    pub(crate) fn tell(&self, notice: Notice) {
        // Perhaps nobody listens.
        let _ = self.0.send(notice);
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Notice> {
        self.0.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_read_as_they_were_written() {
        let project = ProjectId::parse("docs").unwrap();
        let branch = Branch::try_from("feature/übung".to_owned()).unwrap();
        let deployment = |target| Notice::Deployment {
            project: project.clone(),
            target,
        };
        for notice in [
            Notice::Changed,
            deployment(Target::Site),
            deployment(Target::Preview(branch)),
        ] {
            assert_eq!(Notice::read(&notice.text()), Some(notice));
        }
    }

    #[test]
    fn other_texts_are_no_notices() {
        for text in [
            "",
            "x",
            "deployment",
            "deployment a/b",
            "deployment a b c",
            "deployment a -b",
        ] {
            assert_eq!(Notice::read(text), None, "{text}");
        }
    }
}
