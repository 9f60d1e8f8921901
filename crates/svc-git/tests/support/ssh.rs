//! Options for repositories on the SSH server of the tests.

use svc_git::{Credentials, Options};
pub(crate) use svc_test_support::ssh::Sshd;

pub(crate) trait SshOptions {
    /// Options that use one of the keys.
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
