//! `svc format`.

mod files;

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use svc_diagnostics::{Checked, render_text};
use svc_server::pluralize;
use svc_source::FileTransaction;

use self::files::{File, files, stdin};
use super::output::{eprint_escaped, print, print_escaped, unified_diff};
use super::progress::Progress;
use crate::exit::Exit;

/// Write pages and docs.json in one form.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 success, 1 files have syntax errors (with --check also: files would change), 2 a file cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Folders, pages and docs.json files; `-` is standard input
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Print the files that would change, and change nothing
    #[arg(long)]
    check: bool,
    /// Print the changes as a unified diff, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Name of the file on standard input. Default: `page.mdx`
    #[arg(long, value_name = "NAME")]
    stdin_filename: Option<String>,
}

/// Numbers of files.
#[derive(Debug, Default)]
struct Counts {
    changed: usize,
    unchanged: usize,
    invalid: usize,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
    let is_stdin = arguments.paths.iter().any(|path| path.as_os_str() == "-");
    let files = match (is_stdin, &arguments.stdin_filename) {
        (true, _) if arguments.paths.len() > 1 => {
            return Err(io::Error::other("`-` cannot be combined with other paths"));
        }
        (true, name) => vec![stdin(name.as_deref().unwrap_or("page.mdx"))?],
        (false, Some(_)) => {
            return Err(io::Error::other("`--stdin-filename` needs the path `-`"));
        }
        (false, None) => files(&arguments.paths)?,
    };
    let progress = Progress::start();
    // All files are read before the first one is written.
    let texts = files
        .iter()
        .map(|file| file.read().map_err(|error| file.error(&error)));
    let texts = texts.collect::<io::Result<Vec<String>>>()?;
    let named = files.iter().zip(&texts);
    let named: Vec<(&str, &str)> = named.map(|(file, text)| (&*file.name, &**text)).collect();
    let formatted = svc_site::format_all(&named);
    drop(progress);
    let mut counts = Counts::default();
    for ((file, old), formatted) in files.iter().zip(&texts).zip(formatted) {
        let Checked {
            value: new,
            diagnostics,
        } = formatted.unwrap_or_else(|| Checked::clean(old.clone()));
        if !diagnostics.is_empty() {
            counts.invalid += 1;
            let text = render_text(&diagnostics, &|_| Some(&**old));
            eprint_escaped(&format!("{text}{}: left as it is\n\n", file.shown));
        } else if new == *old {
            counts.unchanged += 1;
        } else {
            counts.changed += 1;
        }
        if arguments.dry_run {
            print_escaped(&unified_diff((&file.shown, old), (&file.shown, &new)))?;
        } else if arguments.check && new != *old {
            print_escaped(&format!("{}\n", file.shown))?;
        } else if !arguments.check {
            write(file, old, new)?;
        }
    }
    let is_preview = arguments.check || arguments.dry_run;
    // Standard output may be a text, a list or a diff.
    let summary = counts.summary(is_preview, start);
    match (is_stdin, is_preview) {
        (true, _) => {}
        (false, true) => eprint_escaped(&summary),
        (false, false) => print(&summary)?,
    }
    let would_change = arguments.check && counts.changed > 0;
    Ok(match counts.invalid > 0 || would_change {
        true => Exit::Problems,
        false => Exit::Success,
    })
}

/// Writes a file that has changed. Standard input is printed in any case.
fn write(file: &File, old: &str, new: String) -> io::Result<()> {
    let Some(path) = &file.path else {
        return print(&new);
    };
    if new != old {
        if fs::read(path)? != old.as_bytes() {
            return Err(file.error(&io::Error::other("it was changed meanwhile")));
        }
        let mut transaction = FileTransaction::default();
        transaction.write(path, new);
        transaction.commit()?;
    }
    Ok(())
}

impl Counts {
    fn summary(&self, is_preview: bool, start: Instant) -> String {
        let verb = if is_preview {
            "would be formatted"
        } else {
            "formatted"
        };
        let mut parts = Vec::new();
        if self.changed > 0 {
            parts.push(format!("{} {verb}", pluralize(self.changed, "file")));
        }
        if self.unchanged > 0 || self.changed + self.invalid == 0 {
            parts.push(match self.changed {
                0 => format!("{} unchanged", pluralize(self.unchanged, "file")),
                _ => format!("{} unchanged", self.unchanged),
            });
        }
        if self.invalid > 0 {
            parts.push(match self.invalid {
                1 => "1 file with errors left as it is".to_owned(),
                count => format!("{count} files with errors left as they are"),
            });
        }
        // Other output is the same in each run.
        let time = match io::stdout().is_terminal() {
            true => format!(" in {:.2} s", start.elapsed().as_secs_f64()),
            false => String::new(),
        };
        format!("{}{time}\n", parts.join(", "))
    }
}
