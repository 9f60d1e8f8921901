//! Colors and links of diagnostics in a terminal.

use std::env;
use std::io::IsTerminal;

use super::docs_url::docs_url;
use crate::areas::diagnostic_codes;

/// Whether to color a stream: if it is a terminal, unless the user disabled colors
/// (<https://no-color.org>).
pub(super) fn has_colors(stream: &impl IsTerminal) -> bool {
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_none_or(|value| value == "dumb");
    stream.is_terminal() && !no_color && !dumb
}

/// Severities with their colors.
const SEVERITIES: [(&str, &str); 4] = [
    ("fatal", "1;31"),
    ("error", "1;31"),
    ("warning", "1;33"),
    ("info", "1;34"),
];

/// Colors rendered diagnostics: severities, locations and the markers below lines. Codes link to
/// their page if the URL of the documentation is known.
pub(super) fn colorize(text: &str) -> String {
    colorize_linked(text, docs_url().as_deref())
}

fn colorize_linked(text: &str, docs_url: Option<&str>) -> String {
    let paint = |line: &str| {
        let is_prefix = |name: &str| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('['))
        };
        if let Some((name, color)) = SEVERITIES.into_iter().find(|(name, _)| is_prefix(name)) {
            let end = line.find(": ").unwrap_or(line.len());
            let (start, rest) = line.split_at(end);
            let start = match docs_url {
                Some(docs_url) => hyperlink(name, start, docs_url),
                None => start.to_owned(),
            };
            return format!("\u{1b}[{color}m{start}\u{1b}[0m{rest}");
        }
        let marks = line.trim_start_matches([' ', '\t', '|']);
        if marks.starts_with('^') && marks.trim_end_matches('^').is_empty() {
            let lead = &line[..line.len() - marks.len()];
            return format!("{lead}\u{1b}[1;31m{marks}\u{1b}[0m");
        }
        match line.strip_prefix("  --> ").or(line.strip_prefix("  = ")) {
            Some(_) => format!("\u{1b}[2m{}\u{1b}[0m", line.trim_end_matches('\n')),
            None => line.to_owned(),
        }
    };
    let lines = text
        .split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => format!("{}\n", paint(line)),
            None => paint(line),
        });
    lines.collect()
}

/// Makes the code in `error[code]` a link (OSC 8).
fn hyperlink(severity: &str, start: &str, docs_url: &str) -> String {
    let id = start[severity.len()..].trim_matches(['[', ']']);
    let code = diagnostic_codes().find(|code| code.id == id);
    code.map_or_else(
        || start.to_owned(),
        |code| {
            let url = code.page_url(docs_url);
            format!("{severity}[\u{1b}]8;;{url}\u{1b}\\{id}\u{1b}]8;;\u{1b}\\]")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_and_marks_have_colors_and_nothing_else_changes() {
        let text =
            "error[a]: b: c\n  --> d.mdx:1:2\n 1 | error[x]: ^\n   | ^^\n  = hint: e\n1 error";
        let colored = colorize_linked(text, None);
        assert!(colored.starts_with("\u{1b}[1;31merror[a]\u{1b}[0m: b: c\n"));
        assert!(colored.contains(" 1 | error[x]: ^\n   | \u{1b}[1;31m^^\u{1b}[0m\n"));
        let plain = ["[1;31m", "[2m", "[0m"].iter().fold(colored, |text, code| {
            text.replace(&format!("\u{1b}{code}"), "")
        });
        assert_eq!(plain, text);
    }

    #[test]
    fn codes_link_to_their_page_and_others_stay() {
        let text = "error[config-color]: a\nerror[x]: b\n";
        let colored = colorize_linked(text, Some("https://docs.test"));
        let link = "\u{1b}[1;31merror[\u{1b}]8;;https://docs.test/reference/diagnostics/config-color\u{1b}\\config-color\u{1b}]8;;\u{1b}\\]\u{1b}[0m: a\n";
        assert!(colored.starts_with(link), "{colored:?}");
        assert!(colored.ends_with("error[x]\u{1b}[0m: b\n"), "{colored:?}");
    }
}
