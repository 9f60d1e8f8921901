//! Transports of Git's protocol.

mod http;
mod ssh;

use std::io::Read;

use crate::GitError;
use crate::advertisement::Advertisement;

/// Connection to a server.
pub(crate) trait Transport {
    /// Host, for messages.
    fn host(&self) -> String;
    /// Connects and reads the advertisement.
    fn handshake(&mut self) -> Result<Advertisement, GitError>;
    /// Sends a request. The response must be read to its end before the next request.
    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError>;
}

pub(crate) use http::{HttpTransport, basic_auth};
pub(crate) use ssh::{SshTransport, classify_ssh, ssh_arguments};
