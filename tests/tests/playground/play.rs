//! A page with a playground, and an API that records its requests.

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_site::{LoadOptions, SiteOptions};
use svc_source::SourceTree;
use svc_tests::api::{RecordedRequest, StubApi};
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

pub(crate) type TestResult = Result<(), Box<dyn Error>>;

pub(crate) const CONFIG: &str = r##"{
  "theme": "svc", "name": "Harbour", "colors": { "primary": "#0f766e" },
  "api": { "playground": { "proxy": false } },
  "navigation": { "openapi": "api.yaml", "pages": ["index", "SECTIONS"] }
}"##;

/// Operations as YAML below `paths`, and security schemes.
pub(crate) const DOCUMENT: &str = r##"
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
                serial: { type: integer }
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
        - { name: flag, in: query, allowEmptyValue: true, schema: { type: string, minLength: 2 } }
        - { name: count, in: query, schema: { type: integer, maximum: 9223372036854775807 } }
      responses: { "200": { description: Good } }
  /closed/thing:
    get: { summary: Closed, responses: { "200": { description: Good } } }
    put: { summary: Closed put, parameters: [{ name: X-Own, in: header, required: true, schema: { type: string } }], responses: { "200": { description: Good } } }
"##;

/// Operations without parameters, by path.
const PLAIN_OPERATIONS: [&str; 9] = [
    "events", "lines", "slow", "picture", "page", "large", "number", "bytes", "nothing",
];

/// Helper functions of the tests in the page.
pub(crate) const HELP: &str = r#"
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
    const button = [...from.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent).trim() === name);
    if (!button) throw new Error(`no button ${name}`);
    button.click();
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
    response: () => dialog().querySelector(".svc-playground-answer").textContent,
    idle: () => !dialog().querySelector(".svc-playground-send").hasAttribute("data-busy"),
  };
})();
"#;

/// A browser, a site and the API that it documents.
pub(crate) struct Play {
    pub(crate) browser: Browser,
    pub(crate) server: server::RunningServer,
    pub(crate) api: StubApi,
}

/// Starts all of them; `None` if the machine has no browser.
pub(crate) fn start() -> Result<Option<Play>, Box<dyn Error>> {
    start_with(false)
}

/// Like [`start`], with a server that relays requests.
pub(crate) fn start_with(relay: bool) -> Result<Option<Play>, Box<dyn Error>> {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    let api = StubApi::start()?;
    let mut document = DOCUMENT.replace("API", &api.url());
    for path in PLAIN_OPERATIONS {
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
    let options = LoadOptions::from(SiteOptions {
        relay,
        ..SiteOptions::default()
    });
    let made = LoadedSite::from(svc_site::assemble(SourceTree::from_files(files), &options)?);
    let server = if relay {
        server::serve_with_relay(made.site, &["127.0.0.1"])?
    } else {
        server::serve(made.site)?
    };
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
    pub(crate) fn open(&mut self, page: &str) -> TestResult {
        let url = self.server.url(&format!("/{page}"));
        self.browser.open(&format!("{url}?playground=open"))?;
        self.reach("Boolean(play.dialog())")
    }

    /// Runs a script in the page.
    pub(crate) fn run(&mut self, script: &str) -> Result<Value, Box<dyn Error>> {
        self.browser
            .evaluate(&format!("(async () => {{ {script} }})()"))
    }

    /// Waits until an expression is true.
    pub(crate) fn reach(&mut self, expression: &str) -> TestResult {
        let start = Instant::now();
        loop {
            // Evaluation fails while a page is being replaced.
            let value = self.browser.evaluate(expression);
            if value.as_ref().is_ok_and(|value| *value == true) {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(10) {
                let dialog = self.browser.evaluate(
                    "play.dialog()?.innerText ?? document.body.innerText.slice(0, 2000)",
                )?;
                let complaints = &self.browser.complaints;
                let what = format!("{expression} is never true: {value:?} {dialog} {complaints:?}");
                return Err(what.into());
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Sends the request and returns the request that the API received.
    pub(crate) fn send(&mut self) -> Result<RecordedRequest, Box<dyn Error>> {
        self.api.take();
        self.run("play.press('Send')")?;
        self.reach("play.idle() && play.status().includes('ms')")?;
        let requests = self.api.take();
        requests
            .into_iter()
            .next_back()
            .ok_or_else(|| "the API received no request".into())
    }
}
