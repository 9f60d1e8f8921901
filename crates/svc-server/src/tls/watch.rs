//! Reloads certificates when their files change.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::sign::CertifiedKey;
use tracing::{error, info};

use super::Tls;
use super::files::{CertificateFiles, Fingerprint};

/// Interval of the check for changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// A certificate and the files that it was loaded from.
#[derive(Debug)]
pub(super) struct WatchedCertificate {
    files: CertificateFiles,
    /// State of the files when they were loaded.
    loaded: Fingerprint,
    pub(super) certificate: Arc<CertifiedKey>,
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

impl Tls {
    /// Uses other files from now on. With an error nothing changes.
    ///
    /// # Errors
    /// As [`Tls::load`].
    pub(crate) fn set_files(&self, files: &[CertificateFiles]) -> io::Result<()> {
        let loaded = files.iter().map(WatchedCertificate::load);
        let loaded = loaded.collect::<io::Result<Vec<_>>>()?;
        let mut watched = self.watched();
        *watched = loaded;
        self.0.resolver.set_watched(&watched);
        Ok(())
    }

    /// Checks the files for changes until the task is aborted. A pair that cannot be used is logged,
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
        }
        if changed {
            self.0.resolver.set_watched(&watched);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
}
