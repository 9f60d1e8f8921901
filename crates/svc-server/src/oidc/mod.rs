//! Client of OpenID Connect providers, for the dashboard and for readers.
//!
//! [`OidcClient`] performs the authorization code flow with PKCE, `state` and `nonce`, and [`jws`]
//! verifies other tokens than ID tokens.

mod client;
mod fetch;
pub(crate) mod jws;
mod metadata;

pub(crate) use client::{Authorization, OidcClient, OidcError, SignInSecrets};
