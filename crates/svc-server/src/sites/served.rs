//! What is served at a host.

use std::fmt;
use std::sync::Arc;

use crate::cdn::CdnHeaders;
use crate::metrics::RequestCounters;
use crate::readers::Readers;
use crate::service::BodyRouter;
use crate::{Host, SiteHandle};

/// What is served at a host. Cheap to clone.
#[derive(Clone)]
pub struct Served {
    /// The site; `None` until its first deployment is published.
    pub current: Option<SiteHandle>,
    /// Readers who sign in.
    pub(crate) readers: Option<Readers>,
    /// Project of the site.
    pub project: Arc<str>,
    /// Whether the site is hidden from search engines.
    pub noindex: bool,
    /// Host of the live site that a preview is compared with.
    pub(crate) live_host: Option<Host>,
    /// Host that requests are redirected to.
    pub redirect: Option<Host>,
    /// Router for requests with a body: the relay of the site and the webhook of the project.
    pub body_router: Option<BodyRouter>,
    /// Headers for a CDN; `None` if there is none, or the site is not public.
    pub(crate) cdn: Option<Arc<CdnHeaders>>,
    /// Counters of the project; `None` if its requests are not counted separately.
    pub(crate) counters: Option<Arc<RequestCounters>>,
}

impl Served {
    /// A public site without handlers for requests with a body.
    pub fn new(current: SiteHandle, project: &str) -> Self {
        Self {
            current: Some(current),
            ..Self::pending(project)
        }
    }

    /// A site without a deployment; readers are asked to try again.
    pub fn pending(project: &str) -> Self {
        Self {
            current: None,
            readers: None,
            project: project.into(),
            noindex: false,
            live_host: None,
            redirect: None,
            body_router: None,
            cdn: None,
            counters: None,
        }
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("project", &self.project)
            .field("awaited", &self.current.is_none())
            .field("noindex", &self.noindex)
            .field("redirect", &self.redirect)
            .field("posts", &self.body_router.is_some())
            .finish_non_exhaustive()
    }
}
