//! Versions, headers and methods.

use serde_json::{Value, json};
use svc_mcp::{MAX_BODY_BYTES, McpHeaders, McpRequest, SUPPORTED_VERSIONS, handle};

use crate::rig::{MODERN, headers, json_of, legacy, message, modern, send, site};

#[test]
fn results_of_the_newest_version_have_its_fields() {
    let site = site();
    for (method, params, cached) in [
        ("server/discover", json!({}), true),
        ("tools/list", json!({}), true),
        ("resources/list", json!({}), true),
        ("resources/templates/list", json!({}), true),
        (
            "resources/read",
            json!({"uri": "docs:///guides/limits"}),
            true,
        ),
        ("tools/call", json!({"name": "list"}), false),
    ] {
        let (status, body) = modern(&site, method, params);
        assert_eq!((status, &body["id"]), (200, &json!(1)), "{method}: {body}");
        let result = &body["result"];
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result["ttlMs"].is_u64(), cached, "{method}");
        assert_eq!(result["cacheScope"] == "public", cached, "{method}");
        let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(info["name"], "Acme", "{method}");
    }
    let (_, body) = modern(&site, "server/discover", json!({}));
    let result = &body["result"];
    assert_eq!(result["supportedVersions"], json!(SUPPORTED_VERSIONS));
    assert_eq!(
        result["capabilities"],
        json!({"tools": {}, "resources": {}})
    );
    let instructions = result["instructions"].as_str().unwrap();
    assert!(
        instructions.contains("Ask before you delete."),
        "{instructions}"
    );
    let first = modern(&site, "tools/list", json!({}));
    assert_eq!(first, modern(&site, "tools/list", json!({})));
}

#[test]
fn headers_must_equal_the_body() {
    let site = site();
    let list = message("tools/list", json!({})).to_string();
    let call = message("tools/call", json!({"name": "list"})).to_string();
    let encoded = "=?base64?bGlzdA==?=";
    for (headers, body, code) in [
        (headers("tools/list", None), &list, None),
        (headers("tools/call", None), &list, Some(-32020)),
        (headers("TOOLS/LIST", None), &list, Some(-32020)),
        (headers("tools/call", Some("list")), &call, None),
        (headers("tools/call", Some("  list ")), &call, None),
        (headers("tools/call", Some(encoded)), &call, None),
        (headers("tools/call", Some("read")), &call, Some(-32020)),
        (
            headers("tools/call", Some("=?base64?!?=")),
            &call,
            Some(-32020),
        ),
        (
            headers("tools/call", Some("l\u{fc}st")),
            &call,
            Some(-32020),
        ),
        (headers("tools/call", None), &call, Some(-32020)),
        (
            McpHeaders {
                mcp_method: None,
                ..headers("tools/list", None)
            },
            &list,
            Some(-32020),
        ),
        (
            McpHeaders {
                protocol_version: None,
                ..headers("tools/list", None)
            },
            &list,
            Some(-32020),
        ),
        (
            McpHeaders {
                protocol_version: Some(b"2025-11-25"),
                ..headers("tools/list", None)
            },
            &list,
            Some(-32020),
        ),
    ] {
        let response = send(&site, headers, body.as_bytes());
        let body = json_of(&response);
        match code {
            None => assert_eq!(response.status, 200, "{headers:?}: {body}"),
            Some(code) => {
                assert_eq!(response.status, 400, "{headers:?}: {body}");
                assert_eq!(body["error"]["code"], code, "{headers:?}: {body}");
                assert_eq!(body["id"], 1);
            }
        }
    }
}

#[test]
fn errors_have_the_numbers_of_the_specification() {
    let site = site();
    let raw = |body: &str| {
        let response = send(&site, headers("x", None), body.as_bytes());
        let json = json_of(&response);
        (response.status, json["error"]["code"].as_i64(), json)
    };
    for (body, status, code) in [
        ("{", 400, -32700),
        ("\"a\"", 400, -32600),
        ("[]", 400, -32600),
        (r#"{"id": 1, "method": "ping"}"#, 400, -32600),
        (
            r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#,
            400,
            -32600,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#,
            400,
            -32600,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#,
            400,
            -32600,
        ),
        (r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#, 400, -32600),
    ] {
        let (found_status, found_code, json) = raw(body);
        assert_eq!(
            (found_status, found_code),
            (status, Some(code)),
            "{body}: {json}"
        );
    }
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    assert_eq!(raw(&deep).1, Some(-32700));
    for (method, params, status, code) in [
        ("unknown/method", json!({}), 404, -32601),
        ("ping", json!({}), 404, -32601),
        (
            "initialize",
            json!({"protocolVersion": "2025-11-25"}),
            404,
            -32601,
        ),
        ("prompts/list", json!({}), 404, -32601),
        ("subscriptions/listen", json!({}), 404, -32601),
        ("tools/call", json!({"name": "unknown"}), 200, -32602),
        ("tools/call", json!({}), 200, -32602),
        (
            "tools/call",
            json!({"name": "list", "arguments": []}),
            200,
            -32602,
        ),
        ("tools/list", json!({"cursor": "x"}), 200, -32602),
        ("resources/list", json!({"cursor": "x"}), 200, -32602),
        ("resources/list", json!({"cursor": "99999"}), 200, -32602),
        (
            "resources/read",
            json!({"uri": "docs:///none"}),
            200,
            -32602,
        ),
        (
            "resources/read",
            json!({"uri": "file:///etc/passwd"}),
            200,
            -32602,
        ),
    ] {
        let (found, body) = modern(&site, method, params.clone());
        assert_eq!(body["error"]["code"], code, "{method} {params}: {body}");
        assert_eq!(found, status, "{method} {params}: {body}");
    }
    let (_, body) = modern(&site, "resources/read", json!({"uri": "docs:///none"}));
    assert_eq!(body["error"]["data"]["uri"], "docs:///none");
}

#[test]
fn unknown_versions_and_missing_fields_are_refused() {
    let site = site();
    let mut body = message("tools/list", json!({}));
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("v999");
    let unknown = McpHeaders {
        protocol_version: Some(b"v999"),
        ..headers("tools/list", None)
    };
    let response = send(&site, unknown, body.to_string().as_bytes());
    let answer = json_of(&response);
    assert_eq!(
        (response.status, &answer["error"]["code"]),
        (400, &json!(-32022))
    );
    let data = json!({"supported": SUPPORTED_VERSIONS, "requested": "v999"});
    assert_eq!(answer["error"]["data"], data);
    for field in ["protocolVersion", "clientCapabilities"] {
        let mut body = message("tools/list", json!({}));
        let meta = body["params"]["_meta"].as_object_mut().unwrap();
        meta.remove(&format!("io.modelcontextprotocol/{field}"));
        let response = send(
            &site,
            headers("tools/list", None),
            body.to_string().as_bytes(),
        );
        let answer = json_of(&response);
        assert_eq!(
            (response.status, &answer["error"]["code"]),
            (400, &json!(-32602)),
            "{field}"
        );
    }
    let mut body = message("tools/list", json!({}));
    let meta = body["params"]["_meta"].as_object_mut().unwrap();
    meta.remove("io.modelcontextprotocol/clientInfo");
    let response = send(
        &site,
        headers("tools/list", None),
        body.to_string().as_bytes(),
    );
    assert_eq!(response.status, 200, "the client need not identify itself");
}

#[test]
fn earlier_versions_begin_with_initialize() {
    let site = site();
    for (proposed, version) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        (MODERN, "2025-11-25"),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {
            "protocolVersion": proposed, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        let (status, body) = legacy(&site, &body);
        assert_eq!((status, &body["id"]), (200, &json!("a")));
        let result = &body["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "Acme");
        assert!(result.get("resultType").is_none() && result.get("ttlMs").is_none());
    }
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(legacy(&site, &initialized), (202, Value::Null));
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    assert_eq!(legacy(&site, &response), (202, Value::Null));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(
        legacy(&site, &ping).1,
        json!({"jsonrpc": "2.0", "id": 1, "result": {}})
    );
    let unknown = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover"});
    let (status, body) = legacy(&site, &unknown);
    assert_eq!((status, &body["error"]["code"]), (200, &json!(-32601)));
    let missing = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "docs:///none"}});
    assert_eq!(legacy(&site, &missing).1["error"]["code"], -32002);
    let header = McpHeaders {
        protocol_version: Some(b"2025-06-18"),
        ..McpHeaders::default()
    };
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let response = send(&site, header, list.as_bytes());
    let body = json_of(&response);
    assert!(body["result"]["tools"].is_array() && body["result"].get("ttlMs").is_none());
    let unknown = McpHeaders {
        protocol_version: Some(b"2024-01-01"),
        ..McpHeaders::default()
    };
    assert_eq!(send(&site, unknown, list.as_bytes()).status, 400);
}

#[test]
fn only_the_first_version_has_batches() {
    let site = site();
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        7
    ]);
    let (status, body) = legacy(&site, &batch);
    let ids: Vec<&Value> = body
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(
        (status, ids),
        (200, vec![&json!(1), &json!(2), &Value::Null])
    );
    let notification = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]);
    assert_eq!(legacy(&site, &notification).0, 202);
    for version in ["2025-06-18", "2025-11-25", MODERN] {
        let header = McpHeaders {
            protocol_version: Some(version.as_bytes()),
            ..McpHeaders::default()
        };
        assert_eq!(
            send(&site, header, batch.to_string().as_bytes()).status,
            400
        );
    }
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(legacy(&site, &json!(vec![ping; 17])).0, 400);
}

#[test]
fn the_transport_is_checked() {
    let site = site();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let status = |headers: McpHeaders<'_>| send(&site, headers, list.as_bytes()).status;
    let origin = |origin: &'static str| McpHeaders {
        origin: Some(origin.as_bytes()),
        ..McpHeaders::default()
    };
    assert_eq!(status(origin("http://localhost:8080")), 200);
    assert_eq!(status(origin("https://LOCALHOST:8080")), 200);
    for foreign in [
        "http://evil.example",
        "null",
        "",
        "http://localhost:8081",
        "localhost:8080",
    ] {
        assert_eq!(status(origin(foreign)), 403, "{foreign}");
    }
    let typed = |content_type: &'static str| McpHeaders {
        content_type: Some(content_type.as_bytes()),
        ..McpHeaders::default()
    };
    assert_eq!(status(typed("Application/JSON; charset=utf-8")), 200);
    assert_eq!(status(typed("text/plain")), 415);
    let large = vec![b' '; MAX_BODY_BYTES + 1];
    assert_eq!(send(&site, McpHeaders::default(), &large).status, 413);
    let request = McpRequest {
        method: "GET",
        headers: McpHeaders::default(),
        body: b"",
        origin: "",
    };
    let response = handle(&site, &request);
    assert_eq!(response.status, 405);
    assert!(response.headers.contains(&("allow", "POST")));
}

#[test]
fn resources_are_pages_and_skills() {
    let site = site();
    let (_, body) = modern(&site, "resources/list", json!({}));
    let resources = body["result"]["resources"].as_array().unwrap();
    let uris: Vec<&str> = resources
        .iter()
        .filter_map(|one| one["uri"].as_str())
        .collect();
    assert_eq!(
        uris[..3],
        ["skill://acme/SKILL.md", "docs:///", "docs:///guides/limits"]
    );
    assert_eq!(resources[0]["description"], "How to use Acme");
    for uri in &uris {
        let (_, body) = modern(&site, "resources/read", json!({"uri": uri}));
        let contents = body["result"]["contents"].as_array().unwrap();
        assert_eq!(contents.len(), 1);
        assert_eq!(
            (&contents[0]["uri"], &contents[0]["mimeType"]),
            (&json!(uri), &json!("text/markdown"))
        );
        assert!(!contents[0]["text"].as_str().unwrap().is_empty());
    }
    for uri in [
        "http://localhost:8080/guides/limits",
        "docs:///guides/limits.md",
    ] {
        let (_, body) = modern(&site, "resources/read", json!({"uri": uri}));
        assert!(body["result"]["contents"].is_array(), "{uri}: {body}");
    }
}
