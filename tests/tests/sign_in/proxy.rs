//! oauth2-proxy behind nginx: the recipe of the documentation, with a stand-in for oauth2-proxy.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;

use svc_test_support::ports::free_port;

use super::{Project, TestResult, start};
use crate::nginx::Nginx;
use crate::recipes::{has, recipes};

/// What oauth2-proxy does with `--set-xauthrequest`: the path `/oauth2/auth` names the user of its
/// cookie, and `/oauth2/start` begins to sign in.
fn authenticator() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let addr = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read > 0)
            {
                head.extend(byte);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let response = if head.starts_with("GET /oauth2/start") {
                "302 Found\r\nlocation: https://id.example.com/authorize"
            } else if head.contains("_oauth2_proxy=ada") {
                "202 Accepted\r\nx-auth-request-user: ada\r\nx-auth-request-email: ada@example.com\r\nx-auth-request-groups: staff,beta"
            } else if head.contains("_oauth2_proxy=mia") {
                "202 Accepted\r\nx-auth-request-user: mia"
            } else {
                "401 Unauthorized"
            };
            let text =
                format!("HTTP/1.1 {response}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            // The client may have gone.
            let _ = stream.write_all(text.as_bytes());
        }
    });
    Ok(addr)
}

fn get(port: u16, path: &str, headers: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: docs.example.com\r\naccept: text/html\r\nconnection: close\r\n{headers}\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn the_recipe_of_oauth2_proxy_behind_nginx_signs_readers_in() -> TestResult {
    if !has("nginx") {
        return Ok(());
    }
    let recipe = recipes(&["nginx"])
        .into_iter()
        .find(|recipe| recipe.page == "guides/readers.mdx")
        .ok_or("the recipe")?;
    let data = tempfile::tempdir()?;
    let server = start(
        data.path(),
        "trusted_proxies = [\"127.0.0.1\"]",
        &[Project {
            theme: "svc",
            host: "docs.example.com".to_owned(),
            readers: "[projects.readers]\nprivate = true\n[projects.readers.header]\nuser = \"X-Auth-Request-User\"\nemail = \"X-Auth-Request-Email\"\ngroups = \"X-Auth-Request-Groups\"\n",
        }],
    )?;
    let (signer, port) = (authenticator()?, free_port());
    let dir = tempfile::tempdir()?;
    let site = recipe
        .text
        .lines()
        .filter(|line| !line.trim_start().starts_with("ssl_certificate"))
        .map(|line| line.replace("listen 443 ssl", &format!("listen 127.0.0.1:{port}")))
        .map(|line| line.replace("127.0.0.1:4180", &signer.to_string()))
        .map(|line| line.replace("127.0.0.1:8080", &server.addr.to_string()) + "\n")
        .collect::<String>();
    let _nginx = Nginx::start(dir.path(), &site, port)?;
    let ada = "cookie: _oauth2_proxy=ada\r\n";
    let mia = "cookie: _oauth2_proxy=mia\r\n";
    let forged = "x-auth-request-user: eve\r\nx-auth-request-groups: staff\r\n";

    let outside = get(port, "/staff?a=b", forged)?;
    assert!(outside.starts_with("HTTP/1.1 302"), "{outside}");
    assert!(outside.contains("/oauth2/start?rd=/staff"), "{outside}");
    let start = get(port, "/oauth2/start?rd=/staff", "")?;
    assert!(
        start.contains("https://id.example.com/authorize"),
        "{start}"
    );
    let staff = get(port, "/staff", ada)?;
    assert!(staff.contains("Text for the staff."), "{staff}");
    let reader = get(port, "/_svc/reader", ada)?;
    assert!(
        reader.contains("ada@example.com") && reader.contains("beta"),
        "{reader}"
    );
    // What a client sends itself does not pass, with and without groups of its own.
    for headers in [mia.to_owned(), format!("{mia}{forged}")] {
        let other = get(port, "/staff", &headers)?;
        assert!(
            other.starts_with("HTTP/1.1 404") && !other.contains("Text for the staff."),
            "{other}"
        );
        let reader = get(port, "/_svc/reader", &headers)?;
        assert!(
            reader.contains("\"mia\"") && !reader.contains("eve"),
            "{reader}"
        );
    }
    Ok(())
}
