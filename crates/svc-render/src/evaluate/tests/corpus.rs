//! Evaluates the code of real documentation sites, if they are present next to the workspace.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::super::parser::Parser;
use super::super::*;

fn pages(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "mdx") {
            out.push(path);
        }
    }
}

/// The page with its fenced code blocks blanked out.
fn without_fences(text: &str) -> String {
    let mut result = String::new();
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let first = trimmed.chars().next().unwrap_or(' ');
        let length = trimmed.find(|c| c != first).unwrap_or(trimmed.len());
        let ticks = trimmed
            .get(..length)
            .filter(|_| matches!(first, '`' | '~'))
            .unwrap_or("");
        match fence {
            Some(open) if trimmed.starts_with(open) && ticks == trimmed => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                result.push_str(line);
                continue;
            }
        }
        result.push('\n');
    }
    result
}

/// Prose also has lines that begin with this word.
fn is_import(text: &str) -> bool {
    let line = text.lines().next().unwrap_or("");
    line.starts_with("import ") && line.contains(['"', '\''])
}

/// The length of the code span at the beginning of `text`; an unmatched backtick is literal.
fn code_span(text: &str) -> usize {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    let (open, rest) = text.split_at(ticks);
    let line = rest.split("\n\n").next().unwrap_or("");
    line.find(open).map_or(ticks, |end| ticks + end + ticks)
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are the result")]
fn every_export_and_attribute_of_the_real_sites_is_valid() {
    let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let mut files = Vec::new();
    pages(&sites, &mut files);
    let (mut blocks, mut values, mut components, mut attributes) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for file in &files {
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        let text = without_fences(&text);
        let mut rest = text.as_str();
        let mut at_line = true;
        while let Some(c) = rest.chars().next() {
            if at_line && (rest.starts_with("export const ") || is_import(rest)) {
                // The block ends at the first line after which it is complete.
                let block = esm_block(rest);
                blocks += 1;
                match module(block, &EmptyScope) {
                    Err(error) => wrong.push(format!("{}: {error}\n{block}", file.display())),
                    Ok(found) => {
                        for value in found.values() {
                            values += 1;
                            if let Value::Function(function) = value {
                                let props = Value::from(IndexMap::new());
                                match call(function, &[props], EvalLimits::default()) {
                                    Ok(Value::Element(_) | Value::Null) => components += 1,
                                    other => wrong.push(format!("{}: {other:?}", file.display())),
                                }
                            }
                        }
                    }
                }
                rest = rest.get(block.len()..).unwrap_or("");
                at_line = true;
                continue;
            }
            if c == '`' {
                rest = rest.get(code_span(rest)..).unwrap_or("");
                at_line = false;
                continue;
            }
            if let Some(body) = rest.strip_prefix("={") {
                attributes += 1;
                let mut parser = Parser::new(body);
                match parser.sequence() {
                    Ok(_) if parser.is("}") => {}
                    Ok(_) => {
                        wrong.push(format!("{}: {}", file.display(), parser.unexpected("`}`")));
                    }
                    Err(error) => {
                        let line = body.lines().next().unwrap_or("");
                        wrong.push(format!("{}: {error}: {line}", file.display()));
                    }
                }
            }
            at_line = c == '\n';
            rest = rest.get(c.len_utf8()..).unwrap_or("");
        }
    }
    println!(
        "{} pages: {blocks} import and export blocks, {values} exported values, {components} \
         components rendered, {attributes} attribute values",
        files.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        attributes > 500 && components > 30,
        "the real sites have more than this"
    );
}

/// The statement at the beginning of `text`, up to the end of its last line.
fn esm_block(text: &str) -> &str {
    let mut parser = Parser::new(text);
    if parser.is_keyword("import") {
        return text.split_inclusive('\n').next().unwrap_or(text);
    }
    parser.advance();
    let _ = parser.statement();
    let end = text.get(parser.previous..).and_then(|rest| rest.find('\n'));
    text.get(..parser.previous + end.map_or(0, |end| end + 1))
        .unwrap_or(text)
}
