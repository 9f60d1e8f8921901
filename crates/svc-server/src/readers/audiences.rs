//! The site that readers with the same groups see.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use svc_site::{Audience, Site};

use crate::SiteHandle;
use crate::service::BodyRouter;

/// Maximum number of audiences whose sites stay in memory.
const MAX_AUDIENCES: usize = 32;

/// What readers with the same groups see.
#[derive(Clone)]
pub(super) struct AudienceSite {
    pub(super) site: Arc<Site>,
    /// Router for requests with a body.
    pub(super) body_router: BodyRouter,
}

/// Creates the router for requests with a body to a site.
pub(super) type RouterBuilder = Arc<dyn Fn(SiteHandle) -> BodyRouter + Send + Sync>;

/// The sites of the audiences of one site.
pub(super) struct Audiences {
    router: RouterBuilder,
    /// The one that was used last comes first.
    entries: Mutex<Vec<Arc<Entry>>>,
}

/// An audience and its site, which is built when it is needed for the first time.
struct Entry {
    groups: BTreeSet<String>,
    /// The site for everybody that the site was built from.
    base: Arc<Site>,
    site: OnceLock<Option<AudienceSite>>,
}

impl fmt::Debug for Audiences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audiences").finish_non_exhaustive()
    }
}

impl Audiences {
    pub(super) const fn new(router: RouterBuilder) -> Self {
        Self {
            router,
            entries: Mutex::new(Vec::new()),
        }
    }

    /// The site for readers with these groups, or, if it has to be built first, a function that
    /// does so and takes as long as building navigation.
    pub(super) fn get(
        &self,
        base: &Arc<Site>,
        groups: &BTreeSet<String>,
    ) -> Result<AudienceSite, impl FnOnce() -> Option<AudienceSite> + Send + use<>> {
        let entry = self.entry(base, groups);
        if let Some(Some(site)) = entry.site.get() {
            return Ok(site.clone());
        }
        let router = Arc::clone(&self.router);
        Err(move || {
            let build = || {
                let audience = Audience::Members(entry.groups.clone());
                let site = svc_site::for_audience(&entry.base, audience).ok()?;
                let site = Arc::new(site);
                let body_router = router(SiteHandle::new(Arc::clone(&site)));
                Some(AudienceSite { site, body_router })
            };
            entry.site.get_or_init(build).clone()
        })
    }

    fn entry(&self, base: &Arc<Site>, groups: &BTreeSet<String>) -> Arc<Entry> {
        // Other groups make no difference.
        let known = base.reader_groups();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |entry: &Arc<Entry>| {
            Arc::ptr_eq(&entry.base, base) && groups.intersection(known).eq(&entry.groups)
        };
        let entry = match entries.iter().position(is_same) {
            Some(at) => entries.remove(at),
            None => Arc::new(Entry {
                groups: groups.intersection(known).cloned().collect(),
                base: Arc::clone(base),
                site: OnceLock::new(),
            }),
        };
        entries.insert(0, Arc::clone(&entry));
        entries.truncate(MAX_AUDIENCES);
        // Sites of an earlier deployment are not needed any more.
        entries.retain(|other| Arc::ptr_eq(&other.base, base));
        entry
    }
}
