//! Every form of a credential at every operation.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_admin_api::{Access, Clock as _, OPERATIONS, Verb};
use svc_server::SystemClock;

use super::rig::{Harness, TestResponse, wish};

/// Expected result of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// Accepted.
    In,
    /// 401, with the same response for all forms.
    Unauthorized,
    /// 403.
    Forbidden,
    /// 403 for changes.
    ReadOnly,
    /// 404: the key is valid for another project.
    Elsewhere,
}

struct Form {
    name: &'static str,
    /// Query that is added to the path.
    query: String,
    headers: Vec<u8>,
    expected: Expected,
}

fn forms(rig: &Harness) -> Vec<Form> {
    use Expected::{Elsewhere, Forbidden, In, ReadOnly, Unauthorized};
    let key = rig.key("docs");
    let other = rig.key("other");
    let mut new = wish("docs");
    new.scopes = vec!["read".to_owned()];
    let reader = rig.make(&new).1;
    let mut new = wish("docs");
    new.networks = vec!["192.0.2.0/24".to_owned()];
    let elsewhere = rig.make(&new).1;
    let (known, revoked) = rig.make(&wish("docs"));
    rig.revoke(&known);
    let mut new = wish("docs");
    new.expires_at = Some(SystemClock::default().now().plus(Duration::from_millis(20)));
    let expired = rig.make(&new).1;
    std::thread::sleep(Duration::from_millis(40));
    // Well-formed, but of another server.
    let strange = {
        let far = Harness::new();
        far.project("docs");
        far.key("docs")
    };
    let turned: String = key
        .chars()
        .map(|c| {
            if c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect();
    let last = if key.ends_with('0') { '1' } else { '0' };
    let checksum = format!("{}{last}", &key[..key.len() - 1]);
    let line = |value: &str| format!("authorization: {value}\r\n").into_bytes();
    let bearer = |token: &str| line(&format!("Bearer {token}"));
    let form = |name, headers, expected| Form {
        name,
        query: String::new(),
        headers,
        expected,
    };
    let mut high = b"authorization: Bearer ".to_vec();
    high.extend_from_slice(b"svc_\xff\xfe\r\n");
    let mut forms = vec![
        form("the key", bearer(&key), In),
        form("scheme in lower case", line(&format!("bearer {key}")), In),
        form("scheme in capitals", line(&format!("BEARER {key}")), In),
        form("white space after it", line(&format!("Bearer {key}  ")), In),
        form("nothing", Vec::new(), Unauthorized),
        form("empty", line(""), Unauthorized),
        form("scheme alone", line("Bearer"), Unauthorized),
        form("key alone", line(&key), Unauthorized),
        form("Basic", line(&format!("Basic {key}")), Unauthorized),
        form(
            "another scheme",
            line(&format!("Token {key}")),
            Unauthorized,
        ),
        form("two spaces", line(&format!("Bearer  {key}")), Unauthorized),
        form("a tab", line(&format!("Bearer\t{key}")), Unauthorized),
        form("quoted", line(&format!("Bearer \"{key}\"")), Unauthorized),
        form(
            "a list",
            line(&format!("Bearer {key}, Bearer {key}")),
            Unauthorized,
        ),
        form("twice", [bearer(&key), bearer(&key)].concat(), Unauthorized),
        form("two", [bearer("x"), bearer(&key)].concat(), Unauthorized),
        form(
            "a cookie",
            format!("cookie: authorization={key}\r\n").into_bytes(),
            Unauthorized,
        ),
        form(
            "another header",
            format!("x-api-key: {key}\r\n").into_bytes(),
            Unauthorized,
        ),
        form("truncated", bearer(&key[..key.len() - 1]), Unauthorized),
        form("too long", bearer(&format!("{key}a")), Unauthorized),
        form("wrong checksum", bearer(&checksum), Unauthorized),
        form("other case", bearer(&turned), Unauthorized),
        form("unknown", bearer(&strange), Unauthorized),
        form("revoked", bearer(&revoked), Unauthorized),
        form("expired", bearer(&expired), Unauthorized),
        form("8 kB", bearer(&"a".repeat(8 << 10)), Unauthorized),
        form("other bytes", high, Unauthorized),
        form("encoded", bearer(&key.replace('_', "%5F")), Unauthorized),
        form("other address", bearer(&elsewhere), Forbidden),
        form("read only", bearer(&reader), ReadOnly),
        form("other project", bearer(&other), Elsewhere),
    ];
    for name in ["access_token", "api_key", "authorization"] {
        forms.push(Form {
            name: "in the query",
            query: format!("?{name}={key}"),
            headers: Vec::new(),
            expected: Unauthorized,
        });
    }
    forms
}

#[test]
fn only_a_valid_key_in_the_authorization_header_is_accepted() {
    let rig = Harness::new();
    rig.project("docs");
    rig.project("other");
    let forms = forms(&rig);
    let refusals: BTreeSet<Vec<u8>> = forms.iter().flat_map(|form| refused(&rig, form)).collect();
    assert!(forms.len() >= 25);
    assert_eq!(refusals.len(), 1, "one body for all who are not let in");
    let mut problems = rig.log.lines();
    problems.retain(|line| !line.starts_with("INFO response "));
    assert_eq!(problems, [""; 0], "nothing but the access log");
}

/// Checks a form at every operation, and returns the bodies of its 401 responses.
fn refused(rig: &Harness, form: &Form) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for operation in OPERATIONS.iter().filter(|one| one.access != Access::Public) {
        let path = operation.path.replace("{projectId}", "docs");
        let path = path
            .replace("{id}", "job_none")
            .replace("{statusId}", "none");
        let line = format!("{} {path}{}", operation.method.as_str(), form.query);
        let (mut headers, body) = (form.headers.clone(), body_of(operation.id));
        if !body.is_empty() {
            headers.extend_from_slice(b"content-type: application/json\r\n");
        }
        let response = rig.send(&line, &headers, body.as_bytes());
        let label = format!("{}: {line}: {response:?}", form.name);
        assert!(response.status < 500, "{label}");
        assert_eq!(
            response.has("www-authenticate:"),
            response.status == 401,
            "{label}"
        );
        let missing = path.contains("none");
        let writes = operation.method == Verb::Post;
        let status = if missing { 404 } else { operation.success() };
        let expected = match form.expected {
            Expected::In => status,
            Expected::Unauthorized => 401,
            Expected::Forbidden => 403,
            Expected::ReadOnly if writes => 403,
            Expected::ReadOnly => status,
            Expected::Elsewhere => 404,
        };
        assert_eq!(response.status, expected, "{label}");
        assert!(!leaks(&response), "{label}");
        if response.status == 401 {
            bodies.push(response.body);
        }
    }
    bodies
}

/// Whether an error response reveals information about a key.
fn leaks(response: &TestResponse) -> bool {
    let text = String::from_utf8_lossy(&response.body);
    response.status >= 400 && text.replace("svc_…", "").contains("svc_")
}

fn body_of(operation: &str) -> &'static str {
    match operation {
        "createAgentJob" | "messageAgentJob" => r#"{"prompt":"x"}"#,
        "createPreview" => r#"{"branch":"b"}"#,
        _ => "",
    }
}
