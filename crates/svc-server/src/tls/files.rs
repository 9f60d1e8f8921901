//! Files of a certificate.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tokio_rustls::rustls::sign::CertifiedKey;

use super::certificate::certificate_from_pem;

/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The files of a certificate and its private key, in PEM format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate, followed by those of the intermediate authorities.
    pub certificate: PathBuf,
    /// The private key, without a passphrase.
    pub key: PathBuf,
}

/// State of the files, to detect changes: size and time of the last modification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprint([Option<(u64, SystemTime)>; 2]);

impl CertificateFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// If a file cannot be read or used. The message contains its path and a hint.
    pub(super) fn load(&self) -> io::Result<Arc<CertifiedKey>> {
        let chain = read(&self.certificate)?;
        let key = read(&self.key)?;
        certificate_from_pem(&chain, &key).map_err(|error| {
            let path = match error.is_of_key() {
                true => &self.key,
                false => &self.certificate,
            };
            let message = format!("the file `{}` {error}; {}", path.display(), error.hint());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        let of = |path: &Path| {
            let metadata = fs::metadata(path).ok()?;
            Some((metadata.len(), metadata.modified().ok()?))
        };
        Fingerprint([of(&self.certificate), of(&self.key)])
    }
}

fn read(path: &Path) -> io::Result<String> {
    let shown = path.display();
    let named = |error: io::Error| {
        let message = format!("the file `{shown}` cannot be read: {error}");
        io::Error::new(error.kind(), message)
    };
    let mut text = String::new();
    let file = fs::File::open(path).map_err(named)?;
    file.take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(named)?;
    Ok(text)
}
