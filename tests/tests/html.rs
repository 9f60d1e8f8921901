//! html-validate reports no problems in two hundred real pages but those of their authors.
#![expect(
    clippy::print_stderr,
    reason = "figures and skipped checks must be seen"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::process::Command;

use serde_json::Value;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::{sites, tools};

/// Rule, beginning of the message, and why it is no bug of the program.
const ALLOWED_PROBLEMS: &[(&str, &str, &str)] = &[
    (
        "attribute-allowed-values",
        "Attribute \"width\" has invalid value \"100%\"",
        "written so on an iframe or a video; browsers understand it",
    ),
    (
        "attribute-allowed-values",
        "Attribute \"height\" has invalid value \"100%\"",
        "written so on an iframe or a video; browsers understand it",
    ),
    (
        "no-deprecated-attr",
        "Attribute \"align\" is deprecated",
        "written so",
    ),
    (
        "element-permitted-content",
        "<label> element is not permitted as a descendant of <a>",
        "a `<label>` that the author put into a card with a link",
    ),
];

#[test]
fn two_hundred_real_pages_are_valid() -> Result<(), Box<dyn Error>> {
    let Some(program) = tools::npm("html-validate/bin/html-validate.mjs") else {
        return Ok(());
    };
    let pages = tempfile::tempdir()?;
    let mut count = 0;
    for name in sites::NAMES {
        let Some(root) = sites::site(name) else {
            return Ok(());
        };
        let site = LoadedSite::load(&root)?;
        let routes: Vec<_> = site.site.map.routes.values().collect();
        for (at, route) in sites::sample(&routes, 42).enumerate() {
            let html = site.page(&route.path).ok_or("the page is rendered")?;
            std::fs::write(pages.path().join(format!("{name}-{at:02}.html")), html)?;
            count += 1;
        }
    }
    assert!(count >= 200, "only {count} pages");
    // Node ends before a pipe has been read completely; a file is complete.
    let report = pages.path().join("report.json");
    let output = Command::new("node")
        .arg(program)
        .arg("--config")
        .arg(sites::workspace().join("tests/npm/htmlvalidate.json"))
        .args(["--formatter", "json"])
        .arg(pages.path().join("*.html"))
        .stdout(std::fs::File::create(&report)?)
        .output()?;
    // The exit status is nonzero if there are findings; without JSON it did not run.
    let results: Value = serde_json::from_slice(&std::fs::read(report)?)
        .map_err(|reason| format!("{reason}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let (mut ours, mut theirs) = (Vec::new(), BTreeMap::new());
    for file in results.as_array().into_iter().flatten() {
        for message in file["messages"].as_array().into_iter().flatten() {
            let rule = message["ruleId"].as_str().unwrap_or_default();
            let text = message["message"].as_str().unwrap_or_default();
            let known = ALLOWED_PROBLEMS
                .iter()
                .find(|known| known.0 == rule && text.starts_with(known.1));
            match known {
                Some((_, what, reason)) => {
                    *theirs.entry(format!("{what}: {reason}")).or_insert(0) += 1;
                }
                None => ours.push(format!(
                    "{}:{}:{} {rule}: {text}",
                    file["filePath"].as_str().unwrap_or_default(),
                    message["line"],
                    message["column"]
                )),
            }
        }
    }
    eprintln!("{count} pages; what their authors wrote: {theirs:#?}");
    if !ours.is_empty() {
        let dir = pages.keep();
        return Err(format!("{} (pages in {})", ours.join("\n"), dir.display()).into());
    }
    Ok(())
}
