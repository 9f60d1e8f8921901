//! State of the dashboard, shared by all requests and of one request.

use std::fmt;
use std::sync::Arc;

use svc_admin_api::Context;

use super::login_throttle::LoginThrottle;
use super::password::PasswordChecker;
use crate::oidc::OidcClient;
use crate::settings::OidcSettings;

/// State of the dashboard that is shared by all requests.
#[derive(Debug, Default)]
pub struct AuthState {
    pub(super) throttle: LoginThrottle,
    pub(super) checker: PasswordChecker,
    pub(super) oidc: Option<SignInService>,
}

impl AuthState {
    /// Creates the state, with an OpenID Connect provider if one is configured.
    pub fn new(service: Option<OidcSettings>) -> Self {
        Self {
            oidc: service.map(SignInService::new),
            ..Self::default()
        }
    }
}

/// An OpenID Connect provider, and the users of it who are administrators.
#[derive(Debug)]
pub(super) struct SignInService {
    pub(super) settings: OidcSettings,
    pub(super) client: OidcClient,
}

impl SignInService {
    fn new(settings: OidcSettings) -> Self {
        Self {
            client: OidcClient::new(settings.provider.clone(), Arc::default()),
            settings,
        }
    }

    /// Label of the sign-in button.
    pub(super) fn name(&self) -> &str {
        &self.settings.provider.name
    }
}

/// The dashboard for one request.
#[derive(Clone, Copy)]
pub struct Dashboard<'a, S, D> {
    /// Dependencies and client of the request.
    pub context: Context<'a, S, D>,
    /// Public origin, such as `https://admin.example`.
    pub origin: &'a str,
    /// State that is shared by all requests.
    pub auth: &'a AuthState,
}

impl<S, D> fmt::Debug for Dashboard<'_, S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dashboard")
            .field("context", &self.context)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
