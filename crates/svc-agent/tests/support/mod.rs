//! Test repositories, forges and agents.
#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod server;

use std::fs;
use std::io::{Read as _, Write as _};
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use svc_admin_api::agent_job::{Branch, Job, JobStore, NewJob, Phase, Prompt, Repository};
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::project::{ProjectRecord, ProjectStore as _};
use svc_admin_api::{
    Change, ChangeResult, Clock, JobId, MemoryStore, ProjectId, Random, RandomError, Timestamp,
};
use svc_agent::{Forge, Hook, Options, ProjectOptions, RunOutcome, run_once};
use svc_git::Credentials;
use svc_test_support::git::{BareRepo, File};
use tempfile::TempDir;
use tokio::sync::watch;

/// The clock of the system.
pub(crate) struct Time(Instant);

impl Clock for Time {
    fn now(&self) -> Timestamp {
        let passed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("after 1970");
        Timestamp::from_millis(i64::try_from(passed.as_millis()).expect("before the end of time"))
    }

    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The random number generator of the system.
pub(crate) struct Dice;

impl Random for Dice {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError> {
        let mut file = fs::File::open("/dev/urandom").map_err(|_| RandomError)?;
        file.read_exact(buffer).map_err(|_| RandomError)
    }
}

pub(crate) fn time() -> Time {
    Time(Instant::now())
}

/// A bare repository `team/docs.git` with one commit, a store, and a directory for an agent.
pub(crate) struct World {
    pub(crate) dir: TempDir,
    repository: BareRepo,
    pub(crate) store: MemoryStore,
    pub(crate) options: Options,
    pub(crate) stop: watch::Sender<bool>,
}

impl Deref for World {
    type Target = BareRepo;

    fn deref(&self) -> &BareRepo {
        &self.repository
    }
}

/// The project of all tests.
pub(crate) fn project() -> ProjectId {
    ProjectId::parse("docs").expect("a name")
}

impl World {
    /// Returns `None` if Git is not installed.
    pub(crate) async fn new(script: &str) -> Option<Self> {
        let dir = tempfile::tempdir().expect("a folder");
        let repository = BareRepo::new(&dir.path().join("repositories/team/docs.git"))?;
        let world = Self {
            options: Options::new(Vec::new(), dir.path().join("jobs")),
            dir,
            repository,
            store: MemoryStore::default(),
            stop: watch::channel(false).0,
        };
        world.git(&["config", "http.receivepack", "true"]);
        world.commit("main", &[("docs.json", "{}"), ("a/page.mdx", "one\n")]);
        let hook = world.script(
            "hook",
            "cat > \"$0.json\"; echo https://forge.example/team/docs/pulls/7",
        );
        let mut world = world;
        world.agent(script);
        let forge = Forge::Hook(Hook {
            command: vec![hook],
            timeout: Duration::from_secs(20),
        });
        // The scripts of the tests write outside of their directory.
        world.options.sandbox = svc_agent::Sandbox::None;
        world.options.retry_delay = Duration::from_millis(10);
        world.options.grace_period = Duration::from_millis(500);
        world.options.poll_interval = Duration::from_millis(20);
        world.put(forge, Credentials::None);
        let known = ProjectRecord {
            id: project(),
            name: "Docs".to_owned(),
            agent: None,
            created_at: time().now(),
        };
        let put = world
            .store
            .put_project(&known, &world.change("putProject"))
            .await;
        assert_eq!(put, Ok(ChangeResult::Done(())));
        Some(world)
    }

    pub(crate) fn put(&mut self, forge: Forge, credentials: Credentials) {
        let of_project = ProjectOptions {
            credentials,
            ssh_program: None,
            forge,
        };
        self.options.projects.insert(project(), of_project);
    }

    pub(crate) fn change(&self, action: &str) -> Change {
        let by = Initiator {
            actor: Actor::Cli,
            from: None,
        };
        Change::new(&by, time().now(), &project(), action, None)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn bare(&self) -> PathBuf {
        self.repository.path().to_owned()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// Writes an executable script and returns its path.
    pub(crate) fn script(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        // Written by a child process: a file that is open for writing cannot be executed.
        let mut child = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut pipe = child.stdin.take().expect("a pipe");
        write!(pipe, "#!/bin/sh\n{text}\n").expect("written");
        drop(pipe);
        assert!(child.wait().expect("an end").success());
        path.to_str().expect("a path").to_owned()
    }

    pub(crate) fn agent(&mut self, script: &str) {
        self.options.command = vec![self.script("agent", script)];
    }

    /// Commits exactly these files on a branch.
    pub(crate) fn commit(&self, branch: &str, files: &[(&str, &str)]) -> String {
        let files = files.iter().map(|(path, text)| File::Text(path, text));
        self.commit_on(branch, &files.collect::<Vec<_>>())
    }

    /// Mode and path of all files of a branch.
    pub(crate) fn files(&self, branch: &str) -> Vec<String> {
        let output = self.git(&["ls-tree", "-r", "--format=%(objectmode) %(path)", branch]);
        output.lines().map(str::to_owned).collect()
    }

    pub(crate) fn branches(&self) -> Vec<String> {
        let output = self.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        output.lines().map(str::to_owned).collect()
    }

    /// Creates a job on the local repository.
    pub(crate) async fn job(&self, id: &str, prompt: &str) -> JobId {
        let url = format!("file://{}", self.bare().display());
        self.job_at(&url, Some("main"), id, prompt).await
    }

    pub(crate) async fn job_at(
        &self,
        url: &str,
        branch: Option<&str>,
        id: &str,
        prompt: &str,
    ) -> JobId {
        let id = JobId::parse(id).expect("a name");
        let branch = branch.map(|name| Branch::try_from(name.to_owned()).expect("a branch"));
        let job = Job {
            id: id.clone(),
            project: project(),
            repository: Repository::try_from(url.to_owned()).expect("an address"),
            branch,
            model: "small".to_owned(),
            created_at: time().now(),
            turn: 1,
            pull_request: None,
            phase: Phase::Active {
                attempts: 0,
                lease: None,
            },
        };
        let prompt = Prompt::try_from(prompt.to_owned()).expect("a prompt");
        let new = NewJob { job, prompt };
        let result = self.store.create_job(&new, &self.change("createJob")).await;
        assert!(matches!(result, Ok(ChangeResult::Done(_))), "{result:?}");
        id
    }

    pub(crate) async fn message(&self, id: &JobId, prompt: &str) {
        let prompt = Prompt::try_from(prompt.to_owned()).expect("a prompt");
        let change = self.change("messageJob");
        let result = self.store.message(&project(), id, &prompt, &change).await;
        assert!(matches!(result, Ok(ChangeResult::Done(_))), "{result:?}");
    }

    /// Runs the next job.
    pub(crate) async fn run(&self) -> RunOutcome {
        let stop = self.stop.subscribe();
        let outcome = run_once(&self.store, &self.options, &time(), &Dice, &stop).await;
        let (_, outcome) = outcome.expect("a result").expect("a job");
        assert_eq!(self.left(), Vec::<PathBuf>::new(), "nothing is left");
        outcome
    }

    /// Creates a job, runs it, and returns its outcome and log.
    pub(crate) async fn once(&self, prompt: &str) -> (RunOutcome, String) {
        let id = self.job("job_1", prompt).await;
        let outcome = self.run().await;
        (outcome, self.log(&id).await)
    }

    /// Entries of the workspace directory.
    pub(crate) fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.options.workspace_dir);
        let entries = entries.into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    pub(crate) async fn log(&self, id: &JobId) -> String {
        let part = self.store.log(&project(), id, 0).await;
        part.expect("a result").expect("a log").text
    }

    pub(crate) async fn state(&self, id: &JobId) -> Job {
        let job = self.store.job(&project(), id).await;
        job.expect("a result").expect("a job")
    }
}

/// Reason of a failed job.
pub(crate) fn reason(outcome: RunOutcome) -> String {
    match outcome {
        RunOutcome::Failed(reason) => reason,
        other => panic!("{other:?}"),
    }
}

/// Pull request of a completed job.
pub(crate) fn link(outcome: &RunOutcome) -> Option<String> {
    match outcome {
        RunOutcome::Completed(link) => link.as_ref().map(|link| link.as_str().to_owned()),
        other => panic!("{other:?}"),
    }
}

/// Waits for a file. Returns whether it exists.
pub(crate) async fn appears(path: &Path) -> bool {
    for _ in 0..500 {
        if path.exists() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("data").permissions().mode() & 0o777
}
