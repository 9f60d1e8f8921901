//! Titles and messages of commits and pull requests.

use svc_admin_api::agent_job::{Job, Prompt};

/// Maximum length of a title in characters.
const MAX_TITLE_CHARS: usize = 72;
/// Maximum length of a quoted prompt in characters.
const MAX_QUOTED_CHARS: usize = 4_000;

/// Name of the branch of a job.
pub(crate) fn branch(job: &Job) -> String {
    format!("svc/job-{}", job.id)
}

/// Title for a prompt: its first line with text, shortened.
pub(crate) fn title(prompt: &Prompt) -> String {
    let plain = |line: &str| {
        let cleaned: String = line
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        cleaned.trim().to_owned()
    };
    let mut lines = prompt.as_str().lines().map(plain);
    let line = lines.find(|line| !line.is_empty()).unwrap_or_default();
    if line.is_empty() {
        return "Changes by an agent".to_owned();
    }
    match line.char_indices().nth(MAX_TITLE_CHARS) {
        None => line,
        Some(_) => {
            let short: String = line.chars().take(MAX_TITLE_CHARS - 1).collect();
            format!("{}…", short.trim_end())
        }
    }
}

/// Commit message of a job.
pub(crate) fn commit_message(job: &Job, prompt: &Prompt) -> String {
    format!(
        "{}\n\nAgent job {}, turn {}.\n",
        title(prompt),
        job.id,
        job.turn
    )
}

/// Description of a pull request.
pub(crate) fn description(job: &Job, prompt: &Prompt) -> String {
    let text = prompt.as_str();
    let short: String = text.chars().take(MAX_QUOTED_CHARS).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    let quoted: String = format!("{short}{more}")
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect();
    format!("Opened by the agent job `{}`.\n\n{quoted}", job.id)
}

/// Shortens foreign text to one line without control characters.
pub(crate) fn sanitize_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut out = String::new();
    for line in lines {
        if !out.is_empty() {
            out.push_str("; ");
        }
        out.extend(line.chars().filter(|c| !c.is_control()));
        if out.len() > 600 {
            break;
        }
    }
    out.truncate(out.floor_char_boundary(600));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_of(text: &str) -> String {
        title(&Prompt::try_from(text.to_owned()).expect("a prompt"))
    }

    #[test]
    fn a_title_is_the_first_line_with_text() {
        assert_eq!(title_of("\n \n  Fix the\ttypo \nand more"), "Fix the typo");
        assert_eq!(title_of(" \n\u{7}\n"), "Changes by an agent");
        assert_eq!(title_of(&"ä".repeat(72)), "ä".repeat(72));
        assert_eq!(title_of(&"ä".repeat(73)), format!("{}…", "ä".repeat(71)));
    }

    #[test]
    fn foreign_text_is_one_short_line() {
        assert_eq!(sanitize_line(" a\r\n\n b\u{1b}[0m \n"), "a; b[0m");
        assert!(sanitize_line(&"ä\n".repeat(5_000)).len() <= 600);
    }
}
