//! The one guarded HTTP client for everything that leaves the machine.
//!
//! Whoever makes a server send requests to addresses that others name (servers of an OpenAPI
//! document, a hosted document, a redirect) must not reach what only the server can reach. So a
//! [`Client`] resolves a name once, refuses every address that is not public unicast unless the
//! operator's [`Policy`] names it, and connects to exactly the address it has looked at; each
//! redirect begins anew. [`FetchLimits`] bound time, redirects and the size of a body, counted after
//! decompression. There is no pool of connections, no proxy and no cookie: what one request does
//! depends on nothing that was before.
//!
//! ```
//! # async fn example() -> Result<(), svc_fetch::FetchError> {
//! use svc_fetch::{Client, Limits, Policy, Request, address};
//! let client = Client::new(Policy::default(), Limits::default());
//! let answer = client.send(Request::get(parse_url("https://example.com/openapi.json")?)).await?;
//! if answer.status.is_success() {
//!     let bytes = answer.body.bytes().await?;
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
mod tls;

pub use blocking::{BlockingClient, BlockingBody, BlockingResponse};
pub use body::ResponseBody;
pub use client::{Client, Response};
pub use conditional::{ConditionalResponse, Validators};
pub use error::FetchError;
pub use limits::FetchLimits;
pub use network::{Network, special_purpose};
pub use policy::{ParsePolicyError, Policy};
pub use request::{BodyError, Request, RequestBody, parse_url};
pub use resolve::{Resolver, SystemResolver};
pub use url::Url;
