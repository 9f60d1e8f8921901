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
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::{server, sites, tools};

type TestResult = Result<(), Box<dyn Error>>;

/// All rules of WCAG 2.2 at the levels A and AA.
const CHECK: &str = r##"axe.run(document, {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  resultTypes: ["violations"],
}).then((found) => found.violations.flatMap((rule) => rule.nodes.map((node) => {
  const at = String(node.target[0]);
  const element = document.querySelector(at);
  const text = element?.closest("[id=content]") ? "yes" : "";
  const painted = /(^|[ :])text-[a-z]+-[0-9]/.test(element?.closest("[class*=text-]")?.className ?? "") ? "yes" : "";
  return { rule: rule.id, html: node.html, at, text, painted, why: node.failureSummary };
})))"##;

/// Starts a browser with axe-core in every page; `None` if the machine lacks either.
fn start() -> Result<Option<Browser>, Box<dyn Error>> {
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
struct Violation {
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
struct Findings {
    pages: usize,
    locations: BTreeMap<Violation, Vec<String>>,
}

impl Findings {
    fn look(&mut self, browser: &mut Browser, address: &str, place: &str) -> TestResult {
        browser.open(address)?;
        let found = browser.evaluate(CHECK)?;
        self.pages += 1;
        for found in found.as_array().ok_or("the checker gives a list")? {
            let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
            let violation = Violation {
                rule: text("rule"),
                html: text("html"),
                why: text("why"),
                in_text: text("text") == "yes",
                painted: text("painted") == "yes",
            };
            let places = self.locations.entry(violation).or_default();
            places.push(format!("{place} {}", text("at")));
        }
        Ok(())
    }

    fn report(&self) -> String {
        let mut report = String::new();
        for (found, places) in &self.locations {
            // Writing to a String cannot fail.
            let _ = writeln!(
                report,
                "{} ({}×, first {}): {}\n  {}",
                found.rule,
                places.len(),
                places[0],
                found.html,
                found.why.replace('\n', "; ")
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
    let mut found = Findings::default();
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
                let place = format!("{} {mode} {path}", theme.name());
                found.look(&mut browser, &server.url(path), &place)?;
            }
        }
    }
    eprintln!(
        "{} pages of the gallery, {} violations",
        found.pages,
        found.locations.len()
    );
    assert!(found.locations.is_empty(), "{}", found.report());
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
        let mut found = Findings::default();
        for (at, path) in sites::sample(&server.paths, 12).enumerate() {
            let (width, mode) = [(1440, "light"), (390, "dark")][at % 2];
            browser.screen(width, 900, mode)?;
            found.look(&mut browser, &server.url(path), &format!("{name} {path}"))?;
        }
        ours.pages += found.pages;
        for (violation, places) in found.locations {
            match author(&server.site.config, &styles, &violation) {
                Some(why) => {
                    let line = format!("{name}: {}: {why}", violation.rule);
                    *theirs.entry(line).or_default() += places.len();
                }
                None => {
                    ours.locations.insert(violation, places);
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

/// Returns all style sheets of a repository in lower case.
fn styles(root: &Path) -> std::io::Result<String> {
    let mut out = String::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "css") {
                out.push_str(&std::fs::read_to_string(path)?.to_lowercase());
            }
        }
    }
    Ok(out)
}

/// Returns why a violation is the author's own; `None` if it is not.
fn author(config: &SiteConfig, styles: &str, found: &Violation) -> Option<&'static str> {
    let colors = found
        .why
        .split([' ', ',', ')'])
        .filter(|word| word.starts_with('#'));
    let tag = found.html.split('>').next().unwrap_or_default();
    let ours = tag.contains("svc-");
    match &*found.rule {
        "link-name" | "image-alt" | "frame-title" | "button-name" if found.in_text && !ours => {
            Some("an element of the text without words")
        }
        "color-contrast" if colors.clone().any(|color| styles.contains(color)) => {
            Some("a colour of the site's stylesheet")
        }
        "color-contrast" if found.in_text && found.painted => Some("a colour class of the page"),
        "color-contrast"
            if config.styling.codeblocks != CodeBlocks::default()
                && found.html.starts_with("<span class=\"k") =>
        {
            Some("a colour of the code theme that the site chose")
        }
        _ => None,
    }
}
