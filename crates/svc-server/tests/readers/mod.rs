//! Readers who sign in: what each of them gets from every surface of a site.

mod administration;
mod crawl;
pub(crate) mod peers;
pub(crate) mod rig;

use serde_json::{Value, json};

use crawl::{check, crawl};
pub(crate) use rig::{PASSWORD, ReaderServer, TextResponse, start_behind};
use rig::{mark, start, start_below};

#[test]
fn each_role_gets_its_pages_from_every_surface_and_no_others() {
    let server = start("");
    let roles = [
        (String::new(), &[][..], false),
        (server.cookie("mia"), &[], true),
        (server.cookie("sam"), &["staff"], true),
        (server.cookie("ada"), &["staff", "admin", "vip"], true),
        (
            "authorization: Bearer token-ci\r\n".to_owned(),
            &["staff"],
            true,
        ),
    ];
    for (headers, groups, is_signed_in) in &roles {
        check(&server, headers, groups, *is_signed_in);
    }
    // After a deployment with other pages, the same holds.
    let page = server.base.path().join("site/open.mdx");
    std::fs::write(page, format!("---\ntitle: {}\n---\n\nnew\n", mark("open"))).unwrap();
    server.deploy();
    for (headers, groups, is_signed_in) in &roles {
        check(&server, headers, groups, *is_signed_in);
    }
}

#[test]
fn a_forbidden_page_is_like_one_that_does_not_exist() {
    let server = start("");
    let sam = server.cookie("sam");
    for headers in ["", sam.as_str()] {
        let forbidden = server.get("/admin-only", headers);
        let missing = server.get("/admin-once", headers);
        assert_eq!(forbidden.status, 404);
        let same = |response: &TextResponse, path: &str| {
            let head: Vec<&str> = response
                .head
                .lines()
                .filter(|line| !line.starts_with("date"))
                .collect();
            (head.join("\n"), response.body.replace(path, ""))
        };
        assert_eq!(same(&forbidden, "admin-only"), same(&missing, "admin-once"));
    }
}

#[test]
fn responses_to_readers_stay_out_of_shared_caches() {
    let server = start("");
    let ada = server.cookie("ada");
    for path in [
        "/admin-only",
        "/open",
        "/llms.txt",
        "/_svc/search?q=a",
        "/admin-only.md",
    ] {
        let response = server.get(path, &ada);
        assert_eq!(response.status, 200, "{path}");
        let control = response.header("cache-control").unwrap();
        assert!(
            control.contains("private") || control.contains("no-store"),
            "{path}: {control}"
        );
        let vary = response.head.to_ascii_lowercase();
        assert!(
            vary.contains("vary: cookie, authorization"),
            "{path}: {vary}"
        );
    }
    let open = server.get("/open", "");
    assert!(
        open.head
            .to_ascii_lowercase()
            .contains("vary: cookie, authorization")
    );
}

#[test]
fn a_private_site_requires_sign_in() {
    let server = start("private = true\n");
    let browser = "accept: text/html\r\n";
    let home = server.get("/open?x=1", browser);
    assert_eq!(home.status, 303);
    assert_eq!(
        home.header("location"),
        Some("/_svc/sign-in?next=%2Fopen%3Fx%3D1")
    );
    let missing = server.get("/missing", browser);
    assert_eq!(missing.status, 303, "whether a page exists is not told");
    let program = server.get("/open", "");
    assert_eq!(
        (program.status, program.header("www-authenticate")),
        (401, Some("Bearer"))
    );
    assert_eq!(
        server
            .call("search", &json!({"query": "canary"}), "")
            .status,
        401
    );
    let mut all = String::new();
    crawl(&server, "", &[], &mut |text| all.push_str(text));
    let reveals = ["canary", "Guides", "Foot", "/admin-only"];
    assert!(reveals.iter().all(|text| !all.contains(text)));
    let page = server.get("/_svc/sign-in?next=%2Fopen", browser);
    assert_eq!(page.status, 200);
    assert!(page.body.contains("value=\"/open\"") && page.body.contains("type=\"password\""));
    let form = format!(
        "name=mia&password={}&next=%2Fopen",
        PASSWORD.replace(' ', "+")
    );
    assert_eq!(server.sign_in(&form, "").header("location"), Some("/open"));
    assert_eq!(server.get("/open", &server.cookie("mia")).status, 200);
    assert_eq!(server.get("/admin-only", &server.cookie("mia")).status, 404);
}

#[test]
fn wrong_passwords_are_refused_and_slowed_down() {
    let server = start("");
    let wrong = server.sign_in("name=ada&password=wrong", "");
    assert_eq!(wrong.status, 403);
    assert!(wrong.body.contains("role=\"alert\"") && wrong.header("set-cookie").is_none());
    assert_eq!(server.sign_in("name=nobody&password=wrong", "").status, 403);
    let statuses: Vec<u16> = (0..12)
        .map(|_| server.sign_in("name=ada&password=wrong", "").status)
        .collect();
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    let form = format!("name=ada&password={}", PASSWORD.replace(' ', "+"));
    let later = server.sign_in(&form, "");
    assert_eq!(later.status, 429, "also the right password");
    assert!(later.header("retry-after").is_some());
}

#[test]
fn other_sites_cannot_send_the_forms() {
    let server = start("");
    let form = format!("name=ada&password={}", PASSWORD.replace(' ', "+"));
    for headers in [
        "origin: https://evil.example\r\n",
        "sec-fetch-site: cross-site\r\n",
    ] {
        assert_eq!(server.sign_in(&form, headers).status, 403);
        let out = server.send("POST /_svc/sign-out", headers, "next=/");
        assert_eq!(out.status, 403);
    }
    let out = server.send("POST /_svc/sign-out", &server.cookie("ada"), "next=/");
    assert_eq!(out.status, 303);
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
}

#[test]
fn signing_in_leads_to_pages_of_the_site_only() {
    let server = start_below("/docs", "");
    let next = |next: &str| {
        let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        let form = format!(
            "name=ada&password={}&next={next}",
            PASSWORD.replace(' ', "+")
        );
        let headers = "content-type: application/x-www-form-urlencoded\r\n";
        let response = server.send("POST /docs/_svc/sign-in", headers, &form);
        response.header("location").unwrap().to_owned()
    };
    assert_eq!(next("/docs/open?a=b"), "/docs/open?a=b");
    for evil in [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/other",
        "/docs.evil",
        "/docsevil/",
        "javascript:alert(1)",
        "/docs/\r\nset-cookie: a=b",
        "/docs/_svc/sign-out",
        "",
    ] {
        assert_eq!(next(evil), "/docs/", "{evil}");
    }
}

#[test]
fn expired_and_unknown_tokens_are_not_accepted() {
    let server = start("");
    let status = |token: &str| {
        server
            .get("/staff-only", &format!("authorization: Bearer {token}\r\n"))
            .status
    };
    assert_eq!(status("token-ci"), 200);
    assert_eq!(status("token-old"), 404);
    assert_eq!(status("token-other"), 404);
    let both = format!(
        "authorization: Bearer token-other\r\n{}",
        server.cookie("ada")
    );
    assert_eq!(
        server.get("/staff-only", &both).status,
        404,
        "a token decides"
    );
}

#[test]
fn only_a_trusted_proxy_can_name_a_reader() {
    let header = "[projects.readers.header]\nuser = \"X-User\"\ngroups = \"X-Groups\"\nemail = \"X-Email\"\n";
    let named = "x-user: eve\r\nx-groups: staff, admin\r\n";
    // The proxy of the settings has another address than this client.
    let server = start(header);
    assert_eq!(server.get("/admin-only", named).status, 404);
    for forged in [
        "x-forwarded-for: 192.0.2.1\r\n",
        "forwarded: for=192.0.2.1\r\n",
    ] {
        assert_eq!(
            server
                .get("/admin-only", &format!("{named}{forged}"))
                .status,
            404
        );
    }
}

#[test]
fn a_trusted_proxy_names_the_reader_once() {
    let header = "[projects.readers.header]\nuser = \"X-User\"\ngroups = \"X-Groups\"\nemail = \"X-Email\"\n";
    let server = start_behind("127.0.0.1", "", header);
    let status = |path: &str, headers: &str| server.get(path, headers).status;
    let eve = "x-user: eve\r\nx-email: eve@example.com\r\nx-groups: staff\r\n";
    assert_eq!(status("/staff-only", eve), 200);
    assert_eq!(status("/admin-only", eve), 404);
    assert_eq!(status("/members", "x-user: eve\r\n"), 200);
    let document: Value = serde_json::from_str(&server.get("/_svc/reader", eve).body).unwrap();
    assert_eq!(document["email"], "eve@example.com");
    assert_eq!(
        document["signOut"],
        Value::Null,
        "the proxy ends its session"
    );
    // What a client has added to what the proxy sends is not accepted.
    assert_eq!(
        status("/admin-only", &format!("{eve}x-groups: admin\r\n")),
        404
    );
    assert_eq!(
        status("/staff-only", &format!("{eve}x-groups: admin\r\n")),
        404
    );
    assert_eq!(status("/members", "x-user: eve\r\nx-user: ada\r\n"), 404);
    assert_eq!(status("/members", "x_user: eve\r\n"), 404);
    assert_eq!(status("/members", "x-user: \r\n"), 404);
    check(&server, eve, &["staff"], true);
    // Behind TLS, the cookie is limited to it.
    let form = format!("name=ada&password={}", PASSWORD.replace(' ', "+"));
    let cookie = server.sign_in(&form, "x-forwarded-proto: https\r\n");
    let cookie = cookie.header("set-cookie").unwrap().to_owned();
    assert!(cookie.starts_with("__Host-svc_reader=") && cookie.contains("Secure"));
}

#[test]
fn the_reader_document_names_the_reader() {
    let server = start("");
    let document = |headers: &str| -> Value {
        let response = server.get("/_svc/reader", headers);
        assert!(
            response
                .header("cache-control")
                .unwrap()
                .contains("no-store")
        );
        serde_json::from_str(&response.body).unwrap()
    };
    assert_eq!(
        document(""),
        json!({"signedIn": false, "signIn": "/_svc/sign-in"})
    );
    let ada = document(&server.cookie("ada"));
    assert_eq!(
        (&ada["name"], &ada["groups"]),
        (&json!("ada"), &json!(["admin", "staff", "vip"]))
    );
}

#[test]
fn a_session_ends_when_the_cookie_is_of_another_site_or_changed() {
    let server = start("");
    let ada = server.cookie("ada");
    assert_eq!(server.get("/admin-only", &ada).status, 200);
    let changed = ada.replace("svc_reader=", "svc_reader=A");
    assert_eq!(server.get("/admin-only", &changed).status, 404);
    // Another server has another key.
    let other = start("");
    assert_eq!(other.get("/admin-only", &ada).status, 404);
    // A cookie from elsewhere is not kept at sign-in.
    let fixed = server.sign_in(
        &format!("name=sam&password={}", PASSWORD.replace(' ', "+")),
        &ada,
    );
    assert_ne!(
        fixed.header("set-cookie").unwrap().split(';').next(),
        ada.strip_prefix("cookie: ").map(str::trim_end)
    );
}
