//! How a repository behind the SSH server of the tests is asked.

use svc_git::{Credentials, Options};
pub(crate) use svc_test_support::ssh::Sshd;

/// Who asks.
pub(crate) trait SshOptions {
    /// Options with one of the keys.
    fn options(&self, key: &str) -> Options;
}

impl SshOptions for Sshd {
    fn options(&self, key: &str) -> Options {
        Options {
            credentials: Credentials::Key {
                file: self.key(key),
                known_hosts: Some(self.known_hosts()),
            },
            ..Options::default()
        }
    }
}
