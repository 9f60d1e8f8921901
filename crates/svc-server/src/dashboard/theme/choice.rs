//! Choice of the color theme.

use bytes::Bytes;
use http::Response;
use svc_admin_api::{Deployments, Store};

use super::{COOKIE, Theme};
use crate::dashboard::page_request::PageRequest;
use crate::dashboard::refusal::Refusal;
use crate::dashboard::{page, route, session};

/// Lifetime of the cookie in seconds.
const COOKIE_TTL: i64 = 365 * 86_400;

/// `POST /theme`.
pub(crate) fn choose<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let theme = Theme::parse(visit.form.text("theme")).ok_or(Refusal::NotFound)?;
    let mut response = page::redirect(route::safe_return_path(visit.form.text("to")))?;
    let (name, origin) = (theme.name().to_owned(), visit.dashboard.origin);
    let cookie = session::set_cookie(COOKIE, name, origin, COOKIE_TTL)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}
