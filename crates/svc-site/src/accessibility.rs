//! Problems that readers with a screen reader, a keyboard or low vision meet.

use std::cell::LazyCell;
use std::io;
use std::path::Path;

use svc_config::{Document, SiteConfig};
use svc_data::{Node, Value, escape_pointer};
use svc_diagnostics::{Checked, Diagnostic, Fix, Severity};
use svc_render::{ContrastProblem, contrast_problems};
use svc_source::SourceTree;

use crate::codes::{CONFIG_CONTRAST, LOW_CONTRAST};
use crate::diagnostics::sort_diagnostics;
use crate::parallel::{in_parallel, threads};
use crate::stages::config_file;
use crate::validate::{Source, Validation, site_options};
use crate::{LoadOptions, Site, load, render};

/// Codes of missing alternative texts and titles.
const ALT_TEXT_CODES: [&str; 2] = ["a11y-alt-text", "a11y-media-title"];

/// The checks that [`check_accessibility`] runs besides those of headings, links, tables and
/// controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessibilityChecks {
    /// Whether the colors of `docs.json` are checked.
    pub contrast: bool,
    /// Whether alternative texts of images, and titles of frames and videos, are checked.
    pub alt_texts: bool,
}

impl Default for AccessibilityChecks {
    fn default() -> Self {
        Self {
            contrast: true,
            alt_texts: true,
        }
    }
}

/// Checks the accessibility of the site in a directory: what [`Site::accessibility_problems`]
/// reports, and why no site can be built if that is so. Its fixes are applied with
/// [`Validation::fix`].
///
/// # Errors
/// When the directory cannot be read.
pub fn check_accessibility(
    dir: &Path,
    options: &LoadOptions,
    checks: AccessibilityChecks,
) -> io::Result<Validation> {
    Ok(validation(load(dir, &site_options(options))?, checks))
}

/// The accessibility problems of a loaded site, and the fatal problems of loading it.
pub(crate) fn validation(loaded: Checked<Site>, checks: AccessibilityChecks) -> Validation {
    let Checked {
        value: site,
        mut diagnostics,
    } = loaded;
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Fatal);
    diagnostics.extend(site.accessibility_problems(checks, threads()));
    Validation {
        diagnostics: sort_diagnostics(diagnostics),
        pages: site.map.routes.len(),
        source: Source::Accessibility {
            site: Box::new(site),
            checks,
        },
    }
}

impl Site {
    /// The problems of the pages and colors of the site for readers with a screen reader, a keyboard
    /// or low vision (WCAG 2.2, levels A and AA), sorted. Renders all pages on several threads.
    ///
    /// Style sheets of the site, themes of code, and text on images are not checked.
    ///
    /// ```
    /// use svc_site::{AccessibilityChecks, LoadOptions, assemble};
    /// use svc_source::SourceTree;
    ///
    /// let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0f766e"},
    ///     "navigation": {"pages": ["index"]}}"##;
    /// let tree = SourceTree::from_files([("docs.json", config), ("index.mdx", "![](/a.png)")]);
    /// let site = assemble(tree, &LoadOptions::default())?.value;
    /// let problems = site.accessibility_problems(AccessibilityChecks::default(), 1);
    /// assert_eq!(problems[0].code.id, "a11y-alt-text");
    /// assert_eq!(problems[0].location_string(), "index.mdx:1:1");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn accessibility_problems(
        &self,
        checks: AccessibilityChecks,
        threads: usize,
    ) -> Vec<Diagnostic> {
        let routes = &self.map.routes;
        let pages = in_parallel(routes.len(), threads, |index| {
            let (_, route) = routes.get_index(index)?;
            let file = self.page_of(route).map(|page| &page.file);
            Some(render::accessibility(&self.context(), file, route))
        });
        let mut diagnostics: Vec<Diagnostic> = pages.into_iter().flatten().flatten().collect();
        if !checks.alt_texts {
            diagnostics.retain(|diagnostic| !ALT_TEXT_CODES.contains(&diagnostic.code.id));
        }
        if checks.contrast {
            diagnostics.extend(color_problems(&self.tree, &self.config));
        }
        sort_diagnostics(diagnostics)
    }
}

/// The colors of `docs.json` that are hard to read where pages show them, as notes for authors who
/// do not check the accessibility of their site.
pub(crate) fn color_notes(tree: &SourceTree, config: &SiteConfig) -> Vec<Diagnostic> {
    let note = |problem: Diagnostic| Diagnostic {
        code: &CONFIG_CONTRAST,
        severity: CONFIG_CONTRAST.severity,
        fix: None,
        ..problem
    };
    color_problems(tree, config).into_iter().map(note).collect()
}

fn color_problems(tree: &SourceTree, config: &SiteConfig) -> Vec<Diagnostic> {
    let Some(file) = config_file(tree) else {
        return Vec::new();
    };
    // Reading the file again is a large part of an edit on a large site, and seldom needed.
    let document = LazyCell::new(|| Document::read(file).value);
    let mut banners = Vec::new();
    if file.text().contains("\"banner\"") {
        banner_colors(document.root(), "", &mut banners);
    }
    let problems = contrast_problems(config, &banners);
    let reported = problems.iter().filter_map(|one| report(&document, one));
    reported.collect()
}

/// Collects the colors of the banners of the site and its navigation.
fn banner_colors(node: &Node, pointer: &str, out: &mut Vec<(String, String)>) {
    match &node.value {
        Value::Object(object) => {
            for (key, value) in object.iter() {
                let pointer = format!("{pointer}/{}", escape_pointer(key));
                let color = value.get("color").filter(|_| key == "banner");
                for mode in ["light", "dark"] {
                    let color = color.and_then(|color| color.get(mode)?.as_str());
                    out.extend(
                        color.map(|color| (format!("{pointer}/color/{mode}"), color.to_owned())),
                    );
                }
                banner_colors(value, &pointer, out);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                banner_colors(value, &format!("{pointer}/{index}"), out);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The diagnostic of a color; `None` if the author did not write it, or in a file of its own.
fn report(document: &Document, problem: &ContrastProblem) -> Option<Diagnostic> {
    let pointer = &problem.pointer;
    let node = document.get(pointer)?;
    let written = node.as_str()?;
    let is_short = written.len() == 4;
    let expanded: String = match is_short {
        true => written.chars().flat_map(|c| [c, c]).skip(1).collect(),
        false => written.to_owned(),
    };
    if !expanded.eq_ignore_ascii_case(&problem.color) {
        return None;
    }
    let key = pointer.trim_start_matches('/').replace('/', ".");
    // Two digits are enough for a person, and a ratio below the limit must not be rounded up to it.
    let ratio = (problem.ratio * 100.0).floor() / 100.0;
    let mode = problem
        .mode
        .map_or_else(String::new, |mode| format!(" in {mode} mode"));
    let message = format!(
        "`{key}` gives {}{mode} a contrast of {ratio:.2} : 1, `{}` on `{}`, which must be at least {} : 1",
        problem.subject, problem.foreground, problem.background, problem.min_ratio
    );
    let location = document.location(pointer)?;
    let mut diagnostic = Diagnostic::new(&LOW_CONTRAST, message)
        .at(location.clone())
        .pointer(pointer.clone());
    // The text of the selected tab has another color too.
    if problem.min_ratio < 4.5 {
        diagnostic.severity = Severity::Warning;
    }
    Some(match &problem.nearest {
        // A shade for dark mode would change the accent color of light mode.
        Some(near) if pointer == "/colors/primary" && problem.mode == Some("dark") => diagnostic
            .hint(format!(
                "set `colors.light`, the accent color of dark mode, for example to `{near}`"
            )),
        Some(near) => diagnostic
            .hint(format!(
                "write `{near}`, the nearest shade with enough contrast"
            ))
            .fix(Fix::new(
                format!("write `{near}`"),
                location,
                format!("\"{near}\""),
            )),
        None if pointer == "/colors/primary" => {
            diagnostic.hint("no shade is readable in both modes: set `colors.light` for dark mode")
        }
        None => diagnostic.hint("no shade of it has enough contrast: choose another color"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble;

    fn site(colors: &str) -> Checked<Site> {
        let config = format!(
            r#"{{"theme":"svc","name":"T","colors":{colors},"navigation":{{"pages":["index"]}}}}"#
        );
        let tree = SourceTree::from_files([("docs.json", config.as_str()), ("index.mdx", "Text.")]);
        assemble(tree, &LoadOptions::default()).expect("the configuration is built in")
    }

    // spec: cfg.colors.contrast accepts and refuses
    #[test]
    fn a_color_is_noted_exactly_if_it_is_an_accessibility_problem() {
        // Links in the first two have a readable tone; the third is the ground of white text.
        for (colors, expected) in [
            (r##"{"primary":"#0f766e","light":"#2dd4bf"}"##, None),
            (
                r##"{"primary":"#2dd4bf","light":"#2dd4bf"}"##,
                Some("the line below the selected tab"),
            ),
            (r##"{"primary":"#16a34a"}"##, Some("the text of buttons")),
        ] {
            let checked = site(colors);
            let notes = checked
                .diagnostics
                .iter()
                .filter(|one| one.code.id == "config-contrast");
            let notes: Vec<&Diagnostic> = notes.collect();
            let problems = checked
                .value
                .accessibility_problems(AccessibilityChecks::default(), 1);
            let messages = |all: &[&Diagnostic]| -> Vec<String> {
                all.iter().map(|one| one.message.to_string()).collect()
            };
            assert_eq!(
                messages(&notes),
                messages(&problems.iter().collect::<Vec<_>>()),
                "{colors}"
            );
            match expected {
                None => assert!(notes.is_empty(), "{colors}: {notes:?}"),
                Some(subject) => {
                    assert!(notes[0].message.contains(subject), "{colors}: {notes:?}");
                    assert_eq!(notes[0].severity, Severity::Info);
                    assert!(notes[0].fix.is_none() && notes[0].hint.is_some());
                    assert_eq!(
                        notes[0].location_string().split(':').next(),
                        Some("docs.json")
                    );
                }
            }
        }
    }
}
