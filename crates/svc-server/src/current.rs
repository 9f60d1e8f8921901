//! The current site and its recent predecessors.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use http::StatusCode;
use http::request::Parts;
use svc_site::Site;

use crate::reply::{self, Response};
use crate::response_cache::{FromMemory, Validity};
use crate::service::{Reply, Responder};
use crate::site::{has_variant, is_immutable, respond};

/// Handle to the current site. A request finishes with the site that it started with.
#[derive(Debug, Clone)]
pub struct SiteHandle(Arc<RwLock<LiveSite>>);

#[derive(Debug)]
struct LiveSite {
    site: Arc<Site>,
    /// Name of the snapshot of the site, if it has one.
    revision: Option<Arc<str>>,
    /// Replaced sites and the times of their replacement, the newest last. Open pages of a replaced
    /// site still request its assets.
    previous: Vec<(Instant, Arc<Site>)>,
}

/// How long assets of a replaced site stay available.
const PREVIOUS_TTL: Duration = Duration::from_secs(30);
/// Maximum number of replaced sites that are retained.
const MAX_PREVIOUS: usize = 4;

impl SiteHandle {
    /// Creates a handle to a site.
    pub fn new(site: Arc<Site>) -> Self {
        let before = Vec::new();
        Self(Arc::new(RwLock::new(LiveSite {
            site,
            revision: None,
            previous: before,
        })))
    }

    /// The current site.
    pub fn get(&self) -> Arc<Site> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner).site)
    }

    /// Name of the snapshot of the current site; `None` if it has none.
    pub(crate) fn revision(&self) -> Option<Arc<str>> {
        let present = self.0.read().unwrap_or_else(PoisonError::into_inner);
        present.revision.clone()
    }

    /// Names the snapshot of the current site.
    pub(crate) fn set_revision(&self, revision: &str) {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        present.revision = Some(revision.into());
    }

    /// Replaces the site and returns the previous one.
    pub fn swap(&self, site: Arc<Site>) -> Arc<Site> {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut present.previous);
        let old = std::mem::replace(&mut present.site, site);
        // Dropping a site takes long, and readers wait for the lock.
        drop(present);
        drop(before);
        old
    }

    /// Replaces the site and retains the previous one for readers with an open page of it.
    pub(crate) fn swap_keeping_previous(&self, site: Arc<Site>) {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut present.site, site);
        let now = Instant::now();
        let mut removed = std::mem::take(&mut present.previous);
        removed.push((now, old));
        let is_fresh = |(since, _): &(Instant, _)| now.duration_since(*since) < PREVIOUS_TTL;
        let expired = removed.iter().take_while(|item| !is_fresh(item)).count();
        let surplus = removed.len().saturating_sub(MAX_PREVIOUS).max(expired);
        present.previous = removed.split_off(surplus.min(removed.len().saturating_sub(1)));
        drop(present);
        drop(removed);
    }

    /// Replaces the site if it is still `expected`. Returns whether it was replaced.
    pub(crate) fn replace(&self, expected: &Arc<Site>, site: Arc<Site>) -> bool {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let same = Arc::ptr_eq(&present.site, expected);
        let site = if same {
            std::mem::replace(&mut present.site, site)
        } else {
            site
        };
        drop(present);
        drop(site);
        same
    }

    /// A responder that serves the current site.
    pub fn responder(&self) -> Responder {
        let current = self.clone();
        Arc::new(move |parts: &Parts| current.respond(parts))
    }

    /// Marks a response from memory as valid until the site is replaced.
    fn until_replaced(&self, site: &Arc<Site>, mut reply: Reply) -> Reply {
        if let Reply::Ready(response) = &mut reply
            && response.extensions_mut().remove::<FromMemory>().is_some()
        {
            let (current, site) = (self.clone(), Arc::downgrade(site));
            let is_current = move || {
                let present = current.0.read().unwrap_or_else(PoisonError::into_inner);
                std::ptr::eq(Arc::as_ptr(&present.site), site.as_ptr())
            };
            response.extensions_mut().insert(Validity::new(is_current));
        }
        reply
    }

    /// Responds with the current site. An asset of a previous site is served from that site if the
    /// URL identifies it by a fingerprint or by a hash in its name.
    pub(crate) fn respond(&self, parts: &Parts) -> Reply {
        let (site, before) = {
            let present = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let before = present.previous.iter().rev();
            let before: Vec<_> = before.map(|(_, site)| Arc::clone(site)).collect();
            (Arc::clone(&present.site), before)
        };
        if before.is_empty() {
            return self.until_replaced(&site, respond(&site, parts));
        }
        let all = std::iter::once(&site).chain(&before);
        let is_own = |site: &&Arc<Site>| is_immutable(site, parts) || has_variant(site, parts);
        if let Some(previous) = all.into_iter().find(is_own) {
            return respond(previous, parts);
        }
        if !parts.uri.path().contains("/_svc/") {
            return self.until_replaced(&site, respond(&site, parts));
        }
        let all = std::iter::once(&site).chain(&before);
        let replies: Vec<Reply> = all.map(|site| respond(site, parts)).collect();
        let is_image = |item: &Reply| matches!(item, Reply::Image(_));
        let has_image = replies.iter().any(is_image);
        let task = Box::new(move || {
            let mut responses = replies.into_iter().map(Reply::finish);
            let mut response = responses.next();
            let is_missing = |item: &Response| item.status() == StatusCode::NOT_FOUND;
            if response.as_ref().is_none_or(is_missing) {
                response = responses.find(|item| !is_missing(item)).or(response);
            }
            response.unwrap_or_else(|| reply::plain(StatusCode::NOT_FOUND, "File not found."))
        });
        match has_image {
            true => Reply::Image(task),
            false => Reply::Blocking(task),
        }
    }
}
