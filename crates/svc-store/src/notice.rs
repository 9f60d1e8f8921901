//! What the servers of one database tell each other.

use svc_admin_api::{ProjectId, Target};

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
