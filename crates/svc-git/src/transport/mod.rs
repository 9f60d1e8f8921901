//! Transports of Git's protocol.

mod http;
mod ssh;

use std::time::Instant;

use crate::protocol::Transport;
use crate::{GitError, Options, RemoteUrl};

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
