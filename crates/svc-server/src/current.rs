//! The site of the moment, and those of a moment ago.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use http::StatusCode;
use http::request::Parts;
use svc_site::Site;

use crate::reply::{self, Response};
use crate::service::{Outcome, Responder};
use crate::site::{has_variant, is_lasting, respond};

/// The site that is served now. Requests that have begun finish on the one they began with.
#[derive(Debug, Clone)]
pub struct Current(Arc<RwLock<Present>>);

#[derive(Debug)]
struct Present {
    site: Arc<Site>,
    /// Sites of a moment ago, the newest last, and when they were replaced: readers who have a page
    /// of theirs still ask for what belongs to it.
    before: Vec<(Instant, Arc<Site>)>,
}

/// How long sites of before are asked for what belongs to their pages.
const LINGER: Duration = Duration::from_secs(30);
/// How many of them at most.
const LINGERING: usize = 4;

impl Current {
    /// Begins with a site.
    pub fn new(site: Arc<Site>) -> Self {
        let before = Vec::new();
        Self(Arc::new(RwLock::new(Present { site, before })))
    }

    /// The site.
    pub fn get(&self) -> Arc<Site> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner).site)
    }

    /// Takes another site from now on and gives back the old one.
    pub fn swap(&self, site: Arc<Site>) -> Arc<Site> {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut present.before);
        let old = std::mem::replace(&mut present.site, site);
        // Whole sites take a while to go away, and readers wait for the lock.
        drop(present);
        drop(before);
        old
    }

    /// Takes another site from now on, and keeps the old one for a way back and for readers who
    /// have a page of it.
    pub(crate) fn advance(&self, site: Arc<Site>) {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut present.site, site);
        let now = Instant::now();
        let mut gone = std::mem::take(&mut present.before);
        gone.push((now, old));
        let young = |(since, _): &(Instant, _)| now.duration_since(*since) < LINGER;
        let old_ones = gone.iter().take_while(|one| !young(one)).count();
        let surplus = gone.len().saturating_sub(LINGERING).max(old_ones);
        present.before = gone.split_off(surplus.min(gone.len().saturating_sub(1)));
        drop(present);
        drop(gone);
    }

    /// Takes another site in place of `expected`, unless that is not the present one any more.
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

    /// Answers requests with the site of the moment.
    pub fn responder(&self) -> Responder {
        let current = self.clone();
        Arc::new(move |parts: &Parts| current.respond(parts))
    }

    /// Answers a request with the site of the moment. What belongs to a page of a moment ago comes
    /// from the site of that page: the address says so, by the version of a file or by a name that
    /// holds a hash.
    pub(crate) fn respond(&self, parts: &Parts) -> Outcome {
        let (site, before) = {
            let present = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let before = present.before.iter().rev();
            let before: Vec<_> = before.map(|(_, site)| Arc::clone(site)).collect();
            (Arc::clone(&present.site), before)
        };
        if before.is_empty() {
            return respond(&site, parts);
        }
        let all = std::iter::once(&site).chain(&before);
        let is_own = |site: &&Arc<Site>| is_lasting(site, parts) || has_variant(site, parts);
        if let Some(own) = all.into_iter().find(is_own) {
            return respond(own, parts);
        }
        if !parts.uri.path().contains("/_svc/") {
            return respond(&site, parts);
        }
        let all = std::iter::once(&site).chain(&before);
        let answers: Vec<Outcome> = all.map(|site| respond(site, parts)).collect();
        let draws = |one: &Outcome| matches!(one, Outcome::Drawing(_));
        let is_drawing = answers.iter().any(draws);
        let work = Box::new(move || {
            let answer = |outcome| match outcome {
                Outcome::Ready(response) => response,
                Outcome::Slow(work) | Outcome::Drawing(work) => work(),
                Outcome::Variant(work) => work(false),
            };
            let mut answers = answers.into_iter().map(answer);
            let mut found = answers.next();
            let is_missing = |one: &Response| one.status() == StatusCode::NOT_FOUND;
            if found.as_ref().is_none_or(is_missing) {
                found = answers.find(|one| !is_missing(one)).or(found);
            }
            found.unwrap_or_else(|| reply::plain(StatusCode::NOT_FOUND, "There is no such file."))
        });
        match is_drawing {
            true => Outcome::Drawing(work),
            false => Outcome::Slow(work),
        }
    }
}
