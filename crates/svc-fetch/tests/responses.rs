//! Responses: redirects, limits, streams, HTTP versions.

use crate::stub_server;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Bytes, Frame};
use stub_server::{StubServer, local, ok, policy, redirect, short_limits};
use svc_fetch::{
    Client, ConditionalResponse, FetchError, FetchLimits, Request, RequestBody, Validators,
    parse_url,
};
use tokio::io::AsyncWriteExt as _;

fn get(url: &str) -> Request {
    Request::get(parse_url(url).expect("a URL"))
}

fn secret(mut request: Request) -> Request {
    for (name, value) in [
        ("authorization", "Bearer canary"),
        ("cookie", "canary=1"),
        ("x-api-key", "canary"),
        ("accept", "text/plain"),
    ] {
        request
            .headers
            .insert(name, HeaderValue::from_static(value));
    }
    request
}

#[tokio::test]
async fn three_redirects_are_followed_and_a_fourth_is_not() {
    let server = StubServer::new(|request| match request.split(' ').nth(1) {
        Some("/0") => ok("there"),
        Some(path) => {
            let left: u8 = path.trim_start_matches('/').parse().unwrap_or(0);
            redirect(302, &format!("/{}", left - 1))
        }
        None => Vec::new(),
    })
    .await;
    let client = local(FetchLimits::default());
    let response = client
        .send(get(&server.url("/3")))
        .await
        .expect("a response");
    assert_eq!(response.url.path(), "/0");
    assert_eq!(&response.body.bytes().await.expect("a body")[..], b"there");
    let result = client.send(get(&server.url("/4"))).await;
    assert!(
        matches!(result, Err(FetchError::TooManyRedirects(_))),
        "{result:?}"
    );
    let unfollowed = Request {
        follow_redirects: false,
        ..get(&server.url("/4"))
    };
    let response = client.send(unfollowed).await.expect("a response");
    assert_eq!(response.status, StatusCode::FOUND);
}

#[tokio::test]
async fn secrets_are_not_sent_to_another_origin() {
    let other = StubServer::new(|_| ok("other")).await;
    let to = other.url("/");
    let server = StubServer::new(move |_| redirect(307, &to)).await;
    let client = local(FetchLimits::default());
    client
        .send(secret(get(&server.url("/"))))
        .await
        .expect("a response");
    let received = other.requests().join("\n");
    assert!(server.requests().join("\n").contains("canary"));
    assert!(!received.contains("canary"), "{received}");
    assert!(received.contains("accept: text/plain"), "{received}");
}

#[tokio::test]
async fn secrets_are_sent_to_the_same_origin() {
    let server = StubServer::new(|request| {
        if request.starts_with("GET /a ") {
            redirect(302, "/b")
        } else {
            ok("b")
        }
    })
    .await;
    local(FetchLimits::default())
        .send(secret(get(&server.url("/a"))))
        .await
        .expect("a response");
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.contains("Bearer canary"))
    );
}

#[tokio::test]
async fn a_redirect_resends_the_body_for_307_and_308_only() {
    for (status, method, body) in [
        (301, "GET", false),
        (303, "GET", false),
        (307, "POST", true),
        (308, "POST", true),
    ] {
        let server = StubServer::new(move |request| {
            if request.contains(" /a ") {
                redirect(status, "/b")
            } else {
                ok("b")
            }
        })
        .await;
        let mut request = get(&server.url("/a"));
        request.method = Method::POST;
        request
            .headers
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        request.body = RequestBody::Bytes(Bytes::from_static(b"the body"));
        local(FetchLimits::default())
            .send(request)
            .await
            .expect("a response");
        let last = server.requests().pop().expect("a request");
        assert!(last.starts_with(&format!("{method} /b ")), "{last}");
        assert_eq!(last.contains("the body"), body, "{last}");
        assert_eq!(last.contains("content-type"), body, "{last}");
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_rejected_with_and_without_content_length() {
    let announced = StubServer::new(|_| ok(&"x".repeat(200_000))).await;
    let result = local(short_limits()).send(get(&announced.url("/"))).await;
    assert!(
        matches!(result, Err(FetchError::TooLarge { max: 100_000, .. })),
        "{result:?}"
    );
    let endless = StubServer::bind(Ipv4Addr::LOCALHOST, |_, mut socket| {
        Box::pin(async move {
            let head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
            let mut going = socket.write_all(head).await.is_ok();
            while going {
                going = socket.write_all(&[b'x'; 1000]).await.is_ok();
            }
        })
    })
    .await;
    let response = local(short_limits())
        .send(get(&endless.url("/")))
        .await
        .expect("a head");
    let result = response.body.bytes().await;
    assert!(
        matches!(result, Err(FetchError::TooLarge { .. })),
        "{result:?}"
    );
}

#[tokio::test]
async fn the_body_limit_counts_decompressed_bytes() {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, &vec![0; 30 << 20]).expect("writes");
    let bomb = encoder.finish().expect("finishes");
    assert!(bomb.len() < 100_000);
    let server = StubServer::new(move |_| {
        let mut out = format!(
            "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
            bomb.len()
        )
        .into_bytes();
        out.extend(&bomb);
        out
    })
    .await;
    let response = local(short_limits())
        .send(get(&server.url("/")))
        .await
        .expect("a head");
    let result = response.body.bytes().await;
    assert!(
        matches!(result, Err(FetchError::TooLarge { .. })),
        "{result:?}"
    );
    assert!(server.requests()[0].contains("accept-encoding: gzip"));
}

#[tokio::test]
async fn an_unknown_compression_is_an_error() {
    let server = StubServer::new(|_| {
        b"HTTP/1.1 200 OK\r\ncontent-encoding: rot13\r\ncontent-length: 1\r\n\r\nx".to_vec()
    })
    .await;
    let result = local(short_limits()).send(get(&server.url("/"))).await;
    assert!(
        matches!(result, Err(FetchError::Compression(_))),
        "{result:?}"
    );
}

#[tokio::test]
async fn a_silent_server_runs_into_a_timeout() {
    let silent = StubServer::bind(Ipv4Addr::LOCALHOST, |_, socket| {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(30)).await;
            drop(socket);
        })
    })
    .await;
    let result = local(short_limits()).send(get(&silent.url("/"))).await;
    assert!(
        matches!(
            result,
            Err(FetchError::Timeout {
                what: "respond",
                ..
            })
        ),
        "{result:?}"
    );
    let stops = StubServer::bind(Ipv4Addr::LOCALHOST, |_, mut socket| {
        Box::pin(async move {
            let _ = socket
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc")
                .await;
            tokio::time::sleep(Duration::from_secs(30)).await;
        })
    })
    .await;
    let mut response = local(short_limits())
        .send(get(&stops.url("/")))
        .await
        .expect("a head");
    assert_eq!(
        response.body.chunk().await,
        Ok(Some(Bytes::from_static(b"abc")))
    );
    let result = response.body.chunk().await;
    assert!(
        matches!(result, Err(FetchError::Timeout { .. })),
        "{result:?}"
    );
    // A body that never pauses for long is stopped by the total timeout.
    let drips = StubServer::bind(Ipv4Addr::LOCALHOST, |_, mut socket| {
        Box::pin(async move {
            let mut going = socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.is_ok();
            while going {
                tokio::time::sleep(Duration::from_millis(20)).await;
                going = socket.write_all(b".").await.is_ok();
            }
        })
    })
    .await;
    let limits = FetchLimits {
        total_timeout: Duration::from_millis(600),
        ..short_limits()
    };
    let response = local(limits)
        .send(get(&drips.url("/")))
        .await
        .expect("a head");
    let result = response.body.bytes().await;
    assert!(
        matches!(result, Err(FetchError::Timeout { .. })),
        "{result:?}"
    );
}

#[tokio::test]
async fn invalid_and_incomplete_responses_are_errors() {
    let noise = StubServer::new(|_| b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()).await;
    let result = local(short_limits()).send(get(&noise.url("/"))).await;
    assert!(
        matches!(result, Err(FetchError::InvalidHttp(_))),
        "{result:?}"
    );
    let short =
        StubServer::new(|_| b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc".to_vec()).await;
    let response = local(short_limits())
        .send(get(&short.url("/")))
        .await
        .expect("a head");
    assert!(matches!(
        response.body.bytes().await,
        Err(FetchError::IncompleteResponse(_))
    ));
    let large = StubServer::new(|_| {
        format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(200_000)).into_bytes()
    })
    .await;
    let result = local(short_limits()).send(get(&large.url("/"))).await;
    assert!(result.is_err(), "{result:?}");
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address");
    let result = local(short_limits())
        .send(get(&format!("http://{free}/")))
        .await;
    assert!(
        matches!(result, Err(FetchError::Unreachable { .. })),
        "{result:?}"
    );
}

#[tokio::test]
async fn chunks_are_streamed_in_both_directions() {
    let (go, wait) = tokio::sync::oneshot::channel::<()>();
    let wait = Arc::new(tokio::sync::Mutex::new(Some(wait)));
    let server = StubServer::bind(Ipv4Addr::LOCALHOST, move |_, mut socket| {
        let wait = Arc::clone(&wait);
        Box::pin(async move {
            let _ = socket
                .write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n")
                .await;
            if let Some(wait) = wait.lock().await.take() {
                let _ = wait.await;
            }
            let _ = socket.write_all(b"6\r\nsecond\r\n0\r\n\r\n").await;
        })
    })
    .await;
    let mut request = get(&server.url("/"));
    request.method = Method::PUT;
    let (send, receive) = tokio::sync::mpsc::channel::<&'static [u8]>(1);
    let frames = futures(receive);
    request.body = RequestBody::Stream(StreamBody::new(frames).boxed_unsync());
    let feed = tokio::spawn(async move {
        for piece in [&b"one "[..], b"two"] {
            send.send(piece).await.expect("accepted");
        }
    });
    let mut response = local(FetchLimits::default())
        .send(request)
        .await
        .expect("a head");
    assert_eq!(
        response.body.chunk().await,
        Ok(Some(Bytes::from_static(b"first")))
    );
    go.send(()).expect("the server waits");
    assert_eq!(
        response.body.chunk().await,
        Ok(Some(Bytes::from_static(b"second")))
    );
    assert_eq!(response.body.chunk().await, Ok(None));
    feed.await.expect("fed");
    let request = server.requests().remove(0);
    assert!(
        request.contains("transfer-encoding: chunked")
            && request.contains("one ")
            && request.contains("two"),
        "{request}"
    );
}

/// A channel as a stream of frames.
fn futures(
    receive: tokio::sync::mpsc::Receiver<&'static [u8]>,
) -> impl futures_core::Stream<Item = Result<Frame<Bytes>, svc_fetch::BodyError>> {
    Frames(receive)
}

struct Frames(tokio::sync::mpsc::Receiver<&'static [u8]>);

impl futures_core::Stream for Frames {
    type Item = Result<Frame<Bytes>, svc_fetch::BodyError>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0
            .poll_recv(cx)
            .map(|piece| Some(Ok(Frame::data(Bytes::from_static(piece?)))))
    }
}

#[tokio::test]
async fn connection_headers_are_set_by_the_client() {
    let server = StubServer::new(|_| ok("")).await;
    let mut request = get(&server.url("/"));
    for (name, value) in [
        ("host", "evil.example"),
        ("content-length", "77"),
        ("transfer-encoding", "chunked"),
        ("connection", "x-private"),
        ("x-private", "1"),
        ("upgrade", "h2c"),
        ("te", "trailers"),
        ("x-own", "1"),
    ] {
        request
            .headers
            .insert(name, HeaderValue::from_static(value));
    }
    local(FetchLimits::default())
        .send(request)
        .await
        .expect("a response");
    let sent = server.requests().remove(0);
    assert!(
        sent.contains(&format!("host: {}", server.addr)) && sent.contains("x-own: 1"),
        "{sent}"
    );
    // The port of the server may be any number.
    let remaining = sent.replace(&server.addr.to_string(), "");
    for value in ["evil", "77", "chunked", "x-private", "h2c", "trailers"] {
        assert!(!remaining.contains(value), "{value} in {sent}");
    }
}

#[tokio::test]
async fn an_unchanged_resource_is_not_sent() {
    let server = StubServer::new(|request| {
        if request.contains("if-none-match: \"v1\"") {
            b"HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_vec()
        } else if request.starts_with("GET /gone") {
            b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec()
        } else {
            b"HTTP/1.1 200 OK\r\netag: \"v1\"\r\ncontent-length: 3\r\nconnection: close\r\n\r\nold"
                .to_vec()
        }
    })
    .await;
    let client = local(FetchLimits::default());
    let url = parse_url(&server.url("/a")).expect("a URL");
    let first = client
        .get_if_changed(url.clone(), HeaderMap::new(), &Validators::default())
        .await;
    let Ok(ConditionalResponse::Changed { bytes, validators }) = first else {
        panic!("{first:?}");
    };
    assert_eq!(
        (&bytes[..], validators.etag.as_deref()),
        (&b"old"[..], Some("\"v1\""))
    );
    let unchanged = client
        .get_if_changed(url, HeaderMap::new(), &validators)
        .await;
    assert_eq!(unchanged, Ok(ConditionalResponse::Unchanged));
    let gone = parse_url(&server.url("/gone")).expect("a URL");
    let gone = client
        .get_if_changed(gone, HeaderMap::new(), &Validators::default())
        .await;
    assert_eq!(gone, Ok(ConditionalResponse::Failed(StatusCode::GONE)));
}

mod encrypted {
    //! TLS with both versions of HTTP.

    use std::convert::Infallible;

    use http_body_util::Full;
    use hyper::service::service_fn;
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

    use super::*;

    /// A server with a certificate for `localhost`. Returns its port and the certificate.
    async fn server(protocol: &'static [u8]) -> (u16, Vec<u8>) {
        let result =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let certificate = result.cert.der().to_vec();
        let key = PrivateKeyDer::try_from(result.signing_key.serialize_der()).expect("a key");
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(certificate.clone())], key)
            .expect("a configuration");
        config.alpn_protocols = vec![protocol.to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(socket) = acceptor.accept(socket).await else {
                        return;
                    };
                    let response =
                        service_fn(|request: http::Request<hyper::body::Incoming>| async move {
                            let text = format!(
                                "{:?} {} {:?}",
                                request.version(),
                                request.uri().path(),
                                request.headers().get("host").is_some()
                            );
                            Ok::<_, Infallible>(http::Response::new(Full::new(Bytes::from(text))))
                        });
                    if protocol == b"h2" {
                        let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                            .serve_connection(TokioIo::new(socket), response)
                            .await;
                    } else {
                        let _ = hyper::server::conn::http1::Builder::new()
                            .serve_connection(TokioIo::new(socket), response)
                            .await;
                    }
                });
            }
        });
        (port, certificate)
    }

    fn client(roots: Vec<Vec<u8>>) -> Client {
        Client::with_resolver(
            policy(&["localhost", "127.0.0.1"]),
            FetchLimits::default(),
            svc_fetch::SystemResolver,
            roots,
        )
    }

    #[tokio::test]
    async fn both_versions_of_http_are_supported() {
        for (protocol, expected) in [
            (&b"h2"[..], "HTTP/2.0 /x false"),
            (b"http/1.1", "HTTP/1.1 /x true"),
        ] {
            let (port, root) = server(protocol).await;
            let response = client(vec![root])
                .send(get(&format!("https://localhost:{port}/x")))
                .await
                .expect("a response");
            assert_eq!(response.body.bytes().await.expect("a body"), expected);
        }
    }

    #[tokio::test]
    async fn an_untrusted_certificate_is_rejected() {
        let (port, _) = server(b"h2").await;
        let result = client(Vec::new())
            .send(get(&format!("https://localhost:{port}/")))
            .await;
        assert!(matches!(result, Err(FetchError::Tls { .. })), "{result:?}");
    }

    #[tokio::test]
    async fn a_certificate_for_another_name_is_rejected() {
        let (port, root) = server(b"h2").await;
        let result = client(vec![root])
            .send(get(&format!("https://127.0.0.1:{port}/")))
            .await;
        assert!(matches!(result, Err(FetchError::Tls { .. })), "{result:?}");
    }

    #[tokio::test]
    async fn a_redirect_to_plain_http_is_rejected() {
        let plain = StubServer::new(|_| ok("plain")).await;
        let (port, root) = redirecting(&plain.url("/")).await;
        let result = client(vec![root])
            .send(get(&format!("https://localhost:{port}/")))
            .await;
        assert!(
            matches!(result, Err(FetchError::Downgrade(_))),
            "{result:?}"
        );
        assert_eq!(plain.connections(), 0);
    }

    /// A TLS server that redirects to another URL.
    async fn redirecting(to: &str) -> (u16, Vec<u8>) {
        let result =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let certificate = result.cert.der().to_vec();
        let key = PrivateKeyDer::try_from(result.signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(certificate.clone())], key)
            .expect("a configuration");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let response = redirect(302, to);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                if let Ok(mut socket) = acceptor.accept(socket).await {
                    let _ = socket.write_all(&response).await;
                    let _ = socket.shutdown().await;
                }
            }
        });
        (port, certificate)
    }
}
