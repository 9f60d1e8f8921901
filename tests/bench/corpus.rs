//! Repositories generated from a seeded vocabulary, for machines without real ones and for large
//! sizes.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use svc_tests::random::Random;

const VOCABULARY: &[&str] = &[
    "server", "page", "request", "answer", "table", "field", "value", "token", "client", "stream",
    "folder", "build", "deploy", "query", "index", "cache", "limit", "error", "event", "handler",
    "account", "invoice", "customer", "order", "plan", "usage", "meter", "webhook", "secret",
    "key", "reads", "writes", "returns", "needs", "keeps", "starts", "stops", "sends", "holds",
    "shows", "the", "a", "every", "this", "each", "one", "with", "from", "into", "after", "before",
    "and",
];

/// Pages per group, and groups per tab.
const GROUP_SIZE: usize = 50;
const TAB_SIZE: usize = 10;

/// Writes a repository of `count` pages: tabs with groups of pages.
pub(crate) fn write(root: &Path, count: usize) -> io::Result<()> {
    let mut random = Random::new(25);
    let mut tabs: Vec<Value> = Vec::new();
    let groups: Vec<usize> = (0..count).step_by(GROUP_SIZE).collect();
    for (tab, firsts) in groups.chunks(TAB_SIZE).enumerate() {
        let mut list = Vec::new();
        for first in firsts {
            let dir = format!("t{tab}/g{first}");
            fs::create_dir_all(root.join(&dir))?;
            let mut pages = Vec::new();
            for number in *first..(first + GROUP_SIZE).min(count) {
                let path = format!("{dir}/p{number}");
                fs::write(
                    root.join(format!("{path}.mdx")),
                    page(&mut random, number, &dir),
                )?;
                pages.push(path);
            }
            list.push(json!({"group": format!("Group {first}"), "pages": pages}));
        }
        tabs.push(json!({"tab": format!("Tab {tab}"), "groups": list}));
    }
    let config = json!({
        "theme": "svc", "name": "Generated", "colors": {"primary": "#0f766e"},
        "navigation": {"tabs": tabs}
    });
    fs::write(root.join("docs.json"), config.to_string())
}

/// Returns the body of a page that all Markdown programs read the same way, about four kilobytes.
pub(crate) fn plain(random: &mut Random, number: usize) -> String {
    let mut out = String::new();
    for section in 0..4 {
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "## {}\n\n{}\n\n",
            random_text(random, 3),
            paragraph(random)
        );
        match section {
            1 => code(&mut out, random, number),
            2 => table(&mut out, random),
            _ => {
                for _ in 0..5 {
                    let _ = writeln!(
                        out,
                        "- {} **{}**",
                        random_text(random, 6),
                        random_text(random, 2)
                    );
                }
                out.push('\n');
            }
        }
    }
    out
}

fn code(out: &mut String, random: &mut Random, number: usize) {
    out.push_str("```python\n");
    for line in 0..8 {
        let name = random.pick(VOCABULARY).copied().unwrap_or("x");
        let _ = writeln!(out, "def {name}_{line}(value: int) -> str:  # {number}");
    }
    out.push_str("```\n\n");
}

fn table(out: &mut String, random: &mut Random) {
    out.push_str("| Name | Type | Text |\n| --- | --- | --- |\n");
    for _ in 0..6 {
        let (name, kind) = (random_text(random, 1), random_text(random, 1));
        let _ = writeln!(out, "| `{name}` | {kind} | {} |", random_text(random, 6));
    }
    out.push('\n');
}

/// Returns one page, about four kilobytes.
fn page(random: &mut Random, number: usize, dir: &str) -> String {
    let mut out = format!(
        "---\ntitle: \"Page {number}\"\ndescription: \"{}\"\n---\n\n",
        random_text(random, 8)
    );
    for section in 0..4 {
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "## {}\n\n{}\n\n",
            random_text(random, 3),
            paragraph(random)
        );
        match section {
            0 => {
                let text = random_text(random, 12);
                let _ = write!(
                    out,
                    "<Note>\n  {text} **{}**.\n</Note>\n\n",
                    random_text(random, 2)
                );
            }
            1 => code(&mut out, random, number),
            2 => table(&mut out, random),
            _ => {
                for _ in 0..5 {
                    let _ = writeln!(
                        out,
                        "- {} [{}](/{dir}/p{number})",
                        random_text(random, 6),
                        random_text(random, 2)
                    );
                }
                out.push_str(
                    "\n<Card title=\"More\" icon=\"book\" href=\"/\">More of it.</Card>\n\n",
                );
            }
        }
    }
    out
}

fn paragraph(random: &mut Random) -> String {
    let sentences: Vec<String> = (0..5)
        .map(|_| format!("{} `{}`.", random_text(random, 11), random_text(random, 1)))
        .collect();
    sentences.join(" ")
}

pub(crate) fn random_text(random: &mut Random, count: usize) -> String {
    (0..count)
        .filter_map(|_| random.pick(VOCABULARY))
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}
