//! What comes back: redirects, limits, streams, versions of HTTP.

mod stub_server;

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
    Request::get(parse_url(url).expect("an address"))
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
    let answer = client
        .send(get(&server.url("/3")))
        .await
        .expect("an answer");
    assert_eq!(answer.url.path(), "/0");
    assert_eq!(&answer.body.bytes().await.expect("a body")[..], b"there");
    let found = client.send(get(&server.url("/4"))).await;
    assert!(
        matches!(found, Err(FetchError::TooManyRedirects(_))),
        "{found:?}"
    );
    let unfollowed = Request {
        follow_redirects: false,
        ..get(&server.url("/4"))
    };
    let answer = client.send(unfollowed).await.expect("an answer");
    assert_eq!(answer.status, StatusCode::FOUND);
}

#[tokio::test]
async fn another_host_learns_no_secret() {
    let other = StubServer::new(|_| ok("other")).await;
    let to = other.url("/");
    let server = StubServer::new(move |_| redirect(307, &to)).await;
    let client = local(FetchLimits::default());
    client
        .send(secret(get(&server.url("/"))))
        .await
        .expect("an answer");
    let told = other.requests().join("\n");
    assert!(server.requests().join("\n").contains("canary"));
    assert!(!told.contains("canary"), "{told}");
    assert!(told.contains("accept: text/plain"), "{told}");
}

#[tokio::test]
async fn the_same_host_is_told_again() {
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
        .expect("an answer");
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.contains("Bearer canary"))
    );
}

#[tokio::test]
async fn a_redirect_keeps_the_body_only_where_it_should() {
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
            .expect("an answer");
        let last = server.requests().pop().expect("a request");
        assert!(last.starts_with(&format!("{method} /b ")), "{last}");
        assert_eq!(last.contains("the body"), body, "{last}");
        assert_eq!(last.contains("content-type"), body, "{last}");
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_at_its_head_or_where_it_gets_too_large() {
    let announced = StubServer::new(|_| ok(&"x".repeat(200_000))).await;
    let found = local(short_limits()).send(get(&announced.url("/"))).await;
    assert!(
        matches!(found, Err(FetchError::TooLarge { max: 100_000, .. })),
        "{found:?}"
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
    let answer = local(short_limits())
        .send(get(&endless.url("/")))
        .await
        .expect("a head");
    let found = answer.body.bytes().await;
    assert!(
        matches!(found, Err(FetchError::TooLarge { .. })),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_bomb_is_counted_decompressed() {
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
    let answer = local(short_limits())
        .send(get(&server.url("/")))
        .await
        .expect("a head");
    let found = answer.body.bytes().await;
    assert!(
        matches!(found, Err(FetchError::TooLarge { .. })),
        "{found:?}"
    );
    assert!(server.requests()[0].contains("accept-encoding: gzip"));
}

#[tokio::test]
async fn an_unknown_compression_is_an_error() {
    let server = StubServer::new(|_| {
        b"HTTP/1.1 200 OK\r\ncontent-encoding: rot13\r\ncontent-length: 1\r\n\r\nx".to_vec()
    })
    .await;
    let found = local(short_limits()).send(get(&server.url("/"))).await;
    assert!(
        matches!(found, Err(FetchError::Compression(_))),
        "{found:?}"
    );
}

#[tokio::test]
async fn silence_ends_at_its_limit() {
    let silent = StubServer::bind(Ipv4Addr::LOCALHOST, |_, socket| {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(30)).await;
            drop(socket);
        })
    })
    .await;
    let found = local(short_limits()).send(get(&silent.url("/"))).await;
    assert!(
        matches!(found, Err(FetchError::Timeout { what: "answer", .. })),
        "{found:?}"
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
    let mut answer = local(short_limits())
        .send(get(&stops.url("/")))
        .await
        .expect("a head");
    assert_eq!(
        answer.body.chunk().await,
        Ok(Some(Bytes::from_static(b"abc")))
    );
    let found = answer.body.chunk().await;
    assert!(
        matches!(found, Err(FetchError::Timeout { .. })),
        "{found:?}"
    );
    // Pieces that keep coming are stopped by the limit for all of it.
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
    let answer = local(limits)
        .send(get(&drips.url("/")))
        .await
        .expect("a head");
    let found = answer.body.bytes().await;
    assert!(
        matches!(found, Err(FetchError::Timeout { .. })),
        "{found:?}"
    );
}

#[tokio::test]
async fn what_is_not_http_or_breaks_off_is_said() {
    let noise = StubServer::new(|_| b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()).await;
    let found = local(short_limits()).send(get(&noise.url("/"))).await;
    assert!(
        matches!(found, Err(FetchError::InvalidHttp(_))),
        "{found:?}"
    );
    let short =
        StubServer::new(|_| b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc".to_vec()).await;
    let answer = local(short_limits())
        .send(get(&short.url("/")))
        .await
        .expect("a head");
    assert!(matches!(
        answer.body.bytes().await,
        Err(FetchError::IncompleteResponse(_))
    ));
    let large = StubServer::new(|_| {
        format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(200_000)).into_bytes()
    })
    .await;
    let found = local(short_limits()).send(get(&large.url("/"))).await;
    assert!(found.is_err(), "{found:?}");
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address");
    let found = local(short_limits())
        .send(get(&format!("http://{free}/")))
        .await;
    assert!(
        matches!(found, Err(FetchError::Unreachable { .. })),
        "{found:?}"
    );
}

#[tokio::test]
async fn pieces_arrive_as_they_are_sent_in_both_directions() {
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
            send.send(piece).await.expect("it is taken");
        }
    });
    let mut answer = local(FetchLimits::default())
        .send(request)
        .await
        .expect("a head");
    assert_eq!(
        answer.body.chunk().await,
        Ok(Some(Bytes::from_static(b"first")))
    );
    go.send(()).expect("the server waits");
    assert_eq!(
        answer.body.chunk().await,
        Ok(Some(Bytes::from_static(b"second")))
    );
    assert_eq!(answer.body.chunk().await, Ok(None));
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
async fn headers_of_the_connection_are_the_clients_own() {
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
        .expect("an answer");
    let sent = server.requests().remove(0);
    assert!(
        sent.contains(&format!("host: {}", server.address)) && sent.contains("x-own: 1"),
        "{sent}"
    );
    // The port of the server may be any number.
    let rest = sent.replace(&server.address.to_string(), "");
    for word in ["evil", "77", "chunked", "x-private", "h2c", "trailers"] {
        assert!(!rest.contains(word), "{word} in {sent}");
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
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
    let url = parse_url(&server.url("/a")).expect("an address");
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
    let again = client
        .get_if_changed(url, HeaderMap::new(), &validators)
        .await;
    assert_eq!(again, Ok(ConditionalResponse::Unchanged));
    let gone = parse_url(&server.url("/gone")).expect("an address");
    let gone = client
        .get_if_changed(gone, HeaderMap::new(), &Validators::default())
        .await;
    assert_eq!(gone, Ok(ConditionalResponse::Failed(StatusCode::GONE)));
}

mod encrypted {
    //! Over TLS, in both versions of HTTP.

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

    /// A server whose certificate names `localhost`; gives its port and the certificate.
    async fn server(protocol: &'static [u8]) -> (u16, Vec<u8>) {
        let made =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let certificate = made.cert.der().to_vec();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
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
                    let answer =
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
                            .serve_connection(TokioIo::new(socket), answer)
                            .await;
                    } else {
                        let _ = hyper::server::conn::http1::Builder::new()
                            .serve_connection(TokioIo::new(socket), answer)
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
    async fn both_versions_of_http_are_spoken() {
        for (protocol, expected) in [
            (&b"h2"[..], "HTTP/2.0 /x false"),
            (b"http/1.1", "HTTP/1.1 /x true"),
        ] {
            let (port, root) = server(protocol).await;
            let answer = client(vec![root])
                .send(get(&format!("https://localhost:{port}/x")))
                .await
                .expect("an answer");
            assert_eq!(answer.body.bytes().await.expect("a body"), expected);
        }
    }

    #[tokio::test]
    async fn a_certificate_that_nobody_vouches_for_is_refused() {
        let (port, _) = server(b"h2").await;
        let found = client(Vec::new())
            .send(get(&format!("https://localhost:{port}/")))
            .await;
        assert!(matches!(found, Err(FetchError::Tls { .. })), "{found:?}");
    }

    #[tokio::test]
    async fn a_certificate_of_another_name_is_refused() {
        let (port, root) = server(b"h2").await;
        let found = client(vec![root])
            .send(get(&format!("https://127.0.0.1:{port}/")))
            .await;
        assert!(matches!(found, Err(FetchError::Tls { .. })), "{found:?}");
    }

    #[tokio::test]
    async fn a_redirect_does_not_give_up_encryption() {
        let plain = StubServer::new(|_| ok("plain")).await;
        let (port, root) = redirecting(&plain.url("/")).await;
        let found = client(vec![root])
            .send(get(&format!("https://localhost:{port}/")))
            .await;
        assert!(matches!(found, Err(FetchError::Downgrade(_))), "{found:?}");
        assert_eq!(plain.connections(), 0);
    }

    /// An encrypted server that leads to another address.
    async fn redirecting(to: &str) -> (u16, Vec<u8>) {
        let made =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let certificate = made.cert.der().to_vec();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(certificate.clone())], key)
            .expect("a configuration");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let answer = redirect(302, to);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                if let Ok(mut socket) = acceptor.accept(socket).await {
                    let _ = socket.write_all(&answer).await;
                    let _ = socket.shutdown().await;
                }
            }
        });
        (port, certificate)
    }
}
