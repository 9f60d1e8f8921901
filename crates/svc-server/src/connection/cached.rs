//! Requests of HTTP/1.1 whose response is cached.

use std::io;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use hyper::body::Buf as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};

use super::prefixed_stream::PrefixedStream;
use crate::log::{AccessLine, is_access_log_enabled, is_request_span_enabled};
use crate::request_id::REQUEST_ID;
use crate::response_cache::RequestHead;
use crate::service::Connection;

/// Responds to the request with which a stream begins. Returns `false` without a cached response;
/// the request is then still to be read.
pub(super) async fn respond<S>(
    stream: &mut PrefixedStream<S>,
    service: &Connection,
) -> io::Result<bool>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let begin = Instant::now();
    let handlers = &service.handlers;
    let Some(request) = RequestHead::parse(stream.prefix()) else {
        return Ok(false);
    };
    // A span records more than is known here.
    if is_request_span_enabled() {
        return Ok(false);
    }
    let Some(response) = handlers.responses.get(&request) else {
        return Ok(false);
    };
    // If the client has too many requests, the next one waits.
    let Some(_permit) = handlers.in_flight.try_enter(service.peer) else {
        return Ok(false);
    };
    let _open = service.begin_request();
    let mut head = Vec::with_capacity(response.head.len() + 128);
    head.extend_from_slice(&response.head);
    let date = httpdate::fmt_http_date(SystemTime::now());
    add_header(&mut head, "date", &date);
    let is_logged = is_access_log_enabled();
    let id = is_logged.then(|| handlers.ids.next().to_string());
    if let Some(id) = &id {
        add_header(&mut head, REQUEST_ID.as_str(), id);
    }
    head.extend_from_slice(b"\r\n");
    let duration = begin.elapsed();
    if is_logged {
        let line = AccessLine {
            method: "GET",
            host: request.host,
            path: request.target.split('?').next().unwrap_or_default(),
            project: response.project.as_deref(),
            status: http::StatusCode::OK,
            duration,
            bytes: Some(response.body.len() as u64),
            id: id.as_deref(),
        };
        line.log();
    }
    let counters = Some(Arc::clone(&response.counters));
    let counters =
        (handlers.metrics).record(response.class, http::StatusCode::OK, counters, duration);
    counters.sent(response.body.len());
    let length = request.length;
    stream.skip(length);
    stream
        .write_all_buf(&mut (&*head).chain(&*response.body))
        .await?;
    stream.flush().await?;
    Ok(true)
}

fn add_header(head: &mut Vec<u8>, name: &str, value: &str) {
    for part in [name, ": ", value, "\r\n"] {
        head.extend_from_slice(part.as_bytes());
    }
}
