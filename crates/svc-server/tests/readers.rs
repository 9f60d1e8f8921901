//! Readers who sign in: what each of them gets from every surface of a site.
// Long because all tests use the same site and the same server.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use argon2::password_hash::PasswordHasher as _;
use argon2::{Algorithm, Argon2, Params, Version};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use svc_server::{DeployRequest, Limits, Projects, Settings, Trigger};

const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
pub(crate) const PASSWORD: &str = "correct horse battery";
/// Maximum number of addresses that the crawler of a role requests.
const MAX_REQUESTS: usize = 2_000;

/// Pages of the site, by the group that may read them; an empty name means all who have signed in,
/// `-` everybody.
const PAGES: [(&str, &str); 6] = [
    ("index", "-"),
    ("open", "-"),
    ("members", ""),
    ("staff-only", "staff"),
    ("admin-only", "admin"),
    ("hidden-admin", "admin"),
];
/// Operations in the same way.
const OPERATIONS: [(&str, &str); 3] = [("ping", "-"), ("report", "staff"), ("wipe", "admin")];

/// Parts of the first page in the same way. No page is for the group `vip`.
const PARTS: [(&str, &str); 3] = [
    ("part-admin", "admin"),
    ("part-vip", "vip"),
    ("part-member", ""),
];

/// Text that is only on one page, operation or part of a page.
fn mark(name: &str) -> String {
    format!("Zq{}canary", name.replace('-', ""))
}

fn parts() -> String {
    let part = |(name, group): (&str, &str)| {
        let rule = match group {
            "" => "\"signed-in\"".to_owned(),
            group => format!("{{{{ groups: [\"{group}\"] }}}}"),
        };
        let mark = mark(name);
        format!("\n<Visibility for={rule}>\n## Part {mark}\n\nText {mark}.\n</Visibility>\n")
    };
    PARTS.into_iter().map(part).collect()
}

pub(crate) fn write_site(dir: &std::path::Path) {
    std::fs::create_dir_all(dir).unwrap();
    let config = r##"{"theme": "svc", "name": "Handbook", "colors": {"primary": "#0a7d4f"}, "seo": {"indexing": "all"},
        "contextual": {"options": ["copy", "download-spec"]},
        "navbar": {"links": [{"label": "Menu Zqadminonlycanary", "href": "/admin-only"}], "primary": {"type": "button", "label": "Start Zqstaffonlycanary", "href": "/staff-only"}},
        "footer": {"links": [{"header": "Foot", "items": [{"label": "Foot Zqadminonlycanary", "href": "/admin-only"}]}]},
        "redirects": [{"source": "/old-admin", "destination": "/admin-only"}],
        "navigation": {"groups": [
            {"group": "Guides", "pages": ["index", "open", "members", "staff-only", "admin-only"]},
            {"group": "API", "openapi": "api.yaml"}]}}"##;
    std::fs::write(dir.join("docs.json"), config).unwrap();
    for (name, group) in PAGES {
        let mark = mark(name);
        let access = match group {
            "-" => String::new(),
            "" => "public: false\n".to_owned(),
            group => format!("groups: [{group}]\n"),
        };
        let text = format!(
            "---\ntitle: Title {mark}\ndescription: About {mark}\n{access}---\n\nText {mark}. ![i](/{mark}.svg)\n\n## Heading {mark}\n\n<Update label=\"{mark}\">x</Update>\n"
        );
        let parts = match name {
            "index" => parts(),
            _ => String::new(),
        };
        std::fs::write(dir.join(format!("{name}.mdx")), text + &parts).unwrap();
        let image = format!("<svg xmlns='http://www.w3.org/2000/svg'><!--{mark}--></svg>");
        std::fs::write(dir.join(format!("{mark}.svg")), image).unwrap();
    }
    let operation = |(name, group): (&str, &str)| {
        let mark = mark(name);
        let access = match group {
            "-" => String::new(),
            group => format!("x-svc: {{groups: [{group}]}}, "),
        };
        format!(
            "  /{name}:\n    get: {{{access}operationId: op{mark}, summary: Summary {mark}, responses: {{'200': {{description: R {mark}}}}}}}\n"
        )
    };
    let operations: String = OPERATIONS.into_iter().map(operation).collect();
    let api = format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\nservers: [{{url: 'https://api.example.com'}}]\npaths:\n{operations}"
    );
    std::fs::write(dir.join("api.yaml"), api).unwrap();
}

pub(crate) struct ReaderServer {
    endpoint: Endpoint,
    pub(crate) base: tempfile::TempDir,
    projects: Option<tokio::task::JoinHandle<()>>,
    deployer: svc_server::Deployer,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    runtime: tokio::runtime::Runtime,
}

impl Drop for ReaderServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(projects) = self.projects.take() {
            let _ = self.runtime.block_on(projects);
        }
    }
}

/// A hash of a password that is fast to compute.
pub(crate) fn cheap_hash(password: &str) -> String {
    let params = Params::new(64, 1, 1, None).unwrap();
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash = hasher.hash_password_with_salt(password.as_bytes(), &[7; 16]);
    hash.unwrap().to_string()
}

fn digest(token: &str) -> String {
    let digest = Sha256::digest(token);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn start(readers: &str) -> ReaderServer {
    start_below("", readers)
}

fn start_below(base_path: &str, readers: &str) -> ReaderServer {
    start_behind("192.0.2.0/24", base_path, readers)
}

pub(crate) fn start_behind(proxy: &str, base_path: &str, readers: &str) -> ReaderServer {
    let base = tempfile::tempdir().unwrap();
    write_site(&base.path().join("site"));
    let hash = cheap_hash(PASSWORD);
    let passwords = format!("ada:{hash}:staff,admin,vip\nsam:{hash}:staff\nmia:{hash}\n");
    let tokens = format!(
        "ci:{}:staff\nold:{}:admin:2020-01-01\n",
        digest("token-ci"),
        digest("token-old")
    );
    std::fs::write(base.path().join("passwords"), passwords).unwrap();
    std::fs::write(base.path().join("tokens"), tokens).unwrap();
    let files = base.path();
    std::fs::write(files.join("oidc.secret"), crate::readers_oidc::SECRET).unwrap();
    let public_key = crate::readers_oidc::public_key_pem();
    std::fs::write(files.join("handover.pem"), public_key).unwrap();
    let base_path = match base_path {
        "" => String::new(),
        path => format!("base_path = \"{path}\"\n"),
    };
    let settings = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\ntrusted_proxies = [\"{proxy}\"]\n[outbound]\noffline = true\n[[projects]]\nid = \"docs\"\nhosts = [\"docs.example.com\"]\n{base_path}[projects.source]\nfolder = \"site\"\n[projects.readers]\npassword_file = \"passwords\"\ntoken_file = \"tokens\"\n{readers}"
    );
    std::fs::write(base.path().join("server.toml"), settings).unwrap();
    launch(base)
}

/// Starts the server of a folder.
fn launch(base: tempfile::TempDir) -> ReaderServer {
    let parsed = Settings::from_file(&base.path().join("server.toml")).unwrap();
    let settings = parsed
        .settings
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let projects = runtime
        .block_on(Projects::start(settings, Limits::default()))
        .unwrap();
    let (addr, deployer) = (projects.local_addr().unwrap(), projects.deployer().clone());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let task = runtime.spawn(projects.run(|| None, async {
        let _ = stopped.await;
    }));
    let endpoint = Endpoint {
        addr,
        host: "docs.example.com".to_owned(),
    };
    let server = ReaderServer {
        endpoint,
        base,
        projects: Some(task),
        deployer,
        stop: Some(stop),
        runtime,
    };
    server.deploy();
    server
}

/// A response as text, with its status.
pub(crate) struct TextResponse {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl TextResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// A host of a server.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) addr: SocketAddr,
    pub(crate) host: String,
}

impl std::ops::Deref for ReaderServer {
    type Target = Endpoint;

    fn deref(&self) -> &Endpoint {
        &self.endpoint
    }
}

impl ReaderServer {
    /// Starts the server another time, with the same data.
    pub(crate) fn restart(mut self) -> Self {
        let base = std::mem::replace(&mut self.base, tempfile::tempdir().unwrap());
        drop(self);
        launch(base)
    }

    /// Starts the server another time, with the key of another server.
    pub(crate) fn restart_with_key(mut self, key: &std::path::Path) -> Self {
        let base = std::mem::replace(&mut self.base, tempfile::tempdir().unwrap());
        drop(self);
        std::fs::copy(key, base.path().join("data/readers.key")).unwrap();
        launch(base)
    }

    fn deploy(&self) {
        let id = self
            .deployer
            .trigger(DeployRequest::live("docs", Trigger::Command))
            .unwrap();
        self.deployer.wait(&id, WAIT_TIMEOUT).unwrap();
    }
}

impl Endpoint {
    pub(crate) fn send(&self, head: &str, headers: &str, body: &str) -> TextResponse {
        let mut stream = TcpStream::connect(self.addr).unwrap();
        let length = match body {
            "" => String::new(),
            body => format!("content-length: {}\r\n", body.len()),
        };
        let host = &self.host;
        write!(
            stream,
            "{head} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}{length}\r\n{body}"
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        TextResponse {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str, headers: &str) -> TextResponse {
        self.send(&format!("GET {path}"), headers, "")
    }

    pub(crate) fn sign_in(&self, form: &str, headers: &str) -> TextResponse {
        let headers = format!("content-type: application/x-www-form-urlencoded\r\n{headers}");
        self.send("POST /_svc/sign-in", &headers, form)
    }

    /// The header with the cookie of a reader.
    pub(crate) fn cookie(&self, name: &str) -> String {
        let form = format!("name={name}&password={}", PASSWORD.replace(' ', "+"));
        let response = self.sign_in(&form, "");
        assert_eq!(response.status, 303, "{}", response.head);
        let cookie = response
            .header("set-cookie")
            .unwrap()
            .split(';')
            .next()
            .unwrap();
        format!("cookie: {cookie}\r\n")
    }

    pub(crate) fn call(&self, tool: &str, arguments: &Value, headers: &str) -> TextResponse {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments,
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}});
        let headers = format!(
            "content-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n{headers}"
        );
        self.send("POST /mcp", &headers, &body.to_string())
    }
}

/// Addresses that every site has, and those that readers may guess.
fn known_urls() -> Vec<String> {
    let fixed = [
        "/",
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.xml",
        "/robots.txt",
        "/rss.xml",
        "/skill.md",
        "/api-specs.zip",
        "/api.yaml",
        "/docs.json",
        "/search?q=canary",
        "/_svc/search?q=canary",
        "/_svc/search?q=Zq",
        "/_svc/search?q=Zqadminonlycanar",
        "/old-admin",
        "/missing",
        "/admin",
        "/.well-known/mcp",
        "/.well-known/mcp.json",
        "/.well-known/api-catalog",
        "/.well-known/agent-skills/index.json",
        "/mcp",
        "/_svc/reader",
        "/_svc/sign-in",
        "/api/api.md",
        "/_svc/health",
    ];
    let mut all: Vec<String> = fixed.map(str::to_owned).into();
    for (name, _) in PAGES {
        for form in [
            format!("/{name}"),
            format!("/{name}.md"),
            format!("/{name}/rss.xml"),
        ] {
            all.push(form);
        }
        all.push(format!("/{}.svg", mark(name)));
    }
    for (name, _) in OPERATIONS {
        let slug = format!("api-reference/summary-{}", mark(name).to_lowercase());
        all.push(format!("/{slug}"));
        all.push(format!("/{slug}.md"));
        all.push(format!("/_svc/api/{slug}/call.json"));
    }
    all
}

/// Addresses of the site at a host in a text.
fn urls_in(text: &str, host: &str) -> BTreeSet<String> {
    let origins = ["http", "https"].map(|scheme| format!("{scheme}://{host}"));
    let mut out = BTreeSet::new();
    let ends = |c: char| "\"'()<>[] \n\t`,;".contains(c);
    for part in text.split(ends) {
        let mut own = origins
            .iter()
            .filter_map(|origin| part.strip_prefix(origin));
        let part = own.next().unwrap_or(part);
        let path = part.split('#').next().unwrap_or(part).replace("&amp;", "&");
        let is_plain = path
            .bytes()
            .all(|b| b.is_ascii_graphic() && !b"\\^`{|}*$".contains(&b));
        if is_plain
            && path.starts_with('/')
            && !path.starts_with("//")
            && !path.starts_with("/_svc/assets/")
        {
            out.insert(path);
        }
    }
    out
}

/// What a reader gets.
#[derive(Default)]
pub(crate) struct Crawl {
    pub(crate) requests: usize,
    /// All marks in lower case, with the text around the first.
    marks: BTreeMap<String, String>,
}

impl Crawl {
    /// Adds the marks of a text, except for those that are in `known`.
    fn add(&mut self, text: &str, known: &str) {
        let (text, known) = (text.to_lowercase(), known.to_lowercase());
        for (at, _) in text.match_indices("zq") {
            let rest = text.get(at..).unwrap_or_default();
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric());
            let word = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            let mark = word.find("canary").map(|end| &word[..end + 6]);
            if let Some(mark) = mark.filter(|mark| !known.contains(mark)) {
                let around = text.floor_char_boundary(at.saturating_sub(200))
                    ..text.ceil_char_boundary((at + 100).min(text.len()));
                let around = || text[around].to_owned();
                self.marks.entry(mark.to_owned()).or_insert_with(around);
            }
        }
    }

    /// Checks that a mark was seen by readers who may see it, and by no others.
    pub(crate) fn check(&self, mark: &str, may_see: bool) {
        let around = self.marks.get(&mark.to_lowercase());
        assert_eq!(around.is_some(), may_see, "{mark}: {around:?}");
    }
}

/// Whether readers with groups who have signed in or not may see what is for a group.
pub(crate) fn may_see(group: &str, groups: &[&str], is_signed_in: bool) -> bool {
    match group {
        "-" => true,
        "" => is_signed_in,
        group => groups.contains(&group),
    }
}

/// Requests everything that a reader can get, and `more` addresses, and passes each response to
/// `each`.
pub(crate) fn crawl(
    server: &Endpoint,
    headers: &str,
    more: &[String],
    each: &mut dyn FnMut(&str),
) -> Crawl {
    let mut queue: VecDeque<String> = known_urls().into();
    queue.extend(more.iter().cloned());
    let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
    let mut result = Crawl::default();
    while let Some(path) = queue.pop_front() {
        result.requests += 1;
        if result.requests > MAX_REQUESTS {
            break;
        }
        let response = server.get(&path, headers);
        assert!(response.status < 500, "{path}: {}", response.head);
        for link in urls_in(&response.body, &server.host) {
            if seen.insert(link.clone()) {
                queue.push_back(link);
            }
        }
        // What was requested is no news.
        let known = if response.status == 404 { &path } else { "" };
        for text in [&response.head, &response.body] {
            result.add(text, known);
            each(text);
        }
    }
    for (tool, arguments) in [
        ("search", json!({"query": "canary", "limit": 20})),
        (
            "search",
            json!({"query": "Heading Title About", "limit": 20}),
        ),
        ("list", json!({})),
        ("grep", json!({"pattern": "Zq[a-z0-9]+canary"})),
        (
            "read",
            json!({"paths": ["/admin-only", "/staff-only", "/members", "/hidden-admin"]}),
        ),
        ("api", json!({"method": "GET", "path": "/wipe"})),
        ("api", json!({"method": "GET", "path": "/report"})),
    ] {
        let response = server.call(tool, &arguments, headers);
        result.requests += 1;
        result.add(&response.body, "");
        each(&response.body);
    }
    result
}

fn check(server: &Endpoint, headers: &str, groups: &[&str], is_signed_in: bool) {
    let crawl = crawl(server, headers, &[], &mut |_| {});
    check_marks(&crawl, groups, is_signed_in);
}

/// Checks that a reader got what readers with these groups may see, and nothing else.
pub(crate) fn check_marks(crawl: &Crawl, groups: &[&str], is_signed_in: bool) {
    for (name, group) in PAGES.iter().chain(&OPERATIONS).chain(&PARTS) {
        crawl.check(&mark(name), may_see(group, groups, is_signed_in));
    }
}

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
