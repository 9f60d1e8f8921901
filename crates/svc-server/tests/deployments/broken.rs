//! Broken deployments.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::deployments::rig::{Harness, Reader, remove_all, times};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    /// The responses are byte-identical.
    Same,
    /// The site is published, and the diagnostic is reported.
    Served,
}

use Expected::{Same, Served};

type Breakage = (&'static str, Expected, fn(&Harness, &Path, usize));

fn config(rig: &Harness) -> String {
    rig.files(0)[0].1.clone()
}

fn front_matter_bomb() -> String {
    let mut text = "---\ntitle: Bomb\na: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (name, of) in ["b", "c", "d", "e", "f", "g", "h", "i"]
        .iter()
        .zip(["a", "b", "c", "d", "e", "f", "g", "h"])
    {
        text.push_str(&format!(
            "{name}: &{name} [*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of}]\n"
        ));
    }
    text + "---\n"
}

const BREAKAGES: &[Breakage] = &[
    ("docs.json cut off", Same, |rig, docs, turn| {
        let text = config(rig);
        let cut = 1 + (text.len() - 2) * (turn % 10) / 10;
        fs::write(docs.join("docs.json"), &text[..cut]).unwrap();
    }),
    ("docs.json empty", Same, |_, docs, _| {
        fs::write(docs.join("docs.json"), "").unwrap();
    }),
    ("docs.json a list", Same, |_, docs, _| {
        fs::write(docs.join("docs.json"), "[]").unwrap();
    }),
    ("docs.json gone", Same, |_, docs, _| {
        fs::remove_file(docs.join("docs.json")).unwrap();
    }),
    ("docs.json a folder", Same, |_, docs, _| {
        fs::remove_file(docs.join("docs.json")).unwrap();
        fs::create_dir(docs.join("docs.json")).unwrap();
    }),
    ("docs.json a pipe", Same, |_, docs, _| {
        fs::remove_file(docs.join("docs.json")).unwrap();
        let made = Command::new("mkfifo").arg(docs.join("docs.json")).status();
        assert!(made.unwrap().success());
    }),
    ("docs.json a link out", Same, |_, docs, _| {
        fs::remove_file(docs.join("docs.json")).unwrap();
        symlink("/etc/passwd", docs.join("docs.json")).unwrap();
    }),
    ("docs.json no text", Same, |_, docs, turn| {
        fs::write(docs.join("docs.json"), vec![0xff; 10 + turn]).unwrap();
    }),
    ("docs.json without a comma", Same, |rig, docs, _| {
        let text = config(rig).replacen(", \"name\"", " \"name\"", 1);
        fs::write(docs.join("docs.json"), text).unwrap();
    }),
    ("docs.json too deep", Same, |_, docs, _| {
        let text = format!("{{\"navigation\": {}", "[".repeat(100_000));
        fs::write(docs.join("docs.json"), text).unwrap();
    }),
    ("all pages gone", Same, |rig, docs, _| {
        for page in 0..rig.pages {
            fs::remove_file(docs.join(format!("p{page}.mdx"))).unwrap();
        }
    }),
    ("everything gone", Same, |_, docs, _| remove_all(docs)),
    ("a page gone", Served, |_, docs, turn| {
        fs::remove_file(docs.join(format!("p{}.mdx", 1 + turn % 3))).unwrap();
    }),
    ("a page that is no text", Served, |_, docs, turn| {
        fs::write(docs.join("p1.mdx"), vec![0xff; 10 + turn]).unwrap();
    }),
    ("a page that does not parse", Served, |_, docs, turn| {
        fs::write(
            docs.join("p1.mdx"),
            format!("# Broken {turn}\n\n<Card>\n\n{{ ( \n"),
        )
        .unwrap();
    }),
    ("a bomb in front matter", Served, |_, docs, turn| {
        fs::write(docs.join("p1.mdx"), front_matter_bomb() + &turn.to_string()).unwrap();
    }),
    ("a page that is too large", Served, |_, docs, turn| {
        fs::write(docs.join("p1.mdx"), "word ".repeat((7 << 20) + turn)).unwrap();
    }),
    ("an API that refers to itself", Served, |rig, docs, turn| {
        let text = config(rig).replacen(
            "\"pages\": [",
            "\"pages\": [{\"group\": \"API\", \"openapi\": \"api.yaml\"}, ",
            1,
        );
        fs::write(docs.join("docs.json"), text).unwrap();
        let api = format!(
            "openapi: 3.1.0\ninfo: {{title: A, version: '{turn}'}}\npaths:\n  /a:\n    get:\n      responses:\n        '200':\n          $ref: '#/components/responses/A'\ncomponents:\n  responses:\n    A:\n      $ref: '#/components/responses/B'\n    B:\n      $ref: '#/components/responses/A'\n"
        );
        fs::write(docs.join("api.yaml"), api).unwrap();
    }),
    (
        "snippets that import each other",
        Served,
        |_, docs, turn| {
            fs::create_dir_all(docs.join("snippets")).unwrap();
            for (name, other) in [("a", "b"), ("b", "a")] {
                let text =
                    format!("import Other from '/snippets/{other}.mdx'\n\n<Other />\n{turn}\n");
                fs::write(docs.join(format!("snippets/{name}.mdx")), text).unwrap();
            }
            let page = "import A from '/snippets/a.mdx'\n\n<A />\n";
            fs::write(docs.join("p1.mdx"), page).unwrap();
        },
    ),
    ("an icon that does not exist", Served, |_, docs, turn| {
        let page = format!("---\ntitle: P\nicon: no-such-icon-{turn}\n---\n");
        fs::write(docs.join("p1.mdx"), page).unwrap();
        fs::remove_file(docs.join("p2.mdx")).unwrap();
    }),
];

/// All responses of the site.
fn all(rig: &Harness, addr: SocketAddr) -> Vec<(String, u16, Vec<u8>)> {
    // The server closes an idle connection.
    let mut reader = Reader::new(addr).unwrap();
    let pages = (0..rig.pages).map(|page| format!("/p{page}"));
    let others = [
        "/style.css",
        "/own.js",
        "/a.svg",
        "/sitemap.xml",
        "/llms-full.txt",
        "/robots.txt",
        "/nothing",
    ];
    pages
        .chain(others.map(str::to_owned))
        .map(|path| {
            let response = reader.get(&path).unwrap();
            (path, response.status, response.body)
        })
        .collect()
}

fn problems(reply: &Value) -> usize {
    let all = reply["report"]["diagnostics"].as_array();
    all.map_or(0, Vec::len)
}

#[test]
fn broken_deployments_are_not_served_or_are_reported() {
    let rig = Harness::new(8);
    let program = rig.start();
    assert_eq!(program.deploy()["deployment"]["state"], "live");
    let before = all(&rig, program.addr);
    let count = times("SVC_BROKEN", BREAKAGES.len());
    let (mut same, mut served) = (0, 0);
    for turn in 0..count {
        let (name, expected, break_it) = BREAKAGES[turn % BREAKAGES.len()];
        break_it(&rig, &rig.docs(), turn / BREAKAGES.len());
        let reply = program.deploy();
        let state = reply["deployment"]["state"].as_str().unwrap();
        let summary = reply["deployment"]["summary"].as_str().unwrap();
        if expected == Same {
            assert_eq!(state, "failed", "{name}: {reply}");
            assert!(
                all(&rig, program.addr) == before,
                "{name} changed what readers see"
            );
            assert!(!summary.is_empty(), "{name}");
            same += 1;
        } else {
            assert_eq!(state, "live", "{name}: {reply}");
            let mut reader = Reader::new(program.addr).unwrap();
            assert_eq!(reader.get("/p0").unwrap().status, 200, "{name}");
            served += 1;
            // Diagnostics of pages are found after the site is live.
            let id = reply["deployment"]["id"].as_str().unwrap();
            let reported = (0..600).any(|_| {
                let reply = program.request("GET", &format!("/deployments/{id}"));
                if problems(&reply) == 0 {
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
                problems(&reply) > 0
            });
            assert!(reported, "{name} was not told");
        }
        remove_all(&rig.docs());
        rig.write(0);
        let reply = program.deploy();
        assert_eq!(
            reply["deployment"]["state"], "live",
            "after {name}: {reply}"
        );
        assert!(all(&rig, program.addr) == before, "after {name}");
    }
    println!(
        "{count} broken deployments: {same} left every byte as it was, {served} were served and told"
    );
}
