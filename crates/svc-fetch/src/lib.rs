//! The guarded HTTP client for all outgoing requests.
//!
//! A server that sends requests to URLs from its input (servers of an OpenAPI document, a remote
//! document, a redirect) must not reach hosts that only the server can reach (SSRF). A [`Client`]
//! therefore resolves a name once, rejects every IP address that is not public unicast unless the
//! operator's [`Policy`] allows it, and connects to exactly the address that was checked. Each
//! redirect is checked in the same manner. [`FetchLimits`] bound time, redirects and the size of a
//! body, counted after decompression. There is no connection pool, no proxy and no cookie: requests
//! are independent of each other.
//!
//! ```
//! # async fn example() -> Result<(), svc_fetch::FetchError> {
//! use svc_fetch::{Client, FetchLimits, Policy, Request, parse_url};
//! let client = Client::new(Policy::default(), FetchLimits::default());
//! let url = parse_url("https://example.com/openapi.json")?;
//! let response = client.send(Request::get(url)).await?;
//! if response.status.is_success() {
//!     let bytes = response.body.bytes().await?;
//!     println!("{} bytes", bytes.len());
//! }
//! # Ok(())
//! # }
//! ```

mod blocking;
mod body;
mod client;
mod conditional;
mod connect;
mod decode;
mod error;
mod limits;
mod network;
mod policy;
mod ports;
mod request;
mod resolve;
mod statistics;
mod tls;

pub use blocking::{BlockingBody, BlockingClient, BlockingResponse};
pub use body::ResponseBody;
pub use client::{Client, Response};
pub use conditional::{ConditionalResponse, Validators};
pub use error::FetchError;
pub use limits::FetchLimits;
pub use network::{Network, special_purpose};
pub use policy::{ParsePolicyError, Policy};
pub use request::{BodyError, Request, RequestBody, parse_url};
pub use resolve::{Resolver, SystemResolver};
pub use statistics::{FetchCounters, FetchStatistics};
pub use url::Url;
