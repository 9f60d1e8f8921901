//! The reference of the command line, from the argument definitions of the programs.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command};

use super::{GENERATED, plain};

/// Returns the page `reference/cli`.
pub(super) fn page() -> String {
    let mut out = format!(
        "---\ntitle: Command line\ndescription: The programs svc and svc-server, their commands and options.\nicon: terminal\n---\n\n{GENERATED}"
    );
    for mut program in [svc_cli::command(), svc_server::program::command()] {
        program.build();
        section(&mut out, &program, 2);
    }
    out
}

/// Writes a command and its subcommands.
fn section(out: &mut String, command: &Command, level: usize) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    // Writing to a String cannot fail.
    let _ = write!(out, "\n{} {name}\n\n", "#".repeat(level));
    let about = command.get_long_about().or(command.get_about());
    if let Some(about) = about {
        let _ = write!(out, "{}\n\n", sentence(&about.to_string()));
    }
    let usage = command.clone().render_usage().to_string();
    let lines: Vec<&str> = usage.lines().map(str::trim).collect();
    let usage = lines.join("\n");
    let usage = usage.strip_prefix("Usage:").unwrap_or(&usage).trim();
    let _ = write!(out, "```text\n{usage}\n```\n");
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && !is_everywhere(argument))
        .collect();
    if !arguments.is_empty() {
        out.push_str("\n| Argument | What it does |\n| --- | --- |\n");
        for argument in arguments {
            let _ = writeln!(out, "| `{}` | {} |", spelled(argument), help_text(argument));
        }
    }
    if let Some(after) = command.get_after_help() {
        let _ = write!(out, "\n{}\n", sentence(&after.to_string()));
    }
    for below in command
        .get_subcommands()
        .filter(|below| below.get_name() != "help")
    {
        section(out, below, (level + 1).min(4));
    }
}

/// Returns whether the argument is `--help` or `--version`.
fn is_everywhere(argument: &Arg) -> bool {
    use ArgAction::{Help, HelpLong, HelpShort, Version};
    matches!(argument.get_action(), Help | HelpLong | HelpShort | Version)
}

/// Returns the usage of an argument: `--listen ADDRESS`, `[PATH]`.
fn spelled(argument: &Arg) -> String {
    let value = argument
        .get_value_names()
        .and_then(|names| names.first())
        .map_or(argument.get_id().as_str(), |name| name.as_str());
    let many = match argument.get_action() {
        ArgAction::Append => "…",
        _ => "",
    };
    let takes = argument.get_action().takes_values();
    let optional = argument
        .get_num_args()
        .is_some_and(|range| range.min_values() == 0);
    match argument.get_long() {
        Some(long) if takes && optional => format!("--{long} [{value}]"),
        Some(long) if takes => format!("--{long} {value}{many}"),
        Some(long) => format!("--{long}"),
        None if argument.is_required_set() => format!("{value}{many}"),
        None => format!("[{value}]{many}"),
    }
}

/// Returns the description of an argument with its allowed values and its default.
fn help_text(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = sentence(&help.map(ToString::to_string).unwrap_or_default());
    if !argument.get_action().takes_values() {
        return text;
    }
    let chosen: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !chosen.is_empty() {
        let _ = write!(text, " One of {}.", chosen.join(", "));
    }
    let usual: Vec<String> = argument
        .get_default_values()
        .iter()
        .filter(|value| !value.is_empty())
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    if !usual.is_empty() {
        let _ = write!(text, " Default: {}.", usual.join(", "));
    }
    text
}

/// Returns the text as one line of MDX that ends with a full stop.
fn sentence(text: &str) -> String {
    let mut line = plain(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if !line.is_empty() && !line.ends_with(['.', '!', '?']) {
        line.push('.');
    }
    line
}
