//! Protection of the dashboard: headers, cross-site forms, methods, unknown paths.

use bytes::Bytes;
use http::{Request, StatusCode, header};
use svc_tests::dashboard::{PageResponse, World, form};

use super::{ORIGIN, TestResult};

/// Every page of a project and of the server.
const PAGES: [&str; 12] = [
    "/",
    "/audit",
    "/sign-out",
    "/password",
    "/projects/docs",
    "/projects/docs/keys",
    "/projects/docs/keys/key_x/revoke",
    "/projects/docs/jobs",
    "/projects/docs/jobs/job_x",
    "/projects/docs/deployments",
    "/projects/docs/deployments/dep_7Qm2Xk90",
    "/projects/docs/deployments/dep_7Qm2Xk91/roll-back",
];

/// Every path that accepts a form.
const FORMS: [&str; 9] = [
    "/sign-out",
    "/password",
    "/projects/docs/keys",
    "/projects/docs/keys/key_x/revoke",
    "/projects/docs/jobs",
    "/projects/docs/jobs/job_x/message",
    "/projects/docs/jobs/job_x/archive",
    "/projects/docs/deployments",
    "/projects/docs/deployments/dep_7Qm2Xk91/roll-back",
];

fn is_protected(path: &str, response: &PageResponse) {
    let policy = response.header("content-security-policy");
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        "{path}"
    );
    for (name, value) in [
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.header(name), value, "{path}");
    }
    let cache_control = if path.starts_with("/assets/dashboard.") {
        "public, max-age=31536000, immutable"
    } else {
        "no-store"
    };
    assert_eq!(response.header("cache-control"), cache_control, "{path}");
    // The policy would block inline scripts and styles.
    for inline in ["<script>", "<style", " style=", " onclick", "javascript:"] {
        assert!(
            !response.body.contains(inline) || path.starts_with("/assets"),
            "{path}: {inline}"
        );
    }
}

#[tokio::test]
async fn every_response_has_security_headers() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let mut stranger = world.stranger();
    let page = anna.get("/").await?;
    let style = page.body.split("/assets/dashboard.").nth(1);
    let style = style
        .and_then(|rest| rest.split('"').next())
        .ok_or("a style sheet")?;
    let style = format!("/assets/dashboard.{style}");
    let more = [style.as_str(), "/sign-in", "/nothing", "/projects/other"];
    for path in PAGES.into_iter().chain(more) {
        is_protected(path, &anna.get(path).await?);
        is_protected(path, &stranger.get(path).await?);
    }
    assert_eq!(stranger.get(&style).await?.status, 200);
    Ok(())
}

#[tokio::test]
async fn unauthenticated_requests_are_redirected_to_sign_in_and_back() -> TestResult {
    let world = World::new(ORIGIN).await?;
    for path in PAGES {
        let response = world.stranger().get(path).await?;
        assert_eq!(response.status, StatusCode::SEE_OTHER, "{path}");
        assert!(
            response.header("location").starts_with("/sign-in"),
            "{path}"
        );
        assert!(response.body.is_empty(), "{path}");
    }
    for path in FORMS {
        let response = world.stranger().post(path, &[]).await?;
        assert_eq!(
            (response.status.as_u16(), response.header("location")),
            (303, "/sign-in")
        );
    }
    let response = world
        .stranger()
        .get("/projects/docs/jobs?status=failed")
        .await?;
    assert_eq!(
        response.header("location"),
        "/sign-in?to=%2Fprojects%2Fdocs%2Fjobs%3Fstatus%3Dfailed"
    );
    Ok(())
}

#[tokio::test]
async fn cross_site_forms_are_rejected() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let before = audit_log(&mut anna).await?;
    let foreign: [&[(&str, &str)]; 5] = [
        &[],
        &[
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://evil.example"),
        ],
        &[("sec-fetch-site", "same-site"), ("origin", ORIGIN)],
        &[("origin", "null")],
        &[("origin", "https://admin.example.evil.example")],
    ];
    for path in FORMS.into_iter().chain(["/sign-in"]) {
        for headers in foreign {
            let mut request = anna
                .request("POST", path)
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let body = form(
                &anna.csrf,
                &[("name", "x"), ("scope", "write"), ("prompt", "x")],
            );
            let response = anna.send(request.body(body)?).await;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{path} {headers:?}");
            assert!(response.body.contains("from another origin"));
        }
    }
    // From a page of the dashboard, but with the token of another session.
    let token = std::mem::take(&mut anna.csrf);
    for invalid in ["", "x", &token[1..]] {
        invalid.clone_into(&mut anna.csrf);
        for path in FORMS {
            let response = anna
                .post(path, &[("name", "x"), ("scope", "write")])
                .await?;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
    assert_eq!(audit_log(&mut anna).await?, before);
    Ok(())
}

/// Returns the page of the audit log.
async fn audit_log(
    person: &mut svc_tests::dashboard::Person<'_>,
) -> Result<String, Box<dyn std::error::Error>> {
    let response = person.get("/audit").await?;
    assert_eq!(response.status, StatusCode::OK);
    let list = response.body.split("<ul class=\"dash-rows").nth(1);
    Ok(list.unwrap_or_default().to_owned())
}

#[tokio::test]
async fn invalid_requests_get_an_error_page_with_the_correct_status() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    for path in [
        "/nothing",
        "/projects/other",
        "/projects/other/keys",
        "/projects/docs/jobs/job_none",
        "/projects/docs/jobs?status=odd",
        "/projects/docs/jobs?after=odd",
        "/projects/docs/deployments/none",
        "/projects/docs/keys/key_none/revoke",
        "/audit?before=x",
        "/audit?project=a/b",
        "/assets/other.css",
        "/sign-in/oidc",
        "/projects/blog/deployments/dep_7Qm2Xk90",
    ] {
        let response = anna.get(path).await?;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{path}");
        assert!(response.body.contains("Page not found"), "{path}");
    }
    for (method, path, allowed) in [
        ("DELETE", "/", "GET, HEAD"),
        ("POST", "/audit", "GET, HEAD"),
        ("GET", "/projects/docs/jobs/job_x/message", "POST"),
        ("PUT", "/projects/docs/keys", "GET, HEAD, POST"),
    ] {
        let request = anna.request(method, path).body(Bytes::new())?;
        let response = anna.send(request).await;
        assert_eq!(
            response.status,
            StatusCode::METHOD_NOT_ALLOWED,
            "{method} {path}"
        );
        assert_eq!(response.header("allow"), allowed);
    }
    let large = "x".repeat(svc_admin_api::MAX_BODY);
    let response = anna
        .post("/projects/docs/jobs", &[("prompt", &large)])
        .await?;
    assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE);
    let json = anna
        .request("POST", "/projects/docs/jobs")
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Bytes::from_static(b"{}"))?;
    let response = anna.send(json).await;
    assert_eq!(response.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    Ok(())
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() -> TestResult {
    let world = World::new(ORIGIN).await?;
    let mut anna = world.anna().await?;
    let full = anna.get("/projects/docs").await?;
    let request = anna.request("HEAD", "/projects/docs").body(Bytes::new())?;
    let head = anna.send(request).await;
    assert_eq!(head.status, full.status);
    assert_eq!(head.header("content-length"), full.body.len().to_string());
    assert!(head.body.is_empty());
    Ok(())
}

#[tokio::test]
async fn unencrypted_remote_pages_send_a_same_origin_referrer() -> TestResult {
    let world = World::new("http://192.0.2.9:8081").await?;
    let response = world.stranger().get("/sign-in").await?;
    assert_eq!(response.header("referrer-policy"), "same-origin");
    let fields = form("", &[("name", "anna"), ("password", "wrong")]);
    let request = Request::post("/sign-in")
        .header(header::ORIGIN, "http://192.0.2.9:8081")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(fields)?;
    let response = world.stranger().send(request).await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    Ok(())
}
