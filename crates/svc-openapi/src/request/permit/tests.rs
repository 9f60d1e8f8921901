//! Tests of requests that are calls of an operation, and of others.

use svc_diagnostics::SourceFile;

use super::*;

fn document(servers: &str, path: &str, rest: &str) -> ApiDocument {
    let text = format!(
        r#"{{"openapi":"3.1.0","info":{{"title":"T","version":"1"}},"servers":{servers},
        "components":{{"securitySchemes":{{"b":{{"type":"http","scheme":"bearer"}},
          "k":{{"type":"apiKey","in":"header","name":"X-Key"}},"q":{{"type":"apiKey","in":"query","name":"key"}},
          "c":{{"type":"apiKey","in":"cookie","name":"sid"}},"m":{{"type":"mutualTLS"}}}}}},
        "paths":{{"{path}":{{"put":{{{rest}}}}}}}}}"#
    );
    let checked = svc_openapi_parse(&text);
    checked.unwrap_or_else(|| panic!("{text}"))
}

fn svc_openapi_parse(text: &str) -> Option<ApiDocument> {
    crate::parse(&SourceFile::new("a.json", text)).value
}

/// The verdict on a URL, which is split by hand as a URL parser would.
fn verdict(document: &ApiDocument, method: &str, url: &str) -> Result<(), PermitError> {
    let (scheme, rest) = url.split_once("://").expect("absolute");
    let at = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(at);
    let usual = if scheme == "https" { 443 } else { 80 };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') && !authority.ends_with(']') => {
            (host, port.parse().expect("a port"))
        }
        _ => (authority, usual),
    };
    let operation = document.operations.first().expect("an operation");
    let path = path.split('?').next().expect("a path");
    let target = RequestTarget {
        method,
        scheme,
        host,
        port,
        path,
    };
    permits(document, operation, &target)
}

fn fits(servers: &str, path: &str, url: &str) -> bool {
    verdict(&document(servers, path, ""), "PUT", url).is_ok()
}

#[test]
fn only_the_method_of_the_operation_is_permitted() {
    let document = document(r#"[{"url":"https://a.example"}]"#, "/x", "");
    assert_eq!(verdict(&document, "PUT", "https://a.example/x"), Ok(()));
    for method in ["GET", "POST", "DELETE", "OPTIONS", "CONNECT", "put", ""] {
        let verdict = verdict(&document, method, "https://a.example/x");
        assert_eq!(verdict, Err(PermitError::Method), "{method}");
    }
}

#[test]
fn scheme_host_port_and_base_path_are_compared_exactly() {
    let one = r#"[{"url":"https://API.example:443/v1/"}]"#;
    assert!(fits(one, "/x", "https://api.example/v1/x"));
    assert!(fits(one, "/x", "https://api.example/v1/x?a=b"));
    for other in [
        "http://api.example/v1/x",
        "https://api.example:8443/v1/x",
        "https://api.example.evil/v1/x",
        "https://evil.api.example/v1/x",
        "https://apiXexample/v1/x",
        "https://api.example/v1/x/",
        "https://api.example/v1/xy",
        "https://api.example/v1/",
        "https://api.example/x",
        "https://api.example/v1//x",
        "https://api.example/v2/v1/x",
        "https://api.example",
    ] {
        assert!(!fits(one, "/x", other), "{other}");
    }
    assert!(fits(
        r#"[{"url":"http://h:8080"}]"#,
        "/x",
        "http://h:8080/x"
    ));
    assert!(!fits(r#"[{"url":"http://h:8080"}]"#, "/x", "http://h/x"));
    assert!(fits(
        r#"[{"url":"http://[::1]:8080"}]"#,
        "/x",
        "http://[::1]:8080/x"
    ));
    assert!(fits(r#"[{"url":"http://[::1]"}]"#, "/x", "http://[::1]/x"));
}

#[test]
fn variables_match_their_values_or_a_single_label() {
    let region = r#"[{"url":"https://{r}.a.example:{p}/{v}","variables":{
        "r":{"default":"eu","enum":["eu","US"]},"p":{"default":"443"},"v":{"default":"v1"}}}]"#;
    for good in [
        "https://eu.a.example/v1/x",
        "https://us.a.example:8443/v1/x",
        "https://eu.a.example/v%202/x",
    ] {
        assert!(fits(region, "/x", good), "{good}");
    }
    for bad in [
        "https://cn.a.example/v1/x",
        "https://eu.a.example/v1/v2/x",
        "https://a.example/v1/x",
        "https://eu.evil.a.example/v1/x",
    ] {
        assert!(!fits(region, "/x", bad), "{bad}");
    }
    let tenant = r#"[{"url":"https://{t}.a.example","variables":{"t":{"default":"demo.eu"}}}]"#;
    assert!(fits(tenant, "/x", "https://acme.a.example/x"));
    assert!(fits(tenant, "/x", "https://demo.eu.a.example/x"));
    assert!(!fits(tenant, "/x", "https://acme.eu.a.example/x"));
    assert!(!fits(tenant, "/x", "https://evil.example/.a.example/x"));
    assert!(!fits(tenant, "/x", "https://.a.example/x"));
}

#[test]
fn a_variable_for_a_whole_url_has_only_its_default() {
    let whole = r#"[{"url":"{base}/v1","variables":{"base":{"default":"https://a.example"}}}]"#;
    assert!(fits(whole, "/x", "https://a.example/v1/x"));
    assert!(!fits(whole, "/x", "https://evil.example/v1/x"));
    let scheme = r#"[{"url":"{s}://a.example","variables":{"s":{"default":"https","enum":["http","https"]}}}]"#;
    assert!(fits(scheme, "/x", "http://a.example/x") && fits(scheme, "/x", "https://a.example/x"));
}

#[test]
fn a_relative_server_is_never_a_target() {
    for relative in [
        r#"[{"url":"/v1"}]"#,
        r#"[{"url":"//a.example"}]"#,
        "[]",
        r#"[{"url":"https://u:p@a.example"}]"#,
    ] {
        assert!(!fits(relative, "/x", "https://a.example/x"), "{relative}");
        assert!(
            !fits(relative, "/x", "https://a.example/v1/x"),
            "{relative}"
        );
    }
}

#[test]
fn path_parameters_stay_in_their_segment() {
    let server = r#"[{"url":"https://a.example"}]"#;
    let path = "/pets/{id}:feed/é/{kind}.json";
    assert!(fits(
        server,
        path,
        "https://a.example/pets/7:feed/%C3%A9/cat.json"
    ));
    assert!(fits(
        server,
        path,
        "https://a.example/pets/a%2Fb:feed/%c3%a9/c.json"
    ));
    for bad in [
        "/pets/7/8:feed/%C3%A9/cat.json",
        "/pets/:feed/%C3%A9/cat.json",
        "/pets/7:feed/e/cat.json",
        "/pets/7:feed/%C3%A9/cat.xml",
        "/pets/a%2F..%2Fb:feed/%C3%A9/c.json",
        "/pets/..%5c:feed/%C3%A9/c.json",
    ] {
        assert!(
            !fits(server, path, &format!("https://a.example{bad}")),
            "{bad}"
        );
    }
    let reserved = r#""parameters":[{"name":"id","in":"path","required":true,"allowReserved":true,"schema":{"type":"string"}}]"#;
    let document = document(server, "/files/{id}", reserved);
    assert_eq!(
        verdict(&document, "PUT", "https://a.example/files/a/b"),
        Ok(())
    );
    assert_eq!(
        verdict(&document, "PUT", "https://a.example/other/a/b"),
        Err(PermitError::Path)
    );
}

#[test]
fn a_path_cannot_extend_the_host() {
    let mut document = document(r#"[{"url":"https://a.example"}]"#, "/x", "");
    document.operations[0].path = ".evil/x".to_owned();
    assert_eq!(
        verdict(&document, "PUT", "https://a.example.evil/x"),
        Err(PermitError::Path)
    );
}

#[test]
fn random_targets_are_not_permitted() {
    let server = r#"[{"url":"https://{r}.api.example/v1","variables":{"r":{"default":"eu","enum":["eu","us"]}}},{"url":"https://api.example/v1"}]"#;
    let document = document(server, "/pets/{id}", "");
    assert_eq!(
        verdict(&document, "PUT", "https://eu.api.example/v1/pets/1"),
        Ok(())
    );
    let mut state: u64 = 7;
    let mut next = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("it fits") % bound
    };
    let hosts = [
        "api.example",
        "eu.api.example",
        "cn.api.example",
        "127.0.0.1",
        "169.254.169.254",
        "localhost",
        "[::1]",
        "evil.example",
        "api.example.evil",
        "xapi.example",
        "eu-api.example",
        "a.b.api.example",
    ];
    let paths = [
        "/v1/pets/1",
        "/v1/pets",
        "/v1/pets/1/2",
        "/v2/pets/1",
        "/pets/1",
        "/",
        "/v1/users/1",
        "/v1/pets/",
        "/latest/meta-data/",
        "/v1/pets/..%2f1",
        "//v1/pets/1",
        "/v1%2Fpets/1",
    ];
    let mut tried = 0;
    while tried < 1000 {
        let scheme = ["https", "http", "ftp"][next(3)];
        let port = ["", "", ":8080", ":22", ":80"][next(5)];
        let (host, path, method) = (
            hosts[next(hosts.len())],
            paths[next(paths.len())],
            ["PUT", "GET", "POST"][next(3)],
        );
        let good = scheme == "https"
            && port.is_empty()
            && method == "PUT"
            && path == "/v1/pets/1"
            && (host == "api.example" || host == "eu.api.example");
        if good {
            continue;
        }
        let url = format!("{scheme}://{host}{port}{path}");
        assert!(verdict(&document, method, &url).is_err(), "{method} {url}");
        tried += 1;
    }
}

#[test]
fn matching_of_hostile_templates_ends() {
    let values: Vec<String> = (0..20_000).map(|n| format!("\"a{n}\"")).collect();
    let variables = format!(
        r#"{{"a":{{"default":"a0","enum":[{}]}}}}"#,
        values.join(",")
    );
    let servers = format!(
        r#"[{{"url":"https://{}/","variables":{variables}}}]"#,
        "{a}".repeat(1000)
    );
    let url = format!("https://{}b/x", "a1".repeat(3000));
    assert!(!fits(&servers, "/x", &url));
    let path = format!("/{}", "{a}".repeat(2000));
    assert!(!fits(
        r#"[{"url":"https://a"}]"#,
        &path,
        &format!("https://a/{}/", "a".repeat(8000))
    ));
    let doubling = r#"[{"url":"https://{a}{a}","variables":{"a":{"default":"{b}{b}"},"b":{"default":"{a}{a}"}}}]"#;
    assert!(!fits(doubling, "/x", "https://a/x"));
}

#[test]
fn headers_come_from_parameters_security_and_the_choice_of_formats() {
    let rest = r#""security":[{"b":[]},{"k":[],"q":[],"m":[]}],"parameters":[{"name":"X-Trace","in":"header","schema":{"type":"string"}}]"#;
    let one = document(r#"[{"url":"https://a"}]"#, "/x", rest);
    let names: Vec<String> = permitted_headers(&one, &one.operations[0])
        .into_iter()
        .collect();
    assert_eq!(
        names,
        [
            "accept",
            "accept-language",
            "authorization",
            "content-type",
            "x-key",
            "x-trace"
        ]
    );
    let cookies = document(r#"[{"url":"https://a"}]"#, "/x", r#""security":[{"c":[]}]"#);
    assert!(permitted_headers(&cookies, &cookies.operations[0]).contains("cookie"));
    let none = document(r#"[{"url":"https://a"}]"#, "/x", "");
    let names = permitted_headers(&none, &none.operations[0]);
    assert!(!names.contains("authorization") && !names.contains("cookie"));
}
