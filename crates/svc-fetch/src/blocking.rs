//! The client for threads that wait.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use http::{HeaderMap, StatusCode};
use hyper::body::Bytes;
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::{Client, FetchError, Request, ResponseBody};

/// A [`Client`] for threads that wait. Never for one that runs asynchronous tasks.
#[derive(Debug)]
pub struct BlockingClient {
    client: Client,
    runtime: Mutex<Runtime>,
}

/// An answer of a [`BlockingClient`] client.
#[derive(Debug)]
pub struct BlockingResponse<'a> {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Where it comes from.
    pub url: Url,
    /// Body.
    pub body: BlockingBody<'a>,
}

/// The body of an answer, within the limits of the client. Errors wrap a [`FetchError`].
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
    /// When the system refuses what waiting needs.
    pub fn new(client: Client) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self {
            client,
            runtime: Mutex::new(runtime),
        })
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn send(&self, request: Request) -> Result<BlockingResponse<'_>, FetchError> {
        let answer = self.wait(self.client.send(request))?;
        Ok(BlockingResponse {
            status: answer.status,
            headers: answer.headers,
            url: answer.url,
            body: BlockingBody {
                body: answer.body,
                chunk: Bytes::new(),
                owner: self,
            },
        })
    }

    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        // A panic elsewhere leaves the runtime as it was.
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
