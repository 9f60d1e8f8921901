//! Test environment: projects, keys, a manual clock and a deterministic random number generator.
//! All responses are validated against the documents.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response};
use jsonschema::Validator;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::agent_job::{Branch, Lease, Link, Repository};
use crate::audit::{Actor, Initiator};
use crate::deployment::{DeployTarget, DeploymentHandle, Progress};
use crate::key::{Key, KeySecret, NewKey, create_key};
use crate::project::{AgentSource, ProjectRecord, ProjectStore};
use crate::rate_limit::{RateLimiter, RateLimits};
use crate::{
    Change, Clock, Context, DeployError, DeploymentStatus, DeploymentSummary, Deployments,
    MemoryStore, OPERATIONS, Operation, ProjectId, Random, RandomError, StatusId, Timestamp,
    handle, router,
};

/// Initial time: 2026-11-21T00:00:00Z.
pub(crate) const START: i64 = 1_795_219_200_000;

/// A manual clock: wall clock and monotonic time in milliseconds.
#[derive(Debug)]
pub(crate) struct TestClock(pub(crate) AtomicI64, AtomicU64);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.1.load(Ordering::Relaxed))
    }
}

/// A deterministic random number generator.
#[derive(Debug)]
pub(crate) struct TestRandom(AtomicU64);

impl TestRandom {
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed << 40))
    }
}

impl Random for TestRandom {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError> {
        for chunk in buffer.chunks_mut(32) {
            let throw = self.0.fetch_add(1, Ordering::Relaxed);
            chunk.copy_from_slice(&Sha256::digest(throw.to_be_bytes())[..chunk.len()]);
        }
        Ok(())
    }
}

/// Deployments that start and never finish.
#[derive(Debug, Default)]
pub(crate) struct TestDeployments {
    pub(crate) made: Mutex<Vec<DeploymentStatus>>,
    pub(crate) fault: Mutex<Option<DeployError>>,
}

impl Deployments for TestDeployments {
    async fn trigger(
        &self,
        project: &ProjectId,
        target: &DeployTarget,
        _: &Actor,
    ) -> Result<DeploymentHandle, DeployError> {
        yield_once().await;
        if let Some(error) = self.fault.lock().unwrap().clone() {
            return Err(error);
        }
        let mut made = self.made.lock().unwrap();
        let id = StatusId::parse(&format!("deployment-{}", made.len())).unwrap();
        let preview_url = match target {
            DeployTarget::Site => None,
            DeployTarget::Preview(branch) => Some(format!("https://{project}.example/{branch}")),
        };
        made.push(DeploymentStatus {
            id: id.clone(),
            project_id: project.clone(),
            created_at: Timestamp::from_millis(START),
            ended_at: None,
            status: Progress::Queued,
            summary: "waiting".to_owned(),
            logs: vec!["asked for".to_owned()],
            source: "api".to_owned(),
            commit: None,
            author: None,
            preview_url: preview_url.clone(),
        });
        Ok(DeploymentHandle { id, preview_url })
    }

    async fn status(&self, id: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        if let Some(error) = self.fault.lock().unwrap().clone() {
            return Err(error);
        }
        let made = self.made.lock().unwrap();
        Ok(made.iter().find(|status| status.id == *id).cloned())
    }

    // The API does not use these two methods.
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

/// The test environment.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) store: MemoryStore,
    pub(crate) sites: TestDeployments,
    pub(crate) clock: TestClock,
    pub(crate) dice: TestRandom,
    pub(crate) limits: RateLimiter,
    pub(crate) peer: IpAddr,
}

impl World {
    /// Without projects, with unlimited quotas.
    pub(crate) fn new() -> Self {
        Self::limited(RateLimits::UNLIMITED)
    }

    pub(crate) fn limited(rates: RateLimits) -> Self {
        Self {
            store: MemoryStore::default(),
            sites: TestDeployments::default(),
            clock: TestClock(AtomicI64::new(START), AtomicU64::new(0)),
            dice: TestRandom::new(7),
            limits: RateLimiter::new(rates),
            peer: [192, 0, 2, 1].into(),
        }
    }

    /// With the project `docs` and a key with all permissions for it.
    pub(crate) fn with_docs() -> (Self, String) {
        let world = Self::new();
        world.project("docs");
        let key = world.key("docs");
        (world, key)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn pass(&self, duration: Duration) {
        let millis = u64::try_from(duration.as_millis()).unwrap();
        self.clock.1.fetch_add(millis, Ordering::Relaxed);
        let millis = i64::try_from(millis).unwrap();
        self.clock.0.fetch_add(millis, Ordering::Relaxed);
    }

    pub(crate) fn project(&self, id: &str) -> ProjectId {
        let id = ProjectId::parse(id).unwrap();
        let repository = Repository::try_from(format!("https://git.example/{id}.git")).unwrap();
        let project = ProjectRecord {
            id: id.clone(),
            name: id.to_string(),
            agent: Some(AgentSource {
                repository,
                branch: Some(Branch::try_from("main".to_owned()).unwrap()),
                model: "small".to_owned(),
            }),
            created_at: self.now(),
        };
        let change = Change::new(&CLI, self.now(), &id, "putProject", None);
        block_on(self.store.put_project(&project, &change)).unwrap();
        id
    }

    pub(crate) fn key(&self, project: &str) -> String {
        let new = new_key(project);
        self.create_key(&new).1.reveal().to_owned()
    }

    pub(crate) fn create_key(&self, new: &NewKey) -> (Key, KeySecret) {
        let result = create_key(
            &self.store,
            &self.clock,
            &self.dice,
            &self.limits,
            &CLI,
            new,
        );
        block_on(result).unwrap()
    }

    pub(crate) fn context(&self) -> Context<'_, MemoryStore, TestDeployments> {
        Context {
            store: &self.store,
            deployments: &self.sites,
            clock: &self.clock,
            random: &self.dice,
            limits: &self.limits,
            peer: self.peer,
            base_url: "https://admin.example",
        }
    }

    /// Sends a request and validates the response against the documents.
    pub(crate) fn send(&self, request: Request<Bytes>) -> Response<Bytes> {
        let route = (request.method().clone(), request.uri().path().to_owned());
        let response = block_on(handle(request, &self.context()));
        check_against_documents(&route.0, &route.1, &response);
        response
    }

    /// Sends a request with a key and an optional body.
    pub(crate) fn call(&self, key: &str, line: &str, body: Option<&str>) -> Response<Bytes> {
        self.send(request(key, line, body))
    }

    /// Like [`Self::call`], but returns the status and the parsed body.
    pub(crate) fn call_json(&self, key: &str, line: &str, body: Option<&str>) -> (u16, Value) {
        let response = self.call(key, line, body);
        let body = serde_json::from_slice(response.body()).unwrap();
        (response.status().as_u16(), body)
    }

    /// Creates a job of `docs` and returns its id.
    pub(crate) fn job(&self, key: &str) -> String {
        let (status, job) =
            self.call_json(key, "POST /v2/agent/docs/job", Some(r#"{"prompt":"x"}"#));
        assert_eq!(status, 201, "{job}");
        job["id"].as_str().unwrap().to_owned()
    }

    /// Completes the oldest waiting job as a worker and returns its id.
    pub(crate) fn finish_job(&self, pull_request: Option<&str>) -> String {
        use crate::agent_job::JobStore as _;
        let lease = self.lease("worker");
        let job = block_on(self.store.claim(&lease, self.now()))
            .unwrap()
            .unwrap();
        let link = pull_request.map(|text| Link::try_from(text.to_owned()).unwrap());
        let result = self.store.finish(&job.id, "worker", link.as_ref());
        assert!(block_on(result).unwrap());
        job.id.to_string()
    }

    /// Fails the oldest waiting job as a worker and returns its id.
    pub(crate) fn fail_job(&self) -> String {
        use crate::agent_job::JobStore as _;
        let lease = self.lease("worker");
        let job = block_on(self.store.claim(&lease, self.now()))
            .unwrap()
            .unwrap();
        assert!(block_on(self.store.fail(&job.id, "worker", "no")).unwrap());
        job.id.to_string()
    }

    pub(crate) fn lease(&self, token: &str) -> Lease {
        Lease {
            token: token.to_owned(),
            until: self.now().plus(Duration::from_secs(60)),
        }
    }
}

/// Initiator of projects and keys in tests.
pub(crate) static CLI: Initiator = Initiator {
    actor: Actor::Cli,
    from: None,
};

/// Parameters of a key with all permissions.
pub(crate) fn new_key(project: &str) -> NewKey {
    NewKey {
        project: ProjectId::parse(project).unwrap(),
        name: "test".to_owned(),
        scopes: vec!["read".to_owned(), "write".to_owned()],
        networks: Vec::new(),
        expires_at: None,
    }
}

/// Builds a request from a line `METHOD path`.
pub(crate) fn request(key: &str, line: &str, body: Option<&str>) -> Request<Bytes> {
    let (method, path) = line.split_once(' ').unwrap();
    let mut request = Request::builder().method(method).uri(path);
    if !key.is_empty() {
        request = request.header("authorization", format!("Bearer {key}"));
    }
    if body.is_some() {
        request = request.header("content-type", "application/json");
    }
    let body = body.unwrap_or_default().to_owned();
    request.body(body.into()).unwrap()
}

/// Request lines of all authenticated operations, with ids of jobs and deployments that do not
/// exist.
pub(crate) fn guarded() -> Vec<String> {
    let guarded = OPERATIONS
        .iter()
        .filter(|item| item.access != crate::Access::Public);
    let line = |item: &Operation| {
        let path = item.path.replace("{projectId}", "docs");
        let path = path
            .replace("{id}", "nothing")
            .replace("{statusId}", "nothing");
        format!("{} {path}", item.method.as_str())
    };
    guarded.map(line).collect()
}

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut task = std::task::Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut task) {
            return done;
        }
    }
}

/// Yields to other tasks once.
pub(crate) async fn yield_once() {
    let mut first = true;
    std::future::poll_fn(|task| {
        if std::mem::take(&mut first) {
            task.waker().wake_by_ref();
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
}

/// Response schemas by operation and status.
type Schemas = BTreeMap<(&'static str, u16), Validator>;

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| {
    let mut schemas = Schemas::new();
    for operation in OPERATIONS {
        let document: Value = serde_json::from_str(operation.document.text()).unwrap();
        let method = operation.method.as_str().to_lowercase();
        let described = &document["paths"][operation.path][&method];
        for (status, response) in described["responses"].as_object().unwrap() {
            let response = match response["$ref"].as_str() {
                Some(reference) => document.pointer(&reference[1..]).unwrap(),
                None => response,
            };
            let mut schema = response["content"]["application/json"]["schema"].clone();
            assert!(schema.is_object(), "{} {status}", operation.id);
            schema["components"] = document["components"].clone();
            let checked = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft202012)
                .should_validate_formats(true)
                .build(&schema)
                .unwrap();
            schemas.insert((operation.id, status.parse().unwrap()), checked);
        }
    }
    schemas
});

/// Asserts that the documents describe a response.
pub(crate) fn check_against_documents(method: &Method, path: &str, response: &Response<Bytes>) {
    let status = response.status().as_u16();
    let headers = response.headers();
    assert_eq!(
        headers["content-type"], "application/json",
        "{method} {path}"
    );
    assert_eq!(headers["cache-control"], "no-store");
    assert_eq!(headers.contains_key("www-authenticate"), status == 401);
    assert_eq!(headers.contains_key("allow"), status == 405);
    assert_eq!(
        headers.contains_key("retry-after"),
        matches!(status, 429 | 503)
    );
    if method == Method::HEAD {
        assert!(response.body().is_empty());
        return;
    }
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    let methods = [Method::GET, Method::POST];
    let matched = methods
        .iter()
        .find_map(|method| router::find(method, path).ok());
    let Some((operation, _)) = matched else {
        // The path has no operation, so it is not in a document.
        assert_eq!((status, body), (404, json!({"error": "not found"})));
        return;
    };
    let schema = SCHEMAS.get(&(operation.id, status));
    let schema =
        schema.unwrap_or_else(|| panic!("{} responded with {status}: {body}", operation.id));
    let wrong: Vec<String> = schema
        .iter_errors(&body)
        .map(|error| error.to_string())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} {status} {body}: {wrong:?}",
        operation.id
    );
    assert!(operation.statuses.contains(&status));
}
