//! Stands in for `acme` in a program without that feature. The settings reject `[tls.acme]` there.

use std::io;
use std::path::Path;

use super::{CertificateFiles, Tls};
use crate::{Host, Metrics, TlsSettings};

/// Certificates that the server requests: never any.
#[derive(Debug, Clone)]
pub(crate) enum Acme {}

impl Acme {
    /// Always `None`.
    pub(crate) fn open(
        _settings: Option<&TlsSettings>,
        _data: &Path,
        _tls: Option<&Tls>,
        _metrics: &Metrics,
    ) -> io::Result<Option<Self>> {
        Ok(None)
    }

    pub(crate) async fn run(self) {
        match self {}
    }

    pub(crate) fn set_hosts(&self, _hosts: Vec<Host>) {
        match *self {}
    }

    pub(crate) fn files(&self) -> Vec<CertificateFiles> {
        match *self {}
    }
}
