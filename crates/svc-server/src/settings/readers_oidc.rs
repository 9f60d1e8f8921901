//! `[projects.readers.oidc]`: an OpenID Connect provider for readers.

use std::time::Duration;

use super::OidcProvider;
use super::decode::{Cx, Fields};
use super::oidc;
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// Scopes that are requested in addition to `openid`.
const DEFAULT_SCOPES: [&str; 2] = ["email", "profile"];
/// Maximum length of a delimiter of groups.
const MAX_DELIMITER_BYTES: usize = 4;

/// An OpenID Connect provider for the readers of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderOidcSettings {
    /// The provider.
    pub provider: OidcProvider,
    /// Scopes that are requested in addition to `openid`.
    pub scopes: Vec<String>,
    /// Name, dotted path or JSON pointer of the claim with the groups.
    pub groups_claim: Option<String>,
    /// What separates groups in a claim that is one string.
    pub groups_delimiter: Option<String>,
    /// E-mail domains of readers, in lower case; empty for all users of the provider.
    pub allowed_domains: Vec<String>,
    /// Age of a sign-in after which the provider has to confirm it.
    pub renew_after: Duration,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.readers.oidc",
    about: "OpenID Connect provider for readers. Its redirect URI is `/_svc/sign-in/callback`, and that for back-channel logout `/_svc/sign-in/logout`, at each host of the project, after its `base_path`.",
    keys: &[
        oidc::ISSUER,
        key(
            "client_id",
            ValueType::Text(""),
            "Client ID of the site at the provider.",
        )
        .required()
        .example("\"handbook\""),
        oidc::CLIENT_SECRET_FILE,
        oidc::CLIENT_SECRET_ENV,
        oidc::CLIENT_SECRET,
        oidc::NAME,
        key(
            "scopes",
            ValueType::Texts(""),
            "Scopes that are requested in addition to `openid`.",
        )
        .default(DefaultValue::Described("`[\"email\", \"profile\"]`"))
        .example("[\"email\", \"profile\", \"groups\"]"),
        key(
            "groups_claim",
            ValueType::Text(""),
            "Claim with the groups of the reader, in the ID token or else in the response of the userinfo endpoint: a name, a path with dots, or a JSON pointer. Without it, readers have no groups.",
        )
        .example("\"realm_access.roles\""),
        key(
            "groups_delimiter",
            ValueType::Text("^.{1,4}$"),
            "What separates groups if the claim is one string. Without it, the string is the name of one group.",
        )
        .with("groups_claim")
        .example("\",\""),
        key(
            "allowed_domains",
            ValueType::Texts(""),
            "Only readers with an e-mail address of these domains, which the provider has verified, can sign in.",
        )
        .default(DefaultValue::Described("every user of the provider"))
        .example("[\"example.com\"]"),
        key(
            "renew_after",
            ValueType::Duration(60),
            "Age of a sign-in at which the provider has to confirm it, without a question to the reader (`prompt=none`).",
        )
        .default(DefaultValue::Text("1h")),
    ],
    choices: &[oidc::SECRET_SOURCES],
};

pub(super) fn decode(cx: &mut Cx<'_>, readers: Fields<'_>) -> Option<ReaderOidcSettings> {
    let fields = cx.open(readers.get("oidc")?, &TABLE)?;
    let provider = oidc::provider(cx, fields);
    let is_scope = |text: &str| text.bytes().all(|b| b.is_ascii_graphic() && b != b'"');
    let scopes = cx.texts(fields, "scopes").map(|texts| {
        let mut scopes = Vec::new();
        for text in texts {
            match is_scope(text.text) {
                true => scopes.push(text.text.to_owned()),
                false => cx.refuse(text, "scopes", "write a scope without spaces: `email`"),
            }
        }
        scopes
    });
    let groups_claim = cx.text(fields, "groups_claim");
    let delimiter = cx.text(fields, "groups_delimiter");
    if let Some(text) = delimiter.filter(|text| text.text.len() > MAX_DELIMITER_BYTES) {
        cx.refuse(text, "groups_delimiter", "write 1 to 4 characters: `,`");
    }
    let allowed_domains = oidc::domains(cx, fields, "allowed_domains");
    let renew_after = cx.duration(fields, "renew_after");
    Some(ReaderOidcSettings {
        provider: provider?,
        scopes: scopes.unwrap_or_else(|| DEFAULT_SCOPES.map(str::to_owned).into()),
        groups_claim: groups_claim.map(|text| text.text.to_owned()),
        groups_delimiter: delimiter.map(|text| text.text.to_owned()),
        allowed_domains,
        renew_after: renew_after.unwrap_or_default(),
    })
}
