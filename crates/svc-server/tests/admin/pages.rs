//! The dashboard of a multi-project server, through its listener and at its host.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use svc_admin_api::agent_job::Repository;
use svc_server::dashboard::create_account;
use svc_server::{
    AgentSettings, Credentials, ForgeSettings, ProjectAgentSettings, Settings, SystemClock,
    SystemRandom,
};
use svc_test_support::ssh::Sshd;

use super::rig::{Client, SHELL, TestResponse};
use super::server::{Scene, TestServer, bare_repository, with_store, within};

pub(crate) const PASSWORD: &str = "correct horse battery";
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A browser at one of the two addresses of the dashboard.
pub(crate) struct Browser {
    addr: SocketAddr,
    host: String,
    cookie: String,
    csrf: String,
}

impl Browser {
    pub(crate) fn new(addr: SocketAddr, host: &str) -> Self {
        Self {
            addr,
            host: host.to_owned(),
            cookie: String::new(),
            csrf: String::new(),
        }
    }

    fn send(&mut self, line: &str, headers: &str, body: &str) -> TestResponse {
        let (host, cookie, length) = (&self.host, &self.cookie, body.len());
        let mut text = format!("{line} HTTP/1.1\r\nhost: {host}\r\n{headers}");
        if !cookie.is_empty() {
            text.push_str(&format!("cookie: {cookie}\r\n"));
        }
        if !line.starts_with("GET") {
            text.push_str(&format!("content-length: {length}\r\n"));
        }
        text.push_str(&format!("\r\n{body}"));
        let response = Client::new(self.addr).raw(text.as_bytes(), false);
        if !response.cookie.is_empty() {
            self.cookie.clone_from(&response.cookie);
        }
        response
    }

    pub(crate) fn get(&mut self, path: &str) -> TestResponse {
        let response = self.send(&format!("GET {path}"), "", "");
        let page = response.text();
        let rest = page.split("name=\"csrf\" value=\"").nth(1);
        if let Some(token) = rest.and_then(|rest| rest.split('"').next()) {
            token.clone_into(&mut self.csrf);
        }
        response
    }

    /// Submits a form like a page does. Values need no escaping.
    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let mut body = format!("csrf={}", self.csrf);
        for (name, value) in fields {
            body.push_str(&format!("&{name}={}", value.replace(' ', "+")));
        }
        let headers = "sec-fetch-site: same-origin\r\norigin: null\r\n\
                       content-type: application/x-www-form-urlencoded\r\n";
        self.send(&format!("POST {path}"), headers, &body)
    }

    pub(crate) fn sign_in(&mut self) {
        let wrong = self.post("/sign-in", &[("name", "ada"), ("password", "not this one")]);
        assert_eq!(wrong.status, 422, "{wrong:?}");
        let fields = [("name", "ada"), ("password", PASSWORD)];
        let response = self.post("/sign-in", &fields);
        assert_eq!(
            (response.status, response.location.as_str()),
            (303, "/"),
            "{response:?}"
        );
        assert_eq!(self.get("/").status, 200);
    }
}

#[test]
fn password_guessing_does_not_lock_out_the_owner() {
    let (_scene, _server, [mut browser, _]) = start(|settings| {
        let admin = settings.admin.as_mut().unwrap();
        admin.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    });
    let mut from = |ip: &str, cookie: &str, password: &str| {
        let headers = format!(
            "sec-fetch-site: same-origin\r\norigin: null\r\nx-forwarded-for: {ip}\r\n\
             content-type: application/x-www-form-urlencoded\r\n"
        );
        cookie.clone_into(&mut browser.cookie);
        let body = format!("name=ada&password={}", password.replace(' ', "+"));
        browser.send("POST /sign-in", &headers, &body)
    };
    let first = from("192.0.2.1", "", PASSWORD);
    let device = first
        .cookies
        .iter()
        .find(|entry| entry.starts_with("svc_device="));
    let device = device.expect("the browser is remembered").clone();
    // More networks than the number of attempts per account.
    let waits = (1..60).any(|number| {
        let stranger = format!("198.51.100.{number}");
        let response = from(&stranger, "", "not this one");
        if response.status == 429 {
            let wait: u64 = response.header("retry-after").parse().unwrap();
            assert!(wait > 0);
        }
        response.status == 429
    });
    assert!(waits, "the account has a limit");
    // Wrong passwords count for a known browser, too.
    assert_eq!(from("203.0.113.9", &device, "not this one").status, 422);
    assert_eq!(from("203.0.113.9", &device, PASSWORD).status, 303);
    assert_eq!(from("192.0.2.1", "", PASSWORD).status, 303);
}

/// Starts a server with an account, and a browser at each address of its dashboard.
fn start(settings: impl FnOnce(&mut Settings)) -> (Scene, TestServer, [Browser; 2]) {
    let scene = Scene::new();
    let store = scene.sqlite();
    let mut config = scene.settings("data", &store);
    settings(&mut config);
    let server = TestServer::start(config);
    with_store(&store, async |database| {
        let clock = SystemClock::default();
        let result = create_account(database, &clock, &SystemRandom, &SHELL, "ada", PASSWORD);
        result.await.unwrap();
    });
    let host = server.admin.to_string();
    let browsers = [
        Browser::new(server.admin, &host),
        Browser::new(server.sites, "admin.example.com"),
    ];
    (scene, server, browsers)
}

fn is_page(response: &TestResponse, status: u16, text: &str) {
    assert_eq!(response.status, status, "{response:?}");
    assert!(
        response.text().contains(text),
        "no {text:?} in {}",
        response.text()
    );
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("x-frame-options", "deny"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.header(name), value, "{response:?}");
    }
    assert!(!response.request_id.is_empty());
}

#[test]
fn a_user_signs_in_and_creates_a_key_at_either_host() {
    let (_scene, server, browsers) = start(|_| {});
    for mut browser in browsers {
        browser.sign_in();
        let response = browser.post(
            "/projects/one/keys",
            &[("name", "CI"), ("scope", "write"), ("days", "30")],
        );
        is_page(&response, 200, "Key “CI” created");
        let page = response.text();
        let key = page.split("<code>svc_").nth(1).unwrap();
        let key = format!("svc_{}", key.split('<').next().unwrap());
        let jobs = Client::new(server.admin).call(&key, "GET /v2/agent/one/jobs", "");
        assert_eq!(jobs.status, 200, "{jobs:?}");
        let list = browser.get("/projects/one/keys");
        is_page(&list, 200, "Used <time");
        assert!(!list.text().contains(&key));
        let log = browser.get("/audit").text();
        for line in [
            "<span class=\"dash-actor is-stranger\">Somebody</span> tried to sign in as <code>ada</code>",
            "<span class=\"dash-actor is-person\">ada</span> signed in",
            "created the key",
        ] {
            assert!(log.contains(line), "{line}: {log}");
        }
        let out = browser.post("/sign-out", &[]);
        assert_eq!(out.location, "/sign-in?done=out");
        assert_eq!(browser.get("/audit").status, 303);
    }
}

#[test]
fn errors_are_pages_with_status_and_headers() {
    let (_scene, server, browsers) = start(|_| {});
    for mut browser in browsers {
        let away = browser.get("/projects/one/keys");
        let there = "/sign-in?to=%2Fprojects%2Fone%2Fkeys";
        assert_eq!((away.status, away.location.as_str()), (303, there));
        assert_eq!(away.header("content-security-policy"), POLICY);
        browser.sign_in();
        is_page(&browser.get("/nothing"), 404, "Page not found");
        is_page(&browser.get("/projects/three"), 404, "Page not found");
        let wrong = browser.send("DELETE /projects/one/keys", "", "");
        is_page(&wrong, 405, "Method not allowed");
        assert_eq!(wrong.header("allow"), "get, head, post");
        let headers = "sec-fetch-site: cross-site\r\n\
                       content-type: application/x-www-form-urlencoded\r\n";
        let foreign = browser.send("POST /projects/one/keys", headers, "name=a");
        is_page(&foreign, 403, "Form from another origin");
        let token = std::mem::replace(&mut browser.csrf, "old".to_owned());
        let stale = browser.post("/projects/one/keys", &[("name", "a")]);
        is_page(&stale, 403, "This form is out of date");
        browser.csrf = token;
        let headers = "sec-fetch-site: same-origin\r\ncontent-type: application/json\r\n";
        let json = browser.send("POST /projects/one/keys", headers, "{}");
        is_page(&json, 415, "Unsupported content type");
        let long = "x".repeat(svc_admin_api::MAX_BODY + 1);
        let large = browser.post("/projects/one/jobs", &[("prompt", &long)]);
        is_page(&large, 413, "Request too large");
        // The same with a chunked body.
        let headers = "sec-fetch-site: same-origin\r\ntransfer-encoding: chunked\r\n";
        let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
        let host = &browser.host;
        let text =
            format!("POST /projects/one/jobs HTTP/1.1\r\nhost: {host}\r\n{headers}\r\n{chunk}");
        let large = Client::new(browser.addr).raw(text.as_bytes(), false);
        is_page(&large, 413, "Request too large");
        // API clients get the same as JSON.
        let line = "POST /v2/agent/one/job";
        let json = browser.send(line, "content-type: application/json\r\n", "{}");
        assert_eq!(
            (json.status, json.header("content-type")),
            (401, "application/json")
        );
    }
    // Another host of the same listener has no dashboard.
    let mut other = Browser::new(server.sites, "other.example.com");
    for response in [other.get("/sign-in"), other.post("/sign-in", &[])] {
        assert_eq!(response.status, 421, "{response:?}");
        assert!(
            response
                .text()
                .contains("No site is configured for this host.")
        );
    }
}

#[test]
fn a_client_over_the_limit_gets_an_error_page() {
    let (_scene, server, [mut browser, _]) = start(|_| {});
    let without_body = || {
        let mut socket = TcpStream::connect(server.admin).unwrap();
        let head = "POST /sign-in HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n";
        socket.write_all(head.as_bytes()).unwrap();
        socket
    };
    let mut half: Vec<_> = (0..64).map(|_| without_body()).collect();
    let full = within(Duration::from_secs(8), || {
        let full = browser.post("/sign-in", &[]).status == 503;
        if !full {
            // This request may have had the last permit when one of those without body came.
            half.push(without_body());
        }
        full
    });
    assert!(full, "every body is read");
    let response = browser.post("/sign-in", &[]);
    is_page(&response, 503, "Not available at the moment");
    assert_eq!(response.header("retry-after"), "2");
    drop(half);
    let available = within(Duration::from_secs(8), || {
        browser.post("/sign-in", &[]).status != 503
    });
    assert!(available, "the places are free again");
}

/// Configures an agent for the project `one` that writes its prompt to a file.
fn give_agent(settings: &mut Settings, url: &str, credentials: Option<Credentials>) {
    let shell = |script: &str| ["sh", "-c", script].map(str::to_owned).to_vec();
    settings.agent = Some(AgentSettings {
        sandbox: svc_agent::Sandbox::None,
        command: shell("cat > said.txt; echo written"),
        environment: Vec::new(),
        timeout: Duration::from_secs(60),
        concurrency: 1,
        model: "small".to_owned(),
        author: ("An agent".to_owned(), "agent@example.com".to_owned()),
    });
    let hook = "cat > /dev/null; echo https://forge.example/team/docs/pulls/7";
    let project = settings.projects.first_mut().unwrap();
    project.agent = Some(ProjectAgentSettings {
        repository: Repository::try_from(url.to_owned()).unwrap(),
        branch: None,
        forge: ForgeSettings::Command(shell(hook)),
        token: None,
        credentials,
    });
}

/// Creates a job at each address, and waits until its page shows the result.
fn works(settings: impl FnOnce(&mut Settings)) {
    let (_scene, _server, browsers) = start(settings);
    for mut browser in browsers {
        browser.sign_in();
        let response = browser.post("/projects/one/jobs", &[("prompt", "Write it down")]);
        assert_eq!(response.status, 303, "{response:?}");
        let page = response.location.replace("?done=job", "");
        is_page(&browser.get(&page), 200, "Write it down");
        let mut last = String::new();
        let result = within(Duration::from_secs(60), || {
            last = browser.get(&page).text();
            last.contains("Open pull request")
        });
        assert!(result, "{last}");
        for text in [
            "Completed",
            "written",
            "A said.txt",
            "https://forge.example/team/docs/pulls/7",
        ] {
            assert!(last.contains(text), "{text}: {last}");
        }
        is_page(&browser.get("/projects/one/jobs"), 200, "Write it down");
        let archived = browser.post(&format!("{page}/archive"), &[]);
        assert_eq!(archived.status, 303, "{archived:?}");
        assert!(browser.get(&page).text().contains("Archived"));
    }
}

#[test]
fn a_job_opens_a_pull_request_through_either_host() {
    let dir = tempfile::tempdir().unwrap();
    let bare = bare_repository(dir.path());
    let url = format!("file://{}", bare.display());
    works(|settings| give_agent(settings, &url, None));
}

#[test]
fn a_job_is_cloned_and_pushed_over_ssh_with_the_key_of_the_settings() {
    let dir = tempfile::tempdir().unwrap();
    let bare = bare_repository(dir.path());
    let Some(sshd) = Sshd::start(dir.path(), true) else {
        return;
    };
    let credentials = Credentials::Key {
        file: sshd.key("key"),
        known_hosts: Some(sshd.known_hosts()),
    };
    let url = sshd.url(&bare);
    works(|settings| give_agent(settings, &url, Some(credentials)));
}
