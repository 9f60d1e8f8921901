//! `svc new`.

mod template;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use svc_openapi::ApiDocument;

use self::template::{Template, TemplateFile};
use super::output::{eprint_escaped, print, with_path};
use crate::exit::Exit;

/// Create a site.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 created, 1 files are in the way, 2 a file cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Folder of the site; created if it does not exist
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Name of the site. Default: the title of the OpenAPI document, or the name of the folder
    #[arg(long)]
    name: Option<String>,
    /// Theme
    #[arg(long, default_value = "svc")]
    theme: String,
    /// What the site is for. Default: `api` with `--from`, else `guide`
    #[arg(long, value_enum)]
    template: Option<Template>,
    /// OpenAPI document for the API reference, which is copied into the site
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let dir = &arguments.dir;
    let themes: Vec<&str> = svc_config::Theme::ALL
        .iter()
        .map(|theme| theme.name())
        .collect();
    if !themes.contains(&&*arguments.theme) {
        let list = themes.join("`, `");
        eprint_escaped(&format!(
            "svc: there is no theme `{}`; the themes are `{list}`\n",
            arguments.theme
        ));
        return Ok(Exit::Problems);
    }
    let api = match &arguments.from {
        None => None,
        Some(path) => match read_api(path)? {
            Some(api) => Some(api),
            None => {
                let path = path.display();
                eprint_escaped(&format!(
                    "svc: `{path}` is not an OpenAPI document; run `svc openapi check {path}`\n"
                ));
                return Ok(Exit::Problems);
            }
        },
    };
    let template = arguments.template.unwrap_or(match api {
        Some(_) => Template::Api,
        None => Template::Guide,
    });
    let title = api.as_ref().map(|api| api.document.title.clone());
    let name = arguments.name.clone().or(title);
    let name = name.map_or_else(|| dir_title(dir), Ok)?;
    let files = files(template, &name, &arguments.theme, api);
    let known: Vec<&str> = files
        .iter()
        .map(|(path, _)| path.as_str())
        .filter(|path| dir.join(path).exists())
        .collect();
    if !known.is_empty() && !arguments.force {
        let dir = dir.display();
        eprint_escaped(&format!(
            "svc: {dir} has {} already; choose another folder, or replace them with `--force`\n",
            known.join(", ")
        ));
        return Ok(Exit::Problems);
    }
    for (path, text) in &files {
        let file = dir.join(path);
        let failed = |error: io::Error| with_path(&file, &error);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&file, text).map_err(failed)?;
    }
    let mut text = String::new();
    for (path, _) in &files {
        text.push_str(&format!("created {}\n", dir.join(path).display()));
    }
    let argument = match dir.to_str() {
        Some(".") => String::new(),
        _ => format!(" {}", dir.display()),
    };
    text.push_str(&format!("\nNext: svc dev{argument}\n"));
    print(&text)?;
    Ok(Exit::Success)
}

/// An OpenAPI document and the name of its copy.
struct Api {
    document: Box<ApiDocument>,
    file: &'static str,
    text: String,
}

fn read_api(path: &Path) -> io::Result<Option<Api>> {
    let file = super::openapi::read(path)?;
    let text = file.text().to_string();
    let name = match text.trim_start().starts_with('{') {
        true => "openapi.json",
        false => "openapi.yaml",
    };
    let document = svc_openapi::parse(&file).value;
    Ok(document.map(|document| Api {
        document: Box::new(document),
        file: name,
        text,
    }))
}

/// The name of a folder as a title: `my-docs` is `My docs`.
fn dir_title(dir: &Path) -> io::Result<String> {
    fs::create_dir_all(dir)?;
    let path = dir.canonicalize()?;
    let name = path.file_name().map(|name| name.to_string_lossy());
    let name = name.unwrap_or_default().replace(['-', '_', '.'], " ");
    let mut letters = name.trim().chars();
    let first = letters.next().map(char::to_uppercase);
    let name: String = first.into_iter().flatten().chain(letters).collect();
    Ok(match name.is_empty() {
        true => "Documentation".to_owned(),
        false => name,
    })
}

/// Paths and texts of the files of a site.
fn files(template: Template, name: &str, theme: &str, api: Option<Api>) -> Vec<(String, String)> {
    let document = api.as_ref().map_or("openapi.yaml", |api| api.file);
    let config = json!({
        "$schema": "https://svc.dev/schema/docs.json",
        "theme": theme,
        "name": name,
        "colors": { "primary": "#0f766e" },
        "navigation": template.navigation(document),
    });
    let mut files = vec![("docs.json".to_owned(), format!("{config:#}\n"))];
    for TemplateFile { path, text } in template.files() {
        let is_replaced = api.is_some() && path.ends_with("openapi.yaml");
        if !is_replaced {
            let text = text.replace("{name}", &escape(name));
            files.push(((*path).to_owned(), text));
        }
    }
    if let Some(api) = api {
        files.push((api.file.to_owned(), api.text));
    }
    files
}

/// A name as text of a page and of its front matter.
fn escape(name: &str) -> String {
    let is_plain = |c: &char| c.is_alphanumeric() || " -_.,'()&+".contains(*c);
    name.chars().filter(is_plain).collect()
}
