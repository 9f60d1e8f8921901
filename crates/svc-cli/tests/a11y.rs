//! `svc a11y`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::program::{assert_contains, err, out, svc};

const CONFIG: &str = r##"{
  "theme": "svc", "name": "Acme",
  "colors": { "primary": "#16a34a" },
  "banner": { "content": "Hi", "color": { "light": "#0f766e", "dark": "#3b9a6a" } },
  "navigation": { "pages": ["index", "more"] }
}
"##;

const INDEX: &str = r##"---
title: Home
---
import Part from "/snippets/part.mdx"
import { Picture } from "/snippets/picture.jsx"

#### Deep

![](https://example.com/a.png) <img src="https://example.com/b.png" />

<img src="https://example.com/c.png" alt="" />

<iframe src="https://example.com/frame" />

<video src="https://example.com/v.mp4" controls />

See [here](/more), [ ](/more), [Lire la suite](https://example.com) and [this page](#deep).

https://example.com/some/path

[Guide](/more) and [Guide](https://example.com/guide)

|   |   |
| - | - |
| a | b |

<button><Icon icon="leaf" /></button> <input type="text" />

<Part />

<Picture />

{[1].map((n) => <img key={n} src="https://example.com/d.png" />)}

# Second title
"##;

/// A page without problems that is similar to each of them.
const CLEAN: &str = r##"---
title: More
---

## One

### Two

![A leaf](https://example.com/a.png) [![A leaf](https://example.com/b.png)](/)

<iframe src="https://example.com/frame" title="A map" />

<Frame caption="How to water"><video src="https://example.com/v.mp4" controls /></Frame>

<a href="/" aria-label="Home"><Icon icon="leaf" /></a> [Home page](/) [Home page](/)

<https://example.com>

|       | Water |
| ----- | ----- |
| Fern  | often |

<button aria-label="Leaf"><Icon icon="leaf" /></button> <label>Name <input type="text" /></label>

- [ ] a task

<Steps><Step title="First" titleSize="h3">Text</Step></Steps>

<Card title="Ferns" img="https://example.com/a.png" href="/">Text</Card>

<Accordion title="Cacti">Text</Accordion>
"##;

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("docs.json", CONFIG),
        ("index.mdx", INDEX),
        ("more.mdx", CLEAN),
        ("snippets/part.mdx", "Text.\n\n###### Of a snippet\n"),
        (
            "snippets/picture.jsx",
            "export const Picture = () => (<p><img src=\"https://example.com/e.png\" /></p>)\n",
        ),
    ] {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// Codes and locations of the reported problems.
fn problems(output: &Output) -> Vec<String> {
    let value: Value =
        serde_json::from_str(&out(output)).unwrap_or_else(|_| panic!("{}", err(output)));
    let all = value["diagnostics"].as_array().unwrap().iter();
    all.map(|one| {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| one[key].as_u64().unwrap_or_default();
        format!(
            "{}:{}:{} {}",
            text("file"),
            number("line"),
            number("column"),
            text("code")
        )
    })
    .collect()
}

#[test]
fn every_kind_of_problem_is_reported_at_its_source_and_nothing_else() {
    let dir = site();
    let output = svc(&["a11y", "--format", "json"], dir.path());
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let expected = [
        "docs.json:3:26 a11y-contrast",
        "docs.json:4:71 a11y-contrast",
        "index.mdx:7:1 a11y-heading-order",
        "index.mdx:9:1 a11y-alt-text",
        "index.mdx:9:32 a11y-alt-text",
        "index.mdx:13:1 a11y-media-title",
        "index.mdx:15:1 a11y-media-title",
        "index.mdx:17:5 a11y-link-text",
        "index.mdx:17:20 a11y-link-empty",
        "index.mdx:17:32 a11y-link-text",
        "index.mdx:17:73 a11y-link-text",
        "index.mdx:19:1 a11y-link-url",
        "index.mdx:21:20 a11y-link-repeated",
        "index.mdx:23:1 a11y-table-header",
        "index.mdx:27:1 a11y-control-name",
        "index.mdx:27:39 a11y-control-name",
        "index.mdx:31:1 a11y-alt-text",
        "index.mdx:33:1 a11y-alt-text",
        "index.mdx:35:1 a11y-heading-order",
        "snippets/part.mdx:3:1 a11y-heading-order",
    ];
    let reported = problems(&output);
    assert_eq!(reported, expected, "{reported:#?}");
    // The same problems are not repeated by the other command.
    let validated = problems(&svc(&["validate", "--format", "json"], dir.path()));
    assert!(
        validated.iter().all(|line| !line.contains("a11y-")),
        "{validated:?}"
    );
}

#[test]
fn the_flags_of_mintlify_leave_out_their_checks() {
    let dir = site();
    let arguments = [
        "a11y",
        "--format",
        "json",
        "--skip-contrast",
        "--skip-alt-text",
    ];
    let reported = problems(&svc(&arguments, dir.path()));
    assert!(
        reported
            .iter()
            .any(|line| line.ends_with("a11y-link-empty"))
    );
    for code in ["a11y-contrast", "a11y-alt-text", "a11y-media-title"] {
        assert!(reported.iter().all(|line| !line.ends_with(code)), "{code}");
    }
}

#[test]
fn fixes_replace_colors_by_readable_shades() {
    let dir = site();
    let output = svc(&["a11y"], dir.path());
    assert_contains(
        &out(&output),
        " problems can be fixed with `svc a11y --fix`",
    );
    let read = |path: &Path| std::fs::read_to_string(path.join("docs.json")).unwrap();
    let output = svc(&["a11y", "--fix", "--dry-run"], dir.path());
    assert_contains(&out(&output), "+  \"colors\": { \"primary\": \"#");
    assert_eq!(read(dir.path()), CONFIG);
    svc(&["a11y", "--fix"], dir.path());
    assert_ne!(read(dir.path()), CONFIG);
    let reported = problems(&svc(&["a11y", "--format", "json"], dir.path()));
    assert!(
        reported.iter().all(|line| !line.starts_with("docs.json")),
        "{reported:?}"
    );
}

#[test]
fn a_site_without_problems_has_none() {
    let dir = site();
    std::fs::write(
        dir.path().join("docs.json"),
        CONFIG
            .replace("16a34a", "0f766e")
            .replace("3b9a6a", "0f766e"),
    )
    .unwrap();
    std::fs::write(dir.path().join("index.mdx"), CLEAN.replace("More", "Home")).unwrap();
    let output = svc(&["a11y", "--strict"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(
        out(&output).ends_with("2 pages: no problems\n"),
        "{}",
        out(&output)
    );
    for format in ["sarif", "github"] {
        let output = svc(&["a11y", "--format", format], dir.path());
        assert_eq!(output.status.code(), Some(0));
    }
}
