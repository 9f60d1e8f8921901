//! `svc dev` in a test: a watched directory behind a TCP socket.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::thread::{self, JoinHandle};

use svc_server::{AllowedHosts, Limits, RemoteDocumentOptions, RunOptions, prepare, run_site};
use svc_site::{LoadOptions, SiteOptions};
use tokio::sync::oneshot;

/// A preview on a free port of the loopback interface; it stops when this is dropped.
#[derive(Debug)]
pub struct Preview {
    /// Address it listens on.
    pub addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Previews a directory.
///
/// # Errors
/// Fails if the directory cannot be read or no port is free.
pub fn start(root: &Path) -> io::Result<Preview> {
    start_at(root, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
}

/// Previews a directory at an address.
///
/// # Errors
/// Fails if the directory cannot be read or the address is in use.
pub fn start_at(root: &Path, addr: SocketAddr) -> io::Result<Preview> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Pages are rendered on the blocking threads, and they nest.
        .thread_stack_size(8 << 20)
        .build()?;
    let options = RunOptions {
        root: root.to_owned(),
        load: LoadOptions::from(SiteOptions {
            dev: true,
            ..SiteOptions::default()
        }),
        limits: Limits::default(),
        hosts: AllowedHosts::default(),
        watch: true,
        relay: None,
        github: None,
        remote_documents: RemoteDocumentOptions::default(),
        editor_url: Some("vscode://file/docs/{file}:{line}:{column}".to_owned()),
    };
    let prepared = runtime.block_on(prepare(&options, &[addr]))?;
    let addr = prepared.server.local_addr()?;
    let (stop, shutdown) = oneshot::channel::<()>();
    let run = async move {
        let wait = async move {
            // A dropped sender also stops the server.
            let _ = shutdown.await;
        };
        run_site(prepared, options, wait).await;
    };
    let thread = thread::Builder::new()
        .name("preview".into())
        .spawn(move || runtime.block_on(run))?;
    Ok(Preview {
        addr,
        stop: Some(stop),
        thread: Some(thread),
    })
}

impl Drop for Preview {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread has printed a panic of the server already.
            let _ = thread.join();
        }
    }
}
