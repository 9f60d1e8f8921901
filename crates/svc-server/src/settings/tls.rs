//! `[tls]`: encryption of the listener of the sites, and `[admin.tls]`: that of the administration.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use svc_diagnostics::Span;

use super::codes::{CERTIFICATE, CONFLICT, MISSING, SECRET_READABLE};
use super::decode::{Cx, Fields};
use super::environment::display_path;
use super::table::{ExclusiveKeys, KeySchema, TableSchema, ValueType, key};
use super::{AcmeSettings, acme};
use crate::tls::{CertificateError, CertificateFiles, certificate_from_pem};

/// Configuration of TLS on the listener of the sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// The certificates. The first one is used for clients that send no host name, or one that no
    /// certificate covers.
    pub certificates: Vec<CertificateFiles>,
    /// Certificates that the server requests itself; `None` if all come from files.
    pub acme: Option<AcmeSettings>,
    /// Address of a listener that redirects from HTTP to HTTPS.
    pub redirect_listen: Option<SocketAddr>,
    /// Port of HTTPS in the URLs of these redirects; `None` for that of the listener.
    pub public_port: Option<u16>,
    /// How long browsers use only HTTPS (RFC 6797); `None` if they are not told.
    pub hsts: Option<Duration>,
}

impl TlsSettings {
    /// Default settings with some certificates.
    pub const fn new(certificates: Vec<CertificateFiles>) -> Self {
        Self {
            certificates,
            acme: None,
            redirect_listen: None,
            public_port: None,
            hsts: None,
        }
    }
}

const CERTIFICATE_FILE: &str = "Certificate of the server in PEM format, followed by those of the intermediate authorities. It is loaded again when the file changes.";
const KEY_FILE: &str = "Private key of the certificate in PEM format, without a passphrase.";

pub(super) static TABLE: TableSchema = TableSchema {
    name: "tls",
    about: "Encryption of `listen` with TLS 1.2 and 1.3. With this table, the listener accepts only HTTPS, with HTTP/1.1 and HTTP/2.",
    keys: &[
        key("certificate_file", ValueType::Path, CERTIFICATE_FILE)
            .example("\"/etc/svc/tls/fullchain.pem\"")
            .with("key_file"),
        key("key_file", ValueType::Path, KEY_FILE)
            .example("\"/etc/svc/tls/privkey.pem\"")
            .with("certificate_file"),
        key(
            "redirect_listen",
            ValueType::Text(""),
            "Address and port of a listener without encryption that redirects every request to HTTPS at the port of `listen`, or at `public_port`.",
        )
        .example("\"[::]:80\""),
        key(
            "public_port",
            ValueType::Count(1, 65_535),
            "Port of HTTPS that readers use, if it is not that of `listen`: a container or a load balancer maps it. It is the port in the redirects of `redirect_listen`.",
        )
        .example("443")
        .with("redirect_listen"),
        key(
            "hsts",
            ValueType::Duration(1),
            "How long browsers use only HTTPS for a host that they have visited: the `max-age` of the header `Strict-Transport-Security`. A host cannot go back to HTTP within that time.",
        )
        .example("\"180d\""),
        key(
            "acme",
            ValueType::Table(&acme::TABLE),
            "Certificates that the server requests itself, instead of `certificate_file` and `key_file`.",
        ),
        key(
            "certificates",
            ValueType::Tables(&CERTIFICATES),
            "Further certificates.",
        ),
    ],
    choices: &[ExclusiveKeys {
        keys: &["certificate_file", "acme"],
        required: false,
    }],
};

/// The keys of a table that only has a certificate.
const fn files(certificate: &'static str, key_file: &'static str) -> [KeySchema; 2] {
    [
        key("certificate_file", ValueType::Path, CERTIFICATE_FILE)
            .required()
            .example(certificate),
        key("key_file", ValueType::Path, KEY_FILE)
            .required()
            .example(key_file),
    ]
}

static CERTIFICATES: TableSchema = TableSchema {
    name: "tls.certificates",
    about: "A further certificate, for the host names that it contains. A client that sends another name gets the first certificate of `[tls]`.",
    keys: &files(
        "\"/etc/svc/tls/other.pem\"",
        "\"/etc/svc/tls/other-key.pem\"",
    ),
    choices: &[],
};

pub(super) static ADMIN_TABLE: TableSchema = TableSchema {
    name: "admin.tls",
    about: "Encryption of `listen` of the administration. With this table, the listener accepts only HTTPS.",
    keys: &files(
        "\"/etc/svc/tls/admin.pem\"",
        "\"/etc/svc/tls/admin-key.pem\"",
    ),
    choices: &[],
};

/// `[tls]`.
pub(super) fn decode(
    cx: &mut Cx<'_>,
    root: Fields<'_>,
    listen: SocketAddr,
    docs_domain: Option<&str>,
) -> Option<TlsSettings> {
    let fields = cx.open(root.get("tls")?, &TABLE)?;
    let mut certificates: Vec<CertificateFiles> = pair(cx, fields).into_iter().collect();
    for table in cx.tables(fields, "certificates") {
        if let Some(fields) = cx.open(table, &CERTIFICATES) {
            certificates.extend(pair(cx, fields));
        }
    }
    let is_given = ["certificate_file", "key_file", "certificates", "acme"];
    if !is_given.iter().any(|key| fields.has(key)) {
        let message = "`tls` has no certificate";
        let hint = "add `certificate_file` and `key_file`, or a table `[tls.acme]`";
        cx.report(&MISSING, fields.span, message, hint);
    }
    Some(TlsSettings {
        certificates,
        acme: acme::decode(cx, fields, docs_domain),
        redirect_listen: redirect_listen(cx, fields, listen),
        public_port: cx
            .count(fields, "public_port")
            .and_then(|port| u16::try_from(port).ok()),
        hsts: cx.duration(fields, "hsts"),
    })
}

/// `[admin.tls]`.
pub(super) fn decode_admin(cx: &mut Cx<'_>, admin: Fields<'_>) -> Option<TlsSettings> {
    let fields = cx.open(admin.get("tls")?, &ADMIN_TABLE)?;
    if admin.has("host") && !admin.has("listen") {
        let message = "`[admin.tls]` has no effect without `listen` in `[admin]`";
        let hint = "remove it: `host` is on the listener of the sites, which `[tls]` encrypts";
        cx.report(&CONFLICT, admin.key_span("tls"), message, hint);
    }
    pair(cx, fields).map(|files| TlsSettings::new(vec![files]))
}

fn redirect_listen(cx: &mut Cx<'_>, fields: Fields<'_>, listen: SocketAddr) -> Option<SocketAddr> {
    let text = cx.text(fields, "redirect_listen")?;
    let read: Option<SocketAddr> = text.text.parse().ok();
    if read.is_none() || read == Some(listen) {
        let hint = "write another address and port than `listen`: `[::]:80`, `0.0.0.0:80`";
        cx.refuse(text, "redirect_listen", hint);
    }
    read
}

/// The files of a table, which are checked.
fn pair(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<CertificateFiles> {
    let certificate = cx.path(fields, "certificate_file");
    let key = cx.path(fields, "key_file");
    let (certificate, key) = (certificate?, key?);
    let span = |name| fields.get(name).map_or(fields.span, |node| node.span);
    let (certificate_span, key_span) = (span("certificate_file"), span("key_file"));
    let chain_text = read(cx, &certificate, certificate_span);
    let key_text = read(cx, &key, key_span);
    if key_text.is_some() && (cx.environment.is_readable_by_all)(&key) {
        let file = display_path(&key);
        let message = format!("the file `{file}` is readable by every user of this machine");
        let hint = "make it readable for the server's user only: `chmod 600`";
        cx.report(&SECRET_READABLE, key_span, message, hint);
    }
    if let Err(error) = certificate_from_pem(&chain_text?, &key_text?) {
        let (path, span) = match error.is_of_key() {
            true => (&key, key_span),
            false => (&certificate, certificate_span),
        };
        let message = format!("the file `{}` {error}", display_path(path));
        cx.report(&CERTIFICATE, span, message, error.hint());
    }
    Some(CertificateFiles { certificate, key })
}

fn read(cx: &mut Cx<'_>, path: &Path, span: Span) -> Option<String> {
    match (cx.environment.read_text)(path) {
        Ok(text) => Some(text),
        Err(error) => {
            let message = format!("the file `{}` cannot be read: {error}", display_path(path));
            let hint = CertificateError::UNREADABLE_HINT;
            cx.report(&CERTIFICATE, span, message, hint);
            None
        }
    }
}
