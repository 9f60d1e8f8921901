//! A server that runs during a test.
#![allow(dead_code, reason = "every test uses some of it")]

use std::net::SocketAddr;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use svc_server::{BodyRouter, Limits, Responder, Server, Tls};
use svc_test_support::log::LogCapture;
use tokio::sync::oneshot;

/// A server on its own port; it stops when the value is dropped.
pub(crate) struct RunningServer {
    pub(crate) addr: SocketAddr,
    pub(crate) log: LogCapture,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The default limits, without waiting for the last connections.
pub(crate) fn limits() -> Limits {
    Limits {
        drain: Duration::from_secs(1),
        ..Limits::default()
    }
}

impl RunningServer {
    pub(crate) fn start(limits: Limits, responder: Responder, posts: Option<BodyRouter>) -> Self {
        Self::start_with(limits, responder, |server| match posts {
            Some(posts) => server.with_body_router(posts),
            None => server,
        })
    }

    pub(crate) fn start_encrypted(limits: Limits, responder: Responder, tls: Tls) -> Self {
        Self::start_with(limits, responder, |server| server.with_tls(Some(tls)))
    }

    fn start_with(
        limits: Limits,
        responder: Responder,
        configure: impl FnOnce(Server) -> Server + Send + 'static,
    ) -> Self {
        let (stop, shutdown) = oneshot::channel();
        let (send, receive) = channel();
        let log = LogCapture::default();
        let captured = log.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .thread_stack_size(8 << 20)
                .enable_all()
                .on_thread_start(move || captured.enter_thread())
                .build()
                .unwrap();
            runtime.block_on(async {
                let any = ([127, 0, 0, 1], 0).into();
                let server = Server::bind(any, limits).await.unwrap();
                send.send(server.local_addr().unwrap()).unwrap();
                let server = configure(server);
                let stop = async {
                    let _ = shutdown.await;
                };
                server.run(responder, stop).await;
            });
        });
        Self {
            addr: receive.recv().unwrap(),
            log,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// A server of another process, which is not stopped here.
    pub(crate) fn elsewhere(addr: SocketAddr) -> Self {
        Self {
            addr,
            log: LogCapture::default(),
            stop: None,
            thread: None,
        }
    }

    /// Signals the server to stop without waiting.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until the server has stopped.
    pub(crate) fn join(&mut self) -> std::thread::Result<()> {
        self.thread.take().map_or(Ok(()), JoinHandle::join)
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.stop();
        let _ = self.join();
    }
}
