//! pebble, a certificate authority for tests, and a server that uses it.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use svc_test_support::ports::free_port;
use svc_test_support::program::{Program, url_in_line};
use svc_test_support::skip;
use svc_test_support::tls::TestCertificate;
use svc_test_support::wait;

const TIMEOUT: Duration = Duration::from_secs(90);
const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;

/// Whether pebble is installed. If not, the test is skipped.
pub(super) fn has_pebble() -> bool {
    let is_there = ["pebble", "pebble-challtestsrv"].iter().all(|name| {
        let found = Command::new(name).arg("--help").output();
        found.is_ok()
    });
    if !is_there {
        skip("the certificate authority pebble is not installed (Debian package `pebble`)");
    }
    is_there
}

pub(super) fn wait_until(what: &str, is_done: impl FnMut() -> bool) {
    wait::wait_until(what, TIMEOUT, is_done);
}

/// Ports of the authority and of the server that it checks.
pub(super) struct Ports {
    acme: u16,
    management: u16,
    dns: u16,
    dns_management: u16,
    pub(super) https: u16,
    pub(super) http: u16,
}

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder with an authority, its DNS server, a site, and the settings of a server.
pub(super) struct Scene {
    pub(super) dir: tempfile::TempDir,
    pub(super) ports: Ports,
    pebble: Option<Process>,
    _dns: Process,
}

impl Scene {
    /// Starts the authority. All names lead to this machine.
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let ports = Ports {
            acme: free_port(),
            management: free_port(),
            dns: free_port(),
            dns_management: free_port(),
            https: free_port(),
            http: free_port(),
        };
        let made = TestCertificate::new(&["localhost"]);
        fs::write(dir.path().join("ca.pem"), &made.chain).unwrap();
        fs::write(dir.path().join("ca-key.pem"), &made.key).unwrap();
        fs::create_dir(dir.path().join("one")).unwrap();
        fs::write(dir.path().join("one/docs.json"), CONFIG).unwrap();
        fs::write(dir.path().join("one/index.mdx"), "Words.").unwrap();
        let dns = Command::new("pebble-challtestsrv")
            .args([
                "-http01",
                "",
                "-https01",
                "",
                "-tlsalpn01",
                "",
                "-defaultIPv6",
                "",
            ])
            .args(["-dns01", &format!("127.0.0.1:{}", ports.dns)])
            .args([
                "-management",
                &format!("127.0.0.1:{}", ports.dns_management),
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut scene = Self {
            dir,
            ports,
            pebble: None,
            _dns: Process(dns),
        };
        scene.start_authority();
        wait_until("the DNS server listens", || {
            TcpStream::connect(("127.0.0.1", scene.ports.dns_management)).is_ok()
        });
        scene
    }

    /// Starts the authority, or another one without the accounts of the one before.
    pub(super) fn start_authority(&mut self) {
        self.pebble = None;
        let config = serde_json::json!({"pebble": {
            "listenAddress": format!("127.0.0.1:{}", self.ports.acme),
            "managementListenAddress": format!("127.0.0.1:{}", self.ports.management),
            "certificate": "ca.pem",
            "privateKey": "ca-key.pem",
            "httpPort": self.ports.http,
            "tlsPort": self.ports.https,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
        }});
        fs::write(self.path("pebble.json"), config.to_string()).unwrap();
        let log = File::create(self.path("pebble.log")).unwrap();
        let pebble = Command::new("pebble")
            .current_dir(self.dir.path())
            .args(["-config", "pebble.json", "-dnsserver"])
            .arg(format!("127.0.0.1:{}", self.ports.dns))
            .env("PEBBLE_VA_NOSLEEP", "1")
            .env("PEBBLE_WFE_NONCEREJECT", "0")
            .env("PEBBLE_AUTHZREUSE", "0")
            .stdout(log)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.pebble = Some(Process(pebble));
        let url = format!("https://localhost:{}/roots/0", self.ports.management);
        wait_until("the authority listens", || {
            let root = self.curl(&["--cacert", "ca.pem", &url]);
            let is_there = root.contains("BEGIN CERTIFICATE");
            if is_there {
                fs::write(self.path("root.pem"), root).unwrap();
            }
            is_there
        });
    }

    /// Makes a host lead to an address of this machine at which nothing listens.
    pub(super) fn lead_elsewhere(&self, host: &str) {
        let url = format!("http://127.0.0.1:{}/add-a", self.ports.dns_management);
        let body = format!(r#"{{"host": "{host}.", "addresses": ["127.0.0.2"]}}"#);
        self.curl(&["--fail", "-d", &body, &url]);
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Output of curl.
    pub(super) fn curl(&self, arguments: &[&str]) -> String {
        let output = Command::new("curl")
            .current_dir(self.dir.path())
            .args(["-s", "--max-time", "10"])
            .args(arguments)
            .output()
            .expect("curl");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Whether a host is served with a certificate that a file of roots verifies.
    pub(super) fn is_served(&self, host: &str, roots: &str) -> bool {
        let port = self.ports.https;
        let resolve = format!("{host}:{port}:127.0.0.1");
        let url = format!("https://{host}:{port}/");
        let text = self.curl(&["--cacert", roots, "--resolve", &resolve, &url]);
        text.contains("Words.")
    }

    /// Writes the settings: further keys of `[tls.acme]`, and the hosts of the project.
    pub(super) fn write_settings(&self, acme: &str, hosts: &str) {
        let Ports {
            acme: authority,
            https,
            http,
            ..
        } = self.ports;
        let text = format!(
            "listen = \"127.0.0.1:{https}\"\ndata = \"data\"\n[log]\nlevel = \"trace\"\n[metrics]\nlisten = \"127.0.0.1:0\"\n[tls]\nredirect_listen = \"127.0.0.1:{http}\"\n[tls.acme]\naccept_terms = true\ndirectory = \"https://localhost:{authority}/dir\"\nca_file = \"ca.pem\"\n{acme}\n[[projects]]\nid = \"one\"\nhosts = {hosts}\nsource.folder = \"one\"\n"
        );
        fs::write(self.path("server.toml"), text).unwrap();
    }

    pub(super) fn start(&self) -> AcmeServer {
        let log = self.path("server.log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command
            .current_dir(self.dir.path())
            .args(["--config", "server.toml"])
            .stderr(File::create(&log).unwrap());
        let mut program = Program::start(&mut command);
        let line = program.next_line();
        assert!(line.contains("https://"), "{line}");
        let metrics = url_in_line(&program.next_line()).replace("/metrics", "");
        AcmeServer {
            program,
            log,
            metrics: metrics.parse().unwrap(),
        }
    }

    /// The only folder with certificates.
    fn store(&self) -> PathBuf {
        let folders = fs::read_dir(self.path("data/acme")).unwrap();
        let folders: Vec<PathBuf> = folders.map(|folder| folder.unwrap().path()).collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        folders[0].clone()
    }

    /// A file of the folder with certificates.
    pub(super) fn stored(&self, name: &str) -> PathBuf {
        self.store().join(name)
    }

    /// Replaces the certificate of a host with one that is due for renewal, and is valid for years.
    /// Its root is `due.pem`.
    pub(super) fn make_due(&self, host: &str) {
        let end = std::time::SystemTime::now() + Duration::from_secs(5 * 365 * 86_400);
        let made = TestCertificate::expiring(&[host], end);
        fs::write(self.path("due.pem"), &made.chain).unwrap();
        let text = format!("{}{}", made.key, made.chain);
        fs::write(self.stored(&format!("{host}.pem")), text).unwrap();
    }
}

/// A running server.
pub(super) struct AcmeServer {
    program: Program,
    log: PathBuf,
    metrics: SocketAddr,
}

impl AcmeServer {
    pub(super) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    pub(super) fn reload(&self) {
        self.program.signal("-HUP");
    }

    /// Waits for a text in the log.
    pub(super) fn wait_for(&self, text: &str) {
        wait_until(text, || self.log().contains(text));
    }

    /// The samples of a metric whose line begins with a text.
    pub(super) fn metric(&self, start: &str) -> Vec<String> {
        let mut stream = TcpStream::connect(self.metrics).unwrap();
        let request = "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let lines = text.lines().filter(|line| line.starts_with(start));
        lines.map(str::to_owned).collect()
    }

    /// Number of orders of a host with a result.
    pub(super) fn orders(&self, host: &str, result: &str) -> u32 {
        let name = "svc_tls_certificate_orders_total";
        let start = format!(r#"{name}{{host="{host}",result="{result}"}} "#);
        let found = self.metric(&start);
        let [line] = found.as_slice() else {
            panic!("{found:?}");
        };
        let value: f64 = line[start.len()..].trim().parse().unwrap();
        value as u32
    }

    /// Stops the server; returns its log.
    pub(super) fn end(self) -> String {
        let (status, _) = self.program.end("-TERM");
        let log = fs::read_to_string(&self.log).unwrap();
        assert_eq!(status, Some(0), "{log}");
        log
    }
}

/// Asserts that a log has no line of a private key of a file, in PEM format or JSON.
pub(super) fn assert_no_key(log: &str, file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let body = match text.split_once("PRIVATE KEY-----") {
        Some((_, rest)) => rest.split("-----END").next().unwrap().to_owned(),
        None => {
            let account: serde_json::Value = serde_json::from_str(&text).unwrap();
            let key = account["credentials"]["key_pkcs8"].as_str().unwrap();
            key.to_owned()
        }
    };
    let body: String = body.split_whitespace().collect();
    // The beginning is the algorithm, which all keys have.
    let secret = &body[60..100];
    assert!(!log.contains(secret), "{}", file.display());
    assert!(!log.contains("PRIVATE KEY"));
}
