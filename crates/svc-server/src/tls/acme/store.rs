//! The account and the certificates in the data directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use instant_acme::AccountCredentials;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::super::CertificateFiles;
use crate::{Host, data_files, permissions};

/// Maximum size of the file of the account in bytes.
const MAX_ACCOUNT_BYTES: u64 = 1 << 16;

/// Account and certificates of one certificate authority. Each certificate is in one file with
/// its key, so that both are replaced at once.
#[derive(Debug)]
pub(super) struct CertificateStore {
    dir: PathBuf,
}

/// An account at the certificate authority.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredAccount {
    /// E-mail address that the authority has; `None` if it has none.
    pub(super) email: Option<String>,
    pub(super) credentials: AccountCredentials,
}

impl CertificateStore {
    /// Creates the directory of a certificate authority, which is named after the URL: those of a
    /// test and of production do not share anything.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(super) fn open(data: &Path, url: &str) -> io::Result<Self> {
        let digest = hex::encode(Sha256::digest(url));
        let parsed = url::Url::parse(url).ok();
        let host = parsed.as_ref().and_then(url::Url::host_str);
        // An IPv6 address has brackets and colons.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
        let host: String = host
            .unwrap_or("")
            .chars()
            .filter(|c| is_plain(*c))
            .collect();
        let name = format!("{host}-{}", digest.get(..8).unwrap_or_default());
        let dir = data.join("acme").join(name);
        permissions::create(&dir)?;
        svc_source::remove_temporary_files(&dir);
        Ok(Self { dir })
    }

    /// The file of a certificate and its key.
    pub(super) fn files(&self, host: &Host) -> CertificateFiles {
        let path = self.dir.join(format!("{host}.pem"));
        CertificateFiles {
            certificate: path.clone(),
            key: path,
        }
    }

    /// Whether there is a file with the certificate of a host.
    pub(super) fn has(&self, host: &Host) -> bool {
        self.files(host).certificate.exists()
    }

    /// Stores a key and its certificate.
    ///
    /// # Errors
    /// If they cannot be written; the previous ones then stay.
    pub(super) fn write(&self, host: &Host, pem: &str) -> io::Result<()> {
        data_files::replace(&self.files(host).certificate, pem.as_bytes()).map(drop)
    }

    fn account_file(&self) -> PathBuf {
        self.dir.join("account.json")
    }

    /// The account; `None` if there is none yet.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub(super) fn account(&self) -> io::Result<Option<StoredAccount>> {
        let path = self.account_file();
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
        };
        match data_files::read(&path, MAX_ACCOUNT_BYTES) {
            Ok(bytes) => {
                // The text of the error could have a part of the key.
                let invalid = |_| io::Error::other("it is damaged; remove it for a new account");
                serde_json::from_slice(&bytes)
                    .map(Some)
                    .map_err(invalid)
                    .map_err(named)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(named(error)),
        }
    }

    /// Stores the account.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write_account(&self, account: &StoredAccount) -> io::Result<()> {
        let bytes = serde_json::to_vec(account)?;
        data_files::replace(&self.account_file(), &bytes).map(drop)
    }

    /// Removes an account that the authority does not know.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub(super) fn remove_account(&self) -> io::Result<()> {
        fs::remove_file(self.account_file())
    }
}
