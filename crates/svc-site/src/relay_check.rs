//! Check of relayed requests against the operation that a page documents.

use svc_config::PlaygroundDisplay;
use svc_openapi::request::{PermitError, RequestTarget, permits, permitted_headers};

use crate::Site;

/// Why a request is not a call of the operation of a page. The messages are shown to the reader who
/// sends it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RelayRejection {
    /// The page does not exist or documents no operation.
    #[error("the page `{0}` documents no operation")]
    Page(String),
    /// The playground of the page does not send requests.
    #[error("the page `{0}` has no playground that sends requests")]
    Disabled(String),
    /// The operation has another method.
    #[error("the operation on this page does not have the method {0}")]
    Method(String),
    /// The target is not a server of the operation.
    #[error("`{0}` is not a server of the operation on this page")]
    Server(String),
    /// The path does not match the path of the operation.
    #[error("the path does not match the operation on this page")]
    Path,
    /// The operation does not declare the header.
    #[error("the operation on this page does not declare the header `{0}`")]
    Header(String),
}

impl Site {
    /// Checks that a request is a call of the operation that the page at a canonical path
    /// documents. `headers` are the lower-case names of its headers.
    ///
    /// # Errors
    /// The first property of the request that does not match.
    pub fn check_relay<'n>(
        &self,
        page: &str,
        target: &RequestTarget<'_>,
        headers: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), RelayRejection> {
        let unknown = || RelayRejection::Page(page.chars().take(200).collect());
        let route = self.open_route(page).ok_or_else(unknown)?;
        // A playground with `auth` is not interactive yet, also for readers who have signed in.
        let display = svc_render::playground_display(&self.context(), route);
        if display != PlaygroundDisplay::Interactive {
            return Err(RelayRejection::Disabled(route.path.clone()));
        }
        let endpoint = self.endpoint(route).ok_or_else(unknown)?;
        let (document, operation) = endpoint.parts().ok_or_else(unknown)?;
        permits(document, operation, target).map_err(|reason| match reason {
            PermitError::Method => RelayRejection::Method(target.method.to_owned()),
            PermitError::Server => RelayRejection::Server(target.host.to_owned()),
            PermitError::Path => RelayRejection::Path,
        })?;
        let allowed = permitted_headers(document, operation);
        match headers.into_iter().find(|name| !allowed.contains(*name)) {
            Some(name) => Err(RelayRejection::Header(name.to_owned())),
            None => Ok(()),
        }
    }
}
