//! `[admin.oidc]`: an OpenID Connect provider for sign-in to the dashboard.

use super::Secret;
use super::codes::MISSING;
use super::decode::{Cx, Fields};
use super::secret;
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};

/// An OpenID Connect provider and the users of it who are administrators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// Issuer URL, without `/.well-known/openid-configuration`.
    pub issuer: String,
    /// Client ID of the dashboard at the provider.
    pub client_id: String,
    /// Client secret of the dashboard at the provider.
    pub client_secret: Secret,
    /// Label of the sign-in button.
    pub name: String,
    /// E-mail addresses of administrators, in lower case.
    pub emails: Vec<String>,
    /// E-mail domains of administrators, in lower case. Addresses must be verified by the provider.
    pub domains: Vec<String>,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "admin.oidc",
    about: "OpenID Connect provider for sign-in to the dashboard. Its redirect URI is `/sign-in/oidc/return` at the `origin` of the dashboard.",
    keys: &[
        key(
            "issuer",
            ValueType::Text("^https?://[^\\s]+$"),
            "Issuer URL of the provider, without `/.well-known/openid-configuration`.",
        )
        .required()
        .example("\"https://id.example.com\""),
        key(
            "client_id",
            ValueType::Text(""),
            "Client ID of the dashboard at the provider.",
        )
        .required()
        .example("\"svc-dashboard\""),
        key(
            "client_secret_file",
            ValueType::Path,
            "File that contains the client secret.",
        )
        .example("\"/etc/svc/oidc.secret\""),
        key(
            "client_secret_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains the client secret.",
        )
        .example("\"SVC_OIDC_SECRET\""),
        key("client_secret", ValueType::Forbidden, ""),
        key("name", ValueType::Text(""), "Label of the sign-in button.")
            .default(DefaultValue::Text("single sign-on")),
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
    choices: &[ExclusiveKeys {
        keys: &["client_secret_file", "client_secret_env"],
        required: true,
    }],
};

pub(super) fn decode(cx: &mut Cx<'_>, admin: Fields<'_>) -> Option<OidcSettings> {
    let fields = cx.open(admin.get("oidc")?, &TABLE)?;
    let issuer = cx.text(fields, "issuer").and_then(|text| {
        let url = url::Url::parse(text.text).ok();
        let fits = url.is_some_and(|url| {
            let plain = url.query().is_none() && url.fragment().is_none();
            // A provider on this machine may use HTTP: the traffic does not leave the machine.
            let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
            plain && (url.scheme() == "https" || (url.scheme() == "http" && local))
        });
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
    let domains = list(
        cx,
        fields,
        "domains",
        "write a domain: `example.com`",
        is_domain,
    );
    if !fields.has("emails") && !fields.has("domains") {
        let message = "`emails` or `domains` is missing in `admin.oidc`";
        let hint = "add the e-mail addresses or domains of administrators";
        cx.report(&MISSING, fields.span, message, hint);
    }
    Some(OidcSettings {
        issuer: issuer?,
        client_id: client_id?.text.to_owned(),
        client_secret: client_secret?,
        name: name.unwrap_or_default().to_owned(),
        emails,
        domains,
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
