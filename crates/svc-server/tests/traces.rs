//! Traces of the program `svc-server`, as a collector gets them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use prost::Message as _;
use svc_test_support::ports::free_port;
use svc_test_support::program::{Program, url_in_line};
use svc_test_support::wait::wait_until;

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);
/// A trace of a proxy, whose span is sampled.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A collector for OTLP over HTTP.
struct Collector {
    addr: SocketAddr,
    spans: Arc<Mutex<Vec<Span>>>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = listener.local_addr().unwrap();
        let spans = Arc::<Mutex<Vec<Span>>>::default();
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let (all_spans, all_heads) = (Arc::clone(&spans), Arc::clone(&heads));
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let mut reader = BufReader::new(socket.unwrap());
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
                }
                let head = head.to_ascii_lowercase();
                let length = head.split("content-length: ").nth(1).unwrap();
                let length = length.split("\r\n").next().unwrap().parse().unwrap();
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
                let of_resource = request.resource_spans.into_iter();
                let of_scope = of_resource.flat_map(|one| one.scope_spans);
                let received = of_scope.flat_map(|one| one.spans);
                all_spans.lock().unwrap().extend(received);
                all_heads.lock().unwrap().push(head);
                let response = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                reader.get_mut().write_all(response).unwrap();
            }
        });
        Self { addr, spans, heads }
    }

    /// The spans so far whose names begin with a text.
    fn spans(&self, name: &str) -> Vec<Span> {
        let spans = self.spans.lock().unwrap();
        let fits = |span: &&Span| span.name.starts_with(name);
        spans.iter().filter(fits).cloned().collect()
    }
}

/// A server with one site; `traces` are keys of the table.
fn start(dir: &Path, addr: SocketAddr, traces: &str) -> (Program, String) {
    let config = r##"{"theme": "svc", "name": "One", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
    std::fs::create_dir(dir.join("one")).unwrap();
    std::fs::write(dir.join("one/docs.json"), config).unwrap();
    std::fs::write(dir.join("one/index.mdx"), "Hello.").unwrap();
    let settings = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[outbound]\noffline = true\n\
         [traces]\nendpoint = \"http://{addr}/v1/traces\"\n{traces}\
         [[projects]]\nid = \"one\"\nhosts = \"one.example\"\nsource.folder = \"one\"\n"
    );
    std::fs::write(dir.join("server.toml"), settings).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.arg("--config").arg(dir.join("server.toml"));
    command.env("COLLECTOR_TOKEN", "Bearer of-the-collector");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = Program::start(&mut command);
    let line = server.next_line();
    let addr = url_in_line(&line).trim_start_matches("http://");
    let addr = addr.split('/').next().unwrap().to_owned();
    wait_until("the site is live", WAIT_TIMEOUT, || {
        get(&addr, "/_svc/ready", "").starts_with("HTTP/1.1 200 ")
    });
    (server, addr)
}

fn get(addr: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(addr).unwrap();
    stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: one.example\r\n{headers}");
    write!(stream, "{head}Connection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

fn attribute(span: &Span, name: &str) -> String {
    let found = span.attributes.iter().find(|one| one.key == name);
    match found.and_then(|one| one.value.clone()?.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn trace_parent(flags: &str) -> String {
    format!("traceparent: 00-{TRACE}-{PARENT}-{flags}\r\n")
}

#[test]
fn a_collector_gets_the_spans_of_requests_and_deployments() {
    let collector = Collector::start();
    let dir = tempfile::tempdir().unwrap();
    let keys = "sample_percent = 100\nauthorization_env = \"COLLECTOR_TOKEN\"\n";
    let (server, addr) = start(dir.path(), collector.addr, keys);
    get(&addr, "/?token=hunter2", &trace_parent("01"));
    get(&addr, "/missing/svc_secret", "");
    wait_until("the page has a span", WAIT_TIMEOUT, || {
        collector.spans("GET page").len() > 1
    });
    let head = collector.heads.lock().unwrap()[0].clone();
    assert!(head.starts_with("post /v1/traces http/1.1\r\n"), "{head}");
    assert!(
        head.contains("authorization: bearer of-the-collector"),
        "{head}"
    );
    assert!(
        head.contains("content-type: application/x-protobuf"),
        "{head}"
    );

    let pages = collector.spans("GET page");
    let of = |path: &str| {
        pages
            .iter()
            .find(|span| attribute(span, "url.path") == path)
    };
    let home = of("/").unwrap();
    assert_eq!(hex::encode(&home.trace_id), TRACE);
    assert_eq!(hex::encode(&home.parent_span_id), PARENT);
    assert_eq!(home.kind, SpanKind::Server as i32);
    for (name, value) in [
        ("http.request.method", "GET"),
        ("server.address", "one.example"),
        ("http.response.status_code", "200"),
        ("svc.project", "one"),
    ] {
        assert_eq!(attribute(home, name), value, "{home:?}");
    }
    assert!(home.end_time_unix_nano > home.start_time_unix_nano);
    let missing = of("/missing/…").unwrap();
    assert_ne!(hex::encode(&missing.trace_id), TRACE);
    assert_eq!(attribute(missing, "http.response.status_code"), "404");
    let all = format!("{:?}", collector.spans(""));
    assert!(
        !all.contains("hunter2") && !all.contains("svc_secret"),
        "{all}"
    );

    let deployments = collector.spans("deployment");
    let live = |span: &&Span| attribute(span, "state") == "live";
    let deployment = deployments.iter().find(live).unwrap();
    assert_eq!(attribute(deployment, "svc.project"), "one");
    let is_child = |span: &Span| span.parent_span_id == deployment.span_id;
    assert!(
        collector.spans("configuration").iter().any(is_child),
        "{all}"
    );

    // A stopping server sends its last spans.
    get(&addr, "/_svc/health", "");
    let (status, _) = server.end("-TERM");
    assert_eq!(status, Some(0));
    assert!(!collector.spans("GET health").is_empty());
}

#[test]
fn a_trusted_proxy_decides_what_is_sampled_and_a_deployment_that_fails_is_an_error() {
    let collector = Collector::start();
    let dir = tempfile::tempdir().unwrap();
    let (server, addr) = start(dir.path(), collector.addr, "sample_percent = 0\n");
    for _ in 0..20 {
        get(&addr, "/", "");
    }
    get(&addr, "/", &trace_parent("00"));
    get(&addr, "/index.md", &trace_parent("01"));
    get(&addr, "/index.txt", "traceparent: 00-zz\r\n");
    std::fs::write(dir.path().join("one/docs.json"), "{").unwrap();
    let data = dir.path().join("data");
    let path = "/projects/one/deployments";
    svc_server::request_server(&data, "POST", path, &serde_json::json!({})).unwrap();
    let failed = || {
        let spans = collector.spans("deployment").into_iter();
        let mut failed = spans.filter(|span| attribute(span, "state") == "failed");
        failed.next()
    };
    wait_until("the deployment has failed", WAIT_TIMEOUT, || {
        failed().is_some()
    });
    let status = failed().unwrap().status.unwrap();
    assert_eq!(status.code, StatusCode::Error as i32);
    server.end("-TERM");
    let requests = collector.spans("GET");
    let paths: Vec<_> = requests
        .iter()
        .map(|span| attribute(span, "url.path"))
        .collect();
    assert_eq!(paths, ["/index.md"]);
}

#[test]
fn a_collector_that_is_down_is_in_the_log_once() {
    // Nobody listens here.
    let addr = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let dir = tempfile::tempdir().unwrap();
    let (server, site) = start(dir.path(), addr, "sample_percent = 100\n");
    let begin = std::time::Instant::now();
    // Longer than two exports.
    while begin.elapsed() < Duration::from_secs(5) {
        assert!(get(&site, "/", "").starts_with("HTTP/1.1 200 "));
        std::thread::sleep(Duration::from_millis(100));
    }
    let (status, log) = server.end("-TERM");
    assert_eq!(status, Some(0));
    let lines = log
        .lines()
        .filter(|line| line.contains("spans cannot be sent"));
    assert_eq!(lines.count(), 1, "{log}");
}
