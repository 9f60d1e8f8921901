//! Small templates that pages share.

use askama::Template;
use askama::filters::HtmlSafe;
use svc_admin_api::agent_job::{Job, Phase};
use svc_admin_api::deployment::Progress;
use svc_render::Html;

use super::page::{PageLayout, Tab};
use super::theme::Theme;

/// A status label with a color.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(
    source = r#"<span class="dash-badge is-{{ kind }}"><span class="dash-dot" aria-hidden="true"></span>{{ text }}</span>"#,
    ext = "html"
)]
pub(super) struct Badge {
    /// Kind: `good`, `bad`, `busy`, `wait` or `plain`.
    kind: &'static str,
    text: String,
}

impl HtmlSafe for Badge {}

impl Badge {
    pub(super) fn new(kind: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind, text }
    }

    /// Text of the label.
    pub(super) fn label(&self) -> &str {
        &self.text
    }

    /// Whether the status is a failure.
    pub(super) fn is_bad(&self) -> bool {
        self.kind == "bad"
    }

    /// Badge of a job.
    pub(super) fn job(job: &Job) -> Self {
        match job.phase {
            Phase::Active { lease: None, .. } => Self::new("wait", "Waiting"),
            Phase::Active { .. } => Self::new("busy", "Working"),
            Phase::Completed => Self::new("good", "Completed"),
            Phase::Failed { .. } => Self::new("bad", "Failed"),
            Phase::Archived { .. } => Self::new("plain", "Archived"),
        }
    }

    /// Badge of a deployment.
    pub(super) fn deployment(progress: Progress) -> Self {
        match progress {
            Progress::Queued => Self::new("wait", "Queued"),
            Progress::InProgress => Self::new("busy", "In progress"),
            Progress::Success => Self::new("good", "Succeeded"),
            Progress::Failure => Self::new("bad", "Failed"),
        }
    }
}

/// Search field of a list; works without scripts.
#[derive(Debug, Template)]
#[template(
    source = r#"<form class="dash-filter dash-search" method="get" role="search"><label for="q" class="svc-visually-hidden">Search {{ what }}</label>{% if let Some(status) = status %}<input type="hidden" name="status" value="{{ status }}">{% endif %}<input id="q" name="q" type="search" value="{{ text }}" maxlength="200" autocomplete="off" spellcheck="false" placeholder="Search {{ what }}"><button class="dash-button" type="submit">Search</button></form>"#,
    ext = "html"
)]
pub(super) struct Search<'a> {
    what: &'static str,
    text: &'a str,
    /// Active filter, which the search keeps.
    status: Option<&'static str>,
}

impl HtmlSafe for Search<'_> {}

impl<'a> Search<'a> {
    /// Maximum number of the newest entries that are searched.
    pub(super) const MAX_ENTRIES: usize = 1_000;

    pub(super) fn new(what: &'static str, text: &'a str, status: Option<&'static str>) -> Self {
        let text = text.trim();
        Self { what, text, status }
    }

    /// Whether the search is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether each word of the search occurs in a text, ignoring case.
    pub(super) fn matches(&self, texts: &[&str]) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let searched = self.text.to_lowercase();
        let mut terms = searched.split_whitespace();
        terms.all(|term| texts.iter().any(|text| text.contains(term)))
    }

    /// The search as a suffix of a query string.
    pub(super) fn parameter(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let encoded: String = url::form_urlencoded::byte_serialize(self.text.as_bytes()).collect();
        format!("&q={encoded}")
    }
}

/// Code with a copy button.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="dash-copyable"><code>{{ text }}</code><button class="dash-copy" type="button" data-copy="{{ text }}" aria-label="Copy {{ what }}" title="Copy {{ what }}" hidden>{{ idle }}{{ done }}</button></span>"#,
    ext = "html"
)]
pub(super) struct Copyable<'a> {
    text: &'a str,
    what: &'a str,
    idle: Html,
    done: Html,
}

impl HtmlSafe for Copyable<'_> {}

/// Text in which names between backticks are rendered as code.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="dash-said">{% for (code, text) in parts %}{% if *code %}<code>{{ text }}</code>{% else %}{{ text }}{% endif %}{% endfor %}</span>"#,
    ext = "html"
)]
pub(super) struct CodeText<'a> {
    parts: Vec<(bool, &'a str)>,
}

impl HtmlSafe for CodeText<'_> {}

/// Form field with the token of the session.
#[derive(Debug, Template)]
#[template(
    source = r#"<input type="hidden" name="csrf" value="{{ value }}">"#,
    ext = "html"
)]
pub(super) struct Token<'a> {
    value: &'a str,
}

impl HtmlSafe for Token<'_> {}

impl PageLayout {
    /// A decorative icon.
    pub(super) fn icon(&self, name: &str) -> Html {
        svc_render::standalone_assets::icon(name)
    }

    /// Text with a copy button.
    pub(super) fn copyable<'a>(&self, text: &'a str, label: &'a str) -> Copyable<'a> {
        Copyable {
            text,
            what: label,
            idle: self.icon("copy"),
            done: self.icon("check"),
        }
    }

    /// Text with code between backticks.
    pub(super) fn with_code<'a>(&self, text: &'a str) -> CodeText<'a> {
        // An unpaired backtick is a literal character.
        let (paired, rest) = if text.matches('`').count().is_multiple_of(2) {
            (text, "")
        } else {
            text.split_at(text.rfind('`').unwrap_or(0))
        };
        let parts = paired.split('`').enumerate();
        let parts = parts.map(|(number, part)| (number % 2 == 1, part));
        CodeText {
            parts: parts.chain([(false, rest)]).collect(),
        }
    }

    /// Badge of the live deployment.
    pub(super) fn live(&self) -> Badge {
        Badge::new("live", "Live")
    }

    /// Themes with name, label and icon, and whether each is selected.
    pub(super) fn themes(&self) -> [(&'static str, &'static str, &'static str, bool); 3] {
        Theme::ALL.map(|(theme, label, icon)| (theme.name(), label, icon, theme == self.theme))
    }

    /// Form field with the token, required in every form.
    pub(super) fn token(&self) -> Token<'_> {
        Token { value: &self.csrf }
    }

    /// Whether a tab is selected.
    pub(super) fn is(&self, tab: &str) -> bool {
        let this_tab = match self.tab {
            Tab::None => "",
            Tab::Overview => "overview",
            Tab::Keys => "keys",
            Tab::Readers => "readers",
            Tab::Jobs => "jobs",
            Tab::Deployments => "deployments",
            Tab::Audit => "audit",
            Tab::Account => "account",
        };
        this_tab == tab
    }
}

/// Page that confirms an irreversible action.
#[derive(Debug, Template)]
#[template(path = "dashboard/parts/confirm.html")]
pub(super) struct Confirm {
    pub(super) frame: PageLayout,
    pub(super) title: String,
    /// Consequences of the action.
    pub(super) text: &'static str,
    /// Details of the affected object.
    pub(super) facts: Vec<(&'static str, String)>,
    /// Path that performs the action.
    pub(super) action: String,
    /// Label of the button.
    pub(super) verb: &'static str,
    /// Whether the action is destructive.
    pub(super) danger: bool,
    /// Path of the page to return to.
    pub(super) back: String,
}

/// The first line of a text, shortened for lists.
pub(super) fn line(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.unwrap_or("(no text)");
    if first.chars().count() <= MAX_CHARS {
        return first.to_owned();
    }
    let short: String = first.chars().take(MAX_CHARS).collect();
    format!("{}…", short.trim_end())
}

/// Abbreviated commit ID.
pub(super) fn short_commit(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_input_is_escaped_in_every_part() {
        let hostile = "\"><script>alert(1)</script>";
        let frame = PageLayout::minimal("x");
        for shown in [
            Badge::new("good", hostile).to_string(),
            frame.copyable(hostile, "it").to_string(),
            Token { value: hostile }.to_string(),
            frame.with_code(&format!("`{hostile}`")).to_string(),
        ] {
            assert!(!shown.contains("<script"), "{shown}");
            assert!(!shown.contains("\"\""), "{shown}");
        }
    }

    #[test]
    fn text_between_backticks_is_code() {
        let html = |text: &str| PageLayout::minimal("x").with_code(text).to_string();
        let inner = |text: &str| html(text).replace("<span class=\"dash-said\">", "");
        assert_eq!(inner("`a` is b"), "<code>a</code> is b</span>");
        assert_eq!(inner("a `b` c `d"), "a <code>b</code> c `d</span>");
        assert_eq!(inner(""), "</span>");
    }

    #[test]
    fn titles_of_lists_are_truncated() {
        assert_eq!(line("\n  Fix it \nmore"), "Fix it");
        assert_eq!(line(""), "(no text)");
        assert_eq!(line(&"ä".repeat(300)).chars().count(), 121);
    }
}
