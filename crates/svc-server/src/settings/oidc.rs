//! `[admin.oidc]`: another service at which people sign in to the dashboard.

use super::Secret;
use super::codes::MISSING;
use super::decode::{Cx, Fields};
use super::secret;
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};

/// A service that says who somebody is, and whom of them the dashboard lets in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// The address of the service, without its `/.well-known/…`.
    pub issuer: String,
    /// The name that the service has given to the dashboard.
    pub client_id: String,
    /// What it has given with the name.
    pub client_secret: Secret,
    /// What people read on the button.
    pub name: String,
    /// E-mail addresses of administrators, in lower case.
    pub emails: Vec<String>,
    /// Domains of which every verified e-mail address is one of an administrator, in lower case.
    pub domains: Vec<String>,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "admin.oidc",
    about: "Another service at which people sign in to the dashboard (OpenID Connect). It sends them \
            back to `/sign-in/oidc/return` at the `origin` of the administration.",
    keys: &[
        key(
            "issuer",
            ValueType::Text("^https?://[^\\s]+$"),
            "Address of the service, without `/.well-known/openid-configuration`.",
        )
        .required()
        .example("\"https://id.example.com\""),
        key(
            "client_id",
            ValueType::Text(""),
            "The name that the service has given to the dashboard.",
        )
        .required()
        .example("\"svc-dashboard\""),
        key(
            "client_secret_file",
            ValueType::Path,
            "File that holds the secret that the service has given with the name.",
        )
        .example("\"/etc/svc/oidc.secret\""),
        key(
            "client_secret_env",
            ValueType::Text(secret::VARIABLE),
            "Variable of the environment that holds this secret.",
        )
        .example("\"SVC_OIDC_SECRET\""),
        key("client_secret", ValueType::Forbidden, ""),
        key(
            "name",
            ValueType::Text(""),
            "What people read on the button.",
        )
        .default(DefaultValue::Text("single sign-on")),
        key(
            "emails",
            ValueType::Texts(""),
            "E-mail addresses of administrators, which the service has to have verified.",
        )
        .example("[\"ada@example.com\"]"),
        key(
            "domains",
            ValueType::Texts(""),
            "Domains of which every verified e-mail address is one of an administrator.",
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
            // A service of this machine may do without encryption; nobody is on the way to it.
            let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
            plain && (url.scheme() == "https" || (url.scheme() == "http" && local))
        });
        if !fits {
            let hint = "write the address of the service: `https://id.example.com`";
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
        let hint = "add the e-mail addresses or the domains of those who may come in";
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
        let word = text.text.trim().to_ascii_lowercase();
        if fits(&word) {
            read.push(word);
        } else {
            cx.refuse(text, key, hint);
        }
    }
    read
}
