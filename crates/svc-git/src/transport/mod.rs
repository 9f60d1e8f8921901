//! Transports of Git's protocol.

mod http;
mod ssh;

use std::io::Read;
use std::time::Instant;

use crate::protocol::Advertisement;
use crate::{GitError, Options, RemoteUrl};

/// Connection to a server.
pub(crate) trait Transport {
    /// Host, for messages.
    fn host(&self) -> String;
    /// Connects and reads the advertisement.
    fn handshake(&mut self) -> Result<Advertisement, GitError>;
    /// Sends a request. The response must be read to its end before the next request.
    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError>;
}

/// Creates the transport of a remote; `None` for a local directory.
pub(crate) fn connect(
    remote: &RemoteUrl,
    options: &Options,
    end: Instant,
) -> Result<Option<Box<dyn Transport>>, GitError> {
    Ok(match remote {
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
