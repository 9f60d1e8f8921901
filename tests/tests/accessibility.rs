//! axe-core reports no violations in the gallery, and in real pages only those of their authors.
#![expect(
    clippy::print_stderr,
    reason = "figures and skipped checks must be seen"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use svc_config::{CodeBlocks, SiteConfig, Theme};
use svc_site::AccessibilityChecks;
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::{server, sites, tools};

type TestResult = Result<(), Box<dyn Error>>;

/// All rules of WCAG 2.2 at the levels A and AA.
pub(crate) const CHECK: &str = r##"axe.run(document, {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  resultTypes: ["violations"],
}).then((result) => result.violations.flatMap((rule) => rule.nodes.map((node) => {
  const at = String(node.target[0]);
  const element = document.querySelector(at);
  const text = element?.closest("[id=content]") ? "yes" : "";
  const painted = /(^|[ :])text-[a-z]+-[0-9]/.test(element?.closest("[class*=text-]")?.className ?? "") ? "yes" : "";
  return { rule: rule.id, html: node.html, at, text, painted, why: node.failureSummary };
})))"##;

/// Starts a browser with axe-core in every page; `None` if the machine lacks either.
pub(crate) fn start() -> Result<Option<Browser>, Box<dyn Error>> {
    let Some(axe) = tools::npm("axe-core/axe.min.js") else {
        return Ok(None);
    };
    let source = std::fs::read_to_string(axe)?;
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    )?;
    Ok(Some(browser))
}

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    rule: String,
    html: String,
    why: String,
    /// Whether the element is in the content of the page, not in the frame around it.
    in_text: bool,
    /// Whether a class of the content sets its color.
    painted: bool,
}

/// Violations and the pages that have them.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) pages: usize,
    pub(crate) locations: BTreeMap<Violation, Vec<String>>,
}

impl Findings {
    fn look(&mut self, browser: &mut Browser, url: &str, label: &str) -> TestResult {
        browser.open(url)?;
        self.check(browser, CHECK, label)
    }

    /// Checks the current page.
    pub(crate) fn check(&mut self, browser: &mut Browser, check: &str, label: &str) -> TestResult {
        let violations = browser.evaluate(check)?;
        self.pages += 1;
        for entry in violations.as_array().ok_or("the checker gives a list")? {
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let violation = Violation {
                rule: text("rule"),
                html: text("html"),
                why: text("why"),
                in_text: text("text") == "yes",
                painted: text("painted") == "yes",
            };
            let locations = self.locations.entry(violation).or_default();
            locations.push(format!("{label} {}", text("at")));
        }
        Ok(())
    }

    pub(crate) fn report(&self) -> String {
        let mut report = String::new();
        for (violation, locations) in &self.locations {
            // Writing to a String cannot fail.
            let _ = writeln!(
                report,
                "{} ({}×, first {}): {}\n  {}",
                violation.rule,
                locations.len(),
                locations[0],
                violation.html,
                violation.why.replace('\n', "; ")
            );
        }
        report
    }
}

/// Returns all pages of the gallery as one, without the parts that only entire pages have.
fn merged(files: &[(String, String)]) -> String {
    let mut out = String::from("---\ntitle: Everything\n---\n");
    for (path, text) in files
        .iter()
        .filter(|(path, _)| path.starts_with("components/"))
    {
        let body = text.splitn(3, "---\n").nth(2).unwrap_or_default();
        let _ = write!(out, "\n# {path}\n\n{body}\n");
    }
    out
}

fn gallery(theme: Theme) -> Result<server::RunningServer, Box<dyn Error>> {
    let mut files = svc_tests::gallery::files(theme.name())?;
    files.push(("everything.mdx".to_owned(), merged(&files)));
    Ok(server::serve(LoadedSite::of_files(files)?.site)?)
}

#[test]
fn the_gallery_has_no_violation_in_any_theme_and_mode() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let thorough = std::env::var_os("SVC_THOROUGH").is_some();
    let mut findings = Findings::default();
    for &theme in Theme::ALL {
        let server = gallery(theme)?;
        for mode in ["light", "dark"] {
            browser.screen(1440, 900, mode)?;
            let mut paths = vec!["/everything"];
            let rest = server.paths.iter().map(String::as_str);
            if thorough || (theme == Theme::Svc && mode == "light") {
                paths.extend(rest);
            } else {
                // The page of running text and one reference page; components are all in one.
                let mut rest = rest.filter(|path| !path.starts_with("/components/"));
                paths.extend(rest.next());
                paths.extend(rest.next());
            }
            for path in paths {
                let label = format!("{} {mode} {path}", theme.name());
                findings.look(&mut browser, &server.url(path), &label)?;
            }
        }
    }
    eprintln!(
        "{} pages of the gallery, {} violations",
        findings.pages,
        findings.locations.len()
    );
    assert!(findings.locations.is_empty(), "{}", findings.report());
    Ok(())
}

#[test]
fn the_search_dialog_has_no_violation_in_any_theme() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let dialog = "axe.run(document.querySelector('dialog.svc-search')";
    let check = CHECK.replacen("axe.run(document", dialog, 1);
    let mut findings = Findings::default();
    for &theme in Theme::ALL {
        let server = gallery(theme)?;
        let mut paths = server.paths.iter();
        let path = paths.find(|path| !path.starts_with("/components/"));
        let path = path.ok_or("a page of running text")?;
        for (width, mode) in [
            (1440, "light"),
            (1440, "dark"),
            (390, "light"),
            (390, "dark"),
        ] {
            browser.screen(width, 900, mode)?;
            browser.open(&server.url(path))?;
            for (query, shown) in [("card titel", "li a mark"), ("zzzz", ".svc-search-empty p")] {
                browser.evaluate("document.querySelector('dialog.svc-search').close(); document.querySelector('[data-svc-search]').click()")?;
                browser.wait("document.activeElement.id === 'search-input'")?;
                browser.call("Input.insertText", json!({ "text": query }))?;
                browser.wait(&format!(
                    "document.querySelector('.svc-search {shown}') !== null"
                ))?;
                browser.wait("document.querySelector('.svc-search-filters select') !== null")?;
                let label = format!("{} {width} {mode} {query}", theme.name());
                findings.check(&mut browser, &check, &label)?;
            }
        }
    }
    assert_eq!(findings.pages, Theme::ALL.len() * 8);
    assert!(findings.locations.is_empty(), "{}", findings.report());
    Ok(())
}

#[test]
fn sixty_real_pages_have_only_the_violations_of_their_authors() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let mut ours = Findings::default();
    let mut theirs: BTreeMap<String, usize> = BTreeMap::new();
    for name in sites::NAMES {
        let Some(root) = sites::site(name) else {
            return Ok(());
        };
        let server = server::start(&root)?;
        let styles = styles(&root)?;
        let mut findings = Findings::default();
        for (at, path) in sites::sample(&server.paths, 12).enumerate() {
            let (width, mode) = [(1440, "light"), (390, "dark")][at % 2];
            browser.screen(width, 900, mode)?;
            findings.look(&mut browser, &server.url(path), &format!("{name} {path}"))?;
        }
        ours.pages += findings.pages;
        for (violation, locations) in findings.locations {
            match author(&server.site.config, &styles, &violation) {
                Some(reason) => {
                    let line = format!("{name}: {}: {reason}", violation.rule);
                    *theirs.entry(line).or_default() += locations.len();
                }
                None => {
                    ours.locations.insert(violation, locations);
                }
            }
        }
    }
    eprintln!(
        "{} real pages; what their authors wrote: {theirs:#?}",
        ours.pages
    );
    assert!(ours.pages >= 50, "only {} pages", ours.pages);
    assert!(ours.locations.is_empty(), "{}", ours.report());
    Ok(())
}

/// A page with what the colors of a site decide.
const COLORED_PAGE: &str = "---\ntitle: Home\ndescription: A page\n---\n\n## Text\n\nText with [a link](https://example.com) and `code`.\n\n<Card title=\"Ferns\" href=\"https://example.com/ferns\">Text</Card>\n\n<Tabs><Tab title=\"One\">Text</Tab><Tab title=\"Two\">Text</Tab></Tabs>\n\n<Note>Text</Note>\n\n| Plant | Water |\n| - | - |\n| Fern | often |\n";

/// Settings of colors, each with its theme.
const COLOR_SETTINGS: &[(&str, &str)] = &[
    (
        "svc",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf"}"##,
    ),
    ("svc", r##""colors":{"primary":"#16a34a"}"##),
    ("maple", r##""colors":{"primary":"#9ae6b4"}"##),
    (
        "palm",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf","dark":"#3b9a6a"}"##,
    ),
    (
        "willow",
        r##""colors":{"primary":"#e11d48","light":"#fb7185","dark":"#9f1239"}"##,
    ),
    (
        "linden",
        r##""colors":{"primary":"#4f46e5","light":"#a5b4fc"}"##,
    ),
    (
        "almond",
        r##""colors":{"primary":"#16a34a","light":"#86efac","dark":"#14532d"}"##,
    ),
    (
        "almond",
        r##""colors":{"primary":"#4f46e5","light":"#a5b4fc"}"##,
    ),
    (
        "aspen",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"background":{"color":{"light":"#fffdf8","dark":"#101214"}}"##,
    ),
    (
        "svc",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"background":{"color":{"light":"#1b1b1b"}}"##,
    ),
    (
        "sequoia",
        r##""colors":{"primary":"#16a34a","light":"#86efac"}"##,
    ),
    (
        "luma",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"background":{"color":{"dark":"#f5f5f5"}}"##,
    ),
    (
        "svc",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"banner":{"content":"Text","color":{"light":"#3b9a6a","dark":"#14532d"}}"##,
    ),
    (
        "svc",
        r##""colors":{"primary":"#0f766e","light":"#2dd4bf"},"banner":{"content":"Text","color":{"light":"#ffdd00","dark":"#14532d"}}"##,
    ),
];

#[test]
fn reported_colors_are_those_that_the_checker_reports_in_the_browser() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let mut differences = String::new();
    let mut counts = [0, 0];
    for (theme, settings) in COLOR_SETTINGS {
        let banner = match settings.contains("banner") {
            true => "",
            false => r#","banner":{"content":"Text"}"#,
        };
        let config = format!(
            r##"{{"theme":"{theme}","name":"T",{settings}{banner},"navbar":{{"primary":{{"type":"button","label":"Start","href":"https://example.com"}}}},"navigation":{{"pages":["index"]}}}}"##
        );
        let site = LoadedSite::of_files([("docs.json", &*config), ("index.mdx", COLORED_PAGE)])?;
        let problems = site
            .site
            .accessibility_problems(AccessibilityChecks::default(), 1);
        // The checker knows no minimum for lines.
        let reported: Vec<&str> = problems
            .iter()
            .map(|problem| &*problem.message)
            .filter(|message| message.contains("4.5 : 1"))
            .collect();
        let server = server::serve(site.site)?;
        let mut findings = Findings::default();
        for mode in ["light", "dark"] {
            browser.screen(1440, 900, mode)?;
            let url = server.url("/");
            findings.look(&mut browser, &url, mode)?;
        }
        let violations = findings.report();
        counts[usize::from(violations.is_empty())] += 1;
        if reported.is_empty() != violations.is_empty() {
            let _ = writeln!(
                differences,
                "{theme} {settings}\n reported: {reported:#?}\n violations: {violations}"
            );
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(counts.iter().all(|count| *count >= 4), "{counts:?}");
    Ok(())
}

#[test]
fn the_documentation_has_no_violation_in_any_mode_and_width() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let server = server::start(&sites::workspace().join("docs"))?;
    let mut routes = server.site.map.routes.values();
    let operation = routes.find(|route| route.operation.is_some());
    let operation = operation.ok_or("a page of an operation")?.path.clone();
    let mut findings = Findings::default();
    for (width, mode) in [
        (1280, "light"),
        (1280, "dark"),
        (390, "light"),
        (390, "dark"),
    ] {
        browser.screen(width, 900, mode)?;
        for path in ["/", "/guides/accessibility", "/reference/cli", &operation] {
            let label = format!("{width} {mode} {path}");
            findings.look(&mut browser, &server.url(path), &label)?;
        }
    }
    assert_eq!(findings.pages, 16);
    assert!(findings.locations.is_empty(), "{}", findings.report());
    Ok(())
}

#[test]
fn the_documentation_has_no_accessibility_problems() -> TestResult {
    let site = LoadedSite::load(&sites::workspace().join("docs"))?.site;
    let problems = site.accessibility_problems(AccessibilityChecks::default(), 2);
    let lines: Vec<String> = problems
        .iter()
        .map(|one| format!("{} {}: {}", one.location_string(), one.code.id, one.message))
        .collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    assert!(site.map.routes.len() > 50);
    Ok(())
}

/// Returns all style sheets of a repository in lower case.
fn styles(root: &Path) -> std::io::Result<String> {
    let mut out = String::new();
    let mut dirs = vec![root.to_path_buf()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|end| end == "css") {
                out.push_str(&std::fs::read_to_string(path)?.to_lowercase());
            }
        }
    }
    Ok(out)
}

/// Returns why a violation is the author's own; `None` if it is not.
fn author(config: &SiteConfig, styles: &str, violation: &Violation) -> Option<&'static str> {
    let colors = violation
        .why
        .split([' ', ',', ')'])
        .filter(|token| token.starts_with('#'));
    let tag = violation.html.split('>').next().unwrap_or_default();
    let ours = tag.contains("svc-");
    match &*violation.rule {
        "link-name" | "image-alt" | "frame-title" | "button-name" if violation.in_text && !ours => {
            Some("an element of the content without text")
        }
        "color-contrast" if colors.clone().any(|color| styles.contains(color)) => {
            Some("a color of the site's style sheet")
        }
        "color-contrast" if violation.in_text && violation.painted => {
            Some("a color class of the page")
        }
        "color-contrast"
            if config.styling.codeblocks != CodeBlocks::default()
                && violation.html.starts_with("<span class=\"k") =>
        {
            Some("a color of the selected code theme")
        }
        _ => None,
    }
}
