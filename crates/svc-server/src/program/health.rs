//! `svc-server health`: one request to the health endpoint, for health checks of containers, which
//! have neither a shell nor another HTTP client.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, ClientConfig, DigitallySignedStruct, SignatureScheme};
use url::{Host, Url};

use crate::Settings;
use crate::site::HEALTH;

/// Timeout for the whole check. Container engines wait 30 seconds by default.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum size of a status line in bytes.
const MAX_STATUS_LINE_BYTES: u64 = 1024;

/// Arguments of `health`.
#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// URL of the health endpoint. A URL without a path gets `/_svc/health`.
    #[arg(
        long,
        value_name = "URL",
        default_value = "http://127.0.0.1:8080",
        conflicts_with = "config"
    )]
    url: Url,
    /// Use the address and the encryption of a settings file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &HealthArgs) -> ExitCode {
    let url = match &arguments.config {
        Some(config) => configured_url(config),
        None => Ok(with_path(arguments.url.clone())),
    };
    let checked = url.and_then(|url| {
        let runtime = super::runtime::start()?;
        let outcome = runtime.block_on(async {
            let request = tokio::time::timeout(HEALTH_TIMEOUT, check(&url));
            request.await.unwrap_or_else(|_| {
                let seconds = HEALTH_TIMEOUT.as_secs();
                Err(io::Error::other(format!("no response within {seconds} s")))
            })
        });
        super::runtime::stop(runtime);
        outcome.map_err(|error| io::Error::new(error.kind(), format!("{url}: {error}")))
    });
    match checked {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Adds the path of the health endpoint to a URL without a path.
fn with_path(mut url: Url) -> Url {
    if url.path() == "/" {
        url.set_path(HEALTH);
    }
    url
}

/// URL of the health endpoint of the server that uses a settings file.
fn configured_url(config: &Path) -> io::Result<Url> {
    let settings = Settings::from_file(config)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", config.display())))?;
    let Some(settings) = settings.settings else {
        return Err(io::Error::other(format!(
            "{} has errors; `svc-server --check --config {0}` lists them",
            config.display()
        )));
    };
    let scheme = super::scheme(settings.tls.is_some());
    let addr = local(settings.listen);
    if addr.port() == 0 {
        return Err(io::Error::other(
            "`listen` has port 0, so the port of the server is unknown; use --url",
        ));
    }
    Url::parse(&format!("{scheme}://{addr}{HEALTH}")).map_err(io::Error::other)
}

/// The address at which this machine reaches a listener.
fn local(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Sends the request.
async fn check(url: &Url) -> io::Result<()> {
    let is_encrypted = match url.scheme() {
        "http" => false,
        "https" => true,
        other => {
            let sentence = format!("the scheme `{other}` is not supported; use http or https");
            return Err(io::Error::other(sentence));
        }
    };
    let no_host = || io::Error::other("the URL has no host");
    let host = url.host().ok_or_else(no_host)?;
    let port = url.port_or_known_default().ok_or_else(no_host)?;
    let stream = match &host {
        Host::Domain(name) => TcpStream::connect((*name, port)).await?,
        Host::Ipv4(ip) => TcpStream::connect((*ip, port)).await?,
        Host::Ipv6(ip) => TcpStream::connect((*ip, port)).await?,
    };
    if !is_encrypted {
        return request(stream, url, &host).await;
    }
    let name = match &host {
        Host::Domain(name) => ServerName::try_from((*name).to_owned()).map_err(io::Error::other)?,
        Host::Ipv4(ip) => ServerName::from(IpAddr::V4(*ip)),
        Host::Ipv6(ip) => ServerName::from(IpAddr::V6(*ip)),
    };
    let stream = connector()?.connect(name, stream).await?;
    request(stream, url, &host).await
}

async fn request(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    url: &Url,
    host: &Host<&str>,
) -> io::Result<()> {
    let path = url.path();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.flush().await?;
    let mut received = Vec::new();
    let mut limited = stream.take(MAX_STATUS_LINE_BYTES);
    while !received.contains(&b'\n') && limited.read_buf(&mut received).await? > 0 {}
    let text = String::from_utf8_lossy(&received);
    let line = text.lines().next().unwrap_or_default();
    let mut words = line.split(' ');
    match (words.next(), words.next()) {
        (Some("HTTP/1.1"), Some("200")) => Ok(()),
        (Some("HTTP/1.1"), Some(status)) => Err(io::Error::other(format!(
            "the response has status {status}"
        ))),
        _ => Err(io::Error::other("the response is not HTTP")),
    }
}

/// A TLS client that accepts any certificate.
fn connector() -> io::Result<TlsConnector> {
    let provider = Arc::new(ring::default_provider());
    let verifier = UnverifiedCertificates(Arc::clone(&provider));
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Accepts any certificate: it is for the public name of the server, which is not the address that
/// is checked. The request has no secret, and nothing but the status of the response is used.
#[derive(Debug)]
struct UnverifiedCertificates(Arc<CryptoProvider>);

impl ServerCertVerifier for UnverifiedCertificates {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, cert, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
