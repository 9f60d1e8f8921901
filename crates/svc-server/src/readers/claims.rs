//! What the claims of a token say about a reader.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Maximum number of groups of a reader.
pub(super) const MAX_GROUPS: usize = 1_000;
/// Maximum length of a name, an e-mail address or an identifier in bytes.
const MAX_TEXT_BYTES: usize = 256;

/// A short text without control characters; `None` for an empty one.
pub(super) fn text(claims: &Map<String, Value>, name: &str) -> Option<String> {
    let text = claims.get(name)?.as_str()?.trim();
    let is_plain = !text.is_empty() && text.len() <= MAX_TEXT_BYTES;
    (is_plain && !text.contains(char::is_control)).then(|| text.to_owned())
}

/// Name of the reader for people.
pub(super) fn display_name(claims: &Map<String, Value>) -> Option<String> {
    let names = ["name", "preferred_username", "email", "sub"];
    names.iter().find_map(|name| text(claims, name))
}

/// The e-mail address if the issuer says that it has verified it.
pub(super) fn verified_email(claims: &Map<String, Value>) -> Option<String> {
    let is_verified = claims.get("email_verified") == Some(&Value::Bool(true));
    text(claims, "email").filter(|_| is_verified)
}

/// Whether an e-mail address is one of a domain, in any case.
pub(super) fn is_in_domain(email: &str, domains: &[String]) -> bool {
    let domain = email.rsplit_once('@').map(|(_, domain)| domain);
    domain.is_some_and(|domain| domains.iter().any(|own| own.eq_ignore_ascii_case(domain)))
}

/// The claim with groups. `path` is its name, a JSON pointer, or names separated by dots.
pub(super) fn find<'a>(claims: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    // Names of claims can be URLs, which have dots and slashes.
    if let Some(value) = claims.get(path) {
        return Some(value);
    }
    let (first, rest) = match path.strip_prefix('/') {
        Some(path) => path.split_once('/').unwrap_or((path, "")),
        None => path.split_once('.').unwrap_or((path, "")),
    };
    if path.starts_with('/') {
        let first = first.replace("~1", "/").replace("~0", "~");
        let value = claims.get(&first)?;
        return match rest {
            "" => Some(value),
            rest => value.pointer(&format!("/{rest}")),
        };
    }
    let mut value = claims.get(first)?;
    for name in rest.split('.').filter(|name| !name.is_empty()) {
        value = value.get(name)?;
    }
    Some(value)
}

/// Groups of a claim: an array of strings, or one string with groups that are separated by
/// `delimiter`.
pub(super) fn groups(claim: &Value, delimiter: Option<&str>) -> BTreeSet<String> {
    let names: Vec<&str> = match (claim, delimiter) {
        (Value::Array(items), _) => items.iter().filter_map(Value::as_str).collect(),
        (Value::String(text), Some(delimiter)) => text.split(delimiter).collect(),
        (Value::String(text), None) => vec![text],
        _ => Vec::new(),
    };
    let names = names.into_iter().map(str::trim);
    let names = names.filter(|name| !name.is_empty()).take(MAX_GROUPS);
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn groups_are_found_by_name_path_and_pointer() {
        let claims = claims(json!({
            "groups": ["a", " b ", "", 7, "a"],
            "https://example.com/groups": ["url"],
            "realm_access": {"roles": ["role"]},
            "a/b": {"c": "x, y"},
            "single": "Docs Team",
        }));
        let read = |path: &str, delimiter| {
            let found = find(&claims, path).map(|claim| groups(claim, delimiter));
            found.map(|groups| groups.into_iter().collect::<Vec<_>>().join("|"))
        };
        assert_eq!(read("groups", None).as_deref(), Some("a|b"));
        assert_eq!(read("/groups", None).as_deref(), Some("a|b"));
        let url = read("https://example.com/groups", None);
        assert_eq!(url.as_deref(), Some("url"));
        assert_eq!(read("realm_access.roles", None).as_deref(), Some("role"));
        assert_eq!(read("/realm_access/roles", None).as_deref(), Some("role"));
        assert_eq!(read("/a~1b/c", Some(",")).as_deref(), Some("x|y"));
        assert_eq!(read("single", None).as_deref(), Some("Docs Team"));
        assert_eq!(read("realm_access", None).as_deref(), Some(""));
        for missing in ["", "/", ".", "realm_access.x", "/groups/x", "x.y"] {
            assert_eq!(read(missing, None), None, "{missing}");
        }
    }

    #[test]
    fn only_verified_emails_of_a_domain_count() {
        let domains = ["example.com".to_owned()];
        let email = |value: Value| {
            let email = verified_email(&claims(value));
            email.is_some_and(|email| is_in_domain(&email, &domains))
        };
        assert!(email(
            json!({"email": "ada@Example.com", "email_verified": true})
        ));
        for wrong in [
            json!({"email": "ada@example.com"}),
            json!({"email": "ada@example.com", "email_verified": false}),
            json!({"email": "ada@example.com", "email_verified": "true"}),
            json!({"email": "ada@sub.example.com", "email_verified": true}),
            json!({"email": "ada@example.com@evil.example", "email_verified": true}),
            json!({"email": "example.com", "email_verified": true}),
            json!({"email_verified": true}),
        ] {
            assert!(!email(wrong.clone()), "{wrong}");
        }
    }

    #[test]
    fn names_are_short_texts() {
        assert_eq!(
            display_name(&claims(json!({"sub": "1", "name": " Ada "}))).as_deref(),
            Some("Ada")
        );
        let odd = json!({"sub": "1", "name": "a\u{0}b", "email": "x".repeat(300)});
        assert_eq!(display_name(&claims(odd)).as_deref(), Some("1"));
    }
}
