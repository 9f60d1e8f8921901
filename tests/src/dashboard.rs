//! The dashboard over a store in memory: two projects with some history, deployments that a test
//! advances, and a clock that a test sets.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use sha2::{Digest as _, Sha256};
use svc_admin_api::agent_job::{Branch, JobStore as _, Lease, Link, Repository};
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::deployment::{
    Author, CommitInfo, DeployTarget, DeploymentHandle, DeploymentRecord, DeploymentStatus,
    DeploymentSummary, Progress,
};
use svc_admin_api::project::{AgentSource, ProjectRecord, ProjectStore as _};
use svc_admin_api::reader::{ReaderSession, ReaderStore as _, SignInMethod};
use svc_admin_api::{
    Change, Clock, Context, DeployError, Deployments, JobId, MemoryStore, ProjectId, Random,
    RandomError, RateLimiter, ReaderSessionId, StatusId, Timestamp,
};
use svc_server::OidcSettings;
use svc_server::dashboard::{AuthState, Dashboard, create_account, handle};
use tokio::sync::oneshot;

type BoxError = Box<dyn std::error::Error>;

/// Initial time of the clock: 2026-11-21T12:00:00Z.
const START: i64 = 1_795_262_400_000;

/// The account of the tests and its password.
pub const ACCOUNT: (&str, &str) = ("anna", "a very good password");

/// The initiator of actions outside of the dashboard.
const CLI: Initiator = Initiator {
    actor: Actor::Cli,
    from: None,
};

/// A clock that advances only when a test sets it.
#[derive(Debug)]
struct TestClock(AtomicI64, AtomicU64);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.1.load(Ordering::Relaxed))
    }
}

/// Deterministic bytes that look random.
#[derive(Debug, Default)]
struct TestRandom(AtomicU64);

impl Random for TestRandom {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError> {
        for chunk in buffer.chunks_mut(32) {
            let throw = self.0.fetch_add(1, Ordering::Relaxed);
            let bytes = Sha256::digest(throw.to_be_bytes());
            for (to, from) in chunk.iter_mut().zip(bytes) {
                *to = from;
            }
        }
        Ok(())
    }
}

/// Deployments that change only when a test changes them.
#[derive(Debug, Default)]
pub struct TestDeployments(Mutex<BTreeMap<ProjectId, Vec<DeploymentSummary>>>);

impl TestDeployments {
    fn deployments(&self) -> MutexGuard<'_, BTreeMap<ProjectId, Vec<DeploymentSummary>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, project: &ProjectId, listed: DeploymentSummary) {
        let mut made = self.deployments();
        made.entry(project.clone()).or_default().insert(0, listed);
    }

    /// Changes the newest deployment of a project.
    pub fn newest(&self, project: &str, change: impl FnOnce(&mut DeploymentSummary)) {
        let Some(id) = ProjectId::parse(project) else {
            return;
        };
        if let Some(newest) = self
            .deployments()
            .get_mut(&id)
            .and_then(|all| all.first_mut())
        {
            change(newest);
        }
    }

    fn begin(&self, project: &ProjectId, target: &DeployTarget, actor: &Actor) -> DeploymentHandle {
        let count: usize = self.deployments().values().map(Vec::len).sum();
        let id = StatusId::parse(&format!("deployment-{count}"));
        let id = id.unwrap_or_else(|| StatusId::parse("none").expect("a name"));
        let preview_url = match target {
            DeployTarget::Site => None,
            DeployTarget::Preview(branch) => Some(format!("https://{branch}.preview.example")),
        };
        let status = DeploymentStatus {
            id: id.clone(),
            project_id: project.clone(),
            created_at: Timestamp::from_millis(START),
            ended_at: None,
            status: Progress::Queued,
            summary: "waiting for its turn".to_owned(),
            logs: vec!["asked for".to_owned()],
            source: "dashboard".to_owned(),
            commit: None,
            author: None,
            preview_url: preview_url.clone(),
        };
        let initiator = match actor {
            Actor::Person(name) => Some(name.clone()),
            _ => None,
        };
        let listed = DeploymentSummary {
            record: DeploymentRecord {
                triggered_by: initiator,
                ..status.into()
            },
            can_roll_back: false,
        };
        self.add(project, listed);
        DeploymentHandle { id, preview_url }
    }
}

impl Deployments for TestDeployments {
    async fn trigger(
        &self,
        project: &ProjectId,
        target: &DeployTarget,
        actor: &Actor,
    ) -> Result<DeploymentHandle, DeployError> {
        if matches!(target, DeployTarget::Preview(branch) if branch.as_str() == "nowhere") {
            let reason = "there is no branch `nowhere`".to_owned();
            return Err(DeployError::Rejected(reason));
        }
        Ok(self.begin(project, target, actor))
    }

    fn site(&self, project: &ProjectId) -> Option<String> {
        (project.as_str() == "docs").then(|| "https://docs.example.com/".to_owned())
    }

    fn has_readers(&self, project: &ProjectId) -> bool {
        project.as_str() == "docs"
    }

    async fn status(&self, id: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        let made = self.deployments();
        let mut all = made.values().flatten();
        let deployment = all.find(|item| item.record.status.id == *id);
        Ok(deployment.map(|item| item.record.status.clone()))
    }

    async fn list(
        &self,
        project: &ProjectId,
        limit: usize,
    ) -> Result<Vec<DeploymentSummary>, DeployError> {
        let made = self.deployments();
        let own = made.get(project).into_iter().flatten();
        Ok(own.take(limit).cloned().collect())
    }

    async fn roll_back(
        &self,
        project: &ProjectId,
        id: &StatusId,
    ) -> Result<DeploymentHandle, DeployError> {
        if let Some(all) = self.deployments().get_mut(project) {
            for listed in all {
                listed.record.live = listed.record.status.id == *id;
            }
        }
        Ok(DeploymentHandle {
            id: id.clone(),
            preview_url: None,
        })
    }
}

/// The environment of the dashboard.
#[derive(Debug)]
pub struct World {
    /// The store.
    pub store: MemoryStore,
    /// The deployments.
    pub sites: TestDeployments,
    clock: TestClock,
    dice: TestRandom,
    limits: RateLimiter,
    auth: AuthState,
    /// Origin of the dashboard: scheme, host and port.
    pub origin: String,
    /// IP address of the client.
    pub peer: IpAddr,
}

impl World {
    /// Creates the account and no project.
    ///
    /// # Errors
    /// Fails if the account cannot be created.
    pub async fn empty(origin: &str) -> Result<Self, BoxError> {
        Self::with_service(origin, None).await
    }

    /// Creates the account and an identity provider.
    ///
    /// # Errors
    /// Fails if the account cannot be created.
    pub async fn with_service(
        origin: &str,
        service: Option<OidcSettings>,
    ) -> Result<Self, BoxError> {
        let world = Self {
            store: MemoryStore::default(),
            sites: TestDeployments::default(),
            clock: TestClock(AtomicI64::new(START), AtomicU64::new(0)),
            dice: TestRandom::default(),
            limits: RateLimiter::default(),
            auth: AuthState::new(service),
            origin: origin.to_owned(),
            peer: Ipv4Addr::new(192, 0, 2, 1).into(),
        };
        let (name, password) = ACCOUNT;
        create_account(
            &world.store,
            &world.clock,
            &world.dice,
            &CLI,
            name,
            password,
        )
        .await?;
        Ok(world)
    }

    /// Creates the projects `docs`, which has an agent and some history, and `blog`, which has
    /// neither.
    ///
    /// # Errors
    /// Fails if a part cannot be created.
    pub async fn new(origin: &str) -> Result<Self, BoxError> {
        let world = Self::empty(origin).await?;
        let docs = world.project("docs", "Documentation", true).await?;
        world.project("blog", "Blog", false).await?;
        world.history(&docs);
        Ok(world)
    }

    /// Records the session of a reader of the project `docs`, which ends in 12 hours.
    ///
    /// # Errors
    /// Fails if the session cannot be recorded.
    pub async fn reader(&self, name: &str, method: SignInMethod) -> Result<(), BoxError> {
        let now = self.now();
        let oidc = method == SignInMethod::Oidc;
        let session = ReaderSession {
            id: ReaderSessionId::generate(&self.dice)?,
            project: ProjectId::parse("docs").ok_or("a name of a project")?,
            name: name.to_owned(),
            email: oidc.then(|| "reader@example.com".to_owned()),
            method,
            signed_in_at: now,
            seen_at: now,
            expires_at: now.plus(Duration::from_secs(12 * 3_600)),
            confirmed_at: now,
            subject: oidc.then_some([1; 32]),
            provider_session: None,
        };
        Ok(self.store.record_reader_session(&session, now).await?)
    }

    /// Returns the current time of the clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Advances the clock.
    pub fn pass(&self, duration: Duration) {
        let millis = u64::try_from(duration.as_millis()).unwrap_or_default();
        self.clock.1.fetch_add(millis, Ordering::Relaxed);
        let millis = i64::try_from(millis).unwrap_or_default();
        self.clock.0.fetch_add(millis, Ordering::Relaxed);
    }

    async fn project(&self, id: &str, name: &str, agent: bool) -> Result<ProjectId, BoxError> {
        let id = ProjectId::parse(id).ok_or("a name of a project")?;
        let repository = Repository::try_from(format!("https://git.example.com/team/{id}.git"))?;
        let source = AgentSource {
            repository,
            branch: Some(Branch::try_from("main".to_owned())?),
            model: "writer-2".to_owned(),
        };
        let project = ProjectRecord {
            id: id.clone(),
            name: name.to_owned(),
            agent: agent.then_some(source),
            created_at: self.now(),
        };
        let change = Change::new(&CLI, self.now(), &id, "putProject", Some(id.as_str()));
        self.store.put_project(&project, &change).await?;
        Ok(id)
    }

    fn history(&self, project: &ProjectId) {
        let commits = [
            ("Explain how previews are found", Progress::Failure, false),
            ("Add the guide to storage", Progress::Success, false),
            ("Fix the example of the quickstart", Progress::Success, true),
        ];
        for (number, (message, progress, live)) in (0_u64..).zip(commits) {
            let id = format!("dep_7Qm2Xk9{number}");
            let Some(id) = StatusId::parse(&id) else {
                continue;
            };
            let created_at = self
                .now()
                .minus(Duration::from_secs(3 * 3_600 * (9 - 3 * number)));
            let failed = progress == Progress::Failure;
            let status = DeploymentStatus {
                id,
                project_id: project.clone(),
                created_at,
                ended_at: Some(created_at.plus(Duration::from_secs(4 + number))),
                status: progress,
                summary: if failed {
                    "`docs.json` cannot be read: a comma is missing in line 12".to_owned()
                } else {
                    format!("{} pages, no problem", 84 + number)
                },
                logs: vec![
                    "fetching https://git.example.com/team/docs.git".to_owned(),
                    "checking 84 pages".to_owned(),
                    "drawing".to_owned(),
                ],
                source: "push".to_owned(),
                commit: Some(CommitInfo {
                    sha: Sha256::digest([u8::try_from(number).unwrap_or_default()])
                        .iter()
                        .take(20)
                        .map(|byte| format!("{byte:02x}"))
                        .collect(),
                    reference: Some("main".to_owned()),
                    message: message.to_owned(),
                }),
                author: Some(Author {
                    name: "Bert Blom".to_owned(),
                }),
                preview_url: None,
            };
            let listed = DeploymentSummary {
                record: DeploymentRecord {
                    live,
                    ..status.into()
                },
                can_roll_back: !failed,
            };
            self.sites.add(project, listed);
        }
    }

    /// Lets an agent take the oldest pending job, write to its log and finish it if `end` is given:
    /// with a pull request, or with the reason of a failure.
    ///
    /// # Errors
    /// Fails if there is no such job or the store reports an error.
    pub async fn work(
        &self,
        log: &str,
        end: Option<Result<&str, &str>>,
    ) -> Result<JobId, BoxError> {
        let lease = Lease {
            token: format!("worker-{}", self.dice.0.fetch_add(1, Ordering::Relaxed)),
            until: self.now().plus(Duration::from_secs(600)),
        };
        let job = self.store.claim(&lease, self.now()).await?;
        let job = job.ok_or("no job waits")?;
        self.store.append_log(&job.id, &lease.token, log).await?;
        match end {
            Some(Ok(link)) => {
                let link = Link::try_from(link.to_owned())?;
                self.store
                    .finish(&job.id, &lease.token, Some(&link))
                    .await?;
            }
            Some(Err(reason)) => {
                self.store.fail(&job.id, &lease.token, reason).await?;
            }
            None => {}
        }
        Ok(job.id)
    }

    /// Returns the response to a request.
    pub async fn send(&self, request: Request<Bytes>) -> Response<Bytes> {
        self.send_from(request, self.peer).await
    }

    /// Returns the response to a request from an IP address.
    pub async fn send_from(&self, request: Request<Bytes>, peer: IpAddr) -> Response<Bytes> {
        let context = Context {
            store: &self.store,
            deployments: &self.sites,
            clock: &self.clock,
            random: &self.dice,
            limits: &self.limits,
            peer,
            base_url: &self.origin,
        };
        let dashboard = Dashboard {
            context,
            origin: &self.origin,
            auth: &self.auth,
        };
        handle(request, &dashboard).await
    }

    /// Returns a browser without a session.
    pub fn stranger(&self) -> Person<'_> {
        Person {
            world: self,
            cookie: None,
            csrf: String::new(),
        }
    }

    /// Returns a browser in which the account is signed in.
    ///
    /// # Errors
    /// Fails if signing in fails.
    pub async fn anna(&self) -> Result<Person<'_>, BoxError> {
        let mut anna = self.stranger();
        let (name, password) = ACCOUNT;
        let fields = [("name", name), ("password", password)];
        let response = anna.post("/sign-in", &fields).await?;
        if response.status != StatusCode::SEE_OTHER {
            return Err(format!("not signed in: {}", response.body).into());
        }
        anna.csrf = anna.get("/").await?.csrf();
        Ok(anna)
    }
}

/// A browser as far as the dashboard can tell: it stores cookies and submits forms.
#[derive(Debug)]
pub struct Person<'a> {
    world: &'a World,
    /// The cookie with its name.
    pub cookie: Option<String>,
    /// The CSRF token of the forms.
    pub csrf: String,
}

/// A response of the dashboard.
#[derive(Debug)]
pub struct PageResponse {
    /// Status code.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body as text.
    pub body: String,
}

impl PageResponse {
    /// Returns a header; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// Returns the CSRF token of its forms; empty if there is none.
    pub fn csrf(&self) -> String {
        let rest = self.body.split("name=\"csrf\" value=\"").nth(1);
        let token = rest.and_then(|rest| rest.split('"').next());
        token.unwrap_or_default().to_owned()
    }
}

impl Person<'_> {
    /// Opens a page.
    ///
    /// # Errors
    /// Fails if the path is invalid.
    pub async fn get(&mut self, path: &str) -> Result<PageResponse, BoxError> {
        let request = self.request("GET", path).body(Bytes::new())?;
        Ok(self.send(request).await)
    }

    /// Submits a form with the CSRF token.
    ///
    /// # Errors
    /// Fails if the path is invalid.
    pub async fn post(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Result<PageResponse, BoxError> {
        let body = form(&self.csrf, fields);
        let request = self
            .request("POST", path)
            .header("sec-fetch-site", "same-origin")
            .header(header::ORIGIN, "null")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(body)?;
        Ok(self.send(request).await)
    }

    /// Returns a request with the cookie.
    pub fn request(&self, method: &str, path: &str) -> http::request::Builder {
        let request = Request::builder().method(method).uri(path);
        match &self.cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        }
    }

    /// Sends a request and stores the cookies of the response.
    pub async fn send(&mut self, request: Request<Bytes>) -> PageResponse {
        let response = self.world.send(request).await;
        let (parts, body) = response.into_parts();
        for value in parts.headers.get_all(header::SET_COOKIE) {
            let text = value.to_str().unwrap_or_default();
            let pair = text.split(';').next().unwrap_or_default().to_owned();
            self.store_cookie(&pair);
        }
        PageResponse {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }
}

impl Person<'_> {
    /// Stores a cookie; an empty value removes the cookie of that name.
    fn store_cookie(&mut self, pair: &str) {
        let name = pair.split('=').next().unwrap_or_default();
        let cookies = self.cookie.take().unwrap_or_default();
        let others = cookies
            .split("; ")
            .filter(|item| item.split('=').next() != Some(name));
        let new = Some(pair).filter(|pair| !pair.ends_with('='));
        let all: Vec<&str> = others.filter(|item| !item.is_empty()).chain(new).collect();
        self.cookie = Some(all.join("; ")).filter(|all| !all.is_empty());
    }
}

/// Returns the body of a form.
pub fn form(csrf: &str, fields: &[(&str, &str)]) -> Bytes {
    let encode = |text: &str| -> String {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let one = |byte: u8| {
            if plain(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        };
        text.bytes().map(one).collect()
    };
    let all = fields.iter().copied().chain([("csrf", csrf)]);
    let parts: Vec<String> = all
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    parts.join("&").into()
}

/// The dashboard on a TCP socket; it stops when this is dropped.
#[derive(Debug)]
pub struct RunningDashboard {
    /// The environment of the dashboard.
    pub world: Arc<World>,
    runtime: tokio::runtime::Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Serves the dashboard on a port of the loopback interface; 0 selects a free one.
///
/// # Errors
/// Fails if the environment cannot be created or the port is in use.
pub fn serve(port: u16) -> Result<RunningDashboard, BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = runtime.block_on(tokio::net::TcpListener::bind(listen))?;
    let origin = format!("http://{}", listener.local_addr()?);
    let world = Arc::new(runtime.block_on(World::new(&origin))?);
    let (stop, stopped) = oneshot::channel::<()>();
    let (handle, shared) = (runtime.handle().clone(), Arc::clone(&world));
    let run = async move {
        let accept = async {
            while let Ok((socket, peer)) = listener.accept().await {
                tokio::spawn(connection(socket, peer.ip(), Arc::clone(&shared)));
            }
        };
        tokio::select! {
            () = accept => {}
            // A dropped sender also stops the server.
            _ = stopped => {}
        }
    };
    let thread = thread::Builder::new()
        .name("dashboard".into())
        .spawn(move || runtime.block_on(run))?;
    Ok(RunningDashboard {
        world,
        runtime: handle,
        stop: Some(stop),
        thread: Some(thread),
    })
}

async fn connection(socket: tokio::net::TcpStream, peer: IpAddr, world: Arc<World>) {
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let world = Arc::clone(&world);
        async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await?.to_bytes();
            let response = world
                .send_from(Request::from_parts(parts, body), peer)
                .await;
            Ok::<_, hyper::Error>(response.map(Full::new))
        }
    });
    // A browser that closes the connection early is no failure.
    let _ = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(socket), service)
        .await;
}

impl RunningDashboard {
    /// Returns the URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.world.origin)
    }

    /// Runs a future on the runtime of the server.
    ///
    /// # Errors
    /// Fails if the server has ended.
    pub fn wait<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, BoxError> {
        let (sender, result) = std::sync::mpsc::channel();
        self.runtime.spawn(async move {
            // The receiver may have been dropped.
            let _ = sender.send(task.await);
        });
        Ok(result.recv_timeout(Duration::from_secs(10))?)
    }
}

impl Drop for RunningDashboard {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread has printed a panic of the server already.
            let _ = thread.join();
        }
    }
}
