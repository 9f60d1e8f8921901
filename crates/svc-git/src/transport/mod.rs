//! The ways to a server.

mod http;
mod ssh;

use std::io::Read;
use std::time::Instant;

use crate::protocol::Greeting;
use crate::{Address, GitError, Options};

/// A way to a server that has a repository.
pub(crate) trait Transport {
    /// The host, for messages.
    fn host(&self) -> String;
    /// Connects and reads what the server says first.
    fn greet(&mut self) -> Result<Greeting, GitError>;
    /// Sends a request; the answer must be read to its end before the next one.
    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError>;
}

/// The way to an address; nothing for a folder.
pub(crate) fn to(
    address: &Address,
    options: &Options,
    end: Instant,
) -> Result<Option<Box<dyn Transport>>, GitError> {
    Ok(match address {
        Address::Folder(_) => None,
        Address::Http(url) => Some(Box::new(http::Http::new(url.clone(), options, end)?)),
        Address::Ssh(ssh) => Some(Box::new(ssh::Connection::new(
            ssh.clone(),
            options.clone(),
            end,
        ))),
    })
}

pub(crate) use http::basic;
pub(crate) use ssh::{arguments as ssh_arguments, classify as classify_ssh};
