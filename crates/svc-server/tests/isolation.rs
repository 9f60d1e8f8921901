//! Work that never ends, in child processes of `svc-server`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use svc_test_support::client::get;
use svc_test_support::program::Program;

/// Native functions of the engine that its interrupt handler does not stop.
const LOOPS: &[&str] = &[
    "Array.prototype.copyWithin.call({length: 2**53 - 1}, 0, 1)",
    "Array.prototype.reverse.call({length: 2**53 - 1})",
    "Array.prototype.shift.call({length: 2**53 - 1})",
    "Array.prototype.indexOf.call({length: 2**53 - 1}, 1)",
    "Array.prototype.join.call({length: 2**32 - 2}, '')",
    "'a'.repeat(4e6).split('a'.repeat(2e6) + 'b')",
];

/// Timeout on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

fn until(label: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + WAIT_TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < end, "{label}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Child processes of a process, with their state.
fn children(parent: u32) -> Vec<(u32, char)> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let child = |number: u32| {
        let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let mut fields = text.rsplit_once(") ")?.1.split(' ');
        let state = fields.next()?.chars().next()?;
        let pid: u32 = fields.next()?.parse().ok()?;
        (pid == parent).then_some((number, state))
    };
    numbers.filter_map(child).collect()
}

/// Names of the threads of a process.
fn threads(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let names = tasks.flatten().map(|task| task.path().join("comm"));
    names
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect()
}

fn serve(dir: &Path) -> (Program, std::net::SocketAddr) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command
        .arg(dir)
        .args(["--listen", "127.0.0.1:0", "--offline", "--data"])
        .arg(dir.join("data"));
    let mut program = Program::start(&mut command);
    let addr = program.url().parse().unwrap();
    (program, addr)
}

/// Creates a site of pages with one component each, which starts with the given statement.
fn site(statements: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let names: Vec<String> = (0..statements.len())
        .map(|number| format!("\"p{number}\""))
        .collect();
    write(
        "docs.json",
        &format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#000000"}}, "navigation": {{"pages": [{}]}}}}"##,
            names.join(", ")
        ),
    );
    for (number, statement) in statements.iter().enumerate() {
        let page = format!(
            "Before.\n\nexport const X = () => {{ const [n] = useState(7); {statement}; return <b>{{n}} shown</b>; }};\n\n<X />\n\nAfter.\n"
        );
        write(&format!("p{number}.mdx"), &page);
    }
    dir
}

#[test]
fn scripts_of_pages_are_terminated_and_leave_no_processes() {
    let statements: Vec<&str> = LOOPS.iter().copied().chain(["0"]).collect();
    let dir = site(&statements);
    let (program, addr) = serve(dir.path());
    for number in 0..LOOPS.len() {
        let html = get(addr, "localhost", &format!("/p{number}"));
        assert!(
            html.contains("Before.") && html.contains("After."),
            "{html}"
        );
        assert!(!html.contains("7 shown"), "{number}");
    }
    // The next script has its own process.
    let html = get(addr, "localhost", &format!("/p{}", LOOPS.len()));
    assert!(html.contains("7 shown"), "{html}");
    let server = program.id();
    until("nothing runs", || {
        let all = children(server);
        all.len() <= 8 && all.iter().all(|(_, state)| *state == 'S')
    });
    let names = threads(server);
    assert!(
        !names.iter().any(|name| name.contains("components")),
        "{names:?}"
    );
    assert_eq!(program.end("-TERM").0, Some(0));
}

#[test]
fn a_child_process_is_isolated_and_ends_with_the_server() {
    let dir = site(&["0"]);
    let (program, addr) = serve(dir.path());
    assert!(get(addr, "localhost", "/p0").contains("7 shown"));
    let left = children(program.id());
    assert!(!left.is_empty());
    for (child, _) in &left {
        let environment = fs::read(format!("/proc/{child}/environ")).unwrap();
        // A setting of the allocator.
        assert_eq!(environment, b"MIMALLOC_ARENA_RESERVE=0\0");
        let limits = fs::read_to_string(format!("/proc/{child}/limits")).unwrap();
        for (name, max) in [("Max open files", "3"), ("Max file size", "0")] {
            let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
            assert!(
                line.split_whitespace().any(|field| field == max),
                "{limits}"
            );
        }
        let dir = fs::read_link(format!("/proc/{child}/cwd")).unwrap();
        assert_eq!(dir, Path::new("/"));
    }
    assert_eq!(program.end("-TERM").0, Some(0));
    until("the children end with the server", || {
        left.iter().all(|(child, _)| {
            let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            stat.is_empty() || stat.contains(") Z ")
        })
    });
}

#[test]
fn a_hostile_icon_blocks_neither_the_server_nor_its_shutdown() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write(
        "docs.json",
        r##"{"theme": "svc", "name": "A", "favicon": "/i.svg", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##,
    );
    write("index.mdx", "Words.");
    write(
        "i.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><filter id='f'><feTurbulence numOctaves='999999999' baseFrequency='0.9'/></filter><rect width='100' height='100' filter='url(#f)'/></svg>",
    );
    let (program, addr) = serve(dir.path());
    let clients: Vec<_> = (0..40)
        .map(|_| std::thread::spawn(move || get(addr, "localhost", "/favicon.ico")))
        .collect();
    assert!(get(addr, "localhost", "/").contains("Words."));
    assert!(get(addr, "localhost", "/i.svg").contains("numOctaves"));
    for client in clients {
        assert!(client.join().unwrap().starts_with("HTTP/1.1 404"));
    }
    assert_eq!(program.end("-TERM").0, Some(0));
}

#[test]
fn a_hostile_image_is_served_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(dir.path().join(name), bytes).unwrap();
    write(
        "docs.json",
        br##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##,
    );
    write("index.mdx", b"![Large](/large.png)");
    // It declares a size of 4000 × 4000 pixels, followed by invalid data.
    let mut image =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x0f\xa0\0\0\x0f\xa0\x08\x06\0\0\0".to_vec();
    image.extend([0xee, 0x7f, 0xe3, 0x02]);
    image.extend(b"\0\x01\0\0IDAT");
    image.extend([0xff; 70_000]);
    write("large.png", &image);
    let (program, addr) = serve(dir.path());
    let page = get(addr, "localhost", "/");
    let (_, list) = page.split_once("srcset=\"").expect("variants");
    let path = list.split(' ').next().unwrap().to_owned();
    assert!(path.starts_with("/_svc/images/"), "{path}");
    let clients: Vec<_> = (0..20)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || get(addr, "localhost", &path))
        })
        .collect();
    for client in clients {
        let response = client.join().unwrap();
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        let head = response.to_ascii_lowercase();
        assert!(head.contains("content-type: image/png") && head.contains("max-age=60"));
    }
    assert!(get(addr, "localhost", "/").contains("/large.png"));
    assert_eq!(program.end("-TERM").0, Some(0));
}
