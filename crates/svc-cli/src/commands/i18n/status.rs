//! `svc i18n status`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use svc_site::{ChangedSection, Translation, TranslationState};

use crate::commands::output::print;
use crate::commands::progress::Progress;
use crate::commands::site::{load_options, load_site};
use crate::exit::Exit;

/// Show which pages are missing in a language or older than their source.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder with docs.json
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Fail if a page is older than its source
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// A table of languages, and the pages that need work
    Text,
    /// JSON object
    Json,
}

/// The translations into a language by state.
#[derive(Default)]
struct LanguageStatus<'t> {
    pages: usize,
    outdated: Vec<(&'t Translation, &'t [ChangedSection])>,
    missing: Vec<&'t Translation>,
    unrecorded: Vec<&'t Translation>,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let options = load_options(&arguments.dir).without_dates();
    let site = match load_site(&arguments.dir, &options, &mut Progress::start())? {
        Ok((site, _)) => site,
        Err(exit) => return Ok(exit),
    };
    let translations = site.translations();
    let mut languages: BTreeMap<&str, LanguageStatus<'_>> = BTreeMap::new();
    for translation in &translations {
        let status = languages.entry(&translation.language).or_default();
        status.pages += 1;
        match &translation.state {
            TranslationState::Missing => status.missing.push(translation),
            TranslationState::Unrecorded => status.unrecorded.push(translation),
            TranslationState::Current => {}
            TranslationState::Outdated(changes) => status.outdated.push((translation, changes)),
        }
    }
    print(&match arguments.format {
        Format::Text => text(&languages),
        Format::Json => format!("{:#}\n", document(&languages)),
    })?;
    let is_outdated = languages.values().any(|status| !status.outdated.is_empty());
    Ok(match arguments.check && is_outdated {
        true => Exit::Problems,
        false => Exit::Success,
    })
}

impl LanguageStatus<'_> {
    const fn translated(&self) -> usize {
        self.pages - self.missing.len()
    }
}

fn text(languages: &BTreeMap<&str, LanguageStatus<'_>>) -> String {
    if languages.is_empty() {
        return "The site has one language.\n".to_owned();
    }
    let mut out = "Language  Pages  Translated  Outdated  Missing  Without record\n".to_owned();
    // Writing to a String cannot fail.
    for (code, status) in languages {
        let _ = writeln!(
            out,
            "{code:<8}  {:>5}  {:>10}  {:>8}  {:>7}  {:>14}",
            status.pages,
            status.translated(),
            status.outdated.len(),
            status.missing.len(),
            status.unrecorded.len(),
        );
    }
    for (code, status) in languages {
        for (translation, changes) in &status.outdated {
            let page = translation.page.as_deref().unwrap_or_default();
            let _ = writeln!(out, "\n{code}: {page} is older than {}", translation.source);
            for section in *changes {
                let source = &translation.source;
                let place = section
                    .line
                    .map_or_else(|| source.to_string(), |line| format!("{source}:{line}"));
                let _ = writeln!(
                    out,
                    "  {place}: {}: {}",
                    section.change.as_str(),
                    section.title
                );
            }
        }
        list(
            &mut out,
            code,
            "missing",
            status.missing.iter().map(|one| &*one.source),
        );
        let pages = status
            .unrecorded
            .iter()
            .filter_map(|one| one.page.as_deref());
        list(&mut out, code, "without record", pages);
    }
    out
}

/// Adds a list of files, if there are any.
fn list<'f>(out: &mut String, code: &str, name: &str, files: impl Iterator<Item = &'f str>) {
    for (at, file) in files.enumerate() {
        if at == 0 {
            let _ = writeln!(out, "\n{code}: {name}");
        }
        let _ = writeln!(out, "  {file}");
    }
}

fn document(languages: &BTreeMap<&str, LanguageStatus<'_>>) -> Value {
    let section = |section: &ChangedSection| {
        json!({
            "change": section.change.as_str(),
            "id": section.id,
            "title": section.title,
            "line": section.line,
        })
    };
    let language = |(code, status): (&&str, &LanguageStatus<'_>)| {
        let outdated = status.outdated.iter().map(|(translation, changes)| {
            let sections: Vec<Value> = changes.iter().map(section).collect();
            json!({ "page": translation.page.as_deref(), "source": &*translation.source, "sections": sections })
        });
        json!({
            "language": code,
            "pages": status.pages,
            "translated": status.translated(),
            "outdated": outdated.collect::<Vec<_>>(),
            "missing": status.missing.iter().map(|one| &*one.source).collect::<Vec<_>>(),
            "unrecorded": status.unrecorded.iter().map(|one| one.page.as_deref()).collect::<Vec<_>>(),
        })
    };
    json!({ "languages": languages.iter().map(language).collect::<Vec<_>>() })
}
