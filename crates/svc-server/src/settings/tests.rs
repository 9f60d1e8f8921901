//! Files with everything, with nothing, and with every kind of mistake.

// Long because it is a flat list of mistakes, each with the place where it is found.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;
use svc_diagnostics::{Severity, SourceFile};

use super::*;

/// A file that uses every key.
const FULL: &str = include_str!("full.toml");

/// The shortest file there is.
const SHORT: &str = "data = \"/var/lib/svc\"\n[[projects]]\nid = \"a\"\nhosts = [\"a.example\"]\nsource.folder = \"a\"\n";

fn text(path: &Path) -> io::Result<String> {
    match path.to_str() {
        Some("/etc/svc/webhook.secret") => Ok("hunter2-hunter2-hunter2\n".to_owned()),
        Some(
            "/etc/svc/oidc.secret"
            | "/etc/svc/open.secret"
            | "/run/secrets/token"
            | "/etc/svc/handbook.token",
        ) => Ok("hunter2\n".to_owned()),
        Some("/etc/svc/store") => Ok("postgres://svc:hunter2@db.internal/svc\n".to_owned()),
        Some("/etc/svc/empty") => Ok("\n".to_owned()),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such file")),
    }
}

fn read(toml: &str) -> ReadSettings {
    let surroundings = Surroundings {
        folder: Path::new("/etc/svc"),
        variable: &|name| match name {
            "HANDBOOK_TOKEN" => Some("hunter2".to_owned()),
            "HANDBOOK_WEBHOOK" => Some("hunter2-hunter2-hunter2".to_owned()),
            _ => None,
        },
        text: &text,
        is_folder: &|path| !path.ends_with("missing"),
        is_readable_by_all: &|path| path.ends_with("open.secret"),
    };
    Settings::read(&SourceFile::new("server.toml", toml), &surroundings)
}

/// `line:column code` of everything that is wrong.
fn found(read: &ReadSettings) -> Vec<String> {
    let place = |found: &svc_diagnostics::Diagnostic| {
        let place = found.place();
        let place = place.strip_prefix("server.toml:").unwrap_or("");
        format!("{place} {}", found.code.id)
    };
    read.diagnostics.iter().map(place).collect()
}

#[test]
fn a_secret_that_others_can_read_or_guess_is_warned_of() {
    let with = |file: &str| {
        let source = format!("source.git = \"/x\"\nwebhook.secret_file = \"{file}\"");
        read(&SHORT.replace("source.folder = \"a\"", &source))
    };
    let short = with("open.secret");
    let codes: Vec<&str> = short
        .diagnostics
        .iter()
        .map(|found| found.code.id)
        .collect();
    assert!(codes.contains(&"settings-secret-readable"), "{codes:?}");
    assert!(codes.contains(&"settings-secret-short"), "{codes:?}");
    assert!(short.settings.is_some() && !short.human().contains("hunter2"));
    assert_eq!(found(&with("webhook.secret")), Vec::<String>::new());
}

#[test]
fn proxies_are_trusted_as_they_are_written() {
    let trusted = |text: &str| {
        let settings = read(&format!("{text}{SHORT}[admin]\n")).settings.unwrap();
        let texts = |list: &[svc_admin_api::key::Network]| {
            let texts = list.iter().map(ToString::to_string);
            texts.collect::<Vec<_>>().join(" ")
        };
        let admin = texts(&settings.admin.unwrap().trusted_proxies);
        (texts(&settings.trusted_proxies), admin)
    };
    let (usual, admin) = trusted("");
    assert_eq!((&*usual, &*admin), ("127.0.0.0/8 ::1", ""));
    let own = "10.0.0.0/8".to_owned();
    assert_eq!(
        trusted("trusted_proxies = [\"10.0.0.0/8\"]\n"),
        (own.clone(), own)
    );
    let none = (String::new(), String::new());
    assert_eq!(trusted("trusted_proxies = []\n"), none);
    let wrong = read(&format!("trusted_proxies = [\"x\"]\n{SHORT}"));
    assert_eq!(found(&wrong), ["1:20 settings-value"]);
}

#[test]
fn a_file_with_every_key_is_read_in_full() {
    let read = read(FULL);
    assert_eq!(found(&read), Vec::<String>::new(), "{}", read.human());
    let settings = read.settings.expect("settings");
    assert_eq!(settings.listen.to_string(), "[::]:8080");
    assert_eq!(settings.data, Path::new("/var/lib/svc"));
    assert_eq!(settings.git.program, Some(PathBuf::from("/usr/bin/git")));
    assert_eq!(settings.git.file_bytes, 50_000_000);
    assert_eq!(settings.git.total_bytes, 1 << 30);
    assert!(settings.outside.relay.is_some());
    assert_eq!(settings.outside.hosted_every, Duration::from_secs(3_600));
    assert!(settings.outside.hosted_http);
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
    assert_eq!(handbook.base_path, "/docs");
    assert_eq!(handbook.origin, "https://handbook.docs.example.com");
    let SourceSettings::Git(git) = &handbook.source else {
        panic!("a repository");
    };
    assert_eq!(
        (git.branch.as_str(), git.subfolder.as_str()),
        ("live", "packages/docs")
    );
    let token = Some(Credentials::Token {
        user: "git".to_owned(),
        token: Secret::new("hunter2"),
    });
    assert_eq!(git.credentials, token);
    assert_eq!(
        handbook.webhook.as_ref().map(|hook| hook.secret.expose()),
        Some("hunter2-hunter2-hunter2")
    );
    let previews = handbook.previews.as_ref().expect("previews");
    assert_eq!(
        previews.host.to_string(),
        "{preview}.handbook.docs.example.com"
    );
    assert_eq!(previews.expire, Duration::from_secs(7 * 86_400));
    assert_eq!(previews.branches, ["*", "!wip/*"]);
    let folder = SourceSettings::Folder {
        path: PathBuf::from("/etc/svc/notes"),
        watch: true,
    };
    assert_eq!(notes.source, folder);
    assert!(!format!("{settings:?}").contains("hunter2"));
}

#[test]
fn the_tables_of_the_administration_are_read_in_full() {
    let settings = read(FULL).settings.expect("settings");
    let admin = settings.admin.expect("an administration");
    assert_eq!(admin.listen, "127.0.0.1:8081".parse().ok());
    let host = admin.host.as_ref().map(Host::as_str);
    assert_eq!(host, Some("admin.docs.example.com"));
    assert_eq!(admin.store.expose(), "postgres://svc@db.internal/svc");
    assert_eq!(admin.trusted_proxies.len(), 2);
    assert_eq!(admin.archive, Some(Duration::from_secs(90 * 86_400)));
    assert_eq!(admin.audit, Duration::from_secs(800 * 86_400));
    assert_eq!(
        (admin.rates.key.burst, admin.rates.prompts.burst),
        (300, 50)
    );
    let oidc = admin.oidc.expect("a service");
    assert_eq!(oidc.emails, ["ada@example.com"]);
    assert_eq!(oidc.client_secret.expose(), "hunter2");
    let agent = settings.agent.expect("an agent");
    assert_eq!(agent.command, ["/usr/local/bin/agent", "--quiet"]);
    assert_eq!((agent.concurrency, &*agent.model), (2, "writer-2"));
    let author = ("Docs agent", "docs-agent@example.com");
    assert_eq!((&*agent.author.0, &*agent.author.1), author);
    let of = |project: &Project| project.agent.clone();
    let handbook = settings.projects.first().and_then(of).expect("an agent");
    let forge = ForgeSettings::Known {
        kind: ForgeKind::GitLab,
        address: Some("https://git.example.com".to_owned()),
    };
    assert_eq!(handbook.forge, forge);
    let credentials = Credentials::Token {
        user: "oauth2".to_owned(),
        token: handbook.token.expect("a token"),
    };
    assert_eq!(handbook.credentials, Some(credentials));
}

#[test]
fn an_agent_pushes_with_a_key_of_its_own_and_opens_requests_with_a_token() {
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
fn agents_work_on_a_repository_of_this_machine_that_is_named_by_its_path() {
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
    let own = format!("{SHORT}[projects.agent]\nrepository = \"/srv/a b.git\"\nFORGE");
    assert_eq!(repository(&own), "file:///srv/a%20b.git");
}

#[test]
fn an_administration_without_a_word_is_for_this_machine_alone() {
    let read = read(&format!("{SHORT}[admin]\n"));
    let settings = read.settings.expect("settings");
    let usual = AdminSettings::usual(&settings.data);
    assert_eq!(settings.admin, Some(usual.clone()));
    assert_eq!(usual.listen, "127.0.0.1:8081".parse().ok());
    assert_eq!(usual.store.expose(), "sqlite:/var/lib/svc/admin.sqlite");
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
fn the_password_of_a_store_stands_in_a_file_and_is_not_printed() {
    let read = read(&format!("{SHORT}[admin]\nstore_file = \"store\"\n"));
    let settings = read.settings.expect("settings");
    assert!(!format!("{settings:?}").contains("hunter2"));
    let store = settings.admin.expect("one").store;
    assert_eq!(store.expose(), "postgres://svc:hunter2@db.internal/svc");
}

#[test]
fn the_file_of_the_guide_has_no_mistake() {
    let guide = include_str!("../../../../docs/guides/server-settings.mdx");
    let begin = "```toml server.toml\n";
    let block = guide.split_once(begin).expect("a block").1;
    let read = read(block.split_once("```").expect("its end").0);
    assert_eq!(found(&read), Vec::<String>::new(), "{}", read.human());
    assert_eq!(
        read.settings.map(|settings| settings.projects.len()),
        Some(2)
    );
}

#[test]
fn every_key_stands_in_the_full_file() {
    for table in server::tables() {
        for key in table.keys {
            let seldom = matches!(key.form, table::Form::Later | table::Form::Refused)
                || ["ssh_key", "known_hosts", "store_file", "forge_command"].contains(&key.name)
                || key.name.ends_with("_env");
            let written = [format!("\n{} = ", key.name), format!("{}]", key.name)];
            let there = written
                .iter()
                .any(|text| format!("\n{FULL}").contains(text.as_str()));
            assert!(there || seldom, "{}.{}", table.name, key.name);
        }
    }
}

#[test]
fn a_short_file_gets_the_described_defaults() {
    let settings = read(SHORT).settings.expect("settings");
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!((settings.keep, settings.at_once), (5, 1));
    let source = SourceSettings::Folder {
        path: "/etc/svc/a".into(),
        watch: false,
    };
    let host = Host::parse("a.example").expect("a host");
    let usual = Settings {
        projects: vec![Project::usual("a", host, source)],
        ..Settings::usual(Path::new("/var/lib/svc"))
    };
    assert_eq!(settings, usual);
    let git = SHORT.replace("folder = \"a\"", "git = \"https://a.example/b\"");
    let git = read(&git).settings.expect("settings");
    let source = SourceSettings::Git(GitSource::usual("https://a.example/b"));
    assert_eq!(git.projects[0].source, source);
    // The tables that are not there have the same defaults as empty ones.
    let empty = read(&SHORT.replace("[[", "git = {}\noutside = {}\n[["));
    assert_eq!(empty.settings.as_ref(), Some(&settings));
}

/// What replaces a part of [`SHORT`] or stands before it or behind it, and what is found then.
const CASES: &[(&str, &str, &[&str])] = &[
    // The server.
    ("data = \"/var/lib/svc\"\n", "", &["1:1 settings-missing"]),
    (
        "data = \"/var/lib/svc\"",
        "data = 5",
        &["1:8 settings-type"],
    ),
    (
        "data = \"/var/lib/svc\"",
        "data = ''",
        &["1:8 settings-value"],
    ),
    ("^", "lisen = \"x\"\n", &["1:1 settings-unknown-key"]),
    (
        "^",
        "listen = \"localhost:8080\"\n",
        &["1:10 settings-value"],
    ),
    ("^", "listen = 8080\n", &["1:10 settings-type"]),
    (
        "^",
        "docs_domain = \"https://a.example\"\n",
        &["1:15 settings-value"],
    ),
    ("^", "keep = 0\n", &["1:8 settings-value"]),
    ("^", "keep = \"5\"\n", &["1:8 settings-type"]),
    ("^", "keep = 1.5\n", &["1:8 settings-type"]),
    ("^", "at_once = -1\n", &["1:11 settings-value"]),
    ("^", "keep = 5\nkeep = 6\n", &["2:1 data-duplicate-key"]),
    ("$", "[git]\ntimeout = \"5 m\"\n", &["7:11 settings-value"]),
    ("$", "[git]\ntimeout = \"0s\"\n", &["7:11 settings-value"]),
    (
        "$",
        "[git]\nlargest_file = \"1XB\"\n",
        &["7:16 settings-value"],
    ),
    (
        "$",
        "[outside]\nrelay_allow = [\"10.0.0.0/8\", \"a/b\"]\n",
        &["7:30 settings-value"],
    ),
    ("$", "[outside]\nrelay = \"no\"\n", &["7:9 settings-type"]),
    (
        "$",
        "[outside]\nhosted_allow = [\"a/b\"]\nhosted_every = \"1s\"\n",
        &["7:17 settings-value", "8:16 settings-value"],
    ),
    ("$", "[authentication]\n", &["6:2 settings-later"]),
    // The administration.
    ("$", "[admin]\n", &[]),
    (
        "$",
        "[admin]\nlisten = \"8081\"\n",
        &["7:10 settings-value"],
    ),
    (
        "$",
        "[admin]\nhost = \"a.example\"\n",
        &["4:10 settings-duplicate"],
    ),
    (
        "$",
        "[admin]\nhost = \"admin.{docs_domain}\"\n",
        &["7:8 settings-value"],
    ),
    (
        "$",
        "[admin]\nstore = \"mysql://a/b\"\n",
        &["7:9 settings-value"],
    ),
    (
        "$",
        "[admin]\nstore = \"postgres://svc:hunter2@db/svc\"\n",
        &["7:9 settings-secret"],
    ),
    (
        "$",
        "[admin]\nstore_env = \"HANDBOOK_TOKEN\"\n",
        &["7:1 settings-value"],
    ),
    (
        "$",
        "[admin]\nstore = \"sqlite:a\"\nstore_file = \"store\"\n",
        &["8:1 settings-conflict"],
    ),
    (
        "$",
        "[admin]\ntrusted_proxies = [\"10.0.0.1\", \"0.0.0.0/0\", \"proxy\"]\n",
        &["7:32 settings-value", "7:45 settings-value"],
    ),
    (
        "$",
        "[admin]\nrates.requests_per_minute = 0\n",
        &["7:29 settings-value"],
    ),
    (
        "$",
        "[admin]\n[admin.oidc]\nissuer = \"https://id.example\"\nclient_id = \"a\"\nclient_secret_file = \"oidc.secret\"\n",
        &["7:1 settings-missing"],
    ),
    (
        "$",
        "[admin]\n[admin.oidc]\nissuer = \"http://id.example\"\nclient_id = \"a\"\nclient_secret = \"b\"\nemails = \"ada\"\n",
        &[
            "8:10 settings-value",
            "10:1 settings-secret",
            "11:10 settings-value",
        ],
    ),
    (
        "$",
        "[agent]\ncommand = \"a\"\n",
        &["6:2 settings-conflict"],
    ),
    (
        "$",
        "[admin]\n[agent]\ncommand = []\nenvironment = \"A B\"\n",
        &["8:1 settings-value", "9:15 settings-value"],
    ),
    (
        "$",
        "[admin]\n[agent]\ncommand = \"a\"\nauthor = \"nobody\"\n",
        &["9:10 settings-value"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"https://a.example/b.git\"\nforge_command = \"a\"\n",
        &["6:11 settings-conflict"],
    ),
    (
        "$",
        "[projects.agent]\nforge = \"svn\"\ntoken_env = \"HANDBOOK_TOKEN\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["6:1 settings-missing", "7:9 settings-value"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"https://a:hunter2@a.example/b.git\"\nforge_command = \"a\"\nforge_address = \"https://a.example\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["7:14 settings-secret", "9:1 settings-conflict"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"https://a.example/b.git\"\nforge_command = \"a\"\nssh_key = \"k\"\nuser = \"u\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["9:1 settings-conflict", "9:1 settings-conflict"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"ssh://git@a.example/b.git\"\nforge_command = \"a\"\nknown_hosts = \"k\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["9:1 settings-conflict"],
    ),
    ("$", "[admin]\naudit = \"10h\"\n", &["7:9 settings-value"]),
    // A project.
    ("id = \"a\"", "", &["2:1 settings-missing"]),
    ("id = \"a\"", "id = \"A b\"", &["3:6 settings-value"]),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"docs\"",
        &["4:13 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"/a//b\"",
        &["4:13 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"/../b\"",
        &["4:13 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"/Login/x\"",
        &["4:13 settings-value"],
    ),
    ("id = \"a\"", "id = \"a\"\nbase_path = \"/docs/\"", &[]),
    (
        "id = \"a\"",
        "id = \"a\"\norigin = \"https://a.example/docs\"",
        &["4:10 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\norigin = \"a.example\"",
        &["4:10 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\npoll = \"1s\"",
        &["4:8 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nscripts = 0",
        &["4:11 settings-type"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nscript = false",
        &["4:1 settings-unknown-key"],
    ),
    ("[\"a.example\"]", "[]", &["4:1 settings-missing"]),
    ("[\"a.example\"]", "\"a.example\"", &[]),
    (
        "[\"a.example\"]",
        "[\"a.example:80\", \"https://a.example\", \"*.example\", \"a/b\"]",
        &[
            "4:10 settings-value",
            "4:26 settings-value",
            "4:47 settings-value",
            "4:60 settings-value",
        ],
    ),
    (
        "[\"a.example\"]",
        "[\"a.{docs_domain}\"]",
        &["4:10 settings-value"],
    ),
    (
        "[\"a.example\"]",
        "[\"a.example\", \"A.example.\"]",
        &["4:23 settings-duplicate"],
    ),
    (
        "$",
        "[[projects]]\nid = \"a\"\nhosts = \"b.example\"\nsource.folder = \"b\"\n",
        &["7:6 settings-duplicate"],
    ),
    (
        "$",
        "[[projects]]\nid = \"b\"\nhosts = \"A.EXAMPLE\"\nsource.folder = \"b\"\n",
        &["8:9 settings-duplicate"],
    ),
    // Its source.
    ("source.folder = \"a\"", "", &["2:1 settings-missing"]),
    (
        "source.folder = \"a\"",
        "source.folder = \"missing\"",
        &["5:17 settings-folder"],
    ),
    (
        "source.folder = \"a\"",
        "source.folder = \"/var\"",
        &["5:17 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source = {}",
        &["5:10 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { folder = \"a\", git = \"/x\" }",
        &["5:26 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source = { folder = \"a\", branch = \"b\" }",
        &["5:26 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"ext::sh -c true\"",
        &["5:14 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"--upload-pack=x\"",
        &["5:14 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"git@host.example:team/x.git\"",
        &[],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"ssh://git@host.example/x\"",
        &[],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"https://u:hunter2@host.example/x\"",
        &["5:14 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"https://hunter2@host.example/x\"",
        &["5:14 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", branch = \"-x\", subfolder = \"/a\" }",
        &["5:33 settings-value", "5:51 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", subfolder = \"a/../b\" }",
        &["5:36 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token = \"hunter2\" }",
        &["5:24 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token_env = \"NO\" }",
        &["5:36 settings-secret-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token_file = \"empty\" }",
        &["5:37 settings-secret-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token_file = \"a\", ssh_key = \"b\" }",
        &["5:42 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", ssh_key = \"b\" }",
        &[],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", user = \"b\" }",
        &["5:24 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", known_hosts = \"b\" }",
        &["5:24 settings-conflict"],
    ),
    // Webhooks and previews.
    (
        "$",
        "webhook.secret_file = \"webhook.secret\"\n",
        &["6:1 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\nwebhook = {}",
        &["6:11 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\nwebhook.secret = \"hunter2\"",
        &["6:9 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\nwebhook.secret_file = \"x\"",
        &["6:23 settings-secret-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews = {}",
        &["6:12 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"*.example\"",
        &["6:17 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"{preview}.example\"",
        &["6:17 settings-duplicate"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"{preview}.p.example\"\npreviews.most = 0",
        &["7:17 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"{preview}.p.example\"\n[[projects]]\nid = \"b\"\nhosts = \"b.example\"\nsource.git = \"/y\"\npreviews.host = \"b-{preview}.p.example\"",
        &["11:17 settings-duplicate"],
    ),
];

fn changed(part: &str, with: &str) -> String {
    match part {
        "^" => format!("{with}{SHORT}"),
        "$" => format!("{SHORT}{with}"),
        part => SHORT.replace(part, with),
    }
}

#[test]
fn every_mistake_is_found_where_it_stands() {
    let mut wrong = Vec::new();
    for (part, with, expected) in CASES {
        let toml = changed(part, with);
        let read = read(&toml);
        if found(&read) != *expected {
            wrong.push(format!("{with:?}: {:?}, not {expected:?}", found(&read)));
        }
        let fails = read
            .diagnostics
            .iter()
            .any(|found| found.severity >= Severity::Error);
        assert_eq!(read.settings.is_none(), fails, "{toml}");
        for found in &read.diagnostics {
            let hint = found.hint.as_ref();
            assert!(hint.is_some_and(|hint| !hint.is_empty()), "{toml}");
            let capital = found.message.chars().next().is_some_and(char::is_uppercase);
            assert!(!capital && !found.message.ends_with('.'), "{found:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn all_mistakes_are_found_in_one_pass() {
    let toml = "keeep = 3\nlisten = 1\n[[projects]]\nid = \"A\"\n[[projects]]\nid = \"b\"\nhosts = [\"b:1\"]\nsource.folder = 2\n";
    let codes: Vec<String> = found(&read(toml));
    assert_eq!(codes.len(), 8, "{codes:#?}");
}

#[test]
fn a_slip_gets_the_word_that_was_meant() {
    for (with, word) in [
        ("lisen = \"x\"\n", "`listen`"),
        ("docs_domian = \"a.b\"\n", "`docs_domain`"),
    ] {
        let read = read(&changed("^", with));
        let hint = read
            .diagnostics
            .first()
            .and_then(|found| found.hint.clone());
        assert!(hint.is_some_and(|hint| hint.contains(word)), "{word}");
    }
}

#[test]
fn a_text_that_needs_the_domain_of_the_server_is_told_with_its_own_key() {
    for (with, key) in [
        ("[admin]\nhost = \"admin.{docs_domain}\"\n", "`host`"),
        ("previews.host = \"{preview}.{docs_domain}\"\n", "`host`"),
        (
            "[[projects]]\nid = \"b\"\nhosts = \"b.{docs_domain}\"\nsource.folder = \"b\"\n",
            "`hosts`",
        ),
    ] {
        let read = read(&changed("$", with));
        let mut found = read.diagnostics.iter();
        let told = found.find(|found| found.message.contains("docs_domain"));
        let message = told.map(|found| &*found.message);
        assert!(
            message.is_some_and(|told| told.ends_with(key)),
            "{message:?}"
        );
    }
}

#[test]
fn two_claims_name_both_places() {
    let read = read(&changed(
        "$",
        "[[projects]]\nid = \"b\"\nhosts = \"a.example\"\nsource.folder = \"b\"\n",
    ));
    let label = read
        .diagnostics
        .first()
        .and_then(|found| found.labels.first());
    assert_eq!(label.map(|label| label.location.start.line), Some(4));
}

#[test]
fn a_secret_in_the_file_is_never_shown() {
    for (part, with, _) in CASES.iter().filter(|(_, with, _)| with.contains("hunter2")) {
        let shown = read(&changed(part, with)).human();
        assert!(!shown.is_empty() && !shown.contains("hunter2"), "{shown}");
    }
    for broken in [
        "webhook.secret = hunter2\n",
        "webhook = { secret = 'hunter2\n",
        "webhook = { \"secret\" = hunter2 }\n",
        "webhook.secret = \"\"\"\n\nhunter2 \"\"\"\nwebhook.secret = 1\n",
    ] {
        let shown = read(&changed("$", broken)).human();
        assert!(!shown.is_empty() && !shown.contains("hunter2"), "{shown}");
    }
}

/// What a schema cannot say: it sees no other table, no file and no variable.
const BEYOND: &[&str] = &[
    "data-duplicate-key",
    "settings-duplicate",
    "settings-folder",
    "settings-later",
    "settings-secret-missing",
];

/// Cases of other codes that need more than a look at one value.
const DEEPER: &[&str] = &[
    "listen = \"localhost",
    "docs_domain =",
    "timeout = \"0s\"",
    "a/b\"]",
    "/../b",
    "/Login/x",
    "poll = \"1s\"",
    "\"a.example:80\"",
    "a.{docs_domain}",
    "folder = \"/var\"",
    "ext::",
    "--upload",
    "https://u:",
    "https://hunter2",
    "a/../b",
    "user = \"b\"",
    "audit = \"10h\"",
    "webhook.secret_file = \"webhook.secret\"",
    "listen = \"8081\"",
    "host = \"admin.{docs_domain}\"",
    "store = \"postgres://svc:",
    "store_env = \"HANDBOOK_TOKEN\"",
    "trusted_proxies = [",
    "client_secret_file = \"oidc.secret\"",
    "[agent]\ncommand = \"a\"\n",
    "[projects.agent]\nrepository",
];

fn json(node: &svc_data::Node) -> Value {
    match &node.value {
        svc_data::Value::Array(items) => items.iter().map(json).collect(),
        svc_data::Value::Object(object) => {
            let members = object
                .iter()
                .map(|(key, value)| (key.to_owned(), json(value)));
            Value::Object(members.collect())
        }
        svc_data::Value::String(text) => text.to_string().into(),
        svc_data::Value::Bool(value) => (*value).into(),
        svc_data::Value::Number(svc_data::Number::Int(value)) => (*value).into(),
        svc_data::Value::Number(number) => number.as_f64().into(),
        svc_data::Value::Null => Value::Null,
    }
}

#[test]
fn the_schema_agrees_with_the_reader() {
    let schema = jsonschema::draft202012::new(&settings_schema()).expect("a schema");
    let parsed = |toml: &str| {
        let file = SourceFile::new("server.toml", toml);
        json(&svc_data::parse_toml(&file, &svc_data::Limits::default()).value)
    };
    for good in [FULL, SHORT] {
        let problems: Vec<String> = schema
            .iter_errors(&parsed(good))
            .map(|e| e.to_string())
            .collect();
        assert_eq!(problems, Vec::<String>::new());
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for (part, with, expected) in CASES {
        let beyond = |found: &str| BEYOND.iter().any(|code| found.ends_with(code));
        if expected.iter().any(|found| beyond(found))
            || DEEPER.iter().any(|text| with.contains(text))
        {
            continue;
        }
        compared += 1;
        let toml = changed(part, with);
        if schema.is_valid(&parsed(&toml)) != expected.is_empty() {
            wrong.push(with);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 30, "{compared}");
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "[[projects]]\n", "[projects]\n", "[projects.source]\n", "projects = 3\n", "id = \"a\"\n",
            "hosts = [\"a\", 3, {}]\n", "folder = \"\\u0000\"\n", "git = \"a@b:\"\n", "previews = []\n",
            "[projects.previews]\nhost = \"{preview}.é.x\"\n", "secret = \"\"\"\n", "=", "\"", "é", "\r\n", "[", "]", "{", "}", ".", "'", "webhook.secret", " = ",
        ]), 0..40)) {
        let toml = pieces.concat();
        let read = read(&toml);
        let _ = read.human();
        let failed = read.diagnostics.iter().any(|found| found.severity >= Severity::Error);
        prop_assert_eq!(read.settings.is_none(), failed);
    }
}
