//! `[projects.readers]`: how readers sign in.

use std::collections::BTreeSet;
use std::path::Path;

use argon2::password_hash::phc::PasswordHash;
use http::HeaderName;
use jiff::civil::Date;
use svc_diagnostics::Span;

use super::Secret;
use super::codes::{CONFLICT, MISSING, SECRET_MISSING, SECRET_READABLE, VALUE};
use super::decode::{Cx, Fields};
use super::environment::display_path;
use super::handover::{self, HandoverSettings};
use super::readers_oidc::{self, ReaderOidcSettings};
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// Maximum number of readers in a file.
const MAX_READERS: usize = 10_000;
/// What a line of a file looks like.
const LINE_HINT: &str = "write one reader on each line: `NAME:HASH:GROUP,GROUP:YYYY-MM-DD`, where groups and the last day are optional; `svc-server reader` prints such lines";

/// How readers sign in to a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReaderSettings {
    /// Whether every page is only for readers who sign in.
    pub private: bool,
    /// Readers with a password.
    pub passwords: Vec<ReaderCredential>,
    /// Programs with a token.
    pub tokens: Vec<ReaderCredential>,
    /// Headers in which a trusted proxy names the reader.
    pub header: Option<ReaderHeaders>,
    /// OpenID Connect provider.
    pub oidc: Option<ReaderOidcSettings>,
    /// Page that hands readers over with a signed token.
    pub handover: Option<HandoverSettings>,
}

/// A reader who signs in with a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderCredential {
    /// Name of the reader.
    pub name: String,
    /// Argon2 hash of the password, or SHA-256 of the token in hexadecimal digits.
    pub hash: Secret,
    /// Groups of the reader.
    pub groups: BTreeSet<String>,
    /// First second, since the beginning of 1970, at which the credential has expired.
    pub until: Option<i64>,
}

/// Headers in which a trusted proxy names the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderHeaders {
    /// Header with the name of the reader.
    pub user: HeaderName,
    /// Header with the e-mail address of the reader.
    pub email: Option<HeaderName>,
    /// Header with the groups of the reader, separated by commas.
    pub groups: Option<HeaderName>,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.readers",
    about: "How readers sign in. Without this table, protected pages are not served at all. Read again when the server reloads its settings.",
    keys: &[
        key(
            "private",
            ValueType::Boolean,
            "Whether every page is only for readers who sign in, whatever `docs.json` says. Otherwise only those that ask for it: `public: false`, `groups`.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "password_file",
            ValueType::Path,
            "File with a line `NAME:HASH:GROUPS` for each reader who signs in with a password, as `svc-server reader password NAME` prints it.",
        )
        .example("\"/etc/svc/handbook.passwords\""),
        key(
            "token_file",
            ValueType::Path,
            "File with a line `NAME:HASH:GROUPS` for each program that reads with a token, as `svc-server reader token NAME` prints it.",
        )
        .example("\"/etc/svc/handbook.tokens\""),
        key(
            "header",
            ValueType::Table(&HEADER_TABLE),
            "Headers in which a proxy names the reader.",
        ),
        key(
            "oidc",
            ValueType::Table(&readers_oidc::TABLE),
            "OpenID Connect provider.",
        ),
        key(
            "handover",
            ValueType::Table(&handover::TABLE),
            "Page of your own that signs readers in.",
        ),
    ],
    choices: &[],
};

pub(super) static HEADER_TABLE: TableSchema = TableSchema {
    name: "projects.readers.header",
    about: "Headers in which one of the `trusted_proxies`, such as oauth2-proxy or Authelia, names the reader. They are ignored in requests of others. The proxy must remove them from the requests of its clients.",
    keys: &[
        key(
            "user",
            ValueType::Text(""),
            "Header with the name of the reader.",
        )
        .required()
        .example("\"X-Auth-Request-User\""),
        key(
            "email",
            ValueType::Text(""),
            "Header with the e-mail address of the reader.",
        )
        .example("\"X-Auth-Request-Email\""),
        key(
            "groups",
            ValueType::Text(""),
            "Header with the groups of the reader, separated by commas.",
        )
        .example("\"X-Auth-Request-Groups\""),
    ],
    choices: &[],
};

pub(super) fn decode(
    cx: &mut Cx<'_>,
    project: Fields<'_>,
    (has_proxies, has_admin): (bool, bool),
) -> Option<ReaderSettings> {
    let fields = cx.open(project.get("readers")?, &TABLE)?;
    let passwords = passwords(cx, fields);
    let is_digest = |hash: &str| hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    let tokens = file(cx, fields, "token_file", is_digest);
    let header = header(cx, fields, has_proxies);
    let oidc = readers_oidc::decode(cx, fields);
    let handover = handover::decode(cx, fields);
    let methods = ["password_file", "token_file", "header", "oidc", "handover"];
    // With an administration, tokens can be made there.
    if !has_admin && !methods.iter().any(|name| fields.has(name)) {
        let message = "`projects.readers` has no way to sign in";
        let hint = "add `password_file`, `token_file`, `[projects.readers.oidc]`, `[projects.readers.handover]` or `[projects.readers.header]`, or `[admin]`, whose dashboard makes tokens";
        cx.report(&MISSING, fields.span, message, hint);
    }
    Some(ReaderSettings {
        private: cx.flag(fields, "private"),
        passwords,
        tokens,
        header,
        oidc,
        handover,
    })
}

/// Reads the file with passwords of a table.
pub(super) fn passwords(cx: &mut Cx<'_>, fields: Fields<'_>) -> Vec<ReaderCredential> {
    file(cx, fields, "password_file", |hash| {
        PasswordHash::new(hash).is_ok()
    })
}

fn header(cx: &mut Cx<'_>, readers: Fields<'_>, has_proxies: bool) -> Option<ReaderHeaders> {
    let fields = cx.open(readers.get("header")?, &HEADER_TABLE)?;
    if !has_proxies {
        let message = "`[projects.readers.header]` has no effect without `trusted_proxies`";
        let hint = "write the address of the proxy: `trusted_proxies = [\"127.0.0.1\"]`";
        cx.report(&CONFLICT, fields.span, message, hint);
    }
    let mut name = |key: &str| {
        let text = cx.text(fields, key)?;
        let parsed = HeaderName::from_bytes(text.text.as_bytes()).ok();
        if parsed.is_none() {
            cx.refuse(
                text,
                key,
                "write the name of an HTTP header: `X-Auth-Request-User`",
            );
        }
        parsed
    };
    let (user, email, groups) = (name("user"), name("email"), name("groups"));
    Some(ReaderHeaders {
        user: user?,
        email,
        groups,
    })
}

/// Reads the credentials of a file. Lines that begin with `#` are comments.
fn file(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
    key: &str,
    is_hash: impl Fn(&str) -> bool,
) -> Vec<ReaderCredential> {
    let Some(path) = cx.path(fields, key) else {
        return Vec::new();
    };
    let span = fields.get(key).map_or(fields.span, |node| node.span);
    let text = match (cx.environment.read_text)(&path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("the file `{}` cannot be read: {error}", display_path(&path));
            cx.report(&SECRET_MISSING, span, message, LINE_HINT);
            return Vec::new();
        }
    };
    if (cx.environment.is_readable_by_all)(&path) {
        let file = display_path(&path);
        let message = format!("the file `{file}` is readable by every user of this machine");
        let hint = "make it readable for the server's user only: `chmod 600`";
        cx.report(&SECRET_READABLE, span, message, hint);
    }
    credentials(cx, (&path, span), &text, is_hash)
}

fn credentials(
    cx: &mut Cx<'_>,
    (path, span): (&Path, Span),
    text: &str,
    is_hash: impl Fn(&str) -> bool,
) -> Vec<ReaderCredential> {
    let mut out: Vec<ReaderCredential> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let problem = match credential(line, &is_hash) {
            Some(read) if out.iter().any(|known| known.name == read.name) => "repeats a name",
            Some(_) if out.len() >= MAX_READERS => "is one more than is allowed",
            Some(read) => {
                out.push(read);
                continue;
            }
            None => "is not a reader",
        };
        let message = format!("line {number} of `{}` {problem}", display_path(path));
        cx.report(&VALUE, span, message, LINE_HINT);
    }
    out
}

fn credential(line: &str, is_hash: impl Fn(&str) -> bool) -> Option<ReaderCredential> {
    let mut parts = line.split(':').map(str::trim);
    let (name, hash) = (parts.next()?, parts.next()?);
    let groups = parts.next().unwrap_or_default().split(',');
    let groups = groups.map(str::trim).filter(|group| !group.is_empty());
    let until = match parts.next() {
        Some(day) => Some(end_of(day)?),
        None => None,
    };
    let is_valid = !name.is_empty() && is_hash(hash) && parts.next().is_none();
    is_valid.then(|| ReaderCredential {
        name: name.to_owned(),
        hash: Secret::new(hash),
        groups: groups.map(str::to_owned).collect(),
        until,
    })
}

/// The end of a day, in UTC.
fn end_of(day: &str) -> Option<i64> {
    let day: Date = day.parse().ok()?;
    let next = day.tomorrow().ok()?;
    let zoned = next.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::credential;

    #[test]
    fn a_line_has_a_name_a_hash_groups_and_a_last_day() {
        let any = |_: &str| true;
        let read = credential("ci : abc:staff, beta:1970-01-01", any).unwrap();
        assert_eq!((read.name.as_str(), read.hash.reveal()), ("ci", "abc"));
        assert_eq!(read.groups, ["beta", "staff"].map(str::to_owned).into());
        assert_eq!(read.until, Some(86_400));
        let read = credential("ci:abc", any).unwrap();
        assert!(read.groups.is_empty() && read.until.is_none());
        for line in [
            "ci",
            ":abc",
            "ci:abc::today",
            "ci:abc:::",
            "ci:abc:a:1970-01-01:x",
        ] {
            assert_eq!(credential(line, any), None, "{line}");
        }
        assert_eq!(credential("ci:abc", |_| false), None);
    }
}
