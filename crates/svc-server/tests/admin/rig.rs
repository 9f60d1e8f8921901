//! An administration on its own port, and a client with byte-level control.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use svc_admin_api::agent_job::Repository;
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::deployment::Progress;
use svc_admin_api::key::{Key, Network, NewKey, create_key, revoke_key};
use svc_admin_api::project::{AgentSource, ProjectRecord, ProjectStore as _};
use svc_admin_api::{
    Change, Clock as _, DeployError, DeployTarget, DeploymentHandle, DeploymentStatus,
    DeploymentSummary, Deployments, MemoryStore, ProjectId, RateLimiter, RateLimits, StatusId,
    Timestamp,
};
use svc_server::{
    Administration, AdministrationOptions, Reply, Responder, Response, SystemClock, SystemRandom,
};
use svc_test_support::log::LogCapture;

use crate::serving::{RunningServer, limits};

/// Deployments that never finish.
#[derive(Debug, Default)]
pub(crate) struct ScriptedDeployments(Mutex<Vec<DeploymentStatus>>);

impl Deployments for ScriptedDeployments {
    async fn trigger(
        &self,
        project: &ProjectId,
        target: &DeployTarget,
        _: &Actor,
    ) -> Result<DeploymentHandle, DeployError> {
        let mut list = self.0.lock().unwrap();
        let id = StatusId::parse(&format!("deployment-{}", list.len())).unwrap();
        let preview_url = match target {
            DeployTarget::Site => None,
            DeployTarget::Preview(branch) => Some(format!("https://{project}.example/{branch}")),
        };
        list.push(DeploymentStatus {
            id: id.clone(),
            project_id: project.clone(),
            created_at: Timestamp::from_millis(0),
            ended_at: None,
            status: Progress::Queued,
            summary: "waiting".to_owned(),
            logs: Vec::new(),
            source: "api".to_owned(),
            commit: None,
            author: None,
            preview_url: preview_url.clone(),
        });
        Ok(DeploymentHandle { id, preview_url })
    }

    async fn status(&self, id: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        let list = self.0.lock().unwrap();
        Ok(list.iter().find(|item| item.id == *id).cloned())
    }

    async fn list(&self, _: &ProjectId, _: usize) -> Result<Vec<DeploymentSummary>, DeployError> {
        Ok(Vec::new())
    }

    async fn roll_back(
        &self,
        _: &ProjectId,
        _: &StatusId,
    ) -> Result<DeploymentHandle, DeployError> {
        Err(DeployError::UnknownProject)
    }
}

/// A running administration.
pub(crate) struct Harness {
    pub(crate) administration: Administration<MemoryStore, ScriptedDeployments>,
    serving: RunningServer,
    counts: RateLimiter,
    pub(crate) log: LogCapture,
}

pub(crate) static SHELL: Initiator = Initiator {
    actor: Actor::Cli,
    from: None,
};

impl Harness {
    pub(crate) fn new() -> Self {
        Self::with(AdministrationOptions {
            rates: RateLimits::UNLIMITED,
            ..AdministrationOptions::default()
        })
    }

    pub(crate) fn with(options: AdministrationOptions) -> Self {
        let administration = Administration::new(
            MemoryStore::default(),
            ScriptedDeployments::default(),
            options,
        );
        let never: Responder = Arc::new(|_: &http::request::Parts| {
            Reply::Ready(Response::new(svc_server::Body::empty()))
        });
        let serving = RunningServer::start(limits(), never, Some(administration.body_router()));
        Self {
            administration,
            log: serving.log.clone(),
            serving,
            counts: RateLimiter::new(RateLimits::UNLIMITED),
        }
    }

    pub(crate) fn url(&self) -> SocketAddr {
        self.serving.addr
    }

    pub(crate) fn project(&self, id: &str) {
        let id = ProjectId::parse(id).unwrap();
        let repository = Repository::try_from(format!("https://git.example/{id}.git")).unwrap();
        let now = SystemClock::default().now();
        let project = ProjectRecord {
            id: id.clone(),
            name: id.to_string(),
            agent: Some(AgentSource {
                repository,
                branch: None,
                model: "small".to_owned(),
            }),
            created_at: now,
        };
        let change = Change::new(&SHELL, now, &id, "putProject", None);
        let store = self.administration.store();
        block_on(store.put_project(&project, &change)).unwrap();
    }

    /// Creates a key.
    pub(crate) fn make(&self, new: &NewKey) -> (Key, String) {
        let clock = SystemClock::default();
        let store = self.administration.store();
        let result = create_key(store, &clock, &SystemRandom, &self.counts, &SHELL, new);
        let (key, secret) = block_on(result).unwrap();
        (key, secret.reveal().to_owned())
    }

    /// Creates a key with all permissions for a project.
    pub(crate) fn key(&self, project: &str) -> String {
        self.make(&wish(project)).1
    }

    pub(crate) fn revoke(&self, key: &Key) {
        let store = self.administration.store();
        let clock = SystemClock::default();
        let result = revoke_key(store, &clock, &SHELL, &key.project, &key.id);
        assert!(block_on(result).unwrap());
    }

    /// Sends a request on a new connection.
    pub(crate) fn send(&self, line: &str, headers: &[u8], body: &[u8]) -> TestResponse {
        Client::new(self.url()).send(line, headers, body)
    }

    /// Sends a request with a key, and a JSON body unless it is empty.
    pub(crate) fn call(&self, key: &str, line: &str, body: &str) -> TestResponse {
        Client::new(self.url()).call(key, line, body)
    }
}

/// Parameters of a key with all permissions.
pub(crate) fn wish(project: &str) -> NewKey {
    NewKey {
        project: ProjectId::parse(project).unwrap(),
        name: "test".to_owned(),
        scopes: vec!["read".to_owned(), "write".to_owned()],
        networks: Vec::new(),
        expires_at: None,
    }
}

pub(crate) fn network(text: &str) -> Network {
    Network::parse(text).unwrap()
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    /// All headers except the date and the request ID.
    pub(crate) headers: Vec<String>,
    pub(crate) request_id: String,
    /// First `Set-Cookie` header.
    pub(crate) cookie: String,
    /// All `Set-Cookie` headers.
    pub(crate) cookies: Vec<String>,
    /// `Location` header.
    pub(crate) location: String,
    pub(crate) body: Vec<u8>,
}

impl TestResponse {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Value of a header; empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut lines = self.headers.iter();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.unwrap_or_default()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn has(&self, header: &str) -> bool {
        self.headers.iter().any(|line| line.starts_with(header))
    }
}

/// Reads again after a signal, such as that of a child process that ended.
fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A connection.
pub(crate) struct Client {
    addr: SocketAddr,
    socket: Option<TcpStream>,
}

impl Client {
    pub(crate) fn new(addr: SocketAddr) -> Self {
        Self { addr, socket: None }
    }

    pub(crate) fn call(&mut self, key: &str, line: &str, body: &str) -> TestResponse {
        self.try_call(key, line, body).unwrap()
    }

    /// Like `call`, for a server that may stop.
    pub(crate) fn try_call(
        &mut self,
        key: &str,
        line: &str,
        body: &str,
    ) -> io::Result<TestResponse> {
        let mut headers = format!("authorization: Bearer {key}\r\n");
        if !body.is_empty() {
            headers.push_str("content-type: application/json\r\n");
        }
        self.try_send(line, headers.as_bytes(), body.as_bytes())
    }

    pub(crate) fn send(&mut self, line: &str, headers: &[u8], body: &[u8]) -> TestResponse {
        self.try_send(line, headers, body).unwrap()
    }

    pub(crate) fn try_send(
        &mut self,
        line: &str,
        headers: &[u8],
        body: &[u8],
    ) -> io::Result<TestResponse> {
        let mut bytes = format!("{line} HTTP/1.1\r\nhost: admin.example\r\n").into_bytes();
        bytes.extend_from_slice(headers);
        if !body.is_empty() {
            bytes.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body);
        self.try_raw(&bytes, line.starts_with("HEAD"))
    }

    /// Sends bytes and reads one response.
    pub(crate) fn raw(&mut self, bytes: &[u8], head: bool) -> TestResponse {
        self.try_raw(bytes, head).unwrap()
    }

    /// Like [`raw`](Self::raw), for a server that may stop.
    pub(crate) fn try_raw(&mut self, bytes: &[u8], head: bool) -> io::Result<TestResponse> {
        let eof = |label: &str| io::Error::new(io::ErrorKind::UnexpectedEof, label.to_owned());
        let mut socket = match self.socket.take() {
            Some(socket) => socket,
            None => {
                let socket = TcpStream::connect(self.addr)?;
                socket.set_nodelay(true)?;
                socket
            }
        };
        let timeout = Some(Duration::from_secs(20));
        socket.set_read_timeout(timeout)?;
        // A server that rejects a request early need not read it completely.
        let _ = socket.write_all(bytes);
        let mut read = Vec::new();
        let mut buffer = [0; 16_384];
        let end = loop {
            if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            let count = retry(|| socket.read(&mut buffer))?;
            if count == 0 {
                return Err(eof(&format!(
                    "no answer: {}",
                    String::from_utf8_lossy(&read)
                )));
            }
            read.extend_from_slice(&buffer[..count]);
        };
        let written = String::from_utf8(read[..end].to_vec()).unwrap();
        let text = written.to_ascii_lowercase();
        let as_written = |expected: &'static str| {
            written.lines().filter_map(move |line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case(expected).then_some(value)
            })
        };
        let location = as_written("location").next().unwrap_or_default().to_owned();
        let cookies = as_written("set-cookie").filter_map(|cookie| cookie.split(';').next());
        let cookies: Vec<String> = cookies.map(str::to_owned).collect();
        let cookie = cookies.first().cloned().unwrap_or_default();
        let mut lines = text.trim_end().lines();
        let status = lines
            .next()
            .unwrap()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let value = |name: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix(name));
            value.unwrap_or_default().trim().to_owned()
        };
        let length = if head {
            0
        } else {
            value("content-length:").parse().unwrap_or(0)
        };
        let mut body = read[end..].to_vec();
        while body.len() < length {
            let count = retry(|| socket.read(&mut buffer))?;
            if count == 0 {
                return Err(eof("the answer broke off"));
            }
            body.extend_from_slice(&buffer[..count]);
        }
        if value("connection:") != "close" {
            self.socket = Some(socket);
        }
        let request_id = value("x-request-id:");
        let changing =
            |line: &&str| !line.starts_with("date:") && !line.starts_with("x-request-id:");
        Ok(TestResponse {
            status,
            headers: lines.filter(changing).map(str::to_owned).collect(),
            request_id,
            cookie,
            cookies,
            location,
            body,
        })
    }
}

/// Runs a future that is always ready.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}
