//! Reloads certificates when their files change.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio_rustls::rustls::sign::CertifiedKey;
use tracing::{error, info, warn};

use super::Tls;
use super::expiry::{ExpiryStage, Validity, days_until, validity_of};
use super::files::{CertificateFiles, Fingerprint};
use crate::pluralize;

/// Interval of the check for changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// A certificate and the files that it was loaded from.
#[derive(Debug)]
pub(super) struct WatchedCertificate {
    files: CertificateFiles,
    /// State of the files when they were loaded.
    loaded: Fingerprint,
    pub(super) certificate: Arc<CertifiedKey>,
    /// What was logged about the end of the certificate.
    logged: ExpiryStage,
    /// State of files that could not be used, and whether that was logged.
    failed: Option<(Fingerprint, bool)>,
}

impl WatchedCertificate {
    /// Loads the certificate.
    ///
    /// # Errors
    /// As [`CertificateFiles::load`].
    pub(super) fn load(files: &CertificateFiles) -> io::Result<Self> {
        // Before reading, so that no change is lost.
        let loaded = files.fingerprint();
        Ok(Self {
            certificate: files.load()?,
            loaded,
            files: files.clone(),
            logged: ExpiryStage::Distant,
            failed: None,
        })
    }

    /// Loads the files if they have changed. Returns whether there is a new certificate.
    fn reload(&mut self) -> bool {
        let now = self.files.fingerprint();
        if now == self.loaded {
            self.failed = None;
            return false;
        }
        let failed = self.failed.as_ref().filter(|(before, _)| *before == now);
        if failed.is_some_and(|(_, is_logged)| *is_logged) {
            return false;
        }
        match self.files.load() {
            Ok(certificate) => {
                let shown = self.files.certificate.display();
                info!("certificate reloaded from `{shown}`");
                (self.certificate, self.loaded, self.failed) = (certificate, now, None);
                self.logged = ExpiryStage::Distant;
                true
            }
            Err(error) => {
                // Between the writes of the two files they do not belong together, so only the
                // second failure in the same state is logged.
                let is_second = failed.is_some();
                if is_second {
                    error!("the previous certificate stays in use: {error}");
                }
                self.failed = Some((now, is_second));
                false
            }
        }
    }
}

impl WatchedCertificate {
    /// Validity of the certificate of the server.
    fn validity(&self) -> Option<Validity> {
        validity_of(self.certificate.cert.first()?)
    }

    /// Logs each stage of the end of the certificate once.
    fn log_expiry(&mut self, now: SystemTime) {
        let Some(validity) = self.validity() else {
            return;
        };
        let (stage, expiry) = (ExpiryStage::at(now, validity), validity.end);
        if stage <= self.logged {
            return;
        }
        self.logged = stage;
        let shown = self.files.certificate.display();
        let end = jiff::Timestamp::try_from(expiry).unwrap_or_default();
        match stage {
            ExpiryStage::Expired => error!(
                "the certificate `{shown}` expired at {end}; clients reject the connection until it is renewed"
            ),
            _ => {
                let days = pluralize(days_until(now, expiry), "day");
                warn!("the certificate `{shown}` expires within {days}, at {end}; renew it");
            }
        }
    }
}

impl Tls {
    /// The files of the certificates and the times at which they expire. Each file appears once.
    pub(crate) fn expiries(&self) -> Vec<(PathBuf, SystemTime)> {
        let watched = self.watched();
        let mut expiries: Vec<(PathBuf, SystemTime)> = Vec::new();
        for one in watched.iter() {
            let file = &one.files.certificate;
            if let Some(validity) = one.validity()
                && !expiries.iter().any(|(listed, _)| listed == file)
            {
                expiries.push((file.clone(), validity.end));
            }
        }
        expiries
    }

    /// Uses other files from now on. With an error nothing changes.
    ///
    /// # Errors
    /// As [`Tls::load`].
    pub(crate) fn set_files(&self, files: &[CertificateFiles]) -> io::Result<()> {
        let loaded = files.iter().map(WatchedCertificate::load);
        let mut loaded = loaded.collect::<io::Result<Vec<_>>>()?;
        let mut watched = self.watched();
        for one in &mut loaded {
            let is_same = |before: &&WatchedCertificate| {
                before.files == one.files && before.certificate.cert == one.certificate.cert
            };
            let before = watched.iter().find(is_same);
            one.logged = before.map_or(one.logged, |before| before.logged);
        }
        *watched = loaded;
        self.0.resolver.set_watched(&watched);
        Ok(())
    }

    /// Uses files in addition to the others, or loads them again.
    ///
    /// # Errors
    /// As [`Tls::load`].
    #[cfg(feature = "acme")]
    pub(super) fn add_files(&self, files: &CertificateFiles) -> io::Result<()> {
        let loaded = WatchedCertificate::load(files)?;
        let mut watched = self.watched();
        match watched.iter_mut().find(|one| one.files == *files) {
            Some(before) => *before = loaded,
            None => watched.push(loaded),
        }
        self.0.resolver.set_watched(&watched);
        Ok(())
    }

    /// Uses a certificate while there are no files.
    #[cfg(feature = "acme")]
    pub(super) fn set_placeholder(&self, certificate: Arc<CertifiedKey>) {
        self.0.resolver.set_placeholder(certificate);
    }

    /// Checks the files for changes, and for certificates that expire soon, until the task is aborted. A pair that cannot be used is logged,
    /// and the certificate that was loaded before stays in use.
    pub(crate) async fn watch(self) {
        loop {
            tokio::time::sleep(CHECK_INTERVAL).await;
            let tls = self.clone();
            // A panic must not end later checks.
            let _ = tokio::task::spawn_blocking(move || tls.check()).await;
        }
    }

    fn check(&self) {
        let mut watched = self.watched();
        let mut changed = false;
        for one in watched.iter_mut() {
            changed |= one.reload();
            one.log_expiry(SystemTime::now());
        }
        if changed {
            self.0.resolver.set_watched(&watched);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use svc_test_support::log::LogCapture;
    use svc_test_support::tls::TestCertificate;

    use super::*;
    use crate::TlsSettings;

    #[test]
    fn changed_files_are_loaded_and_broken_ones_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let files = CertificateFiles {
            certificate: dir.path().join("chain.pem"),
            key: dir.path().join("key.pem"),
        };
        let write = |chain: &str, key: &str| {
            fs::write(&files.certificate, chain).unwrap();
            fs::write(&files.key, key).unwrap();
        };
        let one = TestCertificate::new(&["a.example"]);
        write(&one.chain, &one.key);
        let settings = TlsSettings::new(vec![files.clone()]);
        let tls = Tls::load(&settings).unwrap();
        let serial = |tls: &Tls| tls.watched()[0].certificate.cert[0].clone();
        let first = serial(&tls);
        tls.check();
        assert_eq!(serial(&tls), first);
        let two = TestCertificate::new(&["a.example", "longer.example"]);
        // Only one of the files is new yet.
        fs::write(&files.certificate, &two.chain).unwrap();
        for _ in 0..3 {
            tls.check();
            assert_eq!(serial(&tls), first);
        }
        let failed = tls.watched()[0].failed.clone();
        assert!(failed.is_some_and(|(_, is_logged)| is_logged));
        write(&two.chain, &two.key);
        tls.check();
        assert_ne!(serial(&tls), first);
        fs::remove_file(&files.key).unwrap();
        tls.check();
        assert_ne!(serial(&tls), first);
        let error = tls.set_files(&[files]).unwrap_err().to_string();
        assert!(
            error.contains("key.pem") && error.contains("cannot be read"),
            "{error}"
        );
    }

    #[test]
    fn the_end_of_a_certificate_is_logged_once_for_each_stage() {
        let dir = tempfile::tempdir().unwrap();
        let files = CertificateFiles {
            certificate: dir.path().join("chain.pem"),
            key: dir.path().join("key.pem"),
        };
        let end = SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
        let made = TestCertificate::expiring(&["a.example"], end);
        fs::write(&files.certificate, &made.chain).unwrap();
        fs::write(&files.key, &made.key).unwrap();
        let log = LogCapture::default();
        log.enter_thread();
        let mut watched = WatchedCertificate::load(&files).unwrap();
        let day = Duration::from_secs(86_400);
        let mut lines_after = |now: SystemTime| {
            watched.log_expiry(now);
            watched.log_expiry(now);
            log.text().lines().count()
        };
        assert_eq!(lines_after(end - 20 * day), 0);
        assert_eq!(lines_after(end - 14 * day), 1);
        assert_eq!(lines_after(end - 4 * day), 1);
        assert_eq!(lines_after(end - 3 * day), 2);
        assert_eq!(lines_after(end - 10 * day), 2, "the clock went back");
        assert_eq!(lines_after(end + day), 3);
        let text = log.text();
        for part in [
            "chain.pem` expires within 14 days, at 2033-05-18T03:33:20Z; renew it",
            "expires within 3 days",
            "expired at 2033-05-18T03:33:20Z",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
