//! Complete and minimal settings.

#[cfg(feature = "acme")]
mod acme;
mod cases;
mod mistakes;
mod schema;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use svc_diagnostics::SourceFile;
use svc_test_support::tls::TestCertificate;

use super::*;

/// A file with every key.
const FULL: &str = include_str!("../full.toml");

/// A hash of a password.
const HASH: &str = "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// An Ed25519 public key.
const PUBLIC_KEY: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";

static CERTIFICATE: LazyLock<TestCertificate> =
    LazyLock::new(|| TestCertificate::new(&["docs.example.com"]));

/// The minimal file.
const SHORT: &str = "data = \"/var/lib/svc\"\n[[projects]]\nid = \"a\"\nhosts = [\"a.example\"]\nsource.folder = \"a\"\n";

fn text(path: &Path) -> io::Result<String> {
    match path.to_str() {
        Some("/etc/svc/webhook.secret") => Ok("hunter2-hunter2-hunter2\n".to_owned()),
        Some(
            "/etc/svc/oidc.secret"
            | "/etc/svc/objects.secret"
            | "/etc/svc/cdn.secret"
            | "/etc/svc/open.secret"
            | "/run/secrets/token"
            | "/etc/svc/handbook.token",
        ) => Ok("hunter2\n".to_owned()),
        Some("/etc/svc/store") => Ok("postgres://svc:hunter2@db.internal/svc\n".to_owned()),
        Some("/etc/svc/tls/fullchain.pem" | "/etc/svc/tls/ca.pem") => Ok(CERTIFICATE.chain.clone()),
        Some("/etc/svc/tls/privkey.pem" | "/etc/svc/tls/open.secret") => {
            Ok(CERTIFICATE.key.clone())
        }
        Some("/etc/svc/empty") => Ok("\n".to_owned()),
        Some("/etc/svc/previews.passwords") => Ok(format!("team:{HASH}\n")),
        Some("/etc/svc/handover.pem") => Ok(PUBLIC_KEY.to_owned()),
        Some("/etc/svc/notes.passwords") => Ok(format!("# team\n\nada:{HASH}:staff,beta\n")),
        Some("/etc/svc/notes.tokens") => Ok(format!("ci:{}:staff:2027-01-01\n", "0a".repeat(32))),
        Some("/etc/svc/bad.passwords") => Ok(format!("ada:hunter2\nada:{HASH}\nada:{HASH}\n")),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such file")),
    }
}

fn read(toml: &str) -> ParsedSettings {
    let surroundings = SettingsEnvironment {
        dir: Path::new("/etc/svc"),
        variable: &|name| match name {
            "HANDBOOK_TOKEN" => Some("hunter2".to_owned()),
            "HANDBOOK_WEBHOOK" => Some("hunter2-hunter2-hunter2".to_owned()),
            _ => None,
        },
        read_text: &text,
        is_dir: &|path| !path.ends_with("missing"),
        is_readable_by_all: &|path| path.ends_with("open.secret"),
    };
    Settings::read(&SourceFile::new("server.toml", toml), &surroundings)
}

/// `line:column code` of all diagnostics.
fn diagnostics(read: &ParsedSettings) -> Vec<String> {
    let location = |diagnostic: &svc_diagnostics::Diagnostic| {
        let location = diagnostic.location_string();
        let location = location.strip_prefix("server.toml:").unwrap_or("");
        format!("{location} {}", diagnostic.code.id)
    };
    read.diagnostics.iter().map(location).collect()
}

#[test]
fn a_readable_or_weak_secret_is_a_warning() {
    let with = |file: &str| {
        let source = format!("source.git = \"/x\"\nwebhook.secret_file = \"{file}\"");
        read(&SHORT.replace("source.folder = \"a\"", &source))
    };
    let short = with("open.secret");
    let codes: Vec<&str> = short
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect();
    assert!(codes.contains(&"settings-secret-readable"), "{codes:?}");
    assert!(codes.contains(&"settings-secret-short"), "{codes:?}");
    assert!(short.settings.is_some() && !short.render_text().contains("hunter2"));
    assert_eq!(diagnostics(&with("webhook.secret")), Vec::<String>::new());
}

#[test]
fn mistakes_of_certificates_are_reported_with_their_file() {
    let with = |tls: &str| {
        let read = read(&format!("{SHORT}[tls]\n{tls}"));
        (diagnostics(&read), read.render_text())
    };
    let pair = |chain: &str, key: &str| {
        with(&format!(
            "certificate_file = \"{chain}\"\nkey_file = \"{key}\"\n"
        ))
    };
    let (found, text) = pair("tls/fullchain.pem", "tls/missing.pem");
    assert_eq!(found, ["8:12 settings-certificate"]);
    assert!(
        text.contains("`/etc/svc/tls/missing.pem` cannot be read"),
        "{text}"
    );
    let (found, text) = pair("tls/privkey.pem", "tls/privkey.pem");
    assert_eq!(found, ["7:20 settings-certificate"]);
    assert!(text.contains("contains no certificate"), "{text}");
    let (found, text) = pair("tls/fullchain.pem", "tls/open.secret");
    assert_eq!(found, ["8:12 settings-secret-readable"]);
    assert!(text.contains("chmod 600"), "{text}");
    assert_eq!(with("").0, ["6:1 settings-missing"]);
    assert_eq!(
        with("certificate_file = \"tls/fullchain.pem\"\n").0,
        ["7:1 settings-conflict"]
    );
    let same = "certificate_file = \"tls/fullchain.pem\"\nkey_file = \"tls/privkey.pem\"\nredirect_listen = \"127.0.0.1:8080\"\n";
    assert_eq!(with(same).0, ["9:19 settings-value"]);
    let files = "certificate_file = \"tls/fullchain.pem\"\nkey_file = \"tls/privkey.pem\"\n";
    let (found, text) = with(&format!("{files}public_port = 443\n"));
    assert_eq!(found, ["9:1 settings-conflict"], "{text}");
    for port in ["0", "65536", "-1"] {
        let line = format!("{files}redirect_listen = \"[::]:80\"\npublic_port = {port}\n");
        let (found, text) = with(&line);
        assert_eq!(found, ["10:15 settings-value"], "{text}");
    }
}

#[test]
fn mistakes_of_readers_are_reported() {
    let with = |readers: &str| {
        let read = read(&format!("{SHORT}[projects.readers]\n{readers}"));
        let text = read.render_text();
        assert!(!text.contains("hunter2"), "{text}");
        let codes = read.diagnostics.iter().map(|problem| problem.code.id);
        (codes.collect::<Vec<_>>(), text)
    };
    let (codes, text) = with("password_file = \"bad.passwords\"\n");
    assert_eq!(codes, ["settings-value", "settings-value"]);
    assert!(
        text.contains("line 1 of") && text.contains("line 3 of"),
        "{text}"
    );
    assert_eq!(
        with("token_file = \"none\"\n").0,
        ["settings-secret-missing"]
    );
    assert_eq!(with("private = true\n").0, ["settings-missing"]);
    let header = "[projects.readers.header]\nuser = \"a b\"\n";
    assert_eq!(with(header).0, ["settings-conflict", "settings-value"]);
    let oidc = "[projects.readers.oidc]\nissuer = \"http://id.example\"\nclient_id = \"a\"\nclient_secret = \"b\"\nscopes = [\"a b\"]\ngroups_delimiter = \",\"\nallowed_domains = \"@x\"\n";
    assert_eq!(
        with(oidc).0,
        [
            "settings-value",
            "settings-secret",
            "settings-value",
            "settings-conflict",
            "settings-value"
        ]
    );
    let handover = "[projects.readers.handover]\npublic_key_file = \"oidc.secret\"\nlogin_url = \"http://app.example\"\n";
    assert_eq!(with(handover).0, ["settings-value", "settings-value"]);
    let both = SHORT.replace("id = ", "serve_protected = true\nid = ");
    let both = format!("{both}[projects.readers]\ntoken_file = \"notes.tokens\"\n");
    assert_eq!(diagnostics(&read(&both)), ["3:1 settings-conflict"]);
}

#[test]
fn trusted_proxies_are_parsed() {
    let trusted = |text: &str| {
        let settings = read(&format!("{text}{SHORT}[admin]\n")).settings.unwrap();
        let texts = |list: &[svc_admin_api::key::Network]| {
            let texts = list.iter().map(ToString::to_string);
            texts.collect::<Vec<_>>().join(" ")
        };
        let admin = texts(&settings.admin.unwrap().trusted_proxies);
        (texts(&settings.trusted_proxies), admin)
    };
    let (defaults, admin) = trusted("");
    assert_eq!((&*defaults, &*admin), ("127.0.0.0/8 ::1", ""));
    let network = "10.0.0.0/8".to_owned();
    assert_eq!(
        trusted("trusted_proxies = [\"10.0.0.0/8\"]\n"),
        (network.clone(), network)
    );
    let none = (String::new(), String::new());
    assert_eq!(trusted("trusted_proxies = []\n"), none);
    let wrong = read(&format!("trusted_proxies = [\"x\"]\n{SHORT}"));
    assert_eq!(diagnostics(&wrong), ["1:20 settings-value"]);
}

#[test]
fn a_file_with_every_key_is_read_in_full() {
    let read = read(FULL);
    assert_eq!(
        diagnostics(&read),
        Vec::<String>::new(),
        "{}",
        read.render_text()
    );
    let settings = read.settings.expect("settings");
    assert_eq!(settings.listen.to_string(), "[::]:8080");
    assert_eq!(settings.data, Path::new("/var/lib/svc"));
    let tls = settings.tls.as_ref().expect("TLS");
    assert_eq!(tls.certificates.len(), 2);
    assert_eq!(
        tls.certificates[0].key,
        Path::new("/etc/svc/tls/privkey.pem")
    );
    assert_eq!(tls.redirect_listen, "[::]:8081".parse().ok());
    assert_eq!(tls.public_port, Some(443));
    assert_eq!(tls.hsts, Some(Duration::from_secs(180 * 86_400)));
    let log = crate::LogOptions {
        format: crate::LogFormat::Json,
        filter: "info,svc_git=debug".parse().unwrap(),
        access: true,
    };
    assert_eq!(settings.log, log);
    let traces = settings.traces.as_ref().expect("traces");
    assert_eq!(traces.endpoint, "http://127.0.0.1:4318/v1/traces");
    assert_eq!(
        (traces.sample_percent, traces.service_name.as_str()),
        (5, "docs")
    );
    assert!(traces.authorization.is_some());
    assert_eq!(settings.git.program, Some(PathBuf::from("/usr/bin/git")));
    assert_eq!(settings.git.file_bytes, 50_000_000);
    assert_eq!(settings.git.total_bytes, 1 << 30);
    assert!(settings.outbound.relay.is_some());
    assert_eq!(settings.outbound.remote_refresh, Duration::from_secs(3_600));
    assert!(settings.outbound.remote_http);
    let [handbook, notes] = settings.projects.as_slice() else {
        panic!("two projects");
    };
    let hosts: Vec<&str> = handbook.hosts.iter().map(Host::as_str).collect();
    assert_eq!(
        hosts,
        ["handbook.docs.example.com", "xn--bcher-kva.example"]
    );
    assert_eq!((handbook.keep, notes.keep), (3, 8));
    assert_eq!(handbook.poll, Some(Duration::from_secs(600)));
    assert_eq!(handbook.site.base_path, "/docs");
    assert_eq!(handbook.site.origin, "https://handbook.docs.example.com");
    let SourceSettings::Git(git) = &handbook.source else {
        panic!("a repository");
    };
    assert_eq!(
        (git.branch.as_str(), git.subdir.as_str()),
        ("live", "packages/docs")
    );
    let token = Some(Credentials::Token {
        user: "git".to_owned(),
        token: Secret::new("hunter2"),
    });
    assert_eq!(git.credentials, token);
    assert_eq!(
        handbook.webhook.as_ref().map(|hook| hook.secret.reveal()),
        Some("hunter2-hunter2-hunter2")
    );
    let cdn = handbook.cdn.as_ref().expect("a CDN");
    assert_eq!(cdn.max_age, Duration::from_secs(7_200));
    let purge = cdn.purge.as_ref().expect("a purge");
    let (name, secret) = purge.header.as_ref().expect("a header");
    assert_eq!((&**name, secret.reveal()), ("Fastly-Key", "hunter2"));
    let previews = handbook.previews.as_ref().expect("previews");
    assert_eq!(
        previews.host.to_string(),
        "{preview}.handbook.docs.example.com"
    );
    assert_eq!(previews.expire, Duration::from_secs(7 * 86_400));
    assert_eq!(previews.branches, ["*", "!wip/*"]);
    assert!(previews.guessable && previews.passwords.len() == 1);
    let private = handbook.preview_readers().expect("readers of previews");
    assert!(handbook.readers.is_none() && private.private);
    let dir = SourceSettings::Dir {
        path: PathBuf::from("/etc/svc/notes"),
        watch: true,
    };
    assert_eq!(notes.source, dir);
    let readers = notes.readers.as_ref().expect("readers");
    let header = readers.header.as_ref().expect("headers");
    assert_eq!(header.user, "x-auth-request-user");
    assert_eq!((readers.passwords.len(), readers.tokens.len()), (1, 1));
    assert_eq!(readers.passwords[0].groups.len(), 2);
    assert!(readers.private && readers.tokens[0].until.is_some());
    let oidc = readers.oidc.as_ref().expect("a provider");
    assert_eq!(oidc.provider.client_id, "notes");
    assert_eq!(oidc.scopes, ["email", "profile", "groups"]);
    assert_eq!(oidc.allowed_domains, ["example.com"]);
    assert_eq!(oidc.groups_claim.as_deref(), Some("realm_access.roles"));
    assert_eq!(oidc.groups_delimiter.as_deref(), Some(","));
    assert_eq!(oidc.renew_after, Duration::from_secs(1_800));
    let handover = readers.handover.as_ref().expect("a page");
    assert_eq!(handover.public_key[0], 0x19);
    assert_eq!(handover.login_url, "https://app.example.com/docs-login");
    assert_eq!(handover.name, "Example app");
    assert_eq!(notes.site.audience, svc_site::Audience::Outsiders);
    assert!(notes.site.sign_in && !handbook.site.sign_in);
    let objects = settings.objects.as_ref().map(ToString::to_string);
    assert_eq!(objects.as_deref(), Some("s3://svc-docs/production"));
    assert!(!format!("{settings:?}").contains("hunter2"));
}

#[test]
fn mistakes_of_a_cdn_are_reported() {
    let with = |cdn: &str| {
        let read = read(&format!("{SHORT}{cdn}"));
        assert!(!read.render_text().contains("hunter2"));
        diagnostics(&read)
    };
    assert_eq!(with("[projects.cdn]\n"), Vec::<String>::new());
    let url = "[projects.cdn]\npurge_url = \"https://cdn.example/purge\"\n";
    assert_eq!(with(url), Vec::<String>::new());
    assert_eq!(
        with("[projects.cdn]\npurge_url = \"ftp://cdn.example\"\n"),
        ["7:13 settings-value"]
    );
    assert_eq!(
        with("[projects.cdn]\npurge_secret_file = \"cdn.secret\"\n"),
        ["7:1 settings-conflict"]
    );
    let named = |name: &str| with(&format!("{url}purge_header = \"{name}\"\n"));
    assert_eq!(named("Fastly-Key"), ["8:16 settings-conflict"]);
    assert_eq!(
        named("a b"),
        ["8:16 settings-value", "8:16 settings-conflict"]
    );
    let secret = format!("{url}purge_secret = \"hunter2\"\n");
    assert_eq!(with(&secret), ["8:1 settings-secret"]);
    let readers = "[projects.cdn]\n[projects.readers]\ntoken_file = \"notes.tokens\"\n";
    assert_eq!(with(readers), ["6:11 settings-conflict"]);
}

#[test]
fn mistakes_of_the_object_store_are_reported() {
    let with = |objects: &str| {
        let admin = "[admin]\nstore_file = \"store\"\n";
        let read = read(&format!("{SHORT}{admin}[objects]\n{objects}"));
        let text = read.render_text();
        assert!(!text.contains("hunter2"), "{text}");
        (diagnostics(&read), text)
    };
    let none = Vec::<String>::new();
    assert_eq!(with("url = \"file:///srv/objects\"\n").0, none);
    let key = "access_key = \"a\"\nsecret_key_file = \"objects.secret\"\n";
    assert_eq!(with(&format!("url = \"s3://docs/a\"\n{key}")).0, none);
    let (found, text) = with("url = \"gs://docs\"\n");
    assert_eq!(found, ["9:7 settings-value"]);
    assert!(text.contains("s3://BUCKET/PREFIX"), "{text}");
    assert_eq!(
        with("url = \"s3://docs\"\n").0,
        ["8:1 settings-missing", "8:1 settings-missing"]
    );
    assert_eq!(
        with(&format!("url = \"file:///srv\"\n{key}")).0,
        ["10:1 settings-conflict", "11:1 settings-conflict"]
    );
    let endpoint = format!("url = \"s3://docs\"\nendpoint = \"https://\"\n{key}");
    assert_eq!(with(&endpoint).0, ["10:12 settings-value"]);
    let secret = "url = \"s3://docs\"\naccess_key = \"a\"\nsecret_key = \"hunter2\"\n";
    assert_eq!(with(secret).0, ["11:1 settings-secret"]);
    let alone = read(&format!("{SHORT}[objects]\nurl = \"file:///srv\"\n"));
    assert_eq!(diagnostics(&alone), ["6:2 settings-conflict"]);
}

#[test]
fn the_tables_of_the_administration_are_read_in_full() {
    let settings = read(FULL).settings.expect("settings");
    let admin = settings.admin.expect("an administration");
    assert_eq!(admin.listen, "127.0.0.1:8081".parse().ok());
    let host = admin.host.as_ref().map(Host::as_str);
    assert_eq!(host, Some("admin.docs.example.com"));
    assert_eq!(admin.store.reveal(), "postgres://svc@db.internal/svc");
    assert_eq!(admin.trusted_proxies.len(), 2);
    assert_eq!(admin.archive, Some(Duration::from_secs(90 * 86_400)));
    assert_eq!(admin.audit, Duration::from_secs(800 * 86_400));
    assert_eq!(
        (admin.rates.key.burst, admin.rates.prompts.burst),
        (300, 50)
    );
    let oidc = admin.oidc.expect("a service");
    assert_eq!(oidc.emails, ["ada@example.com"]);
    assert_eq!(oidc.provider.client_secret.reveal(), "hunter2");
    let agent = settings.agent.expect("an agent");
    assert_eq!(agent.command, ["/usr/local/bin/agent", "--quiet"]);
    assert_eq!((agent.concurrency, &*agent.model), (2, "writer-2"));
    let author = ("Docs agent", "docs-agent@example.com");
    assert_eq!((&*agent.author.0, &*agent.author.1), author);
    let of = |project: &ProjectSettings| project.agent.clone();
    let handbook = settings.projects.first().and_then(of).expect("an agent");
    let forge = ForgeSettings::BuiltIn {
        kind: ForgeApi::GitLab,
        url: Some("https://git.example.com".to_owned()),
    };
    assert_eq!(handbook.forge, forge);
    let credentials = Credentials::Token {
        user: "oauth2".to_owned(),
        token: handbook.token.expect("a token"),
    };
    assert_eq!(handbook.credentials, Some(credentials));
}

#[test]
fn an_agent_can_push_with_a_key_and_open_requests_with_a_token() {
    let agent = |lines: &str| {
        let text = format!(
            "{SHORT}[projects.agent]\nrepository = \"ssh://git@a.example/b.git\"\n{lines}\
             [admin]\n[agent]\ncommand = \"a\"\n"
        );
        let read = read(&text);
        let settings = read
            .settings
            .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
        let project = settings.projects.into_iter().next().expect("a project");
        project.agent.expect("an agent")
    };
    let with_both = agent(
        "forge = \"gitea\"\ntoken_env = \"HANDBOOK_TOKEN\"\nssh_key = \"key\"\nknown_hosts = \"known\"\n",
    );
    assert!(with_both.token.is_some());
    let key = Credentials::Key {
        file: PathBuf::from("/etc/svc/key"),
        known_hosts: Some(PathBuf::from("/etc/svc/known")),
    };
    assert_eq!(with_both.credentials, Some(key));
    let with_neither = agent("forge_command = \"open\"\n");
    assert_eq!((with_neither.token, with_neither.credentials), (None, None));
}

#[test]
fn agents_can_use_a_local_repository() {
    let repository = |text: &str| {
        let read = read(&text.replace(
            "FORGE",
            "forge_command = \"open\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        ));
        let settings = read.settings.expect("settings");
        let agent = settings.agent.expect("an agent");
        assert_eq!(agent.author.0, "svc agent");
        let project = settings.projects.into_iter().next().expect("a project");
        project.agent.expect("an agent").repository.to_string()
    };
    let local = format!("{SHORT}[projects.agent]\nrepository = \"/srv/a b.git\"\nFORGE");
    assert_eq!(repository(&local), "file:///srv/a%20b.git");
}

#[test]
fn the_administration_listens_on_loopback_by_default() {
    let read = read(&format!("{SHORT}[admin]\n"));
    let settings = read.settings.expect("settings");
    let defaults = AdminSettings::with_defaults(&settings.data);
    assert_eq!(settings.admin, Some(defaults.clone()));
    assert_eq!(defaults.listen, "127.0.0.1:8081".parse().ok());
    assert_eq!(defaults.store.reveal(), "sqlite:/var/lib/svc/admin.sqlite");
}

#[test]
fn an_administration_with_a_host_needs_no_listener() {
    let at = |lines: &str| {
        let read = read(&format!(
            "{SHORT}[admin]\nhost = \"admin.example\"\n{lines}"
        ));
        read.settings.expect("settings").admin.expect("one").listen
    };
    assert_eq!(at(""), None);
    assert!(at("listen = \"127.0.0.1:9000\"\n").is_some());
}

#[test]
fn the_store_password_is_read_from_a_file_and_is_not_printed() {
    let read = read(&format!("{SHORT}[admin]\nstore_file = \"store\"\n"));
    let settings = read.settings.expect("settings");
    assert!(!format!("{settings:?}").contains("hunter2"));
    let store = settings.admin.expect("one").store;
    assert_eq!(store.reveal(), "postgres://svc:hunter2@db.internal/svc");
}

#[test]
fn the_file_in_the_guide_is_valid() {
    let guide = include_str!("../../../../../docs/guides/server-settings.mdx");
    let begin = "```toml server.toml\n";
    let block = guide.split_once(begin).expect("a block").1;
    let read = read(block.split_once("```").expect("its end").0);
    assert_eq!(
        diagnostics(&read),
        Vec::<String>::new(),
        "{}",
        read.render_text()
    );
    assert_eq!(
        read.settings.map(|settings| settings.projects.len()),
        Some(2)
    );
}

#[test]
fn the_full_file_contains_every_key() {
    for table in server::tables() {
        for key in table.keys {
            let seldom = matches!(
                key.value_type,
                table::ValueType::Reserved | table::ValueType::Forbidden
            ) || ["ssh_key", "known_hosts", "store_file", "forge_command"]
                .contains(&key.name)
                || key.name.ends_with("_env");
            let written = [format!("\n{} = ", key.name), format!("{}]", key.name)];
            // Some keys exclude each other.
            let all = format!("\n{FULL}\n{}", include_str!("../acme.toml"));
            let exists = written.iter().any(|text| all.contains(text.as_str()));
            assert!(exists || seldom, "{}.{}", table.name, key.name);
        }
    }
}

#[test]
fn a_minimal_file_gets_the_documented_defaults() {
    let settings = read(SHORT).settings.expect("settings");
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!((settings.keep, settings.max_builds), (5, 1));
    let source = SourceSettings::Dir {
        path: "/etc/svc/a".into(),
        watch: false,
    };
    let host = Host::parse("a.example").expect("a host");
    let defaults = Settings {
        projects: vec![ProjectSettings::with_defaults("a", host, source)],
        ..Settings::with_defaults(Path::new("/var/lib/svc"))
    };
    assert_eq!(settings, defaults);
    let git = SHORT.replace("folder = \"a\"", "git = \"https://a.example/b\"");
    let git = read(&git).settings.expect("settings");
    let source = SourceSettings::Git(GitSource::with_defaults("https://a.example/b"));
    assert_eq!(git.projects[0].source, source);
    // Missing tables have the same defaults as empty ones.
    let empty = read(&SHORT.replace("[[", "git = {}\noutbound = {}\n[["));
    assert_eq!(empty.settings.as_ref(), Some(&settings));
}
