//! Deliveries from the documentation of the forges, and others.

use http::{HeaderName, HeaderValue};
use proptest::prelude::*;

use super::*;

const SECRET: &[u8] = TOKEN.as_bytes();
const TOKEN: &str = "a secret of this test";
const SIGNING: &str = "whsec_dGhlIGtleSBvZiB0aGlzIHRlc3Q=";
const KEY: &[u8] = b"the key of this test";
const NOW: i64 = 1_795_269_600;
const OLD: &str = "1111111111111111111111111111111111111111";
const NEW: &str = "2222222222222222222222222222222222222222";
const NONE: &str = "0000000000000000000000000000000000000000";

fn head(pairs: &[(&str, &str)]) -> HeaderMap {
    let mut head = HeaderMap::new();
    for (name, value) in pairs {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        head.insert(name, HeaderValue::from_str(value).unwrap());
    }
    head.entry("content-type")
        .or_insert(HeaderValue::from_static("application/json"));
    head
}

/// Parses a delivery with a secret.
fn read(
    head: &HeaderMap,
    body: &[u8],
    secret: &str,
    now: i64,
) -> Result<Delivery, WebhookRejection> {
    read_webhook(head, body, &Secret::new(secret), now)
}

/// A signed delivery of a forge.
fn deliver(forge: &str, kind: &str, body: &str) -> Result<Delivery, WebhookRejection> {
    let code = signature::hex(&[body.as_bytes()], SECRET);
    let head = match forge {
        "GitHub" => head(&[
            ("x-github-event", kind),
            ("x-hub-signature-256", &format!("sha256={code}")),
        ]),
        "GitLab" => head(&[("x-gitlab-event", kind), ("x-gitlab-token", TOKEN)]),
        // Both also send the headers of GitHub, and Forgejo those of Gitea.
        "Gitea" => head(&[
            ("x-gitea-event", kind),
            ("x-github-event", kind),
            ("x-gitea-signature", &code),
            ("x-hub-signature-256", &format!("sha256={code}")),
        ]),
        _ => head(&[
            ("x-forgejo-event", kind),
            ("x-gitea-event", kind),
            ("x-github-event", kind),
            ("x-forgejo-signature", &code),
            ("x-gitea-signature", &code),
        ]),
    };
    read(&head, body.as_bytes(), TOKEN, NOW)
}

fn event(forge: &str, kind: &str, body: &str) -> Event {
    let delivery = deliver(forge, kind, body).unwrap();
    assert_eq!(delivery.forge, forge);
    delivery.event
}

fn push(branch: &str, commit: &str, deleted: bool) -> Event {
    Event::Push {
        branch: branch.to_owned(),
        commit: Some(commit.to_owned()),
        deleted,
    }
}

const LIKE_GITHUB: [&str; 3] = ["GitHub", "Gitea", "Forgejo"];

#[test]
fn pushes_of_github_and_its_like_are_read() {
    for forge in LIKE_GITHUB {
        let body = |reference: &str, before: &str, after: &str, deleted: &str| {
            format!(
                r#"{{"ref":"{reference}","before":"{before}","after":"{after}",{deleted}"commits":[{{"id":"{after}","added":["a.mdx"]}}],
                "repository":{{"id":7,"full_name":"acme/docs","clone_url":"https://f.example/acme/docs.git","ssh_url":"git@f.example:acme/docs.git","html_url":"https://f.example/acme/docs"}}}}"#
            )
        };
        let cases = [
            (
                body("refs/heads/main", OLD, NEW, ""),
                push("main", NEW, false),
            ),
            (
                body("refs/heads/a/b", NONE, NEW, r#""created":true,"#),
                push("a/b", NEW, false),
            ),
            (
                body("refs/heads/a/b", OLD, NONE, r#""deleted":true,"#),
                push("a/b", OLD, true),
            ),
            (
                body("refs/heads/a/b", OLD, NONE, ""),
                push("a/b", OLD, true),
            ),
            (
                body("refs/tags/v1", NONE, NEW, ""),
                Event::Other("a push to something that is not a branch".to_owned()),
            ),
            (
                body("refs/heads/--upload-pack=x", NONE, NEW, ""),
                Event::Other("a branch with a name that Git does not allow".to_owned()),
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(event(forge, "push", &body), expected, "{forge}: {body}");
        }
        let delivery = deliver(forge, "push", &body("refs/heads/main", OLD, NEW, "")).unwrap();
        assert!(is_same_repository(
            "git@f.example:acme/docs",
            delivery.repository.iter().map(String::as_str)
        ));
    }
}

#[test]
fn deleted_branches_of_github_and_its_like_are_read() {
    for forge in LIKE_GITHUB {
        let gone = Event::Push {
            branch: "a/b".to_owned(),
            commit: None,
            deleted: true,
        };
        for name in ["a/b", "refs/heads/a/b"] {
            let body = format!(r#"{{"ref":"{name}","ref_type":"branch","pusher_type":"user"}}"#);
            assert_eq!(event(forge, "delete", &body), gone);
        }
        let body = r#"{"ref":"v1","ref_type":"tag"}"#;
        assert!(matches!(event(forge, "delete", body), Event::Other(_)));
    }
}

fn request(action: &str, head: &str, base: &str) -> String {
    format!(
        r#"{{"action":"{action}","number":12,"pull_request":{{"number":12,"updated_at":"2026-11-21T14:00:00Z",
        "head":{{"ref":"fix/typo","sha":"{NEW}","repo":{head}}},"base":{{"ref":"main","sha":"{OLD}","repo":{base}}}}},
        "repository":{{"clone_url":"https://f.example/acme/docs.git"}}}}"#
    )
}

fn pull_request(foreign: bool, closed: bool) -> PullRequest {
    PullRequest {
        number: 12,
        branch: "fix/typo".to_owned(),
        commit: Some(NEW.to_owned()),
        foreign,
        reference: "refs/pull/12/head".to_owned(),
        closed,
        updated: Some(NOW),
    }
}

#[test]
fn pull_requests_of_github_and_its_like_are_read() {
    let base = r#"{"id":7,"full_name":"acme/docs","fork":false}"#;
    let fork = r#"{"id":8,"full_name":"eve/docs","fork":true}"#;
    for forge in LIKE_GITHUB {
        let synchronised = if forge == "GitHub" {
            "synchronize"
        } else {
            "synchronized"
        };
        for (action, closed) in [
            ("opened", false),
            (synchronised, false),
            ("reopened", false),
            ("closed", true),
        ] {
            let expected = Event::Request(pull_request(false, closed));
            assert_eq!(
                event(forge, "pull_request", &request(action, base, base)),
                expected
            );
        }
        for head in [fork, "null", "{}"] {
            let expected = Event::Request(pull_request(true, false));
            assert_eq!(
                event(forge, "pull_request", &request("opened", head, base)),
                expected
            );
        }
        for action in ["labeled", "edited", "assigned", ""] {
            let parsed = event(forge, "pull_request", &request(action, base, base));
            assert!(matches!(parsed, Event::Other(_)), "{action}");
        }
    }
}

#[test]
fn a_github_ping_is_parsed_and_other_events_are_ignored() {
    let body = r#"{"zen":"Design for failure.","hook_id":1,"repository":{"clone_url":"https://github.com/acme/docs.git"}}"#;
    assert_eq!(event("GitHub", "ping", body), Event::Ping);
    // The same field names have other contents here.
    let body = r#"{"action":{"a":1},"ref":[1],"number":"x","deleted":"no","pull_request":3}"#;
    assert!(matches!(event("GitHub", "issues", body), Event::Other(_)));
}

#[test]
fn a_form_of_github_is_signed_as_a_whole() {
    let document = format!(r#"{{"ref":"refs/heads/a+b","after":"{NEW}"}}"#);
    let body = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("payload", &document)
        .finish();
    let code = signature::hex(&[body.as_bytes()], SECRET);
    let code = format!("sha256={code}");
    let form = "application/x-www-form-urlencoded; charset=utf-8";
    let pairs = [
        ("x-github-event", "push"),
        ("x-hub-signature-256", &code),
        ("content-type", form),
    ];
    let delivery = read(&head(&pairs), body.as_bytes(), TOKEN, NOW).unwrap();
    assert_eq!(delivery.event, push("a+b", NEW, false));
    let error = read(&head(&pairs), document.as_bytes(), TOKEN, NOW).unwrap_err();
    assert_eq!(error.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn pushes_of_gitlab_are_read() {
    let body = |kind: &str, reference: &str, before: &str, after: &str| {
        format!(
            r#"{{"object_kind":"{kind}","event_name":"{kind}","before":"{before}","after":"{after}","ref":"{reference}","checkout_sha":null,
            "project":{{"id":15,"web_url":"https://l.example/g/s/docs","git_ssh_url":"git@l.example:g/s/docs.git","git_http_url":"https://l.example/g/s/docs.git"}}}}"#
        )
    };
    let cases = [
        (
            body("push", "refs/heads/main", OLD, NEW),
            push("main", NEW, false),
        ),
        (
            body("push", "refs/heads/main", OLD, NONE),
            push("main", OLD, true),
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(event("GitLab", "Push Hook", &body), expected);
    }
    let tag = body("tag_push", "refs/tags/v1", NONE, NEW);
    let delivery = deliver("GitLab", "Tag Push Hook", &tag).unwrap();
    assert!(matches!(delivery.event, Event::Other(_)));
    assert!(is_same_repository(
        "https://l.example/g/s/docs",
        delivery.repository.iter().map(String::as_str)
    ));
}

#[test]
fn merge_requests_of_gitlab_are_read() {
    let body = |action: &str, source: &str, more: &str| {
        format!(
            r#"{{"object_kind":"merge_request","project":{{"id":1}},"object_attributes":{{"id":99,"iid":12,"source_branch":"fix/typo","target_branch":"main",
            "source_project_id":{source},"target_project_id":1,"state":"opened",{more}"last_commit":{{"id":"{NEW}"}},"updated_at":"2026-11-21 14:00:00 UTC","action":"{action}"}}}}"#
        )
    };
    let expected = |foreign, closed| {
        Event::Request(PullRequest {
            reference: "refs/merge-requests/12/head".to_owned(),
            ..pull_request(foreign, closed)
        })
    };
    let oldrev = format!(r#""oldrev":"{OLD}","#);
    let cases = [
        (body("open", "1", ""), expected(false, false)),
        (body("reopen", "1", ""), expected(false, false)),
        (body("update", "1", &oldrev), expected(false, false)),
        (body("close", "1", ""), expected(false, true)),
        (body("merge", "1", ""), expected(false, true)),
        (body("open", "2", ""), expected(true, false)),
        (body("open", "null", ""), expected(true, false)),
    ];
    for (body, expected) in cases {
        assert_eq!(
            event("GitLab", "Merge Request Hook", &body),
            expected,
            "{body}"
        );
    }
    for action in ["update", "approved", ""] {
        let parsed = event("GitLab", "Merge Request Hook", &body(action, "1", ""));
        assert!(matches!(parsed, Event::Other(_)), "{action}");
    }
}

#[test]
fn a_signing_token_of_gitlab_signs_id_time_and_body() {
    let body = format!(r#"{{"object_kind":"push","ref":"refs/heads/main","after":"{NEW}"}}"#);
    let signed = |id: &str, time: &str, key: &[u8]| {
        let pieces = [id.as_bytes(), b".", time.as_bytes(), b".", body.as_bytes()];
        format!("v1,{}", signature::base64(&pieces, key))
    };
    let response = |id: &str, time: &str, signature: &str| {
        let pairs = [
            ("x-gitlab-event", "Push Hook"),
            // The token of the older method is not accepted.
            ("x-gitlab-token", SIGNING),
            ("webhook-id", id),
            ("webhook-timestamp", time),
            ("webhook-signature", signature),
        ];
        read(&head(&pairs), body.as_bytes(), SIGNING, NOW)
    };
    let now = NOW.to_string();
    let good = signed("one", &now, KEY);
    assert_eq!(
        response("one", &now, &good).unwrap().event,
        push("main", NEW, false)
    );
    let two = format!("v1,AAAA {good}");
    assert!(response("one", &now, &two).is_ok());
    let edge = (NOW - 300).to_string();
    assert!(response("one", &edge, &signed("one", &edge, KEY)).is_ok());
    let late = (NOW - 301).to_string();
    let early = (NOW + 301).to_string();
    for (id, time, signature) in [
        ("two", &now, good.clone()),
        ("one", &edge, good.clone()),
        ("one", &now, signed("one", &now, b"other")),
        ("one", &now, good.replace("v1,", "v2,")),
        ("one", &now, String::new()),
        ("one", &late, signed("one", &late, KEY)),
        ("one", &early, signed("one", &early, KEY)),
    ] {
        let error = response(id, time, &signature).unwrap_err();
        assert_eq!(error.status, StatusCode::UNAUTHORIZED);
    }
}

#[test]
fn every_invalid_signature_gets_the_same_response() {
    let body = b"{}";
    let code = signature::hex(&[body], SECRET);
    let other = signature::hex(&[body], b"other");
    let with = |text: &str| format!("sha256={text}");
    let mut seen = Vec::new();
    let cases = [
        vec![("x-github-event", "push")],
        vec![("x-github-event", "push"), ("x-hub-signature-256", "")],
        vec![
            ("x-github-event", "push"),
            ("x-hub-signature-256", code.as_str()),
        ],
        vec![
            ("x-github-event", "push"),
            ("x-hub-signature", code.as_str()),
        ],
        vec![
            ("x-gitea-event", "push"),
            ("x-gitea-signature", other.as_str()),
        ],
        vec![("x-gitlab-event", "Push Hook")],
        vec![
            ("x-gitlab-event", "Push Hook"),
            ("x-gitlab-token", "a secret of this tesT"),
        ],
    ];
    for pairs in cases {
        seen.push(read(&head(&pairs), body, TOKEN, NOW).unwrap_err());
    }
    // A valid signature in a header of another forge is ignored.
    let good = with(&code);
    let pairs = [
        ("x-forgejo-event", "push"),
        ("x-gitea-signature", code.as_str()),
        ("x-hub-signature-256", good.as_str()),
    ];
    seen.push(read(&head(&pairs), body, TOKEN, NOW).unwrap_err());
    let pairs = [("x-github-event", "push"), ("x-hub-signature-256", &good)];
    seen.push(read(&head(&pairs), b"{} ", TOKEN, NOW).unwrap_err());
    // An empty secret is rejected.
    let empty = with(&signature::hex(&[body], b""));
    let pairs = [("x-github-event", "push"), ("x-hub-signature-256", &empty)];
    seen.push(read(&head(&pairs), body, "", NOW).unwrap_err());
    assert_eq!(seen.len(), 10);
    assert!(seen.iter().all(|response| *response == seen[0]));
    assert_eq!(seen[0].status, StatusCode::UNAUTHORIZED);
}

#[test]
fn invalid_bodies_are_rejected_with_a_reason() {
    let error = |kind: &str, body: &str| deliver("GitHub", kind, body).unwrap_err();
    for body in [
        "",
        "{",
        "{}",
        "[]",
        r#"{"ref":7}"#,
        r#"{"ref":null}"#,
        "\u{1}",
    ] {
        assert_eq!(
            error("push", body).status,
            StatusCode::BAD_REQUEST,
            "{body}"
        );
    }
    assert!(error("push", "{}").sentence.contains("`ref`"));
    assert!(
        error("pull_request", "{}")
            .sentence
            .contains("`pull_request`")
    );
    assert!(error("push", "{").sentence.contains("not valid JSON"));
    assert_eq!(
        error("push", &"[".repeat(100_000)).status,
        StatusCode::BAD_REQUEST
    );
    let rejection = read(&head(&[]), b"{}", TOKEN, NOW).unwrap_err();
    assert_eq!(rejection.status, StatusCode::BAD_REQUEST);
    let code = format!("sha256={}", signature::hex(&[b"<a/>"], SECRET));
    let pairs = [
        ("x-github-event", "push"),
        ("x-hub-signature-256", &code),
        ("content-type", "text/xml"),
    ];
    let error = read(&head(&pairs), b"<a/>", TOKEN, NOW).unwrap_err();
    assert_eq!(error.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[test]
fn invalid_branch_names_are_ignored() {
    for name in ["main", "a/b", "ümläut", "v1.2", "a-b_c", "@a"] {
        assert!(event::is_branch(name), "{name}");
    }
    for name in [
        "", "-a", "a..b", "/a", "a/", "a//b", ".a", "a/.b", "a.", "a.lock", "a.lock/b", "a b",
        "a~1", "a^", "a:b", "a?", "a*", "a[b", "a\\b", "@", "a@{1}", "a\nb", "a\u{7f}",
    ] {
        assert!(!event::is_branch(name), "{name:?}");
    }
}

proptest! {
    #[test]
    fn no_bytes_panic_the_parser(
        kind in "(push|delete|pull_request|ping|[ -~]{0,9})",
        body in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..300),
            r#"\{"(ref|number|object_kind|deleted|pull_request|payload)":("[^"\\]{0,9}"|\{\}|null|-?[0-9]{1,25})\}"#
                .prop_map(String::into_bytes),
        ],
        content in "(application/json|application/x-www-form-urlencoded|[ -~]{0,9})",
        token in "[ -~]{0,70}",
    ) {
        let code = signature::hex(&[&body], SECRET);
        let hub = format!("sha256={code}");
        let secret = TOKEN;
        for pairs in [
            [("x-github-event", kind.as_str()), ("x-hub-signature-256", hub.as_str())],
            [("x-github-event", &kind), ("x-hub-signature-256", &token)],
            [("x-gitea-event", &kind), ("x-gitea-signature", &code)],
            [("x-forgejo-event", &kind), ("x-forgejo-signature", &token)],
            [("x-gitlab-event", &kind), ("x-gitlab-token", secret)],
            [("webhook-timestamp", &token), ("webhook-signature", &token)],
        ] {
            let mut all = pairs.to_vec();
            all.push(("content-type", &content));
            let _ = read(&head(&all), &body, TOKEN, NOW);
            let _ = read(&head(&all), &body, SIGNING, NOW);
        }
    }

    #[test]
    fn no_text_panics_the_time_and_url_parsers(text in "\\PC{0,60}") {
        let _ = timestamp::seconds(&text);
        let _ = is_same_repository(&text, [text.as_str()].into_iter());
    }
}
