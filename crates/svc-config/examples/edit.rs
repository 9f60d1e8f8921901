//! Changes one value of a `docs.json` and preserves all other bytes: `cargo run -p svc-config
//! --example edit -- docs.json /theme '"maple"'`; without a value the member is removed.

use std::{env, error::Error, fs};

use svc_config::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, pointer, value @ ..] = &*arguments else {
        return Err("edit FILE POINTER [VALUE]".into());
    };
    let read = Document::from_bytes(path, &fs::read(path)?);
    if let Some(problem) = read.diagnostics.first() {
        let location = problem.location_string();
        return Err(format!("{location}: {}", problem.message).into());
    }
    let mut document = read.value;
    match value.first() {
        Some(value) => document.set(pointer, &serde_json::from_str(value)?)?,
        None => document.remove(pointer)?,
    }
    fs::write(path, document.text())?;
    Ok(())
}
