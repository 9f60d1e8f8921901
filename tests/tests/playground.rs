//! The playground, driven by a browser against an API that tells what it was asked.
// Long because all tests drive the same API and page.
#![expect(clippy::print_stderr, reason = "a skipped check must be seen")]

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_site::LoadOptions;
use svc_source::SourceTree;
use svc_tests::api::{Api, Asked};
use svc_tests::browser::{Browser, program};
use svc_tests::made::Made;
use svc_tests::{server, tools};

type Outcome = Result<(), Box<dyn Error>>;

const CONFIG: &str = r##"{
  "theme": "svc", "name": "Harbour", "colors": { "primary": "#0f766e" },
  "api": { "playground": { "proxy": false } },
  "navigation": { "openapi": "api.yaml", "pages": ["index", "SECTIONS"] }
}"##;

/// Operations as YAML below `paths`, and security schemes.
const DOCUMENT: &str = r##"
openapi: 3.1.0
info: { title: Harbour, version: "1" }
servers:
  - url: API
  - url: API/{region}
    variables: { region: { default: north, enum: [north, south] }, }
  - url: API/{anything}
    variables: { anything: { default: free } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    header_key: { type: apiKey, in: header, name: X-Key }
    query_key: { type: apiKey, in: query, name: key }
    cookie_key: { type: apiKey, in: cookie, name: sid }
    certificate: { type: mutualTLS }
    given: { type: http, scheme: bearer, x-default: public-token }
    connect: { type: openIdConnect, openIdConnectUrl: "API/oauth/discovery" }
    oauth:
      type: oauth2
      flows:
        authorizationCode: { authorizationUrl: "API/oauth/authorize", tokenUrl: "API/oauth/token", scopes: { read: Read, write: Write } }
        clientCredentials: { tokenUrl: "API/oauth/token", scopes: { read: Read } }
        implicit: { authorizationUrl: "API/oauth/authorize", scopes: { read: Read } }
        password: { tokenUrl: "API/oauth/token", scopes: {} }
paths:
  /secured:
    get:
      summary: Secured
      security: [{ bearer: [] }, { basic: [] }, { header_key: [], query_key: [] }, { oauth: [read] }, { connect: [] }, { certificate: [] }, { cookie_key: [] }, {}]
      responses: { "200": { description: Good } }
  /p/{plain}/{label}/{matrix}:
    get:
      summary: Styles
      parameters:
        - { name: plain, in: path, required: true, schema: { type: string } }
        - { name: label, in: path, required: true, style: label, schema: { type: array, items: { type: string } } }
        - { name: matrix, in: path, required: true, style: matrix, explode: true, schema: { type: array, items: { type: integer } } }
        - { name: form, in: query, schema: { type: array, items: { type: string } } }
        - { name: comma, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: space, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: string } } }
        - { name: pipe, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }
        - { name: deep, in: query, style: deepObject, explode: true, schema: { type: object, properties: { a: { type: string }, b: { type: boolean } } } }
        - { name: kind, in: query, schema: { type: string, enum: [cat, dog] } }
        - { name: since, in: query, schema: { type: string, format: date } }
        - { name: content, in: query, content: { application/json: { schema: { type: object, properties: { x: { type: integer } } } } } }
        - { name: X-List, in: header, schema: { type: array, items: { type: string } } }
      responses: { "200": { description: Good } }
  /pets:
    post:
      summary: Create
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 2 }
                age: { type: integer, minimum: 0 }
                password: { type: string, format: password }
                born: { type: string, format: date }
                owner: { type: [object, "null"], required: [mail], properties: { mail: { type: string } } }
                tags: { type: array, items: { type: string } }
                food: { oneOf: [ { title: Dry, type: object, properties: { grams: { type: integer } } }, { title: Wet, type: object, properties: { cans: { type: integer } } } ] }
                self: { $ref: "#/components/schemas/Node" }
                mixed: { type: object, properties: { common: { type: string } }, oneOf: [ { title: One, properties: { one: { type: string } } }, { title: Two, properties: { two: { type: string } } } ], anyOf: [ { title: Three, properties: { three: { type: string } } } ] }
      responses: { "200": { description: Good } }
  /upload:
    post:
      summary: Upload
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, required: [about], properties: { note: { type: string }, photo: { type: string, format: binary }, about: { type: object, properties: { by: { type: string } } } } }
      responses: { "200": { description: Good } }
  /known:
    get:
      summary: Known
      security: [{ given: [] }]
      parameters:
        - { name: q, in: query, schema: { type: string, x-default: from the document } }
        - { name: other, in: query, schema: { type: string } }
      responses: { "200": { description: Good } }
  /closed/thing:
    get: { summary: Closed, responses: { "200": { description: Good } } }
    put: { summary: Closed put, parameters: [{ name: X-Own, in: header, required: true, schema: { type: string } }], responses: { "200": { description: Good } } }
"##;

/// Operations without anything to fill in, by path.
const PLAIN: [&str; 8] = [
    "events", "lines", "slow", "picture", "page", "large", "bytes", "nothing",
];

/// What the tests do in the page.
const HELP: &str = r#"
window.play = (() => {
  const dialog = () => document.querySelector("dialog.svc-playground[open]");
  const named = (name, from = dialog()) => {
    const label = [...from.querySelectorAll(".svc-playground-label")].find((one) => one.textContent.trim() === name);
    if (!label) throw new Error(`no field ${name}`);
    return label.closest(".svc-playground-row");
  };
  const input = (name) => named(name).querySelector(".svc-playground-value, .svc-playground-joined, .svc-playground-row > input")?.parentElement.querySelector("input, select, textarea");
  const put = (element, value) => {
    if (element.tagName === "SELECT") {
      const option = [...element.options].find((one) => one.textContent === value || one.value === value);
      if (!option) throw new Error(`no choice ${value}: ${element.textContent}`);
      element.value = option.value;
    } else element.value = value;
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const press = (name, from = dialog()) => {
    const found = [...from.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent).trim() === name);
    if (!found) throw new Error(`no button ${name}`);
    found.click();
  };
  return {
    dialog,
    named,
    set: (name, value) => put(named(name).querySelector("input, select, textarea"), value),
    choose: (label, value) => put(dialog().querySelector(`select[aria-label="${label}"]`), value),
    list: (name, values) => {
      if (!named(name).querySelector(".svc-playground-nested")) press(`Add ${name}`, named(name));
      const row = named(name);
      const inputs = () => row.querySelector(".svc-playground-nested").querySelectorAll(":scope > .svc-playground-list > .svc-playground-row > .svc-playground-value > *");
      values.forEach((value, at) => {
        if (!inputs()[at]) press("Add item", row);
        put(inputs()[at], value);
      });
    },
    press,
    status: () => dialog().querySelector("[role=status].svc-playground-status").textContent,
    answer: () => dialog().querySelector(".svc-playground-answer").textContent,
    idle: () => !dialog().querySelector(".svc-playground-send").hasAttribute("data-busy"),
  };
})();
"#;

struct Play {
    browser: Browser,
    server: server::Running,
    api: Api,
}

fn start() -> Result<Option<Play>, Box<dyn Error>> {
    start_with(false)
}

fn start_with(relay: bool) -> Result<Option<Play>, Box<dyn Error>> {
    assert!(
        program().is_some() || std::env::var_os("CI").is_none(),
        "continuous integration must have Chromium"
    );
    if program().is_none() {
        eprintln!("skipped: there is no Chromium on this machine; `cargo xtask test` installs it");
        return Ok(None);
    }
    let api = Api::start()?;
    let mut document = DOCUMENT.replace("API", &api.url());
    for path in PLAIN {
        document.push_str(&format!(
            "  /{path}:\n    get: {{ summary: {path}, responses: {{ \"200\": {{ description: Good }} }} }}\n"
        ));
    }
    document = document.replace(
        "paths:\n",
        "  schemas: { Node: { type: object, properties: { next: { $ref: \"#/components/schemas/Node\" }, label: { type: string } } } }\npaths:\n",
    );
    let manual = format!(
        "---\ntitle: By hand\napi: \"POST {}/hand/{{id}}\"\nauthMethod: bearer\n---\n\n<ParamField path=\"id\" type=\"string\" required>The id.</ParamField>\n<ParamField body=\"name\" type=\"string\">A name.</ParamField>\n",
        api.url()
    );
    let config = CONFIG.replace(
        ", \"SECTIONS\"",
        ", \"hand\", { \"group\": \"All\", \"openapi\": \"api.yaml\" }",
    );
    let config = config.replace("\"openapi\": \"api.yaml\", \"pages\"", "\"pages\"");
    let config = if relay {
        config.replace("\"proxy\": false", "\"proxy\": true")
    } else {
        config
    };
    let files = [
        ("docs.json", config),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
        ("hand.mdx", manual),
        ("api.yaml", document),
    ];
    let options = LoadOptions {
        relay,
        ..LoadOptions::default()
    };
    let made = Made::from(svc_site::assemble(SourceTree::from_files(files), &options)?);
    let server = if relay {
        server::serve_with_relay(made.site, &["127.0.0.1"])?
    } else {
        server::serve(made.site)?
    };
    let mut browser = Browser::start()?;
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": HELP }),
    )?;
    browser.screen(1440, 900, "light")?;
    Ok(Some(Play {
        browser,
        server,
        api,
    }))
}

impl Play {
    /// Opens the playground of a page.
    fn open(&mut self, page: &str) -> Outcome {
        let url = self.server.url(&format!("/{page}"));
        self.browser.open(&format!("{url}?playground=open"))?;
        self.reach("Boolean(play.dialog())")
    }

    fn run(&mut self, script: &str) -> Result<Value, Box<dyn Error>> {
        self.browser
            .evaluate(&format!("(async () => {{ {script} }})()"))
    }

    /// Waits until an expression is true.
    fn reach(&mut self, expression: &str) -> Outcome {
        let start = Instant::now();
        loop {
            if self.browser.evaluate(expression)? == true {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(10) {
                let dialog = self.browser.evaluate(
                    "play.dialog()?.innerText ?? document.body.innerText.slice(0, 2000)",
                )?;
                let complaints = &self.browser.complaints;
                return Err(format!("{expression} is never true: {dialog} {complaints:?}").into());
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Sends the request and gives what the API was asked.
    fn send(&mut self) -> Result<Asked, Box<dyn Error>> {
        self.api.take();
        self.run("play.press('Send')")?;
        self.reach("play.idle() && play.status().includes('ms')")?;
        let asked = self.api.take();
        asked
            .into_iter()
            .next_back()
            .ok_or_else(|| "the API was not asked".into())
    }
}

// spec: oas.playground accepts
#[test]
fn every_security_scheme_reaches_the_api() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'bearer'); play.set('Token', 't0k')")?;
    assert_eq!(play.send()?.header("authorization"), "Bearer t0k");
    play.run("play.choose('Authorization', 'basic'); play.set('Username', 'ann'); play.set('Password', 'p:w')")?;
    assert_eq!(play.send()?.header("authorization"), "Basic YW5uOnA6dw==");
    play.run("play.choose('Authorization', 'header key & query key'); play.set('X-Key', 'k1'); play.set('key', 'k 2')")?;
    let asked = play.send()?;
    assert_eq!(asked.header("x-key"), "k1");
    assert_eq!(asked.target, "/secured?key=k%202");
    // The address that is shown has no key.
    let shown = play.run("return document.querySelector('.svc-playground-address').textContent")?;
    assert!(!shown.to_string().contains("k%202"), "{shown}");
    play.run("play.choose('Authorization', 'certificate')")?;
    let told = play.run("return play.dialog().innerText")?;
    assert!(told.to_string().contains("client certificate"), "{told}");
    assert_eq!(play.send()?.header("authorization"), "");
    play.run("play.choose('Authorization', 'cookie key'); play.set('sid', 's3')")?;
    assert_eq!(play.send()?.header("cookie"), "");
    let told = play.run("return play.answer()")?;
    assert!(
        told.to_string()
            .contains("do not send these headers for a page: Cookie"),
        "{told}"
    );
    play.run("play.choose('Authorization', 'no authorization')")?;
    assert_eq!(play.send()?.header("authorization"), "");
    Ok(())
}

#[test]
fn every_flow_of_oauth_gets_a_token() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'oauth'); play.dialog().querySelector('.svc-playground-more').open = true")?;
    play.reach("Boolean(play.dialog().querySelector('.svc-playground-token'))")?;
    for (flow, token) in [
        ("authorizationCode", "token-of-authorization_code"),
        ("clientCredentials", "token-of-client_credentials"),
        ("implicit", "implicit-token"),
        ("password", "token-of-password"),
    ] {
        play.api.take();
        play.run(&format!(
            "play.choose('Flow', '{flow}'); play.set('Client ID', 'me'); play.set('Username', 'ann'); play.set('Password', 'pw'); play.set('Token', '')"
        ))?;
        // A window that a script opens needs a press of the reader.
        let ask = json!({
            "expression": "play.press('Get a token', play.dialog().querySelector('.svc-playground-token'))",
            "userGesture": true
        });
        play.browser.call("Runtime.evaluate", ask)?;
        play.reach(&format!(
            "play.named('Token').querySelector('input').value === '{token}'"
        ))?;
        let asked = play.api.take();
        if flow == "authorizationCode" {
            let begun = asked
                .iter()
                .find(|one| one.target.starts_with("/oauth/authorize"));
            let begun = begun.ok_or("nobody asked for a code")?;
            let value = |name| svc_tests::api::query(&begun.target, name);
            assert_eq!(value("code_challenge_method"), "S256");
            assert_eq!(value("scope"), "read");
            assert!(value("redirect_uri").ends_with("/_svc/oauth.html"));
            let ended = asked.iter().find(|one| one.target == "/oauth/token");
            let form = format!("?{}", ended.ok_or("nobody asked for a token")?.text());
            let verifier = svc_tests::api::query(&form, "code_verifier");
            assert_eq!(svc_tests::api::query(&form, "code"), "the-code");
            let challenge = play.run(&format!(
                "const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('{verifier}')));
                 return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')"
            ))?;
            assert_eq!(challenge, value("code_challenge"));
        }
        assert_eq!(
            play.send()?.header("authorization"),
            format!("Bearer {token}")
        );
    }
    play.run("play.choose('Authorization', 'connect'); play.dialog().querySelector('.svc-playground-more').open = true")?;
    play.reach("play.dialog().querySelector('.svc-playground-token')?.textContent.includes('profile') === true")?;
    Ok(())
}

#[test]
fn parameters_of_every_style_are_laid_out() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/styles")?;
    play.run(
        "play.set('plain', 'a/b c'); play.list('label', ['x', 'y']); play.list('matrix', ['1', '2']);
         play.list('form', ['a', 'b&c']); play.list('comma', ['a', 'b']); play.list('space', ['a', 'b']); play.list('pipe', ['a', 'b']);
         play.press('Add deep'); play.set('a', 'z'); play.set('b', 'true'); play.set('kind', 'dog'); play.set('since', '2026-01-31');
         play.press('Add content'); play.set('x', '7'); play.list('X-List', ['m', 'n'])",
    )?;
    let asked = play.send()?;
    assert_eq!(
        asked.target,
        "/p/a%2Fb%20c/.x,y/;matrix=1;matrix=2?form=a&form=b%26c&comma=a,b&space=a%20b&pipe=a%7Cb&deep%5Ba%5D=z&deep%5Bb%5D=true&kind=dog&since=2026-01-31&content=%7B%22x%22%3A7%7D"
    );
    assert_eq!(asked.header("x-list"), "m,n");
    Ok(())
}

#[test]
fn a_body_is_filled_in_as_a_form_or_as_a_text() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/create")?;
    play.run(
        "play.set('name', 'Rex'); play.set('age', '3'); play.press('Add owner'); play.set('mail', 'a@b.test');
         play.list('tags', ['x', 'y']); play.press('Add food'); play.named('food').querySelector('select').value = '1';
         play.named('food').querySelector('select').dispatchEvent(new Event('change')); play.set('cans', '2');
         play.press('Add self'); play.press('Add next', play.named('self')); play.set('label', 'deep')",
    )?;
    let asked = play.send()?;
    assert_eq!(asked.header("content-type"), "application/json");
    let body: Value = serde_json::from_str(&asked.text())?;
    let wanted = json!({
        "name": "Rex", "age": 3, "owner": { "mail": "a@b.test" }, "tags": ["x", "y"], "food": { "cans": 2 },
        "self": { "next": { "label": "deep" } }
    });
    assert_eq!(body, wanted);
    play.run("play.press('Add mixed'); play.set('common', 'c'); play.set('one', '1'); play.set('three', '3')")?;
    let mixed: Value = serde_json::from_str(&play.send()?.text())?;
    assert_eq!(
        mixed["mixed"],
        json!({ "common": "c", "one": "1", "three": "3" })
    );
    play.run("play.press('JSON'); play.press('Form')")?;
    assert_eq!(serde_json::from_str::<Value>(&play.send()?.text())?, mixed);
    play.run("play.press('Remove mixed')")?;
    // As a text, and back.
    play.run("play.press('JSON')")?;
    let text = play.run("return play.dialog().querySelector('textarea').value")?;
    assert_eq!(
        serde_json::from_str::<Value>(text.as_str().ok_or("no text")?)?,
        body
    );
    play.run("const area = play.dialog().querySelector('textarea'); area.value = '{\"name\": \"Ann\", \"owner\": null, \"more\": [1]}'; area.dispatchEvent(new Event('input', { bubbles: true })); play.press('Form')")?;
    let asked = play.send()?;
    let body: Value = serde_json::from_str(&asked.text())?;
    assert_eq!(body, json!({ "name": "Ann", "owner": null, "more": [1] }));
    Ok(())
}

#[test]
fn a_file_is_uploaded() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/upload")?;
    // Nothing was filled in, so an optional body is not sent.
    assert_eq!(play.send()?.header("content-type"), "");
    play.run(
        "play.set('note', 'hello'); const own = new DataTransfer(); own.items.add(new File(['PIXELS'], 'cat.png', { type: 'image/png' }));
         const zone = play.dialog().querySelector('.svc-playground-file');
         zone.dispatchEvent(new DragEvent('drop', { dataTransfer: own, bubbles: true, cancelable: true }))",
    )?;
    let asked = play.send()?;
    let kind = asked.header("content-type").to_owned();
    assert!(kind.starts_with("multipart/form-data; boundary="), "{kind}");
    let body = asked.text();
    assert!(
        body.contains("name=\"note\"") && body.contains("hello"),
        "{body}"
    );
    assert!(
        body.contains("name=\"photo\"; filename=\"cat.png\"") && body.contains("PIXELS"),
        "{body}"
    );
    Ok(())
}

#[test]
fn answers_are_shown_as_what_they_are_and_never_run() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let sent = |play: &mut Play, page: &str| -> Outcome {
        play.open(&format!("api-reference/{page}"))?;
        play.run("play.press('Send')")?;
        Ok(())
    };
    sent(&mut play, "events")?;
    // Shown while the stream is still open.
    play.reach("play.dialog().querySelectorAll('.svc-playground-events > li').length === 2 && !play.idle()")?;
    play.reach(
        "play.idle() && play.dialog().querySelectorAll('.svc-playground-events > li').length === 3",
    )?;
    let text = play.run("return play.answer()")?;
    assert!(text.to_string().contains("tick"), "{text}");
    sent(&mut play, "lines")?;
    play.reach("play.dialog().querySelectorAll('.svc-playground-events > li').length === 2 && !play.idle()")?;
    // The reader has seen enough.
    play.run("play.press('Cancel')")?;
    play.reach("play.idle() && play.status().includes('Cancelled')")?;
    sent(&mut play, "slow")?;
    play.run("play.press('Cancel')")?;
    play.reach("play.idle() && play.status().includes('Cancelled')")?;
    sent(&mut play, "picture")?;
    play.reach(
        "(play.dialog().querySelector('.svc-playground-picture')?.naturalWidth ?? 0) === 8",
    )?;
    sent(&mut play, "page")?;
    play.reach("play.idle() && play.answer().includes('<script>')")?;
    assert_eq!(play.run("return window.pwned ?? 'safe'")?, "safe");
    sent(&mut play, "large")?;
    play.reach("play.idle() && play.answer().includes('Only the first')")?;
    let shown = play.run("return play.answer().length")?;
    assert!(shown.as_u64().unwrap_or(0) < 530_000, "{shown}");
    sent(&mut play, "bytes")?;
    play.reach(
        "play.idle() && play.answer().includes('4 B') && play.answer().includes('Download')",
    )?;
    sent(&mut play, "nothing")?;
    play.reach(
        "play.idle() && play.answer().includes('no body') && play.status().includes('204')",
    )?;
    let bad: Vec<_> = play
        .browser
        .complaints
        .iter()
        .filter(|one| !one.contains("favicon"))
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
    Ok(())
}

#[test]
fn a_refusal_by_cors_is_explained() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/closed-put")?;
    play.run("play.set('X-Own', '1'); play.press('Send')")?;
    play.reach("play.idle() && play.answer().includes('Access-Control-Allow-Origin')")?;
    let text = play.run("return play.answer()")?.to_string();
    for wanted in [
        "Access-Control-Allow-Headers: x-own",
        "Access-Control-Allow-Methods: PUT",
        "does not let pages of http://127.0.0.1",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    Ok(())
}

#[test]
fn what_a_browser_cannot_send_goes_through_the_relay() -> Outcome {
    let Some(mut play) = start_with(true)? else {
        return Ok(());
    };
    // Refused by CORS at first, then known for the tab.
    play.open("api-reference/closed-put")?;
    play.run("play.set('X-Own', '1')")?;
    for _ in 0..2 {
        let asked = play.send()?;
        assert_eq!((&*asked.method, asked.header("x-own")), ("PUT", "1"));
        assert_eq!(asked.header("cookie"), "");
        play.reach("play.status().includes('sent through this site') && play.answer().includes('/closed/thing')")?;
    }
    // A cookie, which no page may set.
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'cookie key'); play.set('sid', 's3')")?;
    assert_eq!(play.send()?.header("cookie"), "sid=s3");
    // An open API is called directly.
    play.run("sessionStorage.removeItem('svc-playground:relayed'); play.choose('Authorization', 'bearer'); play.set('Token', 't')")?;
    play.send()?;
    play.reach("play.status().includes('sent directly')")?;
    // What could change something and is not asked about first is not sent twice.
    play.open("api-reference/upload")?;
    play.run(
        "play.set('note', 'hello'); const own = new DataTransfer(); own.items.add(new File(['PIXELS'], 'cat.png', { type: 'image/png' }));
         play.dialog().querySelector('.svc-playground-file').dispatchEvent(new DragEvent('drop', { dataTransfer: own, bubbles: true, cancelable: true }))",
    )?;
    let asked = play.send()?;
    play.reach("play.status().includes('sent through this site')")?;
    assert!(
        asked.header("content-type").contains("boundary="),
        "{asked:?}"
    );
    assert!(asked.text().contains("filename=\"cat.png\"") && asked.text().contains("PIXELS"));
    // Streams arrive piece by piece on this way too.
    play.open("api-reference/events")?;
    play.run("sessionStorage.setItem('svc-playground:relayed', JSON.stringify([new URL(document.querySelector('.svc-playground-address').textContent).origin])); play.press('Send')")?;
    play.reach("play.dialog().querySelectorAll('.svc-playground-events > li').length === 2 && !play.idle()")?;
    play.reach(
        "play.idle() && play.dialog().querySelectorAll('.svc-playground-events > li').length === 3",
    )
}

#[test]
fn what_is_kept_and_shared_holds_no_secret() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/create")?;
    play.run("play.set('name', 'Rex'); play.set('password', 'S3CRET')")?;
    play.send()?;
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'header key & query key'); play.set('X-Key', 'S3CRET'); play.set('key', 'S3CRET')")?;
    play.send()?;
    thread::sleep(Duration::from_millis(200));
    let kept = play
        .run("return JSON.stringify({ ...localStorage })")?
        .to_string();
    assert!(kept.contains("Rex") && kept.contains("history"), "{kept}");
    assert!(!kept.contains("S3CRET"), "{kept}");
    // In the tab they are, until the reader forgets them.
    let tab = "JSON.stringify({ ...sessionStorage }).includes('S3CRET')";
    assert_eq!(play.browser.evaluate(tab)?, true);
    play.run("play.dialog().querySelector('.svc-playground-keep input').click()")?;
    assert_eq!(play.browser.evaluate(tab)?, false);
    assert_eq!(
        play.browser.evaluate(&tab.replace("session", "local"))?,
        true
    );
    play.run("play.press('Forget')")?;
    assert_eq!(
        play.browser.evaluate(&tab.replace("session", "local"))?,
        false
    );
    // A link opens the form as it was, without the secret.
    play.open("api-reference/create")?;
    play.run("play.set('name', 'Linked'); play.set('password', 'S3CRET')")?;
    let link = play.run("const { link, withoutSecrets } = await import([...performance.getEntriesByType('resource')].find((one) => /store\\.[0-9a-f]+\\.js/.test(one.name)).name); document.execCommand = () => { window.copied = document.activeElement.value; return true; }; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } }); play.press('Copy link to this request'); return window.copied")?;
    let link = link.as_str().ok_or("no link")?.to_owned();
    assert!(link.contains("#try="), "{link}");
    play.browser.evaluate("localStorage.clear()")?;
    play.browser.open("about:blank")?;
    play.browser.open(&link)?;
    play.reach(
        "Boolean(play.dialog()) && play.named('name').querySelector('input').value === 'Linked'",
    )?;
    assert_eq!(
        play.run("return play.named('password').querySelector('input').value")?,
        ""
    );
    Ok(())
}

// spec: oas.x-default.playground accepts
#[test]
fn fields_start_with_what_is_known() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/known")?;
    let asked = play.send()?;
    assert_eq!(asked.target, "/known?q=from%20the%20document");
    assert_eq!(asked.header("authorization"), "Bearer public-token");
    play.run("play.set('q', 'mine'); play.set('other', 'too')")?;
    assert_eq!(play.send()?.target, "/known?q=mine&other=too");
    // The next visit finds it, and the history has both.
    play.open("api-reference/known")?;
    assert_eq!(play.send()?.target, "/known?q=mine&other=too");
    play.run("play.dialog().querySelector('.svc-playground-history').open = true")?;
    let items = "[...play.dialog().querySelectorAll('.svc-playground-history .svc-popup-item')]";
    play.reach(&format!("{items}.length === 4"))?;
    play.run(&format!("{items}[2].click()"))?;
    assert_eq!(play.send()?.target, "/known?q=from%20the%20document");
    play.run("play.press('Reset')")?;
    assert_eq!(play.send()?.target, "/known?q=from%20the%20document");
    Ok(())
}

#[test]
fn an_export_holds_what_its_playground_loads() -> Outcome {
    let made = Made::of_files([
        (
            "docs.json",
            CONFIG.replace("\"SECTIONS\"", "\"GET /closed/thing\""),
        ),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
        ("api.yaml", DOCUMENT.replace("API", "http://api.test:81")),
    ])?;
    let folder = tempfile::tempdir()?;
    made.export(folder.path())?;
    let page = folder.path().join("api-reference/closed/index.html");
    let html = std::fs::read_to_string(&page)?;
    let tags = svc_tests::markup::tags(&html);
    let root = tags
        .iter()
        .find(|tag| tag.get("data-svc-playground").is_some());
    let root = root.ok_or("no playground")?;
    assert_eq!(root.get("data-relay"), None);
    for name in ["data-form", "data-style", "data-texts", "data-call"] {
        let address = root.get(name).unwrap_or_default();
        let file = folder.path().join(address.trim_start_matches('/'));
        assert!(file.is_file(), "{name}: {address}");
    }
    assert!(folder.path().join("_svc/oauth.html").is_file());
    let mut words = 0;
    for entry in std::fs::read_dir(folder.path().join("_svc/assets"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        words += usize::from(name.starts_with("words."));
        let text = std::fs::read_to_string(entry.path())?;
        for (at, _) in text.match_indices("\"./") {
            let other = text[at + 3..].split('"').next().unwrap_or_default();
            let file = folder.path().join("_svc/assets").join(other);
            assert!(file.is_file(), "{name} asks for {other}");
        }
    }
    assert_eq!(words, 1, "only the language of the site");
    // A site without operations has nothing of it.
    let plain = Made::of_files([
        (
            "docs.json",
            CONFIG
                .replace("\"openapi\": \"api.yaml\", ", "")
                .replace(", \"SECTIONS\"", ""),
        ),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
    ])?;
    let folder = tempfile::tempdir()?;
    plain.export(folder.path())?;
    for entry in std::fs::read_dir(folder.path().join("_svc/assets"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        assert!(
            !name.starts_with("form.") && !name.starts_with("words."),
            "{name}"
        );
    }
    assert!(!folder.path().join("_svc/oauth.html").exists());
    Ok(())
}

#[test]
fn policies_let_a_page_call_its_servers_and_nothing_more() -> Outcome {
    let made = Made::of_files([
        (
            "docs.json",
            CONFIG.replace("\"SECTIONS\"", "\"GET /closed/thing\""),
        ),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
        ("api.yaml", DOCUMENT.replace("API", "http://api.test:81")),
    ])?;
    let server = server::serve(made.site)?;
    let mut client = svc_tests::http::Client::connect(server.address)?;
    let mut policy = |path: &str| -> Result<String, Box<dyn Error>> {
        let answer = client.get(path, &[("accept", "text/html")])?;
        assert_eq!(answer.status, 200, "{path}");
        Ok(answer
            .header("content-security-policy")
            .unwrap_or_default()
            .to_owned())
    };
    let page = policy("/api-reference/closed")?;
    assert!(
        page.contains("connect-src 'self' https: http://api.test:81;"),
        "{page}"
    );
    assert!(page.contains("script-src 'self';"), "{page}");
    let plain = policy("/")?;
    assert!(plain.contains("connect-src 'self' https:;"), "{plain}");
    let callback = policy("/_svc/oauth.html")?;
    assert_eq!(
        callback,
        "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    Ok(())
}

#[test]
fn a_link_of_a_stranger_cannot_choose_the_host() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let state = |server: u8, variables: &str| {
        format!(
            "{{\"server\":{server},\"variables\":{variables},\"parameters\":{{}},\"body\":null}}"
        )
    };
    for (state, address) in [
        (state(2, "{\"anything\":\"evil\"}"), "/free/secured"),
        (state(1, "{\"region\":\"evil\"}"), "/north/secured"),
        (state(1, "{\"region\":\"south\"}"), "/south/secured"),
    ] {
        let url = play.server.url("/api-reference/secured");
        let fragment = play.browser.evaluate(&format!("btoa('{state}')"))?;
        play.browser.open("about:blank")?;
        play.browser.open(&format!(
            "{url}#try={}",
            fragment.as_str().unwrap_or_default()
        ))?;
        play.reach(&format!("Boolean(play.dialog()) && play.dialog().querySelector('.svc-playground-address').textContent.endsWith('{address}')"))?;
    }
    Ok(())
}

#[test]
fn scripts_of_the_site_set_server_variables() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Server', '1'); window.mintlify.api.playground.setServerVariables({ region: 'south' })")?;
    let ends = |end: &str| {
        format!(
            "play.dialog().querySelector('.svc-playground-address').textContent.endsWith('{end}')"
        )
    };
    play.reach(&ends("/south/secured"))?;
    play.run("window.svc.api.playground.clearServerVariables(); play.set('region', 'north')")?;
    play.reach(&ends("/north/secured"))
}

#[test]
fn what_is_missing_is_said_at_its_field() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/styles")?;
    play.run("play.press('Send')")?;
    play.reach(
        "play.named('plain').querySelector('input').getAttribute('aria-invalid') === 'true'",
    )?;
    let place = "document.activeElement === play.named('plain').querySelector('input')";
    assert_eq!(play.browser.evaluate(place)?, true);
    let said = play.run("const input = play.named('plain').querySelector('input'); return input.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(' ')")?;
    assert!(said.to_string().contains("A value is needed"), "{said}");
    assert!(play.api.take().is_empty());
    play.open("api-reference/create")?;
    play.run("play.set('name', 'x'); play.set('age', '-1'); play.press('Send')")?;
    play.reach("play.dialog().innerText.includes('Characters: at least 2') && play.dialog().innerText.includes('At least 0')")?;
    // The document may be wrong, so the reader may insist.
    play.run("play.press('Send anyway')")?;
    play.reach("play.idle() && play.status().includes('ms')")
}

#[test]
fn the_playground_works_by_keyboard_alone() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let url = play.server.url("/api-reference/secured");
    play.browser.open(&url)?;
    for _ in 0..80 {
        play.browser.press("Tab")?;
        if play
            .browser
            .evaluate("document.activeElement.matches('[data-svc-try]')")?
            == true
        {
            break;
        }
    }
    play.browser.press("Enter")?;
    play.reach("Boolean(play.dialog()) && play.dialog().contains(document.activeElement)")?;
    let mut stops = Vec::new();
    for _ in 0..40 {
        let at = play.run("const a = document.activeElement; return { of: a.outerHTML.slice(0, 120), inside: play.dialog().contains(a) || a === document.body, send: a.matches('.svc-playground-send') }")?;
        assert_eq!(at["inside"], true, "the focus left the dialog: {at}");
        stops.push(at["of"].to_string());
        if at["send"] == true {
            break;
        }
        play.browser.press("Tab")?;
    }
    assert!(
        stops
            .last()
            .is_some_and(|stop| stop.contains("svc-playground-send")),
        "{stops:#?}"
    );
    play.browser.press("Enter")?;
    play.reach("play.idle() && play.status().includes('200')")?;
    play.browser.press("Escape")?;
    play.reach("!play.dialog() && document.activeElement.matches('[data-svc-try]')")
}

// spec: view.api.mdx accepts
#[test]
fn a_page_by_hand_has_a_playground() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("hand")?;
    play.run("play.set('id', '7'); play.set('name', 'Rex'); play.set('Token', 'abc')")?;
    let asked = play.send()?;
    assert_eq!(asked.target, "/hand/7");
    assert_eq!(asked.header("authorization"), "Bearer abc");
    let body: Value = serde_json::from_str(&asked.text())?;
    assert_eq!(body, json!({ "name": "Rex" }));
    Ok(())
}

#[test]
fn axe_finds_nothing_in_the_dialog() -> Outcome {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let Some(axe) = tools::npm("axe-core/axe.min.js") else {
        return Ok(());
    };
    let source = std::fs::read_to_string(axe)?;
    play.browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    )?;
    for (width, mode) in [
        (1440, "light"),
        (1440, "dark"),
        (500, "light"),
        (500, "dark"),
    ] {
        play.browser.screen(width, 900, mode)?;
        for page in ["secured", "styles", "create", "upload"] {
            play.open(&format!("api-reference/{page}"))?;
            if page == "secured" {
                play.run("play.choose('Authorization', 'oauth'); play.dialog().querySelector('.svc-playground-more').open = true; play.press('Send')")?;
                play.reach("play.idle() && play.status().includes('ms')")?;
            } else if page == "styles" {
                play.run(
                    "play.list('label', ['a', 'b']); play.press('Add deep'); play.press('Send')",
                )?;
            } else if page == "create" {
                play.run("play.press('Add owner'); play.press('Add food'); play.press('Add tags'); play.press('Add self')")?;
            }
            let found = play.browser.evaluate(r#"axe.run(play.dialog(), { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }, resultTypes: ["violations"] }).then((found) => found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html} ${node.failureSummary}`)))"#)?;
            assert_eq!(found, json!([]), "{page} at {width} in {mode}: {found:#}");
        }
    }
    Ok(())
}
