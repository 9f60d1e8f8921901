//! Requests that are not relayed.

use crate::relay::rig::{CANARY, Call, GET, OK, Options, PUT, exchange, serve};
use svc_test_support::api::StubApi;

#[test]
fn a_thousand_random_targets_are_rejected() {
    let api = StubApi::with_response(OK);
    let other = StubApi::with_response(OK);
    let site = serve(&api, Options::default());
    assert_eq!(Call::put(&api).send(&site).status, 200);
    let (local, foreign) = (api.addr.to_string(), other.addr.to_string());
    let port = api.addr.port().to_string();
    let hosts = [
        local.clone(),
        foreign,
        format!("localhost:{port}"),
        format!("127.1:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("127.0.0.1.nip.io:{port}"),
        "cn.api.example".to_owned(),
        "eu.api.example.evil".to_owned(),
        "169.254.169.254".to_owned(),
        "xeu.api.example".to_owned(),
        format!("2130706434:{port}"),
    ];
    let paths = [
        "/v1/pets/7",
        "/v1/pets",
        "/v1/pets/7/8",
        "/v2/pets/7",
        "/pets/7",
        "/",
        "/v1/../v1/users/7",
        "/v1/pets/..%2F7",
        "/v1/pets/7%2f..%2fx",
        "//v1/pets/7",
        "/v1/users/7",
        "/latest/meta-data/",
    ];
    let methods = ["PUT", "GET", "POST", "DELETE", "CONNECT", "TRACE", "put"];
    let schemes = ["http", "https"];
    let mut state: u64 = 11;
    let mut pick = |max: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % max
    };
    let mut tried = 0;
    while tried < 1000 {
        let mut call = Call::put(&api);
        let (scheme, host, path) = (
            schemes[pick(2)],
            &hosts[pick(hosts.len())],
            paths[pick(paths.len())],
        );
        call.method = methods[pick(methods.len())];
        call.url = format!("{scheme}://{host}{path}");
        call.page = [PUT, GET, "/", "/nowhere", "/api-reference/pets"][pick(5)];
        // The only combination that is a call of the operation.
        let fits = path == "/v1/pets/7" && scheme == "http" && *host == local;
        if fits && (call.page == PUT || call.page == GET) {
            continue;
        }
        call.headers.push(("Authorization", CANARY.to_owned()));
        let response = call.send(&site);
        assert_eq!(
            response.status, 403,
            "{} {} {}: {response:?}",
            call.page, call.method, call.url
        );
        assert!(!response.error().contains(CANARY));
        tried += 1;
    }
    assert_eq!((api.connections(), other.connections()), (1, 0));
}

#[test]
fn only_declared_headers_are_sent() {
    let api = StubApi::with_response(OK);
    let site = serve(&api, Options::default());
    let mut call = Call::put(&api);
    for name in [
        "X-Other",
        "X-Forwarded-For",
        "Host",
        "Connection",
        "Proxy-Authorization",
        "Origin",
        "Referer",
        "Sec-Fetch-Site",
    ] {
        call.headers = vec![(name, "1".to_owned())];
        let response = call.send(&site);
        assert_eq!(response.status, 403, "{name}");
        assert!(
            response
                .error()
                .contains(&format!("`{}`", name.to_ascii_lowercase())),
            "{response:?}"
        );
    }
    // The other operation requires no credentials.
    call.page = GET;
    call.method = "GET";
    call.headers = vec![("Authorization", "1".to_owned())];
    assert_eq!(call.send(&site).status, 403);
    call.headers = vec![("Accept", "text/plain".to_owned())];
    assert_eq!(call.send(&site).status, 200);
    assert_eq!(api.connections(), 1);
}

#[test]
fn pages_of_other_sites_cannot_use_the_relay() {
    let api = StubApi::with_response(OK);
    let site = serve(&api, Options::default());
    let origin = format!("origin: http://{}", site.serving.addr);
    for (lines, status) in [
        (vec!["sec-fetch-site: same-origin"], 200),
        (vec!["sec-fetch-site: cross-site"], 403),
        (vec!["sec-fetch-site: same-site"], 403),
        (vec!["sec-fetch-site: none"], 403),
        (vec![origin.as_str()], 200),
        (vec!["origin: https://evil.example"], 403),
        (vec!["origin: null"], 403),
        (vec!["sec-fetch-site: cross-site", origin.as_str()], 403),
        (vec![], 200),
    ] {
        let mut call = Call::put(&api);
        call.lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let response = call.send(&site);
        assert_eq!(response.status, status, "{lines:?}");
        assert_eq!(response.header("access-control-allow-origin"), None);
    }
    let preflight = format!(
        "OPTIONS /_svc/relay HTTP/1.1\r\nhost: {}\r\norigin: https://evil.example\r\naccess-control-request-method: POST\r\nconnection: close\r\n\r\n",
        site.serving.addr
    );
    let response = exchange(site.serving.addr, preflight.as_bytes());
    assert_eq!(response.status, 405);
    assert!(
        !response
            .head
            .to_ascii_lowercase()
            .contains("access-control")
    );
}

#[test]
fn a_malformed_request_gets_a_message() {
    let api = StubApi::with_response(OK);
    let site = serve(&api, Options::default());
    let head = Call::put(&api).head(&site);
    for (name, broken) in [
        ("svc-url", "svc-url: ftp://x/"),
        ("svc-url", "svc-url: /v1/pets/7"),
        ("svc-url", "svc-url: http://user:pass@127.0.0.1/"),
        ("svc-url", "svc-url: http://127.0.0.1:25/"),
        ("svc-url", "x: y"),
        ("svc-page", "x: y"),
        ("svc-page", "svc-page: /%ff"),
        ("svc-method", "x: y"),
        ("svc-method", "svc-method: P UT"),
        ("svc-headers", "x: y"),
        (
            "svc-headers",
            "svc-headers: %5B%5B%22a%0A%22%2C%22b%22%5D%5D",
        ),
    ] {
        let lines = head.split("\r\n").map(|line| {
            if line.starts_with(&format!("{name}:")) {
                broken
            } else {
                line
            }
        });
        let text = format!("{}\r\n", lines.collect::<Vec<_>>().join("\r\n"));
        let response = exchange(site.serving.addr, text.as_bytes());
        assert_eq!(response.status, 400, "{broken}: {response:?}");
        assert!(!response.error().is_empty());
    }
    let get = format!(
        "GET /_svc/relay HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        site.serving.addr
    );
    assert_eq!(exchange(site.serving.addr, get.as_bytes()).status, 404);
    assert_eq!(api.connections(), 0);
}

#[test]
fn a_site_or_an_operator_can_disable_the_relay() {
    let api = StubApi::with_response(OK);
    for options in [
        Options {
            proxy: false,
            ..Options::default()
        },
        Options {
            wanted: false,
            ..Options::default()
        },
        Options {
            allowed: None,
            ..Options::default()
        },
    ] {
        let site = serve(&api, options);
        let response = Call::put(&api).send(&site);
        assert_eq!(response.status, 404);
        assert_eq!(response.error(), "the relay of this site is disabled");
    }
    assert_eq!(api.connections(), 0);
}

#[test]
fn private_targets_must_be_allowed_by_the_operator() {
    let api = StubApi::with_response(OK);
    for allowed in [&[][..], &["10.0.0.0/8"], &["localhost"], &["127.0.0.1:1"]] {
        let allowed: &'static [&'static str] = allowed;
        let site = serve(
            &api,
            Options {
                allowed: Some(allowed),
                ..Options::default()
            },
        );
        let response = Call::put(&api).send(&site);
        assert_eq!(response.status, 403);
        assert!(
            response
                .error()
                .contains("this machine; the operator has not allowed it"),
            "{response:?}"
        );
    }
    assert_eq!(api.connections(), 0);
}
