//! `svc explain`.

mod text;

use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use svc_diagnostics::{Diagnostic, DiagnosticCode, did_you_mean};

use super::color;
use super::docs_url::docs_url;
use super::output::{eprint_escaped, print};
use crate::areas::{areas, diagnostic_codes};
use crate::exit::Exit;

/// Explain the code of a problem, or list all codes.
#[derive(Debug, Args)]
#[command(
    after_help = "If the environment variable SVC_DOCS_URL is the URL of a site with the documentation of svc, all commands link codes to their pages. Exit status: 0 success, 1 there is no such code."
)]
pub(crate) struct Arguments {
    /// Code in brackets, such as config-color; without it, all codes are listed
    code: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Text for a terminal
    Text,
    /// JSON object with code, severity, summary and explanation as Markdown; an array without a code
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let has_colors = color::has_colors(&io::stdout());
    let Some(wanted) = &arguments.code else {
        let text = match arguments.format {
            Format::Json => format!("{:#}\n", all_json()),
            Format::Text => list(has_colors),
        };
        print(&text)?;
        return Ok(Exit::Success);
    };
    let Some(code) = find(wanted) else {
        eprint_escaped(&unknown(wanted));
        return Ok(Exit::Problems);
    };
    print(&match arguments.format {
        Format::Json => format!("{:#}\n", to_json(code)),
        Format::Text => text::explanation(code, docs_url().as_deref(), has_colors),
    })?;
    Ok(Exit::Success)
}

/// Returns the line that names the command with the explanations of these problems; empty without
/// one.
pub(super) fn pointer(diagnostics: &[Diagnostic]) -> String {
    let mut ids = diagnostics.iter().map(|diagnostic| diagnostic.code.id);
    let Some(first) = ids.next() else {
        return String::new();
    };
    match ids.any(|id| id != first) {
        false => format!("for more about this problem: svc explain {first}\n"),
        true => format!("for more about a problem: svc explain CODE, such as {first}\n"),
    }
}

/// Finds a code by its ID, as it is printed or with the brackets and severity around it.
fn find(wanted: &str) -> Option<&'static DiagnosticCode> {
    let id = match wanted.split_once('[') {
        Some((_, rest)) => rest.trim_end_matches(':').trim_end_matches(']'),
        None => wanted,
    };
    let id = id.to_ascii_lowercase();
    diagnostic_codes().find(|code| code.id == id)
}

fn unknown(wanted: &str) -> String {
    let ids = diagnostic_codes().map(|code| code.id);
    let hint = match did_you_mean(wanted, ids) {
        Some(id) => format!("did you mean `{id}`?"),
        None => "`svc explain` lists all codes".to_owned(),
    };
    format!("svc: there is no code `{wanted}`: {hint}\n")
}

/// Lists all codes by area.
fn list(has_colors: bool) -> String {
    let mut out = Vec::new();
    let width = diagnostic_codes().map(|code| code.id.len()).max();
    let width = width.unwrap_or_default();
    for area in areas() {
        let title = text::bold(area.title, has_colors);
        // Writing to a Vec cannot fail.
        let _ = writeln!(out, "{title}");
        for code in area.sorted_codes() {
            let _ = writeln!(out, "  {:width$}  {}", code.id, code.summary);
        }
        let _ = writeln!(out);
    }
    let _ = writeln!(out, "svc explain CODE explains one of them.");
    String::from_utf8(out).unwrap_or_default()
}

fn all_json() -> Value {
    let codes = areas().into_iter().flat_map(|area| {
        area.sorted_codes().into_iter().map(move |code| {
            let mut object = to_json(code);
            object["area"] = json!(area.title);
            object
        })
    });
    codes.collect()
}

fn to_json(code: &DiagnosticCode) -> Value {
    let mut object = json!({
        "code": code.id,
        "severity": code.severity.as_str(),
        "summary": code.summary,
        "explanation": code.explanation,
    });
    if let Some(docs_url) = docs_url() {
        object["url"] = json!(code.page_url(&docs_url));
    }
    object
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_code_is_found_as_it_is_printed() {
        for wanted in ["config-color", "error[config-color]:", "[Config-Color]"] {
            assert_eq!(find(wanted).map(|code| code.id), Some("config-color"));
        }
        assert_eq!(find("config"), None);
    }

    #[test]
    fn unknown_codes_have_a_suggestion_or_the_list() {
        assert!(unknown("config-colour").contains("`config-color`"));
        assert!(unknown("x").contains("`svc explain` lists"));
    }

    #[test]
    fn each_id_is_listed_once() {
        let ids: Vec<&str> = diagnostic_codes().map(|code| code.id).collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len());
        let list = list(false);
        for id in ids {
            assert!(list.contains(&format!("\n  {id} ")), "{id}");
        }
    }

    #[test]
    fn the_pointer_names_the_code_or_one_of_several() {
        let problem = |id: &str| Diagnostic::new(find(id).unwrap(), "it is wrong");
        let one = [problem("config-color"), problem("config-color")];
        let line = "for more about this problem: svc explain config-color\n";
        assert_eq!(pointer(&one), line);
        let two = [problem("config-url"), problem("config-color")];
        let line = "for more about a problem: svc explain CODE, such as config-url\n";
        assert_eq!(pointer(&two), line);
        assert_eq!(pointer(&[]), "");
    }
}
