//! Parsing a large `docs.json`, compared with `serde_json`, which only builds a tree of values.

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_diagnostics::SourceFile;

use crate::{BenchRepository, Row, megabytes};

/// Size of the document in bytes.
const DOCUMENT_BYTES: usize = 2_300_000;
/// Counted runs.
const RUNS: usize = 15;

/// Parses and resolves a `docs.json` of 2.3 MB, and parses the same text as a `serde_json::Value`;
/// dropping the results is included. The two take turns, so that a busy machine slows both.
pub(crate) fn config(repositories: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let named = |name: &str| {
        repositories
            .iter()
            .find(|repository| repository.name == name)
    };
    let Some(repository) = named("mintlify").or(repositories.first()) else {
        return Ok(());
    };
    let text = enlarged(&repository.root)?;
    let (mut ours, mut theirs, mut parse_times) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..=RUNS {
        let start = Instant::now();
        let value: Value = serde_json::from_str(&text)?;
        drop(black_box(value));
        theirs.push(start.elapsed());
        // A new file for each run: the line index of a file is cached.
        let file = SourceFile::new("docs.json", &*text);
        let start = Instant::now();
        let tree = svc_data::parse_json(&file, &svc_data::Limits::default());
        drop(black_box(tree));
        parse_times.push(start.elapsed());
        let start = Instant::now();
        let checked = svc_config::parse(&file, &|_| None);
        drop(black_box(checked));
        ours.push(start.elapsed());
    }
    let (theirs, parse_times, ours) = (median(theirs), median(parse_times), median(ours));
    let mut row = |name: &str, time: Duration, detail: String| {
        rows.push(Row {
            name: format!("config, {name}"),
            figure: format!("{:.1} ms", time.as_secs_f64() * 1e3),
            detail,
        });
    };
    let ratio = |time: Duration| time.as_secs_f64() / theirs.as_secs_f64().max(1e-9);
    let size = format!("{}, {} bytes", megabytes(text.len(), theirs), text.len());
    row("serde_json", theirs, size);
    row(
        "tree with spans",
        parse_times,
        format!("{:.1} × serde_json", ratio(parse_times)),
    );
    row(
        "parse and resolve",
        ours,
        format!("{:.1} × serde_json, {RUNS} runs", ratio(ours)),
    );
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    // The first run is a warm-up.
    times.remove(0);
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Returns the document with its root pattern repeated and the files of its `$ref`s included.
fn enlarged(root: &Path) -> io::Result<String> {
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(root.join("docs.json"))?)?;
    include(&mut document, root, 4)?;
    let Some(pattern) = document["navigation"]
        .as_object_mut()
        .and_then(|navigation| navigation.values_mut().find_map(Value::as_array_mut))
    else {
        return Err(io::Error::other("the navigation has no list to repeat"));
    };
    let once = pattern.clone();
    let size = serde_json::to_string_pretty(&once)?.len().max(1);
    for _ in 1..DOCUMENT_BYTES.div_ceil(size) {
        pattern.extend(once.iter().cloned());
    }
    Ok(serde_json::to_string_pretty(&document)?)
}

/// Replaces `$ref`s by the content of their files, as reading files is not measured. At most
/// `levels` files are nested; further ones are left out.
fn include(value: &mut Value, dir: &Path, levels: usize) -> io::Result<()> {
    if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        let path = dir.join(reference);
        let mut target = Value::Null;
        if levels > 0 {
            target = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
            include(&mut target, path.parent().unwrap_or(dir), levels - 1)?;
        }
        if let (Value::Object(target), Value::Object(siblings)) = (&mut target, &*value) {
            let siblings = siblings.iter().filter(|(key, _)| *key != "$ref");
            target.extend(siblings.map(|(key, value)| (key.clone(), value.clone())));
        }
        *value = target;
        return Ok(());
    }
    match value {
        Value::Array(items) => items
            .iter_mut()
            .try_for_each(|item| include(item, dir, levels)),
        Value::Object(members) => members
            .values_mut()
            .try_for_each(|member| include(member, dir, levels)),
        _ => Ok(()),
    }
}
