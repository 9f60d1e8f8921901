//! Readers who sign in: the pages in a browser, and behind the proxy of the recipe.

mod pages;
mod playground;
mod proxy;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use svc_tests::projects::{ProjectServer, cheap_hash};

pub(super) type TestResult = Result<(), Box<dyn std::error::Error>>;

const PASSWORD: &str = "correct horse battery";

/// A project of the server: the theme of the site, which is its ID, its host and `[projects.readers]`.
struct Project<'a> {
    theme: &'a str,
    host: String,
    readers: &'a str,
}

/// Starts a server in a directory.
fn start(
    dir: &Path,
    settings: &str,
    projects: &[Project<'_>],
) -> Result<ProjectServer, Box<dyn std::error::Error>> {
    let hash = cheap_hash(PASSWORD)?;
    let passwords = format!("ada:{hash}:staff\nmia:{hash}\n");
    fs::write(dir.join("passwords"), passwords)?;
    fs::write(dir.join("secret"), "a secret of this test")?;
    let mut text = format!("{settings}\n[outbound]\noffline = true\n");
    for project in projects {
        let (theme, host) = (project.theme, &project.host);
        write_site(&dir.join(theme), theme)?;
        writeln!(
            text,
            "[[projects]]\nid = \"{theme}\"\nhosts = [\"{host}\"]\nweb_fonts = false\nsource.folder = \"{theme}\"\n{}",
            project.readers
        )?;
    }
    ProjectServer::start(dir, &text)
}

fn write_site(dir: &Path, theme: &str) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let config = format!(
        r##"{{"theme": "{theme}", "name": "Handbook", "colors": {{"primary": "#0a7d4f"}}, "navigation": {{"pages": ["index", "staff"]}}}}"##
    );
    fs::write(dir.join("docs.json"), config)?;
    fs::write(
        dir.join("index.mdx"),
        "---\ntitle: Welcome\n---\n\nHello, {user.name ?? \"reader\"}.\n",
    )?;
    fs::write(
        dir.join("staff.mdx"),
        "---\ntitle: Salaries\ngroups: [staff]\n---\n\nText for the staff.\n",
    )
}
