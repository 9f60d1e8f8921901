//! A site of some files, its server, and parsed responses.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use svc_server::{CertificateFiles, Limits, Responder, SiteHandle, Tls, TlsSettings};
use svc_site::{LoadOptions, SiteOptions};
use svc_test_support::tls::TestCertificate;

use crate::serving::RunningServer;

pub(crate) const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "redirects": [{"source": "/old", "destination": "/guides/start"}, {"source": "/soon", "destination": "/", "permanent": false}],
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "guides/start", "guides/index"]}]}}"##;

/// Appears outside of the served directory and in files that must never be served.
pub(crate) const CANARY: &str = "CANARY-7f3a";

pub(crate) struct TestServer {
    pub(crate) serving: RunningServer,
    pub(crate) site: Arc<svc_site::Site>,
    pub(crate) _dir: tempfile::TempDir,
}

pub(crate) fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

pub(crate) fn start() -> TestServer {
    start_with(Limits::default(), "")
}

pub(crate) fn start_with(limits: Limits, base_path: &str) -> TestServer {
    start_config(limits, base_path, CONFIG)
}

pub(crate) fn start_config(limits: Limits, base_path: &str, config: &str) -> TestServer {
    let (site, dir) = site(base_path, config);
    serve(limits, site, dir)
}

/// As [`start_with`], with TLS.
pub(crate) fn start_encrypted(limits: Limits, certificate: &TestCertificate) -> TestServer {
    let (site, dir) = site("", CONFIG);
    let files = CertificateFiles {
        certificate: dir.path().join("chain.pem"),
        key: dir.path().join("key.pem"),
    };
    write(dir.path(), "chain.pem", certificate.chain.as_bytes());
    write(dir.path(), "key.pem", certificate.key.as_bytes());
    let tls = Tls::load(&TlsSettings::new(vec![files])).unwrap();
    let site = Arc::new(site);
    let responder = SiteHandle::new(Arc::clone(&site)).responder();
    TestServer {
        serving: RunningServer::start_encrypted(limits, responder, tls),
        site,
        _dir: dir,
    }
}

/// As [`start_with`]; counts the requests that are handled.
pub(crate) fn start_counted(limits: Limits, counter: &Arc<AtomicUsize>) -> TestServer {
    let (site, dir) = site("", CONFIG);
    let site = Arc::new(site);
    let (responder, counter) = (
        SiteHandle::new(Arc::clone(&site)).responder(),
        Arc::clone(counter),
    );
    let counted: Responder = Arc::new(move |parts| {
        counter.fetch_add(1, Ordering::SeqCst);
        responder(parts)
    });
    TestServer {
        serving: RunningServer::start(limits, counted, None),
        site,
        _dir: dir,
    }
}

fn site(base_path: &str, config: &str) -> (svc_site::Site, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "secret.png", CANARY.as_bytes());
    let root = dir.path().join("site");
    let text = "Words and words. ".repeat(200);
    write(
        &root,
        "docs.json",
        config.replace("Acme", "Acme Docs").as_bytes(),
    );
    write(
        &root,
        "index.mdx",
        format!("---\ntitle: Home\n---\n\nWelcome.\n\n{text}\n").as_bytes(),
    );
    write(
        &root,
        "guides/start.mdx",
        b"---\ntitle: Start\n---\n\nDo it.\n",
    );
    write(
        &root,
        "guides/index.mdx",
        b"---\ntitle: Guides\n---\n\nAll of them. [Data](/spec.json)\n",
    );
    write(&root, "picture.png", b"0123456789");
    write(&root, "large.png", &vec![7; 3_000_000]);
    write(
        &root,
        "drawing.svg",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    );
    write(&root, "spec.json", b"{\"a\": 1}");
    write(&root, ".env", CANARY.as_bytes());
    write(&root, ".hidden/x.png", CANARY.as_bytes());
    write(&root, "Makefile", CANARY.as_bytes());
    let load = LoadOptions::from(SiteOptions {
        base_path: base_path.to_owned(),
        ..SiteOptions::default()
    });
    (svc_site::load(&root, &load).unwrap().value, dir)
}

/// Starts the server of a site with these files.
pub(crate) fn start_files(files: &[(&str, &str)], load: &LoadOptions) -> TestServer {
    let tree = svc_source::SourceTree::from_files(files.iter().copied());
    let site = svc_site::assemble(tree, load).unwrap().value;
    serve(Limits::default(), site, tempfile::tempdir().unwrap())
}

fn serve(limits: Limits, site: svc_site::Site, dir: tempfile::TempDir) -> TestServer {
    let site = Arc::new(site);
    let responder = SiteHandle::new(Arc::clone(&site)).responder();
    TestServer {
        serving: RunningServer::start(limits, responder, None),
        site,
        _dir: dir,
    }
}

/// A parsed response.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl TestResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl TestServer {
    pub(crate) fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.serving.addr).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        socket
    }

    /// Sends bytes and reads until the server closes the connection.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut socket = self.connect();
        // The server may reject the request and close before it has read everything.
        let _ = socket.write_all(bytes);
        let mut all = Vec::new();
        let _ = socket.read_to_end(&mut all);
        all
    }

    pub(crate) fn response(&self, bytes: &[u8]) -> TestResponse {
        let all = self.raw(bytes);
        let end = all
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .expect("a whole head");
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        TestResponse {
            status,
            head,
            body: all[end + 4..].to_vec(),
        }
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &str) -> TestResponse {
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"
        );
        self.response(text.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> TestResponse {
        self.request("GET", path, "")
    }
}
