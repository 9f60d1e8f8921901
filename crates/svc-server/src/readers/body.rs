//! Bodies of forms.

use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Bytes, Incoming};

/// Time in which a form must arrive.
const FORM_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads a form; `None` if it is larger than `max_bytes` or does not arrive in time.
pub(super) async fn read_form(body: Incoming, max_bytes: usize) -> Option<Bytes> {
    let body = Limited::new(body, max_bytes).collect();
    match tokio::time::timeout(FORM_TIMEOUT, body).await {
        Ok(Ok(body)) => Some(body.to_bytes()),
        _ => None,
    }
}
