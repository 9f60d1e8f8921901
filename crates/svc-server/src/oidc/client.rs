//! The authorization code flow with PKCE, `state` and `nonce`.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreGenderClaim, CoreIdToken,
    CoreJsonWebKey,
};
use openidconnect::{
    AccessToken, AdditionalClaims, AuthorizationCode, ClaimsVerificationError, ClientId,
    ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, Nonce,
    OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    SubjectIdentifier, TokenResponse as _, UserInfoClaims,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_fetch::FetchCounters;
use url::Url;

use super::fetch::HttpFetcher;
use super::jws::ALGORITHMS;
use super::metadata::{self, Metadata, MetadataCache};
use crate::settings::OidcProvider;

/// A client whose endpoints are from the metadata of the provider.
type DiscoveredClient = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// Why a sign-in failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OidcError {
    /// The provider or its metadata cannot be reached.
    #[error("the metadata of the provider cannot be fetched, or is not valid")]
    Unavailable,
    /// The response is from another provider.
    #[error("the response is from another provider than the one that was asked")]
    Issuer,
    /// The provider does not accept the code.
    #[error("the provider did not exchange the code")]
    Code,
    /// The ID token is not valid.
    #[error("the ID token of the provider is not valid")]
    IdToken,
    /// The userinfo endpoint returned an invalid response.
    #[error("the userinfo endpoint of the provider returned an invalid response")]
    UserInfo,
}

/// Secrets that connect the steps of one sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignInSecrets {
    pub(crate) state: String,
    pub(crate) nonce: String,
    /// Code verifier of PKCE.
    pub(crate) verifier: String,
}

/// A request to the authorization endpoint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Authorization<'a> {
    pub(crate) redirect_url: &'a str,
    pub(crate) secrets: &'a SignInSecrets,
    /// Scopes in addition to `openid`.
    pub(crate) scopes: &'a [String],
    /// Whether the provider may show nothing (`prompt=none`).
    pub(crate) is_silent: bool,
}

/// A user of the provider.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// Claims of the ID token.
    pub(crate) claims: Map<String, Value>,
    access_token: AccessToken,
    subject: SubjectIdentifier,
}

/// All claims of a userinfo response that are not standard claims.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OtherClaims {
    #[serde(flatten)]
    claims: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

/// A provider and its cached metadata.
#[derive(Debug)]
pub(crate) struct OidcClient {
    provider: OidcProvider,
    fetch: HttpFetcher,
    metadata: MetadataCache,
}

impl OidcClient {
    pub(crate) fn new(provider: OidcProvider, fetches: Arc<FetchCounters>) -> Self {
        Self {
            fetch: HttpFetcher::new(&provider.issuer, fetches),
            metadata: MetadataCache::default(),
            provider,
        }
    }

    /// URL of the authorization endpoint with all parameters. `now` is the time of a clock.
    ///
    /// # Errors
    /// If the provider cannot be reached.
    pub(crate) async fn authorization_url(
        &self,
        request: Authorization<'_>,
        now: Duration,
    ) -> Result<Url, OidcError> {
        let metadata = self.metadata(now, false).await?;
        let client = self.client(metadata, request.redirect_url)?;
        let SignInSecrets {
            state,
            nonce,
            verifier,
        } = request.secrets.clone();
        let verifier = PkceCodeVerifier::new(verifier);
        let mut url = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .add_scopes(request.scopes.iter().cloned().map(Scope::new))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        if request.is_silent {
            url = url.add_prompt(CoreAuthPrompt::None);
        }
        Ok(url.url().0)
    }

    /// Checks the `iss` parameter of a response of the authorization endpoint (RFC 9207).
    ///
    /// # Errors
    /// If the response is from another provider, or the provider cannot be reached.
    pub(crate) async fn check_issuer(
        &self,
        issuer: Option<&str>,
        now: Duration,
    ) -> Result<(), OidcError> {
        let metadata = self.metadata(now, false).await?;
        match metadata::is_from(&metadata, issuer) {
            true => Ok(()),
            false => Err(OidcError::Issuer),
        }
    }

    /// Exchanges a code for the identity of the user. `time` is the wall-clock time.
    ///
    /// # Errors
    /// If the provider does not accept the code, or its response is not valid.
    pub(crate) async fn exchange(
        &self,
        code: &str,
        secrets: &SignInSecrets,
        redirect_url: &str,
        (now, time): (Duration, SystemTime),
    ) -> Result<Identity, OidcError> {
        let metadata = self.metadata(now, false).await?;
        let client = self.client(metadata, redirect_url)?;
        let tokens = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|_| OidcError::Unavailable)?
            .set_pkce_verifier(PkceCodeVerifier::new(secrets.verifier.clone()))
            .request_async(&self.fetch)
            .await
            .map_err(|_| OidcError::Code)?;
        let token = tokens.id_token().ok_or(OidcError::IdToken)?;
        let nonce = Nonce::new(secrets.nonce.clone());
        let subject = match verify(&client, token, &nonce, time) {
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                // The provider may have a new key.
                let metadata = self.metadata(now, true).await?;
                let client = self.client(metadata, redirect_url)?;
                verify(&client, token, &nonce, time)
            }
            result => result,
        };
        Ok(Identity {
            claims: payload(token).ok_or(OidcError::IdToken)?,
            access_token: tokens.access_token().clone(),
            subject: subject.map_err(|_| OidcError::IdToken)?,
        })
    }

    /// Claims of the userinfo endpoint about a user; empty if the provider has no such endpoint.
    ///
    /// # Errors
    /// If the response is not valid, or about another user.
    pub(crate) async fn user_info(
        &self,
        identity: &Identity,
        now: Duration,
    ) -> Result<Map<String, Value>, OidcError> {
        let metadata = self.metadata(now, false).await?;
        if metadata.userinfo_endpoint().is_none() {
            return Ok(Map::new());
        }
        let client = self.client(metadata, "")?;
        let token = identity.access_token.clone();
        let request = client
            .user_info(token, Some(identity.subject.clone()))
            .map_err(|_| OidcError::UserInfo)?;
        let claims: UserInfoClaims<OtherClaims, CoreGenderClaim> = request
            .request_async(&self.fetch)
            .await
            .map_err(|_| OidcError::UserInfo)?;
        match serde_json::to_value(&claims) {
            Ok(Value::Object(claims)) => Ok(claims),
            _ => Err(OidcError::UserInfo),
        }
    }

    /// Keys with which the provider signs tokens. With `refresh`, they are fetched again if they
    /// are not recent.
    ///
    /// # Errors
    /// If the provider cannot be reached.
    pub(crate) async fn keys(
        &self,
        now: Duration,
        refresh: bool,
    ) -> Result<Vec<CoreJsonWebKey>, OidcError> {
        let metadata = self.metadata(now, refresh).await?;
        Ok(metadata.jwks().keys().clone())
    }

    async fn metadata(&self, now: Duration, refresh: bool) -> Result<Metadata, OidcError> {
        let issuer = &self.provider.issuer;
        self.metadata.get(issuer, &self.fetch, now, refresh).await
    }

    fn client(
        &self,
        metadata: Metadata,
        redirect_url: &str,
    ) -> Result<DiscoveredClient, OidcError> {
        let auth_type = metadata::auth_type(&metadata);
        let secret = self.provider.client_secret.reveal().to_owned();
        let client = CoreClient::from_provider_metadata(
            metadata,
            ClientId::new(self.provider.client_id.clone()),
            Some(ClientSecret::new(secret)),
        )
        .set_auth_type(auth_type);
        if redirect_url.is_empty() {
            return Ok(client);
        }
        let url = RedirectUrl::new(redirect_url.to_owned());
        Ok(client.set_redirect_uri(url.map_err(|_| OidcError::Unavailable)?))
    }
}

/// Verifies signature, issuer, audience, nonce and times of an ID token. Returns its subject.
fn verify(
    client: &DiscoveredClient,
    token: &CoreIdToken,
    nonce: &Nonce,
    time: SystemTime,
) -> Result<SubjectIdentifier, ClaimsVerificationError> {
    let verifier = client
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_time_fn(move || time.into());
    let claims = token.claims(&verifier, nonce)?;
    Ok(claims.subject().clone())
}

/// All claims of a token: the library keeps only those that it knows.
fn payload(token: &CoreIdToken) -> Option<Map<String, Value>> {
    let text = token.to_string();
    let payload = URL_SAFE_NO_PAD.decode(text.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&payload).ok()
}
