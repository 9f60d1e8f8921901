//! Colors of diagnostics in a terminal.

use std::env;
use std::io::IsTerminal;

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

/// Colors rendered diagnostics: severities, locations and the markers below lines.
pub(super) fn colorize(text: &str) -> String {
    let paint = |line: &str| {
        let is_prefix = |name: &str| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('['))
        };
        if let Some((_, color)) = SEVERITIES.into_iter().find(|(name, _)| is_prefix(name)) {
            let end = line.find(": ").unwrap_or(line.len());
            return format!("\u{1b}[{color}m{}\u{1b}[0m{}", &line[..end], &line[end..]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_and_marks_have_colors_and_nothing_else_changes() {
        let text =
            "error[a]: b: c\n  --> d.mdx:1:2\n 1 | error[x]: ^\n   | ^^\n  = hint: e\n1 error";
        let colored = colorize(text);
        assert!(colored.starts_with("\u{1b}[1;31merror[a]\u{1b}[0m: b: c\n"));
        assert!(colored.contains(" 1 | error[x]: ^\n   | \u{1b}[1;31m^^\u{1b}[0m\n"));
        let plain = ["[1;31m", "[2m", "[0m"].iter().fold(colored, |text, code| {
            text.replace(&format!("\u{1b}{code}"), "")
        });
        assert_eq!(plain, text);
    }
}
