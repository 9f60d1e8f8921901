//! Kills the program while clients write over HTTP, and restarts it on its data directory:
//! acknowledged writes exist exactly once. Jobs, messages, keys, revocations and deployments are
//! requested concurrently, and a real agent runs the jobs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use sqlx::Connection as _;
use svc_admin_api::key::KeySecret;
use svc_test_support::program::{self, url_in_line};

use super::rig::{Client, TestResponse, block_on};
use super::server::{repository, within};

/// Number of kills in the suite; `SVC_SERVER_KILLS` overrides it for long manual runs.
const KILLS: usize = 5;
/// Timeout for eventual results on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
const PASSWORD: &str = "a+very+good+password";

/// Directories of a server with a dashboard account.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new() -> Self {
        let ground = Self(tempfile::tempdir().unwrap());
        let docs = ground.0.path().join("docs");
        repository(&docs, "Words that stay.\n");
        let rates = [
            "requests_per_minute",
            "unauthenticated_per_minute",
            "prompts_per_hour",
            "deployments_per_minute",
            "keys_per_hour",
        ];
        let rates: Vec<String> = rates.map(|rate| format!("{rate} = 1000000\n")).to_vec();
        let text = format!(
            r#"
listen = "127.0.0.1:0"
data = "data"
[outbound]
offline = true
[admin]
listen = "127.0.0.1:0"
[admin.rates]
{}
[agent]
command = ["true"]
sandbox = "none"
model = "scripted"
concurrency = 2
[[projects]]
id = "docs"
hosts = ["docs.example.com"]
source.folder = "docs"
[projects.agent]
repository = "file://{}"
branch = "main"
forge_command = ["false"]
"#,
            rates.concat(),
            docs.display()
        );
        fs::write(ground.config(), text).unwrap();
        let mut create = Command::new(env!("CARGO_BIN_EXE_svc-server"))
            .args(["admin", "create", "anna", "--config"])
            .arg(ground.config())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut password = create.stdin.take().unwrap();
        writeln!(password, "{}", PASSWORD.replace('+', " ")).unwrap();
        drop(password);
        assert!(create.wait().unwrap().success());
        ground
    }

    fn config(&self) -> PathBuf {
        self.0.path().join("server.toml")
    }

    fn log(&self) -> PathBuf {
        self.0.path().join("log")
    }

    fn start(&self) -> Program {
        let log = File::options().create(true).append(true).open(self.log());
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command.arg("--config").arg(self.config());
        let mut program = program::Program::start(command.stderr(log.unwrap()));
        let (sites, admin) = (program.next_line(), program.next_line());
        let log = || fs::read_to_string(self.log()).unwrap();
        assert!(!admin.is_empty(), "{sites}{}", log());
        let [sites, admin] = [sites, admin].map(|line| url_in_line(&line).parse().unwrap());
        Program {
            _running: program,
            sites,
            admin,
        }
    }

    /// Reads from the store beside the server.
    fn look<T>(&self, sql: &'static str, bound: &str) -> Vec<T>
    where
        T: Send + Unpin + for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow>,
    {
        let file = self.0.path().join("data/admin.sqlite");
        block_on(async {
            let addr = format!("sqlite:{}", file.display());
            let mut conn = sqlx::SqliteConnection::connect(&addr).await.unwrap();
            let rows = sqlx::query_as(sql).bind(bound).fetch_all(&mut conn).await;
            conn.close().await.unwrap();
            rows.unwrap()
        })
    }
}

/// A running server.
struct Program {
    _running: program::Program,
    sites: SocketAddr,
    admin: SocketAddr,
}

impl Program {
    /// Whether the site is served.
    fn shows_the_site(&self) -> bool {
        let request = b"GET / HTTP/1.1\r\nhost: docs.example.com\r\n\r\n";
        let page = Client::new(self.sites).raw(request, false);
        page.status == 200 && page.text().contains("Words that stay.")
    }
}

/// Retries as long as the server responds with `Retry-After`, after the given delay.
fn patiently(mut send: impl FnMut() -> io::Result<TestResponse>) -> io::Result<TestResponse> {
    loop {
        let response = send()?;
        if response.status != 429 {
            return Ok(response);
        }
        let seconds: u64 = response.header("retry-after").parse().unwrap();
        assert!(seconds > 0, "{response:?}");
        thread::sleep(Duration::from_secs(seconds));
    }
}

/// A signed-in user.
#[derive(Clone)]
struct Person {
    cookie: String,
    csrf: String,
}

impl Person {
    fn new(admin: SocketAddr) -> Self {
        let mut person = Self {
            cookie: String::new(),
            csrf: String::new(),
        };
        let mut client = Client::new(admin);
        let form = format!("name=anna&password={PASSWORD}");
        let response = person.post(&mut client, "/sign-in", &form).unwrap();
        assert_eq!(response.status, 303, "{}", response.text());
        person.cookie = response.cookie;
        let page = person.get(&mut client, "/projects/docs/keys").unwrap();
        let csrf = page.text();
        let csrf = csrf.split("name=\"csrf\" value=\"").nth(1).unwrap();
        person.csrf = csrf.split('"').next().unwrap().to_owned();
        person
    }

    fn get(&self, client: &mut Client, path: &str) -> io::Result<TestResponse> {
        let cookie = format!("cookie: {}\r\n", self.cookie);
        client.try_send(&format!("GET {path}"), cookie.as_bytes(), b"")
    }

    fn post(&self, client: &mut Client, path: &str, form: &str) -> io::Result<TestResponse> {
        let headers = format!(
            "cookie: {}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/x-www-form-urlencoded\r\n",
            self.cookie
        );
        let form = format!("{form}&csrf={}", self.csrf);
        let line = format!("POST {path}");
        patiently(|| client.try_send(&line, headers.as_bytes(), form.as_bytes()))
    }

    /// Creates a key.
    fn key(
        &self,
        client: &mut Client,
        name: &str,
        scope: &str,
    ) -> io::Result<Result<KeySecret, TestResponse>> {
        let form = format!("name={name}&scope={scope}&days=0&networks=");
        let response = self.post(client, "/projects/docs/keys", &form)?;
        let text = response.text();
        let mut matches = text.match_indices("svc_");
        let secret = matches.find_map(|(at, _)| KeySecret::parse(text.get(at..at + 42)?));
        Ok(secret.filter(|_| response.status == 200).ok_or(response))
    }
}

/// Sends a prompt: a new job or a message to a job.
fn send_prompt(
    client: &mut Client,
    key: &str,
    to: Option<&str>,
    prompt: &str,
    once: Option<&str>,
) -> io::Result<TestResponse> {
    let line = match to {
        None => "POST /v2/agent/docs/job".to_owned(),
        Some(id) => format!("POST /v2/agent/docs/job/{id}/message"),
    };
    let mut headers = format!("authorization: Bearer {key}\r\ncontent-type: application/json\r\n");
    if let Some(once) = once {
        headers += &format!("idempotency-key: {once}\r\n");
    }
    let body = serde_json::json!({ "prompt": prompt }).to_string();
    patiently(|| client.try_send(&line, headers.as_bytes(), body.as_bytes()))
}

fn id_of(response: &TestResponse) -> String {
    response.json()["id"].as_str().unwrap().to_owned()
}

/// A prompt that was sent with an `Idempotency-Key`.
#[derive(Debug, Clone)]
struct SentRequest {
    to: Option<String>,
    prompt: String,
    once: String,
}

/// State of a key as known to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Good,
    Revoked,
    /// The revocation was not acknowledged.
    Unknown,
}

/// State that the server has acknowledged.
#[derive(Debug, Default)]
struct ServerState {
    /// Prompts and their jobs.
    prompts: BTreeMap<String, String>,
    /// Acknowledged requests of this round with their jobs.
    acknowledged: Vec<(SentRequest, String)>,
    /// Requests of this round without a response.
    open: Vec<SentRequest>,
    /// Jobs of this round.
    jobs: Vec<String>,
    /// Jobs without a message.
    waiting: VecDeque<String>,
    keys: BTreeMap<String, Life>,
    deployments: Vec<String>,
    messages: usize,
    revoked: usize,
    /// Unexpected responses.
    wrong: Vec<String>,
}

/// A client of a round.
struct Writer<'a> {
    admin: SocketAddr,
    key: &'a str,
    round: usize,
    state: &'a Mutex<ServerState>,
    begun: mpsc::Sender<()>,
}

impl Writer<'_> {
    fn state(&self) -> MutexGuard<'_, ServerState> {
        self.state.lock().unwrap()
    }

    /// A response with the expected status; `None` if the server is gone or the status is another
    /// one, which is recorded.
    fn good(&self, response: io::Result<TestResponse>, status: u16) -> Option<TestResponse> {
        let response = response.ok()?;
        if response.status != status {
            self.state().wrong.push(format!("{response:?}"));
            return None;
        }
        // Only the first signal has a receiver.
        let _ = self.begun.send(());
        Some(response)
    }

    /// Creates jobs, every second one with an `Idempotency-Key`.
    fn jobs(&self, actor: usize) {
        let mut client = Client::new(self.admin);
        for number in 0.. {
            let name = format!("{}-{actor}-{number}", self.round);
            let prompt = format!("Job {name}");
            let once = (number % 2 == 0).then(|| format!("job-{name}"));
            let record = once.clone().map(|once| SentRequest {
                to: None,
                prompt: prompt.clone(),
                once,
            });
            let response = send_prompt(&mut client, self.key, None, &prompt, once.as_deref());
            let Some(response) = self.good(response, 201) else {
                self.state().open.extend(record);
                return;
            };
            let id = id_of(&response);
            let mut state = self.state();
            state.prompts.insert(prompt, id.clone());
            state.jobs.push(id.clone());
            state.waiting.push_back(id.clone());
            state.acknowledged.extend(record.map(|record| (record, id)));
            drop(state);
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends messages to completed jobs.
    fn messages(&self) {
        let mut client = Client::new(self.admin);
        for number in 0.. {
            thread::sleep(Duration::from_millis(3));
            let Some(id) = self.state().waiting.pop_front() else {
                continue;
            };
            let line = format!("GET /v2/agent/docs/job/{id}");
            let response = client.try_call(self.key, &line, "");
            let Some(response) = self.good(response, 200) else {
                return;
            };
            match response.json()["status"].as_str().unwrap() {
                "completed" => {}
                "active" => {
                    self.state().waiting.push_back(id);
                    continue;
                }
                // Its worker was killed too often.
                _ => continue,
            }
            let name = format!("{}-{number}", self.round);
            let request = SentRequest {
                to: Some(id.clone()),
                prompt: format!("Message {name}"),
                once: format!("message-{name}"),
            };
            let response = send_prompt(
                &mut client,
                self.key,
                Some(&id),
                &request.prompt,
                Some(&request.once),
            );
            if self.good(response, 200).is_none() {
                self.state().open.push(request);
                return;
            }
            let mut state = self.state();
            state.messages += 1;
            state.prompts.insert(request.prompt.clone(), id.clone());
            state.acknowledged.push((request, id));
        }
    }

    /// Creates keys, and revokes every second one.
    fn keys(&self, ground: &Workspace, person: &Person) {
        let mut client = Client::new(self.admin);
        for number in 0.. {
            let name = format!("key-{}-{number}", self.round);
            let secret = match person.key(&mut client, &name, "read") {
                Ok(Ok(secret)) => secret,
                Ok(Err(response)) => return self.state().wrong.push(format!("{response:?}")),
                Err(_) => return,
            };
            let text = secret.reveal().to_owned();
            self.state().keys.insert(text.clone(), Life::Good);
            if number % 2 == 0 {
                let sql = "SELECT id FROM keys WHERE lookup = $1";
                let rows: Vec<(String,)> = ground.look(sql, secret.lookup());
                let [(id,)] = rows.as_slice() else {
                    self.state()
                        .wrong
                        .push(format!("{name} is not in the store"));
                    return;
                };
                self.state().keys.insert(text.clone(), Life::Unknown);
                let path = format!("/projects/docs/keys/{id}/revoke");
                let response = person.post(&mut client, &path, "");
                if self.good(response, 303).is_none() {
                    return;
                }
                let mut state = self.state();
                state.keys.insert(text, Life::Revoked);
                state.revoked += 1;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Requests deployments.
    fn deployments(&self) {
        let mut client = Client::new(self.admin);
        loop {
            let line = "POST /v1/project/update/docs";
            let response = patiently(|| client.try_call(self.key, line, ""));
            let Some(response) = self.good(response, 202) else {
                return;
            };
            let id = response.json()["statusId"].as_str().unwrap().to_owned();
            self.state().deployments.push(id);
            thread::sleep(Duration::from_millis(40));
        }
    }
}

/// Lets clients write for a while, and kills the server.
fn round(
    ground: &Workspace,
    program: Program,
    clients: (&str, &Person),
    state: &Mutex<ServerState>,
    round: usize,
    after: Duration,
) {
    let (key, person) = clients;
    let (sender, has_begun) = mpsc::channel();
    let admin = program.admin;
    let writer = || Writer {
        admin,
        key,
        round,
        state,
        begun: sender.clone(),
    };
    thread::scope(|scope| {
        for index in 0..2 {
            let writer = writer();
            scope.spawn(move || writer.jobs(index));
        }
        let (first, second, third) = (writer(), writer(), writer());
        scope.spawn(move || first.messages());
        scope.spawn(move || second.keys(ground, person));
        scope.spawn(move || third.deployments());
        // Every third time, the kill may precede the first write.
        if !round.is_multiple_of(3) {
            has_begun.recv_timeout(WAIT_TIMEOUT).unwrap();
        }
        thread::sleep(after);
        // With SIGKILL.
        drop(program);
    });
}

/// Checks that acknowledged writes exist.
fn holds(ground: &Workspace, program: &Program, clients: (&str, &Person), state: &mut ServerState) {
    let (key, person) = clients;
    assert!(state.wrong.is_empty(), "{:?}", state.wrong);
    assert!(program.shows_the_site());
    let mut client = Client::new(program.admin);
    let page = person.get(&mut client, "/projects/docs/keys").unwrap();
    assert_eq!(page.status, 200, "the session is gone");
    for id in std::mem::take(&mut state.jobs) {
        let job = client.call(key, &format!("GET /v2/agent/docs/job/{id}"), "");
        assert_eq!((job.status, id_of(&job)), (200, id));
    }
    // Repeating an acknowledged prompt creates nothing.
    for (sent, id) in std::mem::take(&mut state.acknowledged) {
        let (to, once) = (sent.to.as_deref(), Some(sent.once.as_str()));
        let repeated = send_prompt(&mut client, key, to, &sent.prompt, once).unwrap();
        assert!(
            [200, 201].contains(&repeated.status),
            "{sent:?}: {repeated:?}"
        );
        assert_eq!(id_of(&repeated), id, "{sent:?}");
    }
    // Repeating a prompt without a response creates the job if necessary.
    for sent in std::mem::take(&mut state.open) {
        let (to, once) = (sent.to.as_deref(), Some(sent.once.as_str()));
        let repeated = send_prompt(&mut client, key, to, &sent.prompt, once).unwrap();
        assert!(
            [200, 201].contains(&repeated.status),
            "{sent:?}: {repeated:?}"
        );
        state.prompts.insert(sent.prompt, id_of(&repeated));
    }
    for (key, life) in &state.keys {
        let status = client
            .call(key, "GET /v2/agent/docs/jobs?limit=1", "")
            .status;
        let right = match life {
            Life::Good => status == 200,
            Life::Revoked => status == 401,
            Life::Unknown => [200, 401].contains(&status),
        };
        assert!(right, "{life:?}: {status}");
    }
    // The store retains the latest thousand.
    for id in state.deployments.iter().rev().take(500) {
        let line = format!("GET /v1/project/update-status/{id}");
        let known = client.call(key, &line, "");
        assert_eq!(known.status, 200, "deployment {id}");
    }
    let stored: Vec<(String, String)> = ground.look("SELECT prompt, job FROM prompts", "");
    let texts: BTreeSet<&String> = stored.iter().map(|(prompt, _)| prompt).collect();
    assert_eq!(texts.len(), stored.len(), "a prompt was taken twice");
    let stored: BTreeMap<String, String> = stored.into_iter().collect();
    for (prompt, job) in &state.prompts {
        assert_eq!(stored.get(prompt), Some(job), "{prompt}");
    }
    let check: Vec<(String,)> = ground.look("PRAGMA integrity_check", "");
    assert_eq!(check, [("ok".to_owned(),)]);
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let kills = std::env::var("SVC_SERVER_KILLS").ok();
    let kills: usize = kills.and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let begin = Instant::now();
    let ground = Workspace::new();
    let mut program = ground.start();
    assert!(within(WAIT_TIMEOUT, || program.shows_the_site()));
    let person = Person::new(program.admin);
    let mut client = Client::new(program.admin);
    let key = person.key(&mut client, "main", "write").unwrap().unwrap();
    let clients = (key.reveal(), &person);
    let state = Mutex::new(ServerState::default());
    // Jobs that are completed before the first kill, to send messages to.
    for number in 0..8 + 2 * kills {
        let prompt = format!("Early job {number}");
        let response = send_prompt(&mut client, key.reveal(), None, &prompt, None).unwrap();
        assert_eq!(response.status, 201, "{response:?}");
        let mut state = state.lock().unwrap();
        state.waiting.push_back(id_of(&response));
        state.prompts.insert(prompt, id_of(&response));
    }
    let result = within(WAIT_TIMEOUT, || {
        let active = "GET /v2/agent/docs/jobs?status=active";
        let left = client.call(key.reveal(), active, "").json();
        left["jobs"].as_array().unwrap().is_empty()
    });
    assert!(result, "{}", fs::read_to_string(ground.log()).unwrap());
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut slowest = Duration::ZERO;
    for number in 0..kills {
        // Pseudo-random delays, equal in every run.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let after = Duration::from_millis((random >> 33) % 400);
        round(&ground, program, clients, &state, number, after);
        let start = Instant::now();
        program = ground.start();
        slowest = slowest.max(start.elapsed());
        holds(&ground, &program, clients, &mut state.lock().unwrap());
    }
    let state = state.into_inner().unwrap();
    assert!(
        state.prompts.len() > 8 + 3 * kills && state.messages > 0 && state.revoked > 0,
        "that is nothing to lose: {state:?}"
    );
    println!(
        "{kills} kills in {:.0} s: {} prompts ({} messages), {} keys ({} revoked), {} deployments acknowledged, none lost; started in at most {slowest:?}",
        begin.elapsed().as_secs_f64(),
        state.prompts.len(),
        state.messages,
        state.keys.len(),
        state.revoked,
        state.deployments.len()
    );
}
