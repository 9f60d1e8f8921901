//! Local control of a running server: HTTP and JSON over a Unix socket in the data directory, which
//! only the user of the server can open.
//!
//! | request | response |
//! |---|---|
//! | `GET /projects` | all projects with their live and newest deployments and their previews |
//! | `GET /deployments?project=ID` | deployments, the newest first |
//! | `GET /deployments/ID` | a deployment with its log and diagnostics |
//! | `POST /deployments` | deploys all projects |
//! | `POST /projects/ID/deployments` `{"branch": …}` | deploys a project |
//! | `POST /projects/ID/previews` `{"branch": …}` | deploys a branch as a preview |
//! | `POST /projects/ID/rollback` `{"deployment": …}` | rolls back to a given or the previous one |

mod client;
mod handler;

use std::convert::Infallible;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use http::{Request, Response};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::UnixListener;

use crate::Webhooks;
use crate::deploy::Deployer;

pub use client::{ControlError, request_server};
use handler::ControlContext;

/// Maximum size of a request in bytes.
const MAX_REQUEST_BYTES: usize = 64 << 10;
/// Timeout for receiving a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Path of the control socket in a data directory.
pub fn socket_path(data: &Path) -> PathBuf {
    data.join("control.sock")
}

/// The bound control socket of a server.
#[derive(Debug)]
pub(crate) struct Control {
    listener: UnixListener,
    path: PathBuf,
    context: ControlContext,
}

impl Control {
    /// Binds the socket. The caller holds the lock of the data directory, so an existing socket is
    /// stale.
    pub(crate) fn open(data: &Path, deployer: Deployer, webhooks: Webhooks) -> io::Result<Self> {
        let path = socket_path(data);
        // Created under a temporary name, so that its permissions are set before it is visible.
        let temporary = path.with_extension("new");
        let _ = fs::remove_file(&temporary);
        let listener = UnixListener::bind(&temporary).map_err(|error| {
            let reason = format!("cannot create the control socket: {error}");
            io::Error::new(error.kind(), reason)
        })?;
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o600))?;
        fs::rename(&temporary, &path)?;
        Ok(Self {
            listener,
            path,
            context: ControlContext { deployer, webhooks },
        })
    }

    /// Serves requests until it is dropped.
    pub(crate) async fn run(self) {
        loop {
            let Ok((socket, _)) = self.listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let context = self.context.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| serve(context.clone(), request));
                // An error was caused by the client.
                let _ = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(REQUEST_TIMEOUT)
                    .serve_connection(TokioIo::new(socket), service)
                    .await;
            });
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

async fn serve(
    context: ControlContext,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = Limited::new(body, MAX_REQUEST_BYTES).collect();
    let body = match tokio::time::timeout(REQUEST_TIMEOUT, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        _ => Bytes::new(),
    };
    let task = move || handler::handle(&context, &parts, &body);
    let (status, value) = tokio::task::spawn_blocking(task)
        .await
        .unwrap_or_else(|_| handler::internal_error());
    let mut response = Response::new(Full::new(Bytes::from(value.to_string())));
    *response.status_mut() = status;
    response.headers_mut().insert(
        http::header::CONTENT_TYPE,
        http::HeaderValue::from_static("application/json"),
    );
    Ok(response)
}
