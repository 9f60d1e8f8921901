//! The ways to a server.

mod http;
mod ssh;

use std::io::Read;
use std::time::Instant;

use crate::protocol::Advertisement;
use crate::{GitError, Options, RemoteUrl};

/// A way to a server that has a repository.
pub(crate) trait Transport {
    /// The host, for messages.
    fn host(&self) -> String;
    /// Connects and reads what the server says first.
    fn handshake(&mut self) -> Result<Advertisement, GitError>;
    /// Sends a request; the answer must be read to its end before the next one.
    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError>;
}

/// The way to an address; nothing for a folder.
pub(crate) fn connect(
    address: &RemoteUrl,
    options: &Options,
    end: Instant,
) -> Result<Option<Box<dyn Transport>>, GitError> {
    Ok(match address {
        RemoteUrl::Local(_) => None,
        RemoteUrl::Http(url) => Some(Box::new(http::HttpTransport::new(
            url.clone(),
            options,
            end,
        )?)),
        RemoteUrl::Ssh(ssh) => Some(Box::new(ssh::SshTransport::new(
            ssh.clone(),
            options.clone(),
            end,
        ))),
    })
}

pub(crate) use http::basic_auth;
pub(crate) use ssh::{classify_ssh, ssh_arguments};
