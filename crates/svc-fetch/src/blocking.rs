//! A blocking client.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use http::{HeaderMap, StatusCode};
use hyper::body::Bytes;
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::{Client, FetchError, Request, ResponseBody};

/// A [`Client`] for threads that may block. Must not be used on a thread that runs asynchronous
/// tasks.
#[derive(Debug)]
pub struct BlockingClient {
    client: Client,
    runtime: Mutex<Runtime>,
}

/// A response of a [`BlockingClient`].
#[derive(Debug)]
pub struct BlockingResponse<'a> {
    /// Status code.
    pub status: StatusCode,
    /// Headers as sent by the server.
    pub headers: HeaderMap,
    /// URL of the response, after redirects.
    pub url: Url,
    /// Decompressed body.
    pub body: BlockingBody<'a>,
}

/// Body of a response, within the limits of the client. Its I/O errors wrap a [`FetchError`].
#[derive(Debug)]
pub struct BlockingBody<'a> {
    body: ResponseBody,
    chunk: Bytes,
    owner: &'a BlockingClient,
}

impl BlockingClient {
    /// Wraps a client.
    ///
    /// # Errors
    /// When the runtime cannot be created.
    pub fn new(client: Client) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self {
            client,
            runtime: Mutex::new(runtime),
        })
    }

    /// Sends a request and waits for the head of the response.
    ///
    /// # Errors
    /// Same as [`Client::send`].
    pub fn send(&self, request: Request) -> Result<BlockingResponse<'_>, FetchError> {
        let response = self.wait(self.client.send(request))?;
        Ok(BlockingResponse {
            status: response.status,
            headers: response.headers,
            url: response.url,
            body: BlockingBody {
                body: response.body,
                chunk: Bytes::new(),
                owner: self,
            },
        })
    }

    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        // A panic in another thread does not invalidate the runtime.
        let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        runtime.block_on(future)
    }
}

impl Read for BlockingBody<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            let next = self.owner.wait(self.body.chunk());
            match next.map_err(io::Error::other)? {
                Some(piece) => self.chunk = piece,
                None => return Ok(0),
            }
        }
        let length = self.chunk.len().min(into.len());
        let taken = self.chunk.split_to(length);
        into[..length].copy_from_slice(&taken);
        Ok(length)
    }
}
