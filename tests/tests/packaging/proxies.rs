//! The settings of proxies. nginx runs with its file, in front of a server with a project and a
//! stand-in for the dashboard that responds with the request.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::thread;

use svc_test_support::ports::free_port;
use svc_test_support::tls::TestCertificate;
use svc_tests::projects::ProjectServer;

use crate::nginx::Nginx;
use crate::recipes::{has, recipes};

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// A server that responds with the head of the request.
fn echo() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let addr = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read > 0)
            {
                head.extend(byte);
            }
            let text = String::from_utf8_lossy(&head);
            let length = text.len();
            let response = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
            );
            // The client may have gone.
            let _ = stream.write_all(response.as_bytes());
        }
    });
    Ok(addr)
}

/// Head and body of the response to a request by curl.
fn curl(dir: &Path, port: u16, url: &str) -> std::io::Result<String> {
    let host = url.split('/').nth(2).unwrap_or_default();
    let resolve = format!("{host}:127.0.0.1");
    assert!(host.ends_with(&format!(":{port}")), "{url}");
    let output = Command::new("curl")
        .args(["-s", "-i", "--max-time", "20", "--resolve", &resolve])
        .args(["-H", "X-Forwarded-For: 192.0.2.99", "--cacert"])
        .arg(dir.join("chain.pem"))
        .arg(url)
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn site(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let config = r##"{"theme": "svc", "name": "Docs", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["index"]}}"##;
    fs::write(dir.join("docs.json"), config)?;
    fs::write(dir.join("index.mdx"), "---\ntitle: Welcome\n---\n\nText.\n")
}

#[test]
fn nginx_serves_the_site_and_the_dashboard_with_its_file() -> TestResult {
    if !has("nginx") || !has("curl") {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let certificate = TestCertificate::new(&["docs.example.com", "admin.example.com"]);
    fs::write(dir.path().join("chain.pem"), &certificate.chain)?;
    fs::write(dir.path().join("key.pem"), &certificate.key)?;
    site(&dir.path().join("docs"))?;
    let server = ProjectServer::start(
        dir.path(),
        "[outbound]\noffline = true\n[[projects]]\nid = \"docs\"\nhosts = [\"docs.example.com\"]\nsource.folder = \"docs\"\n",
    )?;
    let (admin, http, https) = (echo()?, free_port(), free_port());
    let files = tempfile::tempdir()?;
    let settings: String = super::text("proxy/nginx.conf")
        .lines()
        .map(|line| match line.trim().split(' ').next() {
            Some("ssl_certificate") => {
                format!("ssl_certificate {}/chain.pem;", dir.path().display())
            }
            Some("ssl_certificate_key") => {
                format!("ssl_certificate_key {}/key.pem;", dir.path().display())
            }
            _ => line
                .replace("listen 80", &format!("listen 127.0.0.1:{http}"))
                .replace("listen 443", &format!("listen 127.0.0.1:{https}"))
                .replace("127.0.0.1:8080", &server.addr.to_string())
                .replace("127.0.0.1:8081", &admin.to_string()),
        })
        .map(|line| line + "\n")
        .collect();
    let _nginx = Nginx::start(files.path(), &settings, https)?;

    let redirect = curl(
        dir.path(),
        http,
        &format!("http://docs.example.com:{http}/a?b=c"),
    )?;
    assert!(redirect.starts_with("HTTP/1.1 308 "), "{redirect}");
    assert!(
        redirect.contains("Location: https://docs.example.com/a?b=c\r\n"),
        "{redirect}"
    );
    let page = curl(
        dir.path(),
        https,
        &format!("https://docs.example.com:{https}/"),
    )?;
    assert!(page.starts_with("HTTP/2 200"), "{page}");
    assert!(page.contains("Welcome"), "{page}");
    assert!(
        page.contains("strict-transport-security: max-age=15552000"),
        "{page}"
    );
    let admin = format!("https://admin.example.com:{https}");
    let dashboard = curl(dir.path(), https, &format!("{admin}/"))?;
    assert!(dashboard.contains("Host: admin.example.com"), "{dashboard}");
    // The server believes the proxy, so the proxy must not believe the client.
    assert!(
        dashboard.contains("X-Forwarded-For: 127.0.0.1\r\n") && !dashboard.contains("192.0.2.99"),
        "{dashboard}"
    );
    let metrics = curl(dir.path(), https, &format!("{admin}/metrics"))?;
    assert!(metrics.starts_with("HTTP/2 404"), "{metrics}");
    Ok(())
}

#[test]
fn caddy_accepts_its_file() {
    if !has("caddy") {
        return;
    }
    let output = Command::new("caddy")
        .args(["adapt", "--adapter", "caddyfile", "--config"])
        .arg(super::path("proxy/Caddyfile"))
        .output()
        .expect("it starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    assert!(!messages.contains("\"level\":\"warn\""), "{messages}");
}

/// Traefik is in no registry that tests use: only the references inside of its file are checked.
#[test]
fn names_in_the_file_of_traefik_exist() {
    let file: serde_yaml::Value =
        serde_yaml::from_str(&super::text("proxy/traefik.yml")).expect("it is YAML");
    let http = &file["http"];
    let routers = http["routers"].as_mapping().expect("routers");
    assert_eq!(routers.len(), 3);
    for (name, router) in routers {
        let service = &router["service"];
        let is_known = http["services"].get(service).is_some();
        assert!(is_known, "{name:?}: {service:?}");
        for middleware in router["middlewares"].as_sequence().into_iter().flatten() {
            let is_known = http["middlewares"].get(middleware).is_some();
            assert!(is_known, "{name:?}: {middleware:?}");
        }
    }
}

#[test]
fn the_documentation_shows_the_files() {
    let shown: Vec<_> = recipes(&["nginx", "text", "yaml"])
        .into_iter()
        .filter(|recipe| recipe.page == "self-hosting/proxy.mdx")
        .collect();
    assert_eq!(shown.len(), 3);
    for recipe in shown {
        let file = super::text(&format!("proxy/{}", recipe.title));
        assert_eq!(recipe.text.trim(), file.trim(), "{}", recipe.title);
    }
}
