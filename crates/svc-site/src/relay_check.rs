//! Which requests are calls of the operation that a page documents.

use svc_config::PlaygroundDisplay;
use svc_openapi::request::{PermitError, RequestTarget, permits, permitted_headers};

use crate::Site;

/// Why a request is no call of the operation of a page. The words are for the reader who wants to
/// send it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RelayRejection {
    /// There is no such page, or it documents no operation.
    #[error("the page `{0}` documents no operation")]
    Page(String),
    /// Its playground sends nothing.
    #[error("the page `{0}` has no playground that sends requests")]
    Disabled(String),
    /// Another method.
    #[error("the operation of this page does not have the method {0}")]
    Method(String),
    /// Another server.
    #[error("no published server of this page's operation is at `{0}`")]
    Server(String),
    /// Another path.
    #[error("the path is not the one of this page's operation")]
    Path,
    /// A header that nothing declares.
    #[error("the operation of this page does not name the header `{0}`")]
    Header(String),
}

impl Site {
    /// Whether a request is a call of the operation that the page at a canonical path documents;
    /// `headers` are the names of its headers in lower case.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check_relay<'n>(
        &self,
        page: &str,
        target: &RequestTarget<'_>,
        headers: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), RelayRejection> {
        let unknown = || RelayRejection::Page(page.chars().take(200).collect());
        let route = self.open_route(page).ok_or_else(unknown)?;
        // Nobody can sign in yet, so `auth` is for nobody.
        let display = svc_render::playground_display(&self.context(), route);
        if display != PlaygroundDisplay::Interactive {
            return Err(RelayRejection::Disabled(route.path.clone()));
        }
        let endpoint = self.endpoint(route).ok_or_else(unknown)?;
        let (document, operation) = endpoint.parts().ok_or_else(unknown)?;
        permits(document, operation, target).map_err(|why| match why {
            PermitError::Method => RelayRejection::Method(target.method.to_owned()),
            PermitError::Server => RelayRejection::Server(target.host.to_owned()),
            PermitError::Path => RelayRejection::Path,
        })?;
        let known = permitted_headers(document, operation);
        match headers.into_iter().find(|name| !known.contains(*name)) {
            Some(name) => Err(RelayRejection::Header(name.to_owned())),
            None => Ok(()),
        }
    }
}
