//! Requests that are blocked: spellings of addresses that are not public, and DNS rebinding.

use crate::stub_server;

use std::net::Ipv4Addr;
use std::sync::atomic::Ordering;

use stub_server::{SequenceResolver, StubServer, ok, policy};
use svc_fetch::{Client, FetchError, FetchLimits, Policy, Request, SystemResolver, parse_url};
use tokio::io::AsyncWriteExt as _;

/// Spellings of this machine and its networks. `P` is replaced with the port of a running server.
static SPELLINGS: &[&str] = &[
    "http://127.0.0.1:P/",
    "http://127.0.0.1.:P/",
    "http://127.1:P/",
    "http://127.0.1:P/",
    "http://2130706433:P/",
    "http://0x7f000001:P/",
    "http://0x7F.0.0.1:P/",
    "http://0x7f.1:P/",
    "http://0177.0.0.1:P/",
    "http://0177.1:P/",
    "http://017700000001:P/",
    "http://127.0.0.01:P/",
    "http://127.000.000.001:P/",
    "http://127.0x0.0x0.0x1:P/",
    "http://127.0.0.2:P/",
    "http://127.255.255.254:P/",
    "http://0:P/",
    "http://0.0.0.0:P/",
    "http://0.0.0.1:P/",
    "http://0x0:P/",
    "http://00:P/",
    "http://000.000.000.000:P/",
    "http://localhost:P/",
    "http://LOCALHOST:P/",
    "http://localhost.:P/",
    "http://LocalHost:P/",
    "http://%6cocalhost:P/",
    "http://loc%61lhost:P/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:P/",
    "http://ｌｏｃａｌｈｏｓｔ:P/",
    "http://127。0。0。1:P/",
    "http://127．0．0．1:P/",
    "http://①②⑦.⓪.⓪.①:P/",
    "http://１２７.0.0.1:P/",
    "http://%31%32%37.0.0.1:P/",
    "http://127%2e0%2e0%2e1:P/",
    "http://[::1]:P/",
    "http://[0::1]:P/",
    "http://[0:0:0:0:0:0:0:1]:P/",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]:P/",
    "http://[::]:P/",
    "http://[0::0]:P/",
    "http://[::ffff:127.0.0.1]:P/",
    "http://[::ffff:7f00:1]:P/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:P/",
    "http://[::127.0.0.1]:P/",
    "http://[::7f00:1]:P/",
    "http://[::ffff:0:127.0.0.1]:P/",
    "http://[64:ff9b::127.0.0.1]:P/",
    "http://[64:ff9b::7f00:1]:P/",
    "http://[64:ff9b:1::7f00:1]:P/",
    "http://[2002:7f00:1::]:P/",
    "http://[2001:0:7f00:1::]:P/",
    "http://[fe80::1]:P/",
    "http://[febf::1]:P/",
    "http://[fec0::1]:P/",
    "http://[fc00::1]:P/",
    "http://[fd00::1]:P/",
    "http://[fd00:ec2::254]:P/",
    "http://[ff02::1]:P/",
    "http://[ff01::1]:P/",
    "http://[2001:db8::1]:P/",
    "http://[3fff::1]:P/",
    "http://[100::1]:P/",
    "http://[5f00::1]:P/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/",
    "http://0xA9FEA9FE/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://169.16689662/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://169.254.0.1/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://192.0.0.192/",
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://10.1/",
    "http://167772161/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.1/",
    "http://0xc0a80001/",
    "http://100.64.0.1/",
    "http://100.127.255.255/",
    "http://192.0.2.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://198.18.0.1/",
    "http://192.88.99.1/",
    "http://224.0.0.1/",
    "http://239.255.255.250:1900/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://user@127.0.0.1:P/",
    "http://user:pass@127.0.0.1:P/",
    "http://example.com@127.0.0.1:P/",
    "http://example.com:80@127.0.0.1:P/",
    "http://127.0.0.1:P#@example.com/",
    "http://127.0.0.1:P?@example.com/",
    "http://127.0.0.1:P\\@example.com/",
    "http:127.0.0.1:P/",
    "http:/127.0.0.1:P/",
    "http:\\\\127.0.0.1:P\\",
    "http:////127.0.0.1:P/",
    "ht\ttp://127.0.0.1:P/",
    "http://127.0.\n0.1:P/",
    " http://127.0.0.1:P/ ",
    "HTTP://127.0.0.1:P/",
    "https://127.0.0.1:P/",
    "file:///etc/passwd",
    "ftp://127.0.0.1:P/",
    "gopher://127.0.0.1:P/",
    "dict://127.0.0.1:P/",
    "ws://127.0.0.1:P/",
    "data:text/plain,x",
    "javascript:1",
    "//127.0.0.1:P/",
    "127.0.0.1:P",
    "http://",
    "http:///",
    "http://:P/",
    "http://127.0.0.1:25/",
    "http://127.0.0.1:6379/",
];

#[tokio::test]
async fn no_spelling_of_a_private_host_is_reached() {
    let server = StubServer::new(|_| ok("reached")).await;
    let everywhere = tokio::net::TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))
        .await
        .expect("a port");
    let port = everywhere.local_addr().expect("an address").port();
    assert!(SPELLINGS.len() >= 120, "{}", SPELLINGS.len());
    let client = Client::new(Policy::default(), FetchLimits::default());
    for number in [server.addr.port(), port] {
        for spelling in SPELLINGS {
            let spelled = spelling.replace('P', &number.to_string());
            let result = match parse_url(&spelled) {
                Ok(url) => client.send(Request::get(url)).await.map(|_| ()),
                Err(error) => Err(error),
            };
            let refused = match &result {
                Err(FetchError::UnknownHost(host)) => !host.contains("127"),
                Err(error) => error.is_refusal(),
                Ok(()) => false,
            };
            assert!(refused, "{spelled}: {result:?}");
        }
    }
    assert_eq!(server.connections(), 0);
    let reached =
        tokio::time::timeout(std::time::Duration::from_millis(20), everywhere.accept()).await;
    assert!(reached.is_err(), "no connection is made");
}

#[tokio::test]
async fn private_hosts_are_reached_if_the_policy_allows_them() {
    let server = StubServer::new(|_| ok("reached")).await;
    let port = server.addr.port();
    for (allowed, url) in [
        ("127.0.0.1", format!("http://2130706433:{port}/")),
        ("127.0.0.0/8", format!("http://127.1:{port}/")),
        ("localhost", format!("http://LOCALHOST:{port}/")),
        (
            &*format!("localhost:{port}"),
            format!("http://localhost:{port}/"),
        ),
    ] {
        let client = Client::new(policy(&[allowed]), FetchLimits::default());
        let response = client
            .send(Request::get(parse_url(&url).expect("a URL")))
            .await;
        let body = response.expect(&url).body.bytes().await.expect("a body");
        assert_eq!(&body[..], b"reached");
    }
    let other = Client::new(policy(&["localhost:1234"]), FetchLimits::default());
    let url = parse_url(&format!("http://localhost:{port}/")).expect("a URL");
    assert!(matches!(
        other.send(Request::get(url)).await,
        Err(FetchError::NotPublic { .. })
    ));
}

// Other systems have only one address on the loopback interface.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn dns_rebinding_reaches_only_the_checked_ip() {
    // Both listen on the same port, so only the IP address distinguishes them.
    let good = StubServer::bind(Ipv4Addr::new(127, 0, 0, 2), |_, mut socket| {
        Box::pin(async move {
            let _ = socket.write_all(&ok("good")).await;
        })
    })
    .await;
    let port = good.addr.port();
    let canary = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .expect("the same port");
    let url = parse_url(&format!("http://rebinding.example:{port}/")).expect("a URL");
    let (open, private) = ("127.0.0.2", "127.0.0.1");
    let mut responses = 0;
    for round in 0..500 {
        // The first lookup returns the allowed address and the second one the private address, or
        // both at once.
        let names = match round % 4 {
            0 => SequenceResolver::new(&[&[open], &[private]]),
            1 => SequenceResolver::new(&[&[private], &[open]]),
            2 => SequenceResolver::new(&[&[private, open], &[private]]),
            _ => SequenceResolver::new(&[&[open, private], &[private]]),
        };
        let client = Client::with_resolver(
            policy(&["127.0.0.2"]),
            FetchLimits::default(),
            names.clone(),
            Vec::new(),
        );
        match client.send(Request::get(url.clone())).await {
            Ok(response) => {
                assert_eq!(&response.body.bytes().await.expect("a body")[..], b"good");
                responses += 1;
            }
            Err(error) => assert!(matches!(error, FetchError::NotPublic { .. }), "{error}"),
        }
        assert_eq!(
            names.lookups.load(Ordering::SeqCst),
            1,
            "a name is looked up once"
        );
    }
    assert_eq!(responses, 375);
    let hit = tokio::time::timeout(std::time::Duration::from_millis(20), canary.accept()).await;
    assert!(hit.is_err(), "the private address was reached");
}

#[tokio::test]
async fn a_redirect_is_resolved_and_checked_separately() {
    let server = StubServer::new(|_| stub_server::redirect(302, "/again")).await;
    let names = SequenceResolver::new(&[&["127.0.0.1"], &["127.0.0.3"]]);
    let client = Client::with_resolver(
        policy(&["127.0.0.1"]),
        FetchLimits::default(),
        names.clone(),
        Vec::new(),
    );
    let url = format!("http://rebinding.example:{}/", server.addr.port());
    let result = client
        .send(Request::get(parse_url(&url).expect("a URL")))
        .await;
    assert!(
        matches!(result, Err(FetchError::NotPublic { .. })),
        "{result:?}"
    );
    assert_eq!(
        (server.connections(), names.lookups.load(Ordering::SeqCst)),
        (1, 2)
    );
}

#[tokio::test]
async fn a_redirect_to_a_private_host_is_not_followed() {
    for to in [
        "http://127.0.0.9/",
        "http://[::1]/",
        "http://0x7f000009/",
        "//169.254.169.254/x",
        "file:///etc/passwd",
        "http://a:b@127.0.0.1/",
    ] {
        let server = StubServer::new(move |_| stub_server::redirect(302, to)).await;
        let client = Client::with_resolver(
            policy(&["127.0.0.1"]),
            FetchLimits::default(),
            SystemResolver,
            Vec::new(),
        );
        let result = client
            .send(Request::get(parse_url(&server.url("/")).expect("a URL")))
            .await;
        assert!(
            result.as_ref().is_err_and(FetchError::is_refusal),
            "{to}: {result:?}"
        );
        assert_eq!(server.connections(), 1);
    }
}

#[test]
fn errors_name_only_the_host_of_a_url() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let url = parse_url("http://127.0.0.1:8080/secret-path?key=secret-key").expect("a URL");
    let client = Client::new(Policy::default(), FetchLimits::default());
    let error = runtime
        .block_on(client.send(Request::get(url)))
        .expect_err("a rejection");
    assert_eq!(
        error.to_string(),
        "`127.0.0.1` is this machine; the operator has not allowed it"
    );
}
