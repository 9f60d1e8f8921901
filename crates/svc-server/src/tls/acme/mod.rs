//! Certificates that the server requests from a certificate authority (ACME, RFC 8555), and renews.
//!
//! Each host has its own certificate, so that one that does not lead to this server does not
//! prevent those of the others. Orders follow each other. A certificate is stored in one file
//! with its key, and then used like one of the settings.

mod client;
mod order;
mod schedule;
mod store;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;
use tracing::{error, info, warn};

use super::expiry::{Validity, validity_of};
use super::{CertificateFiles, Tls, certificate_from_pem, resolver};
use crate::{AcmeSettings, Host, Metrics, TlsSettings};
use client::AcmeHttpClient;
use order::{OrderContext, OrderError, self_signed};
use schedule::Schedule;
use store::CertificateStore;

/// Maximum time between two looks at the clock, which can be set.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// Maximum time of an order.
const ORDER_TIMEOUT: Duration = Duration::from_secs(300);
/// Name in the certificate of a server that has no other one yet.
const PLACEHOLDER: &str = "certificate-requested.invalid";

/// Certificates that the server requests. A handle; clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct Acme(Arc<AcmeState>);

#[derive(Debug)]
struct AcmeState {
    settings: AcmeSettings,
    client: AcmeHttpClient,
    store: CertificateStore,
    tls: Tls,
    /// The hosts of the current settings.
    hosts: watch::Sender<Vec<Host>>,
    /// Number of orders that succeeded and failed.
    counts: Mutex<BTreeMap<Host, [u64; 2]>>,
}

impl Acme {
    /// Uses the stored certificates. `None` if the settings do not request any.
    ///
    /// # Errors
    /// If the data directory cannot be used, or there are no random numbers.
    pub(crate) fn open(
        settings: Option<&TlsSettings>,
        data: &Path,
        tls: Option<&Tls>,
        metrics: &Metrics,
    ) -> io::Result<Option<Self>> {
        let settings = settings.and_then(|tls| tls.acme.clone());
        let (Some(settings), Some(tls)) = (settings, tls) else {
            return Ok(None);
        };
        let client = AcmeHttpClient::new(&settings, metrics.count_fetches("certificates"));
        let store = CertificateStore::open(data, &settings.directory)?;
        // Until there is a certificate, health checks can connect.
        let placeholder = self_signed(PLACEHOLDER, Vec::new()).map_err(io::Error::other)?;
        tls.set_placeholder(placeholder);
        let counts = settings.hosts.iter().map(|host| (host.clone(), [0; 2]));
        let acme = Self(Arc::new(AcmeState {
            counts: Mutex::new(counts.collect()),
            hosts: watch::Sender::new(settings.hosts.clone()),
            tls: tls.clone(),
            settings,
            client,
            store,
        }));
        for host in &acme.0.settings.hosts {
            let files = acme.0.store.files(host);
            if acme.0.store.has(host)
                && let Err(error) = tls.add_files(&files)
            {
                warn!("{error}; a new certificate is requested");
            }
        }
        metrics.observe_orders(acme.clone());
        Ok(Some(acme))
    }

    /// Requests and renews certificates until the task is aborted.
    pub(crate) async fn run(self) {
        let mut hosts = self.0.hosts.subscribe();
        let mut schedules: BTreeMap<Host, Schedule> = BTreeMap::new();
        loop {
            let current = hosts.borrow_and_update().clone();
            schedules.retain(|host, _| current.contains(host));
            for host in current {
                let schedule = || match self.validity(&host) {
                    Some(validity) => Schedule::of(validity, random()),
                    None => Schedule::now(),
                };
                schedules.entry(host.clone()).or_insert_with(schedule);
            }
            let next = schedules
                .iter_mut()
                .min_by_key(|(_, schedule)| schedule.due);
            let now = SystemTime::now();
            match next {
                Some((host, schedule)) if schedule.due <= now => {
                    *schedule = self.renew(host, *schedule).await;
                }
                next => {
                    let left = next.and_then(|(_, next)| next.due.duration_since(now).ok());
                    let wait = left.unwrap_or(CHECK_INTERVAL).min(CHECK_INTERVAL);
                    // The sender is part of the state.
                    let _ = tokio::time::timeout(wait, hosts.changed()).await;
                }
            }
        }
    }

    /// Requests certificates for these hosts from now on.
    pub(crate) fn set_hosts(&self, hosts: Vec<Host>) {
        self.0.hosts.send_replace(hosts);
    }

    /// The stored certificates of the current hosts.
    pub(crate) fn files(&self) -> Vec<CertificateFiles> {
        let hosts = self.0.hosts.borrow().clone();
        let hosts = hosts.iter().filter(|host| self.validity(host).is_some());
        hosts.map(|host| self.0.store.files(host)).collect()
    }

    /// Number of orders by host that succeeded and failed.
    pub(crate) fn order_counts(&self) -> Vec<(Host, [u64; 2])> {
        let counts = self.0.counts.lock();
        let counts = counts.unwrap_or_else(PoisonError::into_inner);
        let counts = counts.iter();
        counts
            .map(|(host, counts)| (host.clone(), *counts))
            .collect()
    }

    /// Validity of the stored certificate of a host; `None` if there is none that can be used.
    fn validity(&self, host: &Host) -> Option<Validity> {
        let certificate = self.0.store.files(host).load().ok()?;
        validity_of(certificate.cert.first()?)
    }

    /// Orders a certificate, and logs how that ended.
    async fn renew(&self, host: &Host, schedule: Schedule) -> Schedule {
        let state = &self.0;
        info!("requesting a certificate for the host `{host}`");
        let context = OrderContext {
            settings: &state.settings,
            client: &state.client,
            store: &state.store,
            challenges: state.tls.challenges(),
        };
        let result = tokio::time::timeout(ORDER_TIMEOUT, context.order(host)).await;
        state.tls.challenges().clear();
        let result = result
            .unwrap_or(Err(OrderError::Timeout(ORDER_TIMEOUT.as_secs())))
            .and_then(|pem| self.accept(host, &pem));
        self.count(host, usize::from(result.is_err()));
        let now = SystemTime::now();
        match result {
            Ok(validity) => {
                let next = Schedule::renewed(validity, now, random());
                let (end, due) = (timestamp(validity.end), timestamp(next.due));
                info!(
                    "the certificate for the host `{host}` is valid until {end}; it is renewed at {due}"
                );
                next
            }
            Err(reason) => {
                let next = schedule.failed(now, random());
                let due = timestamp(next.due);
                let old = self.validity(host).filter(|old| old.end > now);
                match old.map(|old| timestamp(old.end)) {
                    Some(end) => warn!(
                        "the certificate for the host `{host}` was not renewed, and the previous one stays in use until {end}: {reason}; the next attempt is at {due}"
                    ),
                    None => error!(
                        "the host `{host}` has no valid certificate: {reason}; the next attempt is at {due}"
                    ),
                }
                next
            }
        }
    }

    /// Checks, stores and uses a new certificate.
    fn accept(&self, host: &Host, pem: &str) -> Result<Validity, OrderError> {
        let unusable = |reason: &str| OrderError::Unusable(reason.to_owned());
        let certificate =
            certificate_from_pem(pem, pem).map_err(|error| unusable(&format!("it {error}")))?;
        if !resolver::covers_host(&certificate, host.as_str()) {
            return Err(unusable("it is for another host"));
        }
        let first = certificate
            .cert
            .first()
            .and_then(|first| validity_of(first));
        let validity = first.ok_or_else(|| unusable("its dates cannot be read"))?;
        self.0.store.write(host, pem)?;
        self.0.tls.add_files(&self.0.store.files(host))?;
        Ok(validity)
    }

    fn count(&self, host: &Host, result: usize) {
        let mut counts = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = counts.entry(host.clone()).or_default();
        if let Some(count) = counts.get_mut(result) {
            *count += 1;
        }
    }
}

/// A random number; 0 if there is none.
fn random() -> u8 {
    let mut bytes = [0];
    // It only distributes load.
    let _ = getrandom::fill(&mut bytes);
    let [byte] = bytes;
    byte
}

/// A time in whole seconds (RFC 3339).
fn timestamp(time: SystemTime) -> jiff::Timestamp {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH);
    let seconds = i64::try_from(seconds.unwrap_or_default().as_secs());
    jiff::Timestamp::from_second(seconds.unwrap_or_default()).unwrap_or_default()
}
