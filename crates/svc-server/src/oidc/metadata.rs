//! Metadata of a provider, and its cache.

use std::time::Duration;

use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType,
    CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm,
    CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, AuthType, IssuerUrl, ProviderMetadata};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::OidcError;
use super::fetch::HttpFetcher;

/// How long the metadata of a provider is cached.
const METADATA_TTL: Duration = Duration::from_secs(600);
/// How long no other request is sent after one that failed.
const FAILURE_TTL: Duration = Duration::from_secs(5);
/// Minimum age of metadata that is fetched again because a key is missing.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_secs(30);

/// Metadata with [`IssuerParameter`].
pub(super) type Metadata = ProviderMetadata<
    IssuerParameter,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Whether responses of the provider name the issuer (RFC 9207, section 3).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct IssuerParameter {
    #[serde(default)]
    authorization_response_iss_parameter_supported: Option<bool>,
}

impl AdditionalProviderMetadata for IssuerParameter {}

/// Metadata of one provider.
#[derive(Debug, Default)]
pub(super) struct MetadataCache(Mutex<Option<(Duration, Result<Metadata, OidcError>)>>);

impl MetadataCache {
    /// The metadata, cached for ten minutes. `now` is the time of a clock. With `refresh`, newer
    /// metadata is fetched because a key is missing, but not for each request.
    pub(super) async fn get(
        &self,
        issuer: &str,
        fetch: &HttpFetcher,
        now: Duration,
        refresh: bool,
    ) -> Result<Metadata, OidcError> {
        let mut known = self.0.lock().await;
        if let Some((at, metadata)) = known.as_ref() {
            let ttl = match metadata {
                Err(_) => FAILURE_TTL,
                Ok(_) if refresh => MIN_REFRESH_INTERVAL,
                Ok(_) => METADATA_TTL,
            };
            if now.saturating_sub(*at) < ttl {
                return metadata.clone();
            }
        }
        let url = IssuerUrl::new(issuer.to_owned()).map_err(|_| OidcError::Unavailable)?;
        let metadata = Metadata::discover_async(url, fetch).await;
        let metadata = metadata.map_err(|_| OidcError::Unavailable);
        *known = Some((now, metadata.clone()));
        metadata
    }
}

/// Whether an authorization response is from the provider: `issuer` is its `iss` parameter. Without
/// the check, another provider could get the code (RFC 9207).
pub(super) fn is_from(metadata: &Metadata, issuer: Option<&str>) -> bool {
    let has_parameter = metadata
        .additional_metadata()
        .authorization_response_iss_parameter_supported;
    match issuer {
        Some(issuer) => issuer == metadata.issuer().as_str(),
        None => has_parameter != Some(true),
    }
}

/// How the client secret is sent: in the header unless the provider accepts it only in the body.
pub(super) fn auth_type(metadata: &Metadata) -> AuthType {
    let methods = metadata.token_endpoint_auth_methods_supported();
    let has = |method| methods.is_some_and(|methods| methods.contains(&method));
    let only_post = has(CoreClientAuthMethod::ClientSecretPost)
        && !has(CoreClientAuthMethod::ClientSecretBasic);
    match only_post {
        true => AuthType::RequestBody,
        false => AuthType::BasicAuth,
    }
}
