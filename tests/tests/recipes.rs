//! The recipes of the documentation work: code blocks in a language that a program reads are
//! checked by that program, and commands are parsed by the programs that they call.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use svc_diagnostics::{Diagnostic, Severity, SourceFile};
use svc_mdx::{Kind, Options, parse, walk};
use svc_server::{Settings, SettingsEnvironment};
use svc_tests::sites;

/// A code block of a page of `docs/`.
pub(crate) struct Recipe {
    pub(crate) page: String,
    lang: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

impl Recipe {
    fn name(&self) -> String {
        format!("{} ({} {})", self.page, self.lang, self.title)
    }
}

/// Returns all code blocks of the documentation in the given languages.
pub(crate) fn recipes(langs: &[&str]) -> Vec<Recipe> {
    let root = sites::docs();
    let mut recipes = Vec::new();
    let mut dirs = vec![root.clone()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).expect("it can be listed") {
            let path = entry.expect("it can be read").path();
            // The examples of problems are checked where they are generated.
            if path.ends_with("reference/diagnostics") {
                continue;
            }
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|ending| ending == "mdx") {
                let page = path.strip_prefix(&root).expect("it is inside");
                blocks(&path, &page.to_string_lossy(), langs, &mut recipes);
            }
        }
    }
    recipes.sort_by(|a, b| a.page.cmp(&b.page));
    assert!(!recipes.is_empty(), "no page has a block in {langs:?}");
    recipes
}

fn blocks(path: &Path, page: &str, langs: &[&str], recipes: &mut Vec<Recipe>) {
    let text = fs::read_to_string(path).expect("it can be read");
    let document = parse(&text, &Options::default()).value;
    walk(&document.children, |node, _| {
        if let Kind::Code {
            lang: Some(lang),
            meta,
            value,
        } = &node.kind
            && langs.contains(&&**lang)
        {
            recipes.push(Recipe {
                page: page.to_owned(),
                lang: lang.to_string(),
                title: meta.as_deref().unwrap_or_default().to_owned(),
                text: value.to_string(),
            });
        }
        true
    });
}

/// Returns whether a program is installed; notes on standard error that a check is skipped if not.
pub(crate) fn has(program: &str) -> bool {
    let is_installed = ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin"]
        .iter()
        .any(|dir| Path::new(dir).join(program).is_file());
    if !is_installed {
        svc_test_support::skip(format_args!(
            "there is no {program}; `cargo xtask ci install` installs it"
        ));
    }
    is_installed
}

/// Runs a program to completion with empty standard input.
fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("it starts")
}

fn output_text(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).expect("it can be written");
    path
}

#[test]
fn shell_recipes_are_valid() {
    let dir = tempfile::tempdir().expect("a directory");
    for recipe in recipes(&["bash", "sh"]) {
        let script = write(dir.path(), "recipe.sh", &recipe.text);
        // Scripts for `sh` may not use features of bash.
        let shell = if recipe.text.starts_with("#!/bin/sh") {
            "sh"
        } else {
            "bash"
        };
        let output = run(shell, &["-n", &script.to_string_lossy()]);
        let messages = output_text(&output);
        assert!(output.status.success(), "{}: {messages}", recipe.name());
    }
}

/// Returns the arguments of each command of a script that calls one of the programs of this
/// project.
fn our_commands(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let mut commands = Vec::new();
    for line in joined.lines() {
        let line = line.split(" #").next().unwrap_or_default();
        for part in line.split(['|', ';']).flat_map(|part| part.split("&&")) {
            let arguments: Vec<String> = part
                .split_whitespace()
                .skip_while(|argument| {
                    *argument == "exec" || *argument == "-" || argument.ends_with("run:")
                })
                .take_while(|argument| !matches!(*argument, ">" | ">>" | "<"))
                .map(|argument| argument.trim_matches('"').to_owned())
                .collect();
            let arguments = match arguments.iter().position(|argument| argument == "--") {
                Some(at)
                    if arguments
                        .first()
                        .is_some_and(|argument| argument == "cargo") =>
                {
                    let package = arguments.iter().position(|argument| argument == "-p");
                    let program = package.and_then(|at| arguments.get(at + 1)).cloned();
                    program
                        .into_iter()
                        .chain(arguments[at + 1..].to_vec())
                        .collect()
                }
                _ => arguments,
            };
            let program = arguments
                .first()
                .and_then(|argument| argument.rsplit('/').next());
            if matches!(program, Some("svc" | "svc-server")) {
                commands.push(arguments);
            }
        }
    }
    commands
}

#[test]
fn all_our_commands_are_accepted() {
    let mut count = 0;
    for recipe in recipes(&["bash", "sh", "yaml", "ini"]) {
        let text = recipe
            .text
            .replace("ExecStartPre=", "")
            .replace("ExecStart=", "");
        for arguments in our_commands(&text) {
            let program = if arguments[0].ends_with("svc-server") {
                svc_server::program::command()
            } else {
                svc_cli::command()
            };
            let result = program.try_get_matches_from(&arguments);
            if let Err(error) = result {
                use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
                let is_help = matches!(error.kind(), DisplayHelp | DisplayVersion);
                assert!(is_help, "{}: {arguments:?}: {error}", recipe.name());
            }
            count += 1;
        }
    }
    assert!(count > 30, "only {count} commands in the documentation");
}

/// Returns a fragment of a settings file completed with the required settings.
fn whole(text: &str) -> String {
    let mut part = with_project(text);
    if part.contains("[agent]") && !part.contains("[admin]") {
        part = format!("[admin]\n{part}");
    }
    if text.lines().any(|line| line.starts_with("data =")) {
        part
    } else {
        format!("data = \"/var/lib/svc\"\n{part}")
    }
}

fn with_project(text: &str) -> String {
    let project = "[[projects]]\nid = \"handbook\"\nhosts = [\"docs.example.com\"]\n";
    let source = "source = { git = \"https://git.example.com/team/handbook.git\" }\n";
    if text.contains("[[projects]]") {
        text.to_owned()
    } else if text.starts_with("source") || text.contains("[projects.source]") {
        format!("{project}{text}")
    } else if text.contains("[projects.agent]") {
        format!("[admin]\n[agent]\ncommand = [\"/bin/true\"]\n{project}{source}{text}")
    } else if text.contains("[projects.") {
        format!("{project}{source}{text}")
    } else {
        format!("{text}\n{project}{source}")
    }
}

/// Returns the diagnostics of at least a severity as text.
fn problems<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    severity: Severity,
) -> Vec<String> {
    let diagnostics = diagnostics.into_iter();
    diagnostics
        .filter(|diagnostic| diagnostic.severity >= severity)
        .map(|diagnostic| format!("{}: {}", diagnostic.location_string(), diagnostic.message))
        .collect()
}

#[test]
fn settings_are_accepted() {
    let certificate = svc_test_support::tls::TestCertificate::new(&["docs.example.com"]);
    for recipe in recipes(&["toml"]) {
        // Of Cargo and of the editor Helix.
        if recipe.title == "Cargo.toml" || recipe.title.ends_with("/languages.toml") {
            continue;
        }
        let file = SourceFile::new("server.toml", whole(&recipe.text));
        let surroundings = SettingsEnvironment {
            dir: Path::new("/etc/svc"),
            variable: &|_| Some("a-secret-that-is-long-enough-for-all".to_owned()),
            read_text: &|path| {
                let extension = path.extension().and_then(|extension| extension.to_str());
                Ok(match extension {
                    Some("passwords") => "ada:$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$Yt6nDgLJ0Tg8lkmYnjXoZCYuvSxM3Qz9zbJ4nFzZzZs".to_owned(),
                    Some("pem") if path.ends_with("fullchain.pem") => certificate.chain.clone(),
                    Some("pem") if path.ends_with("privkey.pem") => certificate.key.clone(),
                    // The public key of RFC 8410, section 10.1.
                    Some("pem") => "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n".to_owned(),
                    Some("tokens") => format!("ci:{}", "0".repeat(64)),
                    _ if path.ends_with("store") => {
                        "postgres://svc:password@db.example.com/svc".to_owned()
                    }
                    _ => "a-secret-that-is-long-enough-for-all".to_owned(),
                })
            },
            is_dir: &|_| true,
            is_readable_by_all: &|_| false,
        };
        let read = Settings::read(&file, &surroundings);
        // The recipe that disables the sandbox gets a warning.
        let diagnostics = read.diagnostics.iter();
        let diagnostics = diagnostics.filter(|diagnostic| diagnostic.code.id != "settings-sandbox");
        let wrong = problems(diagnostics, Severity::Warning);
        assert!(
            wrong.is_empty(),
            "{}: {wrong:?}\n{}",
            recipe.name(),
            file.text()
        );
    }
}

#[test]
fn configurations_are_accepted() {
    for recipe in recipes(&["json"]) {
        // Generated from descriptions whose examples svc-config checks itself.
        if recipe.page.starts_with("reference/docs-json") {
            continue;
        }
        let whole = match recipe.title.split(' ').next().unwrap_or_default() {
            "docs.json" => with_required_keys(&recipe.text),
            _ => recipe.text.clone(),
        };
        let value: Result<serde_json::Value, _> = serde_json::from_str(&whole);
        assert!(value.is_ok(), "{}: {value:?}", recipe.name());
        if !recipe.title.starts_with("docs.json") {
            continue;
        }
        let file = SourceFile::new("docs.json", whole);
        let checked = svc_config::parse(&file, &|_| None);
        let wrong = problems(&checked.diagnostics, Severity::Error);
        assert!(
            wrong.is_empty(),
            "{}: {wrong:?}\n{}",
            recipe.name(),
            file.text()
        );
    }
}

/// Returns a fragment of a `docs.json` with the four required keys.
fn with_required_keys(text: &str) -> String {
    let Ok(serde_json::Value::Object(mut part)) = serde_json::from_str(text) else {
        return text.to_owned();
    };
    let needed = serde_json::json!({
        "theme": "svc", "name": "Acme", "colors": {"primary": "#0f766e"}, "navigation": {"pages": []}
    });
    for (key, value) in needed.as_object().into_iter().flatten() {
        part.entry(key.clone()).or_insert_with(|| value.clone());
    }
    serde_json::Value::Object(part).to_string()
}

/// Settings of nginx with the servers of `site`, which writes below the directory `at`.
pub(crate) fn nginx_settings(at: &str, site: &str) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {at}/{name};\n"))
        .concat();
    format!(
        "pid {at}/nginx.pid;\nerror_log {at}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{site}}}\n"
    )
}

#[test]
fn nginx_accepts_its_recipes() {
    if !has("nginx") || !has("openssl") {
        return;
    }
    for recipe in recipes(&["nginx"]) {
        let dir = tempfile::tempdir().expect("a directory");
        let at = dir.path().to_string_lossy().into_owned();
        let (key, certificate) = (format!("{at}/key.pem"), format!("{at}/cert.pem"));
        let made = run(
            "openssl",
            &[
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=x",
                "-keyout",
                &key,
                "-out",
                &certificate,
            ],
        );
        assert!(made.status.success(), "{}", output_text(&made));
        let mut site = String::new();
        for line in recipe.text.lines() {
            let directive = line.split_whitespace().next().unwrap_or_default();
            let line = match directive {
                "ssl_certificate" => format!("ssl_certificate {certificate};"),
                "ssl_certificate_key" => format!("ssl_certificate_key {key};"),
                // An unprivileged user may not bind a port below 1024.
                "listen" => line.replace("443", "8443").replace(" 80", " 8080"),
                _ => line.replace("/srv/docs", &at),
            };
            site.push_str(&line);
            site.push('\n');
        }
        if recipe.text.contains("listen 443") && !recipe.text.contains("ssl_certificate ") {
            let with =
                format!("server {{\nssl_certificate {certificate};\nssl_certificate_key {key};");
            site = site.replacen("server {", &with, 1);
        }
        let text = nginx_settings(&at, &site);
        let file = write(dir.path(), "nginx.conf", &text);
        let file = file.to_string_lossy();
        let output = run(
            "/usr/sbin/nginx",
            &["-t", "-q", "-p", &at, "-e", "stderr", "-c", &file],
        );
        let messages = output_text(&output);
        assert!(
            output.status.success(),
            "{}: {messages}\n{text}",
            recipe.name()
        );
    }
}

#[test]
fn caddy_accepts_its_recipes() {
    if !has("caddy") {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    for recipe in recipes(&["text"]) {
        if !recipe.title.starts_with("Caddy") {
            continue;
        }
        // The DNS provider is a placeholder, and its module is not in a standard build.
        let text = recipe.text.replace("dns YOUR_PROVIDER", "internal");
        let text = text.replace("tls {\n        internal\n    }", "tls internal");
        let file = write(dir.path(), "Caddyfile", &text);
        let file = file.to_string_lossy();
        let output = run(
            "caddy",
            &["adapt", "--adapter", "caddyfile", "--config", &file],
        );
        assert!(
            output.status.success(),
            "{}: {}",
            recipe.name(),
            output_text(&output)
        );
    }
}

#[test]
fn systemd_accepts_its_units() {
    if !has("systemd-analyze") {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    for recipe in recipes(&["ini"]) {
        let name = Path::new(&recipe.title)
            .file_name()
            .expect("it names the file");
        // The program is not installed here.
        let text = recipe
            .text
            .replace("/usr/local/bin/svc-server", "/bin/true");
        // A drop-in is checked together with its unit.
        let is_drop_in = recipe.title.contains(".service.d/");
        let file = if is_drop_in {
            let unit = dir.path().join("svc-server.service");
            let parts = dir.path().join("svc-server.service.d");
            fs::create_dir_all(&parts).expect("it can be made");
            write(&parts, &name.to_string_lossy(), &text);
            assert!(unit.is_file(), "the unit comes first on its page");
            unit
        } else {
            write(dir.path(), &name.to_string_lossy(), &text)
        };
        let output = run(
            "systemd-analyze",
            &["verify", "--man=no", &file.to_string_lossy()],
        );
        let messages = output_text(&output);
        // Problems in other units of the machine are reported too.
        let ours: Vec<&str> = messages
            .lines()
            .filter(|line| line.contains("svc-server.service"))
            .collect();
        assert!(ours.is_empty(), "{}: {messages}", recipe.name());
    }
}

/// The page with files of Prometheus, which run no scripts.
const MONITORING: &str = "self-hosting/monitoring.mdx";

#[test]
fn files_of_prometheus_are_valid_yaml_and_name_existing_metrics() {
    let known: Vec<String> = svc_server::METRICS
        .iter()
        .map(|metric| metric.full_name())
        .collect();
    let mut rules = 0;
    for recipe in recipes(&["yaml"]) {
        if recipe.page != MONITORING {
            continue;
        }
        let value: Result<serde_yaml::Value, _> = serde_yaml::from_str(&recipe.text);
        value.unwrap_or_else(|error| panic!("{}: {error}", recipe.name()));
        let queries = recipe
            .text
            .lines()
            .filter_map(|line| line.split_once("expr: "));
        for (_, query) in queries {
            let words = query.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let mut names = words
                .filter(|word| word.starts_with("svc_") || word.starts_with("process_"))
                .peekable();
            assert!(names.peek().is_some(), "{query}");
            names.for_each(|name| assert!(known.iter().any(|known| known == name), "{name}"));
            rules += 1;
        }
    }
    assert!(rules >= 5, "{rules}");
}

#[test]
fn workflows_are_valid_yaml_and_their_scripts_are_valid() {
    let dir = tempfile::tempdir().expect("a directory");
    for recipe in recipes(&["yaml"]) {
        // Settings of other programs, which run nothing.
        if recipe.page.starts_with("self-hosting/") {
            continue;
        }
        let value: Result<serde_yaml::Value, _> = serde_yaml::from_str(&recipe.text);
        let value = value.unwrap_or_else(|error| panic!("{}: {error}", recipe.name()));
        let mut scripts = Vec::new();
        collect_scripts(&value, &mut scripts);
        assert!(!scripts.is_empty(), "{} runs nothing", recipe.name());
        for script in scripts {
            // Expressions of the CI host may be used in place of a string.
            let script = write(
                dir.path(),
                "step.sh",
                &script.replace("${{", "$").replace("}}", ""),
            );
            let output = run("bash", &["-n", &script.to_string_lossy()]);
            assert!(
                output.status.success(),
                "{}: {}",
                recipe.name(),
                output_text(&output)
            );
        }
        if let Some(jobs) = value.get("jobs") {
            for (_, job) in jobs.as_mapping().into_iter().flatten() {
                assert!(
                    job.get("runs-on").is_some(),
                    "{}: a job runs nowhere",
                    recipe.name()
                );
                for step in job
                    .get("steps")
                    .and_then(|s| s.as_sequence())
                    .into_iter()
                    .flatten()
                {
                    let (uses, runs) = (step.get("uses"), step.get("run"));
                    assert!(
                        uses.is_some() != runs.is_some(),
                        "{}: {step:?}",
                        recipe.name()
                    );
                }
            }
        }
    }
}

/// Collects the values of `run` and the items of `script` at any depth.
fn collect_scripts(value: &serde_yaml::Value, scripts: &mut Vec<String>) {
    if let Some(mapping) = value.as_mapping() {
        for (key, value) in mapping {
            match (key.as_str(), value) {
                (Some("run"), value) if value.is_string() => {
                    scripts.extend(value.as_str().map(str::to_owned));
                }
                (Some("script"), value) => {
                    let items = value.as_sequence().into_iter().flatten();
                    scripts.extend(items.filter_map(|item| item.as_str().map(str::to_owned)));
                }
                (_, value) => collect_scripts(value, scripts),
            }
        }
    }
    for value in value.as_sequence().into_iter().flatten() {
        collect_scripts(value, scripts);
    }
}

#[test]
fn the_embedding_recipe_equals_the_compiled_example() {
    let compiled = fs::read_to_string(sites::workspace().join("tests/examples/embedding.rs"))
        .expect("it is there");
    let shown = recipes(&["rust"])
        .into_iter()
        .find(|recipe| recipe.page == "guides/embedding.mdx")
        .expect("the page shows a program");
    assert!(compiled.trim_end().ends_with(shown.text.trim_end()));
}
