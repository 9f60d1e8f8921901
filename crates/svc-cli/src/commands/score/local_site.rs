//! A site from a folder, served on the loopback interface while it is checked.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use svc_fetch::Url;
use svc_server::{
    AllowedHosts, FetchPolicy, Limits, RemoteDocumentArgs, RunOptions, dates, prepare, run_site,
};
use svc_site::LoadOptions;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The server of a folder.
#[derive(Debug)]
pub(super) struct LocalSite {
    /// URL of the site.
    pub(super) url: Url,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Text of the problems of a site that cannot be served.
pub(super) type FatalProblems = String;

impl LocalSite {
    /// Loads a site and serves it on a free port.
    ///
    /// # Errors
    /// If the folder cannot be read or no port is free.
    pub(super) async fn start(dir: &Path) -> io::Result<Result<Self, FatalProblems>> {
        super::super::site::check_site_dir(dir)?;
        let data = super::super::site::data_dir(dir);
        let mut remote_documents = RemoteDocumentArgs::default().options(data.clone(), false);
        remote_documents.fetch_policy = FetchPolicy::Missing;
        let options = RunOptions {
            root: dir.to_owned(),
            load: LoadOptions {
                last_modified: dates(dir, data.as_deref()),
                ..LoadOptions::default()
            },
            limits: Limits::of_this_process(),
            hosts: AllowedHosts::default(),
            watch: false,
            relay: None,
            github: None,
            remote_documents,
            editor_url: None,
        };
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let prepared = prepare(&options, &[any_port]).await?;
        if prepared.is_fatal() {
            return Ok(Err(prepared.render_text()));
        }
        let base = prepared.site.base_path().to_owned();
        let url = format!("http://{}{base}", prepared.server.local_addr()?);
        let url = svc_fetch::parse_url(&url).map_err(io::Error::other)?;
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(run_site(prepared, options, async {
            // A dropped sender also stops the server.
            let _ = stopped.await;
        }));
        Ok(Ok(Self { url, stop, task }))
    }

    /// Stops the server.
    pub(super) async fn stop(self) {
        drop(self.stop);
        // A panic of the server was logged already.
        let _ = self.task.await;
    }
}
