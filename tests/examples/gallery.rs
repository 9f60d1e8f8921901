//! Every component in every theme, as sites, from the manual pages of the components: `cargo xtask
//! gallery`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use svc_config::Theme;
use svc_site::{ExportOptions, LoadOptions, SiteOptions};
use svc_tests::gallery::files;

/// Command-line options.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    out: Option<PathBuf>,
    serve: Option<String>,
}

/// Writes one site per theme and a page that links to them; `--serve` serves one theme.
fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = options(&arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/gallery");
    let sources = root.join("source");
    let out = options.out.unwrap_or_else(|| root.join("site"));
    for theme in Theme::ALL {
        let name = theme.name();
        let source = sources.join(name);
        write_source(&source, name)?;
        let load = LoadOptions::from(SiteOptions {
            base_path: format!("/{name}"),
            ..SiteOptions::default()
        });
        let to_message = |error: std::io::Error| format!("{name}: {error}");
        // The components are part of this repository.
        svc_site::worker::trust_components();
        let site = svc_site::load(&source, &load).map_err(to_message)?.value;
        let dir = out.join(name);
        let report =
            svc_site::export(&site, &dir, &ExportOptions::default()).map_err(to_message)?;
        if report.broken > 0 {
            return Err(format!(
                "{name}: {} pages cannot be rendered",
                report.broken
            ));
        }
        eprintln!("{name}: {} pages, {} files", report.pages, report.files);
    }
    write(&out.join("index.html"), &index())?;
    let theme = options.serve.as_deref();
    let shown = sources.join(theme.unwrap_or(Theme::Svc.name()));
    let shown = shown.to_string_lossy();
    let command = ["run", "-p", "svc-cli", "--", "serve", &*shown];
    if theme.is_some() {
        let to_message = |error: std::io::Error| format!("cargo: {error}");
        let status = Command::new("cargo")
            .args(command)
            .status()
            .map_err(to_message)?;
        return status
            .success()
            .then_some(())
            .ok_or(format!("cargo: {status}"));
    }
    println!(
        "The gallery is {}, for any web server that gives a folder its `index.html`.",
        out.join("index.html").display()
    );
    println!("One theme alone: cargo {}", command.join(" "));
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut arguments = arguments.iter().peekable();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => {
                let dir = arguments.next().ok_or("`--out` needs a folder")?;
                options.out = Some(dir.into());
            }
            "--serve" => {
                let name = arguments.next_if(|next| !next.starts_with("--"));
                let name = name.map_or(Theme::Svc.name(), String::as_str);
                if Theme::from_name(name).is_none() {
                    return Err(format!("there is no theme `{name}`"));
                }
                options.serve = Some(name.to_owned());
            }
            other => {
                return Err(format!(
                    "`{other}` is not known; use `--out FOLDER` and `--serve [THEME]`"
                ));
            }
        }
    }
    Ok(options)
}

/// Writes the sources of one theme to a directory.
fn write_source(dir: &Path, theme: &str) -> Result<(), String> {
    let files = files(theme).map_err(|error| format!("the gallery: {error}"))?;
    files
        .iter()
        .try_for_each(|(path, text)| write(&dir.join(path), text))
}

/// Returns the page that links to all themes.
fn index() -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Gallery</title>\n<style>body{max-width:40rem;margin:4rem auto;padding:0 1rem;font:1.125rem/2 system-ui,sans-serif;color-scheme:light dark}</style>\n<h1>Gallery</h1>\n<ul>\n",
    );
    for theme in Theme::ALL {
        let name = theme.name();
        let _ = writeln!(out, "<li><a href=\"/{name}/\">{name}</a></li>");
    }
    out.push_str("</ul>\n</html>\n");
    out
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let to_message = |error: std::io::Error| format!("{}: {error}", file.display());
    if let Some(dir) = file.parent() {
        fs::create_dir_all(dir).map_err(to_message)?;
    }
    fs::write(file, text).map_err(to_message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_arguments_are_reported() {
        let arguments = |arguments: &[&str]| {
            arguments
                .iter()
                .map(|argument| (*argument).to_owned())
                .collect::<Vec<_>>()
        };
        assert!(options(&arguments(&["--serve", "oak"])).is_err_and(|e| e.contains("`oak`")));
        assert!(options(&arguments(&["--port"])).is_err_and(|e| e.contains("`--port`")));
        let parsed = options(&arguments(&["--serve", "--out", "x"]));
        assert_eq!(
            parsed.map(|parsed| parsed.serve),
            Ok(Some("svc".to_owned()))
        );
    }
}
