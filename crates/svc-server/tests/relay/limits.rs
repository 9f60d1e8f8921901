//! Limits of size, time and rate.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use svc_server::RelayLimits;

use crate::relay::rig::{Call, OK, Options, exchange, serve};
use svc_test_support::api::StubApi;

#[test]
fn bodies_have_limits_in_both_directions() {
    let api = StubApi::new(|request, socket| {
        let size = if request.contains("big") { 3 << 20 } else { 2 };
        let endless = request.contains("endless");
        let head = if endless {
            "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_owned()
        } else {
            format!("HTTP/1.1 200 OK\r\ncontent-length: {size}\r\nconnection: close\r\n\r\n")
        };
        let _ = socket.write_all(head.as_bytes());
        let mut going = true;
        while going && endless {
            going = socket.write_all(&[b'x'; 65_536]).is_ok();
        }
        let _ = socket.write_all(&vec![b'x'; size]);
    });
    let relay = RelayLimits {
        body_bytes: 1 << 20,
        ..Options::default().relay
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    let mut call = Call::put(&api);
    call.body = vec![b'a'; (1 << 20) + 1];
    let response = call.send(&site);
    assert_eq!((response.status, api.connections()), (413, 0));
    // A body of unknown length is interrupted when it exceeds the limit.
    let mut text = format!(
        "{}transfer-encoding: chunked\r\n\r\n",
        Call::put(&api).head(&site)
    )
    .into_bytes();
    for _ in 0..20 {
        text.extend(b"10000\r\n");
        text.extend([b'a'; 65_536]);
        text.extend(b"\r\n");
    }
    text.extend(b"0\r\n\r\n");
    let response = exchange(site.serving.addr, &text);
    assert_eq!(response.status, 413, "{}", response.head);
    call.body = vec![b'a'; 1 << 20];
    assert_eq!(call.send(&site).status, 200);
    call.body = Vec::new();
    call.headers = vec![("X-Trace", "big".to_owned())];
    let response = call.send(&site);
    assert_eq!(response.status, 502);
    assert!(
        response.error().contains("larger than 1048576 bytes"),
        "{response:?}"
    );
    call.headers = vec![("X-Trace", "endless".to_owned())];
    let response = call.send(&site);
    assert!(response.body.len() <= 1 << 20, "{}", response.body.len());
}

#[test]
fn an_unresponsive_target_is_a_timeout_and_a_refused_connection_a_bad_gateway() {
    let api = StubApi::new(|request, socket| {
        if request.contains("noise") {
            let _ = socket.write_all(b"220 mail.example ESMTP\r\n");
            return;
        }
        std::thread::sleep(Duration::from_secs(3));
    });
    let relay = RelayLimits {
        idle_timeout: Duration::from_millis(300),
        ..Options::default().relay
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    let response = Call::put(&api).send(&site);
    assert_eq!(response.status, 504);
    assert_eq!(response.error(), "`127.0.0.1` took too long to respond");
    let mut call = Call::put(&api);
    call.headers = vec![("X-Trace", "noise".to_owned())];
    assert_eq!(call.send(&site).status, 502);
    call.url = "https://eu.api.example/v1/pets/7".to_owned();
    let response = call.send(&site);
    assert_eq!(response.status, 502, "{response:?}");
    // A reader whose body stalls.
    let text = format!(
        "{}content-length: 10\r\n\r\nabc",
        Call::put(&api).head(&site)
    );
    let response = exchange(site.serving.addr, text.as_bytes());
    assert!(matches!(response.status, 408 | 504), "{response:?}");
}

#[test]
fn the_request_rate_of_a_client_is_limited() {
    let api = StubApi::with_response(OK);
    let relay = RelayLimits {
        burst: 2,
        interval: Duration::from_secs(100),
        ..RelayLimits::default()
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    assert_eq!(Call::put(&api).send(&site).status, 200);
    assert_eq!(Call::put(&api).send(&site).status, 200);
    let response = Call::put(&api).send(&site);
    assert_eq!(response.status, 429);
    let seconds: u64 = response.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=100).contains(&seconds));
    assert_eq!(api.connections(), 2);
    // A proxy on this machine forwards a request of another client.
    let mut call = Call::put(&api);
    call.lines
        .push("x-forwarded-for: 203.0.113.9, 198.51.100.7".to_owned());
    assert_eq!(call.send(&site).status, 200);
}

#[test]
fn concurrent_requests_are_limited_and_permits_are_released() {
    let (go, wait): (Sender<()>, Receiver<()>) = channel();
    let wait = Mutex::new(wait);
    let api = StubApi::new(move |_, socket| {
        let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n.");
        let _ = wait.lock().unwrap().recv();
        let _ = socket.write_all(b".");
    });
    let relay = RelayLimits {
        max_concurrent_per_client: 1,
        ..Options::default().relay
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    let mut first = TcpStream::connect(site.serving.addr).unwrap();
    first
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    first
        .write_all(format!("{}\r\n", Call::put(&api).head(&site)).as_bytes())
        .unwrap();
    let mut start = [0; 12];
    first.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
    assert_eq!(
        Call::put(&api).send(&site).status,
        429,
        "the only place is taken"
    );
    go.send(()).unwrap();
    let mut rest = Vec::new();
    first.read_to_end(&mut rest).unwrap();
    drop(go);
    let mut tries = 0;
    while Call::put(&api).send(&site).status == 429 {
        tries += 1;
        assert!(tries < 200, "the place does not come back");
        std::thread::sleep(Duration::from_millis(20));
    }
}
