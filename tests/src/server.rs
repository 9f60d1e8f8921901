//! A site behind a TCP socket.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use svc_fetch::Policy;
use svc_server::{
    AllowedHosts, BodyRouter, FetchPolicy, Limits, Mcp, McpLimits, Relay, RelayLimits,
    RemoteDocumentOptions, RunOptions, Server, SiteHandle,
};
use svc_site::{LoadOptions, Site};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::loaded_site::LoadedSite;

/// A server on a free port of the loopback interface; it stops when this is dropped.
#[derive(Debug)]
pub struct RunningServer {
    /// Address it listens on.
    pub addr: SocketAddr,
    /// All routes of the navigation, in reading order.
    pub paths: Vec<String>,
    /// The site that is served.
    pub site: Arc<Site>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Loads a repository and serves it.
///
/// # Errors
/// Fails if the directory cannot be read or no port is free.
pub fn start(root: &Path) -> io::Result<RunningServer> {
    serve(LoadedSite::load(root)?.site)
}

/// Loads a repository and serves it as `svc serve` does, at loopback names only.
///
/// # Errors
/// Same as [`start`].
pub fn start_program(root: &Path) -> io::Result<RunningServer> {
    svc_site::worker::trust_components();
    let options = RunOptions {
        root: root.to_owned(),
        load: LoadOptions::default(),
        limits: Limits::default(),
        hosts: AllowedHosts::default(),
        watch: false,
        relay: None,
        github: None,
        editor_url: None,
        remote_documents: RemoteDocumentOptions {
            fetch_policy: FetchPolicy::Never,
            ..RemoteDocumentOptions::default()
        },
    };
    let runtime = runtime()?;
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let prepared = runtime.block_on(svc_server::prepare(&options, &[any_port]))?;
    let (addr, site) = (prepared.server.local_addr()?, Arc::clone(&prepared.site));
    let serve = |stop| svc_server::run_site(prepared, options, stop);
    run(runtime, addr, site, serve)
}

/// Serves a site.
///
/// # Errors
/// Fails if no port is free.
pub fn serve(site: Arc<Site>) -> io::Result<RunningServer> {
    serve_policy(site, None, Limits::default())
}

/// Serves a site with a relay that may reach the given hosts or networks although they are not
/// public: `127.0.0.1:4000`. The site must be loaded with `LoadOptions::relay`, so that its pages
/// use the relay.
///
/// # Errors
/// Fails if no port is free or an entry is not a host.
pub fn serve_with_relay(site: Arc<Site>, allowed: &[&str]) -> io::Result<RunningServer> {
    let policy = Policy::from_rules(allowed).map_err(io::Error::other)?;
    serve_policy(site, Some(policy), Limits::default())
}

fn serve_policy(
    site: Arc<Site>,
    relay: Option<Policy>,
    limits: Limits,
) -> io::Result<RunningServer> {
    let runtime = runtime()?;
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = runtime.block_on(Server::bind(any_port, limits))?;
    let addr = server.local_addr()?;
    let current = SiteHandle::new(Arc::clone(&site));
    let relay = Relay::new(current.clone(), relay, RelayLimits::default());
    let mcp = Mcp::new(
        current.clone(),
        McpLimits {
            calls_per_minute: 1_000_000,
            ..McpLimits::default()
        },
    );
    let routers = [relay.body_router(), mcp.body_router()];
    let router: BodyRouter = Arc::new(move |parts| routers.iter().find_map(|one| one(parts)));
    let (server, responder) = (server.with_body_router(router), current.responder());
    run(runtime, addr, site, |stop| server.run(responder, stop))
}

fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Pages are rendered on the blocking threads, and they nest.
        .thread_stack_size(8 << 20)
        .max_blocking_threads(4)
        .build()
}

/// Signal that stops a server.
type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs a server on a thread until the result is dropped.
fn run<F: Future>(
    runtime: Runtime,
    addr: SocketAddr,
    site: Arc<Site>,
    serve: impl FnOnce(Stop) -> F + Send + 'static,
) -> io::Result<RunningServer> {
    let routes = site.map.routes.values().filter(|route| route.in_navigation);
    let paths = routes.map(|route| route.path.clone()).collect();
    let (stop, shutdown) = oneshot::channel();
    let wait: Stop = Box::pin(async move {
        // A dropped sender also stops the server.
        let _: Result<(), _> = shutdown.await;
    });
    let thread = thread::Builder::new()
        .name("server".into())
        .spawn(move || {
            runtime.block_on(serve(wait));
        })?;
    Ok(RunningServer {
        addr,
        paths,
        site,
        stop: Some(stop),
        thread: Some(thread),
    })
}

impl RunningServer {
    /// Returns the URL of a path of the site.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{}", self.addr, self.site.href(path))
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread has printed a panic of the server already.
            let _ = thread.join();
        }
    }
}
