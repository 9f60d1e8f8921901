//! Readers who sign in: the pages in a browser, and behind the proxy of the recipe.

mod pages;
mod proxy;

use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use argon2::password_hash::PasswordHasher as _;
use argon2::{Algorithm, Argon2, Params, Version};
use svc_server::{DeployRequest, Limits, Projects, Settings, Trigger};

pub(super) type TestResult = Result<(), Box<dyn std::error::Error>>;

const PASSWORD: &str = "correct horse battery";
const DEPLOY_TIMEOUT: Duration = Duration::from_secs(120);

/// A running server with projects.
struct ProjectServer {
    addr: SocketAddr,
    _dir: tempfile::TempDir,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    running: Option<tokio::task::JoinHandle<()>>,
    runtime: tokio::runtime::Runtime,
}

impl Drop for ProjectServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The server may have ended already.
            let _ = stop.send(());
        }
        if let Some(running) = self.running.take() {
            let _ = self.runtime.block_on(running);
        }
    }
}

/// A project of the server: the theme of the site, which is its ID, its host and `[projects.readers]`.
struct Project<'a> {
    theme: &'a str,
    host: String,
    readers: &'a str,
}

impl ProjectServer {
    fn start(settings: &str, projects: &[Project<'_>]) -> Result<Self, Box<dyn std::error::Error>> {
        let dir = tempfile::tempdir()?;
        let params = Params::new(64, 1, 1, None).map_err(|error| error.to_string())?;
        let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let hash = hasher.hash_password_with_salt(PASSWORD.as_bytes(), &[7; 16]);
        let hash = hash.map_err(|error| error.to_string())?;
        fs::write(
            dir.path().join("passwords"),
            format!("ada:{hash}:staff\nmia:{hash}\n"),
        )?;
        fs::write(dir.path().join("secret"), "a secret of this test")?;
        let mut text = format!(
            "listen = \"127.0.0.1:0\"\ndata = \"data\"\n{settings}\n[outbound]\noffline = true\n"
        );
        for Project {
            theme,
            host,
            readers,
        } in projects
        {
            write_site(&dir.path().join(theme), theme)?;
            write!(
                text,
                "[[projects]]\nid = \"{theme}\"\nhosts = [\"{host}\"]\nweb_fonts = false\nsource.folder = \"{theme}\"\n{readers}\n"
            )?;
        }
        let file = dir.path().join("server.toml");
        fs::write(&file, text)?;
        let read = Settings::from_file(&file)?;
        let problems = read.render_text();
        let settings = read.settings.ok_or(problems)?;
        let runtime = tokio::runtime::Runtime::new()?;
        let started = runtime.block_on(Projects::start(settings, Limits::default()))?;
        let (addr, deployer) = (started.local_addr()?, started.deployer().clone());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let running = runtime.spawn(started.run(|| None, async {
            let _ = stopped.await;
        }));
        let server = Self {
            addr,
            _dir: dir,
            stop: Some(stop),
            running: Some(running),
            runtime,
        };
        for project in projects {
            let request = DeployRequest::live(project.theme, Trigger::Command);
            let id = deployer
                .trigger(request)
                .map_err(|error| error.to_string())?;
            deployer.wait(&id, DEPLOY_TIMEOUT).ok_or("no deployment")?;
        }
        Ok(server)
    }
}

fn write_site(dir: &Path, theme: &str) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let config = format!(
        r##"{{"theme": "{theme}", "name": "Handbook", "colors": {{"primary": "#0a7d4f"}}, "navigation": {{"pages": ["index", "staff"]}}}}"##
    );
    fs::write(dir.join("docs.json"), config)?;
    fs::write(
        dir.join("index.mdx"),
        "---\ntitle: Welcome\n---\n\nHello, {user.name ?? \"reader\"}.\n",
    )?;
    fs::write(
        dir.join("staff.mdx"),
        "---\ntitle: Salaries\ngroups: [staff]\n---\n\nText for the staff.\n",
    )
}
