//! OpenID Connect providers: `[admin.oidc]` for the dashboard, and what it has in common with
//! `[projects.readers.oidc]`.

use super::Secret;
use super::codes::MISSING;
use super::decode::{Cx, Fields};
use super::secret;
use super::table::{DefaultValue, ExclusiveKeys, KeySchema, TableSchema, ValueType, key};

/// An OpenID Connect provider, and the client that is registered there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcProvider {
    /// Issuer URL, without `/.well-known/openid-configuration`.
    pub issuer: String,
    /// Client ID at the provider.
    pub client_id: String,
    /// Client secret at the provider.
    pub client_secret: Secret,
    /// Label of the sign-in button.
    pub name: String,
}

/// An OpenID Connect provider and the users of it who are administrators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// The provider.
    pub provider: OidcProvider,
    /// E-mail addresses of administrators, in lower case.
    pub emails: Vec<String>,
    /// E-mail domains of administrators, in lower case. Addresses must be verified by the provider.
    pub domains: Vec<String>,
}

pub(super) const ISSUER: KeySchema = key(
    "issuer",
    ValueType::Text("^https?://[^\\s]+$"),
    "Issuer URL of the provider, without `/.well-known/openid-configuration`.",
)
.required()
.example("\"https://id.example.com\"");

pub(super) const CLIENT_SECRET_FILE: KeySchema = key(
    "client_secret_file",
    ValueType::Path,
    "File that contains the client secret.",
)
.example("\"/etc/svc/oidc.secret\"");

pub(super) const CLIENT_SECRET_ENV: KeySchema = key(
    "client_secret_env",
    ValueType::Text(secret::VARIABLE),
    "Environment variable that contains the client secret.",
)
.example("\"SVC_OIDC_SECRET\"");

pub(super) const CLIENT_SECRET: KeySchema = key("client_secret", ValueType::Forbidden, "");

pub(super) const NAME: KeySchema = key("name", ValueType::Text(""), "Label of the sign-in button.")
    .default(DefaultValue::Text("single sign-on"));

/// One of the sources of the client secret is required.
pub(super) const SECRET_SOURCES: ExclusiveKeys = ExclusiveKeys {
    keys: &["client_secret_file", "client_secret_env"],
    required: true,
};

pub(super) static TABLE: TableSchema = TableSchema {
    name: "admin.oidc",
    about: "OpenID Connect provider for sign-in to the dashboard. Its redirect URI is `/sign-in/oidc/return` at the `origin` of the dashboard.",
    keys: &[
        ISSUER,
        key(
            "client_id",
            ValueType::Text(""),
            "Client ID of the dashboard at the provider.",
        )
        .required()
        .example("\"svc-dashboard\""),
        CLIENT_SECRET_FILE,
        CLIENT_SECRET_ENV,
        CLIENT_SECRET,
        NAME,
        key(
            "emails",
            ValueType::Texts(""),
            "E-mail addresses of administrators. The provider must have verified them.",
        )
        .example("[\"ada@example.com\"]"),
        key(
            "domains",
            ValueType::Texts(""),
            "E-mail domains of administrators. Every verified address of these domains has access.",
        )
        .example("[\"example.com\"]"),
    ],
    choices: &[SECRET_SOURCES],
};

pub(super) fn decode(cx: &mut Cx<'_>, admin: Fields<'_>) -> Option<OidcSettings> {
    let fields = cx.open(admin.get("oidc")?, &TABLE)?;
    let provider = provider(cx, fields);
    let emails = list(
        cx,
        fields,
        "emails",
        "write an e-mail address: `ada@example.com`",
        |text| {
            text.split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && is_domain(host))
        },
    );
    let domains = domains(cx, fields, "domains");
    if !fields.has("emails") && !fields.has("domains") {
        let message = "`emails` or `domains` is missing in `admin.oidc`";
        let hint = "add the e-mail addresses or domains of administrators";
        cx.report(&MISSING, fields.span, message, hint);
    }
    Some(OidcSettings {
        provider: provider?,
        emails,
        domains,
    })
}

/// Decodes the provider of a table.
pub(super) fn provider(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<OidcProvider> {
    let issuer = cx.text(fields, "issuer").and_then(|text| {
        let fits = is_secure_url(text.text);
        if !fits {
            let hint = "write the issuer URL: `https://id.example.com`";
            cx.refuse(text, "issuer", hint);
        }
        fits.then(|| text.text.to_owned())
    });
    let client_id = cx.text(fields, "client_id");
    let client_secret = secret::decode(cx, fields, "client_secret");
    let name = cx.text(fields, "name").map(|text| text.text);
    let name = name.or_else(|| fields.default_text("name"));
    Some(OidcProvider {
        issuer: issuer?,
        client_id: client_id?.text.to_owned(),
        client_secret: client_secret?,
        name: name.unwrap_or_default().to_owned(),
    })
}

/// Decodes a list of domains, in lower case.
pub(super) fn domains(cx: &mut Cx<'_>, fields: Fields<'_>, key: &str) -> Vec<String> {
    list(cx, fields, key, "write a domain: `example.com`", is_domain)
}

/// Whether a text is a URL without query and fragment whose traffic others cannot read: that to
/// this machine does not leave it.
pub(super) fn is_secure_url(text: &str) -> bool {
    let url = url::Url::parse(text).ok();
    url.is_some_and(|url| {
        let plain = url.query().is_none() && url.fragment().is_none();
        let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        plain && (url.scheme() == "https" || (url.scheme() == "http" && local))
    })
}

fn is_domain(text: &str) -> bool {
    let letters = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let part = |part: &str| !part.is_empty() && part.bytes().all(letters);
    text.contains('.') && text.split('.').all(part)
}

fn list(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
    key: &str,
    hint: &str,
    fits: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut read = Vec::new();
    for text in cx.texts(fields, key).unwrap_or_default() {
        let value = text.text.trim().to_ascii_lowercase();
        if fits(&value) {
            read.push(value);
        } else {
            cx.refuse(text, key, hint);
        }
    }
    read
}
