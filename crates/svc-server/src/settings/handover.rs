//! `[projects.readers.handover]`: readers who come from a page of the operator with a signed token.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::codes::{SECRET_MISSING, VALUE};
use super::decode::{Cx, Fields};
use super::environment::display_path;
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// What an Ed25519 public key in DER begins with (RFC 8410, section 4).
const KEY_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];
const KEY_HINT: &str = "write the public key of an Ed25519 key in PEM: `openssl genpkey -algorithm ed25519 -out private.pem && openssl pkey -in private.pem -pubout`";

/// A page of the operator that signs readers in and hands them over with a signed token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoverSettings {
    /// Ed25519 public key that verifies tokens.
    pub public_key: [u8; 32],
    /// URL of the page; `redirect=PATH` is added to it.
    pub login_url: String,
    /// Label of the sign-in button.
    pub name: String,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.readers.handover",
    about: "Page of your own that signs readers in and sends them to `/login/jwt-callback#TOKEN`, after the `base_path`, where the token is a JSON Web Token that is signed with Ed25519 and valid for at most ten seconds.",
    keys: &[
        key(
            "public_key_file",
            ValueType::Path,
            "File with the public key of the page, in PEM.",
        )
        .required()
        .example("\"/etc/svc/handover.pem\""),
        key(
            "login_url",
            ValueType::Text("^https?://[^\\s]+$"),
            "URL of the page. The server adds `redirect=PATH` with the path that the reader wants to read.",
        )
        .required()
        .example("\"https://app.example.com/docs-login\""),
        key("name", ValueType::Text(""), "Label of the sign-in button.")
            .default(DefaultValue::Text("single sign-on")),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, readers: Fields<'_>) -> Option<HandoverSettings> {
    let fields = cx.open(readers.get("handover")?, &TABLE)?;
    let public_key = public_key(cx, fields);
    let login_url = cx.text(fields, "login_url").and_then(|text| {
        let url = url::Url::parse(text.text).ok();
        let fits = url.is_some_and(|url| {
            let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
            let secure = url.scheme() == "https" || (url.scheme() == "http" && local);
            secure && url.fragment().is_none()
        });
        if !fits {
            let hint = "write a URL: `https://app.example.com/docs-login`";
            cx.refuse(text, "login_url", hint);
        }
        fits.then(|| text.text.to_owned())
    });
    let name = cx.text(fields, "name").map(|text| text.text);
    let name = name.or_else(|| fields.default_text("name"));
    Some(HandoverSettings {
        public_key: public_key?,
        login_url: login_url?,
        name: name.unwrap_or_default().to_owned(),
    })
}

fn public_key(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<[u8; 32]> {
    let path = cx.path(fields, "public_key_file")?;
    let span = fields.get("public_key_file")?.span;
    let file = display_path(&path);
    let text = match (cx.environment.read_text)(&path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("the file `{file}` cannot be read: {error}");
            cx.report(&SECRET_MISSING, span, message, KEY_HINT);
            return None;
        }
    };
    let key = parse_key(&text);
    if key.is_none() {
        let message = format!("the file `{file}` is not an Ed25519 public key");
        cx.report(&VALUE, span, message, KEY_HINT);
    }
    key
}

/// Parses a public key in PEM (RFC 7468).
fn parse_key(text: &str) -> Option<[u8; 32]> {
    let (_, rest) = text.split_once("-----BEGIN PUBLIC KEY-----")?;
    let (body, _) = rest.split_once("-----END PUBLIC KEY-----")?;
    let body: String = body.split_ascii_whitespace().collect();
    let der = STANDARD.decode(body).ok()?;
    der.strip_prefix(&KEY_PREFIX)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::parse_key;

    #[test]
    fn a_key_is_read_from_pem() {
        // The public key of RFC 8410, section 10.1.
        let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
        assert_eq!(parse_key(pem).map(|key| key[0]), Some(0x19));
        let private = pem.replace("PUBLIC", "PRIVATE");
        let short = pem.replace("ZuE=", "");
        for bad in ["", "x", &private, &short] {
            assert_eq!(parse_key(bad), None, "{bad}");
        }
    }
}
