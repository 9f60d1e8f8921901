//! Real repositories, unmodified: every path responds with the content of its source.
#![expect(
    clippy::print_stderr,
    reason = "figures and skipped checks must be seen"
)]

use std::fmt::Write as _;

use serde_json::Value;
use svc_diagnostics::Severity;
use svc_nav::{OperationRef, Route, RouteBody};
use svc_site::{LoadOptions, Site};
use svc_source::{Mode, Page};
use svc_tests::http::{Client, Response};
use svc_tests::loaded_site::{LoadedSite, program_errors};
use svc_tests::markup::{element_text, normalize, normalized_text};
use svc_tests::{server, sites};

/// Result of checking all pages of a site.
#[derive(Default)]
struct Tally {
    pages: usize,
    operations: usize,
    hidden: usize,
    without_title: usize,
    without_text: usize,
    failures: Vec<String>,
}

#[test]
fn mcp_responds_at_every_path() {
    check_responses("mcp");
}

#[test]
fn fastmcp_responds_at_every_path() {
    check_responses("fastmcp");
}

#[test]
fn trigger_responds_at_every_path() {
    check_responses("trigger");
}

#[test]
fn polar_responds_at_every_path() {
    check_responses("polar");
}

#[test]
fn mintlify_responds_at_every_path() {
    check_responses("mintlify");
}

#[test]
fn our_documentation_responds_at_every_path() {
    let tally = look(&server::start(&sites::docs()).expect("the server starts"));
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    assert!(tally.pages > 10, "only {} pages", tally.pages);
}

/// Errors on the real sites: site, code, beginning of the location, and why Mintlify fails there
/// too. Anything else that works on Mintlify must be no error here.
const ERRORS: &[(&str, &str, &str, &str)] = &[
    (
        "fastmcp",
        "mdx-bad-expression",
        "python-sdk/fastmcp-cli-client.mdx:",
        "braces in text that are no JavaScript; the page does not compile",
    ),
    (
        "polar",
        "nav-missing-page",
        "docs.json:",
        "the files are not in the repository",
    ),
    (
        "mintlify",
        "import-missing",
        "",
        "the copy of the repository has no `.jsx` files",
    ),
    (
        "mintlify",
        "nav-page-operation",
        "",
        "the translated documents are older and lack the operations",
    ),
];

#[test]
fn a_working_site_has_only_the_known_errors() {
    let mut unexpected = Vec::new();
    for name in ["mcp", "fastmcp", "trigger", "polar", "mintlify"] {
        let Some(root) = sites::site(name) else {
            continue;
        };
        let checked = svc_site::validate(&root, &LoadOptions::default()).expect("it can be read");
        let errors = checked
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity >= Severity::Error);
        let mut count = 0;
        for error in errors {
            count += 1;
            let known = ERRORS.iter().any(|(site, code, location, _)| {
                *site == name
                    && *code == error.code.id
                    && error.location_string().starts_with(location)
            });
            if !known {
                unexpected.push(format!(
                    "{name} {} {}: {}",
                    error.location_string(),
                    error.code.id,
                    error.message
                ));
            }
        }
        eprintln!("{name}: {} pages, {count} errors", checked.pages);
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

#[test]
fn both_missing_pages_of_polar_are_reported() {
    let Some(root) = sites::site("polar") else {
        return;
    };
    let site = LoadedSite::load(&root).expect("the repository can be read");
    let missing: Vec<String> = site
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "nav-missing-page")
        .map(|diagnostic| format!("{} {}", diagnostic.location_string(), diagnostic.message))
        .collect();
    eprintln!("polar: {}", missing.join("; "));
    assert_eq!(missing.len(), 2, "{missing:#?}");
    assert!(
        missing.iter().all(|line| line.starts_with("docs.json:")),
        "{missing:#?}"
    );
}

fn check_responses(name: &str) {
    let Some(root) = sites::site(name) else {
        return;
    };
    let running = server::start(&root).expect("the server starts");
    let tally = look(&running);
    eprintln!(
        "{name}: {} pages and {} operations served, {} of them outside the navigation; {} show no title by their mode, {} have no sentence to look for; {} failures",
        tally.pages,
        tally.operations,
        tally.hidden,
        tally.without_title,
        tally.without_text,
        tally.failures.len()
    );
    assert!(
        tally.failures.is_empty(),
        "{name}:\n{}",
        tally.failures.join("\n")
    );
    let diagnostics = running
        .site
        .page_diagnostics(svc_tests::loaded_site::threads());
    let mistakes = program_errors(&diagnostics);
    assert!(mistakes.is_empty(), "{name}:\n{}", mistakes.join("\n"));
}

/// Requests every route over one connection.
fn look(running: &server::RunningServer) -> Tally {
    let mut client = Client::connect(running.addr).expect("the server responds");
    let mut tally = Tally::default();
    for route in running.site.map.routes.values() {
        let url = running.site.href(&route.path);
        let response = client.get(&url, &[]).expect("the connection stays open");
        match &route.body {
            RouteBody::Page { .. } => tally.pages += 1,
            RouteBody::Generated => tally.operations += 1,
        }
        tally.hidden += usize::from(!route.in_navigation);
        if let Err(failure) = check(&running.site, route, &response, &mut tally) {
            tally.failures.push(format!("{url}: {failure}"));
        }
    }
    tally
}

fn check(site: &Site, route: &Route, response: &Response, tally: &mut Tally) -> Result<(), String> {
    let page = site.page_of(route);
    // A page with an external URL redirects there.
    let moved = page.is_some_and(|page| page.front_matter.url.is_some());
    let expected = if moved { 307 } else { 200 };
    if response.status != expected {
        return Err(format!("status {}", response.status));
    }
    if moved {
        return Ok(());
    }
    let html = response.text();
    let titled =
        page.is_none_or(|page| !matches!(page.front_matter.mode, Mode::Custom | Mode::Frame));
    let title = normalize(&route.title);
    let heading = element_text(&html, "h1").ok_or("no h1")?;
    if !heading.contains(&title) {
        // Pages in these modes render their own header and may have another title there.
        if titled {
            return Err(format!("the h1 is `{heading}`, not `{title}`"));
        }
        tally.without_title += 1;
    }
    let text = normalized_text(&html);
    match page {
        Some(page) => {
            let candidates = sentences(page);
            if candidates.is_empty() {
                tally.without_text += 1;
            } else if !candidates.iter().any(|candidate| text.contains(candidate)) {
                return Err(format!("the text lacks `{}`", candidates[0]));
            }
        }
        None => {
            if let Some(OperationRef::Operation { method, path, .. }) = &route.operation
                && !(text.contains(&normalize(path)) && text.contains(&method.to_uppercase()))
            {
                return Err(format!("the page does not name `{method} {path}`"));
            }
        }
    }
    Ok(())
}

/// Returns up to three lines of a page that are in its HTML unchanged: plain sentences outside of
/// code, comments and expressions; otherwise the longest pieces between its markup.
fn sentences(page: &Page) -> Vec<String> {
    let (mut lines, mut pieces) = (Vec::new(), Vec::new());
    let (mut fence, mut comment) = (false, false);
    for line in page.body_text().lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fence = !fence;
        }
        comment |= line.contains("{/*") || line.contains("<!--");
        let first = line.chars().next();
        if !fence && !comment && first.is_some_and(|first| first.is_alphabetic() || first == '-') {
            let plain = |letter: char| letter.is_alphanumeric() || " ,.'".contains(letter);
            let long = line.split(' ').count() >= 5;
            if first.is_some_and(char::is_uppercase) && long && line.chars().all(plain) {
                lines.push(normalize(line));
            }
            if !line.starts_with("import") && !line.starts_with("export") {
                let marks = |letter: char| "*_`[](){}<>|&$\\=\"#:/".contains(letter);
                // Skip pieces of images, numbers and URLs.
                let text = |piece: &&str| {
                    piece
                        .chars()
                        .all(|letter| !letter.is_numeric() && letter != '.')
                };
                let pieces_of_line = line.split(marks).filter(text).map(normalize);
                pieces.extend(pieces_of_line.filter(|piece| piece.chars().count() >= 12));
            }
        }
        comment &= !(line.contains("*/}") || line.contains("-->"));
    }
    if lines.is_empty() {
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.chars().count()));
        pieces.truncate(5);
        return pieces;
    }
    lines.truncate(3);
    lines
}

#[test]
fn navigation_equals_that_of_mintlify() {
    let mut report = String::new();
    let mut bad = Vec::new();
    for name in sites::NAMES {
        let (Some(root), Some(oracle)) = (
            sites::site(name),
            svc_test_support::reference_path(&format!("oracle/nav/{name}.json")),
        ) else {
            continue;
        };
        let text = std::fs::read_to_string(oracle).expect("the navigation of Mintlify can be read");
        let reference: Value =
            serde_json::from_str(&text).expect("the navigation of Mintlify is JSON");
        let site = LoadedSite::load(&root).expect("the repository can be read");
        let (ours, theirs) = (keys(&site.site.map.to_json()), keys(&reference));
        let (same, differences) = compare(&ours, &theirs);
        let total = ours.len().max(theirs.len()).max(1);
        let percent = 100.0 * f64::from(u32::try_from(same).unwrap_or(0))
            / f64::from(u32::try_from(total).unwrap_or(u32::MAX));
        let _ = writeln!(
            report,
            "{name}: {same} of {} entries agree, we have {} ({percent:.2} %)",
            theirs.len(),
            ours.len()
        );
        differences.iter().for_each(|line| {
            let _ = writeln!(report, "  {line}");
        });
        if same * 100 < total * 98 {
            bad.push(*name);
        }
    }
    eprint!("{report}");
    assert!(bad.is_empty(), "below 98 %: {bad:?}\n{report}");
}

/// Returns one line per entry: its position and its target.
fn keys(entries: &Value) -> Vec<String> {
    let entries = entries.as_array().into_iter().flatten();
    entries
        .map(|entry| {
            let trail = entry["trail"].as_array().into_iter().flatten();
            let trail: Vec<&str> = trail.filter_map(Value::as_str).collect();
            let target = entry["href"].as_str().or_else(|| entry["link"].as_str());
            format!("{} -> {}", trail.join(" / "), target.unwrap_or("?"))
        })
        .collect()
}

/// Returns the length of the longest common subsequence of two lists, and the lines of only one of
/// them.
fn compare(ours: &[String], theirs: &[String]) -> (usize, Vec<String>) {
    let width = theirs.len() + 1;
    let mut best = vec![0_usize; (ours.len() + 1) * width];
    for (i, our) in ours.iter().enumerate().rev() {
        for (j, their) in theirs.iter().enumerate().rev() {
            best[i * width + j] = if our == their {
                best[(i + 1) * width + j + 1] + 1
            } else {
                best[(i + 1) * width + j].max(best[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut differences) = (0, 0, Vec::new());
    while i < ours.len() || j < theirs.len() {
        if i < ours.len() && j < theirs.len() && ours[i] == theirs[j] {
            (i, j) = (i + 1, j + 1);
        } else if j >= theirs.len()
            || (i < ours.len() && best[(i + 1) * width + j] >= best[i * width + j + 1])
        {
            differences.push(format!("only ours: {}", ours[i]));
            i += 1;
        } else {
            differences.push(format!("only Mintlify: {}", theirs[j]));
            j += 1;
        }
    }
    (best[0], differences)
}
