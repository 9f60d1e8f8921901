//! The MCP server over a real socket.

mod rig;
mod visibility;

use serde_json::{Value, json};
use svc_server::McpLimits;

use self::rig::{MODERN, TestSite, serve, serve_files, serve_with};

#[test]
fn both_eras_are_served_at_the_same_path() {
    for base in ["", "/docs"] {
        let site = serve(base);
        let discover = site.modern("server/discover", json!({}));
        assert_eq!(discover.0, 200, "{base}");
        assert_eq!(discover.1["result"]["supportedVersions"][0], MODERN);
        let (status, body) = site.tool("search", json!({"query": "welcome"}));
        let text = body["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(status, 200);
        assert!(text.contains(&format!("\n[{base}/ · ")), "{text}");
        let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        let response = site.post(&[], &initialize.to_string());
        assert_eq!(response.status, 200);
        assert_eq!(response.header("content-type"), Some("application/json"));
        assert_eq!(response.header("mcp-session-id"), None);
        let body: Value = serde_json::from_str(&response.body).unwrap();
        assert_eq!(body["result"]["protocolVersion"], "2025-06-18");
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let response = site.post(
            &["mcp-protocol-version: 2025-06-18"],
            &initialized.to_string(),
        );
        assert_eq!((response.status, &*response.body), (202, ""));
        assert_eq!(response.header("content-length"), Some("0"));
    }
}

#[test]
fn every_error_number_is_sent() {
    let site = serve("");
    let list = site.message("tools/list", json!({})).to_string();
    let version = "mcp-protocol-version: 2026-07-28";
    let method = "mcp-method: tools/list";
    for (lines, body, status, code) in [
        (vec![], "{", 400, -32700),
        (vec![], "7", 400, -32600),
        (vec![version, "mcp-method: a/b"], "", 404, -32601),
        (vec![version, method], "no meta", 400, -32602),
        (vec![version], &list, 400, -32020),
        (vec![method], &list, 400, -32020),
        (vec![version, "mcp-method: tools/call"], &list, 400, -32020),
        (
            vec![version, method, "mcp-method: tools/list"],
            &list,
            400,
            -32020,
        ),
        (
            vec!["mcp-protocol-version: 1900-01-01", method],
            "old",
            400,
            -32022,
        ),
        (vec!["origin: http://evil.example"], &list, 403, -32600),
        (vec!["content-type: text/plain"], &list, 415, -32600),
    ] {
        let body = match body {
            "" => site.message("a/b", json!({})).to_string(),
            "no meta" => json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string(),
            "old" => list.replace(MODERN, "1900-01-01"),
            body => body.to_owned(),
        };
        let response = site.post(&lines, &body);
        let answer: Value = serde_json::from_str(&response.body).unwrap();
        assert_eq!(response.status, status, "{lines:?}: {answer}");
        assert_eq!(answer["error"]["code"], code, "{lines:?}");
    }
    let own = format!("origin: http://{}", site.addr());
    assert_eq!(site.post(&[&own, version, method], &list).status, 200);
    let large = " ".repeat(70_000);
    assert_eq!(site.post(&[], &large).status, 413);
}

#[test]
fn a_client_that_calls_too_often_must_wait() {
    let limits = McpLimits {
        calls_per_minute: 5,
        ..McpLimits::default()
    };
    let site = serve_with("", limits, &[]);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let statuses: Vec<u16> = (0..7).map(|_| site.post(&[], &ping).status).collect();
    assert_eq!(statuses[..5], [200; 5]);
    assert_eq!(statuses[5..], [429; 2]);
    let refused = site.post(&[], &ping);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=12).contains(&wait), "{wait}");
    assert_eq!(site.get("/", &[]).status, 200, "pages are not limited");
}

#[test]
fn browsers_get_instructions_and_programs_405() {
    for base in ["", "/docs"] {
        let site = serve(base);
        let page = site.get("/mcp", &["accept: text/html"]);
        assert_eq!(page.status, 200);
        let url = format!("http://{}{base}/mcp", site.addr());
        for part in [
            &*url,
            "cursor://anysphere.cursor-deeplink/mcp/install?name=acme",
            "vscode:mcp/install?",
            "<code>search</code>",
        ] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("script-src 'self'"), "{policy}");
        let secure = site.get("/mcp", &["accept: text/html", "x-forwarded-proto: https"]);
        assert!(secure.body.contains(&url.replace("http:", "https:")));
        for lines in [
            vec!["accept: text/event-stream"],
            vec!["accept: */*"],
            vec![],
        ] {
            let response = site.get("/mcp", &lines);
            assert_eq!(response.status, 405, "{lines:?}");
            assert_eq!(response.header("allow"), Some("POST"));
        }
        let both = site.get("/_svc/mcp", &["accept: text/html"]);
        assert_eq!(both.status, 200);
        let delete = site.send("DELETE", "/mcp", &[], "");
        assert_eq!(delete.status, 405);
    }
}

#[test]
fn a_page_of_the_site_precedes_the_instructions() {
    let site: TestSite = serve_files(&[("mcp.mdx", "---\ntitle: Our MCP\n---\nOwn words.")]);
    let page = site.get("/mcp", &["accept: text/html"]);
    assert!(page.status == 200 && page.body.contains("Own words."));
    let setup = site.get("/_svc/mcp", &["accept: text/html"]);
    assert!(setup.status == 200 && setup.body.contains("vscode:mcp/install"));
    let stream = site.get("/mcp", &["accept: text/event-stream"]);
    assert_eq!(stream.status, 405);
    assert_eq!(site.modern("tools/list", json!({})).0, 200);
}

#[test]
fn the_server_card_has_the_tools_of_the_server() {
    for base in ["", "/docs"] {
        let site = serve(base);
        let (_, body) = site.modern("tools/list", json!({}));
        let card = site.get("/.well-known/mcp/server-card.json", &[]);
        let card: Value = serde_json::from_str(&card.body).unwrap();
        assert_eq!(card["tools"], body["result"]["tools"]);
        let url = format!("http://{}{base}/mcp", site.addr());
        assert_eq!(card["remotes"][0]["url"], *url);
        assert_eq!(card["remotes"][0]["supportedProtocolVersions"][0], MODERN);
        let page = site.get("/", &[]);
        let links = page.header("link").unwrap();
        assert!(links.contains("mcp-server-card"), "{links}");
        assert_eq!(site.get("/.well-known/mcp/none", &[]).status, 404);
    }
}
