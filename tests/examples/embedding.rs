//! The program of the page "Use the crates", compiled.
#![expect(clippy::print_stdout, reason = "a program speaks to its user")]

use svc_config::{SourceFile, parse};

fn main() -> std::io::Result<()> {
    let text = std::fs::read_to_string("docs.json")?;
    let file = SourceFile::new("docs.json", text.as_str());
    let part = |path: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(SourceFile::new(path, text))
    };
    let checked = parse(&file, &part);
    for problem in &checked.diagnostics {
        println!("{}: {}", problem.location_string(), problem.message);
    }
    if let Some(config) = checked.value {
        println!("{} uses the theme {}", config.name, config.theme.name());
    }
    Ok(())
}
