//! A site behind a TCP socket.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use svc_fetch::Policy;
use svc_server::{BodyRouter, Limits, Mcp, McpLimits, Relay, RelayLimits, Server, SiteHandle};
use svc_site::Site;
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

/// Serves a site.
///
/// # Errors
/// Fails if no port is free.
pub fn serve(site: Arc<Site>) -> io::Result<RunningServer> {
    serve_policy(site, None)
}

/// Serves a site with a relay that may reach the given hosts or networks although they are not
/// public: `127.0.0.1:4000`. The site must be loaded with `LoadOptions::relay`, so that its pages
/// use the relay.
///
/// # Errors
/// Fails if no port is free or an entry is not a host.
pub fn serve_with_relay(site: Arc<Site>, allowed: &[&str]) -> io::Result<RunningServer> {
    let policy = Policy::from_rules(allowed).map_err(io::Error::other)?;
    serve_policy(site, Some(policy))
}

fn serve_policy(site: Arc<Site>, relay: Option<Policy>) -> io::Result<RunningServer> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Pages are rendered on the blocking threads, and they nest.
        .thread_stack_size(8 << 20)
        .max_blocking_threads(4)
        .build()?;
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = runtime.block_on(Server::bind(any_port, Limits::default()))?;
    let addr = server.local_addr()?;
    let routes = site.map.routes.values().filter(|route| route.in_navigation);
    let paths = routes.map(|route| route.path.clone()).collect();
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
    let (stop, shutdown) = oneshot::channel();
    let run = async move {
        let wait = async move {
            // A dropped sender also stops the server.
            let _ = shutdown.await;
        };
        server.run(responder, wait).await;
    };
    let thread = thread::Builder::new()
        .name("server".into())
        .spawn(move || runtime.block_on(run))?;
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
