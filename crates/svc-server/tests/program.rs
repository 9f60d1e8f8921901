//! The program `svc-server`.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use svc_test_support::program::{Program, url_in_line};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the program with a settings file.
fn serve(file: &Path) -> Program {
    Program::start(program().arg("--config").arg(file))
}

/// Starts the program with the folder of a site, whose only page has a text.
fn serve_page(text: &str) -> (tempfile::TempDir, Program) {
    let dir = tempfile::tempdir().unwrap();
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
    std::fs::write(dir.path().join("docs.json"), config).unwrap();
    std::fs::write(dir.path().join("index.mdx"), text).unwrap();
    let mut command = program();
    command.arg(dir.path()).args(["--listen", "127.0.0.1:0"]);
    let server = Program::start(&mut command);
    (dir, server)
}

/// Stops the program, and expects a graceful shutdown.
fn stop(program: Program) {
    assert_eq!(program.end("-TERM").0, Some(0));
}

#[test]
fn a_dir_without_docs_json_exits_with_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    let output = program().arg(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no `docs.json`"));
}

#[test]
fn a_fatal_problem_exits_with_its_location() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("docs.json"), "[]").unwrap();
    let output = program()
        .arg(dir.path())
        .args(["--listen", "127.0.0.1:0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("fatal[") && text.contains("docs.json:1:1"),
        "{text}"
    );
}

#[test]
fn the_listen_addr_is_printed_and_shutdown_is_graceful() {
    let (_dir, mut server) = serve_page("Hello.");
    let line = server.next_line();
    assert!(
        line.starts_with("svc-server listens on http://127.0.0.1:"),
        "{line}"
    );
    assert!(line.contains("(1 page"), "{line}");
    stop(server);
}

/// Children of the program have the memory that they need within their limits.
#[test]
fn children_of_the_program_render_images() {
    let (_dir, mut server) = serve_page("---\ntitle: Hello\n---\n");
    let line = server.next_line();
    let url = url_in_line(&line).split_whitespace().next().unwrap();
    let page = get(url, "localhost", "/");
    let path = page.find("/_svc/cards/").map(|at| &page[at..]);
    let path = path.and_then(|rest| rest.split('"').next()).unwrap();
    let text = get(url, "localhost", path);
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
    assert!(text.contains("\r\ncontent-type: image/png\r\n"), "{text}");
    stop(server);
}

/// Creates a settings file beside the directories of its projects.
fn settings(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("server.toml");
    std::fs::write(&file, text).unwrap();
    for name in ["one", "two"] {
        let config = format!(
            r##"{{"theme": "svc", "name": "{name}", "colors": {{"primary": "#000000"}}, "navigation": {{"pages": ["index"]}}}}"##
        );
        std::fs::create_dir(dir.path().join(name)).unwrap();
        std::fs::write(dir.path().join(name).join("docs.json"), config).unwrap();
        let text = format!("Hello from {name}.");
        std::fs::write(dir.path().join(name).join("index.mdx"), text).unwrap();
    }
    (dir, file)
}

const TWO: &str = "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[outbound]\noffline = true\n[[projects]]\nid = \"one\"\nhosts = [\"one.example\", \"www.one.example\"]\nredirect_hosts = true\nsource.folder = \"one\"\n[[projects]]\nid = \"two\"\nhosts = \"two.example\"\nsource.folder = \"two\"\n";

#[test]
fn the_exit_status_of_check_reports_validity() {
    let check = |file: &Path| {
        let output = program().args(["--check", "--config"]).arg(file).output();
        let output = output.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let (dir, file) = settings(TWO);
    let (status, stdout, problems) = check(&file);
    assert_eq!((status, problems.as_str()), (Some(0), ""));
    assert!(stdout.ends_with("2 projects at 3 hosts\n"), "{stdout}");
    assert!(!dir.path().join("data").exists());
    let (_dir, file) = settings(&TWO.replace("hosts = \"two", "host = \"two"));
    let (status, stdout, problems) = check(&file);
    assert_eq!((status, stdout.as_str()), (Some(1), ""));
    assert!(
        problems.contains("server.toml:12:1") && problems.contains("`hosts`"),
        "{problems}"
    );
    let (status, _, problems) = check(&file.with_file_name("none.toml"));
    assert_eq!(status, Some(2));
    assert!(problems.contains("none.toml"), "{problems}");
}

#[test]
fn options_that_contradict_the_settings_are_explained() {
    let (_dir, file) = settings(TWO);
    let output = program()
        .args(["--listen", "127.0.0.1:0", "--offline", "--config"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in [
        "--listen: set `listen`",
        "--offline: set `offline` in `[outbound]`",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let alone = program().arg("--check").output().unwrap();
    assert_eq!(alone.status.code(), Some(2));
}

/// Response to a request.
fn get(addr: &str, host: &str, path: &str) -> String {
    let mut stream = std::net::TcpStream::connect(addr).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Response to a request for the home page of a host.
fn home_page(addr: &str, host: &str) -> String {
    get(addr, host, "/")
}

/// Waits until the host serves a text, because a deployment takes a moment.
fn shows(addr: &str, host: &str, mark: &str) -> bool {
    (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        home_page(addr, host).contains(mark)
    })
}

#[test]
fn projects_of_settings_are_served_by_their_hosts() {
    let (_dir, file) = settings(TWO);
    let mut program = serve(&file);
    let line = program.next_line();
    assert!(line.ends_with("(2 projects at 3 hosts)\n"), "{line}");
    let addr = url_in_line(&line);
    assert!(shows(addr, "one.example", "Hello from one."));
    assert!(shows(addr, "two.example", "Hello from two."));
    assert!(home_page(addr, "www.one.example").starts_with("HTTP/1.1 308"));
    assert!(home_page(addr, "three.example").starts_with("HTTP/1.1 421"));
    stop(program);
}

/// SIGHUP ends a program without a handler, so the first signal is sent as early as possible.
#[test]
fn sighup_reloads_the_settings_from_the_start() {
    let (dir, file) = settings(TWO);
    let mut program = serve(&file);
    let lock = dir.path().join("data/lock");
    let has_begun = (0..60_000).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        lock.exists()
    });
    assert!(has_begun);
    program.signal("-HUP");
    let addr = &*program.url();
    assert!(shows(addr, "two.example", "Hello from two."));
    std::fs::write(&file, TWO.replace("two.example", "three.example")).unwrap();
    program.signal("-HUP");
    assert!(shows(addr, "three.example", "Hello from two."));
    assert!(home_page(addr, "two.example").starts_with("HTTP/1.1 421"));
    stop(program);
}

/// All entries below a directory that another user can read or write.
#[cfg(unix)]
fn open_to_others(dir: &Path, paths: &mut Vec<std::path::PathBuf>) {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = std::fs::symlink_metadata(dir).unwrap();
    if !metadata.is_symlink() && metadata.permissions().mode() & 0o077 != 0 {
        paths.push(dir.to_owned());
    }
    if metadata.is_dir() {
        for entry in std::fs::read_dir(dir).unwrap() {
            open_to_others(&entry.unwrap().path(), paths);
        }
    }
}

#[cfg(unix)]
#[test]
fn server_data_is_private_regardless_of_the_umask() {
    let (dir, file) = settings(&format!("{TWO}[admin]\nlisten = \"127.0.0.1:0\"\n"));
    let mut command = Command::new("sh");
    command.args(["-c", "umask 022; exec \"$0\" --config \"$1\""]);
    command
        .arg(env!("CARGO_BIN_EXE_svc-server"))
        .arg(&file)
        .stderr(Stdio::piped());
    let mut program = Program::start(&mut command);
    let addr = program.url();
    assert!(shows(&addr, "one.example", "Hello from one."));
    let data = dir.path().join("data");
    assert!(data.join("deployments.journal").exists() && data.join("admin.sqlite").exists());
    let mut paths = Vec::new();
    open_to_others(&data, &mut paths);
    assert_eq!(paths, Vec::<std::path::PathBuf>::new());
    stop(program);
}

#[test]
fn a_single_site_server_responds_only_at_allowed_hosts() {
    let (dir, _) = settings("");
    let start = |options: &[&str]| {
        let mut command = program();
        command.arg(dir.path().join("one")).args(options);
        command.args(["--listen", "127.0.0.1:0", "--offline", "--data"]);
        command.arg(dir.path().join("data"));
        let mut server = Program::start(&mut command);
        let addr = server.url();
        (server, addr)
    };
    let status = |addr: &str, host: &str, path: &str| {
        let response = get(addr, host, path);
        response.split(' ').nth(1).unwrap().to_owned()
    };
    let (server, addr) = start(&["--origin=https://docs.example.com"]);
    for host in [&*addr, "localhost", "docs.example.com", "web:80"] {
        assert_eq!(status(&addr, host, "/"), "200", "{host}");
    }
    assert_eq!(status(&addr, "evil.example", "/"), "421");
    assert_eq!(status(&addr, "evil.example", "/_svc/health"), "200");
    stop(server);
    let (server, addr) = start(&["--allow-host=b.example", "--allow-host=c.example"]);
    assert_eq!(status(&addr, "c.example", "/"), "200");
    assert_eq!(status(&addr, "docs.example.com", "/"), "421");
    stop(server);
    for invalid in ["--base-path=//evil", "--origin=javascript:1"] {
        let mut command = program();
        let output = command.arg(dir.path().join("one")).arg(invalid).output();
        assert_eq!(output.unwrap().status.code(), Some(2), "{invalid}");
    }
}

#[test]
fn dashboard_accounts_are_created_at_the_shell() {
    let dir = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", dir.path().join("admin.sqlite").display());
    let run = |name: &str, password: &str| {
        let mut command = program();
        command.args(["admin", name, "ada", "--store", &store]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{password}").unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains(password), "{text}");
        (output.status.success(), text)
    };
    let (is_ok, text) = run("password", "correct horse battery");
    assert!(
        !is_ok && text.contains("no account with this name"),
        "{text}"
    );
    let (is_ok, text) = run("create", "short");
    assert!(!is_ok && text.contains("at least"), "{text}");
    let (is_ok, text) = run("create", "correct horse battery");
    assert!(is_ok && text.contains("`ada` can sign in"), "{text}");
    let (is_ok, text) = run("create", "correct horse battery");
    assert!(!is_ok && text.contains("already"), "{text}");
    let (is_ok, text) = run("password", "another horse battery");
    assert!(is_ok, "{text}");
}

#[cfg(unix)]
#[test]
fn files_created_by_root_belong_to_the_owner_of_the_dir() {
    use std::os::unix::fs::{MetadataExt as _, chown};
    const OWNER: u32 = 23_456;
    let dir = tempfile::tempdir().unwrap();
    if chown(dir.path(), Some(OWNER), Some(OWNER)).is_err() {
        svc_test_support::skip("only root can change the owner of a directory");
        return;
    }
    let config = dir.path().join("server.toml");
    std::fs::write(&config, "data = \"state/data\"\n[admin]\n[[projects]]\nid = \"a\"\nhosts = [\"a.example\"]\nsource.folder = \"docs\"\n").unwrap();
    let mut create = program();
    create.args(["admin", "create", "ada", "--config"]);
    create.arg(&config).stdin(Stdio::piped());
    let mut create = create.spawn().unwrap();
    let mut password = create.stdin.take().unwrap();
    password.write_all(b"correct horse battery\n").unwrap();
    drop(password);
    assert!(create.wait().unwrap().success());
    for made in ["state", "state/data", "state/data/admin.sqlite"] {
        let about = std::fs::metadata(dir.path().join(made)).unwrap();
        assert_eq!((about.uid(), about.gid()), (OWNER, OWNER), "{made}");
    }
}

#[test]
fn admin_listen_enables_the_single_site_administration() {
    let (dir, _) = settings("");
    let mut command = program();
    command.arg(dir.path().join("one"));
    command.args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.arg("--data").arg(dir.path().join("data"));
    let mut server = Program::start(&mut command);
    let second = (server.next_line(), server.next_line()).1;
    let addr = url_in_line(&second);
    let get_admin = |path: &str| get(addr, addr, path);
    assert!(get_admin("/v2/agent/one/jobs").starts_with("HTTP/1.1 401"));
    assert!(get_admin("/openapi/admin.json").contains("\"openapi\""));
    assert!(get_admin("/sign-in").starts_with("HTTP/1.1 200"));
    assert!(second.contains("(store sqlite:"), "{second}");
    stop(server);
}

#[test]
fn an_administration_without_a_data_dir_is_rejected_before_it_listens() {
    let (dir, _) = settings(TWO);
    let output = program()
        .arg(dir.path().join("one"))
        .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
        .env_remove("HOME")
        .env_remove("XDG_STATE_HOME")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("add --data FOLDER"), "{text}");
}

#[test]
fn single_site_options_reach_the_site() {
    let (dir, _) = settings("");
    let site = dir.path().join("one");
    let config = r##"{"theme": "svc", "name": "one", "colors": {"primary": "#000000"}, "fonts": {"family": "Inter"}, "navigation": {"pages": ["index"]}}"##;
    std::fs::write(site.join("docs.json"), config).unwrap();
    std::fs::write(site.join("own.js"), "1").unwrap();
    std::fs::write(site.join("index.mdx"), "Words. [Gone](/gone)\n").unwrap();
    let start = |options: &[&str]| {
        let mut command = program();
        command.arg(&site).args(options);
        command.args(["--listen", "127.0.0.1:0", "--offline", "--data"]);
        command.arg(dir.path().join("data"));
        let mut server = Program::start(&mut command);
        let addr = server.url();
        (server, addr)
    };
    let get = |addr: &str, path: &str| {
        let addr = addr.trim_end_matches("/docs");
        get(addr, "localhost", path)
    };
    let problems = |server: Program| server.end("-TERM").1;

    let (server, addr) = start(&[]);
    let page = get(&addr, "/");
    assert!(
        page.contains("own.js") && page.contains("fonts.googleapis.com"),
        "{page}"
    );
    std::fs::write(site.join("index.mdx"), "Other words. [Gone](/gone)\n").unwrap();
    assert!(!problems(server).contains("/gone"));

    let (server, addr) = start(&[
        "--base-path=/docs",
        "--origin=https://docs.example.com",
        "--without-scripts",
        "--without-web-fonts",
        "--verbose",
        "--watch",
    ]);
    assert!(get(&addr, "/").starts_with("HTTP/1.1 307"));
    let page = get(&addr, "/docs/");
    assert!(page.contains("Other words."), "{page}");
    let canonical = r#"<link rel="canonical" href="https://docs.example.com/docs/""#;
    assert!(page.contains(canonical), "{page}");
    assert!(
        !page.contains("own.js") && !page.contains("fonts.googleapis.com"),
        "{page}"
    );
    std::fs::write(site.join("index.mdx"), "New words. [Gone](/gone)\n").unwrap();
    let seen = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        get(&addr, "/docs/").contains("New words.")
    });
    assert!(seen);
    let reported = problems(server);
    assert!(
        reported.contains("index.mdx:1") && reported.contains("/gone"),
        "{reported}"
    );
}
