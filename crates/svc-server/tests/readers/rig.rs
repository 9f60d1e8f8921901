//! A site with pages for several groups, and a server with readers.

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

/// Pages of the site, by the group that may read them; an empty name means all who have signed in,
/// `-` everybody.
pub(crate) const PAGES: [(&str, &str); 6] = [
    ("index", "-"),
    ("open", "-"),
    ("members", ""),
    ("staff-only", "staff"),
    ("admin-only", "admin"),
    ("hidden-admin", "admin"),
];
/// Operations in the same way.
pub(crate) const OPERATIONS: [(&str, &str); 3] =
    [("ping", "-"), ("report", "staff"), ("wipe", "admin")];

/// Parts of the first page in the same way. No page is for the group `vip`.
pub(crate) const PARTS: [(&str, &str); 3] = [
    ("part-admin", "admin"),
    ("part-vip", "vip"),
    ("part-member", ""),
];

/// Text that is only on one page, operation or part of a page.
pub(crate) fn mark(name: &str) -> String {
    format!("Zq{}canary", name.replace('-', ""))
}

pub(crate) fn parts() -> String {
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

/// The front matter of a page for a group.
pub(crate) fn access(group: &str) -> String {
    match group {
        "-" => String::new(),
        "" => "public: false\n".to_owned(),
        group => format!("groups: [{group}]\n"),
    }
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
        let access = access(group);
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

pub(crate) fn digest(token: &str) -> String {
    let digest = Sha256::digest(token);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn start(readers: &str) -> ReaderServer {
    start_below("", readers)
}

pub(crate) fn start_below(base_path: &str, readers: &str) -> ReaderServer {
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
pub(crate) fn launch(base: tempfile::TempDir) -> ReaderServer {
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

    pub(crate) fn deploy(&self) {
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
