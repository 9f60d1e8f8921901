//! The playground of a reader whose session brings values for it.

use std::fs;
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};
use svc_test_support::keys::{ed25519_public_key, eddsa_token};
use svc_tests::browser::Browser;
use svc_tests::projects::ProjectServer;

use super::TestResult;
use crate::playground::play::HELP;

const HOST: &str = "docs.localhost";
const KEY: u8 = 5;

const API: &str = r#"
openapi: 3.1.0
info: { title: Harbor, version: "1" }
servers:
  - url: https://{region}.api.example.com
    variables: { region: { default: us, enum: [us, eu, asia] } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    key: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
paths:
  /ships/{port}:
    get:
      summary: Ships
      security: [{ bearer: [] }, { basic: [] }, { key: [], query: [] }]
      parameters:
        - { name: port, in: path, required: true, schema: { type: string } }
        - { name: X-Tenant, in: header, schema: { type: string }, example: demo }
        - { name: limit, in: query, schema: { type: integer } }
      responses: { "200": { description: Good } }
"#;

fn server(dir: &std::path::Path) -> Result<ProjectServer, Box<dyn std::error::Error>> {
    let site = dir.join("site");
    fs::create_dir_all(&site)?;
    let config = r##"{"theme": "svc", "name": "Harbor", "colors": {"primary": "#0a7d4f"}, "api": {"examples": {"prefill": true}}, "navigation": {"groups": [{"group": "Start", "pages": ["index"]}, {"group": "API", "openapi": "api.yaml"}]}}"##;
    fs::write(site.join("docs.json"), config)?;
    fs::write(site.join("index.mdx"), "---\ntitle: Start\n---\n")?;
    fs::write(site.join("api.yaml"), API)?;
    fs::write(dir.join("handover.pem"), ed25519_public_key(KEY))?;
    let settings = format!(
        "[outbound]\noffline = true\n[[projects]]\nid = \"docs\"\nhosts = [\"{HOST}\"]\nweb_fonts = false\nsource.folder = \"site\"\n[projects.readers]\nprivate = true\n[projects.readers.handover]\npublic_key_file = \"handover.pem\"\nlogin_url = \"https://app.example.com/login\"\n"
    );
    ProjectServer::start(dir, &settings)
}

/// Signs a reader in with values for the playground, and opens it.
fn open(browser: &mut Browser, server: &ProjectServer, inputs: &Value) -> TestResult {
    let now = i64::try_from(UNIX_EPOCH.elapsed()?.as_secs())?;
    let claims = json!({"host": HOST, "iat": now, "exp": now + 10, "name": "Ada", "apiPlaygroundInputs": inputs});
    let token = eddsa_token(KEY, "JWT", &claims);
    let origin = format!("http://{HOST}:{}", server.addr.port());
    browser.open("about:blank")?;
    browser.open(&format!("{origin}/login/jwt-callback?redirect=/#{token}"))?;
    browser.wait("location.pathname === '/' && document.readyState === 'complete'")?;
    browser.open(&format!("{origin}/api-reference/ships?playground=open"))?;
    browser.wait("Boolean(window.play?.dialog())")
}

/// The value of a field of the playground.
fn value(browser: &mut Browser, name: &str) -> Result<Value, Box<dyn std::error::Error>> {
    browser.evaluate(&format!(
        "play.named('{name}').querySelector('input, select, textarea').value"
    ))
}

#[test]
fn values_of_the_session_fill_the_playground_and_yield_to_those_of_the_reader() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let dir = tempfile::tempdir()?;
    let server = server(dir.path())?;
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": HELP }),
    )?;
    browser.screen(1440, 900, "light")?;
    let inputs = json!({
        "server": {"region": "eu"}, "path": {"port": "rotterdam"}, "query": {"limit": "5", "key": "from-query"},
        "header": {"x-tenant": "acme", "X-Key": "from-header", "Authorization": "Bearer from-session"},
    });
    open(&mut browser, &server, &inputs)?;
    for (field, expected) in [
        ("region", "eu"),
        ("port", "rotterdam"),
        ("limit", "5"),
        ("X-Tenant", "acme"),
        ("Token", "from-session"),
    ] {
        assert_eq!(value(&mut browser, field)?, json!(expected), "{field}");
    }
    let address =
        browser.evaluate("play.dialog().querySelector('.svc-playground-address').textContent")?;
    assert_eq!(
        address,
        json!("https://eu.api.example.com/ships/rotterdam?limit=5")
    );
    browser.evaluate("play.choose('Authorization', 'key & query')")?;
    assert_eq!(value(&mut browser, "X-Key")?, json!("from-header"));
    assert_eq!(value(&mut browser, "key")?, json!("from-query"));
    browser.evaluate("play.set('X-Tenant', 'own'); play.set('X-Key', 'typed')")?;

    // What the reader has typed stays, everything else is that of the new session.
    let inputs = json!({
        "server": {"region": "asia"}, "path": {"port": "busan"},
        "header": {"X-Tenant": "globex", "X-Key": "other", "Authorization": "Basic YWRhOnBhc3M6d29yZA=="},
    });
    open(&mut browser, &server, &inputs)?;
    for (field, expected) in [
        ("region", "asia"),
        ("port", "busan"),
        ("limit", ""),
        ("X-Tenant", "own"),
        ("Token", ""),
    ] {
        assert_eq!(value(&mut browser, field)?, json!(expected), "{field}");
    }
    browser.evaluate("play.choose('Authorization', 'basic')")?;
    assert_eq!(value(&mut browser, "Username")?, json!("ada"));
    assert_eq!(value(&mut browser, "Password")?, json!("pass:word"));
    browser.evaluate("play.choose('Authorization', 'key & query')")?;
    assert_eq!(value(&mut browser, "X-Key")?, json!("typed"));
    assert_eq!(value(&mut browser, "key")?, json!(""));
    // A reset goes back to the values of the session.
    browser.evaluate("play.press('Reset')")?;
    assert_eq!(value(&mut browser, "X-Tenant")?, json!("globex"));
    Ok(())
}
