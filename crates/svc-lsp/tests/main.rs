//! Conversations with clients, from data files.
#![expect(clippy::unwrap_used, reason = "tests")]

mod client;
mod conversations;
mod recordings;
mod subset;
