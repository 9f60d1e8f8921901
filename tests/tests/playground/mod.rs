//! The playground, driven by a browser against an API that records its requests.

mod dialog;
mod fields;
pub(crate) mod play;
mod responses;
mod security;
