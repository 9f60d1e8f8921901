//! Metrics, readiness and IDs of requests of the program.

pub(crate) mod exposition;
#[cfg(unix)]
mod restarts;

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use svc_server::{METRICS, MetricKind};
use svc_test_support::api::StubApi;
use svc_test_support::program::{Program, url_in_line};
use svc_test_support::tls::TestCertificate;
use svc_test_support::wait;

const TIMEOUT: Duration = Duration::from_secs(60);

/// A folder with a settings file and one site.
struct Scene {
    dir: tempfile::TempDir,
}

impl Scene {
    /// `extra` is added to the settings before the projects.
    fn new(extra: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = r##"{"theme": "svc", "name": "One", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
        std::fs::create_dir(dir.path().join("one")).unwrap();
        std::fs::write(dir.path().join("one/docs.json"), config).unwrap();
        std::fs::write(dir.path().join("one/index.mdx"), "Hello.").unwrap();
        let text = format!(
            "listen = \"127.0.0.1:0\"\ndata = \"data\"\n{extra}\n[outbound]\noffline = true\n[[projects]]\nid = \"one\"\nhosts = \"one.example\"\nsource.folder = \"one\"\n"
        );
        std::fs::write(dir.path().join("server.toml"), text).unwrap();
        Self { dir }
    }

    fn settings(&self) -> PathBuf {
        self.dir.path().join("server.toml")
    }

    fn start(&self) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Program::start(command.arg("--config").arg(self.settings()))
    }
}

/// Address and port in a line that the program prints.
fn addr_in_line(line: &str) -> String {
    let url = url_in_line(line);
    let addr = url.trim_start_matches("http://");
    addr.split('/').next().unwrap().to_owned()
}

/// Response to a request with further header lines.
fn get(addr: &str, host: &str, path: &str, headers: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}");
    send(addr, &head, "")
}

/// Response to a request; `head` is that of the request without the last header.
fn send(addr: &str, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(addr).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    write!(stream, "{head}Connection: close\r\n\r\n{body}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

fn wait_until(what: &str, is_done: impl FnMut() -> bool) {
    wait::wait_until(what, TIMEOUT, is_done);
}

fn body(response: &str) -> &str {
    response.split_once("\r\n\r\n").expect(response).1
}

fn scrape(addr: &str) -> exposition::SeriesValues {
    let response = get(addr, "metrics.internal", "/metrics", "");
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    assert!(
        response.contains("content-type: application/openmetrics-text"),
        "{response}"
    );
    exposition::read(body(&response))
}

fn is_ready(addr: &str) -> bool {
    get(addr, "10.0.0.7", "/_svc/ready", "").starts_with("HTTP/1.1 200 ")
}

#[test]
fn the_admin_listener_and_an_own_one_have_the_same_metrics() {
    let scene =
        Scene::new("[metrics]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n");
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    let admin = addr_in_line(&server.next_line());
    let metrics = addr_in_line(&server.next_line());
    wait_until("the site is live", || is_ready(&addr));
    for path in ["/", "/", "/index.md", "/none", "/_svc/search?q=hello"] {
        get(&addr, "one.example", path, "");
    }
    get(&addr, "unknown.example", "/", "");
    get(&admin, "admin.internal", "/v2/none", "");
    let mut series = scrape(&admin);
    // The connection of the last request may not have ended yet.
    wait_until("other connections have ended", || {
        series = scrape(&admin);
        series.get(r#"svc_http_connections{listener="admin"}"#) == Some(&1.0)
    });
    for (key, value) in [
        (
            r#"svc_http_requests_total{project="one",class="page",status="2xx"}"#,
            2.0,
        ),
        (
            r#"svc_http_requests_total{project="one",class="machine",status="2xx"}"#,
            1.0,
        ),
        (
            r#"svc_http_requests_total{project="one",class="search",status="2xx"}"#,
            1.0,
        ),
        (
            r#"svc_http_requests_total{project="one",class="not_found",status="4xx"}"#,
            1.0,
        ),
        (
            r#"svc_http_requests_total{project="",class="page",status="4xx"}"#,
            1.0,
        ),
        (r#"svc_project_live{project="one"}"#, 1.0),
        (r#"svc_site_pages{project="one"}"#, 1.0),
        (r#"svc_deployments_total{project="one",state="live"}"#, 1.0),
        (r#"svc_http_connections{listener="admin"}"#, 1.0),
        ("svc_ready", 1.0),
        ("svc_draining", 0.0),
        ("svc_store_up", 1.0),
    ] {
        assert_eq!(series.get(key), Some(&value), "{key}: {series:#?}");
    }
    let pages = |result: &str| {
        series[&format!(
            "svc_site_cache_lookups_total{{project=\"one\",cache=\"pages\",result=\"{result}\"}}"
        )]
    };
    assert_eq!(
        pages("miss"),
        series[r#"svc_pages_rendered_total{project="one"}"#]
    );
    assert!(pages("hit") >= 1.0 && pages("miss") >= 1.0, "{series:#?}");
    let size = |of: &str, cache: &str| {
        series[&format!("svc_site_cache_{of}{{project=\"one\",cache=\"{cache}\"}}")]
    };
    assert!(size("bytes", "pages") > 1000.0 && size("entries", "pages") >= 1.0);
    assert!(size("bytes", "responses") > 1.0 && size("entries", "responses") >= 1.0);
    for name in [
        r#"svc_page_render_duration_seconds_total{project="one"}"#,
        r#"svc_store_operation_duration_seconds_total{kind="read"}"#,
        r#"svc_store_operation_duration_seconds_total{kind="change"}"#,
        "svc_data_free_bytes",
    ] {
        assert!(series[name] > 0.0, "{name}: {series:#?}");
    }
    let bytes = series[r#"svc_http_response_body_bytes_total{project="one"}"#];
    assert!(bytes > 2000.0, "{bytes}");
    assert!(series["process_resident_memory_bytes"] > 1e6);
    assert!(series["process_open_fds"] > 3.0);
    // Every metric is present but those of an object store and of TLS, which other tests read.
    let names = |series: &exposition::SeriesValues| -> BTreeSet<String> {
        let names = series.keys().filter_map(|key| key.split('{').next());
        names.map(str::to_owned).collect()
    };
    let present = names(&series);
    let local = METRICS.iter().filter(|metric| {
        !["svc_objects_", "svc_tls_"]
            .iter()
            .any(|part| metric.name.starts_with(part))
    });
    for metric in local {
        let name = match metric.kind {
            MetricKind::Histogram => format!("{}_count", metric.name),
            _ => metric.full_name(),
        };
        assert!(present.contains(&name), "{name}: {series:#?}");
    }
    assert_eq!(names(&scrape(&metrics)), present);
    let other = get(&metrics, "metrics.internal", "/", "");
    assert!(other.starts_with("HTTP/1.1 404 "), "{other}");
    let public = get(&addr, "one.example", "/metrics", "");
    assert!(public.starts_with("HTTP/1.1 404 "), "they are not public");
    assert_eq!(server.end("-TERM").0, Some(0));
}

#[test]
fn certificates_that_expire_are_in_the_log_and_the_metrics() {
    let scene = Scene::new(
        "[metrics]\nlisten = \"127.0.0.1:0\"\n[tls]\ncertificate_file = \"soon.pem\"\nkey_file = \"soon-key.pem\"\n[[tls.certificates]]\ncertificate_file = \"later.pem\"\nkey_file = \"later-key.pem\"\n[[tls.certificates]]\ncertificate_file = \"later.pem\"\nkey_file = \"later-key.pem\"\n[admin]\nlisten = \"127.0.0.1:0\"\n[admin.tls]\ncertificate_file = \"ended.pem\"\nkey_file = \"ended-key.pem\"\n",
    );
    let epoch = SystemTime::UNIX_EPOCH;
    let now = SystemTime::now().duration_since(epoch).unwrap().as_secs();
    let day = 86_400;
    let ends = [
        ("soon", now + 10 * day),
        ("later", now + 80 * day),
        ("ended", now - day),
    ];
    for (name, end) in ends {
        let end = epoch + Duration::from_secs(end);
        let made = TestCertificate::expiring(&["one.example"], end);
        let path = |suffix: &str| scene.dir.path().join(format!("{name}{suffix}.pem"));
        std::fs::write(path(""), made.chain).unwrap();
        std::fs::write(path("-key"), made.key).unwrap();
    }
    let mut server = scene.start();
    let (_, _, line) = (server.next_line(), server.next_line(), server.next_line());
    let series = scrape(&addr_in_line(&line));
    let expiries: Vec<(&String, &f64)> = series
        .iter()
        .filter(|(key, _)| key.starts_with("svc_tls_certificate_expiry_timestamp_seconds{"))
        .collect();
    assert_eq!(expiries.len(), 3, "{expiries:?}");
    for ((name, end), listener) in ends.into_iter().zip(["sites", "sites", "admin"]) {
        let start = format!(r#"{{listener="{listener}",file="#);
        let found = expiries
            .iter()
            .find(|(key, _)| key.contains(&start) && key.ends_with(&format!("/{name}.pem\"}}")));
        assert_eq!(
            found.map(|(_, value)| **value),
            Some(end as f64),
            "{expiries:?}"
        );
    }
    // Certificates are checked every two seconds.
    std::thread::sleep(Duration::from_secs(5));
    let (_, log) = server.end("-TERM");
    assert_eq!(
        log.matches("soon.pem` expires within 10 days").count(),
        1,
        "{log}"
    );
    assert_eq!(log.matches("ended.pem` expired at").count(), 1, "{log}");
    assert!(!log.contains("later.pem` expires"), "{log}");
}

#[test]
fn names_and_units_follow_the_conventions() {
    for metric in METRICS {
        let name = metric.name;
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        assert!(name.bytes().all(is_plain), "{name}");
        assert!(
            name.starts_with("svc_") || name.starts_with("process_"),
            "{name}"
        );
        assert!(!name.ends_with("_total"), "{name}: the output adds it");
        let is_time = ["duration", "timestamp", "_time", "cpu"]
            .iter()
            .any(|part| name.contains(part));
        assert_eq!(name.ends_with("_seconds"), is_time, "{name}");
        let is_size = name.contains("bytes") || name.contains("memory");
        assert_eq!(name.ends_with("_bytes"), is_size, "{name}");
        assert!(
            metric.help.ends_with('.') && !metric.help.contains(['\n', '\\']),
            "{name}"
        );
    }
}

/// Every metric that the dashboard of Grafana names exists.
#[test]
fn the_dashboard_only_uses_existing_metrics() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../packaging/grafana/svc.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let dashboard: serde_json::Value = serde_json::from_str(&text).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array());
    let queries: Vec<&str> = targets
        .flatten()
        .map(|target| target["expr"].as_str().unwrap())
        .collect();
    assert!(queries.len() > 10, "{queries:?}");
    let known: BTreeSet<String> = METRICS
        .iter()
        .flat_map(|metric| match metric.kind {
            MetricKind::Histogram => ["_bucket", "_sum", "_count"]
                .map(|suffix| format!("{}{suffix}", metric.name))
                .to_vec(),
            _ => vec![metric.full_name()],
        })
        .collect();
    for query in queries {
        let words = query.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let names: Vec<&str> = words
            .filter(|word| word.starts_with("svc_") || word.starts_with("process_"))
            .collect();
        assert!(!names.is_empty(), "{query}");
        for name in names {
            assert!(known.contains(name), "{name} in {query}");
        }
    }
}

#[test]
fn a_draining_server_is_not_ready_and_still_serves() {
    let scene = Scene::new("drain_delay = \"3s\"");
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    wait_until("the site is live", || is_ready(&addr));
    let ready = get(&addr, "10.0.0.7", "/_svc/ready", "");
    assert_eq!(body(&ready), r#"{"status":"ready","reasons":[]}"#);
    server.signal("-TERM");
    wait_until("it drains", || !is_ready(&addr));
    let draining = get(&addr, "10.0.0.7", "/_svc/ready", "");
    assert!(draining.starts_with("HTTP/1.1 503 "), "{draining}");
    assert!(body(&draining).contains("draining"), "{draining}");
    let page = get(&addr, "one.example", "/", "");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    let alive = get(&addr, "10.0.0.7", "/_svc/health", "");
    assert!(alive.starts_with("HTTP/1.1 200 "), "{alive}");
    let begin = Instant::now();
    // The second signal.
    let (status, log) = server.end("-TERM");
    assert_eq!(status, Some(1), "{log}");
    assert!(log.contains("second signal"), "{log}");
    assert!(
        begin.elapsed() < Duration::from_millis(2500),
        "{:?}",
        begin.elapsed()
    );
}

#[test]
fn a_server_without_its_first_site_is_not_ready() {
    let scene = Scene::new("");
    std::fs::write(scene.dir.path().join("one/docs.json"), "[]").unwrap();
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    let building = get(&addr, "one.example", "/", "");
    assert!(building.starts_with("HTTP/1.1 503 "), "{building}");
    assert!(building.contains("x-request-id: "), "{building}");
    let response = get(&addr, "10.0.0.7", "/_svc/ready", "");
    assert!(response.starts_with("HTTP/1.1 503 "), "{response}");
    assert!(
        body(&response).contains("project `one` has no site yet"),
        "{response}"
    );
    assert_eq!(server.end("-TERM").0, Some(0));
}

#[test]
fn the_id_of_a_request_is_in_the_response_and_the_access_log() {
    let scene = Scene::new("trusted_proxies = [\"127.0.0.1\"]");
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    wait_until("the site is live", || is_ready(&addr));
    let page = get(&addr, "one.example", "/", "");
    assert!(!page.contains("x-request-id"), "{page}");
    let page = get(&addr, "one.example", "/", "X-Request-Id: abc-1\r\n");
    assert!(page.contains("x-request-id: abc-1\r\n"), "{page}");
    let page = get(&addr, "one.example", "/", "X-Request-Id: <b>\r\n");
    assert!(!page.contains("x-request-id"), "{page}");
    assert_eq!(server.end("-TERM").0, Some(0));

    let scene = Scene::new("trusted_proxies = []\n[log]\naccess = true");
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    let page = get(&addr, "one.example", "/", "X-Request-Id: abc-1\r\n");
    let id = page.split_once("x-request-id: ").expect(&page).1;
    let id = id.split('\r').next().unwrap().to_owned();
    assert_ne!(id, "abc-1", "the client is not a trusted proxy");
    let (_, log) = server.end("-TERM");
    assert!(log.contains(&format!("request_id={id}")), "{log}");
}

#[test]
fn a_reload_applies_what_needs_no_restart_of_the_administration() {
    let scene = Scene::new("[admin]\nlisten = \"127.0.0.1:0\"\n");
    let mut server = scene.start();
    server.next_line();
    let admin = addr_in_line(&server.next_line());
    let is_limited = || get(&admin, "admin.internal", "/v2/agent/one/jobs", "").contains(" 429 ");
    assert!(!is_limited() && !is_limited() && !is_limited());
    let text = std::fs::read_to_string(scene.settings()).unwrap();
    let text = text.replace(
        "[outbound]",
        "host = \"admin.example.com\"\n[admin.rates]\nunauthenticated_per_minute = 1\n[outbound]",
    );
    std::fs::write(scene.settings(), text).unwrap();
    server.signal("-HUP");
    wait_until("the rate applies", is_limited);
    let (status, log) = server.end("-TERM");
    assert_eq!(status, Some(0));
    assert!(
        log.contains("`host` of `[admin]` has changed; restart the server to apply it"),
        "{log}"
    );
    assert!(!log.contains("`listen` of"), "{log}");
}

#[test]
fn sign_ins_of_readers_are_counted_by_their_result() {
    let scene = Scene::new("[metrics]\nlisten = \"127.0.0.1:0\"\n");
    let hash = crate::readers::rig::cheap_hash("one two three");
    std::fs::write(scene.dir.path().join("passwords"), format!("ada:{hash}:\n")).unwrap();
    let text = std::fs::read_to_string(scene.settings()).unwrap();
    let text = format!("{text}[projects.readers]\npassword_file = \"passwords\"\n");
    std::fs::write(scene.settings(), text).unwrap();
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    let metrics = addr_in_line(&server.next_line());
    wait_until("the site is live", || is_ready(&addr));
    let sign_in = |password: &str| {
        let form = format!("name=ada&password={password}");
        let length = form.len();
        let head = format!(
            "POST /_svc/sign-in HTTP/1.1\r\nHost: one.example\r\nOrigin: http://one.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n"
        );
        send(&addr, &head, &form)
    };
    let wrong = sign_in("one+two+four");
    assert!(wrong.starts_with("HTTP/1.1 403 "), "{wrong}");
    let right = sign_in("one+two+three");
    assert!(right.starts_with("HTTP/1.1 303 "), "{right}");
    let signed_out = get(&addr, "one.example", "/", "Cookie: svc_reader=a.b\r\n");
    assert!(signed_out.starts_with("HTTP/1.1 200 "), "{signed_out}");
    let series = scrape(&metrics);
    assert_eq!(series["svc_reader_sessions_rejected_total"], 1.0);
    let count = |result: &str| series[&format!("svc_reader_sign_ins_total{{result=\"{result}\"}}")];
    assert_eq!((count("wrong_password"), count("success")), (1.0, 1.0));
    assert_eq!(count("no_access"), 0.0);
    assert_eq!(server.end("-TERM").0, Some(0));
}

#[test]
fn fetches_and_problems_are_counted() {
    let api = StubApi::with_response(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 77\r\n\r\n{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"A\", \"version\": \"1\"}, \"paths\": {}}    ",
    );
    let scene = Scene::new("[metrics]\nlisten = \"127.0.0.1:0\"\n");
    let config = format!(
        r##"{{"theme": "svc", "name": "One", "colors": {{"primary": "#000000"}}, "navigation": {{"groups": [{{"group": "G", "pages": ["index", "missing"]}}, {{"group": "A", "openapi": "http://{}/api.json"}}]}}}}"##,
        api.addr
    );
    std::fs::write(scene.dir.path().join("one/docs.json"), config).unwrap();
    let text = std::fs::read_to_string(scene.settings()).unwrap();
    let text = text.replace(
        "offline = true",
        "remote_allow = [\"127.0.0.1\"]\nremote_http = true",
    );
    std::fs::write(scene.settings(), text).unwrap();
    let mut server = scene.start();
    let addr = addr_in_line(&server.next_line());
    let metrics = addr_in_line(&server.next_line());
    wait_until("the site is live", || is_ready(&addr));
    let series = scrape(&metrics);
    let documents = |result: &str| {
        series[&format!("svc_outbound_requests_total{{purpose=\"documents\",result=\"{result}\"}}")]
    };
    assert!(documents("success") >= 1.0, "{series:#?}");
    assert_eq!(documents("failure"), 0.0);
    let bytes = series[r#"svc_outbound_response_body_bytes_total{purpose="documents"}"#];
    assert!(bytes >= 77.0, "{bytes}");
    let problems = series[r#"svc_site_problems{project="one",severity="error"}"#]
        + series[r#"svc_site_problems{project="one",severity="warning"}"#];
    assert!(
        problems >= 1.0,
        "a page of the navigation is missing: {series:#?}"
    );
    assert_eq!(server.end("-TERM").0, Some(0));
}

/// Every metric of the server has a panel in the dashboard of Grafana.
#[test]
fn the_dashboard_shows_every_metric() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../packaging/grafana/svc.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let without_panel = [
        "svc_build_info",
        "svc_draining",
        "process_start_time_seconds",
    ];
    for metric in METRICS {
        let is_shown =
            text.contains(&metric.full_name()) || text.contains(&format!("{}_bucket", metric.name));
        let is_exempt = without_panel.contains(&metric.name);
        assert_ne!(is_shown, is_exempt, "{}", metric.name);
    }
}
