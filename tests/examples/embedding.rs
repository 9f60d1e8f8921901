//! The program of the page "Use the crates", compiled.
#![expect(clippy::print_stdout, reason = "a program speaks to its user")]

use svc_config::{SourceFile, parse};

fn main() -> std::io::Result<()> {
    let text = std::fs::read_to_string("docs.json")?;
    let file = SourceFile::new("docs.json", text.as_str());
    let checked = parse(&file, &|path| std::fs::read_to_string(path).ok());
    for problem in &checked.diagnostics {
        println!("{}: {}", problem.place(), problem.message);
    }
    if let Some(config) = checked.value {
        println!("{} uses the theme {}", config.name, config.theme.name());
    }
    Ok(())
}
