//! The comment on a pull request, as Markdown.

use svc_data::percent;
use svc_diagnostics::Diagnostic;
use svc_site::{LINK_CODES, PageChange, PageChangeKind, SiteComparison};

use super::markdown::{code, message, prose};
use super::state::{Phase, RequestState};
use crate::deploy::Report;
use crate::pluralize;

/// Maximum size of a comment in bytes: that of GitHub, in characters.
const MAX_COMMENT_BYTES: usize = 65_536;
/// Reserved for the lines that count what is left out.
const RESERVED_BYTES: usize = 1_024;
/// Maximum number of pages in a comment.
const MAX_PAGES: usize = 50;
/// Maximum number of problems, and of breaking changes, in a comment.
const MAX_PROBLEMS: usize = 25;
/// Number of digits of a commit.
const COMMIT_DIGITS: usize = 10;

/// What a comment is rendered from.
pub(super) struct CommentContent<'a> {
    /// Begins the comment and is not visible.
    pub(super) marker: &'a str,
    /// ID of the project.
    pub(super) project: &'a str,
    pub(super) state: &'a RequestState,
    /// URL of the preview, with a trailing slash.
    pub(super) url: Option<&'a str>,
    /// What the pull request changes; `None` if there is nothing to compare with.
    pub(super) comparison: Option<&'a SiteComparison>,
    /// Report of a failed deployment.
    pub(super) report: Option<&'a Report>,
    /// URL of a line of a file at the forge.
    pub(super) line_url: &'a (dyn Fn(&str, u32) -> String + Sync),
}

/// A problem in a file.
struct Problem {
    code: String,
    severity: String,
    message: String,
    hint: Option<String>,
    location: Option<(String, u32)>,
}

/// The sentence of the status of the commit.
pub(super) fn description(content: &CommentContent<'_>) -> String {
    match content.state.phase {
        Phase::Pending => "the preview is being built".to_owned(),
        Phase::Failure => first_line(&content.state.summary),
        _ => {
            let Some(comparison) = content.comparison else {
                return "the preview is ready".to_owned();
            };
            let mut parts = vec![match comparison.pages.len() {
                0 => "no pages changed".to_owned(),
                count => format!("{} changed", pluralize(count, "page")),
            }];
            if !comparison.problems.is_empty() {
                parts.push(pluralize(comparison.problems.len(), "new problem"));
            }
            if !comparison.breaking.is_empty() {
                parts.push(pluralize(comparison.breaking.len(), "breaking change"));
            }
            parts.join(", ")
        }
    }
}

/// The text of the comment.
pub(super) fn render(content: &CommentContent<'_>) -> String {
    let mut out = Text(content.marker.to_owned() + "\n");
    out.paragraph(&head(content));
    if let Some(comparison) = content.comparison {
        pages(&mut out, content, comparison);
        problems(&mut out, content, comparison);
        let heading = match comparison.breaking.len() {
            1 => "**1 breaking change** of the API:".to_owned(),
            count => format!("**{count} breaking changes** of the API:"),
        };
        let lines = comparison.breaking.iter().map(|change| {
            let operation = match &*change.operation {
                "" => String::new(),
                operation => format!("{}: ", code(operation)),
            };
            format!("{operation}{}", message(&change.message))
        });
        out.list(&heading, lines, comparison.breaking.len(), MAX_PROBLEMS);
    }
    if let Some(report) = content.report {
        let all: Vec<Problem> = reported(report)
            .filter(|problem| problem.severity != "warning" && problem.severity != "info")
            .collect();
        let lines = all.iter().map(|problem| line(content, problem));
        let heading = format!("**{}:**", pluralize(all.len(), "error"));
        out.list(&heading, lines, all.len(), MAX_PROBLEMS);
    }
    out.0
}

fn head(content: &CommentContent<'_>) -> String {
    let state = content.state;
    let commit = state.commit.get(..COMMIT_DIGITS).unwrap_or(&state.commit);
    let commit = code(commit);
    let at = time(state.at);
    let name = code(content.project);
    let link = match content.url {
        Some(url) => format!("[preview of {name}]({url})"),
        None => format!("preview of {name}"),
    };
    match state.phase {
        Phase::Pending => format!("The preview of {name} is being built from {commit}."),
        Phase::Success => format!("The **{link}** shows {commit}, built at {at}."),
        Phase::Failure => format!(
            "The **{link}** could not be built from {commit} at {at}:\n\n> {}",
            message(&first_line(&state.summary))
        ),
        Phase::Removed => {
            format!(
                "The preview of {name} was removed at {at}. The last commit was {commit}. A push creates it again."
            )
        }
        Phase::Closed => {
            format!("Closed. The last commit that the preview of {name} showed was {commit}.")
        }
    }
}

fn pages(out: &mut Text, content: &CommentContent<'_>, comparison: &SiteComparison) {
    let count = comparison.pages.len();
    if count == 0 {
        out.paragraph("No pages differ from the site.");
        return;
    }
    let verb = if count == 1 { "differs" } else { "differ" };
    let heading = format!("**{}** {verb} from the site:", pluralize(count, "page"));
    let lines = comparison.pages.iter().map(|page| page_line(content, page));
    out.list(&heading, lines, count, MAX_PAGES);
}

fn page_line(content: &CommentContent<'_>, page: &PageChange) -> String {
    let title = match prose(page.title.trim()) {
        title if title.is_empty() => code(&page.path),
        title => title,
    };
    let linked = match content.url {
        Some(url) => {
            let path = percent::encode(page.path.trim_start_matches('/'), percent::SEGMENTS);
            // With the marks of the changes.
            format!("[{title}]({url}{path}?changes)")
        }
        None => title.clone(),
    };
    match &page.kind {
        PageChangeKind::Added => format!("added: {linked}"),
        PageChangeKind::Changed => format!("changed: {linked}"),
        PageChangeKind::Removed => format!("removed: {title} ({})", code(&page.path)),
        PageChangeKind::Moved { from } => format!("moved: {linked}, from {}", code(from)),
    }
}

fn problems(out: &mut Text, content: &CommentContent<'_>, comparison: &SiteComparison) {
    let all: Vec<Problem> = comparison.problems.iter().map(Problem::from).collect();
    let is_link = |problem: &&Problem| LINK_CODES.contains(&&*problem.code);
    let (links, others): (Vec<&Problem>, Vec<&Problem>) = all.iter().partition(is_link);
    for (problems, noun) in [(links, "new broken link"), (others, "new problem")] {
        let lines = problems.iter().map(|problem| line(content, problem));
        let heading = format!("**{}:**", pluralize(problems.len(), noun));
        out.list(&heading, lines, problems.len(), MAX_PROBLEMS);
    }
    if comparison.fixed > 0 {
        out.paragraph(&format!(
            "**{} fixed.**",
            pluralize(comparison.fixed, "problem")
        ));
    }
}

fn line(content: &CommentContent<'_>, problem: &Problem) -> String {
    let mut out = String::new();
    if let Some((file, line)) = &problem.location {
        let name = code(&format!("{file}:{line}"));
        out = match file.contains("://") {
            // A document of another site.
            true => format!("{name} "),
            false => format!("[{name}]({}) ", (content.line_url)(file, *line)),
        };
    }
    out.push_str(&format!(
        "{}: {}",
        code(&problem.code),
        message(&problem.message)
    ));
    if let Some(hint) = &problem.hint {
        out.push_str(&format!(" ({})", message(hint)));
    }
    out
}

impl From<&Diagnostic> for Problem {
    fn from(diagnostic: &Diagnostic) -> Self {
        let location = diagnostic.location.as_ref();
        Self {
            code: diagnostic.code.id.to_owned(),
            severity: diagnostic.severity.as_str().to_owned(),
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            location: location.map(|at| (at.file.to_string(), at.start.line)),
        }
    }
}

/// The problems of a report, which has them as JSON.
fn reported(report: &Report) -> impl Iterator<Item = Problem> {
    let all = report.diagnostics.as_array().into_iter().flatten();
    all.map(|item| {
        let text = |key: &str| item.get(key).and_then(|it| it.as_str()).map(str::to_owned);
        let line = item.get("line").and_then(serde_json::Value::as_u64);
        Problem {
            code: text("code").unwrap_or_default(),
            severity: text("severity").unwrap_or_default(),
            message: text("message").unwrap_or_default(),
            hint: text("hint"),
            location: text("file").zip(line.map(line_number)),
        }
    })
}

fn line_number(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// For example `2026-11-21 08:30 UTC`.
fn time(millis: u64) -> String {
    let millis = i64::try_from(millis).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(millis).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A text within the limit of forges.
struct Text(String);

impl Text {
    fn paragraph(&mut self, text: &str) {
        if self.0.len() + text.len() + 2 <= MAX_COMMENT_BYTES {
            self.0.push('\n');
            self.0.push_str(text);
            self.0.push('\n');
        }
    }

    /// Adds a list of at most `max` lines, and the number of the others. Without lines, nothing is
    /// added.
    fn list(
        &mut self,
        heading: &str,
        lines: impl Iterator<Item = String>,
        count: usize,
        max: usize,
    ) {
        if count == 0 {
            return;
        }
        self.paragraph(heading);
        self.0.push('\n');
        let mut shown = 0;
        for line in lines.take(max) {
            if self.0.len() + line.len() + RESERVED_BYTES > MAX_COMMENT_BYTES {
                break;
            }
            self.0.push_str("- ");
            self.0.push_str(&line);
            self.0.push('\n');
            shown += 1;
        }
        if shown < count {
            self.0.push_str(&format!("- and {} more\n", count - shown));
        }
    }
}

#[cfg(test)]
mod tests;
