//! Checks of what readers with a screen reader, a keyboard or low vision meet in the content of a
//! page, at the locations of its source.
//!
//! The HTML of the article is checked, because only it has the output of snippets, expressions and
//! components.

mod element_check;
mod link_texts;
mod name;
#[cfg(test)]
mod tests;

use svc_diagnostics::{Diagnostic, DiagnosticCode, Location, diagnostic_code};
use svc_nav::{Route, RouteBody};
use svc_source::Mode;

use self::element_check::{ElementCheck, Heading};
use crate::article::marked_article;
use crate::ctx::RenderContext;
use crate::html_markdown::nodes;

/// An image has no alternative text.
pub(crate) static MISSING_ALT: DiagnosticCode =
    diagnostic_code!(error, "a11y-alt-text", "an image has no alternative text");
/// A frame or video has no title.
pub(crate) static MISSING_TITLE: DiagnosticCode =
    diagnostic_code!(warning, "a11y-media-title", "a frame or video has no title");
/// The level of a heading does not follow from the headings before it.
pub(crate) static HEADING_ORDER: DiagnosticCode = diagnostic_code!(
    warning,
    "a11y-heading-order",
    "the levels of headings have a gap, or a page has two titles"
);
/// A heading has no text.
pub(crate) static EMPTY_HEADING: DiagnosticCode =
    diagnostic_code!(warning, "a11y-heading-empty", "a heading has no text");
/// A link has no text.
pub(crate) static EMPTY_LINK: DiagnosticCode =
    diagnostic_code!(error, "a11y-link-empty", "a link has no text");
/// The text of a link does not name its target.
pub(crate) static VAGUE_LINK: DiagnosticCode = diagnostic_code!(
    warning,
    "a11y-link-text",
    "the text of a link does not name its target"
);
/// The text of a link is its URL.
pub(crate) static URL_LINK: DiagnosticCode =
    diagnostic_code!(info, "a11y-link-url", "the text of a link is a URL");
/// Two links of a page have the same text and different targets.
pub(crate) static REPEATED_LINK: DiagnosticCode = diagnostic_code!(
    info,
    "a11y-link-repeated",
    "two links of a page have the same text and different targets"
);
/// A table has no header cells.
pub(crate) static TABLE_HEADER: DiagnosticCode = diagnostic_code!(
    warning,
    "a11y-table-header",
    "a table has no header cells with text"
);
/// A control has no name.
pub(crate) static UNNAMED_CONTROL: DiagnosticCode = diagnostic_code!(
    error,
    "a11y-control-name",
    "a button or an input has no name"
);

/// Checks the content of a page: alternative texts, titles of frames and videos, headings, links,
/// tables and controls. Empty for routes without a page file, whose content is generated.
///
/// The article is rendered for this; [`crate::render_article`] does not have these diagnostics.
pub fn check_accessibility(cx: &RenderContext<'_>, route: &Route) -> Vec<Diagnostic> {
    let RouteBody::Page { slug } = &route.body else {
        return Vec::new();
    };
    let (article, locations) = marked_article(cx, route);
    let mut check = ElementCheck::new(&locations, route.language.as_deref());
    check.nodes(&nodes::parse(article.html.as_str(), ""));
    let mut diagnostics = check.diagnostics;
    let mode = cx.pages.get(slug).map(|page| page.front_matter.mode);
    let is_headless = matches!(mode, Some(Mode::Custom | Mode::Frame));
    // Pages without a visible title have a hidden one, unless their content has a heading of level 1.
    let has_title = !is_headless || check.headings.iter().all(|heading| heading.level != 1);
    check_headings(&check.headings, has_title, &locations, &mut diagnostics);
    diagnostics
}

/// Reports gaps between the levels of headings, and headings of level 1 besides the title.
fn check_headings(
    headings: &[Heading],
    has_title: bool,
    locations: &[Location],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut before = has_title.then_some(1);
    let mut has_first = has_title;
    let mut is_reported = false;
    for heading in headings {
        let level = heading.level;
        let location = heading.at.and_then(|at| locations.get(at));
        if let (Some(location), Some(before)) = (location, before)
            && level > before + 1
        {
            let expected = before + 1;
            let message = match before {
                1 => format!("a heading of level {level} follows the title of the page"),
                _ => format!("a heading of level {level} follows one of level {before}"),
            };
            let hint = format!(
                "use level {expected} (`{}`), or add the heading between them",
                "#".repeat(expected.into())
            );
            diagnostics.push(
                Diagnostic::new(&HEADING_ORDER, message)
                    .at(location.clone())
                    .hint(hint),
            );
        }
        if let (1, true, false, Some(location)) = (level, has_first, is_reported, location) {
            let message = "a heading of level 1 is a second title of the page";
            let hint =
                "use level 2 (`##`); the title of the front matter is the heading of level 1";
            diagnostics.push(
                Diagnostic::new(&HEADING_ORDER, message)
                    .at(location.clone())
                    .hint(hint),
            );
            is_reported = true;
        }
        has_first |= level == 1;
        before = Some(level);
    }
}
